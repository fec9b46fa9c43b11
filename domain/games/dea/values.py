"""Current values of characters: printed numbers, static abilities and timed effects."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, assert_never

from domain.games.dea import card_vocabulary as M, clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.games.dea.static_index import STATICS, ModifierKey, faces_with_modifier
from domain.games.dea.value_types import ActiveStatic
from domain.law.clause import EffectRef, Subject, implements
from domain.law.game import CardReading
from domain.law.noting import ValueLayer, collects_notes, note_layers, note_permission
from domain.parts.grid import king_distance
from domain.parts.places import place_in
from domain.table.table import CardId, Effect, Place, Seat, Table, is_same_object

ActiveModifiers = tuple[tuple[ActiveStatic, Any], ...]
"""Active modifiers of one kind, each with its ability."""
_NO_MODIFIERS: Final[ActiveModifiers] = ()


class ModifierCache:
    """Cache of the active modifiers on a table, filled on demand. The table must not change."""

    __slots__ = ("_by_key", "_rules", "_t")

    def __init__(self, rules: Rules, t: Table) -> None:
        self._rules, self._t = rules, t
        self._by_key: dict[ModifierKey, ActiveModifiers] = {}

    def modifiers(self, kind: type[T.Modifier], word: str = "") -> ActiveModifiers:
        """Return the modifiers of a kind: those of characters, then equipment, then fields."""
        key = (kind, word)
        modifiers = self._by_key.get(key)
        if modifiers is None:
            modifiers = self._by_key[key] = self._gather(key)
        return modifiers

    @implements(C.PASSIVES_NOT_DECLARED)
    def _gather(self, key: ModifierKey) -> ActiveModifiers:
        rules, t = self._rules, self._t
        faces, modifiers = faces_with_modifier(rules.cards, key).on_map, _NO_MODIFIERS
        for character in R.characters(rules, t) if faces else ():
            if t.pieces[character].face in faces:
                modifiers += _printed_modifiers(rules, t, character, key)
        return modifiers + _laid_modifiers(rules, t, key)

    def modifiers_of(self, character: CardId, kind: type[T.Modifier], word: str = "") -> ActiveModifiers:
        """Return the modifiers that can affect a character. Other characters' modifiers of themselves are skipped."""
        rules, t, key = self._rules, self._t, (kind, word)
        printed = faces_with_modifier(rules.cards, key)
        if not printed.selfish:
            return self.modifiers(kind, word)
        laid = _laid_modifiers(rules, t, key) if printed.laid else ()
        return (
            _printed_modifiers(rules, t, character, key) + laid if t.pieces[character].face in printed.on_map else laid
        )


# -- active modifiers -------------------------------------------------------------------------------------------------


def _printed_modifiers(rules: Rules, t: Table, character: CardId, key: ModifierKey) -> ActiveModifiers:
    by, statics = t.pieces[character].owner, STATICS[rules.cards][t.pieces[character].face][key]
    return tuple(
        [
            (ActiveStatic(character, by, ability), mod)
            for ability, mod in statics
            if _is_unsealed(rules, t, character, ability)
        ]
    )


def _laid_modifiers(rules: Rules, t: Table, key: ModifierKey) -> ActiveModifiers:
    printed, statics, pieces = faces_with_modifier(rules.cards, key), STATICS[rules.cards], t.pieces
    active: list[tuple[ActiveStatic, Any]] = []
    for card in _all_worn(t) if printed.laid else ():
        if pieces[card].face in printed.laid:
            active += [
                (ActiveStatic(card, pieces[card].owner, each), mod) for each, mod in statics[pieces[card].face][key]
            ]
    for effect in t.effects if printed.fields else ():
        if effect.face in printed.fields and effect.kind == S.FIELD:
            active += [
                (ActiveStatic(effect.source.card, effect.by, each), mod) for each, mod in statics[effect.face][key]
            ]
    return tuple(active)


