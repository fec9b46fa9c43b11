"""Templates of the actions that a seat may take. They may include illegal actions, which `checks` refuses."""

from collections.abc import Iterator
from typing import Final

from domain.games.skillbook import (
    actions as A,
    answering as N,
    board as B,
    legality as L,
    meaning as M,
    progress as P,
    schema as S,
    table_queries as R,
    text as T,
    using as U,
)
from domain.games.skillbook.fighting import next_steps, step_limit, targets_of
from domain.games.skillbook.notions import TargetContext
from domain.games.skillbook.ranges import is_allowed_length
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import Value, candidates, is_card, target_sets
from domain.games.skillbook.values import EffectsInForce, cost, dispel_cost, has_keyword, is_usable, ranged
from domain.law.actions import Concede, Pass
from domain.law.offers import RandomBelow, SlotChoice, Template, multiple_choice, placement_choice, shuffle
from domain.law.slots import Action
from domain.parts.asking import asked_of_chance, open_question, served
from domain.parts.grid import edge_neighbours, taxicab_distance
from domain.parts.squares import Square
from domain.table.table import CardId, Frame, Place, Seat, Table

Fixed = tuple[tuple[str, object], ...]


def offers(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.result is not None or actor not in t.seats:
        return
    asked = open_question(t)
    if asked is not None:
        if asked.by == actor:
            yield from _answers(rules, t, actor, asked)
    elif actor in t.clock.awaited:
        yield from _acting(rules, t, actor)
    elif t.clock.phase == S.SET_UP:
        yield from _layout(rules, t, actor)
    size = len(R.graveyard(t, actor))
    if size:
        yield Template(A.ShowGraveyard, (SlotChoice("count", tuple(range(1, size + 1))),))
    yield Template(Concede)


def _acting(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.clock.phase == S.SET_UP:
        yield from _layout(rules, t, actor)
    elif P.window(t) is not None:
        yield Template(Pass)
        yield from responses(rules, t, actor)
    elif t.clock.phase == S.CHARGE:
        yield Template(A.Charge)
        yield Template(A.DeclineCharge)
    elif t.clock.phase == S.MOVE:
        yield from _steps(rules, t)
    elif P.is_idle(t):
        yield Template(A.EndTurn)
        yield from _uses(rules, t, actor, only_responses=False)
        yield from _units(rules, t, actor)
        yield from _upkeep(rules, t, actor)


def _layout(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    if t.clock.step == S.LAYING:
        terrains = R.layout(t, actor)
        if not R.seat_mark(t, actor, S.LAID_OUT):
            squares = tuple(map(B.ground_place, B.own_squares(rules.size, rules.own_rows, actor)))
            yield Template(A.LayOutMap, (placement_choice("cards", terrains, squares),))
        if R.seat_mark(t, actor, S.TOSS) and t.clock.first is None:
            yield Template(A.ChooseOrder, (SlotChoice("order", ("first", "second")),))
    elif t.clock.step == S.HEROES and actor in t.clock.awaited:
        starts = tuple(
            B.ground_place(square)
            for square in B.own_squares(rules.size, rules.own_rows, actor)
            if (terrain := R.terrain_at(t, square)) is not None
            and (t.pieces[terrain].face is None or R.printed(rules, t, terrain).type == "start")
        )
        yield Template(A.PlaceHero, (SlotChoice("square", starts),))


# -- uses -------------------------------------------------------------------------------------------------------------


def responses(rules: Rules, t: Table, actor: Seat, *, only_unused: bool = False) -> Iterator[Template]:
    """Yield the possible responses in a window. In the last window of a turn, the rules may allow any use.

    `only_unused` omits abilities that were used as often as a turn allows.
    """
    window = P.window(t)
    is_last_window = window is not None and R.window_kind(window) == "end_start" and not t.stack
    allows_any_use = is_last_window and rules.end_start_use == "turn_player_any" and t.clock.active == actor
    yield from _uses(rules, t, actor, only_responses=not allows_any_use, only_unused=only_unused)


def may_respond(rules: Rules, t: Table, seat: Seat) -> bool:
    """True if a player with an empty hand could respond on getting the chance, by public information."""
    if not _has_response(rules, t, seat):
        return False
    with_chance = P.with_chance(t, seat)
    return any(
        all(check[1] for check in L.checks(rules, with_chance, seat, action))  # type: ignore[arg-type]  # our own action
        for template in responses(rules, with_chance, seat, only_unused=True)
        for action in template.expansions()
    )


def _has_response(rules: Rules, t: Table, seat: Seat) -> bool:
    if rules.end_start_use == "turn_player_any" and t.clock.phase == S.END:
        return True
    for card in R.table(t, seat):
        printed = R.printed(rules, t, card)
        if R.owner(t, card) == seat and (
            any(isinstance(ability, T.Activated) and ability.response for ability in printed.abilities)
            if R.is_in_force(t, card)
            else printed.response
        ):
            return True
    return any(
        isinstance(ability, T.Activated) and ability.response
        for unit in R.units(rules, t)
        if R.owner(t, unit) == seat
        for ability in (*R.printed(rules, t, unit).abilities, *_terrain_abilities(rules, t, unit))
    )


def _terrain_abilities(rules: Rules, t: Table, unit: CardId) -> tuple[T.AnyAbility, ...]:
    terrain = R.terrain_under(t, unit)
    return () if terrain is None or not t.pieces[terrain].up else R.printed(rules, t, terrain).abilities


def _uses(
    rules: Rules, t: Table, actor: Seat, *, only_responses: bool, only_unused: bool = False
) -> Iterator[Template]:
    effects, book_size = EffectsInForce(rules, t), len(R.book(t, actor))
    for card in (*R.hand(t, actor), *R.table(t, actor)):
        printed = R.printed(rules, t, card)
        if R.is_in_force(t, card) or R.owner(t, card) != actor or (only_responses and not printed.response):
            continue
        if (
            not is_usable(rules, t, effects, actor, printed.element)
            or cost(rules, t, effects, actor, printed) > book_size
        ):
            continue
        yield from _skill(rules, t, actor, card, printed)
    for source in _sources(rules, t, actor):
        for number, ability in enumerate(R.printed(rules, t, source).abilities):
            if isinstance(ability, T.Activated) and (ability.response or not only_responses):
                if only_unused and U.is_used_up(t, ability, source, number):
                    continue
                user = U.user_of(t, actor, source)
                aim = TargetContext(actor, None if user is None else R.square(t, user), is_skill=False)
                fixed = (("source", source), ("ability", number))
                yield from _aimed(rules, t, aim, A.UseAbility, ability.targets, fixed)


def _sources(rules: Rules, t: Table, actor: Seat) -> tuple[CardId, ...]:
    units = [unit for unit in R.units(rules, t) if R.owner(t, unit) == actor]
    terrains = [terrain for unit in units if (terrain := R.terrain_under(t, unit)) is not None and t.pieces[terrain].up]
    auras = [card for card in R.table(t, actor) if R.is_in_force(t, card) and R.owner(t, card) == actor]
    return (*units, *terrains, *auras)


def _skill(rules: Rules, t: Table, actor: Seat, card: CardId, printed: T.Card) -> Iterator[Template]:
    fixed: Fixed = (("card", card),)
    if printed.type == "monster":
        squares = tuple(map(B.ground_place, U.summon_squares(rules, t, actor)))
        if squares:
            yield Template(A.UseSkill, (SlotChoice("square", squares),), fixed)
        return
    hero = R.hero(rules, t, actor)
    origin = None if hero is None else R.square(t, hero)
    use = R.use_of(printed)[1]
    aim = TargetContext(actor, origin, is_skill=True)
    if not use.path:
        yield from _aimed(rules, t, aim, A.UseSkill, use.targets, fixed)
    elif origin is not None:
        for target in candidates(rules, t, aim, use.targets[0], ()):
            target_card = CardId(target) if isinstance(target, int) else CardId(0)
            paths = _paths(rules, origin, R.square(t, target_card), U.reach_of(use))
            if paths:
                yield Template(A.UseSkill, (SlotChoice("path", paths),), (*fixed, ("targets", (target_card,))))


def _paths(rules: Rules, origin: Square, target: Square, n: int) -> tuple[tuple[Place, ...], ...]:
    """Return the paths to a target of at most `n` squares, without repetition."""
    if origin == target:
        return ((),)
    paths: list[tuple[Square, ...]] = []
    frontier: list[tuple[Square, ...]] = [()]
    for squares_left in range(n - 1, -1, -1):
        longer = []
        for path in frontier:
            here = path[-1] if path else origin
            for square in edge_neighbours(rules.size, here):
                if square == origin or square in path or taxicab_distance(square, target) > squares_left:
                    continue
                step = (*path, square)
                if square == target:
                    paths.append(step)
                else:
                    longer.append(step)
        frontier = longer
    return tuple(tuple(map(B.ground_place, path)) for path in paths if is_allowed_length(rules, origin, path, target))


def _aimed(
    rules: Rules, t: Table, aim: TargetContext, action: type[Action], targets: tuple[M.AnyTarget, ...], fixed: Fixed
) -> Iterator[Template]:
    """Yield the templates of a use: one for a single target, or one for each legal set of targets."""
    if not targets:
        yield Template(action, (), fixed)
    elif len(targets) == 1:
        values = candidates(rules, t, aim, targets[0], ())
        if values:
            yield Template(action, (_slot(targets[0], values),), fixed)
    else:
        for chosen in target_sets(rules, t, aim, targets):
            yield Template(action, (), (*fixed, *_filled(targets, chosen)))


_SLOTS: Final[dict[type[M.Target], str]] = {M.SquareTarget: "square", M.ItemTarget: "item"}


def _slot(target: M.AnyTarget, values: tuple[Value, ...]) -> SlotChoice:
    if is_card(target):
        return multiple_choice("targets", values, 1, 1)
    return SlotChoice(_SLOTS[type(target)], tuple(map(_slot_value, values)))


def _slot_value(value: Value) -> object:
    return B.ground_place(value) if isinstance(value, Square) else value


def _filled(targets: tuple[M.AnyTarget, ...], values: tuple[Value, ...]) -> Fixed:
    pairs = list(zip(targets, values, strict=True))
    cards = tuple(value for target, value in pairs if is_card(target))
    others = tuple((_SLOTS[type(target)], _slot_value(value)) for target, value in pairs if not is_card(target))
    return (("targets", cards), *others) if cards else others


# -- units and the table ----------------------------------------------------------------------------------------------


def _units(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    own_units = tuple([unit for unit in R.units(rules, t) if R.owner(t, unit) == actor])
    ready_units = tuple(
        [unit for unit in own_units if R.stance(t, unit) == S.ACTIVE and not R.did_this_turn(t, unit, S.FOUGHT)]
    )
    movers = tuple([unit for unit in ready_units if not R.did_this_turn(t, unit, S.MOVED)])
    if movers:
        yield Template(A.DeclareMove, (SlotChoice("unit", movers),))
    explorers = tuple(
        [unit for unit in ready_units if (terrain := R.terrain_under(t, unit)) is not None and not t.pieces[terrain].up]
    )
    if explorers:
        yield Template(A.ExploreInPlace, (SlotChoice("unit", explorers),))
    effects = EffectsInForce(rules, t)
    fighters = tuple(
        [unit for unit in own_units if not R.did_this_turn(t, unit, S.FOUGHT) and targets_of(rules, t, effects, unit)]
    )
    if fighters:
        yield Template(A.StartBattle, (SlotChoice("unit", fighters),))


def _steps(rules: Rules, t: Table) -> Iterator[Template]:
    move = P.process(t, "move")
    if move is None:
        return
    effects, unit = EffectsInForce(rules, t), R.unit_of(move).card
    steps = next_steps(rules, t, effects, unit, step_limit(rules, t, effects, move) - R.spent(move))
    if steps:
        yield Template(A.MoveStep, (SlotChoice("path", tuple(tuple(map(B.ground_place, path)) for path in steps)),))
    if R.spent(move) or not steps:
        yield Template(A.StopMove)


def _upkeep(rules: Rules, t: Table, actor: Seat) -> Iterator[Template]:
    cards = R.table(t, actor)
    auras = tuple([card for card in cards if R.owner(t, card) == actor and R.is_in_force(t, card)])
    if auras:
        yield Template(A.DiscardAura, (SlotChoice("card", auras),))
    book_size = len(R.book(t, actor))
    curses = tuple(
        [card for card in cards if R.owner(t, card) != actor and dispel_cost(R.printed(rules, t, card)) <= book_size]
    )
    if curses:
        yield Template(A.DispelCurse, (SlotChoice("card", curses),))


# -- answers ----------------------------------------------------------------------------------------------------------


def _answers(rules: Rules, t: Table, actor: Seat, asked: Frame) -> Iterator[Template]:
    match asked.kind:
        case "order_triggers":
            size = len(asked.frames)
            yield Template(A.OrderTriggers, (multiple_choice("triggers", asked.frames, size, size, ordered=True),))
        case "order_graveyard":
            size = len(asked.cards)
            yield Template(A.OrderGraveyard, (multiple_choice("cards", asked.cards, size, size, ordered=True),))
        case "choose_targets":
            yield from _trigger(rules, t, asked)
        case "make_room":
            yield Template(A.MakeRoom)
            yield Template(A.MakeRoom, (SlotChoice("card", U.removable_cards(t, actor)),))
        case "place_card":
            yield from _placing(t, actor)
        case "choose_explore":
            yield Template(A.ChooseExplore, (SlotChoice("yes", (False, True)),))
        case "choose_terrain_effect":
            yield Template(A.ChooseTerrainEffect, (SlotChoice("answer", ("accept", "ignore")),))
        case "choose_attack_target":
            yield from _attacks(rules, t)
        case "counter":
            yield Template(A.Counter)
            yield Template(A.DeclineCounter)
        case kind:
            raise AssertionError(f"unknown question {kind!r}")


def _trigger(rules: Rules, t: Table, asked: Frame) -> Iterator[Template]:
    trigger = served(t, asked)
    ability = None if trigger is None else R.triggered_ability(rules, trigger)
    if trigger is None or ability is None:
        return
    yield from _aimed(rules, t, N.aim_of_trigger(t, trigger), A.ChooseTargets, ability.targets, ())
    if ability.may:
        yield Template(A.ChooseTargets, (), (("decline", True),))


def _placing(t: Table, actor: Seat) -> Iterator[Template]:
    drawn, hand, removals = R.drawn(t, actor), R.hand(t, actor), U.removable_cards(t, actor)
    for mode in ("to_table", "to_hand", "discard_drawn"):
        yield Template(A.PlaceCard, (SlotChoice("card", drawn),), (("mode", mode),))
    for mode in ("shift", "discard_hand"):
        yield Template(A.PlaceCard, (SlotChoice("card", drawn), SlotChoice("held", hand)), (("mode", mode),))
    yield Template(A.PlaceCard, (SlotChoice("card", drawn), SlotChoice("gone", removals)), (("mode", "discard_table"),))
    yield Template(
        A.PlaceCard,
        (SlotChoice("card", drawn), SlotChoice("gone", removals), SlotChoice("held", hand)),
        (("mode", "discard_table_shift"),),
    )


def _attacks(rules: Rules, t: Table) -> Iterator[Template]:
    battle = P.process(t, "battle")
    attacker = None if battle is None else R.resolve_unit(t, R.attacker_of(battle))
    if attacker is None:
        return
    effects = EffectsInForce(rules, t)
    targets = targets_of(rules, t, effects, attacker)
    if not has_keyword(rules, t, effects, attacker, "attacks_pierce"):
        yield Template(A.ChooseAttackTarget, (SlotChoice("target", targets),))
        return
    reach = max(ranged(rules, t, effects, attacker), rules.melee_line)
    for target in targets:
        paths = _paths(rules, R.square(t, attacker), R.square(t, target), reach)
        if paths:
            yield Template(A.ChooseAttackTarget, (SlotChoice("path", paths),), (("target", target),))


def chance(rules: Rules, t: Table, below: RandomBelow) -> Action | None:
    """Return the outcome that chance is asked for, drawn from `below`, or None if chance is not asked."""
    asked = asked_of_chance(t)
    if asked is None:
        return None
    if asked.kind == "toss":
        return A.Toss(R.SEATS[below(len(R.SEATS))])
    (seat,) = asked.seats
    return A.ShuffleBook(seat, shuffle(R.book(t, seat), below))
