"""Knowledge of the log about real cards after an entry, and faces it learned later. For judges only. It differs from
the knowledge of seats: a player sees their own hand, but a log with real cards does not."""

from collections.abc import Sequence

from msgspec import Struct

from domain.law.entries import Undealt, entry_facts, line
from domain.law.game import Game
from domain.law.record import Record
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.redact import LateFace, TableViewer
from domain.table.table import JUDGE, CardId, Place, Seat, blank
from domain.words import Lang, say
from projections import retrospective_view
from projections.phrases import Names, later_words, place_words, seat_name, word
from projections.rows import Cell, Row
from projections.seen_facts import subjects
from projections.viewing import resolve_entry


class LogCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card in the log. `entry` is the one that disclosed its face. `later` is set if it was disclosed later."""

    owner: Seat
    thing: int
    place: Place
    face: str = ""
    entry: int = 0
    later: LateFace | None = None


class LogKnowledgeReport(Struct, frozen=True, kw_only=True):
    """The cards whose faces a log knew after an entry, those disclosed later, and the number of unknown ones."""

    known: tuple[LogCard, ...]
    later: tuple[LogCard, ...]
    unknown: int


def read_log_knowledge(record: Record, eyes: TableViewer, at: int | None = None) -> LogKnowledgeReport | None:
    """Return the log's knowledge after an entry, by default the last. Raises NotInMatch. None if the viewer is not a
    judge, or if the cards were dealt, so that the log knows all."""
    number = resolve_entry(record.entries, at)
    if eyes.viewer != JUDGE or not isinstance(record.opening, Undealt):
        return None
    table, then, since = record.after(number), retrospective_view.after(eyes, number), _find_sources(record, number)
    known: list[LogCard] = []
    later: list[LogCard] = []
    unknown = 0
    for card, piece in table.pieces.items():
        if piece.face is not None:
            known.append(
                LogCard(owner=piece.owner, thing=piece.thing, place=piece.place, face=piece.face, entry=since[card])
            )
            continue
        unknown += 1
        learned = then.late_face(table, card)
        if learned is not None:
            later.append(LogCard(owner=piece.owner, thing=piece.thing, place=piece.place, later=learned))
    known.sort(key=lambda card: (card.entry, card.thing))
    later.sort(key=lambda card: (card.later.entry if card.later is not None else 0, card.thing))
    return LogKnowledgeReport(known=tuple(known), later=tuple(later), unknown=unknown)


def _find_sources(record: Record, number: int) -> dict[CardId, int]:
    since: dict[CardId, int] = {}
    draft = Draft(blank(record.opening.seats))
    for at in line(record.entries, number):
        for _, fact in entry_facts(record.entries[at - 1]):
            cards = subjects(fact)
            before = {card: draft.pieces[card].face for card in cards if card in draft.pieces}
            EVOLVE[type(fact)](draft, fact)
            for card in cards:
                piece = draft.pieces.get(card)
                if piece is not None and piece.face is not None and piece.face != before.get(card):
                    since[card] = at
    return since


def render_log_knowledge(knew: LogKnowledgeReport, game: Game, lang: Lang, names: Names) -> list[Row]:
    """Render the log's knowledge: a heading, then one row per card."""
    head = say("log_knew.head", lang, n=len(knew.known), unknown=knew.unknown)
    rows = [Row("heading", (Cell(head, "heading"),))]
    rows += _rows(knew.known, game, lang, names)
    if knew.later:
        rows.append(Row("heading", (Cell(say("log_knew.later", lang, n=len(knew.later)), "heading"),)))
        rows += _rows(knew.later, game, lang, names)
    return rows


def _rows(cards: Sequence[LogCard], game: Game, lang: Lang, names: Names) -> list[Row]:
    return [Row("known", (Cell(log_words(card, game, lang, names), "known", card.thing),), 1) for card in cards]


def log_words(card: LogCard, game: Game, lang: Lang, names: Names) -> str:
    owner, where = seat_name(names, card.owner, lang), place_words(game, card.place, lang, names)
    if card.later is not None:
        text = later_words(game, card.later, card.thing, lang)
        return say("log_knew.unknown", lang, owner=owner, card=text, where=where)
    location = say("knows.there", lang, place=where, thing=say("card.thing", lang, thing=card.thing))
    return say("knows.card", lang, owner=owner, face=word(game, card.face, lang), entry=card.entry, where=location)
