"""Differences between two tables as one viewer sees them. `one` is the table in question (the record), `other` the
table to compare with (the law)."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct

from domain.law.game import Game
from domain.table.physics import Physics
from domain.table.redact import SeenCard, SeenEffect, SeenFrame, SeenPlace, TableViewer
from domain.table.table import LANES, Clock, Place, Result, Seat, Table
from domain.words import Lang, say
from projections.phrases import Names, frame_words, seat_name, word
from projections.stack_rows import column_cells

Key = TypeVar("Key")
Value = TypeVar("Value")
Item = TypeVar("Item", SeenFrame, SeenEffect)


class MovedCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card in another place; a place is None if the viewer sees the card on one table only."""

    card: SeenCard
    one: Place | None = None
    other: Place | None = None


class CountDiffers(Struct, frozen=True, kw_only=True):
    """A place with another number of cards, exact or minimum."""

    place: Place
    one: int | None
    other: int | None


class CardDiffers(Struct, frozen=True, kw_only=True):
    """A card in the same place with another state."""

    one: SeenCard
    other: SeenCard
    place: Place


class MarkDiffers(Struct, frozen=True, kw_only=True):
    """A mark of a seat, or of the table (None), with another number."""

    seat: Seat | None
    name: str
    one: int
    other: int


class FrameDiffers(Struct, frozen=True, kw_only=True):
    """A frame with another state, or missing on one table."""

    lane: str
    one: SeenFrame | None
    other: SeenFrame | None


class EffectDiffers(Struct, frozen=True, kw_only=True):
    """An effect with another state, or missing on one table."""

    one: SeenEffect | None
    other: SeenEffect | None


class Differences(Struct, frozen=True, kw_only=True):
    viewer: Seat
    moved: tuple[MovedCard, ...] = ()
    counts: tuple[CountDiffers, ...] = ()
    reordered: tuple[Place, ...] = ()
    cards: tuple[CardDiffers, ...] = ()
    marks: tuple[MarkDiffers, ...] = ()
    frames: tuple[FrameDiffers, ...] = ()
    effects: tuple[EffectDiffers, ...] = ()
    clock: tuple[Clock, Clock] | None = None
    result: tuple[Result | None, Result | None] | None = None


class _PairedCard(Struct, eq=False):
    """A card on one table with its counterpart on the other. Compared by identity."""

    place: Place
    card: SeenCard
    partner: "_PairedCard | None" = None


def differences(eyes: TableViewer, one: Table, other: Table) -> Differences:
    """Return the differences that a viewer sees between two tables."""
    if one is other:  # entries such as notes and disputes keep the table
        return Differences(viewer=eyes.viewer)
    mine, theirs = eyes.places(one), eyes.places(other)
    ours, others = _list_cards(mine), _list_cards(theirs)
    _pair(ours, others)
    pairs = [(card, card.partner) for card in ours if card.partner is not None]
    hosts = _hosts(ours), _hosts(others)
    moved = [MovedCard(card=a.card, one=a.place, other=b.place) for a, b in pairs if a.place != b.place]
    moved += [MovedCard(card=a.card, one=a.place) for a in ours if a.partner is None]
    moved += [MovedCard(card=b.card, other=b.place) for b in others if b.partner is None]
    return Differences(
        viewer=eyes.viewer,
        moved=tuple(moved),
        counts=tuple(
            CountDiffers(place=place, one=a, other=b) for place, a, b in _list_unlike(_counts(mine), _counts(theirs), 0)
        ),
        reordered=tuple(_list_reordered(eyes.physics, ours, others)),
        cards=tuple(
            CardDiffers(one=a.card, other=b.card, place=a.place)
            for a, b in pairs
            if a.place == b.place and _get_state(a.card, hosts[0]) != _get_state(b.card, hosts[1])
        ),
        marks=tuple(_marks(one, other)),
        frames=tuple(
            FrameDiffers(lane=lane, one=a, other=b)
            for lane in LANES
            for _, a, b in _list_unlike_by_id(eyes.lanes(one)[lane], eyes.lanes(other)[lane])
        ),
        effects=tuple(
            EffectDiffers(one=a, other=b) for _, a, b in _list_unlike_by_id(eyes.effects(one), eyes.effects(other))
        ),
        clock=None if one.clock == other.clock else (one.clock, other.clock),
        result=None if one.result == other.result else (one.result, other.result),
    )


def _list_cards(places: Iterable[SeenPlace]) -> list[_PairedCard]:
    return [_PairedCard(place.place, card) for place in places for card in place.cards]


def _pair(ours: list[_PairedCard], others: list[_PairedCard]) -> None:
    """Match the cards: by id or thing, then by face in the same place, then by unique face anywhere."""
    _pair_by(ours, others, lambda a: a.card.card or (a.card.thing and ("u", a.card.thing, a.card.face)))
    _pair_by(ours, others, lambda a: (a.place, a.card.face, a.card.owner))
    _pair_by(ours, others, lambda a: a.card.face and (a.card.face, a.card.owner), unique=True)


