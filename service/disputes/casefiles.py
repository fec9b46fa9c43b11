"""Disputes of all matches: the list, case files, precedents and contradictions, as the session may see them."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from domain.formats.casebook.skeleton import write_ruling
from domain.formats.errors import explain_unknown
from domain.games import GAMES
from domain.law.disputes import Disputed, Ruled
from domain.law.docket import docket_of
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from domain.words import Text
from projections.casefile import Audience, CaseFile, case_file
from projections.contradictions import Contradiction, contradictions
from projections.dockets import DisputeFilter, DisputeListItem, collect
from projections.html.casefile import to_html
from projections.precedents import Precedent, precedents
from projections.rulings import Ruling
from recorder.dispute_matches import matches_with
from service.context import MatchView
from service.problems import http_problem
from service.requests import HTML, Request, Response

Item = TypeVar("Item")

AUDIENCES: Final[tuple[Audience, ...]] = ("players", "officials")


def look_as_audience(request: Request, audience: Audience) -> tuple[MatchView, int]:
    """Return the match and the dispute in the path, seen as the audience sees them. Raises HttpProblem if there is
    none, if the session may not export this file, or if a judge has not broken the seal."""
    view = request.look("", "export")
    number = _dispute_number(request, view)
    if audience == "players":
        return view, number
    request.require("export_case", view.match.id)
    return request.look(JUDGE, "export"), number


def make_file(request: Request, view: MatchView, audience: Audience, number: int) -> CaseFile:
    match = view.match
    return case_file(match, match.id, audience, number, list_rulings(request, view.eyes.viewer, match.game.key))


def download_file(request: Request, audience: Audience) -> Response:
    """Return the case file as an HTML attachment. Its name depends on the audience only."""
    view, number = look_as_audience(request, audience)
    page = to_html(make_file(request, view, audience, number), view.match, request.lang)
    name = f"{view.match.id}-{number}-{audience}.html"
    return Response(page, headers={"Content-Disposition": f'attachment; filename="{name}"'}, kind=HTML)


def write_case(request: Request) -> tuple[MatchView, int, str]:
    """Return the match, the dispute, and its ruling as a casebook. It shows hidden cards, so it needs a judge's view.
    Raises HttpProblem if there is no dispute, TextError if the ruling makes no case."""
    number = _dispute_number(request, request.look("", "export"))
    view = request.look(JUDGE, "export")
    match = view.match
    return view, number, write_ruling(match.game, match.entries, number, f"{match.id} {number}")


def list_precedents(request: Request, view: MatchView, number: int) -> tuple[Precedent, ...]:
    """Return the earlier rulings nearest to a dispute, as this viewer may know them."""
    match = view.match
    return precedents(match, match.id, view.eyes, number, list_rulings(request, view.eyes.viewer, match.game.key))


def list_contradictions(request: Request, viewer: Seat = SPECTATOR, game: str = "") -> tuple[Contradiction, ...]:
    """Return the contradicting rulings, optionally of one game. Raises HttpProblem for an unknown game."""
    _require_game(game)
    return contradictions(list_rulings(request, viewer, game))


def list_docket(request: Request, sought: DisputeFilter) -> tuple[DisputeListItem, ...]:
    """Return the matching disputes of all matches, as far as the session may see them. Unreadable matches are left out.
    Raises HttpProblem for an unknown game."""
    _require_game(sought.game)

    def read(name: str) -> tuple[DisputeListItem, ...]:
        summary = request.context.read_table_summary(request.session, name)
        return () if summary is None or summary.damaged else request.context.disputes(name, summary.entries)

    return collect(_flatten(matches_with(request.context.store, Disputed, read)), sought)


def list_rulings(request: Request, viewer: Seat, game: str = "") -> Iterator[Ruling]:
    """Yield the rulings of all matches or of one game, as far as the session may see them. With the viewer `judge`,
    matches that the session may not see as a judge are read as a spectator. Unreadable matches are left out."""
    context, session = request.context, request.session

    def read(name: str) -> tuple[Ruling, ...]:
        summary = context.read_table_summary(session, name)
        if summary is None or (game and summary.game != game):
            return ()
        judges = viewer == JUDGE and context.refusal(session, name, JUDGE, summary.over) is None
        return context.rulings(name, summary.entries, Seat(JUDGE) if judges else SPECTATOR)

    return _flatten(matches_with(context.store, Ruled, read))


def _flatten(matches: Iterable[tuple[str, tuple[Item, ...] | Text]]) -> Iterator[Item]:
    for _, values in matches:
        if not isinstance(values, Text):
            yield from values


def _require_game(game: str) -> None:
    if game and game not in GAMES:
        raise http_problem("unreadable", explain_unknown("game", game, GAMES))


def _dispute_number(request: Request, view: MatchView) -> int:
    return require_dispute(view, request.number("n", view.head))


def require_dispute(view: MatchView, number: int) -> int:
    """Return the number of a dispute. Raises HttpProblem if this entry opens none."""
    if number not in docket_of(view.match.entries).disputes:
        raise http_problem("unknown", Text("docket.no_dispute", {"entry": number}))
    return number
