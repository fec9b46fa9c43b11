"""Decks as people write them: lists of faces with how often each is in them, in a file or by the name of a sample."""

import re
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from domain.formats.errors import FormatError, load_toml, unknown
from domain.law.game import UNKNOWN_FACE, Deck, Game
from domain.words import Text
from domain.words.foreign import misfit

DECK_MAX = 2_000
"""Bound on the cards of one deck, far above what any game plays with."""

_TIMES = re.compile(r"(?P<face>.+)x(?P<times>[1-9][0-9]?)")


class DeckList(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as it is written, in its two parts."""

    main: tuple[str, ...] = ()
    side: tuple[str, ...] = ()


def listed(texts: Iterable[str]) -> tuple[str, ...]:
    """The faces of a list; `S01x4` is four times the same."""
    faces: list[str] = []
    for text in texts:
        match = _TIMES.fullmatch(text)
        faces += [text] if match is None else [match["face"]] * int(match["times"])
    return tuple(faces)


def named_deck(game: Game, name: str) -> Deck:
    """A sample deck of a game. Raises FormatError with the names there are."""
    decks = game.named_decks()
    if name not in decks:
        raise FormatError(unknown("deck", name, decks))
    return decks[name]


def read_deck(game: Game, text: str, name: str = "") -> Deck:
    """The deck of a file of its own. Raises FormatError naming the file and what is wrong in it."""
    raw = load_toml(text, name)
    for key in raw:
        if key not in DeckList.__struct_fields__:
            raise FormatError(unknown("key", key, DeckList.__struct_fields__), name=name)
    try:
        written = msgspec.convert(raw, DeckList)
    except msgspec.ValidationError as error:
        raise FormatError(misfit(error), name=name) from None
    return deck_of(game, written, name)


def deck_of(game: Game, written: DeckList, name: str = "") -> Deck:
    """The deck that is written so. Raises FormatError naming the file, if it is of one, and what is wrong."""
    deck = Deck(listed(written.main), listed(written.side))
    known = game.faces()
    for face in deck.faces:
        if known and face not in known and face != UNKNOWN_FACE:
            raise FormatError(unknown("card", face, known, lists=False), name=name)
    if len(deck.faces) > DECK_MAX:
        raise FormatError(Text("deck.long", {"most": DECK_MAX}), name=name)
    if not deck.main:
        raise FormatError(Text("deck.empty"), name=name)
    return deck
