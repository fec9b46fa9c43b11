"""Writing to a match, and trying what would come of it: commands as programs send them."""

from typing import Final

from service import commands as C, deciding, recording
from service.api.seeing import Query
from service.asking import Ask, Reply, Route
from service.problems import halt


def write(ask: Ask, query: Query, body: C.AnyCommand) -> Reply:
    """Record what a command says."""
    return recording.write(ask, query.viewer, body, ask.headers.get("if-match", "").strip())


def attempt(ask: Ask, query: Query, body: C.AnyCommand) -> Reply:
    """Decide what a command says and record nothing: from what the viewer knows, so that nothing else can be told."""
    sight = recording.look(ask, query.viewer, "explain")
    if sight.match.closed:
        raise halt("closed")
    tried = deciding.attempt(sight, body)
    if tried.stands is False and isinstance(body, C.Play) and recording.mode_of(ask.session, body) == "offer":
        failing = next(step.clause for step in tried.trail if step.holds is False)
        raise recording.refused(sight, "not-allowed", failing, tried.trail)
    return Reply(tried, 200, recording.etag(sight.head))


ROUTES: Final = (
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries", operation="record",
        also=("offer", "call", "ask_rewind", "approve_rewind"), call=write, query=Query, body=C.AnyCommand,
        answer=C.Entered, status=201, again=True, follows=True, limit="commands",
        says="Write to a match: one command, one entry, on the head that If-Match names.",
        problems=(
            "not-allowed", "physically-impossible", "conflict", "precondition-required", "command-reused", "closed",
            "unknown", "not-your-eyes", "sealed", "store-unavailable",
        ),
    ),
    Route(
        method="POST", path="/api/v1/matches/{match:str}/entries:try", operation="explain", call=attempt, query=Query,
        body=C.AnyCommand, answer=C.Tried, limit="tries",
        says="What would come of a command, as far as the viewer can know; nothing is recorded.",
        problems=("not-allowed", "closed", "unknown", "not-your-eyes", "sealed"),
    ),
)  # fmt: skip
