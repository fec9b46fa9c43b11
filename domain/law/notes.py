"""What a note says: of what shaped an outcome and told nothing."""

from msgspec import Struct

from domain.law.clause import Clause, Subject
from domain.table.table import Obj, Table

Noted = Subject | Obj
"""What a note is about. A thing that was meant may be gone: it is named as that thing, without a face."""


class Layer(Struct, frozen=True):
    """One step by which a number came about: its clause, how much it adds, and what it comes from.

    `sets` says that it puts its number in the place of all that stood before.
    """

    clause: Clause
    n: int
    of: Noted
    sets: bool = False


class Note(Struct, frozen=True):
    """A clause that shaped what followed, what it was about, and the table at that moment.

    `layers` are those of a number, what is printed first. `permits` says that it allowed something.
    """

    clause: Clause
    about: tuple[Noted, ...]
    table: Table
    layers: tuple[Layer, ...] = ()
    permits: bool = False
