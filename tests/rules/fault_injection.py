"""Fault injection: tables and matches of random play with an error, to show that an invariant detects it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.entries import entry_facts
from domain.law.game import Game
from domain.law.invariants import Match, PlayedAction, match_of
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import AnyFact, Clocked
from domain.table.schema import Visibility, VisibilityLevel
from domain.table.table import CardId, Place, Seat, Table, blank
from tests.laws.samples import Sample

WAYS = ("table", "fact", "deed", "match")
Prepare = Callable[[Table], Table]
Doctor = Callable[[Table], tuple[Clause, AnyFact]]
"""A function from a prepared table to a fact that violates an invariant on it."""


def ways(game: Game, rules: Any, way: str) -> dict[str, Callable[..., bool]]:
    return {one.name: getattr(one, way) for one in game.invariants(rules) if getattr(one, way) is not None}


def as_it_is(t: Table) -> Table:
    return t


def pieces(t: Table, *cards: CardId, **changes: Any) -> Table:
    return t.with_changes(pieces={**t.pieces, **{card: replace(t.pieces[card], **changes) for card in cards}})


def ticking(t: Table, **changes: Any) -> Table:
    return t.with_changes(clock=replace(t.clock, **changes))


def clock(t: Table, **changes: Any) -> Clocked:
    return Clocked(replace(t.clock, **changes))


def seated(t: Table, seat: Seat, **marks: int) -> Table:
    return t.with_changes(seats={**t.seats, seat: {**t.seats[seat], **marks}})


def active(t: Table) -> Seat:
    assert t.clock.active is not None
    return t.clock.active


def without(t: Table, one: CardId) -> Table:
    return t.with_changes(pieces={other: piece for other, piece in t.pieces.items() if other != one})


def lying(t: Table, **places: tuple[CardId, ...]) -> Table:
    return t.with_changes(places={**t.places, **{Place(name.replace("_", ".")): row for name, row in places.items()}})


def with_told(deed: PlayedAction, *facts: tuple[Clause, AnyFact]) -> PlayedAction:
    return replace(deed, told=(*deed.told, *facts))


def whole(one: Sample) -> Match:
    return match_of(one.game.decoder(), one.entries)


def insert_fact(
    match: Match, where: Callable[[AnyFact, Table], bool], slip: Callable[[Table], tuple[Clause, AnyFact]]
) -> Match:
    """Return the match with an additional fact, inserted before the first fact that `where` accepts."""
    entries, before = list(match.entries), blank(match.opening.seats)
    for number, (entry, after) in enumerate(zip(match.entries, match.tables, strict=True)):
        facts, draft = entry_facts(entry), Draft(before)
        for place, (_, fact) in enumerate(facts):
            if where(fact, draft):
                entries[number] = replace(entry, told=(*facts[:place], slip(draft), *facts[place:]))
                return replace(match, entries=entries)
            EVOLVE[type(fact)](draft, fact)
        before = after
    raise AssertionError("there is no such moment")


def seen_by(match: Match, area: str, see: VisibilityLevel) -> Match:
    schema = match.opening.schema
    areas = tuple(replace(one, sight=Visibility(see, see, see)) if one.name == area else one for one in schema.areas)
    opened = replace(match.opening, schema=replace(schema, areas=areas))
    return replace(match, entries=[opened, *match.entries[1:]])


def another_card(match: Match) -> Match:
    last = match.tables[-1]
    one, *_, other = last.pieces
    assert last.pieces[one].face != last.pieces[other].face
    return replace(match, tables=[*match.tables[:-1], pieces(last, one, face=last.pieces[other].face)])


def fewer_cards(match: Match) -> Match:
    decks = {seat: (*faces, *faces[:1]) for seat, faces in match.opening.decks.items()}
    return replace(match, entries=[replace(match.opening, decks=decks), *match.entries[1:]])
