"""Match page: the board, the log and navigation at an entry, or live at the newest one."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final, Literal
from unicodedata import normalize
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Struct

from domain.law.clause import Clause
from domain.law.docket import Docket, count_pending, docket_of
from domain.law.remarks import is_housekeeping
from domain.table.redact import View
from domain.table.table import Seat
from domain.words import Lang
from projections import phrases as P
from projections.findings import counts_as_finding, kind_words, sentence
from projections.keyframes import Keyframes, Undone, find_rewind, mark_findings
from projections.seen_entries import counts_only
from projections.steps import FactStep, board_after, steps
from projections.things import things_on
from projections.timeline import TimelineEntry
from projections.viewing import NotInMatch
from service.access import Operation, may
from service.addresses import MatchUrls, match_clause_url
from service.context import MatchView
from service.disputes.finding_pages import FindingLink, differing_facts, list_findings, may_read_findings
from service.disputes.rewind_page import read_request
from service.drawing import board, log, slider
from service.drawing.markup import element, say_markup
from service.floor.calls_page import read_call
from service.floor.clock_page import read_clock
from service.match.layout import clause_url, match_name, match_page, match_urls
from service.pages import FOUND, page_route, redirect, translate
from service.problems import http_problem
from service.recording.player_page import own_record_url, play_url
from service.recording.seat_commitments_page import list_seat_commitments
from service.requests import Request, Response, read_moment

LENS = 7
"""Entries of a turn shown in a row."""
BEFORE, AFTER = 8, 5
"""Log lines shown before and after the entry."""
LOG_PAGE, TURNS_PAGE = 500, 100
"""Lines of the whole log, and turns of the list of turns, on a page."""


class DisplayOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Display options of a match, or the entry to go to (`go`). `passes`: entries that only pass. `near`: the bottom
    seat. `grid`: maps as drawn or as tables."""

    passes: Literal["show", "hide"] = "show"
    near: str = ""
    log: Literal["near", "all"] = "near"
    grid: Literal["map", "table"] = "map"
    go: str = ""

    def query_string_with(self, **changes: str) -> str:
        options = {
            name: value
            for name, usual in (("passes", "show"), ("near", ""), ("log", "near"), ("grid", "map"))
            if (value := changes.get(name, getattr(self, name))) not in ("", usual)
        }
        return f"?{urlencode(options)}" if options else ""


class FactRow(Struct, frozen=True):
    """A fact of the entry in words, with the moment after it and its clause."""

    words: str
    url: str
    clause: Clause
    clause_url: str
    here: bool


class EntryFindingRow(Struct, frozen=True):
    """A finding about the entry: its kind in words, its clause, and the facts that differ."""

    kind: str
    clause: Clause
    clause_url: str
    says: str
    twin: str
    url: str
    facts: tuple[str, ...] = ()


class Turn(Struct, frozen=True):
    words: str
    first: int
    url: str


class MomentPage(Struct, frozen=True, kw_only=True):
    """A page of a list along the match: its items, and the URLs of the moments before and after it, '' for none."""

    rows: Sequence[Any]
    previous: str
    following: str


class MomentPosition(Struct, frozen=True):
    """A position in a match: the entry, its fact (0: after all), and the number of its facts."""

    number: int
    fact: int
    facts: int


def show_live(request: Request, query: DisplayOptions, body: None) -> Response:
    """Show the newest position, or redirect to the entry named by `go`."""
    view = request.look(request.viewer, bare=True)
    if query.go:
        number, fact = read_moment(normalize("NFKC", query.go).strip().lstrip("#"), view.head)
        return redirect(match_urls(request, view).moment_url(number, fact), status=FOUND)
    return _draw(request, view, query, view.head, 0, live=True)


def show_moment(request: Request, query: DisplayOptions, body: None) -> Response:
    view = request.look(request.viewer, bare=True)
    number, fact = read_moment(request.path["moment"], view.head)
    return _draw(request, view, query, number, fact)


def _link_pieces(request: Request, view: MatchView, urls: MatchUrls, number: int, table: View) -> list[tuple[str, str]]:
    return [
        (P.card_words(view.match.game, card, request.lang), urls.entry_url(number, "thing", card.thing))
        for card, _ in things_on(table)
    ]


