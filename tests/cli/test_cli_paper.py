"""Score sheets on the command line: imported by line, repeated, completed late, compared and merged."""

import io
import json
import sys
from pathlib import Path

import pytest

from domain.formats.sheets import read_sheet, sheet_of
from domain.games import GAMES
from domain.law import entries as E
from domain.law.entries import Corrected, Noted, Played, Undealt
from domain.table.facts import Learned
from domain.table.table import Place
from tests.cli.runs import ROOT, Ran, contents, fine, inside
from tests.cli.test_cli_play import stored
from tests.formats.sheets import HEAD

PAPER = ROOT / "fixtures" / "blackpoker" / "paper"
KANA, JUN = PAPER / "kana.sheet", PAPER / "jun.sheet"
LINES = (
    "chance: shuffle_deck p2 shows=S4,S2,C5,D7",
    "Ren: summon_ace HA shows=CA",
    "Ren: pass",
    "Aoi: pass",
    'note "Ren asks for the time"',
    "Ren: set_bulwark shows=SA",
    "Ren: choose_bulwark_card ?",
)


def write_sheet(folder: Path, *lines: str, name: str = "own.sheet", head: str = HEAD) -> Path:
    path = folder / name
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def take_sheet(store: Path, *arguments: str | Path) -> list[tuple[int, bool]]:
    """Return the lines that are in the match, and whether they were there before."""
    return [(line["line"], line.get("known", False)) for line in run_take(store, *arguments).data["lines"]]


def run_take(store: Path, *arguments: str | Path) -> Ran:
    return inside(store, "paper", "take", *arguments, "--json")


def test_a_sheet_is_recorded_line_by_line_and_once(tmp_path: Path) -> None:
    store, sheet = tmp_path / "s.sqlite", write_sheet(tmp_path, *LINES)
    ran = fine(store, "paper", "take", sheet)
    assert ran.out == "t1\n" and "7 lines recorded, 0 already recorded" in ran.err
    loaded = stored(store)
    assert isinstance(loaded.opening, Undealt) and loaded.opening.by == "Kana"
    assert sum(isinstance(entry, Played) for entry in loaded.entries) == 7
    before = contents(store)
    assert "0 lines recorded, 7 already recorded" in fine(store, "paper", "take", sheet).err
    assert contents(store) == before
    write_sheet(tmp_path, *LINES, "Ren: end")
    assert [known for _, known in take_sheet(store, sheet)] == [True] * 7 + [False]
    assert inside(store, "audit", "t1").code == 0


def test_a_sheet_taken_halfway_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole, halves = tmp_path / "whole.sqlite", tmp_path / "halves.sqlite"
    sheet = write_sheet(tmp_path, *LINES)
    fine(whole, "paper", "take", sheet)
    for many in range(1, len(LINES) + 1):
        fine(halves, "paper", "take", write_sheet(tmp_path, *LINES[:many]))
    entries = [[(type(entry), E.entry_facts(entry)) for entry in stored(store).entries] for store in (whole, halves)]
    assert entries[0] == entries[1]


