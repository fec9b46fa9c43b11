"""Chapter 2: contents of a plot."""

from domain.games.dea import GAME
from domain.games.dea.cards import decks
from domain.games.dea.rules import Rules
from domain.law.clause import Clause
from domain.law.game import Deck
from domain.table.table import Seat


def refusing_clause(*faces: str) -> Clause | None:
    checks = GAME.deck_checks(Rules(), Seat("p1"), Deck(faces))
    return next((clause for clause, holds, *_ in checks if not holds), None)


def test_2_4_a_plot_with_too_few_or_too_many_foreshadows() -> None:
    plot = decks()["lantern_lane"].main
    assert refusing_clause(*plot) is None
    assert refusing_clause(*(face for face in plot if face != "F03")) == "DEA-2.4"
    assert refusing_clause(*plot, "F04") == "DEA-2.4"
    assert refusing_clause(*(face for face in plot if face not in ("F03", "G01"))) == "DEA-2.1"
