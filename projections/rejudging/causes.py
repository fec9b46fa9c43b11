"""Which changed fields of the rules cause what rejudging found: changed alone, they already make a difference."""

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain.law.entries import Entry
from domain.law.game import Game
from domain.law.rulesets import RulesetError, load, values
from projections.rejudging.rejudge import rejudge

CauseKind = Literal["rule", "option", "number", "card", "together", "engine"]
"""what another edition says · a reading of an ambiguous clause · a number · the cards that are played with · several
changes, none of them alone · no change of the rules at all: the program that recorded it decided otherwise."""
CAUSES: tuple[CauseKind, ...] = ("rule", "option", "number", "card", "together", "engine")

READINGS = 2
"""Options up to this tier are readings of a clause; those above say what other editions say."""
AND = " + "


class Change(Struct, frozen=True):
    """A field of the rules that stands at other values, as they are encoded."""

    key: str
    kind: CauseKind
    recorded: Any
    rejudged: Any


class Cause(Struct, frozen=True):
    """A field, or fields that can only change together, that make a difference; `together` and `engine` name none."""

    key: str
    kind: CauseKind


ENGINE = Cause("engine", "engine")
TOGETHER = Cause("together", "together")


def changes(game: Game, own: Any, rules: Any) -> tuple[Change, ...]:
    """What differs between two rulesets, in the order of their fields."""
    before, after = values(own), values(rules)
    return tuple(
        Change(key, kind_of(game, key), before[key], after[key]) for key in before if before[key] != after[key]
    )


def kind_of(game: Game, key: str) -> CauseKind:
    """What sort of change it is if this field changes."""
    option = next((one for one in game.options if one.key == key), None)
    if option is not None and not option.numbers:
        return "option" if option.tier <= READINGS else "rule"
    names = {one.encode_name: one.name for one in msgspec.structs.fields(game.rules_type)}
    hint = get_type_hints(game.rules_type)[names[key]]
    if hint is int or int in get_args(hint):
        return "number"
    return "card" if get_origin(hint) is tuple else "rule"


def causes(game: Game, entries: Sequence[Entry], own: Any, rules: Any, *, sound: bool = False) -> tuple[Cause, ...]:
    """What causes a match to be anything but identical under these rules.

    `own` are rules under which it is identical; that is looked at unless `sound` says that it has been.
    """
    found = changes(game, own, rules)
    if not found or not (sound or _identical(game, entries, own)):
        return (ENGINE,)
    if len(found) == 1:
        return (Cause(found[0].key, found[0].kind),)
    alone = [(Cause(one.key, one.kind), _with(game, own, (one,))) for one in found]
    bound = tuple(one for one, (_, changed) in zip(found, alone, strict=True) if changed is None)
    if len(bound) == len(found):
        return (TOGETHER,)
    if bound:
        key = AND.join(one.key for one in bound)
        alone.append((Cause(key, bound[0].kind), _with(game, own, bound)))
    single = tuple(cause for cause, changed in alone if changed is not None and not _identical(game, entries, changed))
    return single or (TOGETHER,)


def _with(game: Game, own: Any, some: Sequence[Change]) -> Any:
    """The rules with some fields changed; None if the others contradict that."""
    try:
        return load(game, values(own) | {one.key: one.rejudged for one in some})
    except RulesetError:
        return None


def _identical(game: Game, entries: Sequence[Entry], rules: Any) -> bool:
    return rejudge(game, entries, rules).kind == "identical"
