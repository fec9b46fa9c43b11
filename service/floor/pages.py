"""Floor page: the tables of a round, those that need a judge first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Final, Literal
from unicodedata import normalize
from urllib.parse import urlencode

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.docket import SECOND
from domain.words import Lang, Text, say
from domain.words.lines import clock_time
from projections import phrases as P
from projections.tables import Round, TableStatus, Tally, round_words, rounds, sort_by_need, tally
from recorder.finding.index_queries import count_findings
from recorder.match_list import DamagedMatch, damage_in
from recorder.store import StoreError
from service.access import Session, may
from service.addresses import MatchUrls, page_url
from service.floor.calls_page import edition_words, findings_at, has_judge_view, judge_messages, newest_findings
from service.floor.countdown import CountdownWords, countdown_words, read_round_clock
from service.pages import FOUND, delay_words, page_route, redirect, template_page
from service.paging import ListPage
from service.problems import http_problem
from service.requests import Request, Response

MATCHES_MAX = 512
"""Newest matches of the store to look at."""
PAGE: Final = 96
"""Tables on one page: full rows of 3, 4 and 8."""
SLOW_MS = 600_000
"""A table is slow after this time without an entry."""
MINUTE_MS = 60_000
TEXT_MAX = 60

Shown = Literal["all", "calls", "disputes", "findings", "paused", "slow", "done", "damaged"]
SHOWN: Final[tuple[Shown, ...]] = ("all", "calls", "disputes", "findings", "paused", "slow", "done", "damaged")
FOR_JUDGES: Final = ("calls", "findings")


class Filter(Struct, frozen=True, forbid_unknown_fields=True):
    """Filter of the floor: tables shown, size, previewed match (`at`), page, or a table to go to (`go`). `event`
    selects the event if several have a round of this name."""

    show: Shown = "all"
    size: Literal["", "3", "4", "8"] = ""
    at: str = ""
    go: str = ""
    page: Annotated[int, Meta(ge=1, le=MATCHES_MAX)] = 1
    event: str | None = None

    def query_string_with(self, **changes: str) -> str:
        wanted = {"show": self.show, "size": self.size, "at": self.at, "page": self.page_words, **changes}
        event_param = {} if self.event is None else {"event": self.event}
        return f"?{urlencode({name: value for name, value in wanted.items() if value} | event_param)}"

    @property
    def page_words(self) -> str:
        """Number of the page, or '' for the first one."""
        return str(self.page) if self.page > 1 else ""


class Tile(Struct, frozen=True):
    """A table as drawn.

    `stopped_minutes`: minutes since its clock was stopped, or None. `back`: the time given back. `judged`: the session
    may know its findings and answer its calls. `preview_url` shows it next to the list. `request_url` is an open rewind
    request, `penalties_url` a penalty that ends the match; '' for none.
    """

    table: TableStatus
    url: str
    name: str
    players: str
    game: str
    state: str
    waits: str
    stopped_minutes: int | None
    back: str
    back_says: str
    ago: str
    judged: bool
    preview_url: str
    request_url: str
    penalties_url: str
    answers: bool
    columns: tuple[str, ...]
    countdown: CountdownWords | None


class Chip(Struct, frozen=True):
    words: str
    url: str
    number: int | None
    current: bool


class RoundChip(Struct, frozen=True):
    words: str
    url: str
    tally: Tally
    current: bool


def show_floor(request: Request, query: Filter, body: None) -> Response:
    if query.go:
        wanted = normalize("NFKC", query.go).strip()[:TEXT_MAX]
        return redirect(page_url(request.lang, "t", wanted), status=FOUND)
    return draw_floor(request, query)


def draw_floor(request: Request, query: Filter, named: Round | None = None, wrong: str = "") -> Response:
    """Draw the tables of a round. `wrong`: why its timer was not set."""
    rows = list(_read_tables(request))
    known = [table for table in rows if isinstance(table, TableStatus)]
    played, tallies = rounds(known), tally(known)
    round_key = named or _choose_round(request, query, played)
    judging = request.session.role != "spectator" and any(
        may(request.session, "record", table.match) for table in known
    )
    round_tables = sort_by_need(
        _count_findings(request, [table for table in known if table.of == round_key]), judging=judging
    )
    now = request.context.clock()
    listed = [table for table in round_tables if _is_shown(table, query.show, now)]
    on_page = listed[PAGE * (query.page - 1) : PAGE * query.page]
    tiles = tuple(_make_tile(request, query, table) for table in on_page)
    other_rounds = _list_waiting(request, query, [table for table in known if table.of != round_key])
    previewed = _pick_preview_tile(query, tiles)
    damaged = query.show == "damaged" or any(table.damaged for table in round_tables)
    filters = [each for each in SHOWN if (damaged or each != "damaged") and (judging or each not in FOR_JUDGES)]
    chips = [_make_chip(query, each, request.lang, round_tables, now) for each in filters]
    return template_page(
        request,
        "floor.html",
        round_words(round_key, request.lang),
        rounds=[
            RoundChip(
                _round_name(each, played, request.lang),
                url_of(request.lang, each, played),
                tallies[each],
                each == round_key,
            )
            for each in played
        ],
        heading=round_words(round_key, request.lang),
        timer=read_round_clock(request, round_key, round_tables),
        wrong=wrong,
        delayed=delay_words(request),
        chips=chips,
        sizes=[Chip(size, query.query_string_with(size=size), None, size == query.size) for size in ("3", "4", "8")],
        query=query,
        round=request.path.get("round", ""),
        page=ListPage(
            tiles,
            query.query_string_with(page="", at="") if query.page > 1 else "",
            query.query_string_with(page=str(query.page + 1), at="") if len(listed) > PAGE * query.page else "",
        ),
        pairs=may(request.session, "pair"),
        results=results_url(round_key) if round_tables and any(round_key) and may(request.session, "pair") else "",
        may_see_people=may(request.session, "people"),
        preview=previewed,
        edition=edition_words(previewed.table, request.lang) if previewed is not None else "",
        suspects=newest_findings(request, previewed.table) if previewed is not None else (),
        damaged=[
            (each.match, each.entry, MatchUrls(request.lang, each.match).live_url() if each.entry > 1 else "")
            for each in rows
            if isinstance(each, DamagedMatch) and may(request.session, "record", each.match)
        ],
        asked=judge_messages(request, previewed.table) if previewed is not None else (),
        asks=_list_asks(request, (*round_tables, *(tile.table for tile in other_rounds))),
        other_rounds=[(tile, _round_name(tile.table.of, played, request.lang)) for tile in other_rounds],
        has_alarm=any(may(request.session, "findings", table.match) for table in known) and judging,
    )


def _list_asks(request: Request, tables: Iterable[TableStatus]) -> list[tuple[str, str]]:
    """Return the requests that wait for this judge, each with the name of its table."""
    return [
        (f"{table.match} {each.entry}", table.table or table.match)
        for table in tables
        if table.judge_requests and _is_judged(request, table)
        for each in table.judge_requests
    ]


def _list_waiting(request: Request, query: Filter, others: Sequence[TableStatus]) -> list[Tile]:
    """Return the tables of other rounds that wait for this judge, the longest wait first."""
    waiting = [table for table in others if table.judge_requests or table.disputes or table.ends_by]
    tiles = [_make_tile(request, query, table) for table in sort_by_need(waiting, judging=True)]
    return [tile for tile in tiles if tile.judged]


def results_url(round_key: Round) -> str:
    """Return the URL of a round's results as a file for Excel."""
    event, name = round_key
    return f"/api/v1/results.csv?{urlencode({'event': event, 'round': name, 'excel': 'true'})}"


