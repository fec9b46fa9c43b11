"""Messages to judges: readers, closing a call, and answers to rewind requests."""

from typing import Any

import pytest

from domain.law.entries import Noted
from recorder.remarks import find_rewind_request, kind_of, open_calls
from service.access import Role
from tests.service.commands import head, send
from tests.service.harness import Served, serve
from tests.service.page_parser import Page

MATCH = "t0"
SECRET = "Nagisa heard it"


@pytest.fixture(autouse=True)
def _match(served: Served) -> None:
    served.open("blackpoker", match=MATCH)


def entries(served: Served) -> Any:
    return served.context.match(MATCH).entries


def write(served: Served, role: Role, seat: str = "", **command: Any) -> int:
    answer = send(served, MATCH, command, role, id=900 + head(served, MATCH), seat=seat)
    assert answer.status_code == 201, answer.text
    return head(served, MATCH)


def test_a_call_is_closed_by_a_judge_or_by_who_called(served: Served) -> None:
    calls = {seat: write(served, "seat", seat, kind="call") for seat in ("p1", "p2")}
    closed = {"kind": "call", "answered": calls["p1"]}
    for role, seat in (("seat", "p2"), ("scorekeeper", "")):
        refused = send(served, MATCH, closed, role, id=head(served, MATCH), seat=seat)
        assert refused.status_code == 403 and "the caller" in refused.text
    assert len(open_calls(entries(served))) == 2
    write(served, "seat", "p1", **closed)
    write(served, "floor", kind="call", answered=calls["p2"])
    assert not open_calls(entries(served))


def test_only_a_judge_closes_a_call_that_the_program_made_about_a_sender(served: Served) -> None:
    by, at = "scorekeeper scorekeeper", head(served, MATCH)
    refused = Noted(by=by, text="[impossible] x / y: move DA", about=at)
    served.context.store.append(MATCH, at, [refused, Noted(by=by, text="[call] x / y", about=at + 1)])
    closed = {"kind": "call", "answered": at + 2}
    assert send(served, MATCH, closed, id=1).status_code == 403
    assert send(served, MATCH, closed, "head", id=2).status_code == 201


@pytest.mark.parametrize(("role", "offered"), [("head", False), ("floor", False), ("scorekeeper", True)])
def test_judges_are_not_offered_to_call_a_judge(served: Served, role: Role, offered: bool) -> None:
    page = served.get(f"/en/m/{MATCH}", role).text
    assert ("Call a judge" in page) is offered
    assert ("Call a judge" in served.get(f"/en/floor?at={MATCH}", role).text) is False


def test_a_player_is_not_offered_to_answer_anothers_call(served: Served) -> None:
    write(served, "seat", "p1", kind="call")
    theirs = served.get(f"/en/m/{MATCH}/as/p2", "seat", MATCH, seat="p2").text
    assert "waiting for a judge" in theirs and "Answered" not in theirs
    assert "Answered" in served.get(f"/en/m/{MATCH}/as/p1", "seat", MATCH, seat="p1").text


# -- rewind requests --------------------------------------------------------------------------------------------------


def test_a_request_to_go_back_stands_on_the_floor_and_the_table_until_it_is_refused(served: Served) -> None:
    write(served, "scorekeeper", kind="play", text="p1: pass")
    number = write(served, "floor", kind="ask-rewind", to=3, reason=SECRET)
    url = f"/en/m/{MATCH}/3/rewind"
    for path in ("/en/floor", "/en/floor?show=calls", f"/en/m/{MATCH}"):
        page = served.get(path, "head").text
        assert url in Page(page, path).links and SECRET in page, path
        for role in ("scorekeeper", "spectator", "operator"):
            hidden = served.get(path, role).text
            assert url not in hidden and SECRET not in hidden, (path, role)
    pending = served.get(f"/api/v1/matches/{MATCH}/rewind", "floor").json()
    assert (pending["entry"], pending["to"], pending["reason"]) == (number, 3, SECRET)
    assert served.get(f"/api/v1/matches/{MATCH}/rewind", "scorekeeper").status_code == 403
    refusal = {"kind": "refuse-rewind", "request": number, "reason": "too late"}
    assert send(served, MATCH, refusal, "floor", id=1).status_code == 403
    assert send(served, MATCH, {**refusal, "reason": " "}, "head", id=2).status_code == 400
    assert send(served, MATCH, {**refusal, "request": 1}, "head", id=3).status_code == 400
    write(served, "head", **refusal)
    noted = entries(served)[-1]
    assert isinstance(noted, Noted) and (kind_of(noted.text), noted.about) == ("refused", number)
    assert "too late" in noted.text and find_rewind_request(entries(served)) is None
    assert url not in served.get("/en/floor", "head").text


def test_a_request_for_another_entry_is_named_on_each_rewind_page(served: Served) -> None:
    write(served, "scorekeeper", kind="play", text="p1: pass")
    write(served, "floor", kind="ask-rewind", to=3, reason=SECRET)
    other = served.get(f"/en/m/{MATCH}/2/rewind", "head").text
    assert f"/en/m/{MATCH}/3/rewind" in Page(other, "").links and 'value="refuse"' not in other
    assert 'value="refuse"' in served.get(f"/en/m/{MATCH}/3/rewind", "head").text