def _draw(
    request: Request, view: MatchView, query: DisplayOptions, number: int, fact: int, *, live: bool = False
) -> Response:
    match, eyes, lang = view.match, view.eyes, request.lang
    opening, urls, query_string = match.opening, match_urls(request, view), query.query_string_with()
    setting = request.context.drawing_context(view, lang)
    try:
        table_view = board_after(match, eyes, number, fact, setting.place_cache)
    except NotInMatch as error:
        raise http_problem("unknown", error.text) from None
    findings, docket = _holding_findings(request, view), docket_of(match.entries)
    frames = mark_findings(request.context.keyframes(view), [named.finding.entry for named in findings])
    near = Seat(query.near) if query.near in opening.seats else eyes.viewer
    before, after = (LOG_PAGE, LOG_PAGE) if query.log == "all" else (BEFORE, AFTER)
    (line,) = request.context.lines(view, lang, number, number)
    fact_steps = steps(match, eyes, number)
    moment = urls.moment_url("{n}") + query_string
    lines = _page_log(request, view, number, moment) if query.log == "all" else _lines_around(request, view, number)
    links = log.Links(moment, match_clause_url(lang, match, Clause("{clause}")), request.context.times)
    numbers = {seat: at for at, seat in enumerate(match.law.seats(), start=1)}
    viewer_query = urlencode({"lang": lang, "as": eyes.viewer})
    return match_page(
        request,
        view,
        "match.html",
        _page_title(request, view, number, fact, live=live),
        number,
        fact=fact,
        closed=match.closed,
        play_url=play_url(request, match.id),
        home=own_record_url(request, match.id),
        request=None if view.lawless else read_request(request, view),
        calling=None if view.lawless else read_call(request, match),
        clock=read_clock(request, view),
        pledges=list_seat_commitments(request, view, docket),
        caption=log.caption(line, table_view.clock, match.names, lang),
        board=board.frame_in(table_view, setting, near, tabled=query.grid == "table"),
        strip=slider.draw_bar(frames, number, view.head, numbers, lang, moment),
        lens=slider.draw_entry_links(frames, number, view.head, lang, moment, LENS),
        lines=[log.log_line(line, lang, links, number) for line in lines.rows],
        log_page=lines,
        before=before,
        after=after,
        turns=_page_turns(frames, number, lang, moment),
        facts=_list_facts(request, view, urls, number, fact, fact_steps),
        broken=_finding_rows(request, view, urls, line, [named for named in findings if named.finding.entry == number]),
        ways=_navigation_urls(frames, urls, MomentPosition(number, fact, len(fact_steps)), view, query_string),
        jumps=_list_jumps(frames),
        deeper=_list_detail_pages(request, view, urls, number, docket),
        waiting=count_pending(docket) if not match.closed else 0,
        disputes=urls.match_url("disputes"),
        undone=_undone_words(request, urls, find_rewind(match.entries, number)),
        copy=MatchUrls(lang, match.id).moment_url(number, fact),
        query=query,
        **_option_urls(query, _other_side(opening.seats, near), has_maps=bool(setting.grids)),
        pieces=_link_pieces(request, view, urls, number, table_view),
        thing=urls.entry_url("{n}", "thing", "{t}"),
        film=""
        if view.damaged or query.grid == "table"
        else f"/api/v1/matches/{match.id}/film?{viewer_query}&v={request.context.drawing_version}",
        moment=moment,
        go_url=urls.live_url(),
    )


def _option_urls(query: DisplayOptions, other_side: Seat, *, has_maps: bool) -> dict[str, Any]:
    """Return the links that change one display option each."""
    grid = "table" if query.grid == "map" else "map"
    return {
        "passes_url": query.query_string_with(passes="hide" if query.passes == "show" else "show") or "?",
        "log_url": query.query_string_with(log="all" if query.log == "near" else "near") or "?",
        "flip_url": query.query_string_with(near=other_side) or "?",
        "grid_url": (query.query_string_with(grid=grid) or "?") if has_maps else "",
    }


