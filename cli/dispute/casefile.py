"""Case files: a dispute with all related entries as one file, for players or officials."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cli.answer import Answer
from cli.context import CommandContext
from cli.dispute.contradictions import read_ruled
from cli.outputs import distinct, writable, write_whole
from cli.readers import LocalQueries, open_reader
from cli.values import Match
from domain.words import Lang
from projections.casefile import EYES, CaseFile, case_file
from projections.html.casefile import to_html
from projections.rulings import rulings_in

Audience = Annotated[Literal["players", "officials"], "--for players|officials"]


class LocalCases(LocalQueries):
    def case_file(self, dispute: int, audience: Audience) -> CaseFile:
        """Return the case file of a dispute. Raises CommandError."""
        with self.ctx.store() as store:
            rulings = rulings_in(read_ruled(self.ctx, store, self.record.game.key), EYES[audience])
            return case_file(self.record, self.id, audience, dispute, rulings)

    def case_page(self, dispute: int, audience: Audience, lang: Lang) -> bytes:
        """Return the case file as a self-contained page. Raises CommandError."""
        return to_html(self.case_file(dispute, audience), self.record, lang)


def casefile(
    ctx: CommandContext,
    match: Match,
    dispute: Annotated[int, "DISPUTE"],
    audience: Audience,
    out: Annotated[str | None, "--out FILE.html"] = None,
) -> Answer[CaseFile]:
    """Show a dispute with the tables before and after it, the claims, the rulings and earlier similar rulings."""
    distinct(ctx, {"--out": out}, [ctx.where], ())
    writable(ctx, [out])
    queries = open_reader(ctx, LocalCases, match, "").match
    read_page = partial(queries.case_page, dispute, audience, ctx.lang)
    if out is not None:
        write_whole(ctx, Path(out), read_page())

    def draw() -> None:
        if out is None:
            ctx.screen.raw(read_page())
        else:
            ctx.print_message("casefile.written", file=out)

    return Answer(partial(queries.case_file, dispute, audience), draw)
