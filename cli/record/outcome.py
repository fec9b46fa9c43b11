"""Answers of the recorder in words: the consequences, or the reason why nothing was recorded."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from cli.answer import Answer, do_nothing
from cli.context import CommandContext
from cli.problems import FINDINGS, CommandError
from domain.formats.typed import TypedAction
from domain.judging.incomplete import find_incomplete
from domain.law.clause import Clause, Refusal
from domain.law.driver import decide_as_played
from domain.law.entries import Entry, Rewound, apply_entry
from domain.law.face_request import FaceRequest
from domain.law.game import Game
from domain.law.law import Law
from domain.law.pledges import awaited_reveals
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, JUDGE, Seat, Table
from domain.words import Text, listed
from domain.words.lines import clip
from projections.findings import Sentence, about_words, render_reasons, sentence
from projections.knowledge import sights
from projections.moments import Moments, group_by_headings, moments
from projections.phrases import Names, seat_name
from projections.rows import Cell, Row, plain
from projections.seen_entries import SeenEntry, seen_entry
from projections.timeline import TimelineEntry, entry_words, render_timeline
from projections.undo_plans import RewindPreview
from projections.why import Reason, reasons
from recorder.answers import (
    Advanced,
    DeckRefused,
    Impossible,
    NoSuchActor,
    RecordResult,
    Reused,
    RewindCost,
    Unavailable,
    Undetermined,
    Unfit,
)
from recorder.match_loader import LoadedMatch
from recorder.store import Conflict, Store

CHANGED_MAX = 20
"""Most entries of another writer that a conflict shows, the newest."""


def not_recorded_error(ctx: CommandContext, store: Store, answer: object) -> CommandError:
    """Return the error for an answer that recorded nothing."""
    match answer:
        case Conflict():
            return conflict(ctx, store, answer.match, answer.expected, answer.actual)
        case Unavailable():
            return ctx.unavailable(answer.match, answer.why)
        case Unfit():
            return ctx.refuse(answer.what)
        case Reused():
            return ctx.problem("cli.reused", match=answer.match, command=repr(answer.command), entry=answer.first)
        case FaceRequest():
            return ctx.problem("cli.face_wanted", place=answer.place)
        case Undetermined():
            return ctx.refuse(answer.what)
        case NoSuchActor():
            return ctx.problem("cli.not_awaited", actor=answer.actor, awaited=listed(answer.awaited))
        case Impossible():
            tag = answer.fact.__struct_config__.tag
            return ctx.problem("cli.impossible", number=answer.number, fact=tag, detail=answer.why)
        case _:
            raise AssertionError(f"an answer without words: {answer}")


def conflict(ctx: CommandContext, store: Store, match: str, expected: int, actual: int) -> CommandError:
    """Return the error for a write conflict, with the other writer's entries."""
    news: Sequence[TimelineEntry] = ()
    if 0 <= expected < actual:
        current = ctx.match(store, match)
        first = max(expected + 1, current.version - CHANGED_MAX + 1)
        news = lines(ctx, current, current.eyes(), first, current.entries[first - 1 :])
    return conflict_error(ctx, match, expected, actual, news)


def conflict_error(
    ctx: CommandContext, match: str, expected: int, actual: int, news: Sequence[TimelineEntry]
) -> CommandError:
    """Return the error for a match at an unexpected entry, with the newest entries since."""
    changed = plain(render_timeline(news, ctx.lang)).split("\n") if news else []
    skipped = ["..."] if news and news[0].number > expected + 1 else []
    message = ctx.say("cli.conflict", match=match, expected=clip(expected), actual=actual)
    return CommandError(message, more=skipped + changed)


def require_recorded(ctx: CommandContext, store: Store, answer: object) -> RecordResult:
    """Return the answer if something was recorded. Raises CommandError."""
    if isinstance(answer, RecordResult):
        return answer
    raise not_recorded_error(ctx, store, answer)


def require_opened(ctx: CommandContext, law: Law, store: Store, answer: object) -> str:
    """Return the id of an opened match. Raises CommandError."""
    if isinstance(answer, str):
        return answer
    raise unopened_error(ctx, law, store, answer)


