"""Invariants of single facts. `t` is the table before the fact."""

from typing import Final

from domain.games.dea import clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.cards import card
from domain.games.dea.invariants.printed import has_simple_statics, kind, row_of, stat_value
from domain.games.dea.invariants.tables import items
from domain.games.dea.rules import Rules
from domain.law.clause import Clause
from domain.table import facts as F
from domain.table.table import CardId, Frame, Seat, Table, frame, seat_of, zone

ITEMS: Final = frozenset(kind.name for kind in S.ITEMS)


# -- cards ------------------------------------------------------------------------------------------------------------


def a_foreshadow_never_leaves_its_slot(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """True if a foreshadow moves only once, into its owner's slot during set-up."""
    moving = [t.pieces[card_id] for card_id in fact.cards if kind(rules, t, card_id) == "foreshadow"]
    return all(
        zone(piece.place) == S.UNPLACED and zone(fact.to) == S.FORESHADOW and seat_of(fact.to) == piece.owner
        for piece in moving
    )


def what_is_opened_stays_open(rules: Rules, t: Table, clause: Clause, fact: F.Turned) -> bool:
    """True if no card is turned face down."""
    return fact.up and not any(t.pieces[card_id].up for card_id in fact.cards)


def a_character_stays_on_the_map(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """True if a character moves only to or on the map."""
    return all(
        zone(fact.to) == S.MAP and zone(t.pieces[card_id].place) in (S.MAP, S.UNPLACED)
        for card_id in fact.cards
        if kind(rules, t, card_id) in T.MAP_CARD_TYPES
    )


def only_tokens_come_after_set_up(rules: Rules, t: Table, clause: Clause, fact: F.Created) -> bool:
    """True if only tokens are created after set-up, on the map and with new ids."""
    if not t.clock.turn:
        return True
    tokens = all(card(rules.cards, face).type == "token" for face in fact.faces)
    return tokens and zone(fact.place) == S.MAP and not set(fact.cards) & set(t.pieces)


def only_tokens_leave_the_match(rules: Rules, t: Table, clause: Clause, fact: F.Removed) -> bool:
    """True if only tokens leave the match, or blockers that the rules remove at the edge."""
    tokens = all(kind(rules, t, card_id) == "token" for card_id in fact.cards)
    return tokens or (rules.knockback_edge == "removed" and clause == C.KNOCKBACK_BLOCKED)


# -- numbers ----------------------------------------------------------------------------------------------------------


def pages_keep_their_bounds(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if the pages stay between floor and cap."""
    return fact.name != S.PAGES or rules.page_floor <= fact.to <= rules.page_cap


def life_never_rises_above_its_ceiling(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if life stays within its maximum, which is set before the first turn."""
    if fact.name == S.MAX_LIFE:
        return not t.clock.turn
    return fact.name != S.LIFE or (isinstance(fact.on, str) and fact.to <= R.seat_mark(t, fact.on, S.MAX_LIFE))


def points_are_never_negative(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if no writer has fewer than 0 ending points."""
    return fact.name != S.EP or fact.to >= 0


def a_line_is_scored_once_and_by_a_character(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if a line is scored once per character, on its last line and not by a token."""
    if fact.name != S.LINE_SCORED:
        return True
    return fact.to == 1 and isinstance(fact.on, tuple) and all(_scores(rules, t, card_id) for card_id in fact.on)


def _scores(rules: Rules, t: Table, card_id: CardId) -> bool:
    piece = t.pieces[card_id]
    if kind(rules, t, card_id) != "character" or piece.marks.get(S.LINE_SCORED) or zone(piece.place) != S.MAP:
        return False
    return row_of(t, card_id) == (rules.size.rows if piece.owner == R.SEATS[0] else 1)


def records_are_cleared_together(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if moves and attacks count one by one in the writer's turn, and reset when a turn begins."""
    if fact.name not in (S.MOVES_USED, S.ATTACKS_USED) or not isinstance(fact.on, tuple):
        return True
    if not fact.to:
        return (t.clock.phase, t.clock.step) == (S.UP, S.INCOME)
    return all(
        t.pieces[card_id].owner == t.clock.active and fact.to == t.pieces[card_id].marks.get(fact.name, 0) + 1
        for card_id in fact.on
    )


# -- the stack --------------------------------------------------------------------------------------------------------


def the_last_declared_is_taken_first(rules: Rules, t: Table, clause: Clause, fact: F.Altered) -> bool:
    """True if items resolve from the top of the stack, one at a time."""
    if fact.lane != "running" or not any(item.id == fact.id for item in t.stack):
        return True
    return fact.id == t.stack[-1].id and not t.running


def what_is_through_was_taken_up(rules: Rules, t: Table, clause: Clause, fact: F.Popped) -> bool:
    """True if an item leaves only from the running lane."""
    popped = frame(t, fact.id)
    return popped is not None and (popped.kind not in ITEMS or popped.lane == "running")


def nothing_is_declared_while_the_stack_is_processed(rules: Rules, t: Table, clause: Clause, fact: F.Pushed) -> bool:
    """True if only a foreshadow opened by an effect enters the stack while it resolves."""
    if fact.frame.lane != "stack" or not R.resolving(t):
        return True
    return fact.frame.kind == "foreshadow" and fact.frame.step == "opened" and bool(t.running)


def a_batch_is_processed_to_its_end(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """True if no window opens between two items, unless the rules reopen the stack."""
    between = R.resolving(t) and fact.clock.turn == t.clock.turn
    return not between or rules.stack_resolution == "reopen" or (fact.clock.step == S.OPEN and not t.stack)


# -- battles ----------------------------------------------------------------------------------------------------------


def a_knockback_follows_the_attack(rules: Rules, t: Table, clause: Clause, fact: F.Moved) -> bool:
    """True if the blocker moves one cell on in the direction of the attack."""
    if clause != C.KNOCKBACK:
        return True
    battle = R.battle_of(t)
    if battle is None or fact.cards != (R.blocker_of(battle).card,):
        return False
    origin, target, to = R.square_at(R.origin_of(battle)), R.square_at(R.battlefield(battle)), R.square_at(fact.to)
    if origin is None or target is None or to is None:
        return False
    return (to.column - target.column, to.row - target.row) == (target.column - origin.column, target.row - origin.row)


def a_battle_hurts_only_the_blocker(rules: Rules, t: Table, clause: Clause, fact: F.Marked) -> bool:
    """True if a battle costs the blocker's owner attack less defence, at least 1."""
    if fact.name != S.LIFE or clause != C.BLOCKER_STRUCK:
        return True
    battle = R.battle_of(t)
    if battle is None or not isinstance(fact.on, str):
        return False
    attacker, blocker = R.attacker_of(battle).card, R.blocker_of(battle).card
    damage = R.seat_mark(t, fact.on, S.LIFE) - fact.to
    if t.pieces[blocker].owner != fact.on or t.pieces[attacker].owner == fact.on or damage < 1:
        return False
    if not has_simple_statics(rules.cards):
        return True
    return damage == stat_value(rules, t, attacker, "atk") - stat_value(rules, t, blocker, "def")


# -- turns and the end ------------------------------------------------------------------------------------------------


def the_first_turn_begins_with_what_set_up_gave(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """True if the first player begins with the opening hand and pages plus the income not skipped."""
    begins = (t.clock.turn, t.clock.phase, fact.clock.phase, fact.clock.step) == (1, S.UP, S.MAIN, S.OPEN)
    active = t.clock.active
    if not begins or active is None or _gives_at_start(rules, t):
        return True
    skips = rules.first_turn_skips
    draws = 0 if skips == "pages_and_draw" or skips == "draw" else rules.cards_per_turn
    hand_size = min(rules.opening_hand + draws, rules.gimmicks_per_plot)
    income = 0 if skips == "pages_and_draw" or skips == "pages" else rules.pages_per_turn
    missing = draws - max(0, hand_size - min(rules.opening_hand, rules.gimmicks_per_plot))
    pages = min(rules.opening_pages + income + missing * rules.empty_draw_pages, rules.page_cap)
    return len(R.hand(t, active)) == hand_size and R.seat_mark(t, active, S.PAGES) == pages


def _gives_at_start(rules: Rules, t: Table) -> bool:
    texts = (card(rules.cards, piece.face).abilities for piece in t.pieces.values() if zone(piece.place) == S.MAP)
    return any(isinstance(each, T.Automatic) and each.cause.endswith("turn_start") for text in texts for each in text)


def turns_alternate(rules: Rules, t: Table, clause: Clause, fact: F.Clocked) -> bool:
    """True if turns alternate from the first player up to the maximum."""
    old, new = t.clock, fact.clock
    if new.turn == old.turn:
        return new.active == old.active
    follows: Seat | None = new.first if old.active is None else R.opponent(old.active)
    is_within_maximum = rules.turns_max is None or new.turn <= rules.turns_max
    return new.turn == old.turn + 1 and new.active == follows and new.phase == S.UP and is_within_maximum


def nothing_follows_the_end(rules: Rules, t: Table, clause: Clause, fact: F.AnyFact) -> bool:
    """True if nothing but a title follows the result."""
    titled = isinstance(fact, F.Marked) and (fact.on, fact.name, fact.to) == (None, S.TITLED, 1)
    return t.result is None or (titled and not t.marks.get(S.TITLED))


# -- failure ----------------------------------------------------------------------------------------------------------


def what_is_negated_does_nothing(rules: Rules, t: Table, clause: Clause, fact: F.AnyFact) -> bool:
    """True if a negated item only fails. A late point for an opened foreshadow is allowed."""
    negated = [item for item in t.running if item.kind in ITEMS and item.kind != "attack" and R.is_negated(item)]
    if not negated or t.result is not None:
        return True
    if isinstance(fact, F.Popped):
        return fact.id == negated[-1].id and fact.how == "failed"
    return isinstance(fact, F.Finished) or _is_late_point(rules, negated[-1], clause, fact)


def _is_late_point(rules: Rules, item: Frame, clause: Clause, fact: F.AnyFact) -> bool:
    late = rules.foreshadow_ep_timing == "resolve" and item.kind == "foreshadow" and clause == C.FORESHADOW_EP
    return late and isinstance(fact, F.Marked) and fact.name == S.EP


def the_card_of_what_failed_goes_to_the_sleeve(rules: Rules, t: Table, clause: Clause, fact: F.AnyFact) -> bool:
    """True if the card of an item that ended goes to the sleeve next, unless it is worn."""
    used = {R.source_of(item).card for item in items(t)}
    unused = [card_id for card_id in t.places.get(R.STACK_PLACE, ()) if card_id not in used]
    if not unused or not R.resolving(t):
        return True
    owner = t.pieces[unused[0]].owner
    return isinstance(fact, F.Moved) and fact.cards == (unused[0],) and fact.to == f"{owner}.{S.SLEEVE}" and fact.up
