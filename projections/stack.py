"""What was requested, how it was answered and what became of it: read off the frames of the record, for one viewer."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import AnyByHand, Entry, Played, entry_facts, line
from domain.law.game import Game
from domain.law.record import Record
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.redact import SeenFrame, TableViewer
from domain.table.table import JUDGE, Frame, FrameId, Seat, Table, blank, frame, same
from projections import retrospective_view
from projections.seen_entries import SeenAction, counts_only, seen_action
from projections.seen_facts import SeenFact, see_fact
from projections.viewing import entry_in

Origin = Literal["action", "trigger", "process", "hand"]
"""somebody requested it · it made itself and waited for its turn · it runs by itself · a judge put it there."""

TARGET = "target"
"""Positions of a frame's columns with names that begin so hold what it is aimed at."""


class StackConsequence(Struct, frozen=True):
    """One thing that a resolution led to, and in which entry."""

    entry: int
    fact: SeenFact


class StackFrameHistory(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One frame from the entry that made it to the one that ended it; numbers of entries, 0 where there is none.

    `frame` holds its keys and targets as they were seen when it was made. `responses` came onto the stack above it
    while it waited. `fizzled` says that everything it was aimed at was gone when its turn came. `ended_by` is the
    frame whose resolution took it away, `cause` the one whose resolution made it.
    """

    id: int
    kind: str
    by: Seat
    origin: Origin
    made: int
    frame: SeenFrame
    staged: int = 0
    resolving: int = 0
    ended: int = 0
    how: str = ""
    fizzled: bool = False
    ended_by: int = 0
    cause: int = 0
    over: int = 0
    depth: int = 0
    action: SeenAction | None = None
    costs: tuple[SeenFact, ...] = ()
    followed: tuple[StackConsequence, ...] = ()
    responses: tuple["StackFrameHistory", ...] = ()


class StackHistory(Struct, frozen=True):
    """Everything that was requested on the line that leads to an entry, in the order it was made."""

    viewer: Seat
    entry: int
    requests: tuple[StackFrameHistory, ...]


class _History:
    """Reads facts one by one and keeps what belongs to which request."""

    def __init__(self, game: Game, eyes: TableViewer, draft: Draft) -> None:
        self.game, self.eyes, self.draft = game, eyes, draft
        self._of_all = eyes
        self.requests: dict[int, StackFrameHistory] = {}
        self.followed: dict[int, list[StackConsequence]] = {}

    def read(self, number: int, entry: Entry) -> None:
        """One entry: at each fact, whatever is resolving then is what it follows from."""
        self.eyes = retrospective_view.within(self._of_all, number, entry)
        action = self._action(entry)
        by_hand = isinstance(entry, AnyByHand)
        costs: list[tuple[SeenFact, F.AnyFact]] = []
        last, own = FrameId(0), FrameId(0)
        for clause, fact in entry_facts(entry):
            resolving = FrameId(0) if by_hand else at_work(self.draft)
            last = resolving or last
            under = _waiting_on_top(self.draft)
            if isinstance(fact, F.Popped):
                self._end(number, fact, last)
            seen = see_fact(self.eyes, self.draft, clause, fact)
            match fact:
                case F.Pushed(new) if new.lane != "asked":
                    request = self._make(number, new, entry, action, under, last)
                    if request.origin == "action" and not own and not resolving:
                        own = new.id
                        paid = tuple(cost for cost, of in costs if not _moves_keys(of, new))
                        request = replace(request, action=action, costs=paid)
                    self.requests[new.id] = request
                case F.Altered():
                    self._go_on(number, fact, under)
                case _ if seen is None or seen.flow or counts_only(self.game, seen):
                    pass
                case _ if last in self.requests:
                    self.followed.setdefault(last, []).append(StackConsequence(number, seen))
                case _:
                    costs.append((seen, fact))

    def _action(self, entry: Entry) -> SeenAction | None:
        if not isinstance(entry, Played):
            return None
        return seen_action(self.game, self.eyes, entry, self.draft.freeze())

    def _make(
        self, number: int, new: Frame, entry: Entry, action: SeenAction | None, under: FrameId, last: FrameId
    ) -> StackFrameHistory:
        by_actor = isinstance(entry, Played) and entry.actor == new.by and action is not None
        direct = by_actor and action is not None and (new.kind == action.verb or (new.lane == "stack" and not last))
        origin: Origin = "action" if direct and new.lane != "waiting" else "process"
        if isinstance(entry, AnyByHand):
            origin = "hand"
        elif new.lane == "waiting":
            origin = "trigger"
        return StackFrameHistory(
            id=new.id,
            kind=new.kind,
            by=new.by,
            origin=origin,
            made=number,
            frame=self.eyes.frame(self.draft, new),
            staged=number if new.lane == "stack" else 0,
            resolving=number if new.step else 0,
            over=under if new.lane == "stack" or origin == "action" else 0,
            cause=last if origin != "action" else 0,
            fizzled=bool(new.step) and self._has_lost_all_targets(new),
        )

    def _go_on(self, number: int, fact: F.Altered, under: FrameId) -> None:
        request = self.requests.get(fact.id)
        now = frame(self.draft, fact.id)
        if request is None or now is None:
            return
        if fact.lane == "stack":
            request = replace(request, staged=number, over=under)
        if fact.columns is not None:
            request = replace(request, frame=self.eyes.frame(self.draft, now))
        if now.step and not request.resolving:
            request = replace(request, resolving=number, fizzled=self._has_lost_all_targets(now))
        self.requests[fact.id] = request

    def _end(self, number: int, fact: F.Popped, last: FrameId) -> None:
        if (request := self.requests.get(fact.id)) is not None:
            by = last if last != fact.id else 0
            self.requests[fact.id] = replace(request, ended=number, how=fact.how, ended_by=by)

    def _has_lost_all_targets(self, new: Frame) -> bool:
        """Is this frame aimed at something, and all of it gone? Not told of targets the viewer may not see."""
        kind = self.eyes.physics.kinds.get(new.kind)
        if kind is None or (kind.secret and self.eyes.viewer not in (JUDGE, new.by)):
            return False
        objs, frames = (kind.columns.get(column, ()) for column in ("objs", "frames"))
        there = [same(self.draft, obj) for at, obj in enumerate(new.objs) if obj.card and _aimed(objs, at)]
        there += [frame(self.draft, aim) is not None for at, aim in enumerate(new.frames) if _aimed(frames, at)]
        return bool(there) and not any(there)


def at_work(table: Table) -> FrameId:
    """The frame that is being resolved now: it names its next step; 0 if there is none."""
    for lane in (table.running, table.stack):
        for working in reversed(lane):
            if working.step:
                return working.id
    return FrameId(0)


def _waiting_on_top(table: Table) -> FrameId:
    """What a new request answers: the top of the stack, unless that is being resolved already."""
    top = table.stack[-1] if table.stack else None
    return top.id if top is not None and not top.step else FrameId(0)


def _aimed(names: tuple[str, ...], at: int) -> bool:
    return bool(names) and names[min(at, len(names) - 1)].startswith(TARGET)


def _moves_keys(fact: F.AnyFact, new: Frame) -> bool:
    """Is this no payment, but what the request is made with coming to be so?"""
    if isinstance(fact, F.Stanced):
        return set(fact.cards) <= {obj.card for obj in new.objs}
    return isinstance(fact, F.Moved) and bool(fact.cards) and set(fact.cards) <= set(new.cards)


def stack_history(record: Record, eyes: TableViewer, at: int | None = None) -> StackHistory:
    """The requests on the line that leads to entry `at` (the last one if None). Raises NotInMatch."""
    number = entry_in(record.entries, at)
    history = _History(record.game, eyes, Draft(blank(record.opening.seats)))
    for before in line(record.entries, number):
        history.read(before, record.entries[before - 1])
    return StackHistory(eyes.viewer, number, _nested(history))


def _nested(history: _History) -> tuple[StackFrameHistory, ...]:
    """The requests, each with those above it and with what followed from it."""
    above: dict[int, list[StackFrameHistory]] = {}
    for request in history.requests.values():
        above.setdefault(request.over if request.over in history.requests else 0, []).append(request)

    def nested(over: int, depth: int) -> tuple[StackFrameHistory, ...]:
        return tuple(
            replace(
                request,
                depth=depth,
                followed=tuple(history.followed.get(request.id, ())),
                responses=nested(request.id, depth + 1),
            )
            for request in above.get(over, ())
        )

    return nested(0, 0)


class Stacked(Struct, frozen=True):
    """Every request of a match with its answers."""

    match: str
    history: StackHistory
