"""Decides the recorded actions of a match under other rules, on the tables they lead to.

Actions are carried over by meaning. Choices and passes that one side has and the other has not are re-aligned first: a
choice that nobody asks for is dropped if the tables agree without it, one that is asked anew is answered by the game's
default if it decides nothing, by any answer if all come to the same; else the match is undecided. Only then is an
action illegal.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.law.clause import Refusal
from domain.law.driver import Accepted, accepts, decide, decide_as_played, set_up
from domain.law.entries import Corrected, Entry, Opened, Played, line
from domain.law.entries import follow as follow_entry
from domain.law.entries import told as told_of
from domain.law.game import Game, decks_of
from domain.law.slots import Action, verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.facts import Finished
from domain.table.physics import Physics
from domain.table.table import CHANCE, Frame, Result, Seat, Table, blank
from projections.audit import dealt, differences
from projections.rejudging.tables import Frames, Part, apart, carried, only_flow, paired
from projections.rejudging.verdict import Aligned, AlignedHow, Difference, Verdict, winners

PASS = "pass"
ANSWERS_MAX = 16
"""How many answers to one unanswered choice are tried."""
BRANCHES_MAX = 64
"""How many answers are tried in one match."""


class Unreadable(ValueError):
    """A record that cannot be rejudged: an action that is none of its game."""


class Step(Struct, frozen=True):
    """One entry of the line that counts."""

    number: int
    entry: Entry
    action: Action | None


class Path(Struct, frozen=True, kw_only=True):
    """How far a rejudged line has come, and the recorded one beside it; one object while they are the same."""

    table: Table
    recorded: Table
    frames: Frames
    apart: frozenset[Part] = frozenset()
    first: Difference | None = None
    aligned: tuple[Aligned, ...] = ()


def rejudge(game: Game, entries: Sequence[Entry], rules: Any) -> Verdict:
    """Re-decide one recorded match under these rules. Raises Unreadable for an action that is none of the game."""
    opened = entries[0]
    assert isinstance(opened, Opened)
    return _Rejudging(game, rules, opened, tuple(_steps(game, entries))).verdict()


def _steps(game: Game, entries: Sequence[Entry]) -> Iterator[Step]:
    decode = game.decoder().decode
    for number in line(entries)[1:]:
        entry = entries[number - 1]
        action = None
        if isinstance(entry, Played):
            try:
                action = decode(entry.action)
            except msgspec.DecodeError as error:
                raise Unreadable(f"entry {number}: {error}") from None
        yield Step(number, entry, action)


def _result(opened: Opened, steps: Sequence[Step]) -> Result | None:
    """How the recorded line ended."""
    for entry in (*(step.entry for step in reversed(steps)), opened):
        for _, fact in reversed(told_of(entry)):
            if isinstance(fact, Finished):
                return fact.result
    return None


class _Rejudging:
    """One match under other rules. What it remembers is only how many answers it has tried."""

    def __init__(self, game: Game, rules: Any, opened: Opened, steps: tuple[Step, ...]) -> None:
        self.game, self.rules, self.opened, self.steps = game, rules, opened, steps
        self.physics = Physics(game.schema(rules))
        self.branches = 0
        self.result = _result(opened, steps)

    def verdict(self) -> Verdict:
        decks = decks_of(self.opened)
        cards = dealt(self.opened.told)
        before = blank(self.opened.seats)
        accepted, refused = set_up(self.game, self.rules, decks, {seat: cards.get(seat, ()) for seat in decks})
        if accepted is None:
            assert refused is not None
            refusal = refused[1]
            return self._end("illegal", Path(table=before, recorded=before, frames={}), 1, refusal)
        start = Path(table=before, recorded=before, frames={})
        return self._run(self._advanced(start, 1, self.opened, accepted), 0)

    # -- along the record ---------------------------------------------------------------------------------------------

    def _run(self, path: Path, begin: int) -> Verdict:
        for at in range(begin, len(self.steps)):
            step = self.steps[at]
            match step.entry:
                case Corrected():
                    by_hand = self._by_hand(path, step)
                    if by_hand is None:
                        return self._end("undecided", path, step.number, why="by_hand")
                    path = by_hand
                case Played():
                    found = self._played(path, step, at)
                    if isinstance(found, Verdict):
                        return found
                    path = found
                case _:
                    continue
        return self._ended(path, self.steps[-1].number if self.steps else 1)

    def _played(self, path: Path, step: Step, at: int) -> Path | Verdict:
        entry = step.entry
        assert isinstance(entry, Played) and step.action is not None
        if path.table.result is not None:
            return self._over(path, at)
        action = carried(step.action, path.frames)
        outcome = decide(self.game, self.rules, path.table, entry.actor, action)
        if isinstance(outcome, Refusal) and entry.violations:
            all_the_same = decide_as_played(self.game, self.rules, path.table, entry.actor, action)
            if isinstance(all_the_same, Accepted):
                outcome = all_the_same
        if isinstance(outcome, Accepted):
            return self._advanced(path, step.number, entry, outcome)
        return self._aligned(path, step, at, entry, action, outcome)

    def _advanced(self, path: Path, number: int, entry: Entry, outcome: Accepted) -> Path:
        """Both sides took this entry."""
        told = told_of(entry)
        if told == outcome.told and path.table is path.recorded:
            return replace(path, table=outcome.table, recorded=outcome.table)
        before, recorded = path.recorded, follow_entry(path.recorded, entry)
        first = path.first
        if first is None:
            rejudged, only_recorded = differences(before, outcome.told, told)
            if rejudged or only_recorded:
                first = Difference(
                    entry=number,
                    recorded=only_recorded,
                    rejudged=rejudged,
                    before=before,
                    recorded_table=recorded,
                    rejudged_table=outcome.table,
                )
        frames = paired(path.frames, told, outcome.told)
        # While only one side has something to ask, what differs may be that choice's own doing.
        parts = apart(recorded, outcome.table) if _asks(recorded) == _asks(outcome.table) else path.apart
        return replace(path, table=outcome.table, recorded=recorded, frames=frames, apart=parts, first=first)

    def _by_hand(self, path: Path, step: Step) -> Path | None:
        """A judge's facts, if they can still happen."""
        draft = Draft(path.table)
        for _, fact in told_of(step.entry):
            if self.physics.wrong(draft, fact) is not None:
                return None
            EVOLVE[type(fact)](draft, fact)
        table = draft.freeze()
        if path.table is path.recorded:
            return replace(path, table=table, recorded=table)
        recorded = follow_entry(path.recorded, step.entry)
        return replace(path, table=table, recorded=recorded, apart=apart(recorded, table))

    # -- bringing both sides together ---------------------------------------------------------------------------------

    def _aligned(
        self, path: Path, step: Step, at: int, entry: Played, action: Action, refusal: Refusal
    ) -> Path | Verdict:
        asked = path.table.asked[0] if path.table.asked else None
        default = self.game.cosmetic(self.rules, path.table)
        if entry.actor == CHANCE and asked is not None and asked.by == CHANCE:
            return self._end("undecided", path, step.number, refusal, why="chance")
        if asked is not None and default is not None:
            answered = self._taken(path, step, asked.by, default, "defaulted")
            if answered is not None:
                if verb(default) != verb(action) or entry.actor != asked.by:
                    return self._run_from(answered, at)
                return replace(answered, recorded=follow_entry(path.recorded, entry))
        recorded = follow_entry(path.recorded, entry)
        parts = apart(recorded, path.table)
        vanished = self._vanished(path, entry)
        if vanished and recorded.result is not None and path.table.result is None:
            return self._end("winner", path, step.number, refusal)
        if self._droppable(path, step, entry, parts, vanished):
            how: AlignedHow = "unused_chance" if entry.actor == CHANCE else "dropped"
            return replace(self._noted(path, step, entry.actor, action, how, parts), recorded=recorded)
        if asked is not None and _asks(path.recorded)[:1] != [(asked.kind, asked.by)]:
            if asked.by == CHANCE:
                return self._end("undecided", path, step.number, refusal, why="chance")
            return self._any_answer(path, step, at, asked, refusal)
        for seat in path.table.clock.awaited if asked is None else ():
            passing = self._pass(path, seat) if seat != entry.actor else None
            passed = self._taken(path, step, seat, passing, "passed") if passing is not None else None
            if passed is not None:
                return self._run_from(passed, at)
        return self._end("illegal", path, step.number, refusal)

    def _run_from(self, path: Path, at: int) -> Path | Verdict:
        """The same recorded entry once more, on the table that an inserted action led to."""
        if len(path.aligned) > len(self.steps) * 2 + ANSWERS_MAX:
            step = self.steps[at]
            return self._end("undecided", path, step.number, why="choice")
        return self._played(path, self.steps[at], at)

    def _droppable(self, path: Path, step: Step, entry: Played, parts: frozenset[Part], vanished: bool) -> bool:
        """Is it a choice, a pass or an outcome of chance that nobody asks for now, and are both sides alike without?"""
        if entry.actor == CHANCE:
            return True
        assert step.action is not None
        if verb(step.action) == PASS:
            return only_flow(entry.told) or parts <= path.apart
        return vanished and (self.game.cosmetic(self.rules, path.recorded) is not None or parts <= path.apart)

    def _vanished(self, path: Path, entry: Played) -> bool:
        """Is it the answer to a question that nobody asks any more?"""
        asked = _asks(path.recorded)[:1]
        return bool(asked) and asked[0][1] == entry.actor and asked[0] not in _asks(path.table)

    def _pass(self, path: Path, seat: Seat) -> Action | None:
        for template in self.game.offers(self.rules, path.table, seat):
            if template.action.__struct_config__.tag == PASS:
                return template.action()
        return None

    def _taken(self, path: Path, step: Step, seat: Seat, action: Action, how: AlignedHow) -> Path | None:
        """An action that the record does not hold, if it is allowed; a pass only if nothing comes of it."""
        outcome = decide(self.game, self.rules, path.table, seat, action)
        if isinstance(outcome, Refusal) or (how == "passed" and not only_flow(outcome.told)):
            return None
        moved = replace(path, table=outcome.table)
        return self._noted(moved, step, seat, action, how, path.apart)

    def _noted(
        self, path: Path, step: Step, actor: Seat, action: Action, how: AlignedHow, parts: frozenset[Part]
    ) -> Path:
        note = Aligned(entry=step.number, how=how, actor=actor, action=action)
        return replace(path, aligned=(*path.aligned, note), apart=parts)

    def _any_answer(self, path: Path, step: Step, at: int, asked: Frame, refusal: Refusal) -> Verdict:
        """A choice that the record does not hold: does it matter how it is made?"""
        found: list[Verdict] = []
        actions = list(islice(self._possible(path, asked), ANSWERS_MAX + 1))
        if not actions:
            return self._end("illegal", path, step.number, refusal)
        for action in actions:
            self.branches += 1
            if len(actions) > ANSWERS_MAX or self.branches > BRANCHES_MAX:
                return self._end("undecided", path, step.number, refusal, why="choice")
            taken = self._taken(path, step, asked.by, action, "any_answer")
            if taken is None:
                continue
            went = self._run_from(taken, at)
            found.append(went if isinstance(went, Verdict) else self._run(went, at + 1))
            if _meaning(found[-1]) != _meaning(found[0]):
                return self._end("undecided", path, step.number, refusal, why="choice")
        return found[0] if found else self._end("illegal", path, step.number, refusal)

    def _possible(self, path: Path, asked: Frame) -> Iterator[Action]:
        for template in self.game.offers(self.rules, path.table, asked.by):
            for action in template.expansions():
                if self._is_answer(path, asked, action):
                    yield action

    def _is_answer(self, path: Path, asked: Frame, action: Action) -> bool:
        """Conceding is always possible and never an answer."""
        return verb(action) != "concede" and accepts(self.game, self.rules, path.table, asked.by, action)

    # -- the end ------------------------------------------------------------------------------------------------------

    def _over(self, path: Path, at: int) -> Verdict:
        """The rejudged match is over before the recorded one: passes, choices and chance fall away, whoever still acts
        with the same winners does what is not allowed any more."""
        number, recorded = self.steps[at].number, path.recorded
        if recorded.result is None and winners(self.result) == winners(path.table.result):
            for step in self.steps[at:]:
                entry, asked = step.entry, _asks(recorded)[:1]
                recorded = follow_entry(recorded, entry)
                if not isinstance(entry, Played) or entry.actor == CHANCE or (asked and asked[0][1] == entry.actor):
                    continue
                assert step.action is not None
                action = carried(step.action, path.frames)
                refused = decide(self.game, self.rules, path.table, entry.actor, action)
                if verb(action) != PASS and isinstance(refused, Refusal):
                    return self._end("illegal", path, step.number, refused)
        return self._ended(path, number)

    def _ended(self, path: Path, number: int) -> Verdict:
        """The record, or the rejudged match, is at its end."""
        recorded, rejudged = self.result, path.table.result
        if rejudged is None and recorded is not None:
            return self._end("undecided", path, number, why="no_end")
        if winners(recorded) != winners(rejudged):
            return self._end("winner", path, number)
        same = path.first is None and not path.aligned
        return self._end("identical" if same else "path", path, number)

    def _end(self, kind: Any, path: Path, number: int, refusal: Refusal | None = None, why: Any = "") -> Verdict:
        marked = kind in ("illegal", "undecided") or refusal is not None
        return Verdict(
            kind=kind,
            entry=number if marked else 0,
            clause=refusal.clause if refusal is not None else "",  # type: ignore[arg-type]
            trail=refusal.trail if refusal is not None else (),
            why=why,
            first=path.first,
            aligned=path.aligned,
            recorded_result=self.result,
            rejudged_result=path.table.result,
            rejudged_at=number,
            table=path.table,
        )


def _asks(table: Table) -> list[tuple[str, Seat]]:
    return [(one.kind, one.by) for one in table.asked]


def _meaning(verdict: Verdict) -> object:
    return verdict.kind, verdict.entry, verdict.clause, winners(verdict.rejudged_result)
