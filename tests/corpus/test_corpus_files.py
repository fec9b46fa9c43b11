"""Corpora that work: data is read back byte for byte in any order, and old bytes never change."""

import errno
import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from archive.corpus.errors import CorpusError
from archive.corpus.reader import CorpusMatch, info, open_corpus, scan
from archive.corpus.writer import append, pack
from domain.law.entries import Entry, Opened
from recorder import codec
from tests.cli.forks import PATIENCE, ROOT
from tests.corpus.small_files import FIRST, SECOND, place_of, real, save_twice, toy

MIB = 1024**2
FROZEN = ROOT / "tests" / "frozen"
FROZEN_DIGEST = "87bdb4554e4df28b"
"""First digits of the checksum of the rows that were written once in each format."""


@pytest.mark.smoke
def test_what_is_packed_is_read_again(tmp_path: Path) -> None:
    made = {f"m{seed}": real("blackpoker", seed) for seed in (3, 1, 2)}
    done = pack(tmp_path / "a.corpus", made.items())
    with open_corpus(tmp_path / "a.corpus") as corpus:
        assert (corpus.game, corpus.ids, len(corpus)) == ("blackpoker", ("m3", "m1", "m2"), 3)
        assert [(match, tuple(corpus.match(match))) for match in corpus.ids] == list(made.items())
        assert tuple(corpus.match("m1")) == made["m1"]
        assert corpus.states("m2") == [codec.encode(one) for one in made["m2"]]
        row = corpus.row("m1")
        assert corpus.info() == done and list(corpus.check()) == []
    opened = made["m1"][0]
    assert isinstance(opened, Opened)
    assert (row.version, row.rules_hash, row.entries) == (opened.version, opened.rules_hash, len(made["m1"]))
    assert done.entries == sum(map(len, made.values())) and done.matches == 3
    assert done.bytes == (tmp_path / "a.corpus").stat().st_size < done.plain_bytes


def test_the_same_matches_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        pack(tmp_path / name, [(one, toy(one)) for one in FIRST])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("form", [2, 3])
def test_a_corpus_of_any_form_is_read_for_ever(form: int) -> None:
    with open_corpus(FROZEN / f"corpus-{form}.corpus") as corpus:
        assert (corpus.info().format, corpus.game, corpus.ids) == (form, "toy", (*FIRST, *SECOND))
        assert corpus.head().digest.hex().startswith(FROZEN_DIGEST) and list(corpus.check()) == []
        assert [len(corpus.match(match)) for match in corpus.ids] == [6, 6, 6]
    assert all(isinstance(match, CorpusMatch) for match in scan(FROZEN / f"corpus-{form}.corpus"))


def test_fields_nobody_knows_are_kept_as_bytes(tmp_path: Path) -> None:
    states = [codec.encode(one) for one in toy("t1")]
    states[1] = msgspec.msgpack.encode({**codec.content(states[1]), "mood": "calm"})
    pack(tmp_path / "a.corpus", [("t1", states)])
    with open_corpus(tmp_path / "a.corpus") as corpus:
        assert corpus.states("t1") == states
        assert tuple(corpus.match("t1")) == tuple(codec.decode(one) for one in states)


