"""Going back: what it costs and what is to be done for it, who may ask, and who decides. Nothing is ever deleted."""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.judging.proposals import count_learned, list_undone, too_far
from domain.law.entries import BESIDE
from domain.law.policy import Policy, policy_of
from projections.differences import differences, frame_text
from projections.filed import matter_words
from projections.knowledge import sights
from projections.phrases import place_words, seat_name
from projections.reversal import Reversal, chance, restoring, reversals
from recorder.answers import Cost, Impossible, Recorded, Unavailable
from recorder.matches import rewind_cost
from recorder.remarks import Asked, asked_rewind
from recorder.store import Conflict
from recorder.usecases import commands as C
from recorder.usecases.handling import handle
from recorder.writing import Answer, Terms
from service.access import Operation, may
from service.addresses import Way
from service.api.disputes import list_disputes
from service.asking import Ask, Nothing, Reply
from service.command_ids import writer
from service.house import Sight
from service.pages.finding import list_findings
from service.pages.paper import form, go, page, said
from service.pages.trail import tell_learned
from service.pages.within import match_name, way_to, within
from service.problems import STATUS, Type, halt

SHOWN_MAX: Final = 60
"""So many entries that go are shown with what goes back."""
Deed = Literal["ask", "apply", "refuse"]
OPERATIONS: Final[dict[Deed, Operation]] = {
    "ask": "ask_rewind",
    "apply": "approve_rewind",
    "refuse": "approve_rewind",
}
RequestState = Literal["open", "void", "expired"]
Wrong = tuple[tuple[str, str], ...]
"""What stands against what was sent: the field it is about, if it is about one, and what to say."""


class Decided(Struct, frozen=True, forbid_unknown_fields=True):
    """What the form takes: what is to be done on which head, why, and which lines are done at the table."""

    do: Deed
    head: int
    reason: str = ""
    tick: tuple[int, ...] = ()
    no_table: bool = False


class Gone(Struct, frozen=True):
    """An entry that goes: in words, with its moment, and what goes back with it."""

    entry: int
    url: str
    what: str
    back: tuple[str, ...]


class Pending(Struct, frozen=True):
    """A request: which entry it asks to go back to, with the page for that, by whom, why, since and until when;
    `state`: does it still hold?"""

    to: int
    url: str
    by: str
    reason: str
    at: str
    until: str
    state: RequestState


def show_rewind(ask: Ask, query: Nothing, body: None) -> Reply:
    """What it costs to go back to an entry."""
    sight = ask.look(ask.viewer, "ask_rewind")
    return _draw(ask, sight, ask.number("moment", sight.head))


def decide(ask: Ask, query: Nothing, body: Decided) -> Reply:
    """Ask for a rewind, apply it, or refuse what somebody asked for."""
    sight = ask.look(ask.viewer, OPERATIONS[body.do])
    to = ask.number("moment", sight.head)
    _cost(ask, sight, to)
    if not 0 <= body.head <= sight.head or not all(
        isinstance(entry, BESIDE) for entry in sight.match.entries[body.head :]
    ):
        return _moved_on(ask, sight, to, body)
    if wrong := _wrong(ask, sight, to, body):
        return _again(ask, sight, to, body, wrong, "not-allowed")
    done = _record(ask, sight, to, body)
    if isinstance(done, Conflict):
        return _moved_on(ask, ask.look(ask.viewer), to, body)
    assert isinstance(done, Recorded), done
    ask.house.wake(sight.match.id)
    way = way_to(ask, sight)
    return go(way.moment(done.version) if body.do == "apply" else way.at(to, "rewind"))


def _wrong(ask: Ask, sight: Sight, to: int, body: Decided) -> Wrong:
    """What is missing."""
    wrong: list[tuple[str, str]] = []
    if not body.reason.strip():
        wrong.append(("reason", said(ask, "rewind.no_reason")))
    if body.do == "apply" and not body.no_table:
        left = [at for at in range(len(_by_hand(ask, sight, to))) if at not in body.tick]
        if left:
            wrong.append((f"tick-{left[0]}", said(ask, "rewind.not_ticked", n=len(left))))
    if body.do == "refuse" and _request(sight, to) is None:
        wrong.append(("", said(ask, "rewind.nothing_asked")))
    return tuple(wrong)


def _record(ask: Ask, sight: Sight, to: int, body: Decided) -> Answer | Impossible:
    request = _request(sight, to)
    commands: dict[Deed, C.Direct] = {
        "ask": C.AskRewind(to=to, reason=body.reason),
        "refuse": C.RefuseRewind(request=0 if request is None else request.entry, reason=body.reason),
        "apply": C.Rewind(to=to, reason=body.reason),
    }
    if body.do == "ask":
        ask.take("rewinds")
    terms = Terms(expected=sight.head, at=ask.house.clock())
    return handle(ask.house.store, sight.match, commands[body.do], writer(ask.session), terms=terms)


def _request(sight: Sight, to: int) -> Asked | None:
    """What somebody has asked for, if it is to go back to this entry."""
    request = asked_rewind(sight.match.entries)
    return request if request is not None and request.to == to else None


def _moved_on(ask: Ask, sight: Sight, to: int, body: Decided) -> Reply:
    """Something happened on the table: what was asked for is void, and the cost is another one."""
    wrong = (("", said(ask, "rewind.moved_on", n=sight.head)),)
    return _again(ask, sight, to, body, wrong, "conflict")


def _again(ask: Ask, sight: Sight, to: int, body: Decided, wrong: Wrong, type: Type) -> Reply:
    """The page once more, with what stands against what was sent, and all that was sent."""
    ticked = body if type != "conflict" else replace(body, tick=())
    return replace(_draw(ask, sight, to, ticked, wrong), status=STATUS[type])


