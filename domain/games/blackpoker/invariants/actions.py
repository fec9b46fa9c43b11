"""What every action keeps: who may be named for it, and what it leads to."""

from typing import Final

from domain.games.blackpoker import actions as A, schema as S
from domain.games.blackpoker.invariants.tables import potential, quiet, row, sizes, units
from domain.games.blackpoker.reading import opponent
from domain.games.blackpoker.rules import Rules
from domain.law.actions import Pass
from domain.law.invariants import Deed
from domain.law.slots import verb
from domain.parts.places import at
from domain.table.facts import Popped
from domain.table.table import CardId

TRIGGERED: Final = ("charge", "block", "damage_judge")
"""Requests that nobody makes."""


def a_request_clears_the_passes(rules: Rules, deed: Deed) -> bool:
    """So does a resolution, where it is read so; the chance may go to the other with the request."""
    usual = rules.pass_record_reset == "on_request_and_resolution" and rules.chance_after_request != "to_opponent"
    if not usual or not quiet(deed.after):
        return True
    staged = {frame.id for frame in deed.before.stack}
    resolved = any(isinstance(f, Popped) and f.how == "resolved" and f.id in staged for _, f in deed.told)
    return deed.after.clock.passed == () if isinstance(deed.action, A.Request) or resolved else True


def two_passes_in_a_row_resolve(rules: Rules, deed: Deed) -> bool:
    """Whoever holds the chance afterwards: a pass behind the other's leaves no request on the stage untouched."""
    if not isinstance(deed.action, Pass) or opponent(deed.actor) not in deed.before.clock.passed:
        return True
    top = deed.before.stack[-1].id if deed.before.stack else None
    waits = bool(deed.after.asked) or deed.after.result is not None
    return top is None or waits or deed.after.stack == () or deed.after.stack[-1].id != top


def down_kills_or_leaves_a_fog(rules: Rules, deed: Deed) -> bool:
    """Where its target was still there: that is gone, or something is left of it and one more fog lies there."""
    resolved = {fact.id for _, fact in deed.told if isinstance(fact, Popped) and fact.how == "resolved"}
    for request in deed.before.stack:
        if request.kind != "down" or request.id not in resolved:
            continue
        (aimed,) = request.objs
        if deed.before.pieces[aimed.card].thing != aimed.thing:
            continue
        fogs = len(row(deed.after, request.by, S.FOG)) - len(row(deed.before, request.by, S.FOG))
        gone = deed.after.pieces[aimed.card].place.endswith("." + S.GRAVE)
        left = sizes(rules, deed.after).get(aimed.card, 0)
        if not (gone and fogs == 0) and not (fogs == rules.fog_enabled and left >= 1):
            return False
    return True


def attackers_were_fit(rules: Rules, deed: Deed[A.DesignateAttackers | A.Attack]) -> bool:
    """The attacker's own soldiers, upright, and not just arrived unless in haste; now they are sideways."""
    return all(_may_attack(rules, deed, card) for card in deed.action.units)


def _may_attack(rules: Rules, deed: Deed, card: CardId) -> bool:
    piece, turn = deed.before.pieces[card], deed.before.clock.turn
    cards = units(deed.before, deed.actor).get(card, [])
    looked_at = cards[-1:] if rules.armed_haste_from == "last_card" else cards
    haste = any((deed.before.pieces[other].face or "")[1:] == "A" for other in looked_at)
    entered = piece.marks.get(S.ENTERED, 0)
    preset_waits = entered == 0 and turn == 1 and not rules.preset_soldier_can_attack_turn1
    upright = piece.stance == S.CHARGED and piece.place == at(deed.actor, S.SOLDIERS) and bool(cards)
    driven = deed.after.pieces[card].stance == S.DRIVEN
    return upright and driven and (haste or (entered != turn and not preset_waits))


def blockers_were_fit(rules: Rules, deed: Deed[A.DesignateBlockers]) -> bool:
    """Upright, of the blocker's own, each once; a bulwark alone before its attacker."""
    blocks = deed.action.blocks
    blockers, blocked = [blocker for blocker, _ in blocks], [attacker for _, attacker in blocks]
    pieces = [deed.before.pieces[blocker] for blocker in blockers]
    fit = all(piece.stance == S.CHARGED and piece.owner == deed.actor for piece in pieces)
    once = len(set(blocks)) == len(blocks) and (not rules.block_exclusive or len(set(blockers)) == len(blockers))
    walls = [of for piece, of in zip(pieces, blocked, strict=True) if piece.place.endswith("." + S.BULWARKS)]
    return fit and once and (rules.block_mixed or all(blocked.count(of) == 1 for of in walls))


def requests_use_something_up(rules: Rules, deed: Deed) -> bool:
    """All that players make but End and Attack, so that a turn has few."""
    if not isinstance(deed.action, A.Request) or isinstance(deed.action, (A.End, A.Attack)):
        return True
    return verb(deed.action) not in TRIGGERED and potential(deed.after) < potential(deed.before)
