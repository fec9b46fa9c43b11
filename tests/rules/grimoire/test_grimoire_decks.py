"""Random decks are legal, mostly castable, and together use every card of their pool."""

from collections import Counter
from random import Random

import pytest

from domain.games.grimoire import GAME
from domain.games.grimoire.rules import Rules
from domain.law.rulesets import pin_cards
from tests.rules.grimoire.matches import castable, characters, match, random_deck, random_decks, rules_of, spells

MANY = 300


def test_random_decks_are_legal_and_every_card_occurs() -> None:
    random, rules = Random(1), pin_cards(GAME, Rules())
    faces: Counter[str] = Counter()
    for _ in range(MANY):
        deck = random_deck(random, rules)
        assert all(holds for _, holds, *_ in GAME.deck_checks(rules, GAME.seats(rules)[0], deck))
        assert len(deck.main) == 41 and len(deck.side) <= 10
        faces.update(deck.faces)
    assert set(faces) == {*characters(rules), *spells(rules)} and {"S64", "S65"} < set(spells(rules))


def test_decks_follow_the_limits_of_the_rules() -> None:
    random = Random(2)
    for rules in (
        Rules(copy_limit=1),
        Rules(copy_limit=0),
        Rules(bookmark_min=3, bookmark_max=3),
        Rules(grimoire_min=9),
    ):
        for _ in range(20):
            deck = random_deck(random, rules)
            assert all(holds for _, holds, *_ in GAME.deck_checks(rules, GAME.seats(rules)[0], deck))


def test_what_its_character_can_cast_dominates_a_deck() -> None:
    random, rules = Random(3), pin_cards(GAME, Rules())
    fitting = total = 0
    for _ in range(MANY):
        deck = random_deck(random, rules)
        fitting += sum(face in castable(rules, deck.main[0]) for face in deck.main[1:])
        total += len(deck.main) - 1
    assert 2 * fitting > total > fitting


def test_matches_are_of_every_kind() -> None:
    kinds = Counter((rules_of(seed).player_count, rules_of(seed).teams != "none", seed % 2) for seed in range(MANY))
    assert set(kinds) == {(2, False, odd) for odd in (0, 1)} | {
        (n, t, o) for n in (3, 4) for t in (True, False) for o in (0, 1)
    }
    assert all(rules_of(seed) == rules_of(seed) and random_decks(Random(seed), rules_of(seed)) for seed in range(9))


@pytest.mark.random
def test_a_match_is_the_same_for_the_same_seed() -> None:
    again = match.__wrapped__(3)
    assert again.entries == match(3).entries and again.rules == match(3).rules
