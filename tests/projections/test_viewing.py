"""The end of a match, after which hidden information may be shown."""

from msgspec.structs import replace

from domain.law.entries import Closed, Opened
from projections.tables import read_table_status
from projections.viewing import is_over
from tests.shelves import SHELVES


def test_a_match_is_over_with_its_last_entry_and_not_before_it() -> None:
    entries = SHELVES["blackpoker"].entries("normal")
    assert isinstance(entries[-1], Closed)
    assert is_over(entries) and is_over(entries, len(entries)) and read_table_status("m", entries).over
    assert not any(is_over(entries, upto) for upto in range(1, len(entries)))
    assert is_over(entries, len(entries) + 1), "whoever has seen more than is at hand has seen all of it"


def test_a_closed_branch_is_not_over() -> None:
    first, *others = SHELVES["blackpoker"].entries("normal")
    assert isinstance(first, Opened)
    branch = (replace(first, parent="M-1"), *others)
    now = read_table_status("m", branch)
    assert not is_over(branch) and now.closed and not now.over
