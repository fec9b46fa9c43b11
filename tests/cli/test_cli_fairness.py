"""`fairness` over many matches: each held against its seed, and all shuffles together."""

import shutil
from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from corpus.reading import open_corpus
from domain.games import GAMES
from domain.law.entries import Entry, Played, opened_of
from domain.law.law import Law
from domain.law.rulesets import ruleset
from domain.table import facts as F
from domain.table.table import CHANCE
from recorder import codec
from recorder.simulate import simulate
from recorder.store import Store
from tests.cli.runs import DISPUTED, Ran, fine, inside, shut
from tests.laws.presumed import presume

FIXTURES = DISPUTED.parents[2]
SMALL = {key: FIXTURES / key / "corpus" / "small.corpus" for key in sorted(GAMES)}
NOWHERE = Path("nowhere.sqlite")
ONE = ("--jobs", "1")


def fair(*arguments: str | Path) -> Ran:
    return inside(NOWHERE, "fairness", *arguments, *ONE)


@cache
def played(seed: int) -> tuple[Entry, ...]:
    return tuple(simulate(Law(GAMES["blackpoker"], ruleset(GAMES["blackpoker"], "8.1-lite", "entry20")), seed, 12))


def dealt_as_listed(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A match by hand: up to its shuffles, after which every deck lies as it did before."""
    done: list[Entry] = [replace(opened_of(entries), commitment="")]
    for entry in entries[1:]:
        if not isinstance(entry, Played) or entry.actor != CHANCE or b"shuffle" not in bytes(entry.action):
            break
        (fact,) = [fact for _, fact in entry.told if isinstance(fact, F.Arranged)]
        created = [made for _, made in done[0].told if isinstance(made, F.Created)]  # type: ignore[union-attr]
        row = next(made.cards for made in created if made.place == fact.place)
        action = replace(GAMES["blackpoker"].decoder().decode(entry.action), order=row)
        told = tuple((clause, replace(fact, cards=row) if other is fact else other) for clause, other in entry.told)
        done.append(replace(entry, action=codec.raw_action(action), told=told))
    return tuple(done)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_corpora_of_every_game_are_their_seeds_and_not_suspicious(key: str) -> None:
    presume(key, "chance")
    with open_corpus(SMALL[key]) as corpus:
        matches = len(corpus)
    told = fair(SMALL[key], "--json")
    assert told.code == 0 and told.err == ""
    chances, shuffles = told.data["chances"], told.data["shuffles"]
    assert (chances["matches"], chances["holds"], chances["copies"]) == (matches, matches, 0)
    assert told.data["unfair"] == told.data["bad"] == [] and shuffles["suspicious"] in (None, False)
    assert shuffles["first"] >= 2 * matches and shuffles["rate"] == 0.01


def test_what_people_read_says_the_rate_and_from_how_many_shuffles_on_it_would_show() -> None:
    told = fair(SMALL["dea"])
    assert told.code == 0 and "too few shuffles to tell" in told.out and "fair" not in told.out
    assert "of 100 sound corpora no more than 1 would" in told.out and "here are 48" in told.out
    japanese = fair(SMALL["dea"], "--lang", "ja")
    assert japanese.code == 0 and "48回" in japanese.out and "shuffle" not in japanese.out


def test_copies_and_the_jobs_do_not_change_the_answer(tmp_path: Path) -> None:
    for name in ("a.corpus", "b.corpus"):
        shutil.copy(SMALL["blackpoker"], tmp_path / name)
    once, twice = fair(SMALL["blackpoker"], "--json", "--rate", "0.2"), fair(tmp_path, "--json", "--rate", "0.2")
    assert twice.data["chances"] == {**once.data["chances"], "copies": 50}
    assert twice.data["shuffles"] == once.data["shuffles"]


@pytest.mark.random
def test_two_processes_say_the_same() -> None:
    assert inside(NOWHERE, "fairness", SMALL["dea"], "--jobs", "2") == fair(SMALL["dea"])


def test_decks_that_lie_as_their_lists_are_suspicious_though_no_seed_is_broken(tmp_path: Path) -> None:
    for seed in range(1, 13):
        text = codec.to_json_lines([codec.encode(entry) for entry in dealt_as_listed(played(seed))])
        (tmp_path / f"{seed}.jsonl").write_bytes(text)
    told = fair(tmp_path, "--rate", "0.1")
    assert told.code == 1 and "suspicious: chance hardly ever shuffles so" in told.out
    assert "card 1 came to place 1 in 24 of 24 shuffles" in told.out
    data = fair(tmp_path, "--json", "--rate", "0.1").data
    assert data["unfair"] == [] and data["chances"]["none"] == 12
    assert {trial["kind"] for trial in data["shuffles"]["tests"] if trial.get("failed")} >= {
        "places",
        "front",
        "rising",
    }


def test_a_match_that_is_not_its_seeds_is_named(tmp_path: Path) -> None:
    store = tmp_path / "cup.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "sound")
    fine(store, "close", "sound", "--abandon", "--reason", "over")
    file = tmp_path / "files" / "bent.jsonl"
    file.parent.mkdir()
    text = fine(store, "export", "sound", "--as", "judge", "--format", "jsonl").out
    file.write_text(text.replace('"seed":"' + (7).to_bytes(16, "big").hex(), '"seed":"' + bytes(16).hex()))
    told = fair(file.parent)
    assert told.code == 1 and f"{file}: the commitment does not hold" in told.out
    assert [match["name"] for match in fair(file.parent, "--json").data["unfair"]] == [str(file)]
    kept = inside(store, "fairness", store, *ONE, "--json")
    assert kept.code == 0 and kept.data["chances"]["holds"] == 1 and kept.data["unfair"] == []
    assert (7).to_bytes(16, "big").hex() not in kept.out


def test_an_open_match_in_a_store_is_held_against_the_seed_that_is_kept_there(tmp_path: Path) -> None:
    store = tmp_path / "cup.sqlite"
    fine(store, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "open")
    told = inside(store, "fairness", store, *ONE, "--json")
    assert told.code == 0 and told.data["chances"]["holds"] == 1 and told.data["chances"]["drawn"] == 3
    assert told.data["shuffles"]["suspicious"] is None


def test_what_cannot_be_read_is_named_and_the_rest_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "bent.corpus"
    data = bytearray(SMALL["dea"].read_bytes())
    for at in Random(3).sample(range(200, len(data) // 2), 3):
        data[at] ^= 0xFF
    file.write_bytes(data)
    told = fair(file, "--json")
    assert told.code == 2
    bad = told.data["bad"]
    assert bad and told.data["chances"]["matches"] == 24 - len(bad) > 0
    assert all(match["name"] in told.err for match in bad)


def test_a_folder_with_nothing_in_it_and_an_empty_store(tmp_path: Path) -> None:
    told = fair(tmp_path)
    assert told.code == 2 and "shuffles: 0 that matches begin with" in told.out and str(tmp_path) in told.err
    with Store.open(tmp_path / "none.sqlite"):
        pass
    empty = fair(tmp_path / "none.sqlite", "--json")
    assert empty.code == 0 and empty.data["shuffles"]["suspicious"] is None and empty.data["shuffles"]["tests"] == []


def test_a_folder_that_may_not_be_looked_into_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    shutil.copy(SMALL["dea"], tmp_path / "a.corpus")
    shut(monkeypatch, "closed")
    told = fair(tmp_path, "--json")
    assert told.code == 2 and told.data["chances"]["matches"] == 24 and "closed" in told.err


@pytest.mark.parametrize("option", [("--rate", "0.1"), ("--jobs", "2")])
def test_what_is_for_many_matches_is_refused_for_one(option: tuple[str, str]) -> None:
    told = inside(NOWHERE, "fairness", DISPUTED, *option)
    assert (told.code, told.out) == (2, "") and option[0] in told.message


@pytest.mark.parametrize("rate", ["0", "1", "-1", "nan", "x"])
def test_a_rate_that_is_none_is_refused(rate: str) -> None:
    told = fair(SMALL["dea"], f"--rate={rate}")
    assert (told.code, told.out) == (2, "") and "rate" in told.message
