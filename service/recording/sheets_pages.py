"""Pages of score sheets: preview and record one; compare two and merge them by answers."""

import re
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.sheets import list_faults, read_sheet
from domain.games import GAMES
from domain.table.table import JUDGE
from domain.words import say
from projections.sheets import DifferenceReport, SheetComparison, compare_sheets
from recorder.sheet_batch import PreparedSheet
from service.access import may
from service.addresses import MatchUrls, match_clause_url, page_url
from service.floor.new_match_pages import result_or_problem
from service.match.layout import seal_of, stream_of
from service.pages import form_route, page_route, redirect, template_page, translate
from service.problems import Problem, http_problem
from service.recording import sheet_forms as F, sheets
from service.requests import Request, Response
from service.uploads import read_upload

ANSWER: Final = re.compile(r"([0-9]{1,6})=([ab]?)")
TEXT_MAX: Final = 500
NAME_MAX: Final = 64
"""Characters of a match id."""
Named = Annotated[str, Meta(max_length=TEXT_MAX)]


class SheetUploadForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet to preview as a file or text, its match, and the reason for mended lines."""

    file: bytes = b""
    text: str = ""
    match: Named = ""
    mend: Named = ""


class SheetConfirmForm(Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    match: Named = ""
    mend: Named = ""


class TwoSheetsForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Two sheets, each a file, text or match; the earlier answers, the new answer, and whether to merge."""

    a_file: bytes = b""
    b_file: bytes = b""
    a: str = ""
    b: str = ""
    a_match: Named = ""
    b_match: Named = ""
    answers: Annotated[str, Meta(max_length=20_000)] = ""
    answer: Annotated[str, Meta(max_length=12)] = ""
    make: bool = False


class CompareSheetsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    match: Named = ""


class SheetFault(Struct, frozen=True):
    line: int
    text: str
    what: str


class FlaggedLine(Struct, frozen=True):
    """A line recorded as played, and the clauses it breaks with their URLs."""

    line: int
    text: str
    clauses: tuple[tuple[str, str], ...]


# -- one sheet --------------------------------------------------------------------------------------------------------


def show_form(request: Request, query: object, body: None) -> Response:
    return _draw(request, SheetConfirmForm(""))


def preview_sheet(request: Request, query: object, body: bytes) -> Response:
    request.require("open")
    sent = read_upload(request, body, SheetUploadForm)
    text = result_or_problem(lambda: sheets.read_text(sent.file or sent.text.encode()))
    if isinstance(text, Problem):
        return _draw(request, SheetConfirmForm(sheets.unix_endings(sent.text), sent.match, sent.mend), text)
    given = SheetConfirmForm(text, sent.match, sent.mend)
    ready = result_or_problem(lambda: _prepare(request, given))
    return _draw(request, given, ready) if isinstance(ready, Problem) else _draw(request, given, ready=ready)


def record_sheet(request: Request, query: object, body: SheetConfirmForm) -> Response:
    """Record a previewed sheet, all or nothing, and redirect to its match. A repeat records no more."""
    request.require("open")
    given = replace(body, text=sheets.unix_endings(body.text))
    result = result_or_problem(
        lambda: sheets.record_sheet(
            request, sheets.read_text(given.text.encode()), F.SheetQuery(given.match, given.mend)
        )
    )
    if isinstance(result, Problem):
        return _draw(request, given, result)
    may_record = may(request.session, "record", result.match)
    return redirect(
        page_url(request.lang, "record", result.match)
        if may_record
        else MatchUrls(request.lang, result.match).live_url()
    )


def _prepare(request: Request, given: SheetConfirmForm) -> PreparedSheet:
    return sheets.make_ready(request, read_sheet(given.text, GAMES), given.text, F.SheetQuery(given.match, given.mend))