def test_a_line_that_cannot_be_recorded_stops_there_and_can_be_mended(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    sheet = write_sheet(tmp_path, *LINES[:1], "Ren: summon_ace HA", *LINES[2:])
    ran = inside(store, "paper", "take", sheet)
    assert ran.code == 2 and f"{sheet}:9:1: a card of p2.grave is turned up" in ran.err and "shows=" in ran.err
    assert "1 lines recorded" in ran.err and stored(store).version == 3
    sheet = write_sheet(tmp_path, *LINES)
    assert take_sheet(store, sheet) == [(8, True), *((line, False) for line in range(9, 15))]


def test_a_line_that_was_mended_below_others_goes_back_only_for_a_reason(tmp_path: Path) -> None:
    store, sheet = tmp_path / "s.sqlite", write_sheet(tmp_path, *LINES)
    fine(store, "paper", "take", sheet)
    before = contents(store)
    write_sheet(tmp_path, *LINES[:5], "Ren: set_bulwark shows=S3", *LINES[6:])
    ran = inside(store, "paper", "take", sheet)
    assert ran.code == 2 and f"{sheet}:13: " in ran.err and "entries 8, 9 here" in ran.err
    assert contents(store) == before
    assert take_sheet(store, sheet, "--mend", "it was the 3") == [
        *((line, True) for line in range(8, 13)),
        (13, False),
        (14, False),
    ]
    loaded = stored(store)
    assert isinstance(loaded.entries[9], E.Rewound) and loaded.entries[9].to == 7
    write_sheet(tmp_path, *LINES)
    assert len(take_sheet(store, sheet, "--mend", "it was the ace after all")) == 7
    faces = {piece.face for piece in stored(store).table.pieces.values()}
    assert "SA" in faces and "S3" not in faces


def test_what_was_entered_beside_the_sheet_stays(tmp_path: Path) -> None:
    store, sheet = tmp_path / "s.sqlite", write_sheet(tmp_path, *LINES)
    fine(store, "paper", "take", sheet)
    fine(store, "note", "t1", "a judge looked at it")
    fine(store, "paper", "learn", "t1", "u57", "H9", "--reason", "shown")
    write_sheet(tmp_path, *LINES, "Ren: end")
    assert take_sheet(store, sheet)[-1] == (15, False)
    assert any(isinstance(entry, Noted) and "judge" in entry.text for entry in stored(store).entries)


def test_what_the_rules_do_not_allow_is_recorded_as_played_and_flagged(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    ran = fine(store, "paper", "take", write_sheet(tmp_path, *LINES[:2], "Aoi: set_bulwark shows=C6"))
    assert "line 10, entry 5: recorded as played; broken: BP-4.2" in ran.err
    assert inside(store, "audit", "t1").code == 1


def test_every_kind_of_line_finds_its_entry(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    others = ('learn u57 H9 "shown"', 'correct "it was turned"', "    + turn u57 up", 'question "who asked?"')
    fine(store, "paper", "take", write_sheet(tmp_path, *LINES[:2], *others))
    learned, turned, asked = stored(store).entries[-3:]
    assert isinstance(learned, Corrected) and isinstance(learned.told[0][1], Learned)
    assert isinstance(turned, Corrected) and turned.reason == "it was turned" and turned.by == "Kana"
    assert isinstance(asked, Noted) and asked.text == "? who asked?"


def test_a_face_that_nobody_saw_stays_unknown_where_nothing_hangs_on_it(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "paper", "take", write_sheet(tmp_path, LINES[0], "Ren: summon_ace HA shows=?", *LINES[2:]))
    table = stored(store).table
    faces = [table.pieces[card].face for card in table.places[Place("p2.grave")]]
    assert faces == ["D7", None, "SA"] and inside(store, "audit", "t1").code == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_shows_is_asked_where_somebody_sits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, sheet = tmp_path / "s.sqlite", write_sheet(tmp_path, LINES[0], "Ren: summon_ace HA", *LINES[2:])
    monkeypatch.setattr(sys, "stdin", Terminal("\n"))
    ran = inside(store, "paper", "take", sheet)
    assert ran.code == 2 and "own.sheet:9: a card of p2.grave is turned up. Which card?" in ran.err
    monkeypatch.setattr(sys, "stdin", Terminal("CA\n"))
    assert "6 lines recorded, 1 already recorded" in fine(store, "paper", "take", sheet).err
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert "0 lines recorded, 7 already recorded" in fine(store, "paper", "take", sheet).err


def test_questions_are_asked_one_by_one_where_somebody_sits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, out = tmp_path / "s.sqlite", tmp_path / "both.sheet"
    monkeypatch.setattr(sys, "stdin", Terminal("x\nb\n\na\na\n"))
    ran = inside(store, "paper", "settle", KANA, JUN, "--out", out, "--json")
    assert ran.code == 1 and ran.data["answered"] == {"2": "b", "4": "a", "6": "a"} and ran.data["open"] == [3]
    assert ran.err.count("a or b?") == 5


BAD = {
    "unknown verb": (("Ren: somon_ace HA",), "own.sheet:8:6", "summon_ace"),
    "unknown face": (("Ren: pass shows=ZZ",), "own.sheet:8:17", "ZZ"),
    "no such card": ((LINES[0], "Ren: choose_bulwark_card C99"), "own.sheet:9:", "C99"),
    "a face too many": (("chance: shuffle_deck p2 shows=S4,S4,S4,S4",), "own.sheet:8:1", "S4"),
    "a face nothing shows": ((LINES[0], "Ren: pass shows=CA"), "own.sheet:9:1", "CA"),
    "learned twice": ((*LINES[:1], "learn u57 H9", "learn u57 S3"), "own.sheet:10:1", "known to be H9"),
    "a thing that is not there": ((*LINES[:1], "learn u999 H9"), "own.sheet:9:1", "u999"),
    "an impossible fact": ((*LINES[:1], 'correct "x"', "    + move u57 p9.hand"), "own.sheet:10:", "p9.hand"),
    "physically impossible": (
        (*LINES[:1], 'correct "x"', "    + gone u57", "    + gone u57"),
        "own.sheet:11:7",
        "fact 2",
    ),
    "not even as played": ((LINES[0], "Ren: designate_attackers S2"), "own.sheet:9:1", "correct"),
}


def test_what_cannot_be_taken_is_named_by_file_line_and_column(tmp_path: Path) -> None:
    for number, (lines, where, part) in enumerate(BAD.values()):
        store, sheet = tmp_path / f"{number}.sqlite", write_sheet(tmp_path, *lines)
        ran = inside(store, "paper", "take", sheet)
        assert ran.code == 2 and where in ran.message and part in ran.err, ran
        assert inside(store, "--lang", "ja", "paper", "take", sheet).message != ran.message


def test_a_sheet_that_cannot_be_read_records_nothing(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    assert inside(store, "paper", "take", write_sheet(tmp_path, *LINES, "Ren: somon_ace HA")).code == 2
    broken = tmp_path / "broken.sheet"
    broken.write_bytes((HEAD + "p1: pass\n").encode() + b'note "\xff"\n')
    ran = inside(store, "paper", "take", broken)
    assert ran.code == 2 and "broken.sheet:9:7" in ran.message
    huge = write_sheet(tmp_path, "; " + "x" * 5_000_000)
    assert "4 MiB" in inside(store, "paper", "take", huge).message
    assert "4 MiB" in inside(store, "paper", "compare", huge, huge).message
    assert not store.exists()


def test_a_sheet_says_of_which_match_it_is(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    nameless = write_sheet(tmp_path, *LINES, head=HEAD.replace('[Match "t1"]\n', ""))
    assert "--match" in inside(store, "paper", "take", nameless).message
    assert fine(store, "paper", "take", nameless, "--match", "own").out == "own\n"
    fine(store, "new", "blackpoker@8.1-lite", "--match", "t1", "--seed", "5")
    fine(store, "new", "blackpoker@8.1-lite", "--frame", "full54", "--match", "t2", "--no-deal")
    for other in ("t1", "t2"):
        ran = inside(store, "paper", "take", write_sheet(tmp_path, *LINES), "--match", other)
        assert ran.code == 2 and "does not belong to this sheet" in ran.message


def test_what_is_learned_late_must_be_possible_and_traceable(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "paper", "take", write_sheet(tmp_path, *LINES))
    fine(store, "paper", "learn", "t1", "u57", "H9", "--reason", "shown", "--command-id", "c1")
    again = fine(store, "paper", "learn", "t1", "u57", "H9", "--reason", "shown", "--command-id", "c1")
    assert stored(store).version == 10 and "10" in again.out
    for thing, face, part in (
        ("u57", "S3", "known to be H9"),
        ("u55", "S4", "holds 1"),
        ("u55", "ZZ", "not a card of this game"),
        ("55", "S3", "u57"),
        ("u999", "S3", "u999"),
    ):
        ran = inside(store, "paper", "learn", "t1", thing, face, "--reason", "x")
        assert (ran.code, stored(store).version) == (2, 10) and part in ran.message, ran


def test_a_gap_is_recorded_and_what_may_have_moved_in_it_is_known_by_its_facts(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    lines = (*LINES[:2], 'gap 3 "the camera was moved"', "    + stance u58 driven", "Aoi: pass")
    sheet = write_sheet(tmp_path, *lines)
    fine(store, "paper", "take", sheet)
    missing = stored(store).entries[4]
    assert isinstance(missing, E.Gap) and (missing.most, missing.reason, missing.by) == (
        3,
        "the camera was moved",
        "Kana",
    )
    assert len(missing.told) == 1 and [known for _, known in take_sheet(store, sheet)] == [True] * 4
    write_sheet(tmp_path, *LINES[:2], *lines[4:])
    ran = inside(store, "paper", "take", sheet)
    assert ran.code == 2 and "entries 5, 6 here" in ran.err
    fine(store, "paper", "gap", "t1", "--most", "2", "--reason", "the pen was empty", "turn u57 up")
    assert isinstance(last := stored(store).entries[-1], E.Gap) and last.most == 2 and len(last.told) == 1
    for wrong in (("--most", "-1"), ("--most", "9999"), ("move u57 p9.hand",)):
        assert inside(store, "paper", "gap", "t1", *wrong, "--reason", "x").code == 2
    again = fine(store, "paper", "compare", "t1", "t1", "--as", "judge")
    assert again.out.endswith("the sheets are identical\n")


def test_an_audit_names_the_gaps_where_nobody_judges(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "paper", "take", KANA)
    assert "not judged: what happened where actions are missing (entries: 17)" in inside(store, "audit", "table-9").out
    assert "（記録17）" in inside(store, "--lang", "ja", "audit", "table-9").out
    audited = inside(store, "audit", "table-9", "--json").data
    assert audited["gaps"] == [17] and 17 not in [finding["entry"] for finding in audited["findings"]]
    fine(store, "rewind", "table-9", "--to", "16", "--reason", "the video shows the gap")
    assert inside(store, "audit", "table-9", "--json").data["gaps"] == []


def test_two_sheets_are_laid_side_by_side(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    ran = inside(store, "paper", "compare", KANA, JUN)
    assert ran.code == 1 and "Is this what happened in the gap of a?" in ran.out
    value = inside(store, "paper", "compare", KANA, JUN, "--json").data
    assert {row["kind"] for row in value["differences"]} >= {"knows_more", "filled_a", "different"}
    assert [row["number"] for row in value["differences"]] == [*range(1, len(value["differences"]) + 1)]
    japanese = inside(store, "--lang", "ja", "paper", "compare", KANA, JUN).out
    assert "aの抜けで起きたのはこれですか。" in japanese and "Did this" not in japanese
    assert fine(store, "paper", "compare", KANA, KANA).out.endswith("the sheets are identical\n")


def test_a_recorded_match_is_compared_as_the_sheet_it_would_be(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    fine(store, "paper", "take", KANA)
    assert "judge" in inside(store, "paper", "compare", KANA, "table-9").message
    loaded = stored(store, "table-9")
    assert len(sheet_of(loaded).lines) == len(read_sheet(KANA.read_text("utf-8"), GAMES).lines)
    again = fine(store, "paper", "compare", "table-9", "table-9", "--as", "judge")
    assert again.out.endswith("the sheets are identical\n")
    ran = inside(store, "paper", "compare", KANA, "table-9", "--as", "judge", "--json")
    assert all(row["kind"] in ("different", "knows_more") for row in ran.data["differences"])


def test_answers_make_one_sheet_that_can_be_taken(tmp_path: Path) -> None:
    store, out = tmp_path / "s.sqlite", tmp_path / "both.sheet"
    questions = [
        row["number"]
        for row in inside(store, "paper", "compare", KANA, JUN, "--json").data["differences"]
        if row["asks"]
    ]
    some = inside(store, "paper", "settle", KANA, JUN, "--answer", f"{questions[0]}=a", "--out", out)
    assert some.code == 1 and "unanswered: " + ", ".join(map(str, questions[1:])) in some.err
    assert out.read_text("utf-8").count("question ") == len(questions) - 1
    answers = [word for number in questions for word in ("--answer", f"{number}=a")]
    done = fine(store, "paper", "settle", KANA, JUN, *answers, "--out", out, "--json").data
    assert done["open"] == [] and len(done["answered"]) == len(questions)
    text = out.read_text("utf-8")
    assert text.count("Kana applies; Jun has: ") == len(questions) and "question " not in text
    fine(store, "paper", "take", out)
    assert inside(store, "audit", "table-9").code in (0, 1)


ANSWERS = {
    "not there": (("99=a",), "no difference 99"),
    "zero": (("0=a",), "no difference 0"),
    "twice": (("2=a", "2=b"), "answered twice"),
    "neither": (("2=c",), "'c'"),
    "no number": (("two=a",), "N=a"),
    "no answer": (("2",), "N=a"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_none_writes_nothing(tmp_path: Path, name: str) -> None:
    answers, part = ANSWERS[name]
    given = [word for answer in answers for word in ("--answer", answer)]
    ran = inside(tmp_path / "s", "paper", "settle", KANA, JUN, *given, "--out", tmp_path / "out.sheet")
    assert ran.code == 2 and part in ran.message and not (tmp_path / "out.sheet").exists()


def test_no_sheet_is_written_over_one_that_is_read(tmp_path: Path) -> None:
    own = write_sheet(tmp_path, *LINES)
    before = own.read_bytes()
    ran = inside(tmp_path / "s", "paper", "settle", own, KANA, "--out", own)
    assert ran.code == 2 and own.read_bytes() == before


def test_sheets_of_other_games_are_not_compared(tmp_path: Path) -> None:
    other = write_sheet(tmp_path, "p1: pass", head='[Game "grimoire"]\n[Version "1"]\n', name="other.sheet")
    ran = inside(tmp_path / "s", "paper", "compare", KANA, other)
    assert ran.code == 2 and "different games" in ran.message
    assert json.dumps(ran.out) == '""'


# -- certainty of an audit --------------------------------------------------------------------------------------------


def test_what_is_only_possible_is_told_as_such_and_a_late_face_clears_it(tmp_path: Path) -> None:
    store, junit, sarif = tmp_path / "s.sqlite", tmp_path / "o.xml", tmp_path / "o.sarif"
    fine(store, "paper", "take", KANA)

    def audit() -> tuple[dict[int, str], Ran]:
        told = inside(store, "audit", "table-9", "--as", "judge", "--json").data["findings"]
        return {finding["entry"]: finding.get("certainty", "certain") for finding in told}, inside(
            store, "audit", "table-9", "--junit", junit, "--sarif", sarif, "--as", "judge"
        )

    found, ran = audit()
    assert found == {45: "certain", 57: "possible"} and ran.code == 1
    assert "BP-5.8, possible" in junit.read_text(encoding="utf-8")
    fine(store, "dispute", "table-9", "--at", "57", "--by", "p1", "--claim", "p1=that was no ace")
    fine(store, "rule", "table-9", "60", "--verdict", "unclear", "--by", "kato", "--reason", "nobody saw it")
    assert stored(store, "table-9").entries[-1].opinion.finding == "", "the law guesses nothing"
    fine(store, "paper", "learn", "table-9", "u89", "DA", "--reason", "seen in the video")
    found, ran = audit()
    assert found == {45: "certain", 57: "excluded"} and ran.code == 1, "the other one stands"
    results = json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [(told["properties"]["entry"], bool(told["suppressions"])) for told in results] == [(45, False), (57, True)]
    told = inside(store, "audit", "table-9", "--json").data["findings"]
    assert [finding["entry"] for finding in told] == [45], "what never was flagged and is wrong no more is for judges"
