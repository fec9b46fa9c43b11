"""Timelines over HTTP: they equal the direct drawing, and are cached for all only if they can no longer change."""

from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from domain.law.entries import Closed, Entry, Rewound
from domain.words import Lang
from projections.viewing import find_viewer
from recorder.lru_cache import LruCache
from recorder.match_loader import LoadedMatch, load_match
from service.addresses import make_link_patterns, match_urls_of
from service.drawing.timeline import CHUNK, Snapshot, film
from service.etags import source_digest
from service.settings import Settings
from tests.service.harness import START, Served, serve
from tests.service.listening import random_match

pytestmark = pytest.mark.rotates(2)

LENGTH = 160
DELAY = 5_000


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as served:
        record_match(served, "M-1", LENGTH)
        record_match(served, "M-2", 40, close=True)
        yield served


def record_match(served: Served, match: str, length: int, *, close: bool = False) -> None:
    entries = [replace(entry, at=START) for entry in random_match("skillbook", 2, LENGTH)[:length]]
    if close:
        entries.append(Closed(by="floor", at=START))
    assert served.context.store.append(match, 0, entries) == len(entries)


def loaded(served: Served, match: str) -> LoadedMatch:
    known = load_match(served.context.store, match)
    assert isinstance(known, LoadedMatch)
    return known


@pytest.mark.parametrize(("lang", "viewer", "role"), [("ja", "spectator", "spectator"), ("en", "p1", "seat")])
def test_a_film_is_what_is_drawn_directly(served: Served, lang: Lang, viewer: str, role: str) -> None:
    match = loaded(served, "M-1")
    for number in (CHUNK, LENGTH):
        path = f"/api/v1/matches/M-1/film?from={number}&as={viewer}&lang={lang}"
        answer = served.get(path, role, "M-1", seat="p1") if role == "seat" else served.get(path)
        first = (number - 1) // CHUNK * CHUNK + 1
        last = min(first + CHUNK - 1, LENGTH)
        way = make_link_patterns(match, match_urls_of(lang, "M-1", viewer))
        drawn = film(match, find_viewer(match, viewer), lang, first, last, way)
        assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
        assert answer.json() == msgspec.json.decode(msgspec.json.encode(drawn)) | {"v": source_digest()}


def test_films_of_a_stretch_lead_through_every_position(served: Served) -> None:
    """The fragments after each entry equal the fragments of a timeline that starts there."""
    match = loaded(served, "M-1")
    eyes = find_viewer(match, "spectator")
    sent = served.get("/api/v1/matches/M-1/film?from=129").json()
    shown: dict[str, int] = {}
    for number, changed in enumerate(sent["at"], start=sent["first"]):
        shown |= changed
        if number % 8 == 0:
            alone = film(match, eyes, "en", number, number)
            assert {key: sent["rows"][row] for key, row in shown.items() if row >= 0} == {
                key: alone.rows[row] for key, row in alone.at[0].items()
            }


def test_a_closed_match_may_be_kept_by_everybody_and_no_other(served: Served) -> None:
    kept = served.get(f"/api/v1/matches/M-2/film?v={source_digest()}")
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert served.get("/api/v1/matches/M-2/film?v=other").headers["cache-control"] == "public, no-cache"
    assert served.get("/api/v1/matches/M-2/film").headers["cache-control"] == "public, no-cache"
    assert served.get(f"/api/v1/matches/M-1/film?v={source_digest()}").headers["cache-control"] == "no-store"
    for_one = served.get(f"/api/v1/matches/M-2/film?v={source_digest()}&as=p1", "head")
    assert for_one.status_code == 200 and for_one.headers["cache-control"] == "no-store"


