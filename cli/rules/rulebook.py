"""What a rulebook says: the whole of it, one clause, one card, or where a word stands."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from cli.answer import Answer
from cli.context import NAMED_MAX, Desk
from cli.rules import beside, lookup
from cli.values import Frame, Settings
from domain.formats.errors import shown, unknown
from domain.law.clause import Clause as ClauseId
from domain.law.game import Game
from domain.law.rulebook import value_text
from domain.law.rulesets import pin_cards, values
from domain.law.slots import Action, Slot, slots, verb
from domain.words import LANGS, Message

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


class ClauseText(Struct, frozen=True):
    """A clause with the numbers in force."""

    clause: str
    kind: str
    en: str
    ja: str
    revisions: tuple[str, ...]


class Named(Struct, frozen=True):
    """A slot of an action: where what it names lies, and which words may stand there, as far as that is bound."""

    slot: str
    kind: str
    areas: tuple[str, ...] | UnsetType = UNSET
    words: tuple[str, ...] | UnsetType = UNSET


class Verb(Struct, frozen=True):
    """An action that somebody may take."""

    verb: str
    en: str
    ja: str
    slots: tuple[Named, ...]


class Choice(Struct, frozen=True):
    """An option: its value in force, and what may stand there."""

    option: str
    row: str
    tier: int
    value: str
    values: tuple[str, ...]
    not_offered: tuple[str, ...]


class Book(Struct, frozen=True):
    """A whole rulebook under one ruleset."""

    game: str
    version: str
    versions: tuple[str, ...]
    frames: tuple[str, ...]
    rules: dict[str, Any]
    chapters: Mapping[str, Message]
    clauses: tuple[ClauseText, ...]
    verbs: tuple[Verb, ...]
    options: tuple[Choice, ...]
    numbers: tuple[lookup.Number, ...]


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
    return Answer(lambda: _book(played, version, numbers), lambda: _draw(desk, played, version, numbers))


def _clause_named(desk: Desk, game: Game, text: str) -> ClauseId:
    """A clause by its id. Raises Problem."""
    clause = lookup.clause_of(game, text)
    if clause is None:
        raise desk.refuse(unknown("clause", text, tuple(game.rulebook.clauses), lists=False))
    return clause


def _named(desk: Desk, game: Game, text: str, numbers: dict[str, Any]) -> Answer[ClauseText | PrintedCard]:
    """A clause or a card by its id or name."""
    clause, cards = lookup.clause_of(game, text), lookup.cards_of(game, text)
    if clause is not None:
        sentence = _sentence(game, clause, numbers)

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


def _sentence(game: Game, clause: ClauseId, numbers: dict[str, Any]) -> ClauseText:
    entry = game.rulebook.clauses[clause]
    en, ja = (game.rulebook.sentence(clause, lang, numbers) for lang in LANGS)
    return ClauseText(entry.id, entry.kind, en, ja, entry.revisions)


def _book(game: Game, version: str, numbers: dict[str, Any]) -> Book:
    book, told = game.rulebook, lookup.numbers(game, numbers)
    in_force = {number.key: value_text(number.value) for number in told}
    return Book(
        game=game.key,
        version=version,
        versions=tuple(game.versions),
        frames=tuple(game.regulations),
        rules=numbers,
        chapters=book.chapters,
        clauses=tuple(_sentence(game, clause, numbers) for clause in book.clauses),
        verbs=tuple(_verb_of(game, action) for action in _takeable(game)),
        options=tuple(
            Choice(option.key, option.row, option.tier, in_force[option.key], option.values, option.unoffered)
            for option in game.options
        ),
        numbers=told,
    )


def _verb_of(game: Game, action: type[Action]) -> Verb:
    en, ja = (game.rulebook.word(verb(action), lang) for lang in LANGS)
    bound = ((named.name, named.slot) for named in slots(action))
    own = tuple(Named(name, slot.kind, slot.areas or UNSET, slot.words or UNSET) for name, slot in bound)
    return Verb(verb(action), en, ja, own)


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
    for action in _takeable(game):
        named = " ".join(f"{named.name}:{_words(named.slot) or named.slot.kind}" for named in slots(action))
        verbs.append((verb(action), book.word(verb(action), lang), named or "-"))
    desk.table(("verb", "meaning", "slots"), verbs)
    lookup.draw_numbers(desk, game, numbers)


def _takeable(game: Game) -> list[type[Action]]:
    """The actions somebody may take: not the one that records an attempt at any other."""
    return [action for action in game.action_types if action not in game.other_verbs.values()]


def _words(slot: Slot) -> str:
    """The words of a slot; of very many the first and the last, and how many they are."""
    words = [word for word in slot.words if word]
    if len(words) <= WORDS_MAX:
        return "|".join(words)
    return f"{words[0]}|{words[1]}|…|{words[-1]} ({len(words)})"
