"""Indexes beside corpora, as those hear of them who run many matches."""

from collections.abc import Callable

from archive.regress.index import has_stale_index, path_of
from cli.context import CommandContext


def warn_of_stale(ctx: CommandContext) -> Callable[[str], None]:
    """Told of a corpus whose index is looked at; of each it is said once if there is one that is not used."""
    known: set[str] = set()

    def look(file: str) -> None:
        if file not in known:
            known.add(file)
            if has_stale_index(file):
                ctx.warn(ctx.say("regress.stale_index", file=path_of(file)))

    return look
