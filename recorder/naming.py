"""Ids for matches that are given none: short enough to be read out at a table, of no signs that look or sound alike."""

from hashlib import sha256
from secrets import choice

from domain.law.game import Game
from recorder.commands import Command, find_command
from recorder.store import Store

SIGNS = "23456789bcdfghjkmnpqrstvwxyz"
"""No 0 and o, no 1, l and i, and no vowels, so that no code is a word."""
LENGTH = 6
"""So many signs have nearly half a thousand million codes: two stores seldom meet in one."""


def new_id(store: Store, game: Game) -> str:
    """The letters of the game's clauses and a code, such as `bp-7kq2mx`, with which no id in the store begins.

    Raises StoreError.
    """
    letters = _letters(game)
    while store.beginning(match := f"{letters}-{''.join(choice(SIGNS) for _ in range(LENGTH))}", 1):
        pass
    return match


def id_of(game: Game, command_id: str) -> str:
    """An id for the match that a command opens, always the same for it; longer, for nobody looks whether it is free."""
    digest = int.from_bytes(sha256(command_id.encode()).digest(), "big")
    code = "".join(SIGNS[digest // len(SIGNS) ** place % len(SIGNS)] for place in range(2 * LENGTH))
    return f"{_letters(game)}-{code}"


def opened_by(store: Store, game: Game, command: Command) -> str:
    """The id of the match that a command with a sender opens: of the one it opened before, else a free one.

    Raises StoreError.
    """
    ids = [id_of(game, name) for name in (command.given, command.shared, command.id)]
    before = next((match for match in ids if find_command(store, match, command) is not None), None)
    return before or (ids[1] if store.version(ids[1]) == 0 else ids[2])


def _letters(game: Game) -> str:
    """The letters of the game's clauses."""
    return next(iter(game.rulebook.clauses)).partition("-")[0].lower()
