"""Looking things up in a rulebook: a clause or a card by what people call it, a number by its key, a word anywhere."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cli.context import Desk
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulebook import Rulebook, value_text
from domain.law.slots import verb
from domain.words import LANGS, Lang, say


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
    return next((clause for clause in book if wanted in (clause.upper(), clause.upper().partition("-")[2])), None)


def printed(game: Game) -> list[str]:
    """The cards that have a text of their own."""
    return [face for face in game.faces() if game.display.card(face, "en")]


def cards_of(game: Game, text: str) -> tuple[str, ...]:
    """The cards that may be meant: by face, by name in either language, or by how a name begins."""
    cards = printed(game)
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
    book, options = game.rulebook, {option.key: option for option in game.options}
    own = {key: value for key, value in values.items() if key not in options}
    set_so = {key: values.get(key, option.values[0]) for key, option in options.items()}

    def number(key: str, value: Any) -> Number:
        citing = tuple(clause.id for clause in book.clauses.values() if "{" + key + "}" in clause.en + clause.ja)
        en, ja = (_meaning(book, key, value, lang) for lang in LANGS)
        return Number(key, value, options[key].row if key in options else "", citing, en, ja)

    return tuple(number(key, value) for key, value in {**own, **set_so}.items())


def _meaning(book: Rulebook, key: str, value: Any, lang: Lang) -> str:
    meaning, says = book.word(key, lang), book.setting(key, value, lang)
    return meaning if says == value_text(value) else say("format.within", lang, where=meaning, what=says)


def search(game: Game, values: dict[str, Any], words: str) -> tuple[Hit, ...]:
    """Where all these words stand: in clauses, actions, numbers, cards and the game's own words."""
    wanted = words.casefold().split()
    texts = ((hit, f"{hit.id} {hit.en} {hit.ja}".casefold()) for hit in _all(game, values))
    return tuple(hit for hit, text in texts if wanted and all(word in text for word in wanted))


def _all(game: Game, values: dict[str, Any]) -> Iterator[Hit]:
    book = game.rulebook
    for clause in book.clauses:
        yield Hit("clause", clause, book.sentence(clause, "en", values), book.sentence(clause, "ja", values))
    verbs = [*map(verb, game.action_types)]
    yield from (Hit("verb", code, book.word(code, "en"), book.word(code, "ja")) for code in verbs)
    told = numbers(game, values)
    for number in told:
        yield Hit("number", f"{number.key}={_short(number.value)} {number.row}".strip(), number.en, number.ja)
    cards = printed(game)
    for face in cards:
        yield Hit("card", face, *("\n".join(game.display.card(face, lang)) for lang in LANGS))
    known = {*verbs, *cards, *(number.key for number in told)}
    for code, word in book.words.items():
        if code not in known and "=" not in code:
            yield Hit("word", code, word.en, word.ja)


def draw_search(desk: Desk, hits: tuple[Hit, ...], words: str) -> None:
    """What was found, one line each; a card with its text below its name."""
    if not hits:
        desk.tell("rulebook.nothing", words=repr(words))
    for hit in hits:
        first, *more = desk.pick(hit.en, hit.ja).split("\n")
        head = desk.say("rulebook.hit", kind=desk.say(f"hit.{hit.kind}"), id=hit.id)
        desk.screen.line(f"{head}  {first}", "clause" if hit.kind == "clause" else "")
        for line in more:
            desk.screen.line(f"  {line}")


def draw_numbers(desk: Desk, game: Game, values: dict[str, Any]) -> None:
    """The numbers and options in force: what each is, what may stand there, what it means and which clauses say so."""
    offered = {option.key: " ".join(option.values) for option in game.options}
    told = [(number, desk.pick(number.en, number.ja)) for number in numbers(game, values)]
    desk.screen.line()
    desk.tell("rulebook.numbers", "heading")
    own = [(n.key, _short(n.value), " ".join(n.clauses) or "-", meaning) for n, meaning in told if not n.row]
    desk.table(("option", "value", "clauses_of", "meaning"), own, drop=(2,))
    desk.screen.line()
    desk.tell("rulebook.options", "heading")
    options = [(n.row, n.key, value_text(n.value), offered[n.key], meaning) for n, meaning in told if n.row]
    desk.table(("row", "option", "value", "values", "meaning"), options, drop=(3, 0))


LIST_MAX = 8
"""So many values of a list are shown."""


def _short(value: Any) -> str:
    if not isinstance(value, list):
        return value_text(value)
    more = ["..."] if len(value) > LIST_MAX else []
    return ",".join([*map(value_text, value[:LIST_MAX]), *more])
