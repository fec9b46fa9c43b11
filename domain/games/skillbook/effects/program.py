"""Instructions of cards. Each one is a group of events."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.skillbook import clauses as C, meaning as M, progress as P, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import blocks, standing_at
from domain.games.skillbook.effects import arrival, damage, zones
from domain.games.skillbook.effects.arrival import make_token
from domain.games.skillbook.notions import SkillbookInstructionContext
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.values import fits
from domain.law.clause import FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import programs, timed_effects
from domain.parts.places import place_in
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Frame, Seat, is_same_object


def perform_next(rules: Rules, t: LiveTable, process: Frame) -> bool:
    """Perform the next instruction. Return False if there is none."""
    if not process.todo:
        return False
    todo = process.todo[0]
    instruction = standing_at(rules.cards, process.face, todo.path)
    remaining = (
        programs.remaining_steps(blocks(rules.cards, process.face), process.todo, ()) if instruction is not None else ()
    )
    t.emit(C.STACK, F.Altered(process.id, todo=remaining))
    if instruction is not None:
        PERFORM[type(instruction)](SkillbookInstructionContext(rules, t, process), instruction)
    return True


# -- references -------------------------------------------------------------------------------------------------------


def resolve_units(context: SkillbookInstructionContext, ref: M.Ref) -> tuple[CardId, ...]:
    """Return the units of a reference that are still on the board."""
    rules, t = context.rules, context.t
    if isinstance(ref, M.Units):
        origin = range_origin(context)
        return tuple([each for each in R.units(rules, t) if fits(rules, t, ref, each, context.by, origin)])
    unit: CardId | None = None
    match ref:
        case "this":
            unit = R.resolve_unit(t, R.source_of(context.of))
        case "target" | "second":
            place = 0 if ref == "target" else 1
            unit = R.resolve_unit(t, context.targets[place]) if len(context.targets) > place else None
        case "pierced":
            return pierced_units(context)
        case "attacker":
            battle = P.process(t, "battle")
            unit = None if battle is None else R.resolve_unit(t, R.attacker_of(battle))
        case "occupant":
            unit = _occupant(context)
        case "host":
            host = t.pieces[context.source].host if context.source in t.pieces else CardId(0)
            unit = host if R.is_unit(t, host) else None
        case "own_hero":
            unit = R.hero(rules, t, context.by)
        case "each_hero":
            return tuple(hero for seat in R.seats_in_turn_order(t) if (hero := R.hero(rules, t, seat)) is not None)
    return () if unit is None else (unit,)


def _occupant(context: SkillbookInstructionContext) -> CardId | None:
    """Return the user of a terrain's ability, the subject of its trigger, or the unit that stands there."""
    t = context.t
    if context.of.kind != "trigger":
        return R.user_of_item(t, context.of)
    if R.subject_of(context.of) != R.NO_OBJ:
        return R.resolve_unit(t, R.subject_of(context.of))
    return R.unit_at(t, R.square(t, context.source)) if R.is_terrain(t, context.source) else None


def range_origin(context: SkillbookInstructionContext) -> Square | None:
    """Return the origin of ranges: the hero of a skill, the unit of an ability, or its last square."""
    t = context.t
    if context.of.kind == "skill":
        hero = R.hero(context.rules, t, context.by)
        return R.square(t, hero) if hero is not None else R.origin_of(context.of)
    user = R.user_of_item(t, context.of) or R.resolve_unit(t, R.source_of(context.of))
    if user is not None:
        return R.square(t, user)
    return R.last_square(context.of) if context.of.kind == "trigger" else R.origin_of(context.of)


@implements(C.PIERCING)
def pierced_units(context: SkillbookInstructionContext) -> tuple[CardId, ...]:
    """Return the units on a declared path, or () if its start or target has moved."""
    t, path = context.t, R.path_of(context.of)
    target = R.resolve_unit(t, context.targets[0]) if context.targets else None
    if (
        target is None
        or not path
        or range_origin(context) != R.origin_of(context.of)
        or R.square(t, target) != path[-1]
    ):
        return ()
    passed = tuple(unit for square in path[:-1] if (unit := R.unit_at(t, square)) is not None)
    if passed:
        note(t, C.PIERCING, *passed)
    return passed


def resolve_player(context: SkillbookInstructionContext, who: M.Who) -> Seat | None:
    match who:
        case "you":
            return context.by
        case "opponent" | "cursed":
            return R.opponent(context.by)
        case "occupant_player":
            if context.of.kind != "trigger":
                return context.by
            unit = _occupant(context)
            return None if unit is None else R.owner(context.t, unit)
        case "hit_player":
            return R.player_hit(context.of)


