"""A match of a service stepped through."""

from functools import cached_property

from cli.away.asking import Away
from cli.client.service import Refused
from cli.context import Desk
from cli.look.watch import step_through
from domain.table.redact import View
from domain.words import Lang
from projections.findings import SeenFinding
from projections.moments import Moments
from projections.seen_entries import SeenEntry
from projections.timeline import Line, entry_words


class There:
    """A match of a service; a table comes over the line when it is looked at."""

    def __init__(self, away: Away, viewer: str) -> None:
        self._away, self._viewer = away, viewer
        self.id, self.law, self.version = away.match.id, away.law, away.head.head
        self.schema = away.law.schema()
        self.untold = ""

    @cached_property
    def findings(self) -> tuple[SeenFinding, ...]:
        """What the match's rules have against it, where that is told."""
        try:
            return self._away.match.findings()
        except Refused as refused:
            self.untold = refused.problem.says(self._away.desk.lang)
            return ()

    @property
    def when(self) -> Moments:
        """When its entries were."""
        return self._away.when

    @cached_property
    def _entries(self) -> tuple[SeenEntry, ...]:
        return tuple(self._away.match.entries())

    def line(self, number: int, lang: Lang) -> Line:
        """An entry in words."""
        return entry_words(self.law.game, self._entries[number - 1], lang, self._away.names)

    def board(self, number: int) -> View:
        """The table after an entry."""
        return self._away.match.moment(number).board

    def look_again(self) -> "There":
        """The same with what has been recorded meanwhile."""
        return There(Away(self._away.desk, self.id, self._viewer), self._viewer)


def watch(desk: Desk, match: str, at: int | None, viewer: str) -> int:
    """Step through a match by keys."""
    away = Away(desk, match, viewer)
    return step_through(desk, There(away, viewer), away.entry(at))
