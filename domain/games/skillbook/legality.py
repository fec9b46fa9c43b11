"""May this be done? Every clause an action must meet, in the order in which they are looked at."""

from collections.abc import Callable, Iterator
from typing import Any, Final, assert_never, get_args

from domain.games.skillbook import actions as A, clauses as C, meaning as M, reading as R, schema as S, text as T
from domain.games.skillbook.fighting import (
    next_steps,
    out_of_reach,
    speed,
    targets_of,
    unreachable_flyer,
    wrong_step,
)  # fmt: skip
from domain.games.skillbook.placing import wrong_placing
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import Aim, named_values, wrong_path, wrong_target
from domain.games.skillbook.values import (
    Standing,
    bans,
    cost,
    dispel_cost,
    fits,
    has_keyword,
    is_usable,
    player_bans,
    ranged,
    stat,
)  # fmt: skip
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.clause import Check, Clause, Count, FrameRef, Subject, Word, carries, named
from domain.law.slots import Action
from domain.parts.asking import answers, awaited, question, reorders
from domain.parts.grid import Square, beside
from domain.table.table import CHANCE, JUDGE, CardId, Frame, Place, Seat, Table

Checks = Iterator[Check]

VERBS: Final = {"counter": ("counter", "decline_counter")}
"""The verbs that answer a kind of question, where there are two."""
ANYTIME: Final[frozenset[type]] = frozenset((Concede, A.ShowGraveyard, *get_args(A.Judging)))


def checks(rules: Rules, t: Table, actor: Seat, action: A.AnyAction) -> Checks:
    """Every clause this action must meet; the first that does not hold is the refusal."""
    yield C.NOTHING_AFTER_END, t.result is None
    kind = type(action)
    if kind not in ANYTIME:
        yield from _turn_to_act(t, actor, action)
    yield from CHECKS[kind](rules, t, actor, action)


def _turn_to_act(t: Table, actor: Seat, action: A.AnyAction) -> Checks:
    asked = question(t)
    if t.clock.phase == S.SET_UP and asked is None:
        if isinstance(action, A.ChooseOrder) and t.clock.first is None:
            yield C.DECIDER_ACTS, bool(R.has(t, actor, S.TOSS)), actor
        elif t.clock.step == S.HEROES:
            yield C.DECIDER_ACTS, actor in t.clock.awaited, actor
        return
    yield C.DECIDER_ACTS, actor in awaited(t) or (asked is None and not t.clock.awaited), actor
    if asked is not None:
        yield C.DECISION_FIRST, is_answer(asked, action), asked.by, Word(asked.kind)


def is_answer(asked: Frame, action: A.AnyAction) -> bool:
    """Is this an action that answers such a question?"""
    if asked.kind in VERBS:
        return isinstance(action, A.Counter | A.DeclineCounter)
    return answers(asked, action)


# -- set-up -----------------------------------------------------------------------------------------------------------


def _lay_out_map(rules: Rules, t: Table, actor: Seat, action: A.LayOutMap) -> Checks:
    laying = (t.clock.phase, t.clock.step) == (S.SET_UP, S.LAYING) and actor in t.seats
    yield C.MAP_LAID_OUT, laying and not R.has(t, actor, S.LAID_OUT), actor
    yield C.MAP_LAID_OUT, reorders(action.cards, R.layout(t, actor)), *action.cards


def _choose_order(rules: Rules, t: Table, actor: Seat, action: A.ChooseOrder) -> Checks:
    yield C.TOSS_AND_ORDER, bool(R.has(t, actor, S.TOSS)) and t.clock.first is None, actor
    yield C.TOSS_AND_ORDER, action.order in get_args(A.Order), named(Word(action.order), "order")


