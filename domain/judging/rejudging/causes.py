"""Causes of a rejudged difference: changed fields of the rules that make a difference on their own."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain.judging.rejudging.rejudge import rejudge
from domain.law.entries import Entry, faces
from domain.law.game import Game, R
from domain.law.pools import face_of, key_of
from domain.law.rulesets import RulesetError, load, pool_of, values, with_pool
from domain.law.slots import A
from domain.words import LANGS, Message

CauseKind = Literal["rule", "option", "number", "card", "together", "engine"]
"""`rule`: another edition. `option`: a reading of an ambiguous clause. `number`: a number. `card`: the pool, or the
text of a card. `together`: several changes, none on its own. `engine`: the rules are unchanged, so the recording
program decided differently."""
CAUSES: tuple[CauseKind, ...] = ("rule", "option", "number", "card", "together", "engine")

Spares = Callable[[Any], bytes]
"""Function from rules to the entries that need not be decided, as `spared` of `rejudge`."""


def spare_none(rules: object) -> bytes:
    """Return no entries: all must be decided."""
    return b""


READINGS = 2
"""Options up to this tier are readings of a clause. Higher tiers are rules of other editions."""
AND = " + "


class Change(Struct, frozen=True):
    """A changed field of the rules, as encoded values, or a card with changed text. The text is None on a side where
    the card is not in the pool."""

    key: str
    kind: CauseKind
    recorded: Any
    rejudged: Any


class Cause(Struct, frozen=True, omit_defaults=True):
    """A field, or fields that change together, that cause a difference. `together` and `engine` name no field. A card
    also has its text on both sides."""

    key: str
    kind: CauseKind
    recorded: Message | None = None
    rejudged: Message | None = None


ENGINE = Cause("engine", "engine")
TOGETHER = Cause("together", "together")


def changes(game: Game[R, A], own: R, rules: R) -> tuple[Change, ...]:
    """Return the differences between two rulesets: the fields in order, then the cards."""
    before, after = values(own), values(rules)
    cards = "" if game.pools is None else game.pools.field
    fields = tuple(
        Change(key, kind_of(game, key), before[key], after[key])
        for key in before
        if key != cards and before[key] != after[key]
    )
    return (*fields, *_changed_cards(game, own, rules))


def _changed_cards(game: Game[R, A], own: R, rules: R) -> Iterator[Change]:
    if game.pools is None:
        return
    before, after = game.under(own), game.under(rules)
    for face in game.pools.changed_faces(pool_of(game, own), pool_of(game, rules)):
        yield Change(key_of(face), "card", _text(before, face), _text(after, face))


def _text(game: Game, face: str) -> Message | None:
    en, ja = ("\n".join(game.display.card(face, lang)) for lang in LANGS)
    return Message(en, ja) if en else None


def kind_of(game: Game, key: str) -> CauseKind:
    """Return the kind of a change of this field."""
    option = next((declared for declared in game.options if declared.key == key), None)
    if option is not None and not option.numbers:
        return "option" if option.tier <= READINGS else "rule"
    rules_type: type[Struct] = game.rules_type
    hint = _hints(rules_type)[key]
    if hint is int or int in get_args(hint):
        return "number"
    return "card" if get_origin(hint) is tuple else "rule"


@cache
def _hints(rules_type: type[Struct]) -> dict[str, Any]:
    """Return the type of each field by key. Cached because each verdict of a corpus needs it."""
    hints = get_type_hints(rules_type)
    return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(rules_type)}


def causes(
    game: Game[R, A],
    entries: Sequence[Entry],
    own: R,
    rules: R,
    *,
    sound: bool = False,
    spares: Spares = spare_none,
) -> tuple[Cause, ...]:
    """Return the causes of a match not being identical under `rules`.

    `own` are the rules under which the match is identical. This is checked unless `sound` is True. `spares` gives, for
    any rules, the entries that need not be decided.
    """
    named = {None, *faces(entries)}
    differing = [change for change in changes(game, own, rules) if face_of(change.key) in named]
    if not differing or not (sound or _is_identical(game, entries, own, spares)):
        return (ENGINE,)
    if len(differing) == 1:
        return (_cause(differing[0]),)
    alone = [(_cause(change), _apply_changes(game, own, rules, (change,))) for change in differing]
    dependent = tuple(change for change, (_, changed) in zip(differing, alone, strict=True) if changed is None)
    if len(dependent) == len(differing):
        return (TOGETHER,)
    if dependent:
        key = AND.join(change.key for change in dependent)
        alone.append((Cause(key, dependent[0].kind), _apply_changes(game, own, rules, dependent)))
    causing = tuple(
        cause for cause, changed in alone if changed is not None and not _is_identical(game, entries, changed, spares)
    )
    return causing or (TOGETHER,)


def changed_cards(game: Game[R, A], own: R, rules: R) -> tuple[Cause, ...]:
    """Return the cards whose text changes, even if it makes no difference."""
    return tuple(map(_cause, _changed_cards(game, own, rules)))


def _cause(change: Change) -> Cause:
    if face_of(change.key) is None:
        return Cause(change.key, change.kind)
    return Cause(change.key, change.kind, change.recorded, change.rejudged)


def _apply_changes(game: Game[R, A], own: R, rules: R, some: Sequence[Change]) -> R | None:
    """Return the rules with some fields or cards changed; None if the result contradicts itself."""
    cards = [face for change in some if (face := face_of(change.key)) is not None]
    fields = {change.key: change.rejudged for change in some if face_of(change.key) is None}
    try:
        changed = load(game, values(own) | fields)
    except RulesetError:
        return None
    if game.pools is None or not cards:
        return changed
    return with_pool(game, changed, game.pools.mix(pool_of(game, own), pool_of(game, rules), cards))


def _is_identical(game: Game[R, A], entries: Sequence[Entry], rules: R, spares: Spares) -> bool:
    return rejudge(game, entries, rules, spared=spares(rules)).kind == "identical"
