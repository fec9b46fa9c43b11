"""Lines typed by a recorder: resolved to a seat, and confirmed before they become notes."""

from typing import Any

import pytest

from domain.formats.actions import verbs
from domain.games import GAMES
from domain.law.entries import Corrected, Noted, Played, entry_facts
from domain.law.remarks import note_words
from recorder.remarks import open_calls
from service.recording.typed_lines import CALL, FIX
from tests.service.commands import head, send
from tests.service.harness import Served

MATCH = "t0"


@pytest.fixture(autouse=True)
def _match(served: Served) -> None:
    served.open("blackpoker", match=MATCH)


def line(served: Served, text: str, **more: Any) -> Any:
    return send(served, MATCH, {"kind": "line", "text": text}, id=more.pop("id", head(served, MATCH)), **more)


def last(served: Served) -> Any:
    return served.context.match(MATCH).entries[-1]


@pytest.mark.parametrize("text", ["p1: pass", "p1 pass", "pass", "  ｐａｓｓ　", "p1：pass", "Player p1: pass"])
def test_a_line_is_played_by_who_is_named_or_awaited(served: Served, text: str) -> None:
    answer = line(served, text)
    assert answer.status_code == 201, answer.text
    assert answer.json()["next"][0] == "p2: pass" and "kept" not in answer.json()
    assert isinstance(last(served), Played) and last(served).actor == "p1" and not last(served).violations


def test_what_breaks_a_rule_is_played_and_flagged(served: Served) -> None:
    answer = line(served, "p2 pass")
    assert answer.status_code == 201 and answer.json()["flags"][0]["clause"] == "BP-4.2"
    assert last(served).actor == "p2"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("p1: attakc u4", "Attack"),
        ("遅刻しました。", "遅刻"),
        ("p1: attack u999", "u999"),
        ("fix 999 nothing", "fix"),
        ("fix 2 nothing of the kind", "of"),
        ("fix 2 move u48 nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_read_is_a_note_only_if_the_sender_wants_one(served: Served, text: str, why: str) -> None:
    refused = line(served, text)
    assert refused.status_code in (400, 422) and why in refused.json()["en"], refused.text
    assert head(served, MATCH) == 3
    body = {"kind": "line", "text": text, "note": True}
    answer = send(served, MATCH, body, id=head(served, MATCH))
    assert answer.status_code == 201, answer.text
    kept = answer.json()["kept"]
    assert why in kept["en"] and kept["ja"] != kept["en"]
    noted = last(served)
    assert isinstance(noted, Noted) and noted.text == f"[unread] {text.strip()}"
    assert note_words(noted.text, "en") == f"typed, and not read as an action: {text.strip()}"
    assert noted.about == (2 if text.startswith("fix 2") else 0)
    again = send(served, MATCH, body, id=head(served, MATCH) - 1)
    assert again.status_code == 200 and head(served, MATCH) == 4


def test_fix_corrects_by_adding(served: Served) -> None:
    answer = line(served, "fix #３ stance u48 driven ; stance u47 driven")
    assert answer.status_code == 201 and "kept" not in answer.json(), answer.text
    entry = last(served)
    assert isinstance(entry, Corrected) and len(entry_facts(entry)) == 2
    assert entry.reason == "#3", "the reason is in no language"
    nothing = line(served, "fix 3")
    assert nothing.status_code == 400 and "fix 3" in nothing.json()["en"], "what corrects nothing is no correction"
    assert last(served) == entry


def test_call_calls_a_judge(served: Served) -> None:
    assert line(served, "call 手札の枚数").status_code == 201
    assert len(open_calls(served.context.match(MATCH).entries)) == 1 and "手札の枚数" in last(served).text


def test_a_line_follows_a_head_and_says_whether_it_would_stand(served: Served) -> None:
    assert line(served, "pass").status_code == 201
    late = line(served, "p1 pass", at=3, id=99)
    assert late.status_code == 412 and late.json()["would_stand"] is False
    assert [entry["number"] for entry in late.json()["since"]] == [4]
    assert line(served, "p2 pass", at=3, id=98).json()["would_stand"] is True
    assert line(served, "nonsense", at=3, id=97).json().get("would_stand") is None


def test_an_empty_or_endless_line_is_no_line(served: Served) -> None:
    for text in ("", "x" * 501):
        assert line(served, text).status_code == 400
    assert head(served, MATCH) == 3


@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_game_has_a_verb_that_is_a_recorders_word(key: str) -> None:
    for verb in (*verbs(GAMES[key]), *GAMES[key].other_verbs):
        assert not FIX.fullmatch(f"{verb} 1") and not CALL.fullmatch(verb)


def test_a_dealt_card_that_nobody_names_is_not_chosen_by_the_program(served: Served) -> None:
    for text in ("p1: summon_soldier ?", "p1: up ? ? u47"):
        answer = line(served, text)
        assert answer.status_code == 400 and "dealt" in answer.json()["en"], answer.text
        assert head(served, MATCH) == 3, "no card of a hand is played, and none shows"
