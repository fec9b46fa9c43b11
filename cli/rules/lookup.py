"""Looking things up in a rulebook: a clause or a card by what people call it, a number by its key, a word anywhere."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from cli.context import Desk
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.slots import verb
from domain.words import LANGS, Lang
from projections.rulebooks import list_numbers


class Hit(Struct, frozen=True):
    """Something of a rulebook in which a word stands: what kind of thing, its id, and its text in both languages."""

    kind: str
    id: str
    en: str
    ja: str


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
    told = list_numbers(game, values)
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
    told = [(number, desk.pick(number.en, number.ja)) for number in list_numbers(game, values)]
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
