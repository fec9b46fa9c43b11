"""The time left at a table: the round's length, stops by judges, and extensions."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.law.disputes import Paused, Resumed
from domain.law.entries import Closed, Entry, Noted
from domain.law.timers import MINUTE_MS, MINUTES_MAX, RoundTimer, is_timer_note, read_minutes, timer_note
from domain.words import Text
from projections.clocks import Countdown
from projections.match_status import read_status
from projections.tables import TableStatus, read_table_status, update_table_status
from tests.shelves import SHELVES

FIRST, *_ = SHELVES["blackpoker"].entries("normal")
BEGIN = 10 * MINUTE_MS
LENGTH = Noted(by="head Kato", text=timer_note(RoundTimer(50)))
TAKEN_BACK = Noted(by="head Kato", text=timer_note(RoundTimer(50), "timer_stop"), at=BEGIN + 1)


def make_start(at: int, minutes: int = 50) -> Noted:
    return Noted(by="head Kato", text=timer_note(RoundTimer(minutes, at), "timer_start"), at=at + 1)


def played(*entries: Entry) -> TableStatus:
    return read_table_status("m", [FIRST, *entries])


def minutes_left(now: TableStatus, minute: float) -> float:
    assert now.countdown is not None
    return now.countdown.remaining_ms(int(minute * MINUTE_MS)) / MINUTE_MS


def test_a_round_counts_down_from_its_start_and_goes_over() -> None:
    assert played().countdown is None
    assert played(LENGTH).countdown == Countdown(minutes=50)
    begun = played(LENGTH, make_start(BEGIN))
    assert [minutes_left(begun, minute) for minute in (10, 35, 60, 63)] == [50, 25, 0, -3]
    assert read_status([FIRST, make_start(BEGIN)]).countdown == begun.countdown


def test_stops_and_extensions_move_the_end_and_a_stopped_clock_keeps_what_was_left() -> None:
    stops = [Paused(by="kato", at=20 * MINUTE_MS), Resumed(by="kato", at=24 * MINUTE_MS, extension=2 * MINUTE_MS)]
    stopped = played(make_start(BEGIN), stops[0])
    assert [minutes_left(stopped, minute) for minute in (20, 30)] == [40, 40]
    going = update_table_status(stopped, [stops[1]])
    assert minutes_left(going, 24) == 42 and going.given_back(24 * MINUTE_MS) == (4 * MINUTE_MS, 2 * MINUTE_MS)


def test_a_stop_before_the_start_gives_back_only_what_came_after_it() -> None:
    early = [Paused(by="kato", at=8 * MINUTE_MS), make_start(BEGIN)]
    assert minutes_left(played(*early), 30) == 50
    going = played(*early, Resumed(by="kato", at=13 * MINUTE_MS))
    assert minutes_left(going, 13) == 50 and going.given_back(13 * MINUTE_MS) == (3 * MINUTE_MS, 0)


def test_a_start_can_be_taken_back_and_given_anew() -> None:
    begun = played(make_start(BEGIN))
    back = update_table_status(begun, [TAKEN_BACK])
    assert back.countdown == Countdown(minutes=50)
    assert minutes_left(update_table_status(back, [make_start(2 * BEGIN, 40)]), 20) == 40


def test_no_time_is_left_of_what_is_closed_or_a_branch() -> None:
    assert played(make_start(BEGIN), Closed(by="judge")).countdown is None
    branch = [replace(FIRST, parent="M-1"), make_start(BEGIN)]  # type: ignore[call-arg]
    assert read_table_status("m", branch).countdown is None and read_status(branch).countdown is UNSET
    assert update_table_status(read_table_status("m", branch), [make_start(BEGIN)]).countdown is None


@pytest.mark.parametrize("given", ["0", "-5", "1441", "9" * 30, "fifty", "12.5", "", "1e2"])
def test_a_length_that_is_none_is_refused_in_words(given: str) -> None:
    wrong = read_minutes(given)
    assert isinstance(wrong, Text) and "1 to 1440" in wrong and "整数" in wrong.say("ja")


def test_a_length_is_read_as_people_type_it() -> None:
    assert [read_minutes(given) for given in (" 50 ", "\uff15\uff10", 50, MINUTES_MAX)] == [50, 50, 50, MINUTES_MAX]


@pytest.mark.parametrize(
    "text",
    ["[timer minutes=50] p1 holds the ace", "[timer minutes=0]", "[timer minutes=99999]", "[timer]", "[timer n=50]",
     '[timer minutes="50"]', '[timer says="seat" minutes=50]', "50 minutes",
     '[timer says="timer_start" minutes=50]', '[timer says="timer_start" minutes=50 at=-1]', "[timer minutes=50 at=5]"],
)  # fmt: skip
def test_only_a_note_of_the_timer_and_nothing_else_counts(text: str) -> None:
    assert not is_timer_note(text)
    assert played(Noted(by="head Kato", text=text, at=BEGIN)).countdown is None
