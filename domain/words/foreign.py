"""Messages of libraries and the operating system: common ones are translated, others are quoted."""

import re
from errno import errorcode

from domain.words import Message, Text, load_messages

REPEATED_MAX = 200
"""Characters of a value that a message repeats."""
_KIND = r"`(?P<wanted>.+?)`"
_MISFITS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (f"misfit.{name}", re.compile(pattern, re.DOTALL))
    for name, pattern in (
        ("kind", rf"Expected {_KIND}, got `(?P<got>.+)`"),
        ("range", rf"Expected {_KIND} (?P<sign>[<>]=?) (?P<bound>\S+)"),
        ("length", rf"Expected {_KIND} of length (?P<sign>[<>]=?) (?P<bound>\d+)"),
        ("parts", rf"Expected {_KIND} of length (?P<bound>\d+), got (?P<got>\d+)"),
        ("least", rf"Expected {_KIND} of at least length (?P<bound>\d+), got (?P<got>\d+)"),
        ("pattern", rf"Expected {_KIND} matching regex '(?P<pattern>.+)'"),
        ("missing", r"Object missing required field `(?P<field>.+)`"),
        ("twice", r"Object contains field `(?P<field>.+)` twice"),
        ("field", r"Object contains unknown field `(?P<field>.+)`"),
        ("value", r"Invalid (?:enum )?value (?P<value>.+)"),
        ("cut", r"Input data was truncated"),
        ("json", r"JSON is malformed: (?P<why>.+) \(byte (?P<byte>\d+)\)"),
        ("bytes", r"MessagePack data is malformed: (?P<why>.+) \(byte (?P<byte>\d+)\)"),
    )
)
_PATH = re.compile(r"(?P<what>.*) - at `(?P<path>.+)`", re.DOTALL)


def explain_decode_error(error: Exception) -> Text:
    """Return why data does not fit its type, from the error of its decoder."""
    if isinstance(error, RecursionError):
        return Text("misfit.deep")
    cause = error.__cause__
    if isinstance(cause, ValueError) and cause.args and isinstance(cause.args[0], Text):
        return cause.args[0]  # a validation error of our own types
    return reword(str(error))


def reword(message: str) -> Text:
    if match := _PATH.fullmatch(message):
        return Text("misfit.at", {"what": reword(match["what"]), "path": _cut(match["path"])})
    for key, pattern in _MISFITS:
        if match := pattern.fullmatch(message):
            return Text(key, {name: _cut(part) for name, part in match.groupdict().items()})
    return quoted(message)


def _cut(part: str) -> str:
    return part if len(part) <= REPEATED_MAX else f"{part[:REPEATED_MAX]}..."


def explain_system_error(error: Exception) -> Text:
    if isinstance(error, OSError):
        key = f"system.{errorcode.get(error.errno or 0, '')}"
        return Text(key) if key in load_messages() else quoted(error.strerror or str(error))
    return quoted(str(error))


def escape_undecodable(text: str) -> str:
    r"""Escape bytes of a file name that are not UTF-8 (as `\udcff`), so that any file can hold the text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def quoted(detail: object) -> Text:
    return Text("foreign.quoted", {"detail": str(detail)})


def render_in_both(why: Text) -> Message:
    """Return a text in both languages, with undecodable bytes escaped."""
    return Message(escape_undecodable(why.say("en")), escape_undecodable(why.say("ja")))
