"""Phrases for redacted data: cards, places, actions and facts as one line of text each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import asdict

from domain.formats.places import (
    Names as Names,
    owned_words as owned_words,
    place_words as place_words,
    player_name as player_name,
    player_text as player_text,
    square_words as square_words,
)
from domain.law.game import Game
from domain.law.occasion import Occasion
from domain.table.redact import SPECTATOR, LateFace, SeenCard, SeenEffect, SeenFrame
from domain.table.table import CHANCE, EVERYONE, JUDGE, NOBODY, Clock, Place, Result, Seat
from domain.words import Lang, load_messages, say
from projections.seen_entries import SeenAction, SeenSlot
from projections.seen_facts import CardReference, SeenFact

NO_NAMES: Final[Names] = {}


def word(game: Game, code: str, lang: Lang) -> str:
    return game.rulebook.word(code, lang)


def mark_words(game: Game, name: str, n: int | None, lang: Lang) -> str:
    """Return a mark with its number, or only its name if it is a flag."""
    if n == 1 and game.display.is_flag(name):
        return word(game, name, lang)
    return say("board.mark", lang, mark=word(game, name, lang), n=n)


def listed(texts: Iterable[str], lang: Lang) -> str:
    return say("list.comma", lang).join(text for text in texts if text)


def seat_words(seat: str, lang: Lang) -> str:
    """Return words for an actor: a seat's id, chance, the judge, viewers without a seat, or an official by role."""
    role, _, name = seat.partition(" ")
    if name and f"by.{role}" in load_messages():
        return say(f"by.{role}", lang, name=name)
    return say(f"who.{_WHO[seat]}", lang) if seat in _WHO else seat


def seat_name(names: Names, seat: str, lang: Lang) -> str:
    """Return the name of a seat's player; without one, the words for the seat. `names` are those of the opening."""
    return player_name(names, Seat(seat), lang) if seat in names else seat_words(seat, lang)


def seats_words(names: Names, seats: Iterable[str], lang: Lang) -> str:
    return listed((seat_name(names, seat, lang) for seat in seats), lang)


def players_words(names: Names, seats: Iterable[str], lang: Lang) -> str:
    return say("moment.versus", lang).join(seat_name(names, seat, lang) for seat in seats)


_WHO: dict[str, str] = {
    CHANCE: "chance",
    JUDGE: "judge",
    SPECTATOR: "spectator",
    EVERYONE: "everyone",
    NOBODY: "nobody",
}


def card_words(game: Game, card: CardReference | SeenCard, lang: Lang) -> str:
    """Return a card's face and thing number if known; for an unknown card its face learned later."""
    if card.later is not None:
        return later_words(game, card.later, card.thing, lang)
    face = word(game, card.face, lang) if card.face else ""
    if face and card.thing:
        return say("card.both", lang, face=face, thing=card.thing)
    if face or card.thing:
        return face or say("card.thing", lang, thing=card.thing)
    return say("card.hidden", lang)


def later_words(game: Game, later: LateFace, thing: int, lang: Lang) -> str:
    name = f"{say('card.thing', lang, thing=thing)} ?" if thing else "?"
    return say("card.later", lang, card=name, face=word(game, later.face, lang), entry=later.entry)


def pair_words(game: Game, pair: tuple[CardReference | SeenCard, CardReference | SeenCard], lang: Lang) -> str:
    left, right = (card_words(game, card, lang) for card in pair)
    return say("pair", lang, one=left, other=right)


def cards_words(game: Game, cards: Sequence[CardReference | SeenCard], number: int | None, lang: Lang) -> str:
    """Return visible cards, then the number of others if the viewer may know it."""
    seen = [card_words(game, card, lang) for card in cards]
    hidden = 0 if number is None else number - len(cards)
    if hidden > 0:
        seen.append(say("card.hidden" if hidden == 1 else "cards.hidden", lang, n=hidden))
    if not seen:
        return say("cards.some" if number is None else "cards.none", lang)
    return listed(seen, lang)


def action_words(game: Game, action: SeenAction, lang: Lang, names: Names) -> str:
    verb = word(game, action.verb, lang) or say("action.unknown", lang)
    if not action.slots:
        return verb
    named = (
        say("action.slot", lang, slot=word(game, slot.name, lang), value=value_words(game, slot, lang, names))
        for slot in action.slots
    )
    return say("action.with", lang, verb=verb, named=listed(named, lang))


