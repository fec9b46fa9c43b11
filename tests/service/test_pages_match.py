"""The page of a match at an entry: URLs, viewers, titles, undone entries, navigation and errors."""

from collections.abc import Iterator
from itertools import product

import pytest

from domain.law.entries import Rewound
from domain.words import LANGS, Text
from recorder import codec
from recorder.answers import Imported
from recorder.matches import note
from recorder.remarks import write_remark
from service.settings import Settings
from tests.imports import import_entries
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.shelves import SHELVES

GAMES = tuple(SHELVES)
VIEWERS = ("p1", "p2", "judge")


def shelve(served: Served, key: str, name: str, match: str = "") -> str:
    taken = match or f"{key}-{name}"
    states = [codec.encode(entry) for entry in SHELVES[key].entries(name)]
    assert isinstance(import_entries(served.context.store, states, taken), Imported)
    return taken


def read(served: Served, path: str, role: str = "spectator", **more: str) -> Page:
    answer = served.get(path, role, **more)  # type: ignore[arg-type]
    assert answer.status_code == 200, (path, answer.text[:500])
    return Page(answer.text, path)


@pytest.fixture(scope="module")
def shelves(database: str) -> Iterator[Served]:
    with serve() as served:
        for key in GAMES:
            shelve(served, key, "disputed")
            if "rewind" in SHELVES[key].matches:
                shelve(served, key, "rewind")
        yield served


