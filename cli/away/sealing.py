"""Seals of a match at a service, broken and put back by whoever holds the token."""

from collections.abc import Callable

from cli.answer import Answer
from cli.away.asking import Away
from cli.away.writing import read_id, require_own_name, sending
from cli.context import Desk
from cli.record.outcome import Written, tell_written
from cli.values import Entering
from projections.seen_entries import SeenEntry


def unseal(desk: Desk, match: str, eyes: str, minutes: int, entering: Entering) -> Answer[Written]:
    """Look at hidden cards from here on, and record with whose eyes."""
    away, id = _begin(desk, match, entering), read_id(entering.command_id)
    with sending(desk, "client.maybe", id=str(id)):
        broken = away.match.break_seal(eyes, minutes, id=id)
    return _tell(
        away, lambda entry: entry.seen == "unsealed" and (entry.eyes, entry.until) == (broken.viewer, broken.ends)
    )


def reseal(desk: Desk, match: str, eyes: str, entering: Entering) -> Answer[Written]:
    """Look no more, and record that."""
    away, id = _begin(desk, match, entering), read_id(entering.command_id)
    with sending(desk, "client.maybe", id=str(id)):
        sealed = away.match.seal(eyes, id=id)
    return _tell(away, lambda entry: entry.number == sealed.entry)


def _begin(desk: Desk, match: str, entering: Entering) -> Away:
    """The match. A seal is broken whatever was recorded meanwhile. Raises Problem."""
    require_own_name(desk, entering.by)
    if entering.expect is not None:
        raise desk.problem("client.no_expect")
    return Away(desk, match)


def _tell(away: Away, holds: Callable[[SeenEntry], bool]) -> Answer[Written]:
    """The newest entry that this holds for, told as it was recorded."""
    entry = next(filter(holds, reversed(tuple(away.match.entries()))), None)
    entries, number = ((), 0) if entry is None else ((entry,), entry.number)
    return tell_written(away.desk, away.law.game, away.names, Written(away.match.id, number, number, entries))
