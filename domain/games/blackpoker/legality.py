"""Legality checks: the clauses that each action must meet, in the order in which a refusal reports them."""

from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

from domain.games.blackpoker import actions as A, clauses as C, table_queries as R
from domain.games.blackpoker.cards import JOKER, RANK_OF_ACES, RANKS_OF_HEROES, RANKS_OF_SOLDIERS, number, rank, suit
from domain.games.blackpoker.effects.requests import number_suffices
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import ATTACKS, BULWARKS_SET
from domain.law.actions import Concede, JudgeEnd, Pass
from domain.law.asking import face_of
from domain.law.clause import Check, Count, FrameRef, Missing, Subject, Word, implements, subject_or_missing
from domain.law.noting import collects_notes, note_permission
from domain.law.slots import Action
from domain.parts.asking import answers, asked_of_chance, is_reordering, is_valid_choice, next_frame, open_question
from domain.table.table import CHANCE, JUDGE, CardId, Frame, Seat, Table


def checks(rules: Rules, t: Table, actor: Seat, action: A.AnyAction) -> Iterator[Check]:
    """Yield the clauses an action must meet, in the order of section 8 of the dossier."""
    yield C.MATCH_GOES_ON, t.result is None
    yield from CHECKS[type(action)](rules, t, actor, action)


def _pass(rules: Rules, t: Table, actor: Seat, action: Pass) -> Iterator[Check]:
    return _may_act(t, actor)


def _concede(rules: Rules, t: Table, actor: Seat, action: Concede) -> Iterator[Check]:
    yield C.CONCESSION, actor in R.SEATS, actor


def _judge_end(rules: Rules, t: Table, actor: Seat, action: JudgeEnd) -> Iterator[Check]:
    is_valid = action.winner in R.SEATS and bool(action.reason.strip())
    yield C.JUDGE_DECISION, actor == JUDGE and is_valid, actor, action.winner


def _unoffered(rules: Rules, t: Table, actor: Seat, action: A.Unoffered) -> Iterator[Check]:
    yield C.NOT_BY_PLAYERS, action.name not in A.TRIGGERED, Word(action.name)
    yield C.IN_FORMAT, False, Word(action.name)


def _outcome(rules: Rules, t: Table, actor: Seat, action: A.Outcome) -> Iterator[Check]:
    yield C.CHANCE_OUTCOME, actor == CHANCE and _can_happen(t, action), actor


def _may_act(t: Table, actor: Seat) -> Iterator[Check]:
    asked = open_question(t)
    if asked is None:
        yield C.CHOICE_OPEN, True
    else:
        yield C.CHOICE_OPEN, False, asked.by, Word(asked.kind)
    yield C.HOLDS_CHANCE, actor in t.clock.awaited, actor


def _count_subjects(due: int, cards: tuple[CardId, ...], slot: str) -> tuple[Subject, ...]:
    return (Count(due), *(cards or (Missing(slot),)))


def _can_happen(t: Table, outcome: A.Outcome) -> bool:
    asked = asked_of_chance(t)
    if asked is None or not answers(asked, outcome):
        return False
    if isinstance(outcome, A.CoinToss):
        return outcome.winner in R.SEATS
    order_fits = not outcome.order or is_reordering(outcome.order, R.life(t, outcome.player))
    return asked.seats == (outcome.player,) and order_fits


# -- requests ---------------------------------------------------------------------------------------------------------


@implements(C.QUICK_TIMING, C.ALL_OR_NOTHING)
def _request(rules: Rules, t: Table, actor: Seat, action: A.Request) -> Iterator[Check]:
    header = A.REQUEST_HEADERS[type(action)]
    yield from _may_act(t, actor)
    if header.main:
        yield C.MAIN_TIMING, t.clock.active == actor and not t.stack, *(FrameRef(frame.id) for frame in t.stack)
    elif t.stack or t.clock.active != actor:
        note_permission(t, C.QUICK_TIMING, actor)
    yield from _limits(rules, t, actor, action)
    yield from _costs(rules, t, actor, action, header)
    yield from _keys(t, actor, action, header)
    yield from _target(rules, t, actor, action)


