"""Invariants of actions and of whole matches."""

from collections import Counter
from itertools import islice
from typing import Final

from domain.games.blackpoker import actions as A, clauses as C, schema as S
from domain.games.blackpoker.actions import Attack, End, SetBulwark
from domain.games.blackpoker.invariants.tables import MAIN, is_at_decision, number, row, sizes, units, usable_card_count
from domain.games.blackpoker.rules import Rules
from domain.games.blackpoker.table_queries import SEATS, opponent
from domain.law.actions import Pass
from domain.law.entries import entry_facts
from domain.law.invariants import Match, PlayedAction
from domain.law.slots import verb
from domain.parts.places import place_in
from domain.table import facts as F
from domain.table.facts import Popped
from domain.table.redact import SeenPlace
from domain.table.table import EVERYONE, CardId, Effect, FrameId, Obj, Place, Seat, Table, frame, seat_of, zone

TRIGGERED: Final = ("charge", "block", "damage_judge")
"""Requests that no player makes."""


def a_request_clears_the_passes(rules: Rules, deed: PlayedAction) -> bool:
    """True if a request or a resolution clears the passes, where the rules say so."""
    clears = rules.pass_record_reset == "on_request_and_resolution" and rules.chance_after_request != "to_opponent"
    if not clears or not is_at_decision(deed.after):
        return True
    stage_ids = {frame.id for frame in deed.before.stack}
    is_resolved = any(isinstance(f, Popped) and f.how == "resolved" and f.id in stage_ids for _, f in deed.told)
    return deed.after.clock.passed == () if isinstance(deed.action, A.Request) or is_resolved else True


def two_passes_in_a_row_resolve(rules: Rules, deed: PlayedAction) -> bool:
    """True if the second pass in a row resolves the top request of the stage."""
    if not isinstance(deed.action, Pass) or opponent(deed.actor) not in deed.before.clock.passed:
        return True
    top = deed.before.stack[-1].id if deed.before.stack else None
    is_interrupted = bool(deed.after.asked) or deed.after.result is not None
    return top is None or is_interrupted or deed.after.stack == () or deed.after.stack[-1].id != top


def down_kills_or_leaves_a_fog(rules: Rules, deed: PlayedAction) -> bool:
    """True if a resolved Down either buries its target or leaves it with a size and one more fog."""
    resolved = {fact.id for _, fact in deed.told if isinstance(fact, Popped) and fact.how == "resolved"}
    for request in deed.before.stack:
        if request.kind != "down" or request.id not in resolved:
            continue
        (aimed,) = request.objs
        if deed.before.pieces[aimed.card].thing != aimed.thing:
            continue
        fogs = len(row(deed.after, request.by, S.FOG)) - len(row(deed.before, request.by, S.FOG))
        is_buried = deed.after.pieces[aimed.card].place.endswith("." + S.GRAVE)
        size = sizes(rules, deed.after).get(aimed.card, 0)
        if not (is_buried and fogs == 0) and not (fogs == rules.fog_enabled and size >= 1):
            return False
    return True


def attackers_were_fit(rules: Rules, deed: PlayedAction[A.DesignateAttackers | A.Attack]) -> bool:
    """True if the attackers are the player's charged soldiers without summoning sickness, and are driven afterwards."""
    return all(_may_attack(rules, deed, card) for card in deed.action.units)


def _may_attack(rules: Rules, deed: PlayedAction, card: CardId) -> bool:
    piece, turn = deed.before.pieces[card], deed.before.clock.turn
    cards = units(deed.before, deed.actor).get(card, [])
    deciding_cards = cards[-1:] if rules.armed_haste_from == "last_card" else cards
    haste = any((deed.before.pieces[other].face or "")[1:] == "A" for other in deciding_cards)
    arrival_turn = piece.marks.get(S.ENTERED, 0)
    is_waiting_preset = arrival_turn == 0 and turn == 1 and not rules.preset_soldier_can_attack_turn1
    is_charged_soldier = piece.stance == S.CHARGED and piece.place == place_in(deed.actor, S.SOLDIERS) and bool(cards)
    is_driven = deed.after.pieces[card].stance == S.DRIVEN
    return is_charged_soldier and is_driven and (haste or (arrival_turn != turn and not is_waiting_preset))


