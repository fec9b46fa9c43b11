"""State checks of Skillbook: a round that is left out would find nothing."""

import pytest

from domain.games.skillbook import GAME, clauses as C, resolution, schema as S
from domain.games.skillbook.state import check_round, is_round_due
from domain.judging.audit import audit
from domain.law.lane import LAW_BUILD
from domain.law.live import LiveTable
from domain.parts.places import obj
from domain.table.facts import AnyFact, Arranged, Began, Clocked, Ended, Marked
from domain.table.table import CardId, Effect, EffectId, Place, Seat
from tests.rows import for_each
from tests.rules.skillbook.matches import match
from tests.rules.skillbook.position import card, position

RULES = GAME.versions["1"]
SEEDS = 16


@pytest.mark.random
@pytest.mark.skipif(LAW_BUILD == "compiled", reason="compiled functions call each other without a module lookup")
@for_each("seed", range(SEEDS))
def test_round_left_out_would_find_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = [0]

    def compare_with_full_round(t: LiveTable) -> bool:
        is_due = is_round_due(t)
        if not is_due:
            left_out[0] += 1
            assert not check_round(sample.rules, LiveTable(t.freeze())), "the full round finds something"
        return is_due

    sample = match(seed)
    with monkeypatch.context() as patch:
        patch.setattr(resolution, "is_round_due", compare_with_full_round)
        assert not audit(GAME, sample.entries).findings
    assert left_out[0] > len(sample.entries)


def finds(t: LiveTable) -> bool:
    return is_round_due(t) and check_round(RULES, t)


def change_df(t: LiveTable, unit: CardId, n: int) -> Began:
    target = obj(t, unit)
    effect = Effect(id=EffectId(1), kind=S.MOD, by=Seat("p1"), source=target, on=(target,), numbers=(n,), words=("df",))
    return Began(effect)


def test_round_follows_changes_that_no_card_shows() -> None:
    board = position({"2,2": "unit = S13 owner=p1"})  # DF 3
    t, unit = LiveTable(board.scene.table), card(board, "unit")

    def is_changed_by(*facts: AnyFact) -> bool:
        for fact in facts:
            t.emit(C.STACK, fact)
        return finds(t)

    assert not is_changed_by()
    assert not is_changed_by(change_df(t, unit, 1), Marked((unit,), S.DAMAGE, 3))
    assert is_changed_by(Ended((EffectId(1),))), "a damaged unit lost the effect that saved it"


def test_round_follows_effects_on_undamaged_units() -> None:
    board = position({"2,2": "unit = S13 owner=p1"})
    t = LiveTable(board.scene.table)
    assert not finds(t)
    t.emit(C.STACK, change_df(t, card(board, "unit"), -3))
    assert finds(t)


def test_round_follows_a_place_that_lost_its_cards() -> None:
    t = LiveTable(position().scene.table)
    assert not finds(t)
    t.emit(C.STACK, Arranged(Place("p1.book"), (), shuffled=False))
    assert finds(t)


def test_round_follows_the_end_of_the_set_up() -> None:
    t = LiveTable(position(phase=S.SET_UP, step=S.HEROES, places={"p1.book": []}).scene.table)
    clock = t.clock
    assert not finds(t)
    t.emit(C.STACK, Clocked(type(clock)(clock.turn, clock.active, clock.first, S.SET_UP, S.OPENING)))
    assert finds(t)
