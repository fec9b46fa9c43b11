"""Notation of actions: `actor: verb value slot=value`. The slots of a game's action types define the values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct

from domain.formats import names as N
from domain.formats.errors import FormatError, explain_unknown, quote_input, shift_errors
from domain.formats.places import PlaceNames
from domain.formats.tokens import (
    EMPTY,
    Token,
    field,
    items,
    place_items,
    quote,
    read_integer,
    read_word,
    tokens,
    unquote,
    write_word,
)
from domain.law.game import Game
from domain.law.record import Record
from domain.law.slots import Action, NamedSlot, SlotKind, slots, verb
from domain.table.physics import ACTORS
from domain.table.redact import TableViewer
from domain.table.schema import Schema
from domain.table.table import CardId, FrameId, Place, Seat, Table
from domain.words import Text, listed
from domain.words.foreign import explain_decode_error

PREFIX = "request_"
"""Optional prefix of a verb in casebooks."""
PAIR = ">"

_ACTOR = re.compile(r"\s*(\w+):\s*")

LISTED_MAX = 12
"""Maximum number of words that an error lists for a slot. Beyond it, the error names the closest one."""


class _ActionContext(Struct):
    """Context for reading or writing one action: the actor, the table, and the cards named so far."""

    table: Table
    actor: Seat
    labels: N.Labels
    eyes: TableViewer | None
    named: list[CardId]
    game: Game
    places: PlaceNames
    real: N.RealCards | None = None


def verbs(game: Game) -> Mapping[str, type[Action]]:
    """Return the action types of a game by verb."""
    return _verbs_of(game.action_types)


@cache
def _verbs_of(types: tuple[type[Action], ...]) -> Mapping[str, type[Action]]:
    return {verb(action): action for action in types}


def parse_action(
    game: Game,
    table: Table,
    text: str,
    labels: N.Labels = N.NO_LABELS,
    *,
    actor: Seat | None = None,
    eyes: TableViewer | None = None,
    names: Mapping[Seat, str] | None = None,
    real: N.RealCards | None = None,
    schema: Schema | None = None,
) -> tuple[Seat, Action]:
    """Parse an action and its actor. Raises FormatError with the column.

    `actor` is the default if the text names none. `eyes` limits names to what a viewer can see. `names` are player
    names that may replace seats. `schema` defines the squares. `real` collects the faces that the text gives to unknown
    cards; `?` is a card of unknown face.
    """
    match = _ACTOR.match(text)
    player = _find_player(table, text, names or {})
    if player is not None:
        actor, match = player
    elif match is not None:
        with shift_errors(1, match.start(1) + 1):
            actor = N.resolve_actor(table, match[1])
    elif actor is None:
        raise FormatError(Text("action.nobody", {"actors": listed((*table.seats, *ACTORS))}))
    start = match.end() if match is not None else 0
    line = tokens(text[start:], start + 1)
    if not line:
        raise FormatError(Text("action.no_verb"), 1, len(text) + 1)
    name = line[0].text
    known = verbs(game)
    bare = name.removeprefix(PREFIX)
    for spelling in (name, bare):
        if spelling in known:
            context = _ActionContext(table, actor, labels, eyes, [], game, PlaceNames(game.display, schema), real)
            return actor, _build_action(context, spelling, known[spelling], line[1:], len(text) + 1)
        if spelling in game.other_verbs:
            return actor, game.other_verbs[spelling](name=spelling)
    raise line[0].error(explain_unknown("verb", bare, (*known, *game.other_verbs)))


def parse_line(
    record: Record,
    table: Table,
    line: str,
    actor: Seat | None,
    eyes: TableViewer | None = None,
    real: N.RealCards | None = None,
) -> tuple[Seat, Action]:
    """Parse an action of a match, on the whole table or on what a viewer knows of it. Raises FormatError."""
    opened, seen = record.opening, table if eyes is None else eyes.without_hidden_faces(table)
    return parse_action(
        record.game, seen, line, actor=actor, eyes=eyes, names=opened.names, real=real, schema=opened.schema
    )


def _find_player(table: Table, text: str, names: Mapping[Seat, str]) -> tuple[Seat, re.Match[str]] | None:
    """Return the seat whose player's name begins the text, and the colon. Seats and other actors have priority."""
    for colon in re.finditer(r":\s*", text):
        name = text[: colon.start()]
        seats = () if name.strip() in (*table.seats, *ACTORS) else N.seats_of_player(names, name)
        if len(seats) > 1:
            raise FormatError(Text("name.two_players", {"name": quote_input(name.strip()), "seats": listed(seats)}))
        if seats:
            return seats[0], colon
    return None


