"""The store itself, kept safe."""

from pathlib import Path
from typing import Annotated

import typer

from cli.context import Desk
from cli.registry import Command, Json

Destination = Annotated[str, typer.Argument(metavar="DEST", show_default=False)]
Overwrite = Annotated[bool, typer.Option("--overwrite")]


def backup(desk: Desk, destination: Destination, overwrite: Overwrite = False, as_json: Json = False) -> None:
    """Write a good copy of the store, also while others write to it."""
    from recorder.backup import backup as backed_up

    with desk.store() as store:
        done = backed_up(store, Path(destination), overwrite)
    if as_json:
        desk.screen.json(done)
        return
    counts = {"matches": done.matches, "entries": f"{done.entries:,}", "bytes": f"{done.bytes:,}"}
    desk.screen.line(desk.say("backup.done", file=done.file, **counts))


COMMANDS: dict[str, Command] = {"backup": backup}
