"""Printed values of characters, computed independently of the game code."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from domain.games.dea import meaning as M, schema as S, table_queries as R, text as T
from domain.games.dea.cards import POOLS, card
from domain.games.dea.rules import Rules
from domain.law.pools import PoolId
from domain.table.table import CardId, Effect, Seat, Table, same, zone

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
BACK_TWICE: Final = frozenset(((0, -1), (1, -1), (-1, -1)))
"""The reverse Y in its literal reading."""


class Passive(NamedTuple):
    """Static ability in force: its source, the writer it belongs to, and its text."""

    source: CardId
    by: Seat
    said: T.Static


@cache
def readable(pool: PoolId) -> bool:
    """True if all static abilities of the pool depend on nothing but a home area."""
    return all(
        isinstance(condition, M.InHome)
        for words in POOLS.held[pool].values()
        for ability in _passives(words)
        for condition in ability.only_while
    )


def _passives(words: T.Card) -> Iterator[T.Static]:
    for ability in words.abilities:
        inner = ability.abilities if isinstance(ability, T.Field) else (ability,)
        yield from (each for each in inner if isinstance(each, T.Static))


def kind(rules: Rules, t: Table, one: CardId) -> T.CardType:
    """Return the type of a card. An unknown card is a gimmick."""
    return card(rules.cards, t.pieces[one].face).type


def stands(t: Table, one: CardId) -> bool:
    return zone(t.pieces[one].place) == S.MAP


def standing(t: Table) -> tuple[CardId, ...]:
    return tuple(one for one, piece in t.pieces.items() if zone(piece.place) == S.MAP)


def lying_on(t: Table, one: CardId, sort: str) -> tuple[Effect, ...]:
    """Return the effects of a sort on a character, oldest first."""
    return tuple(e for e in t.effects if e.kind == sort and any(on.card == one and same(t, on) for on in e.on))


# -- what is in force -------------------------------------------------------------------------------------------------


def in_force(rules: Rules, t: Table) -> Iterator[Passive]:
    for one, piece in t.pieces.items():
        area = zone(piece.place)
        if area == S.WORN or (area == S.MAP and not (rules.seal_scope == "all" and sealed(rules, t, one))):
            words = card(rules.cards, piece.face)
            yield from (Passive(one, piece.owner, each) for each in words.abilities if isinstance(each, T.Static))
    for field in t.effects:
        if field.kind == S.FIELD:
            yield from (Passive(field.source.card, field.by, each) for each in _passives(card(rules.cards, field.face)))


def sealed(rules: Rules, t: Table, one: CardId) -> bool:
    """True if a seal on the character works. Its own text or its equipment may prevent that."""
    if not lying_on(t, one, S.SEAL):
        return False
    sources = (one, *(worn for worn, piece in t.pieces.items() if piece.host == one))
    mods = [
        mod for source in sources for each in _passives(card(rules.cards, t.pieces[source].face)) for mod in each.mods
    ]
    return not any(isinstance(mod, T.Has) and mod.name == "unsealable" for mod in mods)


def concerned(rules: Rules, t: Table, works: Passive, one: CardId) -> bool:
    """True if a static ability applies to the character."""
    bearer = t.pieces[works.source].host or works.source
    on = works.said.on
    if isinstance(on, M.Chars):
        is_own = t.pieces[one].owner == works.by
        applies = {"own": is_own, "other_own": is_own and one != bearer, "enemy": not is_own, "any": True}[on.whose]
        applies = applies and (on.adjacent is None or distance(t, one, bearer) == 1)
        applies = applies and (not on.equipped or any(piece.host == one for piece in t.pieces.values()))
        applies = applies and (not on.in_battle or one in fighting(t))
    else:
        applies = (on == "self" and one == works.source) or (on == "wearer" and one == bearer)
    return applies and all(_at_home(rules, t, bearer, works.by, condition) for condition in works.said.only_while)


def _at_home(rules: Rules, t: Table, bearer: CardId, by: Seat, condition: M.AnyCondition) -> bool:
    assert isinstance(condition, M.InHome)
    row = row_of(t, bearer)
    lowest = by == R.SEATS[0] if condition.whose == "own" else by != R.SEATS[0]
    return row <= rules.home if lowest else row > rules.home + rules.centre


def distance(t: Table, one: CardId, other: CardId) -> int:
    """Return the distance in king's moves, 0 if one of them is not on the map."""
    if not (stands(t, one) and stands(t, other)):
        return 0
    here, there = R.square_of_char(t, one), R.square_of_char(t, other)
    return max(abs(here.column - there.column), abs(here.row - there.row))


def row_of(t: Table, one: CardId) -> int:
    return R.square_of_char(t, one).row


def fighting(t: Table) -> tuple[CardId, ...]:
    return tuple(obj.card for item in (*t.stack, *t.running) if item.kind == "attack" for obj in item.objs)


# -- what it comes to -------------------------------------------------------------------------------------------------


def value(rules: Rules, t: Table, one: CardId, which: M.Value) -> int:
    """Return attack or defence: the printed number plus static abilities and effects."""
    words = card(rules.cards, t.pieces[one].face)
    total = words.attack if which == "atk" else words.defence
    for works in in_force(rules, t):
        if concerned(rules, t, works, one):
            total += sum(mod.n for mod in works.said.mods if isinstance(mod, T.Plus) and mod.to == which)
    total += sum(R.amount_of(laid) for laid in lying_on(t, one, S.STAT) if R.word_of(laid) == which)
    return max(0, total)


def moves(rules: Rules, t: Table, one: CardId) -> int:
    twice = any(R.word_of(laid) == "double_dash" for laid in lying_on(t, one, S.KEYWORD))
    for works in in_force(rules, t):
        if concerned(rules, t, works, one):
            twice = twice or any(isinstance(mod, T.Has) and mod.name == "double_dash" for mod in works.said.mods)
    more = sum(R.amount_of(laid) for laid in lying_on(t, one, S.EXTRA_MOVE))
    return rules.moves_per_character + twice + more


def reach(rules: Rules, t: Table, one: CardId) -> frozenset[tuple[int, int]]:
    move: str = card(rules.cards, t.pieces[one].face).move
    for works in in_force(rules, t):
        if concerned(rules, t, works, one):
            move = next((mod.type for mod in works.said.mods if isinstance(mod, T.MoveIs)), move)
    for laid in lying_on(t, one, S.SET_MOVE):
        move = R.word_of(laid)
    steps = BACK_TWICE if move == "reverse_y" and rules.reverse_y == "literal" else STEPS[move]
    forward = 1 if t.pieces[one].owner == R.SEATS[0] else -1
    return frozenset((forward * column, forward * row) for column, row in steps)
