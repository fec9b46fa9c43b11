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
from projections.dockets import Listed, Sought, collect
from projections.html.casefile import to_html
from projections.precedents import Precedent, precedents
from projections.rulings import Ruling
from recorder.ruled import matches_with
from service.asking import HTML, Ask, Reply
from service.house import Sight
from service.problems import halt

Kept = TypeVar("Kept")

AUDIENCES: Final[tuple[Audience, ...]] = ("players", "officials")


def look_for(ask: Ask, audience: Audience) -> tuple[Sight, int]:
    """The match that the path names with the eyes of an audience, and the dispute. Halts where there is none, for who
    may not have the file of this audience, and for judges who have not broken the seal."""
    sight = ask.look("", "export")
    number = _dispute(ask, sight)
    if audience == "players":
        return sight, number
    ask.require("export_case", sight.match.id)
    return ask.look(JUDGE, "export"), number


def make_file(ask: Ask, sight: Sight, audience: Audience, number: int) -> CaseFile:
    """The case file of a dispute for the audience that was looked for."""
    match = sight.match
    return case_file(match, match.id, audience, number, list_rulings(ask, sight.eyes.viewer, match.game.key))


def take_file(ask: Ask, audience: Audience) -> Reply:
    """The case file as a page to be taken along. Its name says for whom it is, and is the same whoever asks."""
    sight, number = look_for(ask, audience)
    page = to_html(make_file(ask, sight, audience, number), sight.match, ask.lang)
    name = f"{sight.match.id}-{number}-{audience}.html"
    return Reply(page, headers={"Content-Disposition": f'attachment; filename="{name}"'}, kind=HTML)


def write_case(ask: Ask) -> tuple[Sight, int, str]:
    """The match, the dispute, and the ruling in it as a casebook. All that lay on the table stands there: it is for who
    may look with a judge's eyes. Halts where there is no dispute, raises TextError where the ruling makes no case."""
    number = _dispute(ask, ask.look("", "export"))
    sight = ask.look(JUDGE, "export")
    match = sight.match
    return sight, number, write_ruling(match.game, match.entries, number, f"{match.id} {number}")


def list_precedents(ask: Ask, sight: Sight, number: int) -> tuple[Precedent, ...]:
    """The earlier rulings nearest to a dispute, with the eyes that look at it."""
    match = sight.match
    return precedents(match, match.id, sight.eyes, number, list_rulings(ask, sight.eyes.viewer, match.game.key))


def list_contradictions(ask: Ask, viewer: Seat = SPECTATOR, game: str = "") -> tuple[Contradiction, ...]:
    """The rulings that contradict each other, of one game if it is named, as a spectator or a judge may know. Halts
    where there is no such game."""
    _require_game(game)
    return contradictions(list_rulings(ask, viewer, game))


def list_docket(ask: Ask, sought: Sought) -> tuple[Listed, ...]:
    """The disputes of all matches that are wanted, of each match as far as whoever asks may see it by now. A match that
    cannot be read is left out. Halts where there is no such game."""
    _require_game(sought.game)

    def read(name: str) -> tuple[Listed, ...]:
        now = ask.house.glance(ask.session, name)
        return () if now is None or now.damaged else ask.house.disputes(name, now.entries)

    return collect(_all_in(matches_with(ask.house.store, Disputed, read)), sought)


def list_rulings(ask: Ask, viewer: Seat, game: str = "") -> Iterator[Ruling]:
    """The rulings in all matches, or those of one game, as far as whoever asks may see each; with a judge's eyes where
    they ask for those and may look so. A match that cannot be read is left out."""
    house, session = ask.house, ask.session

    def read(name: str) -> tuple[Ruling, ...]:
        now = house.glance(session, name)
        if now is None or (game and now.game != game):
            return ()
        judges = viewer == JUDGE and house.refusal(session, name, JUDGE, now.over) is None
        return house.rulings(name, now.entries, Seat(JUDGE) if judges else SPECTATOR)

    return _all_in(matches_with(house.store, Ruled, read))


def _all_in(matches: Iterable[tuple[str, tuple[Kept, ...] | Text]]) -> Iterator[Kept]:
    """What stands in matches, without those that cannot be read."""
    for _, kept in matches:
        if not isinstance(kept, Text):
            yield from kept


def _require_game(game: str) -> None:
    if game and game not in GAMES:
        raise halt("unreadable", unknown("game", game, GAMES))


def _dispute(ask: Ask, sight: Sight) -> int:
    return require_dispute(sight, ask.number("n", sight.head))


def require_dispute(sight: Sight, number: int) -> int:
    """A dispute by the entry that opened it. Halts where none did."""
    if number not in docket_of(sight.match.entries).disputes:
        raise halt("unknown", Text("docket.no_dispute", {"entry": number}))
    return number
