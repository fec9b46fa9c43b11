"""Set-up before the first turn: separate and shuffle the decks, find the first player, draw, pick a bookmark card."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from domain.games.grimoire import clauses as C, schema as S, table_queries as R
from domain.games.grimoire.cards import POOLS, PRINTED_ON, card, decks
from domain.games.grimoire.effects.losing import clock_with_first
from domain.games.grimoire.effects.moves import draw
from domain.games.grimoire.rules import Rules, seats_of
from domain.games.grimoire.turn import begin_turn
from domain.law.asking import face_of
from domain.law.clause import Check, Clause, Count, Word, implements
from domain.law.game import UNKNOWN_FACE, Deck, Decks
from domain.law.live import LiveTable
from domain.parts.asking import ask, push
from domain.parts.places import place_in
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CHANCE, JUDGE, CardId, Clock, Frame, Seat, Table, ValueColumns

DEFAULT_DECKS: Final = ("ember", "tide", "grove", "prism")


def deck(rules: Rules, seat: Seat) -> Deck:
    return decks()[DEFAULT_DECKS[seats_of(len(DEFAULT_DECKS)).index(seat)]]


def plain(rules: Rules, face: str) -> bool:
    """True if the face belongs in a grimoire. A character stays in its personal zone."""
    return card(rules.cards, face).type == "spell"


def copies(rules: Rules, face: str) -> int | None:
    """Return how many copies of a card a deck may hold, bookmark included, or None for any number."""
    return rules.copy_limit or None


def deck_checks(rules: Rules, seat: Seat, listed: Deck) -> Iterator[Check]:
    unknown = sorted(set(listed.faces).difference(POOLS.cards_by_pool[rules.cards], (UNKNOWN_FACE,)))
    yield C.DECK_REFUSED, not unknown, *map(Word, unknown)
    printed = PRINTED_ON[rules.cards]
    characters = [face for face in listed.main if printed[face].type == "character"]
    extra = [face for face in listed.side if printed[face].type == "character"]
    yield C.DECK_SIZES, len(characters) == rules.character_cards and not extra, *map(Word, characters + extra)
    size = len(listed.main) - len(characters)
    yield C.DECK_SIZES, rules.grimoire_min <= size <= rules.grimoire_max, Count(size)
    bookmark_size = len(listed.side)
    yield (
        C.DECK_SIZES,
        rules.bookmark_min <= bookmark_size and not rules.bookmark_over(bookmark_size),
        Count(bookmark_size),
    )
    copies_by_face = Counter(face for face in listed.faces if face != UNKNOWN_FACE)
    excess = sorted(face for face, number in copies_by_face.items() if number > (copies(rules, face) or number))
    yield C.COPY_LIMIT, not excess, *map(Word, excess)


@implements(C.OWNER)
def set_up(rules: Rules, t: LiveTable, listed: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    """Deal the decks into their areas and ask chance to shuffle the grimoires."""
    printed = PRINTED_ON[rules.cards]
    for seat, registered in listed.items():
        areas = [S.PERSONAL if printed[face].type == "character" else S.GRIMOIRE for face in registered.main]
        areas += [S.BOOKMARK] * len(registered.side)
        dealt = zip(areas, cards[seat], registered.faces, strict=True)
        for area, part in groupby(dealt, key=lambda dealt_card: dealt_card[0]):
            _, ids, faces = zip(*part, strict=True)
            t.emit(C.DECK_SEPARATED, F.Created(place_in(seat, area), ids, faces, seat))
            if area == S.PERSONAL:
                t.emit(C.DECK_SEPARATED, F.Turned(ids, True))
    t.emit(C.DECK_SEPARATED, _at_step(t, "shuffle"))
    process = push(t, C.DECK_SEPARATED, "running", "set_up", JUDGE, step="reveal")
    for seat in R.seats(t):
        if R.grimoire(t, seat):
            ask(t, C.DECK_SEPARATED, "shuffle_grimoire", CHANCE, process, seats=(seat,))


def reveal(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Reveal top cards and compare their costs until one is lowest. After the last round chance decides."""
    t.emit(C.REVEAL_COST, _at_step(t, "first_player"))
    tied: tuple[Seat, ...] = R.living(t)
    for round_number in range(rules.reveal_rounds):
        because = C.REVEAL_AGAIN if round_number else C.REVEAL_COST
        for seat in R.living(t):
            top = R.grimoire(t, seat)[:1]
            if top:
                t.emit(because, F.Moved(top, place_in(seat, S.REVEAL), up=True))
                face_of(t, top[0], "first_player")  # on a strict table, raises if the face is unknown
        costs = {seat: R.printed(rules, t, R.revealed(t, seat)[-1]).cost for seat in R.living(t) if R.revealed(t, seat)}
        tied = tuple(seat for seat in R.living(t) if not costs or costs.get(seat) == min(costs.values()))
        if len(tied) == 1:
            t.emit(because, clock_with_first(t, tied[0]))
            t.emit(because, F.Altered(process.id, step="draw"))
            return
    t.emit(C.REVEAL_RANDOM, F.Altered(process.id, step="draw"))
    ask(t, C.REVEAL_RANDOM, "random_first_player", CHANCE, process.id, seats=tied)


