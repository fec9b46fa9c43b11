"""A whole record held against the law, entry by entry."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.law.entries import Entry, Opened, Played, Rewound, went_back
from domain.law.entries import told as told_of
from domain.law.game import Game
from domain.law.wayback import WayBack
from domain.table.physics import Physics
from domain.table.table import Table, blank
from projections.audit.finding import Audit, Finding
from projections.audit.judge import Judge
from projections.audit.passing import Passing


def audit(game: Game, entries: Iterable[Entry], rules: Any = None) -> Audit:
    """Audit a record under the rules pinned in it, or under another reading of them.

    The entries are gone through once. A rewind may need some of them again: a sequence is asked for them, so it may
    lie in a file; of what can be gone through only once the bytes are kept.
    """
    held = entries if isinstance(entries, Sequence) else Passing(entries)
    opened = held[0]
    assert isinstance(opened, Opened)
    pinned = rules is None
    if rules is None:
        rules = msgspec.convert(opened.rules, game.rules_type)
    judge = Judge(game, rules, Physics(opened.schema), pinned)
    way: WayBack[tuple[Table, ...]] = WayBack(lambda now, at: judge.entry(at, held[at - 1], now).tables)
    findings: list[Finding] = []
    tables: tuple[Table, ...] = (blank(opened.seats),)
    number = actions = facts = 0
    for number, entry in enumerate(held, start=1):
        if isinstance(entry, Rewound):
            judged = judge.rewound(number, entry, went_back(way, entry), tables)
        else:
            judged = judge.entry(number, entry, tables)
            actions, facts = actions + (type(entry) is Played), facts + len(told_of(entry))
        tables = judged.tables
        if judged.finding is not None:
            findings.append(judged.finding)
        way.add(tables)
    return Audit(tuple(findings), number, actions, facts)
