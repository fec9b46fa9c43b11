"""History of requests for one viewer: their answers and results, from the frames of the record."""

from bisect import bisect_right
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import AnyByHand, Entry, Played, entry_facts, line
from domain.law.game import Game
from domain.law.record import Record
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.redact import SeenFrame, TableViewer
from domain.table.table import JUDGE, Frame, FrameId, Seat, Table, blank, frame, is_same_object
from projections import retrospective_view
from projections.seen_entries import SeenAction, counts_only, seen_action
from projections.seen_facts import SeenFact, see_fact
from projections.viewing import resolve_entry

Origin = Literal["action", "trigger", "process", "hand"]
"""`action`: requested by a player. `trigger`: triggered, and waited for its turn. `process`: runs automatically.
`hand`: placed by a judge."""

TARGET = "target"
"""Prefix of column positions that hold targets."""


class StackConsequence(Struct, frozen=True):
    entry: int
    fact: SeenFact


class StackFrameHistory(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A frame from its creation to its end. Entry numbers are 0 if there is none.

    `frame` has its keys and targets as seen at creation. `responses` were put on the stack above it. `fizzled` is True
    if all its targets were gone at its turn. `ended_by` and `cause` are the frames whose resolution ended or created
    it.
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
    """All requests on the line up to an entry, in order of creation."""

    viewer: Seat
    entry: int
    requests: tuple[StackFrameHistory, ...]


class _History:
    def __init__(self, game: Game, eyes: TableViewer, draft: Draft) -> None:
        self.game, self.eyes, self.draft = game, eyes, draft
        self._base_eyes = eyes
        self.requests: dict[int, StackFrameHistory] = {}
        self.followed: dict[int, list[StackConsequence]] = {}
        self.is_full = False
        """True if later requests are on another page."""

    @property
    def has_open_request(self) -> bool:
        lanes = (self.draft.stack, self.draft.running, self.draft.waiting)
        return any(request.id in self.requests for lane in lanes for request in lane)

    def read(self, number: int, entry: Entry) -> None:
        """Read one entry. Each fact is a consequence of the frame then resolving."""
        self.eyes = retrospective_view.within(self._base_eyes, number, entry)
        action = self._action(entry)
        by_hand = isinstance(entry, AnyByHand)
        costs: list[tuple[SeenFact, F.AnyFact]] = []
        last, own_frame = FrameId(0), FrameId(0)
        for clause, fact in entry_facts(entry):
            resolving = FrameId(0) if by_hand else find_resolving_frame(self.draft)
            last = resolving or last
            under = _waiting_on_top(self.draft)
            if isinstance(fact, F.Popped):
                self._end(number, fact, last)
            seen = see_fact(self.eyes, self.draft, clause, fact)
            match fact:
                case F.Pushed(new) if new.lane != "asked":
                    if self.is_full:
                        continue
                    request = self._make(number, new, entry, action, under, last)
                    if request.origin == "action" and not own_frame and not resolving:
                        own_frame = new.id
                        paid = tuple(cost for cost, paid_by in costs if not _moves_keys(paid_by, new))
                        request = replace(request, action=action, costs=paid)
                    self.requests[new.id] = request
                case F.Altered():
                    self._alter(number, fact, under)
                case _ if seen is None or seen.flow or counts_only(self.game, seen):
                    pass
                case _ if last in self.requests:
                    self.followed.setdefault(last, []).append(StackConsequence(number, seen))
                case _ if last:  # the frame is on another page
                    pass
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

    def _alter(self, number: int, fact: F.Altered, under: FrameId) -> None:
        request = self.requests.get(fact.id)
        altered = frame(self.draft, fact.id)
        if request is None or altered is None:
            return
        if fact.lane == "stack":
            request = replace(request, staged=number, over=under)
        if fact.columns is not None:
            request = replace(request, frame=self.eyes.frame(self.draft, altered))
        if altered.step and not request.resolving:
            request = replace(request, resolving=number, fizzled=self._has_lost_all_targets(altered))
        self.requests[fact.id] = request

    def _end(self, number: int, fact: F.Popped, last: FrameId) -> None:
        if (request := self.requests.get(fact.id)) is not None:
            by = last if last != fact.id else 0
            self.requests[fact.id] = replace(request, ended=number, how=fact.how, ended_by=by)

    def _has_lost_all_targets(self, new: Frame) -> bool:
        """True if the frame had targets and all of them are gone. False if the viewer may not see its targets."""
        kind = self.eyes.physics.kinds.get(new.kind)
        if kind is None or (kind.secret and self.eyes.viewer not in (JUDGE, new.by)):
            return False
        objs, frames = (kind.columns.get(column, ()) for column in ("objs", "frames"))
        remaining = [
            is_same_object(self.draft, obj) for at, obj in enumerate(new.objs) if obj.card and _is_target(objs, at)
        ]
        remaining += [frame(self.draft, aim) is not None for at, aim in enumerate(new.frames) if _is_target(frames, at)]
        return bool(remaining) and not any(remaining)


def find_resolving_frame(table: Table) -> FrameId:
    """Return the frame being resolved, which is the one that names its next step; 0 if there is none."""
    for lane in (table.running, table.stack):
        for candidate in reversed(lane):
            if candidate.step:
                return candidate.id
    return FrameId(0)


def _waiting_on_top(table: Table) -> FrameId:
    """Return the frame that a new request responds to: the top of the stack, unless it is being resolved."""
    top = table.stack[-1] if table.stack else None
    return top.id if top is not None and not top.step else FrameId(0)


def _is_target(names: tuple[str, ...], at: int) -> bool:
    return bool(names) and names[min(at, len(names) - 1)].startswith(TARGET)


def _moves_keys(fact: F.AnyFact, new: Frame) -> bool:
    """True if the fact moves or turns only the request's own cards, which is no cost."""
    if isinstance(fact, F.Stanced):
        return set(fact.cards) <= {obj.card for obj in new.objs}
    return isinstance(fact, F.Moved) and bool(fact.cards) and set(fact.cards) <= set(new.cards)


def stack_history(record: Record, eyes: TableViewer, at: int | None = None) -> StackHistory:
    """Return the requests on the line up to entry `at`, by default the last. Raises NotInMatch."""
    number = resolve_entry(record.entries, at)
    history = _History(record.game, eyes, Draft(blank(record.opening.seats)))
    for before in line(record.entries, number):
        history.read(before, record.entries[before - 1])
    return StackHistory(eyes.viewer, number, _nest_requests(history))


def page_stack_history(
    record: Record, eyes: TableViewer, number: int, after: int, limit: int
) -> tuple[StackHistory, int]:
    """Return the requests made after entry `after` and how they went up to entry `number`. Also return the last entry
    of the page, or 0 if no entry follows.

    A page ends after `limit` requests, at the next entry after which the stack is empty. So no response is separated
    from its request.
    """
    on_line = line(record.entries, number)
    first = bisect_right(on_line, after)
    start = record.after(on_line[first - 1]) if first else blank(record.opening.seats)
    history = _History(record.game, eyes, Draft(start))
    last = 0
    for before in on_line[first:]:
        history.read(before, record.entries[before - 1])
        if not history.is_full and len(history.requests) >= limit and not history.draft.stack:
            history.is_full, last = True, before
        if history.is_full and not history.has_open_request:
            break
    return StackHistory(eyes.viewer, number, _nest_requests(history)), last if last < number else 0


def _nest_requests(history: _History) -> tuple[StackFrameHistory, ...]:
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


class StackAnswer(Struct, frozen=True):
    match: str
    history: StackHistory
