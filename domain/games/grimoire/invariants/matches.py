"""Invariants of actions, and of a whole match in retrospect."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from domain.games.grimoire import schema as S
from domain.games.grimoire.actions import Cast, Play, TranceChoice
from domain.games.grimoire.cards import card
from domain.games.grimoire.invariants.printed import find_faces
from domain.games.grimoire.invariants.tables import COLOURS
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED, MANA, PLAYED
from domain.games.grimoire.table_queries import bookmark, character, chroma, grimoire, hand, living, seat_mark, spells
from domain.law.invariants import Match, PlayedAction
from domain.law.slots import verb
from domain.table import facts as F
from domain.table.facts import Clocked
from domain.table.redact import SeenPlace
from domain.table.table import CHANCE, EVERYONE, Obj, Seat, Table, seat_of, zone

INDEX_STONE: Final = "S34"
ERRATA: Final = "S36"
FACTS_MAX: Final = 1_000
"""Limit of facts per action. No action of the sample matches reaches it."""


def price(rules: Rules, deed: PlayedAction, face: str) -> int:
    """Return the recomputed cost of a cast. Each stone lowers the cost of spells of the character's user by 1."""
    t = deed.before
    printed, own_character = card(rules.cards, face), character(t, deed.actor)
    stones = 0
    for spell in spells(t):
        piece = t.pieces[spell]
        has_lost_abilities = any(
            e.face == ERRATA and Obj(spell, piece.thing) in e.on for e in t.effects if e.kind == "buff"
        )
        stones += piece.face == INDEX_STONE and piece.controller == deed.actor and not has_lost_abilities
    same_user = own_character is not None and printed.user == card(rules.cards, t.pieces[own_character].face).user
    return max(0, printed.cost - (stones if same_user else 0))


def only_the_turn_player_casts(rules: Rules, deed: PlayedAction[Cast]) -> bool:
    """Only the turn player casts, except cards with quick cast."""
    keywords = card(rules.cards, deed.before.pieces[deed.action.card].face).keywords
    return deed.actor == deed.before.clock.active or "quick_cast" in keywords


def who_casts_can_pay(rules: Rules, deed: PlayedAction[Cast]) -> bool:
    """Chroma and mana suffice, or with the literal reading neither exceeds the cost."""
    face = deed.before.pieces[deed.action.card].face or ""
    required: Mapping[str, int] = {str(colour): degree for colour, degree in card(rules.cards, face).chroma.items()}
    available = {colour: chroma(deed.before, deed.actor, colour) for colour in COLOURS}
    cost, mana = price(rules, deed, face), seat_mark(deed.before, deed.actor, MANA)
    if rules.cast_inequality == "sufficient":
        return mana >= cost and all(available[colour] >= degree for colour, degree in required.items())
    return mana <= cost and all(available[colour] <= required.get(colour, 0) for colour in COLOURS)


def a_cast_takes_its_cost(rules: Rules, deed: PlayedAction[Cast]) -> bool:
    """A cast takes exactly its cost from mana before the spell enters."""
    face = deed.before.pieces[deed.action.card].face or ""
    mana = before = seat_mark(deed.before, deed.actor, MANA)
    for _, fact in deed.told:
        if isinstance(fact, F.Marked) and (fact.on, fact.name) == (deed.actor, MANA):
            mana = fact.to
        if isinstance(fact, F.Moved) and deed.action.card in fact.cards:
            break
    return mana == max(0, before - price(rules, deed, face))


def casting_leaves_chroma_alone(rules: Rules, deed: PlayedAction[Cast]) -> bool:
    """Neither a cast nor its consequences change chroma."""
    return not any(isinstance(fact, F.Marked) and fact.name.startswith("chroma.") for _, fact in deed.told)


def a_play_uses_an_extended_spell(rules: Rules, deed: PlayedAction[Play]) -> bool:
    """A play uses an extended spell. It then waits on the stack, unless a trigger of the play removed it."""
    old, new = deed.before.pieces[deed.action.spell], deed.after.pieces[deed.action.spell]
    ended = deed.after.result is not None
    return old.stance == EXTENDED and (new.stance == PLAYED or new.thing != old.thing or ended)


