"""The board and the hands, for each viewer."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.law.entries import Entry, Rewound, opened_of
from domain.law.law import Law
from domain.law.rulebook import Lang
from domain.table.facts import Shown, Tied
from domain.table.redact import SPECTATOR, SeenPlace, View
from domain.table.table import EVERYONE, JUDGE, CardId, Seat
from projections.board import Hand, board, hands, render_board
from projections.rows import plain
from projections.viewing import NotInMatch
from tests.projections.records import GAME, P1, P2, by_hand, laid_out, play
from tests.rows import for_each
from tests.shelves import seen_by

LAW = Law(GAME, GAME.latest)
START = laid_out(
    {
        "p1.hand": "H8 S2 HJ",
        "p2.hand": "C3 D3",
        "p1.bulwarks": "C8",
        "p2.bulwarks": "D8",
        "p1.soldiers": "S4",
        "p2.soldiers": "D9",
        "p2.grave": "C2 C4",
    }
)


def at(drawn: View, place: str) -> SeenPlace:
    everywhere = [one for seat in drawn.seats for one in seat.places] + list(drawn.shared)
    return next(one for one in everywhere if one.place == place)


def faces(drawn: View, place: str) -> list[str | None]:
    return [card.face for card in at(drawn, place).cards]


@for_each(
    "viewer, place, expected, count, least",
    [
        ("p1", "p1.hand", ["H8", "HJ", "S2"], 3, None),
        ("p1", "p2.hand", [], 2, None),
        ("p1", "p1.life", [], 11, None),
        ("p1", "p2.life", [], None, 10),
        ("p1", "p1.bulwarks", ["C8"], 1, None),
        ("p1", "p2.bulwarks", [None], 1, None),
        ("p1", "p2.grave", ["C4"], None, None),
        ("p2", "p2.grave", ["C2", "C4"], 2, None),
        ("spectator", "p1.hand", [], 3, None),
        ("spectator", "p1.soldiers", ["S4"], 1, None),
        ("judge", "p2.life", ["C5", "C6", "D10", "S3", "S5", "H9", "C10", "H10", "D7", "CA", "DA"], 11, None),
    ],
)
def test_a_place_as_each_viewer_sees_it(
    viewer: str, place: str, expected: list[str | None], count: int | None, least: int | None
) -> None:
    drawn = board(*seen_by(GAME, START, Seat(viewer)))
    assert (faces(drawn, place), at(drawn, place).count, at(drawn, place).least) == (expected, count, least)


def test_cards_of_a_bag_come_by_face_and_things_stay_with_them() -> None:
    drawn = board(*seen_by(GAME, START, P1))
    assert [(card.face, card.thing) for card in at(drawn, "p1.hand").cards] == [("H8", 23), ("HJ", 25), ("S2", 24)]


def test_readings_are_of_cards_the_viewer_knows() -> None:
    (own,) = at(board(*seen_by(GAME, START, P1)), "p1.bulwarks").cards
    (others,) = at(board(*seen_by(GAME, START, P2)), "p1.bulwarks").cards
    assert own.readings == {"component": "bulwark", "labels": "blocker"}
    assert others.readings == {} and others.face is None and others.thing == own.thing
    (soldier,) = at(board(*seen_by(GAME, START, SPECTATOR)), "p2.soldiers").cards
    assert soldier.readings["size"] == 9


def test_a_card_that_is_tied_lies_under_its_host_or_says_where_that_is() -> None:
    entries = laid_out({"p1.soldiers": "S4 D7", "p1.bulwarks": "C8"})
    bulwark, base, armour = CardId(25), CardId(23), CardId(24)
    drawn = board(*seen_by(GAME, [*entries, by_hand(Tied((armour, bulwark), base))], JUDGE))
    (soldier,) = at(drawn, "p1.soldiers").cards
    assert (soldier.face, [card.face for card in soldier.tied]) == ("S4", ["D7"])
    assert (soldier.readings["size"], at(drawn, "p1.bulwarks").cards[0].host) == (11, soldier.thing)
    text = plain(render_board(drawn, LAW, LAW.schema(), "en"))
    assert "+D7 (u24)" in text and f"C8 (u25) on u{soldier.thing}" in text


def test_a_request_shows_in_its_lane_and_on_the_stage() -> None:
    entries = play(START, "p1: up H8 HJ S4")
    drawn = board(*seen_by(GAME, entries, P2))
    (request,) = drawn.stack
    assert (request.kind, request.by, [card.face for card in request.cards]) == ("up", "p1", ["H8"])
    assert [card.face for card in request.objs] == ["S4"]
    assert faces(drawn, "stage") == ["H8"]
    assert drawn.clock.awaited == ("p1",)


def test_a_board_of_an_entry_that_was_left_is_still_to_be_had() -> None:
    left = play(START, "p1: up H8 HJ S4")
    entries = play([*left, Rewound(to=1, reason="wrong card", by="judge")], "p1: pass")
    assert board(*seen_by(GAME, entries, P1), 2).stack != ()
    assert board(*seen_by(GAME, entries, P1), 3).stack == ()
    assert board(*seen_by(GAME, entries, P1), 4).clock.passed == ("p1",)


@for_each("lang", ["en", "ja"])
def test_a_board_in_words(lang: Lang) -> None:
    drawn = board(*seen_by(GAME, play(START, "p1: up H8 HJ S4"), P2))
    text = plain(render_board(drawn, LAW, LAW.schema(), lang))
    expected = {
        "en": ["after entry 2, seen by p2", "p1 Aoi", "  hand 1", "  bulwarks 1 u28", "stage 1 H8", "r1 Up (Aoi)"],
        "ja": [
            "記録2の後（p2の視点）",
            "p1 Aoi",
            "  手札 1枚",
            "  防壁 1枚 u28",
            "ステージ 1枚 H8",
            "r1 アップ（Aoi）",
        ],
    }
    for line in expected[lang]:
        assert any(one.startswith(line) or line in one for one in text.splitlines()), line
    assert "S2" not in text


def test_a_board_is_json_without_card_ids_but_for_the_judge() -> None:
    plain_json = msgspec.json.encode(board(*seen_by(GAME, START, P1)))
    assert b'"card":' not in plain_json
    assert b'"card":' in msgspec.json.encode(board(*seen_by(GAME, START, JUDGE)))
    assert msgspec.json.decode(plain_json)["clock"] == {
        "turn": 3,
        "active": "p1",
        "first": "p1",
        "phase": "play",
        "awaited": ["p1"],
    }


@for_each("at_entry, viewer", [(None, "p3"), (0, "p1"), (2, "p1"), (None, "")])
def test_what_is_not_in_the_match_is_named(at_entry: int | None, viewer: str) -> None:
    with pytest.raises(NotInMatch, match=r"p3|entry 0|entry 2|viewer ''"):
        board(*seen_by(GAME, START, Seat(viewer)), at_entry)


def viewer_hands(entries: Sequence[Entry], viewer: Seat) -> tuple[Hand, ...]:
    return hands(board(*seen_by(GAME, entries, viewer)), opened_of(entries).schema)


def test_hands_own_and_others() -> None:
    entries = [*START, by_hand(Shown((CardId(26),), (EVERYONE,), lasting=True))]
    mine, theirs = viewer_hands(entries, P1)
    assert (mine.own, [card.face for card in mine.places[0].cards]) == (True, ["H8", "HJ", "S2"])
    assert (theirs.own, theirs.places[0].count) == (False, 2)
    assert [(card.face, card.thing) for card in theirs.places[0].cards] == [("C3", 0)]
    assert [hand.own for hand in viewer_hands(entries, SPECTATOR)] == [False, False]
