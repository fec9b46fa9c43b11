"""Packed corpora with altered matches: faults name the entry where the record shows it."""

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from archive.corpus import corpus_format, writer
from archive.corpus.reader import open_corpus
from domain.words import say
from tests.cli.runs import inside
from tests.evidence import sealed as S


@pytest.fixture
def day(tmp_path: Path) -> Path:
    S.make_evening(tmp_path / "a.sqlite")
    writer.pack(tmp_path / "day.corpus", {match: S.states(tmp_path / "a.sqlite", match) for match in "abcd"}.items())
    return tmp_path / "day.corpus"


def replace_data(day: Path, data: bytes) -> None:
    """Replace the data of match b with bytes of equal length, so that the list of matches stays valid."""
    with closing(sqlite3.connect(day)) as connection:
        (room,) = connection.execute("SELECT length(data) FROM matches WHERE n=2").fetchone()
    S.execute(day, ("UPDATE matches SET data=? WHERE n=2", (data[:room].ljust(room, b"\0"),)))


def pack(states: Sequence[bytes]) -> bytes:
    return zlib.compress(corpus_format.encode_entries(states))


CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "chain.altered": (lambda states: [*states[:2], S.change(states[2], text="b 1"), *states[3:]], 3),
    "chain.removed_one": (lambda states: [*states[:2], *states[3:]], 3),
}


@pytest.mark.parametrize("key", CHANGES)
def test_an_entry_is_named_in_a_match_whose_checksums_do_not_hold(day: Path, key: str) -> None:
    change, entry = CHANGES[key]
    with open_corpus(day) as corpus:
        states = corpus.states("b")
    replace_data(day, pack(change(states)))
    ran = inside("none", "check", day, "--json")
    assert ran.code == 1 and [(row["match"], row["entry"]) for row in ran.data["wrong"]] == [("b", entry)]
    assert ran.data["matches"] == 4, "all others are looked through"
    assert say(key, "ja", first=entry, last=entry) in inside("none", "check", day, "--lang", "ja").out


@pytest.mark.parametrize("data", [b"", b"x", zlib.compress(b"x"), zlib.compress(bytes(50_000_000))])
def test_what_no_entry_can_be_told_of_cannot_be_read(day: Path, data: bytes) -> None:
    replace_data(day, data)
    ran = inside("none", "check", day)
    assert (ran.code, ran.out) == (2, "") and "day.corpus" in ran.message and "b" in ran.message


def test_a_match_that_is_whole_under_wrong_checksums_is_not_called_sound(day: Path) -> None:
    with open_corpus(day) as corpus:
        states = corpus.states("a")
    replace_data(day, pack(states))
    assert inside("none", "check", day).code == 2
