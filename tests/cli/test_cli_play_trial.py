"""Key counts of a scorekeeper: whole matches and three corrections.

The earlier counts come from the trial of issue 11. Show today's counts with `-rP`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cli.play.keys import LineKeySource
from domain.law.entries import Corrected, Played, Rewound
from domain.law.slots import verb
from tests.cli.runs import fine, inside
from tests.cli.scorekeeper import Scorekeeper
from tests.cli.test_cli_play import stored
from tests.cli.test_cli_play_terminal import Window
from tests.cli.typist import Typist, play

PROMPT = r" > $"
OVER = ("the match is over", "対戦は終わりました")
MATCHES = {
    "BlackPoker, English": (("blackpoker@8.1-lite",), 5, "en", 1.5),
    "BlackPoker, Japanese": (("blackpoker@8.1-lite",), 9, "ja", 1.5),
    "Grimoire, three players": (("grimoire@1", "--set", "player_count=3"), 5, "en", 1.8),
}
"""Game, seed, language, and the most keys for each action, passes included. It was 4.5 before."""

MENDS = {
    "a wrong card two actions ago": ("s1/\n/m1/\n/e/\n", "-/3/r/2", 5, 15),
    "an illegal action three actions later": ("a/\n/1/\n/\n/\n/1/e/\n", "-/4/r/u/5/7/\n/\n", 8, 30),
    "a forgotten charge": ("s1/\n/e/\n/\n/1/e/\n/1/\n/1", "!/m/5/\n", 8, 38),
}
"""Recorded keys, keys of the correction, its limit, and the count before."""


def open_match(folder: Path, game: Sequence[str], seed: int) -> Path:
    folder.mkdir(exist_ok=True)
    store = folder / "s.sqlite"
    fine(store, "new", *game, "--seed", str(seed), "--match", "t1")
    return store


def is_over(shown: str) -> bool:
    return shown.rstrip(" >").rpartition("\n")[2].startswith(OVER)


def per_action(store: Path, keys: int) -> float:
    """Return the number of keys for each action other than a pass."""
    match = stored(store)
    decode = match.game.decoder().decode
    played = [entry for entry in match.entries if isinstance(entry, Played) and entry.actor in match.opening.seats]
    acted = [entry for entry in played if verb(decode(entry.action)) != "pass"]
    assert len(acted) > 20 and match.table.result is not None and not any(entry.violations for entry in played)
    print(f"{keys} keys, {len(played)} actions, {len(acted)} of them no pass: {keys / len(acted):.2f} keys per action")
    return keys / len(acted)


@pytest.fixture(autouse=True)
def _key_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LineKeySource, "key", lambda lines, pending: lines.character())


@pytest.mark.random
@pytest.mark.parametrize("name", MATCHES)
def test_a_whole_match_takes_few_keys_for_an_action(tmp_path: Path, name: str) -> None:
    game, seed, lang, most = MATCHES[name]
    store, keeper = open_match(tmp_path, game, seed), Scorekeeper(seed)

    def typing(typist: Typist) -> Iterator[str]:
        while not is_over(shown := typist.output):
            yield from keeper.press(shown)

    assert play(store, "t1", answers=typing, lang=lang).code == 0
    assert per_action(store, keeper.keys) <= most
    assert inside(store, "audit", "t1").code == 0


@pytest.mark.process
@pytest.mark.nightly
def test_a_whole_match_is_pressed_key_by_key_on_a_terminal(tmp_path: Path) -> None:
    game, seed, _, most = MATCHES["BlackPoker, English"]
    store, keeper = open_match(tmp_path, game, seed), Scorekeeper(seed)
    window = Window(tmp_path, store, "t1")
    window.until(PROMPT)
    while not is_over(window.text):
        for key in keeper.press(window.text):
            window.press(key, PROMPT)
    window.program.kill()
    window.program.wait()
    assert per_action(store, keeper.keys) <= most


@pytest.mark.parametrize("name", MENDS)
def test_a_mend_takes_few_keys(tmp_path: Path, name: str) -> None:
    before, mend, most, then = MENDS[name]
    store, keys = open_match(tmp_path, ("blackpoker@8.1-lite",), 5), mend.replace("/", "")
    play(store, "t1", answers=[*before.replace("/", "")])
    recorded = stored(store)
    play(store, "t1", "--by", "judge", answers=[*keys])
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
