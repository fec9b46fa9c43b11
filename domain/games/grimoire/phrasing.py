"""The words card text is made of, and what is said alike everywhere in it: things, numbers, conditions and costs."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, assert_never

import msgspec
from msgspec import Struct

from domain.games.grimoire.meaning import And, AnyCondition, AtMost, Controls, Exists, Is, Objs, Of, Ref, Sel
from domain.games.grimoire.text import (
    AnyCost,
    Card,
    Choose,
    JunkOwn,
    JunkSelf,
    PayCapacity,
    PayDiscard,
    PayMana,
    PayOd,
    SpendSelf,
)
from domain.words import Lang

Form = Literal["plain", "te"]
"""How a Japanese verb ends; English does not care."""
PLAIN: Form = "plain"
TE: Form = "te"


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """One phrase in both languages, and its Japanese form before another."""

    en: str
    ja: str
    te: str = ""


class Telling(Struct, frozen=True):
    """What a text is told with: the language, the cards named in it, what it stands on, and what was chosen last."""

    lang: Lang
    cards: Mapping[str, Card]
    type: Literal["character", "spell", "object"]
    event: str = ""
    many: bool = False

    def say(self, key: str, form: Form = PLAIN, /, **values: object) -> str:
        """A phrase with its values put in."""
        phrase = _phrases()[key]
        said = phrase.en if self.lang == "en" else (phrase.te if form == TE else "") or phrase.ja
        return said.format_map(values)

    @property
    def self(self) -> str:
        """The object whose text it is."""
        return self.say(f"self.{self.type}")


@cache
def _phrases() -> Mapping[str, Phrase]:
    raw = files(__package__).joinpath("wording.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(raw), dict[str, Phrase])


# -- things and numbers ------------------------------------------------------------------------------------------------


def single(what: Ref, telling: Telling, subject: bool = False) -> str:
    """One thing meant; what was chosen can be several."""
    match what:
        case "self":
            return telling.self
        case "that":
            key = f"that.{telling.event}"
            return telling.say(key if key in _phrases() else "that")
        case "chosen":
            return telling.say(("chosen.each" if subject else "chosen.many") if telling.many else "chosen")
        case "self_card" | "target" | "your_character" | "remembered":
            return telling.say(what)
        case _:
            assert_never(what)


def objects(what: Objs, telling: Telling, subject: bool = False) -> str:
    """What something is done to; `subject` where it is what the sentence is about."""
    if isinstance(what, Sel):
        return telling.say("all", what=described(what, telling, False))
    return single(what, telling, subject)


def computed(amount: Of, telling: Telling) -> str:
    """A number read from something."""
    return telling.say(f"amount.{amount.of}", what=single(amount.what, telling))


def described(sel: Sel, telling: Telling, many: bool, casting: bool = False) -> str:
    """A description without a number. `casting`: cards are those somebody casts."""
    say, number = telling.say, "many" if many else "one"
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
        say("sel.name", name=_named(sel.name, telling)) if sel.name else "",
        "" if sel.cost_most is None else say("sel.cost_most", n=sel.cost_most),
    )
    if telling.lang == "ja":
        return "".join((whose, "、" if cast and any(after) else "", *after, *before, noun))
    ends = (whose, *after) if cast else (*after, whose)
    return " ".join(part for part in (*before, noun, *ends) if part)


def _named(face: str, telling: Telling) -> str:
    named = telling.cards.get(face)
    if named is None:
        return face
    return named.ja if telling.lang == "ja" else named.en


def one_of(described: str, telling: Telling) -> str:
    """A description of one, with its article in English."""
    if telling.lang == "ja":
        return described
    if described.startswith("other "):
        return f"an{described}"
    return f"{'an' if described[0] in 'aeio' else 'a'} {described}"


def number_of(choice: Choose, sel: Sel, telling: Telling) -> str:
    """How many of a description."""
    least, most = choice.least, choice.most
    what = described(sel, telling, many=most > 1)
    values = {"n": most, "least": least, "what": what, "counter": telling.say(f"counter.{sel.kind}")}
    if least == most == 1 and telling.lang == "en":
        return one_of(what, telling)
    if least == most:
        return telling.say("number.exactly", **values)
    return telling.say("number.between" if least else "number.up_to", **values)


def some_cards(kind: Literal["cards", "hand"], n: int, telling: Telling) -> str:
    """A number of cards."""
    return telling.say(f"{kind}.one" if n == 1 else f"{kind}.many", n=n)


# -- conditions and costs ----------------------------------------------------------------------------------------------


def condition(cond: AnyCondition, telling: Telling) -> str:
    """A condition without its if."""
    match cond:
        case Is(what=what, kind=kind):
            return telling.say(f"if.is.{kind}", what=single(what, telling))
        case Controls(what=what):
            return telling.say("if.controls", what=single(what, telling))
        case AtMost(amount=amount, most=most):
            return telling.say("if.at_most", amount=computed(amount, telling), most=most)
        case Exists(sel=sel):
            return telling.say("if.exists", what=one_of(described(sel, telling, False), telling))
        case And(all=every):
            return telling.say("and").join(condition(one, telling) for one in every)
        case _:
            assert_never(cond)


def costs_of(costs: tuple[AnyCost, ...], telling: Telling, form: Form = PLAIN) -> str:
    """What is paid, in the order printed."""
    forms = (*(TE for _ in costs[1:]), form)
    return telling.say("comma").join(_cost(one, telling, ending) for one, ending in zip(costs, forms, strict=True))


def _cost(cost: AnyCost, telling: Telling, form: Form) -> str:
    match cost:
        case PayMana(n=n):
            return telling.say("pay.resource", form, what=telling.say("res.mana", n=n))
        case PayCapacity(n=n):
            return telling.say("pay.resource", form, what=telling.say("res.capacity", n=n))
        case PayOd(n=n):
            return telling.say("pay.resource", form, what=telling.say("res.od", n=n))
        case SpendSelf():
            return telling.say("pay.spend_self", form, self=telling.self)
        case JunkSelf():
            return telling.say("pay.junk_self", form, self=telling.self)
        case JunkOwn():
            return telling.say("pay.junk_own", form)
        case PayDiscard(n=n):
            return telling.say("do.discard", form, s="", cards=some_cards("hand", n, telling))
        case _:
            assert_never(cost)
