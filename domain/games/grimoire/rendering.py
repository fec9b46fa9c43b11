"""The text of a card in words, made from its data: what the law carries out is what is read.

One function for each union, with every member named; the words are in `wording.toml`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.games.grimoire.cards import CARDS
from domain.games.grimoire.meaning import Of, Sel, Who
from domain.games.grimoire.phrasing import (
    PLAIN,
    TE,
    Form,
    Telling,
    computed,
    condition,
    costs_of,
    described,
    number_of,
    objects,
    single,
    some_cards,
)
from domain.games.grimoire.text import (
    Activated,
    AnyAbility,
    AnyDo,
    AnyModifier,
    Break,
    Buff,
    Can,
    Cannot,
    Card,
    Choose,
    Continuous,
    Control,
    Damage,
    Discard,
    Draw,
    Each,
    Extend,
    Gain,
    GainRes,
    Heal,
    If,
    Junk,
    Keyword,
    LoseAbilities,
    LoseRes,
    May,
    Move,
    Pay,
    Plus,
    PowerIs,
    Reveal,
    RuleIs,
    Shuffle,
    Spend,
    TakeBookmark,
    Trance,
    Triggered,
    Unplay,
    Unvoid,
    Void,
)
from domain.words import Lang

# -- cards -------------------------------------------------------------------------------------------------------------


def name(card: Card, lang: Lang) -> str:
    """The name of a card."""
    return card.ja if lang == "ja" else card.en


def about(card: Card, lang: Lang) -> str:
    """Type, user, cost, chroma, power and toughness in one line."""
    telling = Telling(lang, CARDS, card.type)
    chroma = " ".join(f"{colour}{degree}" for colour, degree in card.chroma.items() if degree)
    values = {
        "type": telling.say(f"type.{card.type}"),
        "user": card.user,
        "cost": card.cost,
        "chroma": chroma or telling.say("chroma.none"),
        "power": card.power,
        "toughness": card.toughness,
    }
    return telling.say("about.no_cost" if card.type == "character" else "about", **values)


def render(card: Card, lang: Lang, cards: Mapping[str, Card] = CARDS) -> tuple[str, ...]:
    """The text of a card, a line for each keyword and ability. `cards` gives the names of cards it speaks of."""
    telling = Telling(lang, cards, card.type)
    keywords = tuple(
        telling.say("reminder", keyword=_capital(telling.say(f"keyword.{one}")), means=telling.say(f"reminder.{one}"))
        for one in card.keywords
    )
    return keywords + tuple(_capital(said_ability(one, telling)) for one in card.abilities)


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


# -- abilities ---------------------------------------------------------------------------------------------------------


def said_ability(said: AnyAbility, telling: Telling) -> str:
    """An ability."""
    match said:
        case Triggered(do=do, cond=cond, once=once):
            telling = replace(telling, event=said.event)
            done = _sentences(do, telling)
            if cond is not None:  # one sentence: the condition is for all of it
                done = telling.say("condition", cond=condition(cond, telling), do=_clause(do, telling))
                done += telling.say("end")
            told = telling.say("triggered", event=_event(said, telling), do=done)
            return told + _limits(("once",) if once else (), telling)
        case Activated(costs=costs, do=do, own_turn=own_turn, once=once):
            paid = costs_of(costs, telling) if costs else telling.say("activated.free")
            told = telling.say("activated", costs=_capital(paid), do=_capital(_sentences(do, telling)))
            limits = (("once", once), ("own_turn", own_turn))
            return told + _limits((limit for limit, holds in limits if holds), telling)
        case Continuous(on=on, mods=mods):
            many = on != "self"
            subject = telling.self
            if isinstance(on, Sel):
                subject = described(on, telling, True, casting=True)
            elif on != "self":
                subject = telling.say(f"on.{on}")
            told = telling.say("continuous", subject=subject, mods=_modifiers(mods, telling, many))
            return told + telling.say("end")
        case Keyword(name=keyword):
            return telling.say(f"keyword.{keyword}")
        case _:
            assert_never(said)


def _event(said: Triggered, telling: Telling) -> str:
    match said.event:
        case "turn_start" | "turn_end" | "targeted_self":
            return telling.say(f"event.{said.event}.{said.whose}", self=telling.self)
        case "cast_self" | "play_self" | "resolve_self" | "break_self" | "leave_self" | "trance":
            event = telling.say(f"event.{said.event}", self=telling.self)
            return event if said.whose == "unqualified" else telling.say(f"turn.{said.whose}", event=event)
        case _:
            assert_never(said.event)


def _limits(limits: Iterable[str], telling: Telling) -> str:
    said = telling.say("comma").join(telling.say(f"limit.{one}") for one in limits)
    return telling.say("limit", limits=said) if said else ""


def _sentences(do: tuple[AnyDo, ...], telling: Telling) -> str:
    """A program, a sentence for each instruction; the first is not capitalised."""
    said = _in_turn(do, telling, PLAIN, PLAIN)
    return telling.say("stop").join((*said[:1], *map(_capital, said[1:]))) + telling.say("end")


def _clause(do: tuple[AnyDo, ...], telling: Telling, form: Form = PLAIN, who: str = "") -> str:
    """A program within a sentence."""
    return telling.say("then").join(_in_turn(do, telling, TE, form, who))


def _in_turn(do: tuple[AnyDo, ...], telling: Telling, form: Form, last: Form, who: str = "") -> list[str]:
    said: list[str] = []
    for place, one in enumerate(do):
        said.append(said_instruction(one, telling, last if place == len(do) - 1 else form, who))
        telling = replace(telling, many=chosen_many((one,), telling.many))
    return said


def chosen_many(do: tuple[AnyDo, ...], many: bool) -> bool:
    """Can what was chosen last be more than one?"""
    for one in do:
        match one:
            case Choose(most=most):
                many = most > 1
            case May(then=then) | Each(then=then) | Pay(then=then):
                many = chosen_many(then, many)
            case If(then=then, otherwise=otherwise):
                many = chosen_many(then, many) or chosen_many(otherwise, many)
            case _:
                pass
    return many


# -- modifiers ---------------------------------------------------------------------------------------------------------


def _modifiers(mods: tuple[AnyModifier, ...], telling: Telling, many: bool, form: Form = PLAIN) -> str:
    """What happens to a subject, in its order; numbers added one after the other are told together."""
    rows: list[list[AnyModifier]] = []
    for mod in mods:
        if rows and _adds(mod) and _adds(rows[-1][0]):
            rows[-1].append(mod)
        else:
            rows.append([mod])
    said: list[str] = []
    for place, row in enumerate(rows):
        ending = form if place == len(rows) - 1 else TE
        added = [one for one in row if isinstance(one, Plus) and _adds(one)]
        said.append(_added(added, telling, many, ending) if added else _modifier(row[0], telling, many, ending))
    return telling.say("and" if telling.lang == "en" else "then").join(said)


def _adds(mod: AnyModifier) -> bool:
    return isinstance(mod, Plus) and mod.to != "cost"


def _added(mods: Sequence[Plus], telling: Telling, many: bool, form: Form) -> str:
    values = telling.say("mod.values").join(_value(one, telling) for one in mods)
    return telling.say("mod.plus", form, s="" if many else "s", values=values)


def _value(plus: Plus, telling: Telling) -> str:
    to = telling.say(f"to.{plus.to}")
    if isinstance(plus.n, Of):
        return telling.say("mod.computed", to=to, amount=computed(plus.n, telling))
    return telling.say("mod.value", to=to, n=f"{plus.n:+d}")


def _modifier(mod: AnyModifier, telling: Telling, many: bool, form: Form) -> str:
    s, have = ("", "have") if many else ("s", "has")
    match mod:
        case Plus(to="cost", n=n):
            if isinstance(n, Of):
                return telling.say("mod.cost_computed", form, s=s, amount=computed(n, telling))
            return telling.say("mod.cost_less" if n < 0 else "mod.cost_more", form, s=s, n=abs(n))
        case Plus():
            return _added([mod], telling, many, form)
        case PowerIs(n=n):
            return telling.say("mod.power_is", form, have=have, n=n)
        case LoseAbilities():
            return telling.say("mod.lose_abilities", form, s=s)
        case Gain(ability=Keyword() as gained):
            return telling.say("mod.gain_keyword", form, s=s, keyword=said_ability(gained, telling))
        case Gain(ability=gained):
            return telling.say("mod.gain_ability", form, s=s, ability=_capital(said_ability(gained, telling)))
        case Can(verb=verb, kind=kind):
            return telling.say(f"mod.can.{verb}", form, kind=telling.say(f"mod.kind.{kind or 'any'}"))
        case Cannot():
            return _cannot(mod, telling, form)
        case RuleIs(parameter=parameter, value=value):
            return telling.say(f"mod.rule.{parameter}", form, s=s, value=value)
        case _:
            assert_never(mod)


def _cannot(mod: Cannot, telling: Telling, form: Form) -> str:
    kind = telling.say(f"mod.kind.{mod.kind or 'any'}")
    if mod.verb == "be_targeted" and mod.by == "opponent":
        told = telling.say("mod.cannot.be_targeted.opponent", form)
    else:
        told = telling.say(f"mod.cannot.{mod.verb}", form, kind=kind)
        told = telling.say("mod.by_opponent", mod=told) if mod.by == "opponent" else told
    return told if mod.kind is None or mod.verb == "target" else telling.say("mod.of_kind", mod=told, kind=kind)


# -- instructions ------------------------------------------------------------------------------------------------------


def said_instruction(one: AnyDo, telling: Telling, form: Form = PLAIN, who: str = "") -> str:
    """An instruction. `who` is told already, by an `each` of whose part this is all."""
    say = telling.say
    match one:
        case Damage(n=n, to=to):
            key, told = ("do.damage.computed", computed(n, telling)) if isinstance(n, Of) else ("do.damage", str(n))
            return say(key, form, n=told, to=objects(to, telling))
        case Heal(n=None, of=of):
            return say("do.heal.all", form, of=objects(of, telling))
        case Heal(n=n, of=of):
            key, told = ("do.heal.computed", computed(n, telling)) if isinstance(n, Of) else ("do.heal", str(n))
            return say(key, form, n=told, of=objects(of, telling))
        case Break(what=what) | Junk(what=what) | Spend(what=what) | Extend(what=what) | Unplay(what=what):
            return say(f"do.{one.__struct_config__.tag}", form, what=objects(what, telling))
        case Move(what=what, to=to, at=at):
            return say(f"do.move.{to}.{at}" if to == "grimoire" else f"do.move.{to}", form, what=objects(what, telling))
        case Void(what=what, until=until):
            return say(f"do.void.{until}", form, what=objects(what, telling), self=telling.self)
        case Trance(what=what):
            return say("do.trance", form, what=single(what, telling))
        case Draw() | TakeBookmark() | Discard() | GainRes() | LoseRes() | Shuffle():
            return _players(one, telling, form, who)
        case Buff():
            return _buff(one, telling, form)
        case Control(what=what, until=until):
            told = say(f"until.{until}", self=telling.self)
            return say("do.control", form, what=objects(what, telling), until=told)
        case Choose():
            return _choose(one, telling, form)
        case May() | If() | Each() | Pay():
            return _composed(one, telling, form)
        case Reveal(what=sel):
            return say("do.reveal", form, what=say("all", what=described(sel, telling, False)))
        case Unvoid():
            return say("do.unvoid", form, what=say("remembered"))
        case _:
            assert_never(one)


def _players(
    one: Draw | TakeBookmark | Discard | GainRes | LoseRes | Shuffle, telling: Telling, form: Form, who: str
) -> str:
    """What players do: in English to `you` as a command, of others as a statement."""
    told = _who(one.who, telling)
    s = "s" if told else ""
    match one:
        case Draw(n=n):
            done = telling.say("do.draw", form, s=s, cards=some_cards("cards", n, telling))
        case TakeBookmark(n=n):
            their = telling.say("their.other" if told else "their.your")
            done = telling.say("do.take_bookmark", form, s=s, their=their, cards=some_cards("cards", n, telling))
        case Discard(n=n):
            done = telling.say("do.discard", form, s=s, cards=some_cards("hand", n, telling))
        case GainRes(res=res, n=n):
            done = telling.say("do.gain", form, s=s, what=telling.say(f"res.{res}", n=n))
        case LoseRes(res=res, n=n):
            done = telling.say("do.lose", form, s=s, what=telling.say(f"res.{res}", n=n))
        case Shuffle():
            their = telling.say("their.other" if told else "their.your")
            done = telling.say("do.shuffle", form, s=s, their=their)
        case _:
            assert_never(one)
    return telling.say("does", who=told, do=done) if told and not who else done


def _who(who: Who, telling: Telling) -> str:
    match who:
        case "you":
            return ""
        case "opponents" | "all_players" | "each" | "chosen":
            return telling.say(f"who.{who}")
        case _:
            assert_never(who)


def _buff(buff: Buff, telling: Telling, form: Form) -> str:
    # What is gained is told of the object that gains it.
    gaining = telling if buff.what == "self" else replace(telling, type="object", event="", many=False)
    mods = _modifiers(buff.mods, gaining, False, form)
    what = objects(buff.what, telling, subject=True)
    until = telling.say(f"until.{buff.until}", self=telling.self)
    return telling.say("do.buff", what=what, mods=mods, until=until)


def _choose(one: Choose, telling: Telling, form: Form) -> str:
    match one.what:
        case "opponent" | "colour":
            return telling.say(f"do.choose.{one.what}", form)
        case Sel() as sel:
            return telling.say("do.target" if one.targets else "do.choose", form, what=number_of(one, sel, telling))
        case _:
            assert_never(one.what)


def _composed(one: May | If | Each | Pay, telling: Telling, form: Form) -> str:
    match one:
        case May(then=(Pay(costs=costs, then=then),)):
            return telling.say("do.may_pay", form, costs=costs_of(costs, telling, TE), do=_clause(then, telling, form))
        case May(then=then) if _states(then[-1]):
            return telling.say("do.may_have", form, do=_clause(then, telling))
        case May(then=then):
            return telling.say("do.may", form, do=_clause(then, telling, TE))
        case Pay(costs=costs, then=then):
            return telling.say("do.pay", costs=costs_of(costs, telling, TE), do=_clause(then, telling, form))
        case If(cond=cond, then=then, otherwise=()):
            return telling.say("do.if", cond=condition(cond, telling), do=_clause(then, telling, form))
        case If(cond=cond, then=then, otherwise=otherwise):
            done, other = _clause(then, telling), _clause(otherwise, telling, form)
            return telling.say("do.if_else", cond=condition(cond, telling), do=done, otherwise=other)
        case Each(who=who, then=then):
            told = _who(who, telling)
            first = then[0]
            theirs = isinstance(first, Draw | TakeBookmark | Discard | GainRes | LoseRes | Shuffle)
            alone = len(then) == 1 and theirs and getattr(first, "who", "") == "each"
            key = "do.each" if alone else "do.each.several"
            return telling.say(key, who=told, do=_clause(then, telling, form, told if alone else ""))
        case _:
            assert_never(one)


def _states(one: AnyDo) -> bool:
    """Does an instruction end in a statement and not in something done?"""
    match one:
        case If(then=then, otherwise=otherwise):
            return _states((otherwise or then)[-1])
        case Each(then=then) | Pay(then=then):
            return _states(then[-1])
        case _:
            return isinstance(one, Buff | May)
