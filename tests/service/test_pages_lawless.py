"""Matches of unknown games: drawn from their records only, without hidden data."""

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Closed, Entry, opened_of
from domain.law.game import Game
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import Seat
from service.match import knowledge_page, pages as moments, thing_page, timelines_api
from tests.laws.leak_checks import deal_again, never_known
from tests.laws.samples import sample
from tests.service.commands import uuid
from tests.service.harness import Served, serve
from tests.service.page_parser import Page
from tests.service.twins import MATCH, addresses, fetch, twins
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

GAME = "blackpoker"
UNKNOWN = "The rules of this match are not known here"
TABLE = re.compile(r'<section class="table".*?</section>(?=\s*</div>)', re.S)
DRAWN = (*moments.ROUTES, *knowledge_page.ROUTES, *thing_page.ROUTES, *timelines_api.ROUTES)
"""Pages that can be drawn without a law."""
P1 = Seat("p1")


def of_another_edition(entries: Sequence[Entry]) -> list[Entry]:
    opened = opened_of(entries)
    return [replace(opened, rules={**opened.rules, "luck": 7}), *entries[1:]]


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Game]]:
    known = dict(GAMES)
    monkeypatch.setattr(GAMES, "loaded", known)
    monkeypatch.setattr(GAMES, "_keys", ())
    yield known


@pytest.fixture
def served() -> Iterator[Served]:
    """Serve the same match with its own rules and with unknown rules."""
    entries = SHELVES[GAME].entries("disputed")
    with serve() as ready:
        ready.context.store.append("M-1", 0, entries)
        ready.context.store.append("M-2", 0, of_another_edition(entries))
        yield ready


def test_a_match_of_rules_that_nobody_knows_here_is_drawn_from_its_record(served: Served) -> None:
    there, here = (served.get(f"/en/m/{match}/30").text for match in ("M-1", "M-2"))
    assert UNKNOWN in here and "luck" in here and UNKNOWN not in there
    assert "この対戦のルールは、このサービスでは扱えません" in served.get("/ja/m/M-2/30").text
    strips = [re.findall(r'data-strip="([^"]+)"', "".join(TABLE.findall(page))) for page in (there, here)]
    assert strips[0] == strips[1] != [], "words and places of the game serve its other editions, too"
    film = served.get("/api/v1/matches/M-2/film", params={"from": 30})
    assert film.status_code == 200 and film.json()["last"] == served.context.match("M-1").version
    assert "data-film" in here and "data-live" not in here
    pieces = [known["data-t"] for _, known in Page(here, "/en/m/M-2/30").elements if "data-t" in known]
    for path in ("known", *(f"thing/{number}" for number in pieces[:3])):
        assert served.get(f"/en/m/M-2/30/{path}").status_code == 200, path
    assert pieces


def test_a_match_of_a_game_that_nobody_knows_here_lies_as_its_schema(served: Served, games: dict[str, Game]) -> None:
    schema = opened_of(served.context.store.read("M-1")).schema
    del games[GAME]
    for lang in ("en", "ja"):
        page = Page(served.get(f"/{lang}/m/M-2/30").text, f"/{lang}/m/M-2/30")
        keys = {known["data-strip"] for _, known in page.elements if "data-strip" in known}
        wanted = {f"p1.{area.name}" if area.per_seat else area.name for area in schema.areas}
        assert wanted <= keys and GAME in page.title + page.text


