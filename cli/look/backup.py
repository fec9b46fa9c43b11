"""The store itself, kept safe."""

from pathlib import Path
from typing import Annotated

import typer

from cli.answer import Answer
from cli.context import Desk
from recorder import backup as copies

Destination = Annotated[str, typer.Argument(metavar="DEST", show_default=False)]
Overwrite = Annotated[bool, typer.Option("--overwrite")]


def backup(desk: Desk, destination: Destination, overwrite: Overwrite = False) -> Answer[copies.BackedUp]:
    """Write a good copy of the store, also while others write to it."""
    with desk.store() as store:
        done = copies.backup(store, Path(destination), overwrite)
    counts = {"matches": done.matches, "entries": f"{done.entries:,}", "bytes": f"{done.bytes:,}"}
    return Answer(lambda: done, lambda: desk.tell("backup.done", file=done.file, **counts))
