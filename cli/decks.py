"""Decks on the command line: a sample deck by name, or a file."""

from collections.abc import Sequence

from cli import files
from cli.context import CommandContext, quote_input
from domain.formats.decks import named_deck, read_deck
from domain.formats.errors import FormatError, decode_text, explain_unknown
from domain.law.game import Deck, Game
from domain.law.law import Law
from domain.table.table import Seat

SUFFIX = ".toml"


def read_decks(ctx: CommandContext, law: Law, texts: Sequence[str] | None) -> dict[Seat, Deck]:
    """Return the decks of `SEAT=NAME` and `SEAT=FILE.toml`. Raises CommandError."""
    decks: dict[Seat, Deck] = {}
    chairs = law.seats()
    for text in texts or ():
        seat, equals, value = text.partition("=")
        if not equals or not value:
            raise ctx.problem("cli.deck_form", given=quote_input(text))
        if seat not in chairs:
            raise ctx.refuse(explain_unknown("seat", seat, chairs))
        if seat in decks:
            raise ctx.problem("cli.deck_twice", seat=seat)
        decks[Seat(seat)] = find_deck(ctx, law.game, value)
    return decks


def find_deck(ctx: CommandContext, game: Game, value: str) -> Deck:
    """Return the sample deck of this name, or the deck in this file. Raises CommandError."""
    if value not in game.named_decks() and value.endswith(SUFFIX):
        return read_deck(game, decode_text(files.read(ctx, value), value), value)
    try:
        return named_deck(game, value)
    except FormatError as error:
        raise ctx.problem("cli.no_deck", detail=error.message, suffix=SUFFIX) from None
