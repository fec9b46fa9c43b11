"""Programs: the step at a path, the next step, and continuation from the state in a frame."""

import pytest
from msgspec import Struct

from domain.law.clause import Clause
from domain.law.live import LiveTable
from domain.parts import programs as P
from domain.parts.asking import ask
from domain.table.facts import Finished, Popped, Pushed
from domain.table.table import Frame, FrameId, Result, Seat, Todo, blank
from tests.rows import for_each

P1, P2, STOPS, ENDS = Seat("p1"), Seat("p2"), Clause("T-1"), Clause("T-2")


class Do(Struct, frozen=True):
    name: str


class Maybe(Struct, frozen=True):
    then: tuple[object, ...]


class Either(Struct, frozen=True):
    then: tuple[object, ...]
    otherwise: tuple[object, ...] = ()


class Ability(Struct, frozen=True):
    do: tuple[object, ...]


class Lend(Struct, frozen=True):
    lent: tuple[Ability, ...]


A, B, C, D, E = (Do(name) for name in "abcde")
LENT = Ability((E,))
TEXT = (Ability((A, Maybe((B, C)), Either((B,), (D, C)), Lend((LENT,)))), Ability(()))


def lent(lend: Lend, place: int) -> Ability:
    ability: Ability = P.nth(lend.lent, (place,), 0)
    return ability


GRAMMAR = P.Grammar({Ability: ("do",), Maybe: ("then",), Either: ("then", "otherwise")}, {Lend: lent})


def blocks(path: P.Path) -> P.Program:
    try:
        return P.find(GRAMMAR, TEXT, (*path, 0))[1]
    except LookupError:
        return ()


@for_each(
    "path, there",
    [
        ((0,), TEXT[0]),
        ((0, 0), A),
        ((0, 1, 1), C),
        ((0, 2, 0, 0), B),
        ((0, 2, 1, 1), C),
        ((0, 3, 0), LENT),
        ((0, 3, 0, 0), E),
    ],
)
def test_a_path_leads_to_what_stands_there(path: P.Path, there: object) -> None:
    assert P.find(GRAMMAR, TEXT, path)[0] == there


@for_each(
    "path", [(), (2,), (-1,), (0, 9), (0, -1), (0, 0, 0), (0, 2, 2, 0), (0, 2, 0, 1), (0, 2, 0), (1, 0), (0, 3, 1)]
)
def test_where_nothing_stands_nothing_is_found(path: P.Path) -> None:
    with pytest.raises(LookupError):
        P.find(GRAMMAR, TEXT, path)


def test_what_comes_next_is_what_is_inside_then_what_follows_then_the_rest() -> None:
    here, rest = Todo((0, 1), P1), Todo((1, 0), P2)
    assert P.inner_program(blocks, here, seat=P2) == (Todo((0, 1, 0), P2),)
    assert P.inner_program(blocks, Todo((0, 2), P1), 1) == (Todo((0, 2, 1, 0), P1),)
    assert P.inner_program(blocks, Todo((0, 0), P1)) == ()
    assert (
        P.next_instruction(blocks, here) == (Todo((0, 2), P1),) and P.next_instruction(blocks, Todo((0, 3), P1)) == ()
    )
    expected = (Todo((0, 1, 0), P1), Todo((0, 2), P1), rest)
    assert P.remaining_steps(blocks, (here, rest), P.inner_program(blocks, here)) == expected


class Reader:
    def __init__(self, **stops: str) -> None:
        self.t = LiveTable(blank((P1,)))
        self.stops, self.done = stops, ""
        first = (Todo((0, 0), P1),)
        self.t.emit(STOPS, Pushed(Frame(id=FrameId(1), lane="running", kind="effect", by=P1, todo=first)))

    def __call__(self, process: Frame, todo: Todo) -> P.Inner:
        assert process.todo[0] == todo
        what = P.find(GRAMMAR, TEXT, todo.path)[0]
        if not isinstance(what, Do):
            return P.inner_program(blocks, todo, *((1,) if isinstance(what, Either) else ()))
        self.done += what.name
        match self.stops.get(what.name):
            case "waits":
                return None
            case "asks":
                ask(self.t, STOPS, "which", P1)
            case "ends":
                self.t.emit(ENDS, Finished(Result((), "over")))
            case "goes":
                self.t.emit(ENDS, Popped(process.id, "gone"))
        return ()

    def perform(self) -> str:
        P.perform(self.t, self.t.running[0], blocks, self, STOPS, ENDS)
        return self.done


def test_a_program_is_carried_out_to_its_end() -> None:
    reader = Reader()
    assert reader.perform() == "abcdc" and not reader.t.running
    assert reader.t.facts[-1] == (ENDS, Popped(FrameId(1), "done"))


def test_a_program_that_waits_stays_at_the_instruction_and_moves_on_behind_it() -> None:
    reader = Reader(b="waits")
    assert reader.perform() == "ab" and reader.t.running[0].todo[0] == Todo((0, 1, 0), P1)
    P.continue_process(reader.t, reader.t.running[0], blocks, STOPS)
    assert reader.perform() == "abcdc"


def test_a_program_that_asked_stands_behind_the_instruction() -> None:
    reader = Reader(b="asks")
    assert reader.perform() == "ab" and reader.t.running[0].todo[0] == Todo((0, 1, 1), P1)


@for_each("way", ["ends", "goes"])
def test_nothing_more_is_done_once_the_match_or_the_process_is_over(way: str) -> None:
    reader = Reader(c=way)
    assert reader.perform() == "abc" and reader.t.facts[-1][0] == ENDS
