"""Interpreter of card text. The frame of an effect holds all its state, so a later entry can continue it."""

from collections.abc import Callable
from functools import partial

from domain.games.grimoire import clauses as C, text as T
from domain.games.grimoire.cards import blocks, standing_at
from domain.games.grimoire.effects.conditions import holds, resolve_cards, resolve_players
from domain.games.grimoire.effects.instructions import PERFORM
from domain.games.grimoire.effects.leaving import RETURN, return_remembered
from domain.games.grimoire.effects.moves import discard, put_in_hand
from domain.games.grimoire.meaning import COLOURS, Selector
from domain.games.grimoire.notions import ProgramPosition
from domain.games.grimoire.paying import is_payable, pay
from domain.games.grimoire.permission import find_player_prohibitions
from domain.games.grimoire.rules import Rules
from domain.games.grimoire.table_queries import bookmark, event_of, grimoire, hand, source_of, with_choice
from domain.games.grimoire.targeting import is_legal_target
from domain.games.grimoire.values import effects_in_force, is_same_in_play
from domain.law.clause import FrameRef, implements
from domain.law.live import LiveTable
from domain.law.noting import note
from domain.parts import programs
from domain.parts.asking import ask
from domain.parts.places import obj
from domain.parts.programs import inner_program
from domain.table.facts import Altered, Popped
from domain.table.table import CHANCE, CardId, Frame, Obj, Seat, Table, Todo


@implements(C.EFFECT_OUTLIVES_SOURCE)
def perform(rules: Rules, t: LiveTable, effect: Frame) -> None:
    """Perform an effect until it asks a question or ends."""
    if event_of(effect) == RETURN:
        return_remembered(rules, t, effect)
        t.emit(C.EFFECTS_ONE_BY_ONE, Popped(effect.id, "done"))
        return
    if source_of(effect).card and not is_same_in_play(t, source_of(effect)):
        note(t, C.EFFECT_OUTLIVES_SOURCE, FrameRef(effect.id), source_of(effect))
    programs.perform(
        t, effect, _blocks(rules, effect), partial(_step, rules, t), C.CHOICES_AT_PROCESSING, C.EFFECTS_ONE_BY_ONE
    )


def _blocks(rules: Rules, effect: Frame) -> programs.Blocks:
    return blocks(rules.cards, effect.face)


def _step(rules: Rules, t: LiveTable, effect: Frame, todo: Todo) -> programs.Inner:
    instruction = standing_at(rules.cards, effect.face, todo.path)
    # A record made with other cards may have stopped at a path that has no text here.
    return () if instruction is None else _perform_instruction(rules, t, ProgramPosition(effect, todo, instruction))


@implements(C.CONDITION_TESTED, C.COST_IN_FULL, C.IMPOSSIBLE_IGNORED)
def _perform_instruction(rules: Rules, t: LiveTable, at: ProgramPosition) -> programs.Inner:
    instruction, todo, program_blocks = at.words, at.todo, _blocks(rules, at.effect)
    match instruction:
        case T.May():
            ask(t, C.CHOICES_AT_PROCESSING, "yes_no", at.effect.by, at.effect.id)
            return None
        case T.If(cond):
            is_true = holds(rules, t, cond, at.effect)
            if not is_true:
                note(t, C.CONDITION_TESTED, FrameRef(at.effect.id), source_of(at.effect))
            return inner_program(program_blocks, todo, 0 if is_true else 1)
        case T.Each(who):
            parts = resolve_players(rules, t, at.effect, who, at.todo.seat)
            return tuple(inner for seat in parts for inner in inner_program(program_blocks, todo, seat=seat))
        case T.Pay(costs):
            source = source_of(at.effect).card
            if not is_payable(t, at.effect.by, source, costs):
                note(t, C.COST_IN_FULL, FrameRef(at.effect.id), at.effect.by)
                return ()
            pay(rules, t, at.effect.by, source, costs)
            return inner_program(program_blocks, todo)
        case T.Choose() | T.Discard() | T.TakeBookmark():
            if _ask_choice(rules, t, at):
                return None
            note(t, C.IMPOSSIBLE_IGNORED, FrameRef(at.effect.id), source_of(at.effect))
            if isinstance(instruction, T.Choose):
                _store_choice(t, at.effect, (), (), "")
            return ()
        case T.Shuffle(who):
            for seat in resolve_players(rules, t, at.effect, who, at.todo.seat):
                if grimoire(t, seat):
                    ask(t, C.GRIMOIRE, "shuffle_grimoire", CHANCE, at.effect.id, seats=(seat,))
            return ()
        case _:
            PERFORM[type(instruction)](rules, t, at.effect, at.todo.seat, instruction)
            return ()


