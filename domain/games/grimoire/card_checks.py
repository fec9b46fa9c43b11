"""Semantic checks of a card file: mistakes that the types of the card text cannot express."""

from collections.abc import Collection, Generator, Iterator
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import fields

from domain.games.grimoire import text as T
from domain.games.grimoire.meaning import CardZone, Ref, Selector, Who
from domain.parts.cardfile import Misfit, other_words, unprintable
from domain.words import Text, Texts

DEPTH_MAX: Final = 12
RESERVED_WORDS: Final = frozenset(("unvoid", "remembered"))
"""Words reserved for the programs of the law. No card may use them."""

Kind = Literal["objects", "opponent", "colour"]


class Scope(Struct, frozen=True):
    """Context of a program: the card names it may use, its depth, and what `chosen` and `each` can mean there."""

    names: frozenset[str]
    deep: int = 0
    chosen: frozenset[Kind] = frozenset()
    each: bool = False


Checking = Generator[Misfit, None, frozenset[Kind]]
"""Generator of the mistakes in a program. It returns the kinds that its last choice can have."""


def find_mistakes(card: T.Card, named: Collection[str]) -> Iterator[Misfit]:
    """Yield the mistakes in a well-formed card. `named` are the cards that its text may name."""
    yield from unprintable(user=card.user)
    if card.type == "character" and card.cost:
        yield "cost", Text("card.why.character_cost"), "0"
    for place, ability in enumerate(card.abilities):
        yield from _ability(ability, f"abilities[{place}]", Scope(frozenset(named)))


def _ability(ability: T.AnyAbility, at: str, scope: Scope) -> Iterator[Misfit]:
    match ability:
        case T.Triggered(do=do) | T.Activated(do=do):
            yield from _parts(ability, at, scope, but=("do",))
            yield from _program(do, f"{at}.do", scope)
        case T.Continuous(on=on):
            yield from _parts(ability, at, scope, but=("on",))
            if isinstance(on, Selector):
                yield from _sel(on, f"{at}.on", scope, casting=True)
        case T.Keyword():
            return


def _program(do: tuple[T.AnyDo, ...], at: str, scope: Scope) -> Checking:
    if scope.deep == DEPTH_MAX:
        yield _too_deep(at)
        return scope.chosen
    if not do:
        yield at, Text("card.why.empty"), Text("card.allowed.some")
    chosen = scope.chosen
    for place, instruction in enumerate(do):
        inner_scope = Scope(scope.names, scope.deep + 1, chosen, scope.each)
        chosen = yield from _instruction(instruction, f"{at}[{place}]", inner_scope)
    return chosen


def _instruction(instruction: T.AnyDo, at: str, scope: Scope) -> Checking:
    yield from _parts(instruction, at, scope, but=("then", "otherwise"))
    match instruction:
        case T.Choose(what=what):
            yield from _choose(instruction, at)
            return frozenset(("objects",)) if isinstance(what, Selector) else frozenset((what,))
        case T.GainRes(res="chroma") | T.LoseRes(res="chroma") if "colour" not in scope.chosen:
            yield f"{at}.res", Text("card.why.not_chosen_colour"), "mana, capacity, od"
        case T.Reveal(what=Selector(kind=kind)) if kind != "card":
            yield f"{at}.what.kind", Text("card.why.reveal"), "card"
        case T.Unvoid():
            yield f"{at}.do", Text("card.why.unwritten", {"word": "unvoid"}), other_words(T.AnyDo, *RESERVED_WORDS)
        case T.May(then=then) | T.Pay(then=then):
            return scope.chosen | (yield from _program(then, f"{at}.then", scope))
        case T.Each(then=then):
            inner_scope = Scope(scope.names, scope.deep, scope.chosen, True)
            return scope.chosen | (yield from _program(then, f"{at}.then", inner_scope))
        case T.If(then=then, otherwise=otherwise):
            after = yield from _program(then, f"{at}.then", scope)
            if otherwise:
                return after | (yield from _program(otherwise, f"{at}.otherwise", scope))
            return scope.chosen | after
        case _:
            pass
    return scope.chosen


