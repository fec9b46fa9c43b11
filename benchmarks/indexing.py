"""Regression runs with an index: the time of a whole `regress` after a change of a value, against the full run."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from archive.corpus.sources import CorpusLocation, Source, sources
from archive.regress import index
from archive.regress.regressing import regress
from archive.regress.summary import Task
from benchmarks.harness import LONG_PAIRS_MAX, BenchmarkRow, Effort, Ratio, measure_pair
from benchmarks.material import BLACKPOKER, DEA, GRIMOIRE, SKILLBOOK, packed
from domain.judging.rejudging.skipping import may_skip
from domain.judging.rejudging.target import RulesTarget

CHANGES = {
    BLACKPOKER: (
        ("armed.haste_from", "last_card"),
        ("throwing.damage_suit", "club"),
        ("equip.stance", "charge"),
    ),
    GRIMOIRE: (("same_controller_order", "timestamp"), ("mono_bonus", 6)),
}
"""Changes of values that few, some and many matches read, with all kinds of verdicts."""
READ_BY_ALL = {
    BLACKPOKER: ("cost.last_life", "immediate_loss"),
    GRIMOIRE: ("od_targets", "any_spell"),
    DEA: ("ntp_initiative", "hook_only"),
    SKILLBOOK: ("flying_leap", "free"),
}
"""A change for each game that nearly every match reads, but few of its entries."""
SPEED_UP_MIN = 2.0
"""Least speed-up of such a run with the index."""
MATCHES = {BLACKPOKER: 200, GRIMOIRE: 100}
FEW = 24
OVERHEAD_MAX = 0.05
"""Overhead allowed for the index and its sample checks, as a share of the full run."""


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[BenchmarkRow]:
    for key, changes in CHANGES.items():
        corpus = packed(key, 2 if quick else MATCHES[key], folder)
        found, bad = index.build(corpus, 1)
        assert not bad, bad
        index.save(found, corpus)
        listed = tuple(sources([corpus]))
        for name, value in changes:
            yield _measure_change(
                effort, f"{key}, {name}={value}", found, listed, RulesTarget(game=key, settings={name: value})
            )

    for key, setting in READ_BY_ALL.items():
        yield _measure_spared_entries(effort, key, setting, packed(key, 2 if quick else FEW, folder))


def _measure_spared_entries(effort: Effort, key: str, setting: tuple[str, object], corpus: Path) -> BenchmarkRow:
    index.save(index.build(corpus, 1)[0], corpus)
    listed, target = tuple(sources([corpus])), RulesTarget(game=key, settings=dict([setting]))
    few = Effort(min(effort.pairs, LONG_PAIRS_MAX), effort.seconds)
    found = measure_pair(
        lambda: _run_regress(listed, target, whole=False), lambda: _run_regress(listed, target, whole=True), few
    )
    return BenchmarkRow(
        group="index",
        name=f"{key}, {setting[0]}={setting[1]}, read by nearly every match",
        unit="entries/s",
        ours=found.ours,
        peer="the full run",
        ratio=found,
        budget=SPEED_UP_MIN,
    )


def _run_regress(listed: Sequence[Source], target: RulesTarget, *, whole: bool) -> int:
    report = regress(Task(target, whole=whole), listed)
    assert not report.bad, report.bad
    return report.entries


def _measure_change(
    effort: Effort, name: str, found: index.Index, listed: Sequence[Source], target: RulesTarget
) -> BenchmarkRow:
    touched = entries = 0
    for source in listed:
        assert isinstance(source.place, CorpusLocation)
        entries += source.place.row.entries
        reads = found.reads(found.rows[source.place.row.digest.hex()])
        touched += 0 if may_skip(reads, target.settings) else source.place.row.entries
    share = touched / entries

    few = Effort(min(effort.pairs, LONG_PAIRS_MAX), effort.seconds)
    saved = measure_pair(
        lambda: _run_regress(listed, target, whole=False), lambda: _run_regress(listed, target, whole=True), few
    )
    # The budget is a share of the time, so the rates are inverted.
    cost = Ratio(1 / saved.middle, 1 / saved.high, 1 / saved.low, saved.ours, saved.theirs)
    return BenchmarkRow(
        group="index",
        name=f"{name}, read by p = {share:.1%}: its time with the index",
        unit="entries/s",
        ours=cost.ours,
        peer="the full run's time",
        ratio=cost,
        most=share + OVERHEAD_MAX,
    )
