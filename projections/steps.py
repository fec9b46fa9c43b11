"""An entry fact by fact: the numbering of its facts, a viewer's view of each, and the tables in between.

Facts are numbered as a spectator sees them. Thus a number means the same for all, and the count discloses nothing.
Unseen facts belong to the next visible fact, trailing ones to the last.
"""

from msgspec import Struct

from domain.law.entries import apply_facts, entry_facts
from domain.law.record import Record
from domain.table.draft import Draft
from domain.table.redact import TableViewer, View
from domain.table.table import Table
from domain.words import Text
from projections import retrospective_view
from projections.board import PlaceCache, board_of
from projections.seen_facts import SeenFact, see_fact
from projections.viewing import NotInMatch, resolve_entry


class FactStep(Struct, frozen=True):
    """A viewer's facts up to one fact of a spectator. `upto` is the number of the entry's facts applied by then."""

    upto: int
    facts: tuple[SeenFact, ...]


def steps(record: Record, eyes: TableViewer, number: int) -> tuple[FactStep, ...]:
    entry = record.entries[resolve_entry(record.entries, number) - 1]
    facts, eyes = entry_facts(entry), retrospective_view.within(eyes, number, entry)
    before = record.after(number - 1)
    spectator, public, draft = record.eyes(), Draft(before), Draft(before)
    result: list[FactStep] = []
    seen: list[SeenFact] = []
    for at, (clause, fact) in enumerate(facts, start=1):
        fact_seen = see_fact(eyes, draft, clause, fact)
        if fact_seen is not None:
            seen.append(fact_seen)
        if see_fact(spectator, public, clause, fact) is not None:
            result.append(FactStep(at, tuple(seen)))
            seen = []
    if result and result[-1].upto < len(facts):
        result[-1] = FactStep(len(facts), (*result[-1].facts, *seen))
    return tuple(result)


def table_after(record: Record, number: int, fact: int = 0) -> Table:
    """Return the table after an entry, or after its fact number `fact`. Raises NotInMatch."""
    number = resolve_entry(record.entries, number)
    if not fact:
        return record.after(number)
    counted = steps(record, record.eyes(), number)
    if not 1 <= fact <= len(counted):
        raise NotInMatch(Text("match.no_nth_fact", {"entry": number, "fact": fact, "last": len(counted)}))
    draft = Draft(record.after(number - 1))
    apply_facts(draft, entry_facts(record.entries[number - 1])[: counted[fact - 1].upto])
    return draft.freeze()


def board_after(record: Record, eyes: TableViewer, number: int, fact: int = 0, cache: PlaceCache | None = None) -> View:
    """Return a viewer's board after an entry, or after its fact number `fact`. Raises NotInMatch."""
    table = table_after(record, number, fact)
    then = retrospective_view.within(eyes, number, record.entries[number - 1]) if fact else eyes
    return board_of(record, then, number, table, cache)
