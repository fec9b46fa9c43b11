"""What the finder holds of each match: of an open one what all may know, of a closed one what was told and found."""

import logging
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec

from domain.games import GAMES
from domain.judging.audit import audit
from domain.judging.rejudging.skipping import code_digest
from domain.law.entries import Closed, Entry, faces, last_described, line, opened_of, told
from domain.law.record import Record
from domain.words import Text
from projections.seen_entries import seen_entries
from recorder.finding.rows import Card, Hit, Rows, Told
from recorder.laws import law_of

LOG: Final = logging.getLogger(__name__)


@cache
def law_digest() -> str:
    """What tells the code that decides: matches are looked at again by other code."""
    return sha256("\n".join(f"{key} {code_digest(key)}" for key in sorted(GAMES)).encode()).hexdigest()


def look(match: str, entries: tuple[Entry, ...]) -> Rows:
    """The rows of a match. A branch shares what is hidden with its parent: no more is told of it than of an open one.

    A law that fails on a match fails for it alone: it is found by what was said when it was opened.
    """
    opened = opened_of(entries)
    rows = Rows(game=opened.game, version=opened.version, names=opened.names, event=opened.occasion.event, at=opened.at)
    if not isinstance(entries[-1], Closed):
        return rows
    event = last_described(entries).occasion.event
    ends = max(entry.at for entry in entries)
    rows = msgspec.structs.replace(rows, closed=ends, entries=len(entries), closed_event=event)
    law = law_of(opened)
    if opened.parent or isinstance(law, Text):
        return rows
    record = Record(law, entries)
    try:
        return msgspec.structs.replace(rows, hits=_hits(record), **_told(record))
    except Exception:
        LOG.exception("match %s cannot be looked at", match)
        return rows


def _told(record: Record) -> dict[str, Any]:
    """What was told and which cards took part, and what of it all could see."""
    uses = Counter(clause for entry in record.entries for clause, _ in told(entry))
    seen: Counter[str] = Counter()
    shown: set[str] = set()
    for entry in seen_entries(record, record.eyes(), flow=True):
        seen.update(fact.clause for fact in entry.facts)
        shown.update(_faces(msgspec.to_builtins((entry.action, entry.facts))))
    return {
        "clauses": tuple(Told(clause, uses[clause], seen[clause]) for clause in sorted(uses)),
        "cards": tuple(Card(face, face in shown) for face in sorted(faces(record.entries))),
    }


def _hits(record: Record) -> tuple[Hit, ...]:
    standing = frozenset(line(record.entries))
    findings = audit(record.game, record.entries).findings
    return tuple(Hit(row.entry, row.kind, row.clause, row.entry not in standing) for row in findings)


def _faces(value: Any) -> Iterator[str]:
    """Every face in what a viewer sees."""
    match value:
        case dict():
            for name, inner in value.items():
                if name == "face" and isinstance(inner, str):
                    yield inner
                else:
                    yield from _faces(inner)
        case list() | tuple():
            for inner in value:
                yield from _faces(inner)
        case _:
            pass
