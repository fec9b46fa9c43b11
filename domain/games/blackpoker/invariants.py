"""What holds in every match of BlackPoker, by the numbers of the dossier: recomputed, never asked of the law."""

from collections import Counter

from domain.games.blackpoker.actions import DesignateAttackers, DesignateBlockers, Pass, Request
from domain.games.blackpoker.cards import number
from domain.games.blackpoker.reading import SEATS, at, opponent
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.schema import BULWARKS, ENTERED, GRAVE, IMMEDIATE, LIFE, PLAY, SOLDIERS
from domain.law.clause import Clause
from domain.law.invariants import Deed, Invariant, of_deed, of_fact, of_table
from domain.table.facts import AnyFact, Clocked, Finished, Moved, Popped, Pushed
from domain.table.table import AnyTable, CardId, Place, Seat

MAIN = (
    "end", "attack", "summon_soldier", "summon_hero", "summon_ace", "equip", "destroy_bulwark", "throwing", "draw",
    "block", "damage_judge",
)  # fmt: skip
"""What lies lowest on the stage."""
BASIC = ("attack", "block", "damage_judge", "draw", "end")
KEYS = {"destroy_bulwark": 2, "throwing": 2} | dict.fromkeys((*BASIC, "charge", "next_generation", "set_bulwark"), 0)
"""How many key cards a request has, if not one."""
DIRECT = ("set_bulwark", "search")
"""Requests of a player that resolve at once."""


def quiet(t: AnyTable) -> bool:
    """Does a player hold the chance, nothing being asked or resolved?"""
    return t.result is None and not t.asked and t.clock.phase == PLAY


def row(t: AnyTable, seat: Seat, area: str) -> tuple[CardId, ...]:
    """The cards of one of a seat's zones."""
    return t.places.get(at(seat, area), ())


def units(t: AnyTable, seat: Seat) -> dict[CardId, list[CardId]]:
    """The soldiers of a seat, each with its cards from the lowest up."""
    found: dict[CardId, list[CardId]] = {}
    for card in row(t, seat, SOLDIERS):
        found.setdefault(t.pieces[card].host or card, []).append(card)
    return found


def every_card_lies_once(rules: Rules, t: AnyTable) -> bool:
    """No card is lost or doubled, and each lies where it is said to lie."""
    lying = Counter(card for cards in t.places.values() for card in cards)
    there = all(t.pieces[card].place == place for place, cards in t.places.items() for card in cards)
    return set(lying) == set(t.pieces) and set(lying.values()) <= {1} and there


def no_card_lies_with_the_other(rules: Rules, t: AnyTable) -> bool:
    """A card is in a zone of its owner or on the stage, and its owner's."""
    return all(
        (piece.place == "stage" or piece.place.startswith(f"{piece.owner}.")) and piece.controller == piece.owner
        for piece in t.pieces.values()
    )


