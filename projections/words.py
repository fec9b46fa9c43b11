"""All text for people in one table, English and Japanese side by side. A game's own words come from its rulebook."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec
from msgspec import Struct

from domain.law.rulebook import Lang

LANGS: tuple[Lang, ...] = ("en", "ja")


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """One text in both languages, with places for values in braces."""

    en: str
    ja: str


def load_messages() -> Mapping[str, Message]:
    """Read `messages.toml`. A text in one language only, or a malformed file, raises msgspec.ValidationError."""
    raw = files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(raw), dict[str, Message])


MESSAGES: Mapping[str, Message] = load_messages()


def say(key: str, lang: Lang, /, **values: object) -> str:
    """A text with its values put in. A key or a value that is missing is our bug: KeyError."""
    message = MESSAGES[key]
    return (message.ja if lang == "ja" else message.en).format_map(values)
