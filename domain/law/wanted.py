"""What the law cannot go on without."""

from msgspec import Struct

from domain.table.table import CardId, Place


class FaceWanted(Struct, frozen=True):
    """Nothing can be decided before this card's face is named."""

    card: CardId
    place: Place
