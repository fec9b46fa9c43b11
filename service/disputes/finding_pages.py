"""Pages of findings: the recorded entry against the rules, clause by clause, with the table before and after."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.law.clause import Clause
from domain.law.entries import Played, line
from domain.table.table import Place
from domain.words import Lang, say
from projections.board import board_of
from projections.corrections import list_gaps
from projections.findings import SeenFinding, kind_words
from projections.knowledge import sights
from projections.phrases import fact_words, place_words, seat_name
from projections.thing_history import NotFound, find_latest_facts
from projections.why import Reason, list_consulted_clauses
from recorder.match_loader import LoadedMatch
from service.access import may
from service.addresses import MatchUrls
from service.context import MatchView
from service.disputes import findings_api
from service.drawing import board
from service.drawing.markup import NOTHING, element
from service.drawing.strips import CLOCK, EFFECTS, LANES_KEY, RESULT
from service.match.clause_trail import ClauseCitation, cite, list_learned, trail_steps
from service.match.layout import dispute_url, match_name, match_page, match_urls
from service.pages import FOUND, page_route, redirect, translate
from service.paging import AfterQuery, page_list
from service.problems import http_problem
from service.requests import EmptyPayload, Request, Response

IDS: Final = re.compile(r' id="[^"]*"')
"""Ids are removed from a strip that a page shows twice."""
EMPTY_STRIP: Final = re.compile(r"<\w+[^>]* hidden>")
WIDE_STRIPS: Final = (CLOCK, LANES_KEY, EFFECTS, RESULT)


class StripPair(Struct, frozen=True):
    """A strip on two boards. `wide`: it needs a line of its own."""

    name: str
    one: Markup
    other: Markup
    wide: bool


def differing_strips(
    one: Mapping[str, Markup],
    other: Mapping[str, Markup],
    match: LoadedMatch,
    lang: Lang,
    leave_out: tuple[str, ...] = (),
) -> tuple[StripPair, ...]:
    """Return the strips that differ, in the order of the board."""
    return tuple(
        _make_pair(key, strip, other.get(key, NOTHING), match, lang)
        for key, strip in one.items()
        if key not in leave_out and strip != other.get(key, NOTHING)
    )


def _make_pair(key: str, one: Markup, other: Markup, match: LoadedMatch, lang: Lang) -> StripPair:
    seat, dot, part = key.partition(".")
    line = bool(dot) and part.isdecimal()
    name = _strip_name(key, match, lang)
    if line:
        name = say("strip.line", lang, area=place_words(match.game, Place(seat), lang, match.names))
    grid = name if line else ""
    return StripPair(
        f"{name} {part}" if line else name,
        _strip_or_note(one, grid, lang),
        _strip_or_note(other, grid, lang),
        wide=line or key in WIDE_STRIPS,
    )


def _strip_or_note(strip: Markup, grid: str, lang: Lang) -> Markup:
    if not strip or EMPTY_STRIP.match(strip):
        return element("p", "note", say("diff.nothing", lang))
    strip = Markup(IDS.sub("", strip))
    return element("div", "grid", strip, role="grid", aria_label=grid) if grid else strip


def _strip_name(key: str, match: LoadedMatch, lang: Lang) -> str:
    if key in WIDE_STRIPS:
        return say(f"strip.{key}", lang)
    seat, _, part = key.partition(".")
    if part == "res":
        return seat_name(match.names, seat, lang)
    return place_words(match.game, Place(key), lang, match.names)


CAUSES_MAX: Final = 4
"""Changes shown for the subjects of a broken clause."""
HASH_DIGITS: Final = 8


class ThingCause(Struct, frozen=True):
    """The last cause of a thing's state: the fact in words, its entry and its clause."""

    words: str
    entry: int
    url: str
    history: str
    cited: ClauseCitation | None


class FindingLink(Struct, frozen=True):
    finding: SeenFinding
    url: str


def list_findings(request: Request, view: MatchView) -> tuple[FindingLink, ...]:
    found = findings_api.list_findings(request.context, view)
    return tuple(_link_findings(match_urls(request, view), sorted(found, key=lambda finding: finding.entry)))


def may_read_findings(request: Request, view: MatchView) -> bool:
    return not view.lawless and not view.damaged and may(request.session, "findings", view.match.id, closed=view.over)


def _link_findings(urls: MatchUrls, found: Sequence[SeenFinding]) -> Iterator[FindingLink]:
    times: dict[tuple[int, str], int] = {}
    for finding in found:
        clause = finding.clause or Clause(finding.kind)
        times[finding.entry, clause] = nth = times.get((finding.entry, clause), 0) + 1
        yield FindingLink(finding, urls.finding_url(finding.entry, clause, nth))


