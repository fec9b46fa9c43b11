"""API of a match at a moment: the table after an entry, and explanations, as the session may know them."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from domain.formats.errors import quote_input
from domain.formats.typed import read_seen
from domain.law.entries import last_described
from domain.table.redact import SPECTATOR
from domain.words import Text
from domain.words.foreign import explain_decode_error
from projections.answers import (
    Explained,
    KnowledgeAnswer,
    KnowledgeDiff,
    Legal,
    TableDiff,
    TraceAnswer,
    WhyNotAnswer,
    list_known_cards,
    make_explanation,
    make_knowledge_answer,
    make_why_not_answer,
    with_known_cards,
)
from projections.board import MatchBoard, hands
from projections.differences import differences
from projections.knowledge import list_learned
from projections.seen_entries import see_entry_at
from projections.stack import StackAnswer, page_stack_history
from projections.steps import board_after
from projections.thing_history import NotFound, find_latest_facts, history
from projections.viewing import NotInMatch
from projections.why import why, why_not
from service.access import Operation
from service.api import (
    LIST_PAGE,
    LIST_PAGE_MAX,
    NAME_MAX,
    Query,
    cut_rows,
    link_next,
    make_route,
    tag_seen,
    view_response,
)
from service.context import MatchView
from service.problems import http_problem
from service.requests import NUMBER_DIGITS, NUMBER_MAX, Request, Response, read_moment

AT: Final = "/at/{n:str}"
DO_MAX: Final = 1_000
OFFERS: Final = 12
OFFERS_MAX: Final = 200


class OffersQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=OFFERS_MAX)] = OFFERS


class StackQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="the last entry of the previous page")] = 0
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


class RowsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="the number of rows on the previous pages")] = 0
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


class ChangesQuery(
    Query, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"before": "from", "viewer": "as"}
):
    before: Annotated[int, Meta(ge=1, le=NUMBER_MAX, description="the other entry")]


class ThingQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    thing: Annotated[str, Meta(min_length=1, max_length=NAME_MAX, description="such as u57, S4@p1.grave or r3")]


class ActionQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    do: Annotated[str, Meta(min_length=1, max_length=DO_MAX, description="an action in notation")]


def show_moment(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer)
    match, eyes = view.match, view.eyes
    number, fact = read_moment(request.path["moment"], view.head)
    try:
        seen = board_after(match, eyes, number, fact)
    except NotInMatch as error:
        raise http_problem("unknown", error.text) from None

    def make() -> MatchBoard:
        description = last_described(match.entries[:number])
        return MatchBoard(
            match.id, seen, hands(seen, match.opening.schema), description.occasion, description.announced
        )

    return view_response(request, view, tag_seen(request, view, number, fact), make)


def show_stack(request: Request, query: StackQuery, body: None) -> Response:
    """Return a page of the requests up to an entry, and how they were answered."""
    view, number = _look(request, query)
    history, last = page_stack_history(view.match, view.eyes, number, query.after, query.limit)
    more = link_next(request, query, after=last) if last else {}
    tag = tag_seen(request, view, number)
    return view_response(request, view, tag, lambda: StackAnswer(view.match.id, history), headers=more)


def show_offers(request: Request, query: OffersQuery, body: None) -> Response:
    """Return the actions of the viewer. As a spectator they are available only in a closed match."""
    view, number = _look(request, query)
    match, eyes = view.match, view.eyes
    if eyes.viewer == SPECTATOR and not view.over:
        raise http_problem("not-your-eyes", Text("problem.offers"))
    over = match.closed and number == view.head

    def make() -> Legal:
        return Legal(match.id, eyes.viewer, number, () if over else request.context.doables(view, number, query.limit))

    return view_response(request, view, tag_seen(request, view, number), make)


def show_why(request: Request, query: Query, body: None) -> Response:
    view, number = _look(request, query, "explain")
    match, eyes = view.match, view.eyes

    def make() -> Explained:
        try:
            reason = why(match, eyes, number)
        except msgspec.MsgspecError as error:  # the game no longer has this action
            raise http_problem("unknown", explain_decode_error(error)) from None
        entry = see_entry_at(match, eyes, number, judges=view.judges)
        return make_explanation(match.id, eyes.viewer, match.law, entry, reason)

    return view_response(request, view, tag_seen(request, view, number), make)


def show_why_not(request: Request, query: ActionQuery, body: None) -> Response:
    """Explain why an action is not allowed, from what the viewer knows."""
    view, number = _look(request, query, "explain")
    match, eyes, opening = view.match, view.eyes, view.match.opening

    def make() -> WhyNotAnswer:
        own_seat = eyes.viewer if eyes.viewer in opening.seats else None
        actor, action = read_seen(match, match.after(number), query.do, eyes, own_seat)
        return make_why_not_answer(
            match.id, eyes.viewer, match.law, query.do, why_not(match, eyes, number, actor, action)
        )

    return view_response(request, view, tag_seen(request, view, number), make)


def show_known(request: Request, query: RowsQuery, body: None) -> Response:
    """Return a page of the cards that each viewer had seen, and of those that the log knew."""
    view, number = _look(request, query)
    whole = make_knowledge_answer(view.match, view.match.id, view.eyes, number)
    lists, last = cut_rows(list_known_cards(whole), query.after, query.limit)
    page = with_known_cards(whole, lists)
    more = link_next(request, query, after=last) if last else {}
    return view_response(request, view, tag_seen(request, view, number), lambda: page, headers=more)


def show_changes(request: Request, query: ChangesQuery, body: None) -> Response:
    view, number = _look(request, query)
    before, match = _require_before(view, query), view.match

    def make() -> TableDiff:
        return TableDiff(match.id, before, number, differences(view.eyes, match.after(number), match.after(before)))

    return view_response(request, view, tag_seen(request, view, number), make)


def show_learned(request: Request, query: ChangesQuery, body: None) -> Response:
    view, number = _look(request, query)
    first, last = sorted((_require_before(view, query), number))

    def make() -> KnowledgeDiff:
        return KnowledgeDiff(
            view.match.id, view.eyes.viewer, first, last, list_learned(view.match, view.eyes, first, last)
        )

    return view_response(request, view, tag_seen(request, view, number), make)


def _require_before(view: MatchView, query: ChangesQuery) -> int:
    if query.before > view.head:
        raise http_problem("unknown", Text("match.no_entry", {"entry": query.before, "last": view.head}))
    return query.before


def show_touched(request: Request, query: ThingQuery, body: None) -> Response:
    """Return the newest event of each kind for a named thing."""
    view, number = _look(request, query)

    def make() -> TraceAnswer:
        traced = find_latest_facts(view.match, view.eyes, query.thing, number)
        if isinstance(traced, NotFound):
            named = {"thing": quote_input(query.thing), "viewer": view.eyes.viewer, "at": number}
            raise http_problem("unknown", Text(traced.key, {**named, "ways": ", ".join(traced.ways)}))
        return TraceAnswer(view.match.id, query.thing, traced)

    return view_response(request, view, tag_seen(request, view, number), make)


def show_thing(request: Request, query: RowsQuery, body: None) -> Response:
    """Return a page of the events of a thing, newest first."""
    view, number = _look(request, query)
    text = request.path["thing"]
    if not (text.isascii() and text.isdecimal() and len(text) <= NUMBER_DIGITS):
        raise http_problem("unknown")
    thing = f"u{text}"
    traced = history(view.match, view.eyes, thing, number)
    if isinstance(traced, NotFound):
        raise http_problem("unknown", Text(traced.key, {"thing": thing, "viewer": view.eyes.viewer, "at": number}))
    (events,), last = cut_rows((traced.last,), query.after, query.limit)
    page = TraceAnswer(view.match.id, thing, replace(traced, last=events))
    more = link_next(request, query, after=last) if last else {}
    return view_response(request, view, tag_seen(request, view, number), lambda: page, headers=more)


def _look(request: Request, query: Query, operation: Operation = "see") -> tuple[MatchView, int]:
    view = request.look(query.viewer, operation)
    return view, request.number("n", view.head)


ROUTES: Final = (
    make_route("/at/{moment:str}", show_moment, MatchBoard, "Show the table after an entry or one fact (`206.3`)."),
    make_route(
        f"{AT}/stack", show_stack, StackAnswer, "Return the requests up to an entry with their answers, by page.",
        query=StackQuery, paged=True,
    ),
    make_route(
        f"{AT}/offers", show_offers, Legal, "Return the viewer's own possible actions after an entry.",
        query=OffersQuery, limit="tries",
    ),
    make_route(f"{AT}/why", show_why, Explained, "Explain an entry.", operation="explain"),
    make_route(
        f"{AT}/whynot", show_why_not, WhyNotAnswer, "Explain whether and why an action is not allowed after an entry.",
        query=ActionQuery, operation="explain", limit="tries",
    ),
    make_route(
        f"{AT}/known", show_known, KnowledgeAnswer, "Return the faces that each seat had seen by an entry, by page.",
        query=RowsQuery, paged=True,
    ),
    make_route(f"{AT}/changes", show_changes, TableDiff, "Show what changed since another entry.", query=ChangesQuery),
    make_route(
        f"{AT}/learned", show_learned, KnowledgeDiff, "Show who saw which faces since an entry.", query=ChangesQuery
    ),
    make_route(
        f"{AT}/touched", show_touched, TraceAnswer, "Return the last events of a named thing.", query=ThingQuery
    ),
    make_route(
        f"{AT}/things/{{thing:str}}", show_thing, TraceAnswer, "Return the events of a thing up to an entry, by page.",
        query=RowsQuery, paged=True,
    ),
)  # fmt: skip
