"""Audits of a growing record: an audit that is continued equals one made from the start."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from domain.judging.audit import AuditRun, audit, fairness
from domain.law.entries import Closed, Entry, Played, Restored, Rewound, opened_of
from tests.laws.samples import MATCHES, sample

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

STEP_MAX, LOOPS, ENTRIES_MAX = 12, 6, 200


def spoil(entry: Entry, random: Random) -> Entry:
    """Return an entry that may lack its last fact."""
    return replace(entry, told=entry.told[:-1]) if isinstance(entry, Played) and random.random() < 0.03 else entry


def turn_back(entries: tuple[Entry, ...], random: Random) -> list[Entry]:
    """Return a record with errors, in which some entries are undone, played again or restored."""
    record: list[Entry] = [entries[0]]
    record += (spoil(entry, random) for entry in entries[1:])
    for _ in range(LOOPS):
        to = random.randrange(1, len(record))
        head = len(record)
        record.append(Rewound(to=to, reason="misheard", by="judge"))
        record += record[to : to + random.randrange(4)]
        if random.random() < 0.5:
            record.append(Restored(to=head, reason="heard rightly", by="judge"))
    return record


def versions(entries: list[Entry], random: Random) -> Iterator[list[Entry]]:
    """Yield the record at some versions, each longer than the one before."""
    at = 0
    while at < len(entries):
        at = min(at + random.randrange(1, STEP_MAX), len(entries))
        yield entries[:at]


@pytest.mark.parametrize(("key", "seed"), MATCHES)
def test_continued_audit_equals_a_full_audit(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(seed)
    closed = one.entries[-1]
    assert isinstance(closed, Closed)
    secret = bytes.fromhex(closed.seed)
    played = [spoil(entry, random) for entry in one.entries[1:-1]]
    for record in ([one.entries[0], *played[:ENTRIES_MAX]], turn_back(one.entries[:-1][:ENTRIES_MAX], random)):
        run, continued = None, 0
        for entries in versions([*record, closed], random):
            if run is not None and run.extend(entries, secret):
                continued += 1
            else:
                run = AuditRun(one.game, entries, secret=secret)
            assert run.audit == audit(one.game, entries, secret=secret)
            assert run.croupier.fairness == fairness(one.game, entries, secret)
        assert continued > 1 or len(record) < 4 * STEP_MAX


def test_audit_of_another_record_is_not_continued() -> None:
    one = sample("blackpoker", 1)
    opened, entries = opened_of(one.entries), one.entries[:-1]
    run = AuditRun(one.game, entries[:20])
    before = run.audit
    renamed = replace(opened, at=opened.at + 1)
    assert not run.extend((renamed, *entries[1:]), None)
    assert not run.extend((*entries[:18], *entries[19:]), None)
    assert not run.extend(entries[:19], None)
    assert not run.extend(entries, bytes(16))
    assert run.audit == before
    assert run.extend(entries, None) and run.audit == audit(one.game, entries)
