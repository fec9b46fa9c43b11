"""The disputes of a match, as whoever asks may see them. They are recorded as all else is, by commands."""

from typing import Annotated, Final

from msgspec import Meta

from domain.table.redact import SPECTATOR
from domain.words import Text
from projections.disputes import SeenDispute, seen_disputes
from service.api.seeing import ASK_AGAIN, Query, make_route, tell_hashed
from service.asking import Ask, Reply
from service.command_ids import writer
from service.house import Sight
from service.problems import halt
from service.security import NO_STORE


class Pending(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All disputes, or those of which a ruling or a decision is awaited."""

    open: Annotated[bool, Meta(description="only those that somebody has to rule on or decide")] = False


def show_disputes(ask: Ask, query: Pending, body: None) -> Reply:
    """The disputes of a match, the oldest first."""
    sight = ask.look(query.viewer)
    every = list_disputes(ask, sight)
    return _tell(ask, sight, tuple(seen for seen in every if not query.open or seen.pending))


def show_dispute(ask: Ask, query: Query, body: None) -> Reply:
    """One dispute, known by the entry that opened it."""
    sight = ask.look(query.viewer)
    return _tell(ask, sight, find_dispute(ask, sight))


def list_disputes(ask: Ask, sight: Sight) -> tuple[SeenDispute, ...]:
    """The disputes of a match; a judge of the match reads all claims, whoever's eyes they look with."""
    by = writer(ask.session) if sight.judges else None
    return seen_disputes(sight.match, sight.match.id, sight.eyes, by, judges=sight.judges)


def find_dispute(ask: Ask, sight: Sight) -> SeenDispute:
    """The dispute that the path names. Halts where the entry opens none."""
    number = ask.number("n", sight.head)
    for dispute in list_disputes(ask, sight):
        if dispute.dispute == number:
            return dispute
    raise halt("unknown", Text("docket.no_dispute", {"entry": number}))


def _tell(ask: Ask, sight: Sight, value: object) -> Reply:
    """What is told, under its own tag: it hangs on who asks, too."""
    kept = ASK_AGAIN if sight.eyes.viewer == SPECTATOR else NO_STORE
    return tell_hashed(ask, value, {"Cache-Control": kept})


ROUTES: Final = (
    make_route(
        "/disputes", show_disputes, tuple[SeenDispute, ...],
        "The disputes of a match: what each is about, what was claimed and ruled, how it stands.", query=Pending,
    ),
    make_route("/disputes/{n:str}", show_dispute, SeenDispute, "One dispute, by the entry that opened it."),
)  # fmt: skip
