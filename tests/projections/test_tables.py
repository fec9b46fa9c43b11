"""A table of a room that is followed as its match goes on stands as if all of it had been looked at anew."""

import pytest
from msgspec.structs import replace

from domain.law.entries import Closed, Described, Noted, Rewound
from domain.law.occasion import Occasion
from projections.tables import Called, follow_table, table_now
from tests.recorded import SHELVES

CALL = Called(2, 5)


@pytest.mark.parametrize("game", SHELVES)
def test_a_table_is_followed_from_any_entry_to_any_other(game: str) -> None:
    for name in SHELVES[game].matches:
        first, *others = SHELVES[game].entries(name)
        said = Described(by="judge", occasion=Occasion(event="Cup", table="17", round="3"), announced="a draw", at=7)
        entries = [first, *(replace(entry, at=9) for entry in others)]
        entries.insert(len(entries) // 2, said)
        last_back = max((at for at, entry in enumerate(entries) if isinstance(entry, Rewound)), default=0)
        whole = table_now("m", entries, [CALL])
        for at in range(last_back + 1, len(entries) + 1):
            assert follow_table(table_now("m", entries[:at], [CALL]), entries[at:], [CALL]) == whole, (name, at)


def test_nobody_waits_where_it_is_closed_and_a_branch_is_not_over() -> None:
    first, *_ = SHELVES["blackpoker"].entries("normal")
    for parent in ("", "M-1"):
        begun = table_now("m", [replace(first, parent=parent), Noted(by="p1", text="x")], [CALL])  # type: ignore[call-arg]
        assert begun.calls == (CALL,) and not begun.closed
        closed = follow_table(begun, [Closed(by="judge")], [CALL])
        assert (closed.calls, closed.closed, closed.over, closed.entries) == ((), True, not parent, 3)
