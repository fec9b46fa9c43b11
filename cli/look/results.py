"""Results of a round for the pairing program."""

from pathlib import Path
from typing import Annotated

from cli.answer import Answer
from cli.context import CommandContext
from cli.outputs import writable, write_whole
from cli.readers import LocalStoreQueries, open_store_queries
from projections.results import ResultRow, bare_row, list_results, result_of, write_results
from recorder.clock import read_wall_clock
from recorder.match_list import DamagedMatch
from recorder.rounds import read_round

Event = Annotated[str, "--event TEXT"]
RoundName = Annotated[str, "--round TEXT"]
Out = Annotated[str | None, "--out FILE.csv"]
Excel = Annotated[bool, "--excel"]


class LocalResults(LocalStoreQueries, frozen=True):
    def results(self, event: str, round: str) -> tuple[ResultRow, ...]:
        """Return the results of a round. Raises CommandError if it has no match."""
        at = read_wall_clock()
        with self.ctx.store() as store:
            official = (
                listed.match for listed in store.matches() if isinstance(listed, DamagedMatch) or not listed.parent
            )
            found = tuple(read_round(store, event, round, official))
        rows = tuple(
            list_results(
                bare_row(read.match, read.entries, "damaged")
                if read.damaged
                else result_of(read.match, read.entries, at)
                for read in found
            )
        )
        if not rows:
            raise self.ctx.problem("results.no_match", event=event, round=round)
        return rows


def results(
    ctx: CommandContext, event: Event, round: RoundName, out: Out = None, excel: Excel = False
) -> Answer[tuple[ResultRow, ...]]:
    writable(ctx, [out])
    rows = open_store_queries(ctx, LocalResults).results(event.strip(), round.strip())
    text = write_results(rows, excel=excel and out is not None)
    if out is not None:
        write_whole(ctx, Path(out), text.encode())

    def draw() -> None:
        if out is None:
            for line in text.splitlines():
                ctx.screen.line(line)
            return
        unfinished = sum(row.result in ("not finished", "damaged") for row in rows)
        ctx.print_message("results.written", file=out, n=len(rows), open=unfinished)

    return Answer(lambda: rows, draw)