def show_findings(request: Request, query: AfterQuery, body: None) -> Response:
    view = request.look(request.viewer, "findings")
    page = page_list(list_findings(request, view), query.after, lambda each: each.url)
    return match_page(
        request,
        view,
        "findings.html",
        translate(request, "findings.title", match=match_name(view.match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("findings"),
        findings=[
            (each.finding, each.url, kind_words(each.finding, request.lang), each.finding.what.say(request.lang))
            for each in page.rows
        ],
        page=page,
        gaps=list(_list_gaps(request, view)),
        sealed=not view.may_see_hidden,
    )


def _list_gaps(request: Request, view: MatchView) -> Iterator[tuple[int, str, str]]:
    for number in list_gaps(view.match.entries):
        (line,) = request.context.lines(view, request.lang, number, number)
        yield number, match_urls(request, view).moment_url(number), line.text


def show_finding(request: Request, query: EmptyPayload, body: None) -> Response:
    view = request.look(request.viewer, "findings")
    number = request.number("moment", view.head)
    every, urls, match = list_findings(request, view), match_urls(request, view), view.match
    wanted = urls.finding_url(number, Clause(request.path["clause"]))
    at = next((at for at, each in enumerate(every) if each.url == wanted), None)
    if at is None:
        return _other_clause(request, view, number, every)
    finding = every[at].finding
    trail = list_consulted_clauses(match, view.eyes, number) if finding.kind not in ("unreadable", "impossible") else ()
    cited = cite(request, view, finding.clause) if finding.clause else None
    learned = sights(match, view.eyes, [undone for undone in line(match.entries) if undone >= number])
    return match_page(
        request,
        view,
        "finding.html",
        translate(request, "finding.title", match=match_name(match, request.lang), n=number, clause=finding.clause),
        number,
        lambda viewer_urls: viewer_urls.finding_url(number, Clause(request.path["clause"])),
        finding=finding,
        kind=translate(request, f"finding.{finding.kind}"),
        what=finding.what.say(request.lang),
        cited=cited,
        steps=trail_steps(request, view, trail, number - 1),
        became=_list_causes(request, view, trail, number - 1),
        differs=differing_facts(match, finding, request.lang),
        detail=finding.detail.say(request.lang) if finding.detail is not None else "",
        pairs=_before_and_after(request, view, number),
        law=translate(request, f"finding.law_{finding.kind}"),
        learned=list_learned(request, view, learned),
        every=urls.match_url("findings"),
        nth=at + 1,
        several=len(every),
        previous=every[at - 1].url if at else "",
        following=every[at + 1].url if at + 1 < len(every) else "",
        moment=urls.moment_url(number),
        before=urls.moment_url(number - 1) if number > 1 else "",
        why=urls.entry_url(number, "why"),
        rewind=_rewind_url(request, view, number),
        dispute=dispute_url(request, view, about=number, clause=finding.clause),
        print_id=_print_reference(view, number, finding),
        edition=match.opening.version,
    )


def differing_facts(match: LoadedMatch, finding: SeenFinding, lang: Lang) -> tuple[str, ...]:
    """Say what should have happened by the rules, then what happened instead."""
    groups = (("finding.missing", finding.missing), ("finding.extra", finding.extra))
    return tuple(
        say(key, lang, fact=fact_words(match.game, fact, lang, match.names)) for key, facts in groups for fact in facts
    )


def _other_clause(request: Request, view: MatchView, number: int, every: Sequence[FindingLink]) -> Response:
    """Redirect to the finding of an entry that was recorded as breaking the clause in the path, if the finding names
    another clause."""
    entry = view.match.entries[number - 1]
    recorded = isinstance(entry, Played) and request.path["clause"] in entry.violations
    url = next((each.url for each in every if recorded and each.finding.entry == number), "")
    if not url:
        raise http_problem("unknown")
    return redirect(url, status=FOUND)


def _print_reference(view: MatchView, number: int, finding: SeenFinding) -> str:
    parts = (f"{view.match.id}#{number}", finding.clause, f"law:{view.match.opening.rules_hash[:HASH_DIGITS]}")
    return " ".join(filter(None, parts))


def _rewind_url(request: Request, view: MatchView, number: int) -> str:
    """Return the URL of the rewind page, or '' if the session may not ask for a rewind."""
    match = view.match
    if match.closed or view.damaged or number < 2 or not may(request.session, "ask_rewind", match.id):
        return ""
    return match_urls(request, view).entry_url(number - 1, "rewind")


def _list_causes(request: Request, view: MatchView, trail: Sequence[Reason], at: int) -> tuple[ThingCause, ...]:
    """Return the last causes of the state, after entry `at`, of the cards that the broken clauses are about."""
    match, urls, lang = view.match, match_urls(request, view), request.lang
    things = dict.fromkeys(
        about.thing for step in trail if step.holds is False for about in step.about if about.kind == "card"
    )
    causes: list[ThingCause] = []
    for thing in filter(None, things):
        traced = find_latest_facts(match, view.eyes, f"u{thing}", at)
        if isinstance(traced, NotFound):
            continue
        for last in traced.last:
            cited = cite(request, view, Clause(last.clause)) if last.clause else None
            words = fact_words(match.game, last.fact, lang, match.names)
            causes.append(
                ThingCause(words, last.entry, urls.moment_url(last.entry), urls.entry_url(at, "thing", thing), cited)
            )
    return tuple(causes[:CAUSES_MAX])


def _before_and_after(request: Request, view: MatchView, number: int) -> tuple[StripPair, ...]:
    match, setting = view.match, request.context.drawing_context(view, request.lang)
    if number == 1:
        return ()
    views = (board_of(match, view.eyes, number, match.after(at), setting.place_cache) for at in (number - 1, number))
    before, after = (board.strips_in(table_view, setting) for table_view in views)
    return differing_strips(before, after, match, request.lang, (CLOCK,))


ROUTES: Final = (
    page_route("/m/{match:str}/findings", show_findings, "Show the findings of a match.", "findings", AfterQuery),
    page_route("/m/{match:str}/findings/as/{viewer:str}", show_findings, "As another viewer.", "findings", AfterQuery),
    page_route("/m/{match:str}/{moment:str}/f/{clause:str}", show_finding, "Show a finding.", "findings"),
    page_route(
        "/m/{match:str}/{moment:str}/f/{clause:str}/as/{viewer:str}",
        show_finding,
        "As another viewer.",
        "findings",
    ),
)
