"""May this be answered? What a waiting decision allows."""

from typing import Final

from domain.games.skillbook import actions as A, clauses as C, reading as R
from domain.games.skillbook.checking import Checks, aimed_at, named_squares
from domain.games.skillbook.notions import Aim
from domain.games.skillbook.placing import wrong_placing
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import named_values, wrong_target
from domain.games.skillbook.using import room_makers
from domain.law.clause import Clause, FrameRef, Word, named
from domain.law.slots import Action
from domain.parts.asking import answers, question, reorders, served
from domain.table.table import Frame, Seat, Table

OWN_TIME: Final[dict[type[Action], Clause]] = {
    A.OrderTriggers: C.OWN_EFFECTS_ORDERED,
    A.ChooseTargets: C.SUITABLE_TARGET,
    A.OrderGraveyard: C.GRAVEYARD_ORDER,
    A.MakeRoom: C.AURA_ROOM,
    A.PlaceCard: C.TURN_DRAW,
    A.ChooseExplore: C.EXPLORE_ON_ENTERING,
    A.ChooseTerrainEffect: C.TERRAIN_IGNORED,
}
"""The clause of an answer's own time: cited where nothing of its kind is asked, and for one that was not offered."""


def check_answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Checks:
    """Every clause that an answer must meet."""
    asked, because = question(t), OWN_TIME[type(action)]
    right = asked is not None and asked.by == actor and answers(asked, action)
    yield because, right, actor
    if asked is None or not right:
        return
    match action:
        case A.OrderTriggers(triggers):
            yield because, reorders(triggers, asked.frames), *(FrameRef(trigger) for trigger in triggers)
        case A.ChooseTargets():
            yield from _trigger_targets(rules, t, asked, action)
        case A.OrderGraveyard(cards):
            yield because, reorders(cards, asked.cards), *cards
        case A.MakeRoom(card):
            there = card in R.table(t, actor)
            yield because, not card or there, named(card, "card")
            yield C.CURSE_STAYS_ITS_OWNERS, not there or card in room_makers(t, actor), named(card, "card")
        case A.PlaceCard():
            wrong = wrong_placing(rules, t, actor, action)
            yield wrong or because, wrong is None, named(action.card, "card")
        case A.ChooseTerrainEffect(answer):
            yield because, answer in ("accept", "ignore"), named(Word(answer), "answer")
        case _:
            pass


def _trigger_targets(rules: Rules, t: Table, asked: Frame, action: A.ChooseTargets) -> Checks:
    trigger = served(t, asked)
    said = None if trigger is None else R.triggered_ability(rules, trigger)
    if trigger is None or said is None:
        return
    about = aimed_at(action.targets, action.square, 0)
    if action.decline:
        yield C.SUITABLE_TARGET, said.may and not about, *about
        return
    values = named_values(said.targets, action.targets, action.square, R.NO_FRAME)
    yield C.SUITABLE_TARGET, wrong_target(rules, t, aim_of_trigger(t, trigger), said.targets, values) is None, *about
    yield from named_squares(rules, action.square)


def aim_of_trigger(t: Table, trigger: Frame) -> Aim:
    """Who aims for a trigger, and from where: from where its unit stands, or stood last."""
    source = R.meant(t, R.source_of(trigger))
    last = R.last_square(trigger)
    origin = R.square(t, source) if source is not None else last
    return Aim(trigger.by, origin, is_skill=False, last=last)
