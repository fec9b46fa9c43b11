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
from domain.law.clause import FrameRef, carries
from domain.law.live import Live
from domain.law.noting import note
from domain.parts import programs, timed_effects
from domain.parts.places import at
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import EVERYONE, CardId, Frame, Seat, same


def perform_next(rules: Rules, t: Live, process: Frame) -> bool:
    """Perform the next instruction. Return False if there is none."""
    if not process.todo:
        return False
    todo = process.todo[0]
    words = standing_at(rules.cards, process.face, todo.path)
    rest = programs.remaining_steps(blocks(rules.cards, process.face), process.todo, ()) if words is not None else ()
    t.tell(C.STACK, F.Altered(process.id, todo=rest))
    if words is not None:
        PERFORM[type(words)](SkillbookInstructionContext(rules, t, process), words)
    return True


# -- references -------------------------------------------------------------------------------------------------------


def things(part: SkillbookInstructionContext, ref: M.Ref) -> tuple[CardId, ...]:
    """Return the units of a reference that are still on the board."""
    rules, t = part.rules, part.t
    if isinstance(ref, M.Units):
        origin = start_of(part)
        return tuple([one for one in R.units(rules, t) if fits(rules, t, ref, one, part.by, origin)])
    unit: CardId | None = None
    match ref:
        case "this":
            unit = R.resolve_unit(t, R.source_of(part.of))
        case "target" | "second":
            place = 0 if ref == "target" else 1
            unit = R.resolve_unit(t, part.targets[place]) if len(part.targets) > place else None
        case "pierced":
            return pierced(part)
        case "attacker":
            battle = P.process(t, "battle")
            unit = None if battle is None else R.resolve_unit(t, R.attacker_of(battle))
        case "occupant":
            unit = _occupant(part)
        case "host":
            host = t.pieces[part.source].host if part.source in t.pieces else CardId(0)
            unit = host if R.is_unit(t, host) else None
        case "own_hero":
            unit = R.hero(rules, t, part.by)
        case "each_hero":
            return tuple(hero for seat in R.by_turn(t) if (hero := R.hero(rules, t, seat)) is not None)
    return () if unit is None else (unit,)


def _occupant(part: SkillbookInstructionContext) -> CardId | None:
    """Return the user of a terrain's ability, the subject of its trigger, or the unit that stands there."""
    t = part.t
    if part.of.kind != "trigger":
        return R.user_of_item(t, part.of)
    if R.subject_of(part.of) != R.NO_OBJ:
        return R.resolve_unit(t, R.subject_of(part.of))
    return R.unit_at(t, R.square(t, part.source)) if R.is_terrain(t, part.source) else None


def start_of(part: SkillbookInstructionContext) -> Square | None:
    """Return the origin of ranges: the hero of a skill, the unit of an ability, or its last square."""
    t = part.t
    if part.of.kind == "skill":
        hero = R.hero(part.rules, t, part.by)
        return R.square(t, hero) if hero is not None else R.origin_of(part.of)
    user = R.user_of_item(t, part.of) or R.resolve_unit(t, R.source_of(part.of))
    if user is not None:
        return R.square(t, user)
    return R.last_square(part.of) if part.of.kind == "trigger" else R.origin_of(part.of)


@carries(C.PIERCING)
def pierced(part: SkillbookInstructionContext) -> tuple[CardId, ...]:
    """Return the units on a declared path, or () if its start or target has moved."""
    t, path = part.t, R.path_of(part.of)
    target = R.resolve_unit(t, part.targets[0]) if part.targets else None
    if target is None or not path or start_of(part) != R.origin_of(part.of) or R.square(t, target) != path[-1]:
        return ()
    passed = tuple(one for square in path[:-1] if (one := R.unit_at(t, square)) is not None)
    if passed:
        note(t, C.PIERCING, *passed)
    return passed


def player(part: SkillbookInstructionContext, who: M.Who) -> Seat | None:
    match who:
        case "you":
            return part.by
        case "opponent" | "cursed":
            return R.opponent(part.by)
        case "occupant_player":
            if part.of.kind != "trigger":
                return part.by
            unit = _occupant(part)
            return None if unit is None else R.owner(part.t, unit)
        case "hit_player":
            return R.player_hit(part.of)