def _place_hero(rules: Rules, t: Table, actor: Seat, action: A.PlaceHero) -> Checks:
    yield (
        C.HERO_ON_START_POINT,
        (t.clock.phase, t.clock.step) == (S.SET_UP, S.HEROES) and actor in t.clock.awaited,
        actor,
    )
    square = R.at(action.square)
    terrain = None if square is None else R.terrain_at(t, square)
    start = terrain is not None and R.printed(rules, t, terrain).type == "start" and R.owner(t, terrain) == actor
    yield C.HERO_ON_START_POINT, start, _square(action.square)
    yield from _named_squares(rules, action.square)


def _square(place: Place) -> Subject:
    return named(Word(place), "square")


def _named_squares(rules: Rules, *places: Place) -> Checks:
    """Squares that an action names are those of the board."""
    for place in places:
        if place:
            yield C.EXISTING_AND_USABLE, place in R.ground_places(rules.size), _square(place)


# -- the turn ---------------------------------------------------------------------------------------------------------


def _charging(rules: Rules, t: Table, actor: Seat, action: A.Charge | A.DeclineCharge) -> Checks:
    yield C.CHARGING, t.clock.phase == S.CHARGE and t.clock.active == actor, actor
    if isinstance(action, A.Charge) and rules.charging_needs_hp:
        hero = R.hero(rules, t, actor)
        left = 0 if hero is None else R.hp(rules, t, hero)
        yield C.CHARGING, left > rules.charge_hp, actor, Count(left)


def _end_turn(rules: Rules, t: Table, actor: Seat, action: A.EndTurn) -> Checks:
    yield C.END_DECLARED, R.is_idle(t) and t.clock.active == actor, actor


def _pass(rules: Rules, t: Table, actor: Seat, action: Pass) -> Checks:
    yield C.CHANCE_ALTERNATES, R.has_chance(t, actor), actor


# -- uses -------------------------------------------------------------------------------------------------------------


@carries(C.RESPONSE_ABILITY)
def _timely(rules: Rules, t: Table, actor: Seat, response: bool) -> Checks:
    """A use in one's own main phase while nothing is in progress; a response also with the chance in a window."""
    idle = R.is_idle(t) and t.clock.active == actor
    chance = R.has_chance(t, actor)
    if chance and rules.charging_silences and t.marks.get(S.CHARGING) and t.clock.active == actor:
        yield C.CHARGING, False, actor
    last = chance and rules.any_use_at_end and t.clock.active == actor and _in_last_window(t)
    if response:
        yield C.RESPONSE_TIMING, idle or chance, actor
    else:
        yield C.OWN_MAIN_PHASE, idle or last, actor


def _in_last_window(t: Table) -> bool:
    window = R.window(t)
    return window is not None and R.window_kind(window) == "end_start" and not t.stack


@carries(C.NO_USE_LIMIT, C.UNUSABLE_SKILLS_LEGAL)
def _use_skill(rules: Rules, t: Table, actor: Seat, action: A.UseSkill) -> Checks:
    card = action.card
    words = R.printed(rules, t, card)
    yield from _timely(rules, t, actor, words.response)
    held = card in R.hand(t, actor) or (card in R.table(t, actor) and R.owner(t, card) == actor)
    yield C.EXISTING_AND_USABLE, held and words.type in T.SKILLS, named(card, "card")
    if not held or words.type not in T.SKILLS:
        return
    yield from _named_squares(rules, action.square, *action.path)
    yield C.EXISTING_AND_USABLE, all(_is_there(t, one) for one in action.targets), *action.targets
    yield C.USED_FROM, not R.is_in_force(t, card), card
    now = Standing(rules, t)
    hero = R.hero(rules, t, actor)
    classes = () if hero is None else R.printed(rules, t, hero).classes
    yield C.HERO_REQUIREMENT, words.requirement is None or words.requirement in classes, card
    yield C.BOON_NEEDED, is_usable(rules, t, now, actor, words.element), card
    if words.response:
        banning = player_bans(rules, t, now, "use_response_skills", actor)
        yield C.CANNOT_WINS, not banning, *banning
    yield from _payable(rules, t, actor, cost(rules, t, now, actor, words), card)
    yield from _aimed(rules, t, actor, words, action, None if hero is None else R.square(t, hero))
    yield from _room(rules, t, actor, card, words)


