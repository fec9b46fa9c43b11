"""A game that cannot be imported is reported with its file and error; the other games still work."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.law.registry import GameRegistry

SOUND = "from tests.toy import TOY as GAME\n"
FILES = {
    "__init__.py": "",
    "sound/__init__.py": SOUND,
    "mistyped/__init__.py": "from games_of_a_test.mistyped.cards import CARDS\n" + SOUND,
    "mistyped/cards.py": "CARDS = (\n\n",
    "undefined/__init__.py": "from games_of_a_test.undefined import actions\n" + SOUND,
    "undefined/actions.py": "FIRST = 1\nSECOND = nothing_of_this_name\n",
    "empty/__init__.py": "",
}


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GameRegistry]:
    package = tmp_path / "games_of_a_test"
    for name, text in FILES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield GameRegistry(package.name, "mistyped", "sound", "undefined", "empty")
    for module in [module for module in sys.modules if module.partition(".")[0] == package.name]:
        del sys.modules[module]


def test_games_that_cannot_be_imported_are_left_out_and_named(registry: GameRegistry) -> None:
    assert list(registry) == ["sound"] and len(registry) == 1 and registry.get("mistyped") is None
    assert "mistyped" not in registry and "unheard_of" not in registry
    said = {broken.game: broken for broken in registry.load_all()}
    assert list(said) == ["mistyped", "undefined", "empty"]
    mistyped, undefined = said["mistyped"], said["undefined"]
    assert mistyped.file.endswith("mistyped/cards.py") and mistyped.error.startswith("SyntaxError: ")
    assert undefined.file.endswith("undefined/actions.py") and undefined.line == 2
    assert undefined.error == "NameError: name 'nothing_of_this_name' is not defined"
    assert "undefined/actions.py, line 2: NameError" in undefined.text.say("en")
    assert registry.find_broken("sound") is None is registry.find_broken("unheard_of")


def test_a_game_is_imported_when_it_is_asked_for(registry: GameRegistry) -> None:
    assert registry["sound"].key == "toy" and "games_of_a_test.sound" in sys.modules
    assert "games_of_a_test.undefined.actions" not in sys.modules and registry.broken == {}
