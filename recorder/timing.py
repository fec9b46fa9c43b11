"""The timer of a round: started, or its start taken back, in all its matches that go on."""

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
"""Attempts per match: others record in it at the same time."""


class TimedMatch(Struct, frozen=True):
    """A match of a round that goes on, and its timer."""

    match: str
    timer: RoundTimer | None


class Timing(Struct, frozen=True):
    """An act at the timer of a round: its start, or with `stop` the start taken back. `timer` is what then holds."""

    timer: RoundTimer
    by: str
    at: int
    command: Command | None = None
    stop: bool = False


def set_timer(store: Store, timed: Iterable[TimedMatch], act: Timing) -> tuple[str, ...] | Conflict | Reused:
    """Write the act into every match where it changes something, and return those matches.

    What fails in between is made good by the same act once more. Raises StoreError.
    """
    text = timer_note(act.timer, "timer_stop" if act.stop else "timer_start")
    done: list[str] = []
    for each in timed:
        started = each.timer is not None and each.timer.start > 0
        if started != act.stop:
            continue
        answer = _write(store, each.match, text, act)
        if isinstance(answer, Conflict | Reused):
            return answer
        if isinstance(answer, RecordResult):
            done.append(each.match)
    return tuple(done)


def _write(store: Store, match: str, text: str, act: Timing) -> Answer:
    answer = matches.note(store, match, act.by, text, command=act.command, at=act.at)
    for _ in range(TRIES):
        if not isinstance(answer, Conflict):
            break
        answer = matches.note(store, match, act.by, text, command=act.command, at=act.at)
    return answer