def _choose(choice: T.Choose, at: str) -> Iterator[Misfit]:
    if choice.least > choice.most or not choice.most:
        yield (
            f"{at}.most",
            Text("card.why.most"),
            Text("card.allowed.number", {"least": max(choice.least, 1), "most": 99}),
        )
    if not isinstance(choice.what, Selector) and (choice.least, choice.most) != (1, 1):
        yield f"{at}.most", Text("card.why.one_option"), "1"
    if choice.targets and not (isinstance(choice.what, Selector) and choice.what.kind != "card"):
        yield f"{at}.targets", Text("card.why.targets"), "false"


def _parts(text: Struct, at: str, scope: Scope, but: tuple[str, ...] = ()) -> Iterator[Misfit]:
    for field in fields(text):
        if field.encode_name in but:
            continue
        value, path = getattr(text, field.name), f"{at}.{field.encode_name}"
        match value:
            case Selector():
                yield from _sel(value, path, scope)
            case T.Gain(ability=gained):
                yield from _gained(gained, f"{path}.ability", scope)
            case Struct():
                yield from _parts(value, path, scope)
            case tuple():
                yield from _several(value, path, scope, may_be_empty=isinstance(text, T.Activated))
            case str():
                yield from _word(field.encode_name, value, path, scope)
            case _:
                pass


def _several(values: tuple[Struct, ...], at: str, scope: Scope, may_be_empty: bool) -> Iterator[Misfit]:
    if not values and not may_be_empty:
        yield at, Text("card.why.empty"), Text("card.allowed.some")
    for place, value in enumerate(values):
        path = f"{at}[{place}]"
        if isinstance(value, T.Gain):
            yield from _gained(value.ability, f"{path}.ability", scope)
        else:
            yield from _parts(value, path, scope)


def _gained(ability: T.AnyAbility, at: str, scope: Scope) -> Iterator[Misfit]:
    if scope.deep == DEPTH_MAX:
        yield _too_deep(at)
    else:
        # A gained ability does not remember the choices of the program around it.
        yield from _ability(ability, at, Scope(scope.names, scope.deep + 1))


def _too_deep(at: str) -> Misfit:
    return at, Text("card.why.deep"), Text("card.allowed.deep", {"most": DEPTH_MAX})


def _word(field: str, value: str, at: str, scope: Scope) -> Iterator[Misfit]:
    words = Who if field == "who" else Ref
    if field not in ("who", "what", "to", "of"):
        return
    if value == "chosen":
        needed: Kind = "opponent" if field == "who" else "objects"
        if needed not in scope.chosen:
            yield at, Text(f"card.why.not_chosen_{needed}"), other_words(words, "chosen", *RESERVED_WORDS)
    elif value == "each" and not scope.each:
        yield at, Text("card.why.no_each"), other_words(words, "each", *RESERVED_WORDS)
    elif value == "remembered":
        yield at, Text("card.why.unwritten", {"word": value}), other_words(words, *RESERVED_WORDS)


def _sel(sel: Selector, at: str, scope: Scope, casting: bool = False) -> Iterator[Misfit]:
    """Yield the mistakes in a description. With `casting`, cards are being cast and have no zone."""
    if sel.kind == "card" and not casting and sel.zone is None:
        yield f"{at}.zone", Text("card.why.no_zone"), Texts(get_args(CardZone))
    if sel.zone is not None and (casting or sel.kind != "card"):
        yield f"{at}.zone", Text("card.why.zone"), Text("card.allowed.nothing")
    if sel.status is not None and sel.kind == "card":
        yield f"{at}.status", Text("card.why.card_status"), Text("card.allowed.nothing")
    if sel.whose == "chosen" and "opponent" not in scope.chosen:
        yield f"{at}.whose", Text("card.why.not_chosen_opponent"), "you, opponent, friend, any"
    if sel.name and sel.name not in scope.names:
        yield f"{at}.name", Text("card.why.no_card", {"name": repr(sel.name)}), Texts(tuple(sorted(scope.names)))
