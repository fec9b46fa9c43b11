"""Small corpora for tests: short matches, so that a test can try every byte, and forged corpora."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from archive.corpus import corpus_format
from archive.corpus.writer import append, pack
from domain.games import GAMES
from domain.law.entries import Entry, Opened
from domain.law.law import Law
from recorder.simulate import simulate
from tests.toy import TOY

UNLISTED = corpus_format.FORMAT - 1
"""The format before rows were listed separately. Forged corpora use it because no other part must agree with a row."""
FIRST, SECOND = ("t1", "t2"), ("t3",)


@cache
def toy(match: str, entries: int = 6) -> tuple[Entry, ...]:
    return tuple(simulate(Law(TOY, TOY.versions["1"]), int(match[1:]), match=match)[:entries])


@cache
def real(key: str, seed: int) -> tuple[Entry, ...]:
    game = GAMES[key]
    return tuple(simulate(Law(game, game.latest), seed))


def save_twice(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "toy.corpus"
    pack(path, [(one, toy(one)) for one in FIRST])
    append(path, [(one, toy(one)) for one in SECOND])
    return path


def pack_row(match: str, entries: Sequence[Entry] | Sequence[bytes], opened: Entry, n: int = 1) -> list[Any]:
    """Return a row of `matches` as the program would write it, ready to be altered."""
    assert isinstance(opened, Opened)
    row, data = corpus_format.pack(n, match, entries, opened)
    return [*msgspec.structs.astuple(row)[:-1], data]


def forge(path: Path, game: str, rows: Sequence[Sequence[Any]]) -> Path:
    """Write a corpus with correct checksums and arbitrary values, without the program's own checks."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in ("page_size=1024", f"application_id={corpus_format.APPLICATION}", f"user_version={UNLISTED}"):
            db.execute(f"PRAGMA {pragma}")
        for sql in corpus_format.UNLISTED:
            db.execute(re.sub(r" (TEXT|INTEGER|BLOB) NOT NULL|STRICT", "", sql))
        told = sha256()
        for row in rows:
            (length,) = db.execute("SELECT length(?)", (row[-1],)).fetchone()
            told.update(msgspec.msgpack.encode((*row[:-1], length)))
            db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", row)
        db.execute("INSERT INTO corpus VALUES (?, ?, ?)", (game, len(rows), told.digest()))
        renamed = "UPDATE sqlite_master SET sql = '{}' WHERE name = '{}'"
        change(db, *(renamed.format(sql, sql.split()[2]) for sql in corpus_format.UNLISTED))
    return path


def change(db: sqlite3.Connection, *statements: str) -> None:
    """Alter a corpus, including its schema, in ways the program never would."""
    db.execute("PRAGMA writable_schema=ON")
    for sql in statements:
        db.execute(sql)


def change_file(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        change(db, *statements)
    return path


def place_of(path: Path, match: str) -> range:
    """Return the byte range of part of a match's packed data in the file, on the last page."""
    with closing(sqlite3.connect(path)) as db:
        (data,) = db.execute("SELECT data FROM matches WHERE id = ?", (match,)).fetchone()
    part = data[-min(400, len(data) // 2) :]
    whole = path.read_bytes()
    assert whole.count(part) == 1
    at = whole.index(part)
    return range(at, at + len(part))
