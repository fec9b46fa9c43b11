"""Commands: one entry each, on the given head, recorded once despite retries, without leaks."""

from typing import Any

import pytest
from msgspec import structs, to_builtins

from domain.games import GAMES
from domain.law.entries import Closed, Corrected, Described, Noted, Played, Rewound
from domain.law.law import Law
from domain.law.record import record_of
from domain.table.facts import Created
from domain.table.table import Place
from domain.words import Text
from recorder import matches
from recorder.answers import RecordResult
from recorder.commands import command_of
from recorder.remarks import clause_of, find_rewind_request, kind_of, open_calls, write_remark
from recorder.simulate import simulate
from recorder.usecases import commands as C
from service.access import Role
from service.recording import commands
from tests.service.commands import head, send, uuid
from tests.service.harness import Served, serve

PASS = {"kind": "play", "by": "p1", "text": "pass"}
MATCH = "t0"
"""With the seed of the tests p1 starts, holds H4 and DQ, and has C6 as bulwark and D5 as soldier."""
ORIGIN = {"Origin": "http://testserver.local"}


@pytest.fixture
def match(served: Served) -> str:
    return served.open("blackpoker", match=MATCH)


def entries(served: Served, match: str) -> tuple[Any, ...]:
    return served.context.match(match).entries


def test_an_action_is_recorded_and_answered_with_what_may_be_typed_next(served: Served, match: str) -> None:
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    served.clock.at += 7
    answer = send(served, match, PASS, id=1)
    assert answer.status_code == 201
    said = answer.json()
    assert said["head"] == 4 and answer.headers["etag"] == '"4"'
    assert answer.headers["location"] == f"/api/v1/matches/{match}/entries/4"
    assert [entry["number"] for entry in said["entries"]] == [4]
    assert said["next"][0] == "p2: pass" and len(said["next"]) <= 3
    assert "flags" not in said
    recorded = entries(served, match)[3]
    assert isinstance(recorded, Played) and recorded.actor == "p1" and recorded.at == served.clock.at
    assert woken == [match]


