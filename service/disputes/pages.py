"""Pages of disputes, with forms to open, claim, rule, appeal and decide."""

from collections.abc import Sequence
from typing import Final, Literal, get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.policy import Policy, policy_of
from domain.table.table import JUDGE, Seat
from domain.words import Text
from projections.disputes import SeenDispute, seen_rewinds, seen_seal_changes
from projections.docket_words import list_words, matter_words
from projections.findings import kind_words
from projections.phrases import seat_name
from projections.seen_entries import SeenEntry
from projections.timeline import entry_words
from recorder.usecases import commands as C
from service.access import may
from service.addresses import MatchUrls, page_url, rulebook_url
from service.context import MatchView
from service.disputes.api import dispute_key, find_dispute, list_disputes
from service.disputes.appeals import list_contradictions, list_others, list_precedents, list_views
from service.disputes.casefiles_page import list_files
from service.disputes.finding_pages import list_findings
from service.disputes.previews import Preview, has_new_claim, make_preview, note_claims
from service.disputes.rewind_page import read_request
from service.disputes.ruling_form import Proposal, list_mendings, propose_ruling, ruling_rewound
from service.floor.clock_page import read_clock
from service.idempotency import author_of
from service.match.layout import clause_url, form_id, match_name, match_page, match_urls
from service.pages import form_errors, form_route, page_route, problem_of, redirect, translate, with_problem
from service.paging import page_list
from service.problems import HttpProblem, Problem, http_problem
from service.recording import commands as R
from service.recording.endings_page import offer_ending
from service.recording.filing import is_seen
from service.requests import EmptyPayload, Request, Response

FACTS: Final = ";"
"""Separator of facts, as in a line of the recorder."""
NO_ENTRY: Final = 999_999_999
"""Placeholder for invalid input. No match has this many entries."""
VERDICTS: Final[tuple[D.Verdict, ...]] = get_args(D.Verdict)
OUTCOMES: Final[tuple[D.Outcome, ...]] = get_args(D.Outcome)


class Prefilled(Struct, frozen=True, forbid_unknown_fields=True):
    about: str = ""
    thing: str = ""
    clause: str = ""
    after: str = ""


class NewDisputeForm(Prefilled, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A new dispute: its subject, and the claims in the order of their seats."""

    id: UUID
    seat: tuple[Seat, ...] = ()
    claim: tuple[str, ...] = ()


class DisputeActionForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An action in a dispute. A ruling or decision is previewed with `check`, then recorded with `rule` if `checked`
    still identifies the preview. `as_decision` tells a decision from a ruling."""

    do: Literal["add", "appeal", "check", "rule"]
    id: UUID
    head: int = 0
    seat: tuple[Seat, ...] = ()
    claim: tuple[str, ...] = ()
    as_decision: bool = False
    outcome: D.Outcome | Literal[""] = ""
    verdict: D.Verdict | Literal[""] = ""
    clauses: str = ""
    mend: D.RepairKind | Literal[""] = ""
    to: str = ""
    facts: str = ""
    against: Seat = Seat("")
    step: str = ""
    infraction: str = ""
    reason: str = ""
    departure: str = ""
    checked: str = ""


class DisputeEntryRow(Struct, frozen=True):
    number: int
    url: str
    at: str
    words: str


def show_disputes(request: Request, query: Prefilled, body: None) -> Response:
    return _draw_list(request, request.look(request.viewer), query)


def open_dispute(request: Request, query: EmptyPayload, body: NewDisputeForm) -> Response:
    view = request.look(request.viewer)
    thing = _read_number(body.thing.strip().removeprefix("u"))
    about, clause = _read_number(body.about), body.clause.strip()
    command = C.OpenDispute(id=body.id, about=about, thing=thing, clause=clause, claims=_read_claims(body))
    try:
        response = R.write(request, view.eyes.viewer if request.path.get("viewer") else "", command, "*")
    except (HttpProblem, FormatError) as error:
        return _draw_list(request, view, body, problem_of(error))
    return redirect(match_urls(request, view).entry_url("disputes", response.value.entries[0].number))


def show_dispute(request: Request, query: EmptyPayload, body: None) -> Response:
    view = request.look(request.viewer)
    return _draw(request, view)


def act_in_dispute(request: Request, query: EmptyPayload, body: DisputeActionForm) -> Response:
    """Act in a dispute. A ruling is first shown as players will read it."""
    view = request.look(request.viewer)
    dispute, viewer = find_dispute(request, view), request.viewer
    preview = problem = None
    try:
        command, tag = _make_command(dispute.dispute, body), "*"
        _require_repair(view, dispute, body)
        if isinstance(command, C.Rule | C.Decide):
            is_first = body.do == "check" or not body.checked
            preview = note_claims(make_preview(request, view, command, checks=is_first), dispute)
            tag = f'"{body.head}"'
        if preview is None or (body.do == "rule" and body.checked == preview.checked):
            R.write(request, viewer, command, tag)
            return redirect(match_urls(request, view).entry_url("disputes", dispute.dispute))
        if body.checked and has_new_claim(preview, body.checked):
            problem = http_problem("out-of-order", Text("disputes.changed")).problem
    except (HttpProblem, FormatError) as error:
        problem, preview = problem_of(error), None
    return _draw(request, request.look(viewer), body, preview, problem)


# -- form input -------------------------------------------------------------------------------------------------------


def _read_number(text: str) -> int:
    """Return the number typed; 0 if empty, `NO_ENTRY` if it is no number."""
    text = text.strip().lstrip("#")
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(NO_ENTRY)) else NO_ENTRY


