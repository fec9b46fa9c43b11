"""What a scorekeeper types: read by all that they may know, and what is unclear in it is told by what a viewer sees."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from domain.formats.actions import parse_line, verbs, write_action
from domain.formats.errors import FormatError, quote_input, unknown
from domain.formats.facts import TYPES
from domain.formats.lexicons import plain
from domain.formats.names import SOME_CARD
from domain.formats.sentences import to_notation
from domain.formats.tokens import EMPTY, quoted, word
from domain.formats.typed_squares import name_cards, parse_shown
from domain.law.game import Game
from domain.law.record import Record
from domain.law.slots import Action, SlotKind, misplaced, slots
from domain.law.unseen import unseen, with_faces
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, CardId, Seat, Table
from domain.words import Text

DO = "do"
"""The part of an action in parts that holds its verb."""


def read_typed(
    record: Record,
    table: Table,
    text: str,
    eyes: TableViewer,
    faces: dict[CardId, str | None],
    actor: Seat | None = None,
) -> tuple[Seat, Action]:
    """Who does what, by all that is known of a table; by the viewer's own eyes where that is unclear.

    `faces` takes those named of cards the log does not know. Raises FormatError made of what the viewer sees.
    """
    with _notation(record, table, text, eyes, actor) as line:
        try:
            dealt = not unseen(table)
            real = None if dealt and SOME_CARD not in line else name_cards(record, table, eyes, faces)
            return parse_line(record, table, line, actor, real=real)
        except FormatError:
            if eyes.viewer == JUDGE:
                raise
    faces.clear()
    return read_seen(record, table, text, eyes, actor)


@contextmanager
def _notation(record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None) -> Iterator[str]:
    """The line in notation. An error inside names no column of a notation that was not typed."""
    line = to_notation(record, table, text, eyes, actor)
    try:
        yield line
    except FormatError as error:
        raise error if line == plain(text) else FormatError(error.message, clause=error.clause) from None


class MissingHiddenCard(Struct, frozen=True):
    """An action that names hidden cards, of which the table has none such."""


class TypedAction(Struct, frozen=True):
    """An action as it was read from a viewer's own table.

    `hidden`: it may name hidden cards, and has to be read from the whole table too; until then any unseen card of the
    right place stands for each. `certain`: every face it names can only mean the card that the viewer sees. `faces` are
    those named of such cards.
    """

    actor: Seat
    action: Action
    hidden: bool = False
    certain: bool = True
    faces: Mapping[CardId, str | None] = {}


def read_shown(record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None = None) -> TypedAction:
    """Read who does what from a viewer's own table. A face may also name a hidden card, which shows by being played.

    Raises FormatError made of what the viewer sees.
    """
    with _notation(record, table, text, eyes, actor) as line:
        read, faces = parse_shown(record, table, line, eyes, actor)
    known = record.game.faces()
    for face in faces.values():
        if known and face is not None and face not in known:
            raise FormatError(Text("seen.no_card", {"face": quote_input(face)}))
    words = re.split(r"[\s,=>]+", line)
    stray = any(f"u{table.pieces[card].thing}" not in words for card in misplaced(table, *read))
    hidden = bool(faces) or stray or unseen(table) or SOME_CARD in words
    return TypedAction(*read, hidden=hidden, certain=not stray, faces=faces)


def read_hidden(
    record: Record, table: Table, text: str, typed: TypedAction, eyes: TableViewer, faces: dict[CardId, str | None]
) -> tuple[Seat, Action] | MissingHiddenCard:
    """Read who does what from the whole table, for an action that names hidden cards by their faces.

    What the words of the line mean, and which cards the viewer sees, was read from the viewer's own table (`typed`): a
    hidden card with the same face does not make these unclear. `faces` takes those named of cards that the log does
    not know.
    """
    dealt = not unseen(table)
    if dealt and typed.certain and None not in typed.faces.values():
        own = with_faces(eyes.blind(table), {**dict.fromkeys(table.pieces), **typed.faces})
        text = write_action(record.game, own, typed.actor, typed.action, schema=record.opening.schema)
    real = None if dealt and SOME_CARD not in text else name_cards(record, table, eyes, faces)
    try:
        with _notation(record, table, text, eyes, typed.actor) as line:
            return parse_line(record, table, line, typed.actor, real=real)
    except FormatError:
        return MissingHiddenCard()


def read_seen(
    record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None = None
) -> tuple[Seat, Action]:
    """Who does what, from what a viewer knows of a table and nothing else. Raises FormatError."""
    with _notation(record, table, text, eyes, actor) as line:
        return parse_line(record, table, line, actor, eyes)


def by_hand(text: str) -> str:
    """A fact's text with its clause: a bare tag is meant by hand."""
    words = text.strip().removeprefix("+ ").strip()
    first, _, rest = words.partition(" ")
    return f"- {words}" if first in TYPES and rest.partition(" ")[0] not in TYPES else words


def in_words(game: Game, parts: Mapping[str, object]) -> str:
    """The line that says an action given in parts: its verb under `do`, then each slot by its name.

    Of cards the numbers of their things are given, or their names; frames by their numbers; several in lists. Raises
    FormatError for what is none of these.
    """
    name, types = parts.get(DO), verbs(game)
    if not isinstance(name, str) or name not in (*types, *game.other_verbs):
        raise FormatError(unknown("verb", str(name), (*types, *game.other_verbs)))
    kinds = {slot.name: slot.slot.kind for slot in slots(types[name])} if name in types else {}
    said = [name]
    for slot, value in parts.items():
        if slot == DO:
            continue
        if slot not in kinds:
            raise FormatError(unknown(Text("noun.slot_of", {"verb": name}), slot, kinds))
        try:
            said.append(f"{slot}={EMPTY if value is None else _WRITE[kinds[slot]](value)}")
        except (TypeError, ValueError):
            raise FormatError(Text("typed.value", {"slot": slot, "kind": Text(f"typed.{kinds[slot]}")})) from None
    return " ".join(said)


def _one(value: object, kinds: tuple[type, ...]) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def _named(letter: str) -> Callable[[object], str]:
    def write(value: object) -> str:
        return f"{letter}{value}" if type(_one(value, (int, str))) is int else _plain(value)

    return write


def _plain(value: object) -> str:
    """A name as it stands, which is one word."""
    text = _square(value)
    if any(sign in ",>" for sign in text):
        raise ValueError
    return text


def _square(value: object) -> str:
    """The same of a place, in whose name a comma may stand."""
    text: str = _one(value, (str,))
    if not text or any(sign.isspace() or sign == '"' for sign in text):
        raise ValueError
    return text


def _several(write: Callable[[object], str]) -> Callable[[Any], str]:
    return lambda values: ",".join(map(write, _one(values, (list,)))) or EMPTY


def _pair(value: object) -> str:
    left, right = _one(value, (list,))
    return f"{_thing(left)}>{_thing(right)}"


_thing, _frame = _named("u"), _named("r")
_WRITE: Mapping[SlotKind, Callable[[object], str]] = {
    "card": _thing,
    "cards": _several(_thing),
    "order": _several(_thing),
    "pairs": _several(_pair),
    "frame": _frame,
    "frames": _several(_frame),
    "seat": _plain,
    "place": _square,
    "places": _several(_square),
    "word": lambda value: word(_one(value, (str,))),
    "flag": lambda value: "yes" if _one(value, (bool,)) else "no",
    "text": lambda value: quoted(_one(value, (str,))),
    "number": lambda value: str(_one(value, (int,))),
}
"""How the values of each kind of slot are written."""
