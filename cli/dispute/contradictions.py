from collections.abc import Iterator

from cli.answer import Answer
from cli.context import CommandContext
from cli.problems import FINDINGS, FINE
from cli.readers import LocalStoreQueries, open_store_queries
from cli.values import Viewer
from domain.formats.errors import explain_unknown
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.contradictions import Contradiction, contradictions as held_together, render_contradictions
from projections.rulings import rulings_in
from recorder.dispute_matches import ruled_matches
from recorder.store import Store


class LocalRulings(LocalStoreQueries, frozen=True):
    def contradictions(self, viewer: str) -> tuple[Contradiction, ...]:
        with self.ctx.store() as store:
            return held_together(rulings_in(read_ruled(self.ctx, store), Seat(viewer)))


def contradictions(ctx: CommandContext, viewer: Viewer = SPECTATOR) -> Answer[tuple[Contradiction, ...]]:
    """List the rulings that contradict each other under the same rules. The exit code is 1 if there are any."""
    if viewer not in (SPECTATOR, JUDGE):  # a seat is another person in each match
        raise ctx.refuse(explain_unknown("viewer", viewer, (SPECTATOR, JUDGE)))
    found = open_store_queries(ctx, LocalRulings).contradictions(viewer)

    def draw() -> None:
        ctx.screen.rows(render_contradictions(found, ctx.lang))
        if not found:
            ctx.print_message("contradiction.none")

    return Answer(lambda: found, draw, FINDINGS if found else FINE)


def read_ruled(ctx: CommandContext, store: Store, game: str = "") -> Iterator[tuple[str, Record]]:
    """Yield the matches of a store that have rulings. Warn of each that cannot be read."""
    for name, record in ruled_matches(store, game):
        if isinstance(record, Record):
            yield name, record
        else:
            ctx.warn(f"{name}: {record.say(ctx.lang)}")
