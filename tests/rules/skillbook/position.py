"""Skillbook positions with the conventions of the dossier's examples. Default: turn 3 of p1."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.skillbook import GAME
from domain.games.skillbook.cards import POOLS
from domain.law.pools import Overlay, PoolId
from domain.law.slots import Action
from domain.table.table import CardId, Place, Seat
from tests.scenario import Scenario, scenario

COLUMNS, ROWS, NEUTRAL = range(1, 8), range(1, 8), 4
HEROES = {"p1": "H01", "p2": "H04"}
STANDING = {"p1": "4,1", "p2": "4,7"}
BOOK = ("S21",) * 10


def position(
    units: Mapping[str, str] | None = None,
    *,
    heroes: Mapping[str, str] | None = None,
    terrains: Mapping[str, str] | None = None,
    places: Mapping[str, Sequence[str]] | None = None,
    active: str = "p1",
    **more: Any,
) -> Scenario:
    """Return a board of face-up wastelands with one hero per player and books of ten plain cards.

    `heroes` gives a square, or card and square, then marks. `units` and `terrains` are by square, in casebook notation.
    A hero's label is `hero1` or `hero2`. Keyword arguments are those of `scenario`.
    """
    laid: dict[str, list[str]] = {}
    for row in ROWS:
        owner = "-" if row == NEUTRAL else "p1" if row < NEUTRAL else "p2"
        for column in COLUMNS:
            words = (terrains or {}).get(f"{column},{row}", "wasteland up")
            laid[f"ground:{column},{row}"] = [words if "owner=" in words else f"{words} owner={owner}"]
    for number, seat in enumerate(HEROES, 1):
        words = ((heroes or {}).get(seat) or STANDING[seat]).split()
        face = words.pop(0) if words[0][0] == "H" else HEROES[seat]
        laid[f"unit:{words[0]}"] = [" ".join((f"hero{number} = {face} owner={seat}", *words[1:]))]
        laid[f"{seat}.book"] = list(BOOK)
    laid.update({f"unit:{square}": [piece] for square, piece in (units or {}).items()})
    laid.update({place: list(pieces) for place, pieces in (places or {}).items()})
    clock: dict[str, Any] = {
        "turn": 3, "active": active, "first": "p1", "phase": "main", "step": "idle", "awaited": [active],
    }  # fmt: skip
    return scenario(GAME, laid, version="1", **{**clock, **more})


def over(*columns_and_rows: str) -> tuple[Place, ...]:
    return tuple(Place(f"ground:{square}") for square in columns_and_rows)


def act(position: Scenario, seat: str, action: Action) -> Scenario:
    return position._decide(Seat(seat), action, False)


def card(position: Scenario, label: str) -> CardId:
    return position.scene.labels.cards[label]


def pool_with(cards: str) -> PoolId:
    return POOLS.lay_over(POOLS.newest, POOLS.read(Overlay("made-up.toml", cards)))
