"""What people decide about a match beside its play, recorded: disputes and rulings, penalties, pauses, broken seals."""

from typing import Unpack

from msgspec.structs import replace

from domain.formats.errors import unknown
from domain.judging.opinions import opine
from domain.law import disputes as D, docket
from domain.law.clause import Clause, Told
from domain.law.entries import Corrected, Entry
from domain.table.table import Table
from domain.words import Text
from recorder import answers as A
from recorder.answers import Unfit
from recorder.loading import Match
from recorder.store import Store
from recorder.writing import Answer, Terms, Write, begin


def file(store: Store, match: str, entry: D.Filed, told: Told = (), **terms: Unpack[Terms]) -> Answer | A.Impossible:
    """Record what somebody decides. When it was and what the law says of it is put in here.

    A fault is mended in the same transaction, as a ruling says: `told` are the facts of one that is mended by hand.
    """
    write = begin(store, match, terms, "file", entry, tuple(told))
    if not isinstance(write, Write):
        return write
    if (unfit := _misfit(write.match, entry, told)) is not None:
        return Unfit(unfit)
    pending = docket.docket_of(write.match.entries)
    entry = replace(entry, at=write.at)
    if isinstance(entry, D.Ruled | D.Decided) and (dispute := pending.disputes.get(entry.dispute)) is not None:
        number = dispute.matter.entry
        entry = replace(entry, opinion=opine(write.match, number) if number else D.UNASKED)
    after = docket.file(pending, write.match.version + 1, entry)
    if isinstance(after, Text):
        return Unfit(after)
    mended = _mend(write, entry, told)
    if isinstance(mended, A.Impossible):
        return mended
    table, behind = mended
    return write.record(table, entry, *behind)


def _mend(write: Write, entry: D.Filed, told: Told) -> tuple[Table, tuple[Entry, ...]] | A.Impossible:
    """The table as a ruling leaves it, and the entries that do so."""
    if isinstance(entry, D.Ruled | D.Decided):
        match entry.repair.kind:
            case "rewind":
                return write.go_back(entry.repair.to, entry.reason, entry.by, 2)
            case "by_hand":
                after = write.enter_by_hand(told)
                if isinstance(after, A.Impossible):
                    return after
                return after, (Corrected(at=write.at, by=entry.by, reason=entry.reason, told=tuple(told)),)
            case "leave":
                pass
    return write.match.table, ()


def _misfit(match: Match, entry: D.Filed, told: Told) -> Text | None:
    """What the docket cannot know: clauses of the rulebook, things on the table, facts that a repair needs."""
    named: tuple[Clause, ...] = ()
    match entry:
        case D.Disputed(matter=matter):
            named = (matter.clause,) if matter.clause else ()
            at = matter.entry or match.version
            if matter.thing and 0 < at <= match.version and not _is_there(match.after(at), matter.thing):
                return Text("docket.no_thing", {"thing": matter.thing, "entry": at})
        case D.Ruled() | D.Decided():
            named = entry.clauses
            if (entry.repair.kind == "by_hand") != bool(told):
                return Text("docket.facts" if told else "match.no_fact")
        case _:
            pass
    book = match.game.rulebook.clauses
    return next((unknown("clause", clause, book, lists=False) for clause in named if clause not in book), None)


def _is_there(table: Table, thing: int) -> bool:
    return any(piece.thing == thing for piece in table.pieces.values())
