"""Printed text in words: phrases in both languages, and how a struct of card text is told by them.

A struct is told by the phrase of its tag, each field in the words of its type; a game adds what is told otherwise. A
phrase may have several ways (`do.move.hand`, `do.damage.computed`): what the fields say leads to the one that is there.
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
"""How a Japanese verb ends; English does not care."""
PLAIN: Final[Form] = "plain"
TE: Final[Form] = "te"


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """One phrase in both languages, and its Japanese form before another."""

    en: str
    ja: str
    te: str = ""


Phrases = Mapping[str, Phrase]


@cache
def load_phrases(package: str) -> Phrases:
    """The phrases of a game, from its `wording.toml`."""
    raw = files(package).joinpath("wording.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomli.loads(raw), dict[str, Phrase])


class Speech(Struct, frozen=True):
    """What a text is told with: the language and the phrases. A game adds what its words depend on."""

    lang: Lang
    phrases: Phrases

    def say(self, key: str, form: Form = PLAIN, /, **values: object) -> str:
        """A phrase with its values put in."""
        phrase = self.phrases[key]
        said = phrase.en if self.lang == "en" else (phrase.te if form == TE else "") or phrase.ja
        return said.format_map(values)

    def list(self, key: str, said: Iterable[str]) -> str:
        """Several things told with a phrase between them."""
        return self.say(key).join(said)

    def series(self, key: str, said: Sequence[str]) -> str:
        """Several things in a row: a comma between them, and a phrase before the last."""
        *first, last = said
        return self.list(key, (self.list("comma", first), last)) if first else last

    def sentences(self, said: Iterable[str]) -> str:
        """A sentence for each; the first is not capitalised."""
        first, *others = said
        return self.list("stop", (first, *map(capital, others))) + self.say("end")


class FieldWording(Struct, frozen=True):
    """How a field of some type is told: its words, or the way its phrase goes; or both."""

    words: Callable[[Any, Any], str] | None = None
    way: Callable[[Any], str] | None = None


Piece = TypeVar("Piece")
Words = Mapping[Any, FieldWording]
"""How fields are told by their types. Fields of other types are told as they are."""


def describe_struct(
    piece: Struct, start: str, speech: Speech, words: Words, form: Form = PLAIN, /, **more: object
) -> str:
    """A piece of text: the phrase of its tag behind `start`, with its fields and more values put in."""
    key, values = f"{start}.{piece.__struct_config__.tag}", dict(more)
    for name, hint in _hints(type(piece)).items():
        value, told = getattr(piece, name), words.get(hint)
        way = value if told is None else told.way(value) if told.way is not None else ""
        key = _further(speech.phrases, key, way) if isinstance(way, str) and way else key
        values[name] = told.words(value, speech) if told is not None and told.words is not None else value
    return speech.say(key, form, **values)


@cache
def _hints(piece: type[Struct]) -> Mapping[str, Any]:
    return {name: hint for name, hint in get_type_hints(piece, include_extras=True).items() if name[0] != "_"}


def _further(phrases: Phrases, key: str, way: str) -> str:
    """The key with a step more, if any phrase lies that way."""
    longer = f"{key}.{way}"
    return longer if any(known == longer or known.startswith(longer + ".") for known in phrases) else key


def limits(said: Iterable[str], speech: Speech) -> str:
    """When only something may be done, behind what it is; nothing where it always may."""
    listed = speech.list("comma", said)
    return speech.say("limit", limits=listed) if listed else ""


def statement(who: str, done: str, speech: Speech) -> str:
    """What somebody does; a command where nobody is named."""
    return speech.say("does", who=who, do=done) if who else done


def forms(count: int, last: Form) -> tuple[Form, ...]:
    """The forms of so many things told one after the other."""
    return (*[TE] * (count - 1), last)


def in_turn(pieces: Iterable[Piece], word: Callable[[Piece, Form], str], last: Form = PLAIN) -> list[str]:
    """Pieces told one after the other, each before the last in the form before another."""
    listed = tuple(pieces)
    return [word(piece, form) for piece, form in zip(listed, forms(len(listed), last), strict=False)]


def by_phrase(start: str) -> FieldWording:
    """A word of card text is told by the phrase behind this."""
    return FieldWording(lambda word, speech: speech.say(f"{start}.{word}"))


def _counting(n: int) -> str:
    return "less" if n < 0 else {0: "none", 1: "one"}.get(n, "")


COUNTED: Final = FieldWording(lambda n, _: str(abs(n)), _counting)
"""A number, whose phrase has ways for none, for one and for less than none."""


def with_article(said: str, speech: Speech) -> str:
    """A noun for one thing, with its article in English."""
    if speech.lang == "ja":
        return said
    if said.startswith("other "):
        return f"an{said}"
    return f"{'an' if said[0].lower() in 'aeio' else 'a'} {said}"


def capital(said: str) -> str:
    """The same with a capital at its beginning."""
    return said[:1].upper() + said[1:]
