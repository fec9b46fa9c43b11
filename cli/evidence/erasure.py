"""Erasure of player names."""

from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.context import CommandContext
from recorder.clock import read_wall_clock
from recorder.name_erasure import DAY_MS, ReadableName, forget_names, known_names

SHOWN = 20


class Forgotten(Struct, frozen=True):
    """The erased names, or with `dry` those to erase. `fixed` counts names that records contain, which stay."""

    names: tuple[ReadableName, ...]
    dry: bool = False
    fixed: int = 0


def forget(
    ctx: CommandContext,
    name: Annotated[str, "NAME"] = "",
    match: Annotated[str | None, "--match MATCH"] = None,
    older: Annotated[int | None, "--older-than DAYS", {"min": 0}] = None,
    dry: Annotated[bool, "--dry-run"] = False,
) -> Answer[Forgotten]:
    """Erase names of players for good. Records stay unchanged and show seats instead."""
    ctx.require_store()
    if not name and match is None and older is None:
        raise ctx.problem("forget.which")
    before = None if older is None else read_wall_clock() - older * DAY_MS
    with ctx.store(writing=not dry) as store:
        chosen = "" if match is None else ctx.match_id(store, match)
        found = [*known_names(store, name, chosen, before)]
        if name and not found:
            raise ctx.problem("forget.unknown", name=repr(name), store=ctx.where)
        names = [known for known in found if not known.fixed]
        emptied = dry or not names or forget_names(store, names)
    value = Forgotten(tuple(names), dry, len(found) - len(names))

    def draw() -> None:
        for known in names[:SHOWN]:
            ctx.screen.line(f"{known.match} {known.seat} {known.name}")
        matches = {known.match for known in names}
        ctx.print_message("forget.would" if dry else "forget.done", n=len(names), matches=len(matches))
        if value.fixed:
            ctx.print_message("forget.fixed", n=value.fixed)
        if not emptied:
            ctx.print_message("forget.busy", "bad", store=ctx.where)
        if names and not dry:
            ctx.hint("forget.elsewhere")

    return Answer(lambda: value, draw)
