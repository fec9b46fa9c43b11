"""Records of real cards under other rules: a verdict only if it holds for every possible unseen card."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from domain.judging.rejudging import Verdict, rejudge
from domain.judging.rejudging.causes import causes
from domain.judging.rejudging.skipping import reads
from domain.law.clause import BY_HAND
from domain.law.entries import Corrected, Entry, fold_entries, opened_of
from domain.law.rulesets import RulesetError, with_settings
from domain.law.unseen import hide_faces
from domain.table import facts as F
from domain.table.physics import physics_of
from domain.table.table import CardId
from recorder.match_loader import LoadedMatch, load_match
from recorder.store import Store
from tests.cli.runs import ROOT, fine, inside
from tests.laws.samples import readings, sample
from tests.recorder.test_recorder_certainty import blind, store, tell

__all__ = ["store"]
BP = GAMES["blackpoker"]
SHEET = ROOT / "fixtures" / "blackpoker" / "paper" / "kana.sheet"
ENTRIES = 60
WORLDS = 60


def dim(entries: Sequence[Entry], hidden: set[CardId]) -> list[Entry]:
    opened, pieces = opened_of(entries), fold_entries(entries[:1]).pieces
    laid_out = (fact for _, fact in hide_faces(physics_of(opened.schema), opened.told, opened.seats))
    made = [fact for fact in laid_out if isinstance(fact, F.Created)]
    unknown = {card for fact in made for card, face in zip(fact.cards, fact.faces, strict=True) if face is None}
    named = ((card, pieces[card].face) for card in sorted(unknown - hidden))
    told = tuple((BY_HAND, F.Learned(card, face)) for card, face in named if face is not None)
    return blind([opened, Corrected(by="judge", reason="seen", told=told), *entries[1:]], unknown)


def gist(verdict: Verdict, more: int = 0) -> tuple[str, int, str]:
    return verdict.kind, verdict.entry - (more if verdict.entry > 1 else 0), verdict.clause


def compare(key: str, seed: int) -> Counter[str]:
    game, one = GAMES[key], sample(key, seed)
    entries, said = one.entries[:ENTRIES], Counter[str]()
    cards = sorted(fold_entries(entries[:1]).pieces)
    for number in range(3):
        try:
            rules: Any = with_settings(game, one.rules, readings(game, Random(f"{seed} {number}")) if number else {})
        except RulesetError:
            continue
        seen = rejudge(game, entries, rules)
        for unseen in (1, 3, len(cards)):
            dark = rejudge(game, dim(entries, set(Random(f"{seed} {unseen}").sample(cards, unseen))), rules)
            if gist(dark, 1) == gist(seen):
                said["same"] += 1
            else:
                assert (dark.kind, dark.why) == ("undecided", "unseen"), (seed, number, unseen)
                said["unseen"] += 1
    return said


@pytest.mark.random
@pytest.mark.parametrize(("key", "seed"), [("blackpoker", 0), ("grimoire", 0), ("dea", 5), ("skillbook", 0)])
def test_a_verdict_is_the_one_with_open_eyes_or_says_that_it_is_none(
    key: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", WORLDS)
    monkeypatch.setattr("domain.judging.rejudging.card_knowledge.WORLDS_MAX", WORLDS)
    assert compare(key, seed).keys() == {"same", "unseen"}


@pytest.mark.nightly
@pytest.mark.parametrize("key", ["blackpoker", "grimoire", "dea", "skillbook"])
def test_the_same_over_more_matches(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", WORLDS)
    monkeypatch.setattr("domain.judging.rejudging.card_knowledge.WORLDS_MAX", WORLDS)
    said = sum((compare(key, seed) for seed in range(1, 12)), Counter[str]())
    assert said["same"] > 20 and said["unseen"] > 20


def load(held: Store, match: str = "m") -> LoadedMatch:
    now = load_match(held, match)
    assert isinstance(now, LoadedMatch)
    return now


def test_a_match_on_real_cards_is_identical_under_its_own_rules(store: Store) -> None:
    """The soldier was summoned by an unseen card; ten of its seventeen possible faces fit a soldier."""
    match = load(store)
    assert gist(rejudge(BP, match.entries, match.rules)) == ("identical", 0, "")
    assert reads(BP, match.entries).own
    (cause, *_) = causes(BP, match.entries, match.rules, with_settings(BP, match.rules, {"hand.limit": 3}))
    assert cause.key == "hand.limit", "the program decides as it did when the match was recorded"


@pytest.mark.parametrize(("face", "verdict"), [("S5", ("identical", 0, "")), ("HJ", ("illegal", 6, "BP-5.8"))])
def test_what_was_found_out_late_counts(store: Store, face: str, verdict: tuple[str, int, str]) -> None:
    tell(store, face)
    match = load(store)
    assert gist(rejudge(BP, match.entries, match.rules)) == verdict


def test_more_worlds_than_are_tried_are_no_verdict(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.law.worlds.WORLDS_MAX", 1)
    match = load(store)
    verdict = rejudge(BP, match.entries, match.rules)
    assert (verdict.kind, verdict.entry, verdict.why) == ("undecided", 6, "unseen")


def test_a_sheet_with_a_gap_is_rejudged_by_the_command(tmp_path: Path) -> None:
    where = tmp_path / "s.sqlite"
    fine(where, "paper", "take", SHEET)
    own = ("rejudge", "table-9", "--as", "judge", "--rules", "blackpoker@8.1-lite")
    assert "identical" in fine(where, *own).out and "missing (entries: 17)" in fine(where, *own).out
    assert "抜けているアクション" in fine(where, *own, "--lang", "ja").out
    other = inside(where, *own[:-2], "--set", "hand.limit=5")
    assert other.code == 1 and "undecided at entry 21" in other.out and "hand.limit" in other.out
    assert "the program decides differently" not in other.out
