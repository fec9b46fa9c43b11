"""What a rulebook says: the whole of it, one clause, one card, or where a word stands."""

from typing import Annotated, Any

from msgspec import Struct

from cli.answer import Answer
from cli.context import NAMED_MAX, Desk
from cli.rules import beside, lookup
from cli.values import Frame, Settings
from domain.formats.errors import shown, unknown
from domain.law.clause import Clause as ClauseId
from domain.law.game import Game
from domain.law.rulesets import pin_cards, values
from domain.law.slots import Slot, slots, verb
from domain.words import LANGS
from projections.rulebooks import Book, ClauseText, find_clause, list_takeable, tell_book, tell_clause

WORDS_MAX = 8
"""How many words of a slot a row of the rulebook's verbs lists."""


class Found(Struct, frozen=True):
    """Where words stand in a rulebook."""

    game: str
    version: str
    search: str
    found: tuple[lookup.Hit, ...]


class PrintedCard(Struct, frozen=True):
    """A card as it is printed in either language: its name, then its text."""

    card: str
    en: tuple[str, ...]
    ja: tuple[str, ...]


def rulebook(
    desk: Desk,
    game: Annotated[str, "GAME[@VERSION]"],
    clause: Annotated[str | None, "CLAUSE|CARD"] = None,
    frame: Frame = None,
    settings: Settings = None,
    search: Annotated[str | None, "--search WORDS"] = None,
    law: Annotated[bool, "--law"] = False,
    cases: Annotated[str | None, "--cases PATH"] = None,
) -> Answer[Book | ClauseText | PrintedCard | Found | beside.Law]:
    """A rulebook, or one clause of it, with the numbers in force; one card as it is printed; or where a word stands."""
    if search is not None and law:
        raise desk.problem("cli.not_both", one="--law", other="--search")
    if cases is not None and not law:
        raise desk.problem("cli.only_with", one="--cases", other="--law")
    key, at, version = game.partition("@")
    played = desk.game(key)
    _, version, rules = desk.rules(f"{key}@{version if at else next(iter(played.versions))}", frame, settings)
    played = played.under(pin_cards(played, rules))
    numbers = values(rules)
    if law:
        wanted = None if clause is None else _clause_named(desk, played, clause)
        return beside.show(desk, played, version, wanted, numbers, cases)
    if search is not None:
        hits = lookup.search(played, numbers, f"{clause or ''} {search}")
        return Answer(lambda: Found(played.key, version, search, hits), lambda: lookup.draw_search(desk, hits, search))
    if clause is not None:
        return _named(desk, played, clause, numbers)
    return Answer(lambda: tell_book(played, version, numbers), lambda: _draw(desk, played, version, numbers))


def _clause_named(desk: Desk, game: Game, text: str) -> ClauseId:
    """A clause by its id. Raises Problem."""
    clause = find_clause(game, text)
    if clause is None:
        raise desk.refuse(unknown("clause", text, tuple(game.rulebook.clauses), lists=False))
    return clause


def _named(desk: Desk, game: Game, text: str, numbers: dict[str, Any]) -> Answer[ClauseText | PrintedCard]:
    """A clause or a card by its id or name."""
    clause, cards = find_clause(game, text), lookup.cards_of(game, text)
    if clause is not None:
        sentence = tell_clause(game, clause, numbers)

        def draw() -> None:
            desk.screen.line(
                desk.say("law.clause", clause=sentence.clause, kind=desk.say(f"kind.{sentence.kind}")), "clause"
            )
            desk.screen.line(desk.pick(sentence.en, sentence.ja))

        return Answer(lambda: sentence, draw)
    if len(cards) == 1:
        en, ja = (tuple(game.display.card(cards[0], lang)) for lang in LANGS)
        card = PrintedCard(cards[0], en, ja)

        def draw_card() -> None:
            name, *lines = desk.pick(card.en, card.ja)
            desk.screen.line(name, "title")
            for line in lines:
                desk.screen.line(line)

        return Answer(lambda: card, draw_card)
    if cards:
        named = desk.say("list.comma").join([game.rulebook.word(face, desk.lang) for face in cards[:NAMED_MAX]])
        more = desk.say("list.comma") + "..." if len(cards) > NAMED_MAX else ""
        raise desk.problem("cli.many_cards", name=shown(text), cards=named + more)
    faces = lookup.printed(game)
    names = (lookup.name_of(game, face, lang) for face in faces for lang in LANGS)
    ways = (*game.rulebook.clauses, *faces, *names)
    raise desk.refuse(unknown("clause_or_card" if faces else "clause", text, ways, lists=False))


def _draw(desk: Desk, game: Game, version: str, numbers: dict[str, Any]) -> None:
    book, screen, lang = game.rulebook, desk.screen, desk.lang
    title = desk.pick(book.title.en, book.title.ja)
    screen.line(f"{title}  {game.key}@{version}", "title")
    for chapter, name in book.chapters.items():
        screen.line()
        screen.line(f"{chapter}  {desk.pick(name.en, name.ja)}", "heading")
        rows = [
            (clause, desk.say(f"kind.{entry.kind}"), book.sentence(clause, lang, numbers))
            for clause, entry in book.clauses.items()
            if entry.chapter == chapter
        ]
        if rows:
            desk.table(("clause", "kind", "sentence"), rows)
    screen.line()
    desk.tell("rulebook.verbs", "heading")
    verbs = []
    for action in list_takeable(game):
        named = " ".join(f"{named.name}:{_words(named.slot) or named.slot.kind}" for named in slots(action))
        verbs.append((verb(action), book.word(verb(action), lang), named or "-"))
    desk.table(("verb", "meaning", "slots"), verbs)
    lookup.draw_numbers(desk, game, numbers)


def _words(slot: Slot) -> str:
    """The words of a slot; of very many the first and the last, and how many they are."""
    words = [word for word in slot.words if word]
    if len(words) <= WORDS_MAX:
        return "|".join(words)
    return f"{words[0]}|{words[1]}|…|{words[-1]} ({len(words)})"
