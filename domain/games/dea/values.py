"""Current values of characters: printed numbers, static abilities and timed effects."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, assert_never

from domain.games.dea import clauses as C, meaning as M, schema as S, table_queries as R, text as T
from domain.games.dea.notions import Works
from domain.games.dea.rules import Rules
from domain.games.dea.statics import STATICS, Matter, bearing
from domain.law.clause import EffectRef, Subject, carries
from domain.law.game import CardReading
from domain.law.noting import ValueLayer, noting, permit, weigh
from domain.parts.grid import king
from domain.parts.places import at
from domain.table.table import CardId, Effect, Place, Seat, Table, same

Working = tuple[tuple[Works, Any], ...]
"""Active modifiers of one matter, each with its ability."""
_NOTHING: Final[Working] = ()


class Standing:
    """Cache of the active modifiers of an unchanging table, filled by matter on demand."""

    __slots__ = ("_held", "_rules", "_t")

    def __init__(self, rules: Rules, t: Table) -> None:
        self._rules, self._t = rules, t
        self._held: dict[Matter, Working] = {}

    def of(self, kind: type[T.Modifier], word: str = "") -> Working:
        """Return the modifiers of a matter: those of characters, then equipment, then fields."""
        matter = (kind, word)
        working = self._held.get(matter)
        if working is None:
            working = self._held[matter] = self._gather(matter)
        return working

    @carries(C.PASSIVES_NOT_DECLARED)
    def _gather(self, matter: Matter) -> Working:
        rules, t = self._rules, self._t
        faces, working = bearing(rules.cards, matter).on_map, _NOTHING
        for one in R.characters(rules, t) if faces else ():
            if t.pieces[one].face in faces:
                working += _printed_on(rules, t, one, matter)
        return working + _laid_down(rules, t, matter)

    def on(self, one: CardId, kind: type[T.Modifier], word: str = "") -> Working:
        """Return the modifiers that can affect one character. Skips those that other characters have for themselves."""
        rules, t, matter = self._rules, self._t, (kind, word)
        printed = bearing(rules.cards, matter)
        if not printed.selfish:
            return self.of(kind, word)
        laid = _laid_down(rules, t, matter) if printed.laid else ()
        return _printed_on(rules, t, one, matter) + laid if t.pieces[one].face in printed.on_map else laid


# -- what is in force -------------------------------------------------------------------------------------------------


def _printed_on(rules: Rules, t: Table, one: CardId, matter: Matter) -> Working:
    by, statics = t.pieces[one].owner, STATICS[rules.cards][t.pieces[one].face][matter]
    return tuple([(Works(one, by, ability), mod) for ability, mod in statics if _is_unsealed(rules, t, one, ability)])


def _laid_down(rules: Rules, t: Table, matter: Matter) -> Working:
    printed, statics, pieces = bearing(rules.cards, matter), STATICS[rules.cards], t.pieces
    works: list[tuple[Works, Any]] = []
    for one in _all_worn(t) if printed.laid else ():
        if pieces[one].face in printed.laid:
            works += [(Works(one, pieces[one].owner, each), mod) for each, mod in statics[pieces[one].face][matter]]
    for effect in t.effects if printed.fields else ():
        if effect.face in printed.fields and effect.kind == S.FIELD:
            works += [(Works(effect.source.card, effect.by, each), mod) for each, mod in statics[effect.face][matter]]
    return tuple(works)


def _all_worn(t: Table) -> tuple[CardId, ...]:
    one, other = _WORN
    return t.places.get(one, ()) + t.places.get(other, ())


_WORN: Final = tuple(at(seat, S.WORN) for seat in R.SEATS)


def _is_unsealed(rules: Rules, t: Table, one: CardId, static: T.Static) -> bool:
    """True if no seal stops a static ability. An ability that prevents seals is never stopped."""
    if not t.effects or rules.seal_scope != "all" or not _bears_seal(t, one):
        return True
    return any(isinstance(mod, T.Has) and mod.name == UNSEALABLE for mod in static.mods) or not is_sealed(rules, t, one)


def _bears_seal(t: Table, one: CardId) -> bool:
    return bool(t.effects) and bool(lasting_on(t, S.SEAL, one))


@carries(C.SEALED)
def is_sealed(rules: Rules, t: Table, one: CardId) -> bool:
    return _bears_seal(t, one) and R.on_map(t, one) and not is_unsealable(rules, t, one)


def concerns(rules: Rules, t: Table, works: Works, one: CardId) -> bool:
    on = works.said.on
    match on:
        case "self":
            applies = one == works.source
        case "wearer":
            applies = one == t.pieces[works.source].host
        case M.Chars():
            applies = fits(rules, t, on, one, works.by, works.source)
        case "you" | "opponent" | "each":
            applies = False
        case _:
            assert_never(on)
    return applies and all_hold(rules, t, works.said.only_while, works.by, works.source)


def concerns_writer(rules: Rules, t: Table, works: Works, seat: Seat) -> bool:
    match works.said.on:
        case "you":
            applies = seat == works.by
        case "opponent":
            applies = seat != works.by
        case "each":
            applies = True
        case _:
            return False
    return applies and all_hold(rules, t, works.said.only_while, works.by, works.source)


# -- descriptions and conditions --------------------------------------------------------------------------------------


def fits(rules: Rules, t: Table, chars: M.Chars, one: CardId, you: Seat, source: CardId) -> bool:
    """True if a character fits the description in a text of this writer and card."""
    piece = t.pieces.get(one)
    if piece is None or R.at(piece.place) is None:
        return False
    owner = piece.owner
    match chars.whose:
        case "own":
            whose = owner == you
        case "other_own":
            whose = owner == you and one != _bearer(t, source)
        case "enemy":
            whose = owner != you
        case "any":
            whose = True
        case _:
            assert_never(chars.whose)
    if not whose or (chars.equipped and R.equipment(t, one) is None):
        return False
    if chars.adjacent is not None and not adjacent(t, one, _bearer(t, source)):
        return False
    return not chars.in_battle or fights(t, one)


def _bearer(t: Table, source: CardId) -> CardId:
    """Return the character that a text speaks from: the wearer of equipment, else the card itself."""
    piece = t.pieces.get(source)
    return piece.host if piece is not None and piece.host else source


def adjacent(t: Table, one: CardId, other: CardId) -> bool:
    """True if two characters are in neighbouring cells. Two in one cell are not adjacent."""
    mine, its = t.pieces.get(one), t.pieces.get(other)
    return mine is not None and its is not None and _lie_beside(mine.place, its.place)


@cache
def _lie_beside(cell: Place, other: Place) -> bool:
    here, there = R.at(cell), R.at(other)
    return here is not None and there is not None and king(here, there) == 1


@carries(C.BOTH_IN_TARGET_CELL, C.ATTACKER_AND_BLOCKER)
def fights(t: Table, one: CardId) -> bool:
    """True if the character is the attacker or the blocker of the running battle."""
    battle = R.battle_of(t)
    return battle is not None and one in (
        R.resolve_character(t, R.attacker_of(battle)),
        R.resolve_character(t, R.blocker_of(battle)),
    )


def all_hold(rules: Rules, t: Table, conditions: tuple[M.AnyCondition, ...], you: Seat, source: CardId) -> bool:
    return not conditions or all(holds(rules, t, condition, you, source) for condition in conditions)


def holds(rules: Rules, t: Table, condition: M.AnyCondition, you: Seat, source: CardId) -> bool:
    match condition:
        case M.OwnTurn():
            return t.clock.active == you
        case M.BattleRunning():
            return R.battle_of(t) is not None
        case M.SelfIsAttacker():
            return R.fights_as_attacker(t, source)
        case M.OwnAttacks():
            battle = R.battle_of(t)
            attacker = None if battle is None else R.resolve_character(t, R.attacker_of(battle))
            return attacker is not None and R.owner(t, attacker) == you
        case M.LifeAtMostHalf():
            return 2 * R.seat_mark(t, you, S.LIFE) <= R.seat_mark(t, you, S.MAX_LIFE)
        case M.LifeAtMaximum():
            return R.seat_mark(t, you, S.LIFE) == R.seat_mark(t, you, S.MAX_LIFE)
        case M.PagesAtMost(n=n):
            return R.seat_mark(t, you, S.PAGES) <= n
        case M.EpLessThanOpponent():
            return R.seat_mark(t, you, S.EP) < R.seat_mark(t, R.opponent(you), S.EP)
        case M.OpponentEpAtLeast(n=n):
            return R.seat_mark(t, R.opponent(you), S.EP) >= n
        case M.OthersOpened(n=n):
            return sum(t.pieces[one].up for one in R.foreshadows(rules, t, you) if one != source) >= n
        case M.InHome(whose=whose):
            bearer = _bearer(t, source)
            home = you if whose == "own" else R.opponent(you)
            return R.on_map(t, bearer) and R.in_home(rules, home, R.cell_of(t, bearer))
        case _:
            assert_never(condition)


# -- numbers ----------------------------------------------------------------------------------------------------------


@carries(C.PASSIVES_NOT_DECLARED, C.KEYWORD_ONCE, C.NOT_BELOW_ZERO)
def stat(rules: Rules, t: Table, now: Standing, one: CardId, which: M.Value) -> int:
    return max(0, sum(n for n, _ in stat_layers(rules, t, now, one, which)))


def weigh_stat(rules: Rules, t: Table, now: Standing, one: CardId, which: M.Value) -> None:
    if noting(t):
        layers = tuple(
            ValueLayer(_STAT_CLAUSE[n == 0], value, of)
            for n, (value, of) in enumerate(stat_layers(rules, t, now, one, which))
        )
        weigh(t, C.NOT_BELOW_ZERO, layers, one)


_STAT_CLAUSE: Final = {True: C.CHARACTER_SHOWS, False: C.KEYWORD_ONCE}


def stat_layers(rules: Rules, t: Table, now: Standing, one: CardId, which: M.Value) -> Iterator[tuple[int, Subject]]:
    """Yield the layers of attack or defence with their sources: the printed number, then the modifiers."""
    words = R.printed(rules, t, one)
    yield words.attack if which == "atk" else words.defence, one
    for works, mod in now.on(one, T.Plus, which):
        if concerns(rules, t, works, one):
            yield mod.n, works.source
    for effect in lasting_on(t, S.STAT, one):
        if R.word_of(effect) == which:
            yield R.amount_of(effect), EffectRef(effect.id)


def lasting_on(t: Table, kind: str, one: CardId) -> list[Effect]:
    """Return the timed effects of a kind on a character, oldest first."""
    lying: list[Effect] = []
    for effect in t.effects:
        if effect.kind == kind and any(on.card == one for on in effect.on) and same(t, effect.on[0]):
            lying.append(effect)
    return lying


@carries(C.KEYWORD_ONCE)
def has_keyword(rules: Rules, t: Table, now: Standing, one: CardId, name: M.KeywordName) -> bool:
    if t.effects and _lasts(t, one, name):
        return True
    working = now.on(one, T.Has, name)
    return bool(working) and _is_given(rules, t, working, one)


def is_lent(rules: Rules, t: Table, name: M.KeywordName) -> bool:
    """True if a character may have a keyword that is not printed on its card."""
    printed = bearing(rules.cards, (T.Has, name))
    return bool(printed.laid) or not printed.selfish or any(effect.kind == S.KEYWORD for effect in t.effects)


def _is_given(rules: Rules, t: Table, working: Working, one: CardId) -> bool:
    return any(concerns(rules, t, works, one) for works, _ in working)


def _lasts(t: Table, one: CardId, name: M.KeywordName) -> bool:
    effects = lasting_on(t, S.KEYWORD, one)
    return bool(effects) and name in [R.word_of(effect) for effect in effects]


def is_unsealable(rules: Rules, t: Table, one: CardId) -> bool:
    """True if seals do not affect a character, whether or not one is on it."""
    ability = _own_keyword(rules, t, one, UNSEALABLE)
    if ability is not None and concerns(rules, t, Works(one, R.owner(t, one), ability), one):
        return True
    laid = _laid_down(rules, t, (T.Has, UNSEALABLE))
    return _lasts(t, one, UNSEALABLE) or _is_given(rules, t, laid, one)


UNSEALABLE: Final = "unsealable"


def _own_keyword(rules: Rules, t: Table, one: CardId, name: M.KeywordName) -> T.Static | None:
    saids = STATICS[rules.cards][t.pieces[one].face].get((T.Has, name))
    return saids[0][0] if saids else None


def move_type(rules: Rules, t: Table, now: Standing, one: CardId) -> M.MoveType:
    """Return the move type of a character: that of the newest effect, else the printed one."""
    kind = R.printed(rules, t, one).move
    for works, mod in now.on(one, T.MoveIs):
        if concerns(rules, t, works, one):
            kind = mod.type
    for effect in lasting_on(t, S.SET_MOVE, one):
        kind = _MOVES.get(R.word_of(effect), kind)
    return kind


@carries(C.MOVES_A_TURN, C.CARD_OVER_RULE)
def moves_allowed(rules: Rules, t: Table, now: Standing, one: CardId) -> int:
    ruled = rules.moves_per_character
    allowed = ruled + has_keyword(rules, t, now, one, "double_dash")
    allowed += sum(R.amount_of(effect) for effect in lasting_on(t, S.EXTRA_MOVE, one))
    if ruled <= R.mark(t, one, S.MOVES_USED) < allowed:
        permit(t, C.CARD_OVER_RULE, one)
    return allowed


Steps = tuple[tuple[int, int], ...]
CROSS: Final[Steps] = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONALS: Final[Steps] = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_MOVES: Final[dict[str, M.MoveType]] = {kind: kind for kind in ("cross", "x", "y", "reverse_y", "all", "none")}
OFFSETS: Final[dict[M.MoveType, Steps]] = {
    "cross": CROSS,
    "x": DIAGONALS,
    "y": ((0, -1), (1, 1), (-1, 1)),
    "reverse_y": ((0, 1), (1, -1), (-1, -1)),
    "all": (*CROSS, *DIAGONALS),
    "none": (),
}
"""Offsets of each move type, to the right and forward from its writer's side."""
LITERAL_REVERSE_Y: Final[Steps] = ((0, -1), (1, -1), (-1, -1))