def life_only_shrinks(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Nothing ever goes into a life."""
    return not isinstance(fact, Moved) or not fact.to.endswith("." + LIFE)


def one_holds_the_chance(rules: Rules, t: AnyTable) -> bool:
    """Before play nobody; in play one player, unless something is asked or a request resolves."""
    clock = t.clock
    if clock.phase != PLAY:
        return clock.active is None and clock.awaited == ()
    if clock.active not in SEATS or clock.turn < 1:
        return False
    if quiet(t):
        return len(clock.awaited) == 1 and clock.awaited[0] in SEATS
    direct = tuple(one.by for one in t.running if one.kind in DIRECT)
    return t.result is not None or clock.awaited == direct


def main_requests_lie_lowest(rules: Rules, t: AnyTable) -> bool:
    """The stage holds no immediate request, and one of main timing only as the lowest."""
    return not any(one.kind in IMMEDIATE for one in t.stack) and not any(one.kind in MAIN for one in t.stack[1:])


def one_basic_action_at_most(rules: Rules, t: AnyTable) -> bool:
    """And it is the lowest on the stage."""
    return [place for place, one in enumerate(t.stack) if one.kind in BASIC] in ([], [0])


def requests_have_their_keys(rules: Rules, t: AnyTable) -> bool:
    """As many as printed, all of them on the stage, and nothing else lies there."""
    if not quiet(t):
        return True
    staged = sorted(t.places.get(Place("stage"), ()))
    counted = all(len(one.cards) == KEYS.get(one.kind, 1) for one in t.stack)
    return counted and sorted(card for one in t.stack for card in one.cards) == staged


def passes_are_recorded_once(rules: Rules, t: AnyTable) -> bool:
    """Only players pass, each once, and never all of them while somebody holds the chance."""
    passed = t.clock.passed
    kept = not rules.passes_forgotten_after_resolution
    return (
        set(passed) <= set(SEATS)
        and len(set(passed)) == len(passed)
        and (not quiet(t) or kept or len(passed) < len(SEATS))
    )


def a_request_clears_the_passes(rules: Rules, deed: Deed) -> bool:
    """So does a resolution, where it is read so; the chance may go to the other with the request."""
    usual = rules.passes_forgotten_after_resolution and not rules.request_moves_chance
    if not usual or not quiet(deed.after):
        return True
    staged = {frame.id for frame in deed.before.stack}
    resolved = any(isinstance(f, Popped) and f.how == "resolved" and f.id in staged for _, f in deed.told)
    return deed.after.clock.passed == () if isinstance(deed.action, Request) or resolved else True


def two_passes_in_a_row_resolve(rules: Rules, deed: Deed) -> bool:
    """Whoever holds the chance afterwards: a pass behind the other's leaves no request on the stage untouched."""
    if not isinstance(deed.action, Pass) or opponent(deed.actor) not in deed.before.clock.passed:
        return True
    top = deed.before.stack[-1].id if deed.before.stack else None
    waits = bool(deed.after.asked) or deed.after.result is not None
    return top is None or waits or deed.after.stack == () or deed.after.stack[-1].id != top


def the_field_is_in_order(rules: Rules, t: AnyTable) -> bool:
    """Bulwarks are single cards and face down but for preset ones read otherwise; soldiers up and of one suit."""
    for seat in SEATS:
        for card in row(t, seat, BULWARKS):
            piece = t.pieces[card]
            shown = piece.marks.get(ENTERED, 0) == 0 and rules.preset_up
            if piece.host or piece.up != shown:
                return False
        for lowest, cards in units(t, seat).items():
            suits = {(t.pieces[card].face or "?")[0] for card in cards}
            if lowest not in cards or not all(t.pieces[card].up for card in cards) or len(suits) != 1:
                return False
            if any(t.pieces[card].face == "JK" for card in cards):
                return False
    return True


def fogs_count_their_number(rules: Rules, t: AnyTable) -> bool:
    """Hearts raise, spades lower, each by what is printed."""
    for effect in t.effects:
        (delta,) = effect.numbers
        face = t.pieces[effect.source.card].face or "?"
        if abs(delta) != number(face) or (face[0], effect.kind) != (("H", "up") if delta > 0 else ("S", "down")):
            return False
    return True


def attackers_are_driven(rules: Rules, deed: Deed) -> bool:
    """They were the attacker's own, upright, and had not just arrived unless in haste; now they are sideways."""
    if not isinstance(deed.action, DesignateAttackers):
        return True
    for card in deed.action.units:
        piece = deed.before.pieces[card]
        cards = units(deed.before, deed.actor).get(card, [])
        haste = any((deed.before.pieces[one].face or "")[1:] == "A" for one in cards)
        arrived = piece.marks.get(ENTERED, 0) == deed.before.clock.turn
        if piece.stance != 0 or not cards or (arrived and not haste) or deed.after.pieces[card].stance != 1:
            return False
    return True


def blockers_are_fit(rules: Rules, deed: Deed) -> bool:
    """Upright, of the blocker's own, no pair twice."""
    if not isinstance(deed.action, DesignateBlockers):
        return True
    pieces = [deed.before.pieces[blocker] for blocker, _ in deed.action.blocks]
    fit = all(piece.stance == 0 and piece.owner == deed.actor for piece in pieces)
    return fit and len(set(deed.action.blocks)) == len(deed.action.blocks)


def nothing_immediate_waits(rules: Rules, t: AnyTable) -> bool:
    """Whoever holds the chance sees no triggered request waiting, and nothing running but a combat."""
    return not quiet(t) or (t.waiting == () and {one.kind for one in t.running} <= {"combat"})


def turns_go_round(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """A turn is followed by the other player's."""
    if not isinstance(fact, Clocked) or fact.clock.turn == t.clock.turn or not t.clock.turn:
        return True
    return fact.clock.turn == t.clock.turn + 1 and fact.clock.active == opponent(t.clock.active or SEATS[0])


def the_loser_has_no_life(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """One wins; by life over somebody who has none left, and in play not with an empty one in the own turn."""
    if not isinstance(fact, Finished) or fact.result.reason != "life" or len(fact.result.winners) != 1:
        return True
    winner = fact.result.winners[0]
    return not row(t, opponent(winner), LIFE) and bool(row(t, winner, LIFE) or winner != t.clock.active)


def graves_are_seen_on_top(rules: Rules, t: AnyTable) -> bool:
    """Unless their owner is still to choose which card lies there."""
    tops = [t.pieces[row(t, seat, GRAVE)[-1]].up for seat in SEATS if row(t, seat, GRAVE)]
    return not quiet(t) or all(tops)


def nothing_is_begun_after_the_end(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """No request enters a match that has its result."""
    return t.result is None or not isinstance(fact, Pushed)


def invariants_of(rules: Rules) -> tuple[Invariant, ...]:
    """Those that can be said of one table, one fact or one action."""
    return INVARIANTS


INVARIANTS: tuple[Invariant, ...] = (
    of_table(1, every_card_lies_once),
    of_table(2, no_card_lies_with_the_other),
    of_fact(3, life_only_shrinks),
    of_table(4, one_holds_the_chance),
    of_table(6, main_requests_lie_lowest),
    of_table(7, one_basic_action_at_most),
    of_table(8, requests_have_their_keys),
    of_table(9, passes_are_recorded_once),
    of_deed(9, a_request_clears_the_passes),
    of_deed(9, two_passes_in_a_row_resolve),
    of_table(10, the_field_is_in_order),
    of_table(13, fogs_count_their_number),
    of_deed(14, attackers_are_driven),
    of_deed(15, blockers_are_fit),
    of_table(20, nothing_immediate_waits),
    of_fact(23, turns_go_round),
    of_fact(24, the_loser_has_no_life),
    of_fact(24, nothing_is_begun_after_the_end),
    of_table(27, graves_are_seen_on_top),
)
