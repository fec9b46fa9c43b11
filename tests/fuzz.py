"""Fuzz files, stores and arguments: `python -m tests.fuzz`. Every command must end with exit code 0, 1 or 2.

An input is determined by its number, so `--only N` repeats a failure and `--keep DIR` keeps its files. An input that
takes more than SECONDS or more memory than MEMORY also fails.
"""

import json
import resource
import shutil
import signal
import sqlite3
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct

from tests.cli.runs import DISPUTED, Ran, fine, inside

ROOT = Path(__file__).parents[1]
INPUTS, SECONDS, MEMORY = 40_000, 30, 6 * 1024**3
CODES = (0, 1, 2)
BATCH = 100
MATCH = "table-17"

NUMBERS = (0, -1, 1, 2, 255, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63), 10**30, 10**5_000, 0.5, 1e308)
PLAIN = """p1 p9 chance judge S4 u1 #1 r1 p1.hand p1.hand:1,1 stage - * ? {n} %s ../../x 1e999 NaN BP-1.1 GR-1.1 ² ٣
a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r [[[[[[ ''' \\ ( ) "" """
TEXTS = (
    *PLAIN.split(),
    *("", " ", "\n", "\u2028", "\u202e", "\x00", "\x1b[2J", "\ud800", "\ufeff", "x" * 5_000, "あ" * 300, "9" * 5_000),
)
LIKELY = """p1 p2 chance judge p1.hand p2.life p1.soldiers p2.fog stage H8 S4 pass attack move show push pop clock mark
played opened corrected rewound noted closed stack running asked play end main attack choose_grave_top"""
"""Words that occur in records, inserted where they do not belong."""
VALUES: tuple[Any, ...] = (*NUMBERS, *TEXTS, None, True, [], {}, [[]], {"": ""}, [None] * 50, [1] * 3_000)


class Case(Struct):
    number: int
    arguments: list[str]


class Failure(Struct, frozen=True):
    number: int
    what: str


def bytes_made_wrong(data: bytes, chance: Random) -> bytes:
    """Return data with bytes changed, removed, doubled or inserted, lines swapped, or the end cut off."""
    held = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 40))):
        at = chance.randrange(len(held) + 1)
        to = min(len(held), at + chance.choice((1, 2, 8, 80, 2_000)))
        match chance.randrange(7):
            case 0 if held:
                held[at % len(held)] ^= 1 << chance.randrange(8)
            case 1:
                del held[at:to]
            case 2:
                held[at:at] = held[at:to] * chance.choice((1, 3, 100))
            case 3:
                held[at:at] = _encode(chance.choice(TEXTS))
            case 4:
                held[at:to] = _encode(str(chance.choice(NUMBERS[:12])))
            case 5:
                lines = bytes(held).split(b"\n")
                one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                held = bytearray(b"\n".join(lines))
            case _:
                del held[at if chance.random() < 0.2 else to :]
    return bytes(held)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def value_made_wrong(value: Any, chance: Random) -> Any:
    """Return a value with one nested value replaced, removed, doubled or moved to another key."""
    if isinstance(value, int | str) and chance.random() < 0.5:
        return chance.randrange(80) if isinstance(value, int) else chance.choice(LIKELY.split())
    if chance.random() < 0.04 or not isinstance(value, dict | list) or not value:
        return chance.choice(VALUES)
    if isinstance(value, dict):
        key = chance.choice(list(value))
        match chance.randrange(16):
            case 0:
                return {name: one for name, one in value.items() if name != key}
            case 1:
                return value | {chance.choice(TEXTS): value[key]}
            case _:
                return value | {key: value_made_wrong(value[key], chance)}
    at = chance.randrange(len(value))
    match chance.randrange(16):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return value[:at] + [value[at]] * chance.choice((2, 2, 300)) + value[at + 1 :]
        case _:
            return [*value[:at], value_made_wrong(value[at], chance), *value[at + 1 :]]


def lines_made_wrong(data: bytes, chance: Random) -> bytes:
    lines = _in_json(data).splitlines()
    at = chance.randrange(len(lines))
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        lines[at] = json.dumps(value_made_wrong(json.loads(lines[at]), chance))
    finally:
        sys.set_int_max_str_digits(limit)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def store_made_wrong(path: Path, chance: Random) -> None:
    with sqlite3.connect(path) as store:
        column = chance.choice(
            ("state", "state", "state", "state", "topic", "originator_version", "match", "command", "seed")
        )
        table = {"match": "matches", "command": "commands", "seed": "secrets"}.get(column, "stored_events")
        rows = (
            [row[0] for row in store.execute(f"SELECT rowid FROM {table}")]
            if table in ("stored_events", "matches")
            else []
        )
        where, row = ("rowid=?", (chance.choice(rows),)) if rows else ("1", ())
        if chance.random() < 0.1:
            store.execute(f"DELETE FROM {table} WHERE {where}", row)
            return
        value: Any = chance.choice((None, 0, -1, 2**62, "", "x", b"", b"\xff\xfe", b"\x80", 0.5))
        if column == "state" and chance.random() < 0.8:
            held = store.execute(f"SELECT state FROM {table} WHERE {where}", row).fetchone()[0]
            try:
                value = msgspec.msgpack.encode(value_made_wrong(msgspec.msgpack.decode(held), chance))
            except (OverflowError, msgspec.MsgspecError, UnicodeError):
                value = bytes_made_wrong(held, chance)
        try:
            store.execute(f"UPDATE {table} SET {column}=? WHERE {where}", (value, *row))
        except sqlite3.Error:
            return
    store.close()


