"""Score sheets: record one as a match, all or nothing; compare and merge two."""

from hashlib import sha256
from typing import Any, Final

from msgspec.structs import replace

from domain.formats.errors import FormatError, decode_text
from domain.formats.sheets import Reconciliation, Sheet, read_sheet, reconcile, sheet_of
from domain.games import GAMES
from domain.law.clause import Refusal
from domain.law.face_request import FaceRequest
from domain.table.table import JUDGE
from domain.words import Text, listed
from projections.findings import sentence
from projections.sheets import SheetComparison, compare_sheets, merge_sheets
from projections.viewing import is_over
from recorder.answers import DeckRefused, Unavailable, Unfit
from recorder.match_ids import id_of, opened_by
from recorder.sheet_batch import PreparedSheet, UnlistedEntries, prepare_sheet, record_prepared_sheet
from recorder.sheet_recording import Ask as AskFace, RejectedLine, SheetConflict, SheetTerms, Unopened
from recorder.store import Conflict
from service.access import may
from service.idempotency import author_of, bind, key_of
from service.problems import HttpProblem, busy, http_problem, too_large
from service.recording import sheet_forms as F
from service.recording.refusals import problem_of_result
from service.requests import LOCKED_SECONDS, Request

TRIES: Final = 3
"""Attempts to prepare a sheet when others record in its match meanwhile."""
ENTRIES_SHOWN: Final = 12


def read_text(data: bytes) -> str:
    """Return the text of a sheet with Unix line endings. Raises HttpProblem if too large, FormatError if no text."""
    if len(data) > F.SIDE_MAX:
        raise too_large(F.SIDE_MAX)
    text = unix_endings(decode_text(data))
    require_length(text.count("\n"))
    return text


def require_length(lines: int, side: str = "") -> None:
    if lines > F.LINES_MAX:
        raise http_problem("too-large", Text("sheets.too_long", {"lines": lines, "most": F.LINES_MAX}), side=side)


