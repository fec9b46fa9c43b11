"""BlackPoker positions. Defaults: turn 5 of p1, who has the chance, and twelve life cards each."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.blackpoker import GAME
from domain.law.clause import Clause
from domain.law.driver import decide, set_up
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.law.rulesets import make_ruleset
from domain.table.table import CHANCE, CardId, Seat, Table
from tests.scenario import Scenario, scenario

SEED, PUBLISHED = "8.1-lite-seed", "8.1-lite"
FULL, ENTRY = "full54", "entry20"
LIVES = {"p1.life": ("x12",), "p2.life": ("x12",)}
ATTACK = ("p1: attack", "pp", "p1: designate_attackers a", "pp")
"""Designate the attacker labelled `a` and pass for Block, so that the defender is asked."""

P1, P2 = Seat("p1"), Seat("p2")


def position(places: Mapping[str, Sequence[str]] | None = None, *, regulation: str = FULL, **more: Any) -> Scenario:
    """Return a position. Keyword arguments are those of `scenario` and of a casebook's `given`."""
    clock: dict[str, Any] = {"turn": 5, "active": "p1", "first": "p1", "phase": "play", "awaited": ["p1"]}
    version = more.pop("version", SEED)
    laid = {**LIVES, **(places or {})}
    return scenario(GAME, laid, version=version, regulation=regulation, **{**clock, **more})


def deck_refused(faces: Sequence[str], regulation: str) -> Clause | None:
    rules = make_ruleset(GAME, SEED, regulation)
    decks = {P1: GAME.deck(rules, P1), P2: Deck(tuple(faces))}
    cards = {P1: tuple(map(CardId, range(1, 100))), P2: tuple(map(CardId, range(101, 200)))}
    _, refused = set_up(Law(GAME, rules), decks, {seat: cards[seat][: len(decks[seat].faces)] for seat in decks})
    if refused is None:
        return None
    seat, refusal = refused
    assert seat == P2
    return refusal.clause


def laid_out(
    tops: Mapping[Seat, str], regulation: str = ENTRY, **options: Any
) -> tuple[Table, list[tuple[Clause, Any]]]:
    """Return the table and all facts of a set-up whose shuffled decks have these top cards."""
    law = Law(GAME, make_ruleset(GAME, SEED, regulation, options))
    decks = law.decks()
    cards = {P1: tuple(map(CardId, range(1, 100))), P2: tuple(map(CardId, range(101, 200)))}
    accepted, _ = set_up(law, decks, {seat: cards[seat][: len(decks[seat].faces)] for seat in decks})
    assert accepted is not None
    told, table = list(accepted.told), accepted.table
    while table.asked and table.asked[0].by == CHANCE:
        action: Any = law.chance(table, lambda below: 0)
        if hasattr(action, "order"):
            wanted = tops[action.player].split()
            rest = list(action.order)
            top = []
            for face in wanted:
                top.append(next(card for card in rest if table.pieces[card].face == face))
                rest.remove(top[-1])
            action = type(action)(action.player, (*top, *rest))
        outcome = decide(law, table, CHANCE, action)
        assert isinstance(outcome, Accepted)
        told += outcome.told
        table = outcome.table
    return table, told


def faces(table: Table, place: str) -> list[str | None]:
    return [table.pieces[card].face for card in table.places.get(place, ())]  # type: ignore[call-overload]
