"""A table of the floor at a glance, for its judges; and a judge called there, or the call answered, by one tap."""

from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from msgspec import Struct

from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.docket import docket_of
from domain.law.entries import Noted, Played, line
from domain.table.table import Seat
from domain.words import Lang, say
from projections.findings import sentence
from projections.phrases import seat_words
from projections.tables import TableNow
from recorder.loading import Match
from recorder.remarks import open_calls
from recorder.troubles import StoreError
from service import commands as C, recording as R
from service.access import may
from service.addresses import Way, to
from service.asking import Ask, Reply
from service.pages.paper import form, go
from service.problems import Halt

SUSPECTS_MAX: Final = 5
"""So many entries against the rules are named, the newest."""


class Calling(Struct, frozen=True, forbid_unknown_fields=True):
    """Which call is answered (0: a judge is called); and how the floor was shown, to go back to, or `back`: the match
    it was asked from. `pause`: a judge is there, and the clock stands still from now on.
    """

    answered: int = 0
    pause: bool = False
    back: bool = False
    round: str = ""
    show: str = ""
    size: str = ""
    at: str = ""
    event: str | None = None


class Suspect(Struct, frozen=True):
    """An entry that counts and was recorded against a clause."""

    entry: int
    clause: Clause
    says: str
    url: str


def suspects_of(ask: Ask, table: TableNow) -> tuple[Suspect, ...]:
    """What is wrong at a table, the newest first; nothing of a record that cannot be read whole, or by no law here."""
    try:
        match = ask.house.look(ask.session, table.match, operation="findings").match
    except Halt:
        return ()
    except StoreError as error:
        if error.trouble != "corrupt":
            raise
        return ()
    way = Way(ask.lang, match.id)
    suspects = [
        Suspect(number, clause, sentence(match.law, clause).say(ask.lang), way.finding(number, clause))
        for number in line(match.entries)
        if isinstance(played := match.entries[number - 1], Played)
        for clause in played.violations
    ]
    return tuple(suspects[: -SUSPECTS_MAX - 1 : -1])


def edition_words(table: TableNow, lang: Lang) -> str:
    """The edition that is played."""
    game = GAMES.get(table.game)
    return game.rulebook.word(table.edition, lang) if game is not None else table.edition


class CallState(Struct, frozen=True):
    """The open call of a match, 0 if there is none, and whether the session may answer it, or call a judge."""

    entry: int
    answers: bool
    calls: bool


def read_call(ask: Ask, match: Match) -> CallState | None:
    """Return the state of a match's call for a session that may call a judge there; else None."""
    if match.closed or not may(ask.session, "call", match.id):
        return None
    first = next(iter(open_calls(match.entries)), None)
    answers = first is not None and R.may_answer(ask.session, match, first)
    return CallState(first.entry if first else 0, answers, first is None and not may(ask.session, "rule", match.id))


def asked_words(ask: Ask, table: TableNow) -> tuple[str, ...]:
    """Return what was said to judges in the calls and the request that wait at a table; none to others."""
    if not table.asks or not may(ask.session, "rule", table.match):
        return ()
    entries = ask.house.match(table.match).entries
    told = (
        (entry.by, entry.text.partition(": ")[2])
        for each in table.asks
        if isinstance(entry := entries[each.entry - 1], Noted)
    )
    return tuple(say("floor.said", ask.lang, by=seat_words(Seat(by), ask.lang), text=text) for by, text in told if text)


def call(ask: Ask, query: object, body: Calling) -> Reply:
    """Call a judge to a table, or answer the call, by stopping the clock too; a tap too many changes nothing."""
    entries = ask.look("", "call").match.entries
    waiting = [asked.entry for asked in open_calls(entries)]
    if body.pause:
        if not docket_of(entries).pause:
            R.write(ask, "", C.Pause(id=uuid4()), "*")
    elif body.answered in waiting if body.answered else not waiting:
        R.write(ask, "", C.Call(id=uuid4(), answered=body.answered), "*")
    if body.back:
        return go(Way(ask.lang, ask.path["match"], ask.session.seat).live())
    shown = {name: getattr(body, name) for name in ("show", "size", "at") if getattr(body, name)}
    of = {} if body.event is None else {"event": body.event}
    floor = to(ask.lang, "floor", *filter(None, (body.round,)))
    asked = urlencode(shown | of)
    return go(f"{floor}?{asked}" if asked else floor)


ROUTES: Final = (
    form("/m/{match:str}/call", call, "Call a judge to a table, or answer the call.", "call", Calling, "commands"),
)
