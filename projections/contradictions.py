"""Rulings that contradict each other under the same rules: of one the law can be right at most."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.words import Lang, say
from projections.rows import Cell, Row
from projections.rulings import Ruling

FAULTS: Final[tuple[D.Verdict, ...]] = ("not_allowed", "wrong_outcome")
"""Verdicts by which something was against the rules; against them stands that nothing was."""


class RulingInForce(Struct, frozen=True, omit_defaults=True):
    """A ruling in force: in which dispute of which match, when, and what it says."""

    match: str
    dispute: int
    at: int
    verdict: D.Verdict
    reason: str = ""


class Contradiction(Struct, frozen=True):
    """Rulings on the same kind of action by the same clause under the same rules that do not agree."""

    game: str
    version: str
    verb: str
    clause: Clause
    rulings: tuple[RulingInForce, ...]


def contradictions(rulings: Iterable[Ruling]) -> tuple[Contradiction, ...]:
    """What contradicts what among rulings, as far as those know who know these rulings so.

    A ruling that was overturned contradicts nothing any more, nor does one by which nobody can tell what happened. What
    a ruling is about is told by the clauses it cites, by what the dispute is about and, to a judge, by the law's view.
    """
    groups: dict[tuple[str, str, str, str, Clause], list[RulingInForce]] = {}
    for ruling in rulings:
        ruled = ruling.ruled
        if not ruling.stands or ruled.verdict == "unclear" or not ruling.verb:
            continue
        given = RulingInForce(ruling.match, ruling.dispute, ruled.at, ruled.verdict, ruled.reason)
        for clause in ruling.like.clauses:
            key = (ruling.law.game.key, ruling.version, ruling.rules_hash, ruling.verb, clause)
            groups.setdefault(key, []).append(given)
    return tuple(
        Contradiction(game, version, verb, clause, tuple(sorted(rulings, key=lambda given: given.at)))
        for (game, version, _, verb, clause), rulings in groups.items()
        if len({given.verdict in FAULTS for given in rulings}) > 1
    )


def render_contradictions(told: Iterable[Contradiction], lang: Lang) -> list[Row]:
    """Contradictions as rows: what they are about, and below that the rulings."""
    rows: list[Row] = []
    for contradiction in told:
        about = {"game": contradiction.game, "version": contradiction.version, "verb": contradiction.verb}
        text = say("contradiction.heading", lang, clause=contradiction.clause, **about)
        rows.append(Row("heading", (Cell(text, clause=contradiction.clause),)))
        for given in contradiction.rulings:
            where = say("contradiction.ruling", lang, match=given.match, dispute=given.dispute)
            cells = (Cell(where, "number"), Cell(say(f"ruling.{given.verdict}", lang), "state"), Cell(given.reason))
            rows.append(Row("entry", cells, 1))
    return rows