@carries(C.DIRECTIONS)
def offsets(rules: Rules, kind: M.MoveType, seat: Seat) -> Steps:
    """Return the offsets of a move type in columns and rows of the map."""
    steps = LITERAL_REVERSE_Y if kind == "reverse_y" and rules.reverse_y == "literal" else OFFSETS[kind]
    return steps if seat == R.SEATS[0] else _turned(steps)


@cache
def _turned(steps: Steps) -> Steps:
    return tuple((-column, -row) for column, row in steps)


def cost(rules: Rules, t: Table, now: Standing, of: M.Priced, seat: Seat, one: CardId, printed: int) -> int:
    """Return the page cost of a move, an attack or an ability. Reductions stop at their highest floor."""
    working = now.of(T.Costs, of)
    if not working:
        return printed
    more, less, least = 0, 0, 0
    for works, mod in working:
        if not (concerns_writer(rules, t, works, seat) or concerns(rules, t, works, one)):
            continue
        if mod.n > 0:
            more += mod.n
        else:
            less, least = less - mod.n, max(least, mod.least)
    dear = printed + more
    return max(min(dear, least), dear - less, 0)


@carries(C.FORBIDDEN_DECLARATION)
def prohibitions(rules: Rules, t: Table, now: Standing, action: M.Prohibited, seat: Seat) -> tuple[Subject, ...]:
    banning: list[Subject] = [
        EffectRef(effect.id)
        for effect in t.effects
        if effect.kind == S.FORBID and R.seat_of(effect) == seat and action in effect.words
    ]
    banning += [works.source for works, _ in now.of(T.Cannot, action) if concerns_writer(rules, t, works, seat)]
    return tuple(banning)


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    if t.clock.phase == S.STANDBY:
        return
    standing = Standing(rules, t)
    for one in R.characters(rules, t):
        if t.pieces[one].face is None:
            continue
        yield CardReading(one, "atk", stat(rules, t, standing, one, "atk"))
        yield CardReading(one, "def", stat(rules, t, standing, one, "def"))
        if t.clock.active == R.owner(t, one) and move_type(rules, t, standing, one) != "none":
            remaining = moves_allowed(rules, t, standing, one) - R.mark(t, one, S.MOVES_USED)
            yield CardReading(one, "moves_left", max(0, remaining))
