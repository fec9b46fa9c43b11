"""What has been typed, as words; and candidates as each shell takes them."""

from collections.abc import Iterable
from typing import NamedTuple

BREAKS = " \t\n"
HOST = "@"
"""A break of bash at which the word that it replaces begins, where behind others it begins."""
ESCAPED_WITHIN = '"\\$`'
"""What a backslash escapes inside double quotes."""
SPECIAL = frozenset(" \t\n\\'\"`$&|;<>()[]{}*?!#~=%^")
"""What bash reads otherwise than as itself; `=` and `~` do no harm escaped."""


class Typed(NamedTuple):
    """The words before the cursor, the last one that which is being typed; and the quote it stands in, if any."""

    words: list[str]
    quote: str = ""


def split(line: str) -> Typed:
    """The words of a line as bash reads them; a quote may still be open."""
    words, word, quote, begun = list[str](), "", "", False
    letters = iter(line)
    for letter in letters:
        if quote == "'":
            quote, word = ("", word) if letter == quote else (quote, word + letter)
        elif letter == "\\":
            following = next(letters, "")
            word += following if not quote or following in ESCAPED_WITHIN else letter + following
            begun = True
        elif quote:
            quote, word = ("", word) if letter == quote else (quote, word + letter)
        elif letter in "'\"":
            quote, begun = letter, True
        elif letter in BREAKS:
            if begun:
                words.append(word)
            word, begun = "", False
        else:
            word, begun = word + letter, True
    return Typed([*words, word], quote)


def unquoted(token: str) -> Typed:
    """The word that fish is asked to complete, which it hands over as it was typed."""
    return Typed(split(token).words[-1:], split(token).quote)


def for_bash(values: Iterable[str], typed: Typed, breaks: str) -> list[str]:
    """Candidates for what bash replaces: it keeps the word up to the last of its breaks, unless that is quoted."""
    word = typed.words[-1]
    if typed.quote:
        return [value for value in values if typed.quote not in value]
    kept = max((word.rfind(letter) + (letter != HOST) for letter in breaks if letter not in BREAKS), default=0)
    return [_escaped(value[kept:]) for value in values]


def _escaped(value: str) -> str:
    return "".join(f"\\{letter}" if letter in SPECIAL - set("=") else letter for letter in value)
