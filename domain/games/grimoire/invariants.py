"""What holds in every match of Grimoire, by the numbers of the dossier: recomputed, never asked of the law."""

from collections import Counter

from domain.games.grimoire import clauses as C
from domain.games.grimoire.actions import Cast, Play
from domain.games.grimoire.cards import card
from domain.games.grimoire.reading import (
    base_controller,
    bookmark,
    character,
    characters,
    damage,
    grimoire,
    hand,
    has,
    is_out,
    junkyard,
    living,
    objects,
    revealed,
    spells,
)
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import (
    DRAW_FAILED,
    EXTENDED,
    FIELD,
    HELD,
    INITIALIZE,
    MAIN,
    MANA,
    OD,
    OUT,
    PERSONAL,
    PLAYED,
    PRIORITY,
    REMOVED,
    SET_UP,
    START,
    THIS_TURN,
    TRANCE,
    TRANCE_CHOICE,
)
from domain.law.clause import Clause
from domain.law.invariants import Deed, Invariant, of_deed, of_fact, of_table
from domain.table.facts import AnyFact, Began, Clocked, Finished, Marked, Moved, Pushed, Stanced
from domain.table.table import CHANCE, AnyTable, CardId, Obj, same

COLOURS = "ROYGBIV"
OWN = ("personal", "hand", "grimoire", "bookmark", "junkyard", "opening_reveal")
SHARED = ("field", "void", "removed")
SEAT_MARKS = {"mana", "capacity", "od", "draw_failed", "out", *(f"chroma.{colour}" for colour in COLOURS)}
BEATS = (C.LETHAL_CHARACTER, C.FAILED_DRAW_BEATEN, C.BEAT, C.CONCESSION)
QUICK = ("S38", "S59")
"""Cards that are cast in others' turns too."""
OD_CARD, CHROMA_CARD, STONE, SILENCER = "S58", "S61", "S34", "S36"
SURE = ("S45", "S57")
"""Cards that keep an object from being destroyed."""


def goes_on(t: AnyTable) -> bool:
    """Does the match go on without waiting for a judge?"""
    return t.result is None and not t.marks.get(HELD)


def carried_out(t: AnyTable) -> str:
    """The face of the effect that is being processed; empty if none is."""
    return t.running[-1].face if t.running and t.running[-1].kind == "effect" else ""


# -- tables -----------------------------------------------------------------------------------------------------------


def every_card_lies_once(rules: Rules, t: AnyTable) -> bool:
    """No card is lost or doubled, and every place is one of the game's."""
    lying = Counter(one for row in t.places.values() for one in row)
    known = all(
        (seat in t.seats and area in OWN) if dot else seat in SHARED
        for seat, dot, area in (place.partition(".") for place in t.places)
    )
    return set(lying) == set(t.pieces) and set(lying.values()) <= {1} and known


def characters_stay_in_personal_zones(rules: Rules, t: AnyTable) -> bool:
    """A character card is there or out of the game, a spell card anywhere else."""
    for piece in t.pieces.values():
        area = piece.place.rpartition(".")[2]
        if card(piece.face).type == "character":
            if area not in (PERSONAL, REMOVED) or piece.controller != piece.owner:
                return False
        elif area == PERSONAL:
            return False
    return True


def the_lost_leave_nothing(rules: Rules, t: AnyTable) -> bool:
    """Who lives has one character; of who is out nothing is left but cards under another's control."""
    for seat in t.seats:
        mine = t.places.get(f"{seat}.{PERSONAL}", ())  # type: ignore[call-overload]
        if not is_out(t, seat):
            if len(mine) != 1 or t.pieces[mine[0]].owner != seat:
                return False
        elif t.result is None:
            rows = (mine, hand(t, seat), grimoire(t, seat), bookmark(t, seat), junkyard(t, seat), revealed(t, seat))
            there = {piece.place for piece in t.pieces.values() if piece.owner == seat}
            kept = any(t.pieces[one].controller == seat for one in spells(t))
            if any(rows) or kept or not there <= {FIELD, REMOVED} or seat in t.clock.awaited:
                return False
    return True


def numbers_are_never_negative(rules: Rules, t: AnyTable) -> bool:
    """Mana, capacity, od, chroma, damage; and no others are kept."""
    seats = all(set(marks) <= SEAT_MARKS and min(marks.values(), default=0) >= 0 for marks in t.seats.values())
    return seats and all(min(piece.marks.values(), default=0) >= 0 for piece in t.pieces.values())


def what_is_played_waits(rules: Rules, t: AnyTable) -> bool:
    """A spell is played exactly if it waits on the stack, once, with a target other than itself."""
    waiting = Counter(frame.objs[0] for frame in t.stack)
    played = {Obj(one, t.pieces[one].thing) for one in spells(t) if t.pieces[one].stance == PLAYED}
    aimed = all(len(f.objs) == 2 and f.objs[1].card in t.pieces and f.objs[1] != f.objs[0] for f in t.stack)
    upright = all(
        piece.stance < PLAYED and (piece.stance == 0 or one in characters(t))
        for one, piece in t.pieces.items()
        if piece.place != FIELD
    )
    return set(waiting) == played and set(waiting.values()) <= {1} and aimed and upright


