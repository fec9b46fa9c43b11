"""Search queries of the API and pages, limited to what the session may see."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta, Struct

from domain.formats.errors import explain_unknown, quote_input
from domain.games import GAMES
from domain.judging.audit.audit_findings import FindingKind
from domain.law.disputes import Outcome, Verdict
from domain.law.slots import verb
from domain.words import Lang, Text, TextError, say
from projections.rulebooks import list_playable_actions
from recorder.finding import index_queries
from recorder.finding.rows import ClauseTally, MatchHit, MatchQuery, RulingRow, SearchLimits
from recorder.usecases.commands import Payload
from service.access import ANY_MATCH, is_delayed, may
from service.problems import http_problem
from service.requests import Request
from service.search.indexing import DAY_MS, day_begins, faces_named

PAGE: Final = 50
PAGE_MAX: Final = 500
EVERY: Final = "any"
NEW_MAX: Final = 10
"""New matches to index while a request waits."""
INDEX_WAIT_S: Final = 0.2
"""Seconds a request waits for another thread that is indexing."""


class SearchQuery(Payload, frozen=True):
    """Search query. `verdict` is the kind of a finding. Days are those on which matches were opened.

    Days are in the event's time zone, else in `zone` (an IANA name), else in UTC.

    `fresh` is the verb of an action that named a thing which arrived in the same turn, or `any`. `ruling` is the
    verdict of a ruling, `outcome` that of an appeal.
    """

    clause: str = ""
    verdict: FindingKind | None = None
    card: str = ""
    player: str = ""
    event: str = ""
    fresh: str = ""
    ruling: Verdict | None = None
    outcome: Outcome | None = None
    game: str = ""
    since: str = ""
    until: str = ""
    zone: str = ""
    after: str = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE


class FoundPage(Struct, frozen=True):
    """A page of matches. `complete`: the index is up to date; else `share` is the part indexed, from 0 to 1."""

    rows: tuple[MatchHit, ...]
    more: bool
    complete: bool
    share: float = 1.0


def find_page(request: Request, sought: SearchQuery) -> FoundPage:
    """Return a page of matches, the newest in the store first. Raises HttpProblem for an invalid query."""
    games, zone = _list_games(sought.game), request.context.times.zone or _read_zone(sought.zone)
    wanted = MatchQuery(
        clause=sought.clause,
        kind=sought.verdict or "",
        faces=faces_named(games, sought.card) if sought.card else None,
        player=sought.player,
        event=sought.event,
        fresh=bool(sought.fresh),
        verbs=_read_verbs(games, sought.fresh),
        ruling=sought.ruling or "",
        outcome=sought.outcome or "",
        game=sought.game,
        since=_read_day("since", sought.since, zone),
        before=None if (last := _read_day("until", sought.until, zone)) is None else last + DAY_MS,
    )
    complete = request.context.search_index.catch_up(NEW_MAX, INDEX_WAIT_S)
    rows = index_queries.find(request.context.search_index, wanted, limits(request), sought.after, sought.limit + 1)
    share = 1.0 if complete else request.context.search_index.get_indexed_fraction()
    return FoundPage(rows[: sought.limit], len(rows) > sought.limit, complete, share)


def heat_of(request: Request, game: str) -> tuple[tuple[ClauseTally, ...], bool]:
    """Return the usage of each clause in the order of the rulebook, and whether the index is up to date. Only closed
    matches count: a live count would reveal hidden play."""
    context = request.context
    complete = context.search_index.catch_up(NEW_MAX, INDEX_WAIT_S)
    key = game, limits(request), context.search_index.at()
    usages = context.clause_usage.get(key)
    if usages is None:
        usages = context.clause_usage.put(key, index_queries.count_clause_usage(context.search_index, game, key[1]))
    rows = {row.clause: row for row in usages}
    return tuple(rows.get(clause, ClauseTally(clause, 0, 0, 0)) for clause in GAMES[game].rulebook.clauses), complete


def limits(request: Request) -> SearchLimits:
    """Return the limits of what the session may search over all matches."""
    context, session = request.context, request.session
    return SearchLimits(
        opened=may(session, "see", ANY_MATCH),
        until=context.clock() - context.settings.delay if context.settings.delay and is_delayed(session) else None,
        hidden=context.settings.published or may(session, "see_closed", ANY_MATCH),
    )


def _list_games(game: str) -> Sequence[str]:
    if not game:
        return tuple(GAMES)
    if game not in GAMES:
        raise http_problem("unreadable", explain_unknown("game", game, GAMES))
    return (game,)


def _read_verbs(games: Sequence[str], fresh: str) -> tuple[str, ...]:
    if fresh in ("", EVERY):
        return ()
    verbs = {verb(action) for game in games for action in list_playable_actions(GAMES[game])}
    if fresh not in verbs:
        raise http_problem("unreadable", explain_unknown(Text("noun.verb"), fresh, (EVERY, *sorted(verbs))))
    return (fresh,)


def _read_zone(name: str) -> tzinfo:
    """Return a time zone by name, UTC for ''. Raises HttpProblem for an unknown name."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise http_problem("unreadable", Text("time.no_zone", {"name": quote_input(name)})) from None


def _read_day(name: str, text: str, zone: tzinfo) -> int | None:
    try:
        return day_begins(name, text, zone)
    except TextError as error:
        raise http_problem("unreadable", error.text) from None


def decided_words(ruling: RulingRow, lang: Lang) -> str:
    outcome = [say(f"outcome.{ruling.outcome}", lang)] if ruling.outcome else []
    verdict = [say(f"ruling.{ruling.verdict}", lang)] if ruling.verdict else []
    return say("list.comma", lang).join(outcome + verdict)
