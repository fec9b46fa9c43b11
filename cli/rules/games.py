"""List of games."""

from collections.abc import Iterable

from cli.answer import Answer
from cli.context import CommandContext
from cli.problems import BAD_INPUT, FINE
from domain.games import GAMES
from domain.law.game import Game
from domain.law.registry import BrokenGame
from projections.rulebooks import GameListing, list_game


def games(ctx: CommandContext) -> Answer[tuple[GameListing, ...]]:
    listed = tuple(map(list_game, GAMES.values()))
    broken = GAMES.load_all()
    code = BAD_INPUT if broken else FINE
    return Answer(lambda: listed, lambda: _draw(ctx, listed), code, lambda: _name_broken(ctx, broken))


def _name_broken(ctx: CommandContext, broken: Iterable[BrokenGame]) -> None:
    for game in broken:
        ctx.screen.aside(game.text.say(ctx.lang))


def _draw(ctx: CommandContext, listed: Iterable[GameListing]) -> None:
    rows = []
    for row in listed:
        versions, frames, decks = map(" ".join, (row.versions, row.frames, row.decks))
        rows.append((row.game, ctx.pick(row.title.en, row.title.ja), versions, frames, str(row.clauses), decks))
    heads = ("game", "title", "versions", "frames", "clauses", "decks")
    ctx.table(heads, rows)
    for game in GAMES.values():
        _editions(ctx, game)
        _pools(ctx, game)


def _editions(ctx: CommandContext, game: Game) -> None:
    if not (game.regulations_of or game.change_notes):
        return
    played = {version: " ".join(game.regulations_in(version)) for version in game.versions}
    noted = dict.fromkeys(game.change_notes, ctx.say("games.no_opening"))
    editions = [*played.items(), *noted.items()]
    rows = [(version, game.rulebook.word(version, ctx.lang), frames) for version, frames in editions]
    ctx.screen.line()
    ctx.screen.table([game.key, *(ctx.say(f"head.{head}") for head in ("meaning", "frames"))], rows)


def _pools(ctx: CommandContext, game: Game) -> None:
    if game.pools is None:
        return
    rows: list[tuple[str, str, str, str]] = []
    before = None
    for name, pool in game.pools.published.items():
        changed = " ".join(game.pools.changed_faces(before, pool)) if before is not None else ""
        rows.append((name, pool, str(len(game.pools.cards_by_pool[pool])), changed))
        before = pool
    ctx.screen.line()
    heads = (ctx.say(f"head.{head}") for head in ("pool", "hash", "cards", "changed"))
    ctx.screen.table([f"{game.key} {next(heads)}", *heads], rows)
