"""Facts as text, one line each: clause (or `-` by hand), tag, and what happened. Names are read on one table.

That is the table before the entry a fact belongs to, so that a line means the same wherever it stands below the entry.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from domain.formats.errors import FormatError, unknown
from domain.formats.names import NO_LABELS, Labels, resolve_card
from domain.formats.tokens import EMPTY, Token, field, items, tokens, unword, unwords, whole, wholes, word, words
from domain.law.clause import BY_HAND, Clause, Telling
from domain.law.game import UNKNOWN_FACE
from domain.table import facts as F
from domain.table.schema import Schema
from domain.table.table import (
    CardId,
    Clock,
    Columns,
    Effect,
    EffectId,
    Frame,
    FrameId,
    Place,
    Result,
    Seat,
    Table,
    Todo,
)
from domain.words import Text
from domain.words.foreign import misfit

TABLE = "table"
"""Where a mark stands that belongs to no card and no seat."""


class _Names:
    """Cards by their thing numbers where these are exact on the table before the entry, else by their ids."""

    def __init__(self, table: Table) -> None:
        self.things: dict[CardId, int] = {}
        owners: dict[int, CardId] = {}
        for card, piece in table.pieces.items():
            if owners.setdefault(piece.thing, card) == card:
                self.things[card] = piece.thing

    def __call__(self, cards: tuple[CardId, ...]) -> str:
        return ",".join(f"u{self.things[card]}" if card in self.things else f"#{card}" for card in cards) or EMPTY


def _ids(cards: tuple[CardId, ...]) -> str:
    return ",".join(f"#{card}" for card in cards) or EMPTY


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _numbers(values: tuple[int, ...]) -> str:
    return ",".join(str(value) for value in values) or EMPTY


def write_fact(telling: Telling, table: Table, schema: Schema) -> str:
    """The line that says this fact and that reads back as exactly it, on the table before its entry."""
    clause, fact = telling
    tag = str(fact.__struct_config__.tag)
    return " ".join((word(clause) if clause else EMPTY, tag, *_parts(fact, table, schema)))


def _parts(fact: F.AnyFact, table: Table, schema: Schema) -> tuple[str, ...]:
    match fact:
        case F.Created(place, cards, faces, owner):
            return word(place), _ids(cards), _faces(faces), word(owner)
        case F.Arranged(place, cards, shuffled):
            return word(place), _ids(cards), *(("shuffled",) if shuffled else ())
        case F.Identified(cards, faces):
            return _ids(cards), _faces(faces)
        case F.Rolled(what, number, seat, card):
            more = (("number", number), ("seat", word(seat) if seat else ""), ("card", card))
            return word(what), *(f"{name}={value}" for name, value in more if value)
        case F.Began(effect):
            return (_json(effect),)
        case F.Adjusted(one, numbers):
            return str(one), _numbers(numbers)
        case F.Ended(effects):
            return (_numbers(effects),)
        case F.Finished(result):
            return words(result.winners), word(result.reason)
        case F.Pushed(frame):
            return (_json(frame),)
        case F.Altered():
            return str(fact.id), *_altered(fact)
        case F.Popped(one, how):
            return str(one), word(how)
        case F.Clocked(clock):
            return _clock(clock)
        case _:
            return _card_parts(fact, table, schema)


def _card_parts(
    fact: F.Removed | F.Moved | F.Turned | F.Stanced | F.Controlled | F.Tied | F.Marked | F.Learned | F.Shown,
    table: Table,
    schema: Schema,
) -> tuple[str, ...]:
    names = _Names(table)
    match fact:
        case F.Removed(cards):
            return (names(cards),)
        case F.Moved(cards, to, at, up):
            return names(cards), word(to), *((f"at={at}",) if at != -1 else ()), *(("up",) if up else ())
        case F.Turned(cards, up):
            return names(cards), "up" if up else "down"
        case F.Stanced(cards, to):
            return names(cards), _stance(schema, to)
        case F.Controlled(cards, by):
            return names(cards), word(by)
        case F.Tied(cards, to):
            return names(cards), names((to,)) if to else EMPTY
        case F.Marked(on, name, to):
            return _on(on, names, table), word(name), str(to)
        case F.Learned(card, face):
            return names((card,)), word(face)
        case F.Shown(cards, to, lasting):
            return names(cards), words(to), *(("lasting",) if lasting else ())


def _faces(faces: tuple[str | None, ...]) -> str:
    return ",".join(UNKNOWN_FACE if face is None else word(face) for face in faces) or EMPTY


def _stance(schema: Schema, to: int) -> str:
    name = schema.stances[to] if 0 <= to < len(schema.stances) else ""
    return word(name) if name and schema.stances.index(name) == to and not _is_whole(name) else str(to)


def _is_whole(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _on(on: tuple[CardId, ...] | Seat | None, names: _Names, table: Table) -> str:
    if on is None:
        return TABLE
    if isinstance(on, tuple):
        return names(on)
    return on if on in table.seats and on.isidentifier() and on != TABLE else f"seat={word(on)}"


def _altered(fact: F.Altered) -> list[str]:
    parts: list[str] = []
    if fact.step is not None:
        parts.append(f"step={word(fact.step)}")
    if fact.lane is not None:
        parts.append(f"lane={fact.lane}")
    if fact.columns is not None:
        parts.append(f"columns={_json(fact.columns)}")
    if fact.todo is not None:
        parts.append(f"todo={_json(fact.todo)}")
    return parts


def _clock(clock: Clock) -> tuple[str, ...]:
    parts = [f"turn={clock.turn}"]
    for name in ("active", "first", "phase", "step"):
        value = getattr(clock, name)
        if value is not None and value != getattr(Clock(), name):
            parts.append(f"{name}={word(value)}")
    parts += [f"{name}={words(getattr(clock, name))}" for name in ("awaited", "passed") if getattr(clock, name)]
    return tuple(parts)


def parse_fact(text: str, table: Table, schema: Schema, labels: Labels = NO_LABELS, column: int = 1) -> Telling:
    """The fact a line says, and its clause. Raises FormatError with the column of what cannot be read."""
    found = tokens(text, column)
    if len(found) < 2:
        raise FormatError(Text("fact.begins"), 1, column)
    clause = BY_HAND if found[0].text == EMPTY else Clause(unword(found[0]))
    tag = found[1]
    if tag.text not in PARSERS:
        raise tag.error(unknown("fact", tag.text, PARSERS))
    line = _Line(table, schema, labels, tag, found[2:])
    fact = PARSERS[tag.text](line)
    if line.rest:
        raise line.rest[0].error(Text("format.nothing_more", {"what": tag.text}))
    return clause, fact


class _Line:
    """The words of one fact that are still to be read."""

    def __init__(self, table: Table, schema: Schema, labels: Labels, tag: Token, rest: list[Token]) -> None:
        self.table = table
        self.schema = schema
        self.labels = labels
        self.tag = tag
        self.rest = rest

    def next(self, what: str) -> Token:
        if not self.rest:
            raise self.tag.error(Text("format.needs", {"what": self.tag.text, "needed": Text(f"need.{what}")}))
        return self.rest.pop(0)

    def flag(self, name: str) -> bool:
        if self.rest and self.rest[0].text == name:
            self.rest.pop(0)
            return True
        return False

    def cards(self) -> tuple[CardId, ...]:
        return tuple(self.card(part) for part in items(self.next("cards")))

    def card(self, token: Token) -> CardId:
        if token.text.startswith("#"):  # also a card that this entry itself brings to the table
            return CardId(whole(Token(token.text[1:], token.column)))
        try:
            return resolve_card(self.table, token.text, Seat(""), labels=self.labels)
        except FormatError as error:
            raise error.moved(1, token.column) from None

    def json(self, token: Token, kind: Any) -> Any:
        try:
            return msgspec.json.decode(token.text, type=kind)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise token.error(Text("format.json_of", {"what": self.tag.text, "why": misfit(error)})) from None

    def fields(self, **allowed: Callable[[Token], Any]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for token in self.rest:
            found = field(token)
            if found is None or found[0] not in allowed:
                part = Text("noun.part_of", {"what": self.tag.text})
                raise token.error(unknown(part, token.text.partition("=")[0], allowed))
            if found[0] in given:
                raise token.error(Text("format.twice", {"what": found[0]}))
            given[found[0]] = allowed[found[0]](found[1])
        self.rest = []
        return given


def _read_created(line: _Line) -> F.AnyFact:
    place, cards, faces = Place(unword(line.next("place"))), line.cards(), _read_faces(line)
    return F.Created(place, cards, faces, Seat(unword(line.next("owner"))))


def _read_faces(line: _Line) -> tuple[str | None, ...]:
    return tuple(None if face.text == UNKNOWN_FACE else unword(face) for face in items(line.next("faces")))


def _read_identified(line: _Line) -> F.AnyFact:
    return F.Identified(line.cards(), _read_faces(line))


def _read_moved(line: _Line) -> F.AnyFact:
    cards, to, at = line.cards(), Place(unword(line.next("place"))), -1
    if line.rest and line.rest[0].text.startswith("at="):
        token = line.rest.pop(0)
        at = whole(Token(token.text[3:], token.column + 3))
    return F.Moved(cards, to, at, line.flag("up"))


def _read_turned(line: _Line) -> F.AnyFact:
    cards, token = line.cards(), line.next("side")
    if token.text not in ("up", "down"):
        raise token.error(unknown("side", token.text, ("up", "down")))
    return F.Turned(cards, token.text == "up")


def _read_stanced(line: _Line) -> F.AnyFact:
    cards, token = line.cards(), line.next("stance")
    if _is_whole(token.text):
        return F.Stanced(cards, whole(token))
    name = unword(token)
    if name not in line.schema.stances:
        raise token.error(unknown("stance", name, line.schema.stances))
    return F.Stanced(cards, line.schema.stances.index(name))


def _read_tied(line: _Line) -> F.AnyFact:
    cards, token = line.cards(), line.next("host")
    return F.Tied(cards, CardId(0) if token.text == EMPTY else line.card(token))


def _read_marked(line: _Line) -> F.AnyFact:
    token = line.next("marked")
    named = field(token)
    on: tuple[CardId, ...] | Seat | None
    if token.text == TABLE:
        on = None
    elif named is not None and named[0] == "seat":
        on = Seat(unword(named[1]))
    elif token.text in line.table.seats:
        on = Seat(token.text)
    else:
        on = tuple(line.card(part) for part in items(token))
    return F.Marked(on, unword(line.next("mark")), whole(line.next("number")))


def _read_rolled(line: _Line) -> F.AnyFact:
    what = unword(line.next("rolled"))
    given = line.fields(number=whole, seat=lambda token: Seat(unword(token)), card=lambda token: CardId(whole(token)))
    return F.Rolled(what, **given)


def _read_altered(line: _Line) -> F.AnyFact:
    wanted = FrameId(whole(line.next("frame_number")))
    lanes = ("stack", "running", "waiting", "asked")

    def lane(token: Token) -> str:
        if token.text not in lanes:
            raise token.error(unknown("lane", token.text, lanes))
        return token.text

    given = line.fields(
        step=unword,
        lane=lane,
        columns=lambda token: line.json(token, Columns),
        todo=lambda token: line.json(token, tuple[Todo, ...]),
    )
    return F.Altered(wanted, **given)


def _read_clocked(line: _Line) -> F.AnyFact:
    def seats(token: Token) -> tuple[Seat, ...]:
        return tuple(Seat(one) for one in unwords(token))

    given = line.fields(turn=whole, active=unword, first=unword, phase=unword, step=unword, awaited=seats, passed=seats)
    return F.Clocked(Clock(**given))


PARSERS: dict[str, Callable[[_Line], F.AnyFact]] = {
    "new": _read_created,
    "gone": lambda line: F.Removed(line.cards()),
    "move": _read_moved,
    "order": lambda line: F.Arranged(Place(unword(line.next("place"))), line.cards(), line.flag("shuffled")),
    "turn": _read_turned,
    "stance": _read_stanced,
    "ctrl": lambda line: F.Controlled(line.cards(), Seat(unword(line.next("seat")))),
    "tie": _read_tied,
    "mark": _read_marked,
    "learn": lambda line: F.Learned(line.card(line.next("card")), unword(line.next("face"))),
    "learn/2": _read_identified,
    "show": lambda line: F.Shown(
        line.cards(), tuple(Seat(one) for one in unwords(line.next("seats"))), line.flag("lasting")
    ),
    "roll": _read_rolled,
    "began": lambda line: F.Began(line.json(line.next("effect"), Effect)),
    "adj": lambda line: F.Adjusted(EffectId(whole(line.next("effect_number"))), wholes(line.next("numbers"))),
    "ended": lambda line: F.Ended(tuple(EffectId(one) for one in wholes(line.next("effect_numbers")))),
    "end": lambda line: F.Finished(
        Result(tuple(Seat(one) for one in unwords(line.next("winners"))), unword(line.next("reason")))
    ),
    "push": lambda line: F.Pushed(line.json(line.next("frame"), Frame)),
    "alter": _read_altered,
    "pop": lambda line: F.Popped(FrameId(whole(line.next("frame_number"))), unword(line.next("how"))),
    "clock": _read_clocked,
}
"""Reads a fact by its tag: one for every fact there is."""

assert set(PARSERS) == {str(one.__struct_config__.tag) for one in F.FACTS}
