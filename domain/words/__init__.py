"""All text for people, in English and Japanese. A game's own words come from its rulebook. Errors hold a `Text` (a key
and its values), not a sentence. The edge of the program renders it in a language."""

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
    """A text in both languages, with placeholders in braces."""

    en: str
    ja: str

    def say(self, lang: Lang) -> str:
        return self.ja if lang == "ja" else self.en

    def __str__(self) -> str:
        return self.en


class Text(Struct, frozen=True):
    """The key of a text and its values, in no language yet. Values may be texts. `str()` renders English."""

    key: str
    values: Mapping[str, Any] = {}

    def say(self, lang: Lang) -> str:
        return say(self.key, lang, **self.values)

    def __str__(self) -> str:
        return self.say("en")

    def __contains__(self, part: str) -> bool:
        """True if the English text contains `part`."""
        return part in str(self)


class TextError(ValueError):
    """An error about something that cannot be done or loaded; `text` is the reason."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


Words = Text | Message


class Texts(Struct, frozen=True):
    """A list of texts, used as one value of another text."""

    parts: tuple[object, ...]

    def say(self, lang: Lang) -> str:
        """Return the texts in one language, joined as a list."""
        return say("list.comma", lang).join(spoken(part, lang) for part in self.parts)

    def __str__(self) -> str:
        return self.say("en")


def listed(words: Iterable[str | Message]) -> Words | Texts:
    """Return words as one list, or the text for an empty list."""
    parts = tuple(word or "-" for word in words)
    return Texts(parts) if parts else Text("format.none")


@cache
def load_messages() -> Mapping[str, Message]:
    """Read `messages.toml`. Raises msgspec.ValidationError for a malformed file or a text in one language only."""
    raw = files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), dict[str, Message])


def say(key: str, lang: Lang, /, **values: object) -> str:
    """Return a text with its values, each kept on one line. Raises KeyError for a missing key or value."""
    return load_messages()[key].say(lang).format_map({name: _substitute(value, lang) for name, value in values.items()})


def _substitute(value: object, lang: Lang) -> object:
    rendered = value if isinstance(value, str | int) else _resolve(value, lang)
    return rendered if isinstance(rendered, int | float) else one_line(str(rendered))


def spoken(value: object, lang: Lang) -> str:
    """Return a value as words: a text in this language, an error by its text, any other value as `str`."""
    return str(_resolve(value, lang))


def _resolve(value: object, lang: Lang) -> object:
    inner = value.args[0] if isinstance(value, Exception) and value.args else value
    return inner.say(lang) if isinstance(inner, Text | Message | Texts) else value
