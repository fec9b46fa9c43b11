"""Damaged corpora: truncated anywhere, any byte flipped, mixed, newer, or not corpora at all."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from archive.corpus import corpus_format
from archive.corpus.errors import CorpusError
from archive.corpus.reader import CorpusDamage, CorpusMatch, open_corpus, scan
from archive.corpus.sources import CorpusLocation, Source, UnreadableMatch, load
from archive.corpus.writer import append, pack
from domain.law.entries import Entry, Opened
from domain.words import LANGS
from recorder.store import Store, StoreError
from tests.corpus.small_files import (
    FIRST,
    SECOND,
    UNLISTED,
    change,
    change_file,
    forge,
    pack_row,
    place_of,
    real,
    save_twice,
    toy,
)
from tests.rotation import is_nightly, seed

pytestmark = pytest.mark.random
STRIDE = 1 if is_nightly() else 9
"""A nightly run tries every byte. Other runs try one byte in nine, different ones each day."""


def offsets(data: bytes) -> range:
    return range(seed() % STRIDE, len(data), STRIDE)


def everything(path: Path) -> dict[str, tuple[Entry, ...]]:
    with open_corpus(path) as corpus:
        return {match: tuple(corpus.match(match)) for match in corpus.ids}


def complaint(work: Callable[[], object]) -> CorpusError:
    with pytest.raises(CorpusError) as caught:
        work()
    assert all(caught.value.text.say(lang) for lang in LANGS)
    return caught.value


def test_cut_off_at_any_byte_it_is_called_so_and_what_is_whole_is_still_read(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    data, cut = path.read_bytes(), tmp_path / "cut.corpus"
    cut.write_bytes(data)
    most = len(FIRST + SECOND)
    looked = {2 * corpus_format.PAGE + 2, *range(2 * corpus_format.PAGE, len(data), 50 * STRIDE)}
    for length in sorted({*offsets(data), *looked}, reverse=True):
        os.truncate(cut, length)
        error = complaint(lambda: open_corpus(cut))
        assert error.trouble == "cut" and error.at == length, (length, error)
        assert (str(cut) in error.text) and ("empty" in error.text or f"byte {length} of" in error.text)
        if length in looked:
            *found, last = scan(cut)
            assert isinstance(last, CorpusDamage) and last.at == length and str(length) in last.text
            whole = [one for one in found if isinstance(one, CorpusMatch)]
            assert all(one.entries == toy(one.row.match) for one in whole)
            assert len(whole) <= most and f" {len(whole)} intact" in error.text
            most = len(whole)
    assert most == 0


def test_of_a_large_file_that_is_cut_off_all_that_lies_before_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.corpus"
    pack(path, [(f"m{number}", toy("t1", 60)) for number in range(600)])
    with open_corpus(path) as corpus:
        first = corpus.data(corpus.row("m0"))
    size, begin = path.stat().st_size, path.read_bytes().index(first[-50:])
    for part in (0.9, 0.5, 0.2):
        os.truncate(path, int(path.stat().st_size * part))
        whole = [one.row.n for one in scan(path) if isinstance(one, CorpusMatch)]
        assert whole == list(range(1, len(whole) + 1)), "all from the first on"
    assert len(whole) > 600 * (path.stat().st_size - begin) / (size - begin) - 5 > 0


def test_what_stands_behind_a_corpus_is_told(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    path.write_bytes(path.read_bytes() + b"torn")
    error = complaint(lambda: open_corpus(path))
    assert error.trouble == "cut" and str(path.stat().st_size) in error.text
    assert complaint(lambda: append(path, [("t9", toy("t9"))])).trouble == "cut"
    assert [one.row.match for one in scan(path) if isinstance(one, CorpusMatch)] == [*FIRST, *SECOND]


def turn(path: Path, at: int, mask: int) -> None:
    with path.open("r+b", buffering=0) as file:
        before = os.pread(file.fileno(), 1, at)[0]
        os.pwrite(file.fileno(), bytes((before ^ mask,)), at)


SECOND_TABLE = bytes((2, 7, 0x17))
"""Start of SQLite's row for the second table: its number. Only the order of numbers matters."""