def test_a_corpus_is_the_same_in_however_many_saves_it_was_made(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    pack(tmp_path / "once.corpus", [(one, toy(one)) for one in (*FIRST, *SECOND)])
    assert path.read_bytes() == (tmp_path / "once.corpus").read_bytes()
    with open_corpus(path) as corpus:
        assert corpus.ids == (*FIRST, *SECOND)
        assert all(tuple(corpus.match(one)) == toy(one) for one in corpus.ids)


def test_what_is_appended_to_keeps_its_rights_and_its_links(tmp_path: Path) -> None:
    path, link = save_twice(tmp_path), tmp_path / "link"
    path.chmod(0o640)
    link.symlink_to(path)
    append(link, [("t9", toy("t9"))])
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    with open_corpus(path) as corpus:
        assert corpus.ids == (*FIRST, *SECOND, "t9")


def test_each_match_is_read_by_itself_too(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    with open_corpus(path) as corpus:
        rows = corpus.rows
    found = list(scan(path))
    assert [one.row for one in found if isinstance(one, CorpusMatch)] == list(rows) and len(found) == len(rows)
    assert all(isinstance(one, CorpusMatch) and one.entries == toy(one.row.match) for one in found)
    assert all(isinstance(one, CorpusMatch) and one.states == [codec.encode(e) for e in one.entries] for one in found)


def test_any_program_that_knows_sqlite_can_look_into_it(tmp_path: Path) -> None:
    with closing(sqlite3.connect(save_twice(tmp_path))) as db:
        rows = db.execute("SELECT id, game, version, entries, size, data FROM matches ORDER BY n").fetchall()
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
    assert [row[:4] for row in rows] == [(one, "toy", "1", len(toy(one))) for one in (*FIRST, *SECOND)]
    assert all(len(zlib.decompress(data)) == size for *_, size, data in rows)


def test_a_sample_depends_on_its_seed_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    pack(path, [(f"t{number}", toy("t1")) for number in range(40)])
    with open_corpus(path) as corpus:
        drawn = corpus.sample(8, 1)
        assert drawn == corpus.sample(8, 1) and drawn != corpus.sample(8, 2)
        assert len(set(drawn)) == 8 and list(drawn) == sorted(drawn, key=corpus.ids.index)
        assert set(corpus.sample(4, 1)) <= set(drawn), "a smaller sample is a part of a larger one"
        assert corpus.sample(40, 3) == corpus.sample(99, 3) == corpus.ids
        assert {one for seed in range(60) for one in corpus.sample(5, seed)} == set(corpus.ids)


def test_a_save_that_goes_wrong_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    before = path.read_bytes()

    def breaking() -> Iterator[tuple[str, tuple[Entry, ...]]]:
        yield "t7", toy("t7")
        raise KeyboardInterrupt

    for matches in (
        breaking(),
        [("t8", toy("t8")), ("t1", toy("t1"))],
        [("t9", toy("t9")), ("b", real("blackpoker", 1))],
    ):
        with pytest.raises((KeyboardInterrupt, CorpusError)):
            append(path, matches)
        assert path.read_bytes() == before
    with pytest.raises(KeyboardInterrupt):
        pack(tmp_path / "new.corpus", breaking())
    assert [one.name for one in tmp_path.iterdir()] == [path.name], "nothing half-written stays"


def no_second_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_permission_error(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", raise_permission_error)


@pytest.mark.parametrize("disk", [None, no_second_names])
def test_of_several_programs_that_write_one_new_file_one_is_kept_and_the_others_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: Callable[[pytest.MonkeyPatch], None] | None
) -> None:
    path, other = tmp_path / "new.corpus", tmp_path / "other.corpus"
    if disk is not None:
        disk(monkeypatch)
    pack(other, [("t1", toy("t1"))])

    def slow() -> Iterator[tuple[str, tuple[Entry, ...]]]:
        yield "t2", toy("t2")
        other.replace(path)

    with pytest.raises(CorpusError) as caught:
        pack(path, slow())
    assert caught.value.text.key == "corpus.exists"
    with open_corpus(path) as corpus:
        assert corpus.ids == ("t1",)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


KILLED = """
import sys
from archive.corpus.writer import pack
from tests.corpus.small_files import toy


def matches():
    yield "t1", toy("t1")
    print("begun", flush=True)
    sys.stdin.read()


pack(sys.argv[1], matches())
"""


@pytest.mark.process
def test_a_program_killed_while_it_packs_leaves_nothing_behind(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path / "new.corpus"],
        cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None and running.stdout.readline() == b"begun\n"
        running.kill()
    assert list(tmp_path.iterdir()) == []


BOUNDED = """
import resource, sys
from archive.corpus.reader import open_corpus, scan
from archive.corpus.writer import pack
from tests.corpus.small_files import toy

entries = toy("t1", 60)
pack(sys.argv[1], ((f"m{n}", entries) for n in range(400)))
begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
pack(sys.argv[2], ((f"m{n}", entries) for n in range(10_000)))
with open_corpus(sys.argv[2]) as corpus:
    assert sum(len(corpus.match(match)) for match in corpus.ids) == 10_000 * len(entries)
assert sum(1 for _ in scan(sys.argv[2])) == 10_000
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begun) // 1024, corpus.info().plain_bytes // 1024**2)
"""


@pytest.mark.nightly
@pytest.mark.process
def test_memory_does_not_grow_with_the_matches(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", BOUNDED, str(tmp_path / "a.corpus"), str(tmp_path / "b.corpus")]
    root = Path(__file__).parents[2]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=root, timeout=PATIENCE)
    grown, plain = map(int, done.stdout.split())
    assert plain >= 20, "there is enough in it for the measure to say something"
    assert grown < plain / 2, f"{grown} MiB more for {plain} MiB of matches"


def test_info_reads_no_match(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    data = bytearray(path.read_bytes())
    data[place_of(path, "t1")[40]] ^= 1
    path.write_bytes(data)
    assert info(path).matches == 3
    with open_corpus(path) as corpus:
        assert [(one.match, one.at) for one in corpus.check()] == [("t1", corpus.row("t1").n)]
        assert tuple(corpus.match("t2")) == toy("t2"), "one bad match keeps no other from being read"
