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

Where seats have pledged themselves, nobody knows alone how cards will lie:

- secret of a seat: 16 random bytes; SECRET is their 32 lower-case hexadecimal digits.
- pledge of a seat, published when the match is opened: `sha256("shinpan/pledge/SECRET/MATCH/SEAT")` in hexadecimal.
  Match and seat are in it, so that nobody hands in another's for their own.
- seed in force, once each of these seats has revealed its secret, or a judge has recorded that it did not: the first 16
  bytes of `sha256("shinpan/shuffle/SEED/MATCH/SEAT=PART/SEAT=PART")`, with a `/SEAT=PART` for each seat that pledged,
  in the order of the match's seats. PART is its SECRET; where none was revealed, its pledge.
- before that nothing is drawn. Every draw, but for card ids, is made as above with the seed in force for SEED. Card ids
  stay the croupier's own: they are there before the reveals, tell nothing about the faces, and decide nothing.

MATCH is the match's id as its first entry has it. The croupier's seed stands in the last entry once that closes it.
A rewind takes a new entry number, so that it never repeats a draw.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import Final

from domain.law.offers import Below, shuffle
from domain.table.table import CardId, Seat

SEED_BYTES: Final = 16
FOUR_WORDS: Final = Struct(">4Q")
WORDS: Final = 2**64
CARD_IDS: Final = 0
"""The entry number under which card ids are drawn: before the first entry."""


def commitment(match: str, seed: bytes) -> str:
    """What is published of the seed before it is used."""
    return sha256(f"shinpan/commitment/{seed.hex()}/{match}".encode()).hexdigest()


def pledge(match: str, seat: Seat, secret: bytes) -> str:
    """What a seat hands in of its secret before the cards are laid out."""
    return sha256(f"shinpan/pledge/{secret.hex()}/{match}/{seat}".encode()).hexdigest()


def seed_in_force(match: str, seed: bytes, parts: Iterable[tuple[Seat, str]]) -> bytes:
    """The seed that everybody had a part in: the croupier's, and of each seat its secret, or else its pledge."""
    shares = "".join(f"/{seat}={part}" for seat, part in parts)
    return sha256(f"shinpan/shuffle/{seed.hex()}/{match}{shares}".encode()).digest()[:SEED_BYTES]


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
    """Numbers of 64 bits without end: the digests of a text with a counter behind it, each cut into four."""
    begun = sha256(head.encode())

    def four(counter: int) -> tuple[int, ...]:
        block = begun.copy()
        block.update(b"%d" % counter)
        return FOUR_WORDS.unpack(block.digest())

    return chain.from_iterable(map(four, count()))


def card_ids(match: str, seed: bytes, count: int) -> tuple[CardId, ...]:
    """The ids of a new match's cards: they tell nothing about the faces."""
    return shuffle(map(CardId, range(1, count + 1)), draws(match, seed, CARD_IDS))
