"""Forgotten names, and a store that is refused because it is encrypted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recorder.store_location import ENCRYPTED
from tests.cli.runs import fine, inside

NEW = ("new", "blackpoker@8.1-lite", "--p1", "Shirakawa", "--p2", "Tachibana", "--seed", "3")


@pytest.fixture(name="where")
def store_with_two_matches(tmp_path: Path) -> Path:
    where = tmp_path / "s.sqlite"
    for match in ("m", "n"):
        fine(where, *NEW, "--match", match)
    fine(where, "close", "n", "--abandon", "--reason", "x")
    return where


def test_a_name_is_forgotten_and_everything_else_is_as_it_was(where: Path) -> None:
    fine(where, "find", "--index", "--player", "Shirakawa")
    exported, checked = fine(where, "export", "n", "--as", "judge", "--format", "jsonl").out, fine(where, "check").out
    dry = fine(where, "forget", "Shirakawa", "--dry-run")
    assert dry.out.splitlines() == ["m p1 Shirakawa", "n p1 Shirakawa", "names that would be erased: 2 (matches: 2)"]
    assert "Shirakawa" in fine(where, "matches").out
    told = fine(where, "forget", "Shirakawa", "--json")
    assert [row["match"] for row in told.data["names"]] == ["m", "n"]
    assert "p1 - Tachibana" in fine(where, "matches").out
    shown = [
        fine(where, *command).out
        for command in (
            ("matches",), ("show", "n"), ("find",), ("find", "--index"), ("log", "n", "--as", "judge"), ("export", "n"),
            ("export", "n", "--as", "judge"), ("export", "n", "--as", "judge", "--format", "jsonl"),
        )
    ]  # fmt: skip
    assert "Shirakawa" not in "".join(shown) and shown[-1].splitlines()[1:] == exported.splitlines()[1:]
    assert fine(where, "check").out == checked
    assert b"Shirakawa" not in b"".join(path.read_bytes() for path in where.parent.iterdir())
    again = inside(where, "forget", "Shirakawa")
    assert again.code == 2 and "no player 'Shirakawa'" in again.message
    assert len(fine(where, "forget", "--older-than", "0", "--json").data["names"]) == 1, "closed matches alone"
    assert len(fine(where, "forget", "--match", "m", "--json").data["names"]) == 1
    assert "Tachibana" not in fine(where, "matches").out


def test_an_exported_record_is_checked_with_its_names(where: Path, tmp_path: Path) -> None:
    text = fine(where, "export", "n", "--as", "judge", "--format", "jsonl").out
    for name, code in (("Shirakawa", 0), ("Mallory", 1)):
        (tmp_path / "n.jsonl").write_text(text.replace("Shirakawa", name), "utf-8")
        assert inside(where, "check", tmp_path / "n.jsonl").code == code


def test_what_is_to_be_forgotten_must_be_said(where: Path) -> None:
    assert inside(where, "forget").code == 2 and "--older-than" in inside(where, "forget").message
    assert inside(where, "forget", "--match", "gone").code == 2


def test_names_that_stand_in_a_record_are_counted(where: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    (tmp_path / "n.spn").write_text(fine(where, "export", "n", "--as", "judge").out, "utf-8")
    fine(other, "import", tmp_path / "n.spn")
    told = fine(other, "forget", "Shirakawa")
    assert (
        "part of the records themselves and cannot be erased: 1\n" in told.out
        and "Shirakawa" in fine(other, "matches").out
    )


@pytest.mark.parametrize("command", [("matches",), ("show", "m"), ("serve", "--port", "0")])
def test_an_encrypted_store_is_refused_in_one_line(where: Path, command: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(where, isolation_level=None)) as file:
        file.execute("UPDATE meta SET value=? WHERE key='format'", (str(ENCRYPTED),))
    refused = inside(where, *command)
    assert refused.code == 2 and refused.err.count("\n") == 1
    assert "written with encryption by Shinpan 0.2.0" in refused.err and str(where) in refused.err
