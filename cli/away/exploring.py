"""Matches of a service explored, and written out."""

from cli.away.asking import Away
from cli.context import Desk
from cli.drawing import safe
from domain.table.table import JUDGE

FORMS = {"notation": "spn", "jsonl": "jsonl"}
"""How a form is called at the end of its address."""


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
