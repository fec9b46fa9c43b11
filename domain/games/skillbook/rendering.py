"""Card text in words, generated from the data that the law carries out. The phrases are in `wording.toml`."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec.structs import replace

from domain.games.skillbook import meaning as M, phrasing as P, text as T
from domain.games.skillbook.cards import CARDS
from domain.parts.wording import PLAIN, Form, capital, describe_struct, statement, successive_phrases
from domain.words import Lang

# -- cards -------------------------------------------------------------------------------------------------------------


def about(card: T.Card, lang: Lang) -> str:
    speech = P.make_speech(lang, CARDS, card)
    return speech.list("about", _about(card, speech))


def _about(card: T.Card, speech: P.CardSpeech) -> Iterator[str]:
    yield speech.say(f"type.{card.type}")
    if card.type not in ("start", "token"):
        elements = card.elements if card.type in T.TERRAINS else (card.element,) if card.element else ()
        yield speech.list("comma", (speech.say(f"element.{each}") for each in elements or ("none",)))
    if card.classes:
        yield speech.list("comma", (speech.say(f"class.{each}") for each in card.classes))
    if card.type in T.SKILLS:
        yield from _using(card, speech)
    if card.type in ("hero", "monster", "token"):
        kind = "about.hero" if card.type == "hero" else "about.unit"
        yield speech.say(kind, at=card.at, df=card.df, sp=card.sp)


def _using(card: T.Card, speech: P.CardSpeech) -> Iterator[str]:
    if card.response:
        yield speech.say("about.response")
    if card.cast:
        yield speech.say("about.cast")
    if card.double_cost is None:
        yield speech.say("about.cost", n=card.cost)
    else:
        yield speech.say("about.cost.double", n=card.cost, double=card.double_cost)
    if card.lose_hp:
        yield speech.say("about.lose_hp", n=card.lose_hp)
    if card.requirement is not None:
        yield speech.say("about.requirement", name=speech.say(f"class.{card.requirement}"))
    if card.type == "curse":
        yield speech.say("about.dispel", n=card.cost if card.dispel_cost is None else card.dispel_cost)


def render(card: T.Card, lang: Lang, cards: Mapping[str, T.Card] = CARDS) -> tuple[str, ...]:
    """Return the text of a card: a line of keywords, then one per ability. `cards` has the names of other cards."""
    speech = P.make_speech(lang, cards, card)
    keywords = [speech.say(f"keyword.{each.name}", n=each.n) for each in card.keywords]
    first = (capital(speech.list("comma", keywords)) + speech.say("end"),) if keywords else ()
    return first + tuple(word_ability(ability, speech) for ability in card.abilities)


# -- abilities ---------------------------------------------------------------------------------------------------------


def word_ability(ability: T.AnyAbility, speech: P.CardSpeech) -> str:
    match ability:
        case T.Use(targets=targets):
            return _use(ability, replace(speech, targets=targets))
        case T.Continuous():
            return speech.say("passive", text=capital(_continuous(ability, speech)))
        case T.Activated(targets=targets):
            return _activated(ability, replace(speech, targets=targets))
        case T.Triggered(targets=targets, event=event):
            return speech.say("passive", text=_triggered(ability, replace(speech, targets=targets, event=event)))
        case _:
            assert_never(ability)


def _use(ability: T.Use, speech: P.CardSpeech) -> str:
    aimed = []
    if ability.targets:
        key = "bind" if speech.card.type == "bind" else "target.path" if ability.path else "target"
        aimed.append(speech.say(key, what=P.word_targets(ability.targets, speech)))
    return _sentences((*aimed, *_in_turn(ability.do, speech)), speech)


def _activated(ability: T.Activated, speech: P.CardSpeech) -> str:
    costs = [speech.say("cost.mill", n=ability.mill)] if ability.mill or not ability.tap else []
    if ability.tap:
        costs.append(speech.say("cost.tap"))
    limits = [speech.say(f"limit.{kind}") for kind in ("response", "once") if getattr(ability, kind)]
    aimed = [speech.say("target", what=P.word_targets(ability.targets, speech))] if ability.targets else []
    return speech.say(
        "activated.only" if limits else "activated",
        cost=speech.list("comma", costs),
        limits=speech.list("comma", limits),
        text=_sentences((*aimed, *_in_turn(ability.do, speech)), speech),
    )


def _sentences(sentences: tuple[str, ...], speech: P.CardSpeech) -> str:
    return capital(speech.sentences(sentences))


def _in_turn(do: tuple[T.AnyDo, ...], speech: P.CardSpeech) -> Iterator[str]:
    return (word_instruction(each, speech) for each in do)


def _triggered(ability: T.Triggered, speech: P.CardSpeech) -> str:
    """Return the event, the conditions and the result. Targets get a sentence of their own."""
    event, conditions = _event(ability, speech)
    if ability.targets:
        key = "triggered.aim.may" if ability.may else "triggered.aim"
        aimed = speech.say(key, event=_if(conditions, event, speech), what=P.word_targets(ability.targets, speech))
        return _sentences((aimed, *_in_turn(ability.do, speech)), speech)
    result = speech.list(
        "then", successive_phrases(ability.do, lambda each, form: word_instruction(each, speech, form))
    )
    words = speech.say("triggered", event=event, do=_if(conditions, result, speech)) + speech.say("end")
    return capital(words) + (speech.say("may") if ability.may else "")


def _event(ability: T.Triggered, speech: P.CardSpeech) -> tuple[str, tuple[M.Condition, ...]]:
    """Return the words for the event, and the conditions that they do not cover."""
    key, conditions = f"event.{ability.event}", list(ability.only_if)
    for condition in ability.only_if:
        longer = f"{key}.{condition}"
        if longer in speech.phrases:
            key = longer
            conditions.remove(condition)
    return speech.say(key, self=speech.self), tuple(conditions)


def _if(conditions: tuple[M.Condition, ...], result: str, speech: P.CardSpeech) -> str:
    for condition in reversed(conditions):
        result = speech.say("if", cond=_condition(condition, speech), do=result)
    return result


def _condition(condition: M.Condition, speech: P.CardSpeech) -> str:
    return speech.say(f"if.{condition}", self=speech.self)


# -- continuous abilities ----------------------------------------------------------------------------------------------


def _continuous(ability: T.Continuous, speech: P.CardSpeech) -> str:
    on = ability.on
    match on:
        case M.Units():
            subject = P.describe(on, speech, "each")
        case "this" | "host" | "occupant":
            subject = P.word_reference(on, speech)
        case "you" | "opponent" | "cursed":
            subject = speech.say(f"who.{on}")
        case _:
            assert_never(on)
    mods = successive_phrases(ability.mods, lambda mod, form: _modifier(mod, on, speech, form))
    key = "static.again" if on == "this" and ability.only_if else "static"
    words = speech.say(key, subject=subject, mods=speech.list("and", mods))
    if ability.only_if:
        words = speech.say("while", cond=_condition(ability.only_if, speech), text=words)
    return words + speech.say("end")


def _modifier(mod: T.AnyModifier, on: T.Concerned, speech: P.CardSpeech, form: Form) -> str:
    s, have = ("", "have") if on == "you" else ("s", "has")
    if isinstance(mod, T.StepCost):
        return speech.say("mod.step_cost.here" if on == "occupant" else "mod.step_cost", form, s=s, n=mod.n)
    return describe_struct(mod, "mod", speech, P.WORDS, form, s=s, have=have)


# -- instructions ------------------------------------------------------------------------------------------------------


def word_instruction(instruction: T.AnyDo, speech: P.CardSpeech, form: Form = PLAIN) -> str:
    if not isinstance(instruction, T.Mill | T.Draw):
        return describe_struct(instruction, "do", speech, P.WORDS, form)
    who = instruction.who
    subject = "" if who == "you" else speech.say(f"who.{who}", occupant=P.word_reference("occupant", speech))
    their = speech.say("their.other" if subject else "their.your")
    words = describe_struct(instruction, "do", speech, P.WORDS, form, s="s" if subject else "", their=their)
    return statement(subject, words, speech)