def _read_claims(body: NewDisputeForm | DisputeActionForm) -> dict[Seat, str]:
    return {seat: claim for seat, claim in zip(body.seat, body.claim, strict=False) if claim.strip()}


def _make_command(dispute: int, body: DisputeActionForm) -> C.AnyFiled:
    """Return the command of a form. Raises HttpProblem if the facts or the outcome are missing."""
    if body.do == "add":
        return C.OpenDispute(id=body.id, dispute=dispute, claims=_read_claims(body))
    if body.do == "appeal":
        return C.Appeal(id=body.id, dispute=dispute, reason=body.reason)
    penalty = C.PenaltyInput(seat=body.against, step=body.step.strip(), infraction=body.infraction.strip())
    clauses, penalties = tuple(body.clauses.replace(",", " ").split()), (penalty,) if body.against else ()
    to = (_read_number(body.to) or NO_ENTRY) if body.mend in ("rewind", "ask") else 0
    facts = [fact.strip() for fact in body.facts.split(FACTS) if fact.strip()] if body.mend == "by_hand" else ()
    if body.mend == "by_hand" and not facts:
        raise http_problem("unreadable", Text("match.no_fact"))
    if body.mend == "ask" and (body.as_decision or to == NO_ENTRY or not body.reason.strip()):
        raise http_problem("unreadable", Text("disputes.ask_incomplete"))
    if body.as_decision and not body.outcome:
        raise http_problem("unreadable", Text("disputes.no_outcome"))
    if not body.verdict and (not body.as_decision or body.outcome == "overturned"):
        raise http_problem("unreadable", Text("disputes.no_verdict"))
    if not body.as_decision:
        assert body.verdict
        return C.Rule(
            id=body.id,
            dispute=dispute,
            verdict=body.verdict,
            clauses=clauses,
            penalties=penalties,
            to=to,
            facts=tuple(facts),
            reason=body.reason,
            departure=body.departure,
            asks=body.mend == "ask",
        )
    assert body.outcome
    return C.Decide(
        id=body.id,
        dispute=dispute,
        outcome=body.outcome,
        reason=body.reason,
        verdict=body.verdict or None,
        clauses=clauses,
        penalties=penalties,
        to=to,
        facts=tuple(facts),
        departure=body.departure,
    )


# -- drawing ----------------------------------------------------------------------------------------------------------


def _list_seats(request: Request, view: MatchView) -> list[tuple[Seat, str]]:
    own_seat = request.session.seat
    return [
        (seat, seat_name(view.match.names, seat, request.lang))
        for seat in view.match.opening.seats
        if own_seat in ("", seat)
    ]


def _may_act(request: Request, view: MatchView, operation: Literal["dispute", "rule", "decide"]) -> bool:
    return not view.match.closed and not view.damaged and may(request.session, operation, view.match.id)


