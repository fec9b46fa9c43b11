"""Record the face of a card that was identified later."""

from typing import Unpack

from domain.formats.faces import read_face
from domain.law import entries as E
from domain.law.clause import BY_HAND, CitedFacts
from domain.law.late_faces import collect_late_faces
from domain.law.unseen import explain_impossible_face
from domain.table.facts import Learned
from domain.table.table import CardId
from domain.words import Text
from recorder import answers as A
from recorder.answers import Unavailable, Unfit
from recorder.commands import command_of
from recorder.match_loader import LoadedMatch, load_match
from recorder.match_writer import Answer, Terms
from recorder.matches import answered_before, correct
from recorder.store import Store


def record_identification(
    store: Store, match: str, thing: int, face: str, reason: str, by: str, **terms: Unpack[Terms]
) -> Answer | A.Impossible:
    """Record the face of a card that was identified later. `thing` may name an earlier object of the card. An
    impossible face is refused: it contradicts the record, or the deck has no more of it. Raises StoreError."""
    command = terms.get("command") or command_of(terms.get("command_id"), "learn", thing, face, reason, by)
    if command is not None and (before := answered_before(store, match, command)) is not None:
        return before
    loaded = load_match(store, match)
    if isinstance(loaded, Unavailable):
        return loaded
    card = _card_of(loaded, thing)
    if card is None:
        return Unfit(Text("name.not_on_table", {"text": f"u{thing}"}))
    read = read_face(loaded.game, face)
    why = (
        read
        if isinstance(read, Text)
        else explain_impossible_face(loaded.game, loaded.opening, loaded.table, card, read)
    )
    if why is not None:
        return Unfit(why)
    facts = ((BY_HAND, Learned(card, str(read))),)
    if loaded.table.pieces[card].thing != thing and not _is_traced(loaded, card, thing, facts):
        return Unfit(Text("paper.untraced", {"thing": f"u{thing}"}))
    correction: Terms = {**terms, "command": command}
    return correct(store, match, by, reason, facts, **correction)


def _is_traced(match: LoadedMatch, card: CardId, thing: int, told: CitedFacts) -> bool:
    """True if this card can still be traced to the object."""
    later = collect_late_faces((*match.entries, E.Corrected(by="", reason="", told=told)))
    was = (number for number in later if card in later[number] and match.after(number).pieces[card].thing == thing)
    return any(was)


def _card_of(match: LoadedMatch, thing: int) -> CardId | None:
    """Return the card that is or last was this object, or None."""
    for number in reversed(E.line(match.entries)):
        pieces = match.after(number).pieces
        if (card := next((card for card in pieces if pieces[card].thing == thing), None)) is not None:
            return card if card in match.table.pieces else None
    return None
