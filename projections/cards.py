"""Cards as cells of a row."""

from msgspec.structs import replace

from domain.law.game import Game
from domain.table.redact import SeenCard
from domain.table.table import NOBODY
from domain.words import Lang, say
from projections import phrases as P
from projections.rows import Cell


def card_cells(card: SeenCard, game: Game, lang: Lang, names: P.Names) -> list[Cell]:
    """Return the cells of a card, then those of the cards tied to it."""
    cells = [Cell(P.card_words(game, card, lang), "card" if card.face else "back", card.thing)]
    if card.stance:
        cells.append(Cell(P.word(game, card.stance, lang), "stance", card.thing))
    if card.owner not in (None, NOBODY):
        cells.append(Cell(say("board.of", lang, seat=P.seat_name(names, str(card.owner), lang)), "owner", card.thing))
    if card.controller is not None:
        cells.append(
            Cell(say("board.by", lang, seat=P.seat_name(names, card.controller, lang)), "controller", card.thing)
        )
    if card.host:
        cells.append(Cell(say("board.on", lang, thing=card.host), "host", card.thing))
    cells += [replace(cell, thing=card.thing) for cell in mark_cells(card.marks, game, lang)]
    for name, value in card.readings.items():
        value_words = (
            " ".join(P.word(game, part, lang) for part in value.split()) if isinstance(value, str) else str(value)
        )
        cells.append(Cell(say("board.mark", lang, mark=P.word(game, name, lang), n=value_words), "reading", card.thing))
    for tied in card.tied:
        first, *others = card_cells(tied, game, lang, names)
        cells += [Cell(f"+{first.text}", first.role, first.thing), *others]
    return cells


def mark_cells(marks: dict[str, int], game: Game, lang: Lang) -> list[Cell]:
    """Return the cells of marks with their numbers, in the game's display order."""
    order = {name: at for at, name in enumerate(game.display.order)}
    names = sorted(marks, key=lambda name: order.get(name, len(order)))
    return [Cell(P.mark_words(game, name, marks[name], lang), "mark") for name in names]
