"""Facts of accepted actions. Automatic consequences follow in `resolution`."""

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from domain.games.skillbook import (
    actions as A,
    board as B,
    clauses as C,
    progress as P,
    schema as S,
    table_queries as R,
)
from domain.games.skillbook.checking import squares_of
from domain.games.skillbook.effects import arrival, battle, items
from domain.games.skillbook.effects.answers import answer
from domain.games.skillbook.effects.damage import lose_hp
from domain.games.skillbook.effects.windows import STACK_WINDOW, clear_passes, note_pass, open_window
from domain.games.skillbook.effects.zones import bury, mill
from domain.games.skillbook.fighting import step_price
from domain.games.skillbook.layers import weigh_cost, weigh_stat
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.setup import awaited_in_layout
from domain.games.skillbook.turn import begin_end, go_idle
from domain.games.skillbook.using import activated_ability, is_own_aura, user_of
from domain.games.skillbook.values import EffectsInForce, cost, dispel_cost, stat
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.slots import Action
from domain.parts.asking import asked_of_chance, open_question, push
from domain.parts.pieces import clock_at
from domain.parts.places import obj, place_in
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Clock, Result, Seat, frame


def carry_out(rules: Rules, t: LiveTable, actor: Seat, action: A.AnyAction, *, interrupts: bool = False) -> None:
    """Emit the facts of an action. It may be illegal, but the cards it names must be where it says. With `interrupts`,
    it may happen while something else is in progress."""
    if _may_happen(t, actor, action, interrupts):
        CARRY_OUT[type(action)](rules, t, actor, action)


def _may_happen(t: LiveTable, actor: Seat, action: A.AnyAction, interrupts: bool) -> bool:
    """True if the action can still happen. As played, an action does nothing if it is too late or its card has left."""
    if t.result is not None or (asked_of_chance(t) is not None and not isinstance(action, POSSIBLE_DURING_CHANCE)):
        return False
    clock = t.clock
    is_unasked = interrupts or not t.asked
    is_quiet = clock.active is not None and (interrupts or not (t.running or t.stack or t.asked))
    match action:
        case A.LayOutMap() | A.ChooseOrder():
            return clock.step == S.LAYING
        case A.PlaceHero():
            return clock.step == S.HEROES
        case A.Charge() | A.EndTurn():
            return is_quiet
        case A.DeclineCharge():
            return clock.phase == S.CHARGE
        case A.DeclareMove(unit) | A.ExploreInPlace(unit) | A.StartBattle(unit):
            return is_quiet and R.is_unit(t, unit)
        case A.DiscardAura(card) | A.DispelCurse(card):
            return is_quiet and card in R.table(t, actor)
        case A.UseSkill(card):
            return is_unasked and (card in R.hand(t, actor) or card in R.table(t, actor))
        case A.UseAbility(source):
            return is_unasked and (user_of(t, actor, source) is not None or is_own_aura(t, actor, source))
        case A.MoveStep():
            return is_unasked
        case _:
            return True


POSSIBLE_DURING_CHANCE: Final = (*get_args(A.Outcome), *get_args(A.Judging), Concede, A.ShowGraveyard)
"""Actions that can happen while chance is asked."""


# -- set-up -----------------------------------------------------------------------------------------------------------


def _lay_out_map(rules: Rules, t: LiveTable, actor: Seat, action: A.LayOutMap) -> None:
    t.emit(C.MAP_LAID_OUT, F.Arranged(place_in(actor, S.LAYOUT), action.cards, shuffled=False))
    t.emit(C.MAP_LAID_OUT, F.Marked(actor, S.LAID_OUT, 1))
    _continue_layout(t)


def _choose_order(rules: Rules, t: LiveTable, actor: Seat, action: A.ChooseOrder) -> None:
    first = actor if action.order == "first" else R.opponent(actor)
    clock = t.clock
    t.emit(C.TOSS_AND_ORDER, F.Clocked(Clock(first=first, phase=clock.phase, step=clock.step, awaited=clock.awaited)))
    _continue_layout(t)


def _continue_layout(t: LiveTable) -> None:
    if (t.clock.phase, t.clock.step) == (S.SET_UP, S.LAYING):
        t.emit(C.MAP_LAID_OUT, clock_at(t, S.SET_UP, S.LAYING, *awaited_in_layout(t)))


