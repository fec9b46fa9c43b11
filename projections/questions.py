"""Open questions of a match as sentences, and the answers in words, from a table as its viewer knows it."""

from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct

from domain.law.actions import PASS
from domain.law.game import Game
from domain.law.record import Record
from domain.law.slots import CARD_KINDS, Action, preposition, verb
from domain.table.redact import SeenFrame, TableViewer
from domain.table.table import JUDGE, Place, Seat, Table, seat_of, zone
from domain.words import Lang, Text, load_messages, say
from projections import phrases as P
from projections.phrases import Names, seat_name
from projections.seen_entries import SeenSlot, see_action

DUEL: Final = 2
"""Seats of a match that ends when one of them leaves."""


class Question(Struct, frozen=True):
    """A question to a seat: its player's name, the sentence, and the answering verb ('' if several verbs answer).
    `text` is the card text that the question is about."""

    seat: Seat
    name: str
    words: str
    verb: str = ""
    text: str = ""


def question(
    record: Record, eyes: TableViewer, table: Table, seat: Seat, verbs: Collection[str], lang: Lang
) -> Question:
    """Return the question to an awaited seat; `verbs` are the possible answers as far as the viewer knows."""
    game, name = record.game, seat_name(record.names, seat, lang)
    asked = next((frame for frame in table.asked if frame.by == seat), None)
    if asked is not None:
        answer = game.display.answers.get(asked.kind, asked.kind)
        serves: dict[int, SeenFrame] = {frame.id: eyes.frame(table, frame) for frame in table.stack + table.running}
        text = P.question_source_words(game, eyes.frame(table, asked), serves, lang)
        target = seat_name(record.names, next(iter(asked.seats), seat), lang)
        return Question(seat, name, _sentence(record, answer, name, target, lang), answer, text)
    step, only = game.display.steps.get(table.clock.step, ""), next(iter(verbs)) if len(verbs) == 1 else ""
    answer = step if step and (step in verbs or not verbs) else only
    if answer and _key(record, answer) in load_messages():
        return Question(seat, name, _sentence(record, answer, name, name, lang), answer)
    key = "question.respond" if table.stack or _is_response(table, seat, verbs) else "question.act"
    return Question(seat, name, say(key, lang, who=name))


def _is_response(table: Table, seat: Seat, verbs: Collection[str]) -> bool:
    """True if a seat may pass in another player's turn, or may do nothing but pass."""
    others_turn = table.clock.active is not None and seat != table.clock.active
    return PASS in verbs and (others_turn or len(verbs) == 1)


def _key(record: Record, answer: str) -> str:
    return f"question.{record.game.key}.{answer}"


def _sentence(record: Record, answer: str, name: str, target: str, lang: Lang) -> str:
    if _key(record, answer) in load_messages():
        return say(_key(record, answer), lang, who=name, whose=target)
    return say("question.other", lang, who=name, what=P.word(record.game, answer, lang))


def face_question(game: Game, names: Names, place: Place, purpose: str, lang: Lang) -> str:
    """Return the question which card was turned up, for a purpose or at a place."""
    seat = seat_of(place)
    if purpose and seat is not None:
        return say(f"face.{purpose}", lang, who=seat_name(names, seat, lang))
    words, area = P.place_words(game, place, lang, names), zone(place)
    if area in game.display.covering:  # a unit may stand on the square, and its card is another question
        return say("record.asked_area", lang, place=words, area=P.word(game, area, lang))
    return say("record.asked", lang, place=words)


def ending_words(record: Record, actor: Seat, action: Action) -> Text:
    """Return the effect of an action that ends the match, for confirmation. With more than two seats, the others may
    play on."""
    name = Text("who.judge") if actor == JUDGE else P.player_text(record.names, actor)
    key = "ending.leaves" if actor != JUDGE and len(record.opening.seats) > DUEL else "ending.sure"
    return Text(key, {"who": name, "what": record.game.rulebook.both_words(verb(action))})


# -- actions in words -------------------------------------------------------------------------------------------------


def offer_words(record: Record, eyes: TableViewer, table: Table, actor: Seat, action: Action, lang: Lang) -> str:
    """Return an action in words: its verb and its values, with the names of cards and players."""
    game = record.game
    seen = see_action(game, eyes, actor, action, table)
    named = P.word(game, seen.verb, lang)
    parts = "".join(_parts(record, seen.slots, lang))
    if not parts:
        return _capital(named)
    answers = any(game.display.answers.get(asked.kind, asked.kind) == seen.verb for asked in table.asked)
    first = seen.slots[0]
    if first.names_none:
        return _capital(say("offer.value", lang, verb=named, what=parts))
    key = "offer.with" if first.kind in (*CARD_KINDS, "place") else "offer.value"
    return _capital(parts if answers else say(key, lang, verb=named, what=parts))


def slot_words(record: Record, eyes: TableViewer, table: Table, actor: Seat, action: Action, lang: Lang) -> str:
    """Return the value of an action that fills one slot, in words."""
    seen = see_action(record.game, eyes, actor, action, table)
    return next((_value(record, each, lang) for each in seen.slots if each.kind != "flag"), "")


def named_values(
    record: Record, eyes: TableViewer, table: Table, actor: Seat, action: Action, lang: Lang
) -> dict[str, str]:
    seen = see_action(record.game, eyes, actor, action, table)
    return {slot.name: words for slot in seen.slots if (words := _value(record, slot, lang))}


def _parts(record: Record, slots: tuple[SeenSlot, ...], lang: Lang) -> Iterator[str]:
    for number, slot in enumerate(slots):
        value = _value(record, slot, lang)
        if not value:
            continue
        if number == 0:
            yield value
        elif joint := preposition(slot.name, slot.kind):
            yield say(f"offer.{joint}", lang, what=value)
        else:
            yield say("offer.slot", lang, slot=P.word(record.game, slot.name, lang), what=value)


def _value(record: Record, slot: SeenSlot, lang: Lang) -> str:
    game, names = record.game, record.names
    match slot.kind:
        case "seat":
            return seat_name(names, Seat(str(slot.value)), lang)
        case "place":
            return P.place_words(game, Place(str(slot.value)), lang, names) if slot.value else ""
        case "number" if slot.seat or slot.word:
            return seat_name(names, slot.seat, lang) if slot.seat else P.word(game, slot.word, lang)
        case _:
            return P.value_words(game, slot, lang, names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
