"""Missing and unreadable paths: every command names the path and fails."""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from cli.drawing import Screen
from cli.main import program
from cli.registry import Shared
from tests.cli.runs import CASES, inside, refusal, shut

PATH = re.compile(r"FILE|DIR|PATH|STORE")


def commands(group: Any, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *words, name)
        else:
            yield (*words, name), command


def calls() -> Iterator[tuple[str, ...]]:
    """Return every command with an empty path in one argument and valid values in the others."""
    for words, command in commands(program(Shared(Screen(sys.stdout, sys.stderr), "en"))):
        for empty in command.params:
            if PATH.search(empty.metavar or "") is None:
                continue
            needed = [one for one in command.params if one.required or one is empty]
            values = [(one, "" if one is empty else getattr(one.type, "choices", ("1",))[0]) for one in needed]
            options = [word for one, value in values if one.opts[0].startswith("-") for word in (one.opts[0], value)]
            yield (*words, *options, *(value for one, value in values if not one.opts[0].startswith("-")))


EVERY = tuple(calls())


def test_every_place_that_takes_a_path_is_tried() -> None:
    assert len(EVERY) > 25 and {("import", ""), ("regress", ""), ("corpus", "pack", "1", "")} <= set(EVERY)


def test_an_empty_path_is_not_the_current_folder(tmp_path: Path) -> None:
    with chdir(tmp_path):
        for call in EVERY:
            assert "the path is empty; give a file, folder or store" in refusal("unused.sqlite", *call), call
            assert "空のパス" in inside("unused.sqlite", *call, "--lang", "ja").message
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store_is_none(tmp_path: Path) -> None:
    with chdir(tmp_path):
        for ran in (inside("", "matches"), inside("unused.sqlite", "matches", "--store", "")):
            assert (ran.code, ran.out) == (2, "") and ran.message.startswith("shinpan: --store: the path is empty")


def test_casebooks_in_a_folder_that_may_not_be_entered_are_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other casebooks run, and the command still fails."""
    (tmp_path / "shut").mkdir()
    shutil.copy(next(CASES.glob("*.cases.toml")), tmp_path)
    shut(monkeypatch, "shut")
    ran = inside("unused.sqlite", "case", "run", tmp_path)
    assert ran.code == 2 and "failed: 0" in ran.out
    assert ran.message == f"shinpan: {tmp_path / 'shut'} cannot be read: Permission denied"
    alone = inside("unused.sqlite", "case", "run", tmp_path / "shut")
    assert alone.code == 2 and "Permission denied" in alone.message


@pytest.mark.parametrize("call", ("corpus info", "corpus index", "regress --set hand.limit=6", "check"))
@pytest.mark.parametrize("address", ("https://archive.example/2026.corpus", "s3://league/2026.corpus"))
def test_a_corpus_at_an_address_is_refused_like_a_missing_file(tmp_path: Path, call: str, address: str) -> None:
    ran = inside(tmp_path / "unused.sqlite", *call.split(), address)
    assert (ran.code, ran.out) == (2, "") and address in ran.message
    assert not (tmp_path / "unused.sqlite").exists()
