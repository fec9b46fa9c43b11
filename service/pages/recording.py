"""The recorder: one line, what may be typed next, the last entries and the board; each answer is the page again."""

from typing import Annotated, Final, Literal
from uuid import UUID, uuid4

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.law.clause import Clause
from domain.law.entries import Noted, last_described
from domain.law.remarks import read_remark
from domain.words import Lang, say
from projections import phrases as P
from projections.board import board_of
from projections.seen_entries import SeenEntry
from projections.timeline import entry_words
from service import commands as C, recording as R
from service.addresses import Way, to
from service.asking import Ask, Reply
from service.command_ids import writer
from service.draw import board
from service.house import Sight
from service.offering import offers_of
from service.pages.paper import form, go, page, said, sheet
from service.pages.within import clause_url
from service.problems import Halt, Problem

LAST: Final = 12
"""So many entries stand below the line."""
CONFLICT: Final = "/problem/conflict"
CLOSED: Final = "/problem/closed"
UNREADABLE: Final = "/problem/unreadable"
Head = Annotated[int, Meta(ge=0, le=999_999_999)]


class Typed(Struct, frozen=True, forbid_unknown_fields=True):
    """A line as it was typed or taken, on the head it follows, under an id of its own; or a call for a judge.

    `shows` are faces of real cards that were named for this line before, `face` is one more, or `unseen`: nobody saw
    it. With `note` a line that cannot be read is recorded as a note. `asks`: nothing else waits to be sent behind it,
    so that whoever sends it can be asked.
    """

    id: UUID
    head: Head
    line: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    take: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    do: Literal["", "call", "unseen", "note"] = ""
    shows: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    face: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    asks: bool = False


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """A match is closed, or given up, for a reason."""

    id: UUID
    head: Head
    reason: str = ""
    abandon: bool = False


class Asked(Struct, frozen=True):
    """A line that waits for a face that the law must know: where that card lies, and what is against the last one."""

    line: str
    shows: str
    place: str
    wrong: str


class Unread(Struct, frozen=True):
    """A line that cannot be recorded as an action, and why: it is asked whether it is to be a note."""

    line: str
    why: str


class Row(Struct, frozen=True):
    """An entry as a recorder reads it back: as it was typed if it says nothing to the law, with what is against it."""

    number: int
    url: str
    words: str
    clauses: tuple[tuple[Clause, str], ...]
    unread: bool


class Told(Struct, frozen=True):
    """What is said of the last line: that it was kept as a note and why, or which clauses it broke."""

    words: str
    why: str
    clause: Clause
    url: str


def show(ask: Ask, query: object, body: None) -> Reply:
    """The recorder of a match."""
    sight = ask.look("", "record")
    return _page(ask, sight, sight.head)


def enter(ask: Ask, query: object, body: Typed) -> Reply:
    """Record a line, and show the page again; where others were quicker, both sides of it."""
    text = body.take or body.line
    calls = body.do == "call"
    if not calls and not text.strip():
        return show(ask, query, None)
    named = "?" if body.do == "unseen" else body.face.strip()
    shows = tuple(face for face in (*body.shows.split(","), named) if face)
    command = C.Call(id=body.id, text=text) if calls else _line(body, text, shows)
    try:
        done: C.Entered = R.write(ask, "", command, "*" if calls else f'"{body.head}"').value
    except Halt as stopped:
        if body.asks and stopped.problem.type == UNREADABLE and (shows or stopped.problem.place):
            return _asking(ask, stopped.problem, text, body, shows)
        if not calls and stopped.problem.type in R.KEPT:
            return _unread(ask, stopped.problem, text, body)
        return _stopped(ask, stopped, text, body.id)
    # Who calls a judge has not seen what others entered before: the next line still follows what they have seen.
    return _page(ask, ask.look("", "record"), body.head if calls else done.head, told=_told(ask, done))


def _line(body: Typed, text: str, shows: tuple[str, ...]) -> C.Line:
    return C.Line(id=body.id, text=text, shows=shows, asks=body.asks, note=body.do == "note")


def _unread(ask: Ask, problem: Problem, text: str, body: Typed) -> Reply:
    """The page with the question whether a line that cannot be recorded is to be a note."""
    sight, unread = ask.look("", "record"), Unread(text, problem.says(ask.lang))
    return replace(_page(ask, sight, body.head, unread=unread, text=text, id=body.id), status=problem.status)


