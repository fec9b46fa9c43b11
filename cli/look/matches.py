"""The matches of the store, and the store itself, kept safe."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import Desk
from cli.problems import FINDINGS, FINE
from cli.values import Viewer
from domain.games import GAMES
from domain.table.table import Result
from projections.moments import stamp
from projections.phrases import occasion_words, result_words, seat_name
from projections.standing import Row, Standing, standing
from recorder import backup as copies
from recorder.listing import damage_in, list_damaged
from recorder.loading import read_listed
from recorder.store import Damaged, Listed, Store, StoreError

LEAST = ("opened", "occasion", "entries", "last", "turn", "state", "game")
"""Columns of the list that a narrow terminal goes without, the first first."""
ListedRow = tuple[Listed, Standing | Damaged]
"""A match as lists show it, and how it stands or where its record breaks."""
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
    rows: list[ListedRow] = []
    more = 0
    if not desk.default or Path(desk.where).exists():
        with desk.store() as store:
            listed = store.matches()
            if game and game not in {match.game for match in listed if isinstance(match, Listed)}:
                desk.game(game)
            wanted = [match for match in reversed(listed) if _wanted(match, open_only, player, game)]
            # What is said of a match stands in any of its entries: only who asks for an event has all of them read.
            rows = [_stand(store, match) for match in (wanted if event else wanted[:limit])]
            if event:
                rows = [row for row in rows if isinstance(row[1], Standing) and holds(event, (row[1].occasion.event,))]
                wanted = [match for match, _ in rows]
            rows, more = rows[:limit], len(wanted[limit:])

    def value() -> tuple[Row, ...]:
        return tuple(
            Row(**asdict(match), damaged=stands.entry)
            if isinstance(stands, Damaged)
            else Row(**asdict(match), **asdict(stands))
            for match, stands in rows
        )

    damaged = [stands.why.say(desk.lang) for _, stands in rows if isinstance(stands, Damaged)]
    return Answer(value, lambda: draw_matches(desk, rows, more), beside=lambda: desk.warn(*damaged))


def backup(
    desk: Desk,
    destination: Annotated[str, "DEST"],
    overwrite: Annotated[bool, "--overwrite"] = False,
) -> Answer[copies.BackedUp]:
    """Write a copy of the store, also while others write to it; 1 if matches in it are damaged."""
    desk.require_store("client.no_backup")
    with desk.store() as store:
        done = copies.backup(store, Path(destination), overwrite)
    counts = {"matches": done.matches, "entries": f"{done.entries:,}", "bytes": f"{done.bytes:,}"}

    def draw() -> None:
        desk.tell("backup.done", file=done.file, **counts)
        for match in done.damaged:
            desk.tell("copy.damaged", "bad", match=match)

    return Answer(lambda: done, draw, FINDINGS if done.damaged else FINE)


def draw_matches(desk: Desk, rows: Sequence[ListedRow], more: int) -> None:
    """Matches with how each stands, as a table; how many there are beside."""
    columns = ("match", "game", "names", "entries", "state", "turn", "result", "opened", "last", "occasion")
    shown = [_match_row(desk, *row) for row in rows]
    kept = [at for at, name in enumerate(columns) if name != "occasion" or any(row[at] for row in shown)]
    drop = [kept.index(at) for at in map(columns.index, LEAST) if at in kept]
    cells = [[row[at] for at in kept] for row in shown]
    desk.screen.table(desk.heads([columns[at] for at in kept]), cells, drop)
    if more:
        desk.hint("matches.more", n=more)


def _wanted(match: Listed | Damaged, open_only: bool, player: str, game: str) -> bool:
    if isinstance(match, Damaged):
        return not (player or game)
    names = [match.names.get(seat, seat) for seat in match.seats]
    return not (open_only and match.closed) and holds(player, names) and game in ("", match.game)


def holds(text: str, names: Iterable[str]) -> bool:
    """Is a text a part of one of the names?"""
    return not text or any(text.casefold() in name.casefold() for name in names)


def _stand(store: Store, match: Listed | Damaged) -> ListedRow:
    if isinstance(match, Damaged):
        return list_damaged(match), match
    try:
        return match, standing(read_listed(store, match.match)[0])
    except StoreError as error:
        return match, damage_in(match.match, error)


def _match_row(desk: Desk, match: Listed, stands: Standing | Damaged) -> tuple[str, ...]:
    names = " - ".join(seat_name(match.names, seat, desk.lang) for seat in match.seats)
    state = desk.say("state.closed" if match.closed else "state.open")
    if match.unofficial:
        state = desk.say("state.unofficial", state=state, parent=match.parent, at=match.parent_at or "?")
    turn, result, last, said = ("?", "?", "?", "")
    if isinstance(stands, Damaged):
        state = desk.say("matches.newer" if stands.newer else "matches.damaged", entry=stands.entry)
    else:
        turn, result, last = str(stands.turn), _result(desk, match, stands.result), _day(desk, stands.last)
        said = occasion_words(stands.occasion, stands.announced, desk.lang)
    game = f"{match.game}@{match.version}" if match.game else "?"
    return match.match, game, names, str(match.entries), state, turn, result, _day(desk, match.at), last, said


def _result(desk: Desk, match: Listed, result: Result | None) -> str:
    if result is None:
        return "-"
    game = GAMES.get(match.game)
    if game is None:
        return ", ".join(match.names.get(seat, seat) for seat in result.winners) or result.reason
    return result_words(game, result, desk.lang, match.names)


def _day(desk: Desk, at: int) -> str:
    return stamp(at, "%Y-%m-%d %H:%M", desk.zone) or "-"
