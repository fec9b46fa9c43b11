"""Typed faces of real cards: codes, printed names and signs in both languages, and unique beginnings of them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from domain.formats.errors import FormatError, quote_input
from domain.formats.lexicons import begins_face, card_lexicon, fold, plain
from domain.law.clause import CitedFact
from domain.law.game import UNKNOWN_FACE, Game
from domain.table.facts import Learned
from domain.words import Text, listed

SUGGESTED_MAX = 6
"""Maximum number of faces that an error suggests for an ambiguous beginning."""
_COMMA = re.compile("[,\u3001]")


def read_face(game: Game, text: str) -> str | Text:
    """Return the face that a text means, or the error. `?` is a card of unknown face. Only the game's card list is
    consulted, so that the answer discloses nothing about a match."""
    typed, known = plain(text), game.faces()
    if typed == UNKNOWN_FACE or not known or typed in known:
        return typed
    if (exact := card_lexicon(game).meanings.get(fold(typed))) is not None:
        return exact
    matches = [face for face in known if begins_face(game, face, fold(typed))]
    if len(matches) > 1:
        more = Text("name.more", {"n": len(matches) - SUGGESTED_MAX}) if len(matches) > SUGGESTED_MAX else ""
        ways = listed(map(game.rulebook.both_words, matches[:SUGGESTED_MAX]))
        return Text("seen.several", {"face": quote_input(typed), "ways": ways, "more": more})
    return matches[0] if matches else Text("seen.no_card", {"face": quote_input(typed)})


def read_learned(game: Game, cited_fact: CitedFact) -> CitedFact:
    """Return the fact with its typed face resolved, if it records a found-out card. Raises FormatError."""
    clause, fact = cited_fact
    if not isinstance(fact, Learned):
        return cited_fact
    face = read_face(game, fact.face)
    if isinstance(face, Text):
        raise FormatError(face)
    return clause, replace(fact, face=face)


def split_faces(game: Game, texts: Iterable[str]) -> tuple[str, ...]:
    """Split typed faces at commas, and at blanks if each word is a card. Other text stays."""
    return tuple(face for text in texts for face in _split(game, plain(text)))


def _split(game: Game, text: str) -> Iterator[str]:
    if isinstance(whole := read_face(game, text), str):
        yield whole  # a name may contain a comma
        return
    for part in filter(None, map(str.strip, _COMMA.split(text))):
        read = [read_face(game, word) for word in part.split()] if isinstance(read_face(game, part), Text) else []
        yield from [face for face in read if isinstance(face, str)] if _are_faces(read) else [_read_or_keep(game, part)]


def _are_faces(read: Sequence[str | Text]) -> bool:
    return bool(read) and not any(isinstance(each, Text) for each in read)


def _read_or_keep(game: Game, text: str) -> str:
    face = read_face(game, text)
    return face if isinstance(face, str) else text
