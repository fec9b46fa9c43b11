"""Case files and contradictions over the API: access, formats, and no hidden cards."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.casefile import EYES, CaseFile
from service.access import Role
from service.settings import Settings
from tests.disputed import CANARIES, dispute
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.samples import sample
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.test_pages_casefiles import ABOUT, CITED, NUMBER, lay
from tests.service.twins import MATCH, twins

PARTED = "/api/v1/contradictions"
ROLES: tuple[Role, ...] = ("spectator", "seat", "scorekeeper", "floor", "head", "operator")
BOTH = ("", ".html")


def take(
    served: Served,
    audience: str = "players",
    role: Role = "spectator",
    *matches: str,
    form: str = "",
    at: str = f"t0/disputes/{NUMBER}",
    more: str = "",
) -> Any:
    seat = "p1" if role == "seat" else ""
    path = f"/api/v1/matches/{at}/casefile{form}?for={audience}{more}"
    return served.get(path, role, *(matches or ("t0",) * (role == "seat")), seat=seat)


def test_the_file_for_players_is_the_same_for_all_who_may_see_the_match(served: Served) -> None:
    lay(served, "t0")
    for form in BOTH:
        files = [take(served, role=role, form=form) for role in ROLES]
        assert {file.status_code for file in files} == {200} and len({file.content for file in files}) == 1
        assert not any(canary in files[0].text for canary in CANARIES) and "seen by all" in files[0].text
        assert files[0].headers["cache-control"] == "no-store"
        assert take(served, role="designer", form=form).status_code == 403, "the match is open"
    page = take(served, form=".html", more="&lang=ja")
    assert page.headers["content-type"].startswith("text/html") and '<html lang="ja"' in page.text
    assert page.headers["content-disposition"] == f'attachment; filename="t0-{NUMBER}-players.html"'
    file = msgspec.json.decode(take(served).content, type=CaseFile)
    assert (file.audience, file.match, file.entry, file.dispute.dispute) == ("players", "t0", ABOUT, NUMBER)


def test_the_file_for_officials_is_for_judges_who_broke_the_seal(served: Served) -> None:
    lay(served, "t0")
    for form in BOTH:
        for role in ("spectator", "seat", "scorekeeper", "operator", "designer"):
            refused = take(served, "officials", role, form=form)  # type: ignore[arg-type]
            assert refused.status_code == 403 and not any(canary in refused.text for canary in CANARIES), role
        assert take(served, "officials", "floor", "t1", form=form).status_code == 403
        sealed = take(served, "officials", "head", form=form)
        assert sealed.status_code == 403 and sealed.json()["type"] == "/problem/sealed"
    head = served.bearer("head")
    served.client.post("/api/v1/matches/t0/seal", json={"viewer": "judge"}, headers=head)
    for form in BOTH:
        path = f"/api/v1/matches/t0/disputes/{NUMBER}/casefile{form}?for=officials"
        file = served.client.get(path, headers=head)
        assert file.status_code == 200 and all(canary in file.text for canary in CANARIES[:3])


@pytest.mark.parametrize(
    ("asked", "status", "says"),
    [
        ({"at": "t0/disputes/2"}, 404, "entry 2 opens no dispute"),
        ({"at": "t0/disputes/999"}, 404, "999"),
        ({"at": f"t0/disputes/{10**30}"}, 404, ""),
        ({"at": "t0/disputes/-1"}, 404, ""),
        ({"at": "gone/disputes/4"}, 404, "no such match"),
        ({"audience": "strangers"}, 400, "strangers"),
        ({"audience": ""}, 400, "for"),
        ({"more": "&for=officials"}, 400, "for"),
        ({"more": "&lang=xx"}, 400, "lang"),
        ({"more": "&lang=%ff"}, 400, ""),
    ],
)
def test_what_is_not_there_or_no_question_is_told_in_both_languages(
    served: Served, asked: dict[str, str], status: int, says: str
) -> None:
    lay(served, "t0")
    for form in BOTH:
        answer = take(served, form=form, **asked)
        assert answer.status_code == status and says in answer.json()["en"], answer.text
        assert answer.json()["ja"] != answer.json()["en"]


def test_what_the_file_does_not_know_is_refused_by_a_program_and_ignored_by_a_download(served: Served) -> None:
    lay(served, "t0")
    answers = {form: take(served, form=form, more="&as=p1") for form in BOTH}
    assert [answer.status_code for answer in answers.values()] == [400, 200]
    assert answers[BOTH[1]].text == take(served, form=BOTH[1]).text, "whose eyes it is for is not asked here"


def test_a_dispute_that_the_delay_holds_back_has_no_file_yet() -> None:
    delay = 100 * SECOND_MS
    with serve(Settings(store=":memory:", delay=delay)) as served:
        lay(served, "t0", late=delay)
        served.clock.at += delay
        early, judged = take(served), take(served, role="floor")
        served.clock.at += delay
        late = take(served)
        assert early.json()["dispute"]["standing"] == "open" and judged.json()["dispute"]["standing"] == "closed"
        assert late.content == judged.content


@pytest.mark.parametrize("viewer", [SPECTATOR, "p1"])
def test_the_files_of_matches_that_differ_in_hidden_cards_alone_are_the_same_to_the_byte(viewer: Seat) -> None:
    ours = list(sample("blackpoker", 0).entries[:40])
    theirs = deal_again(ours, never_known(ours, SPECTATOR), Random(0))
    made = [dispute([replace(entry, at=7) for entry in entries], 30, (CITED,)) for entries in (ours, theirs)]
    number = made[0][1]
    with twins(made[0][0], made[1][0]) as both:
        for audience, status in (("players", 200), ("officials", 403)):
            for form in BOTH:
                path = f"/api/v1/matches/{MATCH}/disputes/{number}/casefile{form}?for={audience}"
                assert both.alike(path, viewer) == status, path
        assert both.alike(PARTED, viewer) == both.alike(f"{PARTED}?as=judge", viewer) == 200


def test_a_file_for_players_drawn_with_other_eyes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EYES, "players", Seat(JUDGE))
    with pytest.raises(AssertionError, match="casefile"):
        test_the_files_of_matches_that_differ_in_hidden_cards_alone_are_the_same_to_the_byte(Seat(SPECTATOR))


def test_rulings_that_part_are_told_as_far_as_who_asks_may_know(served: Served) -> None:
    lay(served, "t0")
    assert served.get(PARTED).json() == []
    lay(served, "t1", verdict="no_fault")
    told = served.get(PARTED)
    (parted,) = told.json()
    assert (parted["clause"], [given["match"] for given in parted["rulings"]]) == (CITED, ["t0", "t1"])
    for query in ("?as=spectator", "?as=judge", "?game=blackpoker"):
        assert served.get(PARTED + query).json() == [parted], query
    assert served.get(f"{PARTED}?game=dea").json() == served.get(PARTED, "designer").json() == []
    assert served.get(f"{PARTED}?as=judge", "head").json() == [parted], "both are sealed to this judge"
    again = served.get(PARTED, headers={"If-None-Match": told.headers["etag"]})
    assert (again.status_code, told.headers["cache-control"]) == (304, "no-store")
    for query in ("?as=p1", "?as=judge&as=judge", "?game=" + "x" * 201, "?for=players"):
        refused = served.get(PARTED + query)
        assert refused.status_code == 400 and refused.json()["ja"], query


def test_a_ruling_in_a_damaged_match_is_passed_by(served: Served) -> None:
    for match, verdict in (("t0", "wrong_outcome"), ("t1", "no_fault"), ("t2", "no_fault")):
        lay(served, match, verdict=verdict)  # type: ignore[arg-type]
    with served.context.store.transaction() as cursor:
        cursor.execute("UPDATE stored_events SET state=? WHERE originator_id='t1' AND originator_version=5", (b"x",))
    (parted,) = served.get(PARTED).json()
    assert [given["match"] for given in parted["rulings"]] == ["t0", "t2"]
