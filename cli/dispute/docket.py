"""Docket: the disputes of all matches."""

from collections.abc import Iterator
from typing import Annotated

from cli.answer import Answer
from cli.context import CommandContext
from cli.readers import LocalStoreQueries, open_store_queries
from domain.games import GAMES
from domain.words import Text
from projections.dockets import DisputeFilter, DisputeListItem, Wanted, collect, list_disputes, row_words
from recorder.dispute_matches import disputed_matches
from recorder.store import Store

HEADS = ("match", "dispute", "place", "names", "state", "matter", "ruling", "since")
DROPPED_FIRST = (7, 2, 3, 6)
"""Columns that a narrow terminal drops, in this order."""

Standing = Annotated[Wanted, "--standing any|waiting|open|ruled|appealed|closed"]


class LocalDocket(LocalStoreQueries, frozen=True):
    def docket(self, sought: DisputeFilter) -> tuple[DisputeListItem, ...]:
        with self.ctx.store() as store:
            return collect(_read(self.ctx, store), sought)


def docket(
    ctx: CommandContext,
    standing: Standing = "any",
    player: Annotated[str, "--player NAME"] = "",
    clause: Annotated[str, "--clause CLAUSE"] = "",
    event: Annotated[str, "--event TEXT"] = "",
    game: Annotated[str, "--game GAME"] = "",
) -> Answer[tuple[DisputeListItem, ...]]:
    if game:
        ctx.game(game)
    sought = DisputeFilter(standing=standing, player=player, clause=clause, event=event, game=game)
    disputes = open_store_queries(ctx, LocalDocket).docket(sought)

    def draw() -> None:
        if disputes:
            rows = [row_words(dispute, ctx.lang, ctx.zone) for dispute in disputes]
            ctx.screen.table(ctx.heads(HEADS), rows, DROPPED_FIRST)
        else:
            ctx.print_message("docket.none")

    return Answer(lambda: disputes, draw)


def _read(ctx: CommandContext, store: Store) -> Iterator[DisputeListItem]:
    for name, entries in disputed_matches(store):
        if isinstance(entries, Text):
            ctx.warn(f"{name}: {entries.say(ctx.lang)}")
        else:
            yield from list_disputes(name, entries, GAMES)
