"""Rulings of a store that contradict each other."""

from collections.abc import Iterator

from cli.answer import Answer
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from cli.values import Viewer
from domain.formats.errors import unknown
from domain.law.record import Record
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.contradictions import Contradiction, contradictions as held_together, render_contradictions
from projections.rulings import rulings_in
from recorder.ruled import ruled_matches
from recorder.store import Store


def contradictions(desk: Desk, viewer: Viewer = SPECTATOR) -> Answer[tuple[Contradiction, ...]]:
    """List the rulings of the store that contradict each other under the same rules; 1 if there are any."""
    require_viewer(desk, viewer)
    with desk.store() as store:
        told = held_together(rulings_in(read_ruled(desk, store), Seat(viewer)))
    return answer_parted(desk, told)


def require_viewer(desk: Desk, viewer: str) -> None:
    """Raises Problem for a seat: in another match it is somebody else."""
    if viewer not in (SPECTATOR, JUDGE):
        raise desk.refuse(unknown("viewer", viewer, (SPECTATOR, JUDGE)))


def answer_parted(desk: Desk, told: tuple[Contradiction, ...]) -> Answer[tuple[Contradiction, ...]]:
    """Contradictions, and whether there are any."""

    def draw() -> None:
        desk.screen.rows(render_contradictions(told, desk.lang))
        if not told:
            desk.tell("contradiction.none")

    return Answer(lambda: told, draw, FINDINGS if told else FINE)


def read_ruled(desk: Desk, store: Store, game: str = "") -> Iterator[tuple[str, Record]]:
    """The matches of a store with rulings in them. One that cannot be read is named beside the answer."""
    for name, record in ruled_matches(store, game):
        if isinstance(record, Record):
            yield name, record
        else:
            desk.warn(f"{name}: {record.say(desk.lang)}")
