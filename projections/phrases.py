"""What was seen, in words: cards, places, actions and facts as one line of text each."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import asdict

from domain.law.game import Game
from domain.law.occasion import Occasion
from domain.table.redact import SPECTATOR, SeenCard, SeenEffect, SeenFrame
from domain.table.table import CHANCE, EVERYONE, JUDGE, NOBODY, Clock, Place, Result, Seat, square, whose, zone
from domain.words import Lang
from projections.seen import SeenFact, Sighted
from projections.seen_entries import SeenAction, SeenSlot
from projections.words import say


def word(game: Game, code: str, lang: Lang) -> str:
    """A code name in the game's own words."""
    return game.rulebook.word(code, lang)


def mark_words(game: Game, name: str, n: int | None, lang: Lang) -> str:
    """A mark and the number it stands at; what only says that something is so, by its word alone."""
    if n == 1 and game.display.is_flag(name):
        return word(game, name, lang)
    return say("board.mark", lang, mark=word(game, name, lang), n=n)


def listed(texts: Iterable[str], lang: Lang) -> str:
    """Several things one after the other."""
    return say("list.comma", lang).join(text for text in texts if text)


def seat_words(seat: str, lang: Lang) -> str:
    """Who it is: a seat by its own name, others in words."""
    match seat:
        case str(one) if one == CHANCE:
            return say("who.chance", lang)
        case str(one) if one == JUDGE:
            return say("who.judge", lang)
        case str(one) if one == SPECTATOR:
            return say("who.spectator", lang)
        case str(one) if one == EVERYONE:
            return say("who.everyone", lang)
        case str(one) if one == NOBODY:
            return say("who.nobody", lang)
        case _:
            return seat


def place_words(game: Game, place: Place, lang: Lang) -> str:
    """A place: whose, which area, and of a grid or slots which square."""
    seat, name = whose(place), word(game, zone(place), lang)
    text = say("place.own", lang, seat=seat, area=name) if seat is not None else name
    return f"{text} {square(place)}".rstrip()


def card_words(game: Game, card: Sighted | SeenCard, lang: Lang) -> str:
    """A card: its face as printed and the thing it is, as far as they are known."""
    face = word(game, card.face, lang) if card.face else ""
    if face and card.thing:
        return say("card.both", lang, face=face, thing=card.thing)
    if face or card.thing:
        return face or say("card.thing", lang, thing=card.thing)
    return say("card.hidden", lang)


def cards_words(game: Game, cards: Sequence[Sighted | SeenCard], number: int | None, lang: Lang) -> str:
    """Cards: those seen one by one, then how many others, if that may be known."""
    seen = [card_words(game, card, lang) for card in cards]
    hidden = 0 if number is None else number - len(cards)
    if hidden == 1:
        seen.append(say("card.hidden", lang))
    elif hidden > 1:
        seen.append(say("cards.hidden", lang, n=hidden))
    if not seen:
        return say("cards.some" if number is None else "cards.none", lang)
    return listed(seen, lang)


def action_words(game: Game, action: SeenAction, lang: Lang) -> str:
    """An action as it was seen: its verb and what it named."""
    verb = word(game, action.verb, lang) or say("action.unknown", lang)
    if not action.slots:
        return verb
    named = listed((_slot_words(game, slot, lang) for slot in action.slots), lang)
    return say("action.with", lang, verb=verb, named=named)


def _slot_words(game: Game, slot: SeenSlot, lang: Lang) -> str:
    name = word(game, slot.name, lang)
    return say("action.slot", lang, slot=name, value=_value_words(game, slot, lang))


def _value_words(game: Game, slot: SeenSlot, lang: Lang) -> str:
    if slot.hidden:
        return say("slot.hidden", lang)
    match slot.kind:
        case "card" | "cards" | "order":
            return cards_words(game, slot.cards, slot.number, lang)
        case "pairs":
            pairs = (
                say("pair", lang, one=card_words(game, one, lang), other=card_words(game, other, lang))
                for one, other in slot.pairs
            )
            return listed(pairs, lang) or say("cards.none", lang)
        case "frame":
            return say("frame.id", lang, id=slot.value)
        case "frames":
            return listed((say("frame.id", lang, id=one) for one in slot.frames), lang) or say("cards.none", lang)
        case "seat":
            return seat_words(str(slot.value), lang)
        case "place":
            return place_words(game, Place(str(slot.value)), lang)
        case "flag":
            return say("yes" if slot.value else "no", lang)
        case "word":
            return word(game, str(slot.value), lang)
        case _:
            meant = seat_words(slot.seat, lang) if slot.seat else word(game, slot.word, lang) if slot.word else ""
            return f"{slot.value} {meant}".rstrip()