def _is_there(t: Table, one: CardId) -> bool:
    return R.is_unit(t, one) or R.is_terrain(t, one)


def _payable(rules: Rules, t: Table, actor: Seat, due: int, about: CardId) -> Checks:
    left = len(R.book(t, actor))
    enough = due < left if due and rules.last_card_stays else due <= left
    yield C.COST_PAYABLE, enough, about, Count(due), Count(left)


@carries(C.ORIGIN)
def _aimed(rules: Rules, t: Table, actor: Seat, words: T.Card, action: A.UseSkill, origin: Square | None) -> Checks:
    about = aimed_at(action.targets, action.square, action.item)
    use = R.use_of(words)[1]
    if words.type == "monster":
        square = R.at(action.square)
        yield C.SUMMON_SQUARE, square in summon_squares(rules, t, actor), _square(action.square)
        yield C.SUITABLE_TARGET, not action.targets and not action.item, *about
    else:
        aim = Aim(actor, origin, is_skill=True)
        values = named_values(use.targets, action.targets, action.square, action.item)
        wrong = wrong_target(rules, t, aim, use.targets, values)
        yield wrong or C.SUITABLE_TARGET, wrong is None, *about
        yield C.SUITABLE_TARGET, not needs_units(use) or any_meant(rules, t, actor, use, origin), action.card
    path = squares_of(action.path)
    if use.path and action.targets and R.is_unit(t, action.targets[0]):
        wrong = wrong_path(rules, origin, path, R.square(t, action.targets[0]), reach_of(use))
        yield wrong or C.DECLARED_PATH, wrong is None, *(Word(place) for place in action.path)
    else:
        yield C.DECLARED_PATH, not action.path, *(Word(place) for place in action.path)


def squares_of(path: tuple[Place, ...]) -> tuple[Square, ...]:
    """The squares of a path; what is no square of a board is none."""
    return tuple(square for place in path if (square := R.at(place)) is not None)


def reach_of(use: T.Use) -> int:
    """How far the first target of a skill may be."""
    first = use.targets[0] if use.targets else None
    return first.of.range.n if isinstance(first, M.UnitTarget) else 0


def aimed_at(targets: tuple[CardId, ...], square: Place, item: int) -> tuple[Subject, ...]:
    """What an action names, for the trail of a check."""
    about: list[Subject] = [*targets]
    if square:
        about.append(Word(square))
    if item:
        about.append(FrameRef(R.frame_id(item)))
    return tuple(about)


def needs_units(use: T.Use) -> bool:
    """Is a spell's only effect on each unit of a description?"""
    units = [ref for do in use.do for ref in _refs(do) if isinstance(ref, M.Units)]
    return bool(units) and not use.targets and len(units) == len(use.do)


def _refs(do: T.AnyDo) -> tuple[M.Ref, ...]:
    on = getattr(do, "on", ())
    return on if isinstance(on, tuple) else (on,)


def any_meant(rules: Rules, t: Table, actor: Seat, use: T.Use, origin: Square | None) -> bool:
    """Is there a unit that such a spell concerns?"""
    return any(
        isinstance(ref, M.Units) and any(fits(rules, t, ref, one, actor, origin) for one in R.units(rules, t))
        for do in use.do
        for ref in _refs(do)
    )


@carries(C.SUMMON_SQUARE)
def summon_squares(rules: Rules, t: Table, actor: Seat) -> tuple[Square, ...]:
    """The empty squares to which a player's monster may come."""
    there: tuple[Square, ...]
    if rules.summons_in_own_area:
        there = R.own_squares(rules.size, rules.own_rows, actor)
    elif rules.summons_on_own_face_up:
        there = tuple([square for square in R.board(rules.size) if _is_own_face_up(t, actor, square)])
    else:
        hero = R.hero(rules, t, actor)
        there = () if hero is None else beside(rules.size, R.square(t, hero))
    return tuple([square for square in there if R.unit_at(t, square) is None])


