"""What can have happened in a gap of a record."""

from collections.abc import Sequence
from typing import Annotated

from cli import files
from cli.answer import Answer
from cli.context import Desk, ReadRecord
from cli.problems import FINDINGS, FINE
from cli.record.amend import read_fact
from cli.values import Record, Viewer
from domain.law.clause import Told
from domain.table.table import Table
from projections.bridges import Across, across, is_gap, last_gap, look_across, render_across
from recorder.answers import Impossible
from recorder.loading import Match as Loaded
from recorder.writing import by_hand

HINTED_MAX = 500
"""Bound on the tables looked at while somebody who records waits."""


def bridge(
    desk: Desk, record: Record, number: Annotated[int | None, "ENTRY"] = None, viewer: Viewer = "spectator"
) -> Answer[Across]:
    """Look for allowed actions that lead across a gap. 1 where none do."""
    with files.open_record(desk, record) as held:
        _require_judge(desk, held, viewer)
        at = last_gap(held) if number is None else desk.entry(held, number)
        if not at:
            raise desk.problem("bridge.no_gap", match=held.id)
        if not is_gap(held, at):
            raise desk.problem("bridge.not_gap", n=at, match=held.id)
        return _answer(desk, across(held, held.id, at))


def look_first(desk: Desk, held: Loaded | ReadRecord, facts: Sequence[str], most: int, viewer: str) -> Answer[Across]:
    """What can have happened in a gap that nobody has recorded yet. Raises Problem."""
    _require_judge(desk, held, viewer)
    before = held.after(len(held.entries))
    told = tuple(read_fact(desk, held, before, text) for text in facts)
    if isinstance(after := by_hand(held, before, told), Impossible):
        tag = after.fact.__struct_config__.tag
        raise desk.problem("cli.impossible", number=after.number, fact=tag, detail=after.why)
    return _answer(desk, look_across(held, held.id, before, told, most))


def _answer(desk: Desk, value: Across) -> Answer[Across]:
    code = FINDINGS if value.answer == "unbridged" else FINE
    return Answer(lambda: value, lambda: desk.screen.rows(render_across(value, desk.lang)), code)


def _require_judge(desk: Desk, held: Loaded | ReadRecord, viewer: str) -> None:
    desk.only_judge(held, desk.eyes(held, viewer), "bridge.only_judge")


def hint_across(desk: Desk, held: Loaded, before: Table, told: Told, most: int) -> None:
    """Say what a gap that is recorded does not tell, or that nothing leads to what it does tell."""
    value = look_across(held, held.id, before, told, most, tables=HINTED_MAX)
    if value.answer == "unbridged":
        desk.hint("bridge.hint_none", match=held.id)
    elif value.ways and value.ways[0].more:
        facts = desk.say("list.comma").join(fact.text for fact in value.ways[0].more)
        desk.hint("bridge.hint_more", facts=facts, match=held.id)
    elif value.only and value.ways[0].actions:
        actions = desk.say("list.comma").join(action.text for action in value.ways[0].actions)
        desk.hint("bridge.hint_only", actions=actions)
