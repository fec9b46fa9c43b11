"""Notation of facts, one per line: clause (or `-` by hand), tag and values. Names refer to the table before the entry
of the fact, so the order of the lines of an entry does not change them."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown, shift_errors
from domain.formats.names import resolve_card
from domain.formats.places import PlaceNames
from domain.formats.tokens import (
    EMPTY,
    Token,
    field,
    items,
    read_integer,
    read_integers,
    read_word,
    read_words,
    tokens,
    write_word,
    write_words,
)
from domain.law.clause import BY_HAND, CitedFact, Clause
from domain.law.display import NO_DISPLAY, Display
from domain.law.game import UNKNOWN_FACE
from domain.table import facts as F
from domain.table.forms import FactField, FormKind, fact_fields
from domain.table.redact import TableViewer
from domain.table.schema import Schema
from domain.table.table import JUDGE, LANES, CardId, Place, Seat, Table
from domain.words import Text
from domain.words.foreign import explain_decode_error

TABLE = "table"
"""Target of a mark that belongs to no card and no seat."""
AT = "at="
SIDES = ("up", "down")

FACT_TYPES: dict[str, type[F.Fact]] = {str(fact.__struct_config__.tag): fact for fact in F.FACTS}
"""Types of facts by tag."""


class _FactContext:
    """Context for reading or writing the values of a fact. `eyes` limits names to what the viewer can see."""

    def __init__(
        self, table: Table, schema: Schema, display: Display, tag: str, eyes: TableViewer | None = None
    ) -> None:
        self.table = table
        self.eyes = eyes
        self.schema = schema
        self.places = PlaceNames(display, schema)
        self.tag = tag

    @cached_property
    def things(self) -> dict[CardId, int]:
        """Thing numbers that identify one card. Other cards are written by id."""
        first_cards: dict[int, CardId] = {}
        pieces = self.table.pieces
        return {
            card: piece.thing for card, piece in pieces.items() if first_cards.setdefault(piece.thing, card) == card
        }

    def card(self, token: Token) -> CardId:
        if token.text.startswith("#"):  # the id may also name a card that this entry creates
            card = CardId(read_integer(Token(token.text[1:], token.column)))
            if self.eyes is not None and self.eyes.viewer != JUDGE and card in self.table.pieces:
                raise token.error(Text("name.id_for_judge", {"text": token.text}))
            return card
        with shift_errors(1, token.column):
            return resolve_card(self.table, token.text, Seat(""), eyes=self.eyes, places=self.places)


def write_fact(cited_fact: CitedFact, table: Table, schema: Schema, display: Display = NO_DISPLAY) -> str:
    """Write a fact as a line that parses back to it on the table before its entry."""
    clause, fact = cited_fact
    tag = str(fact.__struct_config__.tag)
    context = _FactContext(table, schema, display, tag)
    return " ".join((write_word(clause) if clause else EMPTY, tag, *_write_values(context, fact)))


def _write_values(context: _FactContext, struct: Struct) -> Iterator[str]:
    for part in fact_fields(type(struct)):
        value, form = getattr(struct, part.name), part.form
        if form.kind == "struct":
            yield from _write_values(context, value)
        elif form.kind == "flag":
            yield from (part.name,) if value else ()
        elif form.kind == "at":
            yield from (f"{AT}{value}",) if value != part.default else ()
        elif not form.named:
            yield _FORMS[form.kind].write(context, value)
        elif form.always or value != part.default:
            yield f"{part.name}={_FORMS[form.kind].write(context, value)}"


def parse_fact(
    text: str,
    table: Table,
    schema: Schema,
    display: Display = NO_DISPLAY,
    column: int = 1,
    eyes: TableViewer | None = None,
) -> CitedFact:
    """Parse a fact and its clause. `eyes` limits names to those of the viewer. Raises FormatError with the column."""
    line = tokens(text, column)
    if len(line) < 2:
        raise FormatError(Text("fact.begins"), 1, column)
    clause = BY_HAND if line[0].text == EMPTY else Clause(read_word(line[0]))
    tag, rest = line[1], line[2:]
    if tag.text not in FACT_TYPES:
        raise tag.error(explain_unknown("fact", tag.text, FACT_TYPES))
    fact: F.AnyFact = _read_values(
        _FactContext(table, schema, display, tag.text, eyes), FACT_TYPES[tag.text], tag, rest
    )
    if rest:
        raise rest[0].error(Text("format.nothing_more", {"what": tag.text}))
    return clause, fact


def _read_values(context: _FactContext, struct_type: type[Struct], tag: Token, rest: list[Token]) -> Any:
    """Read a struct from the front of `rest` and remove its words."""
    values: dict[str, object] = {}
    named: dict[str, FactField] = {}
    for part in fact_fields(struct_type):
        kind = part.form.kind
        if part.form.named:
            named[part.name] = part
        elif kind == "struct":
            values[part.name] = _read_values(context, part.type, tag, rest)
        elif kind == "flag":
            values[part.name] = bool(rest) and rest[0].text == part.name and bool(rest.pop(0))
        elif kind == "at":
            token = rest.pop(0) if rest and rest[0].text.startswith(AT) else None
            values[part.name] = (
                part.default if token is None else read_integer(Token(token.text[len(AT) :], token.column + len(AT)))
            )
        elif rest:
            values[part.name] = _FORMS[kind].read(context, part, rest.pop(0))
        else:
            needed = Text(f"need.{part.form.needs or part.name}")
            raise tag.error(Text("format.needs", {"what": tag.text, "needed": needed}))
    return struct_type(**values, **_read_named_values(context, named, rest) if named else {})


def _read_named_values(context: _FactContext, named: dict[str, FactField], rest: list[Token]) -> dict[str, object]:
    values: dict[str, object] = {}
    while rest:
        token = rest.pop(0)
        name, value = field(token) or (token.text.partition("=")[0], None)
        if value is None or name not in named:
            raise token.error(explain_unknown(Text("noun.part_of", {"what": context.tag}), name, named))
        if name in values:
            raise token.error(Text("format.twice", {"what": name}))
        values[name] = _FORMS[named[name].form.kind].read(context, named[name], value)
    return values


class _Form(Struct, frozen=True):
    write: Callable[[_FactContext, Any], str]
    read: Callable[[_FactContext, FactField, Token], object]


def _join(texts: Iterable[str]) -> str:
    return ",".join(texts) or EMPTY


def _write_cards(context: _FactContext, cards: Iterable[CardId]) -> str:
    return _join(f"u{context.things[card]}" if card in context.things else f"#{card}" for card in cards)


def _read_cards(context: _FactContext, part: FactField, token: Token) -> tuple[CardId, ...]:
    return tuple(context.card(item) for item in items(token))


def _read_choice(allowed: tuple[str, ...], noun: Text, token: Token) -> str:
    if token.text not in allowed:
        raise token.error(explain_unknown(noun, token.text, allowed))
    return token.text


def _read_json(context: _FactContext, part: FactField, token: Token) -> object:
    try:
        return msgspec.json.decode(token.text, type=part.type)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise token.error(Text("format.json_of", {"what": context.tag, "why": explain_decode_error(error)})) from None


def _write_stance(context: _FactContext, to: int) -> str:
    stances = context.schema.stances
    name = stances[to] if 0 <= to < len(stances) else ""
    return write_word(name) if name and stances.index(name) == to and not _is_whole(name) else str(to)


def _read_stance(context: _FactContext, part: FactField, token: Token) -> int:
    if _is_whole(token.text):
        return read_integer(token)
    name = read_word(token)
    if name not in context.schema.stances:
        raise token.error(explain_unknown("stance", name, context.schema.stances))
    return context.schema.stances.index(name)


def _is_whole(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _write_marked(context: _FactContext, on: tuple[CardId, ...] | Seat | None) -> str:
    if on is None:
        return TABLE
    if isinstance(on, tuple):
        return _write_cards(context, on)
    return on if on in context.table.seats and on.isidentifier() and on != TABLE else f"seat={write_word(on)}"


def _read_marked(context: _FactContext, part: FactField, token: Token) -> tuple[CardId, ...] | Seat | None:
    if token.text == TABLE:
        return None
    named = field(token)
    if named is not None and named[0] == "seat":
        return Seat(read_word(named[1]))
    if token.text in context.table.seats:
        return Seat(token.text)
    return _read_cards(context, part, token)


def _write_place(context: _FactContext, place: Place) -> str:
    return write_word(context.places.name(place))


def _read_place(context: _FactContext, part: FactField, token: Token) -> Place:
    text = read_word(token)
    with shift_errors(1, token.column):
        return next(iter(context.places.find(text)), Place(text))


_FORMS: dict[FormKind, _Form] = {
    "card": _Form(lambda context, card: _write_cards(context, (card,)), lambda context, _, token: context.card(token)),
    "cards": _Form(_write_cards, _read_cards),
    "faces": _Form(
        lambda _, faces: _join(UNKNOWN_FACE if face is None else write_word(face) for face in faces),
        lambda _, __, token: tuple(None if face.text == UNKNOWN_FACE else read_word(face) for face in items(token)),
    ),
    "host": _Form(
        lambda context, card: _write_cards(context, (card,) if card else ()),
        lambda context, _, token: CardId(0) if token.text == EMPTY else context.card(token),
    ),
    "ids": _Form(lambda _, cards: _join(f"#{card}" for card in cards), _read_cards),
    "json": _Form(lambda _, value: msgspec.json.encode(value).decode(), _read_json),
    "lane": _Form(lambda _, lane: str(lane), lambda _, __, token: _read_choice(LANES, Text("noun.lane"), token)),
    "marked": _Form(_write_marked, _read_marked),
    "number": _Form(lambda _, number: str(number), lambda _, __, token: read_integer(token)),
    "numbers": _Form(lambda _, numbers: _join(map(str, numbers)), lambda _, __, token: read_integers(token)),
    "place": _Form(_write_place, _read_place),
    "side": _Form(
        lambda _, up: "up" if up else "down", lambda _, __, token: _read_choice(SIDES, Text("noun.side"), token) == "up"
    ),
    "stance": _Form(_write_stance, _read_stance),
    "word": _Form(lambda _, text: write_word(text), lambda _, __, token: read_word(token)),
    "words": _Form(lambda _, texts: write_words(texts), lambda _, __, token: read_words(token)),
}
