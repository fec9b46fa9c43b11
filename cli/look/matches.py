"""List of matches in the store."""

from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import UNSET
from msgspec.structs import asdict

from cli.answer import Answer
from cli.context import CommandContext
from cli.readers import open_service
from cli.values import Viewer
from domain.games import GAMES
from domain.law.occasion import NO_OCCASION
from projections.match_status import MatchStatusRow, read_status
from projections.moments import stamp
from projections.phrases import occasion_words, result_words, seat_name
from recorder.match_list import damage_in, make_damaged_list_item
from recorder.match_loader import read_listed
from recorder.store import DamagedMatch, MatchListItem, Store, StoreError

DROPPED_FIRST = ("opened", "occasion", "entries", "last", "turn", "state", "game")
"""Columns that a narrow terminal drops, in this order."""
ReadRow = tuple[MatchStatusRow, DamagedMatch | None]
"""A row of the list, and the damage of its record."""
LIMIT_DEFAULT = 100
"""Default number of matches. Each match is read for its status."""


def matches(
    ctx: CommandContext,
    open_only: Annotated[bool, "--open"] = False,
    player: Annotated[str, "--player NAME"] = "",
    game: Annotated[str, "--game GAME"] = "",
    event: Annotated[str, "--event TEXT"] = "",
    limit: Annotated[int, "--limit N", {"min": 1}] = LIMIT_DEFAULT,
    viewer: Viewer = "spectator",
) -> Answer[tuple[MatchStatusRow, ...]]:
    """List the matches of the store, newest first. The list is the same for every viewer."""
    if ctx.is_remote:
        if game:
            ctx.game(game)
        remote_rows = open_service(ctx).matches(game=game, player=player, open=open_only)
        rows: list[ReadRow] = [(row, None) for row in reversed([*remote_rows]) if _is_at(event, row)]
        count = len(rows)
    else:
        rows, count = _read_matches(ctx, open_only, player, game, event, limit)
    shown, more = tuple(row for row, _ in rows[:limit]), max(0, count - limit)
    damaged = [damage for _, damage in rows[:limit] if damage is not None]
    newer = {match.match for match in damaged if match.newer}
    return Answer(
        lambda: shown,
        lambda: _draw_matches(ctx, shown, more, newer),
        beside=lambda: ctx.warn(*(match.why.say(ctx.lang) for match in damaged)),
    )


def _read_matches(
    ctx: CommandContext, open_only: bool, player: str, game: str, event: str, limit: int
) -> tuple[list[ReadRow], int]:
    if ctx.default and not Path(ctx.where).exists():
        return [], 0
    with ctx.store() as store:
        listed = store.matches()
        if game and game not in {match.game for match in listed if isinstance(match, MatchListItem)}:
            ctx.game(game)
        wanted = [match for match in reversed(listed) if _is_selected(match, open_only, player, game)]
        # The event can be set in any entry, so only a filter by event reads all matches.
        rows = [_read_row(store, match) for match in (wanted if event else wanted[:limit])]
    if event:
        rows = [(row, damage) for row, damage in rows if _is_at(event, row)]
    return rows, len(rows if event else wanted)


def _draw_matches(ctx: CommandContext, rows: Sequence[MatchStatusRow], more: int, newer: Container[str]) -> None:
    columns = ("match", "game", "names", "entries", "state", "turn", "result", "opened", "last", "occasion")
    shown = [_cells(ctx, row, row.match in newer) for row in rows]
    visible = [at for at, name in enumerate(columns) if name != "occasion" or any(row[at] for row in shown)]
    drop = [visible.index(at) for at in map(columns.index, DROPPED_FIRST) if at in visible]
    cells = [[row[at] for at in visible] for row in shown]
    ctx.screen.table(ctx.heads([columns[at] for at in visible]), cells, drop)
    if more:
        ctx.hint("matches.more", n=more)


def _is_selected(match: MatchListItem | DamagedMatch, open_only: bool, player: str, game: str) -> bool:
    if isinstance(match, DamagedMatch):
        return not (player or game)
    names = [match.names.get(seat, seat) for seat in match.seats]
    return not (open_only and match.closed) and _holds(player, names) and game in ("", match.game)


def _is_at(event: str, row: MatchStatusRow) -> bool:
    return not event or (row.occasion is not UNSET and _holds(event, (row.occasion.event,)))


def _holds(text: str, names: Iterable[str]) -> bool:
    return not text or any(text.casefold() in name.casefold() for name in names)


def _read_row(store: Store, match: MatchListItem | DamagedMatch) -> ReadRow:
    listed, damage = (make_damaged_list_item(match), match) if isinstance(match, DamagedMatch) else (match, None)
    if damage is None:
        try:
            return MatchStatusRow(**asdict(listed), **asdict(read_status(read_listed(store, listed.match)[0]))), None
        except StoreError as error:
            damage = damage_in(listed.match, error)
    return MatchStatusRow(**asdict(listed), damaged=damage.entry), damage


def _cells(ctx: CommandContext, match: MatchStatusRow, newer: bool) -> tuple[str, ...]:
    names = " - ".join(seat_name(match.names, seat, ctx.lang) for seat in match.seats)
    state = ctx.say("state.closed" if match.closed else "state.open")
    if match.unofficial:
        state = ctx.say("state.unofficial", state=state, parent=match.parent, at=match.parent_at or "?")
    turn, result, last, occasion = ("?", "?", "?", "")
    if match.last is UNSET:
        state = ctx.say("matches.newer" if newer else "matches.damaged", entry=match.damaged or 0)
    else:
        turn, result, last = str(match.turn), _result(ctx, match), _day(ctx, match.last)
        occasion = occasion_words(match.occasion or NO_OCCASION, match.announced or "", ctx.lang)
    game = f"{match.game}@{match.version}" if match.game else "?"
    return match.match, game, names, str(match.entries), state, turn, result, _day(ctx, match.at), last, occasion


def _result(ctx: CommandContext, match: MatchStatusRow) -> str:
    result = match.result
    if result is None or result is UNSET:
        return "-"
    game = GAMES.get(match.game)
    if game is None:
        return ", ".join(match.names.get(seat, seat) for seat in result.winners) or result.reason
    return result_words(game, result, ctx.lang, match.names)


def _day(ctx: CommandContext, at: int) -> str:
    return stamp(at, "%Y-%m-%d %H:%M", ctx.zone) or "-"
