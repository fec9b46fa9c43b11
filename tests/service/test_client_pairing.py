"""A round opened at a service from the terminal: told as of a store, and known to both."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.sending import Request, Response, Unreachable
from domain.words import Text, say
from service.settings import Settings
from tests.cli.runs import Ran, inside
from tests.places import place
from tests.service.serving import Served, serve
from tests.service.test_client import URL, Begin, client

LITE = "blackpoker@8.1-lite"
ROUND = ("--event", "春の大会", "--round", "1")
PAIRINGS = "table,p1,p2\n1,Ann,Bo\n2,Cy,Di\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "round.csv"
    path.write_text(PAIRINGS, encoding="utf-8")
    return path


def test_a_round_is_told_at_a_service_as_of_a_store(served: Served, begin: Begin, tmp_path: Path, file: Path) -> None:
    beside = place(tmp_path / "beside.sqlite")
    there = begin(served)

    def both(*command: str | Path) -> Ran:
        said = ("pairings", *command)
        at_service, here = there(*said), inside(beside, *said)
        assert at_service == here, command
        return here

    assert both(LITE, file, *ROUND, "--json").code == 0
    assert "there already: 2" in both(LITE, file, *ROUND).out
    assert both(LITE, file, *ROUND, "--lang", "ja").code == 0
    file.write_text(f"{PAIRINGS}3,Eve,Flo\n", encoding="utf-8")
    assert [row["new"] for row in both(LITE, file, *ROUND, "--json").data] == [False, False, True]
    assert both(LITE, file, "--event", "", "--round", "2", "--set", "hand.limit=6", "--policy", "standard").code == 0
    for text in ("", "table,p1,p2\n1,Ann,Cy\n", "table,p1\n9,Ann\n9,Bo\n", "table,p1\n9,Ann,Bo\n",
                 "table,p1,p1_deck\n9,Ann,gone\n", "table,p1,p1_deck\n9,Ann,gone.toml\n"):  # fmt: skip
        file.write_text(text, encoding="utf-8")
        assert both(LITE, file, *ROUND, "--lang", "ja").code == 2
    file.write_bytes(b"table,p1\n9,\xff\n")
    for wrong in ((LITE, file), ("chess@1", file), (f"{LITE}/x", file), (LITE, tmp_path / "gone.csv"),
                  (LITE, file, "--policy", "gone.toml"), (LITE, file, "--set", "x=1")):  # fmt: skip
        assert both(*wrong, *ROUND).code == 2
    assert len(served.house.store.matches()) == 6


def test_decks_in_files_are_brought_along_and_refused_as_at_a_store(
    served: Served, begin: Begin, tmp_path: Path, file: Path
) -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "grimoire" / "decks"
    there = begin(served)
    for deck, code in (("ember.toml", 0), ("bad-five-copies.toml", 2)):
        file.write_text(f"table,p1,p2,p2_deck\n{deck},Ann,Bo,{folder / deck}\n", encoding="utf-8")
        command = ("pairings", "grimoire@1", file, *ROUND)
        at_service = there(*command)
        assert at_service == inside(place(tmp_path / "beside.sqlite"), *command) and at_service.code == code
    assert f"{file}:2: " in at_service.message and "GR-" in at_service.message
    assert len(served.house.store.matches()) == 1


def test_a_round_opened_at_the_store_is_known_to_its_service(begin: Begin, tmp_path: Path, file: Path) -> None:
    store = place(tmp_path / "cup.sqlite")
    said = ("pairings", LITE, file, *ROUND, "--set", "hand.limit=6", "--frame", "entry20", "--json")
    first = inside(store, *said)
    assert first.code == 0, first
    with serve(Settings(store=store)) as served:
        again = begin(served)(*said)
    assert again.data == [row | {"new": False} for row in first.data]


def test_who_may_not_or_says_another_name_opens_no_round(served: Served, begin: Begin, file: Path) -> None:
    for role in ("spectator", "scorekeeper", "floor"):
        for lang in ("en", "ja"):
            refused = begin(served, role)("pairings", LITE, file, *ROUND, "--lang", lang)
            assert (refused.code, refused.out) == (2, "") and refused.message
    named = begin(served)("pairings", LITE, file, *ROUND, "--by", "Ken")
    assert (named.code, named.out) == (2, "") and named.message.endswith(say("client.by", "en"))
    assert served.house.store.matches() == []


def test_a_round_whose_answer_never_came_is_opened_once(
    served: Served, begin: Begin, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, whole = begin(served), client(served, "head")

    def lose(request: Request) -> Response:
        whole.send(request)
        raise Unreachable(Text("client.unreachable", {"url": URL, "why": "reset"}))

    monkeypatch.setattr("cli.away.asking.connect", lambda *_: replace(whole, send=lose))
    lost = there("pairings", LITE, file, *ROUND)
    assert (lost.code, lost.out) == (2, "") and say("client.maybe_paired", "en") in lost.err
    there = begin(served)
    assert "there already: 2" in there("pairings", LITE, file, *ROUND).out
