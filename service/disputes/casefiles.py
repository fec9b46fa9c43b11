"""Disputes beside those of other matches: a list of all, case files, precedents, contradictions, as whoever asks may
see them."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from domain.formats.casebook.skeleton import write_ruling
from domain.formats.errors import unknown
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

Kept = TypeVar("Kept")

AUDIENCES: Final[tuple[Audience, ...]] = ("players", "officials")


def look_for(request: Request, audience: Audience) -> tuple[MatchView, int]:
    """The match that the path names with the eyes of an audience, and the dispute. Halts where there is none, for who
    may not have the file of this audience, and for judges who have not broken the seal."""
    view = request.look("", "export")
    number = _dispute(request, view)
    if audience == "players":
        return view, number
    request.require("export_case", view.match.id)
    return request.look(JUDGE, "export"), number


def make_file(request: Request, view: MatchView, audience: Audience, number: int) -> CaseFile:
    """The case file of a dispute for the audience that was looked for."""
    match = view.match
    return case_file(match, match.id, audience, number, list_rulings(request, view.eyes.viewer, match.game.key))


def take_file(request: Request, audience: Audience) -> Response:
    """The case file as a page to be taken along. Its name says for whom it is, and is the same whoever asks."""
    view, number = look_for(request, audience)
    page = to_html(make_file(request, view, audience, number), view.match, request.lang)
    name = f"{view.match.id}-{number}-{audience}.html"
    return Response(page, headers={"Content-Disposition": f'attachment; filename="{name}"'}, kind=HTML)


def write_case(request: Request) -> tuple[MatchView, int, str]:
    """The match, the dispute, and the ruling in it as a casebook. All that lay on the table stands there: it is for who
    may look with a judge's eyes. Halts where there is no dispute, raises TextError where the ruling makes no case."""
    number = _dispute(request, request.look("", "export"))
    view = request.look(JUDGE, "export")
    match = view.match
    return view, number, write_ruling(match.game, match.entries, number, f"{match.id} {number}")


def list_precedents(request: Request, view: MatchView, number: int) -> tuple[Precedent, ...]:
    """The earlier rulings nearest to a dispute, with the eyes that look at it."""
    match = view.match
    return precedents(match, match.id, view.eyes, number, list_rulings(request, view.eyes.viewer, match.game.key))


def list_contradictions(request: Request, viewer: Seat = SPECTATOR, game: str = "") -> tuple[Contradiction, ...]:
    """The rulings that contradict each other, of one game if it is named, as a spectator or a judge may know. Halts
    where there is no such game."""
    _require_game(game)
    return contradictions(list_rulings(request, viewer, game))


def list_docket(request: Request, sought: DisputeFilter) -> tuple[DisputeListItem, ...]:
    """The disputes of all matches that are wanted, of each match as far as whoever asks may see it by now. A match that
    cannot be read is left out. Halts where there is no such game."""
    _require_game(sought.game)

    def read(name: str) -> tuple[DisputeListItem, ...]:
        now = request.context.read_table_summary(request.session, name)
        return () if now is None or now.damaged else request.context.disputes(name, now.entries)

    return collect(_all_in(matches_with(request.context.store, Disputed, read)), sought)


def list_rulings(request: Request, viewer: Seat, game: str = "") -> Iterator[Ruling]:
    """The rulings in all matches, or those of one game, as far as whoever asks may see each; with a judge's eyes where
    they ask for those and may look so. A match that cannot be read is left out."""
    context, session = request.context, request.session

    def read(name: str) -> tuple[Ruling, ...]:
        now = context.read_table_summary(session, name)
        if now is None or (game and now.game != game):
            return ()
        judges = viewer == JUDGE and context.refusal(session, name, JUDGE, now.over) is None
        return context.rulings(name, now.entries, Seat(JUDGE) if judges else SPECTATOR)

    return _all_in(matches_with(context.store, Ruled, read))


def _all_in(matches: Iterable[tuple[str, tuple[Kept, ...] | Text]]) -> Iterator[Kept]:
    """What stands in matches, without those that cannot be read."""
    for _, kept in matches:
        if not isinstance(kept, Text):
            yield from kept


def _require_game(game: str) -> None:
    if game and game not in GAMES:
        raise http_problem("unreadable", unknown("game", game, GAMES))


def _dispute(request: Request, view: MatchView) -> int:
    return require_dispute(view, request.number("n", view.head))


def require_dispute(view: MatchView, number: int) -> int:
    """A dispute by the entry that opened it. Halts where none did."""
    if number not in docket_of(view.match.entries).disputes:
        raise http_problem("unknown", Text("docket.no_dispute", {"entry": number}))
    return number
