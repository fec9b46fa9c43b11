"""Chance takes its part in a match: the croupier draws, the law says what follows."""

from typing import Any

from domain.law.clause import Refusal
from domain.law.driver import decide
from domain.law.entries import Played
from domain.law.game import Game
from domain.table.table import CHANCE, Table
from recorder import codec, croupier

IN_A_ROW_MAX = 1_000
"""Bound on the answers of chance between two actions; a match's longest run is a tenth of it."""


def answers(
    game: Game, rules: Any, table: Table, *, match: str, seed: bytes, version: int, at: int = 0
) -> tuple[tuple[Played, ...], Table]:
    """Everything chance is asked behind entry `version`, one entry each, and the table after it.

    What the law does not accept of chance (on a table set by hand) is left open for a judge.
    """
    entries: list[Played] = []
    while CHANCE in game.awaited(table) and len(entries) < IN_A_ROW_MAX:
        below = croupier.draws(match, seed, version + len(entries) + 1)
        action = game.chance(rules, table, below)
        outcome = None if action is None else decide(game, rules, table, CHANCE, action)
        if outcome is None or isinstance(outcome, Refusal):
            break
        entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=outcome.told, at=at))
        table = outcome.table
    return tuple(entries), table
