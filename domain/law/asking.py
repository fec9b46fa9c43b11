"""A table on which a face that nobody knows is asked for, not guessed: what law reads real cards by."""

from domain.law.live import Live
from domain.law.outcome import UnknownFaceError
from domain.table.table import CardId, Table


class Asking(Live):
    """A live table that takes no unknown face for an answer. On any other an unknown face is as good as none."""

    __slots__ = ()


def face_of(t: Table, card: CardId, purpose: str = "") -> str | None:
    """What is printed on a card, as the law reads it. Raises FaceAsked where that has to be known."""
    face = t.pieces[card].face
    if face is None and isinstance(t, Asking):
        raise UnknownFaceError(card, purpose)
    return face
