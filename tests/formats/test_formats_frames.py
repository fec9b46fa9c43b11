"""A slot that names several frames in order: written, read, seen and picked."""

from typing import Any

import pytest
from msgspec.structs import replace

from cli.play.labels import items
from cli.play.offers import ActorPosition, first_slot
from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.formats.names import Labels
from domain.law.entries import Played
from domain.law.law import Law
from domain.law.offers import SlotChoice, Template
from domain.law.slots import Action, Frames
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.schema import Kind
from domain.table.table import Frame, FrameId
from projections.phrases import action_words
from projections.seen_entries import seen_action
from recorder.codec import raw_action
from tests.formats.tables import GAME, P1, P2, RULES, SCHEMA, TABLE
from tests.rows import for_each


class Line(Action, frozen=True, omit_defaults=True, tag="line"):
    effects: Frames = ()


def waits(number: int, face: str) -> Frame:
    return Frame(id=FrameId(number), lane="waiting", kind="draw", by=P1, face=face)


def checks(rules: Any, table: Any, actor: Any, action: Any) -> Any:
    yield "BP-4.2", len(set(action.effects)) == len(action.effects) != 1


LINING = replace(GAME, action_types=(*GAME.action_types, Line), checks=checks)
ASKED = TABLE.with_changes(
    waiting=(waits(11, ""), waits(12, "S42"), waits(14, "S12"), waits(15, "S42"), waits(16, "S99")),
    asked=(
        Frame(id=FrameId(20), lane="asked", kind="order", by=P1, frames=(FrameId(11), *map(FrameId, (12, 14, 15)))),
        Frame(id=FrameId(21), lane="asked", kind="order", by=P2, frames=(FrameId(16),)),
    ),
)
NAMED = Labels({}, {"b1": FrameId(14)})


@for_each(
    "text, frames",
    [
        ("p1: line r12,r14", (12, 14)),
        ("p1: line S42,S12", (12, 14)),
        ("p1: line S12,S42,S42", (14, 12, 15)),  # two equal frames are taken in order
        ("p1: line r12,S42", (12, 15)),
        ("p1: line b1,r12", (14, 12)),
        ("p1: line effects=S42", (12,)),
        ("p1: line @draw", (16,)),
        ("p2: line S99", (16,)),  # among the frames the actor is asked about
        ("p1: line -", ()),
    ],
)
def test_read(text: str, frames: tuple[int, ...]) -> None:
    assert parse_action(LINING, ASKED, text, NAMED)[1] == Line(tuple(map(FrameId, frames)))


@for_each(
    "text, column, why",
    [
        ("p1: line S42,S99", 14, "there is no frame 'S99'"),
        ("p1: line r12,r77", 14, "r77"),
        ("p1: line S13", 10, "S42, S12, r11, r12, r14, r15"),
        ("p1: line S42,,S12", 14, "empty"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(text: str, column: int, why: str) -> None:
    with pytest.raises(FormatError, match=why) as caught:
        parse_action(LINING, ASKED, text)
    assert caught.value.column == column


@for_each("frames", [(), (12,), (15, 12, 14), (12, 12)])
def test_written_and_read_back(frames: tuple[int, ...]) -> None:
    action = Line(tuple(map(FrameId, frames)))
    text = write_action(LINING, ASKED, P1, action)
    assert text == ("p1: line " + ",".join(f"r{one}" for one in frames)).strip() or not frames
    assert parse_action(LINING, ASKED, text) == (P1, action)


def test_a_viewer_names_only_faces_that_are_shown() -> None:
    secret = replace(
        SCHEMA,
        kinds=(*(one for one in SCHEMA.kinds if one.name != "draw"), Kind("draw", ("waiting",), secret=("face",))),
    )
    for viewer, found in ((P1, True), (P2, False)):
        eyes = TableViewer(Physics(secret), viewer)
        if found:
            assert parse_action(LINING, ASKED, "p1: line S42", eyes=eyes)[1] == Line((FrameId(12),))
            continue
        with pytest.raises(FormatError) as caught:
            parse_action(LINING, ASKED, "p1: line S42", eyes=eyes)
        assert "S12" not in caught.value.message.say("en")


def test_seen_and_said() -> None:
    action = Line((FrameId(15), FrameId(12)))
    entry = Played(actor=P1, action=raw_action(action))
    seen = seen_action(LINING, TableViewer(Physics(SCHEMA), SPECTATOR), entry, ASKED)
    assert [(one.kind, one.frames) for one in seen.slots] == [("frames", (15, 12))]
    for lang in ("en", "ja"):
        said = action_words(LINING, seen, lang, {})  # type: ignore[arg-type]
        assert said.index("r15") < said.index("r12")


def test_picked_in_an_order_that_means_something() -> None:
    frames = tuple(map(FrameId, (12, 14, 15)))
    seen = ActorPosition(Law(LINING, RULES), ASKED, P1)
    slot = first_slot(seen, Template(Line, (SlotChoice("effects", frames, 3, 3, many=True, ordered=True),)))
    assert slot.whole and len(slot.fillings) == 6
    listed = items(seen, Physics(SCHEMA), "frames", slot.choice.candidates, "en")
    assert [one.value for one in listed] == list(frames)
    assert all(code in one.codes for one, code in zip(listed, ("s42", "s12", "s42"), strict=True))
