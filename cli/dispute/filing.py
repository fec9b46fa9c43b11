"""What people decide beside the play, recorded: disputes and rulings, appeals, penalties, pauses, broken seals."""

from collections.abc import Iterable
from typing import Annotated, Final

from cli.answer import Answer
from cli.context import Desk
from cli.record import outcome
from cli.record.amend import read_facts
from cli.record.outcome import Written
from cli.values import ENTERING, LEAVING, Entering, Match, Reason, Repairing, Viewer
from domain.law import disputes as D
from domain.law.clause import Clause, Told
from domain.law.docket import SECOND, read_extension
from domain.law.entries import line
from domain.table.table import Seat
from domain.words import Text
from projections.disputes import SeenDispute, render_disputes, seen_disputes
from recorder.clock import now
from recorder.filing import file, propose_penalty
from recorder.loading import Match as Loaded
from recorder.store import Store

DisputeNumber = Annotated[int, "DISPUTE"]
VERDICT: Final = "--verdict not_allowed|wrong_outcome|no_fault|unclear"
Verdict = Annotated[D.Verdict, VERDICT]
Outcome = Annotated[D.Outcome, "--outcome upheld|overturned|remanded"]
Departure = Annotated[str, "--departure TEXT"]
MINUTE = 60 * SECOND