def _cost(ask: Ask, sight: Sight, to: int) -> Cost:
    cost = rewind_cost(ask.house.store, sight.match.id, to)
    if isinstance(cost, Unavailable):
        raise halt("closed", cost.why)
    if not isinstance(cost, Cost):
        raise halt("unknown", cost.what)
    return cost


def _by_hand(ask: Ask, sight: Sight, to: int) -> tuple[str, ...]:
    """What is done at the table, line by line."""
    match, then = sight.match, sight.match.after(to)
    held = differences(sight.eyes, then, match.table)
    return restoring(held, match.game, sight.eyes.physics, ask.lang, match.names)


def _draw(ask: Ask, sight: Sight, to: int, sent: Decided | None = None, wrong: Wrong = ()) -> Reply:
    match, eyes, lang, way = sight.match, sight.eyes, ask.lang, way_to(ask, sight)
    cost = _cost(ask, sight, to)
    request = _request(sight, to)
    approves = may(ask.session, "approve_rewind", match.id)
    then = match.after(to)
    lots = chance(match, eyes, match.table, then, cost.undone)
    undone, stays = list_undone(match, to)
    policy = policy_of(match.opened.policy)
    far = too_far(policy, match, to) if isinstance(policy, Policy) else None
    held = differences(eyes, then, match.table)
    return within(
        ask,
        sight,
        "rewind.html",
        said(ask, "rewind.title", match=match_name(match, ask.lang), n=to),
        to,
        lambda eyes: eyes.at(to, "rewind"),
        goes=len(undone),
        stays=[(number, way.moment(number)) for number in stays],
        count=count_learned(match, to),
        far="" if far is None else far.say(lang),
        asked=[frame_text(each.one, match.game, lang, match.names) for each in held.frames if each.one is not None],
        restored=[(number, way.moment(number)) for number in cost.restored],
        gone=[_gone(ask, sight, way, each) for each in reversals(match, eyes, undone)[:SHOWN_MAX]],
        more=max(0, len(undone) - SHOWN_MAX),
        learned=tell_learned(ask, sight, sights(match, eyes, cost.undone)),
        ticks=_by_hand(ask, sight, to),
        again=lots.again,
        shuffled=[(number, way.moment(number)) for number in lots.shuffled],
        which=[
            said(ask, _which(sight), place=place_words(match.game, place, lang, match.names), n=n)
            for place, n in lots.which
        ],
        request=read_request(ask, sight),
        asks_here=request is not None,
        approves=approves,
        reason=_reason(ask, sight, to, request) if sent is None else sent.reason,
        ticked=sent.tick if sent is not None else (),
        no_table=sent is not None and sent.no_table,
        wrong=wrong,
        wrong_fields={field for field, _ in wrong},
        action=way.at(to, "rewind"),
        moment=way.moment(to),
        newest=way.moment(sight.head),
    )


def _reason(ask: Ask, sight: Sight, to: int, request: Asked | None) -> str:
    """Return the reason that the form begins with: that of the request to be applied, else what is known against the
    first entry that would go."""
    if may(ask.session, "approve_rewind", sight.match.id):
        return "" if request is None else request.reason
    about = [each for each in list_disputes(ask, sight) if each.matter.entry == to + 1]
    if about:
        return said(ask, "rewind.for_dispute", n=about[-1].dispute, matter=matter_words(about[-1].matter, ask.lang))
    found = [each.finding.clause for each in list_findings(ask, sight) if each.finding.entry == to + 1]
    clauses = " ".join(dict.fromkeys(clause for clause in found if clause))
    return said(ask, "rewind.for_finding", n=to + 1, clauses=clauses) if clauses else ""


def _which(sight: Sight) -> str:
    """Who could say which of some hidden cards goes back."""
    return "rewind.which_nobody" if sight.match.undealt else "rewind.which_sealed"


def _gone(ask: Ask, sight: Sight, way: Way, reversal: Reversal) -> Gone:
    match = sight.match
    back = restoring(reversal.back, match.game, sight.eyes.physics, ask.lang, match.names)
    return Gone(reversal.entry, way.moment(reversal.entry), reversal.what.say(ask.lang), back)


def read_request(ask: Ask, sight: Sight) -> Pending | None:
    """Return the request to go back that nobody has answered, for a judge; else None."""
    request = asked_rewind(sight.match.entries)
    if request is None or sight.match.closed or not may(ask.session, "ask_rewind", sight.match.id):
        return None
    until = request.at + ask.house.settings.rewind_ms
    url, by = way_to(ask, sight).at(request.to, "rewind"), seat_name(sight.match.names, request.by, ask.lang)
    at, ends = ask.time(request.at, "minute"), ask.time(until, "minute")
    return Pending(request.to, url, by, request.reason, at, ends, request_state(ask, request))


def request_state(ask: Ask, request: Asked) -> RequestState:
    """Return whether a request to go back still holds."""
    if request.void:
        return "void"
    until = request.at + ask.house.settings.rewind_ms
    return "expired" if request.at and until <= ask.house.clock() else "open"


ROUTES: Final = (
    page("/m/{match:str}/{moment:str}/rewind", show_rewind, "What it costs to go back.", "ask_rewind"),
    page("/m/{match:str}/{moment:str}/rewind/as/{viewer:str}", show_rewind, "The same.", "ask_rewind"),
    form("/m/{match:str}/{moment:str}/rewind", decide, "Ask for a rewind, apply or refuse it.", "ask_rewind", Decided),
    form("/m/{match:str}/{moment:str}/rewind/as/{viewer:str}", decide, "The same.", "ask_rewind", Decided),
)