@implements(C.START_POINT_TURNED_UP)
def _place_hero(rules: Rules, t: LiveTable, actor: Seat, action: A.PlaceHero) -> None:
    square = B.square_at(action.square)
    heroes = R.hero_place(t, actor)
    terrain = None if square is None else R.terrain_at(t, square)
    if square is None or terrain is None or not heroes:
        return
    if not t.pieces[terrain].up:
        t.emit(C.START_POINT_TURNED_UP, F.Turned((terrain,), True))
    t.emit(C.HERO_ON_START_POINT, F.Moved(heroes, B.unit_place(square), up=True))
    t.emit(C.STARTED_BEHIND_WINS, F.Marked(actor, S.START_ROW, B.depth(rules, actor, square)))
    other = R.opponent(actor)
    awaited = (other,) if R.hero_place(t, other) else ()
    t.emit(C.HERO_ON_START_POINT, clock_at(t, S.SET_UP, S.HEROES, *awaited))


# -- the turn ---------------------------------------------------------------------------------------------------------


def _charge(rules: Rules, t: LiveTable, actor: Seat, action: A.Charge) -> None:
    t.emit(C.CHARGING, F.Marked(None, S.CHARGING, 1))
    begin_end(rules, t, t.clock.active or actor)


def _decline_charge(rules: Rules, t: LiveTable, actor: Seat, action: A.DeclineCharge) -> None:
    go_idle(rules, t, t.clock.active or actor)


@implements(C.END_DECLARED)
def _end_turn(rules: Rules, t: LiveTable, actor: Seat, action: A.EndTurn) -> None:
    begin_end(rules, t, t.clock.active or actor)


def _pass(rules: Rules, t: LiveTable, actor: Seat, action: Pass) -> None:
    if P.window(t) is not None:  # as played: a pass outside a window does nothing
        note_pass(t, actor)


# -- uses -------------------------------------------------------------------------------------------------------------


def _spend_chance(rules: Rules, t: LiveTable) -> None:
    """Use up the chance to respond. The window on the stack closes, since the new item opens its own."""
    window = P.window(t)
    if P.top(t) is None and t.clock.phase in (S.CHARGE, S.MAIN):  # as played: charging is no longer possible
        t.emit(C.STACK, clock_at(t, S.MAIN, S.ON_STACK))
    elif window is not None and R.window_kind(window) == STACK_WINDOW and rules.stack_order != "immediate":
        t.emit(C.CHANCE_ALTERNATES, F.Popped(window.id, "closed"))
    clear_passes(t)


@implements(C.MILL_COST, C.COST_FIXED, C.BOON_AT_DECLARATION)
def _use_skill(rules: Rules, t: LiveTable, actor: Seat, action: A.UseSkill) -> None:
    card = action.card
    printed = R.printed(rules, t, card)
    hero = R.hero(rules, t, actor)
    is_response = P.window(t) is not None
    effects = EffectsInForce(rules, t)
    price = cost(rules, t, effects, actor, printed)
    weigh_cost(rules, t, effects, actor, card, printed)
    _spend_chance(rules, t)
    t.emit(C.USED_FROM, F.Moved((card,), R.STACK_PLACE, up=True))
    item = _push(rules, t, actor, action, hero, price)
    mill(rules, t, actor, price, C.MILL_COST)
    if printed.lose_hp and hero is not None:
        lose_hp(t, hero, printed.lose_hp, C.MILL_COST)
    _offer_response(rules, t, item, is_response)


@implements(C.ACTIVATED, C.COST_FIXED)
def _use_ability(rules: Rules, t: LiveTable, actor: Seat, action: A.UseAbility) -> None:
    source = action.source
    ability = activated_ability(rules, t, source, action.ability)
    if ability is None:  # as played: an ability that does not exist does nothing
        return
    user = user_of(t, actor, source)
    is_response = P.window(t) is not None
    _spend_chance(rules, t)
    item = _push(rules, t, actor, action, user, ability.mill)
    if ability.once:
        t.emit(C.ONCE_PER_TURN, F.Marked((source,), S.USED.format(action.ability), t.clock.turn))
    if ability.tap and user is not None:
        t.emit(C.TAP_COST, F.Stanced((user,), S.EXHAUSTED))
    mill(rules, t, actor, ability.mill, C.MILL_COST)
    _offer_response(rules, t, item, is_response)


