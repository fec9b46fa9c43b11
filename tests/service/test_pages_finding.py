"""Findings and explanations on pages: content, access and links."""

import re
from random import Random

import pytest
from markupsafe import escape

from domain.law.clause import Clause
from domain.law.entries import Played, opened_of
from domain.words import LANGS
from projections.findings import sentence
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.samples import sample
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.test_service_sheets import KANA, take
from tests.service.twins import MATCH as TWIN, fetch, twins
from tests.shelves import SHELVES

KEYS = sorted(SHELVES)


def read(served: Served, path: str, role: str = "head", **more: str) -> Page:
    answer = served.get(path, role, **more)  # type: ignore[arg-type]
    assert answer.status_code == 200, (path, answer.status_code)
    return Page(answer.text, path)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", KEYS)
def test_every_finding_has_its_page_with_the_clause_in_both_languages_and_leads_to_the_next(
    served: Served, key: str, lang: str
) -> None:
    match = served.record_match(key, "disputed")
    stated = SHELVES[key].stated["disputed"].findings
    law = served.context.match(match).law
    urls = [f"/{lang}/m/{match}/{n}/f/{clause}" for n, _, clause in stated]
    for at, (number, _, clause) in enumerate(stated):
        page = read(served, urls[at])
        both = sentence(law, Clause(clause))
        assert page.title == f"{match} #{number} {clause} – Shinpan" or lang == "ja"
        assert escape(both.en) in page.text and escape(both.ja) in page.text
        assert page.text.count('lang="ja"' if lang == "en" else 'lang="en"') >= 2
        assert f"{match}#{number} {clause} law:" in page.text
        walk = {known["rel"]: known["href"] for known in page.all("a") if "rel" in known}
        around = {"prev": at - 1, "next": at + 1}
        assert walk == {name: urls[to] for name, to in around.items() if 0 <= to < len(urls)}
    listed = read(served, f"/{lang}/m/{match}/findings")
    assert [url for url in listed.links if "/f/" in url] == urls


@pytest.mark.parametrize("key", KEYS)
def test_floor_match_why_and_findings_page_agree_on_the_findings(served: Served, key: str) -> None:
    match = served.record_match(key, "disputed", f"{key}-counted")
    served.context.search_index.catch_up()
    found = served.get(f"/api/v1/matches/{match}/findings", "head").json()
    entries = sorted({row["entry"] for row in found if not row.get("undone")})
    holding = [row for row in found if not row.get("undone") and row.get("certainty", "certain") != "excluded"]
    tile = read(served, "/en/floor").text.partition(f'id="at-{match}"')[2].partition("</a>")[0]
    assert f"▲ {len(holding)}<" in tile
    page = read(served, f"/en/m/{match}")
    (scrub,) = (each for each in page.all("input") if each.get("id") == "scrub")
    assert scrub["data-findings"] == " ".join(map(str, entries))
    for row in holding:
        why = read(served, f"/en/m/{match}/{row['entry']}/why")
        assert f"/en/m/{match}/{row['entry']}/f/{row['clause']}" in why.links
        assert 'class="card decided bad"' in why.text


@pytest.mark.parametrize("key", KEYS)
def test_wrong_consequence_is_said_before_the_checks(served: Served, key: str) -> None:
    match = served.record_match(key, "disputed", f"{key}-miscounted")
    found = served.get(f"/api/v1/matches/{match}/findings").json()
    (row,) = [row for row in found if row["kind"] == "consequences"]
    for path in (f"/f/{row['clause']}", "", "/why"):
        text = read(served, f"/en/m/{match}/{row['entry']}{path}", "spectator").text
        said = [text.find(words) for words in ("expected:", "recorded:")]
        assert max(said) > 0, path
        assert not path or max(said) < text.index('class="card looked"'), path


def test_the_findings_page_lists_gaps_and_says_that_nobody_judges_them() -> None:
    with serve() as served:
        assert take(served, KANA).status_code == 201
        page = read(served, "/en/m/table-9/findings")
        assert "They were not judged." in page.text and "I was called to table 8" in page.text
        assert "/en/m/table-9/17" in page.links
        match = served.record_match("blackpoker", "disputed", closed=False)
        assert "They were not judged" not in read(served, f"/en/m/{match}/findings").text


