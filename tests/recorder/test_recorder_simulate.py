"""Random matches: complete, lawful, reproducible by seed, and equal to the recorder's own output."""

import msgspec
import pytest

from domain.games import GAMES as REAL
from domain.law import croupier
from domain.law.driver import decide
from domain.law.entries import Closed, Entry, Opened, Played, fold_entries, tables
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.offers import SlotChoice, Template
from domain.law.outcome import Accepted
from domain.law.rulesets import load, pin_cards, with_settings
from domain.law.slots import verb
from domain.table.table import CHANCE, CardId, Seat
from recorder import simulate as simulate_module
from recorder.matches import advance, open_match, play
from recorder.simulate import Stuck, Unopened, simulate
from recorder.store import Store
from tests.places import Place
from tests.toy import GAMES, TOY, Lay

RULES = TOY.versions["1"]
DEA = REAL["dea"]


def test_the_same_seed_gives_the_same_match() -> None:
    assert simulate(Law(TOY, RULES), 5) == simulate(Law(TOY, RULES), 5)
    assert len({msgspec.msgpack.encode(simulate(Law(TOY, RULES), seed)) for seed in range(20)}) == 20


def test_a_match_is_played_to_its_end_and_closed() -> None:
    for seed in range(20):
        entries = simulate(Law(TOY, RULES), seed)
        result = fold_entries(entries).result
        assert result is not None and result.reason == "goal", "nobody concedes unless told to"
        assert entries[-1] == Closed(by="judge", seed=seed.to_bytes(16, "big").hex())
    assert simulate(Law(TOY, RULES), 1, closing=False) == simulate(Law(TOY, RULES), 1)[:-1]
    reasons = [fold_entries(simulate(Law(TOY, RULES), seed, concede=0.3)).result for seed in range(20)]
    assert any(one is not None and one.reason == "conceded" for one in reasons)


def test_it_stops_at_the_bound() -> None:
    whole = simulate(Law(TOY, RULES), 5)
    for bound in (1, 2, 3, 7):
        assert simulate(Law(TOY, RULES), 5, bound) == whole[:bound]


def out_of_turn(entries: list[Entry]) -> set[str]:
    decoder = DEA.decoder()
    return {
        verb(decoder.decode(entry.action))
        for _, entry, before, _ in tables(entries)
        if isinstance(entry, Played) and entry.actor not in DEA.awaited(before)
    }


def test_now_and_then_somebody_acts_who_is_not_awaited_where_anybody_may() -> None:
    law = Law(DEA, DEA.latest)
    assert set().union(*(out_of_turn(simulate(law, seed, interrupt=True)) for seed in range(4))) > {"convert_hand"}
    assert out_of_turn(simulate(law, 1)) == set()
    grimoire = Law(REAL["grimoire"], REAL["grimoire"].latest)
    assert simulate(grimoire, 1, 150, interrupt=True) == simulate(grimoire, 1, 150), "nobody may there but give up"


def test_a_match_that_may_go_on_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    few = with_settings(DEA, DEA.latest, {"max_turns": 9})
    endless, limited = Law(DEA, DEA.latest), Law(DEA, few)
    assert endless.endless() and not limited.endless()
    whole, short = (fold_entries(simulate(law, 2)).result for law in (endless, limited))
    assert whole is not None and whole.reason != "concede" and short is not None and short.reason == "turns"
    monkeypatch.setattr(simulate_module, "GIVE_UP_AFTER", 40)
    given_up, kept = (fold_entries(simulate(law, 2)).result for law in (endless, limited))
    assert given_up is not None and given_up.reason == "concede" and kept == short


def test_the_recorder_writes_the_very_same_entries(place: Place) -> None:
    entries = simulate(Law(TOY, RULES), 9, closing=False)
    with Store.open(place()) as store:
        secret = (9).to_bytes(16, "big")
        assert open_match(store, Law(TOY, RULES), "1", {}, seed=secret, match_id="sim-toy-9") == "sim-toy-9"
        advance(store, "sim-toy-9", games=GAMES)
        for entry in entries:
            if isinstance(entry, Played) and entry.actor != CHANCE:
                play(store, "sim-toy-9", entry.actor, TOY.decoder().decode(entry.action), games=GAMES)
        assert store.read("sim-toy-9") == tuple(entries)


@pytest.mark.parametrize("key", sorted(REAL))
def test_every_entry_of_a_real_game_decides_to_what_is_recorded(key: str) -> None:
    game = REAL[key]
    version, rules = list(game.versions.items())[-1]
    entries = simulate(Law(game, rules), 1, max_entries=300)
    opened = entries[0]
    assert isinstance(opened, Opened) and opened.version == version
    assert load(game, opened.rules) == pin_cards(game, rules)
    assert opened.commitment == croupier.commitment(opened.match, (1).to_bytes(16, "big"))
    decoder = game.decoder()
    for _, entry, before, after in tables(entries):
        if isinstance(entry, Played):
            outcome = decide(Law(game, rules), before, entry.actor, decoder.decode(entry.action))
            assert isinstance(outcome, Accepted)
            assert (outcome.told, outcome.table) == (entry.told, after)


def test_an_awaited_seat_with_nothing_to_do_is_reported() -> None:
    def nothing(rules: object, table: object, actor: Seat):  # type: ignore[no-untyped-def]
        yield Template(Lay, (SlotChoice("cards", (CardId(1), CardId(2)), 1, 2, many=True),))

    with pytest.raises(Stuck, match=r"p1 is awaited.*lay"):
        simulate(Law(msgspec.structs.replace(TOY, offers=nothing), RULES), 1)
    with pytest.raises(Unopened, match="the deck of p1 breaks T-6"):
        simulate(Law(TOY, RULES), 1, decks={Seat("p1"): Deck(())})


def test_a_rare_filling_is_found_by_going_through_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.simulate.TRIES", 0)
    entries = simulate(Law(TOY, RULES), 2)
    assert fold_entries(entries).result is not None
