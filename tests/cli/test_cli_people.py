"""Invitations from the command line, on a store with its keyring."""

import re
from pathlib import Path

import pytest

from recorder.clock import read_wall_clock
from recorder.keyring import Keyring
from recorder.store import Store
from tests.cli.runs import fine, inside

LINK = re.compile(r"  (\S+)/in#([\w-]{43})\n")
HOUR_MS = 3_600_000


@pytest.fixture(name="where")
def store_with_a_match(tmp_path: Path) -> Path:
    where = tmp_path / "s.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--p1", "Aoi", "--p2", "Beni", "--match", "m")
    return where


def test_people_are_invited_listed_and_taken_back_on_a_store(where: Path) -> None:
    told = fine(where, "invite", "seat", "Aoi", "Chie")
    links = LINK.findall(told.out)
    assert [link[0] for link in links] == ["http://127.0.0.1:8000"] * 2
    fine(where, "invite", "floor", "Kato", "--by", "desk")
    with Keyring.open_for_store(str(where)) as keys:
        assert keys.exchange(links[1][1], read_wall_clock(), read_wall_clock() + HOUR_MS)
    listed = fine(where, "people", "--json").data
    assert {(each["name"], each["role"], each["state"], each["by"]) for each in listed} == {
        ("Aoi", "seat", "invited", "operator"),
        ("Chie", "seat", "in", "operator"),
        ("Kato", "floor", "invited", "desk"),
    }
    number = next(each["number"] for each in listed if each["name"] == "Aoi")
    assert number[:8] in fine(where, "people").out
    assert "Aoi" in fine(where, "people", "--take-back", number[:8]).out
    assert "Aoi" not in fine(where, "people").out
    with Keyring.open_for_store(str(where)) as keys:
        assert keys.get_invitation_state(links[0][1]) == "revoked"


def test_a_terminal_draws_each_link_as_a_qr_code(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped = fine(where, "invite", "floor", "Kato").out
    monkeypatch.setattr("cli.invitations.is_terminal", lambda out: True)
    drawn = fine(where, "invite", "floor", "Ueno").out
    assert "\u2588" in drawn and "\u2588" not in piped


def test_an_invitation_by_name_is_an_entry_of_the_open_match(where: Path) -> None:
    with Store.open(str(where)) as store:
        before = store.version("m")
    fine(where, "invite", "seat", "Aoi", "--by", "Abe")
    assert "p1" in (said := fine(where, "log", "m", "--as", "judge").out.splitlines()[-1]) and "Abe" in said
    with Store.open(str(where)) as store:
        assert store.version("m") == before + 1


def test_links_begin_with_the_address_that_is_named_or_where_the_service_last_ran(where: Path) -> None:
    with Keyring.open_for_store(str(where)) as keys:
        keys.save_public_address("https://cup.example")
    assert "https://cup.example/in#" in fine(where, "invite", "floor", "Kato").out
    assert "https://b.example/in#" in fine(where, "invite", "floor", "Sato", "--public", "https://b.example/").out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("seat", ""), "needs a name"),
        (("seat", "Aoi", "AOI"), "looks like"),
        (("seat", "Aoi", "--match", "m"), "give both"),
        (("seat", "Aoi", "--match", "m", "--seat", "p9"), "no seat"),
        (("floor", "Aoi", "--seat", "p1"), "give both"),
        (("floor", "Aoi", "--match", "nosuch"), "nosuch"),
    ],
)
def test_whom_nobody_can_invite_is_refused_with_what_to_do(where: Path, arguments: tuple[str, ...], word: str) -> None:
    told = inside(where, "invite", *arguments)
    assert told.code == 2 and word in told.message


@pytest.mark.parametrize("number", ["", "00", "abcdef"])
def test_a_number_of_nobody_takes_nobody_back(where: Path, number: str) -> None:
    fine(where, "invite", "floor", "Kato")
    if number:
        assert inside(where, "people", "--take-back", number).code == 2
    assert "Kato" in fine(where, "people").out
