"""Preview of a table for judges, and the form that calls a judge or answers the call."""

from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from msgspec import Struct

from domain.games import GAMES
from domain.law.docket import docket_of
from domain.law.entries import Noted
from domain.law.remarks import read_remark
from domain.table.table import JUDGE
from domain.words import Lang, say
from projections.findings import counts_as_finding
from projections.phrases import seat_name
from projections.tables import TableStatus
from recorder.match_list import damage_in
from recorder.match_loader import LoadedMatch
from recorder.remarks import open_calls
from recorder.troubles import StoreError
from recorder.usecases import commands as C
from service.access import may
from service.addresses import MatchUrls, page_url
from service.disputes.finding_pages import FindingLink, list_findings
from service.pages import form_route, redirect
from service.problems import HttpProblem
from service.recording import commands as R
from service.requests import Request, Response

SUSPECTS_MAX: Final = 5
"""Findings shown in a preview, the newest."""


class CallForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A call, or the answer to call `answered` if it is not 0. `pause`: the judge stops the clock too. `back`: return
    to the match. The other fields are the floor's filter to return to."""

    answered: int = 0
    pause: bool = False
    back: bool = False
    round: str = ""
    show: str = ""
    size: str = ""
    at: str = ""
    page: str = ""
    event: str | None = None


def has_judge_view(request: Request, match: str) -> bool:
    """True while the session has broken the seal of a match with a judge's view."""
    broken = request.context.seals.find_broken(request.session, match, request.context.clock())
    return broken is not None and broken.viewer == JUDGE


def findings_at(request: Request, match: str) -> list[FindingLink]:
    """List the findings that hold in a match, for the view the session has of it now. Empty if the record cannot be
    read or the rules are unknown here."""
    viewer = JUDGE if has_judge_view(request, match) else ""
    try:
        view = request.context.look(request.session, match, viewer, operation="findings")
        return [named for named in list_findings(request, view) if counts_as_finding(named.finding)]
    except HttpProblem:
        return []
    except StoreError as error:
        damage_in(match, error)
        return []


def newest_findings(request: Request, table: TableStatus) -> list[FindingLink]:
    return findings_at(request, table.match)[: -SUSPECTS_MAX - 1 : -1]


def edition_words(table: TableStatus, lang: Lang) -> str:
    game = GAMES.get(table.game)
    return game.rulebook.word(table.edition, lang) if game is not None else table.edition


class CallState(Struct, frozen=True):
    """State of a match's call: its entry (0 for none), and whether the session may answer it or call a judge."""

    entry: int
    answers: bool
    calls: bool


def read_call(request: Request, match: LoadedMatch) -> CallState | None:
    """Return the state of a match's call for a session that may call a judge there; else None."""
    if match.closed or not may(request.session, "call", match.id):
        return None
    first = next(iter(open_calls(match.entries)), None)
    answers = first is not None and R.may_answer(request.session, match, first)
    return CallState(first.entry if first else 0, answers, first is None and not may(request.session, "rule", match.id))


def judge_messages(request: Request, table: TableStatus) -> tuple[str, ...]:
    """Return the messages to judges that wait at a table; empty for others."""
    if not table.judge_requests or not may(request.session, "rule", table.match):
        return ()
    entries = request.context.match(table.match).entries
    messages = (
        (entry.by, remark.more)
        for each in table.judge_requests
        if isinstance(entry := entries[each.entry - 1], Noted) and (remark := read_remark(entry.text)) is not None
    )
    return tuple(
        say("floor.said", request.lang, by=seat_name(table.names, by, request.lang), text=text)
        for by, text in messages
        if text
    )


def call(request: Request, query: object, body: CallForm) -> Response:
    """Call a judge, or answer the call, optionally stopping the clock. A repeated tap has no effect."""
    entries = request.look("", "call").match.entries
    waiting = [open_call.entry for open_call in open_calls(entries)]
    if body.pause:
        if not docket_of(entries).pause:
            R.write(request, "", C.Pause(id=uuid4()), "*")
    elif body.answered in waiting if body.answered else not waiting:
        R.write(request, "", C.CallJudge(id=uuid4(), answered=body.answered), "*")
    if body.back:
        return redirect(MatchUrls(request.lang, request.path["match"]).live_url())
    filters = {name: getattr(body, name) for name in ("show", "size", "at", "page") if getattr(body, name)}
    event = {} if body.event is None else {"event": body.event}
    floor = page_url(request.lang, "floor", *filter(None, (body.round,)))
    params = urlencode(filters | event)
    return redirect(f"{floor}?{params}" if params else floor)


ROUTES: Final = (
    form_route(
        "/m/{match:str}/call", call, "Call a judge to a table, or answer the call.", "call", CallForm, "commands"
    ),
)
