"""A player's page at a table: their hand, what they may do now, a call for a judge, and the board."""

from typing import Annotated, Final, Literal
from urllib.parse import urlencode
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.judging.trails import asked_table
from domain.law.clause import Clause
from domain.table.table import Seat
from domain.words import Text
from projections import phrases as P
from projections.board import board_of
from projections.questions import Question
from projections.undoing import has_undo
from recorder.remarks import on_phones, open_calls
from recorder.usecases import commands as C
from service import recording as R
from service.access import may
from service.addresses import Way, to
from service.asking import Ask, Reply
from service.draw import board
from service.house import Sight
from service.offering import Offered, OfferedLine, offers_of, order_step, order_urls
from service.ordering import NO_ORDER, OrderQuery
from service.pages.calls import read_call
from service.pages.clock import read_clock
from service.pages.notices import list_notices
from service.pages.paper import form, go, page, problem_of, said, sheet
from service.pages.recording import UNCONFIRMED
from service.pages.within import clause_url, form_id, match_name, stream_of
from service.problems import Halt, Problem, halt

OPEN_MAX: Final = 12
"""Lists of answers are open if there are no more answers than these: the player's own hand stands below them."""
Head = Annotated[int, Meta(ge=0, le=999_999_999)]
Line = Annotated[str, Meta(max_length=C.LINE_MAX)]


class PlayerForm(Struct, frozen=True, forbid_unknown_fields=True):
    """An action, taken from the offers or typed; or a call for a judge, or that it is `answered`. `confirm`: it may end
    the match.
    """

    id: UUID
    head: Head
    line: Line = ""
    take: Line = ""
    do: Literal["", "call", "answered"] = ""
    answered: int = 0
    confirm: bool = False


class PlayerOffers(Struct, frozen=True):
    """What a player may do now: what they are asked, the verbs they may use, and what ends the match."""

    questions: tuple[Question, ...] = ()
    verbs: tuple[Offered, ...] = ()
    endings: tuple[OfferedLine, ...] = ()


class PlayerPage(Struct, frozen=True):
    """What an answer adds to the page: an action to confirm, what is wrong with it, what was typed."""

    confirm: OfferedLine | None = None
    problem: Problem | None = None
    text: str = ""
    order: OrderQuery = NO_ORDER


def show(ask: Ask, query: OrderQuery, body: None) -> Reply:
    """Show a player their table."""
    return _draw(ask, _look(ask), PlayerPage(order=query))


def act(ask: Ask, query: object, body: PlayerForm) -> Reply:
    """Record an action of the player, as the rules allow it; ask once more before one that ends the match."""
    sight, text = _look(ask), (body.take or body.line).strip()
    try:
        if body.do:
            waiting = [call.entry for call in open_calls(sight.match.entries)]
            if body.answered in waiting if body.do == "answered" else not waiting:
                R.write(ask, "", C.Call(id=body.id, text=text, answered=body.answered), "*")
            return go(to(ask.lang, "play", sight.match.id))
        if not text:
            return _draw(ask, sight)
        if not _acts(sight):
            raise halt("no-authority", _why_not(sight))
        play = C.Play(id=body.id, text=_own_line(sight, text), mode="offer", confirm=body.confirm)
        R.write(ask, "", play, f'"{body.head}"')
    except (Halt, FormatError) as stopped:
        problem = problem_of(stopped)
        if problem.type == UNCONFIRMED and problem.sure is not None:
            ending = OfferedLine(_own_line(sight, text), problem.sure.say(ask.lang))
            return _draw(ask, sight, PlayerPage(confirm=ending), id=body.id)
        return replace(_draw(ask, _look(ask), PlayerPage(problem=problem, text=text)), status=problem.status)
    return go(to(ask.lang, "play", sight.match.id))


def play_url(ask: Ask, match: str) -> str:
    """Return the address of the player's own page of a match; '' for anybody else."""
    return to(ask.lang, "play", match) if ask.house.seat_of(ask.session, match) else ""


def home_url(ask: Ask, match: str) -> str:
    """Return the address of the player's own record as a file to take home; '' for anybody else."""
    seat = ask.house.seat_of(ask.session, match)
    if not seat or not may(ask.session, "export", match):
        return ""
    return f"/api/v1/matches/{match}/export.html?{urlencode({'as': seat})}"


