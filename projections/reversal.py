"""Effects of a rewind on the table: what each undone entry reverts, and what people must do by hand. Both use only one
viewer's view of the tables."""

from collections.abc import Collection, Iterator
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import Rewound, tables
from domain.law.game import Game
from domain.law.record import Record
from domain.table.physics import Physics
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, Place, Table
from domain.words import Lang, say
from projections import phrases as P
from projections.differences import Differences, MovedCard, differences, differing_parts
from projections.findings import Sentence, say_entry
from projections.seen_entries import seen_entry


class Reversal(Struct, frozen=True):
    """An undone entry, with the differences between the tables before (one) and after it (other)."""

    entry: int
    what: Sentence
    back: Differences


class Chance(Struct, frozen=True, kw_only=True):
    """Parts of a rewind that the view alone cannot restore. `again` is True if chance is asked again. `shuffled` are
    entries with a shuffle. `which` are places whose returning cards this viewer cannot identify."""

    again: bool
    shuffled: tuple[int, ...] = ()
    which: tuple[tuple[Place, int], ...] = ()


def reversals(record: Record, eyes: TableViewer, undone: Collection[int]) -> tuple[Reversal, ...]:
    wanted = frozenset(undone)
    steps = [
        Reversal(
            number,
            say_entry(
                record.game,
                seen_entry(record.game, eyes, number, entry, before, policy=record.opening.policy),
                record.names,
            ),
            differences(eyes, before, after),
        )
        for number, entry, before, after in tables(record.entries)
        if number in wanted and not isinstance(entry, Rewound)
    ]
    return tuple(reversed(steps))


def chance(record: Record, eyes: TableViewer, now: Table, then: Table, undone: Collection[int]) -> Chance:
    """Return the parts of a rewind between two tables that depend on chance."""
    shuffled = [
        number
        for number, entry, before, _ in tables(record.entries)
        if number in undone
        and any(fact.shuffled for fact in seen_entry(record.game, eyes, number, entry, before, flow=True).facts)
    ]
    hidden = [
        (place.place, place.count)
        for place in eyes.places(now)
        if place.count and not place.cards and place.place in _list_fewer(eyes, now, then)
    ]
    return Chance(again=CHANCE in record.law.awaited(then), shuffled=tuple(shuffled), which=tuple(hidden))


def _list_fewer(eyes: TableViewer, now: Table, then: Table) -> frozenset[Place]:
    diff = differences(eyes, then, now)
    return frozenset(count.place for count in diff.counts if (count.one or 0) < (count.other or 0))


def list_restore_steps(diff: Differences, game: Game, physics: Physics, lang: Lang, names: P.Names) -> tuple[str, ...]:
    """Return the steps to restore one table from the other by hand, one line each."""
    lines = (
        *_cards(diff, game, physics, lang, names),
        *_counts(diff, game, lang, names),
        *_states(diff, game, lang, names),
    )
    return tuple(dict.fromkeys(lines))


def _cards(diff: Differences, game: Game, physics: Physics, lang: Lang, names: P.Names) -> Iterator[str]:
    """Yield the moves of cards. For a pile only its top is visible: a card that is on top again never left."""
    tops = {moved.one for moved in diff.moved if moved.other is None and _is_pile(physics, moved.one)}
    counted = tops | {count.place for count in diff.counts}
    for moved in diff.moved:
        if moved.other is None and moved.one is not None and moved.one in tops:
            place = P.place_words(game, moved.one, lang, names)
            yield say("restore.top", lang, card=P.card_words(game, moved.card, lang), place=place)
        elif not (moved.one is None and moved.other in counted and _is_pile(physics, moved.other)):
            yield _write_move(moved, game, lang, names)


def _is_pile(physics: Physics, place: Place | None) -> TypeGuard[Place]:
    area = physics.area(place) if place is not None else None
    return area is not None and area.order == "pile"


def _write_move(moved: MovedCard, game: Game, lang: Lang, names: P.Names) -> str:
    card = P.card_words(game, moved.card, lang)
    places = {
        name: P.place_words(game, place, lang, names)
        for name, place in (("back", moved.one), ("now", moved.other))
        if place is not None
    }
    key = "both" if len(places) == 2 else "shown" if "back" in places else "hidden"
    return say(f"restore.{key}", lang, card=card, **places)


def _counts(diff: Differences, game: Game, lang: Lang, names: P.Names) -> Iterator[str]:
    for count in diff.counts:
        if count.one is not None and count.other is not None:
            name = P.place_words(game, count.place, lang, names)
            yield say("restore.count", lang, place=name, now=count.other, back=count.one)


def _states(diff: Differences, game: Game, lang: Lang, names: P.Names) -> Iterator[str]:
    nothing = say("diff.nothing", lang)
    for place in diff.reordered:
        yield say("restore.order", lang, place=P.place_words(game, place, lang, names))
    for card in diff.cards:
        what = P.card_words(game, card.one, lang)
        for name, back, now in differing_parts(card, game, lang, names):
            label = say("diff.part", lang, what=what, name=name)
            yield say("restore.state", lang, what=label, back=back or nothing, now=now or nothing)
    for mark in diff.marks:
        if not game.display.is_counter(mark.name):
            who = say("who.table", lang) if mark.seat is None else P.seat_name(names, mark.seat, lang)
            label = say("diff.part", lang, what=who, name=P.word(game, mark.name, lang))
            yield say("restore.state", lang, what=label, back=mark.one, now=mark.other)
    if diff.clock is not None:
        back, now = (P.clock_words(game, replace(clock, awaited=(), passed=()), lang, names) for clock in diff.clock)
        if back != now:
            yield say("restore.state", lang, what=say("diff.clock", lang), back=back, now=now)
