"""Pages that open a round from the CSV of a pairing program, with a preview."""

from typing import Annotated, Final

from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from domain.formats.csv_tables import decode_csv
from domain.formats.decklists import read_lists
from domain.formats.decks import DeckList
from domain.formats.errors import FormatError
from domain.formats.pairings import TABLE, TABLE_KINDS, Pairing, TableKind
from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.words import Text, say
from projections.phrases import players_words
from projections.tables import rounds
from recorder.pairings import TableMatch
from service import payloads
from service.addresses import MatchUrls, page_url
from service.floor import new_matches
from service.floor.new_match_pages import (
    SEATS,
    TEXT_MAX,
    VERSION_SEPARATOR,
    list_decks,
    list_editions,
    result_or_problem,
    split_edition,
)
from service.floor.pages import tables, url_of
from service.pages import form_route, page_route, redirect, template_page, translate
from service.problems import Problem, too_large
from service.requests import Request, Response
from service.uploads import read_upload

FILE_MAX: Final = 262_144
"""Bytes of a pairings file at most: ten thousand tables with a name at each seat."""
COLUMNS: Final = ",".join((TABLE, *SEATS[:2]))
"""Sample heading, for two seats."""
Named = Annotated[str, Meta(pattern=r"\S", max_length=TEXT_MAX)]


class RoundForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A round to open. `edition` has the form of `NewMatchForm`. `policy` pins the standard policy. `cards` is the
    default for tables without their own. `minutes` is the length as typed. `lists` are named deck lists."""

    edition: Named
    event: Named
    round: Named
    policy: bool = False
    cards: TableKind = "dealt"
    minutes: Annotated[str, Meta(max_length=TEXT_MAX)] = ""
    lists: Annotated[str, Meta(max_length=FILE_MAX)] = ""


class RoundUploadForm(RoundForm, frozen=True, forbid_unknown_fields=True):
    file: bytes = b""


class RoundConfirmForm(RoundForm, frozen=True, forbid_unknown_fields=True):
    pairings: str = ""


class PairingRow(Struct, frozen=True):
    """A table to open, or one that is already open."""

    table: str
    players: str
    decks: str
    cards: TableKind
    url: str
    new: bool


def show_form(request: Request, query: object, body: None) -> Response:
    """Show the form. It suggests the round after the newest one."""
    newest = max(tables(request), key=lambda table: table.opened, default=None)
    if newest is None:
        return _draw(request, RoundForm("", "", "", policy=True))
    event, name = newest.of
    following = str(int(name) + 1) if name.isascii() and name.isdecimal() else ""
    return _draw(request, RoundForm(f"{newest.game}{VERSION_SEPARATOR}{newest.edition}", event, following, policy=True))


def look_round(request: Request, query: object, body: bytes) -> Response:
    request.require("pair")
    sent = read_upload(request, body, RoundUploadForm)
    form = convert(sent, RoundForm, from_attributes=True)
    if len(sent.file) > FILE_MAX:
        return _draw(request, form, wrong=too_large(FILE_MAX).problem)
    preview = result_or_problem(lambda: _preview(request, form, decode_csv(sent.file)))
    return _draw(request, form, wrong=preview) if isinstance(preview, Problem) else preview


def _preview(request: Request, form: RoundForm, text: str) -> Response:
    rows = [
        _make_row(request, pairing, paired)
        for pairing, paired in new_matches.preview_round(request, _make_command(form, text))
    ]
    return _draw(request, form, text, rows)


def open_round(request: Request, query: object, body: RoundConfirmForm) -> Response:
    """Open the previewed round, all or nothing, and redirect to its floor. A repeated form opens no more."""
    request.require("pair")
    opened = result_or_problem(lambda: new_matches.open_round(request, _make_command(body, body.pairings)))
    if isinstance(opened, Problem):
        return _draw(request, body, wrong=opened)
    round_key, played = (body.event.strip(), body.round.strip()), rounds(tables(request))
    return redirect(url_of(request.lang, round_key, played))


def _make_command(form: RoundForm, pairings: str) -> payloads.OpenRound:
    game, version, frame = split_edition(form.edition)
    return payloads.OpenRound(
        game=game,
        version=version,
        frame=frame,
        event=form.event.strip(),
        round=form.round.strip(),
        policy=stored_policy(standard_policy()) if form.policy else None,
        cards=form.cards,
        minutes=new_matches.read_round_minutes(form.minutes) if form.minutes.strip() else None,
        pairings=pairings,
        decks=_read_lists(game, form.lists),
    )


def _read_lists(game: str, text: str) -> dict[str, DeckList]:
    """Return the named deck lists of a round. Raises FormatError with the line of the list."""
    try:
        return read_lists(new_matches.game_of(game), text)
    except FormatError as error:
        at = {"where": Text("decklist.round"), "line": error.line, "what": error.message}
        raise FormatError(Text("decklist.at_line", at)) from None


def _make_row(request: Request, pairing: Pairing, table: TableMatch) -> PairingRow:
    return PairingRow(
        table.table,
        players_words(table.names, table.names, request.lang),
        say("list.comma", request.lang).join(f"{seat}: {deck}" for seat, deck in pairing.decks.items()),
        table.cards,
        "" if table.new else MatchUrls(request.lang, table.match).live_url(),
        table.new,
    )


def _draw(
    request: Request,
    form: RoundForm,
    text: str = "",
    rows: list[PairingRow] | None = None,
    wrong: Problem | None = None,
) -> Response:
    response = template_page(
        request,
        "pairings.html",
        translate(request, "pairing.title"),
        given=form,
        pairings=text,
        rows=rows,
        new=sum(row.new for row in rows or ()),
        wrong=wrong,
        says="" if wrong is None else wrong.says(request.lang),
        columns=COLUMNS,
        samples=[(game.rulebook.title.say(request.lang), list_decks(game, request.lang)) for game in GAMES.values()],
        kinds=TABLE_KINDS,
        editions=list_editions(request.lang),
        text_max=TEXT_MAX,
        url=page_url(request.lang, "pairings"),
        floor=page_url(request.lang, "floor"),
    )
    return response if wrong is None else replace(response, status=wrong.status)


ROUTES: Final = (
    page_route("/pairings", show_form, "Show the form that opens a round from pairings.", "pair"),
    replace(form_route("/pairings", look_round, "Preview a round.", "pair", bytes, "commands"), large=True),
    replace(
        form_route("/pairings/open", open_round, "Open a round.", "pair", RoundConfirmForm, "commands"), large=True
    ),
)
