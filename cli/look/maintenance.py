"""Maintenance of the store: copies, and removal of damaged matches."""

import re
from pathlib import Path
from typing import Annotated

from cli.answer import Answer
from cli.context import CommandContext
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, show_progress
from cli.values import Match
from recorder import backup as copies, clock
from recorder.answers import Unfit
from recorder.copying import Copied, copy_store
from recorder.quarantine import Quarantined, quarantine as take_out, read_tombstones
from recorder.sealing import match_ids
from recorder.store import Store
from recorder.store_location import on_server


def backup(
    ctx: CommandContext,
    destination: Annotated[str, "DEST"],
    overwrite: Annotated[bool, "--overwrite"] = False,
) -> Answer[copies.BackedUp]:
    """Back up the store while others write to it. The exit code is 1 if matches are damaged."""
    ctx.require_store("client.no_backup")
    with ctx.store() as store:
        done = copies.backup(store, Path(destination), overwrite)
    counts = {"matches": done.matches, "entries": f"{done.entries:,}", "bytes": f"{done.bytes:,}"}

    def draw() -> None:
        ctx.print_message("backup.done", file=done.file, **counts)
        for match in done.damaged:
            ctx.print_message("copy.damaged", "bad", match=match)

    return Answer(lambda: done, draw, FINDINGS if done.damaged else FINE)


def copy(
    ctx: CommandContext,
    source: Annotated[str, "SRC"],
    destination: Annotated[str, "DST"],
    progress: Asked = False,
) -> Answer[Copied]:
    """Copy a store to a file or a database. Damaged matches are copied as they are; the exit code is then 1."""
    with ctx.convert_errors(), Store.open(source, read_only=True) as store:
        total = store.entries
        with show_progress(ctx.screen, ctx.say("copy.progress"), total, progress) as step:

            def report_copied(count: int) -> None:
                for _ in range(count):
                    step()

            done = copy_store(store, destination if on_server(destination) else Path(destination), report_copied)

    def draw() -> None:
        counts = {"matches": done.matches, "entries": f"{done.entries:,}"}
        ctx.print_message("copy.done", "good", source=done.source, to=done.to, **counts)
        if done.resumed:
            ctx.print_message("copy.resumed")
        for match in done.damaged:
            ctx.print_message("copy.damaged", "bad", match=match)

    return Answer(lambda: done, draw, FINDINGS if done.damaged else FINE)


_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
"""Characters of a damaged id to replace in its file name."""


def quarantine(
    ctx: CommandContext, match: Match, out: Annotated[str | None, "--out FILE"] = None
) -> Answer[Quarantined]:
    ctx.require_store()
    with ctx.store(writing=True) as store:
        known = {*match_ids(store), *read_tombstones(store)}  # a damaged row may have an invalid id
        name = match.strip() if match.strip() in known else ctx.match_id(store, match)
        where = Path(out or f"{_UNSAFE.sub('_', name)}.quarantine")
        done = take_out(store, name, where, clock.read_wall_clock())
    if isinstance(done, Unfit):
        raise ctx.refuse(done.what)

    def draw() -> None:
        ctx.print_message("quarantine.done", "good", match=done.match, entry=done.entry, rows=done.rows, file=done.file)
        ctx.hint("quarantine.next", match=done.match)

    return Answer(lambda: done, draw)
