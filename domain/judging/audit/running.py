"""The one table that an audit works on while entries fit it to the letter, as nearly all do: nothing is copied."""

import msgspec

from domain.judging.audit.judge import Judge
from domain.law.driver import accepts, carry_out
from domain.law.entries import Played, apply_told
from domain.law.live import Live
from domain.table.draft import Draft
from domain.table.physics import ACTORS
from domain.table.table import CHANCE, Table


class Running:
    """A live table that goes on from one that was frozen. Where an entry does not fit, the table before it is found
    again by the facts told since then. Only for a match that was dealt: of real cards what was seen comes first."""

    def __init__(self, judge: Judge, start: Table) -> None:
        self._law, self._eyes, self._decode = judge.law, judge.eyes, judge.decoder.decode
        self._start = start
        self._passed: list[Played] = []
        self.live = Live(start)
        self._spoilt = False

    def fits(self, entry: Played) -> bool:
        """Is the entry allowed, and does it lead to the recorded facts to the letter? Then the table is behind it."""
        law, live, actor = self._law, self.live, entry.actor
        if entry.violations or (actor not in live.seats and actor not in ACTORS):
            return False
        try:
            action = self._decode(entry.action)
        except msgspec.DecodeError:
            return False
        if actor == CHANCE and self._eyes.of_real_cards(live, entry, action):
            return False
        if not accepts(law, live, actor, action):
            return False
        self._spoilt = True
        carry_out(law, live, actor, action)
        if live.take() != entry.told:
            return False
        self._spoilt = False
        self._passed.append(entry)
        return True

    def stop(self) -> Table:
        """The table behind the last entry that fits."""
        if not self._spoilt:
            return self.live.freeze()
        draft = Draft(self._start)
        for entry in self._passed:
            apply_told(draft, entry.told)
        return draft.freeze()
