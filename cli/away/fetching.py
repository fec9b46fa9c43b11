"""Commands that work on a whole record: it is fetched from the service, by whoever may see all of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from cli import files
from cli.away.asking import Away
from cli.context import Desk
from cli.judge import fairness as chance
from cli.many import case_new as case, rejudge as judging, shrink as shrinking
from domain.table.table import JUDGE
from recorder.files import SUFFIXES
from recorder.place import on_server

T = TypeVar("T")


def _on_a_record(command: Callable[..., T]) -> Callable[..., T]:
    """The command of a store, on a record of the service; on a file where one is named."""

    def run(desk: Desk, record: str, **given: Any) -> T:
        if is_file(record):
            return command(desk, record, **given)
        with fetch(desk, record) as file:
            return command(desk, file, **given)

    return run


def is_file(record: str) -> bool:
    """True if a text names a file, a folder, a store or a match in one, and no match of the service."""
    path = record.rpartition(":")[0] or record
    return (
        record == files.STDIN
        or on_server(record)
        or record.endswith(SUFFIXES)
        or files.names(record)
        or files.names(path, Path.is_file)
    )


@contextmanager
def fetch(desk: Desk, match: str) -> Iterator[str]:
    """A file with the whole record of a match, for a while. Raises Refused where not all of it may be seen."""
    data = Away(desk, match, JUDGE).match.export("jsonl")
    with TemporaryDirectory(prefix="shinpan-") as folder:
        file = Path(folder, "record.jsonl")
        file.write_bytes(data)
        yield str(file)


fairness = _on_a_record(chance.fairness)
rejudge = _on_a_record(judging.rejudge)
shrink = _on_a_record(shrinking.shrink)
case_new = _on_a_record(case.new)