def unix_endings(text: str) -> str:
    """Return the text with Unix line endings, because forms send CRLF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def record_sheet(request: Request, text: str, terms: F.SheetQuery, shows: F.Shows | None = None) -> F.SheetResult:
    """Record a sheet. `shows` are faces that its lines leave out. Raises HttpProblem or FormatError, and then nothing
    is recorded."""
    sheet = read_sheet(text, GAMES)
    for _ in range(TRIES):
        ready = make_ready(request, sheet, text, terms, shows)
        result = record_prepared_sheet(request.context.store, ready)
        if isinstance(result, int):
            if ready.new:
                request.context.keys.keep_writer(ready.match.id, request.session.number)
            request.context.wake(ready.match.id)
            return F.SheetResult(match=ready.match.id, head=result, lines=lines_of(ready), opened=ready.new)
    raise busy("store-unavailable", LOCKED_SECONDS)


def lines_of(ready: PreparedSheet) -> tuple[F.SheetLineEntries, ...]:
    return tuple(
        F.SheetLineEntries(
            line=line.line, first=line.first, last=line.last, known=line.known, violations=line.violations
        )
        for line in ready.lines
    )


def make_ready(
    request: Request, sheet: Sheet, text: str, terms: F.SheetQuery, shows: F.Shows | None = None
) -> PreparedSheet:
    """Return the prepared sheet without recording it. Raises HttpProblem with the line."""
    context, game, key = request.context, sheet.header.game, key_of(request, None)
    faces_left = {line: list(faces) for line, faces in (shows or {}).items()}
    face_args = [f"{line}={','.join(faces_left[line])}" for line in sorted(faces_left)]
    command = None if key is None else bind(request, key, "sheet", text, terms.match, terms.mend, *face_args)
    match = terms.match.strip() or sheet.header.opened.match
    if not match:
        of_text = sha256(text.encode()).hexdigest()
        match = id_of(game, of_text) if command is None else opened_by(context.store, game, command)
    request.require("open", match)
    by, wrote = author_of(request.session), sheet.header.opened.by
    sees_all = context.store.version(match) == 0 or _sees_all(request, match, mends=bool(terms.mend.strip()))
    of_sheet = SheetTerms(
        f"{by} ({wrote})" if wrote else by, context.clock(), terms.mend.strip(), _answer_from(faces_left)
    )
    ready = prepare_sheet(context.store, sheet, match, of_sheet, command=command, sees_all=sees_all)
    if isinstance(ready, PreparedSheet):
        _require_asked(ready, faces_left)
        return ready
    raise _sheet_problem(request, sheet, match, ready)


def _answer_from(left: dict[int, list[str]]) -> AskFace:
    """Return a function that answers from the faces sent for a line and consumes them."""
    return lambda line, wanted: left[line.line].pop(0) if left.get(line.line) else None


def _require_asked(ready: PreparedSheet, unused: dict[int, list[str]]) -> None:
    """Raise HttpProblem if a face was sent for a line that showed none, unless the line is already recorded."""
    known = {line.line for line in ready.lines if line.known}
    if extra := [line for line, faces in sorted(unused.items()) if faces and line not in known]:
        raise http_problem("unreadable", Text("sheets.not_asked", {"face": unused[extra[0]][0]}), line=extra[0])


def _sees_all(request: Request, match: str, *, mends: bool) -> bool:
    """True if the session may see all of a match that its sheet continues.

    Raises HttpProblem if the session may not record there. Also raised if it neither sees all of the match nor opened
    it with this token: the known lines would reveal content, and an author's name proves nothing.
    """
    request.require("record", match)
    if mends:
        request.require("approve_rewind", match)
    loaded = request.context.match(match)
    why = request.context.refusal(request.session, match, JUDGE, is_over(loaded.entries))
    if why is not None and not request.context.keys.is_writer(match, request.session.number):
        raise http_problem(why, Text("sheets.not_yours", {"match": match}))
    return why is None


def _sheet_problem(
    request: Request, sheet: Sheet, match: str, why: RejectedLine | SheetConflict | UnlistedEntries | Unopened
) -> HttpProblem:
    """Return the problem of a sheet, with its line."""
    match why:
        case RejectedLine(line=line, column=column, why=what):
            return _with_position(line, column, _line_problem(sheet, what))
        case SheetConflict(line=line, to=to, entries=entries):
            says = Text("sheets.behind", {"match": match, "to": to, "entries": _shorten(entries)})
            return http_problem("exists", says, line=line, to=to, undone=entries)
        case UnlistedEntries(entries=entries):
            breaks = may(request.session, "break_seal", match)
            says = Text("sheets.beside", {"match": match, "entries": _shorten(entries)})
            return http_problem("sealed" if breaks else "not-your-eyes", says)
        case DeckRefused(seat=seat, what=what, refusal=refusal):
            law = sheet.header.law
            assert law is not None
            both, clause = sentence(law, refusal.clause), refusal.clause
            says = Text("cli.deck_refused", {"seat": seat, "clause": clause, "what": what, "sentence": both})
            return http_problem("not-allowed", says, clause=clause)
        case Unfit(what=Text(key="paper.other_match") as what):
            return http_problem("exists", what)
        case Conflict():
            return busy("store-unavailable", LOCKED_SECONDS)
        case _:
            return problem_of_result(why)


def _line_problem(sheet: Sheet, why: Any) -> HttpProblem:
    match why:
        case FormatError():
            return http_problem("unreadable", why.message)
        case FaceRequest(place=place):
            return http_problem("unreadable", Text("sheets.face_wanted", {"place": place}), place=place)
        case Refusal(clause=clause):
            law = sheet.header.law
            assert law is not None
            says = Text("sheets.refused", {"clause": clause, "sentence": sentence(law, clause)})
            return http_problem("physically-impossible", says, clause=clause)
        case Unavailable(match=match, why=what):
            says = Text("cli.unavailable", {"match": match, "detail": what})
            return http_problem("closed" if why.closed else "physically-impossible", says)
        case _:
            return problem_of_result(why)


def _with_position(line: int, column: int, error: HttpProblem) -> HttpProblem:
    return HttpProblem(replace(error.problem, line=line, column=column), error.headers)


def _shorten(entries: tuple[int, ...]) -> Any:
    return listed([f"{entry}" for entry in entries[:ENTRIES_SHOWN]] + ["..."] * (len(entries) > ENTRIES_SHOWN))


# -- two sheets -------------------------------------------------------------------------------------------------------


def reconcile_sheets(request: Request, both: F.Both) -> Reconciliation:
    """Compare two sheets line by line. Raises HttpProblem with the side if one is invalid or not visible."""
    reconciliation = reconcile(_read_side(request, "a", both.a), _read_side(request, "b", both.b), F.CELLS_MAX)
    if isinstance(reconciliation, Text):
        raise http_problem("unreadable", reconciliation)
    return reconciliation


def compare(request: Request, both: F.Both) -> SheetComparison:
    return compare_sheets(reconcile_sheets(request, both))


def _read_side(request: Request, side: F.Side, sent: F.ComparedSheet) -> Sheet:
    """Return the sheet that was sent, or a recorded match as one if the session may see all of it."""
    if bool(sent.text) == bool(sent.match):
        raise http_problem("unreadable", Text("sheets.text_or_match", {"side": side}), side=side)
    if len(sent.text) > F.SIDE_MAX:
        raise http_problem("too-large", Text("problem.text_too_large", {"most": f"{F.SIDE_MAX:,}"}), side=side)
    name = sent.name or sent.match or side
    try:
        if sent.text:
            text = unix_endings(sent.text)
            require_length(text.count("\n"), side)
            return read_sheet(text, GAMES, name)
        sheet = sheet_of(request.context.look(request.session, sent.match, JUDGE).match, name)
        require_length(len(sheet.lines), side)
        return sheet
    except FormatError as error:
        raise http_problem("unreadable", error.message, line=error.line, column=error.column, side=side) from None
    except HttpProblem as error:
        raise HttpProblem(replace(error.problem, side=side), error.headers) from None


def settle(request: Request, settling: F.SettleSheetsRequest) -> F.Settled:
    """Merge two sheets by the answers to their differences. Raises HttpProblem, FormatError for an unknown
    difference."""
    reconciliation = reconcile_sheets(request, settling)
    return settle_reconciled(reconciliation, compare_sheets(reconciliation), settling)


def settle_reconciled(
    reconciliation: Reconciliation, value: SheetComparison, settling: F.SettleSheetsRequest
) -> F.Settled:
    """Merge two sheets that are already compared. Raises FormatError."""
    merged = merge_sheets(reconciliation, value, settling.answers, settling.lang)
    return F.Settled(
        text=merged.text,
        lines=merged.lines,
        answered=dict(settling.answers),
        open=tuple(each.number for each in merged.left),
        joined=merged.joined,
    )
