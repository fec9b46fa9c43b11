"""Resolution of stack items: failure, additional conditions, instructions, and the move of the card."""

from functools import partial
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.answering import cells_for, choices_of
from domain.games.dea.cards import blocks
from domain.games.dea.effects import battle
from domain.games.dea.effects.foreshadows import score_opening, start_field
from domain.games.dea.effects.instructions import effect_clause, perform_instruction
from domain.games.dea.effects.moves import discard_equipment, gain_ep, move_to_sleeve
from domain.games.dea.legality import may_wear
from domain.games.dea.rules import Rules
from domain.games.dea.state_check import check_state
from domain.games.dea.targeting import aim_of, is_card, may_name
from domain.games.dea.use_index import field_of, printed_use, use_of_item
from domain.games.dea.values import ModifierCache, is_sealed, prohibitions
from domain.law.clause import Clause, FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import collects_notes, note
from domain.parts import programs
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.parts.places import place_in
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CardId, Frame, Obj, Table, Todo, frame, is_same_object

BEGIN: Final = "begin"
CELLS: Final = "cells"
PERFORM: Final = "perform"


def close_window(t: LiveTable) -> None:
    t.emit(C.TWO_PASSES, clock_at(t, S.MAIN, S.RESOLVING))
    if t.stack:
        start_resolving(t, t.stack[-1])


def start_resolving(t: LiveTable, item: Frame) -> None:
    t.emit(C.LAST_DECLARED_FIRST, F.Altered(item.id, lane="running", step=BEGIN))


def _set_step(t: LiveTable, item: Frame, step: str) -> None:
    t.emit(C.LAST_DECLARED_FIRST, F.Altered(item.id, step=step))


