"""A damaged match taken out of the store, so that it is in nobody's way."""

from pathlib import Path
from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.values import Match
from recorder import clock
from recorder.answers import Unfit
from recorder.quarantine import Quarantined, quarantine as take_out


def quarantine(desk: Desk, match: Match, out: Annotated[str | None, "--out FILE"] = None) -> Answer[Quarantined]:
    """Move the rows of a damaged match into a file, as they are."""
    desk.require_store()
    with desk.store(writing=True) as store:
        name = desk.match_id(store, match)
        done = take_out(store, name, Path(out or f"{name}.quarantine"), clock.now())
    if isinstance(done, Unfit):
        raise desk.refuse(done.what)

    def draw() -> None:
        desk.tell("quarantine.done", "good", match=done.match, entry=done.entry, rows=done.rows, file=done.file)
        desk.hint("quarantine.next", match=done.match)

    return Answer(lambda: done, draw)