def _is_own_face_up(t: Table, actor: Seat, square: Square) -> bool:
    terrain = R.terrain_at(t, square)
    return terrain is not None and t.pieces[terrain].up and R.owner(t, terrain) == actor


def _room(rules: Rules, t: Table, actor: Seat, card: CardId, words: T.Card) -> Checks:
    if words.type == "aura":
        spare = R.free_slots(rules, t, actor) > 0 or card in R.table(t, actor)
        yield C.AURA_ROOM, spare or bool(room_makers(t, actor)), card
    elif words.type == "curse":
        yield C.CURSE_NEEDS_SLOT, R.free_slots(rules, t, R.opponent(actor)) > 0, R.opponent(actor)


@carries(C.CURSE_STAYS_ITS_OWNERS)
def room_makers(t: Table, seat: Seat) -> tuple[CardId, ...]:
    """The own cards of a player's table: an enemy's curse cannot be given up."""
    return tuple([one for one in R.table(t, seat) if R.owner(t, one) == seat])


def _use_ability(rules: Rules, t: Table, actor: Seat, action: A.UseAbility) -> Checks:
    source = action.source
    said = activated(rules, t, source, action.ability)
    yield from _timely(rules, t, actor, said is not None and said.response)
    user = user_of(t, actor, source)
    usable = user is not None or _is_own_aura(t, actor, source)
    yield C.EXISTING_AND_USABLE, usable, named(source, "source")
    if not usable:
        return
    yield C.FACE_DOWN_IDLE, not R.is_terrain(t, source) or t.pieces[source].up, source
    yield C.EXISTING_AND_USABLE, said is not None, source, Count(action.ability)
    yield from _named_squares(rules, action.square)
    yield C.EXISTING_AND_USABLE, all(_is_there(t, one) for one in action.targets), *action.targets
    if said is None:
        return
    yield C.ONCE_PER_TURN, not said.once or not R.did(t, source, S.USED.format(action.ability)), source
    yield from _payable(rules, t, actor, said.mill, source)
    if said.tap:
        yield C.TAP_COST, user is not None and R.stance(t, user) == S.ACTIVE, user or source
    aim = Aim(actor, None if user is None else R.square(t, user), is_skill=False)
    values = named_values(said.targets, action.targets, action.square, R.NO_FRAME)
    wrong = wrong_target(rules, t, aim, said.targets, values)
    yield wrong or C.SUITABLE_TARGET, wrong is None, *aimed_at(action.targets, action.square, 0)


def activated(rules: Rules, t: Table, source: CardId, number: int) -> T.Activated | None:
    """The activated ability of that number printed on a card."""
    said = R.printed(rules, t, source).abilities
    held = said[number] if 0 <= number < len(said) else None
    return held if isinstance(held, T.Activated) else None


def user_of(t: Table, actor: Seat, source: CardId) -> CardId | None:
    """The own unit that uses an ability: itself, or that which stands on the terrain."""
    if R.is_own_unit(t, actor, source):
        return source
    if R.is_terrain(t, source):
        there = R.unit_at(t, R.square(t, source))
        return there if there is not None and R.owner(t, there) == actor else None
    return None


def _is_own_aura(t: Table, actor: Seat, source: CardId) -> bool:
    return source in R.table(t, actor) and R.owner(t, source) == actor and R.is_in_force(t, source)


# -- moving -----------------------------------------------------------------------------------------------------------


def _idle(t: Table, actor: Seat) -> Checks:
    yield C.OWN_MAIN_PHASE, R.is_idle(t) and t.clock.active == actor, actor