def _pair_by(
    ours: list[_PairedCard], others: list[_PairedCard], key: Callable[[_PairedCard], Hashable], *, unique: bool = False
) -> None:
    waiting: dict[Hashable, list[_PairedCard]] = {}
    for card in others:
        if card.partner is None and (name := key(card)):
            waiting.setdefault(name, []).append(card)
    wanted = Counter(key(card) for card in ours if card.partner is None)
    for card in ours:
        name = key(card)
        alike = waiting.get(name)
        if card.partner is None and name and alike and (not unique or len(alike) == wanted[name] == 1):
            partner = alike.pop(0)
            card.partner, partner.partner = partner, card


def _hosts(cards: list[_PairedCard]) -> dict[int, tuple[Place, str | None]]:
    return {paired.card.thing: (paired.place, paired.card.face) for paired in cards if paired.card.thing}


def _get_state(card: SeenCard, hosts: Mapping[int, tuple[Place, str | None]]) -> tuple[object, ...]:
    host = hosts.get(card.host) if card.host else None
    return (card.face, card.owner, card.controller, card.up, card.stance, host, card.marks)


def _list_unlike(
    one: Mapping[Key, Value], other: Mapping[Key, Value], none: Value
) -> Iterator[tuple[Key, Value, Value]]:
    """Yield the keys whose values differ; `none` replaces a missing value."""
    for name in dict.fromkeys((*one, *other)):
        a, b = one.get(name, none), other.get(name, none)
        if a != b:
            yield name, a, b


def _counts(places: Iterable[SeenPlace]) -> dict[Place, int | None]:
    return {place.place: place.least if place.count is None else place.count for place in places}


def _list_reordered(physics: Physics, ours: list[_PairedCard], others: list[_PairedCard]) -> Iterator[Place]:
    """Yield places with the same cards in another order, if their order matters."""
    for place in dict.fromkeys(card.place for card in ours):
        area = physics.area(place)
        mine = [a for a in ours if a.place == place and a.partner is not None and a.partner.place == place]
        theirs = [b.partner for b in others if b.place == place and b.partner in mine]
        if area is not None and area.order != "bag" and mine != theirs:
            yield place


def _marks(one: Table, other: Table) -> Iterator[MarkDiffers]:
    holders: list[tuple[Seat | None, Mapping[str, int], Mapping[str, int]]] = [(None, one.marks, other.marks)]
    holders += [(seat, marks, other.seats.get(seat, {})) for seat, marks in one.seats.items()]
    for seat, mine, theirs in holders:
        for name, a, b in sorted(_list_unlike(mine, theirs, 0)):
            yield MarkDiffers(seat=seat, name=name, one=a, other=b)


def _list_unlike_by_id(one: Sequence[Item], other: Sequence[Item]) -> Iterator[tuple[int, Item | None, Item | None]]:
    mine, theirs = ({thing.id: thing for thing in side} for side in (one, other))
    return iter(sorted(_list_unlike(mine, theirs, None), key=itemgetter(0)))


def frame_text(frame: SeenFrame, game: Game, lang: Lang, names: Names) -> str:
    """Return a frame in words: kind, aims and next step."""
    step = say("lane.step", lang, step=word(game, frame.step, lang)) if frame.step else ""
    parts = (
        frame_words(game, frame, lang, names),
        *(cell.text for cell in column_cells(frame, game, lang, names)),
        step,
    )
    return " ".join(part for part in parts if part)


def differing_parts(differs: CardDiffers, game: Game, lang: Lang, names: Names) -> Iterator[tuple[str, str, str]]:
    """Yield the differing parts of a card: name and both values in words."""
    one, other = differs.one, differs.other
    if one.face != other.face:
        yield say("diff.printed", lang), one.face or "", other.face or ""
    if one.up != other.up:
        sides = {True: say("diff.up", lang), False: say("diff.down", lang)}
        yield say("diff.face", lang), sides[one.up], sides[other.up]
    if one.stance != other.stance:
        yield say("diff.stance", lang), word(game, one.stance, lang), word(game, other.stance, lang)
    if (one.controller or one.owner) != (other.controller or other.owner):
        ours, theirs = (seat_name(names, side.controller or side.owner or "", lang) for side in (one, other))
        yield say("diff.controller", lang), ours, theirs
    if bool(one.host) != bool(other.host) or (one.host != other.host and one.card is None):
        on, at = (say("card.thing", lang, thing=host) if host else "" for host in (one.host, other.host))
        yield say("diff.host", lang), on, at
    for name in sorted({*one.marks, *other.marks}):
        if one.marks.get(name) != other.marks.get(name):
            yield word(game, name, lang), str(one.marks.get(name, 0)), str(other.marks.get(name, 0))
