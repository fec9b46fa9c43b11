"""Legal actions, as lines for `do`."""

from typing import Annotated

from cli.answer import Answer
from cli.context import CommandContext
from cli.readers import LocalQueries, open_reader
from cli.values import At, Match, Viewer
from domain.judging.allowed import allowed
from domain.table.redact import SPECTATOR
from projections.answers import Legal

SHOWN_PER_VERB = 12
"""Default number of actions per verb."""
MOST = 1_000


class LocalOffers(LocalQueries):
    def offers(self, number: int, limit: int) -> Legal:
        over = self.record.closed and number == self.record.version
        offered = () if over else allowed(self.record, self.eyes, number, limit)
        return Legal(self.id, self.eyes.viewer, number, offered)


def legal(
    ctx: CommandContext,
    match: Match,
    at: At = None,
    viewer: Viewer = "spectator",
    limit: Annotated[int, "--limit N", {"min": 1, "max": MOST}] = SHOWN_PER_VERB,
) -> Answer[Legal]:
    """List the actions of the viewer's seat, or of the awaited seats, as far as the viewer may know."""
    reader = open_reader(ctx, LocalOffers, match, viewer, at)
    answer = reader.match.offers(reader.entry(at), limit)

    def draw() -> None:
        for doable in answer.allowed:
            for line in doable.actions:
                ctx.screen.line(line)

    def draw_hints() -> None:
        for doable in answer.allowed:
            if doable.more or not doable.whole:
                key = "legal.more" if doable.whole else "legal.more_at_least"
                ctx.hint(key, actor=doable.actor, verb=doable.verb, n=doable.more)
        if not answer.allowed:
            ctx.hint("legal.none", viewer=answer.viewer, at=answer.at)
        elif answer.viewer == SPECTATOR:
            ctx.hint("legal.public")

    return Answer(lambda: answer, draw, beside=draw_hints)
