"""The draws of chance: pure arithmetic on a secret seed and an entry's number, so that anybody can check every one.

The scheme, exactly, so that another program can follow it (`TEXT` is UTF-8, `sha256` its digest of 32 bytes):

- seed: 16 random bytes; SEED is their 32 lower-case hexadecimal digits.
- commitment, published when the match is opened: `sha256("shinpan/commitment/SEED/MATCH")` in hexadecimal.
- words of entry NUMBER: `sha256("shinpan/draw/SEED/MATCH/NUMBER/0")`, then `.../1`, `.../2` and so on; each digest is
  cut into four big-endian numbers of 64 bits, in order.
- a number below n: the next word w below the largest multiple of n that is at most 2**64, taken modulo n; words that
  are not below it are skipped. The draws for one entry go on through its words, and start anew at the next entry.
- card ids of a match with N cards (entry number 0): the list 1..N; for i from N-1 down to 1 the entries at i and at
  j = (a number below i+1) change places. Decks take their ids from the front, seat by seat, in the order of the lists.

MATCH is the match's id as its first entry has it. The seed stands in the last entry once the match is closed.
A rewind takes a new entry number, so that it never repeats a draw.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import Final

from domain.law.offers import Below, shuffle
from domain.table.table import CardId

SEED_BYTES: Final = 16
FOUR_WORDS: Final = Struct(">4Q")
WORDS: Final = 2**64
CARD_IDS: Final = 0
"""The entry number under which card ids are drawn: before the first entry."""


def commitment(match: str, seed: bytes) -> str:
    """What is published of the seed before it is used."""
    return sha256(f"shinpan/commitment/{seed.hex()}/{match}".encode()).hexdigest()


def draws(match: str, seed: bytes, number: int) -> Below:
    """The source of chance for one entry."""
    word = _words(f"shinpan/draw/{seed.hex()}/{match}/{number}/").__next__

    def below(n: int) -> int:
        if not 1 <= n <= WORDS:
            raise ValueError(f"chance cannot draw below {n}")
        drawn = word()
        if drawn > WORDS - n:  # only there can it lie beyond the largest multiple of n
            limit = WORDS - WORDS % n
            while drawn >= limit:
                drawn = word()
        return drawn % n

    return below


def _words(head: str) -> Iterator[int]:
    begun = sha256(head.encode())

    def four(counter: int) -> tuple[int, ...]:
        block = begun.copy()
        block.update(b"%d" % counter)
        return FOUR_WORDS.unpack(block.digest())

    return chain.from_iterable(map(four, count()))


def card_ids(match: str, seed: bytes, count: int) -> tuple[CardId, ...]:
    """The ids of a new match's cards: they tell nothing about the faces."""
    return shuffle(map(CardId, range(1, count + 1)), draws(match, seed, CARD_IDS))
