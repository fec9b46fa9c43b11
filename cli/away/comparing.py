"""Disputes of a service beside each other: all of them, the case file of one, rulings that contradict each other."""

from pathlib import Path

from cli.answer import Answer
from cli.away.asking import Away, service
from cli.context import Desk
from cli.dispute.casefile import Audience
from cli.dispute.contradictions import answer_parted, require_viewer
from cli.dispute.docket import answer_docket
from cli.outputs import writable, write_whole
from projections.casefile import CaseFile
from projections.contradictions import Contradiction
from projections.dockets import Listed, Sought, Wanted


def casefile(desk: Desk, match: str, dispute: int, audience: Audience, out: str | None) -> Answer[CaseFile]:
    """A dispute with all that bears on it, for players or for officials."""
    writable(desk, [out])
    there = Away(desk, match).match
    if out is not None:
        write_whole(desk, Path(out), there.case_page(dispute, audience, desk.lang))

    def draw() -> None:
        if out is None:
            desk.screen.raw(there.case_page(dispute, audience, desk.lang))
        else:
            desk.tell("casefile.written", file=out)

    return Answer(lambda: there.case_file(dispute, audience), draw)


def contradictions(desk: Desk, viewer: str) -> Answer[tuple[Contradiction, ...]]:
    """The rulings of a service's matches that contradict each other; 1 if there are any."""
    require_viewer(desk, viewer)
    return answer_parted(desk, service(desk).contradictions(viewer))


def docket(desk: Desk, standing: Wanted, player: str, clause: str, event: str, game: str) -> Answer[tuple[Listed, ...]]:
    """The disputes of all matches of a service."""
    if game:
        desk.game(game)
    sought = Sought(standing=standing, player=player, clause=clause, event=event, game=game)
    return answer_docket(desk, service(desk).docket(sought))
