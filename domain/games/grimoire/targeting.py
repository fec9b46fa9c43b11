"""Targeting: the rules allow targets, cards may allow more, and prohibitions of cards always apply."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final

from domain.games.grimoire import clauses as C
from domain.games.grimoire.notions import EffectsInForce
from domain.games.grimoire.permission import find_prohibitions, may_target
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.schema import EXTENDED
from domain.games.grimoire.table_queries import are_friends, controller, is_played, kind
from domain.law.clause import Check, Clause, Subject, implements, subject_or_missing
from domain.law.noting import note
from domain.table.table import CardId, Seat, Table

_IS_MET: Final = itemgetter(1)


@implements(C.PROHIBITION_BEATS_PERMISSION)
def target_checks(
    rules: Rules, t: Table, effects: EffectsInForce, you: Seat, source: CardId, target: CardId, *, is_play: bool = True
) -> Iterator[Check]:
    """Yield the clauses that a target must meet. Permissions of cards extend only plays, not abilities."""
    subject = subject_or_missing(target, "target")
    yield C.NOT_ITSELF, source != target, subject
    clause, allowed = _allowed(rules, t, you, target)
    if (
        not allowed
        and is_play
        and clause is C.OFFTURN_EXTENDED_CHARACTER
        and may_target(rules, t, effects, source, target)
    ):
        clause, allowed = C.CARD_OVER_RULE, True
    yield clause, allowed, subject
    if not allowed:
        return
    banning = find_prohibitions(rules, t, effects, "target", source, kind_of=kind(t, target)) if is_play else ()
    banning += find_prohibitions(rules, t, effects, "be_targeted", target, by=you)
    if banning and clause is C.CARD_OVER_RULE:
        note(t, C.PROHIBITION_BEATS_PERMISSION, source, target, *banning)
    about: tuple[Subject, ...] = (target, *banning)
    yield C.CARD_FORBIDS, not banning, *about


def is_legal_target(
    rules: Rules, t: Table, effects: EffectsInForce, you: Seat, source: CardId, target: CardId, *, is_play: bool = True
) -> bool:
    return all_hold(target_checks(rules, t, effects, you, source, target, is_play=is_play))


def all_hold(asked: Iterable[Check]) -> bool:
    return all(map(_IS_MET, asked))


@implements(C.FIELD, C.FRIENDS_SHARE)
def _allowed(rules: Rules, t: Table, you: Seat, target: CardId) -> tuple[Clause, bool]:
    """Return whether the rules allow the target, and the clause that decides."""
    target_kind = kind(t, target)
    if not target_kind:
        return C.NO_OTHER_TARGET, False
    target_controller = controller(t, target)
    if target_controller == you or are_friends(rules, you, target_controller) or is_played(t, target):
        return C.ALWAYS_TARGETS, True
    extended = t.pieces[target].stance == EXTENDED
    own_turn = t.clock.active == you
    if target_kind == "character":
        if not extended:
            return C.ALWAYS_TARGETS, True
        return (C.OWN_TURN_TARGETS, True) if own_turn else (C.OFFTURN_EXTENDED_CHARACTER, False)
    if extended:
        return C.OPPONENTS_EXTENDED_SPELL, False
    if own_turn or rules.offturn_spended_spells:
        return C.OWN_TURN_TARGETS, True
    return C.OFFTURN_SPENDED_SPELL, False
