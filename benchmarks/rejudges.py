"""Recorded matches decided again under their own rules and under changed ones, and what skipping saves."""

from collections.abc import Iterator
from typing import Any

from benchmarks.harness import Effort, Row, paired
from benchmarks.material import BLACKPOKER, CHESS_GAMES, GRIMOIRE, MATCHES, Matches, chess_games, matches, push_uci
from domain.law.rulesets import values, with_settings
from projections.rejudging import rejudge
from projections.rejudging.skipping import changed_fields, may_skip, reads

BUDGET, AIM = 0.5, 1.0
PUSH_UCI = "python-chess push_uci, per ply"
CHANGES = {BLACKPOKER: ("throwing.damage_suit", "club"), GRIMOIRE: ("same_controller_order", "timestamp")}
"""A change of a value for each game, which only a part of the matches reads."""
MARGIN = 0.05
"""What looking at the index may cost, as a share of the full run."""


def rows(effort: Effort, quick: bool) -> Iterator[Row]:
    """Rejudging per recorded action, then a change with the index against the full run."""
    plies = push_uci(chess_games(2 if quick else CHESS_GAMES))
    for key, setting in CHANGES.items():
        ours = matches(2 if quick else MATCHES, key)
        changed = with_settings(ours.game, ours.rules, dict([setting]))
        for name, rules in (("its own rules", ours.rules), (f"{setting[0]}={setting[1]}", changed)):
            found = paired(lambda rules=rules, ours=ours: _rejudged(ours, rules), plies, effort)  # type: ignore[misc]
            yield Row(
                group="rejudge",
                name=f"rejudge, {key}, {name}, per action",
                unit="actions/s",
                ours=found.ours,
                peer=PUSH_UCI,
                ratio=found,
                budget=BUDGET if rules is ours.rules else None,
                aim=AIM if rules is ours.rules else None,
            )
        yield _skipped(effort, key, ours, changed)


def _rejudged(ours: Matches, rules: Any) -> int:
    for record in ours.records:
        rejudge(ours.game, record, rules)
    return ours.actions


def _skipped(effort: Effort, key: str, ours: Matches, changed: Any) -> Row:
    """The time of a full run in the time of one that skips what the index lets it skip."""
    index = [reads(ours.game, record) for record in ours.records]
    fields = changed_fields(values(ours.rules), changed)
    touched = [len(record) for record, one in zip(ours.records, index, strict=True) if not may_skip(one, fields)]
    share = sum(touched) / ours.entries

    def with_index() -> int:
        for record, one in zip(ours.records, index, strict=True):
            if not may_skip(one, changed_fields(values(ours.rules), changed)):
                rejudge(ours.game, record, changed)
        return ours.actions

    found = paired(with_index, lambda: _rejudged(ours, changed), effort)
    return Row(
        group="rejudge",
        name=f"a change that matches with {share:.0%} of {key} entries read, with the index",
        unit="actions/s",
        ours=found.ours,
        peer="the full run",
        ratio=found,
        budget=1 / (share + MARGIN),
    )
