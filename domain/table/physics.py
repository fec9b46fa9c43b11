"""Physical checks of facts and tables against a schema."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from domain.table import facts as F, table as T
from domain.table.schema import Area, Kind, Mark, Schema, family
from domain.words import Text

ACTORS: Final = (T.CHANCE, T.JUDGE)

PIECES_MAX: Final = 10_000
"""Cards of a table at most, five times the largest decks of four players."""

PLACES_MAX: Final = 4_096
"""Cached places per schema. Typed text may name any number of places that do not exist."""

SCHEMAS_MAX: Final = 64

_DIGITS_MAX: Final = 9


class Physics:
    """Lookup of a schema's names, and checks of facts and tables against it."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.areas: dict[str, Area] = {area.name: area for area in schema.areas}
        self.kinds: dict[str, Kind] = {kind.name: kind for kind in schema.kinds}
        self.marks: dict[tuple[str, str], Mark] = {(mark.of, mark.name): mark for mark in schema.marks}
        self.area: Callable[[T.Place], Area | None] = lru_cache(PLACES_MAX)(self._find)
        """Return the area of a place, None if the table has no such place."""
        self.seat: Callable[[T.Place], T.Seat | None] = lru_cache(PLACES_MAX)(T.seat_of)

    def _find(self, place: T.Place) -> Area | None:
        area = self.areas.get(T.zone(place))
        if area is None or area.per_seat == (T.seat_of(place) is None):
            return None
        match area.order:
            case "grid":
                return area if _on_grid(place, area.size) else None
            case "slots":
                return area if _is_slot(place, area.size[0]) else None
            case _:
                return None if ":" in place else area

    def mark(self, of: str, name: str) -> Mark | None:
        """Return the declaration of a mark; a family `used.*` declares `used.3`."""
        return self.marks.get((of, name)) or self.marks.get((of, family(name)))

    def explain_impossible(self, table: T.Table, fact: F.AnyFact) -> Text | None:
        """Return why a fact is physically impossible on this table; None if it is possible."""
        return next(self._faults(table, fact), None)

    def _faults(self, table: T.Table, fact: F.AnyFact) -> Iterator[Text]:
        match fact:
            case F.Created(place, cards, faces, owner):
                yield from self._check_place(table, place)
                if owner != T.NOBODY:
                    yield from _check_seat(table, owner)
                if len(cards) != len(faces):
                    yield Text("wrong.faces")
                if len(set(cards)) != len(cards):
                    yield Text("wrong.twice")
                if len(table.pieces) + len(cards) > PIECES_MAX:
                    yield Text("wrong.pieces", {"most": PIECES_MAX})
                yield from (Text("wrong.exists", {"card": card}) for card in cards if card in table.pieces)
            case F.Moved(cards, to):
                yield from _check_cards(table, cards)
                yield from self._check_place(table, to)
            case F.Arranged(place, cards):
                yield from self._check_place(table, place)
                if sorted(table.places.get(place, ())) != sorted(cards):
                    yield Text("wrong.order", {"place": place})
            case F.Stanced(cards, to):
                yield from _check_cards(table, cards)
                if not 0 <= to < len(self.schema.stances):
                    yield Text("wrong.stance", {"stance": to})
            case F.Controlled(cards, by):
                yield from _check_cards(table, cards)
                yield from _check_seat(table, by)
            case F.Tied(cards, to):
                yield from _check_cards(table, (*cards, to) if to else cards)
                if to in cards:
                    yield Text("wrong.tied")
            case F.Removed(cards) | F.Turned(cards):
                yield from _check_cards(table, cards)
            case F.Shown(cards, to):
                yield from _check_cards(table, cards)
                for seat in to:
                    if seat != T.EVERYONE:
                        yield from _check_seat(table, seat)
            case F.Marked():
                yield from self._check_mark(table, fact)
            case F.Learned(card):
                yield from _check_cards(table, (card,))
            case F.Identified(cards, faces):
                if len(cards) != len(faces):
                    yield Text("wrong.faces")
                yield from _check_cards(table, cards)
            case F.Pushed(new):
                yield from self._check_frame(table, new)
            case F.Altered(wanted) | F.Popped(wanted):
                if T.frame(table, wanted) is None:
                    yield Text("wrong.frame", {"frame": wanted})
            case F.Began(effect):
                yield from self._check_new_effect(table, effect)
            case F.Adjusted(effect):
                yield from _check_effects(table, (effect,))
            case F.Ended(effects):
                yield from _check_effects(table, effects)
            case F.Clocked(clock):
                yield from self._check_clock(table, clock)
            case F.Finished(result):
                for seat in result.winners:
                    yield from _check_seat(table, seat)
            case F.Rolled():
                return

    def _check_place(self, table: T.Table, place: T.Place) -> Iterator[Text]:
        area = self.area(place)
        seat = self.seat(place)
        if area is None or (seat is not None and seat not in table.seats):
            yield Text("wrong.place", {"place": repr(place)})

    def _check_mark(self, table: T.Table, fact: F.Marked) -> Iterator[Text]:
        if isinstance(fact.on, tuple):
            yield from _check_cards(table, fact.on)
        elif fact.on is not None:
            yield from _check_seat(table, fact.on)
        of = "table" if fact.on is None else "card" if isinstance(fact.on, tuple) else "seat"
        mark = self.mark(of, fact.name)
        if mark is None:
            yield Text("wrong.mark", {"mark": repr(fact.name), "of": Text(f"wrong.of_{of}")})
        elif fact.to < mark.least or (mark.most is not None and fact.to > mark.most):
            yield Text("wrong.mark_at", {"mark": repr(fact.name), "to": fact.to})

    def _check_frame(self, table: T.Table, new: T.Frame) -> Iterator[Text]:
        kind = self.kinds.get(new.kind)
        if kind is None:
            yield Text("wrong.kind", {"kind": repr(new.kind)})
            return
        if new.lane not in kind.lanes:
            yield Text("wrong.lane", {"kind": repr(new.kind), "lane": repr(new.lane)})
        if new.step and new.step not in kind.steps:
            yield Text("wrong.frame_step", {"kind": repr(new.kind), "step": repr(new.step)})
        if T.frame(table, new.id) is not None:
            yield Text("wrong.frame_exists", {"frame": new.id})
        if new.by not in ACTORS:
            yield from _check_seat(table, new.by)
        yield from _check_cards(table, new.cards)

    def _check_new_effect(self, table: T.Table, new: T.Effect) -> Iterator[Text]:
        if new.kind not in self.schema.effects:
            yield Text("wrong.effect", {"effect": repr(new.kind)})
        if new.until and new.until not in self.schema.untils:
            yield Text("wrong.until", {"until": repr(new.until)})
        if any(effect.id == new.id for effect in table.effects):
            yield Text("wrong.effect_exists", {"effect": new.id})

    def _check_clock(self, table: T.Table, clock: T.Clock) -> Iterator[Text]:
        for seat in (*clock.awaited, *clock.passed):
            yield from _check_seat(table, seat)
        if clock.phase not in self.schema.phases:
            yield Text("wrong.phase", {"phase": repr(clock.phase)})
        elif clock.step and clock.step not in self.schema.steps.get(clock.phase, (clock.step,)):
            yield Text("wrong.step", {"phase": repr(clock.phase), "step": repr(clock.step)})

    def overfull(self, table: T.Table) -> Iterator[tuple[T.Place, int]]:
        """Yield the places that hold more cards than they may. Valid between entries only."""
        for place, cards in table.places.items():
            area = self.area(place)
            if area is not None and area.most is not None and len(cards) > area.most:
                yield place, area.most