def the_stack_is_of_the_main_phase(rules: Rules, t: AnyTable) -> bool:
    """Nothing waits on it in another."""
    return t.clock.phase == MAIN or not t.stack


def toughness(t: AnyTable, one: CardId) -> int:
    """Recomputed from the few cards that change it."""
    piece = t.pieces[one]
    value = card(piece.face).toughness
    for effect in t.effects:
        if effect.kind == "buff" and Obj(one, piece.thing) in effect.on:
            value += {"S42": 1, "S53": -2}.get(effect.face, 0)
    regent = character(t, piece.controller)
    colourless = piece.place == FIELD and not card(piece.face).colours
    return value + (colourless and regent is not None and t.pieces[regent].face == "C05")


def nothing_dead_is_left(rules: Rules, t: AnyTable) -> bool:
    """With no question open: no lethal damage but what a card protects, no failed draw, no effect in line."""
    if not goes_on(t) or t.asked or t.clock.phase == SET_UP:
        return True
    if t.waiting or t.running or any(marks.get(DRAW_FAILED) for marks in t.seats.values()):
        return False
    for one in objects(t):
        here = Obj(one, t.pieces[one].thing)
        if any(e.kind == "buff" and e.face in SURE and here in e.on for e in t.effects):
            continue
        tough = toughness(t, one)
        if tough <= 0 or damage(t, one) >= tough + rules.damage_must_exceed:
            return False
    return True


def priority_is_held_by_one(rules: Rules, t: AnyTable) -> bool:
    """A living player in the main phase, unless something resolves; others may have passed, never all."""
    clock, alive = t.clock, living(t)
    if not goes_on(t):
        return True
    if (clock.phase, clock.step) in ((MAIN, PRIORITY), (TRANCE, TRANCE_CHOICE)):
        held = len(clock.awaited) == 1 and clock.awaited[0] in alive
    else:
        held = clock.awaited == ()
    passed = set(clock.passed)
    return held and passed <= set(alive) and len(passed) == len(clock.passed) < len(alive)


def timestamps_are_unique(rules: Rules, t: AnyTable) -> bool:
    """Of objects, of effects, of open frames."""
    things = [piece.thing for piece in t.pieces.values()]
    effects = [effect.id for effect in t.effects]
    frames = [frame.id for frame in (*t.stack, *t.running, *t.waiting, *t.asked)]
    unique = all(len(set(row)) == len(row) for row in (things, effects, frames))
    bounds = ((things, t.minted), (effects, t.begun), (frames, t.framed))
    return unique and all(max(row, default=0) <= most for row, most in bounds)


def the_newest_control_decides(rules: Rules, t: AnyTable) -> bool:
    """Without one in force the base controller controls a spell."""
    if t.result is not None:
        return True
    for spell in spells(t):
        own = [e for e in t.effects if e.kind == "control" and any(o.card == spell and same(t, o) for o in e.on)]
        expected = max(own, key=lambda effect: effect.id).seats[0] if own else base_controller(t, spell)
        if t.pieces[spell].controller != expected:
            return False
    return True


# -- facts ------------------------------------------------------------------------------------------------------------


