"""One unreadable match: every page and API list answers for the other matches.

The test covers all routes.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.law.entries import Opened
from recorder.quarantine import Quarantined, quarantine
from recorder.store import Store
from service.requests import Route
from service.routes import API_ROUTES, PAGE_ROUTES
from service.settings import Settings
from tests.damaged import WAYS, damage
from tests.rotation import rotate
from tests.service.harness import Served, serve
from tests.shelves import SHELVES

BAD, SOUND, LAST = "m-1", "m-2", 48
FILLS = {
    "match": SOUND, "moment": "30", "n": "30", "viewer": "p1", "lang": "en", "game": "blackpoker", "clause": "BP-4.2",
    "book": "blackpoker", "table": "9", "round": "r1", "thing": "64", "ruleset": "53caae02b4a5f1a8", "job": "j",
    "casebook": "c", "which": "w", "audience": "players", "number": "0" * 64,
}  # fmt: skip
QUERIES = {"whynot": "?do=p1: pass", "known": "?card=64", "find": "?clause=BP-4.2", "heat": "?", "changes": "?from=3"}
STREAMS = ("/live", "/next")
OF_KEYS = ("/people",)
"""Lists of keys, which differ between two services."""
ROUTES: tuple[Route, ...] = tuple(
    route
    for route in (*API_ROUTES, *PAGE_ROUTES)
    if route.method == "GET" and not route.path.endswith((*STREAMS, *OF_KEYS))
)
LISTS = ("/api/v1/matches", "/en/floor")
CHANGING = re.compile(r"[0-9a-f-]{16,}|[0-9A-Za-z_-]{40,}|\b20\d\d-\d\d-\d\dT[\d:.]+")
DAMAGED = re.compile(
    rf'<ul class="damaged">.*?</ul>|<li><a class="tile[^>]*/m/{BAD}">.*?</li>'
    rf'|<div id="counts".*?</div>|<li><a href="/en/record/{BAD}">.*?</li>',
    re.S,
)
"""The damaged match on the floor page, in its counts, and in the list of tables to record."""


def lay(where: str, *matches: str) -> None:
    opened, *entries = SHELVES["blackpoker"].entries("disputed")[:LAST]
    assert isinstance(opened, Opened)
    with Store.open(where) as store:
        for match in matches:
            store.append(match, 0, [replace(opened, match=match), *entries])


def address(route: Route, match: str) -> str:
    path = re.sub(r"{(\w+):str}", lambda part: {**FILLS, "match": match}[part[1]], route.path)
    return path + QUERIES.get(path.rpartition("/")[2], "")


def comparable(answer: Any) -> tuple[int, str]:
    """Return the response without the damaged match, with values that change at each run masked."""
    if answer.headers.get("content-type", "") == "application/json" and answer.text.startswith("["):
        return answer.status_code, str([row for row in answer.json() if BAD not in str(row)])
    if answer.content.startswith(b"PK"):
        return answer.status_code, "a pack, salted anew each time"
    return answer.status_code, re.sub(r"\n\n+", "\n", CHANGING.sub("~", DAMAGED.sub("", answer.text)))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("sound") / "a.sqlite"
    lay(str(where), SOUND)
    return where


@pytest.fixture(scope="module")
def alone(sound: Path) -> Iterator[Served]:
    with serve(Settings(store=str(sound))) as served:
        yield served


@pytest.fixture(scope="module", params=rotate([*WAYS], 2))
def damaged(request: pytest.FixtureRequest, sound: Path) -> Iterator[tuple[Served, int]]:
    where = str(sound.with_name(f"{request.param}.sqlite"))
    shutil.copy(sound, where)
    lay(where, BAD)
    entry = damage(where, BAD, request.param)
    with serve(Settings(store=where)) as served:
        yield served, entry


@pytest.mark.parametrize("role", ["head", "spectator"])
def test_every_page_and_list_answers_for_others_as_without_the_damaged_match(
    alone: Served, damaged: tuple[Served, int], role: Any
) -> None:
    here, entry = damaged
    for route in ROUTES:
        path = address(route, SOUND)
        there, without = here.get(path, role), alone.get(path, role)
        assert comparable(there) == comparable(without), path
        if path in LISTS and (role, path) != ("spectator", "/en/floor"):
            assert BAD in there.text and str(entry) in there.text, path
    rows = here.get("/api/v1/matches", role).json()
    assert {row["match"]: row.get("damaged") for row in rows} == {SOUND: None, BAD: entry}


def test_no_page_of_a_damaged_match_is_our_fault(damaged: tuple[Served, int]) -> None:
    here, entry = damaged
    for route in ROUTES:
        if "{match" in route.path:
            answer = here.get(address(route, BAD), "head")
            assert answer.status_code in (200, 302, 303, 307, 308, 400, 403, 404, 409, 422, 503), (route.path, answer)
            assert answer.status_code != 503 or f"#{entry}" in answer.text or "seal" in answer.text, (
                route.path,
                answer.text,
            )


def test_a_service_notices_that_another_program_took_a_match_out(sound: Path, tmp_path: Path) -> None:
    where = str(shutil.copy(sound, tmp_path / "a.sqlite"))
    lay(where, BAD)
    with serve(Settings(store=where)) as served:
        find = "/api/v1/find?game=blackpoker"
        for path in (f"/en/m/{BAD}", f"/api/v1/matches/{BAD}", "/en/floor", "/api/v1/matches", find):
            assert BAD in served.get(path, "head").text, path
        entry = damage(where, BAD, "a flipped byte in a later entry")
        with Store.open(where) as other:
            assert isinstance(quarantine(other, BAD, tmp_path / "f", entry), Quarantined)
        for path in ("/en/floor", "/api/v1/matches", find):
            answer = served.get(path, "head")
            assert answer.status_code == 200 and BAD not in answer.text and SOUND in answer.text, path
        for path in (f"/en/m/{BAD}", f"/api/v1/matches/{BAD}", f"/api/v1/matches/{BAD}/at/3"):
            answer = served.get(path, "head")
            assert answer.status_code == 404 and (path.startswith("/en") or BAD in answer.text), (path, answer.text)