def _push(rules: Rules, t: LiveTable, actor: Seat, action: A.Use, user: CardId | None, price: int) -> int:
    kind, source = ("skill", action.card) if isinstance(action, A.UseSkill) else ("ability", action.source)
    origin = R.NO_PLACE if user is None else B.ground_place(R.square(t, user))
    targets = tuple(obj(t, target) for target in action.targets if target in t.pieces)
    first = targets[0].card if targets else None
    target_place = (
        B.ground_place(R.square(t, first))
        if first is not None and (R.is_unit(t, first) or R.is_terrain(t, first))
        else R.NO_PLACE
    )
    path = action.path if isinstance(action, A.UseSkill) else ()
    return push(
        t,
        C.STACK,
        "stack",
        kind,
        actor,
        face=R.printed(rules, t, source).id,
        objs=(obj(t, source), *targets),
        cards=() if user is None or not R.is_terrain(t, source) else (user,),
        frames=(action.item,) if isinstance(action, A.UseSkill) and action.item else (),
        places=(origin, action.square, target_place, *path),
        numbers=(price, 0, 0 if isinstance(action, A.UseSkill) else action.ability),
    )


def _offer_response(rules: Rules, t: LiveTable, number: int, is_response: bool) -> None:
    """Give the opponent the first chance to respond. With `stack_order` "immediate", a response resolves at once."""
    item = frame(t, R.frame_id(number))
    if item is None:
        return
    if is_response and rules.stack_order == "immediate":
        items.begin_item(t, item)
    else:
        open_window(t, STACK_WINDOW, R.opponent(item.by))


# -- moving and fighting ----------------------------------------------------------------------------------------------


@implements(C.SQUARES_PER_SP)
def _declare_move(rules: Rules, t: LiveTable, actor: Seat, action: A.DeclareMove) -> None:
    unit = action.unit
    effects = EffectsInForce(rules, t)
    steps = stat(rules, t, effects, unit, "sp")
    weigh_stat(rules, t, effects, unit, "sp")
    t.emit(C.SQUARES_PER_SP, F.Stanced((unit,), S.EXHAUSTED))
    t.emit(C.SQUARES_PER_SP, clock_at(t, S.MOVE, S.DECLARED))
    push(t, C.SQUARES_PER_SP, "running", "move", actor, step="declared", objs=(obj(t, unit),), numbers=(0, steps))
    open_window(t, "move_declared", R.opponent(actor))


@implements(C.ONE_UNIT_PER_SQUARE, C.FLYING_LEAP)
def _move_step(rules: Rules, t: LiveTable, actor: Seat, action: A.MoveStep) -> None:
    move, path = P.process(t, "move"), squares_of(action.path)
    unit = None if move is None else R.resolve_unit(t, R.unit_of(move))
    if move is None or unit is None or not path or R.unit_at(t, path[-1]) is not None:
        return  # as played: no step without an open move or onto another unit
    spent = R.spent(move) + step_price(rules, t, EffectsInForce(rules, t), unit, path)
    t.emit(C.STEP_TO_NEIGHBOUR, F.Moved((unit,), B.unit_place(path[-1]), up=True))
    t.emit(C.MOVES_PER_TURN, F.Marked((unit,), S.MOVED, t.clock.turn))
    if R.mark(t, unit, S.IGNORES):
        t.emit(C.TERRAIN_IGNORED, F.Marked((unit,), S.IGNORES, 0))
    t.emit(C.STEP_BY_STEP, F.Altered(move.id, step="stepped", columns=R.with_number(move, 0, spent)))
    clear_passes(t)
    arrival.arrive(t, unit, path[-1], arrival.BY_STEP)


def _stop_move(rules: Rules, t: LiveTable, actor: Seat, action: A.StopMove) -> None:
    move = P.process(t, "move")
    if move is not None:
        t.emit(C.AT_LEAST_ONE_STEP, F.Altered(move.id, step="ended"))
        clear_passes(t)


def _explore_in_place(rules: Rules, t: LiveTable, actor: Seat, action: A.ExploreInPlace) -> None:
    unit = action.unit
    terrain = R.terrain_under(t, unit)
    t.emit(C.EXPLORE_IN_PLACE, F.Stanced((unit,), S.EXHAUSTED))
    t.emit(C.EXPLORE_IN_PLACE, F.Marked((unit,), S.EXPLORED, t.clock.turn))
    t.emit(C.EXPLORE_IN_PLACE, clock_at(t, S.MOVE, S.STEP))
    open_window(t, "move_stepped", R.opponent(actor))
    if terrain is not None and not t.pieces[terrain].up:
        arrival.turn_up(rules, t, terrain, unit, C.EXPLORE_IN_PLACE)


