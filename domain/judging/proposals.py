"""Penalties and ends that a match's policy proposes, and departures of rulings from them."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.law import disputes as D
from domain.law.docket import docket_of
from domain.law.entries import RECORD_ENTRIES, entry_facts, line, tables_between
from domain.law.policy import Policy, explain_excess, policy_of, propose_step
from domain.law.record import Record
from domain.table.facts import Shown
from domain.table.table import CardId, Seat, Table
from domain.words import Text, listed

VERDICT_OF: Final[dict[str, D.Verdict]] = {"not_allowed": "not_allowed", "consequences": "wrong_outcome"}
"""The proposed verdict for each kind of finding."""


class ProposedEnd(Struct, frozen=True):
    """A proposed end of a match by the penalty in entry `entry`. `reason` cites policy, step and infraction by id."""

    entry: int
    penalty: D.Penalty
    winner: Seat
    reason: str


def propose_end(record: Record, table: Table) -> ProposedEnd | None:
    """Return the end that the policy gives to a match still running after a match-ending penalty, or None. Only
    two-player matches are covered: with more seats there is no single winner."""
    policy, seats = policy_of(record.opening.policy), record.opening.seats
    if table.result is not None or not isinstance(policy, Policy) or len(seats) != 2:
        return None
    for entry, penalty in reversed(docket_of(record.entries).penalties):
        if penalty.step in policy.step and policy.step[penalty.step].ends_match:
            (winner,) = (seat for seat in seats if seat != penalty.seat)
            what = ", ".join(filter(None, (penalty.step, penalty.infraction)))
            return ProposedEnd(entry, penalty, winner, f"{what} ({policy.name} {policy.version}, #{entry})")
    return None


def explain_departure(policy: Policy, penalty: D.Penalty, before: Sequence[D.Penalty]) -> Text | None:
    """Describe how a penalty departs from the policy; None if it does not. `before` are the earlier penalties that
    count."""
    if not penalty.infraction:
        return Text("policy.no_infraction", {"seat": penalty.seat, "infractions": listed(policy.infraction)})
    proposed = propose_step(policy, penalty.infraction, len(before))
    if proposed == penalty.step:
        return None
    return Text("policy.other_step", {"seat": penalty.seat, "proposed": proposed, "step": penalty.step})


def unknown_word(policy: Policy, penalty: D.Penalty) -> Text | None:
    """Describe a step or infraction that the policy does not define; None if both are known."""
    if penalty.step not in policy.step:
        return Text("policy.no_step", {"step": repr(penalty.step), "steps": listed(policy.step)})
    if penalty.infraction and penalty.infraction not in policy.infraction:
        infractions = listed(policy.infraction)
        return Text("policy.unknown", {"infraction": repr(penalty.infraction), "infractions": infractions})
    return None


def explain_rewind_excess(policy: Policy, record: Record, to: int) -> Text | None:
    """Describe why a rewind goes further than the policy proposes; None if it does not."""
    return explain_excess(policy, len(list_undone(record, to)[0]), count_learned(record, to))


def list_undone(record: Record, to: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entries that a rewind to entry `to` undoes, and the later ones that stay in force. Disputes, rulings,
    clock entries, notes and calls stay: they concern the record, not the game."""
    undone = sorted({*line(record.entries)} - {*line(record.entries, to)})
    stays = tuple(number for number in undone if isinstance(record.entries[number - 1], RECORD_ENTRIES))
    return tuple(number for number in undone if number not in stays), stays


def count_learned(record: Record, to: int) -> int:
    """Count the cards that any seat has come to know since entry `to`, each once. A rewind cannot undo this."""
    start, last = record.after(to), len(record.entries)
    if to >= last:
        return 0
    viewers = [record.eyes(seat) for seat in start.seats]
    known = {(eyes.viewer, card) for eyes in viewers for card in start.pieces if eyes.knows(start, card)}
    later: set[tuple[Seat, CardId]] = set()
    for _, entry, before, table in tables_between(record.entries, to + 1, last, start):
        later |= {(eyes.viewer, card) for eyes in viewers for card in table.pieces if eyes.knows(table, card)}
        for _, fact in entry_facts(entry):
            if isinstance(fact, Shown):
                # a card shown only briefly is hidden again on the table after the entry
                later |= {
                    (eyes.viewer, card) for eyes in viewers if eyes.can_see_faces(before, fact) for card in fact.cards
                }
    return len({card for _, card in later - known})