def value_words(game: Game, slot: SeenSlot, lang: Lang, names: Names) -> str:
    if slot.hidden:
        return say("slot.hidden", lang)
    match slot.kind:
        case "card" | "cards" | "order":
            return cards_words(game, slot.cards, slot.number, lang)
        case "pairs":
            return listed((pair_words(game, pair, lang) for pair in slot.pairs), lang) or say("cards.none", lang)
        case "frame":
            return say("frame.id", lang, id=slot.value)
        case "frames":
            return listed((say("frame.id", lang, id=frame) for frame in slot.frames), lang) or say("cards.none", lang)
        case "seat":
            return seat_name(names, str(slot.value), lang)
        case "place":
            return place_words(game, Place(str(slot.value)), lang, names)
        case "places":
            return listed((place_words(game, place, lang, names) for place in slot.places), lang) or say(
                "cards.none", lang
            )
        case "flag":
            return say("yes" if slot.value else "no", lang)
        case "word":
            return word(game, str(slot.value), lang)
        case _:
            meaning = (
                seat_name(names, slot.seat, lang) if slot.seat else word(game, slot.word, lang) if slot.word else ""
            )
            return f"{slot.value} {meaning}".rstrip()


def fact_words(game: Game, fact: SeenFact, lang: Lang, names: Names) -> str:
    if fact.result is not None:
        return result_words(game, fact.result, lang, names)
    values = {"what": cards_words(game, fact.cards, fact.number, lang)}
    if fact.fact == "roll":
        seat = seat_name(names, fact.seat, lang) if fact.seat else ""
        rolled = (*(card_words(game, card, lang) for card in fact.cards), seat, "" if fact.to is None else str(fact.to))
        values = {"what": word(game, fact.name, lang), "outcome": listed(rolled, lang)}
    elif fact.name:
        values["mark"] = mark_words(game, fact.name, fact.to, lang)
        if not fact.cards:
            values["what"] = seat_name(names, fact.seat, lang) if fact.seat else say("who.table", lang)
    if fact.place is not None:
        values["place"] = values["to"] = place_words(game, fact.place, lang, names)
    if fact.frame is not None:
        values["frame"] = frame_words(game, fact.frame, lang, names)
        values["step"] = word(game, fact.frame.step, lang)
    if fact.clock is not None:
        values["clock"] = clock_words(game, fact.clock, lang, names)
    return say(
        f"fact.{_fact_key(fact)}",
        lang,
        **values,
        left=listed((place_words(game, origin.place, lang, names) for origin in fact.origin), lang),
        seats=seats_words(names, fact.seats, lang),
        seat=seat_name(names, fact.seat or "", lang),
        host=card_words(game, fact.host or CardReference(), lang),
        stance=word(game, fact.stance, lang),
        effect=listed((effect_words(game, effect, lang, names) for effect in fact.effects), lang),
        how=word(game, fact.how, lang),
    )


def _fact_key(fact: SeenFact) -> str:
    match fact.fact:
        case "move" if stays(fact):
            return "within_up" if fact.up else "within"
        case "order":
            return "shuffled" if fact.shuffled else "ordered"
        case "show" if not fact.seats:
            return "forgotten"
        case "show" if fact.place is not None:
            return "show_in"
        case "turn":
            return "up" if fact.up else "down"
        case "tie" if not fact.up:
            return "free"
        case "learn/2":
            return "unlearned" if fact.how else "learn"
        case "alter" if fact.frame is not None and fact.frame.step and "step" in fact.changed:
            return "step"
        case "ctrl":
            return "control"
        case "adj":
            return "adjusted"
        case tag:
            return tag


def stays(fact: SeenFact) -> bool:
    """True if the moved cards stay in their place."""
    return [origin.place for origin in fact.origin] == [fact.place]


