"""Requests of the law for unknown faces."""

from msgspec import Struct

from domain.table.table import CardId, Place


class FaceRequest(Struct, frozen=True):
    """A card whose face the law needs before it can decide. `purpose` says why the card is turned up; '' if its place
    implies it."""

    card: CardId
    place: Place
    purpose: str = ""
