"""What can be wrong with a corpus."""

from typing import Literal

from domain.words import Text
from domain.words.foreign import system

Trouble = Literal["path", "foreign", "newer", "cut", "damaged", "mixed", "twice", "missing", "match", "busy"]


class CorpusError(Exception):
    """A corpus cannot be read or written; the text says which file, where and why. `trouble` says it in a word.

    `at` is the byte at which something is wrong, where there is one; `match` the match, where it is one match's.
    """

    def __init__(self, trouble: Trouble, text: Text, at: int = 0, match: str = "") -> None:
        super().__init__(text)
        self.trouble: Trouble = trouble
        self.text = text
        self.at = at
        self.match = match


def unreadable(name: str, error: Exception) -> CorpusError:
    """What the system says against reading the file."""
    return CorpusError("path", Text("corpus.unreadable", {"file": name, "why": system(error)}))


def cut(name: str, size: int, matches: int = 0) -> CorpusError:
    """The file ends too early; so many whole matches stand in it."""
    return CorpusError("cut", Text("corpus.cut", {"file": name, "size": size, "matches": matches}), size)


def damaged(name: str, at: int, part: Text, match: str = "") -> CorpusError:
    """A part of the file is not what its checksum says."""
    return CorpusError("damaged", Text("corpus.damaged", {"file": name, "at": at, "part": part}), at, match)


def mixed(name: str, match: str, other: str, game: str) -> CorpusError:
    """A match of another game."""
    found = {"file": name, "match": match, "other": other, "game": game}
    return CorpusError("mixed", Text("corpus.mixed", found), match=match)


def wrong(name: str, match: str, at: int, why: Text) -> CorpusError:
    """A match that is none."""
    text = Text("corpus.match", {"file": name, "match": match, "why": why})
    return CorpusError("match", text, at, match)


def misfit(name: str, at: int, why: Text, match: str = "") -> CorpusError:
    """A section with the right checksum that does not hold what it should."""
    return CorpusError("damaged", Text("corpus.at", {"file": name, "at": at, "why": why}), at, match)


def twice(name: str, match: str) -> CorpusError:
    """A match whose id another one has."""
    return CorpusError("twice", Text("corpus.twice", {"file": name, "match": match}), match=match)
