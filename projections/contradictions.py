"""Rulings that contradict each other under the same rules: of one the law can be right at most."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.docket import docket_of
from domain.table.table import Seat
from domain.words import Lang, say
from projections.precedents import Judged, Stream, eyes_in, judge_all, likeness
from projections.rows import Cell, Row
from projections.seen_entries import seen_entry

FAULTS: Final[tuple[D.Verdict, ...]] = ("not_allowed", "wrong_outcome")
"""Verdicts by which something was against the rules; against them stands that nothing was."""


class Given(Struct, frozen=True, omit_defaults=True):
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
    rulings: tuple[Given, ...]


def contradictions(stream: Stream, viewer: Seat, judged: Judged = judge_all) -> tuple[Contradiction, ...]:
    """What contradicts what over these matches, each with its id, as far as a spectator or a judge may know.

    A ruling that was overturned contradicts nothing any more, nor does one by which nobody can tell what happened. What
    a ruling is about is told by the clauses it cites, by what the dispute is about and, to a judge, by the law's view.
    """
    groups: dict[tuple[str, str, str, str, Clause], list[Given]] = {}
    for name, record in stream:
        opened, looks_as = record.opened, eyes_in(viewer, name, record, judged)
        for dispute in docket_of(record.entries).disputes.values():
            ruling, about = dispute.in_force, dispute.matter.entry
            if ruling is None or ruling.verdict == "unclear" or not about:
                continue
            eyes = record.eyes(looks_as)
            seen = seen_entry(record.game, eyes, about, record.entries[about - 1], record.after(about - 1))
            if seen.action is None:
                continue
            given = Given(name, dispute.number, ruling.at, ruling.verdict, ruling.reason)
            for clause in likeness(record, looks_as, dispute).clauses:
                key = (opened.game, opened.version, opened.rules_hash, seen.action.verb, clause)
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