def test_any_byte_turned_over_is_named_or_never_read(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    data, bad = path.read_bytes(), tmp_path / "bad.corpus"
    whole = everything(path)
    numbers = {match: n for n, match in enumerate(whole, start=1)}
    refused: dict[int, str] = {}
    bad.write_bytes(data)
    for at in offsets(data):
        mask = (1 << at % 8, 0xFF)[at % 5 == 0]
        turn(bad, at, mask)
        read: dict[str, tuple[Entry, ...]] = {}
        try:
            with open_corpus(bad) as corpus:
                assert corpus.ids == tuple(whole)
                for match in corpus.ids:
                    try:
                        read[match] = tuple(corpus.match(match))
                    except CorpusError as error:
                        assert (error.match, error.at) == (match, numbers[match]), (at, error)
                        assert f"match {match}" in error.text
                        refused[at] = match
        except CorpusError as error:
            refused[at] = ""
            assert error.trouble in ("damaged", "foreign", "newer", "cut", "mixed", "twice"), (at, error)
        assert all(whole[match] == entries for match, entries in read.items()), "wrong data is never given out"
        turn(bad, at, mask)
    untouched = set(offsets(data)) - set(refused)
    used = {at for at in untouched if data[at] and at >= corpus_format.HEADER.size}
    used.discard(data.index(SECOND_TABLE))
    free = {at % corpus_format.PAGE - (corpus_format.HEADER.size if at < corpus_format.PAGE else 0) for at in used}
    assert free <= {5, 6}, "only what is empty is read by nobody, and where in a page that begins"
    for match in whole:
        spoilt = {refused[at] for at in set(place_of(path, match)).intersection(offsets(data))}
        assert spoilt == {match}, "what is packed spoils one match alone"


def test_one_by_one_a_byte_turned_over_is_named_too(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    data, bad = path.read_bytes(), tmp_path / "bad.corpus"
    matches = (*FIRST, *SECOND)
    places = {match: place_of(path, match) for match in matches}
    for at in offsets(data)[::3]:
        bad.write_bytes(data[:at] + bytes((data[at] ^ 0x10,)) + data[at + 1 :])
        try:
            found = list(scan(bad))
        except CorpusError:
            assert at < corpus_format.PAGE, "the first page is needed"
            continue
        good = [one for one in found if isinstance(one, CorpusMatch)]
        assert all(one.entries == toy(one.row.match) for one in good)
        broken = {one.at for one in found if isinstance(one, CorpusDamage)}
        assert broken | {one.row.n for one in good} >= {1, 2, 3}, "nothing is left out without a word"
        for n, match in enumerate(matches, start=1):
            if at in places[match]:
                assert broken == {n} and len(good) == len(matches) - 1


def test_games_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    error = complaint(lambda: pack(path, [("b", real("blackpoker", 1)), ("t1", toy("t1"))]))
    assert (error.trouble, error.match) == ("mixed", "t1") and "toy" in error.text and not path.exists()
    pack(path, [("b", real("blackpoker", 1))])
    assert complaint(lambda: append(path, [("t1", toy("t1"))])).trouble == "mixed"
    # Another program may write what ours does not.
    for told in ("blackpoker", "toy"):
        opened = real("blackpoker", 1)[0]
        assert isinstance(opened, Opened)
        row = pack_row("b", real("blackpoker", 1), msgspec.structs.replace(opened, game=told))
        forge(path, "toy", [row])
        error = complaint(lambda: everything(path))
        assert (error.trouble, error.match) == ("mixed", "b"), "in the row, or only in the match itself"
        broken = list(scan(path))
        assert len(broken) == 1 and isinstance(broken[0], CorpusDamage) and "mixes games" in broken[0].text


def test_a_match_stands_in_it_once(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    assert complaint(lambda: pack(path, [("t1", toy("t1")), ("t1", toy("t2"))])).trouble == "twice"
    assert not path.exists()
    pack(path, [("t1", toy("t1"))])
    error = complaint(lambda: append(path, [("t1", toy("t1"))]))
    assert (error.trouble, error.match) == ("twice", "t1")
    forge(path, "toy", [pack_row("t1", toy("t1"), toy("t1")[0], n) for n in (1, 2)])
    assert complaint(lambda: open_corpus(path)).trouble == "twice"


def test_a_row_never_gives_out_another_match(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    with open_corpus(path) as corpus:
        first = corpus.row("t1")
    rows = [pack_row(match, toy(match), toy(match)[0], n) for n, match in enumerate(("t1", "t2"), start=1)]
    forge(path, "toy", [[*rows[0][:-1], rows[1][-1]], rows[1]])
    with open_corpus(path) as corpus:
        assert complaint(lambda: corpus.match("t1")).match == "t1"
        assert tuple(corpus.match("t2")) == toy("t2")
    change_file(path, "UPDATE matches SET id = 'x' || id")
    assert complaint(lambda: open_corpus(path)).trouble == "damaged"
    assert all(isinstance(one, CorpusDamage) for one in scan(path))
    again = [pack_row(match, toy(match), toy(match)[0], n) for n, match in enumerate(("t2", "t1"), start=1)]
    forge(path, "toy", again)
    with open_corpus(path) as corpus:
        assert tuple(corpus.match("t1")) == toy("t1")
    assert isinstance(load(Source("t1", "toy", CorpusLocation(str(path), first), "t1")), UnreadableMatch), (
        "it lay elsewhere when listed"
    )


def test_more_is_never_unpacked_than_a_match_says(tmp_path: Path) -> None:
    opened = toy("t1")[0]
    assert isinstance(opened, Opened)
    row, data = corpus_format.pack(1, "t1", toy("t1"), opened)
    for size in (0, row.size - 1):
        assert isinstance(corpus_format.plain_of(msgspec.structs.replace(row, size=size), data), corpus_format.Text)
    assert isinstance(corpus_format.plain_of(row, data), bytes)


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    path = change_file(save_twice(tmp_path), f"PRAGMA user_version={corpus_format.FORMAT + 1}")
    error = complaint(lambda: open_corpus(path))
    assert error.trouble == "newer" and str(corpus_format.FORMAT + 1) in error.text and "update" in error.text


OTHERS = {
    "text": b'[Game "toy"]\n1. open\n',
    "store": b"SQLite format 3\0" + bytes(200),
    "zeros": bytes(500),
    "gzip": b"\x1f\x8b\x08" + bytes(60),
    "the form before": b"\x89SPC\r\n\x1a\n" + bytes(90),
}


def test_what_is_no_corpus_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    for name, data in OTHERS.items():
        path.write_bytes(data)
        for work in (lambda: open_corpus(path), lambda: list(scan(path)), lambda: append(path, [("t1", toy("t1"))])):
            assert complaint(work).trouble == "foreign", name  # type: ignore[arg-type]
        assert path.read_bytes() == data


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.corpus").touch()
    assert complaint(lambda: open_corpus(tmp_path / "empty.corpus")).trouble == "cut"
    for path in (tmp_path / "none.corpus", tmp_path, tmp_path / "empty.corpus" / "x"):
        error = complaint(lambda path=path: open_corpus(path))  # type: ignore[misc]
        assert error.trouble == "path" and str(path) in error.text
    for path in (tmp_path / "no" / "a.corpus", tmp_path / "empty.corpus" / "x", tmp_path, tmp_path / ("x" * 300)):
        error = complaint(lambda path=path: pack(path, [("t1", toy("t1"))]))  # type: ignore[misc]
        assert error.trouble == "path"
    assert [one.name for one in tmp_path.iterdir()] == ["empty.corpus"]
    assert complaint(lambda: append(tmp_path / "none.corpus", [("t1", toy("t1"))])).trouble == "path"


def test_what_is_no_match_is_not_packed(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    for match, entries in (("t1", ()), ("t1", toy("t1")[1:]), ("../t1", toy("t1")), ("t1", [b"\xc1"])):
        error = complaint(lambda match=match, entries=entries: pack(path, [(match, entries)]))  # type: ignore[misc]
        assert error.trouble == "match" and not path.exists()
    assert complaint(lambda: pack(path, [])).trouble == "missing" and not path.exists()
    pack(path, [("t1", toy("t1"))])
    before = path.read_bytes()
    assert complaint(lambda: append(path, [])).trouble == "missing" and path.read_bytes() == before
    with open_corpus(path) as corpus:
        assert complaint(lambda: corpus.match("t2")).trouble == "missing"


def test_two_programs_do_not_append_at_once(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = save_twice(tmp_path)
    with path.open("r+b") as other:
        fcntl.flock(other.fileno(), fcntl.LOCK_EX)
        assert complaint(lambda: append(path, [("t9", toy("t9"))])).trouble == "busy"
    assert append(path, [("t9", toy("t9"))]).matches == len(FIRST) + len(SECOND) + 1


# -- made by somebody else on purpose ---------------------------------------------------------------------------------

TABLES = tuple(corpus_format.UNLISTED)
SCHEMAS: dict[str, tuple[str, ...]] = {
    "a trigger": (*TABLES, "CREATE TRIGGER t AFTER INSERT ON matches BEGIN SELECT randomblob(9); END"),
    "a view beside": (*TABLES, "CREATE VIEW v AS SELECT * FROM matches"),
    "a table beside": (*TABLES, "CREATE TABLE more (x)"),
    "an index": (*TABLES, "CREATE INDEX i ON matches (abs(size))"),
    "another column": (TABLES[0], TABLES[1].replace("crc INTEGER", "more TEXT DEFAULT (hex(9)), crc INTEGER")),
    "other types": (TABLES[0], TABLES[1].replace("id TEXT", "id ANY")),
    "one table": TABLES[:1],
    "the other order": TABLES[::-1],
}


def test_a_schema_that_is_not_ours_to_the_letter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    for name, tables in SCHEMAS.items():
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as db:
            change(db, f"PRAGMA application_id={corpus_format.APPLICATION}", f"PRAGMA user_version={UNLISTED}", *tables)
        before = path.read_bytes()
        for work in (lambda: open_corpus(path), lambda: list(scan(path)), lambda: append(path, [("t1", toy("t1"))])):
            error = complaint(work)  # type: ignore[arg-type]
            assert error.trouble == "damaged" and "tables of a corpus" in error.text, name
        assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_view_in_the_place_of_a_table_is_never_asked(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    view = "CREATE VIEW matches AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT n FROM r"
    change_file(path, f"UPDATE sqlite_master SET type = 'view', rootpage = 0, sql = '{view}' WHERE name = 'matches'")
    for work in (lambda: open_corpus(path), lambda: list(scan(path))):
        assert complaint(work).trouble == "damaged"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("id", b"t1"), ("id", None), ("id", "../t1"), ("id", "x" * 5000), ("game", 7), ("version", b"1")),
        *(("rules_hash", None), ("digest", "short"), ("entries", "6"), ("entries", -1), ("entries", 6.5)),
        *(("size", "many"), ("crc", None), ("n", 5)),
    ],
)
def test_a_value_of_another_kind_is_refused_and_named(tmp_path: Path, column: str, value: object) -> None:
    path, row = tmp_path / "a.corpus", pack_row("t1", toy("t1"), toy("t1")[0])
    columns = ["n", "id", "game", "version", "rules_hash", "digest", "entries", "size", "crc", "data"]
    row[columns.index(column)] = value
    forge(path, "toy", [row])
    assert complaint(lambda: open_corpus(path)).trouble == "damaged"
    assert all(isinstance(one, CorpusDamage) for one in scan(path) if column != "n")


@pytest.mark.parametrize("data", ["text", 7, None, b"", b"\x78\x9c"])
def test_data_of_another_kind_is_refused_and_named(tmp_path: Path, data: object) -> None:
    rows = [pack_row(match, toy(match), toy(match)[0], n) for n, match in enumerate(("t1", "t2", "t3"), start=1)]
    rows[1][-1] = data
    path = forge(tmp_path / "a.corpus", "toy", rows)
    error = complaint(lambda: everything(path))
    assert "row 2" in error.text or "list of matches" in error.text
    assert [one.row.match for one in scan(path) if isinstance(one, CorpusMatch)] == ["t1", "t3"]


def test_the_list_and_the_rows_are_held_against_each_other(tmp_path: Path) -> None:
    path = change_file(save_twice(tmp_path / "a"), "UPDATE listed SET id = 'x' || id WHERE n = 2")
    assert "list of matches" in complaint(lambda: open_corpus(path)).text
    assert all(isinstance(match, CorpusMatch) for match in scan(path)), "the rows themselves are whole"
    path = change_file(save_twice(tmp_path / "b"), "UPDATE matches SET id = 'x' || id WHERE n = 2")
    with open_corpus(path) as corpus:
        assert [error.match for error in corpus.check()] == ["t2"]
        assert corpus.match("t1")
    assert [isinstance(match, CorpusMatch) for match in scan(path)] == [True, False, True]


@pytest.mark.parametrize(
    ("sql", "lacking"),
    [
        ("DELETE FROM matches WHERE n = 3", ["t3"]),
        ("DELETE FROM matches WHERE n = 2", ["t2"]),
        ("UPDATE matches SET n = n + 5", ["t1", "t2", "t3"]),
    ],
)
def test_a_match_that_is_listed_and_not_there_is_named(tmp_path: Path, sql: str, lacking: list[str]) -> None:
    with open_corpus(change_file(save_twice(tmp_path), sql)) as corpus:
        assert [(error.trouble, error.match) for error in corpus.check()] == [("damaged", name) for name in lacking]
        for match in lacking:
            assert complaint(lambda match=match: corpus.match(match)).match == match  # type: ignore[misc]


def test_the_head_must_say_what_the_rows_say(tmp_path: Path) -> None:
    for number, sql in enumerate(
        (
            "UPDATE corpus SET matches = 2",
            f"UPDATE corpus SET matches = {2**62}",
            "UPDATE corpus SET digest = zeroblob(32)",
            "DELETE FROM corpus",
            "INSERT INTO corpus SELECT * FROM corpus",
            "DELETE FROM listed WHERE n = 3",
            "DELETE FROM listed WHERE n = 2",
            "UPDATE listed SET n = n + 5",
        )
    ):
        path = change_file(save_twice(tmp_path / str(number)), sql)
        assert complaint(lambda path=path: open_corpus(path)).trouble == "damaged", sql  # type: ignore[misc]
        assert len(list(scan(path))) < 1000, "and it comes to an end"


def test_a_match_that_says_it_is_longer_than_the_file_is_not_read(tmp_path: Path) -> None:
    """The last page points back to an earlier page, in a loop."""
    path = tmp_path / "a.corpus"
    row = pack_row("t1", toy("t1"), toy("t1")[0])
    row[-1] = bytes(3 * 1024**2)
    forge(path, "toy", [row])
    data = bytearray(path.read_bytes()[: 20 * 1024])
    data[28:32] = (20).to_bytes(4, "big")
    data[19 * 1024 : 19 * 1024 + 4] = (10).to_bytes(4, "big")
    path.write_bytes(data)
    error = complaint(lambda: everything(path))
    assert error.trouble == "damaged" and "too big" in error.text
    assert [one.at for one in scan(path) if isinstance(one, CorpusDamage)] == [1]


def test_reading_writes_nothing_and_believes_no_journal(tmp_path: Path) -> None:
    path = save_twice(tmp_path)
    for ending in ("-journal", "-wal"):
        path.with_name(path.name + ending).write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(600))
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert list(everything(path)) == [*FIRST, *SECOND] and len(list(scan(path))) == 3
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_a_store_is_no_corpus_and_a_corpus_no_store(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store.open(path) as store:
        store.append("m", 0, real("blackpoker", 1))
    assert complaint(lambda: open_corpus(path)).trouble == "foreign"
    corpus = save_twice(tmp_path)
    before = corpus.read_bytes()
    for read_only in (True, False):
        with pytest.raises(StoreError) as caught:
            Store.open(corpus, read_only=read_only)
        assert caught.value.trouble == "foreign" and corpus.read_bytes() == before


def test_any_name_and_any_size_of_page_is_read(tmp_path: Path) -> None:
    path = save_twice(tmp_path).rename(tmp_path / "a?b=c#d%20 é日.corpus")
    assert list(everything(path)) == [*FIRST, *SECOND]
    for size in (512, 65536):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(f"PRAGMA page_size={size}")
            db.execute("VACUUM")
        assert list(everything(path)) == [*FIRST, *SECOND] and len(list(scan(path))) == 3
