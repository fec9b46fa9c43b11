"""Printed values of characters, computed independently of the game code."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from domain.games.dea import card_vocabulary as M, schema as S, table_queries as R, text as T
from domain.games.dea.cards import POOLS, card
from domain.games.dea.rules import Rules
from domain.law.pools import PoolId
from domain.table.table import CardId, Effect, Seat, Table, is_same_object, zone

STRAIGHT: Final = frozenset(((0, 1), (0, -1), (1, 0), (-1, 0)))
SLANTING: Final = frozenset(((1, 1), (-1, 1), (1, -1), (-1, -1)))
STEPS: Final = {
    "cross": STRAIGHT,
    "x": SLANTING,
    "y": frozenset(((0, -1), (1, 1), (-1, 1))),
    "reverse_y": frozenset(((0, 1), (1, -1), (-1, -1))),
    "all": STRAIGHT | SLANTING,
    "none": frozenset[tuple[int, int]](),
}
"""Offsets to the right and forward, from the side of the writer at row 1."""
LITERAL_REVERSE_Y: Final = frozenset(((0, -1), (1, -1), (-1, -1)))
"""The reverse Y in its literal reading."""


class Passive(NamedTuple):
    """Active static ability: its source, the writer it belongs to, and its text."""

    source: CardId
    by: Seat
    ability: T.Static


@cache
def has_simple_statics(pool: PoolId) -> bool:
    """True if all static abilities of the pool depend on nothing but a home area."""
    return all(
        isinstance(condition, M.InHome)
        for printed in POOLS.cards_by_pool[pool].values()
        for ability in _passives(printed)
        for condition in ability.only_while
    )


def _passives(printed: T.Card) -> Iterator[T.Static]:
    for ability in printed.abilities:
        inner = ability.abilities if isinstance(ability, T.Field) else (ability,)
        yield from (each for each in inner if isinstance(each, T.Static))


def kind(rules: Rules, t: Table, card_id: CardId) -> T.CardType:
    """Return the type of a card. An unknown card is a gimmick."""
    return card(rules.cards, t.pieces[card_id].face).type


def stands(t: Table, card_id: CardId) -> bool:
    return zone(t.pieces[card_id].place) == S.MAP


def standing(t: Table) -> tuple[CardId, ...]:
    return tuple(card_id for card_id, piece in t.pieces.items() if zone(piece.place) == S.MAP)


def lying_on(t: Table, card_id: CardId, effect_kind: str) -> tuple[Effect, ...]:
    """Return the effects of a kind on a character, oldest first."""
    return tuple(
        effect
        for effect in t.effects
        if effect.kind == effect_kind and any(on.card == card_id and is_same_object(t, on) for on in effect.on)
    )


# -- active static abilities ------------------------------------------------------------------------------------------


def in_force(rules: Rules, t: Table) -> Iterator[Passive]:
    for card_id, piece in t.pieces.items():
        area = zone(piece.place)
        if area == S.WORN or (area == S.MAP and not (rules.seal_scope == "all" and sealed(rules, t, card_id))):
            printed = card(rules.cards, piece.face)
            yield from (Passive(card_id, piece.owner, each) for each in printed.abilities if isinstance(each, T.Static))
    for field in t.effects:
        if field.kind == S.FIELD:
            yield from (Passive(field.source.card, field.by, each) for each in _passives(card(rules.cards, field.face)))


def sealed(rules: Rules, t: Table, character: CardId) -> bool:
    """True if a seal affects the character. Its own text or its equipment may prevent that."""
    if not lying_on(t, character, S.SEAL):
        return False
    sources = (character, *(worn for worn, piece in t.pieces.items() if piece.host == character))
    mods = [
        mod for source in sources for each in _passives(card(rules.cards, t.pieces[source].face)) for mod in each.mods
    ]
    return not any(isinstance(mod, T.Has) and mod.name == "unsealable" for mod in mods)


def concerned(rules: Rules, t: Table, active: Passive, character: CardId) -> bool:
    """True if a static ability applies to the character."""
    bearer = t.pieces[active.source].host or active.source
    on = active.ability.on
    if isinstance(on, M.CharacterFilter):
        is_own = t.pieces[character].owner == active.by
        owner_fits = {"own": is_own, "other_own": is_own and character != bearer, "enemy": not is_own, "any": True}
        applies = owner_fits[on.whose] and (on.adjacent is None or distance(t, character, bearer) == 1)
        applies = applies and (not on.equipped or any(piece.host == character for piece in t.pieces.values()))
        applies = applies and (not on.in_battle or character in fighting(t))
    else:
        applies = (on == "self" and character == active.source) or (on == "wearer" and character == bearer)
    return applies and all(_at_home(rules, t, bearer, active.by, condition) for condition in active.ability.only_while)


def _at_home(rules: Rules, t: Table, bearer: CardId, by: Seat, condition: M.AnyCondition) -> bool:
    assert isinstance(condition, M.InHome)
    row = row_of(t, bearer)
    lowest = by == R.SEATS[0] if condition.whose == "own" else by != R.SEATS[0]
    return row <= rules.home if lowest else row > rules.home + rules.centre


def distance(t: Table, character: CardId, other: CardId) -> int:
    """Return the distance in king's moves, 0 if one of them is not on the map."""
    if not (stands(t, character) and stands(t, other)):
        return 0
    square, other_square = R.square_of_char(t, character), R.square_of_char(t, other)
    return max(abs(square.column - other_square.column), abs(square.row - other_square.row))


