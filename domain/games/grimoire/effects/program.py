"""The interpreter of card text: an effect's frame says at which instruction it is; an instruction becomes facts.

What can still be done is told by the frame alone, so that an effect goes on in any later entry.
"""

from collections.abc import Callable, Generator, Iterator
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.games.grimoire import clauses as C
from domain.games.grimoire.cards import instruction, program
from domain.games.grimoire.effects.conditions import CHOSEN, holds, meant, players
from domain.games.grimoire.effects.instructions import PERFORM
from domain.games.grimoire.effects.leaving import RETURN
from domain.games.grimoire.effects.moves import ask, discard, to_hand
from domain.games.grimoire.effects.voiding import come_back
from domain.games.grimoire.meaning import COLOURS, Sel
from domain.games.grimoire.paying import Named, pay, payable
from domain.games.grimoire.permission import player_bans
from domain.games.grimoire.reading import bookmark, grimoire, hand, obj
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.targeting import legal_target
from domain.games.grimoire.text import AnyDo, Choose, Discard, Each, If, May, Pay, Shuffle, TakeBookmark
from domain.games.grimoire.values import standing
from domain.law.clause import Telling
from domain.law.pools import PoolId
from domain.table.facts import Altered, Popped
from domain.table.table import CHANCE, CardId, Columns, Frame, Seat, Table, Todo, frame

Inner = Generator[Telling, None, "tuple[Todo, ...] | None"]
"""What an instruction tells, then the programs inside it that come next; None if it waits for an answer."""


class At(Struct, frozen=True):
    """Where an effect is: its frame, the place in its program and the instruction there."""

    effect: Frame
    todo: Todo
    words: AnyDo


def perform(rules: Rules, t: Table, effect: Frame) -> Generator[Telling, None, None]:
    """Carry an effect out until it asks something or is through."""
    if effect.words[0] == RETURN:
        yield from come_back(rules, t, effect)
        yield C.EFFECTS_ONE_BY_ONE, Popped(effect.id, "done")
        return
    todo = effect.todo
    while todo:
        head = todo[0]
        current = frame(t, effect.id)
        if current is None or t.result is not None:
            return
        words = standing_at(rules, effect.face, head.path)
        # A record made with other cards may have stopped where these say nothing.
        inner = (yield from _one(rules, t, At(replace(current, todo=todo), head, words))) if words is not None else ()
        if t.result is not None or frame(t, effect.id) is None:
            return
        if inner is None:
            yield C.CHOICES_AT_PROCESSING, Altered(effect.id, todo=todo)
            return
        todo = behind(rules.cards, effect.face, todo, inner)
        if t.asked:
            yield C.CHOICES_AT_PROCESSING, Altered(effect.id, todo=todo)
            return
    yield C.EFFECTS_ONE_BY_ONE, Popped(effect.id, "done")


def standing_at(rules: Rules, face: str, path: tuple[int, ...]) -> AnyDo | None:
    """The instruction at a path of a card's text; None where none stands."""
    try:
        return instruction(rules.cards, face, path)
    except LookupError:
        return None


@cache
def block(pool: PoolId, face: str, path: tuple[int, ...]) -> tuple[AnyDo, ...]:
    """The instructions inside an ability, an instruction or one of its branches; none where there are none."""
    try:
        return program(pool, face, (*path, 0))
    except LookupError:
        return ()


