"""The search page: form, results, links, paging, and no hidden data."""

import re
from urllib.parse import urljoin

from domain.judging.audit import audit
from domain.law.entries import Closed, faces
from service.search.indexing import index_rows
from service.settings import Settings
from tests.service.harness import START, Served, serve
from tests.service.page_parser import Page
from tests.service.test_service_find import FINDING, RECORD, SHELF, add_match

FIND = "/en/find"


def read(served: Served, query: str = "", role: str = "spectator", lang: str = "en") -> Page:
    path = f"/{lang}/find{query}"
    answer = served.get(path, role)  # type: ignore[arg-type]
    assert answer.status_code == 200, (path, answer.text[:300])
    return Page(answer.text, path)


def matches(page: Page) -> list[str]:
    return re.findall(r'<h3><a href="/../m/([^"/]+)"', page.text)


def test_an_empty_store_says_so_and_a_search_that_finds_nothing_says_that(served: Served) -> None:
    assert "No match has been recorded yet." in read(served).text
    assert "No match found." in read(served, "?player=nobody").text
    assert "条件に合う対戦はありません" in read(served, "?player=nobody", lang="ja").text


def test_a_form_with_empty_fields_finds_all_and_its_fields_keep_what_they_held(served: Served) -> None:
    add_match(served.context.store, "done")
    opened = served.open("dea", match="open")
    page = read(served, "?clause=&card=&player=&event=&verdict=&game=&since=&until=")
    assert matches(page) == [opened, "done"]
    page = read(served, f"?clause={FINDING.clause.lower()}&verdict={FINDING.kind}&game=blackpoker&until=2030-01-01")
    assert matches(page) == ["done"]
    assert next(page.all("input", id="clause"))["value"] == FINDING.clause
    assert next(page.all("input", id="until"))["value"] == "2030-01-01"
    chosen = {option["value"] for option in page.all("option") if "selected" in option}
    assert chosen == {FINDING.kind, "blackpoker"}


def test_each_match_leads_to_itself_and_to_every_finding_in_it(served: Served) -> None:
    add_match(served.context.store, "done")
    page = read(served, f"?verdict={FINDING.kind}")
    wanted = [row for row in audit(SHELF.game, RECORD).findings if row.kind == FINDING.kind]
    assert "/en/m/done" in page.links
    linked = [link for link in page.links if "/f/" in link]
    assert len(linked) == len(set(linked)) == len(wanted)
    assert f"/en/m/done/{FINDING.entry}/f/{FINDING.clause}" in linked


def test_what_was_done_leads_to_its_moment_and_the_form_keeps_what_was_chosen(served: Served) -> None:
    add_match(served.context.store, "done")
    rows = index_rows("done", (*RECORD, Closed(by="judge", at=START)))
    deed = next(deed for deed in rows.deeds if deed.seen)
    page = read(served, f"?fresh={deed.verb}")
    assert matches(page) == ["done"] and f"/en/m/done/{deed.entry}" in page.links
    assert f"#{deed.entry} {SHELF.game.rulebook.word(deed.verb, 'en')}" in page.text
    assert {option["value"] for option in page.all("option") if "selected" in option} == {deed.verb}
    assert matches(read(served, "?fresh=any", lang="ja")) == ["done"]


def test_pages_lead_on_and_back_to_the_first(served: Served) -> None:
    for number in range(51):
        served.open("dea", match=f"m{number:02}")
    served.context.search_index.catch_up()
    first = read(served, "?game=dea")
    assert matches(first) == [f"m{number:02}" for number in range(50, 0, -1)]
    (more,) = first.all("a", rel="next")
    url = urljoin(FIND, more["href"])
    second = read(served, url.removeprefix(FIND))
    assert matches(second) == ["m00"] and "game=dea" in url
    assert not list(second.all("a", rel="next")) and "?game=dea" in second.links


def test_a_day_or_game_that_is_none_is_said_and_the_form_keeps_it(served: Served) -> None:
    for query, word in (("?since=tomorrow", "tomorrow"), ("?game=nosuch", "nosuch")):
        answer = served.get(FIND + query)
        page = Page(answer.text, FIND + query)
        assert answer.status_code == 400 and word in page.text and 'role="alert"' in page.text
        assert next(page.all("form", action=FIND))["method"] == "get"
    assert served.get(f"{FIND}?luck=1").status_code == 200


def test_what_is_hidden_or_not_over_is_neither_found_nor_counted() -> None:
    with serve(Settings(store=":memory:", delay=60_000)) as served:
        add_match(served.context.store, "open", closed_at=None)
        add_match(served.context.store, "done", closed_at=START)
        assert matches(read(served, f"?clause={FINDING.clause}")) == []
        assert matches(read(served, f"?clause={FINDING.clause}", "head")) == ["done"]
        assert matches(read(served, "", "designer")) == ["done"]
        served.clock.at += 60_000
        assert matches(read(served, f"?clause={FINDING.clause}")) == ["done"]
        hidden = [face for face in sorted(faces(RECORD)) if not matches(read(served, f"?card={face}"))]
        assert hidden and all(matches(read(served, f"?card={face}", "head")) == ["done"] for face in hidden[:3])
