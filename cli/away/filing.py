"""What people decide about a match beside its play, recorded at a service, and its disputes as it tells them."""

from cli.answer import Answer
from cli.away.asking import Away
from cli.away.writing import expect_head, read_id, require_own_name, write
from cli.context import Desk
from cli.dispute.filing import read_pairs, read_penalties, read_time
from cli.evidence.pledging import read_reveal
from cli.record.outcome import Written
from cli.values import Entering, Repairing
from domain.law import disputes as D
from domain.table.table import Seat
from projections.disputes import SeenDispute, render_disputes
from projections.seen_entries import line_seen
from service import commands as C


def dispute(
    desk: Desk,
    match: str,
    about: int | None,
    thing: int,
    clause: str,
    claims: list[str] | None,
    within: int,
    entering: Entering,
) -> Answer[Written]:
    """Say that something was wrong, and what each seat claims; or add claims to a dispute."""
    require_own_name(desk, entering.by)
    away = Away(desk, match)
    at = 0 if about is None else away.entry(about)
    said = {Seat(seat): text for seat, text in read_pairs(desk, "--claim", claims)}
    if at and at not in line_seen(away.entries):
        desk.hint("dispute.left", entry=at)
    command = C.Dispute(
        id=read_id(entering.command_id), about=at, thing=thing, clause=clause, claims=said, dispute=within
    )
    return write(away, command, expect_head(away, entering.expect))


def rule(
    desk: Desk,
    match: str,
    opened: int,
    verdict: D.Verdict,
    repairing: Repairing,
    reason: str,
    entering: Entering,
    viewer: str,
) -> Answer[Written]:
    """Rule on a dispute."""
    require_own_name(desk, entering.by)
    away = Away(desk, match, viewer)
    command = C.Rule(
        id=read_id(entering.command_id),
        dispute=opened,
        verdict=verdict,
        clauses=tuple(repairing.clauses or ()),
        penalties=_penalties(desk, repairing.penalties),
        to=_back(away, repairing),
        facts=tuple(repairing.facts or ()),
        reason=reason,
        departure=repairing.departure,
    )
    return write(away, command, expect_head(away, entering.expect))


def appeal(desk: Desk, match: str, opened: int, reason: str, entering: Entering) -> Answer[Written]:
    """Appeal the ruling on a dispute."""
    require_own_name(desk, entering.by)
    away = Away(desk, match)
    command = C.Appeal(id=read_id(entering.command_id), dispute=opened, reason=reason)
    return write(away, command, expect_head(away, entering.expect))


def decide(
    desk: Desk,
    match: str,
    opened: int,
    result: D.Outcome,
    reason: str,
    verdict: D.Verdict | None,
    repairing: Repairing,
    entering: Entering,
    viewer: str,
) -> Answer[Written]:
    """Decide an appeal."""
    if (verdict is None) == (result == "overturned"):
        raise desk.problem("decide.verdict")
    require_own_name(desk, entering.by)
    away = Away(desk, match, viewer)
    command = C.Decide(
        id=read_id(entering.command_id),
        dispute=opened,
        outcome=result,
        reason=reason,
        verdict=verdict,
        clauses=tuple(repairing.clauses or ()),
        penalties=_penalties(desk, repairing.penalties),
        to=_back(away, repairing),
        facts=tuple(repairing.facts or ()),
        departure=repairing.departure,
    )
    return write(away, command, expect_head(away, entering.expect))


def penalise(
    desk: Desk,
    match: str,
    penalty: str,
    reason: str,
    departure: str,
    entering: Entering,
) -> Answer[Written]:
    """Give a penalty that no dispute led to."""
    require_own_name(desk, entering.by)
    (given,) = _penalties(desk, [penalty])
    away = Away(desk, match)
    command = C.Penalise(id=read_id(entering.command_id), penalty=given, reason=reason, departure=departure)
    return write(away, command, expect_head(away, entering.expect))


def pause(desk: Desk, match: str, reason: str, entering: Entering) -> Answer[Written]:
    """Stop the match's clock."""
    require_own_name(desk, entering.by)
    away = Away(desk, match)
    return write(away, C.Pause(id=read_id(entering.command_id), reason=reason), expect_head(away, entering.expect))


def resume(desk: Desk, match: str, extend: str, entering: Entering) -> Answer[Written]:
    """Let play go on."""
    require_own_name(desk, entering.by)
    command = C.Resume(id=read_id(entering.command_id), extension=read_time(desk, extend))
    away = Away(desk, match)
    return write(away, command, expect_head(away, entering.expect))


def reveal(
    desk: Desk, match: str, seat: str, secret: str, missing: bool, reason: str, entering: Entering
) -> Answer[Written]:
    """Reveal what a seat had pledged, or record that it does not."""
    said = read_reveal(desk, secret, reason, missing=missing)
    require_own_name(desk, entering.by)
    away = Away(desk, match)
    command = C.Reveal(id=read_id(entering.command_id), seat=Seat(seat), secret=said, reason=reason)
    return write(away, command, expect_head(away, entering.expect))


def disputes(desk: Desk, match: str, pending: bool, viewer: str) -> Answer[tuple[SeenDispute, ...]]:
    """The disputes of a match."""
    away = Away(desk, match, viewer)
    shown = away.match.disputes(open=pending)

    def draw() -> None:
        desk.screen.rows(render_disputes(away.law.game, shown, away.names, desk.lang, desk.zone))
        if not shown:
            desk.tell("dispute.none", match=away.match.id)

    return Answer(lambda: shown, draw)


def _penalties(desk: Desk, texts: list[str] | None) -> tuple[C.Penalty, ...]:
    given = read_penalties(desk, texts)
    return tuple(C.Penalty(seat=each.seat, step=each.step, infraction=each.infraction) for each in given)


def _back(away: Away, repairing: Repairing) -> int:
    """The entry from which the match goes on; 0 for none. Raises Problem."""
    if repairing.to is None:
        return 0
    if repairing.facts:
        raise away.desk.problem("cli.not_both", one="--to", other="--fact")
    return away.entry(repairing.to)
