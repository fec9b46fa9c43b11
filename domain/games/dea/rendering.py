"""Wording of card text, generated from the same data that the rules carry out.

There is one function per union, with a case for every member. The phrases are in `wording.toml`.
"""

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from msgspec.structs import replace

from domain.games.dea import card_vocabulary as M, phrasing as P, text as T
from domain.games.dea.cards import CARDS
from domain.parts.wording import PLAIN, Form, capital, describe_struct, render_conditions, statement, successive_phrases
from domain.words import Lang

# -- cards -------------------------------------------------------------------------------------------------------------


def about(card: T.Card, lang: Lang) -> str:
    """Return a line with type, colour, rarity and printed numbers."""
    speech = P.card_speech(lang, CARDS, card.type)
    return speech.list("about", _about(card, speech))


def _about(card: T.Card, speech: P.CardSpeech) -> Iterator[str]:
    yield speech.say(f"type.{card.type}")
    if card.sex is not None:
        yield speech.say(f"sex.{card.sex}")
    yield speech.say(f"colour.{card.colour}")
    if card.rarity is not None:
        yield card.rarity
    if card.type == "character":
        yield speech.say("about.cost", n=card.cost)
    if card.type in T.GIMMICKS:
        yield speech.say("about.pages", n=card.pages)
    if card.type in T.MAP_CARD_TYPES:
        move = speech.say(f"move.{card.move}")
        yield speech.say("about.moves", move=move, attack=card.attack, defence=card.defence)
    if card.type == "character":
        yield speech.say("about.survival", n=card.survival)


def render(card: T.Card, lang: Lang, cards: Mapping[str, T.Card] = CARDS) -> tuple[str, ...]:
    """Return the text of a card, a line for each ability. `cards` gives the names of the tokens it creates."""
    speech = P.card_speech(lang, cards, card.type)
    return tuple(word_ability(ability, speech) for ability in card.abilities)


# -- abilities ---------------------------------------------------------------------------------------------------------


def word_ability(ability: T.AnyAbility, speech: P.CardSpeech) -> str:
    match ability:
        case T.Static():
            return _passive(ability, _static(ability, speech), speech)
        case T.Automatic(cause=cause, do=do, only_if=only_if):
            effect = _if(only_if, _clause(do, speech), speech)
            sentence = speech.say("automatic", cause=speech.say(f"cause.{cause}", self=speech.self), do=effect)
            return _passive(ability, sentence + speech.say("end"), speech)
        case T.Activated():
            cost = (
                speech.say("cost.life", n=ability.life) if ability.life else speech.say("cost.pages", n=ability.pages)
            )
            return _named(ability, cost, _use(ability, speech) + _limits(ability, speech), speech)
        case T.Event():
            return _use(ability, speech) + _limits(ability, speech)
        case T.Foreshadow(only_if=only_if, additional=additional):
            parts = [_condition(only_if, speech)] if only_if else []
            if additional:
                first = describe_struct(T.Discard(n=additional), "do", speech, P.WORDS, s="")
                parts.append(_labelled("additional", first + speech.say("end"), speech))
            return speech.list("gap", (*parts, _use(ability, speech)))
        case T.Field(abilities=abilities, only_if=only_if):
            parts = [_condition(only_if, speech)] if only_if else []
            inside = speech.list("gap", (word_ability(inner, speech) for inner in abilities))
            return speech.list("gap", (*parts, _labelled("field", inside, speech)))
        case _:
            assert_never(ability)


def _named(ability: T.Ability, kind: str, text: str, speech: P.CardSpeech) -> str:
    name = ability.ja if speech.lang == "ja" else ability.en
    return speech.say("named" if name else "nameless", kind=kind, name=name, text=capital(text))


def _passive(ability: T.Static | T.Automatic, text: str, speech: P.CardSpeech) -> str:
    if ability.name or speech.type in T.MAP_CARD_TYPES:
        return _named(ability, speech.say("passive"), text, speech)
    return capital(text)


def _labelled(label: str, text: str, speech: P.CardSpeech) -> str:
    return speech.say("nameless", kind=speech.say(label), text=capital(text))


def _condition(only_if: tuple[M.AnyCondition, ...], speech: P.CardSpeech) -> str:
    return _labelled("condition", P.conditions(only_if, speech) + speech.say("end"), speech)


