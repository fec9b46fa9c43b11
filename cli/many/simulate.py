"""Simulation: random matches, written to files or only counted."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.decks import read_decks
from cli.outputs import write_whole
from cli.progress import Asked, LongTask
from cli.values import Decks, Format, Frame, Settings, Spec
from domain.formats.notation import write_notation
from domain.law.entries import Entry, Played, fold_entries
from domain.law.game import Game
from domain.law.law import Law
from domain.table.table import CHANCE, Seat
from recorder import codec
from recorder.answers import Interrupted
from recorder.simulate import simulate as play_at_random

MATCHES_MAX = 1_000_000

ENDINGS = {"notation": "spn", "jsonl": "jsonl"}


class SimulatedMatch(Struct, frozen=True):
    """A simulated match. An unfinished one has no reason."""

    match: str
    entries: int
    actions: int
    turns: int
    winners: tuple[Seat, ...] | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    file: str | UnsetType = UNSET


class Simulated(Struct, frozen=True):
    game: str
    matches: tuple[SimulatedMatch, ...]
    interrupted: Interrupted | UnsetType = UNSET


def simulate(
    ctx: CommandContext,
    spec: Spec = "",
    *,
    matches: Annotated[int, "--matches N", {"min": 1, "max": MATCHES_MAX}],
    seed: Annotated[int, "--seed S"] = 1,
    out: Annotated[str | None, "--out DIR"] = None,
    frame: Frame = None,
    settings: Settings = None,
    decks: Decks = None,
    form: Format = "notation",
    progress: Asked = False,
) -> Answer[Simulated]:
    game, version, rules = ctx.rules(spec, frame, settings)
    ctx.check_seeds(seed, matches)
    dealt = read_decks(ctx, Law(game, rules), decks)
    folder = None if out is None else folder_of(ctx, out)
    rest = partial(rest_of, seed, matches)

    def play() -> Iterator[SimulatedMatch]:
        with LongTask(ctx, "simulate.progress", lambda: matches, progress, rest) as long:
            for number in long.steps(range(seed, seed + matches)):
                entries = play_at_random(Law(game, rules), number, decks=dealt, version=version)
                match = _match(entries, f"sim-{game.key}-{number}")
                if folder is not None:
                    path = folder / f"{match.match}.{ENDINGS[form]}"
                    match = replace(match, file=str(write_whole(ctx, path, record_text(game, entries, form))))
                yield match

    def value() -> Simulated:
        played = tuple(play())
        return Simulated(game.key, played, ctx.interrupted or UNSET)

    return Answer(value, lambda: _draw(ctx, play()))


def rest_of(seed: int, matches: int, done: int) -> str:
    """Return the options that play the remaining matches."""
    return f"--seed {seed + done} --matches {matches - done}"


def _match(entries: Sequence[Entry], name: str) -> SimulatedMatch:
    table = fold_entries(entries)
    actions = sum(isinstance(entry, Played) and entry.actor != CHANCE for entry in entries)
    ended = () if table.result is None else (table.result.winners, table.result.reason)
    return SimulatedMatch(name, len(entries), actions, table.clock.turn, *ended)


def _draw(ctx: CommandContext, matches: Iterable[SimulatedMatch]) -> None:
    for number, match in enumerate(matches):
        if not number:
            ctx.screen.line("  ".join(ctx.say(f"head.{key}") for key in ("match", "entries", "actions", "result")))
        ended = f"{'-'.join(match.winners or ()) or '-'} {match.reason}"
        result = ctx.say("simulate.unfinished") if match.reason is UNSET else ended
        ctx.screen.line(f"{match.match}  {match.entries}  {match.actions}  {result}")


def folder_of(ctx: CommandContext, name: str) -> Path:
    """Return a folder, created if missing."""
    path = Path(name)
    with ctx.convert_os_errors("cli.unwritable", quote_input(name)):
        path.mkdir(parents=True, exist_ok=True)
    return path


def record_text(game: Game, entries: Sequence[Entry], form: str) -> bytes:
    if form == "jsonl":
        return codec.to_json_lines(map(codec.encode, entries))
    return write_notation(game, entries).encode()
