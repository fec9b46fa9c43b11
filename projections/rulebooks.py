"""Games and rulebooks under one ruleset: whole, by clause, by number."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from domain.law.clause import Clause
from domain.law.game import Deck, Game
from domain.law.rulebook import Rulebook, value_text
from domain.law.slots import Action, slots, verb
from domain.words import LANGS, Lang, Message, say


class GameListing(Struct, frozen=True):
    """A game with its editions, frames, decks and pools."""

    game: str
    title: Message
    versions: tuple[str, ...]
    frames: tuple[str, ...]
    frames_of: dict[str, tuple[str, ...]]
    change_notes: Mapping[str, Mapping[str, Any]]
    seats: tuple[str, ...]
    clauses: int
    decks: Mapping[str, Deck]
    pools: Mapping[str, str]


class ClauseText(Struct, frozen=True):
    clause: str
    kind: str
    en: str
    ja: str
    revisions: tuple[str, ...]


class VerbSlot(Struct, frozen=True):
    """A slot of an action, with its allowed areas and words if restricted."""

    slot: str
    kind: str
    areas: tuple[str, ...] | UnsetType = UNSET
    words: tuple[str, ...] | UnsetType = UNSET


class Verb(Struct, frozen=True):
    verb: str
    en: str
    ja: str
    slots: tuple[VerbSlot, ...]


class RulesetOption(Struct, frozen=True):
    """An option with its current value and its possible values."""

    option: str
    row: str
    tier: int
    value: str
    values: tuple[str, ...]
    not_offered: tuple[str, ...]


class Number(Struct, frozen=True):
    """A number or an option in force: its source, its name and the meaning of its value, in both languages."""

    key: str
    value: Any
    row: str
    clauses: tuple[str, ...]
    en: str
    ja: str


class Book(Struct, frozen=True):
    game: str
    version: str
    versions: tuple[str, ...]
    frames: tuple[str, ...]
    rules: dict[str, Any]
    chapters: Mapping[str, Message]
    clauses: tuple[ClauseText, ...]
    verbs: tuple[Verb, ...]
    options: tuple[RulesetOption, ...]
    numbers: tuple[Number, ...]


def list_game(game: Game) -> GameListing:
    return GameListing(
        game=game.key,
        title=game.rulebook.title,
        versions=tuple(game.versions),
        frames=tuple(game.regulations),
        frames_of={version: tuple(game.regulations_in(version)) for version in game.versions},
        change_notes=game.change_notes,
        seats=tuple(game.seats(next(iter(game.versions.values())))),
        clauses=len(game.rulebook.clauses),
        decks=game.named_decks(),
        pools={} if game.pools is None else game.pools.published,
    )


def describe_rulebook(game: Game, version: str, values: dict[str, object]) -> Book:
    """Return the whole rulebook with these values in force."""
    book, numbers = game.rulebook, list_numbers(game, values)
    in_force = {number.key: value_text(number.value) for number in numbers}
    return Book(
        game=game.key,
        version=version,
        versions=tuple(game.versions),
        frames=tuple(game.regulations),
        rules=values,
        chapters=book.chapters,
        clauses=tuple(describe_clause(game, clause, values) for clause in book.clauses),
        verbs=tuple(_describe_verb(game, action) for action in list_playable_actions(game)),
        options=tuple(
            RulesetOption(option.key, option.row, option.tier, in_force[option.key], option.values, option.unoffered)
            for option in game.options
        ),
        numbers=numbers,
    )


def describe_clause(game: Game, clause: Clause, values: dict[str, object]) -> ClauseText:
    """Return a clause with these values in force."""
    entry = game.rulebook.clauses[clause]
    en, ja = (game.rulebook.sentence(clause, lang, values) for lang in LANGS)
    return ClauseText(entry.id, entry.kind, en, ja, entry.revisions)


def find_clause(game: Game, text: str) -> Clause | None:
    """Return the clause of an id, or of chapter and number alone; None if there is none."""
    wanted = text.strip().upper()
    book = game.rulebook.clauses
    return next((clause for clause in book if wanted in (clause.upper(), clause.upper().partition("-")[2])), None)


def list_numbers(game: Game, values: dict[str, object]) -> tuple[Number, ...]:
    """Return every number and option of a ruleset: first the numbers in its order, then the options."""
    book, options = game.rulebook, {option.key: option for option in game.options}
    numbers = {key: value for key, value in values.items() if key not in options}
    option_values = {key: values.get(key, option.values[0]) for key, option in options.items()}

    def number(key: str, value: object) -> Number:
        citing = tuple(clause.id for clause in book.clauses.values() if "{" + key + "}" in clause.en + clause.ja)
        en, ja = (_meaning(book, key, value, lang) for lang in LANGS)
        return Number(key, value, options[key].row if key in options else "", citing, en, ja)

    return tuple(number(key, value) for key, value in {**numbers, **option_values}.items())


def list_playable_actions(game: Game) -> list[type[Action]]:
    """Return the action types of a game, without those that only record an attempt at an illegal verb."""
    return [action for action in game.action_types if action not in game.other_verbs.values()]


def _meaning(book: Rulebook, key: str, value: object, lang: Lang) -> str:
    meaning, value_meaning = book.word(key, lang), book.setting(key, value, lang)
    return (
        meaning if value_meaning == value_text(value) else say("format.within", lang, where=meaning, what=value_meaning)
    )


def _describe_verb(game: Game, action: type[Action]) -> Verb:
    en, ja = (game.rulebook.word(verb(action), lang) for lang in LANGS)
    named_slots = ((named.name, named.slot) for named in slots(action))
    verb_slots = tuple(
        VerbSlot(name, slot.kind, slot.areas or UNSET, slot.words or UNSET) for name, slot in named_slots
    )
    return Verb(verb(action), en, ja, verb_slots)
