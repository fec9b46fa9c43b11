"""Findings and differences carry their tables, so that showing them needs no deciding or folding."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import Audit, audit
from domain.law.entries import Entry, Played, tables
from domain.law.law import Law
from domain.table.table import JUDGE
from projections.findings import seen_findings
from tests.laws.samples import sample, seeds_in_turn
from tests.rotation import is_nightly
from tests.shelves import seen_by

pytestmark = pytest.mark.random

ENOUGH = 8


def made_wrong(key: str) -> Iterator[tuple[tuple[Entry, ...], Audit]]:
    for seed in seeds_in_turn(key)[: 2 if is_nightly() else None]:
        entries = tuple(sample(key, seed).entries)
        told = [at for at, entry in enumerate(entries) if isinstance(entry, Played) and entry.told]
        for first, second in zip(told[3::9], told[6::9], strict=False):
            wrong = list(entries)
            for at in (first, second):
                entry = entries[at]
                assert isinstance(entry, Played)
                wrong[at] = replace(entry, told=entry.told[:-1])
            yield tuple(wrong), audit(GAMES[key], wrong)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_finding_holds_the_recorded_table_on_which_its_entry_was_entered(key: str) -> None:
    """Also where the record continues from the law's table: a viewer's knowledge is read from the recorded one."""
    several = 0
    for count, (entries, found) in enumerate(made_wrong(key)):
        if count >= ENOUGH and several and not is_nightly():
            break
        before = {number: table for number, _, table, _ in tables(entries)}
        assert all(finding.before == before[finding.entry] for finding in found.findings)
        several += len(found.findings) > 1
        seen = seen_findings(
            *seen_by(GAMES[key], entries, JUDGE), Law(GAMES[key], sample(key, 0).rules), found.findings
        )
        assert [(one.entry, one.kind) for one in seen] == [(one.entry, one.kind) for one in found.findings]
        assert all(one.what.en and one.what.ja for one in seen)
    assert several, "in no record is something found behind an entry that was wrong"
