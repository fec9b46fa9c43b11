"""Invariants of the table at every decision."""

from collections import Counter
from functools import cache
from typing import Final

from domain.games.grimoire import schema as S, table_queries as R
from domain.games.grimoire.cards import card
from domain.games.grimoire.invariants.printed import find_faces
from domain.games.grimoire.offers import offers
from domain.games.grimoire.resolution import awaited
from domain.games.grimoire.rules import Rules
from domain.law.actions import Concede, Pass
from domain.parts.places import place_in
from domain.table.table import CHANCE, CardId, Obj, Place, Seat, Table, is_same_object, seat_of, zone

COLOURS: Final = "ROYGBIV"
OWN_AREAS: Final = ("personal", "hand", "grimoire", "bookmark", "junkyard", "opening_reveal")
SHARED_AREAS: Final = ("field", "void", "removed")
SEAT_MARKS: Final = {"mana", "capacity", "od", "draw_failed", "out", *(f"chroma.{colour}" for colour in COLOURS)}
TOUGHER: Final = "S42"
WEAKER: Final = "S53"
HARDENING: Final = "C05"
"""Cards that change toughness."""
UNREACHED_LOOP_GUARD: Final = 1000
"""Lowest loop guard that the sample cards never reach."""


def is_running(t: Table) -> bool:
    """True if the match is neither over nor held for a judge."""
    return t.result is None and not t.marks.get(S.HELD)


def every_card_lies_once(rules: Rules, t: Table) -> bool:
    """No card is lost or doubled, and every place belongs to the game."""
    placed = {card for row in t.places.values() for card in row}
    is_unique = sum(map(len, t.places.values())) == len(placed)
    seats = tuple(t.seats)
    return is_unique and placed == t.pieces.keys() and all(is_place(seats, place) for place in t.places)


@cache
def is_place(seats: tuple[Seat, ...], place: Place) -> bool:
    seat, area = seat_of(place), zone(place)
    return area in SHARED_AREAS if seat is None else seat in seats and area in OWN_AREAS


def an_owner_has_as_many_cards_as_a_deck(rules: Rules, t: Table) -> bool:
    """A player owns as many cards as a deck has. The number per zone may change."""
    owned = Counter([piece.owner for piece in t.pieces.values()])
    least = 1 + rules.grimoire_min + rules.bookmark_min
    most = 1 + rules.grimoire_max + rules.bookmark_max
    return all(least <= owned[seat] <= most for seat in t.seats)


def characters_stay_in_personal_zones(rules: Rules, t: Table) -> bool:
    """Character cards are in personal zones or out of the game. Spell cards are never in personal zones."""
    for piece in t.pieces.values():
        area = zone(piece.place)
        if card(rules.cards, piece.face).type == "character":
            if area not in (S.PERSONAL, S.REMOVED) or piece.controller != piece.owner:
                return False
        elif area == S.PERSONAL:
            return False
    return True


def the_lost_leave_nothing(rules: Rules, t: Table) -> bool:
    """A living player has one character. Until the match ends, a player who is out has no cards or frames."""
    for seat in t.seats:
        personal_zone = t.places.get(place_in(seat, S.PERSONAL), ())
        if not R.is_out(t, seat):
            if len(personal_zone) != 1 or t.pieces[personal_zone[0]].owner != seat:
                return False
        elif t.result is None:
            rows = (
                personal_zone,
                R.hand(t, seat),
                R.grimoire(t, seat),
                R.bookmark(t, seat),
                R.junkyard(t, seat),
                R.revealed(t, seat),
            )
            controls = any(t.pieces[spell].controller == seat for spell in R.spells(t))
            in_void = any(piece.place == S.VOID for piece in t.pieces.values() if piece.owner == seat)
            if any(rows) or controls or in_void or _has_open_frame(t, seat) or seat in t.clock.awaited:
                return False
    return True


def _has_open_frame(t: Table, seat: Seat) -> bool:
    frames = (*t.stack, *t.running, *t.asked, *t.waiting)
    return any("return" not in frame.words for frame in frames if frame.by == seat)


def numbers_are_never_negative(rules: Rules, t: Table) -> bool:
    """Mana, capacity, od, chroma and damage are at least 0, and a seat has no other marks."""
    are_seats_valid = all(
        set(marks) <= SEAT_MARKS and min(marks.values(), default=0) >= 0 for marks in t.seats.values()
    )
    return are_seats_valid and all(min(piece.marks.values()) >= 0 for piece in t.pieces.values() if piece.marks)


def what_is_played_waits(rules: Rules, t: Table) -> bool:
    """A spell is played if and only if it is on the stack, once, with a target other than itself."""
    waiting = Counter(map(R.source_of, t.stack))
    played = {Obj(spell, t.pieces[spell].thing) for spell in R.spells(t) if t.pieces[spell].stance == S.PLAYED}
    are_targets_valid = all(
        len(f.objs) == 2 and R.aim_of(f).card in t.pieces and R.aim_of(f) != R.source_of(f) for f in t.stack
    )
    characters = R.characters(t)
    turned_cards = [card for card, piece in t.pieces.items() if piece.stance and piece.place != S.FIELD]
    are_turned_valid = all(t.pieces[card].stance < S.PLAYED and card in characters for card in turned_cards)
    return set(waiting) == played and set(waiting.values()) <= {1} and are_targets_valid and are_turned_valid


