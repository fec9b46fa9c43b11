"""The board mirrored, with the players exchanged: whatever holds of one side holds of the other."""

from typing import Any

from msgspec.structs import replace

from domain.games.skillbook import board as B, reading as R
from domain.games.skillbook.offers import offers
from domain.games.skillbook.rules import Rules
from domain.law.offers import Template
from domain.law.slots import slots
from domain.parts.grid import Square, place_of
from domain.table.table import Columns, Effect, Frame, Place, Result, Seat, Table, area, whose

Meaning = tuple[str, frozenset[tuple[str, Any]]]
"""What a template stands for: its verb, and for each slot what may stand there."""


def other(seat: Seat) -> Seat:
    """The player on the other side; who is none stays what they are."""
    return R.opponent(seat) if seat in B.SEATS else seat


def elsewhere(rules: Rules, place: Place) -> Place:
    """The place that is on the other side what this one is here."""
    square = B.at(place)
    if square is not None:
        return place_of(area(place), Square(square.column, rules.size.rows + 1 - square.row))
    seat = whose(place)
    return Place(f"{other(seat)}{place.removeprefix(seat)}") if seat is not None else place


def mirrored(rules: Rules, t: Table) -> Table:
    """The same table as the other player would have it."""
    clock, result = t.clock, t.result
    return t.but(
        pieces={
            one: replace(
                piece,
                owner=other(piece.owner),
                controller=other(piece.controller),
                place=elsewhere(rules, piece.place),
                seen=tuple(map(other, piece.seen)),
            )
            for one, piece in t.pieces.items()
        },
        places={elsewhere(rules, place): row for place, row in t.places.items()},
        seats={seat: t.seats[other(seat)] for seat in t.seats},
        clock=replace(
            clock,
            active=None if clock.active is None else other(clock.active),
            first=None if clock.first is None else other(clock.first),
            awaited=tuple(map(other, clock.awaited)),
            passed=tuple(map(other, clock.passed)),
        ),
        result=None if result is None else Result(tuple(map(other, result.winners)), result.reason),
        effects=tuple(_turned(rules, effect) for effect in t.effects),
        **{lane: tuple(_turned(rules, open) for open in getattr(t, lane)) for lane in ("stack", "running", "waiting")},
        asked=tuple(_turned(rules, asked) for asked in t.asked),
    )


def _turned(rules: Rules, columns: Any) -> Any:
    """A frame or an effect of the other side."""
    assert isinstance(columns, Frame | Effect) and isinstance(columns, Columns)
    changes: dict[str, Any] = {
        "by": other(columns.by),
        "seats": tuple(map(other, columns.seats)),
        "places": tuple(elsewhere(rules, place) for place in columns.places),
    }
    if isinstance(columns, Frame):
        changes["todo"] = tuple(replace(todo, seat=other(todo.seat)) for todo in columns.todo)
    return replace(columns, **changes)


def meanings(rules: Rules, t: Table, seat: Seat, turned: bool) -> frozenset[Meaning]:
    """What a seat is offered, as it is or as the other side would say it."""
    return frozenset(_meaning(rules, template, turned) for template in offers(rules, t, seat))


def _meaning(rules: Rules, template: Template, turned: bool) -> Meaning:
    kinds = {named.name: named.slot.kind for named in slots(template.action)}

    def said(slot: str, value: Any) -> Any:
        match kinds[slot]:
            case "place":
                return elsewhere(rules, value) if turned else value
            case "seat":
                return other(value) if turned else value
            case "places":
                return tuple(elsewhere(rules, place) for place in value) if turned else value
            case _:
                return value

    fixed = ((slot, said(slot, value)) for slot, value in template.fixed)
    choices = (
        (choice.slot, (frozenset(said(choice.slot, value) for value in choice.candidates), choice.least, choice.most))
        for choice in template.choices
    )
    return template.verb, frozenset((*fixed, *choices))


def is_symmetric(rules: Rules, t: Table) -> bool:
    """Is each player offered on this table what the other one is offered on the mirrored table?"""
    there = mirrored(rules, t)
    return all(
        meanings(rules, t, seat, turned=True) == meanings(rules, there, other(seat), turned=False) for seat in t.seats
    )
