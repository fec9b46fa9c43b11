"""Score sheets, gaps and reveals at a service, from the terminal and from Python: same results as on a store."""

import sys
from pathlib import Path
from uuid import UUID

import pytest

from cli.client.service import ServiceError
from domain.law.entries import Gap
from service.recording import sheet_forms as F
from service.settings import Settings
from tests.cli.runs import inside
from tests.cli.test_cli_paper import Terminal
from tests.formats.sheets import HEAD
from tests.places import place
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.service.harness import Served, serve
from tests.service.test_client import Begin, client
from tests.service.test_client_writing import LITE, PLEDGES
from tests.service.test_service_sheets import JUN, KANA, LINES, PAPER, sheet_of

ID = UUID(int=9)
FILES = (str(PAPER / "kana.sheet"), str(PAPER / "jun.sheet"))


def test_a_sheet_is_taken_at_a_service_as_in_a_store(served: Served, begin: Begin, tmp_path: Path) -> None:
    store = place(tmp_path / "own.sqlite")
    there = begin(served, "scorekeeper")
    for more in ((), (), ("--json",), ("--lang", "ja")):
        at_service, here = (ask("paper", "take", FILES[0], *more) for ask in (there, lambda *a: inside(store, *a)))
        assert at_service == here and here.code == 0, more
    assert served.context.match("table-9").version == 59


def test_a_line_that_cannot_be_recorded_is_named_by_file_and_leaves_nothing(
    served: Served, begin: Begin, tmp_path: Path
) -> None:
    there = begin(served, "scorekeeper")
    sheet = tmp_path / "own.sheet"
    for lines, said in (
        ((*LINES[:1], "Ren: summon_ace HA"), f"{sheet}:9:1: a card of p2.grave is turned up"),
        ((*LINES[:1], "Ren: summon_aec HA"), f"{sheet}:9:6: "),
        ((*LINES[:1], "Ren: summon_ace u99"), f"{sheet}:9:"),
    ):
        sheet.write_text(sheet_of(*lines), encoding="utf-8")
        refused = there("paper", "take", str(sheet))
        assert (refused.code, refused.out) == (2, "") and said in refused.err, refused
        assert served.context.store.matches() == []
    assert "nothing was recorded" in refused.err
    sheet.write_text(sheet_of(*LINES, head=""), encoding="utf-8")
    assert there("paper", "take", str(sheet)).code == 2
    sheet.write_text(sheet_of(*LINES).replace('[Match "t1"]\n', ""), encoding="utf-8")
    assert "--match" in there("paper", "take", str(sheet)).message
    assert there("paper", "take", str(sheet), "--match", "t2").out == "t2\n"
    assert there("paper", "take", str(tmp_path / "gone.sheet")).code == 2
    nobody = begin(served, "spectator")("paper", "take", str(sheet), "--match", "t3")
    assert nobody.code == 2 and [listed.match for listed in served.context.store.matches()] == ["t2"]


DECK = '[Deck "p1" "8xSA"]\n'
STOPPED = {
    "a face that shows": (*LINES[:1], "Ren: summon_ace HA"),
    "a face of another deck": (*LINES[:1], "Aoi: summon_ace HA"),
    "a face that cannot be there": (*LINES[:2], "Ren: summon_ace HA"),
    "a face that nothing shows": (*LINES[:1], "Ren: pass shows=CA"),
    "a face that is none": (*LINES[:1], "Ren: summon_ace HA shows=ZZ"),
    "a thing that is not there": (*LINES[:1], "Ren: summon_ace u99"),
    "a verb that is none": (*LINES[:1], "Ren: summon_aec HA"),
    "a seat that is none": ("chance: shuffle_deck p9 shows=S4",),
    "not even as played": (*LINES[:1], "Ren: designate_attackers S2"),
    "known already": (*LINES[:4], "learn u57 H9", "learn u57 H8"),
    "an impossible fact": (*LINES[:4], 'correct "x"', "    + move u57 p9.hand"),
}
"""Sheets whose last line is refused or asks a question."""


def test_what_stands_against_a_line_is_said_at_a_service_as_in_a_store(
    served: Served, begin: Begin, tmp_path: Path
) -> None:
    sheet = tmp_path / "own.sheet"
    there = begin(served, "scorekeeper")
    for number, lines in enumerate(STOPPED.values()):
        sheet.write_text(sheet_of(*lines), encoding="utf-8")
        for lang in ("en", "ja"):
            asked = ("paper", "take", str(sheet), "--match", f"t{number}", "--lang", lang)
            at_service, here = there(*asked), inside(place(tmp_path / f"{number}{lang}.sqlite"), *asked)
            assert at_service.code == here.code == 2 and f"{sheet}:" in here.message, asked
            assert at_service.message == here.message, asked
    assert served.context.store.matches() == []


def test_what_stands_against_a_sheet_is_said_at_a_service_as_in_a_store(
    served: Served, begin: Begin, tmp_path: Path
) -> None:
    store, sheet = place(tmp_path / "own.sqlite"), tmp_path / "own.sheet"
    there = begin(served, "scorekeeper")
    sheet.write_text(sheet_of(*LINES), encoding="utf-8")
    assert there("paper", "take", str(sheet)) == inside(store, "paper", "take", str(sheet))
    mended, other = (*LINES[:4], "Ren: set_bulwark shows=S3", *LINES[5:]), HEAD.replace("8.1-lite", "9.2-lite")
    closed = ("close", "t1", "--abandon", "--reason", "time")
    for text, match, then in (
        (sheet_of(*mended), "t1", ()),
        (sheet_of(*LINES, head=other), "t1", ()),
        (sheet_of(*LINES, head=HEAD.rstrip() + "\n" + DECK), "t2", closed),
        (sheet_of(*LINES, "Ren: pass"), "t1", ()),
    ):
        sheet.write_text(text, encoding="utf-8")
        for lang in ("en", "ja"):
            asked = ("paper", "take", str(sheet), "--match", match, "--lang", lang)
            at_service, here = there(*asked), inside(store, *asked)
            assert at_service.code == here.code == 2 and at_service.message == here.message, asked
        if then:
            assert there(*then).code == inside(store, *then).code == 0


