"""Small corpora for the tests: short beginnings of matches, so that every byte of a file can be tried."""

from functools import cache
from pathlib import Path

from corpus.writing import append, pack
from domain.games import GAMES
from domain.law.entries import Entry
from recorder.simulate import simulate
from tests.toy import TOY

FIRST, SECOND = ("t1", "t2"), ("t3",)
"""The matches of the first save, and those appended."""


@cache
def toy(match: str, entries: int = 6) -> tuple[Entry, ...]:
    """The beginning of a random match of a game small enough for this."""
    return tuple(simulate(TOY, TOY.versions["1"], int(match[1:]), match=match)[:entries])


@cache
def real(key: str, seed: int) -> tuple[Entry, ...]:
    """A whole random match of a game."""
    game = GAMES[key]
    return tuple(simulate(game, game.latest, seed))


def saved(folder: Path) -> tuple[Path, int]:
    """A corpus in two saves, and where the first one ends."""
    path = folder / "toy.corpus"
    pack(path, [(one, toy(one)) for one in FIRST])
    first = path.stat().st_size
    append(path, [(one, toy(one)) for one in SECOND])
    return path, first