def _limits(use: T.Activated | T.Event, speech: P.CardSpeech) -> str:
    parts = [speech.say(f"limit.{use.timing}")] if use.timing != "any" else []
    if isinstance(use, T.Activated) and use.limit != "none":
        parts.append(speech.say(f"limit.{use.limit}"))
    if use.only_if:
        parts.append(speech.say("limit.if", cond=P.conditions(use.only_if, speech)))
    return render_conditions(parts, speech)


def _use(use: T.AnyUse, speech: P.CardSpeech) -> str:
    speech = replace(speech, choices=use.choices)
    choices = [P.choices(use.choices, speech)] if use.choices else []
    sentences = [word_instruction(instruction, speech) for instruction in use.do]
    return capital(speech.sentences((*choices, *sentences)))


def _clause(do: tuple[T.AnyDo, ...], speech: P.CardSpeech) -> str:
    return speech.list("then", successive_phrases(do, lambda each, form: word_instruction(each, speech, form)))


def _if(only_if: tuple[M.AnyCondition, ...], text: str, speech: P.CardSpeech) -> str:
    return speech.say("if", cond=P.conditions(only_if, speech), do=text) if only_if else text


# -- modifiers ---------------------------------------------------------------------------------------------------------


_OF_SELF: Final = (M.SelfIsAttacker, M.InHome)
"""Conditions that mention the bearer of the text."""


def _static(ability: T.Static, speech: P.CardSpeech) -> str:
    on, many = ability.on, ability.on == "you" or isinstance(ability.on, M.CharacterFilter)
    match on:
        case M.CharacterFilter():
            subject = P.describe_characters(on, speech, "all")
        case "self" | "wearer":
            subject = P.character_words(on, speech)
        case "you" | "opponent" | "each":
            subject = speech.say(f"who.{on}")
        case _:
            assert_never(on)
    mods = successive_phrases(ability.mods, lambda mod, form: _modifier(mod, on, speech, many, form))
    repeats_subject = on == "self" and any(isinstance(condition, _OF_SELF) for condition in ability.only_while)
    predicate = speech.list("and" if speech.lang == "en" else "then", mods)
    sentence = speech.say("static.again" if repeats_subject else "static", subject=subject, mods=predicate)
    if ability.only_while:
        sentence = speech.say("while", cond=P.conditions(ability.only_while, speech), text=sentence)
    return sentence + speech.say("end")


def _modifier(mod: T.AnyModifier, on: T.StaticSubject, speech: P.CardSpeech, many: bool, form: Form) -> str:
    s, have = ("", "have") if many else ("s", "has")
    if not isinstance(mod, T.Costs):
        their = speech.say("their.many" if many else "their.one")
        return describe_struct(mod, "mod", speech, P.WORDS, form, s=s, have=have, their=their)
    subject_type = "writer" if on in ("you", "opponent", "each") else "char"
    pages = speech.say("pages.one" if abs(mod.n) == 1 else "pages", n=abs(mod.n))
    floor = speech.say("mod.least", n=mod.least) if mod.least else ""
    return describe_struct(mod, f"mod.{subject_type}", speech, P.WORDS, form, s=s, pages=pages, floor=floor)


# -- instructions ------------------------------------------------------------------------------------------------------


def word_instruction(instruction: T.AnyDo, speech: P.CardSpeech, form: Form = PLAIN) -> str:
    return _if(instruction.only_if, _instruction(instruction, speech, form), speech)


def _instruction(instruction: T.AnyDo, speech: P.CardSpeech, form: Form) -> str:
    if isinstance(instruction, T.Forbid):
        return describe_struct(instruction, "do", speech, P.WORDS, form, whom=speech.say(f"who.{instruction.who}"))
    if not isinstance(instruction, _BY_WRITERS):
        return describe_struct(instruction, "do", speech, P.WORDS, form, self=speech.self)
    who = "" if instruction.who == "you" else speech.say(f"who.{instruction.who}")
    return statement(who, describe_struct(instruction, "do", speech, P.WORDS, form, s="s" if who else ""), speech)


_BY_WRITERS: Final = T.ByWriter | T.Discard | T.Win
"""Instructions that a writer carries out. English uses the imperative for "you"."""
