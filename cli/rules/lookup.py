"""Looking things up in a rulebook: a clause or a card by what people call it, a number by its key, a word anywhere."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cli.context import Desk
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulebook import Rulebook
from domain.words import LANGS, Lang


class Number(Struct, frozen=True):
    """A number or an option in force: where it comes from, what it is and what its value says, in both languages."""

    key: str
    value: Any
    row: str
    clauses: tuple[str, ...]
    en: str
    ja: str


class Hit(Struct, frozen=True):
    """Something of a rulebook in which a word stands: what kind of thing, its id, and its text in both languages."""

    kind: str
    id: str
    en: str
    ja: str


def clause_of(game: Game, text: str) -> Clause | None:
    """The clause that is meant: by its id, or by chapter and number alone."""
    wanted = text.strip().upper()
    book = game.rulebook.clauses
    return next((one for one in book if wanted in (one.upper(), one.upper().partition("-")[2])), None)


def cards_of(game: Game, text: str) -> tuple[str, ...]:
    """The cards that may be meant: by face, by name in either language, or by how a name begins."""
    cards = [face for face in game.faces() if game.display.card(face, "en")]
    wanted = text.strip().casefold()
    if not wanted:
        return ()
    names = {face: [name_of(game, face, lang).casefold() for lang in LANGS] for face in cards}
    exact = tuple(face for face in cards if wanted in (face.casefold(), *names[face]))
    return exact or tuple(face for face in cards if any(name.startswith(wanted) for name in names[face]))


def name_of(game: Game, face: str, lang: Lang) -> str:
    """A card's name without its id."""
    return game.rulebook.word(face, lang).removeprefix(face).strip()


def numbers(game: Game, values: dict[str, Any]) -> tuple[Number, ...]:
    """Every number and option of a ruleset: those without a row of their own first, as the ruleset has them."""
    rows = {one.key: one for one in game.options}
    found = {key: value for key, value in values.items() if key not in rows}
    found |= {key: values.get(key, one.values[0]) for key, one in rows.items()}
    return tuple(
        Number(key, value, rows[key].row if key in rows else "", _citing(game.rulebook, key), *_both(game, key, value))
        for key, value in found.items()
    )


def _citing(book: Rulebook, key: str) -> tuple[str, ...]:
    return tuple(one.id for one in book.clauses.values() if "{" + key + "}" in one.en + one.ja)


def _both(game: Game, key: str, value: Any) -> tuple[str, str]:
    en, ja = (_meaning(game.rulebook, key, value, lang) for lang in LANGS)
    return en, ja


def _meaning(book: Rulebook, key: str, value: Any, lang: Lang) -> str:
    meaning, says = book.word(key, lang), book.setting(key, value, lang)
    return meaning if says == plain(value) else f"{meaning}: {says}"


def plain(value: object) -> str:
    """A value of a ruleset as `--set` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def search(game: Game, values: dict[str, Any], words: str) -> tuple[Hit, ...]:
    """Where all these words stand: in clauses, actions, numbers, cards and the game's own words."""
    wanted = words.casefold().split()
    return tuple(one for one in _all(game, values) if wanted and all(word in _text(one) for word in wanted))


def _text(hit: Hit) -> str:
    return f"{hit.id} {hit.en} {hit.ja}".casefold()


def _all(game: Game, values: dict[str, Any]) -> Iterator[Hit]:
    book = game.rulebook
    for clause in book.clauses:
        yield Hit("clause", clause, book.sentence(clause, "en", values), book.sentence(clause, "ja", values))
    verbs = [str(one.__struct_config__.tag) for one in game.action_types]
    yield from (Hit("verb", one, book.word(one, "en"), book.word(one, "ja")) for one in verbs)
    told = numbers(game, values)
    yield from (Hit("number", f"{one.key}={_short(one.value)} {one.row}".strip(), one.en, one.ja) for one in told)
    cards = [face for face in game.faces() if game.display.card(face, "en")]
    for face in cards:
        yield Hit("card", face, *("\n".join(game.display.card(face, lang)) for lang in LANGS))
    known = {*verbs, *cards, *(one.key for one in told)}
    for code, word in book.words.items():
        if code not in known and "=" not in code:
            yield Hit("word", code, word.en, word.ja)


def draw_search(desk: Desk, hits: tuple[Hit, ...], words: str) -> None:
    """What was found, one line each; a card with its text below its name."""
    if not hits:
        desk.screen.line(desk.say("rulebook.nothing", words=repr(words)))
    for hit in hits:
        first, *more = (hit.ja if desk.lang == "ja" else hit.en).split("\n")
        head = desk.say("rulebook.hit", kind=desk.say(f"hit.{hit.kind}"), id=hit.id)
        desk.screen.line(f"{head}  {first}", "clause" if hit.kind == "clause" else "")
        for line in more:
            desk.screen.line(f"  {line}")


def draw_numbers(desk: Desk, game: Game, values: dict[str, Any]) -> None:
    """The numbers and options in force: what each is, what may stand there, what it means and which clauses say so."""
    offered = {one.key: " ".join(one.values) for one in game.options}
    told = numbers(game, values)
    for key, some in (
        ("rulebook.numbers", [one for one in told if not one.row]),
        ("rulebook.options", [one for one in told if one.row]),
    ):
        desk.screen.line()
        desk.screen.line(desk.say(key), "heading")
        own = key == "rulebook.numbers"
        heads = ("option", "value", "clauses_of", "meaning") if own else ("row", "option", "value", "values", "meaning")
        rows = [
            (one.key, _short(one.value), " ".join(one.clauses) or "-", one.ja if desk.lang == "ja" else one.en)
            if own
            else (one.row, one.key, plain(one.value), offered[one.key], one.ja if desk.lang == "ja" else one.en)
            for one in some
        ]
        drop = [heads.index(one) for one in ("values", "row", "clauses_of") if one in heads]
        desk.screen.table([desk.say(f"head.{one}") for one in heads], rows, drop)


LIST_MAX = 8
"""So many values of a list are shown."""


def _short(value: Any) -> str:
    if not isinstance(value, list):
        return plain(value)
    more = ["..."] if len(value) > LIST_MAX else []
    return ",".join([*map(plain, value[:LIST_MAX]), *more])