def _pick_preview_tile(query: Filter, tiles: Sequence[Tile]) -> Tile | None:
    """Return the previewed table: the one named, or the first that needs a judge."""
    judged = [tile for tile in tiles if tile.judged]
    if query.at:
        return next((tile for tile in judged if tile.table.match == query.at), None)
    return next((tile for tile in judged if tile.waits or (tile.table.broken and not tile.table.closed)), None)


def go_to_table(request: Request, query: object, body: None) -> Response:
    wanted = request.path["table"]
    at_table = [table for table in tables(request) if table.table == wanted]
    if not at_table:
        raise http_problem("unknown", Text("floor.no_table"))
    newest = max(at_table, key=lambda table: (not table.closed, table.opened))
    return redirect(MatchUrls(request.lang, newest.match).live_url(), status=FOUND)


def tables(request: Request) -> list[TableStatus]:
    """Return the newest matches of the store, as the session may see them. Those with a damaged opening are left
    out."""
    return [table for table in _read_tables(request) if isinstance(table, TableStatus)]


def _read_tables(request: Request) -> Iterator[TableStatus | DamagedMatch]:
    for row in request.context.store.newest(MATCHES_MAX):
        if isinstance(row, DamagedMatch):
            yield row
            continue
        try:
            summary = request.context.read_listed_table(request.session, row.match, row.entries)
        except StoreError as error:
            yield damage_in(row.match, error)
        else:
            yield from () if summary is None else (_hide_from(request.session, summary),)