def _declare_move(rules: Rules, t: Table, actor: Seat, action: A.DeclareMove) -> Checks:
    yield from _idle(t, actor)
    one = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, one), named(one, "unit")
    if not R.is_unit(t, one):
        return
    now = Standing(rules, t)
    yield C.MOVES_PER_TURN, not R.did(t, one, S.MOVED), one
    yield C.NO_MOVE_AFTER_BATTLE, not R.did(t, one, S.FOUGHT), one
    yield C.ACTIVE_TO_BEGIN, R.stance(t, one) == S.ACTIVE, one
    banning = bans(rules, t, now, "move", one)
    yield C.CANNOT_WINS, not banning, *banning
    steps = stat(rules, t, now, one, "sp")
    yield C.SQUARES_PER_SP, steps >= 1, one, Count(steps)
    yield C.AT_LEAST_ONE_STEP, bool(next_steps(rules, t, now, one, steps)), one


def _open_move(t: Table, actor: Seat) -> tuple[Frame | None, Clause]:
    """The move in which a player may make a step now, and the clause by which it may not."""
    move = R.process(t, "move")
    if move is not None and R.top(t) == move and t.clock.step == S.STEP and actor in t.clock.awaited:
        return move, C.SQUARES_PER_SP
    return None, C.OWN_MAIN_PHASE if move is not None and move.step != "ended" else C.SQUARES_PER_SP


def _move_step(rules: Rules, t: Table, actor: Seat, action: A.MoveStep) -> Checks:
    move, because = _open_move(t, actor)
    yield because, move is not None, actor
    yield from _named_squares(rules, *action.path)
    if move is None:
        return
    one, now = R.unit_of(move).card, Standing(rules, t)
    left = speed(rules, t, now, move) - R.spent(move)
    wrong = wrong_step(rules, t, now, one, squares_of(action.path), left)
    yield wrong or C.STEP_TO_NEIGHBOUR, wrong is None, *(Word(place) for place in action.path)


def _stop_move(rules: Rules, t: Table, actor: Seat, action: A.StopMove) -> Checks:
    move, because = _open_move(t, actor)
    yield because, move is not None, actor
    if move is None:
        return
    one, now = R.unit_of(move).card, Standing(rules, t)
    left = speed(rules, t, now, move) - R.spent(move)
    yield C.AT_LEAST_ONE_STEP, R.spent(move) > 0 or not next_steps(rules, t, now, one, left), one


def _explore_in_place(rules: Rules, t: Table, actor: Seat, action: A.ExploreInPlace) -> Checks:
    yield from _idle(t, actor)
    one = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, one), named(one, "unit")
    if not R.is_unit(t, one):
        return
    yield C.NO_MOVE_AFTER_BATTLE, not R.did(t, one, S.FOUGHT), one
    yield C.ACTIVE_TO_BEGIN, R.stance(t, one) == S.ACTIVE, one
    terrain = R.terrain_under(t, one)
    yield C.EXPLORE_IN_PLACE, terrain is not None and not t.pieces[terrain].up, one


# -- battles ----------------------------------------------------------------------------------------------------------


@carries(C.FIGHT_AFTER_MOVE, C.FIGHT_WITHOUT_MOVE)
def _start_battle(rules: Rules, t: Table, actor: Seat, action: A.StartBattle) -> Checks:
    yield from _idle(t, actor)
    one = action.unit
    yield C.EXISTING_AND_USABLE, R.is_own_unit(t, actor, one), named(one, "unit")
    if not R.is_unit(t, one):
        return
    now = Standing(rules, t)
    yield C.FIGHTS_PER_TURN, not R.did(t, one, S.FOUGHT), one
    banning = bans(rules, t, now, "attack", one)
    yield C.CANNOT_WINS, not banning, *banning
    moved = R.did(t, one, S.MOVED) or (rules.explorers_fight and R.did(t, one, S.EXPLORED))
    stance = R.stance(t, one)
    yield C.RESTING, moved or stance != S.RESTING, one
    yield C.FIGHT_AFTER_MOVE, moved or stance != S.EXHAUSTED, one
    yield C.SUITABLE_TARGET, bool(targets_of(rules, t, now, one)), one


