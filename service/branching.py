"""What-if matches: a branch goes on from an entry of its parent, with the same cards and chance of its own."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from domain.table.table import JUDGE
from recorder import branches, matches
from recorder.answers import Recorded
from recorder.commands import command_of
from recorder.naming import id_of
from recorder.store import Conflict
from service import commands as C
from service.asking import Ask, Reply
from service.problems import halt
from service.recording import etag, key_of, trouble, writer


def open_branch(ask: Ask, body: C.OpenBranch) -> Reply:
    """Open a branch; asked once more under the same id, the same branch is answered.

    What is turned up in a branch lies there in its parent too: so only who looks with a judge's eyes opens one.
    """
    house, parent = ask.house, ask.look(JUDGE, "branch").match
    key = key_of(ask, body.id)
    command = None if key is None else command_of(str(key), parent.id, to_builtins(replace(body, id=None)))
    match = body.match or (None if key is None else id_of(parent.game, str(key)))
    before = None if command is None or match is None else matches.answered_before(house.store, match, command)
    if before is None:
        done: Any = branches.branch(
            house.store, parent.id, body.at, match, now=house.clock(), by=writer(ask.session), command=command
        )
        if isinstance(done, Conflict):
            raise halt("exists")
        if isinstance(done, branches.NoBranch):
            raise halt("unreadable", done.what)
        if not isinstance(done, branches.Branched):
            raise trouble(done)
        match, head = done.match, done.version
        house.wake(match)
    elif isinstance(before, Recorded):
        head = before.last
    else:
        raise trouble(before)
    assert match is not None
    value = C.Branched(match=match, parent=parent.id, at=body.at, head=head, parent_open=not parent.closed)
    headers = {**etag(head), "Location": f"/api/v1/matches/{match}"}
    if before is not None:
        return Reply(value, 200, {**headers, "Idempotent-Replay": "1"})
    return Reply(value, 201, headers)
