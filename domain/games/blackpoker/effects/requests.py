"""Effects of requests, step by step. A question ends the step; its answer is an action."""

from domain.games.blackpoker import clauses as C, schema as S, table_queries as R
from domain.games.blackpoker.cards import number
from domain.games.blackpoker.effects.moves import bury, choose_tops, damage, draw, fall, move_to_graves
from domain.games.blackpoker.rules import Rules
from domain.law.asking import area_of, face_of
from domain.law.clause import Clause, Count, FrameRef, Word, implements
from domain.law.live import LiveTable
from domain.law.noting import NoteSubject, collects_notes, note, note_layers
from domain.parts.asking import ask
from domain.parts.places import place_in
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Clock, Effect, EffectId, Frame, Obj, Table, ValueColumns, is_same_object


def discard_to_limit(rules: Rules, t: LiveTable, request: Frame) -> None:
    excess = len(R.hand(t, request.by)) - rules.hand_limit
    if excess > 0:
        ask(t, C.END_DISCARDS, "choose_discards", request.by, request.id, numbers=(excess,))


@implements(C.FOG_LEAVES)
def clear_fog(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Bury the fog cards at the end of a turn, and end the effects that last with them."""
    seats = (request.by, R.opponent(request.by)) if rules.fog_end_scope == "all" else (request.by,)
    cards = [card for seat in seats for card in R.fogs(t, seat)]
    remaining = () if rules.fog_end_scope == "all" else R.fogs(t, R.opponent(request.by))
    if remaining:
        note(t, C.FOG_LEAVES, *remaining)
    ended = tuple(e.id for e in t.effects if e.until == S.WITH_CARD and e.source.card in cards)
    bury(rules, t, [(card, C.END_CLEARS_FOG) for card in cards])
    if ended:
        t.emit(C.END_CLEARS_FOG, F.Ended(ended))
    note_small(rules, t)


def pass_turn(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Pass the turn to the opponent and end the effects of this turn."""
    ended = tuple(e.id for e in t.effects if e.until == S.TURN_END)
    if ended:
        t.emit(C.FOG_STOPS, F.Ended(ended))
        note_small(rules, t)
    clock = t.clock
    t.emit(
        C.END_TURN_PASSES,
        F.Clocked(Clock(clock.turn + 1, R.opponent(request.by), clock.first, clock.phase, "", (), clock.passed)),
    )
    for seat, marks in tuple(t.seats.items()):
        for name in (S.ATTACKS, S.BULWARKS_SET):
            if marks.get(name):
                t.emit(C.LIMITS_RESET, F.Marked(seat, name, 0))


@implements(C.SMALL_SIZE_STAYS)
def note_small(rules: Rules, t: LiveTable) -> None:
    """Note soldiers that stay on the field with size 0 or less after a fog has left."""
    if collects_notes(t):
        for card in (card for seat in R.SEATS for card in R.soldiers(t, seat)):
            if R.size(rules, t, card) <= 0:
                note(t, C.SMALL_SIZE_STAYS, card)


def charge_all(rules: Rules, t: LiveTable, request: Frame) -> None:
    driven_cards = tuple(card for card in R.characters(t, request.by) if not R.is_charged(t, card))
    if driven_cards:
        t.emit(C.CHARGE_ALL, F.Stanced(driven_cards, S.CHARGED))


def draw_first(rules: Rules, t: LiveTable, request: Frame) -> None:
    count = rules.draw_mandatory
    if rules.draw_mode == "two_or_one":
        count = 1 if len(R.life(t, request.by)) <= rules.draw_low_life else 2
    draw(t, request.by, count, C.DRAW_FIRST)


def draw_second(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Ask whether to draw the optional card."""
    if rules.draw_optional and rules.draw_mode != "two_or_one" and R.life(t, request.by):
        ask(t, C.DRAW_SECOND, "choose_second_draw", request.by, request.id)


def next_generation(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Mill up to the first generation card, and move that card to the hand. Without one, mill the whole life."""
    cards = R.life(t, request.by)
    position = next(
        (position for position, card in enumerate(cards) if area_of(t, card, S.NEXT_GENERATION) == S.HAND), None
    )
    if position is None:
        bury(rules, t, [(card, C.GENERATION_NOT_FOUND) for card in cards])
        return
    batches = move_to_graves(t, [(card, C.GENERATION_FOUND) for card in cards[:position]])
    t.emit(C.GENERATION_FOUND, F.Moved(cards[position : position + 1], place_in(request.by, "hand")))
    choose_tops(rules, t, batches)


@implements(C.AS_FAR_AS_POSSIBLE)
def ask_bulwark_card(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Ask for the hand card to place as a bulwark, if the hand has one."""
    if R.hand(t, request.by):
        ask(t, C.BULWARK_PLACED, "choose_bulwark_card", request.by, request.id)
    else:
        note(t, C.AS_FAR_AS_POSSIBLE, *request_subjects(request), request.by)


def enter(clause: Clause) -> Step[Rules]:
    """Return the step that makes a summon's key a soldier."""

    def step(rules: Rules, t: LiveTable, request: Frame) -> None:
        if request.cards:
            t.emit(clause, F.Moved(request.cards, place_in(request.by, S.SOLDIERS), up=True))
            mark_arrival(t, request.cards, clause)

    return step


def mark_arrival(t: LiveTable, cards: tuple[CardId, ...], clause: Clause) -> None:
    t.emit(clause, F.Marked(cards, S.ENTERED, t.clock.turn))


def request_subjects(request: Frame) -> tuple[NoteSubject, ...]:
    return FrameRef(request.id), Word(request.kind), *request.cards


@implements(C.TARGET_GONE)
def find_target(t: Table, request: Frame) -> CardId | None:
    """Return the target unit of a request, or None if it has left the field."""
    unit = next((obj.card for obj in request.objs if is_same_object(t, obj)), None)
    if unit is None and request.objs:
        note(t, C.TARGET_GONE, *request_subjects(request), *request.objs)
    return unit


@implements(C.EQUIP_SAME_UNIT)
def equip(rules: Rules, t: LiveTable, request: Frame) -> None:
    soldier = find_target(t, request)
    if soldier is None:
        return
    if collects_notes(t) and any(on.card == soldier for effect in t.effects for on in effect.on):
        note(t, C.EQUIP_SAME_UNIT, soldier)
    t.emit(C.EQUIPPED, F.Moved(request.cards, t.pieces[soldier].place, up=True))
    t.emit(C.EQUIPPED, F.Tied(request.cards, soldier))
    if rules.equip_resets_arrival:
        mark_arrival(t, (soldier,), C.EQUIP_KEEPS)
    if rules.equip_stance == "charge" and not R.is_charged(t, soldier):
        t.emit(C.EQUIP_KEEPS, F.Stanced((soldier,), S.CHARGED))


@implements(C.FOG_LIES_WITH_CONTROLLER, C.OWNERS_ZONES)
def put_into_fog(rules: Rules, t: LiveTable, request: Frame, soldier: CardId, delta: int) -> None:
    """Move the key to its controller's fog, if the rules have fogs, and change the soldier's size by `delta`."""
    key, place = R.key_of(request), R.fog_place(rules, request.by)
    move_clause, size_clause = (C.DOWN_IN_FOG, C.DOWN_SHRINKS) if request.kind == "down" else (C.UP_GROWS, C.UP_GROWS)
    if place is not None:
        t.emit(move_clause, F.Moved((key,), place, up=True))
        if R.seat_of_piece(t.pieces[soldier]) != request.by:
            note(t, C.FOG_LIES_WITH_CONTROLLER, key, request.by)
    t.emit(
        size_clause,
        F.Began(
            Effect(
                id=EffectId(t.begun + 1),
                kind=request.kind,
                by=request.by,
                source=Obj(key, t.pieces[key].thing),
                on=(Obj(soldier, t.pieces[soldier].thing),),
                numbers=(delta,),
                until=S.WITH_CARD if rules.fog_end_scope == "own_card_active" else S.TURN_END,
                since=t.clock.turn,
            )
        ),
    )


def up(rules: Rules, t: LiveTable, request: Frame) -> None:
    soldier = find_target(t, request)
    if soldier is not None and request.cards:
        growth = number(face_of(t, R.key_of(request)))
        put_into_fog(rules, t, request, soldier, growth)


def down(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Shrink the target of a Down. At size 0 or less, bury the target instead."""
    soldier = find_target(t, request)
    if soldier is None or not request.cards:
        return
    shrinkage = number(face_of(t, R.key_of(request)))
    note_layers(t, C.SIZE, R.size_layers(rules, t, soldier), soldier)
    if R.size(rules, t, soldier) - shrinkage <= 0:
        fall(rules, t, [(soldier, C.DOWN_KILLS)])
    else:
        put_into_fog(rules, t, request, soldier, -shrinkage)


def twist(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Ask the controller of a Twist for the stance, unless the request named it."""
    if find_target(t, request) is None:
        return
    if rules.twist_choose == "at_request":
        take_stance(rules, t, request, R.stance_named(request))
    else:
        ask(t, C.TWIST_STATE, "choose_twist_state", request.by, request.id)


def take_stance(rules: Rules, t: LiveTable, request: Frame, state: str) -> None:
    unit = find_target(t, request)
    if unit is None or not state:
        return
    stance = S.DRIVEN if state == "driven" else S.CHARGED
    is_changed = t.pieces[unit].stance != stance
    t.emit(C.TWIST_STATE, F.Stanced((unit,), stance))
    if is_changed and rules.combat_role_lost_by_stance:
        lose_role(t, unit)


def lose_role(t: LiveTable, card: CardId) -> None:
    """End the combat role of an attacker that is charged or a blocker that is driven."""
    combat = R.combat(t)
    if combat is None:
        return
    former_attackers = {obj for obj in combat.objs if obj.card == card and R.is_charged(t, card)}
    blocks = tuple(
        (blocker, attacker)
        for blocker, attacker in combat.pairs
        if attacker not in former_attackers and not (blocker.card == card and not R.is_charged(t, card))
    )
    if former_attackers or blocks != combat.pairs:
        attackers = tuple(obj for obj in combat.objs if obj not in former_attackers)
        t.emit(C.ROLES_END, F.Altered(combat.id, columns=ValueColumns(objs=attackers, pairs=blocks)))


@implements(C.NULLIFIED, C.COUNTER_FAILS, C.TARGET_GONE, C.COSTS_STAY_PAID)
def counter(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Nullify the target of a Counter if the number suffices or the target has two keys."""
    target_request = next((frame for frame in t.stack if frame.id in request.frames), None)
    if target_request is None:
        note(t, C.TARGET_GONE, *request_subjects(request), *map(FrameRef, request.frames))
    if target_request is None or not request.cards:
        return
    if len(target_request.cards) > 1:
        clause = C.COUNTER_TWO_KEYS
    elif number_suffices(t, R.key_of(request), target_request):
        clause = C.COUNTER_ONE_KEY
    else:
        numbers = number(face_of(t, R.key_of(request))), number(face_of(t, R.key_of(target_request)))
        note(t, C.COUNTER_FAILS, *request_subjects(request), *request_subjects(target_request), *map(Count, numbers))
        return
    note(t, C.NULLIFIED, *request_subjects(target_request))
    note(t, C.COSTS_STAY_PAID, target_request.by)
    t.emit(clause, F.Popped(target_request.id, "nullified"))
    bury(rules, t, [(card, C.COUNTER_REMOVES) for card in target_request.cards])


def number_suffices(t: Table, key: CardId, target_request: Frame) -> bool:
    """True if the number of a Counter's key is at least that of each key of its target."""
    return all(number(face_of(t, key)) >= number(face_of(t, card)) for card in target_request.cards)


@implements(C.AS_FAR_AS_POSSIBLE)
def ask_search_card(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Show the life to its player and ask for the card to take."""
    cards = R.life(t, request.by)
    if cards:
        t.emit(C.SEARCH_FINDS, F.Shown(cards, (request.by,), lasting=True))
        ask(t, C.SEARCH_FINDS, "choose_search_card", request.by, request.id)
    else:
        note(t, C.AS_FAR_AS_POSSIBLE, *request_subjects(request), request.by)


def shuffle(rules: Rules, t: LiveTable, request: Frame) -> None:
    cards = R.life(t, request.by)
    if len(cards) > 1:
        ask(t, C.SEARCH_SHUFFLES, "shuffle_life", CHANCE, request.id, seats=(request.by,))
    elif cards:
        t.emit(C.SEARCH_SHUFFLES, F.Shown(cards, (), lasting=True))


def destroy(rules: Rules, t: LiveTable, request: Frame) -> None:
    bulwark = find_target(t, request)
    if bulwark is not None:
        fall(rules, t, [(bulwark, C.DESTROYED)])


def deal_throwing_damage(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Deal damage equal to the number of the key in the suit that the rules name."""
    points = sum(number(face_of(t, card)) for card in request.cards if R.unit_suit(t, card) == rules.throwing_suit)
    for seat in request.seats:
        damage(rules, t, seat, points, C.THROWING_DAMAGE)
