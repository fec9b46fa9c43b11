"""A live table on which an unknown face raises an error, for deciding on real cards."""

from collections.abc import Mapping

from domain.law.face_request import FaceSplit
from domain.law.live import LiveTable
from domain.law.outcome import UnknownFaceError
from domain.table.table import CardId, Table


class StrictLiveTable(LiveTable):
    """A live table on which `face_of` raises for an unknown face. On other tables it returns None. `areas` are the
    areas that unseen cards went to; without them, a card that would be revealed counts as another one."""

    __slots__ = ("areas", "reveals")

    def __init__(self, table: Table, areas: Mapping[CardId, str] | None = None) -> None:
        super().__init__(table)
        self.areas: Mapping[CardId, str] = areas or {}
        self.reveals = areas is not None


def face_of(t: Table, card: CardId, purpose: str = "") -> str | None:
    """Return the face of a card; None if it is unknown. Raises UnknownFaceError instead on a `StrictLiveTable`."""
    face = t.pieces[card].face
    if face is None and isinstance(t, StrictLiveTable):
        raise UnknownFaceError(card, purpose)
    return face


def area_of(t: Table, card: CardId, split: FaceSplit) -> str:
    """Return the area that the face of a card leads to. For an unknown face this is the area that all players saw it
    go to. Raises UnknownFaceError on a `StrictLiveTable` that knows neither."""
    face = t.pieces[card].face
    if face is None and isinstance(t, StrictLiveTable) and (split.area or t.reveals):
        area = t.areas.get(card)
        if area not in split.areas:
            raise UnknownFaceError(card, split.purpose)
        return area
    return split.leads_to(face)
