"""Disputes as pages: opened, claimed in, ruled on, appealed and decided by forms, each with what has come of it."""

from collections.abc import Sequence
from typing import Final, Literal, get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.policy import Policy, policy_of
from domain.table.table import Seat
from domain.words import Text
from projections.disputes import SeenDispute, seen_looks, seen_rewinds
from projections.filed import list_words, matter_words
from projections.phrases import seat_name
from projections.seen_entries import SeenEntry
from projections.timeline import entry_words
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.addresses import Way, rulebook_of, to
from service.api.disputes import find_dispute, list_disputes
from service.asking import Ask, Nothing, Reply
from service.command_ids import writer
from service.filing import is_seen
from service.house import Sight
from service.pages.casefiles import list_files
from service.pages.clock import read_clock
from service.pages.finding import list_findings
from service.pages.hearing import list_earlier, list_others, list_parted, list_views
from service.pages.match_endings import offer_ending
from service.pages.paper import form, go, page, problem_of, said, tell_wrong, with_problem
from service.pages.previews import Preview, show_beforehand
from service.pages.rewind import read_request
from service.pages.rulings import Proposal, list_mendings, propose_ruling
from service.pages.within import clause_url, form_id, match_name, way_to, within
from service.problems import Halt, Problem, halt

FACTS: Final = ";"
"""What parts one fact from the next, as in a line of the recorder."""
NO_ENTRY: Final = 999_999_999
"""What stands for a number that is none: no match has more entries."""
VERDICTS: Final[tuple[D.Verdict, ...]] = get_args(D.Verdict)
OUTCOMES: Final[tuple[D.Outcome, ...]] = get_args(D.Outcome)


class Prefilled(Struct, frozen=True, forbid_unknown_fields=True):
    """What a new dispute would be about."""

    about: str = ""
    thing: str = ""
    clause: str = ""


class Opening(Prefilled, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dispute to be opened: what it is about, and what seats claim, each behind its seat."""

    id: UUID
    seat: tuple[Seat, ...] = ()
    claim: tuple[str, ...] = ()


class Deed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is done in a dispute: claims are added, its ruling is appealed, or it is ruled on or decided (`rule`), once
    what players will read was shown (`check`, known again by `checked`). Which of the two it is says `as_decision`.
    """

    do: Literal["add", "appeal", "check", "rule"]
    id: UUID
    head: int = 0
    seat: tuple[Seat, ...] = ()
    claim: tuple[str, ...] = ()
    as_decision: bool = False
    outcome: D.Outcome | Literal[""] = ""
    verdict: D.Verdict | Literal[""] = ""
    clauses: str = ""
    mend: D.Mending = "leave"
    to: str = ""
    facts: str = ""
    against: Seat = Seat("")
    step: str = ""
    infraction: str = ""
    reason: str = ""
    departure: str = ""
    checked: str = ""


class Told(Struct, frozen=True):
    """An entry of a dispute in words, with its moment."""

    number: int
    url: str
    at: str
    words: str


def show_disputes(ask: Ask, query: Prefilled, body: None) -> Reply:
    """All disputes of a match, and the form that opens one."""
    return _draw_all(ask, ask.look(ask.viewer), query)


def open_dispute(ask: Ask, query: Nothing, body: Opening) -> Reply:
    """Open a dispute, and on to its page."""
    sight = ask.look(ask.viewer)
    thing = _number(body.thing.strip().removeprefix("u"))
    about, clause = _number(body.about), body.clause.strip()
    command = C.Dispute(id=body.id, about=about, thing=thing, clause=clause, claims=_claims(body))
    try:
        done = R.write(ask, sight.eyes.viewer if ask.path.get("viewer") else "", command, "*")
    except (Halt, FormatError) as stopped:
        return _draw_all(ask, sight, body, problem_of(stopped))
    return go(way_to(ask, sight).at("disputes", done.value.entries[0].number))


def show_dispute(ask: Ask, query: Nothing, body: None) -> Reply:
    """One dispute."""
    sight = ask.look(ask.viewer)
    return _draw(ask, sight)


def act(ask: Ask, query: Nothing, body: Deed) -> Reply:
    """Do something in a dispute; a ruling is shown first as players will read it."""
    sight = ask.look(ask.viewer)
    dispute, viewer = find_dispute(ask, sight), ask.viewer
    preview = problem = None
    try:
        command, tag = _command(dispute.dispute, body), "*"
        if isinstance(command, C.Rule | C.Decide):
            unread = body.do == "check" or not body.checked
            preview, tag = show_beforehand(ask, sight, command, checks=unread), f'"{body.head}"'
        if preview is None or (body.do == "rule" and body.checked == preview.checked):
            R.write(ask, viewer, command, tag)
            return go(way_to(ask, sight).at("disputes", dispute.dispute))
    except (Halt, FormatError) as stopped:
        problem, preview = problem_of(stopped), None
    return _draw(ask, ask.look(viewer), body, preview, problem)


# -- what was sent ----------------------------------------------------------------------------------------------------


def _number(text: str) -> int:
    """The number that was typed; 0 for none, one that no entry has for what is no number."""
    text = text.strip().lstrip("#")
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(NO_ENTRY)) else NO_ENTRY


