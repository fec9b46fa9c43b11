"""The matches of a round are opened all at once or not at all, and never twice."""

from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace

from domain.formats.pairings import Pairing
from domain.games import GAMES
from domain.law.entries import Undealt
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.rulesets import make_ruleset
from domain.table.table import Seat
from recorder.answers import DeckRefused, Reused, Unfit
from recorder.match_ids import SIGNS, ids_of
from recorder.matches import close, open_match
from recorder.pairings import RefusedPairing, Round, TableMatch, open_round
from recorder.remarks import is_played_on_phones
from recorder.store import Conflict, Store
from tests.damaged import damage

GAME, EDITION = GAMES["blackpoker"], "8.1-lite"
SHARED = Round(
    law=Law(GAME, make_ruleset(GAME, EDITION)),
    version=EDITION,
    occasion=Occasion(event="Cup", round="1"),
    by="Kei",
    at=7,
)
P1, P2 = Seat("p1"), Seat("p2")


def table(name: str, first: str, line: int = 2, **decks: str) -> Pairing:
    return Pairing(line, name, {P1: first, P2: f"{first} Bo"}, {Seat(seat): deck for seat, deck in decks.items()})


ROUND = (table("1", "Ann"), table("2", "Cy", 3))


def open_tables(store: Store, *pairings: Pairing, shared: Round = SHARED) -> tuple[TableMatch, ...]:
    paired = open_round(store, shared, pairings)
    assert isinstance(paired, tuple)
    return paired


def refusal(store: Store, *pairings: Pairing, shared: Round = SHARED) -> RefusedPairing:
    before = len(store.matches())
    unpaired = open_round(store, shared, pairings)
    assert isinstance(unpaired, RefusedPairing) and len(store.matches()) == before
    return unpaired


def test_each_table_has_a_match_of_its_own_with_its_cards_dealt(store: Store) -> None:
    paired = open_tables(store, *ROUND)
    assert [(row.table, row.names[P1], row.new) for row in paired] == [("1", "Ann", True), ("2", "Cy", True)]
    for row in paired:
        first, *dealt = store.read(row.match)
        assert (first.occasion, first.by, first.at) == (Occasion(event="Cup", round="1", table=row.table), "Kei", 7)
        assert dealt and store.secret(row.match)
    assert store.secret(paired[0].match) != store.secret(paired[1].match)
    assert [listed.match for listed in store.matches()] == [row.match for row in paired]


def test_ids_are_short_and_a_round_opened_by_an_earlier_version_is_found(store: Store) -> None:
    ids = [ids_of(GAME, f"pairings/Cup/1/{row.table}") for row in ROUND]
    with patch("recorder.pairings.ids_of", lambda game, name: ids_of(game, name)[-1:]):
        earlier = open_tables(store, ROUND[0])
    assert [row.match for row in earlier] == [ids[0][-1]] and len(ids[0][-1]) == len("bp-") + 12
    paired = open_tables(store, *ROUND)
    assert [(row.match, row.new) for row in paired] == [(ids[0][-1], False), (ids[1][0], True)]
    assert len(paired[1].match) == len("bp-") + 6 and set(paired[1].match[3:]) <= set(SIGNS)


def test_an_id_that_another_match_has_is_made_longer_and_found_again(store: Store) -> None:
    ids = [ids_of(GAME, f"pairings/Cup/1/{row.table}") for row in ROUND]
    first = open_match(store, SHARED.law, EDITION, {}, match_id=ids[0][0])
    assert first == ids[0][0]
    for new in (True, False):
        paired = open_tables(store, *ROUND)
        assert [(row.match, row.new) for row in paired] == [(ids[0][1], new), (ids[1][0], new)]
    alike = ("bp-xxxxxx", "bp-xxxxxx7", "bp-xxxxxx8")
    with patch("recorder.pairings.ids_of", lambda game, name: alike):
        for new in (True, False):
            paired = open_tables(store, *ROUND, shared=replace(SHARED, occasion=Occasion(event="Cup", round="2")))
            assert [(row.match, row.new) for row in paired] == [(alike[0], new), (alike[1], new)]


