"""A damaged match taken out of the store, so that it is in nobody's way."""

import re
from pathlib import Path
from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.values import Match
from recorder import clock
from recorder.answers import Unfit
from recorder.quarantine import Quarantined, quarantine as take_out, read_tombstones
from recorder.sealing import match_ids

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
"""Characters of a damaged id that the name of its file does not have."""


def quarantine(desk: Desk, match: Match, out: Annotated[str | None, "--out FILE"] = None) -> Answer[Quarantined]:
    """Move the rows of a damaged match into a file, as they are."""
    desk.require_store()
    with desk.store(writing=True) as store:
        known = {*match_ids(store), *read_tombstones(store)}  # the id of a damaged row may be none
        name = match.strip() if match.strip() in known else desk.match_id(store, match)
        where = Path(out or f"{_UNSAFE.sub('_', name)}.quarantine")
        done = take_out(store, name, where, clock.now())
    if isinstance(done, Unfit):
        raise desk.refuse(done.what)

    def draw() -> None:
        desk.tell("quarantine.done", "good", match=done.match, entry=done.entry, rows=done.rows, file=done.file)
        desk.hint("quarantine.next", match=done.match)

    return Answer(lambda: done, draw)