def _asking(ask: Ask, problem: Problem, text: str, body: Typed, shows: tuple[str, ...]) -> Reply:
    """The page with the question what a card is; of a face that cannot be, what is against it, and that again."""
    sight = ask.look("", "record")
    place = P.place_words(sight.match.game, problem.place, ask.lang) if problem.place else ""
    kept = shows if problem.place else shows[:-1]
    asked = Asked(text, ",".join(kept), place, "" if problem.place else problem.says(ask.lang))
    return _page(ask, sight, body.head, asked=asked, text=text, id=body.id)


def end(ask: Ask, query: object, body: Ending) -> Reply:
    """Close the match."""
    command = C.Close(id=body.id, reason=body.reason, abandon=body.abandon)
    try:
        R.write(ask, "", command, f'"{body.head}"')
    except Halt as stopped:
        if stopped.problem.type == CONFLICT:
            return _stopped(ask, stopped, "", body.id)
        sight = ask.look("", "record")
        shown = _page(ask, sight, sight.head, wrong=stopped.problem.says(ask.lang), reason=body.reason)
        return replace(shown, status=stopped.problem.status)
    return go(Way(ask.lang, ask.path["match"]).live())


def _stopped(ask: Ask, stopped: Halt, text: str, id: UUID) -> Reply:
    """The page where a line could not be recorded: others were quicker, or the match is closed."""
    problem = stopped.problem
    if problem.type not in (CONFLICT, CLOSED):
        raise stopped
    sight = ask.look("", "record")
    conflict = problem if problem.type == CONFLICT else None
    return replace(_page(ask, sight, sight.head, conflict=conflict, text=text, id=id), status=problem.status)


def _page(
    ask: Ask,
    sight: Sight,
    head: int,
    *,
    told: tuple[Told, ...] = (),
    conflict: Problem | None = None,
    asked: Asked | None = None,
    unread: Unread | None = None,
    text: str = "",
    id: UUID | None = None,
    wrong: str = "",
    reason: str = "",
) -> Reply:
    match, lang = sight.match, ask.lang
    setting = ask.house.lay(sight, lang)
    view = board_of(match, sight.eyes, sight.head, match.table, setting.kept)
    entries = R.seen(sight, max(1, sight.head - LAST + 1), writer(ask.session))
    awaited = match.law.awaited(match.table)
    return sheet(
        ask,
        "record.html",
        said(ask, "record.title", match=match.id),
        match=match.id,
        at_table=last_described(match.entries).occasion.table,
        url=to(lang, "record", match.id),
        live=Way(lang, match.id).live(),
        back=to(lang, "record"),
        who=writer(ask.session),
        seats=" ".join(match.opened.seats),
        awaited=P.listed((P.seat_words(seat, lang) for seat in awaited), lang) if awaited else "",
        head=head,
        closed=match.closed,
        result=match.table.result is not None,
        id=id or uuid4(),
        close_id=uuid4(),
        call_id=uuid4(),
        line_max=C.LINE_MAX,
        text=text,
        told=told,
        conflict=conflict,
        asked=asked,
        unread=unread,
        since=[] if conflict is None else [_row(ask, sight, entry) for entry in conflict.since],
        wrong=wrong,
        reason=reason,
        offers=offers_of(ask.house, sight, lang),
        real=match.undealt,
        after=to(lang, "record", match.id, "after") if match.undealt else "",
        rows=[_row(ask, sight, entry) for entry in reversed(entries)],
        board=board.frame_in(view, setting),
    )


def _row(ask: Ask, sight: Sight, entry: SeenEntry) -> Row:
    match = sight.match
    words, noted = entry_words(match.game, entry, ask.lang).text, match.entries[entry.number - 1]
    kept = read_remark(noted.text) if isinstance(noted, Noted) else None
    unread = kept is not None and kept.kind == "unread"
    if isinstance(noted, Noted) and kept is not None and unread:
        words = kept.more if noted.by == writer(ask.session) else said(ask, "record.unread")
    clauses = tuple((clause, clause_url(ask, match, clause)) for clause in entry.violations)
    return Row(entry.number, Way(ask.lang, match.id).moment(entry.number), words, clauses, unread)


def _told(ask: Ask, done: C.Entered) -> tuple[Told, ...]:
    lang: Lang = ask.lang
    flags = tuple(
        Told(
            say("record.broken", lang, n=flag.entry), flag.sentence.say(lang), flag.clause, f"/{lang}{flag.clause_url}"
        )
        for flag in done.flags
    )
    if done.kept is None:
        return flags
    return (*flags, Told(say("record.kept", lang), done.kept.say(lang), Clause(""), ""))


ROUTES: Final = (
    page("/record/{match:str}", show, "The recorder of a match.", "record"),
    form("/record/{match:str}", enter, "Record a line.", "record", Typed, "commands"),
    form("/record/{match:str}/close", end, "Close a match.", "record", Ending, "commands"),
)