Ask = Callable[[Path, Random], list[str]]


def _file(name: str, source: str, made_wrong: Callable[[bytes, Random], bytes], *asked: tuple[str, ...]) -> Ask:
    """Return a case that runs a command on a corrupted fixture; `FILE` stands for its path."""

    def ask(folder: Path, chance: Random) -> list[str]:
        path = folder / name
        path.write_bytes(made_wrong(chance.choice(_sources(source)), chance))
        return [str(path) if part == "FILE" else part for part in chance.choice(asked)]

    return ask


RECORDS = (
    ("import", "FILE"),
    ("audit", "FILE", "--as", "judge"),
    ("rejudge", "FILE", "--set", "hand.limit=5"),
    ("compare", "blackpoker", "FILE", "--reading", "throwing.damage_suit=club,spade"),
    ("coverage", "blackpoker", "--corpus", "FILE"),
    ("regress", "FILE", "--set", "hand.limit=5", "--jobs", "1"),
)
STORED = """
show table-17|show table-17 --as judge --at 20|log table-17|log table-17 --as judge --flow|stack table-17
audit table-17|why table-17 30|why-not table-17 p1:~attack|knows table-17|when table-17 u56
diff table-17 10 30|export table-17|export table-17 --as judge|export table-17 --as judge --format jsonl
matches|rejudge table-17 --set hand.limit=5|rewind table-17 --to 20 --reason r|note table-17 n
close table-17 --reason r|branch table-17 --at 20|do table-17 p1:~pass|do table-17 chance:~auto
correct table-17 -~mark~table~attacks~1 --reason r|regress STORE --set hand.limit=5 --jobs 1
coverage blackpoker --corpus STORE|compare blackpoker STORE --reading throwing.damage_suit=club,spade
corpus pack OUT.corpus STORE
"""
"""Commands on a store, separated by bars and line ends; a tilde stands for a space."""
WORDS = (
    ("new", "blackpoker@8.1-lite", "--set", "ARG"),
    ("new", "ARG"),
    ("new", "blackpoker@8.1-lite", "--p1", "ARG", "--match", "ARG"),
    ("new", "blackpoker@8.1-lite", "--seed", "ARG"),
    ("new", "grimoire@1", "--deck", "p1=ARG"),
    ("do", MATCH, "ARG"),
    ("do", MATCH, "p1: ARG", "--as-played"),
    ("do", MATCH, "ARG", "--as", "ARG", "--command-id", "ARG"),
    ("note", MATCH, "ARG", "--by", "ARG"),
    ("correct", MATCH, "ARG", "--reason", "ARG"),
    ("rewind", MATCH, "--to", "ARG", "--reason", "ARG"),
    ("branch", MATCH, "--at", "ARG", "--match", "ARG"),
    ("show", "ARG", "--at", "ARG", "--as", "ARG"),
    ("diff", MATCH, "ARG", "ARG"),
    ("when", MATCH, "ARG"),
    ("knows", MATCH, "--at", "ARG", "--diff", "ARG"),
    ("why", MATCH, "ARG"),
    ("why-not", MATCH, "ARG", "--at", "ARG"),
    ("audit", MATCH, "--reading", "ARG"),
    ("rejudge", MATCH, "--rules", "ARG"),
    ("rulebook", "ARG", "ARG"),
    ("rulebook", "grimoire", "ARG"),
    ("compare", "blackpoker", "ARG", "--reading", "ARG"),
    ("coverage", "ARG", "--corpus", "ARG"),
    ("case", "run", "ARG"),
    ("corpus", "info", "ARG"),
    ("perft", "blackpoker@8.1-lite", "--depth", "ARG"),
    ("ARG", "ARG"),
)
SPOKEN = """blackpoker@8.1-lite|hand.limit=5|throwing.damage_suit=club|BP-7.15|designate_attackers S4
p1: attack|p1: pass|p1: up H8 S2 D3|- turn u57 up|- move u57 p2.grave up|- mark p1 attacks 1|- clock turn=3"""


