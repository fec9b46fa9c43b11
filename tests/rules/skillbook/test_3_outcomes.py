"""Chapter 3: endings of a match, and refused results of chance."""

from domain.games.skillbook import actions as A
from domain.law.actions import Concede
from tests.rules.skillbook.position import BOOK, act, position
from tests.scenario import Scenario

BOOK_OF_TWO = {"p1.book": BOOK[:2], "p1.graveyard": BOOK[:1]}


def charged() -> Scenario:
    return position(phase="charge", step="choice", places=BOOK_OF_TWO).when("p1: charge").then(awaited=["chance"])


def test_3_15_only_who_plays_may_concede() -> None:
    for nobody in ("chance", "p3"):
        act(position(), nobody, Concede()).refused_by("SB-3.15")


def test_2_3_a_book_is_shuffled_whole_and_only_the_one_that_waits_for_it() -> None:
    asked = charged()
    book = asked.scene.table.places["p1.book"]  # type: ignore[index]
    for short in (book[1:], (*book[1:], book[1])):
        act(asked, "chance", A.ShuffleBook("p1", short)).refused_by("SB-2.3")  # type: ignore[arg-type]
    act(asked, "chance", A.ShuffleBook("p2", ())).refused_by("SB-2.3")  # type: ignore[arg-type]
    act(asked, "chance", A.ShuffleBook("p1", book[::-1])).then(turn=4, awaited=["p2"])  # type: ignore[arg-type]


def test_11_2_chance_decides_only_what_is_asked_and_nobody_in_its_place() -> None:
    act(charged(), "chance", A.Toss("p1")).refused_by("SB-11.2")  # type: ignore[arg-type]
    act(position(), "chance", A.ShuffleBook("p1", ())).refused_by("SB-11.1")  # type: ignore[arg-type]
    act(charged(), "p1", A.ShuffleBook("p1", ())).refused_by("SB-11.1")  # type: ignore[arg-type]
