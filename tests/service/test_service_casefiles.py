"""Case files, precedents and contradictions: access, and nothing sealed."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from service.access import ANONYMOUS, Role, Session
from service.context import AppContext
from service.disputes import casefiles
from service.problems import HttpProblem
from service.requests import Request
from service.settings import Settings
from tests.service.commands import send
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.test_service_disputes import APPEALS, OPENS, OVERTURNS, RULES, UPHOLDS

HIDDEN = ("I had two left", "the judge was elsewhere")
"""Parts of a dispute that only judges read."""
HEAD = Session("head", "Abe", number="1")


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as ready:
        settle(ready, "t0", (APPEALS, "seat"), (UPHOLDS, "head"))
        yield ready


def settle(served: Served, match: str, *further: tuple[dict[str, Any], Role], **ruling: Any) -> None:
    served.clock.at += SECOND_MS
    served.open("blackpoker", match=match)
    deeds: tuple[tuple[dict[str, Any], Role], ...] = ((OPENS, "seat"), ({**RULES, **ruling}, "floor"), *further)
    for command, role in deeds:
        number = int.from_bytes(f"{match}{served.context.match(match).version}".encode())
        answer = send(served, match, command, role, seat="p1" if role == "seat" else "", id=number)
        assert answer.status_code == 201, answer.text


def close(served: Served, match: str) -> None:
    answer = send(served, match, {"kind": "close", "abandon": True, "reason": "time", "confirm": True}, "head", id=99)
    assert answer.status_code == 201, answer.text


def take(served: Served, audience: str, role: Role = "spectator", *matches: str, at: str = "t0/disputes/4") -> Any:
    seat = "p1" if role == "seat" else ""
    return served.get(f"/en/m/{at}/casefile/{audience}", role, *matches, seat=seat)


def request_of(served: Served, session: Session = ANONYMOUS, match: str = "t1") -> Request:
    return Request(context=served.context, session=session, path={"match": match, "n": "4"})


def test_the_file_for_officials_is_for_judges_who_broke_the_seal(served: Served) -> None:
    for role, held in (("spectator", ()), ("seat", ("t0",)), ("scorekeeper", ()), ("operator", ()), ("floor", ("t1",))):
        refused = take(served, "officials", role, *held)  # type: ignore[arg-type]
        assert refused.status_code == 403 and not any(hidden in refused.text for hidden in HIDDEN), role
    head = served.bearer("head")
    path = "/en/m/t0/disputes/4/casefile/officials"
    sealed = served.client.get(path, headers=head)
    assert sealed.status_code == 403 and "seal" in sealed.text
    for eyes, status in (("p1", 403), ("judge", 200)):
        broken = served.client.post("/api/v1/matches/t0/seal", json={"viewer": eyes}, headers=head)
        assert broken.status_code == 201
        file = served.client.get(path, headers=head)
        assert file.status_code == status, eyes
    assert all(hidden in file.text for hidden in HIDDEN)
    assert file.headers["content-disposition"] == 'attachment; filename="t0-4-officials.html"'
    assert file.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("audience", "at", "status", "says"),
    [
        ("players", "t0/disputes/2", 404, "entry 2 opens no dispute"),
        ("players", "t9/disputes/4", 404, "no such match"),
        ("strangers", "t0/disputes/4", 404, "Page not found"),
        ("officials", "t0/disputes/2", 404, "entry 2 opens no dispute"),
    ],
)
def test_what_is_not_there_is_told_once(served: Served, audience: str, at: str, status: int, says: str) -> None:
    served.open("blackpoker", match="t1")
    answer = take(served, audience, at=at)
    assert answer.status_code == status, answer.text
    assert says in answer.text and "content-disposition" not in answer.headers


def test_precedents_of_other_tables_are_found_with_the_eyes_that_may_look_there(served: Served) -> None:
    settle(served, "t1")
    found = [casefiles.list_precedents(ask, ask.look(viewer), 4) for ask, viewer in both_eyes(served)]
    assert [[(told.match, told.dispute, told.outcome) for told in each] for each in found] == [
        [("t0", 4, "upheld")]
    ] * 2
    kinds = [each[0].shared.kinds for each in found]
    assert kinds == [("not_allowed",)] * 2, "the other match is sealed: nobody tells what the law found there"
    close(served, "t0")
    ask, viewer = list(both_eyes(served))[1]
    (told,) = casefiles.list_precedents(ask, ask.look(viewer), 4)
    assert set(told.shared.kinds) >= {"not_allowed"}


def both_eyes(served: Served) -> Iterator[tuple[Request, str]]:
    yield request_of(served), SPECTATOR
    served.context.seals.break_open(HEAD, "t1", JUDGE, served.clock.at + SECOND_MS)
    yield request_of(served, HEAD), JUDGE


def test_what_the_delay_holds_back_is_no_precedent_and_contradicts_nothing_yet() -> None:
    delay = 60 * SECOND_MS
    with serve(Settings(store=":memory:", delay=delay)) as served:
        settle(served, "t0")
        served.clock.at += delay
        settle(served, "t1", verdict="no_fault")
        judged, anybody = request_of(served, HEAD), request_of(served)
        assert len(casefiles.list_contradictions(judged)) == 1 and casefiles.list_contradictions(anybody) == ()
        served.clock.at += delay
        (told,) = casefiles.list_contradictions(anybody)
        assert [(given.match, given.verdict) for given in told.rulings] == [("t0", "not_allowed"), ("t1", "no_fault")]
        assert casefiles.list_contradictions(anybody, SPECTATOR, "dea") == ()


def test_who_may_see_closed_matches_alone_is_told_of_those_alone(served: Served) -> None:
    settle(served, "t1", verdict="no_fault")
    designer = request_of(served, Session("designer", "Ito"))
    assert casefiles.list_contradictions(designer) == () and len(casefiles.list_contradictions(request_of(served))) == 1
    close(served, "t0")
    assert casefiles.list_contradictions(designer) == ()
    close(served, "t1")
    assert len(casefiles.list_contradictions(designer)) == 1


def test_rulings_agree_once_the_appeal_overturned_one(served: Served) -> None:
    settle(served, "t1", verdict="no_fault")
    settle(served, "t2", (APPEALS, "seat"), (OVERTURNS, "head"))
    (told,) = casefiles.list_contradictions(request_of(served), Seat(JUDGE))
    assert [(given.match, given.verdict) for given in told.rulings] == [
        ("t0", "not_allowed"), ("t1", "no_fault"), ("t2", "no_fault"),
    ]  # fmt: skip


def test_a_ruling_is_written_as_a_case_for_who_may_see_all(served: Served) -> None:
    for session, why in ((ANONYMOUS, "not-your-eyes"), (HEAD, "sealed")):
        with pytest.raises(HttpProblem) as refused:
            casefiles.write_case(request_of(served, session, "t0"))
        assert refused.value.problem.type == f"/problem/{why}"
    served.context.seals.break_open(HEAD, "t0", JUDGE, served.clock.at + SECOND_MS)
    view, number, text = casefiles.write_case(request_of(served, HEAD, "t0"))
    assert (view.match.id, number) == ("t0", 4)
    assert 'id = "t0 4"' in text and "it was seen" in text and "BP-5.1" in text


def test_matches_with_rulings_are_gone_through_once_until_something_comes(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(served, "t1", verdict="no_fault")
    gone_through: list[str] = []
    read = AppContext._read_rulings
    monkeypatch.setattr(
        AppContext,
        "_read_rulings",
        lambda context, match, *rest: gone_through.append(match) or read(context, match, *rest),
    )
    for _ in range(2):
        assert len(casefiles.list_contradictions(request_of(served))) == 1
    assert gone_through == ["t0", "t1"]
    appeal = send(served, "t1", APPEALS, "seat", seat="p1", id=77)
    overturn = send(served, "t1", {**OVERTURNS, "verdict": "not_allowed"}, "head", id=78)
    assert (appeal.status_code, overturn.status_code) == (201, 201)
    assert casefiles.list_contradictions(request_of(served)) == () and gone_through == ["t0", "t1", "t1"]


def test_a_match_that_cannot_be_read_is_left_out(served: Served) -> None:
    settle(served, "t1", verdict="no_fault")
    first, *rest = served.context.match("t0").entries
    served.context.store.append("odd", 0, [replace(first, game="unknown"), *rest])  # type: ignore[arg-type]
    (told,) = casefiles.list_contradictions(request_of(served))
    assert [given.match for given in told.rulings] == ["t0", "t1"]
