"""Whether a table can stand: by physics alone, written and read back, and shown to every viewer."""

from collections.abc import Iterator

import msgspec

from domain.table.facts import Created, Tied
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, Eyes
from domain.table.schema import Schema
from domain.table.table import JUDGE, NOBODY, Table, blank
from domain.words import Text
from domain.words.foreign import quoted


def impossible(physics: Physics, table: Table) -> Iterator[Text]:
    """What cannot be on a table by physics alone."""
    bare = blank(tuple(table.seats))
    for place, cards in table.places.items():
        owners = tuple(table.pieces[card].owner for card in cards)
        for owner in dict.fromkeys(owners):
            fault = physics.wrong(bare, Created(place, cards, tuple(table.pieces[card].face for card in cards), owner))
            if fault is not None:
                yield Text("format.within", {"where": place, "what": fault})
    for card, piece in table.pieces.items():
        if piece.host and (fault := physics.wrong(table, Tied((card,), piece.host))) is not None:
            yield Text("format.within", {"where": piece.place, "what": fault})
        if piece.controller != NOBODY and piece.controller not in table.seats:
            seat = Text("wrong.seat", {"seat": repr(piece.controller)})
            yield Text("format.within", {"where": piece.place, "what": seat})
    for place, most in physics.overfull(table):
        yield Text("wrong.overfull", {"place": place, "most": most})


def survives(schema: Schema, table: Table) -> Text | None:
    """Is a table written and read back the same, and can it be shown to every viewer? None if so, else why not."""
    if msgspec.msgpack.decode(msgspec.msgpack.encode(table), type=Table) != table:
        return Text("casebook.not_back", {"form": "msgpack"})
    if msgspec.json.decode(msgspec.json.encode(table), type=Table) != table:
        return Text("casebook.not_back", {"form": "JSON"})
    physics = Physics(schema)
    for viewer in (*table.seats, SPECTATOR, JUDGE):
        try:
            Eyes(physics, viewer).view(table)
        except Exception as error:  # whatever a view stumbles over is the finding
            why = quoted(f"{type(error).__name__} {error}")
            return Text("casebook.no_view", {"viewer": viewer, "why": why})
    return None
