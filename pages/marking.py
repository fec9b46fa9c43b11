"""Two sentences held against each other, so that a page can mark what was taken out and what was put in."""

import re

from msgspec import Struct

from domain.words import Lang

_WORDS = re.compile(r"\w+|\W")


class Marked(Struct, frozen=True):
    """What both begin with, what only one of them has, and what both end with."""

    begin: str
    was: str
    now: str
    end: str


def mark(was: str, now: str, lang: Lang) -> Marked:
    """Whole words are marked in English, single characters in Japanese, which has no spaces between words."""
    before, after = ([*text] if lang == "ja" else _WORDS.findall(text) for text in (was, now))
    begin = _alike(before, after)
    end = _alike(before[begin:][::-1], after[begin:][::-1])
    cut, added = ("".join(words[begin : len(words) - end]) for words in (before, after))
    return Marked("".join(before[:begin]), cut, added, "".join(before[len(before) - end :]))


def _alike(some: list[str], others: list[str]) -> int:
    """How many words both begin with."""
    return next(
        (at for at, (left, right) in enumerate(zip(some, others, strict=False)) if left != right),
        min(len(some), len(others)),
    )
