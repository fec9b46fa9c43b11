"""The dossier's 28 invariants over whole matches; one walk holds a match against all of them.

Those of single tables and single facts stand in files of their own. What is a law of every game is pointed to.
"""

from collections import Counter
from collections.abc import Sequence

from domain.games.grimoire import actions as A
from domain.games.grimoire.cards import card
from domain.games.grimoire.reading import character, chroma, grimoire, has, living, spells
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    EXTENDED,
    GRIMOIRE,
    MAIN,
    MANA,
    PLAYED,
    REMOVED,
    TRANCE,
    TRANCE_CHOICE,
)
from domain.law.entries import Played, told
from domain.law.slots import verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import Arranged, Clocked, Marked, Moved, Rolled
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, view
from domain.table.table import CHANCE, EVERYONE, AnyTable, Obj, Seat, blank
from tests.laws.samples import Moment, Sample
from tests.rules.grimoire.invariants_of_facts import BY_TYPE, FACTS
from tests.rules.grimoire.invariants_of_tables import CLOCK, COLOURS, TABLES

ELSEWHERE = {
    12: ("tests.laws.test_offers", "test_what_is_offered_is_what_is_accepted"),
    21: ("tests.laws.test_replay", "test_"),
    22: ("tests.laws.test_leaks", "test_"),
    23: ("tests.laws.test_replay", "test_"),
    27: ("tests.laws.test_leaks", "test_"),
}
"""Invariants that are laws of every game, and where those are tested."""
QUICK = ("S38", "S59")
REFILLING = ("S54", "S65")
"""Cards that put cards into a grimoire."""
PROTECTING = ("S45",)
OWN_TURNS = 36
FACTS_MOST = 1_000
"""The largest entry of a match stays below this."""
VIEWS = 6
"""How many tables of a match are looked at through every viewer's eyes."""


# -- actions ----------------------------------------------------------------------------------------------------------


def price(t: AnyTable, seat: Seat, face: str) -> int:
    """What a cast takes, recomputed: an Index Stone makes the spells of one's own character's user cheaper."""
    mine = character(t, seat)
    assert mine is not None
    words = card(face)
    stones = 0
    for one in spells(t):
        piece = t.pieces[one]
        silent = any(e.face == "S36" and Obj(one, piece.thing) in e.on for e in t.effects if e.kind == "buff")
        stones += piece.face == "S34" and piece.controller == seat and not silent
    return max(0, words.cost - (stones if words.user == card(t.pieces[mine].face).user else 0))


def invariant_13_casts_are_by_the_turn_player_who_can_pay(one: Sample, at: Moment) -> None:
    """Unless a permission is on the card; chroma suffices in every colour, mana for the cost."""
    if not isinstance(at.action, A.Cast):
        return
    rules: Rules = one.rules
    face = at.before.pieces[at.action.card].face or ""
    assert at.actor == at.before.clock.active or face in QUICK, f"{at.actor} cast {face} in another's turn"
    wanted = card(face).chroma
    held = {colour: chroma(at.before, at.actor, colour) for colour in COLOURS}
    due, mana = price(at.before, at.actor, face), has(at.before, at.actor, MANA)
    if rules.cast_inequality == "sufficient":
        assert all(held[colour] >= degree for colour, degree in wanted.items()) and mana >= due
    else:
        assert all(dict(wanted).get(colour, 0) >= held[colour] for colour in COLOURS) and mana <= due  # type: ignore[call-overload]


def invariant_14_a_cast_takes_exactly_its_cost_and_no_chroma(one: Sample, at: Moment) -> None:
    """From mana, before the spell enters; what casting leads to leaves chroma alone."""
    if not isinstance(at.action, A.Cast):
        return
    mana = before = has(at.before, at.actor, MANA)
    for _, fact in at.entry.told:
        if isinstance(fact, Marked) and (fact.on, fact.name) == (at.actor, MANA):
            mana = fact.to
        if isinstance(fact, Moved) and at.action.card in fact.cards:
            break
    face = at.before.pieces[at.action.card].face or ""
    assert mana == max(0, before - price(at.before, at.actor, face)), f"{face} took {before - mana} mana"
    assert not [f for _, f in at.entry.told if isinstance(f, Marked) and f.name.startswith("chroma.")]


def invariant_21_chance_decides_two_things(one: Sample, at: Moment) -> None:
    """The order of a grimoire and who begins: nothing else is drawn, and by nobody else."""
    drawn = [fact for _, fact in at.entry.told if isinstance(fact, Arranged | Rolled)]
    assert bool(drawn) == (at.actor == CHANCE)
    assert at.actor != CHANCE or verb(at.action) in ("shuffle_grimoire", "random_first_player")


def invariant_24_an_action_leads_to_few_facts(one: Sample, at: Moment) -> None:
    """Checks end, far from every bound."""
    assert len(at.entry.told) < FACTS_MOST


def invariant_25_a_play_uses_an_extended_spell_up(one: Sample, at: Moment) -> None:
    """It waits afterwards, unless what the play triggered took it away."""
    if isinstance(at.action, A.Play):
        was, now = at.before.pieces[at.action.spell], at.after.pieces[at.action.spell]
        assert was.stance == EXTENDED and (now.stance == PLAYED or now.thing != was.thing or at.after.result)


