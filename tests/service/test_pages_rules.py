"""Rulebooks on pages: every clause in both languages, values in force, heat of closed matches, and links."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlencode

import pytest
from playwright.sync_api import Browser

from domain.formats.casebook import Case, load_casebook
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.rulesets import values
from domain.words import LANGS
from projections.casebooks import ruling_words
from projections.rulebook_search import find_words, suggest_searches
from service.rulebook.editions import edition_of
from service.rulebook.pages import step_of
from service.settings import Settings
from tests.rotation import rotate
from tests.service.harness import Served, serve
from tests.service.journeys import Look, hold, stage_of
from tests.service.page_parser import Page
from tests.service.test_service_find import add_match
from tests.service.twins import MATCH, twins
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

KEY = "blackpoker"


def read(served: Served, path: str, role: str = "spectator") -> Page:
    answer = served.get(path, role)  # type: ignore[arg-type]
    assert answer.status_code == 200, (path, answer.text[:300])
    return Page(answer.text, path)


def plain(text: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", text))


@pytest.mark.parametrize("role", ["designer", "operator", "floor", "spectator"])
def test_a_rule_change_is_linked_from_where_its_roles_look(served: Served, role: str) -> None:
    runs = role in ("designer", "operator")
    pages = {"/en/me": "/en/r#start", "/en/rules": "/en/r#start", f"/en/rules/{KEY}": f"/en/r?game={KEY}#start"}
    for path, url in pages.items():
        assert (url in read(served, path, role).links) is runs, path


@pytest.mark.parametrize(("key", "lang"), list(product(GAMES, LANGS)))
def test_every_clause_stands_in_its_rulebook_in_both_languages(served: Served, key: str, lang: str) -> None:
    page = read(served, f"/{lang}/rules/{key}")
    game, version, rules = edition_of(key)
    text = plain(page.text)
    for clause in game.rulebook.clauses:
        assert clause in page.ids
        assert f"/{lang}/rules/{key}/{clause}" in page.links
        assert all(game.rulebook.sentence(clause, each, values(rules)) in text for each in LANGS)
    assert set(game.rulebook.chapters) <= set(page.ids)
    assert {f"n-{option.key}" for option in game.options} <= set(page.ids)
    assert version == tuple(game.versions)[-1]
    assert game.rulebook.title.say("ja" if lang == "ja" else "en") in page.title


def test_an_edition_is_read_with_its_own_numbers_and_says_which_it_is(served: Served) -> None:
    texts = {}
    for version in GAMES[KEY].versions:
        page = read(served, f"/en/rules/{KEY}@{version}")
        (current,) = [link for link in page.all("a", aria_current="true") if "@" in link["href"]]
        assert current["href"].endswith(f"@{version}")
        texts[version] = plain(page.text.partition("<main")[2])
    assert len(set(texts.values())) == len(texts)
    framed = read(served, f"/en/rules/{KEY}@9.2-lite?frame=full54")
    assert f"/en/rules/{KEY}@9.2-lite/BP-1.5?frame=full54" in framed.links


@pytest.mark.parametrize("path", ["nosuch", "blackpoker@", "blackpoker@1.0", "blackpoker?frame=x", "blackpoker/BP-99"])
def test_what_is_no_rulebook_is_not_there(served: Served, path: str) -> None:
    assert served.get(f"/en/rules/{path}").status_code == 404
    assert served.get(f"/en/rules/{KEY}?sort=luck").status_code == 400


def test_heat_on_the_page_is_what_the_finder_counts_and_can_be_sorted_by_links(served: Served) -> None:
    add_match(served.context.store, "one")
    add_match(served.context.store, "two")
    add_match(served.context.store, "open", closed_at=None)
    heat = served.get(f"/api/v1/games/{KEY}/heat").json()["clauses"]
    page = read(served, f"/en/rules/{KEY}?sort=uses")
    rows = re.findall(r'<tr id="([^"]+)">.*?</th><td>.*?</td><td>(.*?)</td><td>(\d+)</td><td>(.*?)</td>', page.text)
    shown = {clause: (uses, matches, plain(against)) for clause, uses, matches, against in rows}
    for row in heat:
        uses, matches, against = shown[row["clause"]]
        assert uses == str(row["uses"]) if row.get("uses") else "never used" in uses
        assert matches == str(row.get("matches", 0))
        assert against == (f"▲ {row['findings']}" if row.get("findings") else "0")
    assert [clause for clause, *_ in rows] == [
        row["clause"] for row in sorted(heat, key=lambda row: -row.get("uses", 0))
    ]
    assert {"?sort=findings", "?sort=clause"} <= set(page.links)
    (sorted_by,) = page.all("th", aria_sort="descending")
    assert sorted_by["scope"] == "col"
    unused = sum(not row.get("uses") and not row.get("findings") for row in heat)
    assert f"never used ({unused})" in page.text


def test_squares_are_for_the_eye_and_everything_in_them_is_said_in_words_too(served: Served) -> None:
    add_match(served.context.store, "one")
    page = read(served, f"/en/rules/{KEY}")
    heat = {row["clause"]: row for row in served.get(f"/api/v1/games/{KEY}/heat").json()["clauses"]}
    assert len(list(page.all("a", tabindex="-1"))) == len(heat)
    assert len(re.findall(r'<i class="h0(?: hit)?"></i><small>', page.text)) == sum(
        not r.get("uses") for r in heat.values()
    )
    for clause in re.findall(r'<article class="card law" id="([^"]+)">', page.text):
        said = page.text.partition(f'id="{clause}">')[2].partition("</h3>")[0]
        uses = heat[clause].get("uses", 0)
        assert (f"{uses} use" in said) if uses else ("never used" in said or "▲" in said or "0 uses" in said)


@pytest.mark.parametrize(
    ("lang", "key", "words", "found"),
    [
        ("en", "blackpoker", "haste", {"/en/rules/blackpoker/BP-11.4", "/en/rules/blackpoker#n-armed.haste_from"}),
        ("ja", "blackpoker", "速攻　エース", {"/ja/rules/blackpoker/BP-11.4"}),
        ("ja", "blackpoker", "ＢＵＬＷＡＲＫ set", {"/ja/rules/blackpoker#verbs"}),
        ("en", "grimoire", "broken pay put hand", set()),
    ],
)
def test_search_shows_what_the_command_line_finds_in_the_same_order(
    served: Served, lang: str, key: str, words: str, found: set[str]
) -> None:
    page = read(served, f"/{lang}/rules/{key}?{urlencode({'q': words})}")
    game, _, rules = edition_of(key)
    hits = find_words(game, values(rules), words)
    assert hits and re.findall(r'<h3>.*?>([^<]*)</(?:a|span)> <span class="badge">', page.text) == [
        hit.id for hit in hits
    ]
    text = plain(page.text)
    assert all(hit.en in text and hit.ja in text for hit in hits)
    assert found <= set(page.links) and 'class="map"' not in page.text


@pytest.mark.parametrize(
    ("words", "near"), [("atacker", "attacker"), ("hand limmit", "hand limit"), ("アタツカー", "アタッカー")]
)
def test_search_without_results_suggests_searches_that_find_something(served: Served, words: str, near: str) -> None:
    page = read(served, f"/en/rules/{KEY}?{urlencode({'q': words})}")
    assert f"contains “{words}”" in plain(page.text)
    game, _, rules = edition_of(KEY)
    nearest = suggest_searches(game, values(rules), words)
    assert near in nearest and all(find_words(game, values(rules), each) for each in nearest)
    assert f"?{urlencode({'q': near})}" in page.links
    assert suggest_searches(game, values(rules), "xyzzy") == ()
    assert served.get(f"/en/rules/{KEY}?q={'x' * 101}").status_code == 400


def test_search_and_chapters_stand_before_the_clauses_and_the_heat_after_them(served: Served) -> None:
    text = read(served, f"/en/rules/{KEY}?frame=full54").text
    places = [text.index(part) for part in ('name="q"', 'class="toc"', 'class="card law"', 'class="map"')]
    assert places == sorted(places) and '<input type="hidden" name="frame" value="full54">' in text


def test_steps_of_heat_rise_with_uses() -> None:
    assert step_of(0, 100) == 0 and step_of(1, 1) == 4 and step_of(1, 100) == 1 and step_of(100, 100) == 4
    steps = [step_of(uses, 5_000) for uses in range(5_001)]
    assert steps == sorted(steps) and set(steps) == set(range(5))


def test_a_clause_leads_to_the_matches_that_used_it_its_neighbours_and_its_editions(served: Served) -> None:
    add_match(served.context.store, "done")
    add_match(served.context.store, "open", closed_at=None)
    heat = served.get(f"/api/v1/games/{KEY}/heat").json()["clauses"]
    clause = max(heat, key=lambda row: row.get("uses", 0))["clause"]
    page = read(served, f"/ja/rules/{KEY}@8.1-lite/{clause}")
    assert {"/ja/m/done", f"/ja/find?clause={clause}", f"/ja/rules/{KEY}@9.2-lite/{clause}"} <= set(page.links)
    assert "/ja/m/open" not in page.links
    known = list(GAMES[KEY].rulebook.clauses)
    at = known.index(Clause(clause))
    assert f"/ja/rules/{KEY}@8.1-lite/{known[at - 1]}" in page.links
    assert f"/ja/rules/{KEY}@8.1-lite#{clause}" in page.links
    first = read(served, f"/en/rules/{KEY}/{known[0]}")
    assert f"/en/rules/{KEY}/{known[1]}" in first.links and "◀ " not in plain(first.text)


def test_a_clause_shows_the_options_that_it_names_and_what_else_they_could_be(served: Served) -> None:
    game = GAMES[KEY]
    for option in game.options:
        citing = [entry.id for entry in game.rulebook.clauses.values() if "{" + option.key + "}" in entry.en]
        for clause in citing[:1]:
            page = read(served, f"/en/rules/{KEY}/{clause}")
            assert f"n-{option.key}" in page.ids
            others = [game.rulebook.setting(option.key, value, "en") for value in option.values]
            text = plain(page.text)
            assert all(words in text for words in others), (clause, others)


def test_twins_are_as_hot() -> None:
    entries = SHELVES[KEY].entries("disputed")
    with twins(entries[:20], entries[:21]) as both:
        for path in (
            f"/en/rules/{KEY}",
            f"/ja/rules/{KEY}?sort=uses",
            f"/en/rules/{KEY}/BP-6.4",
            "/en/find?clause=BP-6.4",
        ):
            assert both.alike(path) == 200
        assert MATCH not in both.ours.get(f"/en/rules/{KEY}/BP-6.4").text


CASES = Path("fixtures")
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
def shelved(database: str) -> Iterator[Served]:
    with serve(Settings(store=":memory:", cases=str(CASES))) as ready:
        yield ready


def cases_of(key: str) -> list[Case]:
    files = sorted((CASES / key).rglob("*.cases.toml"))
    return [case for file in files for case in load_casebook(file.read_text(encoding="utf-8")).cases]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_clause_leads_to_every_case_that_shows_it(shelved: Served, key: str) -> None:
    cases = cases_of(key)
    clauses = list(dict.fromkeys(clause for case in cases for clause in case.clauses))
    for lang, clause in (("en", clauses[0]), ("ja", clauses[len(clauses) // 2]), ("ja", clauses[-1])):
        page = Page(shelved.get(f"/{lang}/rules/{key}/{clause}").text, f"/{lang}/rules/{key}/{clause}")
        links = [link for link in page.links if f"/rules/{key}/cases/" in link]
        showing = [case for case in cases if clause in case.clauses]
        assert sorted(unquote(link.partition("#")[2]) for link in links) == sorted(case.id for case in showing)
        for case in showing:
            says = case.ja if lang == "ja" else case.en
            assert says in unescape(page.text) and ruling_words(case, lang) in page.text
        for link in links[:2]:
            there = Page(shelved.get(link.partition("#")[0]).text, link)
            assert unquote(link.partition("#")[2]) in there.ids


def test_a_case_stands_as_it_is_written(shelved: Served) -> None:
    text = shelved.get("/en/rules/blackpoker@8.1-lite/cases/changes-editions").text
    page = Page(text, "/en")
    assert page.ids.count("RC-02/5") == 1 and "Edition 5: a request hands the chance over" in text
    assert 'when = ["p1: up H8 S2 u", "p1: up H9 S3 u"]' in unescape(text)
    assert (
        "refused by BP-4.2" in text
        and "BP-4.2により不許可" in shelved.get("/ja/rules/blackpoker/cases/changes-editions").text
    )
    assert "# Rule changes RC-01 to RC-14" in text, "what all cases of the file begin with stands there, too"
    assert {path for path in page.paths() if path.endswith("/BP-4.2")} == {"/en/rules/blackpoker@8.1-lite/BP-4.2"}


@pytest.mark.parametrize("path", ["blackpoker/cases/none", "dea/cases/changes-editions", "none/cases/changes-editions"])
def test_there_is_no_casebook_of_another_name(shelved: Served, path: str) -> None:
    assert shelved.get(f"/en/rules/{path}").status_code == 404


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
    with stage_of(chromium, cases=str(CASES)) as stage:
        for look in rotate((Look(390, "ja"), Look(1280, "en", "dark")), 1):
            for path in ("BP-4.2", "cases/changes-editions"):
                with stage.come(look, f"/{look.lang}/rules/blackpoker/{path}") as page:
                    hold(page, look)
