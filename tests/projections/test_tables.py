"""Updating a table of a room incrementally gives the same row as computing it again."""

from msgspec.structs import replace

from domain.law.disputes import Appealed, Disputed, Matter, Paused, Resumed, Ruled
from domain.law.entries import Closed, Described, Entry, Noted, Rewound
from domain.law.occasion import Occasion
from projections.tables import (
    JudgeCall,
    TableStatus,
    Tally,
    read_table_status,
    rounds,
    sort_by_need,
    tally,
    update_table_status,
)
from tests.rows import for_each
from tests.shelves import SHELVES

CALL = JudgeCall(2, 5)


@for_each("game", SHELVES)
def test_a_table_is_followed_from_any_entry_to_any_other(game: str) -> None:
    for name in SHELVES[game].matches:
        first, *others = SHELVES[game].entries(name)
        said = Described(by="judge", occasion=Occasion(event="Cup", table="17", round="3"), announced="a draw", at=7)
        entries = [first, *(replace(entry, at=9) for entry in others)]
        stops = [Paused(by="kato", at=2), Resumed(by="kato", extension=60_000, at=7), Paused(by="kato", at=8)]
        entries[len(entries) // 2 : len(entries) // 2] = [said, *stops]
        last_back = max((at for at, entry in enumerate(entries) if isinstance(entry, Rewound)), default=0)
        whole = read_table_status("m", entries, [CALL])
        for at in range(last_back + 1, len(entries) + 1):
            assert update_table_status(read_table_status("m", entries[:at], [CALL]), entries[at:], [CALL]) == whole, (
                name,
                at,
            )


def test_nobody_waits_where_it_is_closed_and_a_branch_is_not_over() -> None:
    first, *_ = SHELVES["blackpoker"].entries("normal")
    for parent in ("", "M-1"):
        begun = read_table_status("m", [replace(first, parent=parent), Noted(by="p1", text="x")], [CALL])  # type: ignore[call-arg]
        assert begun.calls == (CALL,) and not begun.closed
        closed = update_table_status(begun, [Closed(by="judge")], [CALL])
        assert (closed.calls, closed.closed, closed.over, closed.entries) == ((), True, not parent, 3)


def test_time_is_given_back_by_pauses_that_ended_and_by_extensions_and_no_longer_than_is_played() -> None:
    first, *_ = SHELVES["blackpoker"].entries("normal")
    stops = [
        Paused(by="kato", at=1_000),
        Paused(by="kato", at=2_000),
        Resumed(by="kato", at=4_000, extension=60_000),
        Resumed(by="kato", at=5_000, extension=60_000),
        Paused(by="kato", at=9_000),
    ]
    now = read_table_status("m", [first, *stops])
    assert now.current_stop is not None and now.current_stop.lasted(10_000) == 1_000
    assert now.given_back(10_000) == (4_000, 60_000)
    closed = update_table_status(now, [Closed(by="kato", at=12_000)])
    assert closed.current_stop is None and closed.given_back(99_000) == (6_000, 60_000)
    untimed = read_table_status("m", [first, Paused(by="kato")])
    assert untimed.current_stop is not None and untimed.given_back(9_000) == (0, 0)
    assert update_table_status(untimed, [Resumed(by="kato", extension=1_000)]).given_back(9_000) == (0, 1_000)


def test_tables_are_counted_round_by_round() -> None:
    def table_in(round: str, *more: Entry) -> TableStatus:
        first, *_ = SHELVES["blackpoker"].entries("normal")
        return read_table_status("m", [replace(first, occasion=Occasion(event="Cup", round=round)), *more])  # type: ignore[call-arg]

    disputed, paused = Disputed(by="kato", matter=Matter(entry=1)), Paused(by="kato")
    tables = [
        table_in("1"),
        table_in("1", disputed, paused),
        table_in("1", paused, Closed(by="kato")),
        table_in("2", paused),
    ]
    assert {of: tally(tables)[of] for of in rounds(tables)} == {
        ("Cup", "1"): Tally(open=2, ended=1, disputed=1, paused=1),
        ("Cup", "2"): Tally(open=1, paused=1),
    }


def test_a_dispute_waits_for_a_judge_as_a_call_does() -> None:
    first, *_ = SHELVES["blackpoker"].entries("normal")
    opened = [first, Disputed(by="kato", matter=Matter(1), at=5)]
    ruled = [*opened, Ruled(by="kato", dispute=2, verdict="no_fault", at=6)]
    appealed = [*ruled, Appealed(by="p1", dispute=2, reason="no", at=9)]
    assert [read_table_status("m", entries).waiting_since for entries in (opened, ruled, appealed)] == [5, None, 9]
    assert update_table_status(read_table_status("m", ruled), appealed[3:]).waiting_since == 9
    calm, called = read_table_status("a", [first]), read_table_status("b", [first], [JudgeCall(1, 7)])
    ranked = sort_by_need((calm, read_table_status("c", appealed), called), judging=True)
    assert [table.match for table in ranked] == ["b", "c", "a"], "the longest wait first"
