"""Knowledge of faces: who has seen which face, since which entry, and which cards can no longer be followed."""

from typing import Any

import pytest

from domain.games import GAMES
from domain.games.grimoire.actions import TranceHand
from domain.law.entries import Entry, Restored, Rewound, fold_entries
from domain.table import facts as F
from domain.table.redact import SPECTATOR
from domain.table.table import EVERYONE, JUDGE, CardId, Place, Seat
from projections.knowledge import (
    CardSighting,
    KnownCard,
    knowledge,
    list_learned,
    render_knowledge,
    render_learned,
    sights,
)
from projections.rows import plain
from projections.viewing import NotInMatch
from tests.laws.samples import moments, sample
from tests.projections.records import GAME, P1, P2, by_hand, laid_out
from tests.shelves import seen_by

HAND, LIFE_1, GRAVE = Place("p1.hand"), Place("p1.life"), Place("p1.grave")


def start() -> list[Entry]:
    return laid_out({"p1.hand": "S4 H8 DQ", "p1.soldiers": "C6", "p2.hand": "SA S2"})


def card(entries: list[Entry], face: str, place: str) -> CardId:
    table = fold_entries(entries)
    return next(one for one in table.places[Place(place)] if table.pieces[one].face == face)


def mind(entries: list[Entry], who: Seat, at: int | None = None, asker: Seat | None = None) -> dict[str, KnownCard]:
    found = next(one for one in knowledge(*seen_by(GAME, entries, asker or who), at) if one.who == who)
    return {one.face: one for one in found.cards}


def reveal(entries: list[Entry], to: Seat, *faces: str) -> list[Entry]:
    return [*entries, by_hand(F.Shown(tuple(card(entries, face, "p1.hand") for face in faces), (to,)))]


def move(entries: list[Entry], face: str, start: str, to: str, *, up: bool = False) -> list[Entry]:
    return [*entries, by_hand(F.Moved((card(entries, face, start),), Place(to), up=up))]


def test_what_lies_open_is_known_to_all_and_a_hand_to_its_seat() -> None:
    entries = start()
    assert set(mind(entries, SPECTATOR)) == {"C6"}
    assert set(mind(entries, P1)) == {"C6", "S4", "H8", "DQ"}
    assert set(mind(entries, P2)) == {"C6", "SA", "S2"}
    six = mind(entries, SPECTATOR)["C6"]
    assert (six.entry, six.owner, six.place, six.sure, six.thing > 0) == (1, P1, Place("p1.soldiers"), True, True)


def test_of_another_seat_only_what_everybody_saw_is_told_and_the_judge_is_told_all() -> None:
    entries = reveal(start(), P2, "S4")
    assert set(mind(entries, P2)) == {"C6", "SA", "S2", "S4"}
    for asker in (P1, SPECTATOR):
        told = next(one for one in knowledge(*seen_by(GAME, entries, asker)) if one.who == P2)
        assert told.public and {one.face for one in told.cards} == {"C6"}
    assert set(mind(entries, P2, asker=JUDGE)) == {"C6", "SA", "S2", "S4"}
    assert all(not one.public for one in knowledge(*seen_by(GAME, entries, JUDGE)))


def test_a_card_seen_for_a_moment_is_somewhere_in_that_hand_until_one_leaves_it_unseen() -> None:
    entries = reveal(start(), P2, "S4", "H8")
    four = mind(entries, P2)["S4"]
    assert (four.entry, four.place, four.sure) == (2, HAND, False)
    for gone in ("S4", "DQ"):
        after = move(entries, gone, "p1.hand", "p1.life")
        for face in ("S4", "H8"):
            assert (mind(after, P2)[face].entry, mind(after, P2)[face].place) == (2, None), (gone, face)
    assert mind(move(entries, "S4", "p1.hand", "p1.life"), P1)["S4"].place == LIFE_1


def test_a_card_seen_leaving_leaves_the_others_where_they_are() -> None:
    entries = reveal(start(), P2, "S4", "H8")
    entries = move(entries, "S4", "p1.hand", "p1.soldiers", up=True)
    minds = mind(entries, P2)
    assert (minds["S4"].entry, minds["S4"].place, minds["S4"].sure) == (2, Place("p1.soldiers"), True)
    assert (minds["H8"].entry, minds["H8"].place, minds["H8"].sure) == (2, HAND, False)


def test_a_card_shown_and_put_away_at_once_is_followed_and_others_seen_in_that_hand_stay() -> None:
    entries = reveal(start(), P2, "H8")
    four, queen = card(entries, "S4", "p1.hand"), card(entries, "DQ", "p1.hand")
    openly = [*entries, by_hand(F.Shown((four,), (EVERYONE,)), F.Moved((four,), LIFE_1))]
    for who in (P2, SPECTATOR):
        assert (mind(openly, who)["S4"].place, mind(openly, who)["S4"].sure) == (LIFE_1, False)
    assert mind(openly, P2)["H8"].place == HAND
    together = [*entries, by_hand(F.Shown((four, queen), (EVERYONE,)), F.Moved((queen, four), LIFE_1))]
    assert {one.place for one in mind(together, SPECTATOR).values()} == {LIFE_1, Place("p1.soldiers")}
    for moved_on in (four, queen):
        one_of_two = [*entries, by_hand(F.Shown((four, queen), (EVERYONE,)), F.Moved((moved_on,), LIFE_1))]
        assert {mind(one_of_two, P2)[face].place for face in ("S4", "DQ", "H8")} == {None}, "nobody saw which"
    later = [*entries, by_hand(F.Shown((four,), (EVERYONE,))), by_hand(F.Moved((four,), LIFE_1))]
    assert mind(later, P2)["S4"].place is None