ACTIONS = (
    invariant_13_casts_are_by_the_turn_player_who_can_pay,
    invariant_14_a_cast_takes_exactly_its_cost_and_no_chroma,
    invariant_21_chance_decides_two_things,
    invariant_24_an_action_leads_to_few_facts,
    invariant_25_a_play_uses_an_extended_spell_up,
)


# -- matches ----------------------------------------------------------------------------------------------------------


def invariant_22_a_view_holds_what_the_matrix_allows(one: Sample, moments: Sequence[Moment]) -> None:
    """Of hands and bookmarks only to their player and living friends, of grimoires to nobody, whatever happened."""
    rules: Rules = one.rules
    physics = Physics(one.opened.schema)
    step = max(1, len(moments) // VIEWS)
    for at in moments[step - 1 :: step]:
        t = at.after
        alive = living(t)
        for viewer in (*t.seats, SPECTATOR):
            sides = rules.teams_by_seat
            friendly = {s for s in alive if s == viewer or (viewer in sides and sides.get(s) == sides[viewer])}
            for place in view(physics, t, viewer).places:
                seat, dot, area = place.place.rpartition(".")
                known = sum(seen.face is not None for seen in place.cards)
                there = t.places.get(place.place, ())
                if area == GRIMOIRE:
                    assert not known, f"{viewer} sees into {place.place}"
                elif area == REMOVED:
                    shown = [one for one in there if {viewer, EVERYONE} & set(t.pieces[one].seen)]
                    assert known <= len(shown), f"{viewer} knows cards that are out of the game"
                elif dot and area in ("hand", "bookmark"):
                    ours = viewer in alive and seat in friendly
                    assert known == (len(there) if ours else 0), f"{viewer} sees {known} cards of {place.place}"
                else:
                    assert known == len(there), f"{viewer} does not see {place.place}"


def invariant_26_one_trance_a_turn_and_grimoires_run_out(one: Sample, moments: Sequence[Moment]) -> None:
    """Each grimoire shrinks in its player's turns, unless cards refill it; so a player's own turns are few."""
    rules: Rules = one.rules
    choices = Counter(at.before.clock.turn for at in moments if isinstance(at.action, A.TranceChoice))
    assert set(choices.values()) <= {1}, "two trances in one turn"
    reached = {at.before.clock.turn for at in moments if at.before.clock.phase == MAIN}
    assert reached <= set(choices), "a main phase without a trance before it"
    faces = {face for deck in (*one.opened.decks.values(), *one.opened.sides.values()) for face in deck or ()}
    if faces.intersection(REFILLING):
        return
    sizes: dict[Seat, int] = {}
    own: Counter[Seat] = Counter()
    for at in moments:
        clock = at.before.clock
        if (clock.phase, clock.step) == (TRANCE, TRANCE_CHOICE) and isinstance(at.action, A.TranceChoice):
            left = len(grimoire(at.before, at.actor))
            assert left < sizes.get(at.actor, 99) or left == 0, f"{at.actor} did not draw"
            sizes[at.actor] = left
            own[at.actor] += 1
    if rules.od_guard == "off" and not faces.intersection(PROTECTING):
        assert max(own.values(), default=0) <= OWN_TURNS + (not rules.first_turn_draw)


MATCHES = (
    invariant_22_a_view_holds_what_the_matrix_allows,
    invariant_26_one_trance_a_turn_and_grimoires_run_out,
)

EVERY = (*TABLES, *FACTS, *ACTIONS, *MATCHES)
NAMES = tuple(function.__name__ for function in EVERY)


class Broken(AssertionError):
    """An invariant does not hold: which, at which entry, and what was found."""


def hold(one: Sample) -> int:
    """Hold a match against every invariant; how many entries it has. Raises Broken."""
    draft = Draft(blank(one.opened.seats))
    before = draft.freeze()
    decoder = one.game.decoder()
    moments: list[Moment] = []
    name, number = "", 0
    try:
        for number, entry in enumerate(one.entries, start=1):
            stirred = False
            for clause, fact in told(entry):
                stirred = stirred or not (isinstance(fact, Clocked) or (isinstance(fact, Marked) and fact.on is None))
                for of_fact in BY_TYPE[type(fact)]:
                    name = of_fact.__name__
                    of_fact(one, draft, clause, fact)
                EVOLVE[type(fact)](draft, fact)
            after = draft.freeze()
            for of_table in TABLES if stirred else CLOCK:
                name = of_table.__name__
                of_table(one, after)
            if isinstance(entry, Played):
                at = Moment(number, entry.actor, decoder.decode(entry.action), entry, before, after)
                for of_action in ACTIONS:
                    name = of_action.__name__
                    of_action(one, at)
                moments.append(at)
            before, draft = after, Draft(after)
        for of_match in MATCHES:
            name = of_match.__name__
            of_match(one, moments)
    except AssertionError as error:
        raise Broken(f"entry {number}: {name}: {error}") from error
    return number
