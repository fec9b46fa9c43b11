"""What the program takes, as a table made from it by `python -m tools.completion`: the program takes long to load."""

import json
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

FILE = Path(__file__).with_name("known.json")
LANGS: Final[tuple[Literal["en"], Literal["ja"]]] = ("en", "ja")
"""In what order a text stands in the table."""


class Words(NamedTuple):
    """What the words before the cursor have said: a command or a group of some, its arguments and options; and what the
    word at the cursor must be, as help names it: empty for a command or an option."""

    command: dict[str, Any]
    arguments: list[str]
    options: dict[str, list[str]]
    wanted: str
    prefix: str
    """What of the last word stands before the value."""
    text: str
    """The beginning of the value."""

    def said(self, metavar: str) -> str:
        """The argument of this name; empty if it has not been typed."""
        names = self.command.get("arguments", [])
        at = next((at for at, name in enumerate(names) if metavar in name), len(self.arguments))
        return self.arguments[at] if at < len(self.arguments) else ""


def load() -> dict[str, Any]:
    """The table."""
    known: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return known


def read(known: dict[str, Any], words: list[str]) -> Words | None:
    """What is wanted at the cursor; None behind a command that there is not."""
    command, arguments, options = known, list[str](), dict[str, list[str]]()
    *before, last = words
    pending, ended = "", False
    for word in before:
        if pending:
            options.setdefault(pending, []).append(word)
            pending = ""
        elif word == "--" and not ended:
            ended = True
        elif (
            word.startswith("-")
            and not ended
            and (name := word.partition("=")[0]) in (taken := _options(known, command))
        ):
            if "=" in word:
                options.setdefault(name, []).append(word.partition("=")[2])
            elif taken[name][0]:
                pending = name
            else:
                options[name] = []
        elif "commands" in command:
            if word not in command["commands"]:
                return None
            command = command["commands"][word]
        else:
            arguments.append(word)
    wanted, prefix = _wanted(_options(known, command), command, len(arguments), pending, "" if ended else last)
    return Words(command, arguments, options, wanted, prefix, last[len(prefix) :])


def _options(known: dict[str, Any], command: dict[str, Any]) -> dict[str, Any]:
    """The options that may stand here: the command's own and those that all share."""
    return {**known["shared"], **command.get("options", {})}


def _wanted(options: dict[str, Any], command: dict[str, Any], number: int, pending: str, last: str) -> tuple[str, str]:
    name, equals, _ = last.partition("=")
    if pending:
        return options[pending][0], ""
    if name.startswith("--") and equals:
        return options.get(name, [""])[0] or "TEXT", f"{name}="
    if last.startswith("-") or "commands" in command:
        return "", ""
    names = command["arguments"]
    repeated = bool(names) and (names[-1].endswith("...") or names[-1] == "ACTION")
    if number < len(names):
        return names[number], ""
    return (names[-1] if repeated else "TEXT"), ""