def _all_worn(t: Table) -> tuple[CardId, ...]:
    first, second = _WORN
    return t.places.get(first, ()) + t.places.get(second, ())


_WORN: Final = tuple(place_in(seat, S.WORN) for seat in R.SEATS)


def _is_unsealed(rules: Rules, t: Table, character: CardId, static: T.Static) -> bool:
    """True if no seal stops a static ability. An ability that prevents seals is never stopped."""
    if not t.effects or rules.seal_scope != "all" or not _has_seal(t, character):
        return True
    return any(isinstance(mod, T.Has) and mod.name == UNSEALABLE for mod in static.mods) or not is_sealed(
        rules, t, character
    )


def _has_seal(t: Table, character: CardId) -> bool:
    return bool(t.effects) and bool(lasting_on(t, S.SEAL, character))


@implements(C.SEALED)
def is_sealed(rules: Rules, t: Table, character: CardId) -> bool:
    return _has_seal(t, character) and R.on_map(t, character) and not is_unsealable(rules, t, character)


def applies_to(rules: Rules, t: Table, active: ActiveStatic, character: CardId) -> bool:
    on = active.said.on
    match on:
        case "self":
            applies = character == active.source
        case "wearer":
            applies = character == t.pieces[active.source].host
        case M.CharacterFilter():
            applies = matches_filter(rules, t, on, character, active.by, active.source)
        case "you" | "opponent" | "each":
            applies = False
        case _:
            assert_never(on)
    return applies and all_hold(rules, t, active.said.only_while, active.by, active.source)


def applies_to_writer(rules: Rules, t: Table, active: ActiveStatic, seat: Seat) -> bool:
    match active.said.on:
        case "you":
            applies = seat == active.by
        case "opponent":
            applies = seat != active.by
        case "each":
            applies = True
        case _:
            return False
    return applies and all_hold(rules, t, active.said.only_while, active.by, active.source)


# -- descriptions and conditions --------------------------------------------------------------------------------------


def matches_filter(
    rules: Rules, t: Table, chars: M.CharacterFilter, character: CardId, you: Seat, source: CardId
) -> bool:
    """True if a character fits a description in the text of card `source`, which belongs to writer `you`."""
    piece = t.pieces.get(character)
    if piece is None or R.square_at(piece.place) is None:
        return False
    owner = piece.owner
    match chars.whose:
        case "own":
            owner_fits = owner == you
        case "other_own":
            owner_fits = owner == you and character != _bearer(t, source)
        case "enemy":
            owner_fits = owner != you
        case "any":
            owner_fits = True
        case _:
            assert_never(chars.whose)
    if not owner_fits or (chars.equipped and R.equipment(t, character) is None):
        return False
    if chars.adjacent is not None and not adjacent(t, character, _bearer(t, source)):
        return False
    return not chars.in_battle or fights(t, character)


def _bearer(t: Table, source: CardId) -> CardId:
    """Return the character that a text speaks from: the wearer of equipment, else the card itself."""
    piece = t.pieces.get(source)
    return piece.host if piece is not None and piece.host else source


def adjacent(t: Table, character: CardId, other: CardId) -> bool:
    """True if two characters are in neighbouring cells. Two in one cell are not adjacent."""
    piece, other_piece = t.pieces.get(character), t.pieces.get(other)
    return piece is not None and other_piece is not None and _are_neighbours(piece.place, other_piece.place)


@cache
def _are_neighbours(cell: Place, other: Place) -> bool:
    square, other_square = R.square_at(cell), R.square_at(other)
    return square is not None and other_square is not None and king_distance(square, other_square) == 1


