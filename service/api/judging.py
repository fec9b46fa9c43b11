"""Findings of a match, and the cost of going back."""

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import asdict

from domain.law.entries import line
from projections.answers import AuditedRecord
from projections.corrections import corrections, entered, list_gaps
from projections.findings import SeenFinding, seen_findings, seen_flags
from projections.knowledge import sights
from projections.undoing import PendingRewind, Priced, Undo
from recorder.answers import Cost, Unavailable
from recorder.matches import rewind_cost
from recorder.remarks import asked_rewind
from service.api.seeing import MATCH, NAME_MAX, UNSEEN, Query, make_route, tag_seen, tell
from service.asking import NUMBER_MAX, Ask, Reply, Route
from service.house import House, Sight
from service.problems import halt
from service.security import NO_STORE
from service.undoing import find_undo


class Of(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Findings of one clause only."""

    clause: Annotated[str, Meta(max_length=NAME_MAX)] = ""


def show_audit(ask: Ask, query: Query, body: None) -> Reply:
    """What a match's rules have against it, and what people entered by hand."""
    sight = ask.look(query.viewer, "findings")
    sight.require_judge()
    match = sight.match

    def make() -> AuditedRecord:
        result, found = ask.house.audit(match), list_findings(ask.house, sight)
        return AuditedRecord(
            match=match.id,
            viewer=sight.eyes.viewer,
            findings=found,
            entries=result.entries,
            actions=result.actions,
            facts=result.facts,
            undone=sum(finding.undone for finding in found),
            corrections=corrections(match.game, match.entries, frozenset(line(match.entries))),
            entered=entered(match.entries),
            gaps=list_gaps(match.entries),
        )

    return tell(ask, sight, tag_seen(ask, sight), make)


def show_findings(ask: Ask, query: Of, body: None) -> Reply:
    """What a match's rules have against it."""
    sight = ask.look(query.viewer, "findings")

    def make() -> tuple[SeenFinding, ...]:
        found = list_findings(ask.house, sight)
        return tuple(finding for finding in found if query.clause in ("", finding.clause))

    return tell(ask, sight, tag_seen(ask, sight), make)


def list_findings(house: House, sight: Sight) -> tuple[SeenFinding, ...]:
    """Return what a match's rules have against it; where that may tell what a hidden card is, what the record flags."""
    if not sight.knows:
        return seen_flags(sight.match, sight.eyes)
    return seen_findings(sight.match, sight.eyes, sight.match.law, house.audit(sight.match).findings)


class UndoQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An undo of the last thing entered, of an `entry` and all that followed, or a redo."""

    entry: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    redo: bool = False


def show_undo(ask: Ask, query: UndoQuery, body: None) -> Reply:
    """What an undo would take back, and whether it needs a judge."""
    sight = ask.look(query.viewer, "undo")
    if sight.match.closed:
        raise halt("closed")
    plan = find_undo(ask.house.store, sight.match, ask.session, entry=query.entry, redo=query.redo)
    return Reply(plan, headers={"Cache-Control": NO_STORE})


def show_request(ask: Ask, query: Query, body: None) -> Reply:
    """The request to go back that waits for an answer."""
    sight = ask.look(query.viewer, "ask_rewind")
    asked = asked_rewind(sight.match.entries)
    told = PendingRewind(match=sight.match.id, **({} if asked is None else asdict(asked)))
    return Reply(told, headers={"Cache-Control": NO_STORE})


def show_cost(ask: Ask, query: Query, body: None) -> Reply:
    """What going back to an entry would undo and bring back, and what has been learned since."""
    sight = ask.look(query.viewer, "ask_rewind")
    number, match = ask.number("n", sight.head), sight.match
    cost = rewind_cost(ask.house.store, match.id, number)
    if isinstance(cost, Unavailable):
        raise halt("closed", cost.why)
    if not isinstance(cost, Cost):
        raise halt("unknown", cost.what)

    def make() -> Priced:
        learned = sights(match, sight.eyes, cost.undone)
        return Priced(match.id, sight.eyes.viewer, number, cost.undone, cost.restored, learned)

    return tell(ask, sight, tag_seen(ask, sight), make)


ROUTES: Final = (
    make_route("/audit", show_audit, AuditedRecord, "What the rules have against a match.", operation="findings"),
    make_route(
        "/findings", show_findings, tuple[SeenFinding, ...], "Where record and rules part; of one clause or of all.",
        query=Of, operation="findings",
    ),
    make_route(
        "/rewind/{n:str}", show_cost, Priced, "What it would cost to go back to an entry.",
        operation="ask_rewind", problems=("closed",),
    ),
    Route(
        method="GET", path=f"{MATCH}/rewind", operation="ask_rewind", call=show_request, query=Query,
        answer=PendingRewind, problems=UNSEEN, says="The request to go back that waits for an answer.",
    ),
    Route(
        method="GET", path=f"{MATCH}/undo", operation="undo", call=show_undo, query=UndoQuery, answer=Undo,
        problems=(*UNSEEN, "closed"), says="What an undo or a redo would do, and whether it needs a judge.",
    ),
)  # fmt: skip