def unopened_error(ctx: CommandContext, law: Law, store: Store, answer: object) -> CommandError:
    match answer:
        case DeckRefused(seat=seat, refusal=refusal, what=what):
            both = sentence(law, refusal.clause)
            words = ctx.pick(both.en, both.ja)
            return ctx.problem("cli.deck_refused", seat=seat, clause=refusal.clause, what=what, sentence=words)
        case Conflict():
            return ctx.problem("cli.match_exists", match=answer.match)
        case Unfit(what=what) if what.key == "match.whose_deck":
            return CommandError(what.say(ctx.lang), more=[ctx.say("cli.whose_deck")])
        case _:
            return not_recorded_error(ctx, store, answer)


def require_advanced(ctx: CommandContext, store: Store, match: str, answer: object) -> Advanced:
    """Return the result of chance. Raises CommandError if nothing was recorded."""
    if isinstance(answer, Advanced) and answer.entries:
        return answer
    if isinstance(answer, Unavailable):
        before = ctx.match(store, match)
        hint_undrawn(ctx, store, before, before.table)
    raise (
        ctx.refuse(Text("chance.not_asked")) if isinstance(answer, Advanced) else not_recorded_error(ctx, store, answer)
    )


def hint_undrawn(ctx: CommandContext, store: Store, match: LoadedMatch, table: Table) -> None:
    """Print a hint if chance cannot be resolved: the result can be typed, or seats must reveal their secrets first."""
    if CHANCE not in match.game.awaited(table):
        return
    if store.secret(match.id) is None:
        ctx.hint("cli.no_croupier", match=match.id)
    elif seats := awaited_reveals(match.entries):
        ctx.hint("pledge.waits", match=match.id, seats=listed(seats))


class RecordedEntries(Struct, frozen=True):
    """New entries from number `first` on, as a viewer sees them."""

    match: str
    first: int
    version: int
    entries: tuple[SeenEntry, ...]


class ActionRefusal(Struct, frozen=True):
    """An illegal action: its clause, and the conditions checked before it. `missing` are the slots that an incomplete
    action lacks, `candidates` the lines that add them."""

    match: str
    version: int
    action: str
    refused: Clause
    sentence: Sentence
    by_hand: bool
    trail: tuple[Reason, ...]
    code: int = FINDINGS
    missing: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


def answer_refused(
    ctx: CommandContext, match: LoadedMatch, action: str, typed: TypedAction, viewer: Seat, refusal: Refusal
) -> Answer[ActionRefusal]:
    """Return the refusal of an action; its text is printed to stderr.

    The conditions are shown as the viewing seat knows them, to a spectator as the acting seat does. What an incomplete
    action may mean is shown as the viewer knows it.
    """
    actor = typed.actor
    eyes = match.eyes(next((seat for seat in (viewer, actor) if seat in (*match.opening.seats, JUDGE)), JUDGE))
    steps = reasons(eyes, match.table, refusal.trail)
    both = sentence(match.law, refusal.clause)
    lacking = find_incomplete(match, match.table, action, match.eyes(viewer), typed)
    again = decide_as_played(match.law, match.table, actor, typed.action)
    by_hand = isinstance(again, Refusal)
    trail = reasons(eyes, match.table, again.trail) if isinstance(again, Refusal) else ()
    lacks = (lacking.missing, lacking.candidates)
    value = ActionRefusal(match.id, match.version, action, refusal.clause, both, by_hand, steps, FINDINGS, *lacks)
    return tell_refused(ctx, match.law, match.names, value, trail)


def tell_refused(
    ctx: CommandContext, law: Law, names: Names, value: ActionRefusal, again: Sequence[Reason]
) -> Answer[ActionRefusal]:
    """Return a refusal. `again` are the conditions that prevent recording it as played."""
    missing = (about for step in again for about in step.about if about.kind == "missing")
    lacks = dict.fromkeys(about_words(law.game, about, ctx.lang, names) for about in missing)

    def say() -> None:
        words = ctx.pick(value.sentence.en, value.sentence.ja)
        ctx.warn(ctx.say("do.not_allowed", action=value.action.strip(), clause=value.refused, sentence=words))
        ctx.screen.aside_rows(render_reasons(value.trail, law, ctx.lang, names, 1))
        key = "do.refused" if not value.by_hand else "do.incomplete" if lacks else "do.by_hand"
        if value.missing:
            slots = listed(map(law.game.rulebook.both_words, value.missing))
            ctx.screen.aside(ctx.say("record.missing_ask", slots=slots))
            for line in value.candidates:
                ctx.screen.aside(f"  {line}")
        ctx.hint(key, what=ctx.say("list.comma").join(lacks))

    return Answer(lambda: value, do_nothing, FINDINGS, say)