def destination(context: SkillbookInstructionContext, which: str) -> Square | None:
    """Return the destination of a teleport or token: the chosen square, or that of the target terrain."""
    chosen = R.square_chosen(context.of)
    if chosen is not None:
        return chosen
    place = 0 if which == "target" else 1
    if len(context.targets) <= place:
        return None
    t, terrain = context.t, context.targets[place]
    return R.square(t, terrain.card) if is_same_object(t, terrain) and R.is_terrain(t, terrain.card) else None


# -- instructions -----------------------------------------------------------------------------------------------------


def _damage(context: SkillbookInstructionContext, instruction: T.Damage) -> None:
    units = [unit for ref in instruction.on for unit in resolve_units(context, ref)]
    damage.deal(context.rules, context.t, dict.fromkeys(units, instruction.n), C.DAMAGE_IS_AT)


def _heal(context: SkillbookInstructionContext, instruction: T.Heal) -> None:
    for unit in resolve_units(context, instruction.on):
        if R.is_hero(context.rules, context.t, unit):
            damage.heal(context.rules, context.t, unit, instruction.n, C.HERO_HP)


def _prevent(context: SkillbookInstructionContext, instruction: T.Prevent) -> None:
    for unit in resolve_units(context, instruction.on):
        _begin(context, S.SHIELD, unit, S.EOT, (instruction.n,), ())


def _destroy(context: SkillbookInstructionContext, instruction: T.Destroy) -> None:
    damage.destroy(context.rules, context.t, resolve_units(context, instruction.on), C.DESTROYED_TO_GRAVEYARD)


def _recall(context: SkillbookInstructionContext, instruction: T.Recall) -> None:
    zones.recall(context.rules, context.t, resolve_units(context, instruction.on), C.RECALL)


def _teleport(context: SkillbookInstructionContext, instruction: T.Teleport) -> None:
    square = destination(context, instruction.to)
    units = resolve_units(context, instruction.on)
    if square is not None and units and R.unit_at(context.t, square) is None:
        arrival.teleport(context.rules, context.t, units[0], square)


def _swap(context: SkillbookInstructionContext, instruction: T.Swap) -> None:
    first, second = resolve_units(context, "target"), resolve_units(context, "second")
    if first and second:
        arrival.swap(context.rules, context.t, first[0], second[0])


def _ready(context: SkillbookInstructionContext, instruction: T.Ready) -> None:
    _stance(context, instruction.on, S.ACTIVE)


def _exhaust(context: SkillbookInstructionContext, instruction: T.Exhaust) -> None:
    _stance(context, instruction.on, S.EXHAUSTED)


def _stance(context: SkillbookInstructionContext, ref: M.Ref, stance: int) -> None:
    turned = tuple(unit for unit in resolve_units(context, ref) if R.stance(context.t, unit) != stance)
    if turned:
        context.t.emit(C.STACK, F.Stanced(turned, stance))


def _mod(context: SkillbookInstructionContext, instruction: T.Mod) -> None:
    for unit in resolve_units(context, instruction.on):
        _begin(context, S.MOD, unit, instruction.until, (instruction.n,), (instruction.to,))


def _ban(context: SkillbookInstructionContext, instruction: T.Ban) -> None:
    for unit in resolve_units(context, instruction.on):
        _begin(context, S.BAN, unit, S.EOT, (), (instruction.act,))


@implements(C.TURN_EFFECTS_END)
def _begin(
    context: SkillbookInstructionContext,
    kind: str,
    on: CardId,
    until: str,
    numbers: tuple[int, ...],
    words: tuple[str, ...],
) -> None:
    t = context.t
    timed_effects.begin(t, C.STACK, context.of, kind, (on,), until, t.clock.turn, numbers=numbers, words=words)


def _halt(context: SkillbookInstructionContext, instruction: T.Halt) -> None:
    for unit in resolve_units(context, instruction.on):
        arrival.end_move_of(context.t, unit, C.SQUARES_PER_SP)


def _mill(context: SkillbookInstructionContext, instruction: T.Mill) -> None:
    seat = resolve_player(context, instruction.who)
    if seat is not None:
        zones.mill(context.rules, context.t, seat, instruction.n, C.GRAVEYARD_ORDER)


def _draw(context: SkillbookInstructionContext, instruction: T.Draw) -> None:
    seat = resolve_player(context, instruction.who)
    if seat is not None:
        zones.draw(context.rules, context.t, seat, 1, C.TURN_DRAW)


def _retrieve(context: SkillbookInstructionContext, instruction: T.Retrieve) -> None:
    top = R.graveyard(context.t, context.by)[-1:]
    if top:
        context.t.emit(C.TURN_DRAW, F.Moved(top, place_in(context.by, S.DRAWN), up=True))
        context.t.emit(C.TURN_DRAW, F.Shown(top, (EVERYONE,), lasting=True))