def blockers_were_fit(rules: Rules, deed: PlayedAction[A.DesignateBlockers]) -> bool:
    """True if the blockers are charged, the player's, and named once, each bulwark alone against its attacker."""
    blocks = deed.action.blocks
    blockers, blocked = [blocker for blocker, _ in blocks], [attacker for _, attacker in blocks]
    pieces = [deed.before.pieces[blocker] for blocker in blockers]
    are_fit = all(piece.stance == S.CHARGED and piece.owner == deed.actor for piece in pieces)
    are_unique = len(set(blocks)) == len(blocks) and (not rules.block_exclusive or len(set(blockers)) == len(blockers))
    blocked_by_bulwarks = [
        attacker for piece, attacker in zip(pieces, blocked, strict=True) if piece.place.endswith("." + S.BULWARKS)
    ]
    return (
        are_fit
        and are_unique
        and (rules.block_mixed or all(blocked.count(attacker) == 1 for attacker in blocked_by_bulwarks))
    )


def requests_use_something_up(rules: Rules, deed: PlayedAction) -> bool:
    """True if each player request except End and Attack uses up cards, so a turn has few."""
    if not isinstance(deed.action, A.Request) or isinstance(deed.action, (A.End, A.Attack)):
        return True
    return verb(deed.action) not in TRIGGERED and usable_card_count(deed.after) < usable_card_count(deed.before)


NEXT_GENERATION: Final = "next_generation"
RANKS_CALLING: Final = ("A", "J", "Q", "K")
ON_FIELD: Final = (f".{S.SOLDIERS}", f".{S.BULWARKS}")
REQUESTS: Final = frozenset((*S.IMMEDIATE, *MAIN, "up", "down", "twist", "counter"))
VIEWS: Final = 8
"""Number of tables per match that are checked from every viewer."""


def resolved_kind(t: Table, fact: F.AnyFact) -> str:
    """Return the kind of the frame that a fact resolves, '' if none."""
    popped = frame(t, fact.id) if isinstance(fact, F.Popped) and fact.how == "resolved" else None
    return popped.kind if popped is not None else ""


# -- soldiers and combat ----------------------------------------------------------------------------------------------


def sizes_are_printed_numbers_and_fogs(rules: Rules, match: Match) -> bool:
    """True if each size equals the printed numbers plus every fog ever begun that still counts."""
    effects: list[Effect] = []
    for entry, t in zip(match.entries, match.tables, strict=True):
        new = [fact.effect for _, fact in entry_facts(entry) if isinstance(fact, F.Began)]
        if any(fog.since != t.clock.turn for fog in new):
            return False
        effects += new
        readings = sizes(rules, t)
        for lowest, cards in ((lowest, cards) for seat in SEATS for lowest, cards in units(t, seat).items()):
            fogs = [
                fog for fog in effects if fog.on == (Obj(lowest, t.pieces[lowest].thing),) and _counts(rules, t, fog)
            ]
            printed = sum(number(t.pieces[card].face or "") for card in cards)
            if readings.get(lowest) != printed + sum(sum(fog.numbers) for fog in fogs):
                return False
    return True


def _counts(rules: Rules, t: Table, fog: Effect) -> bool:
    """True if a fog counts: its card is in place, and its turn lasts unless it lasts with the card."""
    is_in_place = not rules.fog_enabled or t.pieces[fog.source.card].thing == fog.source.thing
    return is_in_place and (rules.fog_end_scope == "own_card_active" or fog.since == t.clock.turn)


def combat_stands_between_attack_and_damage_judge(rules: Rules, match: Match) -> bool:
    """True if a combat exists only between the Attack and the Damage judge of a turn."""
    attack_turn = 0
    for _, fact, t in match.facts():
        kind = resolved_kind(t, fact)
        attack_turn = t.clock.turn if kind == "attack" else 0 if kind == "damage_judge" else attack_turn
        at_decision = bool(t.clock.awaited) and not t.asked and t.result is None
        if at_decision and any(process.kind == S.COMBAT for process in t.running) and attack_turn != t.clock.turn:
            return False
    return True