@implements(C.NO_HOOK_SAME_WAY)
def begin_use(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Begin an ability or event. It fails if it was negated, or if the character is sealed or gone."""
    if R.is_negated(item):
        _fail(rules, t, item, C.NEGATED)
        return
    if item.kind == "ability":
        source = R.resolve_character(t, R.source_of(item))
        if source is None or is_sealed(rules, t, source):
            _fail(rules, t, item, C.ABILITY_FAILS)
            return
    _check_choices(rules, t, item)


def begin_foreshadow(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Score a point that is due now, and begin a foreshadow. It fails if negated, or opened without its condition."""
    if rules.foreshadow_ep_timing == "resolve":
        score_opening(rules, t, item.by, "instruction")
        if t.result is not None:
            return
    if R.is_negated(item):
        _fail(rules, t, item, C.LIVE_FIELDS if R.is_replaced(item) else C.NEGATED)
    elif R.is_unmet(item):
        _fail(rules, t, item, C.FORESHADOW_CONDITION)
    elif field_of(rules, item.face) is not None:
        start_field(t, item)
        _finish(rules, t, item, "resolved", effect_clause(item))
    else:
        ask_additional(rules, t, item)


@implements(C.ADDITIONAL_CONDITION)
def ask_additional(rules: Rules, t: LiveTable, item: Frame) -> None:
    use = use_of_item(rules, item)
    due = use.additional if isinstance(use, T.Foreshadow) else 0
    if not due:
        _check_choices(rules, t, item)
    elif len(R.hand(t, item.by)) < due:
        _fail(rules, t, item, C.ADDITIONAL_CONDITION)
    else:
        _set_step(t, item, CELLS)
        ask(
            t, C.ADDITIONAL_CONDITION, "pay_or_decline", item.by, item.id,
            numbers=(due,), words=("additional",),
        )  # fmt: skip


def decline(rules: Rules, t: LiveTable, item: Frame) -> None:
    _fail(rules, t, item, C.ADDITIONAL_CONDITION)


def check_cells(rules: Rules, t: LiveTable, item: Frame) -> None:
    _check_choices(rules, t, item)


@implements(C.CELL_CHOSEN_AGAIN)
def _check_choices(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Drop targets that are no longer legal, and ask for a cell to replace an illegal one."""
    targets = R.targets_of(item)
    if targets and (legal_targets := _legal_targets(rules, t, item, targets)) != targets:
        columns = R.with_targets(item, legal_targets)
        t.emit(C.CELL_CHOSEN_AGAIN, F.Altered(item.id, columns=columns))
        item = _reload(t, item)
    cell = R.cell_chosen(item)
    _start_program(rules, t, item)
    if cell is None:
        return
    legal = cells_for(rules, t, item)
    if cell in legal:
        return
    replacement = legal[0] if len(legal) == 1 else None
    t.emit(C.CELL_CHOSEN_AGAIN, F.Altered(item.id, columns=R.with_cell(item, replacement)))
    if len(legal) > 1:
        ask(t, C.CELL_CHOSEN_AGAIN, "choose_cell", item.by, item.id)


def _reload(t: Table, item: Frame) -> Frame:
    current = frame(t, item.id)
    assert current is not None
    return current


def _legal_targets(rules: Rules, t: Table, item: Frame, targets: tuple[Obj, ...]) -> tuple[Obj, ...]:
    remaining: list[Obj] = []
    chosen: tuple[CardId, ...] = ()
    aim = aim_of(item)
    for choice, target in zip((c for c in choices_of(rules, item) if is_card(c)), targets, strict=False):
        fits = is_same_object(t, target) and may_name(rules, t, aim, choice, chosen, target.card)
        remaining.append(target if fits else R.NO_OBJ)
        chosen = (*chosen, target.card)
        if not fits:
            note(t, C.CELL_CHOSEN_AGAIN, FrameRef(item.id), target)
    return tuple(remaining)


def _start_program(rules: Rules, t: LiveTable, item: Frame) -> None:
    use = printed_use(rules.cards, item.face, R.ability_of(item) if item.kind == "ability" else "")
    todo = () if use is None else (Todo((use.place, 0), item.by),)
    t.emit(C.LAST_DECLARED_FIRST, F.Altered(item.id, step=PERFORM, todo=todo))


def perform(rules: Rules, t: LiveTable, item: Frame) -> None:
    programs.perform(
        t,
        item,
        blocks(rules.cards, item.face),
        partial(perform_instruction, rules, t),
        C.CHOICE_PENDING,
        effect_clause(item),
    )
    if t.result is None and frame(t, item.id) is None:
        _put_away(t, item)
        check_state(rules, t, "item")


# -- how an item ends -------------------------------------------------------------------------------------------------


def _fail(rules: Rules, t: LiveTable, item: Frame, clause: Clause) -> None:
    """End an item without effect. Costs stay paid."""
    if R.pages_paid(item) or R.life_paid(item):
        note(t, C.COST_NOT_RETURNED, FrameRef(item.id))
    if item.kind == "foreshadow":
        note(t, C.FORESHADOW_EP_KEPT, FrameRef(item.id))
    _finish(rules, t, item, "failed", clause)


@implements(C.COST_NOT_RETURNED)
def _finish(rules: Rules, t: LiveTable, item: Frame, how: str, clause: Clause) -> None:
    t.emit(clause, F.Popped(item.id, how))
    _put_away(t, item)
    check_state(rules, t, "item")


def _put_away(t: LiveTable, item: Frame) -> None:
    """Move events and unused equipment to the sleeve. A foreshadow stays open in its slot."""
    source = R.source_of(item)
    if (
        item.kind in ("event", "equipment")
        and is_same_object(t, source)
        and t.pieces[source.card].place == R.STACK_PLACE
    ):
        move_to_sleeve(t, (source.card,), C.CARD_AFTER_RESOLUTION)


@implements(C.CARD_AFTER_RESOLUTION)
def attach_equipment(rules: Rules, t: LiveTable, item: Frame) -> None:
    """Attach equipment to its wearer, whose old equipment goes to the sleeve."""
    wearer, card = R.resolve_character(t, R.wearer_of(item)), R.source_of(item).card
    if R.is_negated(item):
        _fail(rules, t, item, C.NEGATED)
        return
    if wearer is None or not may_wear(rules, t, item.by, wearer):
        _fail(rules, t, item, C.CELL_CHOSEN_AGAIN)
        return
    discard_equipment(t, wearer, C.OLD_EQUIPMENT_LEAVES)
    t.emit(C.CARD_AFTER_RESOLUTION, F.Moved((card,), place_in(item.by, S.WORN), up=True))
    t.emit(C.CARD_AFTER_RESOLUTION, F.Tied((card,), wearer))
    _finish(rules, t, item, "resolved", C.CARD_AFTER_RESOLUTION)


def convert_pages(rules: Rules, t: LiveTable, item: Frame) -> None:
    if R.is_negated(item):
        _fail(rules, t, item, C.NEGATED)
        return
    if collects_notes(t) and prohibitions(rules, t, ModifierCache(rules, t), "convert_pages", item.by):
        note(t, C.FORBIDDEN_DECLARATION, item.by)
    gain_ep(t, item.by, CONVERTED_EP, C.CONVERT_PAGES_STACKED)
    check_state(rules, t, "instruction")
    if t.result is None:
        _finish(rules, t, item, "resolved", C.CONVERT_PAGES_STACKED)


CONVERTED_EP: Final = 1

_USE: Final[dict[str, Step[Rules]]] = {BEGIN: begin_use, PERFORM: perform}
STEPS: Final[dict[str, dict[str, Step[Rules]]]] = {
    "ability": _USE,
    "event": _USE,
    "foreshadow": {BEGIN: begin_foreshadow, CELLS: check_cells, PERFORM: perform},
    "equipment": {BEGIN: attach_equipment},
    "ep_conversion": {BEGIN: convert_pages},
    "attack": {BEGIN: battle.strike, battle.KNOCKBACK: battle.knock_back, battle.END: battle.end},
}
