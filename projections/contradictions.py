"""Rulings that contradict each other under the same rules."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.words import Lang, say
from projections.rows import Cell, Row
from projections.rulings import Ruling

FAULTS: Final[tuple[D.Verdict, ...]] = ("not_allowed", "wrong_outcome")
"""Verdicts that something was against the rules. All others contradict them."""


class RulingInForce(Struct, frozen=True, omit_defaults=True):
    """A ruling in force, with its match and dispute."""

    match: str
    dispute: int
    at: int
    verdict: D.Verdict
    reason: str = ""


class Contradiction(Struct, frozen=True):
    """Contradictory rulings on the same kind of action, by the same clause and rules."""

    game: str
    version: str
    verb: str
    clause: Clause
    rulings: tuple[RulingInForce, ...]


def contradictions(rulings: Iterable[Ruling]) -> tuple[Contradiction, ...]:
    """Return the contradictions among rulings. Overturned and unclear rulings are ignored. The subject of a ruling is
    determined by its clauses, the disputed clause and, for a judge, the law's opinion."""
    groups: dict[tuple[str, str, str, str, Clause], list[RulingInForce]] = {}
    for ruling in rulings:
        ruled = ruling.ruled
        if not ruling.stands or ruled.verdict == "unclear" or not ruling.verb:
            continue
        in_force = RulingInForce(ruling.match, ruling.dispute, ruled.at, ruled.verdict, ruled.reason)
        for clause in ruling.like.clauses:
            key = (ruling.law.game.key, ruling.version, ruling.rules_hash, ruling.verb, clause)
            groups.setdefault(key, []).append(in_force)
    return tuple(
        Contradiction(game, version, verb, clause, tuple(sorted(rulings, key=lambda in_force: in_force.at)))
        for (game, version, _, verb, clause), rulings in groups.items()
        if len({in_force.verdict in FAULTS for in_force in rulings}) > 1
    )


def render_contradictions(found: Iterable[Contradiction], lang: Lang) -> list[Row]:
    rows: list[Row] = []
    for contradiction in found:
        about = {"game": contradiction.game, "version": contradiction.version, "verb": contradiction.verb}
        text = say("contradiction.heading", lang, clause=contradiction.clause, **about)
        rows.append(Row("heading", (Cell(text, clause=contradiction.clause),)))
        for in_force in contradiction.rulings:
            where = say("contradiction.ruling", lang, match=in_force.match, dispute=in_force.dispute)
            cells = (
                Cell(where, "number"),
                Cell(say(f"ruling.{in_force.verdict}", lang), "state"),
                Cell(in_force.reason),
            )
            rows.append(Row("entry", cells, 1))
    return rows
