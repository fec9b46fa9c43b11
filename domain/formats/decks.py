"""Decks written as lists of faces with counts, in a file or as a named sample."""

import re
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, explain_unknown, load_toml
from domain.law.game import UNKNOWN_FACE, Deck, Game
from domain.words import Text
from domain.words.foreign import explain_decode_error

DECK_MAX = 2_000
"""Maximum number of cards in a deck, far above the needs of any game."""

_TIMES = re.compile(r"(?P<face>.+)x(?P<times>[1-9][0-9]?)")


class DeckList(Struct, frozen=True, forbid_unknown_fields=True):
    """The two parts of a deck as written in a file."""

    main: tuple[str, ...] = ()
    side: tuple[str, ...] = ()


def expand_copies(texts: Iterable[str]) -> tuple[str, ...]:
    """Expand a list of faces: `S01x4` becomes four copies of `S01`."""
    faces: list[str] = []
    for text in texts:
        match = _TIMES.fullmatch(text)
        faces += [text] if match is None else [match["face"]] * int(match["times"])
    return tuple(faces)


def named_deck(game: Game, name: str) -> Deck:
    """Return a sample deck of a game. Raises FormatError with the known names."""
    decks = game.named_decks()
    if name not in decks:
        raise FormatError(explain_unknown("deck", name, decks))
    return decks[name]


def read_deck(game: Game, text: str, name: str = "") -> Deck:
    """Read a deck file. Raises FormatError with the file and the error."""
    raw = load_toml(text, name)
    for key in raw:
        if key not in DeckList.__struct_fields__:
            raise FormatError(explain_unknown("key", key, DeckList.__struct_fields__), name=name)
    try:
        deck_list = msgspec.convert(raw, DeckList)
    except msgspec.ValidationError as error:
        raise FormatError(explain_decode_error(error), name=name) from None
    return deck_of(game, deck_list, name)


def deck_of(game: Game, deck_list: DeckList, name: str = "") -> Deck:
    """Build a deck from its lists. Raises FormatError with the error, and the file if there is one."""
    deck = Deck(expand_copies(deck_list.main), expand_copies(deck_list.side))
    known = game.faces()
    for face in deck.faces:
        if known and face not in known and face != UNKNOWN_FACE:
            raise FormatError(explain_unknown("card", face, known, lists=False), name=name)
    if len(deck.faces) > DECK_MAX:
        raise FormatError(Text("deck.long", {"most": DECK_MAX}), name=name)
    if not deck.main:
        raise FormatError(Text("deck.empty"), name=name)
    return deck
