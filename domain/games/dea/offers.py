"""Templates of the actions open to a seat. Some candidates may be illegal; `checks` decides."""

from collections.abc import Iterator
from itertools import combinations

from domain.games.dea import actions as A, schema as S, table_queries as R, text as T
from domain.games.dea.answering import cards_looked_at, cells_for, choices_of
from domain.games.dea.legality import ability_cost, can_pay_life, is_condition_met, is_timing_met, may_wear
from domain.games.dea.rules import Rules
from domain.games.dea.setup import unplaced_characters
from domain.games.dea.targeting import (
    SLOTS,
    SlotValues,
    aim_of,
    candidates,
    has_legal_choices,
    is_card,
    legal_choice_sets,
    slot_values,
)
from domain.games.dea.use_index import use_of
from domain.games.dea.value_types import ChoiceContext
from domain.games.dea.values import ModifierCache, cost, is_sealed, move_type, moves_allowed, offsets, prohibitions
from domain.law.actions import Concede, Pass
from domain.law.offers import RandomBelow, SlotChoice, Template, draw_sample, multiple_choice, shuffle
from domain.law.slots import Action
from domain.parts.asking import asked_of_chance, open_question, served
from domain.table.table import CardId, Frame, Place, Seat, Table


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if actor not in t.seats:
        return
    if t.result is not None:
        if actor in t.result.winners and not t.marks.get(S.TITLED):
            yield Template(A.GiveTitle)
        return
    asked = open_question(t)
    if asked is not None:
        if asked.by == actor:
            yield from _answers(rules, t, actor, asked)
    elif t.clock.phase == S.STANDBY:
        if actor in t.clock.awaited:
            yield from _set_up(rules, t, actor)
    elif t.clock.phase == S.MAIN:
        yield from _main(rules, t, actor)
    yield Template(Concede)


