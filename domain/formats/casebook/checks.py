"""Checks of a position: physics, card counts, invariants of the game, serialization and views."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

import msgspec

from domain.formats.errors import explain_unknown
from domain.formats.places import PlaceNames
from domain.law.invariants import TableCheck
from domain.law.law import Law
from domain.table.facts import Created, Tied
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.schema import Schema
from domain.table.table import JUDGE, LANES, NOBODY, Effect, Frame, Seat, Table, blank, lane
from domain.words import Text
from domain.words.foreign import quoted


def impossible(physics: Physics, table: Table, named: PlaceNames) -> Iterator[Text]:
    """Yield why a table is impossible by physics alone."""
    bare = blank(tuple(table.seats))
    for place, cards in table.places.items():
        owners = tuple(table.pieces[card].owner for card in cards)
        for owner in dict.fromkeys(owners):
            fault = physics.explain_impossible(
                bare, Created(place, cards, tuple(table.pieces[card].face for card in cards), owner)
            )
            if fault is not None:
                yield Text("format.within", {"where": named.name(place), "what": fault})
    for card, piece in table.pieces.items():
        if piece.host and (fault := physics.explain_impossible(table, Tied((card,), piece.host))) is not None:
            yield Text("format.within", {"where": named.name(piece.place), "what": fault})
        if piece.controller != NOBODY and piece.controller not in table.seats:
            seat = Text("wrong.seat", {"seat": repr(piece.controller)})
            yield Text("format.within", {"where": named.name(piece.place), "what": seat})
    for place, most in physics.overfull(table):
        yield Text("wrong.overfull", {"place": named.name(place), "most": most})


Copies = Callable[[Seat, str], int | None]
"""Maximum copies of a face for an owner. None is unlimited."""


def misprinted(table: Table, faces: Collection[str], copies: Copies) -> Iterator[Text]:
    """Yield unknown faces of pieces, frames and effects, and faces that an owner has too many of."""
    counts: Counter[tuple[Seat, str]] = Counter()
    for piece in table.pieces.values():
        if piece.face is None:
            continue
        if faces and piece.face not in faces:
            yield Text(
                "format.within", {"where": piece.place, "what": explain_unknown("card", piece.face, faces, lists=False)}
            )
        elif piece.owner in table.seats:
            counts[piece.owner, piece.face] += 1
    holders: tuple[Effect | Frame, ...] = (*table.effects, *(frame for name in LANES for frame in lane(table, name)))
    for holder in holders:
        if faces and holder.face and holder.face not in faces:
            what = explain_unknown("card", holder.face, faces, lists=False)
            yield Text("format.within", {"where": holder.kind, "what": what})
    for (owner, face), number in counts.items():
        most = copies(owner, face)
        if most is not None and number > most:
            yield Text("casebook.copies", {"seat": owner, "face": face, "n": number, "most": most})


def unexpected_invariants(law: Law, table: Table, meant: Collection[str]) -> Iterator[Text]:
    """Yield invariants that the table breaks unexpectedly, and those in `meant` that it does not break. Invariants that
    only hold for a whole match are not checked."""
    known = [name for name, _ in _list_table_checks(law)]
    broken = broken_by(law, table)
    for name in meant:
        if name not in known:
            yield explain_unknown("invariant", name, known, lists=False)
        elif name not in broken:
            yield Text("casebook.breaks_not", {"name": name})
    for name in broken:
        if name not in meant:
            yield Text("casebook.breaks", {"name": name})


def broken_by(law: Law, table: Table) -> list[str]:
    """Return the names of the invariants that this table breaks, except those that need a whole match."""
    return [name for name, check in _list_table_checks(law) if not _holds(check, law, table)]


def _list_table_checks(law: Law) -> Iterator[tuple[str, TableCheck]]:
    for invariant in law.invariants():
        if invariant.table is not None and not invariant.whole:
            yield invariant.name, invariant.table


def _holds(check: TableCheck, law: Law, table: Table) -> bool:
    try:
        return check(law.rules, table)
    except Exception:  # an invariant that fails to evaluate does not hold
        return False


def explain_not_storable(schema: Schema, table: Table) -> Text | None:
    """Return why a table cannot be stored and read back or shown to every viewer; None if it can."""
    if msgspec.msgpack.decode(msgspec.msgpack.encode(table), type=Table) != table:
        return Text("casebook.not_back", {"form": "msgpack"})
    if msgspec.json.decode(msgspec.json.encode(table), type=Table) != table:
        return Text("casebook.not_back", {"form": "JSON"})
    physics = Physics(schema)
    for viewer in (*table.seats, SPECTATOR, JUDGE):
        try:
            TableViewer(physics, viewer).view(table)
        except Exception as error:  # any error of a view is the finding
            why = quoted(f"{type(error).__name__} {error}")
            return Text("casebook.no_view", {"viewer": viewer, "why": why})
    return None
