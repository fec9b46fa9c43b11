"""A store copied to another place, of either kind."""

from pathlib import Path
from typing import Annotated

from cli.answer import Answer
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, show_progress
from recorder.copying import Copied, copy_store
from recorder.place import on_server
from recorder.store import Store


def copy(
    desk: Desk,
    source: Annotated[str, "SRC"],
    destination: Annotated[str, "DST"],
    progress: Asked = False,
) -> Answer[Copied]:
    """Copy a store into a file or a database; 1 if matches in it are damaged, which are copied as they are."""
    with desk.refusing(), Store.open(source, read_only=True) as store:
        total = store.entries
        with show_progress(desk.screen, desk.say("copy.progress"), total, progress) as step:

            def went(count: int) -> None:
                for _ in range(count):
                    step()

            done = copy_store(store, destination if on_server(destination) else Path(destination), went)

    def draw() -> None:
        counts = {"matches": done.matches, "entries": f"{done.entries:,}"}
        desk.tell("copy.done", "good", source=done.source, to=done.to, **counts)
        if done.resumed:
            desk.tell("copy.resumed")
        for match in done.damaged:
            desk.tell("copy.damaged", "bad", match=match)

    return Answer(lambda: done, draw, FINDINGS if done.damaged else FINE)
