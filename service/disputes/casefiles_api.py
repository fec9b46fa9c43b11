"""API of case files and of contradicting rulings."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import explain_unknown
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import Lang
from projections.casefile import Audience, CaseFile
from projections.contradictions import Contradiction
from projections.dockets import DisputeFilter, DisputeListItem, Wanted
from service.api import (
    LIST_PAGE,
    LIST_PAGE_MAX,
    MATCH,
    NAME_MAX,
    ROOT,
    VIEW_PROBLEMS,
    ListPageQuery,
    Query,
    hashed_response,
    page_with_link,
)
from service.disputes import casefiles
from service.problems import http_problem
from service.requests import HTML, JSON, Call, Request, Response, Route
from service.security import NO_STORE

VIEWERS: Final = (SPECTATOR, JUDGE)


class CaseFileQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"audience": "for"}):
    audience: Annotated[Audience, Meta(description="`officials` is for judges who may see all of the match")]
    lang: Lang = "en"


class ContradictionsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Viewer (spectator or judge), and the game; all games by default."""

    game: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    after: Annotated[str, Meta(max_length=NAME_MAX, description="the key of the last row of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=LIST_PAGE_MAX)] = LIST_PAGE


def show_file(request: Request, query: CaseFileQuery, body: None) -> Response:
    view, number = casefiles.look_as_audience(request, query.audience)
    return Response(casefiles.make_file(request, view, query.audience, number))


def take_file(request: Request, query: CaseFileQuery, body: None) -> Response:
    return casefiles.download_file(replace(request, lang=query.lang), query.audience)


def list_contradictions(request: Request, query: ContradictionsQuery, body: None) -> Response:
    viewer = Seat(query.viewer or SPECTATOR)
    if viewer not in VIEWERS:
        raise http_problem("unreadable", explain_unknown("viewer", viewer, VIEWERS))
    parted = casefiles.list_contradictions(request, viewer, query.game)
    page, more = page_with_link(request, query, parted, contradiction_key)
    return hashed_response(request, page, {"Cache-Control": NO_STORE, **more})


def contradiction_key(parted: Contradiction) -> str:
    first = parted.rulings[0]
    return f"{parted.clause}/{parted.verb}/{first.match}/{first.dispute}"


class DocketQuery(ListPageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter of disputes: standing, part of a player's or event's name, clause, game."""

    standing: Wanted = "any"
    player: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    clause: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    event: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    game: Annotated[str, Meta(max_length=NAME_MAX)] = ""

    @property
    def sought(self) -> DisputeFilter:
        return DisputeFilter(**{name: getattr(self, name) for name in DisputeFilter.__struct_fields__})


def list_docket(request: Request, query: DocketQuery, body: None) -> Response:
    page, more = page_with_link(request, query, casefiles.list_docket(request, query.sought), docket_key)
    return hashed_response(request, page, {"Cache-Control": NO_STORE, **more})


def docket_key(dispute: DisputeListItem) -> str:
    return f"{dispute.match}/{dispute.dispute}"


def _make_route(form: str, call: Call, answer: object, kind: str, says: str) -> Route:
    """Return the route of a case file. It needs the export right, because it reads the rules and all rulings."""
    return Route(
        method="GET", path=f"{MATCH}/disputes/{{n:str}}/casefile{form}", operation="export", also=("export_case",),
        call=call, query=CaseFileQuery, answer=answer, kind=kind, limit="tries", says=says, problems=VIEW_PROBLEMS,
    )  # fmt: skip


ROUTES: Final = (
    _make_route("", show_file, CaseFile, JSON, "Return the case file of a dispute, for players or officials."),
    _make_route(".html", take_file, str, HTML, "Return the case file as a self-contained page."),
    Route(
        method="GET", path=f"{ROOT}/disputes", operation="see", call=list_docket, query=DocketQuery,
        answer=tuple[DisputeListItem, ...], tagged=True, limit="tries", paged=True,
        problems=("unreadable",), says="List the disputes of all matches. Those that wait for an answer come first.",
    ),
    Route(
        method="GET", path=f"{ROOT}/contradictions", operation="see", call=list_contradictions,
        query=ContradictionsQuery,
        answer=tuple[Contradiction, ...], tagged=True, limit="tries", paged=True,
        problems=("unreadable",), says="List rulings that contradict each other under the same rules.",
    ),
)  # fmt: skip