@implements(C.ONE_ATTACKER, C.FIGHT_WITHOUT_MOVE)
def _start_battle(rules: Rules, t: LiveTable, actor: Seat, action: A.StartBattle) -> None:
    unit = action.unit
    if not R.did_this_turn(t, unit, S.MOVED) and R.stance(t, unit) != S.EXHAUSTED:
        t.emit(C.FIGHT_WITHOUT_MOVE, F.Stanced((unit,), S.EXHAUSTED))
    t.emit(C.ONE_ATTACKER, clock_at(t, S.BATTLE, battle.START))
    push(
        t, C.ONE_ATTACKER, "running", "battle", actor, step=battle.START, objs=(obj(t, unit),), numbers=(0, 0, 0, 0, 0)
    )


# -- upkeep -----------------------------------------------------------------------------------------------------------


@implements(C.DISCARDED_AURA_TO_GRAVEYARD)
def _discard_aura(rules: Rules, t: LiveTable, actor: Seat, action: A.DiscardAura) -> None:
    bury(t, (action.card,), C.AURA_DISCARDED)


@implements(C.CURSE_STAYS_ITS_OWNERS)
def _dispel_curse(rules: Rules, t: LiveTable, actor: Seat, action: A.DispelCurse) -> None:
    """Mill the cost. The curse is buried after the resulting triggers."""
    t.emit(C.CURSE_DISPELLED, clock_at(t, S.MAIN, S.ON_STACK))
    push(t, C.CURSE_DISPELLED, "running", "dispelling", actor, objs=(obj(t, action.card),))
    mill(rules, t, actor, dispel_cost(R.printed(rules, t, action.card)), C.CURSE_DISPELLED)


@implements(C.OWNER_LOOKS)
def _show_graveyard(rules: Rules, t: LiveTable, actor: Seat, action: A.ShowGraveyard) -> None:
    cards = R.graveyard(t, actor)[-action.count :] if action.count > 0 else ()
    if cards:
        t.emit(C.GRAVEYARD_SHOWN, F.Shown(cards, (R.opponent(actor),)))


# -- chance, the end --------------------------------------------------------------------------------------------------


def _outcome(rules: Rules, t: LiveTable, actor: Seat, outcome: A.Outcome) -> None:
    asked = open_question(t)
    if asked is None or actor != CHANCE:  # as played: only chance shuffles and tosses
        return
    t.emit(C.CHANCE_RECORDED, F.Popped(asked.id, "answered"))
    match outcome:
        case A.ShuffleBook(player, order):
            t.emit(C.BOOKS_SHUFFLED, F.Arranged(R.BOOKS[player], order or R.book(t, player)))
        case A.Toss(player):
            t.emit(C.TOSS_AND_ORDER, F.Rolled("toss", seat=player))
            t.emit(C.TOSS_AND_ORDER, F.Marked(player, S.TOSS, 1))
        case _:
            assert_never(outcome)


def _concede(rules: Rules, t: LiveTable, actor: Seat, action: Concede) -> None:
    t.emit(C.CONCEDING, F.Finished(Result((R.opponent(actor),), "concede")))


def _judging(rules: Rules, t: LiveTable, actor: Seat, action: A.Judging) -> None:
    match action:
        case A.CallTime():
            t.emit(C.TIME_CALLED, F.Marked(None, S.TIME_CALLED, 1))
        case JudgeEnd(winner):
            t.emit(C.TIME_CALLED, F.Finished(Result((winner,) if winner else (), "judge")))
        case _:
            assert_never(action)


CARRY_OUT: Final[dict[type[Action], Callable[[Rules, LiveTable, Seat, Any], None]]] = {
    A.LayOutMap: _lay_out_map,
    A.ChooseOrder: _choose_order,
    A.PlaceHero: _place_hero,
    A.Charge: _charge,
    A.DeclineCharge: _decline_charge,
    A.EndTurn: _end_turn,
    Pass: _pass,
    A.UseSkill: _use_skill,
    A.UseAbility: _use_ability,
    A.DeclareMove: _declare_move,
    A.MoveStep: _move_step,
    A.StopMove: _stop_move,
    A.ExploreInPlace: _explore_in_place,
    A.StartBattle: _start_battle,
    A.DiscardAura: _discard_aura,
    A.DispelCurse: _dispel_curse,
    A.ShowGraveyard: _show_graveyard,
    **dict.fromkeys(get_args(A.Answer), answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    Concede: _concede,
    **dict.fromkeys(get_args(A.Judging), _judging),
}
