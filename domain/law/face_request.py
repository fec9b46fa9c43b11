"""Requests of the law for a face that it needs."""

from msgspec import Struct

from domain.table.table import CardId, Place


class FaceRequest(Struct, frozen=True):
    """The card whose face must be named before anything can be decided. `purpose` says why the card is turned up; '' if
    its place says it."""

    card: CardId
    place: Place
    purpose: str = ""
