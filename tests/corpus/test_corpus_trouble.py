"""Corpora that something happened to: cut off anywhere, any byte turned over, mixed, newer, or no corpora at all."""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from corpus import form
from corpus.reading import Broken, Whole, open_corpus, scan
from corpus.troubles import CorpusError
from corpus.writing import append, pack
from domain.law.entries import Entry, Opened
from domain.words import LANGS
from tests.corpus.small_files import FIRST, SECOND, real, saved, toy


def everything(path: Path) -> dict[str, tuple[Entry, ...]]:
    with open_corpus(path) as corpus:
        return {match: tuple(entries) for match, entries in corpus}


def complaint(work: Callable[[], object]) -> CorpusError:
    with pytest.raises(CorpusError) as caught:
        work()
    assert all(caught.value.text.say(lang) for lang in LANGS)
    return caught.value


def test_cut_off_at_any_byte_the_last_save_that_came_to_its_end_counts(tmp_path: Path) -> None:
    path, first = saved(tmp_path)
    data, cut = path.read_bytes(), tmp_path / "cut.corpus"
    before = {one: toy(one) for one in FIRST}
    with open_corpus(path) as corpus:
        ends = {row.match: row.offset + row.length for row in corpus.rows}
    cut.write_bytes(data)
    for length in reversed(range(len(data))):
        os.truncate(cut, length)
        if length < first:
            error = complaint(lambda: open_corpus(cut))
            assert error.trouble == "cut" and error.at in (0, length), (length, error)
            assert (str(cut) in error.text) and ("empty" in error.text or str(length) in error.text)
        else:
            with open_corpus(cut) as corpus:
                assert (corpus.ids, corpus.ends, corpus.torn) == (FIRST, first, length - first)
                if length % 50 == 0:
                    assert {match: tuple(entries) for match, entries in corpus} == before
        if length >= ends["t1"]:
            found = list(scan(cut)) if length % 10 == 0 else []
            whole = [one.row.match for one in found if isinstance(one, Whole)]
            assert not found or whole == [match for match, end in ends.items() if end <= length]
            assert not found or (isinstance(found[-1], Broken) == (length != first))


def test_nothing_is_appended_to_a_file_with_an_unfinished_save(tmp_path: Path) -> None:
    path, first = saved(tmp_path)
    for length in (first + 1, first + 60, path.stat().st_size - 1):
        cut = tmp_path / "cut.corpus"
        cut.write_bytes(path.read_bytes()[:length])
        error = complaint(lambda cut=cut: append(cut, [("t9", toy("t9"))]))  # type: ignore[misc]
        assert (error.trouble, error.at) == ("cut", first) and cut.stat().st_size == length


def turn(path: Path, at: int, mask: int) -> None:
    with path.open("r+b", buffering=0) as file:
        before = os.pread(file.fileno(), 1, at)[0]
        os.pwrite(file.fileno(), bytes((before ^ mask,)), at)


def test_any_byte_turned_over_is_named_or_never_read(tmp_path: Path) -> None:
    path, first = saved(tmp_path)
    data, bad = path.read_bytes(), tmp_path / "bad.corpus"
    whole = everything(path)
    with open_corpus(path) as corpus:
        rows = corpus.rows
    refused = set()
    bad.write_bytes(data)
    for at in range(len(data)):
        mask = (1 << at % 8, 0xFF)[at % 5 == 0]
        turn(bad, at, mask)
        read: dict[str, tuple[Entry, ...]] = {}
        hit = next((row for row in rows if row.offset <= at < row.offset + row.length), None)
        try:
            with open_corpus(bad) as corpus:
                assert corpus.ids == tuple(whole)
                for match in corpus.ids:
                    try:
                        read[match] = tuple(corpus.match(match))
                    except CorpusError as error:
                        assert hit is not None and (error.match, error.at) == (hit.match, hit.offset), (at, error)
                        assert f"match {hit.match}" in error.text or "header" in error.text
                        refused.add(at)
        except CorpusError as error:
            refused.add(at)
            assert error.trouble in ("damaged", "foreign") and error.at <= at, (at, error)
        assert all(whole[match] == entries for match, entries in read.items()), "wrong data is never given out"
        turn(bad, at, mask)
    untouched = set(range(len(data))) - refused
    old = range(rows[1].offset + rows[1].length, first)
    assert untouched == set(old), "only the index of an earlier save is read by nobody"


def test_from_front_to_back_a_byte_turned_over_is_named_too(tmp_path: Path) -> None:
    path, _ = saved(tmp_path)
    data, bad = path.read_bytes(), tmp_path / "bad.corpus"
    with open_corpus(path) as corpus:
        rows = corpus.rows
    for row in rows:
        for at in range(row.offset, row.offset + row.length, 7):
            bad.write_bytes(data[:at] + bytes((data[at] ^ 0x10,)) + data[at + 1 :])
            found = list(scan(bad))
            broken = [one for one in found if isinstance(one, Broken)]
            assert [one.at for one in broken] == [row.offset]
            good = [one for one in found if isinstance(one, Whole)]
            assert all(one.entries == toy(one.row.match) for one in good)
            if at >= row.offset + form.HEADER.size:
                assert len(good) == len(rows) - 1, "what stands behind a damaged match is found"


