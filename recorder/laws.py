"""Resolve the law (game and rules) that a record is played by."""

from collections.abc import Iterator, Mapping
from typing import Final, Never

from msgspec import Struct
from msgspec.structs import replace

import domain.games
from domain.law.clause import BY_HAND
from domain.law.display import Display
from domain.law.entries import Entry, Opened
from domain.law.game import CardReading, Game
from domain.law.law import Law
from domain.law.rulebook import Rulebook
from domain.law.rulesets import RulesetError, load
from domain.law.slots import Action
from domain.words import Message, Text, listed

Games = Mapping[str, Game]


def law_of(opened: Entry, games: Games | None = None) -> Law | Text:
    """Return the game, with the card texts of that edition, and the pinned rules; or why they are unavailable."""
    if not isinstance(opened, Opened):
        return Text("match.not_opened")
    registry = _resolve_games(games)
    game = registry.get(opened.game)
    if game is None:
        if games is None and (broken := domain.games.GAMES.find_broken(opened.game)):
            return broken.text
        return Text("match.other_game", {"game": repr(opened.game), "games": listed(sorted(registry))})
    try:
        rules = load(game, opened.rules)
        return Law(game.under(rules), rules)
    except RulesetError as error:
        return error.text


def bare_law_of(opened: Opened, games: Games | None = None) -> Law:
    """Return a placeholder law for a record with an unknown law, for display only."""
    return unread_law(opened, _resolve_games(games).get(opened.game))


def _resolve_games(games: Games | None) -> Games:
    return domain.games.GAMES if games is None else games


class NoRules(Struct, frozen=True):
    """Placeholder for a ruleset that cannot be read here."""


class OpaqueAction(Action, frozen=True, tag="?"):
    """Placeholder for all actions; only their verbs are displayed."""


NO_RULES: Final = NoRules()


def unread_law(opened: Opened, known: Game | None = None) -> Law:
    """Return the seats and schema of a record as a law that decides nothing. `known` is another edition of the game.
    Its words and layout are used, but not its clauses, since their text may differ."""
    title = Message(opened.game, opened.game)
    book = Rulebook(title, {}, {}, {}) if known is None else replace(known.rulebook, clauses={}, chapters={})
    return Law(
        Game(
            key=opened.game,
            rulebook=book,
            rules_type=NoRules,
            options=(),
            versions={opened.version: NO_RULES},
            action_types=(OpaqueAction,),
            seats=lambda rules: opened.seats,
            by_hand=BY_HAND,
            schema=lambda rules: opened.schema,
            deck=_refuse,
            deck_checks=_refuse,
            set_up=_refuse,
            awaited=_refuse,
            offers=_refuse,
            checks=_refuse,
            carry_out=_refuse,
            settle=_refuse,
            resume=_refuse,
            chance=_refuse,
            readings=_read_nothing,
            display=Display() if known is None else _without_law(known.display),
            layout=(lambda: None) if known is None else known.layout,
        ),
        NO_RULES,
    )


def _without_law(display: Display) -> Display:
    """Return the display without what depends on the rules or card texts."""
    return Display(
        order=display.order,
        flags=display.flags,
        passing=display.passing,
        counters=display.counters,
        squares=display.squares,
        covering=display.covering,
    )


def _read_nothing(rules: NoRules, table: object) -> Iterator[CardReading]:
    return iter(())


def _refuse(*arguments: object) -> Never:
    raise AssertionError("a law was asked that is not known here")