def answer_entries(
    ctx: CommandContext, store: Store, match: str, first: int, entries: Sequence[Entry], eyes: TableViewer
) -> Answer[RecordedEntries]:
    after = ctx.match(store, match)
    seen = tuple(_view_entries(after, eyes, first, entries))
    return tell_written(ctx, after.game, after.names, RecordedEntries(after.id, first, first + len(entries) - 1, seen))


def tell_written(ctx: CommandContext, game: Game, names: Names, written: RecordedEntries) -> Answer[RecordedEntries]:
    def draw() -> None:
        lines = [entry_words(game, entry, ctx.lang, names) for entry in written.entries]
        ctx.screen.rows(render_timeline(lines, ctx.lang))

    return Answer(lambda: written, draw)


def answer_written(
    ctx: CommandContext, store: Store, match: str, answer: object, eyes: TableViewer
) -> Answer[RecordedEntries]:
    """Return the new entries if something was recorded. Raises CommandError."""
    done = require_recorded(ctx, store, answer)
    return answer_entries(ctx, store, match, done.version, (done.entry, *done.also), eyes)


def lines(
    ctx: CommandContext,
    match: LoadedMatch,
    eyes: TableViewer,
    first: int,
    entries: Sequence[Entry],
    before: Table | None = None,
) -> list[TimelineEntry]:
    """Return entries from number `first` on in words. `before` is the table before the first."""
    return [
        entry_words(match.game, seen, ctx.lang, match.names)
        for seen in _view_entries(match, eyes, first, entries, before)
    ]


def _view_entries(
    match: LoadedMatch, eyes: TableViewer, first: int, entries: Sequence[Entry], before: Table | None = None
) -> Iterator[SeenEntry]:
    for number, entry in enumerate(entries, start=first):
        table = match.after(number - 1) if before is None else before
        yield seen_entry(match.game, eyes, number, entry, table, policy=match.opening.policy)
        before = None if isinstance(entry, Rewound) else apply_entry(table, entry)


def answer_cost(
    ctx: CommandContext, match: LoadedMatch, eyes: TableViewer, cost: RewindCost, aside: bool
) -> Answer[RewindPreview]:
    """Return the cost of a rewind; faces are only for the judge and those who learned them."""
    learned = sights(match, eyes, cost.undone)
    priced = RewindPreview(match.id, eyes.viewer, cost.to, cost.undone, cost.restored, learned)

    def see(number: int) -> SeenEntry:
        entry, before = match.entries[number - 1], match.after(number - 1)
        return seen_entry(match.game, eyes, number, entry, before, policy=match.opening.policy)

    return Answer(lambda: priced, lambda: draw_cost(ctx, match.game, priced, see, moments(match, ctx.zone), aside))


def draw_cost(
    ctx: CommandContext, game: Game, priced: RewindPreview, see: Callable[[int], SeenEntry], when: Moments, aside: bool
) -> None:
    """Print the entries a rewind undoes and restores, and the faces learned."""
    write, draw = (ctx.screen.aside, ctx.screen.aside_rows) if aside else (ctx.screen.line, ctx.screen.rows)
    for key, numbers in (("cost", priced.undone), ("restored", priced.restored)):
        if numbers or key == "cost":
            write(ctx.say(f"rewind.{key}", to=priced.to, n=len(numbers)))
        parts = []
        for number in numbers:
            text = f"{number} {entry_words(game, see(number), ctx.lang, when.names).text}"
            parts.append(((when.turn(number, ctx.lang),), (Row("entry", (Cell(text),), 1),)))
        draw(group_by_headings(parts, ctx.lang))
    for sight in priced.learned:
        who = ctx.say("who.everyone") if sight.who == "spectator" else seat_name(when.names, sight.who, ctx.lang)
        key = "rewind.looked" if sight.number is None else "rewind.learned_faces" if sight.faces else "rewind.learned"
        write(ctx.say(key, who=who, n=sight.number, entry=sight.entry, faces=" ".join(sight.faces)))
    if not priced.learned:
        write(ctx.say("rewind.nothing_learned"))