def test_a_film_is_not_sent_again_while_it_stays_the_same(served: Served) -> None:
    path = f"/api/v1/matches/M-1/film?from={LENGTH}"
    tag = served.get(path).headers["etag"]
    same = served.get(path, headers={"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    entries = [Rewound(to=150, reason="", by="floor", at=START)]
    assert served.context.store.append("M-1", LENGTH, entries) == LENGTH + 1
    other = served.get(path, headers={"If-None-Match": tag})
    assert other.status_code == 200 and other.headers["etag"] != tag
    assert "left" in other.json()["log"][LENGTH - other.json()["first"]]
    early = served.get("/api/v1/matches/M-1/film?from=1")
    assert early.status_code == 200


@pytest.mark.parametrize("game", ["blackpoker", "skillbook", "dea", "grimoire"])
def test_a_film_that_goes_on_is_the_one_that_is_drawn_at_once(served: Served, game: str) -> None:
    entries: list[Entry] = [replace(entry, at=START) for entry in random_match(game, 2, LENGTH)[:45]]
    back = Rewound(to=20, reason="", by="floor", at=START)
    entries = [*entries, back, *entries[20:30]]
    for length in (1, 30, 31, 45, 46, 50, len(entries)):
        there = len(served.context.store.read("M-4"))
        served.context.store.append("M-4", there, entries[there:length])
        match = loaded(served, "M-4")
        at_once = film(
            match,
            find_viewer(match, "spectator"),
            "ja",
            1,
            length,
            make_link_patterns(match, match_urls_of("ja", "M-4", "")),
        )
        sent = served.get("/api/v1/matches/M-4/film?lang=ja").json()
        assert sent == msgspec.json.decode(msgspec.json.encode(at_once)) | {"v": source_digest()}, length
        if length > 1:
            shorter = film(match, find_viewer(match, "spectator"), "ja", 1, length - 1)
            take = Snapshot(match, find_viewer(match, "spectator"), "ja", 1)
            assert (take.upto(match, length).last, take.upto(match, length - 1)) == (length, shorter)


def test_a_film_ends_before_what_is_not_due() -> None:
    with serve(Settings(store=":memory:", delay=DELAY)) as served:
        served.clock.at = START + DELAY
        entries = random_match("skillbook", 2, LENGTH)[:30]
        late = [replace(entry, at=START + number) for number, entry in enumerate(entries)]
        late.append(Closed(by="floor", at=START + len(late)))
        assert served.context.store.append("M-3", 0, late) == 31
        path = f"/api/v1/matches/M-3/film?v={source_digest()}"
        assert served.get(path).json()["last"] == 1
        assert served.get(f"{path}&from=2").status_code == 404
        by_judge = served.get(path, "floor")
        assert by_judge.json()["last"] == 31
        assert by_judge.headers["cache-control"] == "no-store", "a cache on the way would show it to others"
        served.clock.at += len(late)
        assert served.get(path).content == by_judge.content
        assert served.get(path, "floor").headers["cache-control"] == "no-store", "judges read more than others"
        assert served.get(path, "scorekeeper").headers["cache-control"].startswith("public")


@pytest.mark.parametrize("bad", ["from=0", "from=x", "to=-1", "from=1&to=129", "from=5&to=4", "from=9999999999", "q=1"])
def test_what_is_no_stretch_is_refused(served: Served, bad: str) -> None:
    answer = served.get(f"/api/v1/matches/M-1/film?{bad}")
    assert answer.status_code == 400 and answer.headers["content-type"] == "application/problem+json"


def test_a_film_is_for_whoever_may_look_so(served: Served) -> None:
    assert served.get("/api/v1/matches/M-1/film?as=p1").status_code == 403
    assert served.get("/api/v1/matches/M-1/film?as=p1", "floor").json()["type"] == "/problem/sealed"
    assert served.get("/api/v1/matches/M-1/film?as=nobody").status_code == 404
    assert served.get("/api/v1/matches/M-9/film").status_code == 404


def test_what_is_kept_has_a_size_and_stays_as_it_was_first() -> None:
    memory: LruCache[str, bytes] = LruCache(10, len)
    assert memory.put("a", b"1234") == b"1234"
    assert memory.put("a", b"5678") == b"1234"
    memory.put("b", b"1234")
    assert memory.get("a") == b"1234"
    memory.put("c", b"1234")
    assert (memory.get("a"), memory.get("b"), memory.get("c"), memory.weight) == (b"1234", None, b"1234", 8)
