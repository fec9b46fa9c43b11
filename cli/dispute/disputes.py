"""Disputes, rulings, appeals, penalties, pauses and broken seals."""

from collections.abc import Iterable
from typing import Annotated, Final

from cli.answer import Answer
from cli.backends import Backend, open_backend
from cli.context import CommandContext
from cli.readers import LocalQueries, open_reader
from cli.record.outcome import RecordedEntries
from cli.values import ENTERING, LEAVING, Entering, Match, Reason, Repairing, Viewer
from domain.law import disputes as D
from domain.law.docket import read_extension
from domain.table.table import Seat
from domain.words import Text
from projections.disputes import SeenDispute, render_disputes, seen_disputes
from recorder.usecases import commands as C

DisputeNumber = Annotated[int, "DISPUTE"]
VERDICT: Final = "--verdict not_allowed|wrong_outcome|no_fault|unclear"
Verdict = Annotated[D.Verdict, VERDICT]
Outcome = Annotated[D.Outcome, "--outcome upheld|overturned|remanded"]
Departure = Annotated[str, "--departure TEXT"]


def dispute(
    ctx: CommandContext,
    match: Match,
    about: Annotated[int | None, "--at N"] = None,
    thing: Annotated[int, "--thing N", {"min": 0}] = 0,
    clause: Annotated[str, "--clause CLAUSE"] = "",
    claims: Annotated[list[str] | None, "--claim SEAT=TEXT"] = None,
    within: Annotated[int, "--in DISPUTE", {"min": 0}] = 0,
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    """Open a dispute with what each player claims, or add claims to one."""
    with open_backend(ctx, match, entering) as backend:
        at = 0 if about is None else backend.entry(about)
        given_claims = {Seat(seat): text for seat, text in read_pairs(ctx, "--claim", claims)}
        if at and at not in backend.line():
            ctx.hint("dispute.left", entry=at)
        command = C.OpenDispute(about=at, thing=thing, clause=clause, claims=given_claims, dispute=within)
        return backend.execute(command)


def rule(
    ctx: CommandContext,
    match: Match,
    opened: DisputeNumber,
    verdict: Verdict,
    repairing: Repairing = LEAVING,
    ask: Annotated[bool, "--ask"] = False,
    reason: Reason = "",
    entering: Entering = ENTERING,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, entering, viewer) as backend:
        command = C.Rule(
            dispute=opened,
            verdict=verdict,
            clauses=tuple(repairing.clauses or ()),
            penalties=read_penalties(ctx, repairing.penalties),
            to=_read_to(ctx, backend, repairing),
            facts=tuple(repairing.facts or ()),
            reason=reason,
            departure=repairing.departure,
            asks=ask,
        )
        return backend.execute(command)


def appeal(
    ctx: CommandContext, match: Match, opened: DisputeNumber, reason: Reason, entering: Entering = ENTERING
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, entering) as backend:
        return backend.execute(C.Appeal(dispute=opened, reason=reason))


def decide(
    ctx: CommandContext,
    match: Match,
    opened: DisputeNumber,
    result: Outcome,
    reason: Reason,
    verdict: Annotated[D.Verdict | None, VERDICT] = None,
    repairing: Repairing = LEAVING,
    entering: Entering = ENTERING,
    viewer: Viewer = "spectator",
) -> Answer[RecordedEntries]:
    """Decide an appeal. An overturned ruling needs its replacement."""
    if (verdict is None) == (result == "overturned"):
        raise ctx.problem("decide.verdict")
    with open_backend(ctx, match, entering, viewer) as backend:
        command = C.Decide(
            dispute=opened,
            outcome=result,
            reason=reason,
            verdict=verdict,
            clauses=tuple(repairing.clauses or ()),
            penalties=read_penalties(ctx, repairing.penalties),
            to=_read_to(ctx, backend, repairing),
            facts=tuple(repairing.facts or ()),
            departure=repairing.departure,
        )
        return backend.execute(command)


def penalise(
    ctx: CommandContext,
    match: Match,
    penalty: Annotated[str, "SEAT=STEP"],
    reason: Reason = "",
    departure: Departure = "",
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    (given,) = read_penalties(ctx, [penalty])
    with open_backend(ctx, match, entering) as backend:
        return backend.execute(C.Penalise(penalty=given, reason=reason, departure=departure))


def pause(
    ctx: CommandContext, match: Match, reason: Reason = "", entering: Entering = ENTERING
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, entering) as backend:
        return backend.execute(C.Pause(reason=reason))


def resume(
    ctx: CommandContext,
    match: Match,
    extend: Annotated[str, "--extend TIME"] = "0",
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    command = C.Resume(extension=_read_time(ctx, extend))
    with open_backend(ctx, match, entering) as backend:
        return backend.execute(command)


def unseal(
    ctx: CommandContext,
    match: Match,
    eyes: Annotated[str, "--eyes VIEWER"],
    minutes: Annotated[int, "--minutes N", {"min": 0}] = 0,
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, entering) as backend:
        return backend.break_seal(Seat(eyes), minutes)


def reseal(
    ctx: CommandContext,
    match: Match,
    eyes: Annotated[str, "--eyes VIEWER"],
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    with open_backend(ctx, match, entering) as backend:
        return backend.seal(Seat(eyes))


class LocalDisputes(LocalQueries):
    def disputes(self, *, open: bool = False) -> tuple[SeenDispute, ...]:
        every = seen_disputes(self.record, self.id, self.eyes)
        return tuple(seen for seen in every if not open or seen.pending)


def disputes(
    ctx: CommandContext, match: Match, pending: Annotated[bool, "--open"] = False, viewer: Viewer = "spectator"
) -> Answer[tuple[SeenDispute, ...]]:
    reader = open_reader(ctx, LocalDisputes, match, viewer)
    shown = reader.match.disputes(open=pending)

    def draw() -> None:
        ctx.screen.rows(render_disputes(reader.law.game, shown, reader.names, ctx.lang, ctx.zone))
        if not shown:
            ctx.print_message("dispute.none", match=reader.match.id)

    return Answer(lambda: shown, draw)


def _read_time(ctx: CommandContext, text: str) -> int:
    seconds = read_extension(text)
    if isinstance(seconds, Text):
        raise ctx.refuse(seconds)
    return seconds


def read_pairs(ctx: CommandContext, option: str, texts: Iterable[str] | None) -> list[tuple[str, str]]:
    """Return the pairs of `SEAT=TEXT`. Raises CommandError if a seat is missing or repeated."""
    pairs = [text.partition("=") for text in texts or ()]
    seats = [seat for seat, _, _ in pairs]
    for seat, sign, _ in pairs:
        if not sign or not seat or seats.count(seat) > 1:
            raise ctx.problem("cli.no_pair", option=option, text=repr(seat))
    return [(seat, text.strip()) for seat, _, text in pairs]


def read_penalties(ctx: CommandContext, texts: Iterable[str] | None) -> tuple[C.PenaltyInput, ...]:
    """Return the penalties of `SEAT=STEP`, `SEAT=STEP:INFRACTION` or `SEAT`. Raises CommandError."""
    pairs = read_pairs(ctx, "--penalty", (text if "=" in text else f"{text}=" for text in texts or ()))
    parts = ((seat, *text.partition(":")) for seat, text in pairs)
    return tuple(
        C.PenaltyInput(seat=Seat(seat), step=step, infraction=infraction) for seat, step, _, infraction in parts
    )


def _read_to(ctx: CommandContext, backend: Backend, repairing: Repairing) -> int:
    if repairing.to is None:
        return 0
    if repairing.facts:
        raise ctx.problem("cli.not_both", one="--to", other="--fact")
    return backend.entry(repairing.to)
