"""What is printed on a card, at any prompt."""

from cli.play.naming import other_cards
from cli.play.offering import Seen
from cli.play.picking import Back, Outside
from cli.play.session import Session
from domain.table.redact import Eyes
from domain.table.table import CardId


def read_card(session: Session) -> None:
    """The text of a card that is offered, by its number or name, or of any other that is known to whoever acts."""
    keys, picker, words = session.keys, session.picker, [*session.drafts.words]
    taken, others, pieces = len(keys.taken), picker.others, session.table.pieces
    awaited = session.match.game.awaited(session.table)
    seen = session.seen(next((seat for seat in session.ours if seat in awaited), session.ours[0]))
    offered = {n: item for n, item in picker.listed.items() if isinstance(item.value, int) and item.value in pieces}
    listed = [item.value for item in offered.values()]
    picker.others = other_cards(seen, session.physics, None, listed, session.paper.lang)
    try:
        _print(session, seen, offered[picker.choose(session.say("play.read"), offered, again=True)].value)
    except Outside as outside:
        _print(session, seen, outside.card)
    except Back:
        pass
    except EOFError:
        keys.forget()
        raise
    finally:
        picker.others, session.drafts.words = others, words
        if more := len(keys.taken) - taken:
            keys.forget(more)


def _print(session: Session, seen: Seen, card: CardId) -> None:
    known = Eyes(session.physics, seen.actor).knows(seen.table, card)
    face = seen.table.pieces[card].face if known else None
    for text in session.match.game.display.card(face or "", session.paper.lang) or (session.say("play.no_text"),):
        session.paper.line(text)
