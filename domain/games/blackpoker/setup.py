"""Set-up before the first turn: deck checks, shuffling, dealing, presets, and the choice of the first player."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from domain.games.blackpoker import clauses as C, schema as S
from domain.games.blackpoker.cards import GENERATION, JOKER, decks, number
from domain.games.blackpoker.effects.moves import bury, draw
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.table_queries import SEATS, life, opponent
from domain.law.asking import face_of
from domain.law.clause import Check, Count, Word, implements
from domain.law.game import Deck, Decks
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts.asking import ask, push
from domain.parts.places import place_in
from domain.parts.steps import Step
from domain.table import facts as F
from domain.table.table import CHANCE, EVERYONE, CardId, Clock, Frame, Result, Seat, Table, ValueColumns


def deck(rules: Rules, seat: Seat) -> Deck:
    return Deck(rules.deck_list)


def named_decks() -> dict[str, Deck]:
    return {frame: Deck(faces) for frame, faces in decks().items()}


def plain(rules: Rules, face: str) -> bool:
    """True if the card calls up no next generation."""
    return face not in GENERATION


def deck_checks(rules: Rules, seat: Seat, deck: Deck) -> Iterator[Check]:
    counts, listed = Counter(deck.faces), Counter(rules.deck_list)
    duplicates = sorted(face for face, copies in counts.items() if copies > 1 and face != JOKER)
    yield C.DECK_LIMITS, not duplicates, *map(Word, duplicates)
    jokers = counts[JOKER]
    yield C.DECK_LIMITS, jokers <= rules.deck_jokers_max, Count(jokers)
    wrong_faces = sorted(face for face in {*deck.faces, *rules.deck_list} if counts[face] != listed[face])
    yield C.FULL_DECK if rules.frame == "full54" else C.DECK_LIST, not wrong_faces, *map(Word, wrong_faces)


def set_up(rules: Rules, t: LiveTable, decks: Decks, cards: Mapping[Seat, tuple[CardId, ...]]) -> None:
    """Create the decks on the table and ask chance to shuffle them."""
    for seat in SEATS:
        t.emit(C.DECK_TO_LIFE, F.Created(place_in(seat, S.LIFE), cards[seat], decks[seat].main, seat))
    t.emit(C.QUIET_SET_UP, F.Clocked(Clock(phase=S.SET_UP)))
    process = push(t, C.QUIET_SET_UP, "running", "set_up", CHANCE, step="deal")
    for seat in SEATS:
        ask(t, C.DECKS_SHUFFLED, "shuffle_deck", CHANCE, process, seats=(seat,))


def deal(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Deal the hands, then place each player's preset bulwark and soldier."""
    for seat in SEATS:
        draw(t, seat, rules.setup_hand_size, C.OPENING_HAND)
    for seat in SEATS:
        bulwark = life(t, seat)[:1]
        if bulwark:
            t.emit(C.PRESET_BULWARK, F.Moved(bulwark, place_in(seat, S.BULWARKS), up=rules.preset_bulwark_face == "up"))
            if rules.preset_bulwark_face == "shown_then_down":
                t.emit(C.PRESET_BULWARK, F.Shown(bulwark, (EVERYONE,), lasting=True))
        _preset_soldier(t, seat)
        if t.result is not None:
            return


def _preset_soldier(t: LiveTable, seat: Seat) -> None:
    """Place the first life card that can be a soldier. A player whose life has none loses."""
    has_retried = False
    for card in life(t, seat):
        if face_of(t, card, "soldier") != JOKER:
            t.emit(C.PRESET_SOLDIER, F.Moved((card,), place_in(seat, S.SOLDIERS), up=True))
            return
        has_retried = True
        t.emit(C.PRESET_RETRIED, F.Moved((card,), place_in(seat, S.GRAVE), up=True))
    if has_retried:
        t.emit(C.PRESET_RETRIED, F.Finished(Result((opponent(seat),), "preset")))


def compare(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Turn up and compare the top cards until they differ. If the life piles run out, ask for a coin toss."""
    compared: tuple[CardId, ...] = ()
    for card, other in zip(*(life(t, seat) for seat in SEATS), strict=False):
        clause = C.TIE_REPEATS if compared else C.HIGHER_GOES_FIRST
        compared += (card, other)
        t.emit(clause, F.Shown((card, other), (EVERYONE,)))
        numbers = number(face_of(t, card, "first_player")), number(face_of(t, other, "first_player"))
        if numbers[0] != numbers[1]:
            t.emit(clause, F.Altered(process.id, columns=ValueColumns(cards=compared)))
            t.emit(clause, clock_with_first(t, SEATS[0] if numbers[0] > numbers[1] else SEATS[1]))
            return
    t.emit(C.TIE_REPEATS, F.Altered(process.id, columns=ValueColumns(cards=compared)))
    ask(t, C.TIE_REPEATS, "coin_toss", CHANCE, process.id)


def clock_with_first(t: Table, seat: Seat) -> F.Clocked:
    return F.Clocked(Clock(first=seat, phase=t.clock.phase))


def bury_compared_cards(rules: Rules, t: LiveTable, process: Frame) -> None:
    compared = next(frame.cards for frame in t.running if frame.id == process.id)
    bury(rules, t, [(card, C.TURNED_UP_TO_GRAVE) for card in compared])


@implements(C.NO_FIRST_DRAW)
def begin(rules: Rules, t: LiveTable, process: Frame) -> None:
    """Start the first turn: the first player draws and holds the chance."""
    first = t.clock.first or SEATS[0]
    note(t, C.NO_FIRST_DRAW, first)
    draw(t, first, rules.setup_first_player_draw, C.FIRST_PLAYER_DRAWS)
    t.emit(C.FIRST_TURN, F.Popped(process.id, "done"))
    t.emit(C.FIRST_TURN, F.Clocked(Clock(1, first, first, S.PLAY, "", (first,))))


SET_UP_STEPS: Final[Mapping[str, Step[Rules]]] = {
    "deal": deal,
    "compare": compare,
    "first": bury_compared_cards,
    "begin": begin,
}
