"""Targets: the clause that a target breaks, the candidates, and the values that an action names."""

from collections.abc import Iterator
from typing import Final, assert_never

from domain.games.skillbook import board as B, clauses as C, meaning as M, progress as P, table_queries as R
from domain.games.skillbook.notions import TargetContext
from domain.games.skillbook.ranges import BLOCKED, TOO_FAR, area, is_allowed_length, is_path, range_position
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import EffectsInForce, find_prohibitions, fits_apart_from_range
from domain.law.actions import NO_FRAME, NO_PLACE
from domain.law.clause import Clause
from domain.parts.squares import Square
from domain.table.table import CardId, FrameId, Place, Table

Value = CardId | Square | FrameId


def find_target_violation(
    rules: Rules, t: Table, aim: TargetContext, target: M.AnyTarget, value: Value | None, chosen: tuple[CardId, ...]
) -> Clause | None:
    """Return the first clause that a target breaks, or None: its description, a ban, its distance, an obstruction."""
    match target:
        case M.UnitTarget(of=units):
            card = CardId(value) if isinstance(value, int) else CardId(0)
            start = _start(t, aim, units.range, chosen)
            is_repeat = units.different and card in chosen
            if is_repeat or not fits_apart_from_range(rules, t, units, card, aim.you, start):
                return C.SUITABLE_TARGET
            guarded = aim.is_skill and R.owner(t, card) != aim.you
            if guarded and find_prohibitions(
                rules, t, EffectsInForce(rules, t), "be_targeted_by_opponent_skills", card
            ):
                return C.CANNOT_WINS
            return _in_range(rules, t, units.range, start, R.square(t, card))
        case M.SquareTarget(range=range, neutral=neutral):
            if not isinstance(value, Square) or value not in B.board(rules.size):
                return C.SUITABLE_TARGET
            if R.unit_at(t, value) is not None or (neutral and not B.is_neutral(rules, value)):
                return C.SUITABLE_TARGET
            return _in_range(rules, t, range, _start(t, aim, range, chosen), value)
        case M.TerrainTarget(range=range):
            card = CardId(value) if isinstance(value, int) else CardId(0)
            if not _is_terrain(rules, t, aim, target, card):
                return C.SUITABLE_TARGET
            return _in_range(rules, t, range, _start(t, aim, range, chosen), R.square(t, card))
        case M.ItemTarget():
            item = P.item(t, value) if isinstance(value, int) else None
            return None if item is not None and item.kind == "skill" else C.SUITABLE_TARGET
        case _:
            assert_never(target)


def _start(t: Table, aim: TargetContext, range: M.Range, chosen: tuple[CardId, ...]) -> Square | None:
    match range.of:
        case "start":
            return aim.origin
        case "target":
            return R.square(t, chosen[0]) if chosen and R.is_unit(t, chosen[0]) else None
        case "last_square":
            return aim.last
        case _:
            assert_never(range.of)


_RANGE: Final = {TOO_FAR: C.LINE, BLOCKED: C.OBSTRUCTED}


def _in_range(rules: Rules, t: Table, range: M.Range, start: Square | None, square: Square) -> Clause | None:
    if range.reach == "any":
        return None
    return C.LINE if start is None else _RANGE.get(range_position(rules, t, range, start, square))


def _is_terrain(rules: Rules, t: Table, aim: TargetContext, target: M.TerrainTarget, card: CardId) -> bool:
    if not R.is_terrain(t, card):
        return False
    piece = t.pieces[card]
    if target.face_up is not None and piece.up != target.face_up:
        return False
    if target.own and piece.owner != aim.you:
        return False
    if target.unoccupied and R.unit_at(t, R.square(t, card)) is not None:
        return False
    return not target.name or R.printed(rules, t, card).id == target.name


def candidates(
    rules: Rules, t: Table, aim: TargetContext, target: M.AnyTarget, chosen: tuple[CardId, ...]
) -> tuple[Value, ...]:
    """Return the legal values for a target. `chosen` are the cards of the targets before it."""
    values: tuple[Value, ...]
    match target:
        case M.UnitTarget():
            values = R.units(rules, t)
        case M.SquareTarget(range=range):
            values = _squares_near(rules, t, aim, range, chosen)
        case M.TerrainTarget():
            values = tuple(
                terrain for square in B.board(rules.size) if (terrain := R.terrain_at(t, square)) is not None
            )
        case M.ItemTarget():
            values = tuple(item.id for item in t.stack)
        case _:
            assert_never(target)
    return tuple([value for value in values if find_target_violation(rules, t, aim, target, value, chosen) is None])


def _squares_near(
    rules: Rules, t: Table, aim: TargetContext, range: M.Range, chosen: tuple[CardId, ...]
) -> tuple[Square, ...]:
    start = _start(t, aim, range, chosen)
    if range.reach == "any":
        return B.board(rules.size)
    return () if start is None else tuple(sorted(area(rules.size, start, range.n), key=lambda square: square[::-1]))


def is_card(target: M.AnyTarget) -> bool:
    return isinstance(target, M.UnitTarget | M.TerrainTarget)


def target_sets(
    rules: Rules, t: Table, aim: TargetContext, targets: tuple[M.AnyTarget, ...], chosen: tuple[CardId, ...] = ()
) -> Iterator[tuple[Value, ...]]:
    """Yield every legal set of targets, in printed order."""
    if not targets:
        yield ()
        return
    for value in candidates(rules, t, aim, targets[0], chosen):
        cards = (*chosen, CardId(value)) if is_card(targets[0]) and isinstance(value, int) else chosen
        for others in target_sets(rules, t, aim, targets[1:], cards):
            yield (value, *others)


def is_aimable(rules: Rules, t: Table, aim: TargetContext, targets: tuple[M.AnyTarget, ...]) -> bool:
    return next(target_sets(rules, t, aim, targets), None) is not None


def named_values(
    targets: tuple[M.AnyTarget, ...], cards: tuple[CardId, ...], square: Place, item: FrameId
) -> list[Value | None] | None:
    """Return the value that an action names for each target, or None if the action names too many values."""
    remaining = list(cards)
    values: list[Value | None] = []
    kinds = [type(target) for target in targets]
    for target in targets:
        match target:
            case M.UnitTarget() | M.TerrainTarget():
                values.append(remaining.pop(0) if remaining else None)
            case M.SquareTarget():
                values.append(B.square_at(square))
            case M.ItemTarget():
                values.append(item or None)
            case _:
                assert_never(target)
    has_extra = (square != NO_PLACE and M.SquareTarget not in kinds) or (item != NO_FRAME and M.ItemTarget not in kinds)
    return None if remaining or has_extra else values


def find_targets_violation(
    rules: Rules, t: Table, aim: TargetContext, targets: tuple[M.AnyTarget, ...], values: list[Value | None] | None
) -> Clause | None:
    if values is None:
        return C.SUITABLE_TARGET
    chosen: tuple[CardId, ...] = ()
    for target, value in zip(targets, values, strict=True):
        violation = find_target_violation(rules, t, aim, target, value, chosen)
        if violation is not None:
            return violation
        if is_card(target) and isinstance(value, int):
            chosen = (*chosen, CardId(value))
    return None


def find_path_violation(
    rules: Rules, origin: Square | None, path: tuple[Square, ...], target: Square, n: int
) -> Clause | None:
    if origin is None or not is_path(origin, path, target):
        return C.DECLARED_PATH
    if len(path) > n:
        return C.LINE
    return None if is_allowed_length(rules, origin, path, target) else C.DECLARED_PATH
