"""Set-up before the first turn: separate and shuffle decks, lay out maps, toss, place the heroes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Final

from domain.games.skillbook import board as B, clauses as C, schema as S, table_queries as R, text as T
from domain.games.skillbook.cards import CARDS, POOLS, card, decks
from domain.games.skillbook.effects.queueing import queue_everywhere
from domain.games.skillbook.rules import Rules
from domain.games.skillbook.turn import begin_turn
from domain.law.clause import Check, Count, Word, implements
from domain.law.game import UNKNOWN_FACE, Deck, Decks
from domain.law.live import LiveTable
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.parts.places import place_in
from domain.parts.squares import Square
from domain.table import facts as F
from domain.table.table import CHANCE, NOBODY, CardId, Clock, Place, Result, Seat, Table, zone

DEFAULT_DECKS: Final = ("forge_march", "drowned_sky")


def seats(rules: Rules) -> tuple[Seat, ...]:
    return R.SEATS


def deck(rules: Rules, seat: Seat) -> Deck:
    return decks()[DEFAULT_DECKS[R.SEATS.index(seat)]]


def plain(rules: Rules, face: str) -> bool:
    """True if the face is a skill without a trigger on being milled or removed."""
    printed = card(rules.cards, face)
    return printed.type in T.SKILLS and not any(
        isinstance(ability, T.Triggered) and ability.event in ("milled", "removed") for ability in printed.abilities
    )


def fits(place: Place, face: str) -> bool:
    """True if the back of a card fits the place. Only terrains have their own back and lie on the ground."""
    printed, area = CARDS.get(face), zone(place)
    is_terrain = printed is not None and printed.type in T.TERRAINS
    if printed is None or area == S.GROUND:
        return printed is None or is_terrain
    return not (is_terrain and area in (S.BOOK, S.HAND, S.HERO, S.UNIT))


def copies(rules: Rules, face: str) -> int | None:
    """Return how many copies of a card a deck may hold, or None for any number."""
    printed = card(rules.cards, face)
    match printed.type:
        case "basic" | "token":
            return None
        case "hero":
            return rules.heroes
        case "start":
            return rules.start_cards_max
        case "special":
            most = rules.special_terrain_max
        case _:
            most = rules.cast_max if printed.cast else rules.same_name_max
    return most if rules.enforce_construction else None


@implements(C.BASIC_TERRAINS_UNLIMITED, C.UNUSABLE_SKILLS_LEGAL)
def deck_checks(rules: Rules, seat: Seat, listed: Deck) -> Iterator[Check]:
    """Yield the clauses that a registered deck must meet. The types of its cards separate hero, book and map."""
    pool = POOLS.cards_by_pool[rules.cards]
    unknown = sorted(set(listed.faces).difference(pool, (UNKNOWN_FACE,)))
    cards = [card(rules.cards, face) for face in listed.faces if face in pool]
    tokens = sorted(printed.id for printed in cards if printed.type == "token")
    heroes = [printed for printed in cards if printed.type == "hero"]
    yield C.DECK_PARTS, not unknown and not tokens and bool(heroes), *map(Word, (*unknown, *tokens))
    yield C.HEROES_IN_DECK, len(heroes) == rules.heroes, Count(len(heroes))
    book = [printed for printed in cards if printed.type in T.SKILLS]
    size = len(book) + listed.faces.count(UNKNOWN_FACE)
    if rules.enforce_construction:
        yield C.BOOK_SIZE, rules.book_min <= size <= rules.book_max, Count(size)
        counts = Counter(printed.en for printed in book)
        excess = sorted({printed.id for printed in book if counts[printed.en] > rules.same_name_max})
        yield C.SAME_NAME_LIMIT, not excess, *map(Word, excess)
        cast = sorted({printed.id for printed in book if printed.cast and counts[printed.en] > rules.cast_max})
        yield C.CAST_LIMIT, not cast, *map(Word, cast)
    terrains = [printed for printed in cards if printed.type in T.TERRAINS]
    yield C.MAP_SIZE, len(terrains) == rules.map_size, Count(len(terrains))
    if rules.enforce_construction:
        counts = Counter(printed.en for printed in terrains if printed.type == "special")
        excess = sorted({printed.id for printed in terrains if counts[printed.en] > rules.special_terrain_max})
        yield C.SPECIAL_TERRAIN_LIMIT, not excess, *map(Word, excess)
    starts = sum(printed.type == "start" for printed in terrains)
    yield C.START_POINTS, rules.start_cards_min <= starts <= rules.start_cards_max, Count(starts)


@implements(C.DECK_SEPARATED)
def set_up(rules: Rules, t: LiveTable, listed: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    """Deal the decks, lay the neutral row, and ask chance for the shuffles and the toss."""
    for seat, registered in listed.items():
        areas = [_area_of(rules, face) for face in registered.faces]
        for area, part in groupby(zip(areas, cards[seat], registered.faces, strict=True), key=lambda dealt: dealt[0]):
            _, ids, faces = zip(*part, strict=True)
            t.emit(C.DECK_SEPARATED, F.Created(place_in(seat, area), ids, faces, seat))
    t.emit(C.DECK_SEPARATED, F.Clocked(Clock(phase=S.SET_UP, step=S.DECKS)))
    _lay_neutral(rules, t)
    if not _finish_if_book_is_short(rules, t):
        for seat in R.SEATS:
            if R.book(t, seat):
                ask(t, C.BOOKS_SHUFFLED, "shuffle_book", CHANCE, seats=(seat,))
        ask(t, C.TOSS_AND_ORDER, "toss", CHANCE)


def _area_of(rules: Rules, face: str) -> str:
    kind = card(rules.cards, face).type
    return S.HERO if kind == "hero" else S.LAYOUT if kind in T.TERRAINS else S.BOOK


@implements(C.BOARD)
def _lay_neutral(rules: Rules, t: LiveTable) -> None:
    row = rules.own_rows + 1
    for column, face in enumerate(rules.neutral_terrains, start=1):
        new = CardId(max(t.pieces) + 1)
        t.emit(C.NEUTRAL_ROW, F.Created(B.ground_place(Square(column, row)), (new,), (face,), NOBODY))
        t.emit(C.NEUTRAL_ROW, F.Turned((new,), True))


def _finish_if_book_is_short(rules: Rules, t: LiveTable) -> bool:
    """Finish the match if a book is too small. Return True if so."""
    size_min = rules.book_min + (1 if rules.setup_short_book == "le_min" else 0)
    short = [seat for seat in R.SEATS if len(R.book(t, seat)) < size_min]
    if not short:
        return False
    winners = () if len(short) == len(R.SEATS) else (R.opponent(short[0]),)
    t.emit(C.SHORT_BOOK_LOSES, F.Finished(Result(winners, "book")))
    return True


# -- steps ------------------------------------------------------------------------------------------------------------


def awaited_in_layout(t: Table) -> tuple[Seat, ...]:
    return tuple(
        seat
        for seat in R.SEATS
        if not R.seat_mark(t, seat, S.LAID_OUT) or (R.seat_mark(t, seat, S.TOSS) and t.clock.first is None)
    )


def _begin_layout(rules: Rules, t: LiveTable) -> bool:
    t.emit(C.MAP_LAID_OUT, clock_at(t, S.SET_UP, S.LAYING, *awaited_in_layout(t)))
    return True


def _lay_maps(rules: Rules, t: LiveTable) -> bool:
    """Move the terrains face down onto the board once both maps and the turn order are known."""
    first = t.clock.first
    if awaited_in_layout(t) or first is None:
        return False
    for seat in R.SEATS:
        squares = B.own_squares(rules.size, rules.own_rows, seat)
        for terrain, square in zip(R.layout(t, seat), squares, strict=False):
            t.emit(C.MAP_LAID_OUT, F.Moved((terrain,), B.ground_place(square)))
    t.emit(C.HERO_ON_START_POINT, clock_at(t, S.SET_UP, S.HEROES, first))
    return True


def _begin_opening(rules: Rules, t: LiveTable) -> bool:
    if any(R.hero_place(t, seat) for seat in R.SEATS):
        return False
    t.emit(C.GAME_START_PHASE, clock_at(t, S.SET_UP, S.OPENING))
    for seat in R.from_first_player(t):
        opening = R.book(t, seat)[: rules.opening_table]
        if opening:
            t.emit(C.OPENING_TABLE, F.Moved(opening, place_in(seat, S.TABLE), up=True))
    queue_everywhere(rules, t, "game_start")
    return True


@implements(C.OPENING_TABLE)
def _begin_first_turn(rules: Rules, t: LiveTable) -> bool:
    first = t.clock.first
    assert first is not None
    begin_turn(rules, t, 1, first, C.TURNS_ALTERNATE)
    return True


SET_UP: Final[Mapping[str, Callable[[Rules, LiveTable], bool]]] = {
    S.DECKS: _begin_layout,
    S.LAYING: _lay_maps,
    S.HEROES: _begin_opening,
    S.OPENING: _begin_first_turn,
}
"""Function by step of set-up. It returns False if a player's action is due."""
