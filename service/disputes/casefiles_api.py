"""The case file of a dispute for a named audience, as a value or as a page; and rulings that contradict each other."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from domain.formats.errors import unknown
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import Lang
from projections.casefile import Audience, CaseFile
from projections.contradictions import Contradiction
from projections.dockets import DisputeFilter, DisputeListItem, Wanted
from service.api import MATCH, NAME_MAX, ROOT, UNSEEN, Query, hashed_response
from service.disputes import casefiles
from service.problems import http_problem
from service.requests import HTML, JSON, Call, Request, Response, Route
from service.security import NO_STORE

VIEWERS: Final = (SPECTATOR, JUDGE)


class Readers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"audience": "for"}):
    """For whom a case file is, and in which language its page opens."""

    audience: Annotated[Audience, Meta(description="officials' is for judges who may see all of the match")]
    lang: Lang = "en"


class ContradictionsQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """With whose eyes, a spectator's or a judge's; rulings of which game, of all if none is named."""

    game: Annotated[str, Meta(max_length=NAME_MAX)] = ""


def show_file(request: Request, query: Readers, body: None) -> Response:
    """The case file as a value."""
    view, number = casefiles.look_for(request, query.audience)
    return Response(casefiles.make_file(request, view, query.audience, number))


def take_file(request: Request, query: Readers, body: None) -> Response:
    """The same as a page that needs nothing else."""
    return casefiles.take_file(replace(request, lang=query.lang), query.audience)


def list_parted(request: Request, query: ContradictionsQuery, body: None) -> Response:
    """The rulings that contradict each other, of each match what whoever asks may know there."""
    viewer = Seat(query.viewer or SPECTATOR)
    if viewer not in VIEWERS:
        raise http_problem("unreadable", unknown("viewer", viewer, VIEWERS))
    parted = casefiles.list_contradictions(request, viewer, query.game)
    return hashed_response(request, parted, {"Cache-Control": NO_STORE})


class DocketQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which disputes: how they stand, a part of a player's name or of the event's, a clause, a game."""

    standing: Wanted = "any"
    player: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    clause: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    event: Annotated[str, Meta(max_length=NAME_MAX)] = ""
    game: Annotated[str, Meta(max_length=NAME_MAX)] = ""

    @property
    def sought(self) -> DisputeFilter:
        """What is looked for."""
        return DisputeFilter(**asdict(self))


def list_docket(request: Request, query: DocketQuery, body: None) -> Response:
    """The disputes of all matches, of each as far as whoever asks may see it."""
    return hashed_response(request, casefiles.list_docket(request, query.sought), {"Cache-Control": NO_STORE})


def _make_route(form: str, call: Call, answer: object, kind: str, says: str) -> Route:
    """Return the route of a case file. It needs the right to export it: the law and all rulings are read for it."""
    return Route(
        method="GET", path=f"{MATCH}/disputes/{{n:str}}/casefile{form}", operation="export", also=("export_case",),
        call=call, query=Readers, answer=answer, kind=kind, limit="tries", says=says, problems=UNSEEN,
    )  # fmt: skip


ROUTES: Final = (
    _make_route("", show_file, CaseFile, JSON, "The case file of a dispute, for players or for officials."),
    _make_route(".html", take_file, str, HTML, "The same as one page that needs nothing else."),
    Route(
        method="GET", path=f"{ROOT}/disputes", operation="see", call=list_docket, query=DocketQuery,
        answer=tuple[DisputeListItem, ...], tagged=True, limit="tries",
        says="The disputes of all matches, those first for which somebody is waited.",
    ),
    Route(
        method="GET", path=f"{ROOT}/contradictions", operation="see", call=list_parted, query=ContradictionsQuery,
        answer=tuple[Contradiction, ...], tagged=True, limit="tries",
        says="Rulings that contradict each other under the same rules.",
    ),
)  # fmt: skip
