"""Many matches as a table of Arrow or Parquet, for those who ask their questions elsewhere."""

from collections.abc import Generator
from contextlib import closing
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import Desk, shown
from cli.outputs import distinct, writable
from cli.progress import Asked, Jobs, show_progress, warn_of_lost
from corpus import sources
from corpus.sources import Bad, Source
from recorder.extras import load_extra
from recorder.pool import Work, cores, results
from regress import tabling
from regress.tabling import EVERYONE, FORMS, Row, Wanted

WRITE = "regress.arrow:write"


class Tabled(Struct, frozen=True):
    """A table that was written: of what, for whom, its columns and how many rows it has."""

    file: str
    of: tabling.Of
    audience: str
    columns: tuple[str, ...]
    rows: int


def table(
    desk: Desk,
    path: Annotated[str, "PATH"],
    out: Annotated[str, "FILE.parquet|.arrow"],
    of: Annotated[Literal["entries", "findings"], "--of entries|findings"] = "entries",
    audience: Annotated[str, "--for everyone|judge|SEAT"] = EVERYONE,
    jobs: Jobs = None,
    progress: Asked = False,
) -> Answer[Tabled]:
    """Write the entries or the findings of matches as a table, as far as its readers may know."""
    if Path(out).suffix not in FORMS:
        raise desk.problem("table.form", file=shown(out), forms=" ".join(FORMS))
    write = load_extra(WRITE, "table")
    (read,) = files.require_paths(desk, [path])
    writable(desk, [out])
    distinct(desk, {out: out}, [read], ())
    wanted = Wanted(of, audience)
    coming = _rows(desk, wanted, read, jobs or cores(), progress)
    with desk.on_disk("cli.unwritable", shown(out)), closing(coming) as rows:
        written: int = write(wanted, rows, Path(out))
    tabled = Tabled(out, of, audience, tabling.columns(wanted), written)
    said = {"file": out, "n": f"{written:,}", "columns": len(tabled.columns)}
    return Answer(lambda: tabled, lambda: desk.tell(f"table.written.{of}", **said))


def _rows(desk: Desk, wanted: Wanted, path: str, jobs: int, progress: bool) -> Generator[Row, None, None]:
    """The rows of all matches, in their order. Raises Problem at the first match that cannot be read."""
    work: Work[Source, list[Row] | Bad] = Work(partial(tabling.rows_of, wanted), tabling.killed, attrgetter("name"))
    coming = results(work, sources.sources([path]), jobs, warn_of_lost(desk))
    what = desk.say("table.progress")
    with show_progress(desk.screen, what, lambda: sources.count([path]), progress) as step, closing(coming):
        for rows in coming:
            if isinstance(rows, Bad):
                raise desk.refuse(rows.why)
            yield from rows
            step()