# -- choices ----------------------------------------------------------------------------------------------------------


@implements(C.IMPOSSIBLE_IGNORED)
def _ask_choice(rules: Rules, t: LiveTable, at: ProgramPosition) -> bool:
    """Ask the question of an instruction. Return False if there is nothing to choose from."""
    instruction, effect = at.words, at.effect
    match instruction:
        case T.Discard(n, who):
            return _ask_cards(rules, t, at, hand, n, who)
        case T.TakeBookmark(n, who):
            for seat in resolve_players(rules, t, effect, who, at.todo.seat):
                if find_player_prohibitions(rules, t, effects_in_force(rules, t), "take_bookmark", seat):
                    return False
            return _ask_cards(rules, t, at, bookmark, n, who)
        case T.Choose(what, least, most, targets):
            if what == "colour":
                ask(t, C.CHOICES_AT_PROCESSING, "option", effect.by, effect.id, words=COLOURS)
                return True
            if what == "opponent":
                opponents = tuple(seat for seat in resolve_players(rules, t, effect, "opponents", effect.by))
                if opponents:
                    ask(t, C.CHOICES_AT_PROCESSING, "option", effect.by, effect.id, seats=opponents)
                return bool(opponents)
            assert isinstance(what, Selector)
            options = resolve_cards(rules, t, effect, what)
            if targets:
                effects = effects_in_force(rules, t)
                source = source_of(effect).card
                options = tuple(
                    card
                    for card in options
                    if is_legal_target(rules, t, effects, effect.by, source, card, is_play=False)
                )
            return _ask_objects(t, at, effect.by, options, least, most)
        case _:
            raise AssertionError(f"{type(instruction).__name__} asks no question")


def _ask_cards(
    rules: Rules, t: LiveTable, at: ProgramPosition, zone: Callable[[Table, Seat], tuple[CardId, ...]], n: int, who: str
) -> bool:
    for seat in resolve_players(rules, t, at.effect, who, at.todo.seat):
        return _ask_objects(t, at, seat, zone(t, seat), n, n)
    return False


def _ask_objects(
    t: LiveTable, at: ProgramPosition, by: Seat, options: tuple[CardId, ...], least: int, most: int
) -> bool:
    if not options:
        return False
    bounds = (min(least, len(options)), min(most, len(options)))
    hidden = any(t.pieces[card].place.endswith((".hand", ".bookmark")) for card in options)
    ask(
        t,
        C.FEWER_OPTIONS if bounds != (least, most) else C.CHOICES_AT_PROCESSING,
        "objects",
        by,
        at.effect.id,
        objs=() if hidden else tuple(obj(t, card) for card in options),
        cards=options if hidden else (),
        numbers=bounds,
    )
    return True


def _store_choice(t: LiveTable, effect: Frame, chosen: tuple[Obj, ...], seats: tuple[Seat, ...], colour: str) -> None:
    """Store the effect's last choice."""
    columns = with_choice(effect, chosen, seats, colour)
    if (columns.objs, columns.seats, columns.words) != (effect.objs, effect.seats, effect.words):
        t.emit(C.CHOICES_AT_PROCESSING, Altered(effect.id, columns=columns))


def _continue(rules: Rules, t: LiveTable, effect: Frame, inner: tuple[Todo, ...] = ()) -> None:
    programs.continue_process(t, effect, _blocks(rules, effect), C.CHOICES_AT_PROCESSING, inner)


def answer_objects(rules: Rules, t: LiveTable, effect: Frame, seat: Seat, cards: tuple[CardId, ...]) -> None:
    match standing_at(rules.cards, effect.face, effect.todo[0].path):
        case T.Choose():
            _store_choice(t, effect, tuple(obj(t, card) for card in cards), (), "")
        case T.Discard():
            discard(rules, t, cards, C.JUNKYARD)
        case T.TakeBookmark():
            put_in_hand(rules, t, seat, cards, C.BOOKMARK_TO_HAND)
        case _:  # as played: with other cards, the instruction asks no question
            pass
    _continue(rules, t, effect)


def answer_option(rules: Rules, t: LiveTable, effect: Frame, asked: Frame, option: int) -> None:
    if asked.seats:
        _store_choice(t, effect, (), (asked.seats[option],), "")
    else:
        _store_choice(t, effect, (), (), asked.words[option])
    _continue(rules, t, effect)


def answer_yes_no(rules: Rules, t: LiveTable, effect: Frame, yes: bool) -> None:
    _continue(rules, t, effect, inner_program(_blocks(rules, effect), effect.todo[0]) if yes else ())
