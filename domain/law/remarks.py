"""Notes that mean something to the service: a judge is called, somebody asks for a rewind.

The log has no entries of their own for these. The text of such a note begins with its kind and its values in brackets,
`[rewind to=12]`, and what somebody typed follows. It is put into words in the language of whoever reads it. Records of
earlier versions hold those words in both languages instead.
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
"""A judge is called; that call is answered, which the note is about; a seal is broken (in old records: it has
an entry of its own now); a rewind is asked for; that
request, which the note is about, is refused; what somebody typed could not be read; a command was refused that only
hidden cards forbid; somebody was invited to a seat; the players act on their own phones; the round's timer."""

KINDS: Final = get_args(Kind)
HOUSEKEEPING: Final[tuple[Kind, ...]] = ("seat", "phones")
"""Kinds about who comes in, not about the play; lists of the last entries leave them out."""
SAYS: Final = "says"
"""The value that names the words of a note, where they are not those of its kind."""

_VALUE: Final = r'([a-z_]+)=("(?:[^"\\]|\\.)*"|-?[0-9]{1,18})'
_HEAD: Final = re.compile(rf"\[({'|'.join(KINDS)})((?: {_VALUE})*)\](?: |$)")
_VALUES: Final = re.compile(_VALUE)


class Remark(Struct, frozen=True):
    """What such a note says: its kind, its words, and what somebody typed. `old`: words as an old record holds them."""

    kind: Kind
    says: Text
    more: str = ""
    old: tuple[str, ...] = ()

    def say(self, lang: Lang) -> str:
        """The note in one language."""
        words = self.old[LANGS.index(lang)] if self.old else self.says.say(lang)
        return f"{words}: {self.more}" if self.more else words


def remark(kind: Kind, says: Text, more: str = "") -> str:
    """Return the text of such a note. `says` is a text `remark.*`; `more` is what somebody typed."""
    name = says.key.removeprefix("remark.")
    values = {**({SAYS: name} if name != kind else {}), **says.values}
    head = " ".join((kind, *(f"{key}={msgspec.json.encode(value).decode()}" for key, value in values.items())))
    return f"[{head}] {more}".rstrip()


def read_remark(text: str) -> Remark | None:
    """Return what a note means to the service; None if it is one like any other."""
    head = _HEAD.match(text)
    if head is None:
        return None
    kind = next(kind for kind in KINDS if kind == head[1])
    values = {name: msgspec.json.decode(value) for name, value in _VALUES.findall(head[2])}
    says, more = str(values.pop(SAYS, kind)), text[head.end() :]
    if not values and (old := _read_old(kind, more)) is not None:
        return Remark(kind, Text(f"remark.{kind}", old[0]), old[2], old[1])
    if not _fits(says, frozenset(values)):
        return Remark(kind, Text(f"remark.{kind}"), "", (text,) * len(LANGS))
    return Remark(kind, Text(f"remark.{says}", values), more)


def kind_of(text: str) -> Kind | None:
    """Return which kind of note this is to the service; None if it is one like any other."""
    found = read_remark(text)
    return None if found is None else found.kind


def is_housekeeping(entry: Entry) -> bool:
    """True for a note about who comes in, not about the play."""
    return isinstance(entry, Noted) and kind_of(entry.text) in HOUSEKEEPING


def note_words(text: str, lang: Lang) -> str:
    """The text of any note as it is shown."""
    found = read_remark(text)
    return text if found is None else found.say(lang)


def _fits(says: str, values: frozenset[str]) -> bool:
    """True if there are words of this name that need these values."""
    words = load_messages().get(f"remark.{says}")
    return words is not None and set(re.findall(r"{(\w+)}", words.en)) <= values


def _read_old(kind: Kind, text: str) -> tuple[dict[str, str], tuple[str, ...], str] | None:
    """The values, the words in each language, and what was typed, of a note that holds its words."""
    if kind == "seal":
        en, _, ja = text.partition(" / ")
        return {}, (en, ja), ""
    for pattern in _old_words():
        if found := pattern.fullmatch(text):
            values = found.groupdict("")
            words = tuple(values.pop(lang) for lang in LANGS)
            return values, words, values.pop("more")
    return None


@cache
def _old_words() -> tuple[re.Pattern[str], ...]:
    """How records of earlier versions hold the words of each note: `English / Japanese: what was typed`."""
    return tuple(re.compile(pattern, re.DOTALL) for pattern in _patterns())


def _patterns() -> Iterator[str]:
    for key, words in load_messages().items():
        if key.startswith("remark."):
            en, ja = (_holes(words.say(lang), lang == "en") for lang in LANGS)
            yield rf"(?P<en>{en}) / (?P<ja>{ja})(?:: (?P<more>.*))?"


def _holes(template: str, named: bool) -> str:
    """A pattern of a text, which takes anything for its values."""
    parts = re.split(r"{(\w+)}", template)
    holes = (f"(?P<{part}>.+?)" if named else ".+?" for part in parts[1::2])
    return "".join(re.escape(part) + next(holes, "") for part in parts[::2])
