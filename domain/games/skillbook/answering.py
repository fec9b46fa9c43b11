"""Checks of the answers to questions."""

from typing import Final

from domain.games.skillbook import actions as A, clauses as C, schema as S, table_queries as R
from domain.games.skillbook.checking import Checks, check_squares, target_subjects
from domain.games.skillbook.notions import TargetContext
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import find_targets_violation, named_values
from domain.games.skillbook.using import removable_cards
from domain.law.clause import Clause, FrameRef, Missing, Word, implements, subject_or_missing
from domain.law.slots import Action
from domain.parts.asking import answers, is_reordering, open_question, served
from domain.table.table import CardId, Frame, Seat, Table

HAND_CARD_MODES: Final = ("shift", "discard_hand", "discard_table_shift")
"""Modes that name a hand card."""
TABLE_CARD_MODES: Final = ("discard_table", "discard_table_shift")
"""Modes that name a card on the table."""


def find_placing_violation(rules: Rules, t: Table, actor: Seat, action: A.PlaceCard) -> Clause | None:
    """Return the first clause that the placing of a card breaks, or None."""
    card, mode = action.card, action.mode
    if not _names_own_cards(t, actor, action):
        return C.EXISTING_AND_USABLE
    if not mode:
        return C.TURN_DRAW
    free, room = R.free_slots(rules, t, actor), rules.hand_max - len(R.hand(t, actor))
    violation = _find_mode_violation(rules, t, card, mode, free, room)
    if violation is not None:
        return violation
    if (mode in HAND_CARD_MODES) != bool(action.held) or (mode in TABLE_CARD_MODES) != bool(action.gone):
        return C.EXISTING_AND_USABLE
    return C.CURSE_STAYS_ITS_OWNERS if action.gone and R.owner(t, action.gone) != actor else None


def _names_own_cards(t: Table, actor: Seat, action: A.PlaceCard) -> bool:
    hand_card, table_card = action.held, action.gone
    return (
        action.card in R.drawn(t, actor)
        and (not hand_card or hand_card in R.hand(t, actor))
        and (not table_card or table_card in R.table(t, actor))
    )


@implements(C.ROOM, C.OVERFLOW, C.TRUMP_SHIFTED, C.NO_DISCARD_WITH_ROOM, C.RECALL, C.RECALL_OVERFLOW)
def _find_mode_violation(rules: Rules, t: Table, card: CardId, mode: str, free: int, room: int) -> Clause | None:
    is_full = free <= 0 and room <= 0
    match mode:
        case "to_table":
            if room > 0 and R.mark(t, card, S.RECALLED):
                return C.RECALL
            return C.ROOM if free <= 0 else None
        case "to_hand":
            return None if room > 0 else C.ROOM
        case "shift":
            return None if rules.draw_rearrange == "always" and room <= 0 and free > 0 else C.TRUMP_SHIFTED
        case _:
            return None if is_full else C.NO_DISCARD_WITH_ROOM


ANSWER_CLAUSES: Final[dict[type[Action], Clause]] = {
    A.OrderTriggers: C.OWN_EFFECTS_ORDERED,
    A.ChooseTargets: C.SUITABLE_TARGET,
    A.OrderGraveyard: C.GRAVEYARD_ORDER,
    A.MakeRoom: C.AURA_ROOM,
    A.PlaceCard: C.TURN_DRAW,
    A.ChooseExplore: C.EXPLORE_ON_ENTERING,
    A.ChooseTerrainEffect: C.TERRAIN_IGNORED,
}
"""Clause by the type of an answer. It is cited if no such question is open or the option is not offered."""


def check_answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Checks:
    asked, because = open_question(t), ANSWER_CLAUSES[type(action)]
    is_asked = asked is not None and asked.by == actor and answers(asked, action)
    yield because, is_asked, actor
    if asked is None or not is_asked:
        return
    match action:
        case A.OrderTriggers(triggers):
            yield because, is_reordering(triggers, asked.frames), *(FrameRef(trigger) for trigger in triggers)
        case A.ChooseTargets():
            yield from _trigger_targets(rules, t, asked, action)
        case A.OrderGraveyard(cards):
            yield because, is_reordering(cards, asked.cards), *cards
        case A.MakeRoom(card):
            on_table = card in R.table(t, actor)
            yield because, not card or on_table, subject_or_missing(card, "card")
            yield (
                C.CURSE_STAYS_ITS_OWNERS,
                not on_table or card in removable_cards(t, actor),
                subject_or_missing(card, "card"),
            )
        case A.PlaceCard():
            violation = find_placing_violation(rules, t, actor, action)
            mode = () if action.mode else (Missing("mode"),)
            yield violation or because, violation is None, subject_or_missing(action.card, "card"), *mode
        case A.ChooseTerrainEffect(answer):
            yield because, answer in ("accept", "ignore"), subject_or_missing(Word(answer), "answer")
        case _:
            pass


def _trigger_targets(rules: Rules, t: Table, asked: Frame, action: A.ChooseTargets) -> Checks:
    trigger = served(t, asked)
    ability = None if trigger is None else R.triggered_ability(rules, trigger)
    if trigger is None or ability is None:
        return
    about = target_subjects(action.targets, action.square, 0)
    if action.decline:
        yield C.SUITABLE_TARGET, ability.may and not about, *about
        return
    values = named_values(ability.targets, action.targets, action.square, R.NO_FRAME)
    yield (
        C.SUITABLE_TARGET,
        find_targets_violation(rules, t, aim_of_trigger(t, trigger), ability.targets, values) is None,
        *about,
    )
    yield from check_squares(rules, action.square)


def aim_of_trigger(t: Table, trigger: Frame) -> TargetContext:
    """Return the aim of a trigger. Its origin is the current or last square of its unit."""
    source = R.resolve_unit(t, R.source_of(trigger))
    last = R.last_square(trigger)
    origin = R.square(t, source) if source is not None else last
    return TargetContext(trigger.by, origin, is_skill=False, last=last)