def _hide_from(session: Session, summary: TableStatus) -> TableStatus:
    """Return the summary without calls for spectators, and without findings and requests for all but judges."""
    if not may(session, "record", summary.match):
        return replace(summary, calls=(), request=None, broken=0, endings=())
    if not may(session, "ask_rewind", summary.match):
        summary = replace(summary, request=None)
    if not may(session, "rule", summary.match):
        summary = replace(summary, endings=())
    return summary if may(session, "findings", summary.match, closed=summary.over) else replace(summary, broken=0)


def _count_findings(request: Request, known: Sequence[TableStatus]) -> Iterator[TableStatus]:
    """Count at each table the findings that its findings page lists for the session."""
    over = [table.match for table in known if table.over and may(request.session, "findings", table.match, closed=True)]
    counted = count_findings(request.context.search_index, over) if over else {}
    for table in known:
        if table.damaged:
            yield table
        elif not table.over and has_judge_view(request, table.match):
            yield replace(table, broken=len(findings_at(request, table.match)))
        else:
            yield replace(table, broken=counted.get(table.match, table.broken))


def _choose_round(request: Request, query: Filter, played: Sequence[Round]) -> Round:
    name, event = request.path.get("round"), query.event
    matching = [each for each in played if name in (None, f"r{each[1]}") and event in (None, each[0])]
    if not matching and (name, event) != (None, None):
        raise http_problem("unknown", Text("floor.no_round"))
    return matching[0] if matching else ("", "")


def url_of(lang: Lang, round_key: Round, played: Sequence[Round]) -> str:
    """Return the URL of a round. Its event is added if a newer event has a round of this name. The newest round and an
    unknown one have the URL of the floor."""
    if round_key not in played[1:]:
        return page_url(lang, "floor")
    event, name = round_key
    url = page_url(lang, "floor", f"r{name}")
    newest = next(each for each in played if each[1] == name)
    return url if newest == round_key else f"{url}?{urlencode({'event': event})}"


def _round_name(round_key: Round, played: Sequence[Round], lang: Lang) -> str:
    """Return the name of a round, without its event if there is only one."""
    event, name = round_key
    alone = name and all(other == event for other, _ in played)
    return round_words(("", name) if alone else round_key, lang)


