"""Notes of clauses that shape an outcome without a fact, for explanations of an entry. The law takes notes while it
decides. On any table but `Noting` they are discarded, and no decision depends on them."""

from collections.abc import Iterable
from typing import Final, TypeGuard

from msgspec import Struct

from domain.law.asking import Asking
from domain.law.clause import Clause, Subject
from domain.table.table import Obj, Table

Noted = Subject | Obj
"""Subject of a note. A card that left its place is named as the object it was, without a face."""


class ValueLayer(Struct, frozen=True):
    """One term of a number: its clause, its amount and its source. `sets` replaces the sum of earlier layers."""

    clause: Clause
    n: int
    of: Noted
    sets: bool = False


class Note(Struct, frozen=True):
    """A clause that shaped the outcome, its subjects, and the table at that moment. `layers` are those of a number,
    printed value first. `permits`: the clause allowed something."""

    clause: Clause
    about: tuple[Noted, ...]
    table: Table
    layers: tuple[ValueLayer, ...] = ()
    permits: bool = False


__all__: Final = ("ValueLayer", "Note", "Noted", "Noting", "note", "noting", "permit", "total", "weigh")


class Noting(Asking):
    """A live table that collects notes. Reading an unknown face raises, so that explanations do not guess."""

    __slots__ = ("_notes",)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._notes: dict[tuple[Clause, tuple[Noted, ...], tuple[ValueLayer, ...]], Note] = {}

    def hear(
        self, clause: Clause, about: tuple[Noted, ...], layers: tuple[ValueLayer, ...] = (), permits: bool = False
    ) -> None:
        """Take a note, unless the same one was taken before."""
        if (clause, about, layers) not in self._notes:
            self._notes[clause, about, layers] = Note(clause, about, self.freeze(), layers, permits)

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(self._notes.values())


def noting(t: Table) -> TypeGuard[Noting]:
    """True if notes are collected. Check it before computing notes that take time."""
    return isinstance(t, Noting)


def note(t: Table, clause: Clause, *about: Noted) -> None:
    """Note that a clause makes a difference."""
    if isinstance(t, Noting):
        t.hear(clause, about)


def permit(t: Table, clause: Clause, *about: Noted) -> None:
    """Note that a clause allows something exceptional. It is irrelevant if another clause forbids the action."""
    if isinstance(t, Noting):
        t.hear(clause, about, permits=True)


def weigh(t: Table, clause: Clause, layers: Iterable[ValueLayer], *about: Noted) -> None:
    """Note the layers of a number that has several. They are computed only if notes are collected."""
    if isinstance(t, Noting):
        counted = tuple(layers)
        if len(counted) > 1:
            t.hear(clause, about, counted)


def total(layers: Iterable[ValueLayer]) -> int:
    value = 0
    for layer in layers:
        value = layer.n if layer.sets else value + layer.n
    return value
