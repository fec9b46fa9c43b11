"""Import of whole records from files."""

from pathlib import Path
from typing import Annotated

from cli import files
from cli.context import CommandContext
from cli.problems import BAD_INPUT, FINE, CommandError
from cli.record.stores import open_store
from domain.words.foreign import explain_system_error
from recorder.files import SUFFIXES


def take_in(
    ctx: CommandContext,
    paths: Annotated[list[str], "FILE|FOLDER..."],
    match_id: Annotated[str | None, "--match ID"] = None,
) -> int:
    """Import whole records, each file all or nothing; print only their ids.

    A refused file is reported and does not stop the others.
    """
    if match_id is not None and not _is_single(paths):
        raise ctx.problem("import.many_renamed")
    if _is_single(paths):
        _take_in(ctx, paths[0], match_id)
        return FINE
    records, errors = _records(ctx, paths)
    ctx.warn(
        *(ctx.say("cli.unreadable", file=str(error.filename), detail=explain_system_error(error)) for error in errors)
    )
    refused = 0
    for file in records:
        try:
            _take_in(ctx, file, match_id)
        except CommandError as problem:
            refused += 1
            ctx.warn(problem.message)
            for line in problem.more:
                ctx.screen.aside(line)
    ctx.hint("import.many", n=len(records) - refused, refused=refused)
    return BAD_INPUT if refused or errors else FINE


def _is_single(paths: list[str]) -> bool:
    return len(paths) == 1 and not files.path_satisfies(paths[0], Path.is_dir)


def _records(ctx: CommandContext, paths: list[str]) -> tuple[list[str], list[OSError]]:
    """Return the named files and the record files in the named folders, and the errors of folders.

    Raises CommandError for a folder without records.
    """
    records: dict[str, None] = {}
    errors: list[OSError] = []
    for path in paths:
        if not files.path_satisfies(path, Path.is_dir):
            records[path] = None
            continue
        inside = files.list_files(Path(path), SUFFIXES, errors)
        if not inside and not errors:
            raise ctx.problem("corpus.no_matches", folder=path)
        records |= dict.fromkeys(map(str, inside))
    return list(records), errors


def _take_in(ctx: CommandContext, file: str, match_id: str | None) -> None:
    for taken in open_store(ctx).take_in(file, match_id):
        ctx.screen.line(taken.match)
        ctx.hint("import.new" if taken.new else "import.known", match=taken.match, entries=taken.version)
