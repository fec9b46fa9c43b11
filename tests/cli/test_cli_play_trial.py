"""The trial of a scorekeeper, pressed key by key in a real terminal: whole matches, three mends, every key counted.

What the same things took before is known from the trial behind issue 11; `-rP` shows the counts of today.
"""

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from domain.law.entries import Corrected, Played, Rewound
from domain.law.slots import verb
from tests.cli.runs import PROGRAM, environment, fine, inside
from tests.cli.scorekeeper import Scorekeeper
from tests.cli.test_cli_play import stored
from tests.cli.test_cli_play_terminal import Window
from tests.cli.windows import PATIENCE

PROMPT = r" > $"
OVER = ("the match is over", "対戦は終わりました")
MATCHES = {
    "BlackPoker, English": (("blackpoker@8.1-lite",), 5, "en", 1.5),
    "BlackPoker, Japanese": (("blackpoker@8.1-lite",), 9, "ja", 1.5),
    "Grimoire, three players": (("grimoire@1", "--set", "player_count=3"), 5, "en", 1.8),
}
"""What is played from which seed in which language, and how many keys an action may take that is no pass, with those
for passes. 4.5 before."""

MENDS = {
    "a wrong card two actions ago": ("s1/\n/m1/\n/e/\n", "-/3/r/2", 5, 15),
    "an illegal action three actions later": ("a/\n/1/\n/\n/\n/1/e/\n", "-/4/r/u/5/7/\n/\n", 8, 30),
    "a forgotten charge": ("s1/\n/e/\n/\n/1/e/\n/1/\n/1", "!/m/5/\n", 8, 38),
}
"""What has been recorded, the keys of its mend, how many they may be, and how many they were before."""


class Screen(Protocol):
    """Where `play` runs, and what it has shown."""

    text: str

    def until(self, wanted: str) -> str: ...
    def press(self, keys: str, wanted: str) -> str: ...


class Tmux:
    """`play` in a window of tmux. What it writes is piped into a file, for a pane keeps only so much."""

    def __init__(self, folder: Path, store: Path, *arguments: str, **more: str) -> None:
        self._socket, self._file, self.text = str(folder / "tmux"), folder / "window.txt", ""
        self._file.touch()
        settings = [f"{name}={text}" for name, text in environment(folder, store, **more).items()]
        command = shlex.join(["env", "-i", *settings, "TERM=screen", *PROGRAM, "play", *arguments])
        held = f"read -r _; {command}; printf 'left\\n'; read -r _"
        self._tmux(
            "-f", "/dev/null", "new-session", "-d", "-s", "play", "-x", "80", "-y", "24", f"sh -c {shlex.quote(held)}"
        )
        self._tmux("pipe-pane", "-t", "play", "-o", f"cat >> {shlex.quote(str(self._file))}")
        self._tmux("send-keys", "-t", "play", "Enter")

    def _tmux(self, *words: str) -> None:
        subprocess.run(["tmux", "-S", self._socket, *words], check=True, capture_output=True)

    def until(self, wanted: str) -> str:
        start, patience = len(self.text), PATIENCE / 0.02
        while re.search(wanted, self.text[start:]) is None:
            time.sleep(0.02)
            patience -= 1
            assert patience, f"{wanted!r} did not come: {self.text[start:]}"
            self.text = self._file.read_bytes().decode("utf-8", "ignore").replace("\r\n", "\n")
        return self.text[start:]

    def press(self, keys: str, wanted: str) -> str:
        for key in keys:
            self._tmux("send-keys", "-t", "play", *(("Enter",) if key == "\n" else ("-l", "--", key)))
        return self.until(wanted)

    def kill(self) -> None:
        self._tmux("kill-server")


@contextmanager
def screen(kind: str, folder: Path, store: Path, lang: str) -> Iterator[Screen]:
    """A terminal of this kind in which a match is recorded; left by its quitting key."""
    locale = {"LANG": "ja_JP.UTF-8" if lang == "ja" else "en_US.UTF-8"}
    if kind == "tmux":
        tmux = Tmux(folder, store, "t1", **locale)
        try:
            tmux.until(PROMPT)
            yield tmux
        finally:
            tmux.kill()
        return
    window = Window(folder, store, "t1", **locale)
    window.until(PROMPT)
    yield window
    window.program.kill()
    window.program.wait(PATIENCE)


KINDS = [
    "pty",
    pytest.param("tmux", marks=pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")),
]


def opening(folder: Path, game: Sequence[str], seed: int) -> Path:
    """A store with a match that has just been dealt."""
    folder.mkdir(exist_ok=True)
    store = folder / "s.sqlite"
    fine(store, "new", *game, "--seed", str(seed), "--match", "t1")
    return store


def is_over(shown: str) -> bool:
    return shown.rstrip(" >").rpartition("\n")[2].startswith(OVER)


def per_action(store: Path, keys: int) -> float:
    """Keys for an action that is no pass."""
    match = stored(store)
    decode = match.game.decoder().decode
    played = [entry for entry in match.entries if isinstance(entry, Played) and entry.actor in match.opened.seats]
    acted = [entry for entry in played if verb(decode(entry.action)) != "pass"]
    assert len(acted) > 20 and match.table.result is not None and not any(entry.violations for entry in played)
    print(f"{keys} keys, {len(played)} actions, {len(acted)} of them no pass: {keys / len(acted):.2f} keys for one")
    return keys / len(acted)


def press(window: Screen, keys: str) -> None:
    """Press keys one by one, each when what the one before did is shown."""
    for key in keys:
        window.press(key, PROMPT)


@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MATCHES)
def test_a_whole_match_takes_few_keys_for_an_action(tmp_path: Path, name: str, kind: str) -> None:
    game, seed, lang, most = MATCHES[name]
    store, keeper = opening(tmp_path, game, seed), Scorekeeper(seed)
    with screen(kind, tmp_path, store, lang) as window:
        while not is_over(window.text):
            press(window, keeper.press(window.text))
    assert per_action(store, keeper.keys) <= most
    assert inside(store, "audit", "t1").code == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MENDS)
def test_a_mend_takes_few_keys(tmp_path: Path, name: str, kind: str) -> None:
    before, mend, most, then = MENDS[name]
    store = opening(tmp_path, ("blackpoker@8.1-lite",), 5)
    with screen(kind, tmp_path, store, "en") as window:
        press(window, before.replace("/", ""))
        recorded = stored(store)
        keys = mend.replace("/", "")
        press(window, keys)
    print(f"{name}: {len(keys)} keys, {then} before")
    assert len(keys) <= most
    match = stored(store)
    new = match.entries[recorded.version :]
    if name == "a forgotten charge":
        (ruling,) = new
        assert isinstance(ruling, Corrected) and "BP-7.6" in ruling.reason
        return
    assert isinstance(new[0], Rewound) and isinstance(new[1], Played)
    assert bool(new[1].violations) == (name == "an illegal action three actions later")
    if not new[1].violations:
        soldiers = {match.table.pieces[card].face for card in match.table.places["p2.soldiers"]}  # type: ignore[index]
        assert "C10" in soldiers and "C6" not in soldiers and len(new) == recorded.version - 3 + 1
