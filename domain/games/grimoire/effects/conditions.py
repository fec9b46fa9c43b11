"""References of an effect: its objects, players and numbers, and the test of its conditions."""

from typing import assert_never

from domain.games.grimoire import clauses as C, meaning as M, table_queries as R
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.values import is_same_in_play, select
from domain.law.clause import FrameRef, implements
from domain.law.noting import note
from domain.table.table import CardId, Frame, Obj, Seat, Table, is_same_object


def resolve_objects(t: Table, effect: Frame, ref: M.Ref) -> tuple[Obj, ...]:
    """Return the objects or cards of a reference, including those that are gone."""
    match ref:
        case "self":
            return (R.source_of(effect),)
        case "self_card":
            return (R.own_card_of(effect),)
        case "target":
            return (R.target_of(effect),)
        case "that":
            return (R.that_of(effect),)
        case "chosen" | "remembered":
            return R.chosen_of(effect)
        case "your_character":
            character = R.character(t, effect.by)
            return (R.NO_OBJ,) if character is None else (Obj(character, t.pieces[character].thing),)
        case _:
            assert_never(ref)


@implements(C.IMPOSSIBLE_IGNORED, C.TARGET_GONE)
def resolve_cards(rules: Rules, t: Table, effect: Frame, objs: M.ObjectsRef) -> tuple[CardId, ...]:
    """Return the cards of a reference or description that are still the same objects."""
    if isinstance(objs, M.Selector):
        return select(rules, t, objs, effect.by, R.source_of(effect).card, effect.seats)
    objects = resolve_objects(t, effect, objs)
    missing = [obj for obj in objects if not is_same_object(t, obj) and obj != R.NO_OBJ]
    if missing:
        note(t, C.TARGET_GONE, FrameRef(effect.id), *missing)
    return tuple(obj.card for obj in objects if is_same_object(t, obj))


def resolve_number(rules: Rules, t: Table, effect: Frame, n: int | M.Of) -> int:
    """Return the current value of a number; damage of an object that is gone counts as 0."""
    if isinstance(n, int):
        return n
    (obj, *_) = resolve_objects(t, effect, n.what) or (R.NO_OBJ,)
    if n.of == "cost":
        return R.printed(rules, t, obj.card).cost
    return R.damage(t, obj.card) if is_same_in_play(t, obj) else 0


def holds(rules: Rules, t: Table, cond: M.AnyCondition, effect: Frame) -> bool:
    match cond:
        case M.Is(what, wanted):
            return any(
                is_same_in_play(t, obj) and R.kind(t, obj.card) == wanted for obj in resolve_objects(t, effect, what)
            )
        case M.Controls(what):
            return any(
                is_same_in_play(t, obj) and R.controller(t, obj.card) == effect.by
                for obj in resolve_objects(t, effect, what)
            )
        case M.AtMost(amount, most):
            return resolve_number(rules, t, effect, amount) <= most
        case M.Exists(sel):
            return bool(resolve_cards(rules, t, effect, sel))
        case M.And(conditions):
            return all(holds(rules, t, each, effect) for each in conditions)
        case _:
            assert_never(cond)


@implements(C.SEVERAL_IN_TURN_ORDER)
def resolve_players(rules: Rules, t: Table, effect: Frame, who: str, each_player: Seat) -> tuple[Seat, ...]:
    """Return the players meant, in turn order. `each_player` is the player of the enclosing `each`."""
    match who:
        case "you":
            named: tuple[Seat, ...] = (effect.by,)
        case "each":
            named = (each_player,)
        case "chosen":
            named = effect.seats
        case "opponents":
            named = tuple(seat for seat in R.living(t) if R.are_opponents(rules, effect.by, seat))
        case "all_players":
            named = R.living(t)
        case _:
            raise AssertionError(f"unknown players {who!r}")
    seats = tuple(seat for seat in R.from_turn_player(t) if seat in named and not R.is_out(t, seat))
    if len(seats) > 1:
        note(t, C.SEVERAL_IN_TURN_ORDER, *seats)
    return seats
