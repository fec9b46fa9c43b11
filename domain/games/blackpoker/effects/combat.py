"""Attack, Block and Damage judge."""

from domain.games.blackpoker import clauses as C, table_queries as R
from domain.games.blackpoker.cards import JOKER, number
from domain.games.blackpoker.effects.moves import damage, fall
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import COMBAT
from domain.law.asking import face_of
from domain.law.clause import Clause, FrameRef, carries
from domain.law.live import Live
from domain.law.noting import note, weigh
from domain.parts.asking import ask, push
from domain.table.facts import Altered, Turned
from domain.table.table import CardId, Frame, Obj, Seat, Table, ValueColumns, same


def designate_attackers(rules: Rules, t: Live, request: Frame) -> None:
    """Attack: ask the controller for the attackers, unless the request named them."""
    if rules.attack_designate != "at_request":
        ask(t, C.ATTACKER_LABEL, "designate_attackers", request.by, request.id)
        return
    named = tuple(obj for obj in request.objs if same(t, obj))
    begin_combat(t, named, request)


def begin_combat(t: Live, named: tuple[Obj, ...], request: Frame) -> None:
    if named:
        push(t, C.ATTACKER_LABEL, "running", COMBAT, request.by, objs=named)


@carries(C.NOBODY_TO_BLOCK)
def designate_blockers(rules: Rules, t: Live, request: Frame) -> None:
    """Block: ask the opponent of the turn player for blockers, if an attacker is left."""
    if R.attackers(t):
        ask(t, C.BLOCKERS, "designate_blockers", R.opponent(R.turn_player(t)), request.id)
    else:
        note(t, C.NOBODY_TO_BLOCK, FrameRef(request.id))


def see_who_is_left(rules: Rules, t: Live, request: Frame) -> None:
    """Damage judge: drop units that have left the field."""
    fight = R.combat(t)
    if fight is None:
        return
    objs = tuple(obj for obj in fight.objs if same(t, obj))
    pairs = tuple(pair for pair in fight.pairs if same(t, pair[0]) and same(t, pair[1]))
    if objs != fight.objs or pairs != fight.pairs:
        t.tell(C.ATTACKER_GONE, Altered(fight.id, columns=ValueColumns(objs=objs, pairs=pairs)))


def judge_soldiers(rules: Rules, t: Live, request: Frame) -> None:
    """Damage judge: compare soldiers with soldiers, all before any of them falls."""
    fallen: dict[CardId, Clause] = {}
    hurt: dict[Seat, int] = {}
    larger_dies = not rules.judge_smaller_dies
    for attacker, blockers in _fights(t):
        facing = [card for card in blockers if R.is_soldier(t, card)]
        if not facing:
            continue
        for card in (attacker, *facing):
            weigh(t, C.SIZE, R.strength_layers(rules, t, card), card)
        mine, theirs = R.strength(rules, t, attacker), sum(R.strength(rules, t, card) for card in facing)
        why = C.EQUAL_DIE if mine == theirs else C.BLOCKERS_ADD_UP if len(facing) > 1 else C.SMALLER_DIES
        if mine == theirs or (mine > theirs) == larger_dies:
            fallen.setdefault(attacker, why)
        if mine == theirs or (mine < theirs) == larger_dies:
            for card in facing:
                fallen.setdefault(card, why)
        if larger_dies:
            loser = R.side(t.pieces[attacker if mine > theirs else facing[0]])
            hurt[loser] = hurt.get(loser, 0) + abs(mine - theirs)
    if fallen:
        besides = [(card, C.SMALLER_DIES) for seat, points in hurt.items() for card in R.life(t, seat)[:points]]
        fall(rules, t, list(fallen.items()), besides)


def judge_bulwarks(rules: Rules, t: Live, request: Frame) -> None:
    """Damage judge: turn up the blocking bulwarks together and compare them with their attackers."""
    fights = [(a, [card for card in blockers if R.is_bulwark(t, card)]) for a, blockers in _fights(t)]
    turned = tuple(dict.fromkeys(card for _, blockers in fights for card in blockers))
    if not turned:
        return
    t.tell(C.BULWARK_TURNED_UP, Turned(turned, up=True))
    fallen: dict[CardId, Clause] = {}
    for attacker, blockers in fights:
        faces = [face_of(t, card) for card in blockers]
        if JOKER in faces:
            fallen.setdefault(attacker, C.JOKER_BULWARK)
        elif any(number(face) in R.numbers(t, attacker) for face in faces if face is not None):
            fallen.setdefault(attacker, C.NUMBER_MATCHED)
        for card in blockers:
            fallen.setdefault(card, C.BULWARK_DIES)
    fall(rules, t, list(fallen.items()))


def deal_damage(rules: Rules, t: Live, request: Frame) -> bool:
    """Damage judge: let each unblocked attacker deal its size, one after the other.

    True if a question interrupts the step.
    """
    fight = R.combat(t)
    if fight is None:
        return False
    offset = R.judged_so_far(request)
    for place, attacker in enumerate(fight.objs[offset:], start=offset + 1):
        blocked = any(
            of == attacker and (same(t, blocker) or rules.judge_unblocked_snapshot != "at_step3")
            for blocker, of in fight.pairs
        )
        if blocked or not same(t, attacker):
            continue
        by = R.side(t.pieces[attacker.card])
        weigh(t, C.SIZE, R.strength_layers(rules, t, attacker.card), attacker.card)
        damage(rules, t, R.opponent(by), R.strength(rules, t, attacker.card), C.UNBLOCKED_DAMAGE)
        if t.asked:
            t.tell(C.UNBLOCKED_DAMAGE, Altered(request.id, columns=ValueColumns(numbers=(place,))))
            return True
    return False


def _fights(t: Table) -> list[tuple[CardId, list[CardId]]]:
    """Return each attacker on the field with its blockers on the field, in the order of designation."""
    fight = R.combat(t)
    if fight is None:
        return []
    return [
        (obj.card, [blocker.card for blocker, of in fight.pairs if of == obj and same(t, blocker)])
        for obj in fight.objs
        if same(t, obj)
    ]
