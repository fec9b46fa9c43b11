"""A live table on which an unknown face raises an error, for deciding on real cards."""

from domain.law.live import LiveTable
from domain.law.outcome import UnknownFaceError
from domain.table.table import CardId, Table


class StrictLiveTable(LiveTable):
    """A live table on which `face_of` raises for an unknown face. On other tables it returns None."""

    __slots__ = ()


def face_of(t: Table, card: CardId, purpose: str = "") -> str | None:
    """Return the face of a card; None if it is unknown. Raises UnknownFaceError instead on a `StrictLiveTable`."""
    face = t.pieces[card].face
    if face is None and isinstance(t, StrictLiveTable):
        raise UnknownFaceError(card, purpose)
    return face
