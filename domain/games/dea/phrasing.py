"""Phrases of card text that all abilities share: characters, choices, conditions."""

from collections.abc import Mapping
from typing import Final, assert_never

from domain.games.dea import card_vocabulary as M, text as T
from domain.parts.printed import name_of
from domain.parts.wording import (
    COUNTED,
    FieldWording,
    Speech,
    Words,
    by_phrase,
    describe_struct,
    load_phrases,
    with_article,
)
from domain.words import Lang


class CardSpeech(Speech, frozen=True):
    """Wording context of a card: the cards it names, its type, and the choices it asks for."""

    cards: Mapping[str, T.Card]
    type: T.CardType
    choices: tuple[T.AnyChoice, ...] = ()

    @property
    def self(self) -> str:
        return self.say("self.token" if self.type == "token" else "self.character")

    @property
    def several(self) -> bool:
        return sum(isinstance(choice, T.ChooseChar) for choice in self.choices) > 1


def card_speech(lang: Lang, cards: Mapping[str, T.Card], type: T.CardType) -> CardSpeech:
    return CardSpeech(lang, load_phrases(__package__), cards, type)


# -- characters --------------------------------------------------------------------------------------------------------


def character_words(on: M.CharacterRef, speech: CardSpeech) -> str:
    match on:
        case "self":
            return speech.self
        case "chosen":
            return speech.say("chosen.first" if speech.several else "chosen")
        case "second":
            return speech.say("chosen.second")
        case "wearer" | "attacker":
            return speech.say(on)
        case _:
            assert_never(on)


def describe_characters(of: M.CharacterFilter, speech: CardSpeech, number: str) -> str:
    """Return the words for a description of `one` character, of `two`, or of `all`."""
    noun = speech.say(f"chars.{of.whose}.{number}")
    near = speech.say("chars.adjacent", what=character_words(of.adjacent, speech)) if of.adjacent else ""
    wearing = speech.say("chars.equipped") if of.equipped else ""
    fighting = speech.say("chars.in_battle") if of.in_battle else ""
    parts = (near, wearing, fighting, noun) if speech.lang == "ja" else (noun, fighting, near, wearing)
    return speech.list("gap", filter(None, parts))


# -- choices -----------------------------------------------------------------------------------------------------------


def choices(listed_choices: tuple[T.AnyChoice, ...], speech: CardSpeech) -> str:
    """Return the words for the choices, in order. Two equal choices become one phrase."""
    phrases: list[str] = []
    for place, choice in enumerate(listed_choices):
        number = listed_choices.count(choice) if isinstance(choice, T.ChooseChar) else 1
        if listed_choices.index(choice) == place:
            phrases.append(_choice(choice, speech, "one" if number == 1 else "two"))
    return speech.say("choose", what=speech.series("last.and", phrases))


def _choice(choice: T.AnyChoice, speech: CardSpeech, number: str) -> str:
    match choice:
        case T.ChooseChar(of=of):
            key = "choose.char.two" if number == "two" else "choose.char"
            return speech.say(key, what=describe_characters(of, speech, number))
        case T.ChooseEmptyCell(within=within, near=near, area=area):
            if area is not None:
                return speech.say("choose.cell.area")
            key = "choose.cell.adjacent" if within == 1 else "choose.cell.within"
            return speech.say(key, n=within, what=character_words(near, speech))
        case T.ChooseItem(kinds=kinds, whose=whose):
            first, *others = (speech.say(f"item.{kind}") for kind in kinds)
            listed = speech.series("last.or", (with_article(first, speech), *others))
            return speech.say(f"choose.item.{whose}", kinds=listed)
        case T.ChooseSleeveCard() | T.ChooseSlot() | T.ChooseWriter() | T.ChooseDirection():
            return describe_struct(choice, "choose", speech, WORDS)
        case _:
            assert_never(choice)


# -- conditions --------------------------------------------------------------------------------------------------------


def conditions(listed_conditions: tuple[M.AnyCondition, ...], speech: CardSpeech) -> str:
    return speech.list(
        "and", (describe_struct(condition, "if", speech, WORDS, self=speech.self) for condition in listed_conditions)
    )


# -- the fields of card text, by their types ---------------------------------------------------------------------------


def prohibited(actions: tuple[M.Prohibited, ...], speech: CardSpeech) -> str:
    return speech.series("last.nor", [speech.say(f"prohibited.{action}") for action in actions])


def _priced(of: tuple[M.Priced, ...], speech: CardSpeech) -> str:
    return speech.series("last.and", [speech.say(f"priced.{each}") for each in of])


def _token(face: str, speech: CardSpeech) -> str:
    return with_article(name_of(speech.cards, face, speech.lang), speech)


WORDS: Final[Words] = {
    M.CharacterRef: FieldWording(character_words),
    M.Natural: COUNTED,
    M.Positive: COUNTED,
    M.Number: COUNTED,
    M.Until: by_phrase("until"),
    M.Value: by_phrase("value"),
    M.MoveType: by_phrase("move"),
    M.Prohibitions: FieldWording(prohibited),
    M.Prices: FieldWording(_priced),
    M.Id: FieldWording(_token),
}
"""Wording of the fields of card text, by type."""
