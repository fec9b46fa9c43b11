"""Processing of a declared skill or ability: recheck its targets, perform it, and move its card."""

from typing import Final

from domain.games.skillbook import clauses as C, meaning as M, schema as S, table_queries as R, text as T
from domain.games.skillbook.effects import zones
from domain.games.skillbook.effects.arrival import summon
from domain.games.skillbook.effects.program import perform_next, range_origin
from domain.games.skillbook.layers import note_lost_boon
from domain.games.skillbook.notions import SkillbookInstructionContext, TargetContext
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import Value, find_target_violation, is_card
from domain.games.skillbook.using import removable_cards, summon_squares
from domain.law.clause import FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask
from domain.parts.places import place_in
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CardId, Frame, Obj, Table, Todo, is_same_object

RECHECK: Final = "recheck"
PERFORM: Final = "perform"
LEAVE: Final = "leave"


def begin_item(t: LiveTable, item: Frame) -> None:
    t.emit(C.STACK, F.Altered(item.id, lane="running", step=RECHECK))


# -- targets ----------------------------------------------------------------------------------------------------------


@implements(C.TARGETS_RECHECKED)
def recheck(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Drop targets that are no longer legal. If no target is left, the item has no effect."""
    printed = printed_targets(rules, t, item)
    chosen_square = R.square_chosen(item)
    legal, square, any_legal = _legal_targets(rules, t, item, printed)
    if printed and not any_legal:
        note(t, C.TARGETS_RECHECKED, FrameRef(item.id))
        t.emit(C.TARGETS_RECHECKED, F.Altered(item.id, step=LEAVE))
        return
    if item.kind == "skill":
        note_lost_boon(rules, t, item.by, R.source_of(item).card, R.printed_card(rules, item))
    todo = _program(rules, t, item)
    changed = legal != R.targets_of(item) or square != chosen_square
    columns = R.item_with_targets(item, legal, square is not None) if changed else None
    t.emit(C.TARGETS_RECHECKED, F.Altered(item.id, step=PERFORM, columns=columns, todo=todo))


def printed_targets(rules: Rules, t: Table, item: Frame) -> tuple[M.AnyTarget, ...]:
    printed = R.printed_card(rules, item)
    if item.kind == "skill":
        return R.use_of(printed)[1].targets
    ability = printed.abilities[R.ability_of_item(item)]
    return ability.targets if isinstance(ability, T.Activated) else ()


def _legal_targets(
    rules: Rules, t: LiveTable, item: Frame, printed: tuple[M.AnyTarget, ...]
) -> tuple[tuple[Obj, ...], object, bool]:
    """Return the targets (`NO_OBJ` if no longer legal), the legal square or None, and whether any target is legal."""
    aim = TargetContext(
        item.by, range_origin(SkillbookInstructionContext(rules, t, item)), is_skill=item.kind == "skill"
    )
    remaining = list(R.targets_of(item))
    targets: list[Obj] = []
    chosen: tuple[CardId, ...] = ()
    square, any_left = R.square_chosen(item), False
    for target in printed:
        value: Value | None
        if is_card(target):
            obj = remaining.pop(0) if remaining else R.NO_OBJ
            value = obj.card if is_same_object(t, obj) else None
        elif isinstance(target, M.SquareTarget):
            value = square
        else:
            value = R.item_chosen(item) or None
        legal = value is not None and find_target_violation(rules, t, aim, target, value, chosen) is None
        any_left = any_left or legal
        if is_card(target):
            targets.append(obj if legal else R.NO_OBJ)
            chosen = (*chosen, obj.card)
        elif isinstance(target, M.SquareTarget) and not legal:
            square = None
    return tuple(targets), square, any_left


def _program(rules: Rules, t: Table, item: Frame) -> tuple[Todo, ...]:
    if item.kind == "ability":
        return (Todo((R.ability_of_item(item), 0), item.by),)
    place, use = R.use_of(R.printed_card(rules, item))
    return (Todo((place, 0), item.by),) if use.do else ()


# -- instructions -----------------------------------------------------------------------------------------------------


def perform(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Perform the next instruction. After the last, the type of skill decides where its card goes."""
    if perform_next(rules, t, item):
        return
    kind = R.printed_card(rules, item).type if item.kind == "skill" else ""
    card = R.source_of(item).card
    on_stack = is_same_object(t, R.source_of(item)) and t.pieces[card].place == R.STACK_PLACE
    if on_stack and kind == "monster":
        square = R.square_chosen(item)
        if square is not None and square in summon_squares(rules, t, item.by):
            summon(rules, t, card, square)
        else:
            note(t, C.SUMMON_SQUARE, card)
    elif on_stack and kind == "bind":
        _attach(t, item, card)
    elif on_stack and kind == "aura":
        if not _install_aura(rules, t, item, card):
            return
    elif on_stack and kind == "curse":
        _install_curse(rules, t, item, card)
    t.emit(C.STACK, F.Altered(item.id, step=LEAVE))


@implements(C.BIND, C.BINDS_UNLIMITED)
def _attach(t: LiveTable, item: Frame, card: CardId) -> None:
    for target in R.targets_of(item)[:1]:
        if is_same_object(t, target) and (R.is_unit(t, target.card) or R.is_terrain(t, target.card)):
            if any(t.pieces[bind].host == target.card for bind in R.binds(t)):
                note(t, C.BINDS_UNLIMITED, target.card)
            t.emit(C.BIND, F.Moved((card,), R.BOUND_PLACE, up=True))
            t.emit(C.BIND, F.Tied((card,), target.card))


@implements(C.AURA_SIDEWAYS, C.AURA_TAKES_SLOT)
def _install_aura(rules: Rules, t: LiveTable, item: Frame, card: CardId) -> bool:
    """Install an aura on its player's table, or ask for room. Return False if it has to wait."""
    if R.free_slots(rules, t, item.by) > 0:
        t.emit(C.AURA, F.Moved((card,), place_in(item.by, S.TABLE), up=True))
        t.emit(C.AURA_SIDEWAYS, F.Marked((card,), S.IN_FORCE, 1))
        return True
    if removable_cards(t, item.by) and not R.item_word(item):
        t.emit(C.AURA_ROOM, F.Altered(item.id, columns=R.with_columns(item, words=("asked",))))
        ask(t, C.AURA_ROOM, "make_room", item.by, item.id)
        return False
    return True


@implements(C.CURSE, C.CURSE_TAKES_SLOT)
def _install_curse(rules: Rules, t: LiveTable, item: Frame, card: CardId) -> None:
    other = R.opponent(item.by)
    if R.free_slots(rules, t, other) > 0:
        t.emit(C.CURSE, F.Moved((card,), place_in(other, S.TABLE), up=True))
        t.emit(C.CURSE, F.Marked((card,), S.IN_FORCE, 1))
    else:
        note(t, C.CURSE_NEEDS_SLOT, other)


@implements(C.USED_FROM)
def leave(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Remove the item, and bury its card if that is still on the stack."""
    t.emit(C.STACK, F.Popped(item.id, "resolved"))
    source = R.source_of(item)
    if item.kind == "skill" and is_same_object(t, source) and t.pieces[source.card].place == R.STACK_PLACE:
        zones.bury(t, (source.card,), C.USED_FROM)


STEPS: Final[dict[str, Step[Rules]]] = {RECHECK: recheck, PERFORM: perform, LEAVE: leave}
