"""Recorder page: the line, suggestions, last entries and the board. Each response is the page again."""

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Annotated, Final, Literal, assert_never
from uuid import UUID, uuid4

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from domain.judging.trails import known_table
from domain.law.clause import Clause
from domain.law.entries import Entry, Noted
from domain.law.game import UNKNOWN_FACE, Game
from domain.law.remarks import is_housekeeping, read_remark
from domain.table.table import Seat, seat_of
from domain.words import Lang, Text, say
from projections import phrases as P
from projections.board import board_of
from projections.phrases import seat_name
from projections.questions import face_question
from projections.seen_entries import SeenEntry
from projections.timeline import entry_words
from projections.undo_plans import has_undo, plan_redo
from recorder.remarks import is_played_on_phones
from recorder.usecases import commands as C
from service import payloads
from service.addresses import MatchUrls, page_url
from service.context import MatchView
from service.drawing import board
from service.floor.calls_page import read_call
from service.floor.clock_page import read_clock
from service.idempotency import author_of
from service.match.layout import clause_url, match_name, stream_of
from service.pages import form_route, page_route, redirect, template_page, translate
from service.problems import HttpProblem, Problem, RefusedFace, http_problem
from service.recording import commands as R
from service.recording.card_order import NO_ORDER, OrderQuery
from service.recording.checks import deck_faces
from service.recording.offers import RecordingOffers, VerbOffer, line_words, offers_of, order_step, order_urls
from service.requests import Request, Response

LAST: Final = 12
"""Entries shown below the line."""
CONFLICT: Final = "/problem/conflict"
CLOSED: Final = "/problem/closed"
UNREADABLE: Final = "/problem/unreadable"
UNCONFIRMED: Final = "/problem/needs-confirmation"
OUT_OF_ORDER: Final = "/problem/out-of-order"
NEXT_FACE: Final = "_"
"""Placeholder for the requested face among the named ones, unless it is the last."""
Head = Annotated[int, Meta(ge=0, le=999_999_999)]


class LineForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A typed or suggested line on the head it follows, or a call for a judge.

    `shows` are the faces of real cards named so far, and `face` is the next one, or `area` where it went unseen.
    `asks`: no other line waits on the device, so a question can be asked. `begins` is a prefix of the line. `do`
    "unseen" answers that the face was not seen, "end" confirms an ending, and "pass" passes for all. "note" records an
    unreadable line as a note, and an incomplete one as it stands; `stands` says the same with the face that such a line
    waits for. `who` is the author, so that a queued line is not recorded for the next person who signs in on the
    device.
    """

    id: UUID
    head: Head
    line: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    take: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    begins: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    do: Literal["", "call", "unseen", "note", "pass", "end"] = ""
    shows: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    face: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    area: Annotated[str, Meta(max_length=C.LINE_MAX)] = ""
    asks: bool = False
    stands: bool = False
    who: str = ""


class CloseMatchForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to close or abandon, with the reason."""

    id: UUID
    head: Head
    reason: str = ""
    abandon: bool = False
    confirm: bool = False


class FaceQuestion(Struct, frozen=True):
    """A line that waits for a face: the question, and the error of the last answer. `areas` are the areas that an
    unseen card may have gone to, if that decides the outcome, each with its answer."""

    line: str
    shows: str
    question: str
    wrong: str
    faces: tuple[tuple[str, str], ...] = ()
    areas: tuple[tuple[str, str], ...] = ()
    stands: bool = False


class UnreadLine(Struct, frozen=True):
    """A line that is not recorded, what is asked, and why. `answers` are lines that may be meant: each has a prefix, a
    line, and words. `as_it_stands`: it may be recorded as an illegal action, else as a note. `shows` are the faces of
    real cards named for it."""

    line: str
    question: str
    why: str
    answers: tuple[tuple[str, str, str], ...] = ()
    as_it_stands: bool = False
    shows: str = ""


class Unconfirmed(Struct, frozen=True):
    """A line that ends the match and needs confirmation, and its effect."""

    line: str
    sure: str


class LineNotice(Struct, frozen=True):
    """A notice about the last line: recorded as a note and why, or a clause it broke."""

    words: str
    why: str
    clause: Clause
    url: str