def test_a_finding_tells_what_made_things_so_and_what_was_looked_at_in_order(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    page = read(served, f"/en/m/{match}/10/f/BP-7.15")
    assert page.text.index('class="holds"') < page.text.index('class="fails"')
    assert f"/en/m/{match}/6" in page.links and f"/en/m/{match}/9/thing/64" in page.links
    assert f"/en/m/{match}/9/rewind" in page.links and f"/en/m/{match}/10/why" in page.links
    assert len([known for known in page.all("div") if known.get("class") == "board part"]) >= 4


def test_findings_of_a_match_that_goes_on_are_for_judges_and_a_refusal_tells_nothing(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    refused = {
        role: [served.get(f"/en/m/{match}/{n}/f/{clause}", role) for n, clause in ((10, "BP-7.15"), (11, "BP-1.1"))]
        for role in ("spectator", "scorekeeper", "operator", "designer")
    }
    for answers in refused.values():
        assert {answer.status_code for answer in answers} == {403}
        assert answers[0].content == answers[1].content
    assert served.get(f"/en/m/{match}/10/f/BP-7.15", "floor").status_code == 200
    closed = served.record_match("blackpoker", "disputed", "closed")
    assert served.get(f"/en/m/{closed}/10/f/BP-7.15").status_code == 200
    for path in ("10/f/BP-7.14", "10/f/BP-7.15.2", "11/f/BP-7.15", "999/f/BP-7.15"):
        assert served.get(f"/en/m/{closed}/{path}").status_code == 404


def test_every_clause_that_an_entry_was_recorded_against_leads_to_what_was_found_of_it(served: Served) -> None:
    for key in KEYS:
        match = served.record_match(key, "disputed", f"{key}-disputed", closed=False)
        entries = enumerate(served.context.match(match).entries, start=1)
        played = [(number, entry) for number, entry in entries if isinstance(entry, Played)]
        marked = [(number, clause) for number, entry in played for clause in entry.violations]
        assert marked
        for number, clause in marked:
            answer = served.get(f"/en/m/{match}/{number}/f/{clause}", "head")
            path = answer.headers.get("location", f"/en/m/{match}/{number}/f/{clause}")
            assert path.startswith(f"/en/m/{match}/{number}/f/") and served.get(path, "head").status_code == 200


def test_what_a_trail_would_tell_of_hidden_cards_goes_to_the_one_who_acted(served: Served) -> None:
    match = served.record_match("grimoire", "disputed", closed=False)
    path = f"/en/m/{match}/43/why"
    assert 'class="trail"' not in served.get(path).text
    assert 'class="trail"' not in served.get(path, "head").text
    actor = served.context.match(match).entries[42].actor  # type: ignore[union-attr]
    own = served.get(f"{path}/as/{actor}", "seat", match, seat=actor)
    assert own.status_code == 200 and 'class="trail"' in own.text and own.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("key", KEYS)
def test_why_an_entry_went_as_it_did_can_be_read_of_each(served: Served, key: str) -> None:
    match = served.record_match(key, "disputed")
    numbers = range(1, len(SHELVES[key].entries("disputed")) + 1, 7)
    for number in numbers:
        page = read(served, f"/{LANGS[number % 2]}/m/{match}/{number}/why", "spectator")
        assert f"/{LANGS[number % 2]}/m/{match}/{number}" in page.links


def test_why_not_is_asked_in_notation_and_answered_from_the_viewers_own_table(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    path = f"/en/m/{match}/9/whynot"
    refused = read(served, f"{path}?do=p1%3A+designate_attackers+u64", "spectator")
    assert "Not allowed" in refused.text and "BP-7.15" in refused.text
    allowed = read(served, f"{path}?do=p1%3A+designate_attackers+u56", "spectator")
    assert "Allowed" in allowed.text and 'class="fails"' not in allowed.text


def allowed_on(text: str) -> str:
    found = re.search(r'<section class="card allowed".*?</section>', text, re.DOTALL)
    return re.sub(r"<[^>]+>|\s+", " ", found[0]) if found else ""


def test_what_may_be_done_stands_first_as_a_list_for_each_actor_and_the_form_after_it(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    text = served.get(f"/en/m/{match}/9/whynot").text
    listed = allowed_on(text)
    assert all(words in listed for words in ("Legal actions after #9", "Aoi", "Which", "D3 (u56)")), listed
    assert text.index("Legal actions after #9") < text.index("Choose an action")
    assert "concede" not in listed.partition("Ends the match")[0].lower()
    last = served.context.store.version(match)
    assert "いまできること" in allowed_on(served.get(f"/ja/m/{match}/{last}/whynot").text)
    assert not allowed_on(served.get(f"/en/m/{match}/9/whynot?verb=designate_attackers").text)
    done = served.record_match("blackpoker", "normal")
    assert "closed" in allowed_on(served.get(f"/en/m/{done}/{served.context.store.version(done)}/whynot").text)


@pytest.mark.parametrize("key", ["blackpoker", "skillbook"])
def test_the_list_of_what_may_be_done_tells_nothing_of_hidden_cards(key: str) -> None:
    entries, random = list(sample(key, 0).entries[:60]), Random(0)
    viewer = opened_of(entries).seats[0]
    with twins(entries, deal_again(entries, never_known(entries, viewer), random)) as both:
        for number in (*random.sample(range(12, 60), 3), 60):
            path = f"/en/m/{TWIN}/{number}/whynot/as/{viewer}"
            assert both.alike(path, viewer) == 200
            assert allowed_on(fetch(both.ours, path, viewer)[2].decode())


def test_nobodys_alike_cards_share_a_row_of_who_knew_what(served: Served) -> None:
    match = served.record_match("skillbook", SHELVES["skillbook"].matches[0], closed=False)
    page = served.get(f"/en/m/{match}/40/known").text
    assert page.count("wasteland Wasteland") == page.count("wasteland Wasteland ×7") == 1
    assert "in a4, b4, c4, d4, e4, f4, g4" in page and page.index("×7") > page.index("Vesna Nightveil")


def test_what_cannot_be_read_is_said_on_top_with_focus_and_the_value_is_kept(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    answer = served.get(f"/en/m/{match}/9/whynot?do=p1%3A+hoho")
    page = Page(answer.text, "/")
    assert answer.status_code == 422
    summary = next(page.all("div", class_="errors"))
    assert "autofocus" in summary and summary["role"] == "alert" and "#do" in page.links
    field = next(page.all("input", id="do"))
    assert field["value"] == "p1: hoho" and field["aria-invalid"] == "true"
    assert field["aria-describedby"].split() == ["do-how", "do-wrong"] and "do-wrong" in page.ids


def test_an_action_is_asked_about_by_choosing_its_parts(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed", closed=False)
    path = f"/en/m/{match}/9/whynot"
    page = read(served, f"{path}?by=p1&verb=designate_attackers", "spectator")
    values = [known["value"] for known in page.all("input", name="slot")]
    assert {"units=u56", "units=u64"} <= set(values)
    asked = served.get(f"{path}?by=p1&verb=designate_attackers&go=1&slot=units%3Du56&slot=units%3Du64")
    assert asked.status_code == 302
    assert asked.headers["location"] == f"{path}?do=p1%3A+designate_attackers+units%3Du56%2Cu64"
    assert "BP-7.15" in read(served, asked.headers["location"], "spectator").text


@pytest.mark.parametrize("key", KEYS)
def test_every_verb_of_every_game_can_be_chosen(served: Served, key: str) -> None:
    match = served.record_match(key, "disputed", closed=False)
    path = f"/ja/m/{match}/{min(20, len(SHELVES[key].entries('disputed')) - 1)}/whynot"
    options = [known["value"] for known in read(served, path, "spectator").all("option")]
    for verb in options[len(SHELVES[key].first_entry("disputed").seats) :]:
        page = read(served, f"{path}?verb={verb}", "spectator")
        asked = served.get(f"{path}?verb={verb}&go=1")
        assert asked.status_code == 302 and len(page.forms) >= 3
        assert served.get(asked.headers["location"]).status_code in (200, 422)


def test_what_each_seat_knew_is_told_to_itself_and_of_others_only_what_all_saw(served: Served) -> None:
    match = served.record_match("skillbook", "disputed", closed=False)
    public = read(served, f"/en/m/{match}/40/known", "spectator")
    own = served.get(f"/en/m/{match}/40/known/as/p1", "seat", match, seat="p1")
    assert own.status_code == 200
    assert own.text.count('class="face"') > public.text.count('class="face"') > 0
    assert served.get(f"/en/m/{match}/40/known/as/p2", "seat", match, seat="p1").status_code == 403


def test_pages_of_a_moment_lead_whoever_changes_eyes_to_the_same_page(served: Served) -> None:
    match = served.record_match("blackpoker", "disputed")
    for path in ("10/f/BP-7.15", "10/why", "10/known", "9/whynot"):
        page = read(served, f"/en/m/{match}/{path}")
        assert f"/en/m/{match}/{path}/as/p1" in page.links
        assert read(served, f"/en/m/{match}/{path}/as/p1").title == page.title
