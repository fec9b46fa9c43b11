"""Matches of a service looked at."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from cli.answer import Answer
from cli.away.asking import Away, mistyped, service
from cli.away.fetching import fetch, is_file
from cli.client.service import Refused
from cli.context import Desk
from cli.judge.audit import answer_audit, audit as audit_here
from cli.judge.audits import Audits, still_standing
from cli.judge.why import answer_why_not, draw_why
from cli.look.legal import answer_legal
from cli.look.matches import ListedRow, draw_matches, holds
from cli.look.show import check_forwards, draw_log, draw_shown, draw_stack
from domain.law.occasion import NO_OCCASION
from domain.words import Text
from projections.answers import Asked, AuditedRecord, Explained, Legal
from projections.board import Shown
from projections.disputes import SeenDispute, render_disputes
from projections.seen_entries import line_seen
from projections.stack import Stacked
from projections.standing import Row, Standing
from projections.timeline import Logged, entry_words
from recorder.store import Damaged, Listed


def matches(
    desk: Desk, open_only: bool, player: str, game: str, event: str, limit: int, viewer: str
) -> Answer[tuple[Row, ...]]:
    """The matches of which one may see anything, the newest first."""
    if game:
        desk.game(game)
    found = service(desk).matches(game=game, player=player, open=open_only)
    rows = [row for row in found if not event or (row.occasion and holds(event, (row.occasion.event,)))][::-1]
    some = tuple(rows[:limit])
    return Answer(lambda: some, lambda: draw_matches(desk, list(map(_parts, some)), len(rows) - len(some)))


def _parts(row: Row) -> ListedRow:
    """A row as what the store knows of a match, and how that stands or where it breaks."""
    listed = Listed(**{name: getattr(row, name) for name in Listed.__struct_fields__})
    if row.last is msgspec.UNSET:
        entry = row.damaged if isinstance(row.damaged, int) else 0
        return listed, Damaged(row.match, entry, Text("matches.damaged", {"entry": entry}))
    stands: dict[str, Any] = {name: getattr(row, name) for name in Standing.__struct_fields__}
    return listed, Standing(**stands)


def show(desk: Desk, match: str, at: int | None, viewer: str) -> Answer[Shown]:
    """The table after an entry."""
    away = Away(desk, match, viewer)
    shown = away.match.moment(away.entry(at))
    return Answer(lambda: shown, lambda: draw_shown(desk, shown, away.law, away.head.opening))


def log(desk: Desk, match: str, start: int | None, end: int | None, viewer: str, flow: bool) -> Answer[Logged]:
    """The timeline."""
    away = Away(desk, match, viewer)
    first, last = away.entry(1 if start is None else start), away.entry(end)
    check_forwards(desk, first, last)
    entries = tuple(entry for entry in away.match.entries(flow=flow) if entry.number <= last)

    def draw() -> None:
        on_line, game, stands = line_seen(entries), away.law.game, away.head.stands
        lines = [entry_words(game, entry, desk.lang, away.names, left=entry.number not in on_line) for entry in entries]
        draw_log(desk, lines[first - 1 :], stands.occasion or NO_OCCASION, stands.announced or "", away.when)

    return Answer(lambda: Logged(match, away.head.viewer, entries[first - 1 :]), draw)


def stack(desk: Desk, match: str, at: int | None, viewer: str) -> Answer[Stacked]:
    """What was requested, and how it was answered."""
    away = Away(desk, match, viewer)
    stacked = away.match.stack(away.entry(at))
    return Answer(lambda: stacked, lambda: draw_stack(desk, stacked, away.law.game, away.when))


def legal(desk: Desk, match: str, at: int | None, viewer: str, limit: int) -> Answer[Legal]:
    """What the viewer's seat may do."""
    away = Away(desk, match, viewer)
    return answer_legal(desk, away.match.offers(away.entry(at), limit))


def why(desk: Desk, match: str, number: int, viewer: str) -> Answer[Explained]:
    """An entry explained."""
    away = Away(desk, match, viewer)
    explained = away.match.why(away.entry(number))
    return Answer(lambda: explained, lambda: draw_why(desk, away.law, away.names, explained))


def why_not(desk: Desk, match: str, action: Sequence[str], at: int | None, viewer: str) -> Answer[Asked]:
    """What an action fails, as far as whoever asks may know."""
    away = Away(desk, match, viewer)
    number = away.entry(at)
    text = " ".join(action)
    try:
        asked = away.match.why_not(number, text)
    except Refused as refused:
        raise mistyped(desk, text, refused.problem) if refused.problem.column else refused from None
    return answer_why_not(desk, away.law, away.names, number, asked)


def audit(desk: Desk, records: list[str], viewer: str, standing: bool, **given: Any) -> Answer[AuditedRecord | Audits]:
    """A match held against the rules pinned in it; under another reading, or other cards, its whole record is."""
    asked = {"viewer": viewer, "standing": standing, **given}
    if any(map(is_file, records)):
        return audit_here(desk, records, **asked)
    if len(records) > 1 or given["junit"] is not None or given["sarif"] is not None:
        raise desk.problem("client.one_audit")
    if any(given.values()):
        with fetch(desk, records[0]) as file:
            return audit_here(desk, [file], **asked)
    away = Away(desk, records[0], viewer)
    answer = away.match.audit()
    if standing:
        findings, corrections = still_standing(answer.findings), still_standing(answer.corrections)
        answer = replace(answer, findings=findings, corrections=corrections, undone=0)
    return answer_audit(desk, away.law, answer, away.when)


def disputes(desk: Desk, match: str, pending: bool, viewer: str) -> Answer[tuple[SeenDispute, ...]]:
    """The disputes of a match."""
    away = Away(desk, match, viewer)
    shown = away.match.disputes(open=pending)

    def draw() -> None:
        desk.screen.rows(render_disputes(away.law.game, shown, away.names, desk.lang, desk.zone))
        if not shown:
            desk.tell("dispute.none", match=away.match.id)

    return Answer(lambda: shown, draw)
