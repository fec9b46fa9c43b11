"""What seats have pledged for the shuffles of a match, how each stands, and the forms that reveal it."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from domain.formats.errors import FormatError
from domain.law.docket import Docket, docket_of
from domain.table.table import Seat
from domain.words import Text
from projections.phrases import seat_name
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.asking import Ask, Nothing, Reply
from service.house import Sight
from service.pages.paper import form, go, page, problem_of, said, tell_wrong, with_problem
from service.pages.within import form_id, match_name, way_to, within
from service.problems import Halt, Problem, halt

Short = Annotated[str, Meta(max_length=200)]


class Revealing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a form says of a seat: its secret, or why it is missing."""

    do: Literal["reveal", "missing"]
    id: UUID
    seat: Short
    secret: Short = ""
    reason: Short = ""


class Part(Struct, frozen=True):
    """The part of a seat in the shuffles, in words; `entry` says what became of it, 0 where that is awaited.

    `reveals`: whoever looks may reveal it now, under this `command`.
    """

    seat: Seat
    player: str
    pledge: str
    words: str
    entry: int
    url: str
    reveals: bool
    command: UUID


class Pledges(Struct, frozen=True):
    """What seats have pledged; `waits` names those that are awaited; with `judges` one may be said to be missing."""

    url: str
    commitment: str
    parts: tuple[Part, ...]
    waits: str
    judges: bool


def see_pledges(ask: Ask, sight: Sight, docket: Docket) -> Pledges:
    """The pledges of a match as whoever asks may act on them now."""
    match = sight.match
    writes = not (match.closed or sight.damaged or sight.lawless) and may(ask.session, "reveal", match.id)
    comma = said(ask, "list.comma")
    return Pledges(
        way_to(ask, sight).all("pledges"),
        match.opened.commitment,
        tuple(_part(ask, sight, docket, seat, writes) for seat in docket.seats if seat in docket.pledges),
        "" if match.closed else comma.join(seat_name(match.names, seat, ask.lang) for seat in docket.unrevealed),
        may(ask.session, "rule", match.id),
    )


def _part(ask: Ask, sight: Sight, docket: Docket, seat: Seat, writes: bool) -> Part:
    entry, revealed = docket.revealed.get(seat, (0, None))
    stands = "awaited" if revealed is None else "revealed" if revealed.secret else "missing"
    return Part(
        seat,
        seat_name(sight.match.names, seat, ask.lang),
        docket.pledges[seat],
        said(ask, f"fairness.part_{stands}", seat=seat_name(sight.match.names, seat, ask.lang)),
        entry,
        way_to(ask, sight).moment(entry) if entry else "",
        writes and revealed is None and ask.session.seat in ("", seat),
        form_id(ask, sight, "pledge", seat),
    )


def show_pledges(ask: Ask, query: Nothing, body: None) -> Reply:
    """What was pledged, and what became of it."""
    return _draw(ask, ask.look(ask.viewer, bare=True))


def reveal(ask: Ask, query: Nothing, body: Revealing) -> Reply:
    """Record what a seat reveals, or that it does not; back to the match."""
    viewer = ask.viewer
    sight = ask.look(viewer)
    try:
        R.write(ask, viewer, _command(body), "*")
    except (Halt, FormatError) as stopped:
        return _draw(ask, ask.look(viewer), problem_of(stopped))
    return go(way_to(ask, sight).live())


def _command(body: Revealing) -> C.Reveal:
    """What a form comes to. Halts where a secret is to be missing without a reason, or revealed without one."""
    secret, reason = body.secret.strip(), body.reason.strip()
    if not (secret if body.do == "reveal" else reason):
        raise halt("unreadable", Text("docket.secret_or_reason", {"seat": body.seat}))
    if body.do == "reveal":
        return C.Reveal(id=body.id, seat=Seat(body.seat), secret=secret)
    return C.Reveal(id=body.id, seat=Seat(body.seat), reason=reason)


def _draw(ask: Ask, sight: Sight, problem: Problem | None = None) -> Reply:
    drawn = within(
        ask,
        sight,
        "pledges.html",
        said(ask, "pledge.title", match=match_name(sight.match, ask.lang)),
        0,
        lambda eyes: eyes.all("pledges"),
        pledges=see_pledges(ask, sight, docket_of(sight.match.entries)),
        real=sight.match.undealt,
        wrong=tell_wrong(ask, problem),
    )
    return with_problem(drawn, problem)


ROUTES = (
    page("/m/{match:str}/pledges", show_pledges, "What seats have pledged for the shuffles, and how each stands."),
    page("/m/{match:str}/pledges/as/{viewer:str}", show_pledges, "The same with other eyes."),
    form("/m/{match:str}/pledges", reveal, "Reveal what a seat had pledged.", "reveal", Revealing, "commands"),
    form("/m/{match:str}/pledges/as/{viewer:str}", reveal, "The same.", "reveal", Revealing, "commands"),
)