def _limits(rules: Rules, t: Table, actor: Seat, action: A.Request) -> Iterator[Check]:
    if isinstance(action, A.SetBulwark):
        count = R.seat_mark(t, actor, BULWARKS_SET)
        yield C.BULWARK_LIMIT, count < rules.set_bulwark_requests_per_turn, Count(count)
    if isinstance(action, A.Attack):
        count = R.seat_mark(t, actor, ATTACKS)
        yield C.ATTACK_LIMIT, count < rules.attack_requests_per_turn, Count(count)
        if rules.attack_designate != "at_request":
            yield C.UNLISTED, not action.units, *action.units
        if rules.attack_empty == "illegal":
            yield C.ATTACKERS_ANY, any(may_attack(rules, t, card) for card in R.soldiers(t, actor))
        if rules.attack_designate == "at_request":
            yield from _attackers(rules, t, actor, action.units)


@implements(C.PAYING_IS_NO_CHECK)
def _costs(rules: Rules, t: Table, actor: Seat, action: A.Request, header: A.RequestHeader) -> Iterator[Check]:
    bulwarks: tuple[CardId, ...] = getattr(action, "bulwarks", ())
    discards: tuple[CardId, ...] = getattr(action, "discards", ())
    keys: tuple[CardId, ...] = getattr(action, "keys", ())
    due = header.cost.count("B")
    if due or bulwarks:
        own_bulwarks = R.bulwarks(t, actor)
        yield (
            C.COST_BULWARK,
            len(bulwarks) == due and all(c in own_bulwarks and R.is_charged(t, c) for c in bulwarks),
            *_count_subjects(due, bulwarks, "bulwarks"),
        )
    due = header.cost.count("L")
    if due:
        life_count = len(R.life(t, actor))
        yield C.COST_LIFE, life_count >= due + rules.cost_life_floor, Count(due)
    due = header.cost.count("D")
    if due or discards:
        hand = R.hand(t, actor)
        fits = len(discards) == due and all(c in hand for c in discards)
        yield C.COST_DISCARD, fits, *_count_subjects(due, discards, "discards")
    payments = bulwarks + discards + keys
    yield C.PAID_ONCE, len(set(payments)) == len(payments), *payments


KEY_TESTS: Final[dict[A.KeyTest, Callable[[str], bool]]] = {
    "soldier": lambda face: rank(face) in RANKS_OF_SOLDIERS,
    "hero": lambda face: rank(face) in RANKS_OF_HEROES,
    "ace": lambda face: rank(face) == RANK_OF_ACES,
    "joker": lambda face: face == JOKER,
    "suited": lambda face: face != JOKER,
    "ace_to_ten": lambda face: face != JOKER and number(face) <= number("S10"),
}


def key_fits(face: str | None, wanted: tuple[str, A.KeyTest]) -> bool:
    """True if the face has the wanted suit (any, if empty) and kind."""
    wanted_suit, test = wanted
    return face is not None and KEY_TESTS[test](face) and (not wanted_suit or suit(face) == wanted_suit)


def _keys(t: Table, actor: Seat, action: A.Request, header: A.RequestHeader) -> Iterator[Check]:
    keys: tuple[CardId, ...] = getattr(action, "keys", ())
    if not (keys or header.keys):
        return
    hand = R.hand(t, actor)
    yield C.KEYS_IN_HAND, all(card in hand for card in keys), *keys
    faces = [face_of(t, card) if card in t.pieces else None for card in keys]
    matched = len(keys) == len(header.keys) and (
        all(map(key_fits, faces, header.keys)) or all(map(key_fits, reversed(faces), header.keys))
    )
    yield C.KEYS_MATCH, matched, *(keys or (Missing("keys"),))


TARGET: Final = "target"


@implements(C.EITHER_PLAYERS)
def _permit_either_player(t: Table, actor: Seat, card: CardId) -> None:
    if R.on_field(t, card) and R.seat_of_piece(t.pieces[card]) != actor:
        note_permission(t, C.EITHER_PLAYERS, card)


