"""Matches of a service explored, and written out."""

from cli.answer import Answer
from cli.away.asking import Away
from cli.context import Desk
from cli.drawing import safe
from cli.explore import answer_changed, answer_known, answer_learned, answer_touched
from domain.table.table import JUDGE
from projections.answers import Changed, Knew, Learned, Touched

FORMS = {"notation": "spn", "jsonl": "jsonl"}
"""How a form is called at the end of its address."""


def diff(desk: Desk, match: str, before: int, after: int, viewer: str) -> Answer[Changed]:
    """What is otherwise after one entry than after another."""
    away = Away(desk, match, viewer)
    old, new = away.entry(before), away.entry(after)
    return answer_changed(desk, away.law.game, away.names, away.match.changes(new, old))


def knows(desk: Desk, match: str, at: int | None, diff: int | None, viewer: str) -> Answer[Knew | Learned]:
    """Which faces each seat and everybody have seen."""
    away = Away(desk, match, viewer)
    number = away.entry(at)
    if diff is not None:
        return answer_learned(desk, away.law.game, away.names, away.match.learned(number, away.entry(diff)))
    return answer_known(desk, away.law.game, away.names, away.match.known(number))


def when(desk: Desk, match: str, thing: str, at: int | None, viewer: str) -> Answer[Touched]:
    """Which entry last moved, marked, turned or stanced a thing."""
    away = Away(desk, match, viewer)
    return answer_touched(desk, away.law.game, away.names, away.match.touched(away.entry(at), thing))


def export(desk: Desk, match: str, form: str, viewer: str, with_branches: bool, end: int | None) -> None:
    """The whole record for a judge; for anybody else what that viewer saw."""
    if end is not None:
        raise desk.problem("client.no_part")
    if with_branches:
        raise desk.problem("client.no_branches")
    away = Away(desk, match, viewer)
    data = away.match.export(FORMS[form], desk.lang)
    whole = away.head.viewer == JUDGE or form != "notation"
    desk.screen.raw(data if whole else safe(data.decode()).encode())