def _draw_list(request: Request, view: MatchView, sent: Prefilled, problem: Problem | None = None) -> Response:
    match, urls, every = view.match, match_urls(request, view), list_disputes(request, view)
    claims = dict(zip(sent.seat, sent.claim, strict=False)) if isinstance(sent, NewDisputeForm) else {}
    page = page_list(every, sent.after, dispute_key)
    response = match_page(
        request,
        view,
        "disputes.html",
        translate(request, "disputes.title", match=match_name(match, request.lang)),
        0,
        lambda viewer_urls: viewer_urls.match_url("disputes"),
        disputes=[(urls.entry_url("disputes", each.dispute), each, _matter_words(request, each)) for each in page.rows],
        page=page,
        parted=list_contradictions(request, view.eyes.viewer, match.game.key, match.id)
        if any(entry.verdict is not None for each in every for entry in each.entries)
        else [],
        every=page_url(request.lang, "disputes"),
        all_parted=page_url(request.lang, "contradictions"),
        opens=_may_act(request, view, "dispute"),
        of_entry=sent.about,
        thing=sent.thing,
        clause=sent.clause,
        seats=[(seat, words, claims.get(seat, "")) for seat, words in _list_seats(request, view)],
        action=urls.match_url("disputes"),
        command=form_id(request, view, request.url),
        wrong=form_errors(request, problem),
    )
    return with_problem(response, problem)


def _matter_words(request: Request, dispute: SeenDispute) -> str:
    return matter_words(dispute.matter, request.lang)


def _require_repair(view: MatchView, dispute: SeenDispute, body: DisputeActionForm) -> None:
    """Raise HttpProblem if a ruling that made a rewind is overturned without a remedy."""
    ruling, to = ruling_rewound(view, dispute.dispute)
    if ruling and body.as_decision and body.outcome == "overturned" and not body.mend:
        raise http_problem("unreadable", Text("disputes.no_repair", {"to": to}))


def _make_form(
    request: Request, view: MatchView, proposal: Proposal | None, ruling: int, *, as_decision: bool
) -> DisputeActionForm:
    """Return the initial form with the proposal filled in. `ruling` is the appealed ruling that made a rewind, or 0."""
    blank = DisputeActionForm(
        do="check", id=form_id(request, view, request.url), head=view.head, as_decision=as_decision
    )
    if proposal is None:
        return replace(blank, mend="" if ruling else "leave")
    return replace(blank, clauses=" ".join(proposal.clauses), verdict=proposal.verdict, mend=proposal.mend)


def _draw(
    request: Request,
    view: MatchView,
    sent: DisputeActionForm | None = None,
    preview: Preview | None = None,
    problem: Problem | None = None,
) -> Response:
    dispute = find_dispute(request, view)
    match, urls, matter = view.match, match_urls(request, view), dispute.matter
    is_appealed = dispute.standing == "appealed"
    judges = may(request.session, "findings", match.id, closed=view.over)
    judge_view = _look_as_judge(request, view) if judges else view
    rules = dispute.standing == "open" and _may_act(request, view, "rule")
    proposal = propose_ruling(request, view, dispute, judges=judges) if rules else None
    ruling, rewound_to = ruling_rewound(view, dispute.dispute) if is_appealed else (0, 0)
    blank = _make_form(request, view, proposal, ruling, as_decision=is_appealed)
    claimed = dict(zip(sent.seat, sent.claim, strict=False)) if sent is not None else {}
    policy = policy_of(match.opening.policy)
    looks = seen_seal_changes(match, view.eyes, dispute)
    ruled = next((each for each in dispute.entries[::-1] if each.verdict is not None), None)
    response = match_page(
        request,
        view,
        "dispute.html",
        translate(request, "disputes.page", match=match_name(match, request.lang), n=dispute.dispute),
        0,
        lambda viewer_urls: viewer_urls.entry_url("disputes", dispute.dispute),
        dispute=dispute,
        matter=matter_words(D.Matter(entry=matter.entry), request.lang),
        moment=urls.moment_url(matter.entry) if 0 < matter.entry <= view.head else "",
        thing=_thing_url(view, urls, dispute),
        clause=clause_url(request, match, matter.clause) if matter.clause else "",
        rulebook=rulebook_url(request.lang, match),
        findings=_list_entry_findings(request, judge_view, matter.entry) if judges else None,
        sealed=not judge_view.may_see_hidden,
        timeline=_timeline_rows(request, view, urls, dispute, looks),
        views=list_views(request, view, dispute),
        others=list_others(request, view, matter.entry),
        earlier=list_precedents(request, view, dispute.dispute),
        files=list_files(request, view, dispute),
        every=urls.match_url("disputes"),
        ending=offer_ending(request, view),
        action=urls.entry_url("disputes", dispute.dispute),
        adds=dispute.standing == "open" and _may_act(request, view, "dispute"),
        appeals=dispute.standing == "ruled" and _may_act(request, view, "dispute"),
        ruling=None if ruled is None else _make_entry_row(request, view, urls, ruled),
        proposal=proposal,
        rules=rules or (is_appealed and _may_act(request, view, "decide")),
        decides=is_appealed,
        seats=[(seat, words, claimed.get(seat, "")) for seat, words in _list_seats(request, view)],
        sent=sent if sent is not None else blank,
        command=blank.id if preview is None or sent is None else sent.id,
        preview=preview,
        answers="" if preview is None or sent is None else _describe_request_answer(request, view, sent),
        verdicts=VERDICTS,
        outcomes=OUTCOMES,
        mendings=list_mendings(request, view),
        to=ruling or max(0, matter.entry - 1),
        rewound=translate(request, "disputes.ruling_rewound", ruling=ruling, to=rewound_to) if ruling else "",
        ladder=list_words(policy.step, request.lang) if isinstance(policy, Policy) else [],
        infractions=list_words(policy.infraction, request.lang) if isinstance(policy, Policy) else [],
        wrong=form_errors(request, problem),
        clock=read_clock(request, view),
    )
    return with_problem(response, problem)