def the_stack_is_of_the_main_phase(rules: Rules, t: Table) -> bool:
    """Outside the main phase the stack is empty."""
    return t.clock.phase == S.MAIN or not t.stack


def toughness(rules: Rules, t: Table, card_id: CardId) -> int:
    """Return the toughness, recomputed from the cards that change it."""
    piece = t.pieces[card_id]
    value = card(rules.cards, piece.face).toughness
    for effect in t.effects:
        if effect.kind == "buff" and Obj(card_id, piece.thing) in effect.on:
            value += {TOUGHER: 1, WEAKER: -2}.get(effect.face, 0)
    character = R.character(t, piece.controller)
    is_colourless = piece.place == S.FIELD and not card(rules.cards, piece.face).colours
    return value + (is_colourless and character is not None and t.pieces[character].face == HARDENING)


def nothing_dead_is_left(rules: Rules, t: Table) -> bool:
    """With no question open there is no unprotected lethal damage, no failed draw and no queued effect."""
    if not is_running(t) or t.asked or t.clock.phase == S.SET_UP:
        return True
    if t.waiting or t.running or any(marks.get(S.DRAW_FAILED) for marks in t.seats.values()):
        return False
    protected = find_faces(rules, mod="cannot", verb="be_broken") | find_faces(rules, mod="cannot", verb="be_beaten")
    for card_id in R.objects(t):
        obj = Obj(card_id, t.pieces[card_id].thing)
        if any(e.kind == "buff" and e.face in protected and obj in e.on for e in t.effects):
            continue
        current_toughness = toughness(rules, t, card_id)
        if current_toughness <= 0 or R.damage(t, card_id) >= current_toughness + (rules.lethal == "exceeding"):
            return False
    return True


def priority_is_held_by_one(rules: Rules, t: Table) -> bool:
    """One living player has priority in the main phase, unless a spell resolves. At least one player has not passed."""
    clock, alive = t.clock, R.living(t)
    if not is_running(t):
        return True
    if (clock.phase, clock.step) in ((S.MAIN, S.PRIORITY), (S.TRANCE, S.TRANCE_CHOICE)):
        is_valid = len(clock.awaited) == 1 and clock.awaited[0] in alive
    else:
        is_valid = clock.awaited == ()
    passed = set(clock.passed)
    return is_valid and passed <= set(alive) and len(passed) == len(clock.passed) < len(alive)


def one_decides_and_the_others_can_only_concede(rules: Rules, t: Table) -> bool:
    """One seat or chance decides. A seat with priority can always pass, and every living player can concede."""
    deciding = awaited(t)
    if not is_running(t):
        return deciding == ()
    if len(deciding) != 1 or deciding[0] not in (CHANCE, *R.living(t)):
        return False
    for seat in t.seats:
        offered = {template.action for template in offers(rules, t, seat)}
        if R.is_out(t, seat):
            fits = not offered
        elif seat not in deciding:
            fits = offered == {Concede}
        else:
            has_priority = not t.asked and t.clock.phase == S.MAIN
            fits = Concede in offered and len(offered) > 1 and (not has_priority or Pass in offered)
        if not fits:
            return False
    return True


def what_comes_back_is_in_the_void(rules: Rules, t: Table) -> bool:
    """A card that an effect will return is in the void, as long as it is the same thing."""
    voids = (effect for effect in t.effects if effect.kind == S.VOID and effect.until != S.FOREVER)
    return all(not is_same_object(t, effect.on[0]) or t.pieces[effect.on[0].card].place == S.VOID for effect in voids)


def timestamps_are_unique(rules: Rules, t: Table) -> bool:
    """Timestamps of objects, effects and open frames are unique."""
    things = [piece.thing for piece in t.pieces.values()]
    effects = [effect.id for effect in t.effects]
    frames = [frame.id for frame in (*t.stack, *t.running, *t.waiting, *t.asked)]
    rows = ((things, t.minted), (effects, t.begun), (frames, t.framed))
    return all(not row or (len(set(row)) == len(row) and max(row) <= most) for row, most in rows)


def no_turn_goes_on_for_ever(rules: Rules, t: Table) -> bool:
    """At the default of `lethal`, the sample cards never reach the loop guard."""
    is_usual = rules.lethal != "exceeding" and rules.loop_guard >= UNREACHED_LOOP_GUARD
    return t.marks.get(S.ACTIONS, 0) <= rules.loop_guard + 1 and not (is_usual and t.marks.get(S.HELD))


def the_newest_control_decides(rules: Rules, t: Table) -> bool:
    """The newest control effect decides who controls a spell, and without one the base controller."""
    if t.result is not None:
        return True
    for spell in R.spells(t):
        changes = [
            e for e in t.effects if e.kind == "control" and any(o.card == spell and is_same_object(t, o) for o in e.on)
        ]
        expected = (
            R.controller_of_effect(max(changes, key=lambda effect: effect.id))
            if changes
            else R.base_controller(t, spell)
        )
        if t.pieces[spell].controller != expected:
            return False
    return True