def fact_words(game: Game, fact: SeenFact, lang: Lang) -> str:
    """A fact as it was seen."""
    what = cards_words(game, fact.cards, fact.number, lang)
    where = place_words(game, fact.place, lang) if fact.place is not None else ""
    match fact.fact:
        case "move" if [one.place for one in fact.origin] == [fact.place]:
            return say("fact.within_up" if fact.up else "fact.within", lang, what=what, place=where)
        case "move":
            left = listed((place_words(game, one.place, lang) for one in fact.origin), lang)
            return say("fact.move", lang, what=what, left=left, to=where)
        case "gone":
            return say("fact.gone", lang, what=what)
        case "new":
            return say("fact.new", lang, what=what, place=where)
        case "order":
            return say("fact.shuffled" if fact.shuffled else "fact.ordered", lang, place=where)
        case "show":
            return _shown_words(fact, what, where, lang)
        case "turn":
            return say("fact.up" if fact.up else "fact.down", lang, what=what)
        case "stance":
            return say("fact.stance", lang, what=what, stance=word(game, fact.stance, lang))
        case "ctrl":
            return say("fact.control", lang, what=what, seat=seat_words(fact.seat or "", lang))
        case "tie":
            if not fact.up:
                return say("fact.free", lang, what=what)
            host = card_words(game, fact.host, lang) if fact.host is not None else say("card.hidden", lang)
            return say("fact.tie", lang, what=what, host=host)
        case "mark":
            on = what if fact.cards else seat_words(fact.seat, lang) if fact.seat else say("who.table", lang)
            return say("fact.mark", lang, what=on, mark=mark_words(game, fact.name, fact.to, lang))
        case "learn/2" if fact.how:
            return say("fact.unlearned", lang, what=what)
        case "learn" | "learn/2":
            return say("fact.learn", lang, what=what)
        case "roll":
            return say("fact.roll", lang, what=word(game, fact.name, lang), outcome=_rolled_words(game, fact, lang))
        case _:
            return _other_words(game, fact, lang)


def _shown_words(fact: SeenFact, what: str, where: str, lang: Lang) -> str:
    seats = listed((seat_words(seat, lang) for seat in fact.seats), lang)
    if not fact.seats:
        return say("fact.forgotten", lang, what=what)
    if not where:
        return say("fact.show", lang, what=what, seats=seats)
    return say("fact.show_in", lang, what=what, place=where, seats=seats)


def _rolled_words(game: Game, fact: SeenFact, lang: Lang) -> str:
    parts = [card_words(game, card, lang) for card in fact.cards]
    parts += [seat_words(fact.seat, lang)] if fact.seat else []
    parts += [str(fact.to)] if fact.to is not None else []
    return listed(parts, lang)


def _other_words(game: Game, fact: SeenFact, lang: Lang) -> str:
    """Effects, the result, and flow."""
    effects = listed((effect_words(game, one, lang) for one in fact.effects), lang)
    frame = frame_words(game, fact.frame, lang) if fact.frame is not None else ""
    match fact.fact:
        case "began":
            return say("fact.began", lang, effect=effects)
        case "adj":
            return say("fact.adjusted", lang, effect=effects)
        case "ended":
            return say("fact.ended", lang, effect=effects)
        case "end":
            assert fact.result is not None
            return result_words(game, fact.result, lang)
        case "push":
            return say("fact.push", lang, frame=frame)
        case "alter":
            step = fact.frame.step if fact.frame is not None and "step" in fact.changed else ""
            if step:
                return say("fact.step", lang, frame=frame, step=word(game, step, lang))
            return say("fact.alter", lang, frame=frame)
        case "pop":
            return say("fact.pop", lang, frame=frame, how=word(game, fact.how, lang))
        case "clock":
            assert fact.clock is not None
            return say("fact.clock", lang, clock=clock_words(game, fact.clock, lang))
        case tag:
            raise AssertionError(f"a fact without words: {tag}")


