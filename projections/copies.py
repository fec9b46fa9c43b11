"""Copies of a match for one viewer: redacted, and labelled as not being a record."""

import msgspec

from domain.law.record import Record
from domain.table.redact import TableViewer
from domain.words import Lang, say
from domain.words.foreign import escape_undecodable
from domain.words.lines import escape_line_ends
from projections.rows import plain
from projections.seen_entries import seen_entries
from projections.timeline import render_timeline, timeline


def copy_text(record: Record, match: str, eyes: TableViewer, lang: Lang) -> str:
    rows = render_timeline(timeline(record, eyes, lang), lang)
    return escape_undecodable(f"; {say_audience(match, eyes, lang)}\n\n{plain(rows)}\n")


def copy_lines(record: Record, match: str, eyes: TableViewer, lang: Lang) -> bytes:
    """Return the viewer's copy as lines of JSON: a header, then one line per entry."""
    head = {"shinpan": "view", "viewer": eyes.viewer, "match": match, "note": say_audience(match, eyes, lang)}
    lines = [head, *seen_entries(record, eyes, flow=True)]
    return b"".join(escape_line_ends(msgspec.json.encode(line)) + b"\n" for line in lines)


def say_audience(match: str, eyes: TableViewer, lang: Lang) -> str:
    return say("export.redacted", lang, viewer=eyes.viewer, match=match)