def _bury_to_book(context: SkillbookInstructionContext, instruction: T.BuryToBook) -> None:
    """Put the packet under the book, reversed: a book starts with its top card, a graveyard ends with it."""
    packet = R.graveyard(context.t, context.by)[-instruction.n :][::-1]
    if packet:
        context.t.emit(C.CANNOT_WINS, F.Moved(packet, place_in(context.by, S.BOOK)))


def _look_at_hand(context: SkillbookInstructionContext, instruction: T.LookAtHand) -> None:
    cards = tuple(
        card for card in R.hand(context.t, R.opponent(context.by)) if EVERYONE not in context.t.pieces[card].seen
    )
    if cards:
        context.t.emit(C.TABLE_PUBLIC_HAND_SECRET, F.Shown(cards, (context.by,), lasting=True))


def _look(context: SkillbookInstructionContext, instruction: T.LookAt) -> None:
    for terrain in _terrains(context):
        piece = context.t.pieces[terrain]
        if not piece.up:
            knowing = {piece.owner, context.by, *piece.seen}
            viewers = tuple(seat for seat in R.SEATS if seat in knowing)
            context.t.emit(C.FACE_DOWN_IDLE, F.Shown((terrain,), viewers, lasting=True))


def _terrains(context: SkillbookInstructionContext) -> tuple[CardId, ...]:
    first = context.targets[0] if context.targets else R.NO_OBJ
    return (first.card,) if is_same_object(context.t, first) and R.is_terrain(context.t, first.card) else ()


def _explore(context: SkillbookInstructionContext, instruction: T.Explore) -> None:
    for terrain in _terrains(context):
        if not context.t.pieces[terrain].up:
            arrival.turn_up(context.rules, context.t, terrain, None, C.EXPLORED_FOR_GOOD)


def _cover(context: SkillbookInstructionContext, instruction: T.Cover) -> None:
    """Turn the target terrain face down. Both players still know its face."""
    t = context.t
    for terrain in _terrains(context):
        if t.pieces[terrain].up and R.unit_at(t, R.square(t, terrain)) is None:
            tied = [bind for bind in R.binds(t) if t.pieces[bind].host == terrain]
            if tied:
                note(t, C.BIND_ON_FACE_DOWN, *tied)
            t.emit(C.FACE_DOWN_IDLE, F.Turned((terrain,), False))
            t.emit(C.FACE_DOWN_IDLE, F.Shown((terrain,), R.SEATS, lasting=True))


def _token(context: SkillbookInstructionContext, instruction: T.MakeToken) -> None:
    square = destination(context, "target")
    if square is not None and R.unit_at(context.t, square) is None:
        make_token(context.rules, context.t, context.by, instruction.token, square)


def _negate(context: SkillbookInstructionContext, instruction: T.Negate) -> None:
    t = context.t
    item = P.item(t, R.item_chosen(context.of))
    if item is None:
        note(t, C.TARGETS_RECHECKED, FrameRef(context.of.id))
        return
    t.emit(C.STACK, F.Popped(item.id, "negated"))
    card = R.source_of(item)
    if is_same_object(t, card) and t.pieces[card.card].place == R.STACK_PLACE:
        zones.bury(t, (card.card,), C.COST_FIXED)


def _remove_this(context: SkillbookInstructionContext, instruction: T.RemoveThis) -> None:
    source = R.source_of(context.of)
    if is_same_object(context.t, source) and context.t.pieces[source.card].place == R.STACK_PLACE:
        zones.remove(context.t, (source.card,), C.REMOVED_IN_PUBLIC, up=True)


PERFORM: Final[dict[type[T.Do], Callable[[SkillbookInstructionContext, Any], None]]] = {
    T.Damage: _damage,
    T.Heal: _heal,
    T.Prevent: _prevent,
    T.Destroy: _destroy,
    T.Recall: _recall,
    T.Teleport: _teleport,
    T.Swap: _swap,
    T.Ready: _ready,
    T.Exhaust: _exhaust,
    T.Mod: _mod,
    T.Ban: _ban,
    T.Halt: _halt,
    T.Mill: _mill,
    T.Draw: _draw,
    T.Retrieve: _retrieve,
    T.BuryToBook: _bury_to_book,
    T.LookAtHand: _look_at_hand,
    T.LookAt: _look,
    T.Explore: _explore,
    T.Cover: _cover,
    T.MakeToken: _token,
    T.Negate: _negate,
    T.RemoveThis: _remove_this,
}
"""Handlers by instruction. Parts that cannot be carried out are ignored."""
