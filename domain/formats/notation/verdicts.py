"""What the law says to an entry. A law that stumbles over a table it cannot read says nothing."""

from functools import partial

from domain.formats.notation.header import Header
from domain.law.driver import decide, decide_as_played, set_up
from domain.law.entries import Undealt
from domain.law.outcome import Accepted, Outcome
from domain.law.slots import Action
from domain.law.unseen import hide_faces
from domain.table.physics import Physics
from domain.table.table import Seat, Table


def lay_out(header: Header) -> Accepted | tuple[Seat, Outcome] | None:
    """The facts of set-up, the refused seat with its refusal, or None if the law cannot tell."""
    if header.law is None:
        return None
    try:
        accepted, refused = set_up(header.law, header.decks, header.cards)
    except Exception:  # any table can stand in a text, and a law may assume a sound one
        return None
    if accepted is None or not isinstance(header.opened, Undealt):
        return accepted if accepted is not None else refused
    told = hide_faces(Physics(header.opened.schema), accepted.told, header.opened.seats)
    return Accepted(told, accepted.table)


def judge(header: Header, table: Table, actor: Seat, action: Action, as_played: bool) -> Outcome | None:
    """Accepted or refused, or None if the law cannot tell.

    A bare `!` keeps the meaning it has in every text written so far: it skips what is open (ADR 54). Where nothing was
    skipped, the text lists the facts.
    """
    if header.law is None:
        return None
    judge = partial(decide_as_played, skips=True) if as_played else decide
    try:
        return judge(header.law, table, actor, action)
    except Exception:  # any table can stand in a text, and a law may assume a sound one
        return None