def effect_words(game: Game, effect: SeenEffect, lang: Lang, names: Names) -> str:
    """Return an ongoing effect: kind, numbers, affected cards, source and duration. If the game's cards have text, the
    text replaces the duration."""
    numbers = " ".join(f"{number:+d}" for number in effect.numbers if number)
    on = listed((card_words(game, card, lang) for card in effect.on), lang)
    kind = " ".join(part for part in (word(game, effect.kind, lang), numbers) if part)
    until = word(game, f"until.{effect.until}", lang) if effect.until else ""
    until = "" if until == f"until.{effect.until}" else until
    if effect.seats:
        kind = say("effect.seats", lang, effect=kind, seats=seats_words(names, effect.seats, lang))
    text = say("effect.on", lang, kind=kind, on=on) if on else kind
    if effect.face and effect.source.thing not in {card.thing for card in effect.on}:
        source = CardReference(effect.source.thing, face=effect.face)
        text = say("effect.from", lang, effect=text, source=card_words(game, source, lang))
    if printed := game.display.text(effect.face, effect.path, lang) if effect.face else "":
        return say("effect.text", lang, effect=text, text=printed)
    return say("effect.until", lang, effect=text, until=until) if until else text


def frame_words(game: Game, frame: SeenFrame, lang: Lang, names: Names) -> str:
    """Return a frame: number, kind, card and owner. A running frame of the judge has no owner."""
    kind, by = word(game, frame.kind, lang), seat_name(names, frame.by, lang)
    if frame.face:
        return say("frame.of", lang, id=frame.id, kind=kind, face=word(game, frame.face, lang), by=by)
    is_own = frame.by == JUDGE and frame.lane == "running"
    return say("frame.own" if is_own else "frame.by", lang, id=frame.id, kind=kind, by=by)


def frame_says(game: Game, frame: SeenFrame, lang: Lang, whole: bool = True) -> str:
    """Return the card text that a frame carries out: the whole ability, or only its current part."""
    if not frame.face or not frame.path:
        return ""
    return game.display.text(frame.face, frame.path[:1] if whole else frame.path, lang)


def columns_of(game: Game, kind: str) -> Mapping[str, tuple[str, ...]]:
    kinds = game.schema(next(iter(game.versions.values()))).kinds
    return next((declared.columns for declared in kinds if declared.name == kind), {})


def question_source_words(game: Game, frame: SeenFrame, frames: Mapping[int, SeenFrame], lang: Lang) -> str:
    """Return the card text that a question is about: the current part of the frame that it serves."""
    names = columns_of(game, frame.kind).get("frames", ())
    if frame.lane != "asked" or not frame.frames or names[:1] != ("serves",) or frame.frames[0] not in frames:
        return ""
    return frame_says(game, frames[frame.frames[0]], lang, whole=False)


def result_words(game: Game, result: Result, lang: Lang, names: Names) -> str:
    reason = word(game, f"reason.{result.reason}", lang)
    reason = result.reason if reason == f"reason.{result.reason}" else reason
    if not result.winners:
        return say("result.draw", lang, reason=reason)
    return say("result.won", lang, winners=seats_words(names, result.winners, lang), reason=reason)


def clock_words(game: Game, clock: Clock, lang: Lang, names: Names) -> str:
    """Return turn, phase, awaited seats and passed seats."""
    return "  ".join(text for _, text in clock_parts(game, clock, lang, names))


def clock_parts(game: Game, clock: Clock, lang: Lang, names: Names) -> list[tuple[str, str]]:
    parts = {
        "turn": say("clock.turn", lang, n=clock.turn) if clock.turn else "",
        "active": say("clock.active", lang, seat=seat_name(names, clock.active, lang)) if clock.active else "",
        "phase": " ".join(word(game, name, lang) for name in (clock.phase, clock.step) if name),
        "awaited": say("clock.awaited", lang, seats=seats_words(names, clock.awaited, lang)) if clock.awaited else "",
        "passed": say("clock.passed", lang, seats=seats_words(names, clock.passed, lang)) if clock.passed else "",
    }
    return [(role, text) for role, text in parts.items() if text]


def occasion_words(occasion: Occasion, announced: str, lang: Lang) -> str:
    """Return the occasion of a match and its announced result; '' if there is neither. The title is omitted, because
    files often use it for a sentence in several languages."""
    texts = {**asdict(occasion), "title": "", "announced": announced}
    return "  ".join(say(f"occasion.{name}", lang, text=text) for name, text in texts.items() if text)
