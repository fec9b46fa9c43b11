"""Exports of a match: the record for a session that may see all of it, else what the viewer saw."""

import re
from collections.abc import Callable
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from domain.formats import notation
from domain.formats.errors import FormatError
from domain.law.entries import last_described
from domain.table.table import JUDGE
from domain.words import LANGS, Lang, say
from domain.words.foreign import escape_undecodable
from projections.board import board_of
from projections.copies import copy_lines, copy_text, say_audience
from projections.findings import sentence
from projections.phrases import occasion_words, result_words, seat_name
from projections.timeline import TimelineEntry, timeline
from recorder.codec import CodecError, to_json_lines
from service.api import Query, make_route, tag_seen, view_response
from service.context import MatchView
from service.drawing import board
from service.problems import http_problem
from service.rendering import environment, read_style
from service.requests import HTML, Request, Response

TEXT: Final = "text/plain"
LINES: Final = "application/x-ndjson"
_IDS: Final = re.compile(r' id="t\d+"')
"""Ids are removed, because the page shows the board once per language."""


class ExportQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    lang: Lang = "en"


class Copy(Struct, frozen=True):
    """A match in one language: audience, facts, board, entries, and the clauses they cite."""

    lang: Lang
    title: str
    audience: str
    facts: dict[str, str]
    board: Markup
    lines: tuple[TimelineEntry, ...]
    clauses: dict[str, str]

    def t(self, key: str) -> str:
        return say(key, self.lang)


def export_notation(request: Request, query: ExportQuery, body: None) -> Response:
    view = request.look(query.viewer, "export")
    match, eyes = view.match, view.eyes

    def make() -> bytes:
        if eyes.viewer == JUDGE:
            return notation.write_notation(match.game, match.entries).encode()
        return copy_text(match, match.id, eyes, query.lang).encode()

    return _make_attachment(request, view, "spn", make, TEXT)


def export_lines(request: Request, query: ExportQuery, body: None) -> Response:
    view = request.look(query.viewer, "export")
    match, eyes = view.match, view.eyes

    def make() -> bytes:
        if eyes.viewer == JUDGE:
            return to_json_lines(request.context.store.read_record(match.id, view.head))
        return copy_lines(match, match.id, eyes, query.lang)

    return _make_attachment(request, view, "jsonl", make, LINES)


def export_page(request: Request, query: Query, body: None) -> Response:
    """Return what a viewer saw, in both languages, as a self-contained page."""
    view = request.look(query.viewer, "export")

    def make() -> bytes:
        copies = [_make_copy(request, view, lang) for lang in LANGS]
        page = environment().get_template("export.html").render(copies=copies, css=Markup(read_style("board.css")))
        return escape_undecodable(page).encode()

    return _make_attachment(request, view, "html", make, HTML)


def _make_attachment(request: Request, view: MatchView, form: str, make: Callable[[], bytes], kind: str) -> Response:
    """Return an attachment. Its name does not depend on the viewer, since others may see it in lists."""

    def try_to_make() -> bytes:
        try:
            return make()
        except FormatError as error:
            raise http_problem("unknown", error.message) from None
        except CodecError as error:
            raise http_problem("unknown", error.text) from None

    headers = {"Content-Disposition": f'attachment; filename="{view.match.id}.{form}"'}
    return view_response(request, view, tag_seen(request, view), try_to_make, kind, headers)


def _make_copy(request: Request, view: MatchView, lang: Lang) -> Copy:
    match, eyes = view.match, view.eyes
    game, opening, description = match.game, match.opening, last_described(match.entries)
    edition = game.rulebook.word(opening.version, lang)
    lines, setting = timeline(match, eyes, lang), request.context.drawing_context(view, lang)
    table_view = board_of(match, eyes, view.head, match.table, setting.place_cache)
    cited = [fact.clause for line in lines for fact in line.facts] + [c for line in lines for c in line.violations]
    result, state = match.table.result, "state.closed" if match.closed else "state.open"
    whole = eyes.viewer == JUDGE
    facts = {
        "copy.game": f"{game.rulebook.title.say(lang)} {edition}",
        "copy.rules": opening.rules_hash,
        "copy.players": say("list.comma", lang).join(
            f"{seat_name(opening.names, seat, lang)} {opening.names.get(seat, '')}".rstrip() for seat in opening.seats
        ),
        "copy.occasion": occasion_words(description.occasion, description.announced, lang),
        "copy.state": say(state, lang) if result is None else result_words(game, result, lang, opening.names),
    }
    return Copy(
        lang=lang,
        title=f"{match.id} {game.rulebook.title.say(lang)}",
        audience=say("copy.whole", lang, match=match.id) if whole else say_audience(match.id, eyes, lang),
        facts={key: text for key, text in facts.items() if text},
        board=Markup(_IDS.sub("", board.frame_in(table_view, setting))),
        lines=lines,
        clauses={clause: sentence(match.law, clause).say(lang) for clause in sorted(set(cited)) if clause},
    )


ROUTES: Final = (
    make_route(
        "/export.spn", export_notation, str, "Export the record in notation, or what the viewer saw as text.",
        query=ExportQuery, operation="export", kind=TEXT,
    ),
    make_route(
        "/export.jsonl", export_lines, str, "Export the record as JSON Lines, or what the viewer saw.",
        query=ExportQuery, operation="export", kind=LINES,
    ),
    make_route(
        "/export.html", export_page, str, "Export what the viewer saw as a self-contained page.",
        operation="export", kind=HTML,
    ),
)  # fmt: skip
