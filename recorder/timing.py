"""Start or stop the timer of a round in all its open matches."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.law.timers import RoundTimer, timer_note
from recorder import matches
from recorder.answers import RecordResult, Reused
from recorder.commands import Command
from recorder.match_writer import Answer
from recorder.store import Conflict, Store

TRIES: Final = 20
"""Attempts for each match, since others write at the same time."""


class TimedMatch(Struct, frozen=True):
    match: str
    timer: RoundTimer | None


class Timing(Struct, frozen=True):
    """A change of a round's timer: a start, or with `stop` its withdrawal. `timer` is the state after it."""

    timer: RoundTimer
    by: str
    at: int
    command: Command | None = None
    stop: bool = False


def set_timer(store: Store, timed: Iterable[TimedMatch], change: Timing) -> tuple[str, ...] | Conflict | Reused:
    """Record the change in every match that it affects, and return those matches. Repeating the change completes one
    that failed half-way. Raises StoreError."""
    text = timer_note(change.timer, "timer_stop" if change.stop else "timer_start")
    done: list[str] = []
    for each in timed:
        started = each.timer is not None and each.timer.start > 0
        if started != change.stop:
            continue
        answer = _write(store, each.match, text, change)
        if isinstance(answer, Conflict | Reused):
            return answer
        if isinstance(answer, RecordResult):
            done.append(each.match)
    return tuple(done)


def _write(store: Store, match: str, text: str, change: Timing) -> Answer:
    answer = matches.note(store, match, change.by, text, command=change.command, at=change.at)
    for _ in range(TRIES):
        if not isinstance(answer, Conflict):
            break
        answer = matches.note(store, match, change.by, text, command=change.command, at=change.at)
    return answer