def _choose_attack_target(rules: Rules, t: Table, actor: Seat, action: A.ChooseAttackTarget) -> Checks:
    asked, battle = question(t), R.process(t, "battle")
    right = asked is not None and asked.kind == "choose_attack_target" and battle is not None
    yield C.MELEE_REACH, right, actor
    attacker = None if battle is None or not right else R.meant(t, R.attacker_of(battle))
    if attacker is None:
        return
    now, target = Standing(rules, t), action.target
    yield C.ENEMIES_ATTACKED, R.is_unit(t, target) and R.owner(t, target) != actor, named(target, "target")
    if not R.is_unit(t, target):
        return
    banning = bans(rules, t, now, "attack", attacker)
    yield C.CANNOT_WINS, not banning, *banning
    wrong = out_of_reach(rules, t, now, attacker, target) or unreachable_flyer(rules, t, now, attacker, target)
    yield wrong or C.MELEE_REACH, wrong is None, target
    yield from _named_squares(rules, *action.path)
    path = squares_of(action.path)
    if not has_keyword(rules, t, now, attacker, "attacks_pierce"):
        yield C.DECLARED_PATH, not action.path, *(Word(place) for place in action.path)
        return
    far = max(ranged(rules, t, now, attacker), rules.melee_line)
    bad = wrong_path(rules, R.square(t, attacker), path, R.square(t, target), far)
    bad = C.RANGED_REACH if bad == C.LINE else bad
    yield bad or C.DECLARED_PATH, bad is None, *(Word(place) for place in action.path)


def _countering(rules: Rules, t: Table, actor: Seat, action: A.Counter | A.DeclineCounter) -> Checks:
    asked = question(t)
    yield C.COUNTER, asked is not None and asked.kind == "counter" and asked.by == actor, actor


# -- upkeep -----------------------------------------------------------------------------------------------------------


def _discard_aura(rules: Rules, t: Table, actor: Seat, action: A.DiscardAura) -> Checks:
    yield from _idle(t, actor)
    card = action.card
    aura = _is_own_aura(t, actor, card) and R.printed(rules, t, card).type == "aura"
    yield C.EXISTING_AND_USABLE, aura, named(card, "card")


def _dispel_curse(rules: Rules, t: Table, actor: Seat, action: A.DispelCurse) -> Checks:
    yield from _idle(t, actor)
    card = action.card
    curse = card in R.table(t, actor) and R.owner(t, card) != actor
    yield C.EXISTING_AND_USABLE, curse, named(card, "card")
    if curse:
        yield from _payable(rules, t, actor, dispel_cost(R.printed(rules, t, card)), card)


def _show_graveyard(rules: Rules, t: Table, actor: Seat, action: A.ShowGraveyard) -> Checks:
    there = len(R.graveyard(t, actor)) if actor in t.seats else 0
    yield C.EXISTING_AND_USABLE, 1 <= action.count <= there, actor, Count(action.count)


# -- answers ----------------------------------------------------------------------------------------------------------

_OWN_TIME: Final[dict[type[Action], Clause]] = {
    A.OrderTriggers: C.OWN_EFFECTS_ORDERED,
    A.ChooseTargets: C.SUITABLE_TARGET,
    A.OrderGraveyard: C.GRAVEYARD_ORDER,
    A.MakeRoom: C.AURA_ROOM,
    A.PlaceCard: C.TURN_DRAW,
    A.ChooseExplore: C.EXPLORE_ON_ENTERING,
    A.ChooseTerrainEffect: C.TERRAIN_IGNORED,
}
"""The clause of an answer's own time: cited where nothing of its kind is asked, and for one that was not offered."""


def _answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Checks:
    asked, because = question(t), _OWN_TIME[type(action)]
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
            yield C.CURSE_STAYS_ITS_OWNERS, not card or card in room_makers(t, actor), *((card,) if card else ())
        case A.PlaceCard():
            wrong = wrong_placing(rules, t, actor, action)
            yield wrong or because, wrong is None, named(action.card, "card")
        case A.ChooseTerrainEffect(answer):
            yield because, answer in ("accept", "ignore"), named(Word(answer), "answer")
        case _:
            pass