@lru_cache(SCHEMAS_MAX)
def physics_of(schema: Schema) -> Physics:
    """Return the physics of a schema, cached together with its lookups of places."""
    return Physics(schema)


def _on_grid(place: T.Place, size: tuple[int, int]) -> bool:
    column, _comma, row = T.square(place).partition(",")
    return _is_index(column, size[0]) and _is_index(row, size[1])


def _is_slot(place: T.Place, slots: int) -> bool:
    return _is_index(T.square(place), slots)


def _is_index(text: str, most: int) -> bool:
    """True if a text is a number from 1 to `most` without leading zeros."""
    if len(text) > _DIGITS_MAX or not (text.isascii() and text.isdigit()):
        return False
    return str(int(text)) == text and 1 <= int(text) <= most


def _check_cards(table: T.Table, cards: tuple[T.CardId, ...]) -> Iterator[Text]:
    if len(set(cards)) != len(cards):
        yield Text("wrong.twice")
    yield from (Text("wrong.card", {"card": card}) for card in cards if card not in table.pieces)


def _check_seat(table: T.Table, seat: T.Seat) -> Iterator[Text]:
    if seat not in table.seats:
        yield Text("wrong.seat", {"seat": repr(seat)})


def _check_effects(table: T.Table, effects: tuple[int, ...]) -> Iterator[Text]:
    known = {effect.id for effect in table.effects}
    yield from (Text("wrong.effect", {"effect": effect}) for effect in effects if effect not in known)
