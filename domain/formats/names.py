"""Names of cards, frames, seats and places in notation, and the shortest unique name of a card."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown, quote_input
from domain.formats.places import NO_NAMES, PlaceNames
from domain.law.game import UNKNOWN_FACE
from domain.law.slots import Slot, may_name
from domain.table.physics import ACTORS, Physics
from domain.table.redact import TableViewer
from domain.table.table import (
    JUDGE,
    LANES,
    CardId,
    FrameId,
    Place,
    Seat,
    Table,
    area,
    frame as frame_of,
    lane,
    seat_of,
)
from domain.words import Text, listed

THING = re.compile(r"u([0-9]{1,18})")
CARD = re.compile(r"#([0-9]{1,18})")
FRAME = re.compile(r"r([0-9]{1,18})")
FACE = re.compile(r"(?:(\w+):)?([\w'][\w'-]*)(?:@(\S+))?")
NEWEST = "@newest"
"""The newest frame of any kind, preferably on the stack."""
SELF = "@self"
"""The frame that the action itself would become."""
NAMED_MAX = 6
"""Maximum number of cards that an error lists for an ambiguous name."""


class Labels(Struct, frozen=True):
    """Names that a casebook gives to pieces and frames. They override all others."""

    cards: Mapping[str, CardId] = {}
    frames: Mapping[str, FrameId] = {}


NO_LABELS = Labels()
SOME_CARD = UNKNOWN_FACE
"""An unnamed card: any card in the slot that the log does not know."""


class RealCards(Struct, frozen=True):
    """Names for cards that the log does not know. `faces` collects the faces that a text gives them.

    Only cards that cannot be told apart are named so, as in a hand or pile; others have numbers. `dealt` is True if the
    program dealt the cards: an unnamed card must then be unambiguous. `offered` are possible answers to a pending
    question; a face means one of these first. The log knows the faces of `logged` cards, which are named last.
    """

    physics: Physics
    faces: dict[CardId, str | None]
    dealt: bool = False
    offered: Collection[CardId] = ()
    logged: Collection[CardId] = ()


class _CardName(Struct, frozen=True):
    """A text that names a card in a slot, with its context."""

    table: Table
    text: str
    actor: Seat
    slot: Slot | None
    taken: Collection[CardId]
    eyes: TableViewer | None
    places: PlaceNames

    def is_face_known(self, card: CardId) -> bool:
        return self.eyes is None or self.eyes.knows(self.table, card)

    def is_trackable(self, card: CardId) -> bool:
        return self.eyes is None or self.eyes.follows(self.table, card)

    def fits_slot(self, card: CardId) -> bool:
        return self.slot is not None and may_name(self.table.pieces[card].place, self.actor, self.slot)

    def is_at(self, text: str | None, place: Place) -> bool:
        """True if the text names this place or its kind. None names any place."""
        return text is None or text in (place, area(place)) or place in self.places.find(text)


def resolve_card(
    table: Table,
    text: str,
    actor: Seat,
    slot: Slot | None = None,
    labels: Labels = NO_LABELS,
    taken: Collection[CardId] = (),
    eyes: TableViewer | None = None,
    real: RealCards | None = None,
    places: PlaceNames = NO_NAMES,
) -> CardId:
    """Return the card that a text means in a slot. `taken` are the cards that the action named before.

    A square's name in `places` may stand for the piece on it. With `real`, a face may also name an unknown card in the
    slot, and `real.faces` stores it. Raises FormatError if no card or several different cards match.
    """
    if text in labels.cards:
        return labels.cards[text]
    if text in labels.frames:
        raise FormatError(Text("name.frame_for_card", {"text": text}))
    if match := CARD.fullmatch(text):
        card = CardId(int(match[1]))
        if eyes is not None and eyes.viewer != JUDGE:
            raise FormatError(Text("name.id_for_judge", {"text": text}))
        if card not in table.pieces:
            raise FormatError(Text("name.no_card", {"text": text}))
        return card
    name = _CardName(table, text, actor, slot, taken, eyes, places)
    if match := THING.fullmatch(text):
        things = (
            card for card, piece in table.pieces.items() if piece.thing == int(match[1]) and name.is_trackable(card)
        )
        if (thing := next(things, None)) is None:
            raise FormatError(Text("name.not_on_table", {"text": f"u{int(match[1])}"}))
        return thing
    if squares := _squares(name):
        return _resolve_piece(name, squares)
    if real is not None and slot is not None:
        unseen_card = _resolve_unseen(name, real)
        if unseen_card is not None:
            if text != SOME_CARD and table.pieces[unseen_card].face is None:
                real.faces[unseen_card] = text.partition("@")[0].rpartition(":")[2]
            elif text == SOME_CARD and table.pieces[unseen_card].face is not None and not real.dealt:
                real.faces[unseen_card] = None
            return unseen_card
    if text == SOME_CARD:
        raise FormatError(Text("name.some_dealt" if real is None or real.dealt else "name.some_none"))
    if match := FACE.fullmatch(text):
        return _resolve_face(name, match)
    raise FormatError(Text("name.names_no_card", {"text": quote_input(text)}))


def _squares(name: _CardName) -> tuple[Place, ...]:
    """Return the squares that a text names, unless it is the face of a card."""
    display, long = name.places.display, Place(name.text)
    if display.place_name(long):
        return (long,)
    faces = (piece.face == name.text and name.is_face_known(card) for card, piece in name.table.pieces.items())
    return () if not any(display.find_places(name.text)) or any(faces) else name.places.find(name.text)


def _resolve_piece(name: _CardName, squares: tuple[Place, ...]) -> CardId:
    """Return the one piece on these squares that fits the slot. Raises FormatError. If several fit a slot for own
    cards, the actor's piece is chosen."""
    standing = [card for place in squares for card in name.table.places.get(place, ())]
    seen = [card for card in standing if name.is_trackable(card) or name.is_face_known(card)]
    candidates = [card for card in seen if name.fits_slot(card)] or seen
    if len(candidates) > 1 and name.slot is not None and name.slot.own:
        candidates = [card for card in candidates if name.table.pieces[card].controller == name.actor] or candidates
    if not candidates:
        raise FormatError(Text("name.empty_square", {"text": name.text}))
    if len(candidates) > 1:
        raise _make_ambiguous_error(name, candidates)
    return candidates[0]


