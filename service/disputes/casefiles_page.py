"""Pages of all disputes and of contradictions, and downloads of case files and cases."""

from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.law.docket import PENDING
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.casefile import Audience
from projections.disputes import SeenDispute
from projections.dockets import Wanted, row_words
from service.access import may, view_access
from service.addresses import match_urls_of, page_url
from service.context import MatchView
from service.disputes import casefiles
from service.disputes.appeals import make_contradiction_row
from service.disputes.casefiles import AUDIENCES
from service.disputes.casefiles_api import DocketQuery, contradiction_key, docket_key
from service.match.layout import match_name, match_page
from service.pages import page_route, template_page, translate
from service.paging import AfterQuery, page_list
from service.problems import http_problem
from service.requests import EmptyPayload, Request, Response, Route

CASE: Final = "case"
WANTED: Final[tuple[Wanted, ...]] = get_args(Wanted)
TOML: Final = "application/toml"


class CaseFileLink(Struct, frozen=True):
    """A download of a dispute. `sealed`: the seal must be broken first."""

    what: Audience | Literal["case"]
    url: str
    sealed: bool = False


def list_files(request: Request, view: MatchView, dispute: SeenDispute) -> list[CaseFileLink]:
    match, context = view.match, request.context
    urls = match_urls_of(request.lang, match.id, SPECTATOR)

    def url(*parts: str) -> str:
        return urls.shared_url("disputes", dispute.dispute, *parts)

    broken = context.seals.find_broken(request.session, match.id, context.clock())
    access = view_access(
        request.session, match.id, JUDGE, broken, closed=view.over, published=context.settings.published
    )
    files: list[CaseFileLink] = []
    if not may(request.session, "export", match.id, closed=view.over):
        return files
    files.append(CaseFileLink("players", url("casefile", "players")))
    if access != "no" and may(request.session, "export_case", match.id):
        files.append(CaseFileLink("officials", url("casefile", "officials"), access == "sealed"))
    if access != "no" and dispute.standing != "open":
        files.append(CaseFileLink(CASE, url(CASE), access == "sealed"))
    return files


def take_file(request: Request, query: EmptyPayload, body: None) -> Response:
    for audience in AUDIENCES:
        if request.path["audience"] == audience:
            return casefiles.download_file(request, audience)
    raise http_problem("unknown")


def show_case(request: Request, query: EmptyPayload, body: None) -> Response:
    """Show the ruling in a dispute as a case before download."""
    view, number, text = casefiles.write_case(request)
    return match_page(
        request,
        view,
        "case.html",
        translate(request, "disputes.case_title", match=match_name(view.match, request.lang), n=number),
        0,
        lambda viewer_urls: viewer_urls.entry_url("disputes", number),
        text=text,
        dispute=match_urls_of(request.lang, view.match.id, view.eyes.viewer).entry_url("disputes", number),
        of_dispute=number,
        taken=f"{request.url}/file",
    )


def take_case(request: Request, query: EmptyPayload, body: None) -> Response:
    view, number, text = casefiles.write_case(request)
    name = f"{view.match.id}-{number}.cases.toml"
    return Response(text.encode(), headers={"Content-Disposition": f'attachment; filename="{name}"'}, kind=TOML)


def show_contradictions(request: Request, query: AfterQuery, body: None) -> Response:
    page = page_list(casefiles.list_contradictions(request, SPECTATOR), query.after, contradiction_key)
    return template_page(
        request,
        "parted.html",
        translate(request, "contradiction.title"),
        parted=[make_contradiction_row(request, each) for each in page.rows],
        page=page,
        back=page_url(request.lang, "floor"),
    )


class DisputeRow(Struct, frozen=True):
    url: str
    words: tuple[str, ...]
    pending: bool
    sentence: str


def show_docket(request: Request, query: DocketQuery, body: None) -> Response:
    page = page_list(casefiles.list_docket(request, query.sought), query.after, docket_key, query)
    rows = [
        DisputeRow(
            match_urls_of(request.lang, dispute.match, SPECTATOR).entry_url("disputes", dispute.dispute),
            (*row_words(dispute, request.lang)[:-1], request.time(dispute.last, "date")),
            dispute.standing in PENDING,
            dispute.sentence.say(request.lang),
        )
        for dispute in page.rows
    ]
    return template_page(
        request,
        "docket.html",
        translate(request, "docket.title"),
        rows=rows,
        page=page,
        asked=query,
        standings=[(kind, translate(request, f"docket.{kind}")) for kind in WANTED],
        parted=page_url(request.lang, "contradictions"),
        action=page_url(request.lang, "disputes"),
    )


def _make_casefile_route(path: str) -> Route:
    """Return the route of a case file. It needs the export right, because it reads the rules and all rulings."""
    route = page_route(path, take_file, "Download the case file of a dispute for an audience.", "export", limit="tries")
    return replace(route, also=("export_case",))


DISPUTE: Final = "/m/{match:str}/disputes/{n:str}"
ROUTES: Final = (
    _make_casefile_route(f"{DISPUTE}/casefile/{{audience:str}}"),
    page_route(f"{DISPUTE}/case", show_case, "Show the ruling in a dispute as a case.", "export", limit="tries"),
    page_route(f"{DISPUTE}/case/file", take_case, "Download the case as a file.", "export", limit="tries"),
    page_route("/disputes", show_docket, "Show the disputes of all matches.", query=DocketQuery, limit="tries"),
    page_route(
        "/contradictions",
        show_contradictions,
        "Show rulings that contradict each other.",
        query=AfterQuery,
        limit="tries",
    ),
)
