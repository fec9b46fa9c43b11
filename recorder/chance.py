"""Chance as an actor: the croupier draws and the law decides the outcome."""

from secrets import token_bytes

from domain.law import croupier
from domain.law.clause import Refusal
from domain.law.driver import decide
from domain.law.entries import Played
from domain.law.law import Law
from domain.table.table import CHANCE, Table
from recorder import codec

SEED_END = 2 ** (8 * croupier.SEED_BYTES)
ANSWERS_MAX = 1_000
"""Limit on consecutive answers of chance; the longest run in a match is a tenth of it."""


def new_secret(length: int) -> bytes:
    """Return cryptographically random bytes."""
    return token_bytes(length)


def new_seed() -> bytes:
    return new_secret(croupier.SEED_BYTES)


def answers(
    law: Law, table: Table, *, match: str, seed: bytes, version: int, at: int = 0
) -> tuple[tuple[Played, ...], Table]:
    """Return the answers of chance that are due after entry `version`, one entry each, and the final table. An answer
    that the law refuses, on a table set by hand, is left to a judge."""
    entries: list[Played] = []
    while CHANCE in law.game.awaited(table) and len(entries) < ANSWERS_MAX:
        below = croupier.make_random_source(match, seed, version + len(entries) + 1)
        action = law.chance(table, below)
        if action is None or isinstance(outcome := decide(law, table, CHANCE, action), Refusal):
            break
        entries.append(Played(actor=CHANCE, action=codec.raw_action(action), told=outcome.told, at=at))
        table = outcome.table
    return tuple(entries), table
