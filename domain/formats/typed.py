"""Read the lines that scorekeepers type. Errors are worded from the viewer's own table."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from domain.formats.actions import parse_line, verbs, write_action
from domain.formats.errors import FormatError, explain_unknown, quote_input
from domain.formats.facts import FACT_TYPES
from domain.formats.lexicons import plain
from domain.formats.names import SOME_CARD
from domain.formats.sentences import to_notation
from domain.formats.tokens import EMPTY, quote, write_word
from domain.formats.typed_squares import name_cards, parse_shown
from domain.law.game import Game
from domain.law.record import Record
from domain.law.slots import Action, SlotKind, misplaced_cards, slots
from domain.law.unseen import has_unknown_faces, with_faces
from domain.table.redact import TableViewer
from domain.table.table import JUDGE, CardId, Seat, Table
from domain.words import Text

DO = "do"
"""Key of the verb in an action given as a mapping."""


def read_typed(
    record: Record,
    table: Table,
    text: str,
    eyes: TableViewer,
    faces: dict[CardId, str | None],
    actor: Seat | None = None,
) -> tuple[Seat, Action]:
    """Parse an action from all that is known of the table; if that fails, from the viewer's table. `faces` collects the
    faces given to unknown cards. Raises FormatError, which discloses only what the viewer sees."""
    with _translation(record, table, text, eyes, actor) as line:
        try:
            dealt = not has_unknown_faces(table)
            real = None if dealt and SOME_CARD not in line else name_cards(record, table, eyes, faces)
            return parse_line(record, table, line, actor, real=real)
        except FormatError:
            if eyes.viewer == JUDGE:
                raise
    faces.clear()
    return read_seen(record, table, text, eyes, actor)


@contextmanager
def _translation(record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None) -> Iterator[str]:
    """Yield the line in notation. Errors in the block lose their column if the line was translated."""
    line = to_notation(record, table, text, eyes, actor)
    try:
        yield line
    except FormatError as error:
        raise error if line == plain(text) else FormatError(error.message, clause=error.clause) from None


class MissingHiddenCard(Struct, frozen=True):
    """The result for an action that names a hidden card which is not on the table."""


class TypedAction(Struct, frozen=True):
    """An action read from a viewer's own table.

    `hidden` is True if it may name hidden cards. It must then be read from the whole table too, and unseen cards stand
    for those meant. `certain` is True if every face can only mean the card that the viewer sees. `faces` are the faces
    given to unseen cards.
    """

    actor: Seat
    action: Action
    hidden: bool = False
    certain: bool = True
    faces: Mapping[CardId, str | None] = {}


def read_shown(record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None = None) -> TypedAction:
    """Parse an action on a viewer's own table. A face may also name a hidden card, which is disclosed by playing it.
    Raises FormatError, which discloses only what the viewer sees."""
    with _translation(record, table, text, eyes, actor) as line:
        read, faces = parse_shown(record, table, line, eyes, actor)
    known = record.game.faces()
    for face in faces.values():
        if known and face is not None and face not in known:
            raise FormatError(Text("seen.no_card", {"face": quote_input(face)}))
    words = re.split(r"[\s,=>]+", line)
    stray = any(f"u{table.pieces[card].thing}" not in words for card in misplaced_cards(table, *read))
    hidden = bool(faces) or stray or has_unknown_faces(table) or SOME_CARD in words
    return TypedAction(*read, hidden=hidden, certain=not stray, faces=faces)


def read_hidden(
    record: Record, table: Table, text: str, typed: TypedAction, eyes: TableViewer, faces: dict[CardId, str | None]
) -> tuple[Seat, Action] | MissingHiddenCard:
    """Parse an action that names hidden cards by face, on the whole table.

    Words and visible cards keep their meaning from the viewer's table (`typed`). A hidden card with the same face does
    not make them ambiguous. `faces` collects the faces given to unknown cards.
    """
    dealt = not has_unknown_faces(table)
    if dealt and typed.certain and None not in typed.faces.values():
        typed_table = with_faces(eyes.without_hidden_faces(table), {**dict.fromkeys(table.pieces), **typed.faces})
        text = write_action(record.game, typed_table, typed.actor, typed.action, schema=record.opening.schema)
    real = None if dealt and SOME_CARD not in text else name_cards(record, table, eyes, faces)
    try:
        with _translation(record, table, text, eyes, typed.actor) as line:
            return parse_line(record, table, line, typed.actor, real=real)
    except FormatError:
        return MissingHiddenCard()


def read_seen(
    record: Record, table: Table, text: str, eyes: TableViewer, actor: Seat | None = None
) -> tuple[Seat, Action]:
    """Parse an action from what a viewer knows of a table. Raises FormatError."""
    with _translation(record, table, text, eyes, actor) as line:
        return parse_line(record, table, line, actor, eyes)


def with_clause(text: str) -> str:
    """Return a fact's text with its clause: a bare tag is by hand."""
    words = text.strip().removeprefix("+ ").strip()
    first, _, rest = words.partition(" ")
    return f"- {words}" if first in FACT_TYPES and rest.partition(" ")[0] not in FACT_TYPES else words


