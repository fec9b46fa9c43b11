"""Headings among entries: the turn, the day and the time."""

from typing import Any

from msgspec.structs import replace

from domain.law.entries import Entry, Rewound
from domain.law.record import record_of
from domain.table.table import JUDGE
from projections.moments import moments, stamp
from projections.rows import plain
from projections.stack import stack_history
from projections.stack_rows import render_stack
from projections.timeline import render_timeline, timeline
from tests.projections.records import GAME, laid_out, play
from tests.rows import for_each
from tests.shelves import seen_by

NOON = 1_767_268_800_000
"""2026-01-01 12:00 UTC, in milliseconds."""
HOUR = 3_600_000
START = laid_out({"p1.hand": "H8", "p2.hand": "S4"})
PASSED = play(START, "p1: end", "pp", "pp")


def log(entries: list[Entry], lang: Any = "en") -> list[str]:
    rows = render_timeline(timeline(*seen_by(GAME, entries, JUDGE), lang), lang, moments(record_of(GAME, entries)))
    return plain(row for row in rows if row.depth == 0).splitlines()


def test_entries_stand_under_the_turn_they_were_done_in() -> None:
    lines = log(PASSED)
    assert [line for line in lines if line.startswith("==")] == ["== turn 3, Aoi (p1)", "== turn 4, p2"]
    at = lines.index("== turn 4, p2")
    assert lines[at - 1] == "4 p2: pass", "the entry that leads to a turn stands under the one before"
    japanese = log(PASSED, "ja")
    assert [line for line in japanese if line.startswith("==")] == ["== ターン3、Aoi(p1)", "== ターン4、p2"]


def test_a_rewind_leads_back_to_the_turn_it_goes_to() -> None:
    lines = log([*PASSED, Rewound(to=2, by="judge", reason="not meant"), *play(START, "p1: end")[1:]])
    headings = [at for at, line in enumerate(lines) if line.startswith("==")]
    assert [lines[at] for at in headings] == ["== turn 3, Aoi (p1)", "== turn 4, p2", "== turn 3, Aoi (p1)"]
    assert "rewound" in lines[headings[-1] - 1]


def test_requests_stand_under_turns_and_what_came_by_itself_under_the_turn_it_came_in() -> None:
    rows = render_stack(stack_history(*seen_by(GAME, PASSED, JUDGE)), GAME, "en", {}, moments(record_of(GAME, PASSED)))
    lines = [line for line in plain(rows).splitlines() if not line.startswith(" ")]
    at = lines.index("== turn 4, p2")
    assert "End (p1)" in lines[at - 1] and "entry 4 triggered" in lines[at + 1]


def test_days_are_headings_and_times_stand_beside_entries_where_they_were_recorded() -> None:
    timed = [replace(entry, at=NOON + number * 8 * HOUR) for number, entry in enumerate(PASSED[:3])]
    lines = log([*timed, *PASSED[3:]])
    assert lines[0] == "== 2026-01-01 (UTC)" and lines[1].startswith("1 12:00:00 BlackPoker")
    assert lines[2:6] == ["== turn 3, Aoi (p1)", "2 20:00:00 Aoi: End", "== 2026-01-02 (UTC)", "3 04:00:00 Aoi: pass"]
    assert lines[6].startswith("4 Aoi: pass") or lines[6].startswith("4 p2: pass")
    assert log(timed, "ja")[0] == "== 2026-01-01の記録(UTC)"


@for_each("at", [0, 10**18, -(10**18)])
def test_what_no_calendar_reaches_is_no_time(at: int) -> None:
    assert stamp(at, "%H:%M:%S") == "" and stamp(NOON, "%H:%M:%S") == "12:00:00"
