"""Remarks: notes with a meaning for the service, such as a call for a judge or a request for a rewind.

They have no entry types of their own. The text of such a note begins with its kind and values in brackets, `[rewind
to=12]`, followed by typed text. It is rendered in the reader's language. Records of earlier versions hold the words in
both languages instead.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from domain.law.entries import Entry, Noted
from domain.words import LANGS, Lang, Text, load_messages

Kind = Literal["call", "answered", "seal", "rewind", "refused", "unread", "impossible", "seat", "phones", "timer"]
"""Kinds of remarks. `answered` and `refused` are about an earlier note: a call, a rewind request.
`seal` occurs only in old records; unsealing has an entry type now. `impossible`: a command that only hidden cards
forbid. `seat`: a seat has an invitation. `phones`: the players act on their own phones.
"""

KINDS: Final = get_args(Kind)
HOUSEKEEPING: Final[tuple[Kind, ...]] = ("seat", "phones")
"""Kinds about the people present, not the play. Lists of recent entries leave them out."""
MESSAGE_KEY: Final = "says"
"""Key of the text to render, if it is not the kind's own."""

_VALUE: Final = r'([a-z_]+)=("(?:[^"\\]|\\.)*"|-?[0-9]{1,18})'
_HEAD: Final = re.compile(rf"\[({'|'.join(KINDS)})((?: {_VALUE})*)\](?: |$)")
_VALUES: Final = re.compile(_VALUE)


class Remark(Struct, frozen=True):
    """The content of a remark: kind, text, and typed words. `old` has the words of an old record by language."""

    kind: Kind
    says: Text
    more: str = ""
    old: tuple[str, ...] = ()

    def say(self, lang: Lang) -> str:
        words = self.old[LANGS.index(lang)] if self.old else self.says.say(lang)
        return f"{words}: {self.more}" if self.more else words


def write_remark(kind: Kind, says: Text, more: str = "") -> str:
    """Return the text of a remark. `says` is a text `remark.*`, and `more` is typed text."""
    name = says.key.removeprefix("remark.")
    values = {**({MESSAGE_KEY: name} if name != kind else {}), **says.values}
    head = " ".join((kind, *(f"{key}={msgspec.json.encode(value).decode()}" for key, value in values.items())))
    return f"[{head}] {more}".rstrip()


def read_remark(text: str) -> Remark | None:
    """Return the remark in the text of a note, None for a plain note."""
    head = _HEAD.match(text)
    if head is None:
        return None
    kind = next(kind for kind in KINDS if kind == head[1])
    values = {name: msgspec.json.decode(value) for name, value in _VALUES.findall(head[2])}
    says, more = str(values.pop(MESSAGE_KEY, kind)), text[head.end() :]
    if not values and (old := _read_old(kind, more)) is not None:
        return Remark(kind, Text(f"remark.{kind}", old[0]), old[2], old[1])
    if not _has_all_values(says, frozenset(values)):
        return Remark(kind, Text(f"remark.{kind}"), "", (text,) * len(LANGS))
    return Remark(kind, Text(f"remark.{says}", values), more)


def kind_of(text: str) -> Kind | None:
    parsed = read_remark(text)
    return None if parsed is None else parsed.kind


def is_housekeeping(entry: Entry) -> bool:
    return isinstance(entry, Noted) and kind_of(entry.text) in HOUSEKEEPING


def note_words(text: str, lang: Lang) -> str:
    parsed = read_remark(text)
    return text if parsed is None else parsed.say(lang)


def _has_all_values(says: str, values: frozenset[str]) -> bool:
    words = load_messages().get(f"remark.{says}")
    return words is not None and set(re.findall(r"{(\w+)}", words.en)) <= values


def _read_old(kind: Kind, text: str) -> tuple[dict[str, str], tuple[str, ...], str] | None:
    if kind == "seal":
        en, _, ja = text.partition(" / ")
        return {}, (en, ja), ""
    for pattern in _old_patterns():
        if match := pattern.fullmatch(text):
            values = match.groupdict("")
            words = tuple(values.pop(lang) for lang in LANGS)
            return values, words, values.pop("more")
    return None


@cache
def _old_patterns() -> tuple[re.Pattern[str], ...]:
    """Return patterns of old remarks: `English / Japanese: typed text`."""
    return tuple(re.compile(pattern, re.DOTALL) for pattern in _list_old_patterns())


def _list_old_patterns() -> Iterator[str]:
    for key, words in load_messages().items():
        if key.startswith("remark."):
            en, ja = (_template_pattern(words.say(lang), lang == "en") for lang in LANGS)
            yield rf"(?P<en>{en}) / (?P<ja>{ja})(?:: (?P<more>.*))?"


def _template_pattern(template: str, named: bool) -> str:
    parts = re.split(r"{(\w+)}", template)
    holes = (f"(?P<{part}>.+?)" if named else ".+?" for part in parts[1::2])
    return "".join(re.escape(part) + next(holes, "") for part in parts[::2])