def write_mapping(game: Game, parts: Mapping[str, object]) -> str:
    """Write an action given as a mapping in notation: its verb under `do`, then each slot by name. Cards are thing
    numbers or names, frames are numbers, several of them are lists. Raises FormatError."""
    name, types = parts.get(DO), verbs(game)
    if not isinstance(name, str) or name not in (*types, *game.other_verbs):
        raise FormatError(explain_unknown("verb", str(name), (*types, *game.other_verbs)))
    kinds = {slot.name: slot.slot.kind for slot in slots(types[name])} if name in types else {}
    words = [name]
    for slot, value in parts.items():
        if slot == DO:
            continue
        if slot not in kinds:
            raise FormatError(explain_unknown(Text("noun.slot_of", {"verb": name}), slot, kinds))
        try:
            words.append(f"{slot}={EMPTY if value is None else _WRITERS[kinds[slot]](value)}")
        except (TypeError, ValueError):
            raise FormatError(Text("typed.value", {"slot": slot, "kind": Text(f"typed.{kinds[slot]}")})) from None
    return " ".join(words)


def _check_type(value: object, kinds: tuple[type, ...]) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def _make_reference_writer(letter: str) -> Callable[[object], str]:
    def write(value: object) -> str:
        return f"{letter}{value}" if type(_check_type(value, (int, str))) is int else _write_name(value)

    return write


def _write_name(value: object) -> str:
    """Return a name, which must be one word without `,` or `>`."""
    text = _write_place(value)
    if any(sign in ",>" for sign in text):
        raise ValueError
    return text


def _write_place(value: object) -> str:
    """Return a place name, which must be one word but may contain a comma."""
    text: str = _check_type(value, (str,))
    if not text or any(sign.isspace() or sign == '"' for sign in text):
        raise ValueError
    return text


def _make_list_writer(write: Callable[[object], str]) -> Callable[[Any], str]:
    return lambda values: ",".join(map(write, _check_type(values, (list,)))) or EMPTY


def _write_pair(value: object) -> str:
    left, right = _check_type(value, (list,))
    return f"{_write_thing(left)}>{_write_thing(right)}"


_write_thing, _write_frame = _make_reference_writer("u"), _make_reference_writer("r")
_WRITERS: Mapping[SlotKind, Callable[[object], str]] = {
    "card": _write_thing,
    "cards": _make_list_writer(_write_thing),
    "order": _make_list_writer(_write_thing),
    "pairs": _make_list_writer(_write_pair),
    "frame": _write_frame,
    "frames": _make_list_writer(_write_frame),
    "seat": _write_name,
    "place": _write_place,
    "places": _make_list_writer(_write_place),
    "word": lambda value: write_word(_check_type(value, (str,))),
    "flag": lambda value: "yes" if _check_type(value, (bool,)) else "no",
    "text": lambda value: quote(_check_type(value, (str,))),
    "number": lambda value: str(_check_type(value, (int,))),
}
"""Writers of values by kind of slot."""
