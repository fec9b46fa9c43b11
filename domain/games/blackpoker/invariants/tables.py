"""Invariants of tables at each decision, some of them also between two facts."""

from typing import Final

from domain.games.blackpoker import actions as A, schema as S
from domain.games.blackpoker.legality import checks
from domain.games.blackpoker.offers import offers
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.table_queries import SEATS, readings
from domain.law.actions import Concede, Pass
from domain.law.slots import verb
from domain.parts.asking import awaited
from domain.parts.places import place_in
from domain.table.table import CardId, Place, Seat, Table, seat_of

MAIN: Final = (
    "end", "attack", "summon_soldier", "summon_hero", "summon_ace", "equip", "destroy_bulwark", "throwing", "draw",
    "block", "damage_judge",
)  # fmt: skip
"""Requests of main timing, which lie lowest on the stage."""
BASIC: Final = ("attack", "block", "damage_judge", "draw", "end")
KEYS: Final = {"destroy_bulwark": 2, "throwing": 2} | dict.fromkeys(
    (*BASIC, "charge", "next_generation", "set_bulwark"), 0
)
"""Number of key cards of a request, if not one."""
DIRECT: Final = ("set_bulwark", "search")
"""Requests of a player that resolve at once."""

NUMBERS: Final = {"A": 1, "J": 11, "Q": 12, "K": 13}
ALWAYS_TRIED: Final[tuple[A.AnyAction, ...]] = (Pass(), A.End(), A.Attack(), A.SetBulwark(), A.ChooseSecondDraw())
"""Actions tried for each seat that is not awaited."""


def is_at_decision(t: Table) -> bool:
    """True if the match is in play, with neither a result nor an open question."""
    return t.result is None and not t.asked and t.clock.phase == S.PLAY


def row(t: Table, seat: Seat, area: str) -> tuple[CardId, ...]:
    return t.places.get(place_in(seat, area), ())


def units(t: Table, seat: Seat) -> dict[CardId, list[CardId]]:
    """Return the cards of each soldier of a seat, by its lowest card and from the lowest up."""
    cards_by_unit: dict[CardId, list[CardId]] = {}
    for card in row(t, seat, S.SOLDIERS):
        cards_by_unit.setdefault(t.pieces[card].host or card, []).append(card)
    return cards_by_unit


def number(face: str) -> int:
    """Return the number of a face, computed independently of the game code."""
    rank = face[1:]
    return 0 if face == "JK" else NUMBERS.get(rank, 0) or int(rank)


def sizes(rules: Rules, t: Table) -> dict[CardId, int]:
    return {reading.card: int(reading.value) for reading in readings(rules, t) if reading.name == "size"}


def usable_card_count(t: Table) -> int:
    """Return the cards left to use: those in hand once, those in life twice."""
    return sum(2 * len(row(t, seat, S.LIFE)) + len(row(t, seat, S.HAND)) for seat in SEATS)


def every_card_lies_once(rules: Rules, t: Table) -> bool:
    """True if every card is in exactly one place, the one that the card names."""
    placed_cards = {card for cards in t.places.values() for card in cards}
    is_unique = sum(map(len, t.places.values())) == len(placed_cards)
    is_consistent = all(t.pieces[card].place == place for place, cards in t.places.items() for card in cards)
    return is_unique and placed_cards == t.pieces.keys() and is_consistent


def no_card_lies_with_the_other(rules: Rules, t: Table) -> bool:
    """True if every card is in a zone of its owner or on the stage, and controlled by its owner."""
    for piece in t.pieces.values():
        if piece.controller != piece.owner or seat_of(piece.place) not in (None, piece.owner):
            return False
    return True


def one_holds_the_chance(rules: Rules, t: Table) -> bool:
    """True if no player is awaited before play, and one player in play, unless a request resolves."""
    clock = t.clock
    if clock.phase != S.PLAY:
        return clock.active is None and clock.awaited == ()
    if clock.active not in SEATS or clock.turn < 1:
        return False
    if is_at_decision(t):
        return len(clock.awaited) == 1 and clock.awaited[0] in SEATS
    requesters = tuple(frame.by for frame in t.running if frame.kind in DIRECT)
    return t.result is not None or clock.awaited == requesters