def test_each_table_is_played_as_the_pairings_or_the_round_say(store: Store) -> None:
    kinds = (replace(ROUND[0], cards="real"), ROUND[1], replace(table("3", "Eve", 4), cards="dealt"))
    paired = open_tables(store, *kinds, shared=replace(SHARED, cards="phones"))
    assert [row.cards for row in paired] == ["real", "phones", "dealt"]
    records = [store.read(row.match) for row in paired]
    assert [isinstance(entries[0], Undealt) for entries in records] == [True, False, False]
    assert [is_played_on_phones(entries) for entries in records] == [False, True, False]
    assert [store.secret(row.match) is None for row in paired] == [True, False, False]
    assert [row.new for row in open_tables(store, *kinds, shared=replace(SHARED, cards="phones"))] == [False] * 3
    assert isinstance(refusal(store, replace(kinds[0], cards="dealt")).why, Reused)


def test_names_are_recorded_composed_and_no_two_in_a_round_look_alike(store: Store) -> None:
    (paired,) = open_tables(store, replace(ROUND[0], names={P1: "  Jose\u0301 ", P2: "か\u3099"}))
    first = store.read(paired.match)[0]
    assert first.names == {P1: "Jos\u00e9", P2: "\u304c"}
    eve = replace(ROUND[1], table="9")
    for other in ("Cy", "ＣＹ", "c y ", " "):
        unpaired = refusal(store, eve, replace(eve, line=4, table="10", names={P1: other, P2: "Zoe"}))
        assert isinstance(unpaired.why, Unfit) and unpaired.pairing.line == 4


def test_the_same_round_again_opens_what_is_missing(store: Store) -> None:
    first = open_tables(store, *ROUND)
    again = open_tables(store, *ROUND, table("3", "Eve", 4))
    assert [(row.match, row.new) for row in again[:2]] == [(row.match, False) for row in first] and again[2].new
    other = open_tables(store, *ROUND, shared=replace(SHARED, occasion=Occasion(event="Cup", round="2")))
    assert all(row.new for row in other) and len(store.matches()) == 5


def test_nobody_is_seated_at_two_open_tables_of_a_round_by_two_files(store: Store) -> None:
    first, _ = open_tables(store, *ROUND)
    for name in ("Ann", "ＡＮＮ "):
        unpaired = refusal(store, table("5", "Eve"), replace(table("6", name, 4), names={P1: name, P2: "Zoe"}))
        assert unpaired.pairing.line == 4 and isinstance(unpaired.why, Unfit)
        assert unpaired.why.what.key == "pairings.seated" and unpaired.why.what.values["table"] == "1"
    next_round = replace(SHARED, occasion=Occasion(event="Cup", round="2"))
    assert open_tables(store, table("5", "Ann"), shared=next_round)[0].new
    close(store, first.match, "Kei", "over", abandon=True)
    assert open_tables(store, table("6", "Ann", 4))[0].new, "a table that is over seats nobody"


def test_a_table_whose_match_is_damaged_is_not_opened_again(sqlite_file: Path) -> None:
    with Store.open(sqlite_file) as store:
        first, _ = open_tables(store, *ROUND)
        close(store, first.match, "Kei", "over", abandon=True)
    damage(str(sqlite_file), first.match, "a flipped byte in the first entry")
    with Store.open(sqlite_file) as store:
        unpaired = refusal(store, table("1", "Dan"), ROUND[1])
        assert isinstance(unpaired.why, Reused) and unpaired.why.match == first.match


def test_a_table_that_cannot_be_opened_is_named_and_opens_none(store: Store) -> None:
    small = replace(SHARED, decks={"small": Deck(("S1",))})
    unpaired = refusal(store, table("1", "Ann"), table("2", "Cy", 3, p2="small"), shared=small)
    assert unpaired.pairing.line == 3 and isinstance(unpaired.why, DeckRefused)
    there = open_tables(store, *ROUND)
    unpaired = refusal(store, table("5", "Eve"), table("2", "Dan", 9))
    assert (unpaired.pairing.table, unpaired.pairing.line) == ("2", 9) and isinstance(unpaired.why, Reused)
    with Store.open(":memory:") as beside:
        beside.append(there[1].match, 0, store.read(there[1].match))
        unpaired = refusal(beside, *ROUND)
        assert unpaired.pairing.table == "2" and isinstance(unpaired.why, Conflict)


def test_who_is_overtaken_by_the_same_round_finds_it_opened(store: Store) -> None:
    append, overtaken = store.append_matches, False

    def lose(writings: object) -> Conflict | None:
        nonlocal overtaken
        if not overtaken:
            overtaken = True
            open_tables(store, ROUND[1])
        return append(writings)  # type: ignore[arg-type]

    with patch.object(store, "append_matches", lose):
        assert [row.new for row in open_tables(store, *ROUND)] == [True, False]
    assert len(store.matches()) == 2
