"""A service over a store with a vault: it answers as over any other, and says what it cannot read without it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.law.entries import Noted
from domain.law.law import Law
from domain.table.table import Seat
from recorder.encrypting import give_vault
from recorder.matches import close, open_match
from recorder.store import Store
from recorder.vault import SUFFIX
from service.settings import Settings
from tests.places import Place, beside
from tests.recorder.test_recorder_vault import held
from tests.service.serving import Served, serve
from tests.service.test_service_jobs import break_seal
from tests.service.writing import uuid

LAW = Law(GAMES["blackpoker"], GAMES["blackpoker"].versions["8.1-lite"])
NAMES = {Seat("p1"): "Shirakawa", Seat("p2"): "Tachibana"}


@pytest.fixture(name="where")
def store_with_a_vault(place: Place) -> str:
    with Store.open(place()) as store:
        give_vault(store)
        for match in ("M-1", "M-2"):
            open_match(store, LAW, "8.1-lite", NAMES, match_id=match)
        close(store, "M-2", "judge", "no time", abandon=True)
        return store.name


@pytest.fixture(name="served")
def over_it(where: str) -> Iterator[Served]:
    with serve(Settings(store=where)) as ready:
        yield ready


def test_a_match_is_recorded_over_the_service_and_lies_encrypted(served: Served, tmp_path: Path) -> None:
    head = {"If-Match": "*"}
    text = "Tachibana asked about a card"
    command = {"id": uuid(1), "kind": "note", "text": text}
    assert served.post("/api/v1/matches/M-1/entries", command, "head", headers=head).status_code in (200, 201)
    noted = served.house.store.read("M-1")[-1]
    assert isinstance(noted, Noted) and noted.text == text
    assert served.get("/en/m/M-1").status_code == served.get("/en/floor").status_code == 200
    assert {row["match"]: row["names"]["p1"] for row in served.get("/api/v1/matches").json()} == {
        "M-1": "Shirakawa", "M-2": "Shirakawa",
    }  # fmt: skip
    assert not any(text.encode() in part for part in held(served.house.store, tmp_path))


def test_without_the_vault_it_shows_all_the_rest(where: str, tmp_path: Path) -> None:
    vault = Path(beside(where) + SUFFIX)
    vault.rename(tmp_path / "away")
    with serve(Settings(store=where)) as served:
        for path in ("/api/v1/matches/M-2", "/en/m/M-2", "/en/floor", "/en/find", "/api/v1/disputes"):
            assert served.get(path).status_code == 200, path
        listed = {row["match"]: row["game"] for row in served.get("/api/v1/matches").json()}
        assert listed == {"M-1": "", "M-2": "blackpoker"}
        for path in ("/api/v1/matches/M-1", "/en/m/M-1"):
            shut = served.get(path, "head")
            assert shut.status_code == 503 and str(vault.parent) not in shut.text, path
        (tmp_path / "away").rename(vault)
        assert "Shirakawa" in served.get("/api/v1/matches/M-1").text


def test_what_would_be_written_down_of_an_encrypted_match_is_not_begun(served: Served) -> None:
    head = served.bearer("head")
    break_seal(served, head, "M-1")
    body = {"match": "M-1", "set": {"hand.limit": "6"}}
    refused = served.post("/api/v1/rejudgings", body, headers=head)
    assert refused.status_code == 400 and "M-1 is encrypted" in refused.json()["en"]
    assert served.get("/api/v1/jobs").json() == {"jobs": []}
    assert served.post("/api/v1/rejudgings", body | {"match": "M-2"}, headers=head).status_code == 202
