"""The dossier's invariants that hold of a table whenever somebody is to decide, each by its number."""

from collections import Counter

from domain.games.grimoire import GAME
from domain.games.grimoire import invariants as INV
from domain.games.grimoire.actions import Concede, Pass
from domain.games.grimoire.reading import (
    base_controller,
    bookmark,
    grimoire,
    hand,
    is_out,
    junkyard,
    living,
    revealed,
    spells,
)
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    ACTIONS,
    HELD,
    MAIN,
    PERSONAL,
    VOID,
)
from domain.law.game import decks_of
from domain.table.table import CHANCE, AnyTable, same
from tests.laws.samples import Sample

COLOURS = "ROYGBIV"
OWN = ("personal", "hand", "grimoire", "bookmark", "junkyard", "opening_reveal")
SHARED = ("field", "void", "removed")


def open_still(t: AnyTable) -> bool:
    """Does the match go on without waiting for a judge?"""
    return t.result is None and not t.marks.get(HELD)


def invariant_01_no_card_is_lost_or_doubled_or_changed(one: Sample, t: AnyTable) -> None:
    """Every registered card lies in exactly one place, and is what it was registered as."""
    lying = Counter(card for row in t.places.values() for card in row)
    assert set(lying) == set(t.pieces) and set(lying.values()) <= {1}, "a card is lost or lies twice"
    for place in t.places:
        seat, dot, area = place.partition(".")
        assert (seat in t.seats and area in OWN) if dot else seat in SHARED, f"there is no {place}"
    registered = {seat: Counter(deck.faces) for seat, deck in decks_of(one.opened).items()}
    there = {seat: Counter(p.face for p in t.pieces.values() if p.owner == seat) for seat in registered}
    assert there == registered, "the cards of an owner are not those registered"


def invariant_02_an_owner_has_as_many_cards_as_a_deck_holds(one: Sample, t: AnyTable) -> None:
    """Over all zones; over a player's own zones the number may change."""
    rules: Rules = one.rules
    owned = Counter(piece.owner for piece in t.pieces.values())
    for seat in t.seats:
        many = owned[seat]
        assert 1 + rules.grimoire_min <= many - rules.bookmark_min, f"{seat} owns {many} cards"
        assert many <= 1 + rules.grimoire_max + rules.bookmark_max, f"{seat} owns {many} cards"


def invariant_03_characters_are_in_personal_zones_spells_elsewhere(one: Sample, t: AnyTable) -> None:
    """A character card is in a personal zone or out of the game, a spell card anywhere but in a personal zone."""
    assert INV.characters_stay_in_personal_zones(one.rules, t)


def invariant_04_the_living_have_one_character_and_the_lost_nothing(one: Sample, t: AnyTable) -> None:
    """While the match goes on nothing of a player who is out is left but what others control or took to their zones."""
    for seat in t.seats:
        mine = t.places.get(_own(seat, PERSONAL), ())
        if not is_out(t, seat):
            assert len(mine) == 1 and t.pieces[mine[0]].owner == seat, f"{seat} lives without one character"
        elif t.result is None:
            rows = (mine, hand(t, seat), grimoire(t, seat), bookmark(t, seat), junkyard(t, seat), revealed(t, seat))
            assert not any(rows), f"cards are left in the zones of {seat}, who is out"
            assert not any(t.pieces[one].controller == seat for one in spells(t)), f"{seat} is out and controls a spell"
            assert not any(piece.place == VOID for piece in t.pieces.values() if piece.owner == seat)
            frames = [frame for frame in (*t.stack, *t.running, *t.asked, *t.waiting) if frame.by == seat]
            assert {frame.words[:1] for frame in frames} <= {("return",)}, f"something of {seat} is left open"
            assert seat not in t.clock.awaited, f"{seat} is out and awaited"


def _own(seat: str, area: str) -> object:
    return f"{seat}.{area}"


def invariant_05_numbers_are_never_negative(one: Sample, t: AnyTable) -> None:
    """Mana, capacity, od, chroma of the seven colours, damage; none of it is kept under another name."""
    assert INV.numbers_are_never_negative(one.rules, t)


