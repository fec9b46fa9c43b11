"""Warnings about indexes of corpora."""

from collections.abc import Callable

from archive.regress.index import has_stale_index, path_of
from cli.context import CommandContext


def warn_of_stale(ctx: CommandContext) -> Callable[[str], None]:
    """Return a function that warns once per corpus with a stale index."""
    known: set[str] = set()

    def warn_once(file: str) -> None:
        if file not in known:
            known.add(file)
            if has_stale_index(file):
                ctx.warn(ctx.say("regress.stale_index", file=path_of(file)))

    return warn_once
