"""Matches of a service found again, by what its own index holds."""

from itertools import islice
from typing import Any

from cli.answer import Answer
from cli.away.asking import service
from cli.context import Desk
from cli.look import find as here
from recorder.finding.rows import Found, Hit
from service import wire

ONLY_HERE = {"did": "--did", "fresh": "--fresh", "ruling": "--ruling", "ended": "--outcome", "index": "--index"}
"""Options that read whole matches, by their parameters: a service answers by its index alone."""


def find(desk: Desk, paths: list[str] | None, **asked: Any) -> Answer[tuple[here.FoundMatch, ...]]:
    """Matches by clause, finding, card, player, event, game and day; those in files are found here, as ever."""
    if paths:
        return here.find(desk, paths, **asked)
    for name, option in ONLY_HERE.items():
        if asked[name]:
            raise desk.problem("client.no_scan", option=option)
    here.check(desk, **{name: asked[name] for name in ("kind", "ruling", "ended", "game", "viewer", "since", "until")})
    words = {name: asked[name] for name in ("clause", "card", "player", "event", "game", "since", "until")}
    sought = {name: text for name, text in (*words.items(), ("verdict", asked["kind"])) if text}
    rows = (row for page in service(desk).find(**sought) for row in page.matches)
    found = tuple(here.FoundMatch(row.match, _found(row)) for row in islice(rows, asked["limit"]))
    return Answer(lambda: found, lambda: here.draw_found(desk, found))


def _found(row: wire.FoundMatch) -> Found:
    hits = tuple(Hit(hit.entry, hit.kind, hit.clause, hit.undone) for hit in row.findings)
    head = {name: getattr(row, name) for name in Found.__struct_fields__ if name != "hits"}
    return Found(**head, hits=hits)