def test_what_would_need_the_law_says_that_it_is_missing(served: Served) -> None:
    text = served.get("/en/m/M-2/30", "head").text
    page = Page(text, "/en/m/M-2/30")
    within = {path for path in page.paths() if path.startswith("/en/m/M-2/")}
    assert len(within) > 10
    statuses = {path: served.get(path, "head").status_code for path in within}
    assert set(statuses.values()) == {200}, statuses
    assert not any(word in path for path in within for word in ("why", "findings", "rewind", "/rules/"))
    assert not page.forms or all("seal" not in action and "call" not in action for _, action in page.forms)
    for path in ("30/why", "30/whynot", "30/rewind", "findings"):
        answer = served.get(f"/en/m/M-2/{path}", "head")
        assert answer.status_code == 404 and UNKNOWN in answer.text, path
    for path in ("/at/30", "/at/30/offers", "/at/30/why", "/audit", "/findings"):
        answer = served.get(f"/api/v1/matches/M-2{path}", "head")
        assert answer.status_code == 404 and "not known here" in answer.json()["en"], path
    command = {"id": uuid(1), "kind": "call"}
    told = served.post("/api/v1/matches/M-2/entries", command, "head", headers={"If-Match": "*"})
    assert told.status_code == 404, "nothing is recorded by who does not know the rules"
    assert len(served.context.store.read("M-2")) == len(served.context.store.read("M-1"))


def test_what_was_recorded_since_then_is_shown(served: Served) -> None:
    entries = of_another_edition(SHELVES[GAME].entries("disputed"))
    served.context.store.append("M-3", 0, entries[:30])
    assert served.get("/en/m/M-3/30").status_code == 200 and served.get("/en/m/M-3/31").status_code == 404
    served.context.store.append("M-3", 30, entries[30:32])
    assert served.get("/en/m/M-3/32").status_code == 200 and UNKNOWN in served.get("/en/m/M-3").text


def pair(key: str, viewer: Seat) -> tuple[list[Entry], list[Entry]]:
    ours = list(sample(key, 1).entries[:40])
    return ours, deal_again(ours, never_known(ours, viewer), Random(1))


@pytest.mark.parametrize("known_game", [True, False])
@pytest.mark.parametrize("key", ["blackpoker", pytest.param("dea")])
@pytest.mark.parametrize("viewer", [SPECTATOR, P1])
def test_no_byte_tells_what_is_hidden_without_a_law(
    key: str, viewer: Seat, known_game: bool, games: dict[str, Game]
) -> None:
    ours, theirs = pair(key, viewer)
    if not known_game:
        del games[key]
    with twins(of_another_edition(ours), of_another_edition(theirs)) as both:
        paths = addresses(DRAWN, ours, viewer, Random(1), 4)
        assert sum(both.alike(path, viewer) == 200 for path in paths) > len(paths) // 3
        hands = [fetch(served, f"/en/m/{MATCH}/40/as/{P1}", P1)[2] for served in (both.ours, both.theirs)]
        assert viewer == P1 or hands[0] != hands[1], "the twins do not differ: nothing is tried"


def test_eyes_that_know_every_face_are_found_out_without_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer that knows every face must fail the check."""
    ours, theirs = pair(GAME, SPECTATOR)
    monkeypatch.setattr(TableViewer, "knows", lambda *_: True)
    paths = addresses(DRAWN, ours, SPECTATOR, Random(1), 4)
    with (
        twins(of_another_edition(ours), of_another_edition(theirs)) as both,
        pytest.raises(AssertionError, match="as spectator"),
    ):
        list(map(both.alike, paths))


def test_other_eyes_are_refused_as_ever_where_no_law_is_known() -> None:
    whole = SHELVES[GAME].entries("disputed")
    entries = of_another_edition([entry for entry in whole if not isinstance(entry, Closed)])
    with serve() as served:
        served.context.store.append("M-1", 0, entries)
        for eyes in ("p1", "judge"):
            assert served.get(f"/en/m/M-1/20/as/{eyes}").status_code == 403
            assert served.get("/api/v1/matches/M-1/film", params={"as": eyes}).status_code == 403
        assert served.get("/en/m/M-1/20/as/p1", "seat", "M-1", seat="p1").status_code == 200
        assert served.get("/en/m/M-1/20/as/p2", "seat", "M-1", seat="p1").status_code == 403
