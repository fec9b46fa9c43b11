"""Notes of clauses that shape an outcome without a fact, for explanations of an entry. The law takes notes while it
decides. On any table but `ExplainedLiveTable` they are discarded, and no decision depends on them."""

from collections.abc import Iterable
from typing import Final, TypeGuard

from msgspec import Struct

from domain.law.asking import StrictLiveTable
from domain.law.clause import Clause, Subject
from domain.table.table import Obj, Table

NoteSubject = Subject | Obj
"""Subject of a note. A card that left its place is named as the object it was, without a face."""


class ValueLayer(Struct, frozen=True):
    """One term of a number: its clause, its amount and its source. `sets` replaces the sum of earlier layers."""

    clause: Clause
    n: int
    of: NoteSubject
    sets: bool = False


class Note(Struct, frozen=True):
    """A clause that shaped the outcome, its subjects, and the table at that moment. `layers` are those of a number,
    printed value first. `permits`: the clause allowed something."""

    clause: Clause
    about: tuple[NoteSubject, ...]
    table: Table
    layers: tuple[ValueLayer, ...] = ()
    permits: bool = False


__all__: Final = (
    "ValueLayer",
    "Note",
    "NoteSubject",
    "ExplainedLiveTable",
    "note",
    "collects_notes",
    "note_permission",
    "sum_layers",
    "note_layers",
)


class ExplainedLiveTable(StrictLiveTable):
    """A live table that collects notes. Reading an unknown face raises, so that explanations do not guess."""

    __slots__ = ("_notes",)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._notes: dict[tuple[Clause, tuple[NoteSubject, ...], tuple[ValueLayer, ...]], Note] = {}

    def add_note(
        self, clause: Clause, about: tuple[NoteSubject, ...], layers: tuple[ValueLayer, ...] = (), permits: bool = False
    ) -> None:
        """Take a note, unless the same one was taken before."""
        if (clause, about, layers) not in self._notes:
            self._notes[clause, about, layers] = Note(clause, about, self.freeze(), layers, permits)

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(self._notes.values())


def collects_notes(t: Table) -> TypeGuard[ExplainedLiveTable]:
    """True if notes are collected. Check it before computing notes that take time."""
    return isinstance(t, ExplainedLiveTable)


def note(t: Table, clause: Clause, *about: NoteSubject) -> None:
    """Note that a clause makes a difference."""
    if isinstance(t, ExplainedLiveTable):
        t.add_note(clause, about)


def note_permission(t: Table, clause: Clause, *about: NoteSubject) -> None:
    """Note that a clause allows something exceptional. It is irrelevant if another clause forbids the action."""
    if isinstance(t, ExplainedLiveTable):
        t.add_note(clause, about, permits=True)


def note_layers(t: Table, clause: Clause, layers: Iterable[ValueLayer], *about: NoteSubject) -> None:
    """Note the layers of a number that has several. They are computed only if notes are collected."""
    if isinstance(t, ExplainedLiveTable):
        counted = tuple(layers)
        if len(counted) > 1:
            t.add_note(clause, about, counted)


def sum_layers(layers: Iterable[ValueLayer]) -> int:
    value = 0
    for layer in layers:
        value = layer.n if layer.sets else value + layer.n
    return value
