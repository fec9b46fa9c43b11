"""Skillbook matches of the repository: events of each."""

from domain.law.entries import Corrected, Restored, Rewound, line
from domain.table.table import Place, Seat, Table
from tests.shelves import SHELVES, actions

SHELF = SHELVES["skillbook"]
entries, table, text = SHELF.entries, SHELF.table, SHELF.text
P1, P2 = Seat("p1"), Seat("p2")


def entries_with(name: str, actor: str, verb: str, face: str = "") -> list[int]:
    pieces = table(name).pieces
    return [
        number
        for number, who, action in actions(entries(name))
        if who == actor
        and action["do"] == verb
        and (not face or pieces[action.get("card") or action.get("unit")].face == face)  # type: ignore[index]
    ]


def hero(of: Table, seat: Seat) -> tuple[str, int, int]:
    """Return the place of a player's hero, its damage and its other lost hit points."""
    (piece,) = (one for one in of.pieces.values() if one.owner == seat and (one.face or "").startswith("H"))
    return piece.place, piece.marks.get("damage", 0), piece.marks.get("hp_lost", 0)


def books(of: Table) -> tuple[int, int]:
    return len(of.places["p1.book"]), len(of.places["p2.book"])


def test_the_serpent_escapes_its_toll_and_comes_again() -> None:
    (toll,) = entries_with("normal", "p2", "use_skill", "S42")
    first, again = entries_with("normal", "p1", "use_skill", "S15")
    saved = next(number for number in entries_with("normal", "p1", "use_skill", "S37") if number > toll)
    assert first < toll < saved < again
    assert hero(table("normal"), P1)[0] == "unit:4,7" and entries_with("normal", "p1", "charge")


def test_who_never_charges_runs_out_of_cards() -> None:
    assert not entries_with("ends-book", "p1", "charge") and entries_with("ends-book", "p2", "charge")
    assert books(table("ends-book"))[0] == 0


def test_nine_turn_ends_under_a_black_sun_take_both_heroes() -> None:
    (sun,) = entries_with("both-fall", "p2", "use_skill", "S59")
    assert (
        sun
        and not entries_with("both-fall", "p1", "start_battle")
        and not entries_with("both-fall", "p2", "start_battle")
    )
    assert [hero(table("both-fall"), seat)[1] for seat in (P1, P2)] == [9, 9]


def test_time_is_called_in_mid_turn_and_the_turn_is_played_out() -> None:
    (called,) = entries_with("time-called", "judge", "call_time")
    assert entries_with("time-called", "p2", "end_turn")[-1] > called and table("time-called").clock.turn == 7
    assert [hero(table("time-called"), seat)[1] for seat in (P1, P2)] == [12 - 4, 10 - 4]


def test_charging_costs_a_hit_point_that_is_no_damage() -> None:
    for seat in (P1, P2):
        assert len(entries_with("charging", seat, "charge")) == 1 and hero(table("charging"), seat)[2] == 1
    assert entries_with("charging", "p1", "dispel_curse") and entries_with("charging", "p1", "use_skill", "S35")


def test_a_rewind_hides_the_drawn_card_again() -> None:
    (at,) = (n for n, entry in enumerate(entries("rewind"), start=1) if isinstance(entry, Rewound | Restored))
    assert "%rewind 120 " in text("rewind") and 121 not in line(entries("rewind"))
    assert table("rewind", at).places["p2.drawn"] and not table("rewind", at).places.get(Place("p2.hand"))
    placed = [SHELF.visible_faces("rewind", number, viewer, "p2.drawn") for number, viewer in ((at, P2), (at, P1))]
    assert placed == [["S34"], []]
    assert SHELF.visible_faces("rewind", at + 1, P1, "p2.table").count("S34") == 1


def test_the_judge_sets_the_hero_back() -> None:
    (at,) = (n for n, entry in enumerate(entries("disputed"), start=1) if isinstance(entry, Corrected))
    assert [hero(table("disputed", number), P2)[0] for number in (at - 1, at)] == ["unit:2,4", "unit:3,5"]