def behind(pool: PoolId, face: str, todo: tuple[Todo, ...], inner: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """What is left when the first of it is done: what is inside that, what follows it in its program, the rest."""
    return (*inner, *following(pool, face, todo[0]), *todo[1:])


def following(pool: PoolId, face: str, todo: Todo) -> tuple[Todo, ...]:
    """What comes after an instruction in its own program."""
    path = (*todo.path[:-1], todo.path[-1] + 1)
    return (Todo(path, todo.seat),) if path[-1] < len(block(pool, face, path[:-1])) else ()


def inside(rules: Rules, face: str, todo: Todo, *steps: int, seat: Seat | None = None) -> tuple[Todo, ...]:
    """The program inside an instruction, from its beginning."""
    path = (*todo.path, *steps)
    return (Todo((*path, 0), seat or todo.seat),) if block(rules.cards, face, path) else ()


def _one(rules: Rules, t: Table, at: At) -> Inner:
    words, face, todo = at.words, at.effect.face, at.todo
    match words:
        case May():
            yield ask(t, C.CHOICES_AT_PROCESSING, "yes_no", at.effect.by, at.effect.id)
            return None
        case If(cond):
            return inside(rules, face, todo, 0 if holds(rules, t, cond, at.effect) else 1)
        case Each(who):
            parts = players(rules, t, at.effect, who, at.todo.seat)
            return tuple(one for seat in parts for one in inside(rules, face, todo, seat=seat))
        case Pay(costs):
            source = at.effect.objs[0].card
            if not payable(t, at.effect.by, source, costs, Named(())):
                return ()
            yield from pay(rules, t, at.effect.by, source, costs, Named(()))
            return inside(rules, face, todo)
        case Choose() | Discard() | TakeBookmark():
            asked = _asked(rules, t, at)
            if asked is None:
                if isinstance(words, Choose):
                    yield from _bind(at.effect, (), (), "")
                return ()
            yield asked
            return None
        case Shuffle(who):
            for seat in players(rules, t, at.effect, who, at.todo.seat):
                if grimoire(t, seat):
                    yield ask(t, C.GRIMOIRE, "shuffle_grimoire", CHANCE, at.effect.id, asked_seats=(seat,))
            return ()
        case _:
            yield from PERFORM[type(words)](rules, t, at.effect, at.todo.seat, words)
            return ()


# -- choices ----------------------------------------------------------------------------------------------------------


def _asked(rules: Rules, t: Table, at: At) -> Telling | None:
    """The question an instruction puts; None if there is nothing to choose from."""
    words, effect = at.words, at.effect
    match words:
        case Discard(n, who):
            return _of_cards(rules, t, at, hand, n, who)
        case TakeBookmark(n, who):
            for seat in players(rules, t, effect, who, at.todo.seat):
                if player_bans(rules, t, standing(rules, t), "take_bookmark", seat):
                    return None
            return _of_cards(rules, t, at, bookmark, n, who)
        case Choose(what, least, most, targets):
            if what == "colour":
                return ask(t, C.CHOICES_AT_PROCESSING, "option", effect.by, effect.id, words=COLOURS)
            if what == "opponent":
                rivals = tuple(seat for seat in players(rules, t, effect, "opponents", effect.by))
                if not rivals:
                    return None
                return ask(t, C.CHOICES_AT_PROCESSING, "option", effect.by, effect.id, asked_seats=rivals)
            assert isinstance(what, Sel)
            options = meant(rules, t, effect, what)
            if targets:
                now = standing(rules, t)
                source = effect.objs[0].card
                options = tuple(
                    one for one in options if legal_target(rules, t, now, effect.by, source, one, is_play=False)
                )
            return _question(t, at, effect.by, options, least, most)
        case _:
            raise AssertionError(f"{type(words).__name__} asks nothing")


def _of_cards(
    rules: Rules, t: Table, at: At, zone: Callable[[Table, Seat], tuple[CardId, ...]], n: int, who: str
) -> Telling | None:
    for seat in players(rules, t, at.effect, who, at.todo.seat):
        return _question(t, at, seat, zone(t, seat), n, n)
    return None


def _question(t: Table, at: At, by: Seat, options: tuple[CardId, ...], least: int, most: int) -> Telling | None:
    if not options:
        return None
    bounds = (min(least, len(options)), min(most, len(options)))
    hidden = any(t.pieces[one].place.endswith((".hand", ".bookmark")) for one in options)
    return ask(
        t,
        C.FEWER_OPTIONS if bounds != (least, most) else C.CHOICES_AT_PROCESSING,
        "objects",
        by,
        at.effect.id,
        objs=() if hidden else tuple(obj(t, one) for one in options),
        cards=options if hidden else (),
        numbers=bounds,
    )


def _bind(effect: Frame, chosen: tuple[Any, ...], seats: tuple[Seat, ...], colour: str) -> Iterator[Telling]:
    """What the effect's last choice took."""
    objs = (*effect.objs[:CHOSEN], *chosen)
    words = (effect.words[0], colour) if colour else effect.words[:1]
    if (objs, seats, words) != (effect.objs, effect.seats, effect.words):
        columns = Columns(objs=objs, seats=seats, numbers=effect.numbers, words=words)
        yield C.CHOICES_AT_PROCESSING, Altered(effect.id, columns=columns)


def go_on(rules: Rules, effect: Frame, inner: tuple[Todo, ...] = ()) -> Telling:
    """The effect goes on behind the instruction that asked, first with what is inside it."""
    return C.CHOICES_AT_PROCESSING, Altered(effect.id, todo=behind(rules.cards, effect.face, effect.todo, inner))


def chose_objects(rules: Rules, t: Table, effect: Frame, seat: Seat, cards: tuple[CardId, ...]) -> Iterator[Telling]:
    """An effect's question for objects or cards is answered."""
    match standing_at(rules, effect.face, effect.todo[0].path):
        case Choose():
            yield from _bind(effect, tuple(obj(t, one) for one in cards), (), "")
        case Discard():
            yield from discard(rules, t, cards, C.JUNKYARD)
        case TakeBookmark():
            yield from to_hand(rules, t, seat, cards, C.BOOKMARK_TO_HAND)
        case _:  # these cards ask for nothing there
            pass
    yield go_on(rules, effect)


def chose_option(rules: Rules, t: Table, effect: Frame, asked: Frame, option: int) -> Iterator[Telling]:
    """An effect's question for a player or colour is answered."""
    if asked.seats:
        yield from _bind(effect, (), (asked.seats[option],), "")
    else:
        yield from _bind(effect, (), (), asked.words[option])
    yield go_on(rules, effect)


def said(rules: Rules, t: Table, effect: Frame, yes: bool) -> Iterator[Telling]:
    """What may be done is done or not."""
    yield go_on(rules, effect, inside(rules, effect.face, effect.todo[0]) if yes else ())