def invariant_07_status_stack_and_target_agree(one: Sample, t: AnyTable) -> None:
    """A spell is played exactly if it waits on the stack with a target, and waits there once."""
    assert INV.what_is_played_waits(one.rules, t)


def invariant_08_the_stack_is_of_the_main_phase(one: Sample, t: AnyTable) -> None:
    """Outside the main phase nothing waits on it."""
    assert INV.the_stack_is_of_the_main_phase(one.rules, t)


def invariant_09_nothing_dead_or_unfinished_is_left_by_a_check(one: Sample, t: AnyTable) -> None:
    """With no question open: no lethal damage but what a card protects, no failed draw, no effect in line."""
    assert INV.nothing_dead_is_left(one.rules, t)


def invariant_10_priority_is_held_by_one_living_player(one: Sample, t: AnyTable) -> None:
    """In the main phase, unless something resolves; the others may have passed, never all of them."""
    assert INV.priority_is_held_by_one(one.rules, t)


def invariant_11_one_decides_and_the_others_can_only_concede(one: Sample, t: AnyTable) -> None:
    """Nobody while chance is asked; who has priority can always pass, and everybody living always concede."""
    if not open_still(t):
        assert GAME.awaited(t) == ()
        return
    deciding = GAME.awaited(t)
    assert len(deciding) == 1 and (deciding[0] == CHANCE or deciding[0] in living(t)), f"{deciding} decide"
    for seat in t.seats:
        verbs = {template.action for template in GAME.offers(one.rules, t, seat)}
        if is_out(t, seat):
            assert not verbs, f"{seat} is out and can {verbs}"
        elif seat not in deciding:
            assert verbs == {Concede}, f"{seat} decides nothing and can {verbs}"
        else:
            assert Concede in verbs and len(verbs) > 1, f"{seat} decides and can {verbs}"
            if not t.asked and t.clock.phase == MAIN:
                assert Pass in verbs


def invariant_19_no_two_objects_share_a_timestamp(one: Sample, t: AnyTable) -> None:
    """Nor do effects or open frames."""
    assert INV.timestamps_are_unique(one.rules, t)


def invariant_25_no_turn_goes_on_for_ever(one: Sample, t: AnyTable) -> None:
    """With lethal damage at its default the sample cards never make a judge necessary."""
    rules: Rules = one.rules
    assert t.marks.get(ACTIONS, 0) <= rules.loop_guard + 1
    if rules.lethal == "at_least" and rules.loop_guard >= 1000:
        assert not t.marks.get(HELD), "the match is held"


def invariant_28_the_newest_control_in_force_decides(one: Sample, t: AnyTable) -> None:
    """Without one the base controller controls a spell. Only what lies in the void is remembered there."""
    if t.result is not None:
        return
    for spell in spells(t):
        own = [effect for effect in t.effects if effect.kind == "control" and any(o.card == spell for o in effect.on)]
        changes = [effect for effect in own if any(same(t, o) for o in effect.on)]
        expected = max(changes, key=lambda effect: effect.id).seats[0] if changes else base_controller(t, spell)
        assert t.pieces[spell].controller == expected, f"{t.pieces[spell].face} is not controlled by {expected}"
    for effect in t.effects:
        if effect.kind == "void" and effect.until != "forever":
            assert not same(t, effect.on[0]) or t.pieces[effect.on[0].card].place == VOID


CLOCK = (
    invariant_08_the_stack_is_of_the_main_phase,
    invariant_10_priority_is_held_by_one_living_player,
    invariant_11_one_decides_and_the_others_can_only_concede,
    invariant_25_no_turn_goes_on_for_ever,
)
"""Whoever passes changes nothing else."""
TABLES = (
    *CLOCK,
    invariant_01_no_card_is_lost_or_doubled_or_changed,
    invariant_02_an_owner_has_as_many_cards_as_a_deck_holds,
    invariant_03_characters_are_in_personal_zones_spells_elsewhere,
    invariant_04_the_living_have_one_character_and_the_lost_nothing,
    invariant_05_numbers_are_never_negative,
    invariant_07_status_stack_and_target_agree,
    invariant_09_nothing_dead_or_unfinished_is_left_by_a_check,
    invariant_19_no_two_objects_share_a_timestamp,
    invariant_28_the_newest_control_in_force_decides,
)
