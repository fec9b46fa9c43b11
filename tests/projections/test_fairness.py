"""Chance checked against the croupier's seed: proved, contradicted, or undecidable."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import Fairness, audit, fairness
from domain.law.croupier import card_ids
from domain.law.driver import decide
from domain.law.entries import Closed, Entry, Opened, Played, Rewound, fold_entries
from domain.law.game import decks_of
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table.table import CHANCE, CardId, Place, Seat
from recorder import codec
from recorder.branches import branch
from recorder.match_loader import load_match
from recorder.matches import close, open_match, play, rewind
from recorder.simulate import simulate
from recorder.store import Store
from tests.cli.runs import fine, inside
from tests.laws.samples import SEEDS, sample
from tests.rows import for_each
from tests.toy import TOY, Rules, Shuffle

SEED = bytes(range(16))
TOYS = {"toy": TOY}


def unfair(game: Any, entries: Any, secret: bytes | None = None) -> list[int]:
    return [one.entry for one in audit(game, entries, secret=secret).findings if one.kind == "unfair"]


def chances(entries: Any) -> list[int]:
    return [n for n, one in enumerate(entries, start=1) if isinstance(one, Played) and one.actor == CHANCE]


@cache
def toy() -> tuple[Entry, ...]:
    return tuple(simulate(Law(TOY, Rules()), 3))


def redraw(entries: tuple[Entry, ...], number: int) -> tuple[Entry, ...]:
    entry, before = entries[number - 1], fold_entries(entries, number - 1)
    assert isinstance(entry, Played)
    action = TOY.decoder().decode(entry.action)
    assert isinstance(action, Shuffle)
    other = replace(action, order=action.order[::-1])
    outcome = decide(Law(TOY, Rules()), before, CHANCE, other)
    assert isinstance(outcome, Accepted)
    stacked = replace(entry, action=codec.raw_action(other), told=outcome.told)
    return (*entries[: number - 1], stacked, *entries[number:])


@pytest.mark.parametrize("key", sorted(GAMES))
@for_each("seed", SEEDS)
def test_every_draw_of_a_closed_match_is_the_seeds(key: str, seed: int) -> None:
    one = sample(key, seed)
    closed = isinstance(one.entries[-1], Closed)
    drawn = len(chances(one.entries)) + 1
    expected = Fairness(proof="holds", published=True, drawn=drawn)
    assert fairness(one.game, one.entries) == (expected if closed else Fairness(proof="sealed", unproved=drawn - 1))


def test_a_stacked_deck_that_breaks_no_rule_is_named() -> None:
    first, second = chances(toy())[:2]
    entries = redraw(toy(), second)[:second]
    entries = (*entries, toy()[-1])
    assert unfair(TOY, (*toy()[:second], toy()[-1])) == []
    (found,) = audit(TOY, entries).findings
    assert (found.entry, found.kind) == (second, "unfair")
    fair = fairness(TOY, entries)
    assert (fair.proof, fair.differs, fair.drawn) == ("holds", (second,), 2)
    assert first < second


def test_a_seed_that_was_not_the_committed_one_is_named() -> None:
    last = toy()[-1]
    assert isinstance(last, Closed)
    for seed in ("00" * 16, "no seed at all"):
        entries = (*toy()[:-1], replace(last, seed=seed))
        assert unfair(TOY, entries) == [len(entries)]
        fair = fairness(TOY, entries)
        assert (fair.proof, fair.drawn, fair.unproved) == ("broken", 0, len(chances(entries)))


def test_a_record_under_another_name_does_not_fit_its_commitment() -> None:
    entries = (replace(toy()[0], match="other"), *toy()[1:])
    assert unfair(TOY, entries) == [len(entries)]


def test_ids_of_cards_that_nobody_has_drawn_are_named() -> None:
    one = sample("blackpoker", 0)
    opened = one.first_entry
    ids = [card for _, fact in opened.told for card in getattr(fact, "cards", ())]
    swapped = dict(zip(ids, sorted(ids), strict=True))
    facts = tuple(
        (clause, replace(fact, cards=tuple(CardId(swapped[card]) for card in fact.cards)))
        if hasattr(fact, "cards")
        else (clause, fact)
        for clause, fact in opened.told
    )
    entries = (replace(opened, told=facts), one.entries[-1])
    assert unfair(one.game, entries) == [1]
    decks = decks_of(opened)
    assert len(card_ids("m", SEED, sum(len(deck.faces) for deck in decks.values()))) == len(ids)


def test_without_a_croupier_nothing_is_proved_and_nothing_unfair() -> None:
    entries = (replace(toy()[0], commitment=""), *toy()[1:])
    assert unfair(TOY, entries) == []
    assert fairness(TOY, entries) == Fairness(proof="none", published=True, unproved=len(chances(entries)))


def test_the_seed_of_an_open_match_is_held_against_the_record_by_who_keeps_it() -> None:
    entries, last = toy()[:-1], toy()[-1]
    assert isinstance(last, Closed)
    secret = bytes.fromhex(last.seed)
    assert fairness(TOY, entries).proof == "sealed" and unfair(TOY, entries) == []
    assert fairness(TOY, entries, secret) == Fairness(proof="holds", drawn=len(chances(entries)) + 1)
    assert unfair(TOY, entries, bytes(16)) == [1]
    stacked = redraw(toy(), chances(toy())[1])[: chances(toy())[1]]
    assert unfair(TOY, stacked) == [] and unfair(TOY, stacked, secret) == [chances(toy())[1]]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "a.sqlite") as opened:
        yield opened


def drawn_by(store: Store, match: str) -> Fairness:
    found = load_match(store, match, TOYS)
    return fairness(TOY, found.entries, store.secret(match))  # type: ignore[union-attr]


def test_a_rewind_draws_under_new_numbers_and_a_branch_with_a_seed_of_its_own(store: Store) -> None:
    open_match(store, Law(TOY, Rules()), "1", {}, seed=SEED, match_id="m")
    branch(store, "m", 2, "b", games=TOYS)
    assert drawn_by(store, "b") == Fairness(proof="holds", drawn=1, inherited=1)
    rewind(store, "m", 2, "misheard", "judge", games=TOYS)
    close(store, "m", "judge", "over", abandon=True, games=TOYS)
    entries = store.read("m")
    assert any(isinstance(one, Rewound) for one in entries)
    assert fairness(TOY, entries) == Fairness(proof="holds", published=True, drawn=4)


def test_what_somebody_entered_in_the_croupiers_place_is_said_to_be_by_hand(store: Store) -> None:
    open_match(store, Law(TOY, Rules()), "1", {}, seed=SEED, match_id="m", with_croupier=False)
    for seat in ("p1", "p2"):
        order = fold_entries(store.read("m")).places[Place(f"{seat}.deck")]
        action = Shuffle(Seat(seat), order[::-1])
        play(store, "m", CHANCE, action, with_croupier=False, games=TOYS)
    assert drawn_by(store, "m") == Fairness(proof="holds", drawn=1, by_hand=(2, 3))
    assert unfair(TOY, store.read("m"), store.secret("m")) == []
    assert isinstance(store.read("m")[0], Opened)


def test_the_command_says_what_is_proved_and_never_shows_the_seed(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "m")
    seed = (7).to_bytes(16, "big").hex()
    kept = fine(where, "fairness", "m")
    assert "the commitment holds" in kept.out and "not yet published" in kept.out and "match the seed: 3" in kept.out
    assert seed not in kept.out and seed not in fine(where, "fairness", "m", "--json").out
    file = tmp_path / "m.jsonl"
    file.write_text(fine(where, "export", "m", "--as", "judge", "--format", "jsonl").out, encoding="utf-8")
    assert "not provable yet" in fine(where, "fairness", file).out
    fine(where, "close", "m", "--abandon", "--reason", "over")
    closed = fine(where, "fairness", "m", "--json").data
    assert closed["fair"] is True and closed["chance"]["drawn"] == 3


def test_a_seed_that_was_changed_in_the_store_is_named_before_the_match_is_closed(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "m")
    assert fine(where, "audit", "m", "--json").data["findings"] == []
    with closing(sqlite3.connect(where)) as connection, connection:
        connection.execute("UPDATE secrets SET seed=?", (bytes(16),))
    found = inside(where, "audit", "m", "--json")
    assert [(one["entry"], one["kind"]) for one in found.data["findings"]] == [(1, "unfair")]
    broken = inside(where, "fairness", "m")
    assert broken.code == 1 and "does not hold" in broken.out
