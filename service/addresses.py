"""Addresses of the pages: the path is the whole identity of what is meant, and the same thing has the same for ever."""

from functools import lru_cache
from typing import Literal
from urllib.parse import quote

from msgspec import Struct

from domain.law.clause import Clause
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.words import Lang
from service.drawing.log import Links
from service.drawing.times import BROWSER_TIMES, Times


def to(lang: Lang, *parts: object) -> str:
    """The address of a page in a language."""
    return "/".join(("", lang, *(_quoted(str(part)) for part in parts)))


@lru_cache(maxsize=4096)
def _quoted(part: str) -> str:
    return quote(part, safe="@.:{}")


def to_clause(lang: Lang, game: str, edition: str, clause: Clause) -> str:
    """A clause in an edition of a game."""
    return to(lang, "rules", f"{game}@{edition}", clause)


def rulebook_of(lang: Lang, record: Record) -> str:
    """The rulebook of the edition that a match pins; '' if no clause of its game is known here."""
    return to(lang, "rules", f"{record.opening.game}@{record.opening.version}") if record.game.rulebook.clauses else ""


def clause_of(lang: Lang, record: Record, clause: Clause) -> str:
    """A clause in the edition that a match pins; nowhere, if no clause of its game is known here."""
    if not record.game.rulebook.clauses:
        return ""
    return to_clause(lang, record.opening.game, record.opening.version, clause)


class MatchUrls(Struct, frozen=True):
    """Addresses within a match, with the eyes of a viewer; a spectator's are not named."""

    lang: Lang
    match: str
    viewer: str = ""

    def live(self) -> str:
        """The newest position."""
        return to(self.lang, "m", self.match, *self._eyes())

    def moment(self, number: int | Literal["{n}"], fact: int = 0) -> str:
        """The table after an entry, or after its k-th fact."""
        return to(self.lang, "m", self.match, f"{number}.{fact}" if fact else number, *self._eyes())

    def at(self, number: int | str, *parts: object) -> str:
        """Something else of that moment, or of a stretch of moments, with the same eyes."""
        return to(self.lang, "m", self.match, number, *parts, *self._eyes())

    def finding_url(self, number: int, clause: Clause, nth: int = 1) -> str:
        """A divergence of record and law; `nth`: which, if an entry has several of one clause."""
        return self.at(number, "f", f"{clause}.{nth}" if nth > 1 else clause)

    def all(self, what: str) -> str:
        """All of something in the match, with the same eyes."""
        return to(self.lang, "m", self.match, what, *self._eyes())

    def under(self, *parts: object) -> str:
        """Something else of the match."""
        return to(self.lang, "m", self.match, *parts)

    def _eyes(self) -> tuple[str, ...]:
        return ("as", self.viewer) if self.viewer else ()


def links(record: Record, way: MatchUrls, times: Times = BROWSER_TIMES) -> Links:
    """Where a line of a match's log leads to."""
    return Links(way.moment("{n}"), clause_of(way.lang, record, Clause("{clause}")), times)


def way_of(lang: Lang, match: str, viewer: str, own: str = "") -> MatchUrls:
    """Return the addresses of a match as a viewer sees it. `own`: the seat of the session, whose eyes go unnamed, so
    that an address that a player shares shows others a spectator's view."""
    return MatchUrls(lang, match, "" if viewer == (own or SPECTATOR) else viewer)