def _trigger_targets(rules: Rules, t: Table, asked: Frame, action: A.ChooseTargets) -> Checks:
    trigger = R.served_frame(t, asked)
    said = None if trigger is None else triggered(rules, trigger)
    if trigger is None or said is None:
        return
    about = aimed_at(action.targets, action.square, 0)
    if action.decline:
        yield C.SUITABLE_TARGET, said.may and not about, *about
        return
    values = named_values(said.targets, action.targets, action.square, R.NO_FRAME)
    wrong = wrong_target(rules, t, aim_of_trigger(t, trigger), said.targets, values)
    yield wrong or C.SUITABLE_TARGET, wrong is None, *about
    yield from _named_squares(rules, action.square)


def triggered(rules: Rules, trigger: Frame) -> T.Triggered | None:
    """The ability of a waiting trigger."""
    return R.triggered_ability(rules, trigger)


def aim_of_trigger(t: Table, trigger: Frame) -> Aim:
    """Who aims for a trigger, and from where: from where its unit stands, or stood last."""
    source = R.meant(t, R.source_of(trigger))
    last = R.last_square(trigger)
    origin = R.square(t, source) if source is not None else last
    return Aim(trigger.by, origin, is_skill=False, last=last)


# -- chance, the end --------------------------------------------------------------------------------------------------


@carries(C.CHANCE_RECORDED)
def _outcome(rules: Rules, t: Table, actor: Seat, outcome: A.Outcome) -> Checks:
    asked = question(t)
    right = asked is not None and asked.by == CHANCE and actor == CHANCE and answers(asked, outcome)
    yield C.CHANCE_RECORDED, right, actor
    if asked is None or not right:
        return
    match outcome:
        case A.ShuffleBook(player, order):
            known = not order or reorders(order, R.book(t, player))
            yield C.BOOKS_SHUFFLED, player in asked.seats and known, player
        case A.Toss(player):
            yield C.TOSS_AND_ORDER, player in t.seats, player
        case _:
            assert_never(outcome)


def _concede(rules: Rules, t: Table, actor: Seat, action: Concede) -> Checks:
    yield C.CONCEDING, actor in t.seats, actor


def _judging(rules: Rules, t: Table, actor: Seat, action: A.Judging) -> Checks:
    fresh = not isinstance(action, A.CallTime) or not t.marks.get(S.TIME_CALLED)
    yield C.TIME_CALLED, actor == JUDGE and fresh, actor
    if isinstance(action, JudgeEnd):
        yield C.TIME_CALLED, not action.winner or action.winner in t.seats, action.winner


CHECKS: Final[dict[type[Action], Callable[[Rules, Table, Seat, Any], Checks]]] = {
    A.LayOutMap: _lay_out_map,
    A.ChooseOrder: _choose_order,
    A.PlaceHero: _place_hero,
    A.Charge: _charging,
    A.DeclineCharge: _charging,
    A.EndTurn: _end_turn,
    Pass: _pass,
    A.UseSkill: _use_skill,
    A.UseAbility: _use_ability,
    A.DeclareMove: _declare_move,
    A.MoveStep: _move_step,
    A.StopMove: _stop_move,
    A.ExploreInPlace: _explore_in_place,
    A.StartBattle: _start_battle,
    A.ChooseAttackTarget: _choose_attack_target,
    A.Counter: _countering,
    A.DeclineCounter: _countering,
    A.DiscardAura: _discard_aura,
    A.DispelCurse: _dispel_curse,
    A.ShowGraveyard: _show_graveyard,
    **dict.fromkeys(_OWN_TIME, _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
    Concede: _concede,
    **dict.fromkeys(get_args(A.Judging), _judging),
}
