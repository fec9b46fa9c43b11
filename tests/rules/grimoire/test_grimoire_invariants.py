"""The dossier's 28 invariants: they hold of random matches, and each notices a table or a fact that breaks it."""

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.grimoire import GAME
from domain.games.grimoire import actions as A
from domain.games.grimoire import clauses as C
from domain.games.grimoire.reading import character, grimoire, living, next_living, spells
from domain.games.grimoire.schema import MAIN, PRIORITY, SPENDED, THIS_TURN
from domain.law.clause import Clause
from domain.table import redact
from domain.table.facts import (
    AnyFact,
    Arranged,
    Began,
    Clocked,
    Finished,
    Marked,
    Moved,
    Rolled,
    Stanced,
)
from domain.table.table import CardId, Clock, Effect, EffectId, Frame, FrameId, Obj, Place, Result, Seat, Table
from tests.laws.samples import SEEDS, Moment, Sample
from tests.rules.grimoire import invariants, invariants_of_facts, invariants_of_tables
from tests.rules.grimoire.invariants import ELSEWHERE, NAMES, Broken, hold
from tests.rules.grimoire.matches import match, moments_of

P1 = Seat("p1")


@pytest.mark.parametrize("seed", SEEDS)
def test_random_matches_keep_every_invariant(seed: int) -> None:
    assert hold(match(seed)) == len(match(seed).entries)


def test_all_28_are_stated_or_are_laws_of_every_game() -> None:
    stated = {int(name.split("_")[1]) for name in NAMES}
    assert stated | set(ELSEWHERE) == set(range(1, 29))
    for module, start in ELSEWHERE.values():
        tests = [(name, one) for name, one in vars(import_module(module)).items() if name.startswith(start)]
        assert tests and any("key" in inspect.signature(one).parameters for _, one in tests), f"{module} lost its laws"
    assert GAME.key in {key for key, _ in import_module("tests.laws.samples").MATCHES}
    assert all(function.__doc__ for function in invariants.EVERY)


# -- each can fail ----------------------------------------------------------------------------------------------------


@cache
def shown() -> tuple[Sample, Moment]:
    """A match by default readings, and a moment of it: somebody of three has priority, spells are on the field."""
    for seed in range(0, 60, 2):
        one = match(seed)
        if len(one.opened.seats) != 3:
            continue
        for at in moments_of(one):
            t = at.before
            quiet = (t.clock.phase, t.clock.step) == (MAIN, PRIORITY) and not t.asked and not t.stack
            if quiet and len(living(t)) == 3 and len(spells(t)) > 1 and t.clock.turn > 3:
                return one, at
    raise AssertionError("no match of three has two spells on the field")


def pieces(t: Table, card: CardId, **changes: Any) -> Table:
    return replace(t, pieces={**t.pieces, card: replace(t.pieces[card], **changes)})


def ticking(t: Table, **changes: Any) -> Table:
    return replace(t, clock=replace(t.clock, **changes))


def seated(t: Table, seat: Seat, **marks: int) -> Table:
    return replace(t, seats={**t.seats, seat: {**t.seats[seat], **marks}})


def holder(t: Table) -> Seat:
    return t.clock.awaited[0]


def waiting(t: Table) -> Frame:
    first, second = spells(t)[:2]
    objs = (Obj(first, t.pieces[first].thing), Obj(second, t.pieces[second].thing))
    return Frame(id=FrameId(t.framed + 1), lane="stack", kind="play", by=P1, objs=objs)


def effect(t: Table, **changes: Any) -> Effect:
    spell = spells(t)[0]
    obj = Obj(spell, t.pieces[spell].thing)
    return replace(Effect(id=EffectId(1), kind="buff", by=P1, source=obj, on=(obj,), since=t.minted), **changes)


def first(t: Table) -> CardId:
    return spells(t)[0]