def _make_tile(request: Request, query: Filter, table: TableStatus) -> Tile:
    lang, at = request.lang, request.context.clock()
    idle = _idle_ms(table, at)
    visible_until = request.context.visible_until(request.session)
    stopped, extended = (time // SECOND for time in table.given_back(visible_until))
    since = table.waiting_since if may(request.session, "record", table.match) else None
    return Tile(
        table=table,
        url=MatchUrls(lang, table.match).live_url(),
        name=table.table or table.match,
        players=P.players_words(table.names, table.seats, lang),
        game=game_words(table, lang),
        state=_state_words(table, lang),
        waits="" if since is None else say("floor.waits", lang, n=max(0, at - since) // MINUTE_MS),
        stopped_minutes=None if table.current_stop is None else table.current_stop.lasted(visible_until) // MINUTE_MS,
        back=clock_time(stopped + extended) if stopped + extended else "",
        back_says=say("floor.back", lang, stopped=clock_time(stopped), extended=clock_time(extended)),
        ago=say("floor.ago", lang, n=idle // MINUTE_MS) if idle >= MINUTE_MS else "",
        judged=_is_judged(request, table),
        preview_url=query.query_string_with(at=table.match),
        request_url=MatchUrls(lang, table.match).entry_url(table.request.to, "rewind")
        if table.request is not None
        else "",
        penalties_url=MatchUrls(lang, table.match).match_url("penalties") if table.ends_by else "",
        columns=tuple(words for words in (column(table, lang) for column in COLUMNS) if words),
        answers=bool(table.calls) and not table.damaged and may(request.session, "rule", table.match),
        countdown=countdown_words(request, table.countdown),
    )


def _idle_ms(table: TableStatus, now: int) -> int:
    return max(0, now - table.acted) if table.acted and not table.ended else 0


def _is_judged(request: Request, table: TableStatus) -> bool:
    session = request.session
    return not table.damaged and session.role != "spectator" and may(session, "findings", table.match)


def game_words(table: TableStatus, lang: Lang) -> str:
    game = GAMES.get(table.game)
    return game.rulebook.title.say(lang) if game is not None else table.game


def entries_words(table: TableStatus, lang: Lang) -> str:
    return say("floor.entries", lang, n=table.entries) if table.entries else ""


COLUMNS: Final[tuple[Callable[[TableStatus, Lang], str], ...]] = (game_words, entries_words)
"""Columns of the last line of each table. A column without text is left out."""


def _state_words(table: TableStatus, lang: Lang) -> str:
    if table.damaged:
        return say("matches.damaged", lang, entry=table.damaged)
    if not table.entries:
        return say("floor.not_shown", lang)
    if table.announced:
        return table.announced
    if table.result is not None:
        winners = P.seats_words(table.names, table.result.winners, lang)
        return say("floor.won", lang, winners=winners) if winners else say("floor.draw", lang)
    if table.closed:
        return say("moment.closed", lang)
    if not table.turn:
        return say("heading.before", lang)
    seat = P.seat_name(table.names, table.active, lang) if table.active else ""
    return say("turn.of", lang, n=table.turn, seat=seat) if seat else say("clock.turn", lang, n=table.turn)


def _is_shown(table: TableStatus, filter_name: Shown, now: int) -> bool:
    match filter_name:
        case "all":
            return True
        case "calls":
            return bool(table.judge_requests)
        case "disputes":
            return bool(table.disputes)
        case "findings":
            return bool(table.broken)
        case "paused":
            return table.current_stop is not None
        case "slow":
            return _idle_ms(table, now) >= SLOW_MS
        case "done":
            return table.ended
        case "damaged":
            return bool(table.damaged)


def _make_chip(query: Filter, filter_name: Shown, lang: Lang, tables: Sequence[TableStatus], now: int) -> Chip:
    number = sum(_is_shown(table, filter_name, now) for table in tables)
    return Chip(
        say(f"floor.{filter_name}", lang),
        query.query_string_with(show=filter_name, at="", page=""),
        number,
        filter_name == query.show,
    )


ROUTES: Final = (
    page_route("/floor", show_floor, "Show the tables of the newest round.", "public", Filter),
    page_route("/floor/{round:str}", show_floor, "Show the tables of one round.", "public", Filter),
    page_route("/t/{table:str}", go_to_table, "Redirect to the match at a table.", "public"),
)
