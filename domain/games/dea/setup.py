"""Set-up before the first turn: plot checks, first player, placement, shuffling, and opening hands."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.cards import CARDS, POOLS, card, decks
from domain.games.dea.effects.moves import draw, gain_pages, set_mark
from domain.games.dea.rules import Rules
from domain.games.dea.turn import begin_turn
from domain.law.clause import Check, Count, Word, implements
from domain.law.game import UNKNOWN_FACE, Deck, Decks
from domain.law.live import LiveTable
from domain.parts.asking import ask
from domain.parts.pieces import clock_at
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.table import CHANCE, CardId, Clock, Place, Seat, Table, zone

DEFAULT_PLOTS: Final = ("lantern_lane", "clockwork_marsh")
"""Default sample plot of each seat."""
TYPES_BY_AREA: Final[Mapping[str, tuple[T.CardType, ...]]] = {
    S.UNPLACED: ("character",),
    S.DECK: T.GIMMICKS,
    S.HAND: T.GIMMICKS,
    S.FORESHADOW: ("foreshadow",),
    S.MAP: ("character", "token"),
}


def seats(rules: Rules) -> tuple[Seat, ...]:
    return R.SEATS


def deck(rules: Rules, seat: Seat) -> Deck:
    return decks()[DEFAULT_PLOTS[R.SEATS.index(seat)]]


def plain(rules: Rules, face: str) -> bool:
    """True if the card is a gimmick, which can fill up a deck."""
    return card(rules.cards, face).type in T.GIMMICKS


def fits(place: Place, face: str) -> bool:
    """True if a card of this type can lie in the place: a foreshadow in its slots, gimmicks in deck and hand, and
    characters on the map and before they are placed. Equipment on the map is never face down."""
    printed, types = CARDS.get(face), TYPES_BY_AREA.get(zone(place))
    return printed is None or types is None or printed.type in types


def copies(rules: Rules, face: str) -> int | None:
    """Return how many copies of a card a plot may hold, or None for tokens, which only effects create."""
    return None if card(rules.cards, face).type == "token" else rules.copies_per_name


@implements(C.TWO_WRITERS, C.GIMMICK_MIX)
def deck_checks(rules: Rules, seat: Seat, plot: Deck) -> Iterator[Check]:
    pool = POOLS.cards_by_pool[rules.cards]
    unknown = sorted(set(plot.faces).difference(pool, (UNKNOWN_FACE,)))
    yield C.PLOT_SIZE, not unknown and not plot.side, *map(Word, (*unknown, *plot.side))
    cards = [card(rules.cards, face) for face in plot.main if face in pool]
    tokens = sorted(printed.id for printed in cards if printed.type == "token")
    yield C.NO_TOKENS_IN_PLOT, not tokens, *map(Word, tokens)
    kinds = Counter(printed.type for printed in cards)
    gimmicks = sum(kinds[kind] for kind in T.GIMMICKS) + plot.main.count(UNKNOWN_FACE)
    sizes = (kinds["character"], gimmicks, kinds["foreshadow"])
    sizes_required = (rules.characters_per_plot, rules.gimmicks_per_plot, rules.foreshadows_per_plot)
    yield C.PLOT_SIZE, sizes[:2] == sizes_required[:2], *map(Count, sizes)
    yield C.FORESHADOW_COUNT, sizes[2] == sizes_required[2], Count(sizes[2])
    total = sum(printed.cost for printed in cards if printed.type == "character")
    yield C.COST_LIMIT, total <= rules.character_cost_limit, Count(total)
    names = Counter(printed.en for printed in cards)
    surplus = sorted(printed.id for printed in cards if names[printed.en] > rules.copies_per_name)
    yield C.COPY_LIMIT, not surplus, *map(Word, dict.fromkeys(surplus))


def set_up(rules: Rules, t: LiveTable, plots: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    """Create the cards and ask chance for the first player."""
    for seat, plot in plots.items():
        areas = [S.UNPLACED if _starts_unplaced(rules, face) else S.DECK for face in plot.main]
        for area, part in groupby(zip(areas, cards[seat], plot.main, strict=True), key=lambda dealt: dealt[0]):
            _, ids, faces = zip(*part, strict=True)
            t.emit(C.PLOT_SIZE, F.Created(place_in(seat, area), ids, faces, seat))
    t.emit(C.FIRST_PLAYER_BY_CHANCE, F.Clocked(Clock(phase=S.STANDBY, step=S.FIRST)))
    ask(t, C.FIRST_PLAYER_BY_CHANCE, "first_player", CHANCE)


def _starts_unplaced(rules: Rules, face: str) -> bool:
    return card(rules.cards, face).type in ("character", "foreshadow")


def unplaced_characters(rules: Rules, t: Table, seat: Seat) -> tuple[CardId, ...]:
    """Return the characters that a writer has yet to place, including cards with unknown faces."""
    cards = R.unplaced(t, seat)
    return tuple(
        [
            card_id
            for card_id in cards
            if t.pieces[card_id].face is None or R.printed(rules, t, card_id).type == "character"
        ]
    )


def has_unplaced_character(rules: Rules, t: Table, seat: Seat) -> bool:
    """True if a writer has a character to place.

    If more cards are unplaced than there are foreshadow slots, one of them is a character. With fewer, only known
    faces count.
    """
    cards = R.unplaced(t, seat)
    visible = [card_id for card_id in cards if t.pieces[card_id].face is not None]
    return len(cards) > rules.foreshadows_per_plot or any(
        R.printed(rules, t, card_id).type == "character" for card_id in visible
    )


def _start_placing(rules: Rules, t: LiveTable) -> bool:
    if t.clock.first is None:  # chance was skipped: an as-played action came first
        t.emit(C.FIRST_PLAYER_BY_CHANCE, F.Clocked(Clock(first=R.SEATS[0], phase=S.STANDBY, step=S.FIRST)))
    first = t.clock.first
    assert first is not None
    t.emit(C.PLACE_IN_TURN, clock_at(t, S.STANDBY, S.PLACING, first))
    return True


def _start_laying(rules: Rules, t: LiveTable) -> bool:
    if any(has_unplaced_character(rules, t, seat) for seat in R.SEATS):
        return False
    first = t.clock.first
    assert first is not None
    t.emit(C.LAY_FORESHADOWS, clock_at(t, S.STANDBY, S.FORESHADOWS, first))
    return True


def _start_shuffling(rules: Rules, t: LiveTable) -> bool:
    if any(R.unplaced(t, seat) for seat in R.SEATS):
        return False
    t.emit(C.GIMMICKS_SHUFFLED, clock_at(t, S.STANDBY, S.SHUFFLE))
    for seat in R.SEATS:
        if R.deck(t, seat):
            ask(t, C.GIMMICKS_SHUFFLED, "shuffle", CHANCE, seats=(seat,))
    return True


@implements(C.OPENING_HAND)
def _start_match(rules: Rules, t: LiveTable) -> bool:
    for seat in R.SEATS:
        draw(rules, t, seat, rules.opening_hand, C.OPENING_HAND)
    characters = R.characters(rules, t)
    if characters:
        t.emit(C.CHARACTERS_REVEALED, F.Turned(characters, True))
    for seat in R.SEATS:
        life = sum(R.printed(rules, t, card_id).survival for card_id in R.own_characters(rules, t, seat))
        set_mark(t, seat, S.MAX_LIFE, life, C.LIFE_FROM_SURVIVAL)
        set_mark(t, seat, S.LIFE, life, C.LIFE_FROM_SURVIVAL)
        gain_pages(rules, t, seat, rules.opening_pages, C.OPENING_PAGES)
    first = t.clock.first
    assert first is not None
    begin_turn(rules, t, 1, first, C.FIRST_TURN)
    return True


SET_UP: Final[Mapping[str, Callable[[Rules, LiveTable], bool]]] = {
    S.FIRST: _start_placing,
    S.PLACING: _start_laying,
    S.FORESHADOWS: _start_shuffling,
    S.SHUFFLE: _start_match,
}
"""Function that leaves each step of set-up. It returns False while a writer has cards to place."""