def _resolve_unseen(name: _CardName, real: RealCards) -> CardId | None:
    """Return the unknown card that a text means; None if it means none. A face means an unknown card only if no known
    card in the slot has that face. `?` means the next unnamed card."""
    table, actor, holder = name.table, name.actor, _holder(name)
    match = FACE.fullmatch(name.text)
    if match is None and name.text != SOME_CARD:
        return None
    owner, face, place = match.groups() if match is not None else (None, None, None)
    rows = (row for at, row in table.places.items() if name.is_at(place, at))
    cards = [card for row in rows for card in row if card not in name.taken and name.fits_slot(card)]
    if actor not in table.seats:
        cards = [card for card in cards if seat_of(table.pieces[card].place) in (None, holder)]
    asked = [card for card in cards if any(card in question.cards for question in table.asked if question.by == actor)]
    for card in asked or cards:
        if face is not None and table.pieces[card].face == face:
            return card if asked else None
    owned = asked or [card for card in cards if table.pieces[card].owner == (owner or holder) or card in real.offered]
    unfollowed = [card for card in owned if not TableViewer(real.physics).follows(table, card)]
    unfollowed = [card for card in unfollowed if card in real.offered] or unfollowed
    if name.text == SOME_CARD:
        only = unfollowed or [card for card in owned or cards if _is_unseen(table, card, real)]
        if real.dealt or not unfollowed:
            return only[0] if len(only) == 1 else None
    candidates = sorted(unfollowed, key=lambda card: table.pieces[card].face is not None or card in real.logged)
    return next((card for card in candidates if face is None or table.pieces[card].face is None), None)


