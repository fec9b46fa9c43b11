"""Any table of a long match, soon: some tables are kept on the way, and any other is a few facts from one of them.

Tables share what did not change between them, so what is kept is small. For whoever looks at many tables of one match;
a single look is cheaper by folding once, which keeps nothing.
"""

from bisect import bisect_right
from collections.abc import Sequence

from domain.law.entries import Entry, Rewound, apply_told, entry_facts, tables
from domain.table.draft import Draft
from domain.table.table import Table
from projections.viewing import entry_in

FACTS = 32
"""A table is kept before more facts than this lie behind the one kept last; a seek lets about half as many happen."""


class Seeker:
    """The tables of a match. Made by one pass over its entries; they must not change afterwards."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._numbers: list[int] = []
        self._tables: list[Table] = []
        behind = 0
        for number, entry, _, after in tables(entries):
            behind += len(entry_facts(entry))
            # Behind a rewind the facts lead on from another table than the one before it.
            if number == 1 or behind > FACTS or isinstance(entry, Rewound):
                self._numbers.append(number)
                self._tables.append(after)
                behind = 0

    def __call__(self, number: int) -> Table:
        """The table after an entry. Raises NotInMatch."""
        kept = self._nearest(number)
        if self._numbers[kept] == number:
            return self._tables[kept]
        draft = Draft(self._tables[kept])
        for entry in self._entries[self._numbers[kept] : number]:
            apply_told(draft, entry_facts(entry))
        return draft.freeze()

    def steps(self, number: int) -> int:
        """How many facts happen on the way to an entry from the table that is kept before it."""
        between = self._entries[self._numbers[self._nearest(number)] : number]
        return sum(len(entry_facts(entry)) for entry in between)

    @property
    def table_count(self) -> int:
        """How many tables are kept."""
        return len(self._tables)

    def _nearest(self, number: int) -> int:
        return bisect_right(self._numbers, entry_in(self._entries, number)) - 1
