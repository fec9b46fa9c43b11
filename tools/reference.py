"""Generate docs/cli.md, the reference of all commands: `python -m tools.reference > docs/cli.md`."""

import io
import sys
from typing import Any

from msgspec import Struct

from cli.drawing import Screen
from cli.main import program
from cli.registry import Shared
from domain.words import Lang, say

LANG: Lang = "en"


class ParameterHelp(Struct, frozen=True):
    """An argument or an option: its syntax, its help and its default."""

    name: str
    text: str
    default: str


class CommandHelp(Struct, frozen=True):
    """A command by its words, with its help."""

    path: tuple[str, ...]
    text: str
    example: str
    arguments: tuple[ParameterHelp, ...]
    options: tuple[ParameterHelp, ...]


def _root() -> Any:
    return program(Shared(Screen(io.StringIO(), io.StringIO()), LANG))


def commands() -> list[CommandHelp]:
    return _describe(_root(), ())


def _describe(group: Any, path: tuple[str, ...]) -> list[CommandHelp]:
    described: list[CommandHelp] = []
    for name, command in group.commands.items():
        here = (*path, name)
        if hasattr(command, "commands"):
            described += _describe(command, here)
            continue
        key = ".".join(here)
        own = [parameter for parameter in command.params if parameter.name not in _SHARED]
        described.append(
            CommandHelp(
                here,
                say(f"help.{key}", LANG),
                say(f"example.{key}", LANG),
                tuple(_value(parameter) for parameter in own if parameter.param_type_name == "argument"),
                tuple(_value(parameter) for parameter in own if parameter.param_type_name == "option"),
            )
        )
    return described


_SHARED = ("store", "lang", "no_pager", "plain", "help")
"""Options that every command has. The page describes them once."""
_EVERYWHERE = ("store", "spoken", "no_pager", "plain")
"""Shared options that may also precede a command's name."""


def _value(parameter: Any) -> ParameterHelp:
    metavar = parameter.metavar or ""
    if parameter.param_type_name == "argument":
        return ParameterHelp(_cell(metavar), parameter.help or "", "never" if parameter.required else "")
    flag = parameter.is_flag
    name = ", ".join(parameter.opts) + ("" if flag or not metavar else f" {metavar}")
    default = parameter.show_default if isinstance(parameter.show_default, str) else parameter.default
    given = "" if flag or default in (None, "", ()) else f"`{default}`"
    return ParameterHelp(_cell(name), parameter.help or "", "never" if parameter.required else given)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def reference() -> str:
    root = _root()
    lines = [
        "# Commands",
        "",
        "Made from the program by `python -m tools.reference > docs/cli.md`; a test compares the two.",
        "",
        say("help.shinpan", LANG),
        "",
        "Exit codes: 0 success, 1 findings or a refusal, 2 the request cannot be carried out, 3 an error in Shinpan.",
        "",
        "These options may come before or after any command:",
        "",
        *_table("option", [_value(parameter) for parameter in root.params if parameter.name in _EVERYWHERE]),
        "",
        "These options are used without a command:",
        "",
        *_table("option", [_value(parameter) for parameter in root.params if parameter.name not in _EVERYWHERE]),
    ]
    for command in _describe(root, ()):
        lines += ["", f"## shinpan {' '.join(command.path)}", "", command.text, "", f"    {command.example}"]
        for heading, rows in (("argument", command.arguments), ("option", command.options)):
            if rows:
                lines += ["", *_table(heading, list(rows))]
    return "\n".join(lines) + "\n"


def _table(heading: str, rows: list[ParameterHelp]) -> list[str]:
    return [
        f"| {heading} | meaning | left out |",
        "|---|---|---|",
        *(f"| `{row.name}` | {row.text} | {row.default} |" for row in rows),
    ]


if __name__ == "__main__":
    sys.stdout.write(reference())
