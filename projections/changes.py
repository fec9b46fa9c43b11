"""Changes of the table between two entries by place, from the differences of two views."""

from collections.abc import Iterator

from domain.law.game import Game
from domain.table.table import Place
from domain.words import Lang, say
from projections import phrases as P
from projections.differences import Differences, MovedCard, differing_parts, frame_text
from projections.rows import Cell, Row


def render_changes(diff: Differences, game: Game, lang: Lang, names: P.Names) -> list[Row]:
    """Return rows for each place, then seats, frames, effects, clock and result; one row if nothing changed. In `diff`,
    `one` is the later table and `other` the earlier."""
    rows: list[Row] = []
    for place in _places(diff):
        heading, below = _place(diff, place, game, lang, names)
        rows.append(Row("heading", (Cell(heading, "heading"),)))
        rows += [Row("change", (Cell(text, "change"),), 1) for text in below]
    rows += [Row("change", (Cell(text, "change"),)) for text in _others(diff, game, lang, names)]
    return rows or [Row("none", (Cell(say("diff.none", lang), "none"),))]


def _places(diff: Differences) -> list[Place]:
    """Return all changed places. Places with a changed count are first, in the schema's order."""
    named = [count.place for count in diff.counts]
    named += [place for moved in diff.moved for place in (moved.other, moved.one) if place is not None]
    named += [*diff.reordered, *(card.place for card in diff.cards)]
    return list(dict.fromkeys(named))


def _place(diff: Differences, place: Place, game: Game, lang: Lang, names: P.Names) -> tuple[str, list[str]]:
    name = P.place_words(game, place, lang, names)
    for count in diff.counts:
        if count.place == place:
            before, after = ("?" if number is None else str(number) for number in (count.other, count.one))
            name = say("changes.count", lang, place=name, before=before, after=after)
    below = [_write_departure(moved, game, lang, names) for moved in diff.moved if moved.other == place]
    below += [_write_arrival(moved, game, lang, names) for moved in diff.moved if moved.one == place]
    below += [say("changes.order", lang)] if place in diff.reordered else []
    for card in diff.cards:
        if card.place == place:
            what = P.card_words(game, card.one, lang)
            below += [
                _write_change(say("diff.part", lang, what=what, name=name_), before, after, lang)
                for name_, after, before in differing_parts(card, game, lang, names)
            ]
    return name, below


def _write_departure(moved: MovedCard, game: Game, lang: Lang, names: P.Names) -> str:
    card = P.card_words(game, moved.card, lang)
    if moved.one is None:
        return say("changes.unseen", lang, card=card)
    return say("changes.went", lang, card=card, place=P.place_words(game, moved.one, lang, names))


def _write_arrival(moved: MovedCard, game: Game, lang: Lang, names: P.Names) -> str:
    card = P.card_words(game, moved.card, lang)
    if moved.other is None:
        return say("changes.seen", lang, card=card)
    return say("changes.came", lang, card=card, place=P.place_words(game, moved.other, lang, names))


def _write_change(what: str, before: str, after: str, lang: Lang) -> str:
    nothing = say("diff.nothing", lang)
    return say("changes.value", lang, what=what, before=before or nothing, after=after or nothing)


def _others(diff: Differences, game: Game, lang: Lang, names: P.Names) -> Iterator[str]:
    for mark in diff.marks:
        if game.display.is_counter(mark.name):
            continue
        what = say("who.table", lang) if mark.seat is None else P.seat_name(names, mark.seat, lang)
        name = say("diff.part", lang, what=what, name=P.word(game, mark.name, lang))
        yield _write_change(name, str(mark.other), str(mark.one), lang)
    for frame in diff.frames:
        before, after = (frame_text(side, game, lang, names) if side else "" for side in (frame.other, frame.one))
        yield _write_change(say(f"lane.{frame.lane}", lang), before, after, lang)
    for effect in diff.effects:
        before, after = (P.effect_words(game, side, lang, names) if side else "" for side in (effect.other, effect.one))
        yield _write_change(say("lane.effects", lang), before, after, lang)
    if diff.clock is not None:
        after, before = (P.clock_words(game, clock, lang, names) for clock in diff.clock)
        yield _write_change(say("diff.clock", lang), before, after, lang)
    if diff.result is not None:
        after, before = (P.result_words(game, result, lang, names) if result else "" for result in diff.result)
        yield _write_change(say("diff.result", lang), before, after, lang)