def _look(ask: Ask) -> Sight:
    """The match with the player's own eyes, and no others."""
    ask.require("offer", ask.path["match"])
    return ask.look(ask.session.seat, "offer")


def _acts(sight: Sight) -> bool:
    """True if the player acts on this page."""
    return on_phones(sight.match.entries) and not sight.match.undealt


def _why_not(sight: Sight) -> Text:
    return Text("player.real" if sight.match.undealt else "player.scored")


def _own_line(sight: Sight, text: str) -> str:
    """Return a line with its seat, which the player may leave out."""
    named = any(text.startswith(f"{seat}:") for seat in sight.match.opened.seats)
    return text if named else f"{sight.eyes.viewer}: {text}"


def _undoes(ask: Ask, sight: Sight) -> bool:
    """True if the player may ask here for an undo."""
    match = sight.match
    return _acts(sight) and not match.closed and has_undo(match) and may(ask.session, "undo", match.id)


def _offers(ask: Ask, sight: Sight) -> PlayerOffers:
    """Return what the player is asked and may do now."""
    if not _acts(sight):
        return PlayerOffers()
    offers, seat = offers_of(ask.house, sight, ask.lang), sight.eyes.viewer
    return PlayerOffers(
        tuple(each for each in offers.questions if each.seat == seat),
        tuple(each for each in offers.verbs if each.seat == seat and (each.lines or each.order)),
        tuple(line for each in offers.endings if each.seat == seat for line in each.lines),
    )


def _draw(ask: Ask, sight: Sight, shown: PlayerPage | None = None, id: UUID | None = None) -> Reply:
    match, lang, seat = sight.match, ask.lang, sight.eyes.viewer
    shown, url = shown or PlayerPage(), to(lang, "play", match.id)
    offers = PlayerOffers() if match.closed else _offers(ask, sight)
    setting = ask.house.lay(sight, lang)
    view = board_of(match, sight.eyes, sight.head, match.table, setting.kept)
    awaited = () if match.closed else match.law.awaited(asked_table(match, sight.eyes, sight.head))
    return sheet(
        ask,
        "play.html",
        said(ask, "player.title", match=match_name(match, ask.lang)),
        match=match.id,
        table_name=match_name(match, lang),
        seat=seat,
        opponents=P.listed((_name(sight, other) for other in match.opened.seats if other != seat), lang),
        stream=stream_of(ask, sight),
        head=sight.head,
        closed=match.closed,
        clock=read_clock(ask, sight),
        notices=list_notices(ask, sight),
        calling=read_call(ask, match),
        undo=to(lang, "record", match.id, "undo") if _undoes(ask, sight) else "",
        result=P.result_words(match.game, match.table.result, lang, match.names) if match.table.result else "",
        acts=_acts(sight),
        why="" if _acts(sight) else _why_not(sight).say(lang),
        own=seat in awaited,
        awaited=P.listed((_name(sight, other) for other in awaited), lang) if awaited else "",
        offers=offers,
        few=sum(len(each.lines) for each in offers.verbs) <= OPEN_MAX,
        order=order_step(offers.verbs, url, shown.order),
        order_urls=order_urls(offers.verbs, url),
        shown=shown,
        wrong="" if shown.problem is None else shown.problem.says(lang),
        clause=_clause(shown.problem),
        clause_url=clause_url(ask, match, Clause(_clause(shown.problem))) if _clause(shown.problem) else "",
        id=id or form_id(ask, sight, "play"),
        call_id=form_id(ask, sight, "call"),
        line_max=C.LINE_MAX,
        url=url,
        live=Way(lang, match.id, seat).live(),
        board=board.frame_in(view, setting, seat),
        home=home_url(ask, match.id),
    )


def _clause(problem: Problem | None) -> str:
    clause = None if problem is None else problem.clause
    return clause or ""


def _name(sight: Sight, seat: Seat) -> str:
    return sight.match.opened.names.get(seat) or seat


ROUTES: Final = (
    page("/play/{match:str}", show, "A player's own table.", "offer", OrderQuery),
    form("/play/{match:str}", act, "Record a player's action.", "offer", PlayerForm, "commands"),
)
