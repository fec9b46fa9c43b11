"""Rejudging of recorded matches under their rules and under changed ones."""

from collections.abc import Iterator
from typing import Any

from benchmarks import deciding
from benchmarks.harness import BenchmarkRow, Effort, Ratio, measure_pair
from benchmarks.material import BLACKPOKER, DEA, GRIMOIRE, MATCHES, SKILLBOOK, Matches, matches
from domain.judging.rejudging import rejudge
from domain.law.rulesets import with_settings

CHANGES = {
    BLACKPOKER: ("throwing.damage_suit", "club"),
    GRIMOIRE: ("same_controller_order", "timestamp"),
    DEA: ("reverse_y", "literal"),
    SKILLBOOK: ("stack_order", "fifo"),
}
"""A change of a value for each game that only some matches read."""

SHOWDOWN_LINES, SHOWDOWN_PLIES = 13_400, 102_000
"""pokemon-showdown's replay of an input log in protocol lines per second, and python-chess `push_uci` in plies per
second.

Both were measured on the same machine. A line is about one fact, so only lines per ply carry over to this one.
"""
SHOWDOWN = SHOWDOWN_LINES / SHOWDOWN_PLIES
SHOWDOWN_BUDGET, SHOWDOWN_AIM = 15, 30


def rows(effort: Effort, quick: bool) -> Iterator[BenchmarkRow]:
    plies = deciding.plies(quick)
    for key, setting in CHANGES.items():
        ours = matches(2 if quick else MATCHES, key)
        found = measure_pair(lambda ours=ours: _rejudge_all(ours, ours.law.rules), plies, effort)  # type: ignore[misc]
        yield deciding.per_action("rejudge", f"rejudge, {key}, its own rules", found)
        yield from deciding.in_other_units("rejudge", ours, found)
        yield _compare_with_showdown(key, ours, found)
        changed = with_settings(ours.law.game, ours.law.rules, dict([setting]))
        found = measure_pair(lambda ours=ours, rules=changed: _rejudge_all(ours, rules), plies, effort)  # type: ignore[misc]
        yield deciding.per_action("rejudge", f"rejudge, {key}, {setting[0]}={setting[1]}", found, promised=False)


def _rejudge_all(ours: Matches, rules: Any) -> int:
    for record in ours.records:
        rejudge(ours.law.game, record, rules)
    return ours.actions


def _compare_with_showdown(key: str, ours: Matches, found: Ratio) -> BenchmarkRow:
    other = deciding.scaled(found, ours.facts / ours.actions, SHOWDOWN)
    return BenchmarkRow(
        group="rejudge",
        name=f"rejudge, {key}, its own rules, per fact",
        unit="facts/s",
        ours=other.ours,
        peer=f"pokemon-showdown's input log, per line, taken as {SHOWDOWN:.3f} of push_uci",
        ratio=other,
        budget=SHOWDOWN_BUDGET,
        aim=SHOWDOWN_AIM,
    )
