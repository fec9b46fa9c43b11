"""Templates of the actions open to a seat. Some candidates may be illegal; `checks` decides."""

from collections.abc import Iterator
from typing import Final

from domain.games.blackpoker import actions as A, table_queries as R
from domain.games.blackpoker.legality import key_fits, may_attack
from domain.games.blackpoker.rules import Rules
from domain.law.actions import Concede, Pass
from domain.law.offers import RandomBelow, SlotChoice, Template, multiple_choice, shuffle
from domain.law.slots import Action
from domain.parts.asking import asked_of_chance, open_question, yes_or_no
from domain.table.table import CardId, Frame, Seat, Table

STATES: Final = ("charged", "driven")


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.result is not None or actor not in R.SEATS:
        return
    asked = open_question(t)
    if asked is not None:
        if asked.by == actor:
            yield _answers(rules, t, actor, asked)
    elif actor in t.clock.awaited:
        yield Template(Pass)
        is_main_timing = t.clock.active == actor and not t.stack
        for action, header in A.REQUEST_HEADERS.items():
            if is_main_timing or not header.main:
                yield from _request(rules, t, actor, action, header)
    yield Template(Concede)


def _request(rules: Rules, t: Table, actor: Seat, action: type[Action], header: A.RequestHeader) -> Iterator[Template]:
    hand = R.hand(t, actor)
    choices: list[SlotChoice] = []
    if header.keys:
        fitting = tuple(card for card in hand if any(key_fits(t.pieces[card].face, key) for key in header.keys))
        choices.append(multiple_choice("keys", fitting, len(header.keys), len(header.keys)))
    if due := header.cost.count("B"):
        choices.append(
            multiple_choice("bulwarks", tuple(c for c in R.bulwarks(t, actor) if R.is_charged(t, c)), due, due)
        )
    if due := header.cost.count("D"):
        choices.append(multiple_choice("discards", hand, due, due))
    choices += _targets(rules, t, actor, action)
    if all(len(choice.candidates) >= choice.least for choice in choices):
        yield Template(action, tuple(choices))


def _targets(rules: Rules, t: Table, actor: Seat, action: type[Action]) -> Iterator[SlotChoice]:
    if action is A.Attack and rules.attack_designate == "at_request":
        ready = tuple(card for card in R.soldiers(t, actor) if may_attack(rules, t, card))
        yield multiple_choice("units", ready, 0, len(ready), ordered=True)
    elif action is A.Equip:
        yield SlotChoice("target", R.soldiers(t, actor))
    elif action in (A.Up, A.Down):
        yield SlotChoice("target", _all_soldiers(t))
    elif action is A.Twist:
        yield SlotChoice("target", _all_soldiers(t) + _all_bulwarks(t))
        if rules.twist_choose == "at_request":
            yield SlotChoice("state", STATES)
    elif action is A.Counter:
        yield SlotChoice("target", tuple(frame.id for frame in t.stack if frame.cards))
    elif action is A.DestroyBulwark:
        yield SlotChoice("target", _all_bulwarks(t))
    elif action is A.Throwing:
        yield SlotChoice("target", (R.opponent(actor),))


def _all_soldiers(t: Table) -> tuple[CardId, ...]:
    return tuple([card for seat in R.SEATS for card in R.soldiers(t, seat)])


def _all_bulwarks(t: Table) -> tuple[CardId, ...]:
    return tuple([card for seat in R.SEATS for card in R.bulwarks(t, seat)])


def _answers(rules: Rules, t: Table, actor: Seat, asked: Frame) -> Template:
    match asked.kind:
        case "choose_discards":
            due = R.required_count(asked)
            return Template(A.ChooseDiscards, (multiple_choice("cards", R.hand(t, actor), due, due),))
        case "choose_second_draw":
            return Template(A.ChooseSecondDraw, (yes_or_no("draw"),))
        case "designate_attackers":
            ready = tuple(card for card in R.soldiers(t, actor) if may_attack(rules, t, card))
            return Template(A.DesignateAttackers, (multiple_choice("units", ready, 0, len(ready), ordered=True),))
        case "designate_blockers":
            ready = tuple(card for card in R.characters(t, actor) if R.is_charged(t, card))
            pairs = tuple((card, obj.card) for obj in R.attackers(t) for card in ready)
            once = rules.block_exclusive
            return Template(A.DesignateBlockers, (SlotChoice("blocks", pairs, 0, len(pairs), many=True, once=once),))
        case "choose_bulwark_card":
            return Template(A.ChooseBulwarkCard, (SlotChoice("card", R.hand(t, actor)),))
        case "choose_twist_state":
            return Template(A.ChooseTwistState, (SlotChoice("state", STATES),))
        case "choose_search_card":
            return Template(A.ChooseSearchCard, (SlotChoice("card", _by_face(t, R.life(t, actor))),))
        case "order_triggers":
            return Template(A.OrderTriggers, (SlotChoice("request", asked.frames),))
        case "choose_grave_top":
            return Template(A.ChooseGraveTop, (SlotChoice("card", asked.cards),))
        case kind:
            raise AssertionError(f"no answer to {kind!r}")


def cosmetic(rules: Rules, t: Table) -> Action | None:
    """Return the default answer to a question about appearance only, else None.

    The last card moved goes on top of the grave.
    """
    asked = open_question(t)
    if asked is None or asked.kind != "choose_grave_top":
        return None
    return A.ChooseGraveTop(R.last_card_of(asked))


def _by_face(t: Table, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Sort cards by face, because their order in the pile is secret."""
    return tuple(sorted(cards, key=lambda card: (t.pieces[card].face or "", card)))


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    """Return an outcome for the question put to chance, drawn with `below`. None if there is no such question."""
    asked = asked_of_chance(t)
    if asked is None:
        return None
    if asked.kind == "coin_toss":
        return A.CoinToss(R.SEATS[below(len(R.SEATS))])
    (seat,) = asked.seats
    return (A.ShuffleDeck if asked.kind == "shuffle_deck" else A.ShuffleLife)(seat, shuffle(R.life(t, seat), below))