def _lines_around(request: Request, view: MatchView, number: int) -> MomentPage:
    """Return the lines of the log around an entry, without notes about seats."""
    entries = view.match.entries

    def is_play(at: int) -> bool:
        return not is_housekeeping(entries[at - 1])

    before = islice(filter(is_play, range(number - 1, 0, -1)), BEFORE)
    after = islice(filter(is_play, range(number + 1, view.head + 1)), AFTER)
    near = sorted({*before, *filter(is_play, (number,)), *after})
    lines = [line for line in request.context.lines(view, request.lang, near[0], near[-1]) if line.number in near]
    return MomentPage(rows=lines, previous="", following="")


def _page_log(request: Request, view: MatchView, number: int, moment: str) -> MomentPage:
    """Return the page of the whole log that contains an entry."""
    first = (number - 1) // LOG_PAGE * LOG_PAGE + 1
    last = min(first + LOG_PAGE - 1, view.head)
    return MomentPage(
        rows=request.context.lines(view, request.lang, first, last),
        previous=slider.entry_url(moment, first - 1) if first > 1 else "",
        following=slider.entry_url(moment, last + 1) if last < view.head else "",
    )


def _page_turns(frames: Keyframes, number: int, lang: Lang, moment: str) -> MomentPage:
    """Return the page of turns that contains an entry."""
    index = frames.stretches.index(frames.stretch(number)) // TURNS_PAGE * TURNS_PAGE
    stretches = frames.stretches[index : index + TURNS_PAGE]
    following = frames.stretches[index + TURNS_PAGE : index + TURNS_PAGE + 1]
    return MomentPage(
        rows=[
            Turn(slider.part_words((each,), frames.names, lang), each.first, slider.entry_url(moment, each.first))
            for each in stretches
        ],
        previous=slider.entry_url(moment, stretches[0].first - 1) if index else "",
        following=slider.entry_url(moment, following[0].first) if following else "",
    )


def _list_detail_pages(
    request: Request, view: MatchView, urls: MatchUrls, number: int, docket: Docket
) -> list[tuple[str, str]]:
    """Return the pages about this moment that the session may read."""
    match = view.match
    if view.lawless:
        return [("known", urls.entry_url(number, "known"))]
    pages: tuple[tuple[str, Operation], ...] = (("why", "explain"), ("whynot", "explain"), ("known", "see"))
    links = [
        (name, urls.entry_url(number, name))
        for name, operation in pages
        if may(request.session, operation, match.id, closed=view.over)
    ]
    if may(request.session, "findings", match.id, closed=view.over):
        links.append(("findings", urls.match_url("findings")))
    if docket.disputes or may(request.session, "dispute", match.id):
        links.append(("disputes", urls.match_url("disputes")))
    judges = may(request.session, "rule", match.id)
    links += [("pledges", urls.match_url("pledges"))] if docket.pledges else []
    links += [("penalties", urls.match_url("penalties"))] if docket.penalties or judges else []
    links += [("clock", urls.match_url("clock"))] if docket.pause or docket.extension or judges else []
    links.append(("evidence", urls.match_url("evidence")))
    if not match.closed and not view.damaged and number < view.head and may(request.session, "ask_rewind", match.id):
        links.append(("rewind", urls.entry_url(number, "rewind")))
    return links


def _list_jumps(frames: Keyframes) -> dict[str, str]:
    """Return the entries that keys and buttons jump to, by kind, separated by spaces."""
    broken = [mark.entry for mark in frames.marks if mark.kind == "broken"]
    turns = [stretch.first for stretch in frames.stretches]
    sorts = {"turns": turns, "stops": frames.empties, "findings": broken}
    return {name: " ".join(map(str, entries)) for name, entries in sorts.items()}


def _page_title(request: Request, view: MatchView, number: int, fact: int, *, live: bool) -> str:
    name = match_name(view.match, request.lang)
    return name if live else translate(request, "moment.at", match=name, n=f"{number}.{fact}" if fact else number)


def _undone_words(request: Request, urls: MatchUrls, left: Undone | None) -> Markup | None:
    if left is None:
        return None
    by, to = (element("a", "", f"#{number}", href=urls.moment_url(number)) for number in (left.by, left.to))
    return say_markup("moment.undone", request.lang, by=by, to=to)


def _other_side(seats: Sequence[Seat], near: Seat) -> Seat:
    return seats[(seats.index(near) + 1) % len(seats)] if near in seats else seats[1 % len(seats)]