@pytest.mark.parametrize(("key", "lang"), list(product(GAMES, LANGS)))
def test_pages_of_every_game_can_be_read_in_both_languages(shelves: Served, key: str, lang: str) -> None:
    entries = SHELVES[key].entries("disputed")
    other = "ja" if lang == "en" else "en"
    for number in (1, len(entries) // 2, len(entries)):
        page = read(shelves, f"/{lang}/m/{key}-disputed/{number}")
        assert page.title == f"{key}-disputed #{number} – Shinpan" or lang == "ja"
        (body,) = page.all("body")
        assert body["data-at"] == str(number) and body["data-head"] == str(len(entries))
        assert next(page.all("link", rel="alternate", hreflang=other))["href"].endswith(
            f"/{other}/m/{key}-disputed/{number}"
        )
        assert [row["data-n"] for row in page.all("li", aria_current="true")] == [str(number)]


def test_the_newest_position_has_the_address_of_the_match(shelves: Served) -> None:
    for key in GAMES:
        last = len(SHELVES[key].entries("disputed"))
        (live,) = read(shelves, f"/en/m/{key}-disputed").all("body")
        assert live["data-at"] == live["data-head"] == str(last)


@pytest.mark.parametrize("moment", ["0", "999", "x", "1.0", "1.99", "01x", "1.", ".1", "-1", "１", "1.1.1", "9" * 30])
def test_there_is_no_moment_but_those_of_entries_and_their_facts(shelves: Served, moment: str) -> None:
    answer = shelves.get(f"/en/m/dea-disputed/{moment}")
    assert answer.status_code == 404 and Page(answer.text, moment).title


def test_a_moment_after_a_fact_shows_the_table_in_between(shelves: Served) -> None:
    entry = read(shelves, "/en/m/blackpoker-disputed/4")
    facts = [link for link in entry.links if link.startswith("/en/m/blackpoker-disputed/4.")]
    assert len(facts) >= 3
    seen = {shelves.get(fact).text for fact in facts}
    assert len(seen) == len(set(facts))
    first = read(shelves, "/en/m/blackpoker-disputed/4.1")
    assert first.title == "blackpoker-disputed #4.1 – Shinpan"
    assert next(first.all("a", data_go="fact-next"))["href"] == "/en/m/blackpoker-disputed/4.2"
    assert next(first.all("a", data_go="fact-back"))["href"] == "/en/m/blackpoker-disputed/3"


@pytest.mark.parametrize("key", GAMES)
def test_titles_and_descriptions_are_the_same_for_all_eyes(shelves: Served, key: str) -> None:
    match = f"{key}-disputed"
    path = f"/en/m/{match}/{min(9, len(SHELVES[key].entries('disputed')))}"
    answers = [shelves.get(path), shelves.get(path, "head")]
    answers += [shelves.get(f"{path}/as/{seat}", "seat", match, seat=seat) for seat in ("p1", "p2")]
    pages = [Page(answer.text, path) for answer in answers]
    assert {answer.status_code for answer in answers} == {200} and len({page.text for page in pages}) >= 3
    told = {(page.title, *(meta["content"] for meta in page.all("meta") if "content" in meta)) for page in pages}
    assert len(told) == 1


def test_whoever_may_not_look_is_told_the_same_at_every_moment(shelves: Served) -> None:
    path = "/ja/m/blackpoker-disputed"
    for viewer in VIEWERS:
        answers = [shelves.get(f"{path}/{moment}/as/{viewer}") for moment in ("1", "30", "54", "999", "x")]
        answers.append(shelves.get(f"{path}/as/{viewer}"))
        assert {answer.status_code for answer in answers} == {403}
        assert len({answer.content for answer in answers}) == 1
        assert len({str(sorted(answer.headers.items())) for answer in answers}) == 1


def test_a_player_looks_with_their_own_eyes_and_no_others(shelves: Served) -> None:
    path = "/en/m/blackpoker-disputed/30"
    own = shelves.get(f"{path}/as/p1", "seat", "blackpoker-disputed", seat="p1")
    assert own.status_code == 200 and own.text != shelves.get(path).text
    page = Page(own.text, path)
    assert next(page.all("a", data_go="next"))["href"] == "/en/m/blackpoker-disputed/31"
    assert next(page.all("button", **{"data_copied": "Copied"}))["data-copy"] == path
    assert next(page.all("a", hreflang="ja"))["href"] == "/ja/m/blackpoker-disputed/30/as/p1"
    assert shelves.get(f"{path}/as/p2", "seat", "blackpoker-disputed", seat="p1").status_code == 403


@pytest.mark.parametrize("key", [key for key in GAMES if "rewind" in SHELVES[key].matches])
def test_what_was_undone_is_shown_under_a_banner_that_leads_to_both(shelves: Served, key: str) -> None:
    entries = SHELVES[key].entries("rewind")
    at, rewind = next((n, entry) for n, entry in enumerate(entries, start=1) if isinstance(entry, Rewound))
    page = read(shelves, f"/en/m/{key}-rewind/{rewind.to + 1}")
    assert f'Undone by <a href="/en/m/{key}-rewind/{at}">#{at}</a>, which rewound to' in page.text
    assert f'">#{rewind.to}</a>.' in page.text
    for number in (rewind.to, at):
        assert "Undone by" not in read(shelves, f"/en/m/{key}-rewind/{number}").text


def test_an_entry_against_the_rules_names_its_clause_in_both_languages(shelves: Served) -> None:
    page = read(shelves, "/ja/m/blackpoker-disputed/30")
    assert "/ja/rules/blackpoker@8.1-lite-seed/BP-4.2" in page.links
    assert 'lang="en">Only the holder of the chance may request an action or pass.' in page.text
    assert "/ja/m/blackpoker-disputed/30/f/BP-4.2" not in page.links  # findings of an open match are for judges
    judged = read(shelves, "/ja/m/blackpoker-disputed/30", "head")
    assert "/ja/m/blackpoker-disputed/30/f/BP-4.2" in judged.links


def test_the_number_of_an_entry_leads_to_it_however_it_is_typed(shelves: Served) -> None:
    for typed, on in (("30", "30"), ("＃３０", "30"), (" #4.2 ", "4.2"), ("４．２", "4.2")):
        answer = shelves.get("/en/m/blackpoker-disputed", params={"go": typed})
        assert (answer.status_code, answer.headers["location"]) == (302, f"/en/m/blackpoker-disputed/{on}")
    assert shelves.get("/en/m/blackpoker-disputed", params={"go": "999"}).status_code == 404


def test_the_board_is_turned_and_passes_are_folded_by_the_address_alone(shelves: Served) -> None:
    path = "/en/m/blackpoker-disputed/30"
    turned = read(shelves, f"{path}?near=p2&passes=hide&log=all")
    assert [board["data-near"] for board in turned.all("div") if "data-near" in board] == ["p2"]
    assert next(turned.all("ol", id="log"))["class"] == "log fold"
    assert len([row for row in turned.all("li") if "data-n" in row]) == 54
    assert next(turned.all("a", data_go="back"))["href"] == "/en/m/blackpoker-disputed/29?passes=hide&near=p2&log=all"
    assert next(turned.all("a", hreflang="ja"))["href"] == "/ja/m/blackpoker-disputed/30?near=p2&passes=hide&log=all"
    assert shelves.get(f"{path}?near=%22%3E").status_code == 200
    assert shelves.get(f"{path}?passes=never").status_code == 400


def test_buttons_lead_where_the_player_goes(shelves: Served) -> None:
    page = read(shelves, "/en/m/blackpoker-disputed/30")
    there = {link["data-go"]: link.get("href", "").rpartition("/")[2] for link in page.all("a") if "data-go" in link}
    assert (there["first"], there["back"], there["next"], there["last"]) == ("1", "29", "31", "54")
    assert (there["turn-back"], there["turn-next"], there["finding-back"], there["finding-next"]) == (
        "20",
        "42",
        "10",
        "",
    )
    (scrub,) = page.all("input", id="scrub")
    assert (scrub["min"], scrub["max"], scrub["value"]) == ("1", "54", "30")
    assert scrub["aria-valuetext"].startswith("Entry 30, turn 2 of Ren") and scrub["data-turns"] == "1 4 20 42 53"
    assert there["stop-next"] in scrub["data-stops"].split() and scrub["data-findings"] == "10 30"
    end = read(shelves, "/en/m/blackpoker-disputed/54")
    assert next(end.all("a", data_go="next")) == {
        "class": "button step", "data-go": "next", "role": "link", "aria-disabled": "true",
        "aria-label": "Next entry", "title": "Next entry",
    }  # fmt: skip


def test_spectators_see_nothing_before_its_time_on_any_page() -> None:
    with serve(Settings(store=":memory:", delay=60_000)) as served:
        match = served.open("dea")
        assert served.get(f"/en/m/{match}").status_code == 404
        assert match not in served.get("/en/floor").text
        seen = [served.get(f"/en/m/{match}", "head")]
        served.clock.at += 61_000
        seen.append(served.get(f"/en/m/{match}"))
        assert [answer.status_code for answer in seen] == [200, 200]
        assert ["Play is shown with a delay of 1:00" in answer.text for answer in seen] == [False, True]
        assert match in served.get("/en/floor").text


def test_looking_writes_nothing(shelves: Served) -> None:
    store = shelves.context.store
    before = [(row.match, row.entries) for row in store.matches()]
    page = read(shelves, "/en/m/blackpoker-disputed/30", "head")
    for path in page.paths():
        shelves.get(path, "head")
    assert [(row.match, row.entries) for row in store.matches()] == before
    assert shelves.get("/en/m/blackpoker-disputed/30/as/p1", "head").status_code == 403


def test_a_judge_breaks_the_seal_by_a_form_and_puts_it_back(served: Served) -> None:
    match = shelve(served, "blackpoker", "disputed")
    judge, path = {**served.bearer("head", name="Abe"), "Origin": "http://testserver.local"}, f"/en/m/{match}"
    sealed = served.client.get(f"{path}/30/as/p1", headers=judge)
    assert sealed.status_code == 403 and f'href="{path}"' in sealed.text
    before = Page(served.client.get(f"{path}/30", headers=judge).text, path)
    assert ("post", f"{path}/seal") in before.forms
    assert [choice["value"] for choice in before.all("input", type="radio")] == ["p1", "p2", "judge"]
    broken = served.client.post(
        f"{path}/seal", data={"viewer": "p1", "moment": "30"}, headers=judge, follow_redirects=False
    )
    assert (broken.status_code, broken.headers["location"]) == (303, f"{path}/30/as/p1")
    seen = served.client.get(f"{path}/30/as/p1", headers=judge)
    assert "Hidden cards visible in the view of Aoi" in seen.text and "data-broken" in seen.text
    assert Page(seen.text, path).title == before.title
    newest = served.client.get(path, headers=judge).text
    assert "data-broken" in newest
    assert 'data-n="55"' in newest and "head judge Abe" in newest
    again = served.client.post(f"{path}/seal/again", data={"moment": ""}, headers=judge, follow_redirects=False)
    assert (again.status_code, again.headers["location"]) == (303, path)
    assert served.client.get(f"{path}/30/as/p1", headers=judge).status_code == 403


def test_a_seal_ends_by_itself(served: Served) -> None:
    match = shelve(served, "blackpoker", "disputed")
    judge, path = {**served.bearer("head"), "Origin": "http://testserver.local"}, f"/en/m/{match}"
    served.client.post(f"{path}/seal", data={"viewer": "judge"}, headers=judge)
    (body,) = Page(served.client.get(f"{path}/as/judge", headers=judge).text, path).all("body")
    assert body["data-seal-in"] == "600000"
    served.clock.at += 600_001
    assert served.client.get(f"{path}/as/judge", headers=judge).status_code == 403
    assert "data-broken" not in served.client.get(path, headers=judge).text


def test_nobody_else_breaks_a_seal(served: Served) -> None:
    match = shelve(served, "blackpoker", "disputed")
    for role in ("spectator", "seat", "scorekeeper", "designer", "operator"):
        headers = {"Origin": "http://testserver.local"} | (
            {} if role == "spectator" else served.bearer(role, match, seat="p1")
        )  # type: ignore[arg-type]
        answer = served.client.post(f"/en/m/{match}/seal", data={"viewer": "p2"}, headers=headers)
        assert answer.status_code == 403, role
        assert f"/en/m/{match}/seal" not in served.client.get(f"/en/m/{match}", headers=headers).text


def test_the_log_is_of_the_game_and_leaves_out_notes_about_seats(served: Served) -> None:
    served.open("blackpoker", match="t0")
    store = served.context.store
    for seat in ("p1", "p2") * 7:
        note(store, "t0", "kato", write_remark("seat", Text("remark.seat", {"name": "Aoi", "seat": seat})))
    note(store, "t0", "kato", "a clear view")
    head = store.version("t0")
    for path in ("/en/m/t0", f"/en/m/t0/{head}", f"/en/m/t0/{head - 1}"):
        log = served.get(path, "head").text.split('id="log"')[1].split("</ol>")[0]
        assert "invites" not in log and 'id="e3"' in log and f'id="e{head}"' in log, path
    assert "invites" in served.get("/en/m/t0?log=all", "head").text.split('id="log"')[1].split("</ol>")[0]
    film = served.get("/api/v1/matches/t0/film?lang=en&as=spectator&from=1", "head").json()
    assert film["log"][3:-1] == [""] * 14 and film["log"][2] and film["log"][-1]
