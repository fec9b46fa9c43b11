"""Random plots are legal, and together they use every permitted card."""

from random import Random

from domain.games.dea import GAME
from domain.games.dea.setup import deck_checks
from domain.law.rulesets import pin_cards
from domain.table.table import Seat
from tests.rules.dea.matches import faces, random_plot, random_plots

RULES = pin_cards(GAME, GAME.latest)
COUNT = 150


def test_a_random_plot_is_legal() -> None:
    random, held = Random(1), set[str]()
    for _ in range(COUNT):
        plot = random_plot(random, RULES)
        assert all(holds for _, holds, *_ in deck_checks(RULES, Seat("p1"), plot)), plot
        held.update(plot.main)
    assert held == set(faces(RULES, "character", "event", "equipment", "foreshadow"))


def test_now_and_then_both_writers_play_a_sample_plot() -> None:
    random, named = Random(2), list(GAME.named_decks().values())
    sampled = [all(plot in named for plot in random_plots(random, RULES).values()) for _ in range(COUNT)]
    assert 0 < sum(sampled) < COUNT / 2
