"""Timeline: the record as numbered lines for one viewer, with actions, facts and clauses."""

from collections.abc import Iterable, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.docket import SECOND
from domain.law.entries import RECORD_ENTRIES, line as line_of
from domain.law.game import Game
from domain.law.record import Record
from domain.law.remarks import note_words
from domain.table.redact import TableViewer
from domain.table.table import Seat
from domain.words import Lang, say
from domain.words.lines import clock_time
from projections.docket_words import filed_words
from projections.moments import Moments, clock_back, group_by_headings
from projections.phrases import Names, action_words, fact_words, listed, occasion_words, seat_name
from projections.rows import Cell, Row
from projections.seen_entries import SeenAction, SeenEntry, seen_entries, seen_entry
from projections.seen_facts import SeenFact
from projections.viewing import resolve_entry

RECORD_TAGS = frozenset(str(kind.__struct_config__.tag).partition("/")[0] for kind in RECORD_ENTRIES)
"""Entries that a rewind does not undo, as `SeenEntry.seen` calls them."""


class FactLine(Struct, frozen=True, omit_defaults=True):
    """A fact in words, with its clause if the viewer may know it. Facts by hand have none."""

    text: str
    clause: Clause = Clause("")
    flow: bool = False


class TimelineEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry in words. `left` is True if a rewind undid it. `back` is the time in milliseconds by which the clock
    went back before it. `bare` is True for an action without values and visible facts, such as a pass."""

    number: int
    kind: str
    text: str
    actor: Seat | None = None
    violations: tuple[Clause, ...] = ()
    facts: tuple[FactLine, ...] = ()
    left: bool = False
    at: int = 0
    back: int = 0
    bare: bool = False


def timeline(
    record: Record, eyes: TableViewer, lang: Lang, upto: int | None = None, *, flow: bool = False
) -> tuple[TimelineEntry, ...]:
    """Return the entries up to `upto`, by default all, as a viewer saw them. Raises NotInMatch."""
    on_line = frozenset(line_of(record.entries, resolve_entry(record.entries, upto)))
    return tuple(
        entry_words(record.game, entry, lang, record.names, left=entry.number not in on_line)
        for entry in seen_entries(record, eyes, upto, flow=flow)
    )


def line_at(
    record: Record, eyes: TableViewer, lang: Lang, number: int, *, left: bool, judges: bool = False
) -> TimelineEntry:
    """Return one entry of a record. Only `left` can change with later entries. Raises NotInMatch."""
    entry = record.entries[resolve_entry(record.entries, number) - 1]
    before = record.after(number - 1)
    seen = seen_entry(record.game, eyes, number, entry, before, policy=record.opening.policy, judges=judges)
    back = clock_back(record.entries[number - 2].at, entry.at) if number > 1 else 0
    return replace(entry_words(record.game, seen, lang, record.names, left=left), back=back)


def entry_words(
    game: Game, entry: SeenEntry, lang: Lang, names: Names, *, left: bool = False, fact_texts: bool = True
) -> TimelineEntry:
    """Return an entry in words. Without `fact_texts`, its facts have clauses but no text. A rewind does not undo an
    entry that changes nothing on the table, such as a note, so `left` does not hold for it."""

    def text(fact: SeenFact) -> str:
        return fact_words(game, fact, lang, names) if fact_texts else ""

    return TimelineEntry(
        number=entry.number,
        kind=entry.seen,
        text=_text(game, entry, lang, names),
        actor=entry.actor,
        violations=entry.violations,
        facts=tuple(FactLine(text(fact), fact.clause, fact.flow) for fact in entry.facts),
        left=left and entry.seen not in RECORD_TAGS,
        at=entry.at,
        bare=entry.action is not None and not entry.action.slots and not entry.facts and not entry.violations,
    )


def _text(game: Game, entry: SeenEntry, lang: Lang, names: Names) -> str:
    by = seat_name(names, entry.by, lang)
    match entry.seen:
        case "opened":
            title, version = game.rulebook.title.say(lang), game.rulebook.word(entry.version, lang)
            text = say("line.opened", lang, game=title, version=version, hash=entry.rules_hash)
            if entry.pledges:
                seats = listed((seat_name(names, seat, lang) for seat in entry.pledges), lang)
                text = say("line.pledged", lang, text=text, seats=seats)
            if not entry.parent:
                return text
            return say("line.branch", lang, text=text, parent=entry.parent, at=entry.parent_at or "?")
        case "played":
            assert entry.action is not None and entry.actor is not None
            action = action_words(game, _name_shown_card(entry.action, entry.facts), lang, names)
            return say("line.played", lang, actor=seat_name(names, entry.actor, lang), action=action)
        case "gap":
            most = say("line.gap_most", lang, n=entry.most) if entry.most else say("line.gap_open", lang)
            return say("line.gap", lang, most=most, by=by, reason=entry.reason)
        case "corrected" | "rewound" | "restored":
            return say(f"line.{entry.seen}", lang, to=entry.to, by=by, reason=entry.reason)
        case "noted":
            key = "line.noted_about" if entry.about else "line.noted" if entry.text else "line.note_hidden"
            return say(key, lang, by=by, about=entry.about, text=note_words(entry.text, lang))
        case "described":
            what = occasion_words(entry.occasion, entry.announced, lang)
            return say("line.described", lang, by=by, what=what or say("occasion.none", lang))
        case "closed":
            return say("line.closed", lang, by=by, reason=entry.reason).strip()
        case _:
            return filed_words(game, entry, lang, names)


def _name_shown_card(action: SeenAction, facts: Sequence[SeenFact]) -> SeenAction:
    """Return the action with the face of its one unseen card, if the entry begins by moving and showing that card.

    Only facts that the viewer sees are used.
    """
    moved, shown, *_ = (*(each for each in facts if not each.flow and not each.fact.startswith("learn")), None, None)
    unseen = [slot for slot in action.slots if slot.kind in ("card", "cards") and slot.number == 1 and not slot.cards]
    if moved is None or shown is None or len(unseen) != 1 or (moved.fact, shown.fact) != ("move", "show"):
        return action
    if moved.clause != shown.clause or moved.number != 1 or moved.cards or len(shown.cards) != 1:
        return action
    named = tuple(replace(slot, cards=shown.cards) if slot is unseen[0] else slot for slot in action.slots)
    return replace(action, slots=named)


def back_words(back: int, lang: Lang) -> str:
    """Return by how much the clock went back since the previous entry; `back` is in milliseconds."""
    return say("line.clock_back", lang, time=clock_time(ceil(back / SECOND)))


def render_timeline(lines: Iterable[TimelineEntry], lang: Lang, when: Moments | None = None) -> list[Row]:
    """Render each entry with its facts one level deeper. With `when`, entries are grouped by day and turn."""
    if when is None:
        return [row for line in lines for row in _entry(line, lang, "")]
    parts = (
        (
            (when.day(line.number, lang), when.turn(line.number, lang)),
            _entry(replace(line, back=when.back(line.number)), lang, when.time(line.number)),
        )
        for line in lines
    )
    return group_by_headings(parts, lang)


def _entry(line: TimelineEntry, lang: Lang, time: str) -> list[Row]:
    cells = [Cell(str(line.number), "number"), Cell(time, "time"), Cell(line.text, line.kind)]
    if line.back:
        cells.append(Cell(back_words(line.back, lang), "note"))
    if line.left:
        cells.append(Cell(say("line.left", lang), "left"))
    if line.violations:
        clauses = listed(line.violations, lang)
        cells.append(Cell(say("line.violations", lang, clauses=clauses), "violation", clause=line.violations[0]))
    facts = (
        Row("flow" if fact.flow else "fact", (Cell(fact.clause, "clause", clause=fact.clause), Cell(fact.text)), 1)
        for fact in line.facts
    )
    return [Row("entry", tuple(cells)), *facts]


class MatchEntries(Struct, frozen=True):
    match: str
    viewer: Seat
    entries: tuple[SeenEntry, ...]
