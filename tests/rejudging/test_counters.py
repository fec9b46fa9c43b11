"""Internal counters of the rules are neither shown nor compared. Marks of a family share the family's name."""

from typing import Any

from msgspec.structs import replace

from domain.judging.audit import audit
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.tables import apart
from domain.law.display import Display
from domain.law.entries import Entry, fold_entries
from domain.law.law import Law
from domain.table.evolve import fold
from domain.table.facts import Finished, Marked
from domain.table.redact import SPECTATOR
from projections.board import board, render_board
from projections.rows import plain
from projections.seen_entries import seen_entries
from recorder.simulate import simulate
from tests.rows import for_each
from tests.shelves import seen_by
from tests.toys.stones import GAME, clauses as C
from tests.toys.stones.rules import Rules

RULES = Rules()


def record() -> list[Entry]:
    return simulate(Law(GAME, RULES), 3)


def counting(*counters: str) -> Any:
    def carry_out(rules: Any, t: Any, actor: Any, action: Any) -> None:
        GAME.carry_out(rules, t, actor, action)
        t.emit(C.UNDER_WATER, Marked(None, f"worn.{len(t.pieces)}", t.clock.turn + 1))

    return replace(GAME, carry_out=carry_out, display=Display(counters=counters))


def test_a_match_in_which_only_counters_differ_is_identical() -> None:
    verdict = rejudge(counting("worn.*"), record(), RULES)
    assert (verdict.kind, verdict.first, verdict.aligned) == ("identical", None, ())
    assert verdict.table.marks != fold_entries(record()).marks, "nothing was counted otherwise"


def test_marks_that_are_no_counters_still_make_it_another_path() -> None:
    for others in ((), ("worn.a1",), ("other.*",)):
        verdict = rejudge(counting(*others), record(), RULES)
        assert verdict.kind == "path" and verdict.first is not None and verdict.first.entry == 2


def test_what_differs_besides_is_told_with_its_counters() -> None:
    """A counter alone is not a difference. If the table differs as well, the counter is shown too."""
    verdict = rejudge(counting("worn.*"), record(), Rules(goal=1))
    assert verdict.kind == "illegal" and verdict.first is not None, "the recorded match goes on after the first runner"
    told = {type(fact) for _, fact in verdict.first.rejudged}
    assert {Finished, Marked} <= told


def test_an_audit_holds_a_record_to_its_counters_all_the_same() -> None:
    assert audit(GAME, record()).findings == ()
    assert audit(counting("worn.*"), record()).findings != ()


@for_each("counters", [("worn.*",), ()])
def test_counters_are_left_out_when_two_tables_are_compared(counters: tuple[str, ...]) -> None:
    display = Display(counters=counters)
    before = fold_entries(record(), 1)
    marked = fold(before, [Marked(None, "worn.a1", 1)])
    assert bool(apart(before, marked, display.is_counter)) == (not counters)


@for_each("lang", ["en", "ja"])
def test_a_family_of_counters_is_neither_shown_on_the_board_nor_news(lang: Any) -> None:
    shown = {}
    for game in (GAME, replace(GAME, display=Display())):
        drawn = plain(
            render_board(
                board(*seen_by(game, record(), SPECTATOR), len(record())), Law(game, RULES), GAME.schema(RULES), lang
            )
        )
        steps = [
            fact
            for seen in seen_entries(*seen_by(game, record(), SPECTATOR))
            for fact in seen.facts
            if fact.fact == "mark"
        ]
        shown[bool(game.display.counters)] = ("worn." in drawn, bool(steps))
    assert shown == {True: (False, False), False: (True, True)}
    flow = [fact for seen in seen_entries(*seen_by(GAME, record(), SPECTATOR), flow=True) for fact in seen.facts]
    assert any(fact.fact == "mark" for fact in flow), "with the flow they are told"


def test_flags_and_counters_are_named_one_by_one_or_by_the_family() -> None:
    display = Display(flags=("out", "used.*"), counters=("worn.*", "actions"))
    assert display.is_flag("out") and display.is_flag("used.3") and not display.is_flag("used")
    assert display.is_counter("worn.a1") and display.is_counter("actions") and not display.is_counter("worn")
    assert not display.is_counter("used.3")
