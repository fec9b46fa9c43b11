"""What is seen only by looking back at a whole match."""

from collections import Counter
from typing import Final

from domain.games.grimoire import schema as S
from domain.games.grimoire.actions import TranceChoice
from domain.games.grimoire.invariants.printed import saying
from domain.games.grimoire.reading import bookmark, grimoire, hand, living
from domain.games.grimoire.rules import Rules
from domain.law.invariants import Match
from domain.table.facts import Clocked
from domain.table.redact import SeenPlace
from domain.table.table import EVERYONE, Seat, Table, whose, zone

OWN_TURNS: Final = 36
VIEWS: Final = 6
"""How many tables of a match are looked at through every viewer's eyes."""


def refilling(rules: Rules) -> frozenset[str]:
    """Cards that put cards into a grimoire."""
    return saying(rules, do="move", to="grimoire")


def protecting(rules: Rules) -> frozenset[str]:
    """Cards whose player is not beaten by a failed draw."""
    return saying(rules, mod="cannot", verb="be_beaten")


def opening_hands_are_as_set(rules: Rules, match: Match) -> bool:
    """As many cards as set, and one more from a bookmark that is not empty."""
    for _, fact, t in match.facts():
        if t.clock.turn:
            break
        if not isinstance(fact, Clocked) or fact.clock.turn != 1:
            continue
        for seat in living(t):
            aside = len(match.opened.sides.get(seat, ()))
            picked = min(rules.opening_bookmark_picks, aside)
            if len(hand(t, seat)) != rules.opening_hand + picked or len(bookmark(t, seat)) != aside - picked:
                return False
    return True


def a_view_holds_what_the_matrix_allows(rules: Rules, match: Match) -> bool:
    """Of hands and bookmarks only to their player and living friends, of grimoires to nobody, whatever happened."""
    return all(_may_see(rules, t, viewer, seen) for t, viewer, seen in match.seen(VIEWS))


def _may_see(rules: Rules, t: Table, viewer: Seat, seen: SeenPlace) -> bool:
    """Does a viewer know as many faces of a place as its area allows?"""
    owner, area = whose(seen.place), zone(seen.place)
    known = sum(card.face is not None for card in seen.cards)
    there = t.places.get(seen.place, ())
    if area == S.GRIMOIRE:
        return known == 0
    if area == S.REMOVED:
        return known <= sum(bool({viewer, EVERYONE} & set(t.pieces[card].seen)) for card in there)
    if owner is not None and area in (S.HAND, S.BOOKMARK):
        alive, sides = living(t), rules.teams_by_seat
        friendly = viewer == owner or (viewer in sides and sides.get(owner) == sides[viewer])
        return known == (len(there) if friendly and viewer in alive and owner in alive else 0)
    return known == len(there)


def one_trance_goes_before_each_main_phase(rules: Rules, match: Match) -> bool:
    """Never two of them in a turn."""
    choices = Counter(deed.before.clock.turn for deed in match.deeds if isinstance(deed.action, TranceChoice))
    reached = {deed.before.clock.turn for deed in match.deeds if deed.before.clock.phase == S.MAIN}
    return set(choices.values()) <= {1} and reached <= set(choices)


def grimoires_run_out(rules: Rules, match: Match) -> bool:
    """Each shrinks in its player's turns, unless cards refill it; so a player's own turns are few."""
    decks = (*match.opened.decks.values(), *match.opened.sides.values())
    faces = {face for deck in decks for face in deck or ()}
    if faces & refilling(rules):
        return True
    left: dict[Seat, int] = {}
    own: Counter[Seat] = Counter()
    for deed in match.deeds:
        clock = deed.before.clock
        if (clock.phase, clock.step) != (S.TRANCE, S.TRANCE_CHOICE) or not isinstance(deed.action, TranceChoice):
            continue
        before, left[deed.actor] = left.get(deed.actor), len(grimoire(deed.before, deed.actor))
        if before is not None and left[deed.actor] >= before and left[deed.actor]:
            return False
        own[deed.actor] += 1
    if rules.od_guard != "off" or faces & protecting(rules):
        return True
    return max(own.values(), default=0) <= OWN_TURNS + (not rules.first_turn_draw)