class RecorderPage(Struct, frozen=True):
    """Additions to the page: question or error, the text typed, and the current order."""

    notices: tuple[LineNotice, ...] = ()
    conflict: Problem | None = None
    face_question: FaceQuestion | None = None
    unread: UnreadLine | None = None
    text: str = ""
    id: UUID | None = None
    ending: Unconfirmed | None = None
    closing: str = ""
    wrong: str = ""
    reason: str = ""
    abandon: bool = False
    order: OrderQuery = NO_ORDER


class RecorderRow(Struct, frozen=True):
    """An entry in the recorder's list, with the clauses it broke. An unread line appears as typed."""

    number: int
    url: str
    words: str
    clauses: tuple[tuple[Clause, str], ...]
    unread: bool


def show_recorder(request: Request, query: OrderQuery, body: None) -> Response:
    view = request.look("", "record")
    return _draw_page(request, view, view.head, RecorderPage(order=query))


def record_line(request: Request, query: object, body: LineForm) -> Response:
    """Record a line and show the page again. On a conflict it shows both sides."""
    if body.who not in ("", author_of(request.session)):
        raise http_problem("no-authority", Text("record.other_person", {"who": body.who}))
    text = body.take or " ".join(filter(None, (body.begins.strip(), body.line.strip())))
    is_call = body.do == "call"
    if body.do not in ("call", "pass") and not (body.take or body.line).strip():
        return show_recorder(request, NO_ORDER, None)
    face = UNKNOWN_FACE if body.do == "unseen" else body.area or body.face.strip()
    shows, waiting = _split_faces(body.shows, face)
    if not body.asks:
        shows, waiting = (*shows, *waiting), ()
    try:
        result: payloads.EntriesWithFlags = R.write(
            request, "", _make_command(body, text, shows), "*" if is_call else f'"{body.head}"'
        ).value
    except HttpProblem as error:
        problem = error.problem
        if problem.place and waiting:  # the next face was named earlier
            do = "" if body.do == "unseen" else body.do
            again = replace(body, do=do, area="", face=waiting[0], shows=_join_faces(shows, waiting[1:]))
            return record_line(request, query, again)
        if problem.type == UNCONFIRMED and problem.sure is not None:
            ending = Unconfirmed(text, problem.sure.say(request.lang))
            return _draw_page(
                request, request.look("", "record"), body.head, RecorderPage(ending=ending, text=text, id=body.id)
            )
        if problem.type == OUT_OF_ORDER:
            notices = (LineNotice(say("record.nothing", request.lang), problem.says(request.lang), Clause(""), ""),)
            return _draw_page(request, request.look("", "record"), body.head, RecorderPage(notices=notices))
        if body.asks and problem.type == UNREADABLE and (shows or problem.place) and not problem.missing:
            return _ask_face(request, problem, text, body, shows, waiting)
        if not is_call and problem.type in R.NOTE_PROBLEMS:
            return _ask_note(request, problem, text, replace(body, shows=_join_faces(shows, waiting)))
        return _draw_unrecorded(request, error, text, body.id)
    # The author of a call has not seen entries of others. The next line still follows the head they saw.
    return _draw_page(
        request,
        request.look("", "record"),
        body.head if is_call else result.head,
        RecorderPage(notices=_list_line_notices(request, result)),
    )


def _ask_note(request: Request, problem: Problem, text: str, body: LineForm) -> Response:
    """Ask who acted, which value is meant, or whether a line that cannot be recorded becomes a note."""
    view, lang = request.look("", "record"), request.lang
    table = known_table(view.match, view.eyes, view.head)
    answers = [(f"{seat}:", text, seat_name(view.match.names, seat, lang)) for seat in problem.actors]
    for line in problem.candidates:
        actor, _, values = line.partition(": ")
        answers.append((f"{actor}:", values, line_words(view, table, line, "", lang)))
    question = say("record.whose_ask" if problem.actors else "record.unread_ask", lang)
    if problem.missing:
        slots = P.listed((P.word(view.match.game, slot, lang) for slot in problem.missing), lang)
        question = say("record.missing_ask", lang, slots=slots)
    unread = UnreadLine(text, question, problem.says(lang), tuple(answers), R.can_stand(problem), body.shows)
    return replace(
        _draw_page(request, view, body.head, RecorderPage(unread=unread, text=text, id=body.id)), status=problem.status
    )


