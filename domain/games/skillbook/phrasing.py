"""Common phrases of card text: units, ranges and targets."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from domain.games.skillbook import meaning as M, text as T
from domain.parts.printed import name_of
from domain.parts.wording import (
    COUNTED,
    FieldWording,
    Speech,
    Words,
    by_phrase,
    load_phrases,
    successive_phrases,
    with_article,
)
from domain.words import Lang


class CardSpeech(Speech, frozen=True):
    """Context for wording card text: the cards it names, its own card, its targets and its event."""

    cards: Mapping[str, T.Card]
    card: T.Card
    targets: tuple[M.AnyTarget, ...] = ()
    event: T.Event | None = None

    @property
    def self(self) -> str:
        kind = "card" if self.event in ("milled", "removed") else _SELF_KINDS.get(self.card.type, "card")
        return self.say(f"self.{kind}")


_SELF_KINDS: Final[Mapping[T.CardType, str]] = {
    "hero": "hero",
    "monster": "unit",
    "token": "unit",
    **dict.fromkeys(T.TERRAINS, "terrain"),
}


def make_speech(lang: Lang, cards: Mapping[str, T.Card], card: T.Card) -> CardSpeech:
    return CardSpeech(lang, load_phrases(__package__), cards, card)


# -- ranges -----------------------------------------------------------------------------------------------------------


def _word_range(range: M.Range, speech: CardSpeech) -> str:
    """Return the words for a range, or "" if it has no limit."""
    if range.reach == "any":
        return ""
    reach = speech.say(f"reach.{range.reach}", n=range.n)
    match range.of:
        case "start":
            return speech.say("within", reach=reach)
        case "target":
            return speech.say("within.of", reach=reach, what=word_reference("target", speech))
        case "last_square":
            return speech.say("within.last", reach=reach, self=speech.self)
        case _:
            assert_never(range.of)


# -- units ------------------------------------------------------------------------------------------------------------


def describe(units: M.Units, speech: CardSpeech, number: str) -> str:
    """Return the words for units. `number` is "one" or "each"."""
    whose = "cursed" if speech.card.type == "curse" and units.whose == "enemy" else units.whose
    number = "the" if units.hero and whose != "any" else number
    key = f"units.{whose}.{number}.different" if units.different and number != "each" else f"units.{whose}.{number}"
    noun = "hero" if units.hero else "unit"
    if whose != "any" and number != "the":
        noun = f"{noun}s"
    phrase = _qualified(list(_qualities(units)), speech.say(f"noun.{noun}"), key, speech)
    phrase = with_article(phrase, speech) if key == "units.any.one" else phrase
    return _placed(phrase, (_word_range(units.range, speech), speech.say("off_start") if units.other else ""), speech)


def _qualities(units: M.Units) -> Iterator[str]:
    if units.moving:
        yield "moving"
    if units.exhausted:
        yield "exhausted"
    if units.non_flying:
        yield "non_flying"
    if units.hero is False:
        yield "non_hero"


def _qualified(qualities: list[str], noun: str, key: str, speech: CardSpeech) -> str:
    """Return a noun with its qualities and owner. In Japanese the qualities come first."""
    qualified = successive_phrases(qualities, lambda each, form: speech.say(f"quality.{each}", form))
    if speech.lang == "ja":
        return speech.list("gap", (*qualified, speech.say(key, what=noun)))
    return speech.say(key, what=speech.list("gap", (*qualified, noun)))


def _placed(phrase: str, where: Iterable[str], speech: CardSpeech) -> str:
    near = tuple(filter(None, where))
    return speech.list("gap", (*near, phrase) if speech.lang == "ja" else (phrase, *near))


def word_reference(thing: M.Thing, speech: CardSpeech) -> str:
    match thing:
        case "this":
            return speech.self
        case "target" | "second":
            return _target(1 if thing == "second" else 0, speech)
        case "occupant":
            return speech.say("occupant.that" if speech.event in ("explored", "entered") else "occupant")
        case "host":
            return speech.say(f"host.{'terrain' if hosts_terrain(speech.card) else 'unit'}")
        case "pierced" | "attacker" | "own_hero" | "each_hero":
            return speech.say(thing)
        case _:
            assert_never(thing)


def hosts_terrain(card: T.Card) -> bool:
    aims = (ability.targets[:1] for ability in card.abilities if isinstance(ability, T.Use))
    return any(isinstance(target, M.TerrainTarget) for first in aims for target in first)


def _target(place: int, speech: CardSpeech) -> str:
    if sum(isinstance(target, M.UnitTarget) for target in speech.targets) > 1:
        return speech.say("that.second" if place else "that.first")
    target = speech.targets[place] if place < len(speech.targets) else None
    is_hero = isinstance(target, M.UnitTarget) and target.of.hero
    return speech.say("that.hero" if is_hero else "that.unit")


def describe_ref(ref: M.Ref, speech: CardSpeech) -> str:
    return describe(ref, speech, "each") if isinstance(ref, M.Units) else word_reference(ref, speech)


# -- targets ----------------------------------------------------------------------------------------------------------


def word_targets(targets: tuple[M.AnyTarget, ...], speech: CardSpeech) -> str:
    return speech.series("aims.and", [_aim(target, speech) for target in targets])


def _aim(target: M.AnyTarget, speech: CardSpeech) -> str:
    match target:
        case M.UnitTarget(of=units):
            unique = units.hero and units.whose != "any"
            return speech.say("aim.hero" if unique else "aim.unit", what=describe(units, speech, "one"))
        case M.SquareTarget(range=range, neutral=neutral):
            noun = with_article(speech.say("noun.neutral_square" if neutral else "noun.square"), speech)
            return speech.say("aim.place", what=_placed(noun, (_word_range(range, speech),), speech))
        case M.TerrainTarget():
            return speech.say("aim.place", what=_terrain(target, speech))
        case M.ItemTarget():
            return speech.say("aim.item")
        case _:
            assert_never(target)


def _terrain(target: M.TerrainTarget, speech: CardSpeech) -> str:
    qualities = [] if target.face_up is None else ["face_up" if target.face_up else "face_down"]
    qualities += ["unoccupied"] if target.unoccupied else []
    key = "terrain.own" if target.own else "terrain.any"
    noun = speech.say(f"{key}.noun")
    if target.name:
        noun = speech.say(f"{key}.named", name=name_of(speech.cards, target.name, speech.lang))
    phrase = _qualified(qualities, noun, key, speech)
    phrase = phrase if target.own else with_article(phrase, speech)
    return _placed(phrase, (_word_range(target.range, speech),), speech)


def _describe_place(place: T.Place, speech: CardSpeech) -> str:
    number = 1 if place == "second" else 0
    target = speech.targets[number] if number < len(speech.targets) else None
    return speech.say("that.terrain" if isinstance(target, M.TerrainTarget) else "that.square")


# -- wording by type of field -----------------------------------------------------------------------------------------


def _describe_refs(refs: tuple[M.Ref, ...], speech: CardSpeech) -> str:
    return speech.series("last.and", [describe_ref(ref, speech) for ref in refs])


WORDS: Final[Words] = {
    M.Ref: FieldWording(describe_ref),
    T.Refs: FieldWording(_describe_refs),
    M.Thing: FieldWording(word_reference),
    T.Healed: FieldWording(word_reference),
    T.Teleported: FieldWording(word_reference),
    T.Place: FieldWording(_describe_place),
    M.Natural: COUNTED,
    M.Positive: COUNTED,
    M.Number: COUNTED,
    M.Stat: by_phrase("stat"),
    M.Until: by_phrase("until"),
    M.Element: by_phrase("element"),
    T.Face: FieldWording(lambda face, speech: with_article(name_of(speech.cards, face, speech.lang), speech)),
}
"""Wording of the fields of card text, by type. For other types, the value itself is the key of its phrase."""
