"""A table whose unknown faces are asked for instead of guessed, for deciding on real cards."""

from domain.law.live import Live
from domain.law.outcome import UnknownFaceError
from domain.table.table import CardId, Table


class Asking(Live):
    """A live table on which reading an unknown face raises. On other tables it reads as no face."""

    __slots__ = ()


def face_of(t: Table, card: CardId, purpose: str = "") -> str | None:
    """Return the face of a card as the law reads it. Raises UnknownFaceError on an `Asking` table."""
    face = t.pieces[card].face
    if face is None and isinstance(t, Asking):
        raise UnknownFaceError(card, purpose)
    return face
