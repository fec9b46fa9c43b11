"""Recorded matches of the fixtures, and helpers of the rejudging tests."""

from functools import cache
from pathlib import Path
from typing import Any

from archive.corpus.sources import Source, UnreadableMatch, load, sources
from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.law import Law
from domain.law.rulesets import with_settings
from recorder.match_loader import law_of
from recorder.simulate import simulate

ROOT = Path(__file__).parents[2]
FOLDERS = tuple(str(ROOT / "fixtures" / key / "matches") for key in ("blackpoker", "grimoire"))
MATCHES = FOLDERS[0]
SMALL = str(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus")
CHANGE = {"judge.compare": "printed"}
"""A change that produces every class of difference in the small corpus."""
WRONG = frozenset(("disputed.spn",))
"""Deliberately wrong records, which differ under their own rules."""


@cache
def load_records(*paths: str) -> tuple[tuple[Source, tuple[Entry, ...]], ...]:
    found = []
    for source in sources(paths):
        match = load(source)
        assert not isinstance(match, UnreadableMatch), match
        found.append((source, tuple(match.entries)))
    return tuple(found)


def law(entries: tuple[Entry, ...]) -> tuple[Game, Any]:
    own = law_of(entries[0])
    assert isinstance(own, Law)
    return own.game, own.rules


@cache
def play_random(seed: int, **settings: Any) -> tuple[Game, Any, tuple[Entry, ...]]:
    """Play a random match with options set; `__` in a key stands for a dot."""
    game = GAMES["blackpoker"]
    changed = {key.replace("__", "."): value for key, value in settings.items()}
    rules = with_settings(game, game.versions["8.1-lite"], changed)
    return game, rules, tuple(simulate(Law(game, rules), seed))