def _build_action(
    context: _ActionContext, name: str, action_type: type[Action], values: list[Token], end: int
) -> Action:
    expected = slots(action_type)
    by_name = {slot.name: slot for slot in expected}
    given: dict[str, Any] = {}
    for slot, value in _assign_slots(name, by_name, values):
        given[slot.name] = _read_value(context, slot, value)
        if slot.slot.kind == "seat" and context.actor in ACTORS:
            context.actor = given[slot.name] or context.actor
    missing = [slot.name for slot in expected if slot.default is NODEFAULT and slot.name not in given]
    if missing:
        raise FormatError(Text("action.needs", {"verb": name, "slots": listed(missing)}), 1, end)
    return action_type(**given)


def _assign_slots(
    name: str, by_name: Mapping[str, NamedSlot], values: list[Token]
) -> Iterator[tuple[NamedSlot, Token]]:
    """Yield each value with its slot: the named one, or the first that is free."""
    taken: set[str] = set()
    for token in values:
        named = field(token)
        if named is not None and named[0] not in by_name:
            raise token.error(explain_unknown(Text("noun.slot_of", {"verb": name}), named[0], by_name))
        slot = named[0] if named is not None else next((each for each in by_name if each not in taken), None)
        if slot is None:
            raise token.error(Text("action.no_more_values", {"verb": name, "slots": listed(by_name)}))
        if slot in taken:
            raise token.error(Text("action.slot_twice", {"slot": slot, "verb": name}))
        taken.add(slot)
        yield by_name[slot], token if named is None else named[1]


def given_slots(kind: type[Action], line: str) -> frozenset[str]:
    """Return the slots that a line of notation with this verb names, also those named as empty."""
    words, verbs_read = tokens(line), (verb(kind), PREFIX + verb(kind))
    start = next((at for at, word in enumerate(words, start=1) if word.text in verbs_read), len(words))
    by_name = {slot.name: slot for slot in slots(kind)}
    return frozenset(slot.name for slot, _ in _assign_slots(verb(kind), by_name, words[start:]))


def _empty_value(named: NamedSlot) -> object:
    return _FORMATS[named.slot.kind].empty if named.default is NODEFAULT or named.default else named.default


def _read_value(context: _ActionContext, named: NamedSlot, token: Token) -> object:
    if not token.text:
        raise token.error(Text("action.no_value", {"slot": named.name, "empty": EMPTY}))
    if token.text == EMPTY and not (named.slot.kind == "word" and named.slot.words and "" not in named.slot.words):
        return _empty_value(named)
    return _FORMATS[named.slot.kind].read(context, named, token)


def write_action(
    game: Game,
    table: Table,
    actor: Seat,
    action: Action,
    labels: N.Labels = N.NO_LABELS,
    *,
    schema: Schema | None = None,
) -> str:
    """Write an action in notation that parses back to it on this table. With a `schema`, squares get the game's
    names."""
    other = str(getattr(action, "name", ""))
    if game.other_verbs.get(other) is type(action):
        return f"{actor}: {other}"
    values = write_slots(game, table, actor, action, labels, schema=schema)
    parts = [f"{actor}:", verb(action)]
    skipped = False
    for named in slots(type(action)):
        if named.name in values:
            parts.append(f"{named.name}={values[named.name]}" if skipped else values[named.name])
        else:
            skipped = True
    return " ".join(parts)


def write_slots(
    game: Game,
    table: Table,
    actor: Seat,
    action: Action,
    labels: N.Labels = N.NO_LABELS,
    *,
    schema: Schema | None = None,
) -> dict[str, str]:
    """Write the values of an action's slots in notation, without those that have their default."""
    context = _ActionContext(table, actor, labels, None, [], game, PlaceNames(game.display, schema))
    written: dict[str, str] = {}
    for named in slots(type(action)):
        value = getattr(action, named.name)
        if value == named.default and type(value) is type(named.default) and named.slot.kind != "flag":
            continue
        written[named.name] = _write_value(context, named, value, value == _empty_value(named))
        if named.slot.kind == "seat" and context.actor in ACTORS:
            context.actor = value or context.actor
    return written


def _write_value(context: _ActionContext, named: NamedSlot, value: object, empty: bool) -> str:
    kind = named.slot.kind
    return EMPTY if empty and kind not in ("flag", "number") else _FORMATS[kind].write(context, named, value)


def decode_action(game: Game, raw: msgspec.Raw) -> Action:
    """Decode a recorded action of this game. Raises FormatError if the game has no such action."""
    try:
        return game.decoder().decode(bytes(raw))
    except msgspec.MsgspecError as error:
        raise FormatError(Text("action.not_of_game", {"game": game.key, "why": explain_decode_error(error)})) from None


class _SlotFormat(Struct, frozen=True):
    empty: object
    write: Callable[[_ActionContext, NamedSlot, Any], str]
    read: Callable[[_ActionContext, NamedSlot, Token], object]


def _write_card(context: _ActionContext, named: NamedSlot, card: CardId) -> str:
    label = _find_label(context.labels.cards, card)
    text = label or N.card_name(context.table, card, context.actor, named.slot, context.named)
    context.named.append(card)
    return text


