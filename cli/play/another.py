"""A card that is another than the record has it: what still counts the old one, and where it was entered."""

from contextlib import suppress
from itertools import pairwise

from cli.play.session import Session
from domain.formats.errors import FormatError
from domain.formats.names import resolve_card
from domain.law.entries import Played, line
from domain.law.slots import cards_of
from domain.table.table import LANES, CardId, Seat, lane
from projections.phrases import effect_words, frame_words


def back_to(session: Session, card: CardId) -> int:
    """The entry to go back to, so that a card is entered again that something still counts; 0 if only the cards change.

    What counts it is listed first.
    """
    what = _counting(session, card)
    entry, before = _entered_at(session, card)
    if not what or not entry:
        return 0
    listed = session.say("list.comma").join(what)
    session.tell("play.carries", card=session.table.pieces[card].face or "?", what=listed)
    back, keep = session.say("play.carries_undo", entry=entry), session.say("play.carries_keep")
    chosen = session.picker.choose(session.say("play.carries_how"), {}, enter=back, extra={"k": keep})
    return 0 if chosen == "k" else before


def _counting(session: Session, card: CardId) -> list[str]:
    """The effects that come from a card and the requests it was put down for, in words."""
    table, game, lang = session.table, session.match.game, session.paper.lang
    effects = [effect for effect in table.effects if effect.source.card == card]
    frames = [frame for name in LANES if name != "asked" for frame in lane(table, name) if card in frame.cards]
    return [
        *(effect_words(game, session.eyes.effect(table, effect), lang) for effect in effects),
        *(frame_words(game, session.eyes.frame(table, frame), lang) for frame in frames),
    ]


def _entered_at(session: Session, card: CardId) -> tuple[int, int]:
    """The entry in which a seat named this card last, and the one before it on the line; zeros if none did."""
    entries, decode = session.match.entries, session.match.game.decoder().decode
    for before, at in reversed([*pairwise(line(entries))]):
        entry = entries[at - 1]
        if not isinstance(entry, Played) or entry.actor not in session.match.opened.seats:
            continue
        if card in cards_of(decode(entry.action)):
            return at, before
    return 0, 0


def resolve(session: Session, text: str, actor: Seat, owner: Seat | None) -> CardId:
    """The card a text means, looked for in its owner's deck first. Raises FormatError."""
    if owner is not None:
        with suppress(FormatError):
            return resolve_card(session.table, f"{owner}:{text}", owner)
    return resolve_card(session.table, text, actor, places=session.places)
