"""What stands in the store: matches, tables, timelines, stacks. Nothing here writes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import Desk
from cli.registry import At, Command, Json, Match, Viewer
from domain.words import Text
from domain.words.lines import unsplit

if TYPE_CHECKING:
    from domain.formats.notation import Record
    from domain.table.table import Result
    from projections.standing import Standing
    from recorder.loading import Match as Loaded
    from recorder.store import Listed, Store

From = Annotated[int | None, typer.Option("--from", metavar="N", show_default=False)]
To = Annotated[int | None, typer.Option("--to", metavar="N", show_default=False)]
Flow = Annotated[bool, typer.Option("--flow")]
Open = Annotated[bool, typer.Option("--open")]
Player = Annotated[str, typer.Option("--player", metavar="NAME", show_default=False)]
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", show_default=False)]
OfEvent = Annotated[str, typer.Option("--event", metavar="TEXT", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1)]

NEWEST = 100
"""How many matches are listed if no number is given: each is read to say how it stands."""


LEAST = ("opened", "occasion", "entries", "last", "turn", "state", "game")
"""Columns of the list that a narrow terminal goes without, the first first."""


def matches(
    desk: Desk,
    open_only: Open = False,
    player: Player = "",
    game: OfGame = "",
    event: OfEvent = "",
    limit: Limit = NEWEST,
    viewer: Viewer = "spectator",
    as_json: Json = False,
) -> None:
    """The matches of the store, the newest first. The list is the same for every viewer."""
    from pathlib import Path

    from msgspec import to_builtins

    rows: list[tuple[Listed, Standing | None]] = []
    more = 0
    if not desk.default or Path(desk.where).exists():
        with desk.store() as store:
            found = store.matches()
            if game and game not in {one.game for one in found}:
                desk.game(game)
            wanted = [one for one in reversed(found) if _wanted(one, open_only, player, game)]
            # What is said of a match stands in any of its entries: only who asks for an event has all of them read.
            rows = [(one, _standing(store, one)) for one in (wanted if event else wanted[:limit])]
            if event:
                rows = [row for row in rows if row[1] is not None and _holds(event, (row[1].occasion.event,))]
                wanted = [one for one, _ in rows]
            rows, more = rows[:limit], len(wanted[limit:])
    if as_json:
        desk.screen.json([to_builtins(one) | to_builtins(stands or {"turn": None}) for one, stands in rows])
        return
    columns = ("match", "game", "names", "entries", "state", "turn", "result", "opened", "last", "occasion")
    shown = [_match_row(desk, *row) for row in rows]
    kept = [at for at, name in enumerate(columns) if name != "occasion" or any(row[at] for row in shown)]
    drop = [kept.index(at) for at in map(columns.index, LEAST) if at in kept]
    cells = [[row[at] for at in kept] for row in shown]
    desk.screen.table([desk.say(f"head.{columns[at]}") for at in kept], cells, drop)
    if more:
        desk.screen.aside(desk.say("matches.more", n=more))


def _wanted(one: "Listed", open_only: bool, player: str, game: str) -> bool:
    names = [one.names.get(seat, seat) for seat in one.seats]
    return not (open_only and one.closed) and _holds(player, names) and game in ("", one.game)


def _holds(text: str, names: Iterable[str]) -> bool:
    return not text or any(text.casefold() in name.casefold() for name in names)


def _standing(store: "Store", one: "Listed") -> "Standing | None":
    """How a match stands; None if it cannot be read here: it is listed all the same."""
    from projections.standing import standing
    from recorder.store import StoreError

    try:
        return standing(store.read(one.match))
    except StoreError as error:
        if error.trouble not in ("newer", "corrupt"):
            raise
        return None


def _match_row(desk: Desk, one: "Listed", stands: "Standing | None") -> tuple[str, ...]:
    from projections.phrases import occasion_words

    names = " - ".join(one.names.get(seat, seat) for seat in one.seats)
    state = desk.say("state.closed" if one.closed else "state.open")
    if one.unofficial:
        state = desk.say("state.unofficial", state=state, parent=one.parent, at=one.parent_at or "?")
    turn, result, last, said = ("?", "?", "?", "")
    if stands is not None:
        turn, result, last = str(stands.turn), _result(desk, one, stands.result), _day(stands.last)
        said = occasion_words(stands.occasion, stands.announced, desk.lang)
    game = f"{one.game}@{one.version}"
    return one.match, game, names, str(one.entries), state, turn, result, _day(one.at), last, said


def _result(desk: Desk, one: "Listed", result: "Result | None") -> str:
    from domain.games import GAMES
    from projections.phrases import result_words

    if result is None:
        return "-"
    game = GAMES.get(one.game)
    return result_words(game, result, desk.lang) if game is not None else ", ".join(result.winners) or result.reason


def _day(at: int) -> str:
    from projections.moments import stamp

    return stamp(at, "%Y-%m-%d %H:%M") or "-"


def show(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """The table after an entry; a seat sees its own hand among its places."""
    from domain.law.entries import last_described
    from projections.board import board, render_board
    from projections.hand import hands

    with desk.store() as store:
        found = desk.match(store, match)
    seat = desk.viewer(found, viewer)
    number = desk.entry(found, at if at is not None else found.version)
    drawn = board(found.game, found.rules, found.entries, number, seat)
    if as_json:
        held = hands(found.entries, number, seat)
        said = last_described(found.entries)
        about = {"occasion": said.occasion, "announced": said.announced}
        desk.screen.json({"match": found.id, "board": drawn, "hands": held.hands, **about})
        return
    _head(desk, found)
    if found.opened.parent:
        desk.screen.aside(desk.say("branch.of", parent=found.opened.parent, at=found.opened.parent_at or "?"))
    desk.screen.rows(render_board(drawn, found.game, desk.lang))


def _head(desk: Desk, found: "Loaded") -> None:
    """On what occasion the match is played, where that was said, as a heading."""
    from domain.law.entries import last_described
    from projections.phrases import occasion_words

    said = last_described(found.entries)
    if text := occasion_words(said.occasion, said.announced, desk.lang):
        desk.screen.line(text, "heading")


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
    from projections.moments import moments
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
    _head(desk, found)
    desk.screen.rows(render_timeline(lines[first - 1 :], desk.lang, moments(found.entries)))


def stack(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator", as_json: Json = False) -> None:
    """What was requested, how it was answered, and what became of it."""
    from projections.moments import moments
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
    desk.screen.rows(render_stack(history, found.game, desk.lang, moments(found.entries)))


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
    from domain.formats.notation import BRANCHES_MAX, DEPTH_MAX, Record
    from recorder.branches import branches

    below = branches(store)
    if _descendants(below, match, BRANCHES_MAX + 1) > BRANCHES_MAX:
        raise desk.unavailable(match, Text("variation.many", {"most": BRANCHES_MAX}))

    def gathered(one: str, above: frozenset[str]) -> Record:
        under = above | {one}
        deeper = below.get(one, ()) if len(above) <= DEPTH_MAX else ()  # so many are refused when they are written
        gone_through = tuple(gathered(next_, under) for next_ in deeper if next_ not in under)
        return Record(desk.match(store, one).entries, gone_through)

    return gathered(match, frozenset())


def _descendants(below: Mapping[str, list[str]], match: str, most: int) -> int:
    """How many branches a match and its branches have; not counted further than asked."""
    known, todo = {match}, [match]
    while todo and len(known) <= most:
        new = set(below.get(todo.pop(), ())) - known
        known |= new
        todo += new
    return len(known) - 1


def _export_seen(desk: Desk, found: Any, seat: Any, form: str) -> None:
    import msgspec

    from projections.rows import plain
    from projections.seen_entries import seen_entries
    from projections.timeline import render_timeline, timeline

    text = desk.say("export.redacted", viewer=seat, match=found.id)
    if form == "jsonl":
        head = {"shinpan": "view", "viewer": seat, "match": found.id, "note": text}
        lines = [head, *seen_entries(found.game, found.entries, seat, flow=True)]
        desk.screen.raw(b"".join(unsplit(msgspec.json.encode(one)) + b"\n" for one in lines))
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
