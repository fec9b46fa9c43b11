"""The timer of a round: its length and its start, held as notes in each match of the round."""

from collections.abc import Iterable
from typing import Final, Literal, get_args
from unicodedata import normalize

from msgspec import Struct

from domain.law.entries import Entry, Noted
from domain.law.remarks import read_remark, write_remark
from domain.words import Text
from domain.words.foreign import quoted

MINUTES_MAX: Final = 1_440
MINUTE_MS: Final = 60_000
START_MS_MAX: Final = 10**14
"""Latest start in milliseconds since 1970."""
TimerNoteKind = Literal["timer", "timer_start", "timer_stop"]


class RoundTimer(Struct, frozen=True):
    """The length of a round in minutes, and its start (milliseconds since 1970; 0: not started)."""

    minutes: int
    start: int = 0


def read_minutes(given: str | int) -> int | Text:
    """Return the length of a round in minutes, or an error message."""
    text = normalize("NFKC", str(given)).strip()
    if text.isascii() and text.isdecimal() and len(text) <= len(str(MINUTES_MAX)) and 1 <= int(text) <= MINUTES_MAX:
        return int(text)
    return Text("timer.minutes", {"most": MINUTES_MAX, "given": quoted(text)})


def timer_note(timer: RoundTimer, says: TimerNoteKind = "timer") -> str:
    """Return the text of a timer note: the length, the start, or the cancelled start."""
    start = {"at": timer.start} if says == "timer_start" else {}
    return write_remark("timer", Text(f"remark.{says}", {"minutes": timer.minutes, **start}))


def is_timer_note(text: str) -> bool:
    """True for a timer note without other text, which any viewer of the match may read."""
    return _read_note(text) is not None


def read_timer(entries: Iterable[Entry], before: RoundTimer | None = None) -> RoundTimer | None:
    """Return the timer after these entries; None without one. `before` is the timer before them."""
    timer = before
    for entry in entries:
        if isinstance(entry, Noted) and (parsed := _read_note(entry.text)) is not None:
            timer = parsed
    return timer


def _read_note(text: str) -> RoundTimer | None:
    parsed = read_remark(text)
    if parsed is None or parsed.kind != "timer" or parsed.more or parsed.old:
        return None
    says, values = parsed.says.key.removeprefix("remark."), dict(parsed.says.values)
    minutes, start = values.pop("minutes", 0), values.pop("at", 0)
    fits = isinstance(minutes, int) and 1 <= minutes <= MINUTES_MAX and isinstance(start, int)
    if (
        values
        or not fits
        or says not in get_args(TimerNoteKind)
        or (0 < start <= START_MS_MAX) != (says == "timer_start")
    ):
        return None
    return RoundTimer(minutes, start)
