"""Effects of answers to questions."""

from typing import assert_never

from domain.games.skillbook import actions as A, board as B, clauses as C, schema as S, table_queries as R
from domain.games.skillbook.effects import arrival, triggers
from domain.games.skillbook.effects.windows import open_window
from domain.games.skillbook.effects.zones import bury, put_in_hand
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import EffectsInForce, ranged
from domain.law.clause import implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import open_question, served
from domain.parts.grid import taxicab_distance
from domain.parts.places import obj, place_in
from domain.table import facts as F
from domain.table.table import CardId, Frame, Place, Seat, frame


def answer(rules: Rules, t: LiveTable, actor: Seat, action: A.Answer) -> None:
    asked = open_question(t)
    if asked is None:  # as played: an answer to nothing does nothing
        return
    t.emit(C.DECISION_FIRST, F.Popped(asked.id, "answered"))
    process = served(t, asked)
    match action:
        case A.OrderTriggers(ids):
            triggers.append_to_queue(t, [waiting for trigger in ids if (waiting := frame(t, trigger)) is not None])
        case A.ChooseTargets():
            if process is not None:
                _aim_trigger(t, process, action)
        case A.OrderGraveyard(cards):
            _put_in_order(t, actor, cards)
        case A.MakeRoom(card):
            if card:
                bury(t, (card,), C.AURA_ROOM)
        case A.PlaceCard():
            place_card(t, actor, action)
        case A.ChooseExplore(yes):
            _decide_explore(rules, t, asked, process, yes)
        case A.ChooseTerrainEffect(answer):
            if process is not None and answer == "ignore":
                t.emit(C.TERRAIN_IGNORED, F.Marked((R.unit_of(process).card,), S.IGNORES, 1))
        case A.ChooseAttackTarget(target, path):
            if process is not None:
                _attack(rules, t, process, target, path)
        case A.Counter() | A.DeclineCounter():
            if process is not None:
                decide_counter(t, actor, process, isinstance(action, A.Counter))
        case _:
            assert_never(action)


def _aim_trigger(t: LiveTable, trigger: Frame, action: A.ChooseTargets) -> None:
    if action.decline:
        t.emit(C.TRIGGERS_AT_ONCE, F.Popped(trigger.id, "declined"))
        return
    targets = tuple(obj(t, target) for target in action.targets if target in t.pieces)
    t.emit(C.SUITABLE_TARGET, F.Altered(trigger.id, columns=R.trigger_with_targets(trigger, targets, action.square)))


def _put_in_order(t: LiveTable, seat: Seat, cards: tuple[CardId, ...]) -> None:
    """Arrange cards that arrived together on top of the graveyard."""
    buried = R.graveyard(t, seat)
    below = tuple(card for card in buried if card not in cards)
    if len(below) + len(cards) == len(buried):
        t.emit(C.GRAVEYARD_ORDER, F.Arranged(place_in(seat, S.GRAVEYARD), (*below, *cards), shuffled=False))


@implements(C.ROOM, C.OVERFLOW, C.TRUMP_SHIFTED, C.RECALL_OVERFLOW)
def place_card(t: LiveTable, seat: Seat, action: A.PlaceCard) -> None:
    """Place a drawn or returned card, if this player has it."""
    card, mode, hand_card = action.card, action.mode, action.held
    if card not in R.drawn(t, seat):
        return
    discarded = {"discard_drawn": card, "discard_hand": hand_card}.get(
        mode, action.gone if action.gone in t.pieces else CardId(0)
    )
    if discarded and R.mark(t, card, S.RECALLED):
        note(t, C.RECALL_OVERFLOW, card)
    if discarded:
        bury(t, (discarded,), C.OVERFLOW)
    if mode in ("shift", "discard_table_shift") and hand_card:
        t.emit(C.TRUMP_SHIFTED, F.Moved((hand_card,), place_in(seat, S.TABLE), up=True))
    if mode in ("to_table", "discard_table"):
        t.emit(C.TURN_DRAW, F.Moved((card,), place_in(seat, S.TABLE), up=True))
    elif mode != "discard_drawn":
        put_in_hand(t, seat, card)


def _decide_explore(rules: Rules, t: LiveTable, asked: Frame, process: Frame | None, yes: bool) -> None:
    square = R.square_asked(asked)
    terrain = None if square is None else R.terrain_at(t, square)
    if yes and process is not None and terrain is not None:
        unit = R.resolve_unit(t, R.unit_of(process))
        arrival.turn_up(rules, t, terrain, unit, C.EXPLORE_ON_ENTERING, process)


@implements(C.ALWAYS_RANGED)
def _attack(rules: Rules, t: LiveTable, battle: Frame, target: CardId, path: tuple[Place, ...]) -> None:
    """Store the target, the path and whether the attack is ranged."""
    attacker = R.resolve_unit(t, R.attacker_of(battle))
    if attacker is None or not R.is_unit(t, target):
        return
    is_ranged = 1 if ranged(rules, t, EffectsInForce(rules, t), attacker) else 0
    squares = B.ground_place(R.square(t, attacker)), B.ground_place(R.square(t, target))
    if is_ranged and taxicab_distance(R.square(t, attacker), R.square(t, target)) <= rules.melee_line:
        note(t, C.ALWAYS_RANGED, attacker)
    columns = R.battle_with_target(battle, obj(t, target), (*squares, *path), is_ranged)
    t.emit(C.MELEE_REACH, F.Altered(battle.id, columns=columns))
    open_window(t, "attack_declared", R.opponent(battle.by))


def decide_counter(t: LiveTable, actor: Seat, battle: Frame, yes: bool) -> None:
    """Let the attacked unit counter if `yes`, then open a window."""
    target = R.resolve_unit(t, R.target_of(battle))
    if yes and target is not None:
        t.emit(C.COUNTER, F.Stanced((target,), S.EXHAUSTED))
        t.emit(C.COUNTER, F.Altered(battle.id, columns=R.with_number(battle, 1, 1)))
    open_window(t, "counter_decided", R.opponent(actor))