@implements(C.EQUIP_AGAIN)
def _target(rules: Rules, t: Table, actor: Seat, action: A.Request) -> Iterator[Check]:
    match action:
        case A.Equip(keys, target=card):
            card = R.unit(t, card)
            yield C.TARGET_THERE, R.on_field(t, card), subject_or_missing(card, TARGET)
            is_own = R.is_soldier(t, card) and card in R.soldiers(t, actor)
            present = [key for key in keys if key in t.pieces]
            if is_own and len(R.cards_of(t, card)) > 1:
                note_permission(t, C.EQUIP_AGAIN, card)
            fits = is_own and {R.unit_suit(t, key) for key in present} == {R.unit_suit(t, card)}
            if fits and rules.equip_consecutive:
                fits = all(R.is_consecutive(t, key, card) for key in present)
            yield C.EQUIP_TARGET, fits, subject_or_missing(card, TARGET)
        case A.Up(target=card) | A.Down(target=card):
            card = R.unit(t, card)
            yield C.TARGET_THERE, R.on_field(t, card), subject_or_missing(card, TARGET)
            yield (
                C.UP_TARGET if isinstance(action, A.Up) else C.DOWN_TARGET,
                R.is_soldier(t, card),
                subject_or_missing(card, TARGET),
            )
            _permit_either_player(t, actor, card)
        case A.Twist(target=card, state=state):
            yield C.TARGET_THERE, R.on_field(t, card), subject_or_missing(card, TARGET)
            yield C.TWIST_TARGET, R.on_field(t, card), subject_or_missing(card, TARGET)
            _permit_either_player(t, actor, card)
            if rules.twist_choose == "at_request":
                yield C.TWIST_STATE, bool(state)
            else:
                yield C.UNLISTED, not state
        case A.Counter(keys, target=request_id):
            target_request = next((frame for frame in t.stack if frame.id == request_id), None)
            request = FrameRef(request_id) if request_id else Missing(TARGET)
            yield C.TARGET_THERE, target_request is not None or request_id == next_frame(t), request
            yield C.NOT_ITSELF, request_id != next_frame(t), request
            yield (
                C.COUNTER_TARGET,
                target_request is not None and _is_counterable(rules, t, actor, keys, target_request),
                request,
            )
        case A.DestroyBulwark(target=card):
            yield C.TARGET_THERE, R.on_field(t, card), subject_or_missing(card, TARGET)
            yield C.DESTROY_TARGET, R.is_bulwark(t, card), subject_or_missing(card, TARGET)
            _permit_either_player(t, actor, card)
        case A.Throwing(target=seat):
            yield C.TARGET_THERE, seat in R.SEATS, subject_or_missing(seat, TARGET)
            yield C.THROWING_TARGET, seat == R.opponent(actor), subject_or_missing(seat, TARGET)
        case _:
            return


def _is_counterable(rules: Rules, t: Table, actor: Seat, keys: tuple[CardId, ...], target_request: Frame) -> bool:
    if not 1 <= len(target_request.cards) <= rules.counter_max_keys:
        return False
    if not rules.counter_own_requests and target_request.by == actor:
        return False
    is_number_checked = rules.counter_number_check == "at_request" and len(target_request.cards) == 1
    return not is_number_checked or all(number_suffices(t, key, target_request) for key in keys if key in t.pieces)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Iterator[Check]:
    asked = open_question(t)
    yield C.NOTHING_ASKED, asked is not None
    right = asked is not None and asked.by == actor and answers(asked, action)
    yield C.CHOICE_OPEN, right, *((asked.by, Word(asked.kind)) if asked is not None else ())
    if asked is None:
        return
    yield C.NOTHING_ASKED, answers(asked, action), asked.by, Word(asked.kind)
    match action:
        case A.ChooseDiscards(cards):
            due = R.required_count(asked)
            yield (
                C.END_DISCARDS,
                is_valid_choice(cards, R.hand(t, actor), due, due),
                *_count_subjects(due, cards, "cards"),
            )
        case A.ChooseSecondDraw():
            yield C.DRAW_SECOND, bool(R.life(t, actor))
        case A.DesignateAttackers(units):
            yield from _attackers(rules, t, actor, units)
        case A.DesignateBlockers(blocks):
            yield from _blockers(rules, t, actor, blocks)
        case A.ChooseBulwarkCard(card):
            yield C.BULWARK_PLACED, card in R.hand(t, actor), subject_or_missing(card, "card")
        case A.ChooseTwistState(state):
            yield C.TWIST_STATE, bool(state)
        case A.ChooseSearchCard(card):
            yield C.SEARCH_FINDS, card in R.life(t, actor), subject_or_missing(card, "card")
        case A.OrderTriggers(request):
            yield C.ORDER_CHOSEN, request in asked.frames, FrameRef(request) if request else Missing("request")
        case A.ChooseGraveTop(card):
            yield C.GRAVE_TOP, card in asked.cards, subject_or_missing(card, "card")


