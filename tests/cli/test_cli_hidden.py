"""No output reveals a hidden card: errors, other rules, reports, ids and chosen seeds."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.evidence import chain
from domain.games import GAMES
from domain.law.entries import Opened
from domain.table.table import Seat
from recorder import codec
from recorder.store import Store
from tests.cli.runs import DISPUTED, fine, inside
from tests.imports import import_entries

pytestmark = pytest.mark.random

READING = "throwing.damage_suit=spade"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--p1", "Aoi", "--p2", "Ren", "--seed", "2", "--match", "mine")
    return where


def test_an_ambiguous_name_is_told_apart_by_what_the_viewer_sees_only(tmp_path: Path) -> None:
    store = tmp_path / "b.sqlite"
    fine(store, "new", "grimoire@1", "--seed", "4", "--match", "spells")
    told = 0
    for face in GAMES["grimoire"].faces():
        action = ("do", "spells", f"p1: play {face}")
        judged, seen = inside(store, *action, "--as", "judge"), inside(store, *action, "--as", "p1")
        told += "grimoire" in judged.message
        assert "grimoire" not in seen.message.partition(": ")[2] and "p2.hand" not in seen.message, seen.err
    assert told, "a judge is told where they lie"


def test_a_suggestion_is_a_card_that_the_viewer_knows(store: Path) -> None:
    known = {one["face"] for one in _cards(store, "p1")}
    hidden = {one["face"] for one in _cards(store, "judge")} - known
    assert hidden
    for face in hidden:
        refused = inside(store, "do", "mine", f"p1: summon_soldier {face}0", "--as", "p1")
        assert refused.code == 2 and f"did you mean {face}?" not in refused.message
        assert "(as Aoi sees it; --as judge shows all)" in refused.message


def _cards(store: Path, viewer: str) -> list[dict[str, str]]:
    board = fine(store, "show", "mine", "--as", viewer, "--json").data
    found: list[dict[str, str]] = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("face"), str):
                found.append(value)
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(board)
    return found


@pytest.mark.parametrize("viewer", ["p2", "spectator"])
def test_other_rules_on_an_open_match_are_for_judges(store: Path, viewer: str) -> None:
    commands = (
        ("rejudge", "mine", "--set", READING),
        ("rejudge", f"{store}:mine", "--set", READING),
        ("audit", "mine", "--reading", READING),
    )
    for command in commands:
        refused = inside(store, *command, "--as", viewer)
        assert (refused.code, refused.out) == (2, "") and "only judges may see it" in refused.message, refused
        assert "審判だけ" in inside(store, *command, "--as", viewer, "--lang", "ja").message
        assert inside(store, *command, "--as", "judge").code == 0
    assert inside(store, "audit", "mine", "--as", viewer).code == 0
    fine(store, "close", "mine", "--abandon", "--reason", "over")
    assert [inside(store, *command, "--as", viewer).code for command in commands] == [0, 0, 0]


def test_a_whole_record_in_a_file_is_for_everybody_who_has_it(store: Path) -> None:
    assert inside(store, "audit", DISPUTED, "--reading", READING).code == 1


def test_reports_over_corpora_say_that_they_are_for_judges(store: Path, tmp_path: Path) -> None:
    page, rules = tmp_path / "change.html", tmp_path / "rules.html"
    for command in (
        ("regress", store, "--set", READING, "--report", page),
        ("compare", "blackpoker", store, "--reading", "throwing.damage_suit=spade,club"),
        ("coverage", "blackpoker", "--corpus", store, "--html", rules),
    ):
        assert "this report is for judges" in inside(store, *command).out
        assert "judges" in inside(store, command[0], "--help").out
    assert "for judges" in page.read_text(encoding="utf-8") and "for judges" in rules.read_text(encoding="utf-8")


def test_coverage_does_not_count_hidden_cards_of_an_open_match(store: Path) -> None:
    fine(store, "do", "mine", "p1: set_bulwark")
    fine(store, "do", "mine", "p1: choose_bulwark_card D7")

    def counted() -> dict[str, int]:
        told = inside(store, "coverage", "blackpoker", "--corpus", store, "--json").data["coverage"]
        cards = {one["name"]: one["matches"] for one in told["cards"]}
        return {**cards, **{one["clause"]: one["applied"] for one in told["clauses"]}}

    before = counted()
    assert before["BP-8.3"] and not before["D7"], "what everybody sees is counted, the card is not"
    fine(store, "close", "mine", "--abandon", "--reason", "over")
    assert counted()["D7"] == 1


def test_a_chosen_seed_is_warned_of(tmp_path: Path) -> None:
    store = tmp_path / "b.sqlite"
    opened = fine(store, "new", "blackpoker@8.1-lite", "--seed", "1", "--match", "mine")
    assert opened.out == "mine\n" and "a guessable seed can be found by trial" in opened.err
    assert "総当たり" in fine(store, "new", "blackpoker@8.1-lite", "--seed", "1", "--lang", "ja").err
    assert "found by trial" in fine(store, "branch", "mine", "--at", "2", "--seed", "1").err
    assert "seed" not in fine(store, "new", "blackpoker@8.1-lite").err


def _nameless(store: Path, deck: str) -> list[bytes]:
    fine(store, "new", "grimoire@1", "--seed", "4", "--match", deck, "--deck", f"p1={deck}")
    with Store.open(store, read_only=True) as opened:
        first, *rest = opened.read_bytes(deck, 3)
    entry = codec.decode(first)
    assert isinstance(entry, Opened)
    return [codec.encode(replace(entry, match="", commitment="", at=0)), *map(chain.unlink, rest)]


def test_an_id_made_from_a_record_does_not_depend_on_decks(tmp_path: Path) -> None:
    decks = sorted(GAMES["grimoire"].named_decks())[:2]
    ids = set()
    for deck in decks:
        states = _nameless(tmp_path / "a.sqlite", deck)
        assert codec.decode(states[0]).decks[Seat("p1")]  # type: ignore[union-attr]
        with Store.open(tmp_path / f"{deck}.sqlite") as store:
            ids.add(msgspec.structs.asdict(import_entries(store, states))["match"])
    assert len(decks) == 2 and len(ids) == 1


def test_a_record_imported_under_its_former_id_is_known_again(tmp_path: Path) -> None:
    from recorder.imports import _id_of

    states = _nameless(tmp_path / "a.sqlite", sorted(GAMES["grimoire"].named_decks())[0])
    former = _id_of(states[0])
    with Store.open(tmp_path / "b.sqlite") as store:
        store.append_bytes(former, states)
        again = msgspec.structs.asdict(import_entries(store, states))
        assert (again["match"], again["new"]) == (former, False)
        assert [one.match for one in store.matches()] == [former]
