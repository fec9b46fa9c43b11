"""URLs of the pages. A path identifies its subject completely and never changes."""

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


def page_url(lang: Lang, *parts: object) -> str:
    """Return the path of a page in a language."""
    return "/".join(("", lang, *(_quote_part(str(part)) for part in parts)))


@lru_cache(maxsize=4096)
def _quote_part(part: str) -> str:
    return quote(part, safe="@.:{}")


def edition_clause_url(lang: Lang, game: str, edition: str, clause: Clause) -> str:
    return page_url(lang, "rules", f"{game}@{edition}", clause)


def rulebook_url(lang: Lang, record: Record) -> str:
    """Return the path of the rulebook that a match pins, or '' if no clause of its game is known."""
    return (
        page_url(lang, "rules", f"{record.opening.game}@{record.opening.version}")
        if record.game.rulebook.clauses
        else ""
    )


def match_clause_url(lang: Lang, record: Record, clause: Clause) -> str:
    """Return the path of a clause in the edition that a match pins, or '' if no clause of its game is known."""
    if not record.game.rulebook.clauses:
        return ""
    return edition_clause_url(lang, record.opening.game, record.opening.version, clause)


class MatchUrls(Struct, frozen=True):
    """URLs within a match for one viewer. An empty viewer leaves out `/as/VIEWER`."""

    lang: Lang
    match: str
    viewer: str = ""

    def live_url(self) -> str:
        """Return the URL of the newest position."""
        return page_url(self.lang, "m", self.match, *self._viewer_parts())

    def moment_url(self, number: int | Literal["{n}"], fact: int = 0) -> str:
        """Return the URL of the table after an entry, or after its k-th fact."""
        return page_url(self.lang, "m", self.match, f"{number}.{fact}" if fact else number, *self._viewer_parts())

    def entry_url(self, number: int | str, *parts: object) -> str:
        """Return the URL of a subpage of one entry or of a range of entries."""
        return page_url(self.lang, "m", self.match, number, *parts, *self._viewer_parts())

    def finding_url(self, number: int, clause: Clause, nth: int = 1) -> str:
        """Return the URL of a finding. `nth` counts the findings of one clause at one entry."""
        return self.entry_url(number, "f", f"{clause}.{nth}" if nth > 1 else clause)

    def match_url(self, what: str) -> str:
        """Return the URL of a page about the whole match, as the viewer sees it."""
        return page_url(self.lang, "m", self.match, what, *self._viewer_parts())

    def shared_url(self, *parts: object) -> str:
        """Return the URL of a page of the match that does not depend on the viewer."""
        return page_url(self.lang, "m", self.match, *parts)

    def _viewer_parts(self) -> tuple[str, ...]:
        return ("as", self.viewer) if self.viewer else ()


def make_link_patterns(record: Record, urls: MatchUrls, times: Times = BROWSER_TIMES) -> Links:
    return Links(urls.moment_url("{n}"), match_clause_url(urls.lang, record, Clause("{clause}")), times)


def match_urls_of(lang: Lang, match: str, viewer: str, own: str = "") -> MatchUrls:
    """Return the URLs of a match as a viewer sees it. `own` is the seat of the session and is left out of the URLs. A
    link that a player shares then opens the spectator's view for others."""
    return MatchUrls(lang, match, "" if viewer == (own or SPECTATOR) else viewer)
