"""Chance takes its part in a match: the croupier draws, the law says what follows."""

from secrets import token_bytes

from domain.law import croupier
from domain.law.clause import Refusal
from domain.law.driver import decide
from domain.law.entries import Played
from domain.law.law import Law
from domain.table.table import CHANCE, Table
from recorder import codec

SEED_END = 2 ** (8 * croupier.SEED_BYTES)
"""One more than the largest seed, as a number."""
IN_A_ROW_MAX = 1_000
"""Bound on the answers of chance between two actions; a match's longest run is a tenth of it."""


def new_secret(length: int) -> bytes:
    """So many bytes nobody can guess."""
    return token_bytes(length)


def new_seed() -> bytes:
    """A croupier's seed nobody can guess."""
    return new_secret(croupier.SEED_BYTES)


def answers(
    law: Law, table: Table, *, match: str, seed: bytes, version: int, at: int = 0
) -> tuple[tuple[Played, ...], Table]:
    """Everything chance is asked behind entry `version`, one entry each, and the table after it.

    What the law does not accept of chance (on a table set by hand) is left open for a judge.
    """
    entries: list[Played] = []
    while CHANCE in law.game.awaited(table) and len(entries) < IN_A_ROW_MAX:
        below = croupier.draws(match, seed, version + len(entries) + 1)
        action = law.chance(table, below)
        if action is None or isinstance(outcome := decide(law, table, CHANCE, action), Refusal):
            break
        entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=outcome.told, at=at))
        table = outcome.table
    return tuple(entries), table
