"""A damaged early entry that still decodes: every page, list and command reports it."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.law.entries import Opened
from domain.law.occasion import Occasion
from domain.table.facts import Arranged
from domain.table.physics import physics_of
from domain.table.table import Place, Seat, blank
from recorder import imports
from recorder.match_loader import damage_of, load_sound, read_sound
from recorder.store import DamagedMatch, Store
from service.settings import Settings
from tests.cli.runs import fine, refusal
from tests.places import rows
from tests.service.harness import Served, serve
from tests.shelves import SHELVES

BAD, SOUND, LAST = "m-1", "m-2", 30
EARLY, LATE = 2, 12
OCCASION = Occasion(event="Cup", round="1", table="7")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("whole") / "a.sqlite"
    opened, *entries = SHELVES["blackpoker"].entries("disputed")[:LAST]
    assert isinstance(opened, Opened)
    with Store.open(where) as store:
        for match, table in ((BAD, "7"), (SOUND, "8")):
            occasion = replace(OCCASION, table=table)
            names = {Seat("p1"): f"Ann {match}", Seat("p2"): f"Bo {match}"}
            store.append(match, 0, [replace(opened, match=match, names=names, occasion=occasion), *entries])
    return where


def misname(where: Path, entry: int) -> None:
    """Flip a bit in the place or the seat of an entry."""
    at = "WHERE originator_id=? AND originator_version=?"
    ((state,),) = rows(str(where), f"SELECT state FROM stored_events {at}", BAD, entry)
    named = re.search(rb"p1.lif", state) or re.search(rb"actor.p[12]", state)
    assert named is not None
    wrong = state[: named.end() - 1] + bytes([state[named.end() - 1] ^ 4]) + state[named.end() :]
    rows(str(where), f"UPDATE stored_events SET state=? {at}", wrong, BAD, entry)


def cut_short(where: Path, entry: int) -> None:
    at = "WHERE originator_id=? AND originator_version=?"
    rows(str(where), f"UPDATE stored_events SET state=substr(state, 1, length(state)-1) {at}", BAD, entry)


@pytest.fixture
def early(whole: Path, tmp_path: Path) -> Path:
    where = Path(shutil.copy(whole, tmp_path / "shinpan.sqlite"))
    misname(where, EARLY)
    return where


@pytest.fixture
def twice(early: Path) -> Path:
    cut_short(early, LATE)
    return early


@pytest.fixture
def served(early: Path) -> Iterator[Served]:
    with serve(Settings(store=str(early))) as served:
        yield served


def test_the_first_damaged_entry_is_named_before_one_that_cannot_be_decoded(twice: Path) -> None:
    with Store.open(twice) as store:
        damaged = damage_of(store, BAD)
        assert damaged is not None and damaged.entry == EARLY
        loaded, entry = load_sound(store, BAD)
        assert entry == EARLY and loaded.version == EARLY - 1
        assert len(read_sound(store, BAD)) == EARLY - 1


def test_entries_before_the_first_damage_can_be_shown_and_later_ones_are_refused(twice: Path) -> None:
    fine(twice, "log", BAD, "--to", "1")
    assert f"entry {EARLY}" in refusal(twice, "log", BAD, "--to", "5")


def test_the_match_page_shows_what_can_be_read_and_names_the_damage(served: Served, early: Path) -> None:
    cut_short(early, LATE)
    answer = served.get(f"/en/m/{BAD}", "head")
    assert answer.status_code == 200 and f"damaged from #{EARLY}" in answer.text
    assert answer.text.index(f"damaged from #{EARLY}") < answer.text.index("<h1"), "the warning comes first"


def test_a_place_the_table_does_not_have_cannot_be_ordered(whole: Path) -> None:
    with Store.open(whole) as store:
        opened = store.read(SOUND, upto=1)[0]
    assert isinstance(opened, Opened)
    physics = physics_of(opened.schema)
    assert physics.explain_impossible(blank(opened.seats), Arranged(Place("p1.lise"), ())) is not None
    assert physics.explain_impossible(blank(opened.seats), Arranged(Place("p1.hand"), ())) is None


def test_any_error_of_a_fold_is_damage_of_the_entry(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("p1.lise")

    monkeypatch.setattr(imports, "apply", fail)
    with Store.open(whole) as store:
        damaged = damage_of(store, SOUND)
    assert isinstance(damaged, DamagedMatch) and "p1.lise" in damaged.why.say("en")


@pytest.mark.parametrize("entry", [EARLY, LATE, LAST])
def test_a_list_names_an_entry_that_is_neither_shown_in_it_nor_undecodable(
    whole: Path, tmp_path: Path, entry: int
) -> None:
    where = Path(shutil.copy(whole, tmp_path / "shinpan.sqlite"))
    misname(where, entry)
    listed = {row["match"]: row.get("damaged") for row in json.loads(fine(where, "matches", "--json").out)}
    assert listed == {BAD: entry, SOUND: None}


def test_a_damaged_match_stays_on_the_floor_in_its_round(served: Served) -> None:
    floor = served.get("/en/floor", "head").text
    assert f"damaged from #{EARLY}" in floor and "cannot be read" not in floor
    assert floor.index(f'id="at-{BAD}"') < floor.index(f'id="at-{SOUND}"'), "it comes before tables that need nobody"
    only = served.get("/en/floor?show=damaged", "head").text
    assert f'id="at-{BAD}"' in only and f'id="at-{SOUND}"' not in only
    assert served.get("/en/t/7", "head").headers["location"].endswith(BAD)
    assert f"damaged from #{EARLY}" in served.get("/en/floor").text, "for spectators too"


def test_every_list_of_a_service_names_the_damage(served: Served, early: Path) -> None:
    listed = served.get("/api/v1/matches", "head").json()
    assert {row["match"]: row.get("damaged") for row in listed} == {BAD: EARLY, SOUND: None}
    results = served.get("/api/v1/results.csv?event=Cup&round=1", "head").text.splitlines()
    assert [line.split(",")[4] for line in results[1:]] == ["damaged", "not finished"]
    csv = fine(early, "results", "--event", "Cup", "--round", "1").out.splitlines()
    assert [line.split(",")[4] for line in csv[1:]] == ["damaged", "not finished"]


def test_the_player_of_a_damaged_match_reads_of_the_damage(served: Served) -> None:
    answer = served.client.get(f"/en/play/{BAD}", headers=served.person("seat", name=f"Ann {BAD}"))
    assert answer.status_code == 503 and f"#{EARLY}" in answer.text
    stranger = served.client.get(f"/en/play/{BAD}", headers=served.person("seat", name=f"Ann {SOUND}"))
    assert stranger.status_code == 403
