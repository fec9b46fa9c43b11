"""The matches of the store, and the store itself, kept safe."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import Desk
from cli.values import Viewer
from domain.games import GAMES
from domain.table.table import Result
from projections.moments import stamp
from projections.phrases import occasion_words, result_words
from projections.standing import Row, Standing, standing
from recorder import backup as copies
from recorder.store import Listed, Store, StoreError
from recorder.troubles import UNREAD

LEAST = ("opened", "occasion", "entries", "last", "turn", "state", "game")
"""Columns of the list that a narrow terminal goes without, the first first."""
NEWEST = 100
"""How many matches are listed if no number is given: each is read to say how it stands."""


def matches(
    desk: Desk,
    open_only: Annotated[bool, "--open"] = False,
    player: Annotated[str, "--player NAME"] = "",
    game: Annotated[str, "--game GAME"] = "",
    event: Annotated[str, "--event TEXT"] = "",
    limit: Annotated[int, "--limit N", {"min": 1}] = NEWEST,
    viewer: Viewer = "spectator",
) -> Answer[tuple[Row, ...]]:
    """The matches of the store, the newest first. The list is the same for every viewer."""
    rows: list[tuple[Listed, Standing | None]] = []
    more = 0
    if not desk.default or Path(desk.where).exists():
        with desk.store() as store:
            listed = store.matches()
            if game and game not in {match.game for match in listed}:
                desk.game(game)
            wanted = [match for match in reversed(listed) if _wanted(match, open_only, player, game)]
            # What is said of a match stands in any of its entries: only who asks for an event has all of them read.
            rows = [(match, _standing(store, match)) for match in (wanted if event else wanted[:limit])]
            if event:
                rows = [row for row in rows if row[1] is not None and holds(event, (row[1].occasion.event,))]
                wanted = [match for match, _ in rows]
            rows, more = rows[:limit], len(wanted[limit:])

    def value() -> tuple[Row, ...]:
        return tuple(Row(**asdict(match), **({} if stands is None else asdict(stands))) for match, stands in rows)

    return Answer(value, lambda: draw_matches(desk, rows, more))


def backup(
    desk: Desk,
    destination: Annotated[str, "DEST"],
    overwrite: Annotated[bool, "--overwrite"] = False,
) -> Answer[copies.BackedUp]:
    """Write a good copy of the store, also while others write to it."""
    desk.require_store("client.no_backup")
    with desk.store() as store:
        done = copies.backup(store, Path(destination), overwrite)
    counts = {"matches": done.matches, "entries": f"{done.entries:,}", "bytes": f"{done.bytes:,}"}

    def draw() -> None:
        desk.tell("backup.done", file=done.file, **counts)

    return Answer(lambda: done, draw)


def draw_matches(desk: Desk, rows: Sequence[tuple[Listed, Standing | None]], more: int) -> None:
    """Matches with how each stands, as a table; how many there are beside."""
    columns = ("match", "game", "names", "entries", "state", "turn", "result", "opened", "last", "occasion")
    shown = [_match_row(desk, *row) for row in rows]
    kept = [at for at, name in enumerate(columns) if name != "occasion" or any(row[at] for row in shown)]
    drop = [kept.index(at) for at in map(columns.index, LEAST) if at in kept]
    cells = [[row[at] for at in kept] for row in shown]
    desk.screen.table(desk.heads([columns[at] for at in kept]), cells, drop)
    if more:
        desk.hint("matches.more", n=more)


def _wanted(match: Listed, open_only: bool, player: str, game: str) -> bool:
    names = [match.names.get(seat, seat) for seat in match.seats]
    return not (open_only and match.closed) and holds(player, names) and game in ("", match.game)


def holds(text: str, names: Iterable[str]) -> bool:
    """Is a text a part of one of the names?"""
    return not text or any(text.casefold() in name.casefold() for name in names)


def _standing(store: Store, match: Listed) -> Standing | None:
    """How a match stands; None if it cannot be read here: it is listed all the same."""
    try:
        return standing(store.read(match.match))
    except StoreError as error:
        if error.trouble not in UNREAD:
            raise
        return None


def _match_row(desk: Desk, match: Listed, stands: Standing | None) -> tuple[str, ...]:
    names = " - ".join(match.names.get(seat, seat) for seat in match.seats)
    state = desk.say("state.closed" if match.closed else "state.open")
    if match.unofficial:
        state = desk.say("state.unofficial", state=state, parent=match.parent, at=match.parent_at or "?")
    turn, result, last, said = ("?", "?", "?", "")
    if stands is not None:
        turn, result, last = str(stands.turn), _result(desk, match, stands.result), _day(desk, stands.last)
        said = occasion_words(stands.occasion, stands.announced, desk.lang)
    game = f"{match.game}@{match.version}"
    return match.match, game, names, str(match.entries), state, turn, result, _day(desk, match.at), last, said


def _result(desk: Desk, match: Listed, result: Result | None) -> str:
    if result is None:
        return "-"
    game = GAMES.get(match.game)
    return result_words(game, result, desk.lang) if game is not None else ", ".join(result.winners) or result.reason


def _day(desk: Desk, at: int) -> str:
    return stamp(at, "%Y-%m-%d %H:%M", desk.zone) or "-"
