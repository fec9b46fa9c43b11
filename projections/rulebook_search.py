"""Search in a rulebook: clauses, actions, numbers, cards and words, in both languages."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from unicodedata import normalize

from msgspec import Struct

from domain.formats.errors import CLOSE_MAX
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.slots import verb
from domain.words import LANGS
from projections.rulebooks import list_numbers

LIST_VALUES_SHOWN_MAX = 8
NEAREST_MAX = 3
"""Maximum number of searches to suggest if there are no hits."""
_WORD = re.compile(r"[a-z][a-z0-9_'-]+|[ァ-ヶー]{2,}|[々一-龠]{2,}")


class Hit(Struct, frozen=True):
    """A search hit: its kind, its id, and its text in both languages."""

    kind: str
    id: str
    en: str
    ja: str


def find_words(game: Game, values: dict[str, object], words: str) -> tuple[Hit, ...]:
    """Return the clauses, actions, numbers, cards and words of a game that contain all these words."""
    return _filter_hits(_texts(game, values), _fold(words).split())


def suggest_searches(game: Game, values: dict[str, object], words: str) -> tuple[str, ...]:
    """Return similar searches with hits, for a search without any."""
    texts, wanted = _texts(game, values), _fold(words).split()
    vocabulary = sorted({word for _, text in texts for word in _WORD.findall(text)})
    nearest: list[str] = []
    for word in wanted:
        known = any(word in text for _, text in texts)
        close = () if known or len(word) > CLOSE_MAX else get_close_matches(word, vocabulary, n=1)
        nearest += [word] if known else close
    together = " ".join(nearest)
    suggestions = dict.fromkeys((together, *nearest))
    return tuple(way for way in suggestions if way and way != " ".join(wanted) and _filter_hits(texts, way.split()))[
        :NEAREST_MAX
    ]


def printed_cards(game: Game) -> list[str]:
    return [face for face in game.faces() if game.display.card(face, "en")]


def short_value(value: object) -> str:
    """Return a value of a ruleset as text; a long list is cut."""
    if not isinstance(value, list):
        return value_text(value)
    more = ["..."] if len(value) > LIST_VALUES_SHOWN_MAX else []
    return ",".join([*map(value_text, value[:LIST_VALUES_SHOWN_MAX]), *more])


def _fold(text: str) -> str:
    return normalize("NFKC", text).casefold()


def _texts(game: Game, values: dict[str, object]) -> list[tuple[Hit, str]]:
    return [(hit, _fold(f"{hit.id} {hit.en} {hit.ja}")) for hit in _list_hits(game, values)]


def _filter_hits(texts: list[tuple[Hit, str]], wanted: list[str]) -> tuple[Hit, ...]:
    return tuple(hit for hit, text in texts if wanted and all(word in text for word in wanted))


def _list_hits(game: Game, values: dict[str, object]) -> Iterator[Hit]:
    book = game.rulebook
    for clause in book.clauses:
        yield Hit("clause", clause, book.sentence(clause, "en", values), book.sentence(clause, "ja", values))
    verbs = [*map(verb, game.action_types)]
    yield from (Hit("verb", code, book.word(code, "en"), book.word(code, "ja")) for code in verbs)
    numbers = list_numbers(game, values)
    for number in numbers:
        yield Hit("number", f"{number.key}={short_value(number.value)} {number.row}".strip(), number.en, number.ja)
    cards = printed_cards(game)
    for face in cards:
        yield Hit("card", face, *("\n".join(game.display.card(face, lang)) for lang in LANGS))
    known = {*verbs, *cards, *(number.key for number in numbers)}
    for code, word in book.words.items():
        if code not in known and "=" not in code:
            yield Hit("word", code, word.en, word.ja)