def _find_label(labels: Mapping[str, int], number: int) -> str:
    return next((label for label, labelled in labels.items() if labelled == number), "")


def _write_cards(context: _ActionContext, named: NamedSlot, cards: Iterable[CardId]) -> str:
    return ",".join([_write_card(context, named, card) for card in cards])


def _read_card(context: _ActionContext, named: NamedSlot, token: Token) -> CardId:
    with shift_errors(1, token.column):
        card = N.resolve_card(
            context.table,
            token.text,
            context.actor,
            named.slot,
            context.labels,
            context.named,
            context.eyes,
            context.real,
            context.places,
        )
    context.named.append(card)
    return card


def _read_cards(context: _ActionContext, named: NamedSlot, token: Token) -> tuple[CardId, ...]:
    return tuple(_read_card(context, named, part) for part in items(token))


def _read_pair(context: _ActionContext, named: NamedSlot, token: Token) -> tuple[CardId, CardId]:
    left, arrow, right = token.text.partition(PAIR)
    if not arrow:
        raise token.error(Text("format.pair", {"text": quote_input(token.text)}))
    first = _read_card(context, named, Token(left, token.column))
    return first, _read_card(context, named, Token(right, token.column + len(left) + 1))


def _frame_texts(context: _ActionContext, frames: Iterable[FrameId]) -> Iterable[str]:
    return (_find_label(context.labels.frames, frame) or f"r{frame}" for frame in frames)


def _read_frames(context: _ActionContext, _: NamedSlot, token: Token) -> tuple[FrameId, ...]:
    frames: list[FrameId] = []
    for part in items(token):
        with shift_errors(1, part.column):
            frames.append(
                N.resolve_listed_frame(context.table, part.text, context.actor, context.labels, frames, context.eyes)
            )
    return tuple(frames)


def _read_place(context: _ActionContext, _: NamedSlot, token: Token) -> Place:
    with shift_errors(1, token.column):
        return context.places.read(context.table, token.text)


def _make_reader(
    resolve: Callable[[_ActionContext, str], object],
) -> Callable[[_ActionContext, NamedSlot, Token], object]:
    def read(context: _ActionContext, _: NamedSlot, token: Token) -> object:
        with shift_errors(1, token.column):
            return resolve(context, token.text)

    return read


def _read_word(context: _ActionContext, named: NamedSlot, token: Token) -> str:
    text, allowed = read_word(token), named.slot.words
    if allowed and text not in allowed:
        what = Text("noun.slot_value", {"slot": context.game.rulebook.both_words(named.name)})
        raise token.error(explain_unknown(what, text, allowed, lists=len(allowed) <= LISTED_MAX))
    return text


def _read_flag(_: _ActionContext, named: NamedSlot, token: Token) -> bool:
    if token.text not in ("yes", "no"):
        raise token.error(Text("action.yes_or_no", {"slot": named.name, "text": quote_input(token.text)}))
    return token.text == "yes"


_FORMATS: dict[SlotKind, _SlotFormat] = {
    "card": _SlotFormat(0, _write_card, _read_card),
    "cards": _SlotFormat((), _write_cards, _read_cards),
    "order": _SlotFormat((), lambda _, __, cards: ",".join(f"#{card}" for card in cards), _read_cards),
    "pairs": _SlotFormat(
        (),
        lambda context, named, pairs: ",".join(
            [PAIR.join(_write_card(context, named, card) for card in pair) for pair in pairs]
        ),
        lambda context, named, token: tuple(_read_pair(context, named, part) for part in items(token)),
    ),
    "frame": _SlotFormat(
        0,
        lambda context, _, frame: _find_label(context.labels.frames, frame) or N.frame_name(context.table, frame),
        _make_reader(lambda context, text: N.resolve_frame(context.table, text, context.labels)),
    ),
    "frames": _SlotFormat((), lambda context, _, frames: ",".join(_frame_texts(context, frames)), _read_frames),
    "seat": _SlotFormat(
        "", lambda _, __, seat: str(seat), _make_reader(lambda context, text: N.resolve_seat(context.table, text))
    ),
    "place": _SlotFormat("", lambda context, _, place: context.places.name(place), _read_place),
    "places": _SlotFormat(
        (),
        lambda context, _, places: ",".join(map(context.places.name, places)),
        lambda context, named, token: tuple(_read_place(context, named, part) for part in place_items(token)),
    ),
    "word": _SlotFormat("", lambda _, __, text: write_word(text), _read_word),
    "flag": _SlotFormat(False, lambda _, __, value: "yes" if value else "no", _read_flag),
    "text": _SlotFormat("", lambda _, __, text: quote(text), lambda _, __, token: unquote(token)),
    "number": _SlotFormat(0, lambda _, __, number: str(number), lambda _, __, token: read_integer(token)),
}
