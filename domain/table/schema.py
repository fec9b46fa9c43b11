"""What one game has on its table, as data: places and who sees what in them, stances, marks, kinds of frames.

Every `Opened` entry stores the whole schema, so the checks and the redaction of an old record never change with code.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct, field

from domain.table.table import Lane, Seat

See = Literal["nothing", "count", "below", "each", "up", "top", "all"]
"""nothing · how many · exactly how many if fewer than n · every card by itself, faces of those turned up · those turned
up · the last card if it is turned up · every face."""

HIDDEN: Final[tuple[See, ...]] = ("nothing", "count", "below")
"""Ways of seeing that show no face."""

Order = Literal["bag", "row", "pile", "slots", "grid"]


class Visibility(Struct, frozen=True):
    """What a place shows to its owner, to the owner's team and to all others (a spectator is one of the others)."""

    owner: See
    team: See
    others: See
    below: int = 0


def alike(see: See) -> Visibility:
    """A place that shows the same to everybody."""
    return Visibility(see, see, see)


class Area(Struct, frozen=True):
    """A kind of place. Per seat it is written `p1.hand`, shared `field`, a square of a grid `unit:3,4`.

    `counted` says whether the number of cards is public where only some are seen, `up` whether cards normally lie face
    up here. In a shared area the owner is each card's own controller. `size` is columns and rows of a grid, or the
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
        """True for a bag of its seat, open to the owner and closed to others."""
        return self.per_seat and self.order == "bag" and self.sight.owner == "all" and self.sight.others in HIDDEN


class Mark(Struct, frozen=True):
    """A named counter or flag with its range. A name ending in `.*` is a family: `used.*` allows `used.3`."""

    name: str
    of: Literal["card", "seat", "table"]
    least: int = 0
    most: int | None = None
    public: bool = False


def family(name: str) -> str:
    """The family that a mark may belong to: `used.*` for `used.3`."""
    return f"{name.rpartition('.')[0]}.*"


class Kind(Struct, frozen=True):
    """A kind of frame: its lane or lanes, its steps, and what the positions of its typed columns mean.

    A name ending in `...` means any number of the same. `secret` columns are shown to the frame's seat only.
    """

    name: str
    lanes: tuple[Lane, ...]
    steps: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    secret: tuple[str, ...] = ()


class Schema(Struct, frozen=True, kw_only=True):
    """Everything physics must know of a game under its rules."""

    areas: tuple[Area, ...]
    stances: tuple[str, ...] = ("",)
    marks: tuple[Mark, ...] = ()
    kinds: tuple[Kind, ...] = ()
    effects: tuple[str, ...] = ()
    untils: tuple[str, ...] = ()
    phases: tuple[str, ...] = ("",)
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The clock's steps by phase; a phase that is not named here may have any."""
    teams: dict[Seat, str] = field(default_factory=dict)
    out: str = ""
    """The mark of a seat that has left the match while others play on: it sees what a spectator sees."""
    telling: tuple[str, ...] = ()
    """Clauses that by themselves tell what a hidden card is: shown only to those who see the card."""

    def __hash__(self) -> int:
        return hash((tuple(area.name for area in self.areas), self.telling))  # what is equal has equal ones
