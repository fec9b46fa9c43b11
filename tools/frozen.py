"""Frozen perft counts: positions with known numbers of sequences, to detect unintended changes of legality.

`python -m tools.frozen` counts and stores them again. Review the diff before you commit it.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archive.verify.perft import count_by_action, opening_table
from domain.formats.casebook import load_casebook
from domain.formats.casebook.run import begin
from domain.games import GAMES
from domain.law.game import Game
from domain.law.law import Law
from domain.table.table import Table

FIXTURES = Path("fixtures")
FILE = "perft.toml"


class PerftPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position: a case by file and id, or the opening of a version. `divide` counts sequences by first verb."""

    depth: int
    divide: dict[str, int]
    file: str = ""
    case: str = ""
    version: str = ""

    @property
    def name(self) -> str:
        return f"{self.case or self.version} to {self.depth}"


class _PerftFile(Struct, frozen=True, forbid_unknown_fields=True):
    position: tuple[PerftPosition, ...]


def positions(folder: Path) -> tuple[PerftPosition, ...]:
    raw = tomllib.loads((folder / FILE).read_text(encoding="utf-8"))
    return msgspec.convert(raw, _PerftFile).position


def count_anew(game: Game, folder: Path, position: PerftPosition) -> dict[str, int]:
    rules, table = lay_out(game, folder, position)
    return count_by_action(Law(game, rules), table, position.depth)


def lay_out(game: Game, folder: Path, position: PerftPosition) -> tuple[Any, Table]:
    if position.version:
        rules = game.versions[position.version]
        return rules, opening_table(Law(game, rules))
    path = folder / position.file
    book = load_casebook(path.read_text(encoding="utf-8"), str(path))
    scene = begin(next(case for case in book.cases if case.id == position.case), game)
    return scene.law.rules, scene.table


def changes(game: Game, folder: Path) -> Iterator[tuple[PerftPosition, dict[str, int]]]:
    for position in positions(folder):
        counts = count_anew(game, folder, position)
        if counts != position.divide:
            yield position, counts


def file_text(rows: list[tuple[PerftPosition, dict[str, int]]]) -> str:
    lines = ["# Sequences of actions from positions, by the first verb. Counted by python -m tools.frozen."]
    for position, counts in rows:
        where = (
            f'version = "{position.version}"'
            if position.version
            else f'file = "{position.file}"\ncase = "{position.case}"'
        )
        split = ", ".join(f"{verb} = {number}" for verb, number in counts.items())
        lines += ["", "[[position]]", where, f"depth = {position.depth}", f"divide = {{ {split} }}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    for key, game in GAMES.items():
        folder = FIXTURES / key
        if not (folder / FILE).exists():
            continue
        rows = [(position, count_anew(game, folder, position)) for position in positions(folder)]
        for position, counts in rows:
            if counts != position.divide:
                print(f"{key} {position.name}: {sum(position.divide.values())} before, {sum(counts.values())} now")
        (folder / FILE).write_text(file_text(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
