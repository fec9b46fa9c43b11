"""The progress of a rejudged line next to the recorded line."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.judging.audit import differences
from domain.judging.rejudging.tables import Frames, IsCounter, Part, apart, is_counted
from domain.judging.rejudging.verdict import Aligned, EntryDifference, Missing, Verdict, VerdictKind
from domain.law.actions import PASS
from domain.law.clause import CitedFacts, Clause, Refusal
from domain.law.entries import Entry, Opened, Played, entry_facts, line
from domain.law.game import Game
from domain.law.outcome import Accepted
from domain.law.slots import Action, verb
from domain.table.evolve import fold
from domain.table.facts import Finished
from domain.table.folding import Folding
from domain.table.table import Result, Seat, Table
from domain.words import Text, TextError
from domain.words.foreign import explain_decode_error

Beside = tuple[Table, Table] | None
"""The recorded table and the rejudged table at the same moment."""


class Unreadable(TextError):
    """A record that cannot be rejudged: an action foreign to its game, or decks that were not dealt."""


class LineStep(Struct, frozen=True):
    number: int
    entry: Entry
    action: Action | None


class Path(Struct, frozen=True, kw_only=True):
    """The progress of a rejudged line and the recorded one. Both tables are one object while they are the same.

    `beside` are both tables at the last moment with the same open question; differences at that point are not caused by
    the current choice. They are computed only on demand, because every card is compared. `owed` are seats whose
    recorded pass came before its turn. Such a pass counts until a seat does something else.
    """

    table: Table
    recorded: Table
    frames: Frames
    beside: Beside = None
    first: EntryDifference | None = None
    differing: tuple[EntryDifference, ...] = ()
    aligned: tuple[Aligned, ...] = ()
    owed: tuple[Seat, ...] = ()

    def apart(self, is_counter: IsCounter) -> frozenset[Part]:
        """Return the parts in which the tables in `beside` differ, without the law's own counters."""
        return frozenset() if self.beside is None else apart(*self.beside, is_counter)


def with_seen(path: Path, first: CitedFacts) -> Path:
    """Add the faces seen on real cards to both tables."""
    facts = [fact for _, fact in first]
    recorded = fold(path.recorded, facts)
    table = recorded if path.table is path.recorded else fold(path.table, facts)
    return msgspec.structs.replace(path, table=table, recorded=recorded)


def steps_of(game: Game, entries: Sequence[Entry]) -> Iterator[LineStep]:
    """Yield the entries of the line that counts, after the opening. Raises Unreadable."""
    decode = game.decoder().decode
    for number in line(entries)[1:]:
        entry = entries[number - 1]
        action = None
        if isinstance(entry, Played):
            try:
                action = decode(entry.action)
            except msgspec.DecodeError as error:
                raise Unreadable(
                    Text("rejudge.no_action", {"entry": number, "why": explain_decode_error(error)})
                ) from None
        yield LineStep(number, entry, action)


def result_of(opened: Opened, steps: Sequence[LineStep]) -> Result | None:
    for entry in (*(step.entry for step in reversed(steps)), opened):
        for _, fact in reversed(entry_facts(entry)):
            if isinstance(fact, Finished):
                return fact.result
    return None


def difference_of(
    path: Path, number: int, told: CitedFacts, outcome: Accepted, recorded: Table, is_counter: IsCounter
) -> EntryDifference | None:
    """Return the difference at an entry that both sides took; None if only the law's own counters differ."""
    rejudged, only_recorded = differences(path.recorded, outcome.told, told)
    if all(is_counted(fact, is_counter) for _, fact in (*rejudged, *only_recorded)):
        return None
    return EntryDifference(
        entry=number,
        recorded=only_recorded,
        rejudged=rejudged,
        told=outcome.told,
        before=path.recorded,
        rejudged_before=path.table,
        recorded_table=recorded,
        rejudged_table=outcome.table,
    )


def end(
    path: Path, kind: VerdictKind, number: int, recorded: Result | None, refusal: Refusal | None, why: Missing
) -> Verdict:
    """Return the verdict on a match whose rejudged line ends here; `recorded` is the result of the record."""
    marked = kind in ("illegal", "undecided") or refusal is not None
    return Verdict(
        kind=kind,
        entry=number if marked else 0,
        clause=Clause("") if refusal is None else refusal.clause,
        trail=() if refusal is None else refusal.trail,
        why=why,
        first=path.first,
        differing=path.differing,
        aligned=path.aligned,
        recorded_result=recorded,
        rejudged_result=path.table.result,
        rejudged_at=number,
        table=path.table,
    )


def is_moot_pass(path: Path, action: Action) -> bool:
    """True if the action is a pass on something that only the recorded stack has."""
    if verb(action) != PASS or not path.recorded.stack:
        return False
    top = path.recorded.stack[-1]
    return not any((frame.kind, frame.cards) == (top.kind, top.cards) for frame in path.table.stack)


def is_stale_answer(path: Path, entry: Played) -> bool:
    """True if the entry answers a question that is no longer asked."""
    asked = list_questions(path.recorded)[:1]
    return bool(asked) and asked[0][1] == entry.actor and asked[0] not in list_questions(path.table)


def list_questions(table: Table) -> list[tuple[str, Seat]]:
    """Return the kind of each open question and the seat it is put to."""
    return [(frame.kind, frame.by) for frame in table.asked]


# -- entries that need not be decided ----------------------------------------------------------------------------------


def is_spared(spared: bytes, number: int) -> bool:
    """True if this entry is known to lead from the recorded table to the recorded facts."""
    return number <= len(spared) and spared[number - 1] == 1


def spared_from(path: Path, steps: Sequence[LineStep], at: int, spared: bytes) -> int:
    """Return how many steps from `at` need not be decided; 0 once the two tables differ. After the end of the match
    every step is decided, because the law is then asked differently."""
    first = at
    over = path.table is not path.recorded or path.table.result is not None
    while at < len(steps) and not over and is_spared(spared, steps[at].number):
        over = any(type(fact) is Finished for _, fact in entry_facts(steps[at].entry))
        at += 1
    return at - first


def as_recorded(path: Path, entries: Sequence[Entry]) -> Path:
    """Apply recorded entries to the one table that both sides share."""
    folding = Folding(path.recorded)
    for entry in entries:
        folding.apply(entry_facts(entry))
    table = folding.freeze()
    return msgspec.structs.replace(path, table=table, recorded=table)
