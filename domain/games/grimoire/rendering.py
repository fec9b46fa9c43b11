"""Card text in words, generated from the data that the law carries out. The phrases are in `wording.toml`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.games.grimoire import phrasing as P, text as T
from domain.games.grimoire.cards import CARDS
from domain.games.grimoire.meaning import Of, Selector, Who
from domain.parts.wording import PLAIN, TE, Form, capital, describe_struct, forms, render_conditions, statement
from domain.words import Lang

# -- cards -------------------------------------------------------------------------------------------------------------


def about(card: T.Card, lang: Lang) -> str:
    speech = P.make_speech(lang, CARDS, card.type)
    chroma = " ".join(f"{colour}{degree}" for colour, degree in card.chroma.items() if degree)
    values = {
        "type": speech.say(f"type.{card.type}"),
        "user": card.user,
        "cost": card.cost,
        "chroma": chroma or speech.say("chroma.none"),
        "power": card.power,
        "toughness": card.toughness,
    }
    return speech.say("about.no_cost" if card.type == "character" else "about", **values)


def render(card: T.Card, lang: Lang, cards: Mapping[str, T.Card] = CARDS) -> tuple[str, ...]:
    """Return the text of a card, one line per keyword and ability. `cards` supplies the names of other cards."""
    speech = P.make_speech(lang, cards, card.type)
    keywords = tuple(
        speech.say(
            "reminder", keyword=capital(speech.say(f"keyword.{keyword}")), means=speech.say(f"reminder.{keyword}")
        )
        for keyword in card.keywords
    )
    return keywords + tuple(capital(word_ability(ability, speech)) for ability in card.abilities)


# -- abilities ---------------------------------------------------------------------------------------------------------


def word_ability(ability: T.AnyAbility, speech: P.CardSpeech) -> str:
    match ability:
        case T.Triggered(do=do, cond=cond, once=once):
            speech = replace(speech, event=ability.event)
            result = _sentences(do, speech)
            if cond is not None:  # one sentence: the condition applies to all of it
                result = speech.say("condition", cond=P.word_condition(cond, speech), do=_clause(do, speech))
                result += speech.say("end")
            words = speech.say("triggered", event=_event(ability, speech), do=result)
            return words + _limits(("once",) if once else (), speech)
        case T.Activated(costs=costs, do=do, own_turn=own_turn, once=once):
            paid = P.word_costs(costs, speech) if costs else speech.say("activated.free")
            words = speech.say("activated", costs=capital(paid), do=capital(_sentences(do, speech)))
            kinds = (("once", once), ("own_turn", own_turn))
            return words + _limits((kind for kind, holds in kinds if holds), speech)
        case T.Continuous(on=on, mods=mods):
            many = on != "self"
            subject = speech.self
            if isinstance(on, Selector):
                subject = P.describe(on, speech, True, casting=True)
            elif on != "self":
                subject = speech.say(f"on.{on}")
            words = speech.say("continuous", subject=subject, mods=_modifiers(mods, speech, many))
            return words + speech.say("end")
        case T.Keyword(name=keyword):
            return speech.say(f"keyword.{keyword}")
        case _:
            assert_never(ability)


def _event(ability: T.Triggered, speech: P.CardSpeech) -> str:
    match ability.event:
        case "turn_start" | "turn_end" | "targeted_self":
            return speech.say(f"event.{ability.event}.{ability.whose}", self=speech.self)
        case "cast_self" | "play_self" | "resolve_self" | "break_self" | "leave_self" | "trance":
            event = speech.say(f"event.{ability.event}", self=speech.self)
            return event if ability.whose == "unqualified" else speech.say(f"turn.{ability.whose}", event=event)
        case _:
            assert_never(ability.event)


def _limits(kinds: Iterable[str], speech: P.CardSpeech) -> str:
    return render_conditions((speech.say(f"limit.{limit}") for limit in kinds), speech)


def _sentences(do: tuple[T.AnyDo, ...], speech: P.CardSpeech) -> str:
    """Return the words of a program, a sentence per instruction. The first one is not capitalised."""
    return speech.sentences(_in_turn(do, speech, [PLAIN] * len(do)))


def _clause(do: tuple[T.AnyDo, ...], speech: P.CardSpeech, form: Form = PLAIN, who: str = "") -> str:
    return speech.list("then", _in_turn(do, speech, forms(len(do), form), who))


def _in_turn(do: tuple[T.AnyDo, ...], speech: P.CardSpeech, endings: Sequence[Form], who: str = "") -> Iterator[str]:
    for instruction, form in zip(do, endings, strict=True):
        yield word_instruction(instruction, speech, form, who)
        speech = replace(speech, many=chosen_many((instruction,), speech.many))


def chosen_many(do: tuple[T.AnyDo, ...], many: bool) -> bool:
    """True if the last choice can be of more than one object."""
    for instruction in do:
        match instruction:
            case T.Choose(most=most):
                many = most > 1
            case T.May(then=then) | T.Each(then=then) | T.Pay(then=then):
                many = chosen_many(then, many)
            case T.If(then=then, otherwise=otherwise):
                many = chosen_many(then, many) or chosen_many(otherwise, many)
            case _:
                pass
    return many


# -- modifiers ---------------------------------------------------------------------------------------------------------


def _modifiers(mods: tuple[T.AnyModifier, ...], speech: P.CardSpeech, many: bool, form: Form = PLAIN) -> str:
    """Return the words for modifiers in their order. Consecutive additions of numbers share a phrase."""
    rows: list[list[T.AnyModifier]] = []
    for mod in mods:
        if rows and _adds(mod) and _adds(rows[-1][0]):
            rows[-1].append(mod)
        else:
            rows.append([mod])
    phrases: list[str] = []
    for row, ending in zip(rows, forms(len(rows), form), strict=True):
        added = [plus for plus in row if isinstance(plus, T.Plus) and _adds(plus)]
        phrases.append(_addition(added, speech, many, ending) if added else _modifier(row[0], speech, many, ending))
    return speech.list("and" if speech.lang == "en" else "then", phrases)


def _adds(mod: T.AnyModifier) -> bool:
    return isinstance(mod, T.Plus) and mod.to != "cost"


def _addition(mods: Sequence[T.Plus], speech: P.CardSpeech, many: bool, form: Form) -> str:
    values = speech.list("mod.values", (_value(mod, speech) for mod in mods))
    return speech.say("mod.plus", form, s="" if many else "s", values=values)


def _value(plus: T.Plus, speech: P.CardSpeech) -> str:
    to = speech.say(f"to.{plus.to}")
    if isinstance(plus.n, Of):
        return speech.say("mod.computed", to=to, amount=P.word_amount(plus.n, speech))
    return speech.say("mod.value", to=to, n=f"{plus.n:+d}")


def _modifier(mod: T.AnyModifier, speech: P.CardSpeech, many: bool, form: Form) -> str:
    s, have = ("", "have") if many else ("s", "has")
    match mod:
        case T.Plus(to="cost", n=n):
            if isinstance(n, Of):
                return speech.say("mod.cost_computed", form, s=s, amount=P.word_amount(n, speech))
            return speech.say("mod.cost_less" if n < 0 else "mod.cost_more", form, s=s, n=abs(n))
        case T.Plus():
            return _addition([mod], speech, many, form)
        case T.PowerIs() | T.LoseAbilities() | T.Can() | T.RuleIs():
            return describe_struct(mod, "mod", speech, P.WORDS, form, s=s, have=have)
        case T.Gain(ability=T.Keyword() as gained):
            return speech.say("mod.gain_keyword", form, s=s, keyword=word_ability(gained, speech))
        case T.Gain(ability=gained):
            return speech.say("mod.gain_ability", form, s=s, ability=capital(word_ability(gained, speech)))
        case T.Cannot():
            return _cannot(mod, speech, form)
        case _:
            assert_never(mod)


def _cannot(mod: T.Cannot, speech: P.CardSpeech, form: Form) -> str:
    kind = speech.say(f"mod.kind.{mod.kind or 'any'}")
    if mod.verb == "be_targeted" and mod.by == "opponent":
        words = speech.say("mod.cannot.be_targeted.opponent", form)
    else:
        words = speech.say(f"mod.cannot.{mod.verb}", form, kind=kind)
        words = speech.say("mod.by_opponent", mod=words) if mod.by == "opponent" else words
    return words if mod.kind is None or mod.verb == "target" else speech.say("mod.of_kind", mod=words, kind=kind)


# -- instructions ------------------------------------------------------------------------------------------------------


def word_instruction(instruction: T.AnyDo, speech: P.CardSpeech, form: Form = PLAIN, who: str = "") -> str:
    """Return the words of an instruction. `who` is set if an enclosing `each` already names the players."""
    match instruction:
        case T.Draw() | T.TakeBookmark() | T.Discard() | T.GainRes() | T.LoseRes() | T.Shuffle():
            return _players(instruction, speech, form, who)
        case T.Buff():
            return _buff(instruction, speech, form)
        case T.Choose():
            return _choose(instruction, speech, form)
        case T.May() | T.If() | T.Each() | T.Pay():
            return _composition(instruction, speech, form)
        case T.Unvoid():
            return speech.say("do.unvoid", form, what=speech.say("remembered"))
        case _:
            return describe_struct(instruction, "do", speech, P.WORDS, form, self=speech.self)


def _players(
    instruction: T.Draw | T.TakeBookmark | T.Discard | T.GainRes | T.LoseRes | T.Shuffle,
    speech: P.CardSpeech,
    form: Form,
    who: str,
) -> str:
    """Return the words of an instruction to players. In English, `you` gets an imperative and others a statement."""
    subject = _who(instruction.who, speech)
    match instruction:
        case T.Draw(n=n) | T.TakeBookmark(n=n):
            values = {"cards": P.word_cards("cards", n, speech)}
        case T.Discard(n=n):
            values = {"cards": P.word_cards("hand", n, speech)}
        case T.GainRes(res=res, n=n) | T.LoseRes(res=res, n=n):
            values = {"what": speech.say(f"res.{res}", n=n)}
        case T.Shuffle():
            values = {}
        case _:
            assert_never(instruction)
    their = speech.say("their.other" if subject else "their.your")
    words = describe_struct(instruction, "do", speech, P.WORDS, form, s="s" if subject else "", their=their, **values)
    return words if who else statement(subject, words, speech)


def _who(who: Who, speech: P.CardSpeech) -> str:
    return "" if who == "you" else speech.say(f"who.{who}")


def _buff(buff: T.Buff, speech: P.CardSpeech, form: Form) -> str:
    # A gained ability is worded for the object that gains it.
    gaining = speech if buff.what == "self" else replace(speech, type="object", event="", many=False)
    mods = _modifiers(buff.mods, gaining, False, form)
    what = P.word_objects(buff.what, speech, subject=True)
    until = speech.say(f"until.{buff.until}", self=speech.self)
    return speech.say("do.buff", what=what, mods=mods, until=until)


def _choose(choice: T.Choose, speech: P.CardSpeech, form: Form) -> str:
    match choice.what:
        case "opponent" | "colour":
            return speech.say(f"do.choose.{choice.what}", form)
        case Selector() as sel:
            return speech.say(
                "do.target" if choice.targets else "do.choose", form, what=P.word_choice(choice, sel, speech)
            )
        case _:
            assert_never(choice.what)


def _composition(instruction: T.May | T.If | T.Each | T.Pay, speech: P.CardSpeech, form: Form) -> str:
    match instruction:
        case T.May(then=(T.Pay(costs=costs, then=then),)):
            return speech.say("do.may_pay", form, costs=P.word_costs(costs, speech, TE), do=_clause(then, speech, form))
        case T.May(then=then) if _ends_in_statement(then[-1]):
            return speech.say("do.may_have", form, do=_clause(then, speech))
        case T.May(then=then):
            return speech.say("do.may", form, do=_clause(then, speech, TE))
        case T.Pay(costs=costs, then=then):
            return speech.say("do.pay", costs=P.word_costs(costs, speech, TE), do=_clause(then, speech, form))
        case T.If(cond=cond, then=then, otherwise=()):
            return speech.say("do.if", cond=P.word_condition(cond, speech), do=_clause(then, speech, form))
        case T.If(cond=cond, then=then, otherwise=otherwise):
            result, otherwise_words = _clause(then, speech), _clause(otherwise, speech, form)
            return speech.say("do.if_else", cond=P.word_condition(cond, speech), do=result, otherwise=otherwise_words)
        case T.Each(who=who, then=then):
            players = _who(who, speech)
            first = then[0]
            is_for_players = isinstance(first, T.Draw | T.TakeBookmark | T.Discard | T.GainRes | T.LoseRes | T.Shuffle)
            is_single = len(then) == 1 and is_for_players and getattr(first, "who", "") == "each"
            key = "do.each" if is_single else "do.each.several"
            return speech.say(key, who=players, do=_clause(then, speech, form, players if is_single else ""))
        case _:
            assert_never(instruction)


def _ends_in_statement(instruction: T.AnyDo) -> bool:
    """True if the words of an instruction end in a statement, not in an imperative."""
    match instruction:
        case T.If(then=then, otherwise=otherwise):
            return _ends_in_statement((otherwise or then)[-1])
        case T.Each(then=then) | T.Pay(then=then):
            return _ends_in_statement(then[-1])
        case _:
            return isinstance(instruction, T.Buff | T.May)
