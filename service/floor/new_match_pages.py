"""Page of recordable matches, with a form that opens another match."""

from collections.abc import Callable, Iterable
from typing import Annotated, Final, TypeVar
from urllib.parse import urlencode
from uuid import UUID, uuid4

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.decklists import read_lists
from domain.formats.decks import DeckList
from domain.formats.errors import FormatError
from domain.formats.pairings import TABLE_KINDS, TableKind
from domain.games import GAMES
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import RulesetError
from domain.table.table import Seat
from domain.words import Lang, Text, say
from projections.phrases import players_words
from projections.tables import TableStatus, table_words
from service import payloads
from service.access import may
from service.addresses import MatchUrls, page_url
from service.floor import new_matches
from service.floor.pages import tables
from service.pages import form_route, page_route, redirect, template_page, translate
from service.paging import AfterQuery, page_list
from service.problems import HttpProblem, Problem, http_problem
from service.requests import Request, Response

TEXT_MAX: Final = 200
Short = Annotated[str, Meta(max_length=TEXT_MAX)]
Listing = Annotated[str, Meta(max_length=10_000)]
SEATS: Final = ("p1", "p2", "p3", "p4")
"""Seats on the form. A game may have fewer."""
VERSION_SEPARATOR: Final = "@"
REGULATION_SEPARATOR: Final = "/"
T = TypeVar("T")


class NewMatchForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields of a new match. `edition` is `game@version` or `game@version/regulation`. `match` is the id the seat
    commitments were made for. `p`, `d`, `l` and `g` are name, sample deck, deck list and commitment of each seat."""

    id: UUID
    edition: Short = ""
    p1: Short = ""
    p2: Short = ""
    p3: Short = ""
    p4: Short = ""
    d1: Short = ""
    d2: Short = ""
    d3: Short = ""
    d4: Short = ""
    l1: Listing = ""
    l2: Listing = ""
    l3: Listing = ""
    l4: Listing = ""
    event: Short = ""
    round: Short = ""
    table: Short = ""
    cards: TableKind = "dealt"
    match: Short = ""
    g1: Short = ""
    g2: Short = ""
    g3: Short = ""
    g4: Short = ""


class SelectOption(Struct, frozen=True):
    value: str
    words: str


class RecordableMatch(Struct, frozen=True):
    url: str
    name: str
    players: str
    words: str


class TablesQuery(AfterQuery, frozen=True, forbid_unknown_fields=True):
    """The page of the list, and the game of the form; by default that of the newest match."""

    game: str = ""


FIRST_TABLES: Final = TablesQuery()


def list_tables(request: Request, query: TablesQuery, body: None) -> Response:
    if query.game:
        new_matches.game_of(query.game)
    return _draw_page(request, NewMatchForm(uuid4()), query=query)


def open_match(request: Request, query: object, body: NewMatchForm) -> Response:
    """Open a match and redirect to its recorder. On error the form is shown again as it was filled in."""
    request.require("open")
    game, version, frame = split_edition(body.edition)
    decks = result_or_problem(lambda: _read_decks(game, body))
    if isinstance(decks, Problem):
        return replace(_draw_page(request, body, decks.says(request.lang)), status=decks.status)
    command = payloads.OpenMatch(
        id=body.id,
        game=game,
        version=version,
        frame=frame,
        names={Seat(seat): name for seat in SEATS if (name := getattr(body, seat).strip())},
        decks=decks,
        cards=body.cards,
        match=body.match.strip(),
        pledges={
            Seat(seat): pledge.lower() for seat, name in PLEDGES.items() if (pledge := getattr(body, name).strip())
        },
        occasion=payloads.Occasioned(event=body.event.strip(), round=body.round.strip(), table=body.table.strip()),
    )
    opened: payloads.EntriesWithFlags | Problem = result_or_problem(
        lambda: new_matches.open_match(request, command).value
    )
    if isinstance(opened, Problem):
        return replace(_draw_page(request, body, opened.says(request.lang)), status=opened.status)
    may_record = may(request.session, "record", opened.match)
    return redirect(
        page_url(request.lang, "record", opened.match)
        if may_record
        else MatchUrls(request.lang, opened.match).live_url()
    )


def _read_decks(game: str, body: NewMatchForm) -> dict[Seat, str | DeckList]:
    decks: dict[Seat, str | DeckList] = {Seat(f"p{deck[1:]}"): name for deck in DECKS if (name := getattr(body, deck))}
    for seat, field in LISTS.items():
        if text := getattr(body, field).strip():
            try:
                lists = read_lists(new_matches.game_of(game), text)
            except FormatError as error:
                where = Text("decklist.label", {"seat": getattr(body, seat).strip() or seat})
                at = {"where": where, "line": error.line, "what": error.message}
                raise FormatError(Text("decklist.at_line", at)) from None
            if len(lists) > 1:
                raise FormatError(Text("decklist.one"))
            decks[Seat(seat)] = next(iter(lists.values()))
    return decks


def split_edition(edition: str) -> tuple[str, str, str]:
    """Return game, version and regulation of an edition chosen in a form."""
    game, _, rest = edition.partition(VERSION_SEPARATOR)
    version, _, frame = rest.partition(REGULATION_SEPARATOR)
    return game, version, frame


def result_or_problem(call: Callable[[], T]) -> T | Problem:
    """Return the result of a call, or the problem that it raised."""
    try:
        return call()
    except HttpProblem as error:
        return error.problem
    except FormatError as error:
        return http_problem("unreadable", error.message, line=error.line).problem
    except RulesetError as error:
        return http_problem("unreadable", error.text).problem


DECKS: Final = ("d1", "d2", "d3", "d4")
LISTS: Final = {"p1": "l1", "p2": "l2", "p3": "l3", "p4": "l4"}
PLEDGES: Final = {"p1": "g1", "p2": "g2", "p3": "g3", "p4": "g4"}


def _draw_page(request: Request, form: NewMatchForm, wrong: str = "", query: TablesQuery = FIRST_TABLES) -> Response:
    lang, known = request.lang, tables(request)
    recordable = sorted(
        (table for table in known if not table.closed and may(request.session, "record", table.match)),
        key=lambda table: table.opened,
        reverse=True,
    )
    events = {table.occasion.event for table in recordable}
    page = page_list(recordable, query.after, lambda table: table.match, query)
    newest = max(known, key=lambda table: table.opened, default=None)
    wanted = (query.game, split_edition(form.edition)[0], newest.game if newest is not None else "")
    chosen = GAMES[next((key for key in wanted if key in GAMES), next(iter(GAMES)))]
    seats = [seat for seat in SEATS if seat in list_seats(chosen) or _has_typed(form, seat)]
    return template_page(
        request,
        "tables.html",
        translate(request, "record.tables"),
        tables=[_make_recordable_match(table, lang, event=len(events) > 1) for table in page.rows],
        page=page,
        opens=may(request.session, "open"),
        record_sheet_links=[(page_url(lang, "paper"), say("sheets.title", lang))]
        if may(request.session, "open")
        else [],
        compare_sheet_links=[(page_url(lang, "paper", "compare"), say("sheets.two", lang))]
        if may(request.session, "hold_sheets")
        else [],
        given=form,
        names=[
            (seat, getattr(form, seat), deck, getattr(form, deck), LISTS[seat], getattr(form, LISTS[seat]))
            for seat, deck in zip(SEATS, DECKS, strict=True)
            if seat in seats
        ],
        pledges=[(seat, name, getattr(form, name)) for seat, name in PLEDGES.items() if seat in seats],
        pledged=bool(form.match) or any(getattr(form, name) for name in PLEDGES.values()),
        wrong=wrong,
        cards=TABLE_KINDS,
        games=[
            (
                each.rulebook.title.say(lang),
                f"{page_url(lang, 'record')}?{urlencode({'game': key})}#new",
                each is chosen,
            )
            for key, each in GAMES.items()
        ],
        editions=list_editions(lang, (chosen.key,)),
        regulated=bool(chosen.regulations),
        decks=list_decks(chosen, lang),
        text_max=TEXT_MAX,
        url=page_url(lang, "record"),
    )


def _has_typed(form: NewMatchForm, seat: str) -> bool:
    """True if something was typed for a seat. It is shown again, even if the game has no such seat."""
    return any(getattr(form, name) for name in (seat, f"d{seat[1:]}", LISTS[seat], PLEDGES[seat]))


def _make_recordable_match(table: TableStatus, lang: Lang, *, event: bool) -> RecordableMatch:
    players = players_words(table.names, table.seats, lang)
    game = GAMES.get(table.game)
    words = game.rulebook.title.say(lang) if game is not None else table.game
    place = table_words(table.occasion, lang, event=event) or table.match
    state = say("matches.damaged", lang, entry=table.damaged) if table.damaged else f"#{table.entries}"
    return RecordableMatch(page_url(lang, "record", table.match), place, players, f"{words} {state}")


def list_editions(lang: Lang, games: Iterable[str] = tuple(GAMES)) -> list[SelectOption]:
    """Return the editions of these games, the newest first, each followed by its regulations."""
    known: list[SelectOption] = []
    for key in games:
        game = GAMES[key]
        for version in (*game.versions,)[::-1]:
            words = say(
                "moment.game", lang, game=game.rulebook.title.say(lang), edition=game.rulebook.word(version, lang)
            )
            known.append(SelectOption(f"{key}{VERSION_SEPARATOR}{version}", words))
            for frame in game.regulations_in(version):
                words_under = say("record.under", lang, edition=words, frame=game.rulebook.word(frame, lang))
                known.append(
                    SelectOption(f"{key}{VERSION_SEPARATOR}{version}{REGULATION_SEPARATOR}{frame}", words_under)
                )
    return known


def list_decks(game: Game, lang: Lang) -> list[SelectOption]:
    return [SelectOption(deck, game.rulebook.word(deck, lang)) for deck in game.named_decks()]


def list_seats(game: Game) -> tuple[Seat, ...]:
    """Return the seats of a game in the edition that has most."""
    return max((Law(game, rules).seats() for rules in game.versions.values()), key=len)


ROUTES: Final = (
    page_route("/record", list_tables, "List the matches that the session may record.", "record", TablesQuery),
    form_route("/record", open_match, "Open a match.", "open", NewMatchForm, "commands"),
)
