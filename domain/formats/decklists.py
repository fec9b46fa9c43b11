"""Deck lists as players write them: a card on each line, with its number of copies."""

import re
from collections.abc import Iterator
from typing import Final

from domain.formats.decks import DeckList, deck_of
from domain.formats.errors import BOM, FormatError
from domain.formats.faces import read_face
from domain.formats.lexicons import fold, plain
from domain.law.game import Game
from domain.words import Text

_HEADING: Final = re.compile(r"\[([^\[\]]+)\]")
_CARD: Final = re.compile(r"(?:([1-9][0-9]?)[x×]?\s+)?(.+?)(?:\s*[x×]\s*([1-9][0-9]?))?")
_SIDE: Final = ("side:", "サイド:")


def read_lists(game: Game, text: str) -> dict[str, DeckList]:
    """Read deck lists: `4 S01`, `S01 x4` or a card's name on each line. Raises FormatError with the line.

    `[Aoi]` begins the deck of that name, `side:` the second part of a deck, `#` a comment. A deck before the first
    heading has the name "".
    """
    decks: dict[str, tuple[list[str], list[str]]] = {}
    first_lines: dict[str, int] = {}
    name, part = "", 0
    for number, line in _lines(text):
        if heading := _HEADING.fullmatch(line):
            name, part = heading[1].strip(), 0
            if name in decks:
                raise FormatError(Text("decklist.twice", {"deck": name, "line": first_lines[name]}), number)
            decks[name], first_lines[name] = ([], []), number
        elif fold(line) in _SIDE:
            part = 1
        else:
            first_lines.setdefault(name, number)
            decks.setdefault(name, ([], []))[part].extend(_read_card(game, plain(line), number))
    lists = {name: DeckList(tuple(main), tuple(side)) for name, (main, side) in decks.items()}
    for name, deck in lists.items():
        if not deck.main:
            why = Text("decklist.empty", {"deck": name}) if name else Text("decklist.no_cards")
            raise FormatError(why, first_lines[name])
        try:
            deck_of(game, deck)
        except FormatError as error:
            raise FormatError(error.message, first_lines[name]) from None
    return lists


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix(BOM).splitlines(), start=1):
        text_part = line.partition("#")[0].strip()
        if text_part:
            yield number, text_part


def _read_card(game: Game, line: str, number: int) -> list[str]:
    whole = read_face(game, line)
    if isinstance(whole, str):  # a card's name may contain a number
        return [whole]
    match = _CARD.fullmatch(line)
    assert match is not None, "a line is not empty"
    face = read_face(game, match[2])
    if isinstance(face, Text):
        raise FormatError(face, number)
    return [face] * int(match[1] or match[3] or 1)