# -- next generations -------------------------------------------------------------------------------------------------


def seats_called_up(t: Table, fact: F.AnyFact) -> list[Seat]:
    """Return the seats whose next generation a fact calls up, one per card that falls."""
    if not isinstance(fact, F.Moved) or not fact.to.endswith("." + S.GRAVE):
        return []
    fallen_pieces = [piece for card in fact.cards if (piece := t.pieces[card]).place.endswith(ON_FIELD)]
    return [piece.owner for piece in fallen_pieces if piece.face == "JK" or (piece.face or "")[1:] in RANKS_CALLING]


def one_next_generation_for_each_card_that_fell(rules: Rules, match: Match) -> bool:
    """True if each fallen card of the generation called up one next generation, resolved or still open."""
    called: Counter[Seat] = Counter()
    pushed: Counter[Seat] = Counter()
    finished: Counter[Seat] = Counter()
    for _, fact, t in match.facts():
        called.update(seats_called_up(t, fact))
        if isinstance(fact, F.Pushed) and fact.frame.kind == NEXT_GENERATION:
            pushed[fact.frame.by] += 1
            if pushed[fact.frame.by] > called[fact.frame.by]:
                return False
        popped = frame(t, fact.id) if isinstance(fact, F.Popped) else None
        if popped is not None and popped.kind == NEXT_GENERATION:
            finished[popped.by] += 1
    last = match.tables[-1]
    open_requests = Counter(request.by for request in (*last.waiting, *last.running) if request.kind == NEXT_GENERATION)
    return called == pushed and pushed - finished == open_requests


def no_next_generation_after_cards_from_elsewhere(rules: Rules, match: Match) -> bool:
    """True if a next generation is called up only by a card from the field, and at once."""
    expected: Counter[Seat] = Counter()
    for _, fact, t in match.facts():
        if isinstance(fact, F.Pushed) and fact.frame.kind == NEXT_GENERATION:
            expected[fact.frame.by] -= 1
            if expected[fact.frame.by] < 0:
                return False
        elif not isinstance(fact, F.Moved) and +expected:
            return False
        expected.update(seats_called_up(t, fact))
    return True


# -- end of a match ---------------------------------------------------------------------------------------------------


def requests_keep_to_their_limits(rules: Rules, match: Match) -> bool:
    """True if each player's Attack and Set bulwark requests stay within the limits of a turn."""
    limits: dict[type, int] = {Attack: rules.attack_requests_per_turn, SetBulwark: rules.set_bulwark_requests_per_turn}
    counts = Counter((type(deed.action), deed.actor, deed.before.clock.turn) for deed in match.deeds)
    return all(times <= limits.get(kind, times) for (kind, _, _), times in counts.items())


def nothing_comes_back(rules: Rules, match: Match) -> bool:
    """True if the number of cards left to use never grows, and falls at every draw and next generation."""
    card_count = sum(map(len, match.opening.decks.values()))
    total_at_request: dict[FrameId, int] = {}
    least: int | None = None
    for _, fact, t in match.facts():
        if len(t.pieces) < card_count:
            continue
        total = usable_card_count(t)
        if least is not None and total > least:
            return False
        least = total
        if isinstance(fact, F.Pushed) and fact.frame.kind in REQUESTS:
            total_at_request[fact.frame.id] = total
        if (
            resolved_kind(t, fact) in ("draw", NEXT_GENERATION)
            and isinstance(fact, F.Popped)
            and total >= total_at_request[fact.id]
        ):
            return False
    return True


