"""Matches played at random but by the rules, written to files or just counted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import Desk, clipped, shown
from cli.decks import brought
from cli.outputs import write_whole
from cli.registry import Command, Decks, Frame, Json, Settings, Spec
from domain.words.foreign import system

if TYPE_CHECKING:
    from collections.abc import Sequence

    from domain.law.entries import Entry
    from domain.law.game import Game

Count = Annotated[int, typer.Option("--matches", metavar="N", show_default=False)]
Seed = Annotated[int, typer.Option("--seed", metavar="S")]
Out = Annotated[str | None, typer.Option("--out", metavar="DIR", show_default=False)]
Format = Annotated[str, typer.Option("--format", metavar="notation|jsonl")]

ENDINGS = {"notation": "spn", "jsonl": "jsonl"}
MATCHES_MAX = 1_000_000


def simulate(
    desk: Desk,
    spec: Spec,
    matches: Count,
    seed: Seed = 1,
    out: Out = None,
    frame: Frame = None,
    settings: Settings = None,
    decks: Decks = None,
    form: Format = "notation",
    as_json: Json = False,
) -> None:
    """Play matches at random; with a folder, one file for each."""
    from recorder.croupier import SEED_BYTES
    from recorder.simulate import Unopened
    from recorder.simulate import simulate as played

    game, version, rules = desk.rules(spec, frame, settings)
    if form not in ENDINGS:
        raise desk.problem("cli.no_format", form=shown(form), allowed=", ".join(ENDINGS))
    if not 1 <= matches <= MATCHES_MAX:
        raise desk.problem("cli.bad_count", count=clipped(matches), most=MATCHES_MAX)
    if not 0 <= seed <= 2 ** (8 * SEED_BYTES) - matches:
        raise desk.problem("cli.bad_seed", seed=clipped(seed), bits=8 * SEED_BYTES)
    dealt = brought(desk, game, rules, decks)
    folder = None if out is None else folder_of(desk, out)
    rows: list[dict[str, Any]] = []
    for number in range(seed, seed + matches):
        try:
            entries = played(game, rules, number, decks=dealt, version=version)
        except Unopened as error:
            raise desk.refuse(error.text) from None
        if not as_json and not rows:
            desk.screen.line("  ".join(desk.say(f"head.{one}") for one in ("match", "entries", "actions", "result")))
        row = _row(entries, f"sim-{game.key}-{number}")
        if folder is not None:
            row["file"] = str(
                write_whole(desk, folder / f"{row['match']}.{ENDINGS[form]}", record_text(game, entries, form))
            )
        rows.append(row)
        if not as_json:
            desk.screen.line(_line(desk, row))
    if as_json:
        desk.screen.json({"game": game.key, "matches": rows})


def _row(entries: "Sequence[Entry]", match: str) -> dict[str, Any]:
    from domain.law.entries import Played, fold_entries
    from domain.table.table import CHANCE

    table = fold_entries(entries)
    actions = sum(isinstance(one, Played) and one.actor != CHANCE for one in entries)
    row: dict[str, Any] = {"match": match, "entries": len(entries), "actions": actions, "turns": table.clock.turn}
    if table.result is not None:
        row |= {"winners": list(table.result.winners), "reason": table.result.reason}
    return row


def _line(desk: Desk, row: dict[str, Any]) -> str:
    ended = "reason" in row
    result = f"{'-'.join(row['winners']) or '-'} {row['reason']}" if ended else desk.say("simulate.unfinished")
    return f"{row['match']}  {row['entries']}  {row['actions']}  {result}"


def folder_of(desk: Desk, name: str) -> Path:
    """A folder to write into, made if it is not there."""
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise desk.problem("cli.unwritable", file=shown(name), detail=system(error)) from None
    return path


def record_text(game: "Game", entries: "Sequence[Entry]", form: str) -> bytes:
    """A record as a file's content."""
    from domain.formats.notation import write_notation
    from recorder import codec

    if form == "jsonl":
        return b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in entries)
    return write_notation(game, entries).encode()


COMMANDS: dict[str, Command] = {"simulate": simulate}
