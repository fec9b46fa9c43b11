"""What stands in the store: matches, tables, timelines, stacks. Nothing here writes."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import Desk
from cli.registry import At, Command, Json, Match, Viewer

if TYPE_CHECKING:
    from domain.formats.notation import Record
    from recorder.loading import Match as Loaded
    from recorder.store import Listed, Store

From = Annotated[int | None, typer.Option("--from", metavar="N", show_default=False)]
To = Annotated[int | None, typer.Option("--to", metavar="N", show_default=False)]
Flow = Annotated[bool, typer.Option("--flow")]


def matches(desk: Desk, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """The matches of the store. The list is the same for every viewer."""
    from pathlib import Path

    found: list[Listed] = []
    if not desk.default or Path(desk.where).exists():
        with desk.store() as store:
            found = store.matches()
    if as_json:
        desk.screen.json(found)
        return
    headings = [desk.say(f"head.{one}") for one in ("match", "game", "names", "entries", "state", "opened")]
    desk.screen.table(headings, [_match_row(desk, one) for one in found])


def _match_row(desk: Desk, one: "Listed") -> tuple[str, ...]:
    names = " - ".join(one.names.get(seat, seat) for seat in one.seats)
    state = desk.say("state.closed" if one.closed else "state.open")
    if one.unofficial:
        state = desk.say("state.unofficial", state=state, parent=one.parent, at=one.parent_at or "?")
    return one.match, f"{one.game}@{one.version}", names, str(one.entries), state, _day(one.at)


def _day(at: int) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M") if at else "-"
    except (ValueError, OverflowError, OSError):
        return "-"


def show(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """The table after an entry; a seat sees its own hand among its places."""
    from projections.board import board, render_board
    from projections.hand import hands

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    drawn = board(found.game, found.rules, found.entries, number, seat)
    if as_json:
        held = hands(found.entries, number, seat)
        desk.screen.json({"match": found.id, "board": drawn, "hands": held.hands})
        return
    if found.opened.parent:
        desk.screen.aside(desk.say("branch.of", parent=found.opened.parent, at=found.opened.parent_at or "?"))
    desk.screen.rows(render_board(drawn, found.game, desk.lang))


def log(
    desk: Desk,
    match: Match,
    start: From = None,
    end: To = None,
    viewer: Viewer = "spectator",
    flow: Flow = False,
    as_json: Json = False,
) -> None:
    """The timeline of a match, entry by entry, with the clause of each fact."""
    from projections.seen_entries import seen_entries
    from projections.timeline import render_timeline, timeline

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    first = desk.entry(found, start if start is not None else 1)
    last = desk.entry(found, end if end is not None else found.version)
    if first > last:
        raise desk.problem("cli.backwards", first=first, last=last)
    if as_json:
        seen = [one for one in seen_entries(found.game, found.entries, seat, last, flow=flow) if one.number >= first]
        desk.screen.json({"match": found.id, "viewer": seat, "entries": seen})
        return
    lines = timeline(found.game, found.entries, seat, desk.lang, last, flow=flow)
    desk.screen.rows(render_timeline(lines[first - 1 :], desk.lang))


def stack(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """What was requested, how it was answered, and what became of it."""
    from projections.stack import stack_history
    from projections.stack_rows import render_stack

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    history = stack_history(found.game, found.entries, number, seat)
    if as_json:
        desk.screen.json({"match": found.id, "history": history})
        return
    desk.screen.rows(render_stack(history, found.game, desk.lang))


Format = Annotated[str, typer.Option("--format", metavar="notation|jsonl")]
FORMATS = ("notation", "jsonl")


WithBranches = Annotated[bool, typer.Option("--with-branches")]


def export(
    desk: Desk,
    match: Match,
    form: Format = "notation",
    viewer: Viewer = "spectator",
    with_branches: WithBranches = False,
) -> None:
    """The whole record for a judge; for anybody else what that viewer saw, which is no record any more."""
    from domain.formats.errors import FormatError
    from domain.formats.notation import write_notation, write_record
    from recorder import codec

    if form not in FORMATS:
        raise desk.problem("cli.no_format", form=repr(form), allowed=", ".join(FORMATS))
    with desk.store() as store:
        found = desk.match(store, match)
        states = store.read_bytes(found.id, found.version)
        records = _with_branches(desk, store, found.id) if with_branches else None
    seat = desk.viewer(found, viewer)
    if with_branches and (seat, form) != ("judge", "notation"):
        raise desk.problem("export.no_branches")
    if seat != "judge":
        _export_seen(desk, found, seat, form)
        return
    try:
        if form == "jsonl":
            desk.screen.raw(b"".join(codec.to_json_line(state) + b"\n" for state in states))
        else:
            if records is None:
                text = write_notation(found.game, found.entries)
            else:
                text = write_record(found.game, records)
                _importable(desk, found, records)
            desk.screen.raw(text.encode())
    except FormatError as error:
        raise desk.unavailable(found.id, error.message) from None
    except codec.CodecError as error:
        raise desk.unavailable(found.id, error.text) from None


def _importable(desk: Desk, found: "Loaded", records: "Record") -> None:
    """Only what an import takes in is written."""
    from recorder.imports import fault, fault_among

    _, *branches = (one.entries for one in records.all())
    bad = fault(found.entries) or fault_among(found.opened.match, branches)
    if bad is not None:
        raise desk.unavailable(found.id, bad.what)


def _with_branches(desk: Desk, store: "Store", match: str) -> "Record":
    """A match and its branches, and theirs."""
    from domain.formats.notation import DEPTH_MAX, Record
    from recorder.branches import branches

    below = branches(store)

    def gathered(one: str, above: frozenset[str]) -> Record:
        under = above | {one}
        deeper = below.get(one, ()) if len(above) <= DEPTH_MAX else ()  # so many are refused when they are written
        gone_through = tuple(gathered(next_, under) for next_ in deeper if next_ not in under)
        return Record(desk.match(store, one).entries, gone_through)

    return gathered(match, frozenset())


def _export_seen(desk: Desk, found: Any, seat: Any, form: str) -> None:
    import msgspec

    from projections.rows import plain
    from projections.seen_entries import seen_entries
    from projections.timeline import render_timeline, timeline

    text = desk.say("export.redacted", viewer=seat, match=found.id)
    if form == "jsonl":
        head = {"shinpan": "view", "viewer": seat, "match": found.id, "note": text}
        lines = [head, *seen_entries(found.game, found.entries, seat, flow=True)]
        desk.screen.raw(b"".join(msgspec.json.encode(one) + b"\n" for one in lines))
        return
    rows = render_timeline(timeline(found.game, found.entries, seat, desk.lang), desk.lang)
    from cli.drawing import safe

    desk.screen.raw(f"; {text}\n\n{safe(plain(rows))}\n".encode())


COMMANDS: dict[str, Command] = {
    "matches": matches,
    "show": show,
    "log": log,
    "stack": stack,
    "export": export,
}
