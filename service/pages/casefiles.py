"""The disputes of all matches; what is taken along from one, its case file or the ruling as a case; contradictions."""

from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.law.docket import PENDING
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.casefile import Audience
from projections.disputes import SeenDispute
from projections.dockets import Wanted, row_words
from service import casefiles
from service.access import may, may_look
from service.addresses import to, way_of
from service.api.casefiles import Docket
from service.asking import Ask, Nothing, Reply, Route
from service.casefiles import AUDIENCES
from service.house import Sight
from service.pages.hearing import list_parted
from service.pages.paper import page, said, sheet
from service.pages.within import match_name, within
from service.problems import halt

CASE: Final = "case"
WANTED: Final[tuple[Wanted, ...]] = get_args(Wanted)
TOML: Final = "application/toml"


class File(Struct, frozen=True):
    """Something of a dispute to be taken along, and whether the seal is to be broken first."""

    what: Audience | Literal["case"]
    url: str
    sealed: bool = False


def list_files(ask: Ask, sight: Sight, dispute: SeenDispute) -> list[File]:
    """What whoever asks may take along of a dispute."""
    match, house = sight.match, ask.house
    way = way_of(ask.lang, match.id, SPECTATOR)

    def url(*parts: str) -> str:
        return way.under("disputes", dispute.dispute, *parts)

    broken = house.seals.broken(ask.session, match.id, house.clock())
    looking = may_look(ask.session, match.id, JUDGE, broken, closed=sight.over, published=house.settings.published)
    files: list[File] = []
    if not may(ask.session, "export", match.id, closed=sight.over):
        return files
    files.append(File("players", url("casefile", "players")))
    if looking != "no" and may(ask.session, "export_case", match.id):
        files.append(File("officials", url("casefile", "officials"), looking == "sealed"))
    if looking != "no" and dispute.standing != "open":
        files.append(File(CASE, url(CASE), looking == "sealed"))
    return files


def take_file(ask: Ask, query: Nothing, body: None) -> Reply:
    """The case file of a dispute, for players or for officials."""
    for audience in AUDIENCES:
        if ask.path["audience"] == audience:
            return casefiles.take_file(ask, audience)
    raise halt("unknown")


def show_case(ask: Ask, query: Nothing, body: None) -> Reply:
    """The ruling in a dispute as a case, to be read before it is taken along."""
    sight, number, text = casefiles.write_case(ask)
    return within(
        ask,
        sight,
        "case.html",
        said(ask, "disputes.case_title", match=match_name(sight.match, ask.lang), n=number),
        0,
        lambda eyes: eyes.at("disputes", number),
        text=text,
        dispute=way_of(ask.lang, sight.match.id, sight.eyes.viewer).at("disputes", number),
        of_dispute=number,
        taken=f"{ask.url}/file",
    )


def take_case(ask: Ask, query: Nothing, body: None) -> Reply:
    """The same as a file."""
    sight, number, text = casefiles.write_case(ask)
    name = f"{sight.match.id}-{number}.cases.toml"
    return Reply(text.encode(), headers={"Content-Disposition": f'attachment; filename="{name}"'}, kind=TOML)


def show_parted(ask: Ask, query: Nothing, body: None) -> Reply:
    """All rulings that contradict each other, as a spectator may know."""
    parted = list_parted(ask, SPECTATOR)
    return sheet(ask, "parted.html", said(ask, "contradiction.title"), parted=parted, back=to(ask.lang, "floor"))


class Row(Struct, frozen=True):
    """A dispute in the list of all, with its address."""

    url: str
    words: tuple[str, ...]
    pending: bool
    sentence: str


def show_docket(ask: Ask, query: Docket, body: None) -> Reply:
    """The disputes of all matches, those first for which somebody is waited."""
    rows = [
        Row(
            way_of(ask.lang, dispute.match, SPECTATOR).at("disputes", dispute.dispute),
            (*row_words(dispute, ask.lang)[:-1], ask.time(dispute.last, "date")),
            dispute.standing in PENDING,
            dispute.sentence.say(ask.lang),
        )
        for dispute in casefiles.list_docket(ask, query.sought)
    ]
    return sheet(
        ask,
        "docket.html",
        said(ask, "docket.title"),
        rows=rows,
        asked=query,
        standings=[(kind, said(ask, f"docket.{kind}")) for kind in WANTED],
        parted=to(ask.lang, "contradictions"),
        action=to(ask.lang, "disputes"),
    )


def _taken(path: str) -> Route:
    """Whoever takes a case file along lets the law work, and all rulings of the house be read."""
    route = page(path, take_file, "The case file of a dispute for an audience.", "export", limit="tries")
    return replace(route, also=("export_case",))


DISPUTE: Final = "/m/{match:str}/disputes/{n:str}"
ROUTES: Final = (
    _taken(f"{DISPUTE}/casefile/{{audience:str}}"),
    page(f"{DISPUTE}/case", show_case, "The ruling in a dispute as a case.", "export", limit="tries"),
    page(f"{DISPUTE}/case/file", take_case, "The same as a file.", "export", limit="tries"),
    page("/disputes", show_docket, "The disputes of all matches.", query=Docket, limit="tries"),
    page("/contradictions", show_parted, "Rulings that contradict each other.", limit="tries"),
)
