"""Ask the law about an entry. A law that fails on an unusual table gives no answer."""

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
    """Return the facts of set-up, the refused seat with its refusal, or None if the law fails."""
    if header.law is None:
        return None
    try:
        accepted, refused = set_up(header.law, header.decks, header.cards)
    except Exception:  # a text may describe any table, but a law may assume a sound one
        return None
    if accepted is None or not isinstance(header.opened, Undealt):
        return accepted if accepted is not None else refused
    told = hide_faces(Physics(header.opened.schema), accepted.told, header.opened.seats)
    return Accepted(told, accepted.table)


def judge(header: Header, table: Table, actor: Seat, action: Action, as_played: bool) -> Outcome | None:
    """Return the law's outcome, or None if it fails. An action marked `!` skips open questions in all texts (ADR 54).
    If the record skipped none, its facts are listed."""
    if header.law is None:
        return None
    decide_action = partial(decide_as_played, skips=True) if as_played else decide
    try:
        return decide_action(header.law, table, actor, action)
    except Exception:  # a text may describe any table, but a law may assume a sound one
        return None
