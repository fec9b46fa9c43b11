"""Generate match ids that are short enough to read out, without characters that look or sound alike."""

from collections.abc import Container, Sequence
from hashlib import sha256
from secrets import choice

from domain.law.game import Game
from recorder.commands import Command, find_command
from recorder.store import Store

SIGNS = "23456789bcdfghjkmnpqrstvwxyz"
"""No 0 and o, no 1, l and i, and no vowels, so that no code is a word."""
LENGTH = 6
"""Characters of a code: nearly half a billion codes, so ids of two stores rarely collide."""


def new_id(store: Store, game: Game) -> str:
    """Return an id such as `bp-7kq2mx`, from the game's clause prefix and a random code. No id in the store begins with
    it. Raises StoreError."""
    letters = _letters(game)
    while store.list_ids_with_prefix(match := f"{letters}-{''.join(choice(SIGNS) for _ in range(LENGTH))}", 1):
        pass
    return match


def id_of(game: Game, command_id: str) -> str:
    """Return the id of the match that a command opens. It is deterministic, and longer because it is not checked."""
    return ids_of(game, command_id)[-1]


def ids_of(game: Game, command_id: str) -> tuple[str, ...]:
    """Return the possible ids for the match of a command, shortest first; earlier versions gave the last. They depend
    on the command alone. A longer one avoids a collision."""
    digest = int.from_bytes(sha256(command_id.encode()).digest(), "big")
    code = "".join(SIGNS[digest // len(SIGNS) ** place % len(SIGNS)] for place in range(2 * LENGTH))
    return tuple(f"{_letters(game)}-{code[:length]}" for length in range(LENGTH, len(code) + 1))


def first_free(store: Store, ids: Sequence[str], taken: Container[str] = ()) -> str:
    """Return the first id that is neither in the store nor in `taken`, or the last id. Raises StoreError."""
    return next((match for match in ids if match not in taken and store.version(match) == 0), ids[-1])


def opened_by(store: Store, game: Game, command: Command) -> str:
    """Return the id of the match that a command with a sender opens or has opened. Raises StoreError."""
    by_sent_id, by_shared_prefix, by_command_id = (
        ids_of(game, name) for name in (command.given, command.shared, command.id)
    )
    known = (*reversed(by_sent_id), *reversed(by_shared_prefix), *reversed(by_command_id))
    before = next((match for match in known if find_command(store, match, command) is not None), None)
    return before or (
        by_shared_prefix[0] if store.version(by_shared_prefix[0]) == 0 else first_free(store, by_command_id)
    )


def _letters(game: Game) -> str:
    return next(iter(game.rulebook.clauses)).partition("-")[0].lower()