def square_of(part: SkillbookInstructionContext, which: str) -> Square | None:
    """Return the destination of a teleport or token: the chosen square, or that of the target terrain."""
    chosen = R.square_chosen(part.of)
    if chosen is not None:
        return chosen
    place = 0 if which == "target" else 1
    if len(part.targets) <= place:
        return None
    terrain = part.targets[place]
    return R.square(part.t, terrain.card) if same(part.t, terrain) and R.is_terrain(part.t, terrain.card) else None


# -- instructions -----------------------------------------------------------------------------------------------------


def _damage(part: SkillbookInstructionContext, words: T.Damage) -> None:
    units = [one for ref in words.on for one in things(part, ref)]
    damage.deal(part.rules, part.t, dict.fromkeys(units, words.n), C.DAMAGE_IS_AT)


def _heal(part: SkillbookInstructionContext, words: T.Heal) -> None:
    for one in things(part, words.on):
        if R.is_hero(part.rules, part.t, one):
            damage.heal(part.rules, part.t, one, words.n, C.HERO_HP)


def _prevent(part: SkillbookInstructionContext, words: T.Prevent) -> None:
    for one in things(part, words.on):
        _begin(part, S.SHIELD, one, S.EOT, (words.n,), ())


def _destroy(part: SkillbookInstructionContext, words: T.Destroy) -> None:
    damage.destroy(part.rules, part.t, things(part, words.on), C.DESTROYED_TO_GRAVEYARD)


def _recall(part: SkillbookInstructionContext, words: T.Recall) -> None:
    zones.recall(part.rules, part.t, things(part, words.on), C.RECALL)


def _teleport(part: SkillbookInstructionContext, words: T.Teleport) -> None:
    square = square_of(part, words.to)
    units = things(part, words.on)
    if square is not None and units and R.unit_at(part.t, square) is None:
        arrival.teleport(part.rules, part.t, units[0], square)


def _swap(part: SkillbookInstructionContext, words: T.Swap) -> None:
    one, other = things(part, "target"), things(part, "second")
    if one and other:
        arrival.swap(part.rules, part.t, one[0], other[0])


def _ready(part: SkillbookInstructionContext, words: T.Ready) -> None:
    _stance(part, words.on, S.ACTIVE)


def _exhaust(part: SkillbookInstructionContext, words: T.Exhaust) -> None:
    _stance(part, words.on, S.EXHAUSTED)


def _stance(part: SkillbookInstructionContext, ref: M.Ref, stance: int) -> None:
    turned = tuple(one for one in things(part, ref) if R.stance(part.t, one) != stance)
    if turned:
        part.t.tell(C.STACK, F.Stanced(turned, stance))


def _mod(part: SkillbookInstructionContext, words: T.Mod) -> None:
    for one in things(part, words.on):
        _begin(part, S.MOD, one, words.until, (words.n,), (words.to,))


def _ban(part: SkillbookInstructionContext, words: T.Ban) -> None:
    for one in things(part, words.on):
        _begin(part, S.BAN, one, S.EOT, (), (words.act,))


@carries(C.TURN_EFFECTS_END)
def _begin(
    part: SkillbookInstructionContext,
    kind: str,
    on: CardId,
    until: str,
    numbers: tuple[int, ...],
    words: tuple[str, ...],
) -> None:
    t = part.t
    timed_effects.begin(t, C.STACK, part.of, kind, (on,), until, t.clock.turn, numbers=numbers, words=words)


def _halt(part: SkillbookInstructionContext, words: T.Halt) -> None:
    for one in things(part, words.on):
        arrival.end_move_of(part.t, one, C.SQUARES_PER_SP)


def _mill(part: SkillbookInstructionContext, words: T.Mill) -> None:
    seat = player(part, words.who)
    if seat is not None:
        zones.mill(part.rules, part.t, seat, words.n, C.GRAVEYARD_ORDER)


