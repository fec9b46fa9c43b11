"""Pages of lists: the rows after a key, and links to the first and the next page."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from service.api import LIST_PAGE, cut_page, query_string

Row = TypeVar("Row")


class AfterQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The page of a list: the key of the last row of the previous page."""

    after: str = ""


class ListPage(Struct, Generic[Row], frozen=True):
    """Rows of a list on one page, and the URLs of the first and the next page, '' for none."""

    rows: tuple[Row, ...]
    first: str
    more: str


def page_list(rows: Sequence[Row], after: str, key: Callable[[Row], str], query: Struct | None = None) -> ListPage[Row]:
    """Return the page of a list after a key. `query` has the values to keep in the links. Raises HttpProblem if no row
    has the key."""
    page, last = cut_page(rows, after, LIST_PAGE, key)
    kept = AfterQuery() if query is None else query
    more = query_string(kept, after=last) if last else ""
    return ListPage(page, query_string(kept, after="") if after else "", more)
