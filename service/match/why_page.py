"""Pages that explain an entry, or why an action is not allowed, clause by clause, for the viewer."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.typed import read_seen
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words.foreign import explain_decode_error
from projections.findings import kind_words
from projections.phrases import fact_words, seat_name
from projections.seen_entries import SeenEntry, see_entry_at
from projections.timeline import entry_words
from projections.why import WhyNot, list_consulted_clauses, why, why_not
from recorder.match_loader import truncate
from service.context import MatchView
from service.disputes.finding_pages import differing_facts, list_findings, may_read_findings
from service.match.action_form import ActionForm, draw_form, write_line
from service.match.clause_trail import ClauseCitation, cite, list_influences, trail_steps, turn_at
from service.match.layout import match_name, match_page, match_urls
from service.pages import FOUND, page_route, redirect, translate
from service.problems import http_problem
from service.recording.offers import RecordingOffers, VerbOffer, offers_of
from service.requests import EmptyPayload, Request, Response, Route

DO_MAX: Final = 1_000
Answer = Literal["fine", "bad", "unsure", "plain"]


class WhyNotQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """An action in notation, or a verb with its slots. `go`: the form is complete."""

    do: Annotated[str, Meta(max_length=DO_MAX)] = ""
    by: Annotated[str, Meta(max_length=DO_MAX)] = ""
    verb: Annotated[str, Meta(max_length=DO_MAX)] = ""
    slot: tuple[str, ...] = ()
    go: str = ""


class AskedAction(Struct, frozen=True):
    """The action asked about, as typed, with its error or its outcome."""

    do: str = ""
    wrong: str = ""
    outcome: WhyNot | None = None


NO_ACTION: Final = AskedAction()


class EntryFault(Struct, frozen=True):
    """A finding about the entry: its kind in words, its clause, the facts that differ, and its page."""

    kind: str
    cited: ClauseCitation | None
    facts: tuple[str, ...] = ()
    url: str = ""


class FactExplanation(Struct, frozen=True):
    """A fact in words with its clause. `flow`: it only moves play along."""

    words: str
    cited: ClauseCitation | None
    flow: bool


def show_why(request: Request, query: EmptyPayload, body: None) -> Response:
    """Explain an entry: its checks, its facts, and the clauses that shaped them."""
    view = request.look(request.viewer, "explain")
    number = request.number("moment", view.head)
    match, eyes, lang, urls = view.match, view.eyes, request.lang, match_urls(request, view)
    try:
        trail, reason = list_consulted_clauses(match, eyes, number), why(match, eyes, number)
    except msgspec.MsgspecError as error:  # the game no longer has this action
        raise http_problem("unknown", explain_decode_error(error)) from None
    entry = see_entry_at(match, eyes, number, judges=view.judges)
    against = _list_faults(request, view, entry)
    return match_page(
        request,
        view,
        "why.html",
        translate(request, "why.title", match=match_name(match, request.lang), n=number),
        number,
        lambda viewer_urls: viewer_urls.entry_url(number, "why"),
        what=entry_words(match.game, entry, lang, match.names).text,
        turn=turn_at(request, view, number),
        answer=_entry_answer(entry, against),
        against=against,
        steps=trail_steps(request, view, trail, number - 1),
        facts=_list_facts(request, view, entry),
        shaped=list_influences(request, view, reason.shaped, number),
        moment=urls.moment_url(number),
        previous=urls.entry_url(number - 1, "why") if number > 1 else "",
        following=urls.entry_url(number + 1, "why") if number < view.head else "",
        whynot=urls.entry_url(number - 1, "whynot") if number > 1 and not _is_closed_at(view, number - 1) else "",
    )


def _list_faults(request: Request, view: MatchView, entry: SeenEntry) -> list[EntryFault]:
    """List what counts against an entry: the findings the session may read, then the clauses it is flagged with."""
    listed = [
        EntryFault(
            kind_words(each.finding, request.lang),
            cite(request, view, each.finding.clause) if each.finding.clause else None,
            differing_facts(view.match, each.finding, request.lang),
            each.url,
        )
        for each in (list_findings(request, view) if may_read_findings(request, view) else ())
        if each.finding.entry == entry.number and each.finding.certainty != "excluded"
    ]
    known = {each.cited.clause for each in listed if each.cited is not None}
    kind = translate(request, "finding.not_allowed")
    return listed + [EntryFault(kind, cite(request, view, each)) for each in entry.violations if each not in known]


def _entry_answer(entry: SeenEntry, against: Sequence[EntryFault]) -> Answer:
    if against:
        return "bad"
    return "fine" if entry.seen == "played" else "plain"


def _list_facts(request: Request, view: MatchView, entry: SeenEntry) -> list[FactExplanation]:
    match, lang = view.match, request.lang
    return [
        FactExplanation(
            fact_words(match.game, fact, lang, match.names),
            cite(request, view, fact.clause) if fact.clause else None,
            fact.flow,
        )
        for fact in entry.facts
    ]


def _is_closed_at(view: MatchView, number: int) -> bool:
    return view.match.closed and number == view.head


class ActorOffers(Struct, frozen=True):
    """Offers to an actor: questions, actions in words, verbs with open slots, and endings."""

    who: str
    questions: tuple[str, ...]
    lines: tuple[str, ...]
    more: tuple[str, ...]
    endings: tuple[str, ...]


def _list_offers(request: Request, view: MatchView, number: int) -> list[ActorOffers]:
    """List the possible actions after an entry by actor, as the viewer sees the table."""
    earlier = view if number == view.head else replace(view, match=truncate(view.match, number))
    offers = offers_of(request.context, earlier, request.lang)
    actors = dict.fromkeys(each.seat for each in (*offers.verbs, *offers.endings))
    return [_offers_of_actor(request, view, offers, actor) for actor in actors]


def _offers_of_actor(request: Request, view: MatchView, offers: RecordingOffers, actor: Seat) -> ActorOffers:
    who = seat_name(view.match.opening.names, actor, request.lang)

    def lines(all: Sequence[VerbOffer]) -> tuple[str, ...]:
        return tuple(line.words.removeprefix(f"{who}: ") for each in all if each.seat == actor for line in each.lines)

    more = tuple(
        translate(request, "whynot.more", verb=each.words, named=each.form) if each.form else each.words
        for each in (*offers.verbs, *offers.endings)
        if each.seat == actor and not each.lines
    )
    questions = tuple(each.words for each in offers.questions if each.seat == actor and each.words)
    return ActorOffers(who, questions, lines(offers.verbs), more, lines(offers.endings))


def show_why_not(request: Request, query: WhyNotQuery, body: None) -> Response:
    view = request.look(request.viewer, "explain")
    number = request.number("moment", view.head)
    form = draw_form(request, view, number, query.by, query.verb)
    if query.go and form.verb:
        line = write_line(form, query.slot)
        return redirect("?".join((request.url, urlencode({"do": line}))), status=FOUND)
    if not query.do:
        return _draw(request, view, number, form)
    try:
        asked = AskedAction(query.do, outcome=_decide(view, number, query.do))
    except FormatError as error:
        asked = AskedAction(query.do, wrong=error.message.say(request.lang))
        return replace(_draw(request, view, number, form, asked), status=422)
    return _draw(request, view, number, form, asked)


def _decide(view: MatchView, number: int, text: str) -> WhyNot:
    """Return the decision. Raises FormatError if this viewer cannot name something in the text."""
    match, eyes, opening = view.match, view.eyes, view.match.opening
    own_seat = eyes.viewer if eyes.viewer in opening.seats else None
    actor, action = read_seen(match, match.after(number), text, eyes, own_seat)
    return why_not(match, eyes, number, actor, action)


def _draw(request: Request, view: MatchView, number: int, form: ActionForm, asked: AskedAction = NO_ACTION) -> Response:
    urls, match, outcome = match_urls(request, view), view.match, asked.outcome
    failing = [step.clause for step in outcome.failing if step.holds is False] if outcome is not None else []
    return match_page(
        request,
        view,
        "whynot.html",
        translate(request, "whynot.title", match=match_name(match, request.lang), n=number),
        number,
        lambda viewer_urls: viewer_urls.entry_url(number, "whynot") + (f"?{request.query}" if request.query else ""),
        offered=[] if asked.do or form.verb else _list_offers(request, view, number),
        over=_is_closed_at(view, number),
        form=form,
        do=asked.do,
        wrong=[("do", asked.wrong)] if asked.wrong else [],
        answer=_read_answer(outcome) if outcome is not None else "",
        cited=cite(request, view, Clause(failing[0])) if failing else None,
        steps=trail_steps(request, view, outcome.consulted, number) if outcome is not None else (),
        shaped=list_influences(request, view, outcome.shaped, number) if outcome is not None else (),
        moment=urls.moment_url(number),
        action=urls.entry_url(number, "whynot"),
    )


def _read_answer(outcome: WhyNot) -> Answer:
    if any(step.holds is False for step in outcome.failing):
        return "bad"
    return "unsure" if outcome.failing else "fine"


def _limited_route(path: str) -> Route:
    """Return a rate-limited route, since each request runs the rules."""
    return replace(
        page_route(path, show_why_not, "Explain why an action is illegal.", "explain", WhyNotQuery), limit="tries"
    )


ROUTES: Final = (
    page_route("/m/{match:str}/{moment:str}/why", show_why, "Explain an entry.", "explain"),
    page_route("/m/{match:str}/{moment:str}/why/as/{viewer:str}", show_why, "As another viewer.", "explain"),
    _limited_route("/m/{match:str}/{moment:str}/whynot"),
    _limited_route("/m/{match:str}/{moment:str}/whynot/as/{viewer:str}"),
)