@implements(C.BOTH_IN_TARGET_CELL, C.ATTACKER_AND_BLOCKER)
def fights(t: Table, character: CardId) -> bool:
    """True if the character is the attacker or the blocker of the running battle."""
    battle = R.battle_of(t)
    return battle is not None and character in (
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
            return sum(t.pieces[card].up for card in R.foreshadows(rules, t, you) if card != source) >= n
        case M.InHome(whose=side):
            bearer = _bearer(t, source)
            home = you if side == "own" else R.opponent(you)
            return R.on_map(t, bearer) and R.in_home(rules, home, R.cell_of(t, bearer))
        case _:
            assert_never(condition)


# -- numbers ----------------------------------------------------------------------------------------------------------


@implements(C.PASSIVES_NOT_DECLARED, C.KEYWORD_ONCE, C.NOT_BELOW_ZERO)
def stat(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId, which: M.Value) -> int:
    return max(0, sum(n for n, _ in stat_layers(rules, t, modifier_cache, character, which)))


def weigh_stat(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId, which: M.Value) -> None:
    if collects_notes(t):
        layers = tuple(
            ValueLayer(_STAT_CLAUSE[n == 0], value, of)
            for n, (value, of) in enumerate(stat_layers(rules, t, modifier_cache, character, which))
        )
        note_layers(t, C.NOT_BELOW_ZERO, layers, character)


_STAT_CLAUSE: Final = {True: C.CHARACTER_SHOWS, False: C.KEYWORD_ONCE}


def stat_layers(
    rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId, which: M.Value
) -> Iterator[tuple[int, Subject]]:
    """Yield the layers of attack or defence with their sources: the printed number, then the modifiers."""
    printed = R.printed(rules, t, character)
    yield printed.attack if which == "atk" else printed.defence, character
    for active, mod in modifier_cache.modifiers_of(character, T.Plus, which):
        if applies_to(rules, t, active, character):
            yield mod.n, active.source
    for effect in lasting_on(t, S.STAT, character):
        if R.word_of(effect) == which:
            yield R.amount_of(effect), EffectRef(effect.id)


def lasting_on(t: Table, kind: str, character: CardId) -> list[Effect]:
    """Return the timed effects of a kind on a character, oldest first."""
    effects: list[Effect] = []
    for effect in t.effects:
        if effect.kind == kind and any(on.card == character for on in effect.on) and is_same_object(t, effect.on[0]):
            effects.append(effect)
    return effects


@implements(C.KEYWORD_ONCE)
def has_keyword(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId, name: M.KeywordName) -> bool:
    if t.effects and _has_timed_keyword(t, character, name):
        return True
    modifiers = modifier_cache.modifiers_of(character, T.Has, name)
    return bool(modifiers) and _gives_keyword(rules, t, modifiers, character)


def may_have_unprinted_keyword(rules: Rules, t: Table, name: M.KeywordName) -> bool:
    """True if a character may have a keyword that is not printed on its card."""
    printed = faces_with_modifier(rules.cards, (T.Has, name))
    return bool(printed.laid) or not printed.selfish or any(effect.kind == S.KEYWORD for effect in t.effects)


def _gives_keyword(rules: Rules, t: Table, modifiers: ActiveModifiers, character: CardId) -> bool:
    return any(applies_to(rules, t, active, character) for active, _ in modifiers)


def _has_timed_keyword(t: Table, character: CardId, name: M.KeywordName) -> bool:
    effects = lasting_on(t, S.KEYWORD, character)
    return bool(effects) and name in [R.word_of(effect) for effect in effects]


def is_unsealable(rules: Rules, t: Table, character: CardId) -> bool:
    """True if seals do not affect a character. The character need not have a seal."""
    ability = _own_keyword(rules, t, character, UNSEALABLE)
    if ability is not None and applies_to(rules, t, ActiveStatic(character, R.owner(t, character), ability), character):
        return True
    laid = _laid_modifiers(rules, t, (T.Has, UNSEALABLE))
    return _has_timed_keyword(t, character, UNSEALABLE) or _gives_keyword(rules, t, laid, character)


UNSEALABLE: Final = "unsealable"


def _own_keyword(rules: Rules, t: Table, character: CardId, name: M.KeywordName) -> T.Static | None:
    abilities = STATICS[rules.cards][t.pieces[character].face].get((T.Has, name))
    return abilities[0][0] if abilities else None


def move_type(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId) -> M.MoveType:
    """Return the move type of a character: of the newest effect, else of the last modifier, else the printed one."""
    kind = R.printed(rules, t, character).move
    for active, mod in modifier_cache.modifiers_of(character, T.MoveIs):
        if applies_to(rules, t, active, character):
            kind = mod.type
    for effect in lasting_on(t, S.SET_MOVE, character):
        kind = _MOVES.get(R.word_of(effect), kind)
    return kind


@implements(C.MOVES_A_TURN, C.CARD_OVER_RULE)
def moves_allowed(rules: Rules, t: Table, modifier_cache: ModifierCache, character: CardId) -> int:
    ruled = rules.moves_per_character
    allowed = ruled + has_keyword(rules, t, modifier_cache, character, "double_dash")
    allowed += sum(R.amount_of(effect) for effect in lasting_on(t, S.EXTRA_MOVE, character))
    if ruled <= R.mark(t, character, S.MOVES_USED) < allowed:
        note_permission(t, C.CARD_OVER_RULE, character)
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


@implements(C.DIRECTIONS)
def offsets(rules: Rules, kind: M.MoveType, seat: Seat) -> Steps:
    """Return the offsets of a move type in columns and rows of the map."""
    steps = LITERAL_REVERSE_Y if kind == "reverse_y" and rules.reverse_y == "literal" else OFFSETS[kind]
    return steps if seat == R.SEATS[0] else _turned(steps)


@cache
def _turned(steps: Steps) -> Steps:
    return tuple((-column, -row) for column, row in steps)


def cost(
    rules: Rules, t: Table, modifier_cache: ModifierCache, of: M.Priced, seat: Seat, character: CardId, printed: int
) -> int:
    """Return the page cost of a move, an attack or an ability. Reductions stop at their highest floor."""
    modifiers = modifier_cache.modifiers(T.Costs, of)
    if not modifiers:
        return printed
    increase, reduction, floor = 0, 0, 0
    for active, mod in modifiers:
        if not (applies_to_writer(rules, t, active, seat) or applies_to(rules, t, active, character)):
            continue
        if mod.n > 0:
            increase += mod.n
        else:
            reduction, floor = reduction - mod.n, max(floor, mod.least)
    increased = printed + increase
    return max(min(increased, floor), increased - reduction, 0)


@implements(C.FORBIDDEN_DECLARATION)
def prohibitions(
    rules: Rules, t: Table, modifier_cache: ModifierCache, action: M.Prohibited, seat: Seat
) -> tuple[Subject, ...]:
    sources: list[Subject] = [
        EffectRef(effect.id)
        for effect in t.effects
        if effect.kind == S.FORBID and R.seat_of(effect) == seat and action in effect.words
    ]
    sources += [
        active.source
        for active, _ in modifier_cache.modifiers(T.Cannot, action)
        if applies_to_writer(rules, t, active, seat)
    ]
    return tuple(sources)


def readings(rules: Rules, t: Table) -> Iterator[CardReading]:
    if t.clock.phase == S.STANDBY:
        return
    modifier_cache = ModifierCache(rules, t)
    for character in R.characters(rules, t):
        if t.pieces[character].face is None:
            continue
        yield CardReading(character, "atk", stat(rules, t, modifier_cache, character, "atk"))
        yield CardReading(character, "def", stat(rules, t, modifier_cache, character, "def"))
        if t.clock.active == R.owner(t, character) and move_type(rules, t, modifier_cache, character) != "none":
            remaining = moves_allowed(rules, t, modifier_cache, character) - R.mark(t, character, S.MOVES_USED)
            yield CardReading(character, "moves_left", max(0, remaining))
