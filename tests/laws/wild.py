"""Arbitrary actions built from slots: anything expressible about a table, lawful or not."""

from collections.abc import Iterator
from itertools import islice, permutations, product
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.law.game import Game
from domain.law.offers import Template
from domain.law.slots import Action, Slot, slots
from domain.table.table import CHANCE, JUDGE, LANES, CardId, FrameId, Place, Seat, Table, area, lane

NO_CARD = CardId(0)
STRANGER = CardId(999_999)
WORDS = ("", "charged", "no such word", "審判")
EXPANDED_MAX = 6_000
"""Templates with more expansions than this are left out of set comparisons."""


def wild(game: Game, table: Table, random: Random) -> tuple[Seat, Action]:
    """Return any action by any actor, biased towards plausible cards and the actor's own."""
    actor = random.choice((*table.seats, *table.seats, *table.seats, CHANCE, JUDGE))
    action_type = random.choice(game.action_types)
    return actor, wild_of(game, table, actor, action_type, random)


def wild_of(game: Game, table: Table, actor: Seat, action_type: type[Action], random: Random) -> Action:
    values = {one.name: _value(game, table, actor, one.slot, random) for one in slots(action_type)}
    return read_back(game, action_type(**values))


def read_back(game: Game, action: Action) -> Action:
    """Return the action after a round trip through a record; fail if it changes."""
    again = game.decoder().decode(msgspec.msgpack.encode(action))
    assert again == action
    return again


def _value(game: Game, table: Table, actor: Seat, slot: Slot, random: Random) -> Any:
    match slot.kind:
        case "card":
            return _card(table, actor, slot, random)
        case "cards":
            return tuple(_card(table, actor, slot, random) for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3))))
        case "pairs":
            count = random.choice((0, 1, 1, 2, 3))
            return tuple((_card(table, actor, slot, random), _card(table, actor, slot, random)) for _ in range(count))
        case "order":
            row = list(table.places.get(random.choice(tuple(table.places)), ()))
            random.shuffle(row)
            return tuple(row)
        case "frame":
            ids = [one.id for name in LANES for one in lane(table, name)]
            return random.choice((*ids, FrameId(0), FrameId(table.framed + 1)))
        case "frames":
            ids = [one.id for name in LANES for one in lane(table, name)]
            return tuple(random.choice((*ids, FrameId(0))) for _ in range(random.choice((0, 1, 2, 2, 3))))
        case "seat":
            return random.choice((*table.seats, *table.seats, Seat(""), CHANCE))
        case "place":
            return random.choice((*table.places, Place("nowhere")))
        case "places":
            row = [*table.places, Place("nowhere")]
            at = random.randrange(len(row))
            return tuple(row[at : at + random.choice((0, 1, 1, 2, 2, 3))])
        case "word":
            return random.choice(slot.words or (*game.other_verbs, *WORDS))
        case "flag":
            return random.random() < 0.5
        case "text":
            return random.choice(("", " ", "time", "時間切れ"))
        case "number":
            return random.choice((-1, 0, 1, 2, 3, 40))


def _card(table: Table, actor: Seat, slot: Slot, random: Random) -> CardId:
    if random.random() < 0.04:
        return random.choice((NO_CARD, STRANGER))
    own = slot.own and random.random() < 0.9
    there = cards_in(table, slot.areas if random.random() < 0.9 else (), actor if own else None)
    return random.choice(there) if there else random.choice(tuple(table.pieces) or (NO_CARD,))


def cards_in(table: Table, areas: tuple[str, ...], seat: Seat | None = None) -> tuple[CardId, ...]:
    """Return the cards in these areas (all areas if none is given), of one seat or of all."""
    found: list[CardId] = []
    for place, cards in table.places.items():
        whose, dot, rest = area(place).partition(".")
        if (not areas or (rest if dot else whose) in areas) and (seat is None or not dot or whose == seat):
            found += cards
    return tuple(found)


def expand(template: Template) -> tuple[Action, ...] | None:
    """Return every expansion of a template, or None if there are too many."""
    found = tuple(islice(template.expansions(), EXPANDED_MAX + 1))
    return None if len(found) > EXPANDED_MAX else found


def normal(templates: list[Template], action: Action) -> Action:
    """Return the action with unordered slots sorted and free text removed, so that equal actions compare equal."""
    ordered = {choice.slot for one in templates for choice in one.choices if choice.ordered}
    changes: dict[str, Any] = {one.name: one.default for one in slots(type(action)) if one.slot.kind == "text"}
    changes |= {
        one.name: tuple(sorted(getattr(action, one.name)))
        for one in slots(type(action))
        if one.slot.kind in ("cards", "pairs") and one.name not in ordered
    }
    return replace(action, **changes) if changes else action


def by_hosts(table: Table, action: Action) -> Action:
    """Return the action with every attached card replaced by its host, another name for the same unit."""

    def hosted(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(dict.fromkeys(map(hosted, value)))
        return (value in table.pieces and table.pieces[value].host) or value

    named = (one.name for one in slots(type(action)) if one.slot.kind in ("card", "cards", "pairs"))
    return replace(action, **{name: hosted(getattr(action, name)) for name in named})


def universe(game: Game, table: Table, actor: Seat, action_type: type[Action], random: Random, most: int) -> list[Any]:
    """Return actions from every plausible slot value: all of them, or `most` at random."""
    columns = [(one.name, list(_values(game, table, actor, one.slot))) for one in slots(action_type)]
    size = 1
    for _, values in columns:
        size *= len(values)
    names = [name for name, _ in columns]
    if size <= most:
        picked: Any = product(*(values for _, values in columns))
    else:
        picked = (tuple(random.choice(values) for _, values in columns) for _ in range(most))
    return [action_type(**dict(zip(names, values, strict=True))) for values in picked]


def neighbours(game: Game, table: Table, actor: Seat, action: Action, random: Random, most: int) -> Iterator[Action]:
    for one in slots(type(action)):
        values = list(_values(game, table, actor, one.slot))
        for value in random.sample(values, min(most, len(values))):
            yield replace(action, **{one.name: value})


def _values(game: Game, table: Table, actor: Seat, slot: Slot) -> Iterator[Any]:
    cards = cards_in(table, slot.areas, actor if slot.own else None) if slot.areas else tuple(table.pieces)
    match slot.kind:
        case "card":
            yield from (NO_CARD, *cards)
        case "cards" | "order":
            for size in (0, 1, 2):
                yield from permutations(cards, size)
        case "pairs":
            yield ()
            pairs = tuple(permutations(cards, 2))
            yield from ((pair,) for pair in pairs)
            yield from islice(permutations(pairs, 2), 2_000)
        case "frame":
            yield FrameId(0)
            yield from (one.id for name in LANES for one in lane(table, name))
            yield FrameId(table.framed + 1)
        case "frames":
            ids = [one.id for name in LANES for one in lane(table, name)]
            for size in (0, 1, 2):
                yield from permutations(ids, size)
        case "seat":
            yield from (Seat(""), *table.seats, CHANCE)
        case "place":
            yield from table.places
        case "places":
            yield from ((place,) for place in table.places)
            yield from zip(table.places, islice(table.places, 1, None), strict=False)
            yield ()
        case "word":
            yield from ("", *slot.words) if slot.words else ("", *game.other_verbs)
        case "flag":
            yield from (False, True)
        case "text":
            yield from ("", "time")
        case "number":
            yield from range(-1, 10)
