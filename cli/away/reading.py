"""Matches of a service looked at."""

from typing import Any

import msgspec
from msgspec.structs import replace

from cli.answer import Answer
from cli.away.asking import Away, service
from cli.away.fetching import fetch, is_file
from cli.context import Desk
from cli.judge.audit import answer_audit, audit as audit_here
from cli.judge.audits import Audits, still_standing
from cli.look.matches import ListedRow, draw_matches, holds
from domain.words import Text
from projections.answers import AuditedRecord
from projections.standing import Row, Standing
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