def _make_command(body: LineForm, text: str, shows: tuple[str, ...]) -> C.CallJudge | C.PassAll | C.RecordLine:
    match body.do:
        case "call":
            return C.CallJudge(id=body.id, text=text)
        case "pass":
            return C.PassAll(id=body.id)
        case "" | "unseen" | "note" | "end":
            note, confirm = body.stands or body.do == "note", body.do == "end"
            return C.RecordLine(id=body.id, text=text, shows=shows, asks=body.asks, note=note, confirm=confirm)
        case _:
            assert_never(body.do)


def _ask_face(
    request: Request, problem: Problem, text: str, body: LineForm, shows: tuple[str, ...], waiting: tuple[str, ...]
) -> Response:
    """Ask for the face of a card, with the reason if the last answer is impossible."""
    view = request.look("", "record")
    match, wrong = view.match, "" if problem.place else problem.says(request.lang)
    card = problem.refused_face or RefusedFace(problem.place, problem.purpose, shows if problem.place else shows[:-1])
    question = face_question(match.game, match.names, card.place, card.purpose, request.lang) if card.place else ""
    seat = seat_of(card.place) if card.place else None
    faces = tuple((face, _face_words(match.game, face, request.lang)) for face in deck_faces(view, seat or Seat("")))
    split = match.game.face_split(card.purpose)
    areas = (
        ()
        if split is None
        else tuple((UNKNOWN_FACE + each, P.word(match.game, each, request.lang)) for each in split.areas)
    )
    named = _join_faces(card.shows, (*card.after, *waiting))
    stands = body.stands or body.do == "note"
    prompt = FaceQuestion(text, named, question, wrong, faces, areas, stands)
    return _draw_page(request, view, body.head, RecorderPage(face_question=prompt, text=text, id=body.id))