DOCTORED: dict[str, Callable[[Table], Table]] = {
    "invariant_01": lambda t: pieces(t, first(t), face="S29" if t.pieces[first(t)].face != "S29" else "S01"),
    "invariant_02": lambda t: replace(t, pieces=dict(list(t.pieces.items())[:100])),
    "invariant_03": lambda t: pieces(t, first(t), place=Place("p1.personal")),
    "invariant_04": lambda t: seated(t, next_living(t, holder(t)), out=1),
    "invariant_05": lambda t: seated(t, P1, mana=-1),
    "invariant_07": lambda t: replace(t, stack=(waiting(t),)),
    "invariant_08": lambda t: replace(ticking(t, phase="end"), stack=(waiting(t),)),
    "invariant_09": lambda t: pieces(t, first(t), marks={"damage": 99}),
    "invariant_10": lambda t: ticking(t, passed=living(t)),
    "invariant_11": lambda t: ticking(t, awaited=()),
    "invariant_19": lambda t: pieces(t, first(t), thing=t.pieces[spells(t)[1]].thing),
    "invariant_25": lambda t: replace(t, marks={"held": 1}),
    "invariant_28": lambda t: pieces(t, first(t), controller=next_living(t, t.pieces[first(t)].controller)),
}
"""What breaks an invariant of tables."""


@pytest.mark.parametrize("name", [function.__name__ for function in invariants_of_tables.TABLES])
def test_an_invariant_of_tables_can_break(name: str) -> None:
    one, at = shown()
    holds: Callable[[Sample, Table], None] = getattr(invariants_of_tables, name)
    holds(one, at.before)
    with pytest.raises(AssertionError):
        holds(one, DOCTORED[name[:12]](at.before))


def damaged(t: Table) -> Table:
    return pieces(t, first(t), marks={"damage": 1})


def of_turn(t: Table) -> Table:
    return replace(t, effects=(effect(t, until=THIS_TURN),))


def clock(t: Table, **changes: Any) -> Clocked:
    return Clocked(replace(t.clock, **changes))


Doctor = Callable[[Table], tuple[Clause, AnyFact]]
UNLIKELY: dict[str, tuple[Callable[[Table], Table], Doctor]] = {
    "invariant_03": (lambda t: t, lambda t: (C.VOID, Moved((character(t, P1) or CardId(0),), Place("void")))),
    "invariant_04": (lambda t: t, lambda t: (C.CONCESSION, Marked(P1, "out", 0))),
    "invariant_05": (lambda t: t, lambda t: (C.OD_COST, Marked(P1, "od", -1))),
    "invariant_06": (lambda t: t, lambda t: (C.RESOURCES_BOUNDED, Marked(P1, "od", 9))),
    "invariant_08": (lambda t: replace(t, stack=(waiting(t),)), lambda t: (C.END, clock(t, phase="end"))),
    "invariant_14": (lambda t: seated(t, P1, **{"chroma.R": 2}), lambda t: (C.TRANCE, Marked(P1, "chroma.R", 1))),
    "invariant_15": (
        lambda t: t,
        lambda t: (C.NEXT_TURN, clock(t, turn=t.clock.turn + 1, phase="initialize")),
    ),
    "invariant_16": (
        lambda t: ticking(t, turn=0),
        lambda t: (C.NEXT_TURN, Clocked(Clock(1, P1, P1, "initialize", "auto"))),
    ),
    "invariant_17": (damaged, lambda t: (C.STATUS_CHANGE, Marked((first(t),), "damage", 0))),
    "invariant_18": (of_turn, lambda t: (C.NEXT_TURN, clock(t, phase="initialize"))),
    "invariant_19": (lambda t: t, lambda t: (C.BUFF, Began(effect(t, id=EffectId(t.begun + 2))))),
    "invariant_20": (lambda t: t, lambda t: (C.BEATEN_ALL_OPPONENTS, Finished(Result((P1,), "draw")))),
    "invariant_21": (
        lambda t: t,
        lambda t: (C.GRIMOIRE, Arranged(Place("p1.grimoire"), grimoire(t, P1))),
    ),
    "invariant_24": (lambda t: t, lambda t: (C.LETHAL_SPELL, Stanced((first(t),), SPENDED))),
    "invariant_25": (lambda t: t, lambda t: (C.STATUS_CHANGE, Stanced((first(t),), 0))),
    "invariant_28": (lambda t: t, lambda t: (C.CAST_ENTERS, Marked((first(t),), "base", 1))),
}
"""Of an invariant of facts: the table it is broken on, and the fact that breaks it."""