def effect_words(game: Game, effect: SeenEffect, lang: Lang) -> str:
    """An ongoing effect: what kind, with which numbers, on what, from what, for how long.

    Where the game's cards have text, what it says there stands instead of how long.
    """
    numbers = " ".join(f"{number:+d}" for number in effect.numbers if number)
    on = listed((card_words(game, card, lang) for card in effect.on), lang)
    kind = " ".join(part for part in (word(game, effect.kind, lang), numbers) if part)
    until = word(game, f"until.{effect.until}", lang) if effect.until else ""
    until = "" if until == f"until.{effect.until}" else until
    if effect.seats:
        kind = say("effect.seats", lang, effect=kind, seats=_seats(effect.seats, lang))
    text = say("effect.on", lang, kind=kind, on=on) if on else kind
    if effect.face and effect.source.thing not in {one.thing for one in effect.on}:
        source = Sighted(effect.source.thing, face=effect.face)
        text = say("effect.from", lang, effect=text, source=card_words(game, source, lang))
    if said := game.display.text(effect.face, effect.path, lang) if effect.face else "":
        return say("effect.text", lang, effect=text, text=said)
    return say("effect.until", lang, effect=text, until=until) if until else text


def frame_words(game: Game, frame: SeenFrame, lang: Lang) -> str:
    """A frame: its number, its kind, the card whose words it carries out, and whose it is.

    What runs by itself is nobody's.
    """
    kind, by = word(game, frame.kind, lang), seat_words(frame.by, lang)
    if frame.face:
        return say("frame.of", lang, id=frame.id, kind=kind, face=word(game, frame.face, lang), by=by)
    own = frame.by == JUDGE and frame.lane == "running"
    return say("frame.own" if own else "frame.by", lang, id=frame.id, kind=kind, by=by)


def frame_says(game: Game, frame: SeenFrame, lang: Lang, whole: bool = True) -> str:
    """What the text says that a frame carries out: the ability, or only where it goes on."""
    if not frame.face or not frame.path:
        return ""
    return game.display.text(frame.face, frame.path[:1] if whole else frame.path, lang)


def columns_of(game: Game, kind: str) -> Mapping[str, tuple[str, ...]]:
    """What the positions of a kind's columns are called."""
    kinds = game.schema(next(iter(game.versions.values()))).kinds
    return next((one.columns for one in kinds if one.name == kind), {})


def asks(game: Game, frame: SeenFrame, frames: Mapping[int, SeenFrame], lang: Lang) -> str:
    """What the text says about which a question is asked: where what it serves goes on."""
    names = columns_of(game, frame.kind).get("frames", ())
    if frame.lane != "asked" or not frame.frames or names[:1] != ("serves",) or frame.frames[0] not in frames:
        return ""
    return frame_says(game, frames[frame.frames[0]], lang, whole=False)


def result_words(game: Game, result: Result, lang: Lang) -> str:
    """Who won and why."""
    reason = word(game, f"reason.{result.reason}", lang)
    reason = result.reason if reason == f"reason.{result.reason}" else reason
    if not result.winners:
        return say("result.draw", lang, reason=reason)
    return say("result.won", lang, winners=listed(result.winners, lang), reason=reason)


def clock_words(game: Game, clock: Clock, lang: Lang) -> str:
    """Whose turn it is, the phase, who is awaited and who has passed."""
    return "  ".join(text for _, text in clock_parts(game, clock, lang))


def clock_parts(game: Game, clock: Clock, lang: Lang) -> list[tuple[str, str]]:
    """The clock piece by piece: a role and its text."""
    parts: list[tuple[str, str]] = []
    if clock.turn:
        parts.append(("turn", say("clock.turn", lang, n=clock.turn)))
    if clock.active:
        parts.append(("active", say("clock.active", lang, seat=seat_words(clock.active, lang))))
    phase = " ".join(word(game, name, lang) for name in (clock.phase, clock.step) if name)
    if phase:
        parts.append(("phase", phase))
    if clock.awaited:
        parts.append(("awaited", say("clock.awaited", lang, seats=_seats(clock.awaited, lang))))
    if clock.passed:
        parts.append(("passed", say("clock.passed", lang, seats=_seats(clock.passed, lang))))
    return parts


def _seats(seats: Sequence[Seat], lang: Lang) -> str:
    return listed((seat_words(seat, lang) for seat in seats), lang)


def occasion_words(occasion: Occasion, announced: str, lang: Lang) -> str:
    """On what occasion a match is played, and what was announced as its result; empty if nothing was said.

    The title is what a file calls its match: often a sentence, in several languages. It stays there.
    """
    texts = {**asdict(occasion), "title": "", "announced": announced}
    return "  ".join(say(f"occasion.{name}", lang, text=text) for name, text in texts.items() if text)
