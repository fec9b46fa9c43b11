"""The table of Stepping Stones: sixteen public stones."""

from typing import Final

from domain.table.schema import Area, Mark, Schema, Visibility
from domain.table.table import Place
from tests.toys.stones.rules import Rules

BOARD: Final = "board"
WORN: Final = "worn"
OFFERING: Final = "offering"
PLAY: Final = "play"
SIZE: Final = 4
LETTERS: Final = "abcd"
OPEN: Final = Visibility("all", "all", "all")


def schema(rules: Rules) -> Schema:
    """Return a schema with a grid, a count of arrivals per stone, and a mark for draw offers."""
    return Schema(
        areas=(Area(BOARD, False, "grid", OPEN, up=True, most=1, size=(SIZE, SIZE)),),
        marks=(Mark(f"{WORN}.*", "table", public=True), Mark(OFFERING, "seat", most=1, public=True)),
        phases=("", PLAY),
    )


def stone(column: int, row: int) -> str:
    return f"{LETTERS[column - 1]}{row}"


def place_of(word: str) -> Place:
    return Place(f"{BOARD}:{LETTERS.index(word[0]) + 1},{word[1]}")


STONES: Final = tuple(stone(column, row) for column in range(1, SIZE + 1) for row in range(1, SIZE + 1))
