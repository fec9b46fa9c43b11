"""Queries on the table of Stepping Stones."""

from collections.abc import Iterator
from typing import Final

from domain.law.game import CardReading
from domain.parts.grid import square_of
from domain.table.table import CardId, Seat, Table
from tests.toys.stones.rules import Rules
from tests.toys.stones.schema import SIZE, STONES, WORN, place_of

SEATS: Final = (Seat("p1"), Seat("p2"))
WALKER: Final = "W"
RUNNER: Final = "R"


def opponent(seat: Seat) -> Seat:
    return SEATS[1 - SEATS.index(seat)]


def forward(seat: Seat) -> int:
    """Return the row direction towards the far bank, 1 or -1."""
    return 1 if seat == SEATS[0] else -1


def bank(seat: Seat) -> int:
    return 1 if seat == SEATS[0] else SIZE


def way(t: Table, card: CardId, word: str) -> tuple[int, int]:
    """Return the columns and rows from a piece to a stone; rows count forward for its owner."""
    piece = t.pieces[card]
    (column, row), (to_column, to_row) = square_of(piece.place), square_of(place_of(word))
    return abs(to_column - column), (to_row - row) * forward(piece.owner)


def is_step(t: Table, card: CardId, word: str) -> bool:
    columns, rows = way(t, card, word)
    return max(columns, abs(rows)) == 1 and (rows >= 0 or t.pieces[card].face == RUNNER)


def standing(t: Table, word: str) -> CardId | None:
    return next(iter(t.places.get(place_of(word), ())), None)


def is_under_water(rules: Rules, t: Table, word: str) -> bool:
    return t.marks.get(f"{WORN}.{word}", 0) >= rules.wear


def may_take(rules: Rules, t: Table, card: CardId, word: str) -> bool:
    return standing(t, word) is None or rules.taking != "corner" or 0 not in way(t, card, word)


def pieces_of(t: Table, seat: Seat, *faces: str) -> tuple[CardId, ...]:
    return tuple(card for card, piece in t.pieces.items() if piece.owner == seat and (not faces or piece.face in faces))


def steps_of(rules: Rules, t: Table, card: CardId) -> tuple[str, ...]:
    return tuple(word for word in STONES if is_step(t, card, word) and _is_free(rules, t, card, word))


def _is_free(rules: Rules, t: Table, card: CardId, word: str) -> bool:
    there = standing(t, word)
    own = there is not None and t.pieces[there].owner == t.pieces[card].owner
    return not own and not is_under_water(rules, t, word) and may_take(rules, t, card, word)


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    yield from (CardReading(card, "reach", len(steps_of(rules, t, card))) for card in t.pieces)