def _describe_request_answer(request: Request, view: MatchView, sent: DisputeActionForm) -> str:
    """Return the sentence about the open rewind request that this ruling answers; '' if there is none."""
    pending = read_request(request, view)
    if sent.mend != "rewind" or pending is None or pending.state != "open":
        return ""
    key = "rewind.answers" if pending.to == _read_number(sent.to) else "rewind.answers_other"
    return translate(request, key, by=pending.by, n=pending.to)


def _timeline_rows(
    request: Request, view: MatchView, urls: MatchUrls, dispute: SeenDispute, looks: Sequence[SeenEntry]
) -> list[DisputeEntryRow]:
    """Return the entries of a dispute, the looks at hidden cards, and the resulting rewinds, in order."""
    match, by = view.match, author_of(request.session) if view.judges else None
    rewinds = seen_rewinds(match, view.eyes, dispute, by, judges=view.judges)
    entries = sorted((*dispute.entries, *looks, *rewinds), key=lambda entry: entry.number)
    return [_make_entry_row(request, view, urls, entry) for entry in entries]


def _make_entry_row(request: Request, view: MatchView, urls: MatchUrls, entry: SeenEntry) -> DisputeEntryRow:
    words = entry_words(view.match.game, entry, request.lang, view.match.names).text
    return DisputeEntryRow(entry.number, urls.moment_url(entry.number), request.time(entry.at, "second"), words)


def _thing_url(view: MatchView, urls: MatchUrls, dispute: SeenDispute) -> str:
    """Return the page of the disputed thing, or '' if the viewer cannot see it."""
    number, thing = dispute.matter.entry or dispute.dispute, dispute.matter.thing
    return urls.entry_url(number, "thing", thing) if thing and is_seen(view, number, thing) else ""


def _list_entry_findings(request: Request, view: MatchView, number: int) -> list[tuple[str, Clause, str]]:
    return [
        (kind_words(each.finding, request.lang), each.finding.clause, each.url)
        for each in (list_findings(request, view) if number else ())
        if each.finding.entry == number
    ]


def _look_as_judge(request: Request, view: MatchView) -> MatchView:
    """Return the judge's view if the session has broken its seal, else the view given."""
    try:
        return view if view.may_see_hidden else request.look(JUDGE, "findings")
    except HttpProblem:
        return view


ROUTES: Final = (
    page_route(
        "/m/{match:str}/disputes", show_disputes, "Show the disputes of a match.", query=Prefilled, limit="tries"
    ),
    page_route(
        "/m/{match:str}/disputes/as/{viewer:str}", show_disputes, "As another viewer.", query=Prefilled, limit="tries"
    ),
    page_route("/m/{match:str}/disputes/{n:str}", show_dispute, "Show a dispute.", limit="tries"),
    page_route("/m/{match:str}/disputes/{n:str}/as/{viewer:str}", show_dispute, "As another viewer.", limit="tries"),
    form_route("/m/{match:str}/disputes", open_dispute, "Open a dispute.", "dispute", NewDisputeForm, "commands"),
    form_route(
        "/m/{match:str}/disputes/as/{viewer:str}",
        open_dispute,
        "As another viewer.",
        "dispute",
        NewDisputeForm,
        "commands",
    ),
    form_route(
        "/m/{match:str}/disputes/{n:str}",
        act_in_dispute,
        "Claim, rule, appeal, decide.",
        "dispute",
        DisputeActionForm,
        "commands",
    ),
    form_route(
        "/m/{match:str}/disputes/{n:str}/as/{viewer:str}",
        act_in_dispute,
        "As another viewer.",
        "dispute",
        DisputeActionForm,
        "commands",
    ),
)
