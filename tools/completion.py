"""What completion knows of the program, made from it: `python -m tools.completion`."""

import io
import json
import re
from typing import Any

from cli.completing.table import FILE, LANGS
from cli.drawing import Screen
from cli.main import program
from cli.registry import Shared
from domain.games import GAMES
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.rulesets import values
from domain.law.slots import verb
from domain.table.table import Place

_ROW, _GAP = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]"), re.compile(r",\n\s*")
"""A list of plain values, which stands in one line, and what stands between two of them until then."""


def table() -> str:
    """The whole table, as it is kept."""
    roots = [program(Shared(Screen(io.StringIO(), io.StringIO()), lang)) for lang in LANGS]
    known = {
        "commands": _commands(roots),
        "shared": _options(_named(roots, _SHARED)),
        "options": _options(_named(roots, [name for name in map(_name, roots[0].params) if name not in _SHARED])),
        "games": {key: _game(game) for key, game in GAMES.items()},
    }
    return _ROW.sub(lambda row: f"[{_GAP.sub(', ', row[1])}]", json.dumps(known, ensure_ascii=False, indent=1)) + "\n"


_UPTO = range(1, 10)
"""Columns and rows of a map whose squares are offered; which of them a match has, its schema says."""

_SHARED = ("--store", "--lang", "--no-pager", "--plain", "--help")
"""Options that may stand anywhere."""


def _commands(groups: list[Any]) -> dict[str, Any]:
    """The commands of a group, each given in every language."""
    found: dict[str, Any] = {}
    for name in groups[0].commands:
        same = [group.commands[name] for group in groups]
        found[name] = {"text": [command.short_help or command.help for command in same]}
        if hasattr(same[0], "commands"):
            found[name]["commands"] = _commands(same)
        else:
            own = [option for option in map(_name, same[0].params) if option not in ("", *_SHARED)]
            found[name]["arguments"] = [param.metavar for param in same[0].params if not _name(param)]
            found[name]["options"] = _options(_named(same, own))
    return found


def _name(param: Any) -> str:
    """The longest spelling of an option; empty for an argument."""
    return max(param.opts, key=len) if param.param_type_name == "option" else ""


def _named(commands: list[Any], names: Any) -> dict[str, list[Any]]:
    """Options by their names, each in every language."""
    every = [{_name(param): param for param in command.get_params(_context(command))} for command in commands]
    return {name: [params[name] for params in every] for name in names}


def _context(command: Any) -> Any:
    return command.make_context("shinpan", [], resilient_parsing=True)


def _options(named: dict[str, list[Any]]) -> dict[str, list[str]]:
    """What each option takes, empty for a flag, and what it is for."""
    return {
        name: ["" if same[0].is_flag else same[0].metavar or "", *(param.help or "" for param in same)]
        for name, same in named.items()
    }


def _game(game: Game) -> dict[str, Any]:
    book, newest = game.rulebook, [*game.versions.values()][-1]
    offered = {option.key: [*map(value_text, option.values)] for option in game.options}
    numbers = {key: [value_text(value)] for key, value in values(newest).items() if isinstance(value, int | str)}
    verbs = [verb(action) for action in game.action_types if action not in game.other_verbs.values()]
    return {
        "title": [book.title.en, book.title.ja],
        "versions": [*game.versions],
        "frames": [*game.regulations],
        "seats": [*game.seats(newest)],
        "decks": [*game.named_decks()],
        "options": {key: [found, *_words(game, key)] for key, found in (numbers | offered).items()},
        **({"squares": squares} if (squares := _squares(game)) else {}),
        "verbs": [[name, *_words(game, name)] for name in verbs],
    }


def _squares(game: Game) -> dict[str, list[list[str]]]:
    """What the squares of maps are called, row by row, of maps of any size up to the largest that is offered."""
    squares: dict[str, list[list[str]]] = {}
    for area in game.schema(game.latest).areas:
        names = (Place(f"{area.name}:{column},{row}") for row in _UPTO for column in _UPTO)
        called = [*map(game.display.called, names)]
        if area.order == "grid" and not area.per_seat and any(called):
            squares[area.name] = [called[at : at + len(_UPTO)] for at in range(0, len(called), len(_UPTO))]
    return squares


def _words(game: Game, code: str) -> list[str]:
    return [game.rulebook.word(code, lang) for lang in LANGS]


if __name__ == "__main__":
    FILE.write_text(table(), encoding="utf-8")