def test_a_card_tranced_from_the_hand_is_known_to_lie_in_the_bookmark() -> None:
    for seed in range(10):
        for at in moments("grimoire", seed):
            if isinstance(at.action, TranceHand):
                entries = sample("grimoire", seed).entries
                face, bookmark = at.before.pieces[at.action.card].face, Place(f"{at.actor}.bookmark")
                ledger = knowledge(*seen_by(GAMES["grimoire"], entries, SPECTATOR), at.number)[0]
                lying = {(one.face, one.place) for one in ledger.cards}
                assert (face, bookmark) in lying
                return
    raise AssertionError("nobody trances a card")


def test_a_card_nobody_may_look_at_any_more_is_still_where_it_was_seen() -> None:
    entries = start()
    four, eight = card(entries, "S4", "p1.hand"), card(entries, "H8", "p1.hand")
    entries = [*entries, by_hand(F.Shown((four, eight), (EVERYONE,), lasting=True))]
    entries = [*entries, by_hand(F.Shown((four,), (), lasting=True))]
    assert {mind(entries, P2)[face].place for face in ("S4", "H8")} == {HAND}


def test_a_shuffled_card_is_only_somewhere_in_its_pile_and_a_covered_one_in_the_grave() -> None:
    entries = move(start(), "C6", "p1.soldiers", "p1.life")
    assert mind(entries, SPECTATOR)["C6"].place == LIFE_1
    order = tuple(reversed(fold_entries(entries).places[LIFE_1]))
    entries.append(by_hand(F.Arranged(LIFE_1, order)))
    six = mind(entries, SPECTATOR)["C6"]
    assert (six.entry, six.place, six.sure) == (1, LIFE_1, False)
    entries = move(start(), "C6", "p1.soldiers", "p1.grave", up=True)
    assert mind(entries, SPECTATOR)["C6"].sure
    entries = move(entries, "DQ", "p1.hand", "p1.grave", up=True)
    minds = mind(entries, SPECTATOR)
    assert (minds["C6"].place, minds["C6"].sure, minds["DQ"].sure) == (GRAVE, False, True)


def test_a_card_turned_down_where_it_lies_is_still_that_card() -> None:
    entries = start()
    six = card(entries, "C6", "p1.soldiers")
    entries = [*entries, by_hand(F.Turned((six,), up=False))]
    assert mind(entries, SPECTATOR)["C6"].sure
    entries = [*entries, by_hand(F.Arranged(Place("p1.soldiers"), (six,)))]
    assert not mind(entries, SPECTATOR)["C6"].sure


def test_what_was_seen_stays_seen_through_a_rewind_but_not_where_it_was_put() -> None:
    entries = move(start(), "H8", "p1.hand", "p1.soldiers", up=True)
    entries = move(entries, "S4", "p1.hand", "p1.soldiers", up=True)
    entries.append(Rewound(to=2, reason="back", by="judge"))
    minds = mind(entries, SPECTATOR)
    assert (minds["S4"].entry, minds["S4"].place) == (3, None)
    assert (minds["H8"].entry, minds["H8"].sure) == (2, True)
    again = move(entries, "S4", "p1.hand", "p1.soldiers", up=True)
    found = [one for one in knowledge(*seen_by(GAME, again, SPECTATOR))[0].cards if one.face == "S4"]
    assert [(one.entry, one.sure) for one in found] == [(3, True)], "it is the card that was seen before"
    assert set(mind(entries, SPECTATOR, at=1)) == {"C6"}
    restored = mind([*entries, Restored(to=3, reason="it counts", by="judge")], SPECTATOR)
    assert (restored["S4"].entry, restored["S4"].sure) == (3, True), "it lies there again"


def test_a_card_taken_from_a_pile_is_known_to_be_put_back_there() -> None:
    entries = start()
    top = fold_entries(entries).places[LIFE_1][0]
    back = Rewound(to=1, reason="back", by="judge")
    drawn = [*entries, by_hand(F.Moved((top,), HAND)), back]
    assert (mind(drawn, P1)["C5"].place, mind(drawn, P1)["C5"].sure) == (LIFE_1, False)
    assert "C5" not in mind(drawn, P2)
    fallen = [*entries, by_hand(F.Moved((top,), GRAVE, up=True)), back]
    assert {mind(fallen, who)["C5"].place for who in (P1, P2, SPECTATOR)} == {LIFE_1}
    added = move(entries, "DQ", "p1.hand", "p1.life")
    anything = [*added, by_hand(F.Moved((card(added, "DQ", "p1.life"),), GRAVE, up=True)), back]
    assert mind(anything, SPECTATOR)["DQ"].place is None, "it may have come to the pile in between"


