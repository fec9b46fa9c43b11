"""The schema of a game's table: places and their visibility, stances, marks and kinds of frames. Each `Opened` entry
stores the whole schema. So the checks and the redaction of an old record do not change with the code."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct, field

from domain.table.table import Lane, Seat

VisibilityLevel = Literal["nothing", "count", "below", "each", "up", "top", "all"]
"""Levels of visibility of a place: nothing; the number of cards (`count`), or only if it is below n (`below`).
`each`: every card separately, and the faces that lie up. `up`: the cards that lie face up. `top`: the last card, if it
lies face up. `all`: every face.
"""

HIDDEN: Final[tuple[VisibilityLevel, ...]] = ("nothing", "count", "below")
"""Levels that show no face."""

Order = Literal["bag", "row", "pile", "slots", "grid"]


class Visibility(Struct, frozen=True):
    """Visibility of a place to its owner, to the owner's team and to others, including spectators."""

    owner: VisibilityLevel
    team: VisibilityLevel
    others: VisibilityLevel
    below: int = 0


def same_for_all(see: VisibilityLevel) -> Visibility:
    return Visibility(see, see, see)


class Area(Struct, frozen=True):
    """A kind of place: `p1.hand` for an area of each seat, `field` for a shared one, `unit:3,4` for a square of a grid.

    `counted` says that the number of cards is public where only some are visible. `up` says that cards normally lie
    face up. In a shared area each card's controller counts as its owner. `size` is columns and rows of a grid, or the
    number of slots (`p1.foreshadow:2`) and 1.
    """

    name: str
    per_seat: bool
    order: Order
    sight: Visibility
    counted: bool = True
    up: bool = False
    most: int | None = None
    size: tuple[int, int] = (0, 0)

    @property
    def is_hand(self) -> bool:
        """True for a bag of a seat that the owner sees and others do not."""
        return self.per_seat and self.order == "bag" and self.sight.owner == "all" and self.sight.others in HIDDEN


class Mark(Struct, frozen=True):
    """A named counter or flag with its range. A name ending in `.*` is a family: `used.*` allows `used.3`."""

    name: str
    of: Literal["card", "seat", "table"]
    least: int = 0
    most: int | None = None
    public: bool = False


def family(name: str) -> str:
    """Return the family that a mark may belong to: `used.*` for `used.3`."""
    return f"{name.rpartition('.')[0]}.*"


class Kind(Struct, frozen=True):
    """A kind of frame: its lanes, its steps, and the meaning of each position in its typed columns. A name ending in
    `...` stands for any number of the same. Only the frame's seat sees the `secret` columns."""

    name: str
    lanes: tuple[Lane, ...]
    steps: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    secret: tuple[str, ...] = ()


class Schema(Struct, frozen=True, kw_only=True):
    """The table of a game under its rules."""

    areas: tuple[Area, ...]
    stances: tuple[str, ...] = ("",)
    marks: tuple[Mark, ...] = ()
    kinds: tuple[Kind, ...] = ()
    effects: tuple[str, ...] = ()
    untils: tuple[str, ...] = ()
    phases: tuple[str, ...] = ("",)
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Steps of the clock by phase. A phase that is not listed may have any step."""
    teams: dict[Seat, str] = field(default_factory=dict)
    out: str = ""
    """Mark of a seat that has left the match while others play on. It sees what a spectator sees."""
    telling: tuple[str, ...] = ()
    """Clauses that reveal what a hidden card is. Only viewers who see the card see them."""

    def __hash__(self) -> int:
        return hash((tuple(area.name for area in self.areas), self.telling))  # cheap, and equal for equal schemas
