"""Names of players forgotten, in a store with a vault."""

from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.context import Desk
from domain.table.table import Seat
from recorder.clock import now
from recorder.forgetting import DAY_MS, Known, forget_names, known_names

SHOWN = 20
"""So many names are listed one by one."""


class Name(Struct, frozen=True):
    """A name that is forgotten, or would be: in which match, of which seat."""

    match: str
    seat: Seat
    name: str


class Forgotten(Struct, frozen=True):
    """Which names are forgotten; `dry`: which would be."""

    names: tuple[Name, ...]
    dry: bool = False


def forget(
    desk: Desk,
    name: Annotated[str, "NAME"] = "",
    match: Annotated[str | None, "--match MATCH"] = None,
    older: Annotated[int | None, "--older-than DAYS", {"min": 0}] = None,
    dry: Annotated[bool, "--dry-run"] = False,
) -> Answer[Forgotten]:
    """Forget names of players for good: records stay as they are, and nobody can read the names in any copy."""
    desk.require_store()
    if not name and match is None and older is None:
        raise desk.problem("forget.which")
    before = None if older is None else now() - older * DAY_MS
    with desk.store(writing=not dry) as store:
        chosen = "" if match is None else desk.match_id(store, match)
        known = [*known_names(store, name, chosen, before)]
        if known and not dry:
            forget_names(store, known)
    value = Forgotten(tuple(map(_told, known)), dry)

    def draw() -> None:
        for told in value.names[:SHOWN]:
            desk.screen.line(f"{told.match} {told.seat} {told.name}")
        desk.tell("forget.would" if dry else "forget.done", n=len(known), matches=len({one.match for one in known}))
        if known and not dry:
            desk.hint("forget.elsewhere")

    return Answer(lambda: value, draw)


def _told(known: Known) -> Name:
    return Name(known.match, known.seat, known.name)
