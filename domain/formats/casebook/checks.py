"""Whether a table can stand: by physics alone, written and read back, and shown to every viewer."""

from collections.abc import Iterator

import msgspec

from domain.table.facts import Created, Tied
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, view
from domain.table.schema import Schema
from domain.table.table import JUDGE, NOBODY, Table, blank


def impossible(physics: Physics, table: Table) -> Iterator[str]:
    """What cannot be on a table by physics alone."""
    bare = blank(tuple(table.seats))
    for place, cards in table.places.items():
        owners = tuple(table.pieces[card].owner for card in cards)
        for owner in dict.fromkeys(owners):
            fault = physics.wrong(bare, Created(place, cards, tuple(table.pieces[card].face for card in cards), owner))
            if fault is not None:
                yield f"{place}: {fault}"
    for card, piece in table.pieces.items():
        if piece.host and (fault := physics.wrong(table, Tied((card,), piece.host))) is not None:
            yield f"{piece.place}: {fault}"
        if piece.controller != NOBODY and piece.controller not in table.seats:
            yield f"{piece.place}: there is no seat {piece.controller!r}"
    for place, most in physics.overfull(table):
        yield f"{place} holds at most {most} cards"


def survives(schema: Schema, table: Table) -> str:
    """Is a table written and read back the same, and can it be shown to every viewer? Empty if so."""
    if msgspec.msgpack.decode(msgspec.msgpack.encode(table), type=Table) != table:
        return "the table is not read back as it was written"
    if msgspec.json.decode(msgspec.json.encode(table), type=Table) != table:
        return "the table is not read back from JSON as it was written"
    physics = Physics(schema)
    for viewer in (*table.seats, SPECTATOR, JUDGE):
        try:
            view(physics, table, viewer)
        except Exception as error:  # whatever a view stumbles over is the finding
            return f"the view of {viewer} fails: {type(error).__name__} {error}"
    return ""
