"""Rules are read from a record once, because many matches share them."""

import pytest

from domain.games import GAMES
from domain.games.grimoire import cards
from domain.law.pools import Overlay
from domain.law.rulesets import RULESETS_CACHED_MAX, RulesetError, _load_rules, load, stored_values, with_settings
from tests.games import PLAYED
from tests.test_contributing import BLOCKS, CARD


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_the_rules_of_a_record_are_read_once(key: str) -> None:
    game = PLAYED[key]
    for rules in game.versions.values():
        first = load(game, stored_values(rules))
        assert first == rules and load(game, stored_values(rules)) is first


def test_other_values_and_other_games_have_rules_of_their_own() -> None:
    game = GAMES["blackpoker"]
    other = with_settings(game, game.latest, {"throwing.damage_suit": "club"})
    read = load(game, stored_values(other))
    assert read == other != load(game, stored_values(game.latest))
    with pytest.raises(RulesetError):
        load(GAMES["grimoire"], stored_values(other))


def test_what_is_refused_is_refused_again_and_told_as_it_was_given() -> None:
    game = GAMES["blackpoker"]
    for raw in ({"throwing.damage_suit": "no suit"}, {"hand.limit": 2**70}, {"hand.limit": object()}, 7):
        told = []
        for _ in range(2):
            with pytest.raises(RulesetError) as refused:
                load(game, raw)
            told.append(refused.value.text)
        assert told[0] == told[1]


def test_cards_that_become_known_are_known_from_then_on() -> None:
    game = GAMES["grimoire"]
    known = set(cards.POOLS.cards_by_pool)
    cards.POOLS.read(Overlay("later.toml", BLOCKS[CARD].replace("Lantern Tax", "Lantern Levy")))
    added = next(iter(set(cards.POOLS.cards_by_pool) - known))
    faces = cards.POOLS.cards_by_pool.pop(added)
    raw = stored_values(with_settings(game, game.latest, {})) | {cards.POOLS.field: added}
    with pytest.raises(RulesetError, match=added):
        load(game, raw)
    cards.POOLS.cards_by_pool[added] = faces
    assert getattr(load(game, raw), cards.POOLS.field) == added


def test_no_more_are_kept_than_a_corpus_needs() -> None:
    asked = 0
    for game in GAMES.values():
        for rules in game.versions.values():
            raw = list(stored_values(rules).items())
            for at in range(len(raw)):  # the same rules in another order have different bytes
                assert load(game, dict(raw[at:] + raw[:at])) == rules
                asked += 1
    assert asked > RULESETS_CACHED_MAX >= _load_rules.cache_info().currsize