def _claims(body: Opening | Deed) -> dict[Seat, str]:
    return {seat: claim for seat, claim in zip(body.seat, body.claim, strict=False) if claim.strip()}


def _command(dispute: int, body: Deed) -> C.AnyFiled:
    """What a form comes to. Halts where it leaves out what happened, or how the appeal ends."""
    if body.do == "add":
        return C.Dispute(id=body.id, dispute=dispute, claims=_claims(body))
    if body.do == "appeal":
        return C.Appeal(id=body.id, dispute=dispute, reason=body.reason)
    penalty = C.Penalty(seat=body.against, step=body.step.strip(), infraction=body.infraction.strip())
    clauses, penalties = tuple(body.clauses.replace(",", " ").split()), (penalty,) if body.against else ()
    to = (_number(body.to) or NO_ENTRY) if body.mend in ("rewind", "ask") else 0
    facts = [fact.strip() for fact in body.facts.split(FACTS) if fact.strip()] if body.mend == "by_hand" else ()
    if body.mend == "by_hand" and not facts:
        raise halt("unreadable", Text("match.no_fact"))
    if body.mend == "ask" and (body.as_decision or to == NO_ENTRY or not body.reason.strip()):
        raise halt("unreadable", Text("disputes.ask_incomplete"))
    if body.as_decision and not body.outcome:
        raise halt("unreadable", Text("disputes.no_outcome"))
    if not body.verdict and (not body.as_decision or body.outcome == "overturned"):
        raise halt("unreadable", Text("disputes.no_verdict"))
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


# -- what is shown ----------------------------------------------------------------------------------------------------


def _seats(ask: Ask, sight: Sight) -> list[tuple[Seat, str]]:
    """For whom whoever asks may say what is claimed."""
    own = ask.session.seat
    return [
        (seat, seat_name(sight.match.names, seat, ask.lang)) for seat in sight.match.opened.seats if own in ("", seat)
    ]


def _may(ask: Ask, sight: Sight, operation: Literal["dispute", "rule", "decide"]) -> bool:
    return not sight.match.closed and not sight.damaged and may(ask.session, operation, sight.match.id)


