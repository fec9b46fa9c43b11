"""Output files: written whole or not at all, and never over an input or another output."""

import os
from collections.abc import Iterable, Mapping
from errno import EACCES, EISDIR, ENOENT
from pathlib import Path

from archive.corpus.sources import can_contain
from cli.context import CommandContext, quote_input
from domain.words import Text
from recorder import files

INDEX = ".index"
"""Suffix of the index of a corpus."""


def write_whole(ctx: CommandContext, path: Path, data: bytes) -> Path:
    """Write a file atomically."""
    with ctx.convert_os_errors("cli.unwritable", str(path)):
        files.write_whole(path, data)
    return path


def writable(ctx: CommandContext, names: Iterable[str | None]) -> None:
    """Check before the work begins that files can be written. Raises CommandError."""
    for name in filter(None, names):
        path, folder = Path(name), Path(name).parent
        with ctx.convert_os_errors("cli.unwritable", quote_input(name)):
            if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
                error = EISDIR if path.is_dir() else EACCES if folder.is_dir() else ENOENT
                raise OSError(error, os.strerror(error))


def distinct(
    ctx: CommandContext, outputs: Mapping[str, str | None], matches: Iterable[str], others: Iterable[str | None]
) -> None:
    """Check that each output, by its option, differs from other outputs and from all inputs. Raises CommandError.

    `matches` are stores, folders, files and corpora; `others` are any other inputs.
    """
    taken = {os.path.realpath(other): Text("output.read") for other in others if other is not None}
    folders: list[str] = []
    for match in matches:
        real = os.path.realpath(match)
        if Path(real).is_dir():
            folders.append(real)
        else:
            taken[real] = Text("output.read")
            taken.setdefault(real + INDEX, Text("output.index"))
    for option, path in outputs.items():
        if path is None:
            continue
        real = os.path.realpath(path)
        conflict = taken.get(real) or next(
            (Text("output.read") for folder in folders if can_contain(folder, real)), None
        )
        if conflict is not None:
            raise ctx.problem("output.taken", option=option, file=path, why=conflict)
        taken[real] = Text("output.other", {"option": option})
