"""Templates of the actions that a seat may take. They may include illegal actions, which `checks` refuses."""

from collections.abc import Iterator

from domain.games.grimoire import actions as A, schema as S, table_queries as R
from domain.games.grimoire.legality import castable, target_choice
from domain.games.grimoire.notions import EffectsInForce, ObjectAbility
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.targeting import is_legal_target
from domain.games.grimoire.text import Activated, JunkOwn, PayDiscard
from domain.games.grimoire.values import abilities, effects_in_force, fits
from domain.law.actions import Concede, Pass
from domain.law.offers import RandomBelow, SlotChoice, Template, multiple_choice, shuffle
from domain.law.slots import Action
from domain.parts.asking import asked_of_chance, open_question, yes_or_no
from domain.table.table import CardId, Frame, Seat, Table


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.result is not None or t.marks.get(S.HELD) or actor not in R.seats(t) or R.is_out(t, actor):
        return
    asked = open_question(t)
    if asked is not None:
        if asked.by == actor:
            yield from _answers(t, actor, asked)
    elif actor in t.clock.awaited:
        if (t.clock.phase, t.clock.step) == (S.TRANCE, S.TRANCE_CHOICE):
            yield from _trance(t, actor)
        elif (t.clock.phase, t.clock.step) == (S.MAIN, S.PRIORITY):
            yield Template(Pass)
            yield from _acting(rules, t, actor)
    yield Template(Concede)


def _trance(t: Table, actor: Seat) -> Iterator[Template]:
    if R.hand(t, actor):
        yield Template(A.TranceHand, (SlotChoice("card", R.hand(t, actor)),))
    yield Template(A.TranceBuyDraw)
    if R.bookmark(t, actor):
        yield Template(A.TranceBuyBookmark, (SlotChoice("card", R.bookmark(t, actor)),))
    yield Template(A.TranceSkip)


def _acting(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    effects = effects_in_force(rules, t)
    cards = castable(rules, t, effects, actor)
    if cards:
        yield Template(A.Cast, (SlotChoice("card", cards),))
    objects = R.objects(t)
    for card in objects:
        if R.controller(t, card) != actor:
            continue
        if R.on_field(t, card) and t.pieces[card].stance == S.EXTENDED:
            targets = tuple(other for other in objects if is_legal_target(rules, t, effects, actor, card, other))
            if targets:
                yield Template(A.Play, (SlotChoice("target", targets),), (("spell", card),))
        for object_ability in abilities(rules, t, card, effects.buffs):
            if isinstance(object_ability.ability, Activated):
                yield from _activate(rules, t, effects, actor, card, object_ability)
    yield from _od_explosion(rules, t, effects, actor)


def _od_explosion(rules: Rules, t: Table, effects: EffectsInForce, actor: Seat) -> Iterator[Template]:
    character = R.character(t, actor)
    if character is None or R.seat_mark(t, actor, S.OD) < rules.od_explosion_cost:
        return
    targets = tuple(
        card
        for card in R.spells(t)
        if rules.od_targets == "any_spell" or is_legal_target(rules, t, effects, actor, character, card, is_play=False)
    )
    if targets and R.grimoire(t, actor):
        yield Template(A.OdExplosion, (SlotChoice("target", targets),), (("mode", "draw"),))
    if targets and R.bookmark(t, actor):
        yield Template(
            A.OdExplosion,
            (SlotChoice("target", targets), SlotChoice("card", R.bookmark(t, actor))),
            (("mode", "bookmark"),),
        )


def _activate(
    rules: Rules, t: Table, effects: EffectsInForce, actor: Seat, source: CardId, object_ability: ObjectAbility
) -> Iterator[Template]:
    ability = object_ability.ability
    assert isinstance(ability, Activated)
    choices: list[SlotChoice] = []
    targeting = target_choice(ability)
    if targeting is not None:
        targets = tuple(
            other
            for other in R.objects(t)
            if fits(rules, t, targeting.what, other, actor, source, ())
            and is_legal_target(rules, t, effects, actor, source, other, is_play=False)
        )
        choices.append(multiple_choice("targets", targets, targeting.least, targeting.most))
    payment_size = 0
    payments: tuple[CardId, ...] = ()
    for cost in ability.costs:
        if isinstance(cost, JunkOwn):
            payment_size += 1
            payments = (*payments, *(other for other in R.spells(t) if R.controller(t, other) == actor))
        elif isinstance(cost, PayDiscard):
            payment_size += cost.n
            payments = (*payments, *R.hand(t, actor))
    if payment_size:
        choices.append(multiple_choice("costs", payments, payment_size, payment_size))
    if all(len(choice.candidates) >= choice.least for choice in choices):
        yield Template(A.Activate, tuple(choices), (("object", source), ("ability", object_ability.number)))


def _answers(t: Table, actor: Seat, asked: Frame) -> Iterator[Template]:
    match asked.kind:
        case "bookmark_pick":
            yield Template(A.ChooseOpeningBookmark, (SlotChoice("card", R.bookmark(t, actor)),))
        case "order_effects":
            size = len(asked.frames)
            yield Template(A.OrderEffects, (multiple_choice("effects", asked.frames, size, size, ordered=True),))
        case "objects":
            least, most = asked.numbers
            yield Template(
                A.ChooseObjects, (multiple_choice("cards", R.options_of(asked), least, most, ordered=most > 1),)
            )
        case "yes_no":
            yield Template(A.ChooseYesNo, (yes_or_no("yes"),))
        case "option":
            options = len(asked.seats) + len(asked.words)
            yield Template(A.ChooseOption, (SlotChoice("option", tuple(range(options))),))
        case kind:
            raise AssertionError(f"unknown question {kind!r}")


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    """Return the outcome that chance is asked for, drawn from `below`, or None if chance is not asked."""
    asked = asked_of_chance(t)
    if asked is None:
        return None
    if asked.kind == "random_first_player":
        return A.RandomFirstPlayer(asked.seats[below(len(asked.seats))])
    (seat,) = asked.seats
    return A.ShuffleGrimoire(seat, shuffle(R.grimoire(t, seat), below))
