"""Share the reads of one record with others that have the same first entries, such as shortened versions.

The reads of an entry are found once, by deciding the record under its own rules (`skipping`). They hold for every
record with the same entries up to that point.
"""

from collections.abc import Sequence
from itertools import takewhile
from operator import is_
from typing import Generic

from domain.judging.rejudging.causes import Spares
from domain.judging.rejudging.skipping import ByEntry, changed_fields, changed_keys, entries_read
from domain.judging.rejudging.verdict import VerdictKind
from domain.law.entries import REWINDS, Entry
from domain.law.game import Game, R
from domain.law.rulesets import values
from domain.law.slots import A


class SharedPrefix(Generic[R, A]):
    """Reads of the record noted last, for given other rules."""

    def __init__(self, game: Game[R, A], own: R, others: Sequence[R]) -> None:
        self._game, self._own = game, own
        was = values(own)
        changes = ((rules, changed_fields(game, was, rules)) for rules in others)
        self._others = tuple((rules, changed_keys(game, changed, changed)) for rules, changed in changes)
        self._entries: Sequence[Entry] = ()
        self._known = ByEntry()

    def note(self, entries: Sequence[Entry]) -> VerdictKind:
        """Decide a record under its own rules and keep the reads of each entry. Raises Unreadable. A record with a
        rewind is not kept: without the rewind other entries would count, whose reads are unknown."""
        kind, known = entries_read(self._game, entries, self._own)
        if known.steps and not any(type(entry) in REWINDS for entry in entries):
            self._entries, self._known = tuple(entries), known
        return kind

    def spares(self, entries: Sequence[Entry]) -> Spares:
        """Return the function that gives the entries that need not be decided under the other rules."""
        same = sum(1 for _ in takewhile(bool, map(is_, entries, self._entries)))
        known = ByEntry(self._known.sets, self._known.steps[:same])

        def spares(rules: R) -> bytes:
            changed = next((changed for other, changed in self._others if other is rules), None)
            return b"" if changed is None else known.spared(changed)

        return spares