def _store(folder: Path, chance: Random) -> list[str]:
    store_made_wrong(folder / "s.sqlite", chance)
    asked = chance.choice(STORED.strip().replace("\n", "|").split("|")).split()
    return [str(folder / "s.sqlite") if part == "STORE" else part.replace("~", " ") for part in asked]


def _arguments(folder: Path, chance: Random) -> list[str]:
    def argument() -> str:
        if chance.random() < 0.5:
            return (
                bytes_made_wrong(chance.choice(SPOKEN.replace("\n", "|").split("|")).encode(), chance)
                .decode("utf-8", "replace")
                .replace("\0", "")
            )
        return str(chance.choice((*TEXTS, *map(str, range(60)))))

    return [part.replace("ARG", argument()) for part in chance.choice(WORDS)]


ASKS: tuple[Ask, ...] = (
    _file("m.spn", "fixtures/*/matches/*.spn", bytes_made_wrong, *RECORDS),
    _file("m.jsonl", "fixtures/*/matches/disputed.spn", lines_made_wrong, *RECORDS),
    _file("m.jsonl", "fixtures/*/matches/disputed.spn", lines_made_wrong, *RECORDS),
    _file("c.cases.toml", "fixtures/*/cases/*.cases.toml", bytes_made_wrong, ("case", "run", "FILE")),
    _file("d.toml", "fixtures/*/decks/*.toml", bytes_made_wrong, ("new", "grimoire@1", "--deck", "p1=FILE")),
    _file("r.toml", "fixtures/*/rules/*.toml", bytes_made_wrong, ("rejudge", MATCH, "--rules", "FILE")),
    _file(
        "m.corpus",
        "fixtures/*/corpus/*.corpus",
        bytes_made_wrong,
        ("corpus", "info", "FILE"),
        ("corpus", "unpack", "FILE", "--out", "OUT", "--rescue"),
        ("regress", "FILE", "--set", "hand.limit=5", "--jobs", "1"),
    ),
    _store,
    _store,
    _store,
    _arguments,
    _arguments,
)


@cache
def _sources(pattern: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(ROOT.glob(pattern)))


@cache
def _in_json(notation: bytes) -> str:
    with TemporaryDirectory() as folder:
        file, store = Path(folder) / "m.spn", Path(folder) / "s.sqlite"
        file.write_bytes(notation)
        match = fine(store, "import", file).out.strip()
        return fine(store, "export", match, "--as", "judge", "--format", "jsonl").out


@cache
def _master() -> bytes:
    with TemporaryDirectory() as folder:
        store = Path(folder) / "s.sqlite"
        fine(store, "import", DISPUTED)
        with sqlite3.connect(store) as opened:
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return store.read_bytes()


def run_input(number: int, keep: Path | None = None) -> Failure | None:
    chance = Random(number)
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "s.sqlite").write_bytes(_master())
        arguments = chance.choice(ASKS)(folder, chance)
        arguments = [part.replace("OUT", str(folder / "out")) for part in arguments]
        if keep is not None:
            shutil.copytree(folder, keep / str(number), dirs_exist_ok=True)
        what = _describe_failure(folder / "s.sqlite", arguments)
    return None if what is None else Failure(number, f"{_short(arguments)}: {what}")


def _describe_failure(store: Path, arguments: list[str]) -> str | None:
    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        ran = inside(store, *arguments)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return _odd(ran)


def _odd(ran: Ran) -> str | None:
    if ran.code not in CODES:
        return f"exit {ran.code}: {ran.err[-300:]}"
    if ran.code == CODES[-1] and not ran.err:
        return "exit 2 without a word"
    longest = max(map(len, ran.err.splitlines()), default=0)
    return f"a message of {longest} characters" if longest > 2_000 else None


def _short(arguments: list[str]) -> str:
    return " ".join(part if len(part) < 60 else f"{part[:60]}..." for part in arguments)


def _batch(numbers: list[int]) -> list[Failure]:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return [failure for number in numbers if (failure := run_input(number)) is not None]


def _batches(first: int, count: int) -> Iterator[list[int]]:
    for begin in range(first, first + count, BATCH):
        yield list(range(begin, min(begin + BATCH, first + count)))


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    if asked.only is not None:
        failures = list(filter(None, [run_input(asked.only, asked.keep)]))
    else:
        failures, done = [], 0
        with ProcessPoolExecutor(asked.jobs) as pool:
            for found in pool.map(partial(_batch), _batches(asked.first, asked.inputs)):
                failures += found
                done += BATCH
                for failure in found:
                    print(f"{failure.number}: {failure.what}", flush=True)
                if done % 1_000 == 0:
                    print(f"... {done}", flush=True)
    print(f"inputs: {1 if asked.only is not None else asked.inputs}, failures: {len(failures)}")
    for failure in failures if asked.only is not None else ():
        print(failure.what)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
