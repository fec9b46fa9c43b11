"""Chance. The croupier draws from a secret seed by entry number: how exactly says `domain/law/draws.py`."""

from secrets import token_bytes

from domain.law.draws import SEED_BYTES, card_ids, commitment, draws

__all__ = ("SEED_BYTES", "card_ids", "commitment", "draws", "new_seed")


def new_seed() -> bytes:
    """A seed nobody can guess."""
    return token_bytes(SEED_BYTES)
