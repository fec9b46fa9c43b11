"""Breaking a seal and sealing again from a page: forms that do what the API does, and lead back to the moment."""

from typing import Final

from msgspec import Struct

from domain.table.table import Seat
from service import wire
from service.addresses import Way
from service.api import seals
from service.asking import Ask, Reply, read_moment
from service.pages.paper import form, go


class Breaking(Struct, frozen=True, forbid_unknown_fields=True):
    """With whose eyes to look, and at which entry; none: at the newest."""

    viewer: Seat
    moment: str = ""


class Sealing(Struct, frozen=True, forbid_unknown_fields=True):
    """At which entry to look then; none: at the newest."""

    moment: str = ""


def break_seal(ask: Ask, query: object, body: Breaking) -> Reply:
    """Look with other eyes; who does so stands in the record."""
    seals.break_seal(ask, query, wire.BreakSeal(viewer=body.viewer))
    return _back(ask, body.viewer, body.moment)


def seal_again(ask: Ask, query: object, body: Sealing) -> Reply:
    """Look with a spectator's eyes again."""
    seals.seal(ask, seals.Whose(), None)
    return _back(ask, "", body.moment)


def _back(ask: Ask, viewer: str, moment: str) -> Reply:
    sight = ask.look()
    way = Way(ask.lang, sight.match.id, viewer)
    return go(way.moment(*read_moment(moment, sight.head)) if moment else way.live())


ROUTES: Final = (
    form("/m/{match:str}/seal", break_seal, "Break the seal.", "break_seal", Breaking, "commands"),
    form("/m/{match:str}/seal/again", seal_again, "Put the seal back.", "break_seal", Sealing, "commands"),
)