def who_loses_is_beaten(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Once, and nobody comes back."""
    if not isinstance(fact, Marked) or fact.name != OUT:
        return True
    return isinstance(fact.on, str) and fact.to == 1 and not is_out(t, fact.on) and clause in BEATS


def only_a_card_gives_od(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Without it od only falls from its first number."""
    if not isinstance(fact, Marked) or fact.name != OD or not isinstance(fact.on, str):
        return True
    if t.clock.turn == 0:
        return fact.to == rules.initial_od
    return fact.to <= has(t, fact.on, OD) or carried_out(t) == OD_CARD


def chroma_never_falls(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Set-up, trances and one card raise it."""
    if not isinstance(fact, Marked) or not fact.name.startswith("chroma.") or not isinstance(fact.on, str):
        return True
    by_rule = clause in (C.INITIAL_CHROMA, C.MONO_CHROMA) if t.clock.turn == 0 else clause == C.TRANCE
    return fact.to > has(t, fact.on, fact.name) and (by_rule or carried_out(t) == CHROMA_CARD)


def turns_go_round(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Each is the next living player's, in the order of the chairs."""
    if not isinstance(fact, Clocked) or fact.clock.turn == t.clock.turn:
        return True
    old, new, chairs = t.clock, fact.clock, list(t.seats)
    if new.turn != old.turn + 1 or new.phase != INITIALIZE or new.first != old.first:
        return False
    if old.active is None:
        return new.active == new.first
    here = chairs.index(old.active)
    following = [chairs[(here + step) % len(chairs)] for step in range(1, len(chairs) + 1)]
    return new.active == next(seat for seat in following if not is_out(t, seat))


def no_spell_keeps_damage(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Not over its controller's initialize."""
    if not isinstance(fact, Clocked) or fact.clock.phase != START:
        return True
    return not any(damage(t, one) for one in spells(t) if t.pieces[one].controller == t.clock.active)


def nothing_of_a_turn_outlives_it(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Neither its effects nor marks of use."""
    if not isinstance(fact, Clocked) or fact.clock.phase != INITIALIZE:
        return True
    used = any(mark.startswith("used.") for piece in t.pieces.values() for mark in piece.marks)
    return not used and not any(effect.until == THIS_TURN for effect in t.effects)


def ids_only_grow(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Of effects and frames."""
    if isinstance(fact, Began):
        return fact.effect.id == t.begun + 1 and fact.effect.since == t.minted
    return not isinstance(fact, Pushed) or fact.frame.id == t.framed + 1


def one_side_is_left(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """It wins, and nothing follows; a draw needs that nobody is left."""
    if t.result is not None:
        return False
    if not isinstance(fact, Finished) or clause == C.TIME_DECISION:
        return True
    sides = {rules.teams_by_seat.get(seat, seat) for seat in living(t)}
    if not sides:
        return not fact.result.winners
    winners = tuple(seat for seat in t.seats if rules.teams_by_seat.get(seat, seat) in sides)
    return len(sides) == 1 and fact.result.winners == winners


def what_is_used_is_not_played(rules: Rules, t: AnyTable, clause: Clause, fact: AnyFact) -> bool:
    """Only what is extended becomes played."""
    if not isinstance(fact, Stanced) or fact.to != PLAYED or t.clock.phase != MAIN:
        return True
    return all(t.pieces[one].stance == EXTENDED for one in fact.cards)


# -- actions ----------------------------------------------------------------------------------------------------------


def price(t: AnyTable, deed: Deed, face: str) -> int:
    """What a cast takes, recomputed: a stone makes the spells of one's own character's user cheaper."""
    words, mine = card(face), character(t, deed.actor)
    stones = 0
    for one in spells(t):
        piece = t.pieces[one]
        silent = any(e.face == SILENCER and Obj(one, piece.thing) in e.on for e in t.effects if e.kind == "buff")
        stones += piece.face == STONE and piece.controller == deed.actor and not silent
    same_user = mine is not None and words.user == card(t.pieces[mine].face).user
    return max(0, words.cost - (stones if same_user else 0))


def a_cast_takes_its_cost(rules: Rules, deed: Deed) -> bool:
    """Exactly, from mana, before the spell enters; no chroma goes, and but for two cards it is the caster's turn."""
    if not isinstance(deed.action, Cast):
        return True
    face = deed.before.pieces[deed.action.card].face or ""
    mana = before = has(deed.before, deed.actor, MANA)
    for _, fact in deed.told:
        if isinstance(fact, Marked) and (fact.on, fact.name) == (deed.actor, MANA):
            mana = fact.to
        if isinstance(fact, Moved) and deed.action.card in fact.cards:
            break
    own_turn = deed.actor == deed.before.clock.active or face in QUICK
    return own_turn and mana == max(0, before - price(deed.before, deed, face))


def a_play_uses_an_extended_spell(rules: Rules, deed: Deed) -> bool:
    """It waits afterwards, unless what the play triggered took it away."""
    if not isinstance(deed.action, Play):
        return True
    was, now = deed.before.pieces[deed.action.spell], deed.after.pieces[deed.action.spell]
    ended = deed.after.result is not None
    return was.stance == EXTENDED and (now.stance == PLAYED or now.thing != was.thing or ended)


def chance_decides_two_things(rules: Rules, deed: Deed) -> bool:
    """The order of a grimoire and who begins."""
    verbs = ("shuffle_grimoire", "random_first_player")
    return (deed.actor == CHANCE) == (str(type(deed.action).__struct_config__.tag) in verbs)


def invariants_of(rules: Rules) -> tuple[Invariant, ...]:
    """Those that can be said of one table, one fact or one action."""
    return INVARIANTS


INVARIANTS: tuple[Invariant, ...] = (
    of_table(1, every_card_lies_once),
    of_table(3, characters_stay_in_personal_zones),
    of_table(4, the_lost_leave_nothing),
    of_fact(4, who_loses_is_beaten),
    of_table(5, numbers_are_never_negative),
    of_fact(6, only_a_card_gives_od),
    of_table(7, what_is_played_waits),
    of_table(8, the_stack_is_of_the_main_phase),
    of_table(9, nothing_dead_is_left),
    of_table(10, priority_is_held_by_one),
    of_deed(14, a_cast_takes_its_cost),
    of_fact(14, chroma_never_falls),
    of_fact(15, turns_go_round),
    of_fact(17, no_spell_keeps_damage),
    of_fact(18, nothing_of_a_turn_outlives_it),
    of_table(19, timestamps_are_unique),
    of_fact(19, ids_only_grow),
    of_fact(20, one_side_is_left),
    of_deed(21, chance_decides_two_things),
    of_fact(25, what_is_used_is_not_played),
    of_deed(25, a_play_uses_an_extended_spell),
    of_table(28, the_newest_control_decides),
)
