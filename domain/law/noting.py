"""What shaped an outcome and told nothing: the law says it while it decides, and only who explains an entry hears it.

On any other table a note is lost at once. So it may be taken wherever a clause makes a difference, and nothing that is
decided depends on it.
"""

from collections.abc import Iterable
from typing import Final, TypeGuard

from msgspec import Struct

from domain.law.asking import Asking
from domain.law.clause import Clause, Subject
from domain.table.table import Obj, Table

Noted = Subject | Obj
"""The subject of a note. A card that left its place is named as the object it was, without a face."""


class ValueLayer(Struct, frozen=True):
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
    layers: tuple[ValueLayer, ...] = ()
    permits: bool = False


__all__: Final = ("ValueLayer", "Note", "Noted", "Noting", "note", "noting", "permit", "total", "weigh")


class Noting(Asking):
    """A live table that hears notes. It wants to know faces: what follows from an unknown one is not guessed."""

    __slots__ = ("_notes",)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._notes: dict[tuple[Clause, tuple[Noted, ...], tuple[ValueLayer, ...]], Note] = {}

    def hear(
        self, clause: Clause, about: tuple[Noted, ...], layers: tuple[ValueLayer, ...] = (), permits: bool = False
    ) -> None:
        """Take a note; what was noted before is not said again."""
        if (clause, about, layers) not in self._notes:
            self._notes[clause, about, layers] = Note(clause, about, self.freeze(), layers, permits)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noted, in its order."""
        return tuple(self._notes.values())


def noting(t: Table) -> TypeGuard[Noting]:
    """Does anybody hear notes? To be asked where finding out what to note takes time."""
    return isinstance(t, Noting)


def note(t: Table, clause: Clause, *about: Noted) -> None:
    """This clause makes a difference here and tells nothing."""
    if isinstance(t, Noting):
        t.hear(clause, about)


def permit(t: Table, clause: Clause, *about: Noted) -> None:
    """This clause allows here what would not go without saying: of no interest where something else forbids it."""
    if isinstance(t, Noting):
        t.hear(clause, about, permits=True)


def weigh(t: Table, clause: Clause, layers: Iterable[ValueLayer], *about: Noted) -> None:
    """This number counts here. Its layers are gone through only if somebody hears it, and it has more than one."""
    if isinstance(t, Noting):
        counted = tuple(layers)
        if len(counted) > 1:
            t.hear(clause, about, counted)


def total(layers: Iterable[ValueLayer]) -> int:
    """What a number comes to."""
    value = 0
    for layer in layers:
        value = layer.n if layer.sets else value + layer.n
    return value
