"""Endless play is stopped: effect chains by a limit, action chains by the loop guard and a judge."""

from pathlib import Path

import pytest

from domain.games.grimoire import GAME, actions as A
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import ACTIONS, HELD, MAIN
from domain.games.grimoire.table_queries import character, hand
from domain.law.actions import Concede, Pass
from domain.law.clause import Refusal
from domain.law.driver import decide
from domain.law.entries import entry_facts, fold_entries
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.outcome import Accepted, EndlessError
from domain.table.facts import Marked
from domain.table.table import JUDGE, Seat, Table
from recorder.simulate import simulate
from recorder.store import Store
from tests.breaking import first_broken
from tests.cli.runs import contents, fine, inside
from tests.laws.soundness import faultless, require_replay
from tests.rotation import rotate
from tests.rows import for_each
from tests.rules.grimoire.errata import lay_over_every_pool
from tests.rules.grimoire.matches import held_match

MADE_UP = """
[[cards]]
id = "C90"
en = "Ouroboros"
ja = "尾を噛む蛇"
type = "character"
user = "Nobody"
power = 1
toughness = 9
abilities = [{ kind = "triggered", event = "trance", do = [{ do = "trance", what = "that" }] }]

[[cards]]
id = "C91"
en = "The Fidget"
ja = "手遊び"
type = "character"
user = "Nobody"
power = 1
toughness = 9
abilities = [{ kind = "activated", costs = [], do = [{ do = "heal", of = "self" }] }]
"""
SPELLS = tuple(
    face for face in ("S01", "S02", "S15", "S27", "S29", "S31", "S32", "S46", "S62", "S63") for _ in range(4)
)


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    lay_over_every_pool(monkeypatch, MADE_UP)


def first_choice(rules: Rules, face: str) -> Table:
    decks = {seat: Deck((face, *SPELLS)) for seat in GAME.seats(rules)}
    for many in range(2, 30):
        table = fold_entries(simulate(Law(GAME, rules), 5, many, decks=decks))
        if table.clock.awaited:
            return table
    raise AssertionError("the match did not begin")


def active(table: Table) -> Seat:
    assert table.clock.active is not None
    return table.clock.active


def after(rules: Rules, table: Table, actor: Seat, action: object) -> Table:
    outcome = decide(Law(GAME, rules), table, actor, action)  # type: ignore[arg-type]
    assert isinstance(outcome, Accepted), outcome
    return outcome.table


@for_each("order", ["sba_between", "effects_first"])
def test_a_chain_of_effects_without_end_is_stopped_by_name(order: str) -> None:
    rules = Rules(check_order=order)  # type: ignore[arg-type]
    table = first_choice(rules, "C90")
    seat = active(table)
    with pytest.raises(EndlessError, match=r"\d"):
        decide(Law(GAME, rules), table, seat, A.TranceHand(hand(table, seat)[0]))
    assert after(rules, table, seat, A.TranceSkip()).clock.phase == MAIN, "what does not set it off goes on"


def test_nothing_of_it_is_recorded_and_the_message_is_plain(tmp_path: Path) -> None:
    store, deck = tmp_path / "a.sqlite", tmp_path / "snake.toml"
    deck.write_text(f"main = {['C90', *SPELLS]!r}".replace("'", '"'), encoding="utf-8")
    fine(store, "new", "grimoire@1", "--deck", f"p1={deck}", "--deck", f"p2={deck}", "--match", "x")
    with Store.open(store, read_only=True) as opened:
        table = fold_entries(opened.read("x"))
    seat = active(table)
    face = table.pieces[hand(table, seat)[0]].face
    before = contents(store)
    for lang, words in (("en", "nothing was recorded"), ("ja", "何も記録していません")):
        ran = inside(store, "do", "x", f"{seat}: trance_hand {face}", "--lang", lang)
        assert ran.code not in (0, 2) and ran.out == "" and "Endless" in ran.message and words in ran.message
    assert contents(store) == before
    fine(store, "do", "x", f"{seat}: trance_skip")
    assert contents(store) != before


def test_a_chain_of_actions_without_end_is_held_for_a_judge() -> None:
    rules = Rules(loop_guard=12)
    table = first_choice(rules, "C91")
    seat = active(table)
    table = after(rules, table, seat, A.TranceSkip())
    again = A.Activate(character(table, seat) or 0, 0)  # type: ignore[arg-type]
    for _ in range(2):
        taken = table.marks.get(ACTIONS, 0)
        for _ in range(rules.loop_guard + 1 - taken):
            assert not table.marks.get(HELD)
            table = after(rules, table, seat, again)
        assert table.marks[HELD] and GAME.awaited(table) == ()
        for actor, action in ((seat, again), (seat, Pass()), (seat, Concede()), (Seat("p2"), Concede())):
            refused = decide(Law(GAME, rules), table, actor, action)
            assert isinstance(refused, Refusal) and refused.clause == "GR-19.8"
            assert list(GAME.offers(rules, table, actor)) == []
        assert isinstance(decide(Law(GAME, rules), table, seat, A.JudgeRelease()), Refusal), "players release nothing"
        table = after(rules, table, JUDGE, A.JudgeRelease())
        assert not table.marks.get(HELD) and table.marks.get(ACTIONS, 0) == 0
    assert GAME.awaited(table) == (seat,)


@pytest.mark.random
@for_each("seed", rotate(range(8), 2))
def test_a_match_that_is_held_again_and_again_is_sound(seed: int) -> None:
    """A judge releases it each time, and play continues unchanged, even within questions."""
    one = held_match(seed)
    held = [fact for entry in one.entries for _, fact in entry_facts(entry) if fact == Marked(None, HELD, 1)]
    assert held, "it was never held"
    require_replay(one)
    faultless(one.game, one.entries)
    assert first_broken(one.law, one.entries) is None
