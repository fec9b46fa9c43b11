"""Checks of the use of skills and abilities: timing, requirement, cost and targets."""

from domain.games.skillbook import (
    actions as A,
    board as B,
    clauses as C,
    meaning as M,
    progress as P,
    schema as S,
    table_queries as R,
    text as T,
)
from domain.games.skillbook.checking import Checks, check_squares, square_subject, squares_of, target_subjects
from domain.games.skillbook.layers import note_obstructed, permit_boon, weigh_cost
from domain.games.skillbook.notions import TargetContext
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.targeting import find_path_violation, find_targets_violation, named_values
from domain.games.skillbook.values import EffectsInForce, cost, find_player_prohibitions, fits, is_usable
from domain.law.clause import Count, Word, implements, subject_or_missing
from domain.law.noting import note_permission
from domain.parts.grid import edge_neighbours
from domain.parts.squares import Square
from domain.table.table import CardId, Seat, Table


@implements(C.RESPONSE_ABILITY)
def _check_timing(rules: Rules, t: Table, actor: Seat, response: bool) -> Checks:
    """Yield the timing clauses: main phase with nothing in progress, or for a response the chance in a window."""
    is_idle = P.is_idle(t) and t.clock.active == actor
    has_chance = P.has_chance(t, actor)
    if has_chance and rules.charging_player_may_respond == "no" and t.marks.get(S.CHARGING) and t.clock.active == actor:
        yield C.CHARGING, False, actor
    is_last = has_chance and rules.end_start_use == "turn_player_any" and t.clock.active == actor and _in_last_window(t)
    if response:
        yield C.RESPONSE_TIMING, is_idle or has_chance, actor
    else:
        yield C.OWN_MAIN_PHASE, is_idle or is_last, actor


def _in_last_window(t: Table) -> bool:
    window = P.window(t)
    return window is not None and R.window_kind(window) == "end_start" and not t.stack


@implements(C.NO_USE_LIMIT, C.UNUSABLE_SKILLS_LEGAL)
def check_skill(rules: Rules, t: Table, actor: Seat, action: A.UseSkill) -> Checks:
    card = action.card
    printed = R.printed(rules, t, card)
    yield from _check_timing(rules, t, actor, printed.response)
    usable = card in R.hand(t, actor) or (card in R.table(t, actor) and R.owner(t, card) == actor)
    yield C.EXISTING_AND_USABLE, usable and printed.type in T.SKILLS, subject_or_missing(card, "card")
    if not usable or printed.type not in T.SKILLS:
        return
    yield from check_squares(rules, *action.path, *(() if printed.type == "monster" else (action.square,)))
    yield C.EXISTING_AND_USABLE, all(_is_on_board(t, target) for target in action.targets), *action.targets
    is_waiting = not action.item or P.item(t, action.item) is not None
    yield C.EXISTING_AND_USABLE, is_waiting, *target_subjects((), R.NO_PLACE, action.item)
    yield C.USED_FROM, not R.is_in_force(t, card), card
    effects = EffectsInForce(rules, t)
    hero = R.hero(rules, t, actor)
    classes = () if hero is None else R.printed(rules, t, hero).classes
    yield C.HERO_REQUIREMENT, printed.requirement is None or printed.requirement in classes, card
    yield C.BOON_NEEDED, is_usable(rules, t, effects, actor, printed.element), card
    permit_boon(rules, t, effects, actor, printed)
    if printed.response:
        banning = find_player_prohibitions(rules, t, effects, "use_response_skills", actor)
        yield C.CANNOT_WINS, not banning, *banning
    price = cost(rules, t, effects, actor, printed)
    if price > len(R.book(t, actor)):
        weigh_cost(rules, t, effects, actor, card, printed)
    yield from check_payment(rules, t, actor, price, card)
    yield from _check_aim(rules, t, actor, printed, action, None if hero is None else R.square(t, hero))
    yield from _check_room(rules, t, actor, card, printed)


def _is_on_board(t: Table, card: CardId) -> bool:
    return R.is_unit(t, card) or R.is_terrain(t, card)


def check_payment(rules: Rules, t: Table, actor: Seat, price: int, about: CardId) -> Checks:
    book_size = len(R.book(t, actor))
    enough = price < book_size if price and rules.pay_last_card == "forbidden" else price <= book_size
    yield C.COST_PAYABLE, enough, about, Count(price), Count(book_size)


@implements(C.ORIGIN)
def _check_aim(
    rules: Rules, t: Table, actor: Seat, printed: T.Card, action: A.UseSkill, origin: Square | None
) -> Checks:
    about = target_subjects(action.targets, action.square, action.item)
    use = R.use_of(printed)[1]
    if printed.type == "monster":
        square = B.square_at(action.square)
        yield C.SUMMON_SQUARE, square in summon_squares(rules, t, actor), square_subject(action.square)
        yield from check_squares(rules, action.square)
        yield C.SUITABLE_TARGET, not action.targets and not action.item, *about
    else:
        aim = TargetContext(actor, origin, is_skill=True)
        values = named_values(use.targets, action.targets, action.square, action.item)
        violation = find_targets_violation(rules, t, aim, use.targets, values)
        note_obstructed(rules, t, violation, origin, action.targets, action.square)
        yield violation or C.SUITABLE_TARGET, violation is None, *about
        yield C.SUITABLE_TARGET, not needs_units(use) or has_matching_unit(rules, t, actor, use, origin), action.card
    path = squares_of(action.path)
    if use.path and action.targets and R.is_unit(t, action.targets[0]):
        violation = find_path_violation(rules, origin, path, R.square(t, action.targets[0]), reach_of(use))
        yield violation or C.DECLARED_PATH, violation is None, *(Word(place) for place in action.path)
    else:
        yield C.DECLARED_PATH, not action.path, *(Word(place) for place in action.path)