def _draw_all(ask: Ask, sight: Sight, sent: Prefilled, problem: Problem | None = None) -> Reply:
    match, way, every = sight.match, way_to(ask, sight), list_disputes(ask, sight)
    claims = dict(zip(sent.seat, sent.claim, strict=False)) if isinstance(sent, Opening) else {}
    drawn = within(
        ask,
        sight,
        "disputes.html",
        said(ask, "disputes.title", match=match_name(match, ask.lang)),
        0,
        lambda eyes: eyes.all("disputes"),
        disputes=[(way.at("disputes", each.dispute), each, _matter(ask, each)) for each in every],
        parted=list_parted(ask, sight.eyes.viewer, match.game.key, match.id) if any(map(_is_ruled, every)) else [],
        every=to(ask.lang, "disputes"),
        all_parted=to(ask.lang, "contradictions"),
        opens=_may(ask, sight, "dispute"),
        of_entry=sent.about,
        thing=sent.thing,
        clause=sent.clause,
        seats=[(seat, words, claims.get(seat, "")) for seat, words in _seats(ask, sight)],
        action=way.all("disputes"),
        command=form_id(ask, sight, ask.url),
        wrong=tell_wrong(ask, problem),
    )
    return with_problem(drawn, problem)


def _is_ruled(dispute: SeenDispute) -> bool:
    return any(entry.verdict is not None for entry in dispute.entries)


def _matter(ask: Ask, dispute: SeenDispute) -> str:
    return matter_words(dispute.matter, ask.lang)


def _blank(ask: Ask, sight: Sight, proposal: Proposal | None, *, as_decision: bool) -> Deed:
    """The form as it is first shown, filled in with what is proposed."""
    blank = Deed(do="check", id=form_id(ask, sight, ask.url), head=sight.head, as_decision=as_decision)
    if proposal is None:
        return blank
    return replace(blank, clauses=" ".join(proposal.clauses), verdict=proposal.verdict, mend=proposal.mend)


def _draw(
    ask: Ask,
    sight: Sight,
    sent: Deed | None = None,
    preview: Preview | None = None,
    problem: Problem | None = None,
) -> Reply:
    dispute = find_dispute(ask, sight)
    match, way, matter = sight.match, way_to(ask, sight), dispute.matter
    deciding_now = dispute.standing == "appealed"
    judges = may(ask.session, "findings", match.id, closed=sight.over)
    rules = dispute.standing == "open" and _may(ask, sight, "rule")
    proposal = propose_ruling(ask, sight, dispute, judges=judges) if rules else None
    blank = _blank(ask, sight, proposal, as_decision=deciding_now)
    claimed = dict(zip(sent.seat, sent.claim, strict=False)) if sent is not None else {}
    policy = policy_of(match.opened.policy)
    looks = seen_looks(match, sight.eyes, dispute)
    drawn = within(
        ask,
        sight,
        "dispute.html",
        said(ask, "disputes.page", match=match_name(match, ask.lang), n=dispute.dispute),
        0,
        lambda eyes: eyes.at("disputes", dispute.dispute),
        dispute=dispute,
        matter=matter_words(D.Matter(entry=matter.entry), ask.lang),
        moment=way.moment(matter.entry) if 0 < matter.entry <= sight.head else "",
        thing=_thing_url(sight, way, dispute),
        clause=clause_url(ask, match, matter.clause) if matter.clause else "",
        rulebook=rulebook_of(ask.lang, match),
        findings=_findings(ask, sight, way, matter.entry) if judges else None,
        timeline=_tell(ask, sight, way, dispute, looks),
        views=list_views(ask, sight, dispute, looks),
        others=list_others(ask, sight, matter.entry),
        earlier=list_earlier(ask, sight, dispute.dispute),
        files=list_files(ask, sight, dispute),
        every=way.all("disputes"),
        ending=offer_ending(ask, sight),
        action=way.at("disputes", dispute.dispute),
        adds=dispute.standing == "open" and _may(ask, sight, "dispute"),
        appeals=dispute.standing == "ruled" and _may(ask, sight, "dispute"),
        ruling=next((_told(ask, sight, way, each) for each in dispute.entries[::-1] if each.verdict is not None), None),
        proposal=proposal,
        rules=rules or (deciding_now and _may(ask, sight, "decide")),
        decides=deciding_now,
        seats=[(seat, words, claimed.get(seat, "")) for seat, words in _seats(ask, sight)],
        sent=sent if sent is not None else blank,
        command=blank.id if preview is None or sent is None else sent.id,
        preview=preview,
        answers="" if preview is None or sent is None or sent.mend != "rewind" else _answered(ask, sight, sent),
        verdicts=VERDICTS,
        outcomes=OUTCOMES,
        mendings=list_mendings(ask, sight),
        to=max(0, matter.entry - 1),
        ladder=list_words(policy.step, ask.lang) if isinstance(policy, Policy) else [],
        infractions=list_words(policy.infraction, ask.lang) if isinstance(policy, Policy) else [],
        wrong=tell_wrong(ask, problem),
        clock=read_clock(ask, sight),
    )
    return with_problem(drawn, problem)


