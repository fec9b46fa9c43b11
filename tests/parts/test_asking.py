"""Questions: what enters a lane, which action answers, what is skipped, and the shapes of questions."""

import pytest

from domain.law.actions import Concede, Pass
from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts import asking as Q
from domain.table.facts import Clocked, Finished, Popped, Pushed
from domain.table.table import CHANCE, CardId, Clock, Frame, Result, Seat, blank
from tests.rows import for_each

P1, WHY = Seat("p1"), Clause("T-1")
A, B, C, D = map(CardId, range(1, 5))


@pytest.fixture
def t() -> LiveTable:
    return LiveTable(blank((P1,)))


def test_a_question_serves_its_first_frame_as_long_as_that_is_there(t: LiveTable) -> None:
    first = Q.next_frame(t)
    served = Q.push(t, WHY, "running", "search", P1, step="find")
    Q.ask(t, WHY, "pick", P1, served, cards=(A, B))
    Q.ask(t, WHY, "shuffle", CHANCE, seats=(P1,))
    asked = Q.open_question(t)
    assert served == first and asked is not None and (asked.kind, asked.cards) == ("pick", (A, B))
    assert Q.served(t, asked) == t.running[0] and Q.served(t, t.asked[1]) is None
    t.emit(WHY, Popped(served, "done"))
    assert Q.served(t, asked) is None
    assert [type(fact) for clause, fact in t.facts if clause == WHY] == [Pushed, Pushed, Pushed, Popped]


def test_who_is_asked_is_awaited_before_whom_the_clock_waits_for(t: LiveTable) -> None:
    t.emit(WHY, Clocked(Clock(turn=1, awaited=(P1,))))
    assert Q.awaited(t) == (P1,)
    Q.ask(t, WHY, "coin", CHANCE)
    assert Q.awaited(t) == (CHANCE,)
    t.emit(WHY, Finished(Result((), "draw")))
    assert Q.awaited(t) == ()


def test_chance_is_asked_only_what_is_put_to_it_now(t: LiveTable) -> None:
    assert Q.open_question(t) is Q.asked_of_chance(t) is None
    Q.ask(t, WHY, "coin", CHANCE)
    asked = Q.asked_of_chance(t)
    assert asked is not None and asked.kind == "coin"
    t.emit(WHY, Popped(asked.id, "answered"))
    Q.ask(t, WHY, "pick", P1)
    assert Q.asked_of_chance(t) is None


def test_an_action_answers_by_its_verb_or_by_the_one_named_for_the_kind(t: LiveTable) -> None:
    Q.ask(t, WHY, "pass", P1)
    asked = Q.open_question(t)
    assert asked is not None and Q.answers(asked, Pass()) and not Q.answers(asked, Concede())
    assert Q.answers(asked, Concede(), {"pass": "concede"}) and not Q.answers(asked, Pass(), {"pass": "concede"})


def test_questions_are_skipped_until_the_one_that_is_answered(t: LiveTable) -> None:
    for kind in ("first", "second", "pass", "third"):
        Q.ask(t, WHY, kind, P1)
    skipped: list[str] = []
    Q.skip_questions(t, WHY, lambda asked: Q.answers(asked, Pass()), lambda asked: skipped.append(asked.kind))
    assert skipped == ["first", "second"] and [asked.kind for asked in t.asked] == ["pass", "third"]


def test_skipping_ends_where_questions_never_do(t: LiveTable) -> None:
    Q.ask(t, WHY, "again", P1)
    skipped: list[str] = []

    def once_more(asked: Frame) -> None:
        skipped.append(asked.kind)
        Q.ask(t, WHY, "again", P1)

    Q.skip_questions(t, WHY, lambda asked: False, once_more)
    assert len(skipped) == Q.SKIPS_MAX


@for_each(
    "named, least, most, fits",
    [
        ((A,), 1, 1, True),
        ((A, B), 1, 2, True),
        ((), 0, 2, True),
        ((), 1, 2, False),
        ((A, B, C), 1, 2, False),
        ((A, A), 1, 2, False),
        ((D,), 1, 2, False),
    ],
)
def test_a_pick_is_of_what_is_offered_each_once_and_within_its_bounds(
    named: tuple[CardId, ...], least: int, most: int, fits: bool
) -> None:
    assert Q.is_valid_choice(named, (A, B, C), least, most) is fits


def test_an_order_names_the_same_things() -> None:
    assert Q.is_reordering((B, A, C), (A, B, C)) and Q.is_reordering((), ())
    assert not Q.is_reordering((A, A, B), (A, B, B)) and not Q.is_reordering((A,), (A, B))


def test_a_question_for_a_yes_can_be_answered_both_ways() -> None:
    assert list(Q.yes_or_no("draw").fillings()) == [False, True]