def reach_of(use: T.Use) -> int:
    first = use.targets[0] if use.targets else None
    return first.of.range.n if isinstance(first, M.UnitTarget) else 0


def needs_units(use: T.Use) -> bool:
    """True if a skill has no targets and only affects units by description."""
    units = [ref for do in use.do for ref in _refs(do) if isinstance(ref, M.Units)]
    return bool(units) and not use.targets and len(units) == len(use.do)


def _refs(do: T.AnyDo) -> tuple[M.Ref, ...]:
    on = getattr(do, "on", ())
    return on if isinstance(on, tuple) else (on,)


def has_matching_unit(rules: Rules, t: Table, actor: Seat, use: T.Use, origin: Square | None) -> bool:
    return any(
        isinstance(ref, M.Units) and any(fits(rules, t, ref, unit, actor, origin) for unit in R.units(rules, t))
        for do in use.do
        for ref in _refs(do)
    )


@implements(C.SUMMON_SQUARE)
def summon_squares(rules: Rules, t: Table, actor: Seat) -> tuple[Square, ...]:
    """Return the empty squares where a player may summon a monster."""
    squares: tuple[Square, ...]
    if rules.summon_site == "own_area":
        squares = B.own_squares(rules.size, rules.own_rows, actor)
    elif rules.summon_site == "own_face_up":
        squares = tuple([square for square in B.board(rules.size) if _is_own_face_up(t, actor, square)])
    else:
        hero = R.hero(rules, t, actor)
        squares = () if hero is None else edge_neighbours(rules.size, R.square(t, hero))
    return tuple([square for square in squares if R.unit_at(t, square) is None])


def _is_own_face_up(t: Table, actor: Seat, square: Square) -> bool:
    terrain = R.terrain_at(t, square)
    return terrain is not None and t.pieces[terrain].up and R.owner(t, terrain) == actor


def _check_room(rules: Rules, t: Table, actor: Seat, card: CardId, printed: T.Card) -> Checks:
    if printed.type == "aura":
        has_room = R.free_slots(rules, t, actor) > 0 or card in R.table(t, actor)
        yield C.AURA_ROOM, has_room or bool(removable_cards(t, actor)), card
    elif printed.type == "curse":
        yield C.CURSE_NEEDS_SLOT, R.free_slots(rules, t, R.opponent(actor)) > 0, R.opponent(actor)


@implements(C.CURSE_STAYS_ITS_OWNERS)
def removable_cards(t: Table, seat: Seat) -> tuple[CardId, ...]:
    """Return the cards that a player may give up to make room: their own, not an enemy's curses."""
    return tuple([card for card in R.table(t, seat) if R.owner(t, card) == seat])


def check_ability(rules: Rules, t: Table, actor: Seat, action: A.UseAbility) -> Checks:
    source = action.source
    ability = activated_ability(rules, t, source, action.ability)
    yield from _check_timing(rules, t, actor, ability is not None and ability.response)
    if ability is not None and ability.response and not P.is_idle(t):
        note_permission(t, C.RESPONSE_ABILITY, source)
    user = user_of(t, actor, source)
    usable = user is not None or is_own_aura(t, actor, source)
    yield C.EXISTING_AND_USABLE, usable, subject_or_missing(source, "source")
    if not usable:
        return
    yield from check_squares(rules, action.square)
    yield C.EXISTING_AND_USABLE, all(_is_on_board(t, target) for target in action.targets), *action.targets
    yield C.FACE_DOWN_IDLE, not R.is_terrain(t, source) or t.pieces[source].up, source
    yield C.EXISTING_AND_USABLE, ability is not None, source, Count(action.ability)
    if ability is None:
        return
    yield C.ONCE_PER_TURN, not is_used_up(t, ability, source, action.ability), source
    yield from check_payment(rules, t, actor, ability.mill, source)
    if ability.tap:
        yield C.TAP_COST, user is not None and R.stance(t, user) == S.ACTIVE, user or source
    aim = TargetContext(actor, None if user is None else R.square(t, user), is_skill=False)
    values = named_values(ability.targets, action.targets, action.square, R.NO_FRAME)
    violation = find_targets_violation(rules, t, aim, ability.targets, values)
    note_obstructed(rules, t, violation, aim.origin, action.targets, action.square)
    yield violation or C.SUITABLE_TARGET, violation is None, *target_subjects(action.targets, action.square, 0)


def activated_ability(rules: Rules, t: Table, source: CardId, number: int) -> T.Activated | None:
    abilities = R.printed(rules, t, source).abilities
    ability = abilities[number] if 0 <= number < len(abilities) else None
    return ability if isinstance(ability, T.Activated) else None


def is_used_up(t: Table, ability: T.Activated, source: CardId, number: int) -> bool:
    """True if an ability was used this turn and may not be used again."""
    return ability.once and R.did_this_turn(t, source, S.USED.format(number))


def user_of(t: Table, actor: Seat, source: CardId) -> CardId | None:
    """Return the player's unit that uses an ability: the source, or the unit on the terrain."""
    if R.is_own_unit(t, actor, source):
        return source
    if R.is_terrain(t, source):
        unit = R.unit_at(t, R.square(t, source))
        return unit if unit is not None and R.owner(t, unit) == actor else None
    return None


def is_own_aura(t: Table, actor: Seat, source: CardId) -> bool:
    return source in R.table(t, actor) and R.owner(t, source) == actor and R.is_in_force(t, source)
