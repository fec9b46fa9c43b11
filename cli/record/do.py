"""An action recorded."""

from typing import Annotated

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import Desk
from cli.record.outcome import Refused, Written
from cli.values import Action, CommandId, Entering, Expect, Match, Viewer
from recorder.usecases import commands as C


def do(
    desk: Desk,
    match: Match,
    action: Action,
    as_played: Annotated[bool, "--as-played"] = False,
    confirm: Annotated[bool, "--confirm"] = False,
    expect: Expect = None,
    command_id: CommandId = None,
    viewer: Viewer = "spectator",
    shows: Annotated[str, "--shows FACE,..."] = "",
) -> Answer[Written | Refused]:
    """Record an action; what followed is printed as the viewer sees it. Names are read as the scorekeeper sees them."""
    command = C.Play(
        text=" ".join(action),
        shows=(shows,) if shows.strip() else (),
        mode="record" if as_played else None,
        confirm=confirm,
    )
    with open_backend(desk, match, Entering(expect=expect, command_id=command_id), viewer) as backend:
        return backend.play(command)
