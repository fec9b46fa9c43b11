"""Pieces in a casebook: `[label =] face [word ...]`, and their comparison with cards."""

import re
from collections.abc import Iterable

from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown, locate_errors, quote_input
from domain.formats.names import NO_LABELS, Labels
from domain.table.physics import Physics
from domain.table.table import EVERYONE, NOBODY, CardId, Seat, Table
from domain.words import Text
from domain.words.widths import find_wide

FILL_MAX = 500
"""Maximum number of cards that one filler stands for."""

_LABEL = re.compile(r"([A-Za-z_][\w-]*)\s*=\s*(?=\S)")
_FILLER = re.compile(r"x([0-9]{0,9})")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Spec(Struct, frozen=True):
    """A piece as written; None means unspecified. `face` is None for `?`; `plus` ties it to its base;
    `fill` is the number of cards of a filler."""

    text: str
    label: str = ""
    face: str | None = None
    plus: bool = False
    fill: int = 0
    up: bool | None = None
    stance: int | None = None
    by: Seat | None = None
    owner: Seat | None = None
    seen: tuple[Seat, ...] | None = None
    thing: int | None = None
    tied: str | None = None
    marks: dict[str, int] = {}


def parse_piece(text: str, physics: Physics, seats: tuple[Seat, ...]) -> Spec:
    """Parse a piece. Raises FormatError with the wrong word."""
    rest, plus, label = text.strip(), False, ""
    for _ in range(2):  # the plus may come before or after the label
        if rest.startswith("+"):
            plus, rest = True, rest[1:].lstrip()
        if not label and (match := _LABEL.match(rest)):
            label, rest = match[1], rest[match.end() :]
    words = rest.split()
    if (wide := find_wide(text)) is not None:
        about = {"char": repr(wide.char), "plain": repr(wide.plain)}
        raise FormatError(Text("format.wide", about)).within(quote_input(text))
    if not words:
        raise FormatError(Text("piece.no_face", {"text": quote_input(text)}))
    face: str | None = words[0]
    fill = 0
    if match := _FILLER.fullmatch(words[0]):
        face, fill = None, int(match[1] or 1)
        if not 0 < fill <= FILL_MAX:
            raise FormatError(Text("piece.fill", {"text": quote_input(text), "most": FILL_MAX}))
    parts: dict[str, object] = {}
    marks: dict[str, int] = {}
    for word in words[1:]:
        with locate_errors(quote_input(text)):
            _read_word(word, physics, seats, parts, marks)
    return Spec(
        text=text,
        label=label,
        face=None if face == "?" else face,
        plus=plus,
        fill=fill,
        marks=marks,
        **parts,  # type: ignore[arg-type]
    )


def _read_word(
    word: str, physics: Physics, seats: tuple[Seat, ...], parts: dict[str, object], marks: dict[str, int]
) -> None:
    name, equals, value = word.partition("=")
    stances = [stance for stance in physics.schema.stances if stance]
    if not equals:
        if word in ("up", "down"):
            parts["up"] = word == "up"
        elif word in stances:
            parts["stance"] = physics.schema.stances.index(word)
        else:
            raise FormatError(explain_unknown("word", word, (*stances, "up", "down")))
        return
    match name:
        case "by" | "owner":
            parts[name] = _parse_seat(value, seats, NOBODY)
        case "seen":
            parts[name] = tuple(_parse_seat(seat, seats, EVERYONE) for seat in value.split(","))
        case "thing":
            parts[name] = _parse_number(name, value)
        case "tied":
            parts[name] = value
        case _:
            if physics.mark("card", name) is None:
                known = [mark.name for mark in physics.schema.marks if mark.of == "card"]
                raise FormatError(explain_unknown("card_mark", name, (*known, "by", "owner", "seen", "thing", "tied")))
            marks[name] = _parse_number(name, value)


def _parse_seat(text: str, seats: tuple[Seat, ...], besides: Seat) -> Seat:
    if text not in seats and text != besides:
        raise FormatError(explain_unknown("seat", text, (*seats, besides)))
    return Seat(text)


def _parse_number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise FormatError(Text("piece.number", {"name": name, "text": quote_input(text)}))
    return int(text)


def fits(spec: Spec, table: Table, card: CardId, labels: Labels) -> bool:
    """True if a card matches the specified parts. `arrange` compares the host of a `plus` piece."""
    piece = table.pieces[card]
    labelled = labels.cards.get(spec.face) if spec.face is not None else None
    is_face = labelled == card if labelled is not None else spec.face is None or spec.face == piece.face
    return (
        is_face
        and spec.up in (None, piece.up)
        and spec.stance in (None, piece.stance)
        and spec.by in (None, piece.controller)
        and spec.owner in (None, piece.owner)
        and (spec.seen is None or set(spec.seen) == set(piece.seen))
        and spec.thing in (None, piece.thing)
        and (spec.tied is None or labels.cards.get(spec.tied) == piece.host)
        and all(piece.marks.get(name, 0) == number for name, number in spec.marks.items())
        and bool(piece.host) >= spec.plus
    )


def list_parts(specs: Iterable[Spec]) -> frozenset[str]:
    """Return the parts that these pieces specify: `up`, `stance`, `by` ... and names of marks."""
    words = ("up", "stance", "by", "owner", "seen", "thing", "tied")
    parts = {name for spec in specs for name in words if getattr(spec, name) is not None}
    return frozenset(parts.union(*(spec.marks for spec in specs)))


def describe(
    physics: Physics,
    table: Table,
    card: CardId,
    labels: Labels = NO_LABELS,
    also: frozenset[str] = frozenset(),
    plus: bool = True,
) -> str:
    """Write a piece as in a casebook: all parts that differ from the default, and those in `also`. With `plus`, a piece
    tied to another in the same place gets a `+`."""
    piece = table.pieces[card]
    declared = physics.area(piece.place)
    stance = physics.schema.stances[piece.stance] if piece.stance < len(physics.schema.stances) else ""
    names = {number: label for label, number in labels.cards.items()}
    words = [piece.face or "?"]
    if "up" in also or declared is None or piece.up != declared.up:
        words.append("up" if piece.up else "down")
    if stance and (piece.stance or "stance" in also):
        words.append(stance)
    if "by" in also or piece.controller != piece.owner:
        words.append(f"by={piece.controller}")
    if "owner" in also or piece.owner != physics.seat(piece.place):
        words.append(f"owner={piece.owner}")
    if piece.seen:
        words.append(f"seen={','.join(piece.seen)}")
    if "thing" in also:
        words.append(f"thing={piece.thing}")
    tied_here = plus and piece.host in table.places[piece.place]
    if piece.host and (not tied_here or "tied" in also):
        words.append(f"tied={names.get(piece.host) or table.pieces[piece.host].face or '?'}")
    marks = {**dict.fromkeys(sorted(also.intersection(_list_marks(physics, also))), 0), **piece.marks}
    words += [f"{name}={number}" for name, number in marks.items()]
    return ("+" if tied_here else "") + " ".join(words)


def _list_marks(physics: Physics, names: frozenset[str]) -> list[str]:
    return [name for name in names if physics.mark("card", name) is not None]
