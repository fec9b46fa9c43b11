"""Resolution of automatic effects."""

from functools import partial

from domain.games.dea import clauses as C, table_queries as R, text as T
from domain.games.dea.answering import ordering_clause
from domain.games.dea.cards import blocks
from domain.games.dea.effects.instructions import perform_instruction
from domain.games.dea.effects.moves import gain_life
from domain.games.dea.effects.queueing import AUTOMATIC_ABILITIES, FIELD_AUTOMATIC_ABILITIES, SPRING, SPRING_LIFE
from domain.games.dea.rules import Rules
from domain.games.dea.state_check import check_state
from domain.games.dea.values import all_hold
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import programs
from domain.parts.asking import ask
from domain.table.facts import Altered, Popped
from domain.table.table import CardId, Frame, Table, frame, is_over


@implements(C.START_EFFECTS, C.END_EFFECTS)
def process_next(rules: Rules, t: LiveTable) -> None:
    """Begin the waiting effect. If several wait, the turn player chooses the next."""
    active = t.clock.active
    if len(t.waiting) == 1 or active is None:
        begin(t, t.waiting[0])
    else:
        ask(t, ordering_clause(t), "choose_next_effect", active, *(effect.id for effect in t.waiting))


def begin(t: LiveTable, effect: Frame) -> None:
    t.emit(ordering_clause(t), Altered(effect.id, lane="running", step="perform"))


def perform(rules: Rules, t: LiveTable, effect: Frame) -> None:
    source = R.source_of(effect).card
    if R.ability_of(effect) == SPRING and not effect.face:
        gain_life(t, effect.by, SPRING_LIFE, C.AUTOMATIC_EFFECTS)
        check_state(rules, t, "instruction")
        if not is_over(t):
            t.emit(C.AUTOMATIC_EFFECTS, Popped(effect.id, "done"))
    elif _is_at_start(effect) and not _is_condition_met(rules, t, effect, source):
        note(t, C.AUTOMATIC_EFFECTS, R.source_of(effect))
        t.emit(C.AUTOMATIC_EFFECTS, Popped(effect.id, "condition"))
    else:
        programs.perform(
            t,
            effect,
            blocks(rules.cards, effect.face),
            partial(perform_instruction, rules, t),
            C.CHOICE_PENDING,
            C.AUTOMATIC_EFFECTS,
        )
    if not is_over(t) and frame(t, effect.id) is None:
        check_state(rules, t, "item")


def _is_at_start(effect: Frame) -> bool:
    return bool(effect.todo) and effect.todo[0].path[-1] == 0


def _is_condition_met(rules: Rules, t: Table, effect: Frame, source: CardId) -> bool:
    ability = automatic_at(rules, effect)
    return ability is None or all_hold(rules, t, ability.only_if, effect.by, source)


def automatic_at(rules: Rules, effect: Frame) -> T.Automatic | None:
    path = effect.todo[0].path[:-1] if effect.todo else ()
    caused = (
        *AUTOMATIC_ABILITIES[rules.cards][effect.face].values(),
        *FIELD_AUTOMATIC_ABILITIES[rules.cards][effect.face].values(),
    )
    return next((line.said for lines in caused for line in lines if line.path == path), None)
