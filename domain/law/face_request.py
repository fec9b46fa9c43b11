"""Requests of the law for unknown faces."""

from msgspec import Struct

from domain.table.table import CardId, Place


class FaceRequest(Struct, frozen=True):
    """A card whose face the law needs before it can decide. `purpose` says why the card is turned up; '' if its place
    implies it."""

    card: CardId
    place: Place
    purpose: str = ""


class FaceSplit(Struct, frozen=True):
    """A decision that reads only whether a face is one of `faces`. Such a card goes to `area`, any other card to
    `other_area`. All players see which, so the area is known even if the face is not.

    Without an `area`, a card with one of the faces is revealed, so an unseen card has another face.
    """

    purpose: str
    faces: frozenset[str]
    area: str
    other_area: str

    @property
    def areas(self) -> tuple[str, ...]:
        return (self.area, self.other_area) if self.area else (self.other_area,)

    def leads_to(self, face: str | None) -> str:
        return self.area if face in self.faces else self.other_area