@pytest.mark.parametrize("name", [function.__name__ for function in invariants_of_facts.FACTS])
def test_an_invariant_of_facts_can_break(name: str) -> None:
    one, at = shown()
    prepare, doctor = UNLIKELY[name[:12]]
    table = prepare(at.before)
    clause, fact = doctor(table)
    holds: Callable[[Sample, Table, Clause, AnyFact], None] = getattr(invariants_of_facts, name)
    with pytest.raises(AssertionError):
        holds(one, table, clause, fact)


def cast() -> tuple[Sample, Moment]:
    """A cast for mana, by the rules' defaults."""
    for seed in range(0, 60, 2):
        for at in moments_of(match(seed)):
            if isinstance(at.action, A.Cast) and any(fact == Marked(at.actor, "mana", 0) for _, fact in at.entry.told):
                return match(seed), at
    raise AssertionError("nothing was cast")


def test_invariants_of_actions_can_break() -> None:
    one, at = cast()
    poor = replace(at, before=seated(at.before, at.actor, mana=0))
    dear = replace(at, before=seated(at.before, at.actor, mana=at.before.seats[at.actor]["mana"] + 1))
    other = replace(at, actor=next_living(at.before, at.actor))
    rolled = replace(at, entry=replace(at.entry, told=(*at.entry.told, (C.GRIMOIRE, Rolled("first_player")))))
    long = replace(at, entry=replace(at.entry, told=at.entry.told * invariants.FACTS_MOST))
    used = next(found for found in moments_of(one) if isinstance(found.action, A.Play))
    used = replace(used, before=pieces(used.before, used.action.spell, stance=SPENDED))  # type: ignore[attr-defined]
    broken = {
        "invariant_13": [poor, other],
        "invariant_14": [dear],
        "invariant_21": [rolled],
        "invariant_24": [long],
        "invariant_25": [used],
    }
    for holds in invariants.ACTIONS:
        holds(one, at)
        for doctored in broken[holds.__name__[:12]]:
            with pytest.raises(AssertionError):
                holds(one, doctored)


def test_invariants_of_matches_can_break(monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = shown()
    moments = moments_of(one)
    trance = next(at for at in moments if isinstance(at.action, A.TranceChoice))
    with pytest.raises(AssertionError, match="two trances"):
        invariants.invariant_26_one_trance_a_turn_and_grimoires_run_out(one, [*moments, trance])
    without = [at for at in moments if at is not trance]
    with pytest.raises(AssertionError, match="without a trance"):
        invariants.invariant_26_one_trance_a_turn_and_grimoires_run_out(one, without)
    invariants.invariant_22_a_view_holds_what_the_matrix_allows(one, moments)
    seen = redact.view

    def peeping(physics: Any, t: Table, viewer: Seat) -> Any:
        return seen(physics, t, P1)

    monkeypatch.setattr(invariants, "view", peeping)
    with pytest.raises(AssertionError, match=r"cards of|does not see"):
        invariants.invariant_22_a_view_holds_what_the_matrix_allows(one, moments)


def test_a_broken_match_says_where_and_by_which_invariant() -> None:
    one, at = shown()
    entries = list(one.entries)
    entry = entries[at.number - 1]
    entries[at.number - 1] = replace(entry, told=((C.RESOURCES_BOUNDED, Marked(P1, "od", 9)), *at.entry.told))
    with pytest.raises(Broken, match=f"entry {at.number}: invariant_06_only_a_card_gives_od: od rose"):
        hold(replace(one, entries=tuple(entries)))
