"""A simulated scorekeeper who answers one request in ten and presses the keys that `play` offers."""

import re
from collections.abc import Sequence
from random import Random

from cli.play.keys import ENTER
from tests.cli.typist import AVOIDED, OFFERED, prompt

NOBODY = ","
ANSWERED = 0.1
PASS = ("pass", "パス")
WAITS = re.compile("stack:|スタック：|passed:|パス：")
STATE = re.compile(r"^\[\d+\] ", re.M)
VERBS = re.compile(r"^p\d: ")


class Scorekeeper:
    """A scorekeeper who draws each decision from a seed, so a match always takes the same keys."""

    def __init__(self, seed: int, *, by_one_key: bool = True) -> None:
        """Set up the scorekeeper; without `by_one_key` each pass is typed separately."""
        self._random, self._by_one_key = Random(seed), by_one_key
        self._silent = self._answered = False
        self.keys = 0

    def press(self, shown: str) -> str:
        keys = self._press(shown)
        self.keys += len(keys)
        return keys

    def _press(self, shown: str) -> str:
        last = prompt(shown)
        offered = [(key, label.strip()) for key, label in OFFERED.findall(last)]
        if not VERBS.match(last):
            key = self._random.choice([key for key, label in offered if not label.startswith("+")])
            return ENTER if key == "Enter" else key
        state = shown[[*STATE.finditer(shown)][-1].start() :]
        verbs, passing = _verbs(offered)
        if WAITS.search(state):
            answered, self._answered = self._answered, False
            if not (answered and verbs):
                return ENTER if self._by_one_key else passing
        elif self._by_one_key and not self._silent:
            self._silent = True
            return NOBODY
        else:
            self._answered = self._random.random() < ANSWERED
        key = self._random.choice([*verbs] or [passing])
        if self._answered and self._by_one_key:
            return key.upper()
        return self._random.choice(verbs.get(key) or [key])


def _verbs(offered: Sequence[tuple[str, str]]) -> tuple[dict[str, list[str]], str]:
    verbs: dict[str, list[str]] = {}
    passing = ""
    for key, label in offered:
        if label in PASS:
            passing = key
        elif key.isdigit() and verbs:
            verbs[[*verbs][-1]].append(key)
        elif key != "Enter" and label not in AVOIDED:
            verbs[key] = []
    return verbs, passing
