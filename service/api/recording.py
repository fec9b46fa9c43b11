"""Writing to a match, and trying what would come of it: commands as programs send them."""

from typing import Final

from domain.words import Text
from recorder.usecases import commands as C
from service import deciding, recording, wire
from service.access import may
from service.api.seeing import UNSEEN, Query, tag_seen, tell
from service.asking import Ask, Reply, Route
from service.offering import doables_of
from service.problems import halt
from service.refusals import etag, refused


def write(ask: Ask, query: Query, body: C.AnyCommand) -> Reply:
    """Record what a command says."""
    return recording.write(ask, query.viewer, body, ask.headers.get("if-match", "").strip())


def reveal(ask: Ask, query: Query, body: C.Reveal) -> Reply:
    """Record what a seat reveals, whatever has happened meanwhile."""
    return recording.write(ask, query.viewer, body, ask.headers.get("if-match", "").strip() or "*")


def attempt(ask: Ask, query: Query, body: C.AnyCommand) -> Reply:
    """Decide what a command says and record nothing: from what the viewer knows, so that nothing else can be told.

    Halts for whoever may not send this command; who records may also try what a player would be offered.
    """
    sight = recording.look(ask, query.viewer, recording.operation_tried(ask.session, body))
    if sight.match.closed:
        raise halt("closed")
    tried = deciding.attempt(sight, body)
    if tried.stands is False and isinstance(body, C.Play) and recording.mode_of(ask.session, body) == "offer":
        failing = next(step.clause for step in tried.trail if step.holds is False)
        raise refused(sight, "not-allowed", failing, tried.trail)
    return Reply(tried, 200, etag(sight.head))


def show_next(ask: Ask, query: Query, body: None) -> Reply:
    """What may be recorded now: to who records, as far as their eyes know; to a player what they may do themselves."""
    records = may(ask.session, "record", ask.path["match"])
    sight = recording.look(ask, query.viewer, "record" if records else "offer")
    match, viewer = sight.match, sight.eyes.viewer
    if not records and viewer != ask.session.seat:
        raise halt("not-your-eyes", Text("problem.offers"))

    def make() -> wire.Next:
        awaited = () if match.closed else match.law.awaited(match.table)
        allowed = doables_of(ask.house, sight)
        return wire.Next(
            match=match.id, viewer=viewer, head=sight.head, closed=match.closed, awaited=awaited, allowed=allowed
        )

    return tell(ask, sight, tag_seen(ask, sight), make)


ROUTES: Final = (
    Route(
        method="GET", path="/api/v1/matches/{match:str}/next", operation="record", also=("offer",), call=show_next,
        query=Query, answer=wire.Next, problems=UNSEEN, tagged=True,
        says="What may be recorded now, as far as whoever records it can know.",
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=write, query=Query,
        body=C.AnyCommand, answer=wire.Entered, status=201, again=True, follows=True, limit="commands",
        says="Write to a match: one command, one entry, on the head that If-Match names.",
        problems=(
            "not-allowed", "physically-impossible", "conflict", "precondition-required", "command-reused",
            "out-of-order", "needs-confirmation", "closed", "unknown", "not-your-eyes", "sealed", "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/reveals", operation="reveal", call=reveal, query=Query,
        body=C.Reveal, answer=wire.Entered, status=201, again=True, limit="commands",
        says="Reveal the secret that a seat had pledged; behind the last one the croupier draws.",
        problems=(
            "conflict", "command-reused", "out-of-order", "closed", "unknown", "not-your-eyes", "sealed",
            "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries:try", operation="record",
        also=("offer", "call", "undo", "ask_rewind", "approve_rewind", "dispute", "rule", "decide", "reveal"),
        call=attempt, query=Query,
        body=C.AnyCommand, answer=wire.Tried, limit="tries",
        says="What would come of a command, as far as the viewer can know; nothing is recorded.",
        problems=("not-allowed", "closed", "unknown", "not-your-eyes", "sealed"),
    ),
)  # fmt: skip
