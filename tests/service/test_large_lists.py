"""Large single things: pages and lists have a page size, and a reader who follows the links gets everything once."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.law.disputes import Penalised, Penalty
from domain.law.entries import Noted
from domain.table.table import Seat
from projections.answers import KnowledgeAnswer, list_known_cards, with_known_cards
from projections.keyframes import EntryMark, Keyframes, Stretch
from service import paging
from service.access import ANONYMOUS
from service.api import LIST_PAGE
from service.drawing.slider import PARTS_MAX, draw_bar
from service.match import pages
from tests.laws.samples import sample
from tests.service.harness import SECOND_MS, START, Served
from tests.service.test_client import client
from tests.service.test_incomplete_lines import MATCH, append_undealt

TURNS = 3_000
NOTES = 1_200
PAGE_BYTES_MAX = 300_000
ROOT = "/api/v1/matches"


def follow(served: Served, path: str, role: Any = "spectator", *matches: str) -> Iterator[Any]:
    """Yield the pages of a list of the API, by the links to the next one."""
    while path:
        answer = served.get(path, role, *matches)
        assert answer.status_code == 200, answer.text
        yield answer.json()
        path = re.sub(r'<([^>]*)>; rel="next"', r"\1", answer.headers.get("link", ""))


def follow_pages(served: Served, path: str, rel: str, role: Any = "spectator", *matches: str) -> Iterator[str]:
    """Yield the texts of pages, by their links `rel`."""
    while path:
        answer = served.get(path, role, *matches)
        assert answer.status_code == 200 and len(answer.content) < PAGE_BYTES_MAX
        yield answer.text
        linked = re.search(f'rel="{rel}" href="([^"#]*)', answer.text)
        path = linked[1].replace("&amp;", "&") if linked else ""
        path = f"{answer.url.path!s}{path}" if path.startswith("?") else path


def annotate(served: Served, match: str, number: int) -> None:
    """Append notes to a match."""
    version = served.context.store.version(match)
    notes = [Noted(at=START, by="judge", text=f"note {at}") for at in range(number)]
    served.context.store.append(match, version, notes)


def test_bar_of_a_long_match_has_few_parts_that_cover_all_turns() -> None:
    stretches = tuple(Stretch(at + 1, None, 2 * at + 1, 2 * at + 2) for at in range(TURNS))
    marks = tuple(EntryMark(at, "note") for at in range(1, 2 * TURNS + 1))
    bar = str(draw_bar(Keyframes(stretches, (), marks), 1, 2 * TURNS, {}, "en", "/{n}"))
    parts = [(int(first), int(last)) for first, last in re.findall(r"#(\d+) to #(\d+)", bar)]
    assert len(parts) == PARTS_MAX and (parts[0][0], parts[-1][1]) == (1, 2 * TURNS)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(parts))
    assert bar.count('class="mark note"') <= PARTS_MAX + 1


def test_whole_log_is_shown_by_pages(served: Served) -> None:
    match = served.open("blackpoker", match="long")
    annotate(served, match, NOTES)
    head = served.context.store.version(match)
    texts = list(follow_pages(served, f"/en/m/{match}?log=all", "prev"))
    numbers = [int(n) for text in texts for n in re.findall(r'<li[^>]* data-n="(\d+)"', text.split('id="log"')[1])]
    assert sorted(numbers) == list(range(1, head + 1)) and len(texts) == 1 + (head - 1) // pages.LOG_PAGE
    first_pages = list(follow_pages(served, f"/en/m/{match}/1?log=all", "next"))
    assert len(first_pages) == len(texts)


def test_list_of_turns_is_shown_by_pages(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "TURNS_PAGE", 2)
    match = served.record_match("blackpoker", "disputed")
    frames = served.context.keyframes(served.context.look(ANONYMOUS, match))
    texts = list(follow_pages(served, f"/en/m/{match}/1", "next"))
    listed = [int(first) for text in texts for first in re.findall(r'data-to="(\d+)"', text)]
    assert listed == [stretch.first for stretch in frames.stretches] and len(texts) > 1


def dispute(served: Served, match: str, number: int) -> list[int]:
    """Open disputes in a match and return their numbers."""
    opened = []
    for at in range(number):
        served.clock.at += SECOND_MS
        body = {"kind": "dispute", "id": str(UUID(int=at + 1)), "about": 1, "claims": {"p1": f"claim {at}"}}
        path = f"/api/v1/matches/{match}/entries"
        answer = served.client.post(
            path, json=body, headers=served.person("seat", match, seat="p1") | {"If-Match": "*"}
        )
        opened.append(answer.json()["head"])
    return opened


def test_disputes_are_listed_by_pages(served: Served) -> None:
    match = served.open("blackpoker", match="long")
    opened = dispute(served, match, 7)
    pages = list(follow(served, f"/api/v1/matches/{match}/disputes?limit=3"))
    assert [each["dispute"] for page in pages for each in page] == opened and [*map(len, pages)] == [3, 3, 1]
    docket = list(follow(served, "/api/v1/disputes?limit=2"))
    assert sorted(each["dispute"] for page in docket for each in page) == opened and len(docket) == 4
    assert served.get("/api/v1/disputes?after=long/1").status_code == 400


def test_people_are_listed_by_pages(served: Served) -> None:
    names = [f"Person {at}" for at in range(5)]
    for name in names:
        served.bearer("seat", name=name)
    pages = list(follow(served, "/api/v1/people?limit=2", "operator"))
    listed = [person["name"] for page in pages for person in page["people"]]
    assert {*names} <= {*listed} and len(pages) > 2


def test_pages_of_disputes_and_people_follow_to_every_row(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "LIST_PAGE", 3)
    match = served.open("blackpoker", match="long")
    opened = dispute(served, match, 7)
    for path in (f"/en/m/{match}/disputes", "/en/disputes"):
        texts = list(follow_pages(served, path, "next"))
        listed = [int(n) for text in texts for n in re.findall(rf'href="/en/m/{match}/disputes/(\d+)"', text)]
        assert sorted(listed) == opened and len(texts) == 3
    for at in range(5):
        served.person("seat", name=f"Person {at}")
    texts = list(follow_pages(served, "/en/people", "next", "operator"))
    listed = [name for text in texts for name in re.findall(r'<th scope="row">([^<]*)', text)]
    assert {f"Person {at}" for at in range(5)} <= {*listed} and len(texts) > 2
    assert served.get("/en/disputes?after=none").status_code == 400


def test_page_of_penalties_follows_to_every_row(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "LIST_PAGE", 2)
    match = served.open("blackpoker", match="long")
    given = [Penalised(at=START, by="judge", penalty=Penalty(seat=Seat("p1"), step="warning")) for _ in range(5)]
    head = served.context.store.version(match)
    served.context.store.append(match, head, given)
    texts = list(follow_pages(served, f"/en/m/{match}/penalties", "next"))
    listed = [int(n) for text in texts for n in re.findall(r">#(\d+)</a>", text)]
    assert listed == list(range(head + 1, head + 6)) and len(texts) == 3


def test_client_reads_every_page(served: Served) -> None:
    match = served.open("blackpoker", match="long")
    opened = dispute(served, match, LIST_PAGE + 1)
    service = client(served)
    assert [each.dispute for each in service.match(match).disputes()] == opened
    assert sorted(each.dispute for each in service.docket()) == opened


def test_tables_of_recorder_and_of_player_are_listed_by_pages(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "LIST_PAGE", 2)
    matches = {served.open("blackpoker", match=f"table-{at}") for at in range(5)}
    texts = list(follow_pages(served, "/en/record", "next", "scorekeeper"))
    listed = [match for text in texts for match in re.findall(r"/en/record/(table-\d)", text)]
    assert set(listed) == matches and len(listed) == 5 and len(texts) == 3
    texts = list(follow_pages(served, "/en/me", "next", "seat", *sorted(matches)))
    assert {match for text in texts for match in re.findall(r"table-\d", text)} == matches and len(texts) == 3


def test_findings_are_listed_by_pages(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    match = served.record_match("blackpoker", "disputed")
    path = f"/api/v1/matches/{match}/findings"
    whole = served.get(path, "head").json()
    assert len(whole) > 1
    assert [row for page in follow(served, f"{path}?limit=1", "head") for row in page] == whole
    monkeypatch.setattr(paging, "LIST_PAGE", 1)
    assert len(list(follow_pages(served, f"/en/m/{match}/findings", "next", "head"))) == len(whole)


def test_page_of_entries_ends_early_where_entries_are_long(served: Served) -> None:
    match = served.open("blackpoker", match="long")
    version = served.context.store.version(match)
    notes = [Noted(at=START, by="judge", text="word " * 2_000) for _ in range(60)]
    served.context.store.append(match, version, notes)
    pages_read = list(follow(served, f"/api/v1/matches/{match}/entries?limit=500", "head"))
    numbers = [entry["number"] for page in pages_read for entry in page["entries"]]
    assert numbers == list(range(1, version + 61)) and len(pages_read) == 3


def test_events_of_a_thing_and_known_cards_are_listed_by_pages(served: Served) -> None:
    dealt = served.record_match("blackpoker", "disputed")
    append_undealt(served, sample("blackpoker", 1).entries)
    for match, role in ((dealt, "floor"), (MATCH, "head")):
        path = f"{ROOT}/{match}/at/40/known?as={'judge' if role == 'head' else 'spectator'}"
        known = [msgspec.convert(page, KnowledgeAnswer) for page in follow(served, f"{path}&limit=4", role)]
        (whole,) = follow(served, f"{path}&limit=500", role)
        lists = [list_known_cards(page) for page in known]
        assert all(sum(map(len, page)) <= 4 for page in lists) and len(lists) > 1
        joined = [tuple(chain.from_iterable(parts)) for parts in zip(*lists, strict=True)]
        assert with_known_cards(known[0], joined) == msgspec.convert(whole, KnowledgeAnswer)
    assert known[0].log and "log" in whole, "the judge sees what the log of real cards knew"
    pages = list(follow(served, f"{ROOT}/{dealt}/at/40/things/64?limit=1", "floor"))
    (whole,) = follow(served, f"{ROOT}/{dealt}/at/40/things/64", "floor")
    assert [event for page in pages for event in page["answer"]["last"]] == whole["answer"]["last"] and len(pages) > 1
    for path in ("known?limit=0", "known?after=5000", "things/64?after=5000"):
        assert served.get(f"{ROOT}/{dealt}/at/40/{path}", "floor").status_code == 400