def test_what_shows_is_asked_at_a_service_as_in_a_store(
    served: Served, begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards named by hand are recorded in the match, not in the sheet, which is still recognised."""
    sheet = tmp_path / "own.sheet"
    sheet.write_text(sheet_of(LINES[0], "Ren: summon_ace HA", *LINES[2:4], "Ren: set_bulwark", LINES[5]), "utf-8")
    there = begin(served, "scorekeeper")
    for typed, code, asked in (
        ("\n", 2, [9]),
        ("ZZ\n", 2, [9]),
        ("CA\n", 2, [9, 12]),
        ("CA\nSA\n", 0, [9, 12]),
    ):
        answers = []
        store = place(tmp_path / f"{code}{len(typed)}{typed[0]}.sqlite")
        for ask in (there, lambda *said, at=store: inside(at, *said)):
            monkeypatch.setattr(sys, "stdin", Terminal(typed))
            answers.append(ask("paper", "take", str(sheet)))
        at_service, here = answers
        questions = [line for line in at_service.err.splitlines() if "Which card?" in line]
        assert questions == [line for line in here.err.splitlines() if "Which card?" in line]
        assert [int(line.split(":")[1]) for line in questions] == asked
        assert at_service.code == here.code == code
        assert code == 0 or (at_service.message == here.message and served.context.store.matches() == [])
    assert at_service == here
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    again = there("paper", "take", str(sheet))
    assert again == inside(store, "paper", "take", str(sheet)) and "0 lines recorded, 6 already recorded" in again.err
    faces = {piece.face for piece in served.context.match("t1").table.pieces.values()}
    assert {"CA", "SA"} <= faces


def test_two_sheets_are_compared_and_settled_at_a_service_as_in_a_store(begin: Begin, tmp_path: Path) -> None:
    store = place(tmp_path / "own.sqlite")
    with serve(Settings(store=store, seal_ms=10**9)) as served:
        there = begin(served, "head")
        assert there("paper", "take", FILES[0]).code == 0
        answers = ("--answer", "2=b", "--answer", "3=a", "--answer", "4=a", "--answer", "6=a")
        for said in (
            ("paper", "compare", *FILES),
            ("paper", "compare", *FILES, "--json"),
            ("paper", "settle", *FILES, *answers[:4], "--lang", "ja"),
            ("paper", "settle", *FILES, *answers, "--json"),
            ("paper", "settle", *FILES, "--answer", "99=a"),
        ):
            assert there(*said) == inside(store, *said), said
        sealed = there("paper", "compare", "table-9", FILES[1])
        assert (sealed.code, sealed.out) == (2, "") and "sealed" in sealed.message
        assert there("unseal", "table-9", "--eyes", "judge").code == 0
        for said in (("compare", "table-9", FILES[1]), ("settle", FILES[1], "table-9", *answers[:2])):
            at_service, here = (ask("paper", *said, "--as", "judge") for ask in (there, lambda *a: inside(store, *a)))
            assert at_service == here and here.out, said


def test_sheets_are_taken_compared_and_settled_from_python(served: Served) -> None:
    keeper = client(served, "scorekeeper")
    first, again = keeper.take_sheet(KANA, id=ID), keeper.take_sheet(KANA, id=ID)
    assert first.opened and first.head == again.head and all(line.known for line in again.lines)
    a, b = F.ComparedSheet(text=KANA, name="kana"), F.ComparedSheet(text=JUN, name="jun")
    asked = keeper.compare_sheets(a, b).questions
    settled = keeper.settle_sheets(a, b, {each.number: "a" for each in asked}, "ja")
    assert settled.open == () and keeper.take_sheet(settled.text, match="both").opened
    with pytest.raises(ServiceError) as refused:
        keeper.take_sheet(KANA.replace("Ren: pass", "Ren: psas", 1), match="other")
    assert refused.value.problem.line and "pass" in refused.value.problem.en


def test_a_gap_is_recorded_and_a_secret_revealed_from_python(served: Served, begin: Begin) -> None:
    keeper = client(served, "scorekeeper")
    took = keeper.take_sheet(sheet_of(*LINES))
    match = keeper.match(took.match)
    gone = match.gap("called away", took.head, 2, ["learn u57 H9"], id=ID)
    assert match.gap("called away", took.head, 2, ["learn u57 H9"], id=ID) == gone
    entry = served.context.match(took.match).entries[-1]
    assert isinstance(entry, Gap) and (entry.most, entry.reason, len(entry.told)) == (2, "called away", 1)
    assert begin(served)("new", LITE, "--match", MATCH, *PLEDGES).code == 0
    mine, head = client(served, "seat", MATCH, seat="p1").match(MATCH), client(served, "head").match(MATCH)
    with pytest.raises(ServiceError) as refused:
        mine.reveal("p2", SECRETS[P2].hex())
    assert refused.value.problem.type == "/problem/no-authority"
    shown = mine.reveal("p1", SECRETS[P1].hex(), id=ID)
    assert mine.reveal("p1", SECRETS[P1].hex(), id=ID) == shown and pledges_of()[P1]
    assert [entry.seen for entry in head.reveal("p2", reason="gone home").entries][:2] == ["revealed", "played"]