def _answered(ask: Ask, sight: Sight, sent: Deed) -> str:
    """Return the sentence about the request to go back that a rewind by this ruling answers; '' if none is open."""
    request = read_request(ask, sight)
    if request is None or request.state != "open":
        return ""
    key = "rewind.answers" if request.to == _number(sent.to) else "rewind.answers_other"
    return said(ask, key, by=request.by, n=request.to)


def _tell(ask: Ask, sight: Sight, way: Way, dispute: SeenDispute, looks: Sequence[SeenEntry]) -> list[Told]:
    """The entries of a dispute, who looked with whose eyes, and the requests and rewinds that came of it, in order."""
    match, by = sight.match, writer(ask.session) if sight.judges else None
    rewinds = seen_rewinds(match, sight.eyes, dispute, by, judges=sight.judges)
    entries = sorted((*dispute.entries, *looks, *rewinds), key=lambda entry: entry.number)
    return [_told(ask, sight, way, entry) for entry in entries]


def _told(ask: Ask, sight: Sight, way: Way, entry: SeenEntry) -> Told:
    words, at = entry_words(sight.match.game, entry, ask.lang, sight.match.names).text, ask.time(entry.at, "second")
    return Told(entry.number, way.moment(entry.number), at, words)


def _thing_url(sight: Sight, way: Way, dispute: SeenDispute) -> str:
    """The page of the thing that a dispute is about, for eyes that can point at it."""
    number, thing = dispute.matter.entry or dispute.dispute, dispute.matter.thing
    return way.at(number, "thing", thing) if thing and is_seen(sight, number, thing) else ""


def _findings(ask: Ask, sight: Sight, way: Way, number: int) -> list[tuple[str, Clause, str]]:
    """What the law has against an entry, with the page of each."""
    return [
        (said(ask, f"finding.{each.finding.kind}"), each.finding.clause, each.url)
        for each in (list_findings(ask, sight) if number else ())
        if each.finding.entry == number
    ]


ROUTES: Final = (
    page("/m/{match:str}/disputes", show_disputes, "The disputes of a match.", query=Prefilled, limit="tries"),
    page("/m/{match:str}/disputes/as/{viewer:str}", show_disputes, "The same.", query=Prefilled, limit="tries"),
    page("/m/{match:str}/disputes/{n:str}", show_dispute, "A dispute.", limit="tries"),
    page("/m/{match:str}/disputes/{n:str}/as/{viewer:str}", show_dispute, "The same with other eyes.", limit="tries"),
    form("/m/{match:str}/disputes", open_dispute, "Open a dispute.", "dispute", Opening, "commands"),
    form("/m/{match:str}/disputes/as/{viewer:str}", open_dispute, "The same.", "dispute", Opening, "commands"),
    form("/m/{match:str}/disputes/{n:str}", act, "Claim, rule, appeal, decide.", "dispute", Deed, "commands"),
    form("/m/{match:str}/disputes/{n:str}/as/{viewer:str}", act, "The same.", "dispute", Deed, "commands"),
)
