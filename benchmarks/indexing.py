"""What a change of a value costs where an index stands beside the corpus: a whole run of `regress` each."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.harness import LONG_PAIRS, Effort, Ratio, Row, paired
from benchmarks.material import BLACKPOKER, GRIMOIRE, packed
from corpus.sources import Packed, Source, sources
from domain.judging.rejudging.skipping import may_skip
from domain.judging.rejudging.target import Target
from regress import index
from regress.regressing import regress
from regress.summary import Task

CHANGES = {
    BLACKPOKER: (
        ("armed.haste_from", "last_card"),
        ("throwing.damage_suit", "club"),
        ("equip.stance", "charge"),
    ),
    GRIMOIRE: (("same_controller_order", "timestamp"), ("mono_bonus", 6)),
}
"""Changes of a value that few, some and many matches read, and that all sorts of verdicts come of."""
MATCHES = {BLACKPOKER: 200, GRIMOIRE: 100}
MARGIN = 0.05
"""What looking at the index, and judging a sample of what it passes by, may cost: a share of the full run."""


def rows(effort: Effort, quick: bool, folder: Path) -> Iterator[Row]:
    """Each change with the index against the same without."""
    for key, changes in CHANGES.items():
        corpus = packed(key, 2 if quick else MATCHES[key], folder)
        found, bad = index.build(corpus, 1)
        assert not bad, bad
        index.save(found, corpus)
        listed = tuple(sources([corpus]))
        for name, value in changes:
            yield _changed(effort, f"{key}, {name}={value}", found, listed, Target(game=key, settings={name: value}))


def _changed(effort: Effort, name: str, found: index.Index, listed: Sequence[Source], target: Target) -> Row:
    touched = entries = 0
    for source in listed:
        assert isinstance(source.place, Packed)
        entries += source.place.row.entries
        reads = found.reads(found.rows[source.place.row.digest.hex()])
        touched += 0 if may_skip(reads, target.settings) else source.place.row.entries
    share = touched / entries

    def judged(whole: bool) -> int:
        report = regress(Task(target, whole=whole), listed)
        assert not report.bad, report.bad
        return report.entries

    few = Effort(min(effort.pairs, LONG_PAIRS), effort.seconds)
    saved = paired(lambda: judged(whole=False), lambda: judged(whole=True), few)
    # What is promised is a share of the time: the rates upside down.
    cost = Ratio(1 / saved.middle, 1 / saved.high, 1 / saved.low, saved.ours, saved.theirs)
    return Row(
        group="index",
        name=f"{name}, read by p = {share:.1%}: its time with the index",
        unit="entries/s",
        ours=cost.ours,
        peer="the full run's time",
        ratio=cost,
        most=share + MARGIN,
    )
