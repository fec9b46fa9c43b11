"""The one table that an audit works on while entries fit it to the letter, as nearly all do: nothing is copied."""

from domain.judging.audit.judge import Judge
from domain.law.entries import Played, apply_told
from domain.law.live import Live
from domain.table.draft import Draft
from domain.table.table import Table


class Running:
    """A live table that goes on from one that was frozen. Where an entry does not fit, the table before it is found
    again by the facts told since then."""

    def __init__(self, judge: Judge, start: Table) -> None:
        self._judge, self._start = judge, start
        self._passed: list[Played] = []
        self.live = Live(start)
        self._spoilt = False

    def fits(self, entry: Played) -> bool:
        """Is the entry allowed, and does it lead to the recorded facts to the letter? Then the table is behind it."""
        self.live.forget()
        fits = self._judge.as_told(entry, self.live)
        self._spoilt = not fits and self.live.count > 0
        if fits:
            self._passed.append(entry)
        return fits

    def stop(self) -> Table:
        """The table behind the last entry that fits."""
        if not self._spoilt:
            return self.live.freeze()
        draft = Draft(self._start)
        for entry in self._passed:
            apply_told(draft, entry.told)
        return draft.freeze()
