"""DEA positions. Default: the dossier's S0, turn 3 of p1, before any action."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.dea import GAME
from domain.games.dea.cards import POOLS
from domain.law.pools import Overlay, PoolId
from tests.scenario import Scenario, scenario

S0 = {
    "C01": "map:3,2",
    "C02": "map:2,2",
    "C03": "map:3,1",
    "C04": "map:4,2",
    "C05": "map:1,2",
    "C06": "map:3,5",
    "C07": "map:2,4",
    "C08": "map:4,5",
    "C09": "map:3,4",
    "C10": "map:5,4",
}
"""Places of both writers' characters, p1's five first."""
FORESHADOWS = {"p1": ("F01", "F03", "F10"), "p2": ("F02", "F04", "F05")}
LIFE, PAGES = {"p1": 21, "p2": 22}, 5
OPPONENT = {"p1": "p2", "p2": "p1"}


def position(
    places: Mapping[str, Sequence[str]] | None = None,
    *,
    at: Mapping[str, str] | None = None,
    seats: Mapping[str, Mapping[str, int]] | None = None,
    foreshadows: Mapping[str, Sequence[str]] | None = None,
    active: str | None = "p1",
    **more: Any,
) -> Scenario:
    """Return S0 with changes.

    `at` moves a character (a cell, then marks) or removes it (`-`). `seats` and `foreshadows` set marks; `places` adds
    places. Keyword arguments are those of `scenario`. A character's label is its face in lower case.
    """
    owners = {face: "p1" if number < 5 else "p2" for number, face in enumerate(S0)}
    laid: dict[str, list[str]] = {}
    for face, where in {**S0, **(at or {})}.items():
        cell, _, marks = where.partition(" ")
        whose = "" if "owner=" in marks else f"owner={owners.get(face, 'p1')}"
        if cell != "-":
            laid.setdefault(cell, []).append(f"{face.lower()} = {face} {whose} {marks}".strip())
    for seat, row in {**FORESHADOWS, **(foreshadows or {})}.items():
        laid.update({f"{seat}.foreshadow:{slot}": [one] for slot, one in enumerate(row, 1)})
    laid.update({place: list(pieces) for place, pieces in (places or {}).items()})
    plain = {seat: {"life": life, "max_life": life, "pages": PAGES} for seat, life in LIFE.items()}
    marks_of = {seat: {**marks, **(seats or {}).get(seat, {})} for seat, marks in plain.items()}
    clock: dict[str, Any] = {"turn": 3, "active": active, "first": active, "phase": "main", "step": "open"}
    return scenario(GAME, laid, version="1", seats=marks_of, **{**clock, "awaited": [active], **more})


def pool_with(cards: str) -> PoolId:
    return POOLS.lay_over(POOLS.newest, POOLS.read(Overlay("made-up.toml", cards)))


def event(face: str, do: str, more: str = "", pages: int = 0) -> str:
    """Return the card file text of an event with these instructions; `more` is appended to its ability."""
    text = f'{{ kind = "event", do = [{do}]{", " + more if more else ""} }}'
    return f"""[[cards]]
id = "{face}"
en = "Made-up {face}"
ja = "仮の{face}"
type = "event"
colour = "red"
rarity = "C"
pages = {pages}
abilities = [{text}]
"""