def chance_decides_two_things(rules: Rules, deed: PlayedAction) -> bool:
    """Chance decides only the order of a grimoire and the first player, and no other actor decides them."""
    by_chance = deed.actor == CHANCE
    drawn = any(isinstance(fact, (F.Arranged, F.Rolled)) for _, fact in deed.told)
    named = verb(deed.action) in ("shuffle_grimoire", "random_first_player")
    return drawn == named == by_chance


def an_action_leads_to_few_facts(rules: Rules, deed: PlayedAction) -> bool:
    """An action leads to a bounded number of facts, since checks end."""
    return len(deed.told) < FACTS_MAX


OWN_TURNS_MAX: Final = 36
VIEWS: Final = 6
"""Tables per match that are viewed as every viewer."""


def refilling_faces(rules: Rules) -> frozenset[str]:
    return find_faces(rules, do="move", to="grimoire")


def protecting_faces(rules: Rules) -> frozenset[str]:
    return find_faces(rules, mod="cannot", verb="be_beaten")


def opening_hands_are_as_set(rules: Rules, match: Match) -> bool:
    """Opening hands have the size of the rules, plus one card from a bookmark that is not empty."""
    for _, fact, t in match.facts():
        if t.clock.turn:
            break
        if not isinstance(fact, Clocked) or fact.clock.turn != 1:
            continue
        for seat in living(t):
            bookmark_size = len(match.opening.sides.get(seat, ()))
            picked = min(rules.opening_bookmark_picks, bookmark_size)
            if len(hand(t, seat)) != rules.opening_hand + picked or len(bookmark(t, seat)) != bookmark_size - picked:
                return False
    return True


def a_view_holds_what_the_matrix_allows(rules: Rules, match: Match) -> bool:
    """Hands and bookmarks are visible only to their player and living friends, grimoires to no one."""
    return all(_knows_allowed_faces(rules, t, viewer, seen) for t, viewer, seen in match.sample_views(VIEWS))


def _knows_allowed_faces(rules: Rules, t: Table, viewer: Seat, seen: SeenPlace) -> bool:
    """True if a viewer knows exactly the faces that the area allows."""
    owner, area = seat_of(seen.place), zone(seen.place)
    known = sum(card.face is not None for card in seen.cards)
    cards = t.places.get(seen.place, ())
    if area == S.GRIMOIRE:
        return known == 0
    if area == S.REMOVED:
        return known <= sum(bool({viewer, EVERYONE} & set(t.pieces[card].seen)) for card in cards)
    if owner is not None and area in (S.HAND, S.BOOKMARK):
        alive, sides = living(t), rules.teams_by_seat
        friendly = viewer == owner or (viewer in sides and sides.get(owner) == sides[viewer])
        return known == (len(cards) if friendly and viewer in alive and owner in alive else 0)
    return known == len(cards)


def one_trance_goes_before_each_main_phase(rules: Rules, match: Match) -> bool:
    """Each main phase follows one trance choice, and no turn has two."""
    choices = Counter(deed.before.clock.turn for deed in match.deeds if isinstance(deed.action, TranceChoice))
    reached = {deed.before.clock.turn for deed in match.deeds if deed.before.clock.phase == S.MAIN}
    return set(choices.values()) <= {1} and reached <= set(choices)


def grimoires_run_out(rules: Rules, match: Match) -> bool:
    """A grimoire shrinks in its player's turns unless cards refill it, so those turns are few."""
    decks = (*match.opening.decks.values(), *match.opening.sides.values())
    faces = {face for deck in decks for face in deck or ()}
    if faces & refilling_faces(rules):
        return True
    sizes: dict[Seat, int] = {}
    turns: Counter[Seat] = Counter()
    for deed in match.deeds:
        clock = deed.before.clock
        if (clock.phase, clock.step) != (S.TRANCE, S.TRANCE_CHOICE) or not isinstance(deed.action, TranceChoice):
            continue
        before, sizes[deed.actor] = sizes.get(deed.actor), len(grimoire(deed.before, deed.actor))
        if before is not None and sizes[deed.actor] >= before and sizes[deed.actor]:
            return False
        turns[deed.actor] += 1
    if rules.od_guard != "off" or faces & protecting_faces(rules):
        return True
    return max(turns.values(), default=0) <= OWN_TURNS_MAX + (not rules.first_turn_draw)
