"""Rejudge one match for a viewer: the verdict, the changes, and both tables at the first difference."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from domain.judging.rejudging.causes import Change, causes, changes
from domain.judging.rejudging.rejudge import rejudge
from domain.law.law import Law
from domain.law.record import Record
from domain.table.redact import TableViewer
from projections.verdicts.board_comparison import Boards, boards
from projections.verdicts.seen_verdicts import SeenVerdict, seen_verdict


class Sides(Struct, frozen=True):
    one: Literal["rejudged"] = "rejudged"
    other: Literal["recorded"] = "recorded"


class RejudgeResult(Struct, frozen=True):
    """A rejudged match, with both tables after the first difference if requested."""

    match: str
    rules: str
    changes: tuple[Change, ...]
    verdict: SeenVerdict
    sides: Sides = Sides()
    boards: Boards | UnsetType = UNSET


def judge_again(
    match: Record, name: str, eyes: TableViewer, other: Law, label: str, *, beside: bool = False
) -> RejudgeResult:
    """Decide a match again under another law, labelled `label`. Raises Unreadable."""
    verdict = rejudge(match.game, match.entries, other.rules)
    why = causes(match.game, match.entries, match.rules, other.rules) if verdict.kind != "identical" else ()
    shown_verdict = seen_verdict(match, eyes, other, verdict, why)
    both = boards(match, eyes, other, verdict.first) if beside and verdict.first is not None else UNSET
    return RejudgeResult(name, label, changes(match.game, match.rules, other.rules), shown_verdict, boards=both)