def may_attack(rules: Rules, t: Table, card: CardId) -> bool:
    return R.is_charged(t, card) and (not R.has_arrived_this_turn(rules, t, card) or R.has_haste(rules, t, card))


def _attackers(rules: Rules, t: Table, actor: Seat, cards: tuple[CardId, ...]) -> Iterator[Check]:
    soldiers = R.soldiers(t, actor)
    units = tuple(R.unit(t, card) for card in cards)
    labelled = [card for card in units if card in soldiers]
    yield C.ATTACKER_LABEL, len(labelled) == len(units) == len(set(units)), *units
    present = [card for card in units if R.on_field(t, card)]
    yield (
        C.ATTACKER_CHARGED,
        all(R.is_charged(t, card) for card in present),
        *(c for c in present if not R.is_charged(t, c)),
    )
    late = [card for card in present if R.has_arrived_this_turn(rules, t, card) and not R.has_haste(rules, t, card)]
    yield C.ATTACKER_ARRIVED, not late, *late
    if rules.attack_empty == "illegal":
        yield C.ATTACKERS_ANY, bool(units) or not any(may_attack(rules, t, card) for card in soldiers)


@implements(C.SEVERAL_SOLDIERS_BLOCK)
def _blockers(rules: Rules, t: Table, actor: Seat, blocks: tuple[tuple[CardId, CardId], ...]) -> Iterator[Check]:
    attacking = [obj.card for obj in R.attackers(t)]
    units = R.characters(t, actor)
    blocks = tuple((R.unit(t, blocker), R.unit(t, attacker)) for blocker, attacker in blocks)
    blocking = [blocker for blocker, _ in blocks]
    yield (
        C.BLOCKERS,
        all(attacker in attacking for _, attacker in blocks) and all(card in units for card in blocking),
        *blocking,
    )
    yield C.BLOCKER_LABEL, all(R.on_field(t, card) for card in blocking), *blocking
    for attacker in dict.fromkeys(attacker for _, attacker in blocks) if collects_notes(t) else ():
        soldiers = [blocker for blocker, other in blocks if other == attacker and R.is_soldier(t, blocker)]
        if len(soldiers) > 1:
            note_permission(t, C.SEVERAL_SOLDIERS_BLOCK, attacker, *soldiers)
    if not rules.block_mixed:
        is_alone = all(
            len([1 for _, other in blocks if other == attacker]) == 1
            for blocker, attacker in blocks
            if R.is_bulwark(t, blocker)
        )
        yield C.BULWARK_ALONE, is_alone, *blocking
    driven = [card for card in blocking if R.on_field(t, card) and not R.is_charged(t, card)]
    yield C.BLOCKER_CHARGED, not driven, *driven
    uses: list[object] = list(blocking) if rules.block_exclusive else list(blocks)
    yield C.BLOCKS_ONCE, len(set(uses)) == len(uses), *blocking
    if rules.block_mandatory:
        unblocked = any(attacker not in [other for _, other in blocks] for attacker in attacking)
        spare = [card for card in units if R.is_charged(t, card) and card not in blocking]
        yield C.BLOCKERS, not (unblocked and spare), *spare


CHECKS: Final[dict[type[Action], Callable[[Rules, Table, Seat, Any], Iterator[Check]]]] = {
    Pass: _pass,
    Concede: _concede,
    JudgeEnd: _judge_end,
    A.Unoffered: _unoffered,
    **dict.fromkeys(get_args(A.Request), _request),
    **dict.fromkeys(get_args(A.Answer), _answer),
    **dict.fromkeys(get_args(A.Outcome), _outcome),
}
