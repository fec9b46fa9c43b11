"""A map as a table on request: row and column headings, no scripts, and phone width."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from domain.law.entries import opened_of
from tests.rotation import rotate
from tests.service.harness import Served, serve
from tests.service.journeys import Look, hold, stage_of
from tests.service.page_parser import Page
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

MAPPED, PLAIN = ("dea", "skillbook"), "blackpoker"
AT = 40
TABLE = re.compile(r'<table class="map">.*?</table>', re.S)
HEADING = re.compile(r'<th scope="(col|row)">([^<]*)</th>')


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve() as ready:
        for key in (*MAPPED, PLAIN):
            ready.context.store.append(key, 0, SHELVES[key].entries("disputed"))
        yield ready


def headings(text: str, scope: str) -> list[str]:
    (table,) = TABLE.findall(text)
    return [name for of, name in HEADING.findall(table) if of == scope]


@pytest.mark.parametrize("key", MAPPED)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_map_is_a_table_on_request(served: Served, key: str, lang: str) -> None:
    path = f"/{lang}/m/{key}/{AT}"
    drawn, tabled = served.get(path).text, served.get(f"{path}?grid=table").text
    schema = opened_of(SHELVES[key].entries("disputed")).schema
    columns, rows = next(area.size for area in schema.areas if area.order == "grid" and not area.per_seat)
    assert (len(headings(tabled, "col")), len(headings(tabled, "row"))) == (columns, rows)
    pages = [Page(text, path) for text in (drawn, tabled)]
    assert "<table" not in drawn and not list(pages[1].all("div", role="grid"))
    pieces = [sorted(known["data-t"] for _, known in page.elements if "data-t" in known) for page in pages]
    assert pieces[0] == pieces[1] != []
    squares = [sorted(known["data-at"] for tag, known in page.elements if "data-at" in known and tag != "body")
               for page in pages]  # fmt: skip
    assert squares[0] == squares[1] and len(squares[1]) == columns * rows
    assert "film.js" in drawn and "film.js" not in tabled, "what a film holds are no rows of tables"


def test_a_square_stands_under_its_headings_from_either_side(served: Served) -> None:
    for near in ("p1", "p2"):
        text = served.get(f"/en/m/dea/{AT}?grid=table&near={near}").text
        columns, rows = headings(text, "col"), headings(text, "row")
        squares = re.findall(r'data-at="(\w+)"', "".join(TABLE.findall(text)))
        assert squares == [f"{column}{row}" for row in rows for column in columns], near
        assert (columns == sorted(columns)) == (rows == sorted(rows, reverse=True)) == (near == "p1")


def test_who_reads_tables_goes_on_reading_them(served: Served) -> None:
    page = Page(served.get(f"/en/m/dea/{AT}?grid=table").text, f"/en/m/dea/{AT}?grid=table")
    assert next(page.all("a", data_go="next"))["href"] == f"/en/m/dea/{AT + 1}?grid=table"
    assert "?" in page.links, "the map as it lies is one link away"
    assert "?grid=table" in Page(served.get(f"/en/m/dea/{AT}").text, f"/en/m/dea/{AT}").links
    assert "grid=table" not in served.get(f"/en/m/{PLAIN}/{AT}").text, "a table without squares has no other look"


@pytest.mark.parametrize("key", MAPPED)
def test_a_table_of_squares_fits_a_phone_and_axe_finds_nothing(chromium: Browser, key: str) -> None:
    with stage_of(chromium, published=True) as stage:
        stage.record_match(key, SHELVES[key].entries("disputed"), closed=True)
        for look in rotate((Look(360, "ja"), Look(360, "en", "dark"), Look(1280, "en")), 1):
            for near in ("p1", "p2"):
                with stage.come(look, f"/{look.lang}/m/{key}/{AT}/as/judge?grid=table&near={near}") as page:
                    hold(page, look)
                    rows = page.get_by_role("row").filter(has=page.get_by_role("rowheader"))
                    assert rows.count() == page.get_by_role("rowheader").count() > 2