def test_a_request_is_gone_once_something_happens_on_the_table(served: Served) -> None:
    write(served, "scorekeeper", kind="play", text="p1: pass")
    write(served, "floor", kind="ask-rewind", to=3, reason=SECRET)
    assert "request to go back" in served.get("/en/floor", "head").text
    write(served, "floor", kind="note", text="nothing on the table")
    assert "request to go back" in served.get("/en/floor", "head").text
    write(served, "scorekeeper", kind="play", text="p2: pass")
    assert "request to go back" not in served.get("/en/floor", "head").text


# -- texts for judges -------------------------------------------------------------------------------------------------


def tell_judges(served: Served, words: str) -> int:
    """Record every kind of text for judges and return the dispute."""
    write(served, "scorekeeper", kind="play", text="p1: pass")
    write(served, "seat", "p1", kind="call", text=words)
    write(served, "scorekeeper", kind="note", text=words)
    dispute = write(served, "seat", "p1", kind="dispute", about=4, claims={"p1": words})
    write(served, "floor", kind="dispute", dispute=dispute, claims={"p2": words})
    write(served, "floor", kind="rule", dispute=dispute, verdict="no_fault", reason="x")
    write(served, "seat", "p2", kind="appeal", dispute=dispute, reason=words)
    write(served, "floor", kind="ask-rewind", to=3, reason=words)
    return dispute


def addresses(dispute: int) -> list[str]:
    api = f"/api/v1/matches/{MATCH}"
    return [
        f"/en/m/{MATCH}/disputes/{dispute}", f"/en/m/{MATCH}/{dispute}", f"/en/m/{MATCH}", f"/en/m/{MATCH}/5",
        f"/en/m/{MATCH}/disputes", "/en/floor", "/en/disputes", f"{api}/entries", f"{api}/entries/{dispute}",
        f"{api}/disputes", f"{api}/disputes/{dispute}", f"{api}/film?lang=en", f"{api}/export.jsonl",
    ]  # fmt: skip


def test_a_judge_of_the_match_reads_what_people_told_judges_without_breaking_a_seal(served: Served) -> None:
    dispute = tell_judges(served, SECRET)
    api = f"/api/v1/matches/{MATCH}"
    for role in ("head", "floor"):
        page = served.get(f"/en/m/{MATCH}/disputes/{dispute}", role).text
        assert page.count(SECRET) >= 3, role  # two claims and the reason of the appeal
        assert SECRET in served.get(f"/en/m/{MATCH}/5", role).text, "the text of a call"
        assert SECRET in served.get(f"/en/m/{MATCH}/6", role).text, "the text of a note"
        told = served.get(f"{api}/entries", role).text
        assert told.count(SECRET) == 6, role
        assert SECRET in served.get(f"{api}/film?lang=en", role).text
    assert not any(entry.__struct_config__.tag == "unsealed" for entry in entries(served))


def test_what_people_told_judges_changes_no_byte_for_anybody_else() -> None:
    askers: list[tuple[Role, tuple[str, ...], str]] = [
        ("spectator", (), ""), ("operator", (), ""), ("designer", (), ""), ("scorekeeper", (), ""),
        ("floor", ("another",), ""), ("seat", (MATCH,), "p1"), ("seat", (MATCH,), "p2"),
    ]  # fmt: skip
    told: list[dict[Any, Any]] = []
    for words in ("aaaa bbbb", "cccc dddd"):
        with serve() as served:
            served.open("blackpoker", match=MATCH)
            dispute = tell_judges(served, words)
            answers: dict[Any, Any] = {}
            read_first = "".join(served.get(path, "head").text for path in addresses(dispute))
            assert words in read_first, "what judges read is remembered"
            for role, matches, seat in askers:
                somebody = served.person(role, *matches, seat=seat, name="somebody else")
                holder = {} if role == "spectator" else somebody
                for path in addresses(dispute):
                    answer = served.client.get(path, headers=holder, follow_redirects=False)
                    assert seat or not ({"aaaa", "cccc"} & set(answer.text.split())), (role, path)
                    if not seat:
                        known = (answer.status_code, answer.headers.get("etag"), answer.content)
                        answers[role, matches, path] = known
            told.append(answers)
    assert told[0] == told[1]


def test_a_seat_reads_its_own_words_and_not_the_other_seats(served: Served) -> None:
    dispute = tell_judges(served, SECRET)
    api = f"/api/v1/matches/{MATCH}/disputes/{dispute}?as="
    for seat, other in (("p1", "p2"), ("p2", "p1")):
        claims = [
            entry["claims"] for entry in served.get(api + seat, "seat", MATCH, seat=seat).json()["entries"]
            if "claims" in entry
        ]  # fmt: skip
        assert {seat: SECRET} in claims and {other: ""} in claims


def test_what_hidden_cards_forbade_stays_behind_the_seal(served: Served) -> None:
    served.context.store.append(
        MATCH, head(served, MATCH), [Noted(by="scorekeeper Sato", text=f"[impossible] x / y: {SECRET}", about=1)]
    )
    assert SECRET not in served.get(f"/api/v1/matches/{MATCH}/entries", "head").text
    assert SECRET not in served.get(f"/en/m/{MATCH}", "head").text