def test_games_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    error = complaint(lambda: pack(path, [("b", real("blackpoker", 1)), ("t1", toy("t1"))]))
    assert (error.trouble, error.match) == ("mixed", "t1") and "toy" in error.text and not path.exists()
    pack(path, [("b", real("blackpoker", 1))])
    assert complaint(lambda: append(path, [("t1", toy("t1"))])).trouble == "mixed"
    # Another program may have written what ours does not.
    head = form.prelude() + form.section(form.HEAD, msgspec.msgpack.encode(form.Head("toy")))
    for told in ("blackpoker", "toy"):
        opened = real("blackpoker", 1)[0]
        assert isinstance(opened, Opened)
        body = form.match_body("b", real("blackpoker", 1), msgspec.structs.replace(opened, game=told))
        raw = form.section(form.MATCH, msgspec.msgpack.encode(body))
        rows = (form.row_of(body, len(head), len(raw)),)
        path.write_bytes(head + raw + b"".join(form.closing(rows, len(head) + len(raw))))
        error = complaint(lambda: everything(path))
        assert (error.trouble, error.match) == ("mixed", "b"), "in the index, or only in the match itself"
        broken = list(scan(path))
        assert len(broken) == 1 and isinstance(broken[0], Broken) and "mixes games" in broken[0].text


def test_a_match_stands_in_it_once(tmp_path: Path) -> None:
    path = tmp_path / "a.corpus"
    assert complaint(lambda: pack(path, [("t1", toy("t1")), ("t1", toy("t2"))])).trouble == "twice"
    assert not path.exists()
    pack(path, [("t1", toy("t1"))])
    error = complaint(lambda: append(path, [("t1", toy("t1"))]))
    assert (error.trouble, error.match) == ("twice", "t1")
    with open_corpus(path) as corpus:
        rows = corpus.rows
    path.write_bytes(path.read_bytes() + b"".join(form.closing((*rows, *rows), path.stat().st_size)))
    assert complaint(lambda: open_corpus(path)).trouble == "twice"


def test_an_index_that_points_elsewhere_is_refused(tmp_path: Path) -> None:
    path, _ = saved(tmp_path)
    with open_corpus(path) as corpus:
        rows, size = corpus.rows, corpus.size
    other = msgspec.structs.replace(rows[0], offset=rows[1].offset, length=rows[1].length)
    path.write_bytes(path.read_bytes() + b"".join(form.closing((other, *rows[1:]), size)))
    with open_corpus(path) as corpus:
        assert complaint(lambda: corpus.match("t1")).match == "t1", "never the entries of another match"
        assert tuple(corpus.match("t2")) == toy("t2")
    far = msgspec.structs.replace(rows[0], offset=10**9)
    path.write_bytes(path.read_bytes() + b"".join(form.closing((far,), path.stat().st_size)))
    assert complaint(lambda: open_corpus(path)).trouble == "damaged"


def test_more_is_never_unpacked_than_a_match_says(tmp_path: Path) -> None:
    opened = toy("t1")[0]
    assert isinstance(opened, Opened)
    body = form.match_body("t1", toy("t1"), opened)
    for size in (0, body.size - 1):
        assert isinstance(form.plain_of(msgspec.structs.replace(body, size=size)), form.Text)
    assert isinstance(form.plain_of(body), bytes)


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    path, _ = saved(tmp_path)
    path.write_bytes(form.prelude(form.FORMAT + 1) + path.read_bytes()[form.PRELUDE.size :])
    error = complaint(lambda: open_corpus(path))
    assert error.trouble == "newer" and str(form.FORMAT + 1) in error.text and "update" in error.text


OTHERS = {
    "text": b'[Game "toy"]\n1. open\n',
    "store": b"SQLite format 3\0" + bytes(200),
    "zeros": bytes(500),
    "gzip": b"\x1f\x8b\x08" + bytes(60),
    "line ends changed": form.prelude().replace(b"\r\n", b"\n") + bytes(90),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_corpus_is_called_so(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.corpus"
    path.write_bytes(OTHERS[name])
    for work in (lambda: open_corpus(path), lambda: list(scan(path)), lambda: append(path, [("t1", toy("t1"))])):
        assert complaint(work).trouble == "foreign"  # type: ignore[arg-type]
    assert path.read_bytes() == OTHERS[name]


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
    path, _ = saved(tmp_path)
    with path.open("r+b") as other:
        fcntl.flock(other.fileno(), fcntl.LOCK_EX)
        assert complaint(lambda: append(path, [("t9", toy("t9"))])).trouble == "busy"
    assert append(path, [("t9", toy("t9"))]).matches == len(FIRST) + len(SECOND) + 1