def _list_facts(
    request: Request, view: MatchView, urls: MatchUrls, number: int, fact: int, fact_steps: Sequence[FactStep]
) -> list[FactRow]:
    game = view.match.game
    return [
        FactRow(
            P.fact_words(game, seen, request.lang, view.match.names),
            urls.moment_url(number, at),
            seen.clause,
            clause_url(request, view.match, seen.clause),
            at == fact,
        )
        for at, step in enumerate(fact_steps, start=1)
        for seen in step.facts
        if not seen.flow and not counts_only(game, seen)
    ]


def _holding_findings(request: Request, view: MatchView) -> list[FindingLink]:
    """List the findings of a match that count, where the session may read all that its audit finds."""
    if not view.may_see_hidden or not may_read_findings(request, view):
        return []
    return [named for named in list_findings(request, view) if counts_as_finding(named.finding)]


def _finding_rows(
    request: Request, view: MatchView, urls: MatchUrls, line: TimelineEntry, found: Sequence[FindingLink]
) -> list[EntryFindingRow]:
    """List the clauses the entry was recorded against, then the other findings about it."""
    match = view.match
    may_read = not view.lawless and may(request.session, "findings", match.id, closed=view.over)
    listed: list[EntryFindingRow] = []
    for clause in line.violations:
        says = sentence(match.law, clause)
        twin = says.say("en" if request.lang == "ja" else "ja")
        url = urls.finding_url(line.number, clause) if may_read else ""
        kind = translate(request, "moment.broken")
        listed.append(
            EntryFindingRow(kind, clause, clause_url(request, match, clause), says.say(request.lang), twin, url)
        )
    for each in found:
        finding, clause = each.finding, each.finding.clause
        if clause in line.violations:
            continue
        kind, says = kind_words(finding, request.lang), finding.sentence
        twin = says.say("en" if request.lang == "ja" else "ja")
        facts = differing_facts(match, finding, request.lang)
        cited = clause_url(request, match, clause) if clause else ""
        listed.append(EntryFindingRow(kind, clause, cited, says.say(request.lang), twin, each.url, facts))
    return listed


def _navigation_urls(
    frames: Keyframes, urls: MatchUrls, position: MomentPosition, view: MatchView, query_string: str
) -> dict[str, str]:
    """Return the URL of each button; '' to disable it."""
    number, fact, last = position.number, position.fact, position.facts
    stretch = frames.stretch(number)
    next_fact = int(number < view.head and len(steps(view.match, view.eyes, number + 1)) > 1)
    starts = [each.first for each in frames.stretches]
    broken = [mark.entry for mark in frames.marks if mark.kind == "broken"]

    def to(entry: int | None, fact: int = 0) -> str:
        return urls.moment_url(entry, fact) + query_string if entry and 1 <= entry <= view.head else ""

    def other(entry: int) -> str:
        return to(entry) if entry != number else ""

    def before(numbers: Sequence[int]) -> int | None:
        return max((each for each in numbers if each < number), default=None)

    def after(numbers: Sequence[int]) -> int | None:
        return min((each for each in numbers if each > number), default=None)

    return {
        "first": other(1),
        "back": to(number - 1),
        "next": to(number + 1),
        "last": other(view.head),
        "turn-back": to(before(starts) if number == stretch.first else stretch.first),
        "turn-next": to(after(starts)),
        "stop-back": to(before(frames.empties)),
        "stop-next": to(after(frames.empties)),
        "finding-back": to(before(broken)),
        "finding-next": to(after(broken)),
        "fact-back": to(number, (fact or last) - 1) if (fact or last) > 1 else to(number - 1),
        "fact-next": to(number, fact + 1) if 0 < fact < last else to(number + 1, next_fact),
        "live": urls.live_url() + query_string,
    }


ROUTES: Final = (
    page_route("/m/{match:str}", show_live, "Show the newest position of a match.", query=DisplayOptions),
    page_route("/m/{match:str}/as/{viewer:str}", show_live, "As another viewer.", query=DisplayOptions),
    page_route(
        "/m/{match:str}/{moment:str}",
        show_moment,
        "Show a match after an entry or one of its facts.",
        query=DisplayOptions,
    ),
    page_route("/m/{match:str}/{moment:str}/as/{viewer:str}", show_moment, "As another viewer.", query=DisplayOptions),
)
