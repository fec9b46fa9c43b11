"""Actions as text: parsed, refused with a column, and written so that they parse back."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from domain.formats.actions import parse_action, write_action
from domain.formats.errors import FormatError
from domain.formats.names import Labels
from domain.games.blackpoker import actions as A
from domain.law.slots import Action
from tests.formats.matches import wild
from tests.formats.tables import GAME, P1, P2, TABLE, card
from tests.rows import for_each

TARGET = card("D3", "p1.soldiers")
KEYS, DISCARDS = (card("H8", "p1.hand"),), (card("S2", "p1.hand"),)


@for_each(
    "text, expected",
    [
        ("p1: up H8 S2 D3", A.Up(KEYS, DISCARDS, TARGET)),
        ("p1:up H8 S2 u57", A.Up(KEYS, DISCARDS, TARGET)),
        ("p1: request_up target=D3 H8 S2", A.Up(KEYS, DISCARDS, TARGET)),
        ("p1: up H8 - target=D3", A.Up(KEYS, (), TARGET)),
        ("p1: up", A.Up()),
        ("p1: throwing JK,JK p2", A.Throwing((card("JK"), card("JK") + 1), P2)),  # type: ignore[arg-type]
        ("p1: twist H8 S2 D3 charged", A.Twist(KEYS, DISCARDS, TARGET, "charged")),
        ("p2: counter C10 D3 @up", A.Counter((card("C10", "p2.hand"),), (card("D3", "p2.hand"),), 3)),  # type: ignore[arg-type]
        (
            "p2: designate_blockers p2:S4>D3,H2>D3",
            A.DesignateBlockers(((card("S4", "p2.soldiers"), TARGET), (card("H2"), TARGET))),
        ),
        ('judge: judge_end p1 "time \\"out\\"; {x}"', A.JudgeEnd(P1, 'time "out"; {x}')),
        ("chance: shuffle_deck p1 C5,#11,C10", A.ShuffleDeck(P1, (card("C5"), 11, card("C10", "p1.life")))),  # type: ignore[arg-type]
        ("p1: reanimate", A.Unoffered("reanimate")),
        ("p1: request_block S4", A.Unoffered("block")),
    ],
)
def test_read(text: str, expected: Action) -> None:
    actor, action = parse_action(GAME, TABLE, text)
    assert (actor, action) == (text.partition(":")[0], expected)
    assert parse_action(GAME, TABLE, write_action(GAME, TABLE, actor, action)) == (actor, action)


def test_written_short() -> None:
    assert write_action(GAME, TABLE, P1, A.Up(KEYS, DISCARDS, TARGET)) == "p1: up H8 S2 D3"
    assert write_action(GAME, TABLE, P1, A.Up(KEYS, (), TARGET)) == "p1: up H8 target=D3"
    ours = card("S4", "p1.soldiers")
    assert write_action(GAME, TABLE, P1, A.Up(KEYS, DISCARDS, ours)) == f"p1: up H8 S2 u{ours + 50}"
    assert write_action(GAME, TABLE, P1, A.Unoffered("reanimate")) == "p1: reanimate"
    assert write_action(GAME, TABLE, P1, A.Unoffered("odd word")) == 'p1: unoffered "odd word"'


def test_labels_and_a_known_actor() -> None:
    labels = Labels({"k": KEYS[0]}, {"f": TABLE.stack[0].id})
    assert parse_action(GAME, TABLE, "counter k S2 f", labels, actor=P1)[1] == A.Counter(KEYS, DISCARDS, 3)  # type: ignore[arg-type]


@for_each(
    "text, column, message",
    [
        ("", 1, "the actor is missing"),
        ("p3: up", 1, "there is no seat 'p3'"),
        ("p1:", 4, "a verb is missing"),
        ("p1: upp", 5, "did you mean up"),
        ("p1: up H8 S2 D3 p2", 17, "takes no more values"),
        ("p1: up target=D3 target=D3", 18, "given twice"),
        ("p1: up wrong=D3", 8, "there is no slot of up 'wrong'"),
        ("p1: up H8 S2 target=", 21, "has no value"),
        ("p1: up H8,,S2", 11, "empty part"),
        ("p1: up H8 S2,H99 D3", 14, "there is no card 'H99'"),
        ("p1: up H8 S2 S4", 14, "ambiguous"),
        ("p1: twist H8 S2 D3 sideways", 20, "charged, driven"),
        ("p1: choose_second_draw maybe", 24, "yes or no"),
        ("p2: designate_blockers S4", 24, "one>other"),
        ("p2: counter C10 D3 @down", 20, "there is no frame"),
        ("p1: throwing H8 p3", 17, "p1, p2"),
        ("judge: judge_end p1 time", 21, "double quotes"),
        ('judge: judge_end p1 "time', 21, "never closed"),
        ('judge: judge_end p1 "\\q"', 21, "double quotes"),
    ],
)
def test_refused(text: str, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_action(GAME, TABLE, text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (1, column)


@given(st.integers(0, 10_000))
def test_any_action_is_read_back(seed: int) -> None:
    actor, action = wild(GAME, TABLE, Random(seed))
    assert parse_action(GAME, TABLE, write_action(GAME, TABLE, actor, action)) == (actor, action)


PARTS = st.sampled_from(
    [
        "p1:",
        "p2: ",
        "up",
        " ",
        "H8",
        "S2",
        ",",
        ">",
        "-",
        "target=",
        '"',
        "\\",
        "@up",
        "r3",
        "u57",
        "#1",
        "p1:S4@",
        "yes",
    ]
)


@given(st.one_of(st.text(max_size=40), st.lists(PARTS, max_size=12).map("".join)))
def test_any_text_is_an_action_or_a_format_error(text: str) -> None:
    try:
        actor, action = parse_action(GAME, TABLE, text)
    except FormatError as error:
        assert 1 <= error.column <= len(text) + 1
    else:
        assert parse_action(GAME, TABLE, write_action(GAME, TABLE, actor, action)) == (actor, action)