def _at_step(t: Table, step: str) -> F.Clocked:
    return F.Clocked(Clock(first=t.clock.first, phase=S.SET_UP, step=step))


def opening_draw(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Put the revealed cards into the hands, then draw up to the opening hand."""
    if t.clock.first is None:  # as played: the entry skipped the question to chance
        t.emit(C.REVEAL_RANDOM, clock_with_first(t, R.living(t)[0]))
    t.emit(C.REVEALED_TO_HAND, _at_step(t, "opening_draw"))
    for seat in R.living(t):
        revealed = R.revealed(t, seat)
        if revealed:
            t.emit(C.REVEALED_TO_HAND, F.Moved(revealed, place_in(seat, S.HAND)))
        missing = min(rules.opening_hand - len(R.hand(t, seat)), len(R.grimoire(t, seat)))
        draw(rules, t, seat, max(0, missing), C.OPENING_HAND)
    t.emit(C.OPENING_BOOKMARK, _at_step(t, "bookmark_pick"))
    t.emit(C.OPENING_HAND, F.Altered(process.id, step="pick"))


def pick(rules: Rules, t: LiveTable, process: Frame) -> None:
    order = R.living(t)
    asked_seats = R.pick_count(process)
    players = R.turn_order(t)
    for place, seat in enumerate(players[asked_seats:], start=asked_seats + 1):
        if seat in order and rules.opening_bookmark_picks and R.bookmark(t, seat):
            t.emit(C.OPENING_BOOKMARK, F.Altered(process.id, columns=ValueColumns(numbers=(place,))))
            ask(t, C.OPENING_BOOKMARK, "bookmark_pick", seat, process.id)
            return
    t.emit(C.OPENING_PICK_HIDDEN, F.Altered(process.id, step="prepare"))


def prepare(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Set od, capacity, chroma and mana, then begin the first turn."""
    t.emit(C.INITIAL_OD, _at_step(t, "prepare"))
    for place, seat in enumerate(R.turn_order(t)):
        if seat not in R.living(t):
            continue
        capacity = rules.capacity_by_seat[place]
        because = C.LATER_CAPACITY if place else C.FIRST_CAPACITY
        _set(t, seat, C.INITIAL_OD, S.OD, rules.initial_od)
        _set(t, seat, because, S.CAPACITY, capacity)
        _set(t, seat, C.INITIAL_MANA, S.MANA, capacity if rules.initial_mana == "capacity" else 0)
        character = R.character(t, seat)
        colours = R.printed(rules, t, character).colours if character is not None else ()
        if len(colours) <= rules.initial_chroma_max_colours:
            for colour in colours:
                mono = len(colours) == 1
                degree = rules.initial_chroma_each + (rules.mono_bonus if mono else 0)
                _set(t, seat, C.MONO_CHROMA if mono else C.INITIAL_CHROMA, f"chroma.{colour}", degree)
    t.emit(C.TURNS_ALTERNATE, F.Popped(process.id, "done"))
    first = R.living(t)[0]
    begin_turn(rules, t, 1, first, C.TURNS_ALTERNATE)


def _set(t: LiveTable, seat: Seat, because: Clause, mark: str, to: int) -> None:
    if to:
        t.emit(because, F.Marked(seat, mark, to))


SET_UP_STEPS: Final[Mapping[str, Step[Rules]]] = implements(C.NO_MULLIGAN)(
    {"reveal": reveal, "draw": opening_draw, "pick": pick, "prepare": prepare}
)
