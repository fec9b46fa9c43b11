"""Errors of a corpus."""

from typing import Literal

from domain.words import Text
from domain.words.foreign import explain_system_error

Trouble = Literal["path", "foreign", "newer", "cut", "damaged", "mixed", "twice", "missing", "match", "busy"]


class CorpusError(Exception):
    """A corpus cannot be read or written; `text` names the file, position and reason, and `trouble` is a code. `at` is
    the number of the match's row, or the length of a truncated file. `match` is the id of an affected match."""

    def __init__(self, trouble: Trouble, text: Text, at: int = 0, match: str = "") -> None:
        super().__init__(text)
        self.trouble: Trouble = trouble
        self.text = text
        self.at = at
        self.match = match


def unreadable(name: str, error: Exception) -> CorpusError:
    return CorpusError("path", Text("corpus.unreadable", {"file": name, "why": explain_system_error(error)}))


def damaged(name: str, part: Text, why: Text, at: int = 0, match: str = "") -> CorpusError:
    """Return the error for a part with a wrong checksum or invalid content."""
    return CorpusError("damaged", Text("corpus.damaged", {"file": name, "part": part, "why": why}), at, match)


def mixed(name: str, match: str, other: str, game: str) -> CorpusError:
    values = {"file": name, "match": match, "other": other, "game": game}
    return CorpusError("mixed", Text("corpus.mixed", values), match=match)


def invalid_match(name: str, match: str, at: int, why: Text) -> CorpusError:
    return CorpusError("match", Text("corpus.match", {"file": name, "match": match, "why": why}), at, match)


def duplicate_match(name: str, match: str) -> CorpusError:
    return CorpusError("twice", Text("corpus.twice", {"file": name, "match": match}), match=match)