def test_who_sends_a_command_again_while_it_is_recorded_is_answered_alike(
    served: Served, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered_before, first = matches.answered_before, []

    def meanwhile(*given: Any) -> Any:
        if not first:
            first.append(None)
            first.append(send(served, match, PASS, id=1))
        return answered_before(*given)

    monkeypatch.setattr(matches, "answered_before", meanwhile)
    again = send(served, match, PASS, id=1)
    assert (first[1].status_code, again.status_code) == (201, 200)
    assert again.json() == first[1].json() and again.json()["entries"]


def test_what_chance_answers_comes_with_the_entry(served: Served, match: str) -> None:
    back = {"kind": "rewind", "to": 1, "reason": "cut badly"}
    answer = send(served, match, back, "head", id=1)
    assert answer.status_code == 201 and answer.json()["head"] == 6
    first, *followed = answer.json()["entries"]
    assert first["seen"] == "rewound" and [entry["actor"] for entry in followed] == ["chance", "chance"]
    again = send(served, match, back, "head", id=1)
    assert again.status_code == 200 and again.json() == answer.json()
    asked = send(served, match, {"kind": "play", "text": "chance: auto"}, id=2)
    assert asked.status_code == 409 and "no outcome of chance is needed" in asked.json()["en"], (
        "chance is asked nothing more"
    )


def test_an_action_in_parts_names_things_by_their_numbers(served: Served, match: str) -> None:
    for action, wrong in (
        ({"do": "equip", "keys": [35], "bulwarks": [47], "target": "x y"}, "target"),
        ({"do": "equip", "keys": 35}, "keys"),
        ({"do": "equip", "keys": [[35]]}, "keys"),
        ({"do": "equip", "nothing": 35}, "nothing"),
        ({"do": "attakc"}, "attack"),
        ({"do": ["pass"]}, "pass"),
        ({"do": "equip", "target": True}, "target"),
    ):
        answer = send(served, match, {"kind": "play", "by": "p1", "action": action}, "seat", seat="p1", id=1)
        assert answer.status_code == 400 and wrong in answer.json()["en"], answer.text
    assert send(served, match, PASS | {"action": {"do": "pass"}}, id=1).status_code == 400, "said twice"
    ace = {"kind": "play", "by": "p1", "action": {"do": "summon_ace", "keys": [34]}}
    answer = send(served, match, ace, "seat", seat="p1", id=2)
    assert answer.status_code == 201, answer.text
    (slot,) = answer.json()["entries"][0]["action"]["slots"]
    assert slot["cards"][0]["face"] == "CA"


def test_what_breaks_a_rule_is_recorded_and_flagged_by_who_records(served: Served, match: str) -> None:
    answer = send(served, match, {"kind": "play", "by": "p2", "text": "pass"}, id=1)
    assert answer.status_code == 201
    flag = answer.json()["flags"][0]
    assert flag["clause"] == "BP-4.2" and flag["entry"] == 4
    assert flag["sentence"]["en"] and flag["sentence"]["ja"]
    assert flag["clause_url"].endswith("/BP-4.2")
    way = served.get(flag["clause_url"], headers={"Accept-Language": "ja"}).headers["location"]
    assert way == f"/ja{flag['clause_url']}" and served.get(way).status_code == 200
    assert entries(served, match)[3].violations == ("BP-4.2",)


def test_what_breaks_a_rule_is_refused_to_a_player_with_the_clause(served: Served, match: str) -> None:
    answer = send(served, match, {"kind": "play", "text": "p2: pass"}, "seat", seat="p2", id=1)
    assert answer.status_code == 422
    said = answer.json()
    assert said["type"] == "/problem/not-allowed" and said["clause"] == "BP-4.2"
    assert said["clause_url"].startswith("/rules/blackpoker@") and said["clause_url"].endswith("/BP-4.2")
    assert [step["clause"] for step in said["trail"]][-1] == "BP-4.2" and said["trail"][-1]["holds"] is False
    assert said["en"] != said["ja"]
    assert head(served, match) == 3


def test_a_player_acts_for_nobody_else_and_neither_records_nor_corrects(served: Served, match: str) -> None:
    for command in (
        PASS,
        PASS | {"mode": "record"},
        {"kind": "play", "text": "chance: auto"},
        {"kind": "correct", "facts": ["clock turn=9"], "reason": "x"},
        {"kind": "rewind", "to": 2, "reason": "x"},
        {"kind": "note", "text": "x"},
        {"kind": "close", "reason": "x", "abandon": True, "confirm": True},
    ):
        answer = send(served, match, command, "seat", seat="p2", id=1)
        assert answer.status_code in (400, 403), (command, answer.text)
        assert head(served, match) == 3
    assert send(served, match, PASS, "seat", seat="p1", id=2).status_code == 201


def test_a_command_that_can_be_read_by_nobody_says_the_column(served: Served, match: str) -> None:
    answer = send(served, match, {"kind": "play", "text": "p1: attakc"}, id=1)
    assert answer.status_code == 400
    assert answer.json()["column"] == 5 and "Attack" in answer.json()["en"]
    assert head(served, match) == 3


def test_a_command_names_the_head_it_follows(served: Served, match: str) -> None:
    assert send(served, match, PASS, id=1, at="").status_code == 428
    assert send(served, match, PASS, id=1, at="*").status_code == 428
    for tag in ('W/"3"', "3", '"3", "4"', '"x"', '"-3"', '"' + "9" * 5_000 + '"', '"', '"٣"'):
        answer = send(served, match, PASS, id=1, at=tag.encode() if not tag.isascii() else tag)  # type: ignore[arg-type]
        assert answer.status_code == 400, tag
    assert head(served, match) == 3


def test_a_stale_head_is_told_what_happened_since_and_whether_the_command_would_stand(
    served: Served, match: str
) -> None:
    assert send(served, match, PASS, id=1).status_code == 201
    for command, stands in (
        ({"kind": "play", "text": "p2: pass"}, True),
        (PASS, False),
        ({"kind": "play", "text": "p2: attack SA"}, None),
        ({"kind": "note", "text": "x"}, True),
        ({"kind": "close"}, False),
    ):
        answer = send(served, match, command, id=2, at=3)
        assert answer.status_code == 412 and answer.headers["etag"] == '"4"'
        said = answer.json()
        assert said["head"] == 4 and [entry["number"] for entry in said["since"]] == [4]
        assert said.get("would_stand") is stands, command
    assert send(served, match, {"kind": "rewind", "to": 3, "reason": "x"}, "head", id=2, at=3).json()["would_stand"]
    assert head(served, match) == 4
    assert send(served, match, {"kind": "play", "text": "p2: pass"}, id=2).status_code == 201, "sent again"


def test_a_head_that_is_not_there_yet_is_a_conflict_too(served: Served, match: str) -> None:
    answer = send(served, match, PASS, id=1, at=9)
    assert answer.status_code == 412 and "since" not in answer.json() and answer.json()["head"] == 3


def test_notes_and_calls_make_no_head_stale_and_follow_any(served: Served, match: str) -> None:
    assert send(served, match, {"kind": "note", "text": "x"}, id=1, at="*").status_code == 201
    assert send(served, match, {"kind": "call"}, "seat", seat="p2", id=2, at="*").status_code == 201
    assert send(served, match, {"kind": "describe", "table": "7"}, id=3, at="*").status_code == 201
    assert head(served, match) == 6
    answer = send(served, match, PASS, id=4, at=3)
    assert answer.status_code == 201 and answer.json()["head"] == 7
    assert send(served, match, {"kind": "play", "text": "p2: pass"}, id=5, at=3).status_code == 412


@pytest.mark.parametrize(("quicker", "status"), [(30, 201), (commands.TRIES, 503)])
def test_what_follows_any_head_follows_what_others_were_quicker_with(
    served: Served, match: str, monkeypatch: pytest.MonkeyPatch, quicker: int, status: int
) -> None:
    """A command that names no head waits for other writers, and is put off only if they never finish."""
    record, others = commands.record, iter(range(quicker))

    def record_late(*given: Any) -> Any:
        for other in others:
            matches.note(served.context.store, match, "head Abe", f"note {other}")
            break
        return record(*given)

    monkeypatch.setattr(commands, "record", record_late)
    answer = send(served, match, {"kind": "note", "text": "mine"}, id=1, at="*")
    assert answer.status_code == status
    assert ("retry-after" in answer.headers) == (status == 503)
    texts = [entry.text for entry in entries(served, match) if isinstance(entry, Noted)]
    assert texts == [f"note {other}" for other in range(quicker)] + ["mine"] * (status == 201)


def test_what_meets_the_end_of_a_match_is_told_that_it_is_closed(
    served: Served, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match was open when the writer looked at it."""
    record = commands.record

    def record_late(*given: Any) -> Any:
        matches.close(served.context.store, match, "head Abe", "fire", abandon=True)
        return record(*given)

    monkeypatch.setattr(commands, "record", record_late)
    answer = send(served, match, {"kind": "note", "text": "mine"}, id=1, at="*")
    assert (answer.status_code, answer.json()["type"]) == (409, "/problem/closed")
    assert isinstance(entries(served, match)[-1], Closed)


def test_a_command_sent_again_is_answered_as_before_and_recorded_once(served: Served, match: str) -> None:
    first = send(served, match, PASS, id=1, at=3)
    assert send(served, match, {"kind": "play", "text": "p2: pass"}, id=2).status_code == 201
    stands = head(served, match)
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    for tag in ("", '"3"', '"4"', "*", "nonsense"):
        again = send(served, match, PASS, id=1, at=tag)
        assert again.status_code == 200 and again.headers["idempotent-replay"] == "1"
        assert again.json() == first.json() and again.headers["etag"] == first.headers["etag"]
    assert head(served, match) == stands and woken == []
    assert "idempotent-replay" not in first.headers


def test_the_id_of_a_command_is_good_for_one_command(served: Served, match: str) -> None:
    person = served.person("scorekeeper")
    assert send(served, match, PASS, id=1, **person).status_code == 201
    for other in (PASS | {"text": "concede"}, PASS | {"mode": "record"}, {"kind": "note", "text": "x"}):
        answer = send(served, match, other, id=1, **person)
        assert answer.status_code == 409 and answer.json()["type"] == "/problem/command-reused"
        assert answer.json()["first"] == 4
    assert head(served, match) == 4


def test_the_id_of_a_command_belongs_to_its_sender(served: Served, match: str) -> None:
    """The same id from another seat or official is another command."""
    senders: list[tuple[Role, str, str]] = [
        ("seat", "p1", ""), ("seat", "p2", ""), ("scorekeeper", "", "Ito"), ("scorekeeper", "", "Ito"), ("head", "", "")
    ]  # fmt: skip
    for number, (role, seat, name) in enumerate(senders, start=4):
        held = served.bearer(role, *([match] if seat else []), seat=seat, name=name)
        said = {"kind": "call", "text": f"{number}"}
        answer = send(served, match, said, id=1, **held)
        assert answer.status_code == 201 and answer.headers["location"].endswith(f"/entries/{number}"), answer.text
        assert send(served, match, said, id=1, **held).status_code == 200
        reused = send(served, match, {"kind": "call", "text": "x"}, id=1, **held)
        assert (reused.status_code, reused.json()["first"]) == (409, number)


def test_a_command_is_known_again_after_signing_in_again(served: Served, match: str) -> None:
    first = send(served, match, PASS, "seat", seat="p1", id=1)
    again = send(served, match, PASS, "seat", seat="p1", id=1)
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    other = send(served, match, {"kind": "call", "text": "x"}, "seat", seat="p1", id=1)
    assert other.status_code == 201


def test_a_command_that_an_earlier_version_recorded_is_known_again(served: Served, match: str) -> None:
    command = C.AddNote(text="x")
    named = command_of(uuid(1), to_builtins(command))
    assert isinstance(
        matches.note(served.context.store, match, "scorekeeper scorekeeper", "x", command=named), RecordResult
    )
    again = send(served, match, {"kind": "note", "text": "x"}, id=1)
    assert again.status_code == 200 and again.headers["idempotent-replay"] == "1"
    assert send(served, match, {"kind": "note", "text": "y"}, id=1).status_code == 201


def test_the_id_may_come_as_a_header_and_must_come_somehow(served: Served, match: str) -> None:
    assert send(served, match, PASS).status_code == 400
    assert send(served, match, PASS, Idempotency_Key="x").status_code == 400
    assert send(served, match, PASS, id=2, Idempotency_Key=uuid(1)).status_code == 400
    assert send(served, match, PASS, Idempotency_Key=f'"{uuid(1)}"').status_code == 201
    again = send(served, match, PASS, id=1)
    assert again.status_code == 200 and again.headers["idempotent-replay"] == "1"


def test_a_command_that_failed_is_tried_anew_under_its_id(served: Served, match: str) -> None:
    refused = send(served, match, {"kind": "play", "text": "p2: pass"}, "seat", seat="p2", id=1)
    assert refused.status_code == 422
    assert send(served, match, PASS, id=2).status_code == 201
    done = send(served, match, {"kind": "play", "text": "p2: pass"}, "seat", seat="p2", id=1)
    assert done.status_code == 201


def test_closing_sent_again_is_answered_though_nothing_else_is_taken_any_more(served: Served, match: str) -> None:
    close = {"kind": "close", "reason": "rain", "abandon": True, "confirm": True}
    assert send(served, match, {"kind": "close"}, id=1).status_code == 400, "no result yet"
    first = send(served, match, close, id=2)
    assert first.status_code == 201 and "next" not in first.json()
    assert isinstance(entries(served, match)[-1], Closed)
    assert send(served, match, close, id=2).json() == first.json()
    for command in (PASS, {"kind": "note", "text": "x"}):
        answer = send(served, match, command, id=3)
        assert answer.status_code == 409 and answer.json()["type"] == "/problem/closed"


def test_a_correction_is_entered_by_hand_and_triggers_nothing(served: Served, match: str) -> None:
    for facts, code in (
        (["mark p1 damage 3"], 422),
        (["stance u48 drive", "x"], 400),
        (["stance u48 driven", "move #999 p1.grave"], 422),
        (["stance H4 driven"], 400),
        ([], 400),
    ):
        answer = send(served, match, {"kind": "correct", "facts": facts, "reason": "x"}, "floor", id=1)
        assert answer.status_code == code and answer.json()["en"], answer.text
        assert head(served, match) == 3
    answer = send(served, match, {"kind": "correct", "facts": ["stance u48 driven"], "reason": "seen"}, id=3)
    assert answer.status_code == 201, answer.text
    recorded = entries(served, match)[-1]
    assert isinstance(recorded, Corrected) and recorded.reason == "seen" and recorded.by == "scorekeeper scorekeeper"


def test_a_rewind_is_for_head_judges_and_asking_for_one_for_the_floor(served: Served, match: str) -> None:
    assert send(served, match, PASS, id=1).status_code == 201
    rewind = {"kind": "rewind", "to": 3, "reason": "too early"}
    for role in ("scorekeeper", "floor"):
        assert send(served, match, rewind, role, id=2).status_code == 403
    asked = send(served, match, {"kind": "ask-rewind", "to": 3, "reason": "too early"}, "floor", id=3)
    assert asked.status_code == 201
    standing = find_rewind_request(entries(served, match))
    assert standing is not None and standing.to == 3
    assert send(served, match, {"kind": "ask-rewind", "to": 9, "reason": "x"}, "floor", id=4).status_code == 400
    done = send(served, match, rewind, "head", id=5, at=4)
    assert done.status_code == 201, "the request makes no head stale"
    assert isinstance(entries(served, match)[-1], Rewound)


def test_a_request_to_go_back_is_void_once_the_match_goes_on(served: Served, match: str) -> None:
    assert send(served, match, {"kind": "ask-rewind", "to": 1, "reason": "x"}, "floor", id=1).status_code == 201
    assert send(served, match, {"kind": "note", "text": "x"}, id=2).status_code == 201
    asked = find_rewind_request(entries(served, match))
    assert asked is not None and not asked.void
    assert send(served, match, PASS, id=3).status_code == 201
    asked = find_rewind_request(entries(served, match))
    assert asked is not None and asked.void


def test_a_call_is_open_until_it_is_answered_and_only_a_judge_reads_its_words(served: Served, match: str) -> None:
    called = send(served, match, {"kind": "call", "text": "he drew two"}, "seat", seat="p1", id=1, at="*")
    assert called.status_code == 201
    assert "he drew two" in called.text, "whoever wrote it reads it again"
    assert "next" not in called.json(), "what may be done is for those who do it"
    (call,) = open_calls(entries(served, match))
    assert (call.entry, call.by) == (4, "p1")
    noted = entries(served, match)[-1]
    assert isinstance(noted, Noted) and noted.about == 3 and kind_of(noted.text) == "call"
    assert noted.text == "[call] he drew two", "the words are those of whoever reads it"
    told = send(served, match, {"kind": "play", "text": "p2: pass"}, "seat", seat="p2", id=2, at=2)
    assert told.status_code == 412 and "he drew two" not in told.text
    assert send(served, match, {"kind": "call", "answered": 3}, "floor", id=3, at="*").status_code == 400
    answered = send(served, match, {"kind": "call", "answered": 4}, "floor", id=4, at="*")
    assert answered.status_code == 201 and open_calls(entries(served, match)) == ()
    assert send(served, match, {"kind": "call", "answered": 4}, "floor", id=5, at="*").status_code == 400


def test_whoever_writes_a_note_reads_it_again_and_others_do_not(served: Served, match: str) -> None:
    command = {"kind": "note", "text": "  he drew two ", "about": 2}
    for status in (201, 200):
        answer = send(served, match, command, id=1, at="*")
        (noted,) = answer.json()["entries"]
        assert (answer.status_code, noted["text"], noted["about"]) == (status, "he drew two", 2)
    for role in ("operator", "spectator"):
        assert "he drew two" not in served.get(f"/api/v1/matches/{match}/entries/4", role).text
    assert "he drew two" in served.get(f"/api/v1/matches/{match}/entries/4", "floor").text, "notes are for judges"
    other = send(served, match, {"kind": "note", "text": "x"}, "floor", id=1, at="*")
    assert other.status_code == 201 and "he drew two" not in other.text, "an id of another sender"


def test_a_note_of_nothing_but_spaces_is_refused_by_its_field(served: Served, match: str) -> None:
    before = len(entries(served, match))
    answer = send(served, match, {"kind": "note", "text": " \u3000"}, id=1, at="*")
    assert answer.status_code == 400 and answer.json()["en"] == "text: a note cannot be empty"
    assert len(entries(served, match)) == before


@pytest.mark.parametrize("kind", ["ask-rewind", "rewind"])
def test_a_rewind_for_nothing_but_spaces_is_refused_by_its_field(served: Served, match: str, kind: str) -> None:
    before = len(entries(served, match))
    answer = send(served, match, {"kind": kind, "to": 2, "reason": "  "}, "head", id=1)
    assert answer.status_code == 400 and answer.json()["en"] == "reason: a rewind needs a reason"
    assert len(entries(served, match)) == before


def test_no_note_passes_for_a_call_or_a_broken_seal(served: Served, match: str) -> None:
    for kind in ("call", "answered", "seal", "rewind"):
        answer = send(served, match, {"kind": "note", "text": f"[{kind}] x"}, id=1)
        assert answer.status_code == 400
    assert send(served, match, {"kind": "note", "text": " [call] x"}, id=1).status_code == 400
    assert send(served, match, {"kind": "note", "text": "[calls] x", "about": 2}, id=2).status_code == 201
    assert open_calls(entries(served, match)) == ()


def test_a_description_changes_what_is_given_and_leaves_the_rest(served: Served, match: str) -> None:
    assert send(served, match, {"kind": "describe", "event": "Cup", "table": "17"}, id=1).status_code == 201
    assert send(served, match, {"kind": "describe", "announced": "p1 wins", "table": ""}, id=2).status_code == 201
    last = entries(served, match)[-1]
    assert isinstance(last, Described)
    assert (last.occasion.event, last.occasion.table, last.announced) == ("Cup", "", "p1 wins")
    assert send(served, match, {"kind": "describe"}, id=3).status_code == 400
    assert send(served, match, {"kind": "describe", "event": "\u202e"}, id=3).status_code == 400


def test_trying_records_nothing_and_tells_what_would_follow(served: Served, match: str) -> None:
    path = f"/api/v1/matches/{match}/entries:try"
    tried = served.post(path, {"kind": "play", "text": "p1: set_bulwark"}, "scorekeeper")
    assert tried.status_code == 200 and tried.json()["stands"] is True, tried.text
    assert tried.json()["facts"]
    refused = served.post(path, {"kind": "play", "text": "p2: pass"}, "seat", match, seat="p2")
    assert refused.status_code == 422 and refused.json()["clause"] == "BP-4.2"
    flagged = served.post(path, {"kind": "play", "text": "p2: pass"}, "scorekeeper")
    assert flagged.status_code == 200 and flagged.json()["stands"] is False
    for kind in ({**PASS}, {"kind": "note", "text": "x"}, {"kind": "rule", "dispute": 3, "verdict": "unclear"}):
        assert served.post(path, kind, headers=ORIGIN).status_code == 403, "nobody tries what they may not do"
    assert head(served, match) == 3


def test_trying_is_limited_by_the_token(served: Served, match: str) -> None:
    path, held = f"/api/v1/matches/{match}/entries:try", served.bearer("scorekeeper")
    codes = [served.client.post(path, json=PASS, headers=held).status_code for _ in range(21)]
    assert codes == [200] * 20 + [429]
    refused = served.client.post(path, json=PASS, headers=held)
    assert refused.headers["retry-after"] == "1" and refused.json()["type"] == "/problem/too-many"
    assert served.post(path, PASS, "scorekeeper").status_code == 200, "another token"
    served.clock.at += 50
    assert served.client.post(path, json=PASS, headers=held).status_code == 200


def test_rewinds_are_asked_for_three_times_an_hour(served: Served, match: str) -> None:
    held = served.bearer("floor")
    ask = {"kind": "ask-rewind", "to": 1, "reason": "x"}
    path = f"/api/v1/matches/{match}/entries"
    codes = [
        served.client.post(path, json=ask | {"id": uuid(n)}, headers=held | {"If-Match": '"3"'}).status_code
        for n in range(4)
    ]
    assert codes == [201, 201, 201, 429]
    note = {"kind": "call", "id": uuid(9)}
    assert served.client.post(path, json=note, headers=held | {"If-Match": "*"}).status_code == 201


@pytest.mark.parametrize("role, seat", [("scorekeeper", ""), ("seat", "p2"), ("floor", "")])
def test_of_two_matches_that_differ_in_what_is_hidden_the_same_is_told(role: Any, seat: str) -> None:
    """Refused and stale commands included, every byte is the same for a viewer of both."""
    first, second = (told_by_guessing(role, seat, swap) for swap in (False, True))
    assert first == second and len({line.partition(" ")[0] for line in first}) > 1
    assert told_by_guessing("seat", "p1", False) != told_by_guessing("seat", "p1", True), "who knows it is told"


GUESSES = (
    "p1: equip DQ C6 D5", "p1: equip DQ u47 u48", "p1: up H4 CK D5", "p1: summon_soldier H4 C6", "p1: nonsense H4",
    "p1: equip H4@p1.hand C6 D5", "p1: equip u36 C6 D5", "p1: equip #5 C6 D5", "p1: attack D5", "p2: pass", "p1: pass",
    "p1: attack H4", "p2: up H4 CK D5",
)  # fmt: skip


def told_by_guessing(role: Any, seat: str, swap: bool) -> list[str]:
    said: list[str] = []
    with serve() as served:
        match = twin(served, swap)
        path = f"/api/v1/matches/{match}/entries"
        held = ORIGIN if role == "spectator" else served.bearer(role, match, seat=seat)
        for n, text in enumerate(GUESSES):
            wanted = [(f"{path}:try", {}), (path, {"If-Match": '"2"'})]
            if seat == "p2":
                wanted.append((path, {"If-Match": '"3"'}))
            for address, headers in wanted:
                body = {"id": uuid(n), "kind": "play", "text": text}
                answer = served.client.post(address, json=body, headers=held | headers)
                said.append(f"{answer.status_code} {text} {sorted(answer.headers.items())} {answer.text}")
                served.clock.at += 1_000
        assert head(served, match) == 3
    return said


def twin(served: Served, swap: bool) -> str:
    whole = served.context.match(served.open("blackpoker", match=MATCH))
    first, *rest = whole.entries
    hand, life = (
        next(card for card in whole.table.places[Place(place)] if whole.table.pieces[card].face == face)
        for place, face in (("p1.hand", "H4"), ("p1.life", "SA"))
    )
    other = {hand: life, life: hand} if swap else {}
    faces = {card: piece.face for card, piece in whole.table.pieces.items()}

    def dealt(fact: Any) -> Any:
        if not isinstance(fact, Created):
            return fact
        return structs.replace(fact, faces=tuple(faces[other.get(card, card)] for card in fact.cards))

    opened = structs.replace(first, told=tuple((clause, dealt(fact)) for clause, fact in first.told), match="twin")
    served.context.store.append("twin", 0, [opened, *rest])
    return "twin"


def not_held(served: Served, match: str) -> str:
    now = served.context.match(match)
    hand = {piece.face for piece in now.table.pieces.values() if piece.place == "p1.hand"}
    return next(face for face in sorted(now.game.faces()) if face not in hand)


def test_what_only_hidden_cards_forbid_is_an_entry_and_the_third_calls_a_judge(served: Served, match: str) -> None:
    strange = not_held(served, match)
    play = {"kind": "play", "text": f"p1: summon_soldier {strange}", "mode": "record"}
    for number in (1, 2):
        before = head(served, match)
        refused = send(served, match, play, id=number)
        assert refused.status_code == 422 and refused.json()["entry"] == before + 1 == head(served, match)
        assert refused.headers["etag"] == f'"{before + 1}"'
        noted = entries(served, match)[-1]
        assert isinstance(noted, Noted) and kind_of(noted.text) == "impossible" and strange in noted.text
    for role, seat in (("spectator", ""), ("seat", "p2")):
        shown = served.get(f"/api/v1/matches/{match}/entries?limit=500", role, *([match] if seat else []), seat=seat)
        assert strange not in shown.text, "what was sent is for judges"
    assert open_calls(entries(served, match)) == ()
    assert send(served, match, play, id=3).status_code == 422
    assert len(open_calls(entries(served, match))) == 1


def test_a_refusal_that_is_an_entry_is_answered_again_and_cites_its_clause(served: Served, match: str) -> None:
    played = {"kind": "correct", "facts": ["move p1:SA@p1.hand p1.grave"], "reason": "x"}
    assert send(served, match, played, id=1).status_code == 400, "nobody but p1 can point at it"
    held = served.bearer("scorekeeper")
    line = f"p1: summon_soldier {not_held(served, match)}"
    wrong = {"kind": "play", "text": line, "mode": "record", "id": uuid(2)}
    path, at = f"/api/v1/matches/{match}/entries", {"If-Match": f'"{head(served, match)}"'}
    first, again = (served.client.post(path, json=wrong, headers=held | at) for _ in range(2))
    assert first.status_code == again.status_code == 422
    assert first.json()["entry"] == again.json()["entry"] == head(served, match)
    noted = write_remark("impossible", Text("remark.impossible_by", {"clause": "BP-5.3"}), "p1: pass (x) / y")
    assert clause_of(noted) == "BP-5.3"
    assert clause_of(write_remark("impossible", Text("remark.impossible"), "p1: pass (x) / y")) == ""


def test_an_action_that_ends_the_match_is_recorded_only_when_it_is_confirmed(served: Served, match: str) -> None:
    for body in ({"kind": "play", "text": "p1: concede"}, {"kind": "line", "text": "p1: concede"}):
        asked = send(served, match, body, id=1)
        assert (asked.status_code, asked.json()["type"]) == (409, "/problem/needs-confirmation")
        assert "This ends the match" in asked.json()["sure"]["en"] and "confirm: true" in asked.json()["en"]
    head = served.context.match(match).version
    assert send(served, match, {"kind": "line", "text": "p1: concede", "confirm": True}, id=1).status_code == 201
    assert served.context.match(match).version == head + 1


def test_all_pass_until_something_happens_and_again_is_answered_the_same(served: Served, match: str) -> None:
    assert send(served, match, {"kind": "play", "text": "p1: attack"}, id=1).status_code == 201
    head = served.context.match(match).version
    passed = send(served, match, {"kind": "pass-all"}, id=2, at=head)
    assert passed.status_code == 201, passed.text
    actors = [entry["actor"] for entry in passed.json()["entries"]]
    assert len(actors) == 2 and set(actors) == {"p1", "p2"}, "both, then the attack is resolved"
    again = send(served, match, {"kind": "pass-all"}, id=2, at=head)
    assert again.status_code == 200 and again.json()["entries"] == passed.json()["entries"]
    assert served.context.match(match).version == head + 2
    asked = send(served, match, {"kind": "pass-all"}, id=3)
    assert asked.status_code == 409 and "No pass was recorded" in asked.json()["en"], "attackers are asked for"


def test_a_card_that_is_seen_is_meant_whatever_hidden_card_has_its_face(served: Served) -> None:
    law = Law(GAMES["blackpoker"], GAMES["blackpoker"].versions["9.2-lite"])
    record = simulate(law, 5, match="load-5", max_entries=9)
    assert [piece.face for piece in record_of(law.game, record[:8]).after(8).pieces.values()].count("S3") == 2
    assert served.context.store.append(MATCH, 0, record[:8]) == 8
    answer = send(served, MATCH, {"kind": "play", "by": "p1", "text": "twist D8 C6 S3"}, id=1)
    assert answer.status_code == 201, answer.text
    recorded, played = entries(served, MATCH)[8], record[8]
    assert isinstance(recorded, Played) and isinstance(played, Played) and recorded.action == played.action
