"""Export of a match: the whole record, or a viewer's copy."""

from collections.abc import Mapping
from typing import Annotated

from cli.context import CommandContext
from cli.drawing import safe
from cli.readers import open_remote
from cli.values import Format, Match, Viewer
from domain.formats import notation
from domain.formats.errors import FormatError
from domain.table.redact import TableViewer
from domain.table.table import JUDGE
from domain.words import Text
from projections.copies import copy_lines, copy_text
from recorder import codec
from recorder.branches import branches
from recorder.imports import fault_among, find_fault
from recorder.match_loader import LoadedMatch as Loaded, truncate
from recorder.store import Store

ENDINGS = {"notation": "spn", "jsonl": "jsonl"}
"""Suffix of each format in URLs of a service."""


def export(
    ctx: CommandContext,
    match: Match,
    form: Format = "notation",
    viewer: Viewer = "spectator",
    with_branches: Annotated[bool, "--with-branches"] = False,
    end: Annotated[int | None, "--to N"] = None,
) -> None:
    """Export the whole record for the judge, and a copy that cannot be imported for other viewers."""
    if with_branches and end is not None:
        raise ctx.problem("cli.not_both", one="--to", other="--with-branches")
    if ctx.is_remote:
        _export_remote(ctx, match, form, viewer, with_branches, end)
        return
    with ctx.store() as store:
        loaded = ctx.match(store, match, end)
        loaded = truncate(loaded, ctx.entry(loaded, end))
        states = store.read_record(loaded.id, loaded.version)
        records = _with_branches(ctx, store, loaded.id) if with_branches else None
    eyes = ctx.find_viewer(loaded, viewer)
    if with_branches and (eyes.viewer, form) != (JUDGE, "notation"):
        raise ctx.problem("export.no_branches")
    if eyes.viewer != JUDGE:
        _export_seen(ctx, loaded, eyes, form)
        return
    try:
        if form == "jsonl":
            ctx.screen.raw(codec.to_json_lines(states))
        elif records is None:
            ctx.screen.raw(notation.write_notation(loaded.game, loaded.entries).encode())
        else:
            text = notation.write_record(loaded.game, records)
            _check_importable(ctx, loaded, records)
            ctx.screen.raw(text.encode())
    except FormatError as error:
        raise ctx.unavailable(loaded.id, error.message) from None
    except codec.CodecError as error:
        raise ctx.unavailable(loaded.id, error.text) from None


def _export_remote(
    ctx: CommandContext, match: str, form: str, viewer: str, with_branches: bool, end: int | None
) -> None:
    if end is not None:
        raise ctx.problem("client.no_part")
    if with_branches:
        raise ctx.problem("client.no_branches")
    reader = open_remote(ctx, match, viewer)
    data = reader.match.export(ENDINGS[form], ctx.lang)
    whole = reader.viewer == JUDGE or form != "notation"
    ctx.screen.raw(data if whole else safe(data.decode()).encode())


def _check_importable(ctx: CommandContext, loaded: Loaded, records: notation.Tree) -> None:
    _, *branches = (record.entries for record in records.all())
    bad = find_fault(loaded.entries) or fault_among(loaded.opening.match, branches)
    if bad is not None:
        raise ctx.unavailable(loaded.id, bad.what)


def _with_branches(ctx: CommandContext, store: Store, match: str) -> notation.Tree:
    below = branches(store)
    if _descendants(below, match, notation.BRANCHES_MAX + 1) > notation.BRANCHES_MAX:
        raise ctx.unavailable(match, Text("variation.many", {"most": notation.BRANCHES_MAX}))

    def gather(match_id: str, above: frozenset[str]) -> notation.Tree:
        under = above | {match_id}
        # deeper branches are refused when written
        deeper = below.get(match_id, ()) if len(above) <= notation.DEPTH_MAX else ()
        gathered = tuple(gather(branch, under) for branch in deeper if branch not in under)
        return notation.Tree(ctx.match(store, match_id).entries, gathered)

    return gather(match, frozenset())


def _descendants(below: Mapping[str, list[str]], match: str, most: int) -> int:
    """Return the number of branches below a match, counted at most up to `most`."""
    known, todo = {match}, [match]
    while todo and len(known) <= most:
        new = set(below.get(todo.pop(), ())) - known
        known |= new
        todo += new
    return len(known) - 1


def _export_seen(ctx: CommandContext, loaded: Loaded, eyes: TableViewer, form: str) -> None:
    if form == "jsonl":
        ctx.screen.raw(copy_lines(loaded, loaded.id, eyes, ctx.lang))
        return
    ctx.screen.raw(safe(copy_text(loaded, loaded.id, eyes, ctx.lang)).encode())