def only_who_is_awaited_has_anything_to_do(rules: Rules, t: Table) -> bool:
    """True if the awaited player may answer or pass, and all others may only concede."""
    awaited_seats = awaited(t)
    if t.result is not None:
        return awaited_seats == ()
    kinds = [question.kind for question in t.asked[:1]]
    for seat in SEATS:
        actions = (template.action for template in offers(rules, t, seat))
        if seat not in awaited_seats:
            fits = set(actions) == {Concede} and not any(_accepted(rules, t, seat, action) for action in ALWAYS_TRIED)
        elif kinds:
            answers = set(actions)
            verbs = {verb(answer) for answer in answers - {Concede}}
            fits = Concede in answers and verbs <= set(kinds)
        else:
            fits = Pass in actions
        if not fits:
            return False
    return len(awaited_seats) == 1


def _accepted(rules: Rules, t: Table, seat: Seat, action: A.AnyAction) -> bool:
    return all(holds for _, holds, *_ in checks(rules, t, seat, action))


def main_requests_lie_lowest(rules: Rules, t: Table) -> bool:
    """True if the stage has no immediate request, and one of main timing only as the lowest."""
    return not any(frame.kind in S.IMMEDIATE for frame in t.stack) and not any(
        frame.kind in MAIN for frame in t.stack[1:]
    )


def one_basic_action_at_most(rules: Rules, t: Table) -> bool:
    """True if at most one basic action is on the stage, as the lowest."""
    return [position for position, frame in enumerate(t.stack) if frame.kind in BASIC] in ([], [0])


def requests_have_their_keys(rules: Rules, t: Table) -> bool:
    """True if each request has its printed number of key cards, and the stage holds only these."""
    if not is_at_decision(t):
        return True
    stage_cards = sorted(t.places.get(Place("stage"), ()))
    is_count_right = all(len(frame.cards) == KEYS.get(frame.kind, 1) for frame in t.stack)
    return is_count_right and sorted(card for frame in t.stack for card in frame.cards) == stage_cards


def passes_are_recorded_once(rules: Rules, t: Table) -> bool:
    """True if each player has passed at most once, and not both while a player holds the chance."""
    passed = t.clock.passed
    outlast_resolution = rules.pass_record_reset != "on_request_and_resolution"
    return (
        set(passed) <= set(SEATS)
        and len(set(passed)) == len(passed)
        and (not is_at_decision(t) or outlast_resolution or len(passed) < len(SEATS))
    )


def the_field_is_in_order(rules: Rules, t: Table) -> bool:
    """True if bulwarks are single and face down, and soldiers face up and of one suit.

    The rules may turn preset bulwarks up.
    """
    for seat in SEATS:
        for card in row(t, seat, S.BULWARKS):
            piece = t.pieces[card]
            is_face_up = piece.marks.get(S.ENTERED, 0) == 0 and rules.preset_bulwark_face == "up"
            if piece.host or piece.up != is_face_up:
                return False
        for lowest, cards in units(t, seat).items():
            suits = {(t.pieces[card].face or "?")[0] for card in cards}
            if lowest not in cards or not all(t.pieces[card].up for card in cards) or len(suits) != 1:
                return False
            if any(t.pieces[card].face == "JK" for card in cards):
                return False
    return True


def every_soldier_has_a_size(rules: Rules, t: Table) -> bool:
    """True if every soldier has a size of at least one, unless fogs of the two players end at different times."""
    return (
        not is_at_decision(t)
        or rules.fog_end_scope == "own_card_active"
        or min(sizes(rules, t).values(), default=1) >= 1
    )


def fogs_count_their_number(rules: Rules, t: Table) -> bool:
    """True if each fog changes a size by its printed number: hearts raise, spades lower."""
    for effect in t.effects:
        (delta,) = effect.numbers
        face = t.pieces[effect.source.card].face or "?"
        if abs(delta) != number(face) or (face[0], effect.kind) != (("H", "up") if delta > 0 else ("S", "down")):
            return False
    return True


def nothing_immediate_waits(rules: Rules, t: Table) -> bool:
    """True if no triggered request waits and only a combat runs while a player holds the chance."""
    return not is_at_decision(t) or (t.waiting == () and {frame.kind for frame in t.running} <= {"combat"})


def graves_are_seen_on_top(rules: Rules, t: Table) -> bool:
    """True if the top of each grave is face up, unless its owner has yet to choose it."""
    tops = [t.pieces[row(t, seat, S.GRAVE)[-1]].up for seat in SEATS if row(t, seat, S.GRAVE)]
    return not is_at_decision(t) or all(tops)
