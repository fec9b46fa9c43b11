"""Rendering of printed text: phrases in both languages, and their selection by structs of card text.

A struct is rendered by the phrase of its tag, with each field rendered by its type. A game adds the exceptions. A
phrase may have variants (`do.move.hand`, `do.damage.computed`), which the values of the fields select.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar, get_type_hints

import msgspec
import tomli
from msgspec import Struct

from domain.words import Lang

Form = Literal["plain", "te"]
"""Form of a Japanese verb. English has one form."""
PLAIN: Final[Form] = "plain"
TE: Final[Form] = "te"


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase in both languages, with the Japanese form used before another phrase."""

    en: str
    ja: str
    te: str = ""


Phrases = Mapping[str, Phrase]


@cache
def load_phrases(package: str) -> Phrases:
    raw = files(package).joinpath("wording.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), dict[str, Phrase])


class Speech(Struct, frozen=True):
    """The language and phrases of a rendering. A game may add more context."""

    lang: Lang
    phrases: Phrases

    def say(self, key: str, form: Form = PLAIN, /, **values: object) -> str:
        phrase = self.phrases[key]
        template = phrase.en if self.lang == "en" else (phrase.te if form == TE else "") or phrase.ja
        return template.format_map(values)

    def list(self, key: str, texts: Iterable[str]) -> str:
        """Join texts with a phrase between them."""
        return self.say(key).join(texts)

    def series(self, key: str, texts: Sequence[str]) -> str:
        """Join texts with commas, and a phrase before the last."""
        *first, last = texts
        return self.list(key, (self.list("comma", first), last)) if first else last

    def sentences(self, texts: Iterable[str]) -> str:
        """Join texts as sentences. The first is not capitalised."""
        first, *others = texts
        return self.list("stop", (first, *map(capital, others))) + self.say("end")


class FieldWording(Struct, frozen=True):
    """Rendering of a field type: its words, its choice of a phrase variant, or both."""

    words: Callable[[Any, Any], str] | None = None
    way: Callable[[Any], str] | None = None


Piece = TypeVar("Piece")
Words = Mapping[Any, FieldWording]
"""Rendering by field type. Fields of other types are inserted as they are."""


def describe_struct(
    piece: Struct, start: str, speech: Speech, words: Words, form: Form = PLAIN, /, **more: object
) -> str:
    """Render a struct by the phrase of its tag after `start`, with its fields and the values in `more`."""
    key, values = f"{start}.{piece.__struct_config__.tag}", dict(more)
    for name, hint in _hints(type(piece)).items():
        value, wording = getattr(piece, name), words.get(hint)
        variant = value if wording is None else wording.way(value) if wording.way is not None else ""
        key = _select_variant(speech.phrases, key, variant) if isinstance(variant, str) and variant else key
        values[name] = wording.words(value, speech) if wording is not None and wording.words is not None else value
    return speech.say(key, form, **values)


@cache
def _hints(piece: type[Struct]) -> Mapping[str, Any]:
    return {name: hint for name, hint in get_type_hints(piece, include_extras=True).items() if name[0] != "_"}


def _select_variant(phrases: Phrases, key: str, variant: str) -> str:
    """Return the key extended by a variant, if any phrase begins so."""
    longer = f"{key}.{variant}"
    return longer if any(phrase == longer or phrase.startswith(longer + ".") for phrase in phrases) else key


def render_conditions(conditions: Iterable[str], speech: Speech) -> str:
    """Return the conditions of an action as an addition to its text; '' if it has none."""
    listed = speech.list("comma", conditions)
    return speech.say("limit", limits=listed) if listed else ""


def statement(subject: str, predicate: str, speech: Speech) -> str:
    """Return a statement about `subject`; a command if `subject` is ''."""
    return speech.say("does", who=subject, do=predicate) if subject else predicate


def forms(count: int, last: Form) -> tuple[Form, ...]:
    """Return the forms of `count` successive phrases."""
    return (*[TE] * (count - 1), last)


def successive_phrases(pieces: Iterable[Piece], word: Callable[[Piece, Form], str], last: Form = PLAIN) -> list[str]:
    """Return successive phrases, each but the last in the form before another."""
    listed = tuple(pieces)
    return [word(piece, form) for piece, form in zip(listed, forms(len(listed), last), strict=False)]


def by_phrase(start: str) -> FieldWording:
    """Return the rendering of a word by the phrase after `start`."""
    return FieldWording(lambda word, speech: speech.say(f"{start}.{word}"))


def _count_variant(n: int) -> str:
    return "less" if n < 0 else {0: "none", 1: "one"}.get(n, "")


COUNTED: Final = FieldWording(lambda n, _: str(abs(n)), _count_variant)
"""A number, with phrase variants for none, one and negative."""


def with_article(noun: str, speech: Speech) -> str:
    """Return a noun for one thing, with its article in English."""
    if speech.lang == "ja":
        return noun
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0].lower() in 'aeio' else 'a'} {noun}"


def capital(text: str) -> str:
    """Capitalise the first letter only."""
    return text[:1].upper() + text[1:]
