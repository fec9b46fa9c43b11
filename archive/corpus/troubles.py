"""What can be wrong with a corpus."""

from typing import Literal

from domain.words import Text
from domain.words.foreign import system

Trouble = Literal["path", "foreign", "newer", "cut", "damaged", "mixed", "twice", "missing", "match", "busy"]


class CorpusError(Exception):
    """A corpus cannot be read or written; the text says which file, where and why. `trouble` says it in a word.

    `at` is the number of the match's row, for a file that is cut off its length; `match` the match's id, where it is
    one match's.
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


def damaged(name: str, part: Text, why: Text, at: int = 0, match: str = "") -> CorpusError:
    """A part of the file is not what its checksum says, or nothing that it could be."""
    return CorpusError("damaged", Text("corpus.damaged", {"file": name, "part": part, "why": why}), at, match)


def mixed(name: str, match: str, other: str, game: str) -> CorpusError:
    """A match of another game."""
    values = {"file": name, "match": match, "other": other, "game": game}
    return CorpusError("mixed", Text("corpus.mixed", values), match=match)


def wrong(name: str, match: str, at: int, why: Text) -> CorpusError:
    """A match that is none."""
    return CorpusError("match", Text("corpus.match", {"file": name, "match": match, "why": why}), at, match)


def twice(name: str, match: str) -> CorpusError:
    """A match whose id another one has."""
    return CorpusError("twice", Text("corpus.twice", {"file": name, "match": match}), match=match)