def _draw(part: SkillbookInstructionContext, words: T.Draw) -> None:
    seat = player(part, words.who)
    if seat is not None:
        zones.draw(part.rules, part.t, seat, 1, C.TURN_DRAW)


def _retrieve(part: SkillbookInstructionContext, words: T.Retrieve) -> None:
    top = R.graveyard(part.t, part.by)[-1:]
    if top:
        part.t.tell(C.TURN_DRAW, F.Moved(top, at(part.by, S.DRAWN), up=True))
        part.t.tell(C.TURN_DRAW, F.Shown(top, (EVERYONE,), lasting=True))


def _bury_to_book(part: SkillbookInstructionContext, words: T.BuryToBook) -> None:
    """Reverse the packet, since a book starts with its top card and a graveyard ends with it."""
    packet = R.graveyard(part.t, part.by)[-words.n :][::-1]
    if packet:
        part.t.tell(C.CANNOT_WINS, F.Moved(packet, at(part.by, S.BOOK)))


def _look_at_hand(part: SkillbookInstructionContext, words: T.LookAtHand) -> None:
    cards = tuple(one for one in R.hand(part.t, R.opponent(part.by)) if EVERYONE not in part.t.pieces[one].seen)
    if cards:
        part.t.tell(C.TABLE_PUBLIC_HAND_SECRET, F.Shown(cards, (part.by,), lasting=True))


def _look(part: SkillbookInstructionContext, words: T.LookAt) -> None:
    for terrain in _terrains(part):
        piece = part.t.pieces[terrain]
        if not piece.up:
            knowing = {piece.owner, part.by, *piece.seen}
            viewers = tuple(seat for seat in R.SEATS if seat in knowing)
            part.t.tell(C.FACE_DOWN_IDLE, F.Shown((terrain,), viewers, lasting=True))


def _terrains(part: SkillbookInstructionContext) -> tuple[CardId, ...]:
    first = part.targets[0] if part.targets else R.NO_OBJ
    return (first.card,) if same(part.t, first) and R.is_terrain(part.t, first.card) else ()


def _explore(part: SkillbookInstructionContext, words: T.Explore) -> None:
    for terrain in _terrains(part):
        if not part.t.pieces[terrain].up:
            arrival.turn_up(part.rules, part.t, terrain, None, C.EXPLORED_FOR_GOOD)


def _cover(part: SkillbookInstructionContext, words: T.Cover) -> None:
    """Both players know the face of a covered terrain."""
    t = part.t
    for terrain in _terrains(part):
        if t.pieces[terrain].up and R.unit_at(t, R.square(t, terrain)) is None:
            tied = [bind for bind in R.binds(t) if t.pieces[bind].host == terrain]
            if tied:
                note(t, C.BIND_ON_FACE_DOWN, *tied)
            t.tell(C.FACE_DOWN_IDLE, F.Turned((terrain,), False))
            t.tell(C.FACE_DOWN_IDLE, F.Shown((terrain,), R.SEATS, lasting=True))


def _token(part: SkillbookInstructionContext, words: T.MakeToken) -> None:
    square = square_of(part, "target")
    if square is not None and R.unit_at(part.t, square) is None:
        make_token(part.rules, part.t, part.by, words.token, square)


def _negate(part: SkillbookInstructionContext, words: T.Negate) -> None:
    t = part.t
    item = P.item(t, R.item_chosen(part.of))
    if item is None:
        note(t, C.TARGETS_RECHECKED, FrameRef(part.of.id))
        return
    t.tell(C.STACK, F.Popped(item.id, "negated"))
    card = R.source_of(item)
    if same(t, card) and t.pieces[card.card].place == R.STACK_PLACE:
        zones.bury(t, (card.card,), C.COST_FIXED)


def _remove_this(part: SkillbookInstructionContext, words: T.RemoveThis) -> None:
    source = R.source_of(part.of)
    if same(part.t, source) and part.t.pieces[source.card].place == R.STACK_PLACE:
        zones.remove(part.t, (source.card,), C.REMOVED_IN_PUBLIC, up=True)


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
"""Handlers by instruction. The parts that cannot be done are left out."""