def _set_up(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.clock.step == S.PLACING:
        free = tuple(
            [cell for cell in R.cells(rules.size) if R.in_home(rules, actor, cell) and not R.characters_in(t, cell)]
        )
        unplaced = unplaced_characters(rules, t, actor)
        if unplaced and free:
            yield Template(A.PlaceCharacter, (SlotChoice("card", unplaced), SlotChoice("cell", free)))
    elif t.clock.step == S.FORESHADOWS:
        unplaced = R.unplaced(t, actor)
        yield Template(
            A.SetForeshadows, (multiple_choice("cards", unplaced, len(unplaced), len(unplaced), ordered=True),)
        )


def _main(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    is_window = R.in_window(t)
    if is_window and actor not in t.clock.awaited:
        return
    modifier_cache, units = ModifierCache(rules, t), R.own_characters(rules, t, actor)
    if is_window:
        yield Template(Pass)
    elif t.clock.active == actor:
        yield Template(A.EndMain)
        yield from _moves_and_attacks(rules, t, modifier_cache, actor, units)
    elif rules.ntp_initiative == "hook_only":
        return
    yield from _abilities(rules, t, modifier_cache, actor, units)
    yield from _gimmicks(rules, t, actor, units)
    yield from _foreshadows(rules, t, actor)
    hand = R.hand(t, actor)
    if hand and not prohibitions(rules, t, modifier_cache, "convert_hand", actor):
        yield Template(A.ConvertHand, (SlotChoice("card", hand),))
    if R.seat_mark(t, actor, S.PAGES) >= rules.ep_conversion_cost and not prohibitions(
        rules, t, modifier_cache, "convert_pages", actor
    ):
        yield Template(A.ConvertPages)


def _moves_and_attacks(
    rules: Rules, t: Table, modifier_cache: ModifierCache, actor: Seat, units: tuple[CardId, ...]
) -> Iterator[Template]:
    pages = R.seat_mark(t, actor, S.PAGES)
    for character in units:
        may_move = R.mark(t, character, S.MOVES_USED) < moves_allowed(rules, t, modifier_cache, character)
        may_attack = R.mark(t, character, S.ATTACKS_USED) < rules.attacks_per_character
        may_attack = may_attack and (may_move or rules.attack_uses_move != "yes")
        if not may_move and not may_attack:
            continue
        free, enemies = _reachable(rules, t, modifier_cache, actor, character)
        fixed = (("character", character),)
        if may_move and free and pages >= cost(rules, t, modifier_cache, "move", actor, character, rules.move_cost):
            yield Template(A.Move, (SlotChoice("cell", free),), fixed)
        if (
            may_attack
            and enemies
            and pages >= cost(rules, t, modifier_cache, "attack", actor, character, rules.move_cost)
        ):
            yield Template(A.Attack, (SlotChoice("cell", enemies),), fixed)


def _reachable(
    rules: Rules, t: Table, modifier_cache: ModifierCache, actor: Seat, character: CardId
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    free: list[Place] = []
    enemies: list[Place] = []
    steps = offsets(rules, move_type(rules, t, modifier_cache, character), actor)
    for cell in R.cells_from(rules.size, R.cell_of(t, character), steps):
        occupants = R.characters_in(t, cell)
        if not occupants:
            free.append(cell)
        elif all(R.owner(t, other) != actor for other in occupants):
            enemies.append(cell)
    return tuple(free), tuple(enemies)


# -- uses -------------------------------------------------------------------------------------------------------------


def _abilities(
    rules: Rules, t: Table, modifier_cache: ModifierCache, actor: Seat, units: tuple[CardId, ...]
) -> Iterator[Template]:
    pages, life = R.seat_mark(t, actor, S.PAGES), R.seat_mark(t, actor, S.LIFE)
    for character in units:
        for each in R.printed(rules, t, character).abilities:
            if not isinstance(each, T.Activated) or each.name is None or is_sealed(rules, t, character):
                continue
            payable = pages >= ability_cost(rules, t, modifier_cache, actor, character, each)
            if (
                payable
                and (not each.life or can_pay_life(rules, life, each.life))
                and is_timing_met(rules, t, actor, character, each)
            ):
                fixed = (("character", character), ("ability", each.name))
                yield from _aimed(rules, t, ChoiceContext(actor, character), A.UseAbility, each.choices, fixed)


def _gimmicks(rules: Rules, t: Table, actor: Seat, units: tuple[CardId, ...]) -> Iterator[Template]:
    pages = R.seat_mark(t, actor, S.PAGES)
    for card in R.hand(t, actor):
        printed = R.printed(rules, t, card)
        use = use_of(rules.cards, printed.id)
        if printed.pages > pages:
            continue
        if isinstance(use, T.Event):
            if is_timing_met(rules, t, actor, card, use):
                yield from _aimed(rules, t, ChoiceContext(actor, card), A.PlayEvent, use.choices, (("card", card),))
        elif printed.type == "equipment" and t.clock.active == actor:
            wearers = tuple([character for character in units if may_wear(rules, t, actor, character)])
            if wearers:
                yield Template(A.PlayEquipment, (SlotChoice("wearer", wearers),), (("card", card),))


def _foreshadows(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    for card in R.foreshadows(rules, t, actor):
        if not R.is_face_down(t, actor, card):
            continue
        is_met = is_condition_met(rules, t, actor, card)
        if not is_met and rules.foreshadow_open != "free":
            continue
        use = use_of(rules.cards, R.printed(rules, t, card).id)
        choices = use.choices if use is not None else ()
        aim, fixed = ChoiceContext(actor, card), (("card", card),)
        possible = has_legal_choices(rules, t, aim, choices)
        may_name_nothing = bool(choices) and (not possible or not is_met)
        if may_name_nothing and (possible or rules.foreshadow_open != "condition_and_target"):
            yield Template(A.UseForeshadow, (), fixed)
        if possible:
            yield from _aimed(rules, t, aim, A.UseForeshadow, choices, fixed)


def _aimed(
    rules: Rules,
    t: Table,
    aim: ChoiceContext,
    action: type[Action],
    choices: tuple[T.AnyChoice, ...],
    fixed: SlotValues,
) -> Iterator[Template]:
    """Yield one template if the choices are independent, else one for each legal set."""
    cards = [choice for choice in choices if is_card(choice)]
    are_independent = len(cards) < 2 and not any(
        isinstance(choice, T.ChooseEmptyCell) and choice.near == "chosen" for choice in choices
    )
    if are_independent:
        open_slots = tuple(_slot(choice, candidates(rules, t, aim, choice, ())) for choice in choices)
        if all(slot.candidates for slot in open_slots):
            yield Template(action, open_slots, fixed)
    elif choices == (choices[0], choices[0]):
        both = candidates(rules, t, aim, choices[0], ())
        if len(both) > 1:
            pairs = tuple(pair for chosen in combinations(both, 2) for pair in (chosen, chosen[::-1]))
            yield Template(action, (SlotChoice("targets", pairs),), fixed)
    else:
        for values in legal_choice_sets(rules, t, aim, choices):
            yield Template(action, (), (*fixed, *slot_values(choices, values)))


def _slot(choice: T.AnyChoice, values: tuple[object, ...]) -> SlotChoice:
    if is_card(choice):
        return multiple_choice("targets", values, 1, 1)
    return SlotChoice(SLOTS[type(choice)], values)


# -- answers ----------------------------------------------------------------------------------------------------------


def _answers(rules: Rules, t: Table, actor: Seat, asked: Frame) -> Iterator[Template]:
    count = R.required_count(asked)
    match asked.kind:
        case "choose_next_effect":
            yield Template(A.ChooseNextEffect, (SlotChoice("effect", asked.frames),))
        case "choose_cell":
            item = served(t, asked)
            yield Template(A.ChooseCell, (SlotChoice("cell", () if item is None else cells_for(rules, t, item)),))
        case "choose_targets":
            item = served(t, asked)
            if item is not None:
                yield from _aimed(rules, t, aim_of(item), A.ChooseTargets, choices_of(rules, item), ())
        case "choose_cards" if R.purpose_of(asked) == "look":
            yield Template(
                A.ChooseCards, (multiple_choice("cards", cards_looked_at(t, asked), count, count, ordered=True),)
            )
        case "choose_cards":
            yield Template(A.ChooseCards, (multiple_choice("cards", R.hand(t, actor), count, count),))
        case "pay_or_decline":
            yield Template(A.PayOrDecline)
            if R.purpose_of(asked) == "toll":
                yield Template(A.PayOrDecline, (), (("yes", True),))
            else:
                yield Template(
                    A.PayOrDecline, (multiple_choice("cards", R.hand(t, actor), count, count),), (("yes", True),)
                )
        case "discard_to_limit":
            yield Template(A.DiscardToLimit, (SlotChoice("card", R.hand(t, actor)),))
        case kind:
            raise AssertionError(f"no answer to {kind!r}")


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    """Return an outcome for the question put to chance, drawn with `below`. None if there is no such question."""
    asked = asked_of_chance(t)
    if asked is None:
        return None
    match asked.kind:
        case "first_player":
            return A.FirstPlayer(R.SEATS[below(len(R.SEATS))])
        case "tie_break":
            return A.TieBreak(R.SEATS[below(len(R.SEATS))])
        case "random_discard":
            (seat,) = asked.seats
            return A.RandomDiscard(draw_sample(R.hand(t, seat), R.required_count(asked), below))
        case _:
            (seat,) = asked.seats
            return A.Shuffle(seat, shuffle(R.deck(t, seat), below))