def _split_faces(faces_text: str, face: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the faces up to the requested one, and those named after it."""
    faces = [each for each in faces_text.split(",") if each]
    at = faces.index(NEXT_FACE) if NEXT_FACE in faces else len(faces)
    return (*faces[:at], *filter(None, (face,))), tuple(faces[at + 1 :])


def _join_faces(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    return ",".join((*before, NEXT_FACE, *after)) if after else ",".join(before)


def _face_words(game: Game, face: str, lang: Lang) -> str:
    name = P.word(game, face, lang)
    return game.display.short(face, lang) if name == face else name


def close_match(request: Request, query: object, body: CloseMatchForm) -> Response:
    command = C.Close(id=body.id, reason=body.reason, abandon=body.abandon, confirm=body.confirm)
    try:
        R.write(request, "", command, f'"{body.head}"')
    except HttpProblem as error:
        if error.problem.type == CONFLICT:
            return _draw_unrecorded(request, error, "", body.id)
        view = request.look("", "record")
        sure = error.problem.sure
        if sure is not None:
            return _draw_page(
                request,
                view,
                view.head,
                RecorderPage(closing=sure.say(request.lang), reason=body.reason, abandon=body.abandon),
            )
        response = _draw_page(
            request, view, view.head, RecorderPage(wrong=error.problem.says(request.lang), reason=body.reason)
        )
        return replace(response, status=error.problem.status)
    return redirect(MatchUrls(request.lang, request.path["match"]).live_url())


def reopen_recorder(request: Request, query: object, body: None) -> Response:
    """Show the recorder after the page of a form was loaded again."""
    return redirect(page_url(request.lang, "record", request.path["match"]))


def _draw_unrecorded(request: Request, error: HttpProblem, text: str, id: UUID) -> Response:
    problem = error.problem
    if problem.type not in (CONFLICT, CLOSED):
        raise error
    view = request.look("", "record")
    conflict = problem if problem.type == CONFLICT else None
    return replace(
        _draw_page(request, view, view.head, RecorderPage(conflict=conflict, text=text, id=id)), status=problem.status
    )


def _draw_page(request: Request, view: MatchView, head: int, shown: RecorderPage) -> Response:
    match, lang = view.match, request.lang
    url = page_url(lang, "record", match.id)
    setting = request.context.drawing_context(view, lang)
    table_view = board_of(match, view.eyes, view.head, match.table, setting.place_cache)
    numbers = _last_entries(match.entries)
    entries = [each for each in R.list_entries(view, numbers[0], author_of(request.session)) if each.number in numbers]
    awaited, offers = match.law.awaited(match.table), offers_of(request.context, view, lang)
    on_phone: tuple[Seat, ...] = ()
    if is_played_on_phones(match.entries) and not match.undealt:
        on_phone = tuple(dict.fromkeys(each.seat for each in offers.verbs if not _is_known(each)))
        offers = _hide_seats(offers, on_phone)
    clock, undo = read_clock(request, view), page_url(lang, "record", match.id, "undo")
    return template_page(
        request,
        "record.html",
        translate(request, "record.title", match=match_name(match, request.lang)),
        match=match.id,
        table_name=match_name(match, lang),
        url=url,
        live=MatchUrls(lang, match.id).live_url(),
        back=page_url(lang, "record"),
        who=author_of(request.session),
        seats=" ".join(match.opening.seats),
        awaited=P.listed((seat_name(match.names, seat, lang) for seat in awaited), lang) if awaited else "",
        on_phone=P.listed((seat_name(match.names, seat, lang) for seat in on_phone), lang) if on_phone else "",
        head=head,
        viewer=view.eyes.viewer,
        stream=stream_of(request, view),
        closed=match.closed,
        call=read_call(request, match),
        clock=clock,
        countdown=clock.countdown,
        result=P.result_words(match.game, match.table.result, lang, match.names) if match.table.result else "",
        **{**asdict(shown), "id": shown.id or uuid4(), "order": order_step(offers.verbs, url, shown.order)},
        close_id=uuid4(),
        call_id=uuid4(),
        answer_ids=tuple(uuid4() for offered in offers.verbs),
        line_max=C.LINE_MAX,
        since=[_make_row(request, view, entry) for entry in shown.conflict.since] if shown.conflict else [],
        offers=offers,
        order_urls=order_urls(offers.verbs, url),
        real=match.undealt,
        after=page_url(lang, "record", match.id, "after") if match.undealt else "",
        undo=undo if not match.closed and has_undo(match) else "",
        redo=f"{undo}?redo=true" if plan_redo(match, match.id, author_of(request.session)).is_free else "",
        rows=[_make_row(request, view, entry) for entry in reversed(entries)],
        board=board.frame_in(table_view, setting),
    )


def _is_known(offered: VerbOffer) -> bool:
    return bool(offered.lines or offered.order)


def _hide_seats(offers: RecordingOffers, seats: Collection[Seat]) -> RecordingOffers:
    """Return the offers without questions to these seats and without verbs whose values the recorder does not know."""
    return replace(
        offers,
        questions=tuple(each for each in offers.questions if each.seat not in seats),
        verbs=tuple(each for each in offers.verbs if _is_known(each)),
    )


def _last_entries(entries: Sequence[Entry]) -> list[int]:
    numbers = (number for number in range(len(entries), 0, -1) if not is_housekeeping(entries[number - 1]))
    return sorted(islice(numbers, LAST))


def _make_row(request: Request, view: MatchView, entry: SeenEntry) -> RecorderRow:
    match = view.match
    words, noted = entry_words(match.game, entry, request.lang, match.names).text, match.entries[entry.number - 1]
    remark = read_remark(noted.text) if isinstance(noted, Noted) else None
    unread = remark is not None and remark.kind == "unread"
    if isinstance(noted, Noted) and remark is not None and unread:
        words = remark.more if noted.by == author_of(request.session) else translate(request, "record.unread")
    clauses = tuple((clause, clause_url(request, match, clause)) for clause in entry.violations)
    return RecorderRow(entry.number, MatchUrls(request.lang, match.id).moment_url(entry.number), words, clauses, unread)


def _list_line_notices(request: Request, done: payloads.EntriesWithFlags) -> tuple[LineNotice, ...]:
    lang: Lang = request.lang
    flags = tuple(
        LineNotice(
            say("record.broken", lang, n=flag.entry), flag.sentence.say(lang), flag.clause, f"/{lang}{flag.clause_url}"
        )
        for flag in done.flags
    )
    if done.kept is None:
        return flags
    return (*flags, LineNotice(say("record.kept", lang), done.kept.say(lang), Clause(""), ""))


ROUTES: Final = (
    page_route("/record/{match:str}", show_recorder, "Show the recorder of a match.", "record", OrderQuery),
    form_route("/record/{match:str}", record_line, "Record a line.", "record", LineForm, "commands"),
    page_route("/record/{match:str}/close", reopen_recorder, "Show the recorder of a match.", "record"),
    form_route("/record/{match:str}/close", close_match, "Close a match.", "record", CloseMatchForm, "commands"),
)