def test_two_cards_alike_are_two_only_where_they_are_seen_at_once() -> None:
    one_joker = laid_out({"p1.hand": "JK S2", "p1.soldiers": "JK"})
    first = card(one_joker, "JK", "p1.soldiers")
    hidden = [*one_joker, by_hand(F.Moved((first,), HAND))]
    for which in fold_entries(hidden).places[HAND]:
        if fold_entries(hidden).pieces[which].face == "JK":
            after = [*hidden, by_hand(F.Moved((which,), Place("p1.soldiers"), up=True))]
            found = [(one.face, one.entry, one.sure) for one in knowledge(*seen_by(GAME, after, SPECTATOR))[0].cards]
            assert found == [("JK", 1, True)], "nobody can tell which of the two it is"
    both = [*one_joker, by_hand(F.Moved((card(one_joker, "JK", "p1.hand"),), Place("p1.soldiers"), up=True))]
    assert [one.entry for one in knowledge(*seen_by(GAME, both, SPECTATOR))[0].cards] == [1, 2]


def test_a_card_out_of_the_match_is_gone() -> None:
    entries = start()
    entries.append(by_hand(F.Removed((card(entries, "C6", "p1.soldiers"),))))
    six = mind(entries, SPECTATOR)["C6"]
    assert (six.gone, six.place, six.sure) == (True, None, False)


def test_what_was_learned_between_two_entries() -> None:
    entries = move(start(), "H8", "p1.hand", "p1.soldiers", up=True)
    entries = move(entries, "C6", "p1.soldiers", "p1.grave", up=True)
    (everybody, *_) = list_learned(*seen_by(GAME, entries, SPECTATOR), 1, 3)
    assert [(one.before is None, one.after.face, one.after.place) for one in everybody.changes] == [
        (True, "H8", Place("p1.soldiers")),
        (False, "C6", GRAVE),
    ]
    assert list_learned(*seen_by(GAME, entries, SPECTATOR), 3, 1) == list_learned(
        *seen_by(GAME, entries, SPECTATOR), 1, 3
    )
    assert all(one.changes == () for one in list_learned(*seen_by(GAME, entries, JUDGE), 3, 3))


def test_sights_name_faces_to_those_who_saw_them_and_count_for_others() -> None:
    entries = [*start(), by_hand(F.Shown((card(start(), "SA", "p2.hand"),), (P1,)))]
    entries.append(by_hand(F.Shown((card(entries, "S2", "p2.hand"),), (EVERYONE,))))
    public = CardSighting(entry=3, who=SPECTATOR, number=1, faces=("S2",))
    seen = CardSighting(entry=2, who=P1, number=1, faces=("SA",))
    untold = CardSighting(entry=2, who=P1, number=1)
    assert (
        sights(*seen_by(GAME, entries, P1), (2, 3)) == sights(*seen_by(GAME, entries, JUDGE), (2, 3)) == (seen, public)
    )
    assert (
        sights(*seen_by(GAME, entries, P2), (2, 3))
        == sights(*seen_by(GAME, entries, SPECTATOR), (2, 3))
        == (untold, public)
    )
    again = [*entries, entries[1]]
    assert sights(*seen_by(GAME, again, P1), (4,)) == (), "it had been seen before"
    assert sights(*seen_by(GAME, again, SPECTATOR), (4,)) == (CardSighting(entry=4, who=P1, number=1),), (
        "which of them is not told"
    )
    top = fold_entries(entries).places[Place("p2.life")][:2]
    looked = [*entries, by_hand(F.Shown(top, (P1,)))]
    assert [one.number for one in sights(*seen_by(GAME, looked, SPECTATOR), (4,))] == [None], (
        "a life that nobody can count"
    )


def test_words_in_both_languages_say_who_what_when_and_where() -> None:
    entries = reveal(move(start(), "DQ", "p1.hand", "p1.soldiers", up=True), P2, "S4")
    said: dict[Any, str] = {
        lang: plain(render_knowledge(knowledge(*seen_by(GAME, entries, P2)), GAME, lang, {}))  # type: ignore[arg-type]
        for lang in ("en", "ja")
    }
    assert "everyone: 2" in said["en"] and "S4 of p1, entry 3: somewhere in p1 hand" in said["en"]
    assert "p1: 2 or more" in said["en"]
    assert "p1のS4、記録3" in said["ja"] and "全員：2枚" in said["ja"]
    text = plain(render_learned(list_learned(*seen_by(GAME, entries, P2), 2, 3), GAME, "en", {}))
    assert "new: S4 of p1, entry 3" in text


def test_who_or_what_is_not_in_the_match_is_said() -> None:
    for asker, at in (("p3", None), ("p1", 0), ("p1", 9)):
        with pytest.raises(NotInMatch):
            knowledge(*seen_by(GAME, start(), asker), at)
    with pytest.raises(NotInMatch):
        list_learned(*seen_by(GAME, start(), "p1"), 1, 7)
