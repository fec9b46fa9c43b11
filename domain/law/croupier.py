"""The draws of chance: arithmetic on a secret seed and the number of an entry, which anyone can check afterwards.

The exact scheme, for other implementations. `TEXT` is UTF-8, and `sha256` is its digest of 32 bytes.

- seed: 16 random bytes; SEED is their 32 lower-case hexadecimal digits.
- commitment, published when the match is opened: `sha256("shinpan/commitment/SEED/MATCH")` in hexadecimal.
- words of entry NUMBER: `sha256("shinpan/draw/SEED/MATCH/NUMBER/0")`, then `.../1`, `.../2` and so on. Each digest is
  cut into four big-endian numbers of 64 bits, in order.
- a number below n: w modulo n, where w is the next word below the largest multiple of n that is at most 2**64. Other
  words are skipped. The draws for one entry continue through its words. The next entry starts again.
- card ids of a match with N cards (entry number 0): start with the list 1..N. For i from N-1 down to 1, swap the items
  at i and at j, a number below i+1. Decks take their ids from the front, seat by seat, in the order of the lists.

If seats have committed themselves, no party alone knows the order of the cards:

- secret of a seat: 16 random bytes; SECRET is their 32 lower-case hexadecimal digits.
- pledge of a seat, published when the match is opened: `sha256("shinpan/pledge/SECRET/MATCH/SEAT")` in hexadecimal.
  Match and seat are in it, so that no seat can submit another's pledge as its own.
- seed in force, once each of these seats has revealed its secret, or a judge has recorded that it did not: the first 16
  bytes of `sha256("shinpan/shuffle/SEED/MATCH/SEAT=PART/SEAT=PART")`, with a `/SEAT=PART` for each seat that pledged,
  in the order of the match's seats. PART is the seat's SECRET, or its pledge if the secret was not revealed.
- before that there are no draws. Every draw except that of card ids uses the seed in force as SEED. Card ids are drawn
  with the croupier's seed, because they exist before the reveals. They say nothing about the faces and decide nothing.

MATCH is the id in the match's first entry. The last entry publishes the croupier's seed when it closes the match. A
rewind takes a new entry number, so it never repeats a draw.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import Final

from domain.law.offers import RandomBelow, shuffle
from domain.table.table import CardId, Seat

SEED_BYTES: Final = 16
FOUR_WORDS: Final = Struct(">4Q")
WORDS: Final = 2**64
CARD_IDS: Final = 0
"""Entry number under which card ids are drawn, before the first entry."""


def commitment(match: str, seed: bytes) -> str:
    """Return the hash of the seed that is published before its use."""
    return sha256(f"shinpan/commitment/{seed.hex()}/{match}".encode()).hexdigest()


def commit_seat(match: str, seat: Seat, secret: bytes) -> str:
    """Return the hash of a seat's secret that the seat submits before the cards are laid out."""
    return sha256(f"shinpan/pledge/{secret.hex()}/{match}/{seat}".encode()).hexdigest()


def seed_in_force(match: str, seed: bytes, parts: Iterable[tuple[Seat, str]]) -> bytes:
    """Return the seed to which each pledged seat contributed its secret, or its pledge if it never revealed one."""
    shares = "".join(f"/{seat}={part}" for seat, part in parts)
    return sha256(f"shinpan/shuffle/{seed.hex()}/{match}{shares}".encode()).digest()[:SEED_BYTES]


def make_random_source(match: str, seed: bytes, number: int) -> RandomBelow:
    word = _words(f"shinpan/draw/{seed.hex()}/{match}/{number}/").__next__

    def below(n: int) -> int:
        if not 1 <= n <= WORDS:
            raise ValueError(f"chance cannot draw below {n}")
        value = word()
        if value > WORDS - n:  # only such a word can exceed the largest multiple of n
            limit = WORDS - WORDS % n
            while value >= limit:
                value = word()
        return value % n

    return below


def _words(head: str) -> Iterator[int]:
    """Yield 64-bit numbers without end, from the digests of `head` followed by a counter."""
    prefix_hash = sha256(head.encode())

    def digest_words(counter: int) -> tuple[int, ...]:
        block = prefix_hash.copy()
        block.update(b"%d" % counter)
        return FOUR_WORDS.unpack(block.digest())

    return chain.from_iterable(map(digest_words, count()))


def card_ids(match: str, seed: bytes, count: int) -> tuple[CardId, ...]:
    """Return the ids of a new match's cards. They are shuffled, so that they reveal nothing about the faces."""
    return shuffle(map(CardId, range(1, count + 1)), make_random_source(match, seed, CARD_IDS))