def turns_are_few(rules: Rules, match: Match) -> bool:
    """True if no turn has two Ends, all but two turns draw, and turns exceed the life cards by at most two."""
    start = next((deed.before for deed in match.deeds if deed.before.clock.phase == S.PLAY), None)
    if start is None:
        return True
    lives, turns = sum(len(row(start, seat, S.LIFE)) for seat in SEATS), match.tables[-1].clock.turn
    ends = Counter(deed.before.clock.turn for deed in match.deeds if isinstance(deed.action, End))
    draws = sum(
        clause == C.DRAW_FIRST and isinstance(fact, F.Moved) for deed in match.deeds for clause, fact in deed.told
    )
    return turns <= lives + 2 and set(ends.values()) <= {1} and draws >= turns - 2


# -- visibility -------------------------------------------------------------------------------------------------------


def a_view_holds_what_its_viewer_may_see(rules: Rules, match: Match) -> bool:
    """True if a sampled view shows only the faces that its viewer may know."""
    return all(_may_see(rules, t, viewer, place) for t, viewer, place in match.sample_views(VIEWS))


def _may_see(rules: Rules, t: Table, viewer: Seat, view: SeenPlace) -> bool:
    """True if a viewer knows as many faces of a place, and as much of its count, as its area allows."""
    owner, area = seat_of(view.place), zone(view.place)
    known_faces = sum(card.face is not None for card in view.cards)
    cards = t.places.get(view.place, ())
    visible = {card for card in cards if {viewer, EVERYONE} & set(t.pieces[card].seen)}
    if area == S.LIFE:
        uncounted = len(cards) >= rules.life_public_threshold
        searched = t.result is None and any(
            process.kind == "search" and process.by == viewer == owner for process in t.running
        )
        return known_faces == (len(cards) if searched else 0) and (viewer == owner or (view.count is None) == uncounted)
    if viewer == owner:
        return True
    if area == S.HAND:
        return known_faces == len(visible) and view.count == len(cards)
    if area == S.BULWARKS:
        return known_faces == len(visible | {card for card in cards if t.pieces[card].up})
    return area != S.GRAVE or (known_faces <= 1 and view.count is None)


def hands_are_known_by_their_faces(rules: Rules, match: Match) -> bool:
    """True if the public cards of a hand are the faces shown, less those that left it openly."""
    public_faces: dict[Seat, Counter[str | None]] = {seat: Counter() for seat in SEATS}
    facts = match.facts()
    for entry, after in zip(match.entries, match.tables, strict=True):
        for _, fact, t in islice(facts, len(entry_facts(entry))):
            for seat in SEATS:
                _follow(public_faces[seat], fact, t, place_in(seat, S.HAND))
        for seat in SEATS:
            pieces = [after.pieces[card] for card in row(after, seat, S.HAND)]
            if Counter(piece.face for piece in pieces if EVERYONE in piece.seen) != public_faces[seat]:
                return False
    return True


def _follow(public_faces: Counter[str | None], fact: F.AnyFact, t: Table, hand: Place) -> None:
    """Update the known faces of a hand after a fact. A card that leaves unseen clears them."""
    if not isinstance(fact, F.Moved | F.Shown):
        return
    faces = Counter(t.pieces[card].face for card in fact.cards if t.pieces[card].place == hand)
    if isinstance(fact, F.Shown):
        public_faces.update(faces if fact.lasting and EVERYONE in fact.to else ())
    elif faces and fact.up:
        public_faces.subtract(faces & public_faces)
    elif faces:
        public_faces.clear()


def graves_end_with_the_last_batch(rules: Rules, match: Match) -> bool:
    """True if the top of a grave is from its last batch, and face up once the choice is made."""
    batches: dict[Place, tuple[CardId, ...]] = {}
    for _, fact, t in match.facts():
        is_choice_open = bool(t.asked) or not t.clock.awaited
        for seat in SEATS:
            grave = row(t, seat, S.GRAVE)
            if grave and not (
                grave[-1] in batches.get(place_in(seat, S.GRAVE), ()) and (is_choice_open or t.pieces[grave[-1]].up)
            ):
                return False
        if isinstance(fact, F.Moved) and fact.to.endswith("." + S.GRAVE) and t.pieces[fact.cards[0]].place != fact.to:
            batches[fact.to] = fact.cards
    return True