def _holder(name: _CardName) -> Seat:
    """Return the seat whose cards are meant: the actor, or the seat that chance is asked about."""
    if name.actor in name.table.seats:
        return name.actor
    asked = (seat for question in name.table.asked if question.by == name.actor for seat in question.seats)
    return next(asked, name.actor)


def _is_unseen(table: Table, card: CardId, real: RealCards) -> bool:
    """True if the record does not know the face. For cards that the program dealt: if a spectator does not."""
    return not TableViewer(real.physics).knows(table, card) if real.dealt else table.pieces[card].face is None


def _resolve_face(name: _CardName, match: re.Match[str]) -> CardId:
    pieces = name.table.pieces
    owner, face, place = match.groups()
    if owner is not None:
        resolve_seat(name.table, owner)
    named = [
        card
        for card, piece in pieces.items()
        if piece.face == face
        and (owner is None or piece.owner == owner)
        and name.is_at(place, piece.place)
        and name.is_face_known(card)
    ]
    own = [card for card in named if pieces[card].controller == name.actor]
    if nearest := [card for card in named if name.fits_slot(card)] or own or named:
        plain = [card for card in nearest if pieces[card].up or pieces[card].controller == name.actor]
        return _choose_first(name, plain or nearest)
    faces = {piece.face for card, piece in pieces.items() if piece.face and name.is_face_known(card)}
    if face in faces:
        raise FormatError(Text("name.not_on_table", {"text": name.text}))
    raise FormatError(explain_unknown("card", face, sorted(faces), lists=False))


def _choose_first(name: _CardName, named: list[CardId]) -> CardId:
    table = name.table
    if len(named) == 1:
        return named[0]
    if not _are_alike(table, named):
        raise _make_ambiguous_error(name, named)
    row = table.places[table.pieces[named[0]].place]
    named = sorted(named, key=row.index)
    return next((card for card in named if card not in name.taken), named[0])


def _make_ambiguous_error(name: _CardName, named: list[CardId]) -> FormatError:
    ways = [_write_exact_name(name, card) for card in named[:NAMED_MAX]]
    more = Text("name.more", {"n": len(named) - NAMED_MAX}) if len(named) > NAMED_MAX else ""
    return FormatError(Text("name.ambiguous", {"text": name.text, "ways": listed(ways), "more": more}))


def _write_exact_name(name: _CardName, card: CardId) -> str:
    """Return an exact name for a card. The thing number is used only if the viewer may know it."""
    piece = name.table.pieces[card]
    place = name.places.name(piece.place)
    if name.is_trackable(card):
        return f"u{piece.thing} ({place})"
    return f"{piece.face}@{place}"


def _are_alike(table: Table, cards: list[CardId]) -> bool:
    """True if these cards differ only in number and nothing refers to one of them."""
    looks = [
        (p.place, p.owner, p.controller, p.up, p.stance, p.host, p.seen, dict(p.marks))
        for p in (table.pieces[card] for card in cards)
    ]
    return all(look == looks[0] for look in looks) and not set(cards).intersection(_referenced_cards(table))


def _referenced_cards(table: Table) -> Iterator[CardId]:
    for piece in table.pieces.values():
        if piece.host:
            yield piece.host
    for effect in table.effects:
        yield effect.source.card
        yield from (obj.card for obj in effect.on)
    for holder in (*table.effects, *(frame for name in LANES for frame in lane(table, name))):
        yield from holder.cards
        yield from (obj.card for obj in holder.objs)
        yield from (obj.card for pair in holder.pairs for obj in pair)


