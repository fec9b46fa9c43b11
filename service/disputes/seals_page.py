"""Forms that break and restore a seal. They return to the same moment."""

from typing import Final

from msgspec import Struct

from domain.table.table import Seat
from service import payloads
from service.addresses import MatchUrls
from service.disputes import seals_api
from service.pages import form_route, redirect
from service.requests import Request, Response, read_moment


class BreakSealForm(Struct, frozen=True, forbid_unknown_fields=True):
    viewer: Seat
    moment: str = ""


class ResealForm(Struct, frozen=True, forbid_unknown_fields=True):
    moment: str = ""


def break_seal(request: Request, query: object, body: BreakSealForm) -> Response:
    seals_api.break_seal(request, query, payloads.BreakSeal(viewer=body.viewer))
    return _go_back(request, body.viewer, body.moment)


def seal_again(request: Request, query: object, body: ResealForm) -> Response:
    seals_api.seal(request, seals_api.ResealRequest(), None)
    return _go_back(request, "", body.moment)


def _go_back(request: Request, viewer: str, moment: str) -> Response:
    view = request.look()
    urls = MatchUrls(request.lang, view.match.id, viewer)
    return redirect(urls.moment_url(*read_moment(moment, view.head)) if moment else urls.live_url())


ROUTES: Final = (
    form_route("/m/{match:str}/seal", break_seal, "Break the seal.", "break_seal", BreakSealForm, "commands"),
    form_route("/m/{match:str}/seal/again", seal_again, "Restore the seal.", "break_seal", ResealForm, "commands"),
)
