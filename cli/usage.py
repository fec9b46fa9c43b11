"""What the command line library says against arguments, in our words."""

import re
from typing import Any

from domain.words import Text, Texts
from domain.words.foreign import quoted

_INVALID = r"Invalid value for '(?P<name>.+?)': "
_SAID: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (f"usage.{name}", re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("no_option", r"No such option: (?P<name>.+?)\.?(?P<hint> Did you mean .+| \(.+\))?"),
        ("no_command", r"No such command '(?P<name>.*?)'\.(?P<hint> Did you mean .+| \(.+\))?"),
        ("no_argument", r"Missing argument '(?P<name>.+)'\."),
        ("missing_option", r"Missing option '(?P<name>.+)'\."),
        ("missing_command", r"Missing command\."),
        ("out_of_range", _INVALID + r"(?P<value>-?\d+) is not in the range (?P<least>\d+)<=x<=(?P<most>\d+)\."),
        ("too_small", _INVALID + r"(?P<value>-?\d+) is not in the range x>=(?P<least>\d+)\."),
        ("no_choice", r"Invalid value for '--(?P<name>.+?)': (?P<value>'.*') is not one of (?P<allowed>.+)\."),
        ("no_whole", r"Invalid value for '?(?P<name>.+?)'?: .*\bint(?:eger)?\b.*"),
        ("bad_value", r"Invalid value for '?(?P<name>.+?)'?: (?P<why>.+)"),
        ("needs_value", r"Option '(?P<name>.+)' requires an argument\."),
        ("no_value", r"Option '(?P<name>.+)' does not take a value\."),
        ("too_many", r"Got unexpected extra argument(?:s|\(s\))? \((?P<rest>.*)\)"),
    )
)
_LIKELY = re.compile(r"-{0,2}\w[\w-]*")
SHOWN_MAX = 60


def usage(error: Any) -> Text:
    """Why arguments cannot be read. `error` is the library's own error for that."""
    said = str(error.format_message())
    for key, pattern in _SAID:
        if match := pattern.fullmatch(said):
            return Text(key, {name: _value(name, text) for name, text in match.groupdict().items()})
    return quoted(said)


def _value(name: str, text: str | None) -> object:
    match name:
        case "hint":
            meant = [] if text is None else _LIKELY.findall(re.sub(r"^ (Did you mean|\(Possible options:)", "", text))
            return Text("format.meant", {"word": Texts(tuple(meant))}) if meant else ""
        case "allowed":
            return str(text).replace("'", "")
        case "why":
            return quoted(text)
        case _:
            return text if text is None or len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "..."
