"""Line breaks and bidirectional controls in names, notes, reasons and file names forge no line."""

import json
import re
from pathlib import Path

import pytest

from domain.words.lines import escape_in_json, escape_line_ends, one_line
from recorder import match_opening
from tests.cli.runs import Ran, fine, inside, read_records

pytestmark = pytest.mark.random

STEERING = (
    "\n\r\x0b\x0c\x1b\x1c\x7f\x85\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
FORGED = "99 p1: pass"
HOSTILE = "".join(f"x{one}{FORGED}" for one in STEERING)
SPLITTING = "\x85\u2028\u2029"
READING = "throwing.damage_suit=spade"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store whose free text is hostile, including names as earlier versions stored them."""
    where = tmp_path_factory.mktemp("hostile") / "a.sqlite"
    names = ("--p1", f"Aoi{HOSTILE}", "--p2", f"Ren{HOSTILE}", "--by", HOSTILE)
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(match_opening, "has_control_character", lambda name: False)
        fine(where, "new", "blackpoker@8.1-lite", *names, "--seed", "2", "--match", "mine")
    fine(where, "do", "mine", "p1: pass")
    fine(where, "note", "mine", HOSTILE, "--by", HOSTILE)
    fine(where, "correct", "mine", "- stance u57 driven", "--reason", HOSTILE, "--by", HOSTILE)
    fine(where, "do", "mine", "p1: attack", "--as-played")
    fine(where, "rewind", "mine", "--to", "6", "--reason", HOSTILE, "--by", HOSTILE)
    fine(where, "branch", "mine", "--at", "4", "--match", "other", "--by", HOSTILE)
    fine(where, "close", "mine", "--abandon", "--reason", HOSTILE, "--by", HOSTILE)
    return where


def upright(ran: Ran) -> Ran:
    """Assert that no separator, in any reader's definition of a line, can forge a line."""
    for text in (ran.out, ran.err):
        assert not [line for line in text.splitlines() if line.lstrip().startswith(FORGED)], text
        assert not set(text).intersection(STEERING.replace("\n", "")), text
    return ran


VIEWS = (
    ("matches",),
    ("show", "mine"),
    ("show", "other"),
    ("log", "mine", "--flow"),
    ("stack", "mine"),
    ("legal", "mine"),
    ("audit", "mine"),
    ("audit", "mine", "--reading", READING),
    ("why", "mine", "1"),
    ("why", "mine", "5"),
    ("why", "mine", "6"),
    ("why", "mine", "7"),
    ("why", "mine", "8"),
    ("diff", "mine", "3", "6"),
    ("knows", "mine"),
    ("when", "mine", "u57"),
    ("rejudge", "mine", "--set", READING, "--beside"),
    ("export", "mine"),
    ("rewind", "other", "--to", "3", "--dry-run"),
)


@pytest.mark.parametrize("viewer", ["judge", "p1", "spectator"])
def test_no_command_prints_a_forged_line(store: Path, viewer: str) -> None:
    for command in VIEWS:
        asked = command if command[0] == "matches" else (*command, "--as", viewer)
        for lang in ("en", "ja"):
            assert upright(inside(store, *asked, "--lang", lang)).code in (0, 1), command
        if command[0] != "export":
            out = inside(store, *asked, "--json").out
            json.loads(out)
            assert not set(out).intersection(SPLITTING), command
            assert not [line for line in out.splitlines() if line.lstrip().startswith(FORGED)], command


def test_what_is_said_is_there_and_in_json_as_it_is(store: Path) -> None:
    reason = fine(store, "log", "mine", "--as", "judge", "--from", "6", "--to", "6").out
    assert "x\\x0a99 p1: pass" in reason and "\\u2028" in reason and "\\x85" in reason
    (row,) = (one for one in fine(store, "matches", "--json").data if one["match"] == "mine")
    assert row["names"] == {"p1": f"Aoi{HOSTILE}", "p2": f"Ren{HOSTILE}"}


@pytest.mark.parametrize("form", ["notation", "jsonl"])
def test_an_exported_record_stays_whole_lines_and_reads_back_as_it_was(store: Path, tmp_path: Path, form: str) -> None:
    out = fine(store, "export", "mine", "--as", "judge", "--format", form).out
    assert not set(out).intersection(SPLITTING)
    assert len(out.splitlines()) == out.count("\n")
    if form == "notation":
        upright(Ran(0, out, ""))
    record = tmp_path / f"one.{form}"
    record.write_text(out, encoding="utf-8")
    other = tmp_path / "b.sqlite"
    fine(other, "import", record)
    assert read_records(other)["mine"] == read_records(store)["mine"]
    if form == "jsonl":  # without following links
        again = fine(other, "export", "mine", "--as", "judge", "--format", "jsonl").out
        assert again == out
    view = fine(store, "export", "mine", "--as", "p1", "--format", "jsonl").out
    assert len(view.splitlines()) == view.count("\n")


def test_errors_repeat_names_on_one_line(store: Path, tmp_path: Path) -> None:
    for command in (
        ("show", HOSTILE),
        ("show", "mine", "--as", HOSTILE),
        ("do", "other", f"p1: {HOSTILE}"),
        ("do", "other", f"p1: pass {HOSTILE}"),
        ("rulebook", "blackpoker", HOSTILE),
        ("rulebook", "blackpoker", "--search", HOSTILE),
        ("new", HOSTILE),
        ("new", "blackpoker@8.1-lite", "--set", f"hand.limit={HOSTILE}"),
        ("new", "blackpoker@8.1-lite", "--deck", f"p1={HOSTILE}"),
        (HOSTILE,),
        ("show", "mine", f"--{HOSTILE}"),
        ("import", tmp_path / HOSTILE[:200]),
        ("regress", tmp_path / HOSTILE[:200], "--set", READING),
    ):
        for lang in ("en", "ja"):
            ran = inside(store, "--lang", lang, *command)
            assert upright(ran).code in (0, 2) and (ran.code == 0) == ("--search" in command)


def test_a_files_name_breaks_no_line_of_a_report(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    name = HOSTILE.replace("/", "")[:120]
    (folder / f"{name}.spn").write_text(fine(store, "export", "other", "--as", "judge").out, encoding="utf-8")
    (folder / f"bad{name}.spn").write_text("[Game", encoding="utf-8")
    reports = {one: tmp_path / f"r.{one}" for one in ("report", "junit", "sarif")}
    outputs = [part for one, path in reports.items() for part in (f"--{one}", path)]
    upright(inside(store, "regress", folder, "--set", READING, *outputs))
    upright(inside(store, "compare", "blackpoker", folder, "--reading", "throwing.damage_suit=spade,club"))
    upright(inside(store, "coverage", "blackpoker", "--corpus", folder))
    upright(inside(store, "audit", folder / f"bad{name}.spn"))
    upright(inside(store, "corpus", "pack", folder, "--out", tmp_path / "c.corpus"))
    for path in reports.values():
        text = path.read_text(encoding="utf-8")
        assert not set(re.sub(r"[\n\r]", "", text)).intersection(SPLITTING), path
        assert not [line for line in text.splitlines() if line.lstrip().startswith(FORGED)], path
        if path.suffix != ".sarif":
            assert not set(text).intersection(STEERING.replace("\n", "")), path


def test_a_line_is_escaped_once_and_everything_else_stays() -> None:
    plain = "葵 – Ren's “note”\t#1 \\n 　 é"
    assert one_line(plain) == plain and escape_in_json(json.dumps(plain, ensure_ascii=False)) == json.dumps(
        plain, ensure_ascii=False
    )
    assert one_line(one_line(HOSTILE)) == one_line(HOSTILE)
    assert not set(one_line(HOSTILE)).intersection(STEERING)
    kept = json.dumps(HOSTILE, ensure_ascii=False)
    assert json.loads(escape_in_json(kept)) == HOSTILE == json.loads(escape_line_ends(kept.encode()))