def _draw(
    request: Request, given: SheetConfirmForm, wrong: Problem | None = None, ready: PreparedSheet | None = None
) -> Response:
    response = template_page(
        request,
        "sheet.html",
        translate(request, "sheets.title"),
        given=given,
        faults=[] if wrong is None else _list_faults(request, given.text, wrong),
        ready=ready is not None,
        match="" if ready is None else ready.match.id,
        opens=ready is not None and ready.new,
        new=0 if ready is None else sum(not line.known for line in ready.lines),
        known=0 if ready is None else sum(line.known for line in ready.lines),
        flagged=[] if ready is None else _list_flagged(request, given.text, ready),
        mends=may(request.session, "approve_rewind"),
        text_max=F.SIDE_MAX,
        name_max=NAME_MAX,
        url=page_url(request.lang, "paper"),
        compare=page_url(request.lang, "paper", "compare"),
        back=page_url(request.lang, "record"),
    )
    return response if wrong is None else replace(response, status=wrong.status)


def _list_faults(request: Request, text: str, wrong: Problem) -> list[SheetFault]:
    """Return the unreadable lines of a sheet, or else the problem that prevented recording."""
    faults = list_faults(text, GAMES) if wrong.type == "/problem/unreadable" else ()
    rows = text.split("\n")
    errors = [(fault.line, fault.message.say(request.lang)) for fault in faults] or [
        (wrong.line, wrong.says(request.lang))
    ]
    return [SheetFault(line, rows[line - 1][:TEXT_MAX] if 0 < line <= len(rows) else "", what) for line, what in errors]


def _list_flagged(request: Request, text: str, ready: PreparedSheet) -> list[FlaggedLine]:
    rows, match = text.split("\n"), ready.match
    return [
        FlaggedLine(
            line.line,
            rows[line.line - 1].strip()[:TEXT_MAX],
            tuple((clause, match_clause_url(request.lang, match, clause)) for clause in line.violations),
        )
        for line in ready.lines
        if line.violations
    ]


# -- two sheets -------------------------------------------------------------------------------------------------------


def show_two(request: Request, query: CompareSheetsQuery, body: None) -> Response:
    return _draw_form(request, TwoSheetsForm(a_match=query.match))


def compare(request: Request, query: object, body: bytes) -> Response:
    request.require("hold_sheets")
    two = read_upload(request, body, TwoSheetsForm)
    texts = result_or_problem(lambda: (_read_side(two.a_file, two.a, "a"), _read_side(two.b_file, two.b, "b")))
    if isinstance(texts, Problem):
        return _draw_form(request, replace(two, a_file=b"", b_file=b""), texts)
    return _draw_comparison(
        request, TwoSheetsForm(a=texts[0], b=texts[1], a_match=two.a_match.strip(), b_match=two.b_match.strip())
    )


def settle_sheets(request: Request, query: object, body: TwoSheetsForm) -> Response:
    """Compare again with one more answer, or merge."""
    request.require("hold_sheets")
    return _draw_comparison(request, replace(body, a=sheets.unix_endings(body.a), b=sheets.unix_endings(body.b)))


def _read_side(file: bytes, text: str, side: F.Side) -> str:
    try:
        return sheets.read_text(file or text.encode())
    except FormatError as error:
        raise http_problem("unreadable", error.message, line=error.line, column=error.column, side=side) from None


def _draw_comparison(request: Request, two: TwoSheetsForm) -> Response:
    answers = _read_answers(two)
    a, b = F.ComparedSheet(text=two.a, match=two.a_match), F.ComparedSheet(text=two.b, match=two.b_match)
    both = F.SettleSheetsRequest(a=a, b=b, answers=answers, lang=request.lang)
    reconciliation = result_or_problem(lambda: sheets.reconcile_sheets(request, both))
    if isinstance(reconciliation, Problem):
        return _draw_form(request, two, reconciliation)
    value = compare_sheets(reconciliation)
    merged = result_or_problem(lambda: sheets.settle_reconciled(reconciliation, value, both)) if two.make else None
    if isinstance(merged, Problem):
        return _draw_form(request, two, merged)
    return template_page(
        request,
        "two_sheets.html",
        translate(request, "sheets.two"),
        given=two,
        value=value,
        rows=[_make_row(request, each) for each in value.differences],
        chosen=answers,
        answers=",".join(f"{number}={side}" for number, side in answers.items()),
        left=sum(each.number not in answers for each in value.questions),
        made=merged,
        names=_side_names(request, value),
        **_seal_values(request, two),
        opens=may(request.session, "open"),
        url=page_url(request.lang, "paper", "settle"),
        take=page_url(request.lang, "paper"),
        back=page_url(request.lang, "paper", "compare"),
    )


