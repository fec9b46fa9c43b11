"""Grimoire matches of the repository: events of each."""

from domain.games.grimoire.cards import POOLS
from domain.judging.audit import audit
from domain.law.entries import Corrected, Rewound, fold_entries, line
from domain.law.pools import FIRST
from domain.law.rulesets import load, with_settings
from domain.table.table import Place, Seat, Table
from tests.shelves import SHELVES, actions, faces

SHELF = SHELVES["grimoire"]
GAME = SHELF.game
entries, opened, table = SHELF.entries, SHELF.first_entry, SHELF.table
P1, P2, P3, P4 = (Seat(f"p{number}") for number in range(1, 5))


def entries_with(name: str, actor: str, verb: str, **named: str) -> list[int]:
    pieces = table(name).pieces
    return [
        number
        for number, who, action in actions(entries(name))
        if who == actor
        and action["do"] == verb
        and all(pieces[action[slot]].face == face for slot, face in named.items())  # type: ignore[index]
    ]


def marks(of: Table, face: str, place: str) -> dict[str, int]:
    card = next(card for card in of.places[Place(place)] if of.pieces[card].face == face)
    return dict(of.pieces[card].marks)


def test_together_they_cast_every_spell_of_the_sample_set() -> None:
    cast = set()
    for name in SHELF.matches:
        pieces = table(name).pieces
        cast |= {pieces[action["card"]].face for _, _, action in actions(entries(name)) if action["do"] == "cast"}  # type: ignore[index]
    assert cast >= {face for face, words in POOLS.cards_by_pool[FIRST].items() if words.type == "spell"}


def test_the_fight_is_high_and_a_target_is_gone_under_the_spell_aimed_at_it() -> None:
    tops = [fold_entries(entries("stack-fight"), one).stack for one in range(1, len(entries("stack-fight")) + 1)]
    assert max(map(len, tops)) == 7
    (hit,) = entries_with("stack-fight", "p1", "activate", object="C01")
    assert "S17" in faces(table("stack-fight", hit), "p2.junkyard")
    waiting = table("stack-fight", hit).stack[-1]
    gone = waiting.objs[1]
    assert table("stack-fight", hit).pieces[gone.card].face == "S17"
    assert table("stack-fight", hit).pieces[gone.card].thing != gone.thing


def test_a_target_that_stood_up_takes_no_damage_and_the_page_is_turned() -> None:
    (played,) = entries_with("target-gone", "p1", "play", spell="S33", target="S49")
    (chosen,) = entries_with("target-gone", "p1", "choose_objects")[:1]
    before, after = table("target-gone", played), table("target-gone", chosen)
    assert marks(after, "S33", "field").get("damage", 0) == marks(after, "S49", "field").get("damage", 0) == 0
    hands = [len(faces(one, "p1.hand")) for one in (before, after)]
    assert hands[1] == hands[0] - 1 + 2


def test_both_are_beaten_and_the_last_one_left_has_won() -> None:
    last = table("double-defeat")
    assert [marks(last, "C01", f"{seat}.personal")["damage"] for seat in (P1, P2)] == [12, 12]
    assert last.clock.active == P1 and not last.seats[P2].get("out")
    reversed_order = with_settings(GAME, load(GAME, opened("double-defeat").rules), {"simultaneous_loss": "draw"})
    assert [one.kind for one in audit(GAME, entries("double-defeat"), reversed_order).findings] == ["consequences"]


def test_the_thin_book_has_no_page_for_the_third_draw() -> None:
    assert faces(table("empty-grimoire"), "p2.grimoire") == []
    before = entries_with("empty-grimoire", "p1", "cast", card="S39")[-1] - 1
    assert faces(table("empty-grimoire", before), "p2.grimoire") == ["S15"]


def test_the_borrowed_lance_is_broken_in_the_borrowers_hands() -> None:
    last = table("void-control")
    assert "S03" in faces(last, "p1.junkyard")
    lance = next(card for card in last.places[Place("p1.junkyard")] if last.pieces[card].face == "S03")
    assert last.pieces[lance].owner == P2
    (fetched,) = entries_with("void-control", "p2", "play", spell="S08", target="C02")[-1:]
    before = table("void-control", fetched - 1)
    assert "S08" in faces(before, "field") and faces(before, "void") == []
    assert "S08" in faces(table("void-control", entries_with("void-control", "p2", "cast", card="S51")[0] - 1), "void")


def test_a_lance_of_one_who_is_out_is_never_resolved() -> None:
    record = opened("three-players")
    out = SHELF.number("three-players", lambda one: one.seats[P1].get("out"))
    stood, left = table("three-players", out - 1), table("three-players", out)
    assert [stood.pieces[one.objs[0].card].face for one in stood.stack] == ["S23", "S03", "S27"]
    assert [left.pieces[one.objs[0].card].face for one in left.stack] == ["S23"]
    assert sorted(str(one) for one in faces(left, "removed")) == sorted(record.decks[P1] + record.sides[P1])


def test_friends_see_each_others_hands_until_one_is_out() -> None:
    def visible_faces(viewer: Seat, place: str, upto: int) -> list[str]:
        return SHELF.visible_faces("two-teams", upto, viewer, place)

    out = SHELF.number("two-teams", lambda one: one.seats[P3].get("out"))
    held = [str(one) for one in faces(table("two-teams", out - 1), "p1.hand")]
    assert sorted(visible_faces(P3, "p1.hand", out - 1)) == sorted(held) != []
    assert visible_faces(P3, "p2.hand", out - 1) == []
    assert visible_faces(P3, "p1.hand", out) == []


def test_a_grimoire_is_shuffled_in_the_middle_and_a_colour_is_chosen() -> None:
    shuffles = [number for number, who, one in actions(entries("grove-prism")) if one["do"] == "shuffle_grimoire"]
    assert len(shuffles) == 3 and table("grove-prism", shuffles[2]).clock.turn == 4
    options = [one.get("option", 0) for _, _, one in actions(entries("grove-prism")) if one["do"] == "choose_option"]
    assert options == [0, 6, 5, 0]
    assert table("grove-prism").seats[P2]["chroma.V"] == 1 and table("grove-prism").seats[P2]["chroma.I"] == 1


def test_the_judge_takes_the_tide_back_and_the_match_once() -> None:
    record = entries("disputed")
    corrected = next(at for at, one in enumerate(record, start=1) if isinstance(one, Corrected))
    before, after = table("disputed", corrected - 1), table("disputed", corrected)
    assert "S23" in faces(before, "field") and "S23" in faces(after, "p2.hand")
    assert [marks(one, "C01", "p1.personal")["damage"] for one in (before, after)] == [5, 1]
    at, back = next((at, one) for at, one in enumerate(record, start=1) if isinstance(one, Rewound))
    assert table("disputed", at) == table("disputed", back.to) != table("disputed", at - 1)
    assert set(range(back.to + 1, at)).isdisjoint(line(record))
