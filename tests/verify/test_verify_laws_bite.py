"""Each law detects a step or a game that violates it."""

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from archive.verify import laws
from archive.verify.laws import LAWS, check_property
from archive.verify.steps import MatchStep, steps
from domain.games import GAMES
from domain.law.clause import Clause
from domain.law.entries import Played
from domain.law.game import Game
from domain.law.invariants import of_table
from domain.law.law import Law
from domain.law.live import LiveTable
from domain.table.facts import Moved, Turned
from domain.table.table import CardId, Place, Seat
from recorder.simulate import simulate
from tests.rows import for_each
from tests.rules.fault_injection import pieces

pytestmark = pytest.mark.random

GAME = GAMES["blackpoker"]
RULES = GAME.versions["8.1-lite"]
NOWHERE = Clause("XX-9.9")
Wrong = tuple[Game, MatchStep]


@cache
def last() -> MatchStep:
    *_, found = steps(GAME, simulate(Law(GAME, RULES), 3))
    return found


@cache
def step() -> MatchStep:
    for found in steps(GAME, last().entries):
        if isinstance(found.entry, Played) and len(found.entry.told) > 3 and found.after.clock.turn > 1:
            return found
    raise AssertionError("nothing happens in this match")


def telling(entry: Any, *more: tuple[Clause, Any]) -> Any:
    return replace(entry, told=(*entry.told, *more))


def undecided() -> Wrong:
    turns = count()

    def carry_out(rules: Any, t: LiveTable, actor: Any, action: Any) -> None:
        t.emit(GAME.by_hand, Turned(tuple(step().before.pieces)[next(turns) :][:1], up=True))
        GAME.carry_out(rules, t, actor, action)

    return replace(GAME, carry_out=carry_out), step()


def forgetful() -> Wrong:
    return GAME, replace(step(), entry=replace(step().entry, told=step().entry.told[:-1]))  # type: ignore[union-attr]


def impossible() -> Wrong:
    return GAME, replace(step(), entry=telling(step().entry, (GAME.by_hand, Moved((CardId(9),), Place("moon")))))


def uncited() -> Wrong:
    return GAME, replace(step(), entry=telling(step().entry, (NOWHERE, Turned((), up=True))))


def doubled() -> Wrong:
    one, *_ = step().after.pieces
    return GAME, replace(
        step(), after=step().after.with_changes(places={**step().after.places, Place("p1.hand"): (one, one)})
    )


def idle() -> Wrong:
    return replace(GAME, awaited=lambda t: ()), step()


def silent() -> Wrong:
    """Return a game that never offers a pass. Additional actions are tried at random, so not every step detects it."""

    def offers(rules: Any, t: Any, seat: Seat) -> Any:
        return (one for one in GAME.offers(rules, t, seat) if one.action.__struct_config__.tag != "pass")

    (law,) = (law for law in LAWS if law.name == "offered")
    game, played = replace(GAME, offers=offers), steps(GAME, last().entries)
    return game, next((one for one in played if check_property(Law(game, RULES), law, one) is not None), step())


def lawless() -> Wrong:
    def checks(*given: Any) -> Any:
        yield NOWHERE, False

    return replace(GAME, checks=checks), step()


def unreadable() -> Wrong:
    return GAME, replace(step(), after=step().after.with_changes(marks={"turns": 0.5}))


def dishonest() -> Wrong:
    return GAME, replace(last(), entries=[*last().entries[:-9], forgetful()[1].entry, *last().entries[-9:]])


def unfinished() -> Wrong:
    return GAME, replace(step(), last=True)


def hollow() -> Wrong:
    return replace(GAME, invariants=lambda rules: (of_table(1, lambda rules, t: False),)), step()


BROKEN: dict[str, tuple[Callable[[], Wrong], ...]] = {
    "pure": (undecided,),
    "fold": (forgetful, lambda: (GAME, replace(step(), after=pieces(step().after, *step().after.pieces, up=True)))),
    "physics": (impossible, uncited),
    "whole": (doubled,),
    "goes_on": (idle,),
    "offered": (silent,),
    "refusing": (lawless,),
    "bytes": (unreadable,),
    "audit": (dishonest,),
    "ended": (unfinished,),
    "invariant": (hollow,),
}


def test_every_law_is_tried() -> None:
    assert {law.name for law in LAWS} == {*BROKEN, "leaks"}


@for_each("law", [law for law in LAWS if law.name in BROKEN])
def test_a_law_notices_what_breaks_it(law: laws.Property) -> None:
    for found in (step(), last()):
        assert check_property(Law(GAME, RULES), law, found) is None
    for wrong in BROKEN[law.name]:
        game, spoilt = wrong()
        assert check_property(Law(game, RULES), law, spoilt) is not None


def test_leaks_notices_a_view_that_shows_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    (law,) = (law for law in LAWS if law.name == "leaks")
    shown = next(one for one in steps(GAME, last().entries) if one.number == laws.LEAKS_EVERY)
    assert check_property(Law(GAME, RULES), law, shown) is None
    monkeypatch.setattr(laws.TableViewer, "view", lambda self, table: [one.face for one in table.pieces.values()])
    found = check_property(Law(GAME, RULES), law, shown)
    assert found is not None and found.key == "verify.leak"
