"""A dispute with all that bears on it as one file, for players or for officials."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cli.answer import Answer
from cli.context import Desk
from cli.dispute.contradictions import read_ruled
from cli.outputs import distinct, writable, write_whole
from cli.readers import open_remote
from cli.values import Match
from projections.casefile import EYES, CaseFile, case_file
from projections.html.casefile import to_html
from projections.rulings import rulings_in

Audience = Annotated[Literal["players", "officials"], "--for players|officials"]


def casefile(
    desk: Desk,
    match: Match,
    dispute: Annotated[int, "DISPUTE"],
    audience: Audience,
    out: Annotated[str | None, "--out FILE.html"] = None,
) -> Answer[CaseFile]:
    """A dispute with the tables before and after, what was claimed, ruled and seen, and earlier rulings like it."""
    distinct(desk, {"--out": out}, [desk.where], ())
    writable(desk, [out])
    read: Callable[[], CaseFile]
    if desk.away:
        remote = open_remote(desk, match).match
        read = partial(remote.case_file, dispute, audience)
        read_page = partial(remote.case_page, dispute, audience, desk.lang)
    else:
        with desk.store() as store:
            record = desk.match(store, match)
            rulings = rulings_in(read_ruled(desk, store, record.game.key), EYES[audience])
            file = case_file(record, record.id, audience, dispute, rulings)
        read, read_page = (lambda: file), partial(to_html, file, record, desk.lang)
    if out is not None:
        write_whole(desk, Path(out), read_page())

    def draw() -> None:
        if out is None:
            desk.screen.raw(read_page())
        else:
            desk.tell("casefile.written", file=out)

    return Answer(read, draw)