def row_of(t: Table, character: CardId) -> int:
    return R.square_of_char(t, character).row


def fighting(t: Table) -> tuple[CardId, ...]:
    return tuple(obj.card for item in (*t.stack, *t.running) if item.kind == "attack" for obj in item.objs)


# -- current values ---------------------------------------------------------------------------------------------------


def stat_value(rules: Rules, t: Table, character: CardId, which: M.Value) -> int:
    """Return attack or defence: the printed number plus static abilities and effects."""
    printed = card(rules.cards, t.pieces[character].face)
    total = printed.attack if which == "atk" else printed.defence
    for active in in_force(rules, t):
        if concerned(rules, t, active, character):
            total += sum(mod.n for mod in active.ability.mods if isinstance(mod, T.Plus) and mod.to == which)
    total += sum(R.amount_of(effect) for effect in lying_on(t, character, S.STAT) if R.word_of(effect) == which)
    return max(0, total)


def moves_allowed(rules: Rules, t: Table, character: CardId) -> int:
    has_double_dash = any(R.word_of(effect) == "double_dash" for effect in lying_on(t, character, S.KEYWORD))
    for active in in_force(rules, t):
        if concerned(rules, t, active, character):
            has_double_dash = has_double_dash or any(
                isinstance(mod, T.Has) and mod.name == "double_dash" for mod in active.ability.mods
            )
    extra = sum(R.amount_of(effect) for effect in lying_on(t, character, S.EXTRA_MOVE))
    return rules.moves_per_character + has_double_dash + extra


def reach(rules: Rules, t: Table, character: CardId) -> frozenset[tuple[int, int]]:
    move: str = card(rules.cards, t.pieces[character].face).move
    for active in in_force(rules, t):
        if concerned(rules, t, active, character):
            move = next((mod.type for mod in active.ability.mods if isinstance(mod, T.MoveIs)), move)
    for effect in lying_on(t, character, S.SET_MOVE):
        move = R.word_of(effect)
    steps = LITERAL_REVERSE_Y if move == "reverse_y" and rules.reverse_y == "literal" else STEPS[move]
    forward = 1 if t.pieces[character].owner == R.SEATS[0] else -1
    return frozenset((forward * column, forward * row) for column, row in steps)
