"""BlackPoker matches and decks of the repository: events of each match, and formats that allow each deck."""

from domain.formats.decks import read_deck
from domain.judging.audit import audit
from domain.law.entries import Opened, Rewound, entry_facts, fold_entries, line
from domain.law.law import Law
from domain.law.rulesets import load, make_ruleset, with_settings
from domain.table.table import Place, Seat
from recorder.answers import DeckRefused
from recorder.match_opening import build_opening
from tests.shelves import SHELVES, faces, found_by

SHELF = SHELVES["blackpoker"]
GAME, STATED = SHELF.game, SHELF.stated
text, entries, table, number = SHELF.text, SHELF.entries, SHELF.table, SHELF.number
P1, P2 = Seat("p1"), Seat("p2")


def test_the_damage_in_dispute_is_right_where_the_spade_counts() -> None:
    rules = with_settings(GAME, load(GAME, SHELF.first_entry("disputed").rules), {"throwing.damage_suit": "spade"})
    assert found_by(entries("disputed"), rules) == list(STATED["disputed"].findings[:2])


def test_a_record_as_played_has_no_error_that_is_not_flagged() -> None:
    assert all(one.flagged for one in audit(GAME, entries("as-played")).findings)


def test_both_lives_are_empty_and_no_shuffle_is_asked() -> None:
    last = table("ends-both-empty")
    assert faces(last, "p1.life") == faces(last, "p2.life") == []
    assert "BP-9.20" not in {clause for one in entries("ends-both-empty") for clause, _ in entry_facts(one)}


def test_a_concession_leaves_the_stage_as_it_is() -> None:
    last = table("ends-concede")
    assert [one.kind for one in last.stack] == ["throwing"]
    assert faces(last, "stage") == ["S5", "CK"]


def test_the_stage_of_the_fight_is_seven_requests_high() -> None:
    highest = max((fold_entries(entries("stage-fight"), one).stack for one in range(1, 80)), key=len)
    assert [one.kind for one in highest] == ["damage_judge", "up", "down", "counter", "counter", "counter", "down"]


def test_one_combat_calls_five_runs() -> None:
    at = number("next-generation", lambda one: bool(one.waiting) and bool(one.asked))
    runs = [
        fact for one in entries("next-generation")[at - 1 :] for clause, fact in entry_facts(one) if clause == "BP-7.36"
    ]
    assert len(runs) == 5


def test_fogs_of_both_players_live_through_a_turn_change_of_the_other() -> None:
    after = number("fogs-and-equips", lambda one: one.clock.turn == 2)
    assert faces(table("fogs-and-equips", after), "p2.fog") == ["S6"]
    after = number("fogs-and-equips", lambda one: one.clock.turn == 3)
    assert faces(table("fogs-and-equips", after), "p1.fog") == ["H3"]
    assert not table("fogs-and-equips", after).effects


def test_a_card_shown_by_search_is_lost_from_sight_when_a_bulwark_is_set() -> None:
    found = number("search-full54", lambda one: "SK" in faces(one, "p1.hand"))
    placed = number("search-full54", lambda one: len(one.places.get(Place("p1.bulwarks"), ())) == 2)
    seen = {
        one: SHELF.visible_faces("search-full54", one, P2, "p1.hand") for one in (found - 1, found, placed - 1, placed)
    }
    assert seen == {found - 1: [], found: ["SK"], placed - 1: ["SK"], placed: []}
    assert "SK" in faces(table("search-full54", placed), "p1.hand")


def test_the_rewound_match_goes_on_from_the_open_block() -> None:
    record = entries("rewind")
    at, rewound = next((at, one) for at, one in enumerate(record, start=1) if isinstance(one, Rewound))
    assert table("rewind", at) == table("rewind", rewound.to)
    assert [one.kind for one in table("rewind", at).asked] == ["designate_blockers"]
    assert set(range(rewound.to + 1, at)).isdisjoint(line(record))
    undone = table("rewind", at - 1)
    assert len(undone.places[Place("p2.life")]) == 1 and len(table("rewind", at).places[Place("p2.life")]) == 10


def handed_in(name: str, frame: str) -> Opened | str:
    """Return the opening of a match in which both play this deck, or the clause that refuses it."""
    deck = read_deck(GAME, SHELF.deck(name).read_text(encoding="utf-8"), name)
    opened = build_opening(
        Law(GAME, make_ruleset(GAME, "8.1-lite", frame)), "8.1-lite", {}, {P1: deck, P2: deck}, bytes(16), "m"
    )
    if isinstance(opened, DeckRefused):
        return opened.refusal.clause
    assert isinstance(opened, Opened), opened
    assert opened.decks == {P1: deck.main, P2: deck.main} and opened.sides == {}
    return opened


def test_decks_are_allowed_in_their_frame_and_in_no_other() -> None:
    assert isinstance(handed_in("entry20", "entry20"), Opened)
    assert isinstance(handed_in("full54", "full54"), Opened)
    assert handed_in("entry20-broken", "entry20") == "BP-1.5"
    assert handed_in("full54", "entry20") == "BP-1.5"
    assert handed_in("entry20", "full54") == "BP-1.10"
