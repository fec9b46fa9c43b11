"""Common phrases of card text: objects, numbers, conditions and costs."""

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from domain.games.grimoire import meaning as M, text as T
from domain.parts.printed import name_of
from domain.parts.wording import (
    PLAIN,
    FieldWording,
    Form,
    Speech,
    Words,
    describe_struct,
    load_phrases,
    successive_phrases,
    with_article,
)
from domain.words import Lang


class CardSpeech(Speech, frozen=True):
    """Context for wording card text: the cards it names, the type of its own card, and the last choice."""

    cards: Mapping[str, T.Card]
    type: Literal["character", "spell", "object"]
    event: str = ""
    many: bool = False

    @property
    def self(self) -> str:
        return self.say(f"self.{self.type}")


def make_speech(lang: Lang, cards: Mapping[str, T.Card], type: Literal["character", "spell"]) -> CardSpeech:
    return CardSpeech(lang, load_phrases(__package__), cards, type)


# -- references and numbers --------------------------------------------------------------------------------------------


def word_reference(what: M.Ref, speech: CardSpeech, subject: bool = False) -> str:
    """Return the words for one reference. What was chosen can be several objects."""
    match what:
        case "self":
            return speech.self
        case "that":
            key = f"that.{speech.event}"
            return speech.say(key if key in speech.phrases else "that")
        case "chosen":
            return speech.say(("chosen.each" if subject else "chosen.many") if speech.many else "chosen")
        case "self_card" | "target" | "your_character" | "remembered":
            return speech.say(what)
        case _:
            assert_never(what)


def word_objects(what: M.ObjectsRef, speech: CardSpeech, subject: bool = False) -> str:
    """Return the words for a reference or a description. `subject` marks the subject of the sentence."""
    if isinstance(what, M.Selector):
        return speech.say("all", what=describe(what, speech, False))
    return word_reference(what, speech, subject)


def word_amount(amount: M.Of, speech: CardSpeech) -> str:
    return speech.say(f"amount.{amount.of}", what=word_reference(amount.what, speech))


def describe(sel: M.Selector, speech: CardSpeech, many: bool, casting: bool = False) -> str:
    """Return the words for a description without a number. With `casting`, cards are those being cast."""
    say, number = speech.say, "many" if many else "one"
    cast = casting and sel.kind == "card"
    noun = say(f"sel.{'cast' if cast else sel.kind}.{number}")
    if cast:
        whose = say(f"sel.cast.{sel.whose}")
    elif sel.zone is not None:
        whose = say(f"sel.zone.{sel.whose}", zone=say(f"zone.{sel.zone}"))
    else:
        whose = "" if sel.whose == "any" else say(f"sel.whose.{sel.whose}")
    before = (
        say("sel.other") if sel.other else "",
        say(f"sel.{sel.status}") if sel.status else "",
        say(f"colour.{sel.colour}") if sel.colour else "",
    )
    after = (
        say("sel.user.yours") if sel.user == "yours" else say("sel.user", user=sel.user) if sel.user else "",
        say("sel.name", name=name_of(speech.cards, sel.name, speech.lang)) if sel.name else "",
        "" if sel.cost_most is None else say("sel.cost_most", n=sel.cost_most),
    )
    if speech.lang == "ja":
        return "".join((whose, "、" if cast and any(after) else "", *after, *before, noun))
    ends = (whose, *after) if cast else (*after, whose)
    return " ".join(part for part in (*before, noun, *ends) if part)


def word_choice(choice: T.Choose, sel: M.Selector, speech: CardSpeech) -> str:
    least, most = choice.least, choice.most
    what = describe(sel, speech, many=most > 1)
    values = {"n": most, "least": least, "what": what, "counter": speech.say(f"counter.{sel.kind}")}
    if least == most == 1 and speech.lang == "en":
        return with_article(what, speech)
    if least == most:
        return speech.say("number.exactly", **values)
    return speech.say("number.between" if least else "number.up_to", **values)


def word_cards(kind: Literal["cards", "hand"], n: int, speech: CardSpeech) -> str:
    return speech.say(f"{kind}.one" if n == 1 else f"{kind}.many", n=n)


def _until(until: str, speech: CardSpeech) -> str:
    return speech.say(f"until.{until}", self=speech.self)


def _kind(kind: str | None, speech: CardSpeech) -> str:
    return speech.say(f"mod.kind.{kind or 'any'}")


def _quantity(n: int | M.Of | None, speech: CardSpeech) -> str:
    return word_amount(n, speech) if isinstance(n, M.Of) else str(n)


def _quantity_key(n: int | M.Of | None) -> str:
    return "computed" if isinstance(n, M.Of) else "all" if n is None else ""


WORDS: Final[Words] = {
    M.ObjectsRef: FieldWording(word_objects),
    M.Ref: FieldWording(word_reference),
    M.Selector: FieldWording(word_objects),
    M.Of: FieldWording(word_amount),
    M.Quantity: FieldWording(_quantity, _quantity_key),
    M.Quantity | None: FieldWording(_quantity, _quantity_key),
    T.Until: FieldWording(_until),
    T.Kind | None: FieldWording(_kind),
}

# -- conditions and costs ----------------------------------------------------------------------------------------------


def word_condition(cond: M.AnyCondition, speech: CardSpeech) -> str:
    """Return the words for a condition, without "if"."""
    match cond:
        case M.Is() | M.Controls() | M.AtMost():
            return describe_struct(cond, "if", speech, WORDS)
        case M.Exists(sel=sel):
            return speech.say("if.exists", what=with_article(describe(sel, speech, False), speech))
        case M.And(all=every):
            return speech.list("and", (word_condition(each, speech) for each in every))
        case _:
            assert_never(cond)


def word_costs(costs: tuple[T.AnyCost, ...], speech: CardSpeech, form: Form = PLAIN) -> str:
    return speech.list("comma", successive_phrases(costs, lambda cost, ending: _cost(cost, speech, ending), form))


def _cost(cost: T.AnyCost, speech: CardSpeech, form: Form) -> str:
    match cost:
        case T.PayMana() | T.PayCapacity() | T.PayOd():
            return speech.say("pay.resource", form, what=describe_struct(cost, "res", speech, WORDS))
        case T.SpendSelf() | T.JunkSelf() | T.JunkOwn():
            return describe_struct(cost, "pay", speech, WORDS, form, self=speech.self)
        case T.PayDiscard(n=n):
            return speech.say("do.discard", form, s="", cards=word_cards("hand", n, speech))
        case _:
            assert_never(cost)
