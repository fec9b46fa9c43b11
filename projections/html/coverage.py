"""Rulebook as a page: every clause in both languages with its coverage."""

from domain.judging.coverage import ClauseUsage, Coverage
from domain.law.game import Game
from domain.law.rulesets import values
from domain.words import Lang
from projections.html.drawing import draw

WARM, HOT = 10, 100
"""Numbers of matches from which a clause counts as well and as very well exercised."""
LEGEND = {"h0": 0, "h1": 0, "h2": WARM, "h3": HOT, "term": 0}
COLUMNS = ("cases", "refused", "applied", "matches")


def to_html(game: Game, rules: object, counted: Coverage, lang: Lang) -> bytes:
    """Return the page, with headings shown in language `lang` first."""
    never = frozenset(counted.never)

    def heat(clause: ClauseUsage) -> str:
        if clause.kind == "term":
            return "term"
        if clause.clause in never:
            return "h0"
        return "h3" if clause.matches >= HOT else "h2" if clause.matches >= WARM else "h1"

    return draw(
        "coverage.html",
        lang,
        book=game.rulebook,
        numbers=values(rules),  # type: ignore[arg-type]
        counted=counted,
        excused={clause.clause: clause for clause in counted.unreachable},
        heat=heat,
        legend=LEGEND,
        columns=COLUMNS,
    )
