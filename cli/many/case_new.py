"""A case begun from a match: the skeleton that a judge or a designer goes on with."""

from typing import Annotated

from cli import files
from cli.context import Desk
from cli.values import At, Record, Viewer
from domain.formats.casebook.skeleton import write_case, write_ruling


def new(
    desk: Desk,
    record: Record,
    at: At = None,
    ruling: Annotated[int | None, "--ruling DISPUTE"] = None,
    name: Annotated[str | None, "--id ID"] = None,
    viewer: Viewer = "spectator",
) -> None:
    """Write the casebook to standard output: all that lies on the table is in it, so an open match is for judges."""
    with files.open_record(desk, record) as match:
        desk.only_judge(match, desk.eyes(match, viewer), "case.only_judge")
        if ruling is not None and at is not None:
            raise desk.problem("cli.not_both", one="--ruling", other="--at")
        number = desk.entry(match, at)
        with desk.refusing():
            if ruling is None:
                text = write_case(match.game, match.entries, number, name or f"{match.id} {number}")
            else:
                text = write_ruling(match.game, match.entries, ruling, name or f"{match.id} {ruling}")
    desk.screen.raw(text.encode())
