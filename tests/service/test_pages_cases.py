"""Cases beside the rulebook: on a clause's page those that show it, each led to where it stands as it is written."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser

from domain.formats.casebook import Case, load_casebook
from domain.games import GAMES
from projections.casebooks import ruling_words
from service.settings import Settings
from tests.rotation import rotate
from tests.service.journeys import Look, hold, stage_of
from tests.service.reading import Page
from tests.service.serving import Served, serve

FIXTURES = Path("fixtures")
CASE = """
game = "blackpoker"
version = "8.1-lite"
[[case]]
id = "{id}"
en = "A case of our own"
ja = "独自の事例"
clauses = ["BP-6.4"]
"""


@pytest.fixture(scope="module")
def served(database: str) -> Iterator[Served]:
    with serve(Settings(store=":memory:", cases=str(FIXTURES))) as ready:
        yield ready


def cases_of(key: str) -> list[Case]:
    files = sorted((FIXTURES / key).rglob("*.cases.toml"))
    return [case for file in files for case in load_casebook(file.read_text(encoding="utf-8")).cases]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_clause_leads_to_every_case_that_shows_it(served: Served, key: str) -> None:
    cases = cases_of(key)
    clauses = list(dict.fromkeys(clause for case in cases for clause in case.clauses))
    for lang, clause in (("en", clauses[0]), ("ja", clauses[len(clauses) // 2]), ("ja", clauses[-1])):
        page = Page(served.get(f"/{lang}/rules/{key}/{clause}").text, f"/{lang}/rules/{key}/{clause}")
        links = [link for link in page.links if f"/rules/{key}/cases/" in link]
        showing = [case for case in cases if clause in case.clauses]
        assert sorted(unquote(link.partition("#")[2]) for link in links) == sorted(case.id for case in showing)
        for case in showing:
            says = case.ja if lang == "ja" else case.en
            assert says in unescape(page.text) and ruling_words(case, lang) in page.text
        for link in links[:2]:
            there = Page(served.get(link.partition("#")[0]).text, link)
            assert unquote(link.partition("#")[2]) in there.ids


def test_a_case_stands_as_it_is_written(served: Served) -> None:
    text = served.get("/en/rules/blackpoker@8.1-lite/cases/changes-editions").text
    page = Page(text, "/en")
    assert page.ids.count("RC-02/5") == 1 and "Edition 5: a request hands the chance over" in text
    assert 'when = ["p1: up H8 S2 u", "p1: up H9 S3 u"]' in unescape(text)
    assert (
        "refused by BP-4.2" in text
        and "BP-4.2により不許可" in served.get("/ja/rules/blackpoker/cases/changes-editions").text
    )
    assert "# Rule changes RC-01 to RC-14" in text, "what all cases of the file begin with stands there, too"
    assert {path for path in page.paths() if path.endswith("/BP-4.2")} == {"/en/rules/blackpoker@8.1-lite/BP-4.2"}


@pytest.mark.parametrize("path", ["blackpoker/cases/none", "dea/cases/changes-editions", "none/cases/changes-editions"])
def test_there_is_no_casebook_of_another_name(served: Served, path: str) -> None:
    assert served.get(f"/en/rules/{path}").status_code == 404


def test_without_casebooks_a_clause_has_no_cases() -> None:
    with serve() as served:
        page = Page(served.get("/en/rules/blackpoker/BP-4.2").text, "/en")
        assert "cases" not in page.ids and served.get("/en/rules/blackpoker/cases/changes-editions").status_code == 404


def test_a_casebook_that_cannot_be_read_is_told_to_the_operator(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bad.cases.toml").write_text("game = ", encoding="utf-8")
    (tmp_path / "good.cases.toml").write_text(CASE.format(id="<b>&"), encoding="utf-8")
    with serve(Settings(store=":memory:", cases=str(tmp_path))) as served:
        page = Page(served.get("/en/rules/blackpoker/BP-6.4").text, "/en")
        assert "A case of our own" in page.text and "&lt;b&gt;&amp;" in page.text
        assert "bad.cases.toml" in caplog.text
        assert str(tmp_path) not in page.text


def test_cases_can_be_read_by_everybody_on_a_phone(chromium: Browser) -> None:
    with stage_of(chromium, cases=str(FIXTURES)) as stage:
        for look in rotate((Look(390, "ja"), Look(1280, "en", "dark")), 1):
            for path in ("BP-4.2", "cases/changes-editions"):
                with stage.come(look, f"/{look.lang}/rules/blackpoker/{path}") as page:
                    hold(page, look)
