"""All text for people in one table, English and Japanese side by side; a game's own words come from its rulebook.

Whatever can go wrong holds a `Text` and not a sentence: a key of the table with its values, put into words at the edge.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import tomli
from msgspec import Struct

from domain.words.lines import one_line

Lang = Literal["en", "ja"]
LANGS: tuple[Lang, ...] = ("en", "ja")


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """One text in both languages, with places for values in braces."""

    en: str
    ja: str

    def say(self, lang: Lang) -> str:
        """The text in one language."""
        return self.ja if lang == "ja" else self.en

    def __str__(self) -> str:
        return self.en


class Text(Struct, frozen=True):
    """A text of the table and its values, in no language yet; a value may be such a text itself. `str()` is English."""

    key: str
    values: Mapping[str, Any] = {}

    def say(self, lang: Lang) -> str:
        """The text in one language."""
        return say(self.key, lang, **self.values)

    def __str__(self) -> str:
        return self.say("en")

    def __contains__(self, part: str) -> bool:
        """Does the English text hold this?"""
        return part in str(self)


class TextError(ValueError):
    """What was given or asked for cannot be; `text` says why, in no language yet."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


Words = Text | Message
"""What can be said in either language."""


class Texts(Struct, frozen=True):
    """Several texts one after the other, as one value of another."""

    parts: tuple[object, ...]

    def say(self, lang: Lang) -> str:
        """The texts in one language, as a list."""
        return say("list.comma", lang).join(spoken(part, lang) for part in self.parts)

    def __str__(self) -> str:
        return self.say("en")


def listed(words: Iterable[str | Message]) -> Words | Texts:
    """Words that a text names, one after the other; that there are none if so."""
    parts = tuple(word or "-" for word in words)
    return Texts(parts) if parts else Text("format.none")


@cache
def load_messages() -> Mapping[str, Message]:
    """Read `messages.toml`. A text in one language only, or a malformed file, raises msgspec.ValidationError."""
    raw = files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), dict[str, Message])


def say(key: str, lang: Lang, /, **values: object) -> str:
    """A text with its values put in, none of which breaks its line. A key or a value that is missing is our bug:
    KeyError."""
    return load_messages()[key].say(lang).format_map({name: _put_in(value, lang) for name, value in values.items()})


def _put_in(value: object, lang: Lang) -> object:
    told = value if isinstance(value, str | int) else _inner(value, lang)
    return told if isinstance(told, int | float) else one_line(str(told))


def spoken(value: object, lang: Lang) -> str:
    """A value in words: a text in this language, an error by the text it holds, anything else as it is."""
    return str(_inner(value, lang))


def _inner(value: object, lang: Lang) -> object:
    told = value.args[0] if isinstance(value, Exception) and value.args else value
    return told.say(lang) if isinstance(told, Text | Message | Texts) else value
