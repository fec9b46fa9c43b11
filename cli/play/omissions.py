"""Omissions: consequences that the rules applied but the table forgot, taken back by hand."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from cli.play.labels import items
from cli.play.offers import ONE_DIGIT, OpenSlot
from cli.play.picker import Back, Item
from cli.play.rewinds import correct, need_all, passes
from cli.play.session import PlaySession
from domain.law import entries as E
from domain.law.clause import CitedFact, Clause
from domain.law.offers import multiple_choice
from domain.table import facts as F
from domain.table.draft import Draft
from domain.table.table import CHANCE, CardId, Table
from projections.phrases import fact_words
from projections.seen_facts import see_facts
from projections.table_index import TableIndex

LOOKED_MAX = 60
"""Most consequences to examine, newest first. One digit numbers those listed."""


class ReversibleConsequence(Struct, frozen=True):
    """A reversible consequence: entry, clause, words, and the fact that reverses it for each card."""

    number: int
    clause: Clause
    words: str
    undoes: dict[CardId, F.AnyFact]


def correct_omission(session: PlaySession) -> None:
    """Ask for a consequence that did not happen at the table, and take it back by manual facts. The reason names its
    clause.

    Consequences of a pass by all come first, because no player carries them out.
    """
    need_all(session)
    consequences = sorted(
        islice(_consequences(session), LOOKED_MAX), key=lambda fact: not _is_pass(session, fact.number)
    )
    if not consequences:
        session.print_message("play.missed_nothing")
        raise Back
    listed = [Item(fact, f"{fact.number} {fact.clause} {fact.words}", ()) for fact in consequences[:ONE_DIGIT]]
    chosen: ReversibleConsequence = session.picker.one(session.say("play.missed"), listed, default=False)
    cards = tuple(chosen.undoes)
    if len(cards) > 1:
        named = items(session.actor_position(session.ours[0]), session.physics, "cards", cards, session.paper.lang)
        slot = OpenSlot(multiple_choice("cards", cards, 1, len(cards)), (), False)
        cards = session.picker.several(session.say("play.missed_cards"), named, slot)
    by_hand = session.match.game.by_hand
    facts: tuple[CitedFact, ...] = tuple((by_hand, chosen.undoes[card]) for card in cards)
    correct(session, facts, session.say("play.reason_missed", clause=chosen.clause, entry=chosen.number))


def _is_pass(session: PlaySession, number: int) -> bool:
    return passes(session, session.match.entries[number - 1])


def _consequences(session: PlaySession) -> Iterator[ReversibleConsequence]:
    entries, current, before = session.match.entries, session.table, TableIndex(session.match.entries)
    for number in reversed(E.line(entries)):
        entry = entries[number - 1]
        if not isinstance(entry, E.Played) or entry.actor == CHANCE:
            continue
        draft = Draft(before(number - 1))
        for clause, fact in entry.told:
            undoes = dict(_list_reversals(draft, current, fact)) if clause != session.match.game.by_hand else {}
            seen = see_facts(session.eyes, draft, ((clause, fact),))  # applies the fact to the draft
            if undoes and seen:
                words = fact_words(session.match.game, seen[0], session.paper.lang, session.match.names)
                yield ReversibleConsequence(number, clause, words, undoes)


def _list_reversals(before: Draft, current: Table, fact: F.AnyFact) -> Iterator[tuple[CardId, F.AnyFact]]:
    match fact:
        case F.Stanced():
            for card in _same(before, current, fact.cards):
                if current.pieces[card].stance == fact.to != before.pieces[card].stance:
                    yield card, F.Stanced((card,), before.pieces[card].stance)
        case F.Turned():
            for card in _same(before, current, fact.cards):
                if current.pieces[card].up == fact.up != before.pieces[card].up:
                    yield card, F.Turned((card,), not fact.up)
        case F.Moved():
            for card in fact.cards:
                if current.pieces[card].place == fact.to != before.pieces[card].place:
                    piece = before.pieces[card]
                    yield card, F.Moved((card,), piece.place, before.places[piece.place].index(card), piece.up)
        case _:
            return


def _same(before: Draft, current: Table, cards: tuple[CardId, ...]) -> list[CardId]:
    return [
        card for card in cards if card in current.pieces and current.pieces[card].thing == before.pieces[card].thing
    ]
