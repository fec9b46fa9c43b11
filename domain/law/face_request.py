"""What the law cannot go on without."""

from msgspec import Struct

from domain.table.table import CardId, Place


class FaceRequest(Struct, frozen=True):
    """Nothing can be decided before this card's face is named.

    `purpose` is a word for what the card is turned up for; empty where its place says it.
    """

    card: CardId
    place: Place
    purpose: str = ""