def card_name(table: Table, card: CardId, actor: Seat, slot: Slot | None = None, taken: Collection[CardId] = ()) -> str:
    """Return the shortest text that means exactly this card in this slot: face, thing number or id."""
    piece = table.pieces.get(card)
    if piece is None:
        return f"#{card}"
    for text in ((piece.face,) if piece.face else ()) + (f"u{piece.thing}",):
        try:
            if resolve_card(table, text, actor, slot, taken=taken) == card:
                return text
        except FormatError:
            continue
    return f"#{card}"


def resolve_frame(table: Table, text: str, labels: Labels = NO_LABELS) -> FrameId:
    """Return the frame that a text means: `r3`, `@newest`, `@kind` (the newest of a kind) or `@self`. The newest frame
    is the top of the stack, then the newest waiting, asked or running frame."""
    if text in labels.frames:
        return labels.frames[text]
    frames = [frame for name in ("running", "asked", "waiting", "stack") for frame in lane(table, name)]
    if text == SELF:
        return FrameId(table.framed + 1)
    if match := FRAME.fullmatch(text):
        for frame in frames:
            if frame.id == int(match[1]):
                return frame.id
    elif text == NEWEST and frames:
        return frames[-1].id
    elif text.startswith("@"):
        for frame in reversed(frames):
            if frame.kind == text[1:]:
                return frame.id
    else:
        raise FormatError(Text("name.names_no_frame", {"text": quote_input(text)}))
    ways = [way for frame in frames for way in (f"r{frame.id}", f"@{frame.kind}")]
    raise FormatError(explain_unknown("frame", text, dict.fromkeys(ways)))


def resolve_listed_frame(
    table: Table,
    text: str,
    actor: Seat,
    labels: Labels = NO_LABELS,
    taken: Collection[FrameId] = (),
    eyes: TableViewer | None = None,
) -> FrameId:
    """Return a frame by its usual name, or by its face among the frames that the actor is asked about. Of frames with
    the same face, the first that the action has not named is meant."""
    if text in labels.frames or text.startswith("@") or FRAME.fullmatch(text):
        return resolve_frame(table, text, labels)
    asked = [served for question in table.asked if question.by == actor for served in question.frames]
    faces: dict[FrameId, str] = {}
    for frame in map(partial(frame_of, table), asked):
        if frame is not None:
            seen = frame if eyes is None else eyes.frame(table, frame)
            faces[frame.id] = seen.face
    named = [frame for frame, face in faces.items() if face == text]
    if not named:
        ways = (*filter(None, faces.values()), *(f"r{frame}" for frame in faces))
        raise FormatError(explain_unknown("frame", text, dict.fromkeys(ways)))
    return next((frame for frame in named if frame not in taken), named[0])


def frame_name(table: Table, wanted: FrameId) -> str:
    """Return the shortest exact name of a frame: its kind if it is the newest of that kind, or its number."""
    if wanted == table.framed + 1:
        return SELF
    for name in LANES:
        for frame in lane(table, name):
            if frame.id == wanted and frame.kind.isidentifier() and resolve_frame(table, f"@{frame.kind}") == wanted:
                return f"@{frame.kind}"
    return f"r{wanted}"


def seats_of_player(names: Mapping[Seat, str], text: str) -> tuple[Seat, ...]:
    """Return the seats whose player has this name. Case matters only if it distinguishes players."""
    wanted = text.strip()
    exact = tuple(seat for seat, name in names.items() if name == wanted)
    return exact or tuple(seat for seat, name in names.items() if wanted and name.casefold() == wanted.casefold())


def resolve_seat(table: Table, text: str) -> Seat:
    if text not in table.seats:
        raise FormatError(explain_unknown("seat", text, table.seats))
    return Seat(text)


def resolve_actor(table: Table, text: str) -> Seat:
    """Return an actor: a seat, chance or a judge. Raises FormatError."""
    if text not in table.seats and text not in ACTORS:
        raise FormatError(explain_unknown("seat", text, (*table.seats, *ACTORS)))
    return Seat(text)
