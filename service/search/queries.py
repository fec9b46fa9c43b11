"""What is asked of the finder, by the API and by pages: read from a query, and as far as whoever asks may look."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta, Struct

from domain.formats.errors import quote_input, unknown
from domain.games import GAMES
from domain.judging.audit.audit_findings import FindingKind
from domain.law.disputes import Outcome, Verdict
from domain.law.slots import verb
from domain.words import Lang, Text, TextError, say
from projections.rulebooks import list_takeable
from recorder.finding import index_queries
from recorder.finding.rows import ClauseUsage, MatchHit, MatchQuery, RulingRow, SearchLimits
from recorder.usecases.commands import Payload
from service.access import ANY_MATCH, is_delayed, may
from service.problems import http_problem
from service.requests import Request
from service.search.indexing import DAY_MS, day_begins, faces_called

PAGE: Final = 50
PAGE_MAX: Final = 500
EVERY: Final = "any"
"""Stands for whichever action."""
NEW_MAX: Final = 10
"""How many matches that were opened or closed since the finder was there are looked at while somebody waits."""
PATIENCE: Final = 0.2
"""So many seconds who asks waits for whoever looks at them already."""


class SearchQuery(Payload, frozen=True):
    """What is looked for. `verdict` is the kind of a finding; days are those on which matches were opened.

    A day is one of the event's time zone, else of `zone` (an IANA name), else of UTC.

    `fresh` is the verb of an action that named a thing which arrived in the same turn, or `any`; `ruling` the
    verdict of a ruling, `outcome` how an appeal ended.
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
    """Matches, whether more follow, and whether the finder holds all that was recorded; else how much, from 0 to 1."""

    rows: tuple[MatchHit, ...]
    more: bool
    complete: bool
    share: float = 1.0


def seek(request: Request, sought: SearchQuery) -> FoundPage:
    """A page of matches, the newest in the store first. Halts where what is looked for cannot be read."""
    games, zone = _game(sought.game), request.context.times.zone or _zone(sought.zone)
    wanted = MatchQuery(
        clause=sought.clause,
        kind=sought.verdict or "",
        faces=faces_called(games, sought.card) if sought.card else None,
        player=sought.player,
        event=sought.event,
        fresh=bool(sought.fresh),
        verbs=_verbs(games, sought.fresh),
        ruling=sought.ruling or "",
        outcome=sought.outcome or "",
        game=sought.game,
        since=_day("since", sought.since, zone),
        before=None if (last := _day("until", sought.until, zone)) is None else last + DAY_MS,
    )
    complete = request.context.finder.catch_up(NEW_MAX, PATIENCE)
    rows = index_queries.find(request.context.finder, wanted, limits(request), sought.after, sought.limit + 1)
    share = 1.0 if complete else request.context.finder.share()
    return FoundPage(rows[: sought.limit], len(rows) > sought.limit, complete, share)


def heat_of(request: Request, game: str) -> tuple[tuple[ClauseUsage, ...], bool]:
    """How hot each clause of a game is, in the order of its rulebook; and whether all that was recorded is counted.

    Only what is closed counts: a live count would tell hidden play.
    """
    context = request.context
    complete = context.finder.catch_up(NEW_MAX, PATIENCE)
    key = game, limits(request), context.finder.at()
    kept = context.heats.get(key)
    if kept is None:
        kept = context.heats.keep(key, index_queries.heat(context.finder, game, key[1]))
    rows = {row.clause: row for row in kept}
    return tuple(rows.get(clause, ClauseUsage(clause, 0, 0, 0)) for clause in GAMES[game].rulebook.clauses), complete


def limits(request: Request) -> SearchLimits:
    """As far as whoever asks may look over all matches at once."""
    context, session = request.context, request.session
    return SearchLimits(
        opened=may(session, "see", ANY_MATCH),
        until=context.clock() - context.settings.delay if context.settings.delay and is_delayed(session) else None,
        hidden=context.settings.published or may(session, "see_closed", ANY_MATCH),
    )


def _game(game: str) -> Sequence[str]:
    if not game:
        return tuple(GAMES)
    if game not in GAMES:
        raise http_problem("unreadable", unknown("game", game, GAMES))
    return (game,)


def _verbs(games: Sequence[str], fresh: str) -> tuple[str, ...]:
    if fresh in ("", EVERY):
        return ()
    verbs = {verb(action) for game in games for action in list_takeable(GAMES[game])}
    if fresh not in verbs:
        raise http_problem("unreadable", unknown(Text("noun.verb"), fresh, (EVERY, *sorted(verbs))))
    return (fresh,)


def _zone(name: str) -> tzinfo:
    """Return the time zone of a name, UTC without one. Halts for an unknown name."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise http_problem("unreadable", Text("time.no_zone", {"name": quote_input(name)})) from None


def _day(name: str, text: str, zone: tzinfo) -> int | None:
    """When a day begins, in milliseconds."""
    try:
        return day_begins(name, text, zone)
    except TextError as error:
        raise http_problem("unreadable", error.text) from None


def decided_words(ruling: RulingRow, lang: Lang) -> str:
    """How a dispute was decided: how its appeal ended, and the verdict."""
    outcome = [say(f"outcome.{ruling.outcome}", lang)] if ruling.outcome else []
    verdict = [say(f"ruling.{ruling.verdict}", lang)] if ruling.verdict else []
    return say("list.comma", lang).join(outcome + verdict)
