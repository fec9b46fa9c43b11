"""Attack, Block and Damage judge."""

from domain.games.blackpoker import clauses as C, table_queries as R
from domain.games.blackpoker.cards import JOKER, number
from domain.games.blackpoker.effects.moves import damage, fall
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import COMBAT
from domain.law.asking import face_of
from domain.law.clause import Clause, FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note, note_layers
from domain.parts.asking import ask, push
from domain.table.facts import Altered, Turned
from domain.table.table import CardId, Frame, Obj, Seat, Table, ValueColumns, is_same_object


def designate_attackers(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Ask the controller of an Attack for the attackers, unless the request named them."""
    if rules.attack_designate != "at_request":
        ask(t, C.ATTACKER_LABEL, "designate_attackers", request.by, request.id)
        return
    attackers = tuple(obj for obj in request.objs if is_same_object(t, obj))
    begin_combat(t, attackers, request)


def begin_combat(t: LiveTable, attackers: tuple[Obj, ...], request: Frame) -> None:
    if attackers:
        push(t, C.ATTACKER_LABEL, "running", COMBAT, request.by, objs=attackers)


@implements(C.NOBODY_TO_BLOCK)
def designate_blockers(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Ask the opponent of the turn player for blockers, if an attacker is on the field."""
    if R.attackers(t):
        ask(t, C.BLOCKERS, "designate_blockers", R.opponent(R.turn_player(t)), request.id)
    else:
        note(t, C.NOBODY_TO_BLOCK, FrameRef(request.id))


def drop_absent_units(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Remove units that have left the field from the combat."""
    fight = R.combat(t)
    if fight is None:
        return
    objs = tuple(obj for obj in fight.objs if is_same_object(t, obj))
    pairs = tuple(pair for pair in fight.pairs if is_same_object(t, pair[0]) and is_same_object(t, pair[1]))
    if objs != fight.objs or pairs != fight.pairs:
        t.emit(C.ATTACKER_GONE, Altered(fight.id, columns=ValueColumns(objs=objs, pairs=pairs)))


def judge_soldiers(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Compare each attacker with its blocking soldiers. All are compared before the first falls."""
    dead: dict[CardId, Clause] = {}
    damage_by_seat: dict[Seat, int] = {}
    larger_dies = not rules.judge_smaller_dies
    for attacker, blockers in _fights(t):
        soldiers = [card for card in blockers if R.is_soldier(t, card)]
        if not soldiers:
            continue
        for card in (attacker, *soldiers):
            note_layers(t, C.SIZE, R.strength_layers(rules, t, card), card)
        attack, defence = R.strength(rules, t, attacker), sum(R.strength(rules, t, card) for card in soldiers)
        clause = C.EQUAL_DIE if attack == defence else C.BLOCKERS_ADD_UP if len(soldiers) > 1 else C.SMALLER_DIES
        if attack == defence or (attack > defence) == larger_dies:
            dead.setdefault(attacker, clause)
        if attack == defence or (attack < defence) == larger_dies:
            for card in soldiers:
                dead.setdefault(card, clause)
        if larger_dies:
            loser = R.seat_of_piece(t.pieces[attacker if attack > defence else soldiers[0]])
            damage_by_seat[loser] = damage_by_seat.get(loser, 0) + abs(attack - defence)
    if dead:
        damage_cards = [
            (card, C.SMALLER_DIES) for seat, points in damage_by_seat.items() for card in R.life(t, seat)[:points]
        ]
        fall(rules, t, list(dead.items()), damage_cards)


def judge_bulwarks(rules: Rules, t: LiveTable, request: Frame) -> None:
    """Turn up the blocking bulwarks together and compare them with their attackers."""
    fights = [(attacker, [card for card in blockers if R.is_bulwark(t, card)]) for attacker, blockers in _fights(t)]
    bulwarks = tuple(dict.fromkeys(card for _, blockers in fights for card in blockers))
    if not bulwarks:
        return
    t.emit(C.BULWARK_TURNED_UP, Turned(bulwarks, up=True))
    dead: dict[CardId, Clause] = {}
    for attacker, blockers in fights:
        faces = [face_of(t, card) for card in blockers]
        if JOKER in faces:
            dead.setdefault(attacker, C.JOKER_BULWARK)
        elif any(number(face) in R.numbers(t, attacker) for face in faces if face is not None):
            dead.setdefault(attacker, C.NUMBER_MATCHED)
        for card in blockers:
            dead.setdefault(card, C.BULWARK_DIES)
    fall(rules, t, list(dead.items()))


def deal_damage(rules: Rules, t: LiveTable, request: Frame) -> bool:
    """Deal the strength of each unblocked attacker as damage, one attacker after the other.

    Return True if a question interrupts the step.
    """
    fight = R.combat(t)
    if fight is None:
        return False
    offset = R.judged_attacker_count(request)
    for position, attacker in enumerate(fight.objs[offset:], start=offset + 1):
        blocked = any(
            blocked_attacker == attacker
            and (is_same_object(t, blocker) or rules.judge_unblocked_snapshot != "at_step3")
            for blocker, blocked_attacker in fight.pairs
        )
        if blocked or not is_same_object(t, attacker):
            continue
        seat = R.seat_of_piece(t.pieces[attacker.card])
        note_layers(t, C.SIZE, R.strength_layers(rules, t, attacker.card), attacker.card)
        damage(rules, t, R.opponent(seat), R.strength(rules, t, attacker.card), C.UNBLOCKED_DAMAGE)
        if t.asked:
            t.emit(C.UNBLOCKED_DAMAGE, Altered(request.id, columns=ValueColumns(numbers=(position,))))
            return True
    return False


def _fights(t: Table) -> list[tuple[CardId, list[CardId]]]:
    """Return each attacker on the field with its blockers on the field, in the order of designation."""
    fight = R.combat(t)
    if fight is None:
        return []
    return [
        (
            obj.card,
            [blocker.card for blocker, attacker in fight.pairs if attacker == obj and is_same_object(t, blocker)],
        )
        for obj in fight.objs
        if is_same_object(t, obj)
    ]
