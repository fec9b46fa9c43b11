"""Foreshadows and their fields."""

from itertools import islice
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R
from domain.games.dea.actions import ChooseTargets
from domain.games.dea.effects.moves import gain_ep
from domain.games.dea.rules import Rules
from domain.games.dea.state_check import CheckOccasion, check_state
from domain.games.dea.targeting import columns_of, legal_choice_sets, slot_values
from domain.games.dea.use_index import field_of, use_of
from domain.games.dea.value_types import ChoiceContext
from domain.law.clause import Clause, implements
from domain.law.live import LiveTable
from domain.parts.asking import ask, push
from domain.table.facts import Altered, Began, Ended, Turned
from domain.table.table import CardId, Effect, EffectId, Frame, Seat

_FIELD_PATH: Final = (0,)
"""Path of a field, which is the only ability of its card."""


@implements(C.OPENED_STAYS)
def open_foreshadow(rules: Rules, t: LiveTable, seat: Seat, card: CardId, clause: Clause) -> None:
    """Turn up a foreshadow and score its point. A field ends the writer's older one.

    Options may delay the point and the end of the older field until the item resolves.
    """
    t.emit(clause, Turned((card,), True))
    if field_of(rules, R.printed(rules, t, card).id) is not None and rules.field_replace != "resolve":
        end_field(t, seat)
        for item in t.stack:
            if item.kind != "foreshadow" or item.by != seat or R.is_negated(item):
                continue
            if field_of(rules, item.face) is not None:
                t.emit(C.LIVE_FIELDS, Altered(item.id, columns=R.negated(item, replaced=True)))
    if rules.foreshadow_ep_timing != "resolve":
        score_opening(rules, t, seat, "payment")


@implements(C.FORESHADOW_EP_KEPT)
def score_opening(rules: Rules, t: LiveTable, seat: Seat, moment: CheckOccasion) -> None:
    """Score the point for an opened foreshadow, which does not depend on its effect."""
    gain_ep(t, seat, rules.ep_per_foreshadow, C.FORESHADOW_EP)
    check_state(rules, t, moment)


def open_by_effect(rules: Rules, t: LiveTable, seat: Seat, card: CardId) -> None:
    """Open a foreshadow by the effect of another card. Its item goes on top and resolves next."""
    open_foreshadow(rules, t, seat, card, C.OPENED_BY_EFFECT)
    if t.result is not None:
        return
    face = R.printed(rules, t, card).id
    use = use_of(rules.cards, face)
    choices = use.choices if use is not None else ()
    legal = tuple(islice(legal_choice_sets(rules, t, ChoiceContext(seat, card), choices), 2)) if choices else ()
    slots = dict(slot_values(choices, legal[0])) if len(legal) == 1 else {}
    columns = columns_of(t, card, ChooseTargets(**slots))
    item = push(
        t, C.OPENED_BY_EFFECT, "stack", "foreshadow", seat, columns.frames,
        step=STEP_OPENED, objs=columns.objs, places=columns.places, seats=columns.seats, numbers=columns.numbers,
        words=columns.words, face=face,
    )  # fmt: skip
    if len(legal) > 1:
        ask(t, C.TARGETS_AT_DECLARATION, "choose_targets", seat, item)


STEP_OPENED: Final = "opened"
"""Step of an item that was not declared. It resolves next, without a window."""


@implements(C.DURATIONS)
def start_field(t: LiveTable, item: Frame) -> None:
    end_field(t, item.by)
    effect = Effect(
        id=EffectId(t.begun + 1),
        kind=S.FIELD,
        by=item.by,
        source=R.source_of(item),
        until=S.LIVE,
        since=t.clock.turn,
        face=item.face,
        path=_FIELD_PATH,
    )
    t.emit(C.LIVE_FIELDS, Began(effect))


def end_field(t: LiveTable, seat: Seat) -> None:
    field = R.live_field(t, seat)
    if field is not None:
        t.emit(C.LIVE_FIELDS, Ended((field.id,)))
