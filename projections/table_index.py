"""Index for fast access to any table of a long match: saved tables, with a few facts between them. Tables share
unchanged parts, so saved ones are small. For a single table, folding once is cheaper."""

from bisect import bisect_right
from collections.abc import Sequence

from domain.law.entries import Entry, Rewound, apply_facts, entry_facts, tables
from domain.table.draft import Draft
from domain.table.table import Table
from projections.viewing import resolve_entry

FACTS = 32
"""Maximum number of facts between saved tables. A seek applies about half of them on average."""


class TableIndex:
    """The tables of a match, indexed in one pass. The entries must not change afterwards."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._numbers: list[int] = []
        self._tables: list[Table] = []
        facts = 0
        for number, entry, _, after in tables(entries):
            facts += len(entry_facts(entry))
            # after a rewind, the facts continue from another table than the previous one
            if number == 1 or facts > FACTS or isinstance(entry, Rewound):
                self._numbers.append(number)
                self._tables.append(after)
                facts = 0

    def __call__(self, number: int) -> Table:
        """Return the table after an entry. Raises NotInMatch."""
        nearest = self._nearest(number)
        if self._numbers[nearest] == number:
            return self._tables[nearest]
        draft = Draft(self._tables[nearest])
        for entry in self._entries[self._numbers[nearest] : number]:
            apply_facts(draft, entry_facts(entry))
        return draft.freeze()

    def count_facts(self, number: int) -> int:
        """Return the number of facts to apply for an entry from the nearest saved table."""
        between = self._entries[self._numbers[self._nearest(number)] : number]
        return sum(len(entry_facts(entry)) for entry in between)

    @property
    def table_count(self) -> int:
        return len(self._tables)

    def _nearest(self, number: int) -> int:
        return bisect_right(self._numbers, resolve_entry(self._entries, number)) - 1
