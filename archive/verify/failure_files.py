"""Write a failing record so that it can be replayed, as notation and as a case."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from domain.formats.actions import write_action
from domain.formats.errors import FormatError
from domain.formats.notation import write_notation
from domain.law.entries import Closed, Entry, Played, opened_of, tables
from domain.law.game import Game
from domain.words import Text, tomls
from recorder import codec
from recorder.files import write_whole

MATCH, CASES, LINES = ".spn", ".cases.toml", ".jsonl"


class FailureFiles(Struct, frozen=True):
    """The files of a record, and its number of entries. There is no case if its last entry is no action."""

    match: Path
    case: Path | None
    entries: int


def write(game: Game, entries: Sequence[Entry], folder: Path, name: str, why: Text) -> FailureFiles:
    """Write a record, and a case that replays its last action. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path, text = folder / f"{name}{MATCH}", None
    try:
        text = write_notation(game, entries).encode()
    except Exception:  # writing notation runs the law; if the law fails, keep the raw record
        path = folder / f"{name}{LINES}"
        text = b"".join(codec.to_json_line(codec.encode(entry)) + b"\n" for entry in entries)
    write_whole(path, text)
    case = as_case(game, entries, path.name, name, why)
    if case is None:
        return FailureFiles(path, None, len(entries))
    write_whole(folder / f"{name}{CASES}", case.encode())
    return FailureFiles(path, folder / f"{name}{CASES}", len(entries))


def as_case(game: Game, entries: Sequence[Entry], match: str, name: str, why: Text) -> str | None:
    """Return a case that plays the record's last action from the position before it, or None."""
    opened = opened_of(entries)
    at = next((n for n in range(len(entries), 1, -1) if not isinstance(entries[n - 1], Closed)), 1)
    last = entries[at - 1]
    if not isinstance(last, Played):
        return None
    table = next(before for number, _, before, _ in tables(entries) if number == at)
    try:
        action = game.decoder().decode(last.action)
        line = write_action(game, table, last.actor, action, schema=opened.schema)
    except (FormatError, msgspec.DecodeError, LookupError):
        return None
    clauses = list(dict.fromkeys(str(clause) for clause, _ in last.told))
    lines = [
        f'game = "{game.key}"',
        f'version = "{opened.version if opened.version in game.versions else next(iter(game.versions))}"',
        "",
        "[[case]]",
        f"id = {tomls.write(name)}",
        f"en = {tomls.write(why.say('en'))}",
        f"ja = {tomls.write(why.say('ja'))}",
        f"given.match = {tomls.write(match)}",
        f"given.at = {at - 1}",
        "",
        "[[case.step]]",
        f"when = [{tomls.write(line)}]",
        f"then.told = [{', '.join(map(tomls.write, clauses))}]",
    ]
    return "\n".join(lines) + "\n"