def _seal_values(request: Request, two: TwoSheetsForm) -> dict[str, Any]:
    """Return the broken seals of the compared matches, and the stream that tells the page when one ends."""
    at = request.context.clock()
    names = [name for name in dict.fromkeys((two.a_match, two.b_match)) if name]
    open_names = [name for name in names if request.context.seals.find_broken(request.session, name, at) is not None]
    views = [request.context.look(request.session, name, JUDGE) for name in open_names]
    seals = [seal for view in views if (seal := seal_of(request, view.match)) is not None]
    streams = ((stream, view.head) for view in views if (stream := stream_of(request, view)))
    stream, head = next(streams, ("", 0))
    return {
        "seals": seals,
        "seal_in": min((seal.left for seal in seals), default=0),
        "stream": stream,
        "head": head,
    }


def _side_names(request: Request, value: SheetComparison) -> dict[str, str]:
    """Return the names of the two sheets, by author if both name one."""
    return {
        side: say("sheets.side", request.lang, side=side, name=name) for side, name in zip("ab", value.by, strict=True)
    }


def _make_row(request: Request, each: DifferenceReport) -> dict[str, object]:
    after_lines = say("paper.behind_lines", request.lang, a=each.behind[0] or "-", b=each.behind[1] or "-")
    sides = {
        side: [
            (number, text, words.say(request.lang))
            for number, text, words in zip(reading.lines, reading.text, reading.words, strict=True)
        ]
        for side, reading in (("a", each.a), ("b", each.b))
    }
    return {
        "number": each.number,
        "asks": each.asks,
        "question": each.question.say(request.lang),
        "behind": after_lines,
        "sides": sides,
        "joined": each.joined,
    }


def _read_answers(two: TwoSheetsForm) -> dict[int, F.Side]:
    """Return the answers, the latest last. An empty answer reopens its question."""
    answers: dict[int, F.Side] = {}
    for given in (*filter(None, two.answers.split(",")), *filter(None, (two.answer,))):
        match = ANSWER.fullmatch(given)
        if match is None:
            raise http_problem("unreadable")
        answers.pop(int(match[1]), None)
        if match[2]:
            answers[int(match[1])] = "a" if match[2] == "a" else "b"
    return answers


def _draw_form(request: Request, two: TwoSheetsForm, wrong: Problem | None = None) -> Response:
    side = "" if wrong is None else wrong.side
    says = "" if wrong is None else wrong.says(request.lang)
    if wrong is not None and wrong.line:
        says = say("sheets.at_line", request.lang, line=wrong.line, what=says)
    response = template_page(
        request,
        "lay_sheets.html",
        translate(request, "sheets.two"),
        given=two,
        side=side,
        wrong=translate(request, "sheets.of_side", side=side, what=says) if side else says,
        text_max=F.SIDE_MAX,
        name_max=NAME_MAX,
        url=page_url(request.lang, "paper", "compare"),
        back=page_url(request.lang, "record"),
    )
    return response if wrong is None else replace(response, status=wrong.status)


ROUTES: Final = (
    page_route("/paper", show_form, "Show the form that records a score sheet.", "open"),
    replace(form_route("/paper", preview_sheet, "Preview a score sheet.", "open", bytes, "commands"), large=True),
    replace(
        form_route("/paper/take", record_sheet, "Record a score sheet.", "open", SheetConfirmForm, "commands"),
        large=True,
    ),
    page_route("/paper/compare", show_two, "Show the form to compare score sheets.", "hold_sheets", CompareSheetsQuery),
    replace(
        form_route("/paper/compare", compare, "Compare two score sheets.", "hold_sheets", bytes, "commands"), large=True
    ),
    replace(
        form_route("/paper/settle", settle_sheets, "Answer the differences.", "hold_sheets", TwoSheetsForm, "commands"),
        large=True,
    ),
)
