"""Names of cards in text: resolution, refusals, and round trips."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from domain.formats.actions import verbs
from domain.formats.errors import FormatError, decode_text
from domain.formats.names import (
    SOME_CARD,
    Labels,
    RealCards,
    card_name,
    frame_name,
    resolve_actor,
    resolve_card,
    resolve_frame,
    resolve_seat,
)
from domain.formats.places import NO_NAMES
from domain.games import GAMES
from domain.law.law import Law
from domain.law.slots import Slot, slots
from domain.table.evolve import evolve
from domain.table.facts import Created
from domain.table.physics import Physics, physics_of
from domain.table.redact import TableViewer
from domain.table.table import CHANCE, JUDGE, CardId, FrameId, Place, Seat, blank
from tests.formats.tables import P1, P2, SCHEMA, TABLE, card
from tests.rows import for_each

HAND = Slot("cards", areas=("hand",))
UNITS = Slot("card", areas=("soldiers", "bulwarks"), own=False)


@for_each(
    "text, actor, slot, face, place",
    [
        ("H8", P1, HAND, "H8", "p1.hand"),  # fits the slot
        ("H8", P2, HAND, "H8", "p2.life"),  # in no slot: the actor's own card comes first
        ("C10", P2, HAND, "C10", "p2.hand"),
        ("C10", P1, HAND, "C10", "p1.life"),
        ("H2", P1, HAND, "H2", "p2.soldiers"),  # neither in the slot nor the actor's: any card
        ("p2:H8", P1, HAND, "H8", "p2.life"),
        ("S4@p2.soldiers", P1, UNITS, "S4", "p2.soldiers"),
        ("p1:C10@p1.life", P2, HAND, "C10", "p1.life"),
        ("HK@stage", P1, None, "HK", "stage"),
    ],
)
def test_faces(text: str, actor: Seat, slot: Slot | None, face: str, place: str) -> None:
    assert resolve_card(TABLE, text, actor, slot) == card(face, place)


def test_things_ids_and_labels() -> None:
    assert resolve_card(TABLE, "u57", P1) == 7
    assert resolve_card(TABLE, "#12", P1) == 12
    assert resolve_card(TABLE, "S4", P1, UNITS, Labels({"S4": CardId(1)})) == 1
    with pytest.raises(FormatError, match="is a frame"):
        resolve_card(TABLE, "b", P1, UNITS, Labels({}, {"b": FrameId(3)}))


def test_two_that_differ_are_ambiguous_and_the_ways_are_named() -> None:
    with pytest.raises(FormatError) as caught:
        resolve_card(TABLE, "S4", P1, UNITS)
    first, second = card("S4", "p1.soldiers"), card("S4", "p2.soldiers")
    assert f"u{first + 50} (p1.soldiers), u{second + 50} (p2.soldiers)" in caught.value.message
    assert resolve_card(TABLE, f"u{second + 50}", P1, UNITS) == second


def test_alike_cards_are_taken_in_order() -> None:
    one, two = (id for id, piece in TABLE.pieces.items() if piece.face == "JK")
    assert resolve_card(TABLE, "JK", P1, HAND) == one
    assert resolve_card(TABLE, "JK", P1, HAND, taken=(one,)) == two
    assert resolve_card(TABLE, "JK", P1, HAND, taken=(one, two)) == one
    seen = {**TABLE.pieces, two: replace(TABLE.pieces[two], seen=(P2,))}
    with pytest.raises(FormatError, match="ambiguous"):
        resolve_card(TABLE.with_changes(pieces=seen), "JK", P1, HAND)


def test_a_card_that_something_points_at_is_not_alike() -> None:
    two = [id for id, piece in TABLE.pieces.items() if piece.face == "JK"][1]
    stack = (replace(TABLE.stack[0], cards=(two,)), TABLE.stack[1])
    with pytest.raises(FormatError, match="ambiguous"):
        resolve_card(TABLE.with_changes(stack=stack), "JK", P1, HAND)


@for_each(
    "text, message",
    [
        ("H88", "did you mean H8"),
        ("u99", "there is no u99"),
        ("#99", "there is no card #99"),
        ("#x", "does not name a card"),
        ("p3:S4", "there is no seat 'p3'"),
        ("S4@p1.hand", "there is no S4@p1.hand"),
        ("", "does not name a card"),
        ("u" + "9" * 5000, "there is no card"),
    ],
)
def test_bad_cards(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        resolve_card(TABLE, text, P1)


@for_each("actor", [P1, P2, CHANCE, JUDGE])
@for_each("slot", [None, HAND, UNITS, Slot("card", areas=("life",))])
def test_what_is_written_points_back(actor: Seat, slot: Slot | None) -> None:
    for id in TABLE.pieces:
        assert resolve_card(TABLE, card_name(TABLE, id, actor, slot), actor, slot) == id
    assert card_name(TABLE, card("H8", "p1.hand"), P1, HAND) == "H8"
    assert card_name(TABLE, CardId(99), P1) == "#99"


def test_names_use_only_what_a_viewer_can_see() -> None:
    eyes = TableViewer(Physics(SCHEMA), P1)
    assert resolve_card(TABLE, "H8", P1, HAND, eyes=eyes) == card("H8", "p1.hand")
    for text in ("D3@p2.hand", "C10", f"u{card('D3', 'p2.hand') + 50}", "#1"):
        with pytest.raises(FormatError) as caught:
            resolve_card(TABLE, text, P1, HAND, eyes=eyes)
        assert "p2.hand" not in str(caught.value.message).replace(text, "")


def test_frames() -> None:
    assert resolve_frame(TABLE, "r3") == 3
    assert resolve_frame(TABLE, "@counter") == 4
    assert resolve_frame(TABLE, "@draw") == 5
    assert resolve_frame(TABLE, "@self") == TABLE.framed + 1
    assert resolve_frame(TABLE, "f", Labels({}, {"f": FrameId(4)})) == 4
    two = TABLE.with_changes(stack=(*TABLE.stack, replace(TABLE.stack[0], id=FrameId(8))))
    assert resolve_frame(two, "@up") == 8
    assert frame_name(two, FrameId(3)) == "r3"
    assert [resolve_frame(two, frame_name(two, FrameId(id))) for id in (3, 4, 5, 6, 8)] == [3, 4, 5, 6, 8]
    for text in ("r9", "@down", "up", "r"):
        with pytest.raises(FormatError):
            resolve_frame(TABLE, text)


def test_seats_actors_places() -> None:
    assert resolve_seat(TABLE, "p2") == "p2"
    assert resolve_actor(TABLE, "chance") == CHANCE
    assert NO_NAMES.read(TABLE, "p1.hand") == "p1.hand"
    assert NO_NAMES.read(TABLE, "unit:3,4") == "unit:3,4"
    for resolve, text in (
        (resolve_seat, "chance"),
        (resolve_actor, "p3"),
        (NO_NAMES.read, "p3.hand"),
        (NO_NAMES.read, "a b"),
    ):
        with pytest.raises(FormatError):
            resolve(TABLE, text)


@given(st.text(max_size=30))
def test_any_text_is_a_name_or_a_format_error(text: str) -> None:
    for resolve in (
        lambda: resolve_card(TABLE, text, P1, HAND),
        lambda: resolve_frame(TABLE, text),
        lambda: resolve_seat(TABLE, text),
        lambda: NO_NAMES.read(TABLE, text),
    ):
        with suppress(FormatError):
            resolve()


def test_bytes() -> None:
    assert decode_text(b"\xef\xbb\xbfa\n") == "a\n"
    with pytest.raises(FormatError) as caught:
        decode_text("あ\nい".encode() + b"x\xff", "m.spn")
    assert (caught.value.line, caught.value.column, caught.value.name) == (2, 3, "m.spn")
    assert "byte 8 (0xff)" in str(caught.value)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_card_that_nobody_saw_may_stand_in_every_slot_for_cards(key: str) -> None:
    game, count = GAMES[key], 0
    law = Law(game, game.latest)
    schema = law.schema()
    physics = physics_of(schema)
    for verb, action in verbs(game).items():
        for named in slots(action):
            for area in named.slot.areas if named.slot.kind in ("card", "cards", "pairs") else ():
                (kind,) = (one for one in schema.areas if one.name == area)
                square = {"grid": ":1,1", "slots": ":1"}.get(kind.order, "")
                place = Place(f"{'p1.' if kind.per_seat else ''}{area}{square}")
                table = evolve(blank(tuple(law.seats())), Created(place, (CardId(9),), (None,), P1))
                real = RealCards(physics, {})
                slot = named.slot
                found = resolve_card(table, SOME_CARD, P1, slot, real=real, places=NO_NAMES)
                assert found == 9 and not real.faces, (verb, named.name, place)
                count += 1
    assert count > 5