def dispute(
    desk: Desk,
    match: Match,
    about: Annotated[int | None, "--at N"] = None,
    thing: Annotated[int, "--thing N", {"min": 0}] = 0,
    clause: Annotated[str, "--clause CLAUSE"] = "",
    claims: Annotated[list[str] | None, "--claim SEAT=TEXT"] = None,
    within: Annotated[int, "--in DISPUTE", {"min": 0}] = 0,
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Say that something was wrong, and what each seat claims; or add claims to a dispute."""
    with desk.changing(match) as (store, before):
        matter = D.Matter(0 if about is None else desk.entry(before, about), thing, Clause(clause))
        said = {Seat(seat): text for seat, text in read_pairs(desk, "--claim", claims)}
        entry = D.Disputed(by=entering.by, matter=matter, claims=said, dispute=within)
        if matter.entry and matter.entry not in line(before.entries):
            desk.hint("dispute.left", entry=matter.entry)
        return file_entry(desk, store, before, entry, "judge", entering)


def rule(
    desk: Desk,
    match: Match,
    opened: DisputeNumber,
    verdict: Verdict,
    repairing: Repairing = LEAVING,
    reason: Reason = "",
    entering: Entering = ENTERING,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Rule on a dispute: what happened, by which clauses, who is penalised, how it is mended."""
    with desk.changing(match) as (store, before):
        told = read_facts(desk, store, before, repairing.facts or (), entering.command_id)
        entry = D.Ruled(
            by=entering.by,
            dispute=opened,
            verdict=verdict,
            clauses=_clauses(repairing.clauses),
            penalties=_penalties(desk, store, before, repairing.penalties, verdict, opened),
            repair=_repair(desk, before, repairing.to, told),
            reason=reason,
            departure=repairing.departure,
        )
        return file_entry(desk, store, before, entry, viewer, entering, told)


def appeal(
    desk: Desk,
    match: Match,
    opened: DisputeNumber,
    reason: Reason,
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Appeal the ruling on a dispute."""
    with desk.changing(match) as (store, before):
        entry = D.Appealed(by=entering.by, dispute=opened, reason=reason)
        return file_entry(desk, store, before, entry, "judge", entering)


def decide(
    desk: Desk,
    match: Match,
    opened: DisputeNumber,
    result: Outcome,
    reason: Reason,
    verdict: Annotated[D.Verdict | None, VERDICT] = None,
    repairing: Repairing = LEAVING,
    entering: Entering = ENTERING,
    viewer: Viewer = "spectator",
) -> Answer[Written]:
    """Decide an appeal; where the ruling is overturned, with what stands in its place."""
    if (verdict is None) == (result == "overturned"):
        raise desk.problem("decide.verdict")
    with desk.changing(match) as (store, before):
        told = read_facts(desk, store, before, repairing.facts or (), entering.command_id)
        entry = D.Decided(
            by=entering.by,
            dispute=opened,
            outcome=result,
            reason=reason,
            verdict=verdict or "unclear",
            clauses=_clauses(repairing.clauses),
            penalties=_penalties(desk, store, before, repairing.penalties, verdict, opened),
            repair=_repair(desk, before, repairing.to, told),
            departure=repairing.departure,
        )
        return file_entry(desk, store, before, entry, viewer, entering, told)


def penalise(
    desk: Desk,
    match: Match,
    penalty: Annotated[str, "SEAT=STEP"],
    reason: Reason = "",
    departure: Departure = "",
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Give a penalty that no dispute led to."""
    with desk.changing(match) as (store, before):
        (given,) = _penalties(desk, store, before, [penalty], None)
        entry = D.Penalised(by=entering.by, penalty=given, reason=reason, departure=departure)
        return file_entry(desk, store, before, entry, "judge", entering)


def pause(desk: Desk, match: Match, reason: Reason = "", entering: Entering = ENTERING) -> Answer[Written]:
    """Stop the match's clock."""
    with desk.changing(match) as (store, before):
        return file_entry(desk, store, before, D.Paused(by=entering.by, reason=reason), "judge", entering)


def resume(
    desk: Desk,
    match: Match,
    extend: Annotated[str, "--extend TIME"] = "0",
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Let play go on, with as much more time as is given."""
    seconds = read_time(desk, extend)
    with desk.changing(match) as (store, before):
        entry = D.Resumed(by=entering.by, extension=seconds * SECOND)
        return file_entry(desk, store, before, entry, "judge", entering)


def unseal(
    desk: Desk,
    match: Match,
    eyes: Annotated[str, "--eyes VIEWER"],
    minutes: Annotated[int, "--minutes N", {"min": 0}] = 0,
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Record that somebody who is no player looks at hidden cards from here on, and with whose eyes."""
    with desk.changing(match) as (store, before):
        until = now() + minutes * MINUTE if minutes else 0
        entry = D.Unsealed(by=entering.by, eyes=Seat(eyes), until=until)
        return file_entry(desk, store, before, entry, "judge", entering)


def reseal(
    desk: Desk,
    match: Match,
    eyes: Annotated[str, "--eyes VIEWER"],
    entering: Entering = ENTERING,
) -> Answer[Written]:
    """Record that whoever looked at hidden cards does so no more."""
    with desk.changing(match) as (store, before):
        return file_entry(desk, store, before, D.Sealed(by=entering.by, eyes=Seat(eyes)), "judge", entering)


def disputes(
    desk: Desk, match: Match, pending: Annotated[bool, "--open"] = False, viewer: Viewer = "spectator"
) -> Answer[tuple[SeenDispute, ...]]:
    """The disputes of a match: what each is about, what was claimed and ruled, how it stands."""
    record, eyes, _ = desk.look(match, viewer)
    every = seen_disputes(record, record.id, eyes)
    shown = tuple(seen for seen in every if not pending or seen.pending)

    def draw() -> None:
        desk.screen.rows(render_disputes(record.game, shown, record.names, desk.lang, desk.zone))
        if not shown:
            desk.tell("dispute.none", match=record.id)

    return Answer(lambda: shown, draw)


def file_entry(
    desk: Desk,
    store: Store,
    before: Loaded,
    entry: D.Filed,
    viewer: str,
    entering: Entering,
    told: Told = (),
) -> Answer[Written]:
    """Record what somebody decides; how it is told."""
    expected, command_id = entering.expect, entering.command_id
    answer = file(store, before.id, entry, told, expected=expected, command_id=command_id, at=now())
    return outcome.answer_written(desk, store, before.id, answer, desk.eyes(before, viewer))


def read_time(desk: Desk, text: str) -> int:
    """The seconds of a time to add. Raises Problem."""
    seconds = read_extension(text)
    if isinstance(seconds, Text):
        raise desk.refuse(seconds)
    return seconds


def read_pairs(desk: Desk, option: str, texts: Iterable[str] | None) -> list[tuple[str, str]]:
    """`SEAT=TEXT`, each seat once. Raises Problem."""
    pairs = [text.partition("=") for text in texts or ()]
    seats = [seat for seat, _, _ in pairs]
    for seat, sign, _ in pairs:
        if not sign or not seat or seats.count(seat) > 1:
            raise desk.problem("cli.no_pair", option=option, text=repr(seat))
    return [(seat, text.strip()) for seat, _, text in pairs]


def _clauses(texts: Iterable[str] | None) -> tuple[Clause, ...]:
    return tuple(Clause(text) for text in dict.fromkeys(texts or ()))


def read_penalties(desk: Desk, texts: Iterable[str] | None) -> tuple[D.Penalty, ...]:
    """Penalties as typed: `SEAT=STEP` or `SEAT=STEP:INFRACTION`, a seat alone, or without a step. Raises Problem."""
    pairs = read_pairs(desk, "--penalty", (text if "=" in text else f"{text}=" for text in texts or ()))
    parts = ((seat, *text.partition(":")) for seat, text in pairs)
    return tuple(D.Penalty(Seat(seat), step, infraction) for seat, step, _, infraction in parts)


def _penalties(
    desk: Desk, store: Store, before: Loaded, texts: Iterable[str] | None, verdict: D.Verdict | None, within: int = 0
) -> tuple[D.Penalty, ...]:
    """Penalties as typed; one without a step is what the match's policy proposes for the infraction or the verdict.
    Raises Problem."""
    given: list[D.Penalty] = []
    for typed in read_penalties(desk, texts):
        proposed: D.Penalty | Text = typed
        if not typed.step:
            proposed = propose_penalty(store, before, typed.seat, typed.infraction, verdict, within)
        if isinstance(proposed, Text):
            raise desk.refuse(proposed)
        given.append(proposed)
    return tuple(given)


def _repair(desk: Desk, before: Loaded, to: int | None, told: Told) -> D.Repair:
    """How it is mended, by what was given for it. Raises Problem."""
    if to is not None and told:
        raise desk.problem("cli.not_both", one="--to", other="--fact")
    if to is not None:
        return D.Repair("rewind", desk.entry(before, to))
    return D.Repair("by_hand") if told else D.LEAVE
