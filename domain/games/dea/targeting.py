"""Legal targets: the candidates for each choice of a text, in printed order."""

from collections.abc import Iterator
from typing import Any, Final, assert_never

from domain.games.dea import clauses as C, table_queries as R, text as T
from domain.games.dea.actions import Direction
from domain.games.dea.rules import Rules
from domain.games.dea.value_types import ChoiceContext, NamesChoices
from domain.games.dea.values import matches_filter
from domain.law.actions import NO_FRAME, NO_PLACE, NO_SEAT
from domain.law.clause import FrameRef, Subject, Word, implements
from domain.parts.places import obj
from domain.table.table import CardId, Frame, FrameId, Place, Seat, Table, ValueColumns

DIRECTIONS: Final[dict[Direction, tuple[int, int]]] = {
    "north": (0, 1),
    "south": (0, -1),
    "east": (1, 0),
    "west": (-1, 0),
}
"""Offsets of column and row. North leads away from player 1's edge."""


def candidates(
    rules: Rules, t: Table, aim: ChoiceContext, choice: T.AnyChoice, chosen: tuple[CardId, ...]
) -> tuple[CardId | Place | FrameId | Seat | Direction, ...]:
    """Return the candidates for a choice. `chosen` are the cards named for earlier choices."""
    match choice:
        case T.ChooseChar():
            return tuple([card for card in R.characters(rules, t) if _is_eligible(rules, t, aim, choice, chosen, card)])
        case T.ChooseEmptyCell():
            return candidate_cells(rules, t, aim, choice, chosen)
        case T.ChooseItem(kinds=kinds, whose=side):
            return tuple([item.id for item in t.stack if item.kind in kinds and (side == "any" or item.by != aim.you)])
        case T.ChooseSleeveCard():
            return R.sleeve(t, aim.you)
        case T.ChooseSlot():
            return tuple([card for card in R.foreshadows(rules, t, aim.you) if not t.pieces[card].up])
        case T.ChooseWriter():
            return tuple(t.seats)
        case T.ChooseDirection():
            return tuple(DIRECTIONS)
        case _:
            assert_never(choice)


def _is_eligible(
    rules: Rules, t: Table, aim: ChoiceContext, choice: T.ChooseChar, chosen: tuple[CardId, ...], character: CardId
) -> bool:
    return (
        character not in chosen
        and matches_filter(rules, t, choice.of, character, aim.you, aim.source)
        and not (choice.swaps and R.fights_as_attacker(t, character))
    )


def may_name(
    rules: Rules, t: Table, aim: ChoiceContext, choice: T.AnyChoice, chosen: tuple[CardId, ...], value: object
) -> bool:
    """True if a value is a candidate for a choice. Checks a single character without listing all."""
    if isinstance(choice, T.ChooseChar):
        return isinstance(value, int) and _is_eligible(rules, t, aim, choice, chosen, CardId(value))
    return value in candidates(rules, t, aim, choice, chosen)


def candidate_cells(
    rules: Rules, t: Table, aim: ChoiceContext, choice: T.ChooseEmptyCell, chosen: tuple[CardId, ...]
) -> tuple[Place, ...]:
    cells = R.cells(rules.size)
    if choice.within:
        near = aim.source if choice.near == "self" else chosen[0] if chosen else aim.source
        if not R.on_map(t, near):
            return ()
        cells = R.cells_from(rules.size, R.cell_of(t, near), R.steps_within(choice.within))
    if choice.area == "own_home":
        cells = tuple([cell for cell in cells if R.in_home(rules, aim.you, cell)])
    return R.empty_cells(t, cells)


@implements(C.LEGAL_TARGETS_EXIST)
def has_legal_choices(rules: Rules, t: Table, aim: ChoiceContext, choices: tuple[T.AnyChoice, ...]) -> bool:
    return next(legal_choice_sets(rules, t, aim, choices), None) is not None


Choices = tuple[CardId | Place | FrameId | Seat | Direction, ...]


def legal_choice_sets(
    rules: Rules, t: Table, aim: ChoiceContext, choices: tuple[T.AnyChoice, ...], chosen: tuple[CardId, ...] = ()
) -> Iterator[Choices]:
    """Yield every legal set of choices, in printed order."""
    if not choices:
        yield ()
        return
    for value in candidates(rules, t, aim, choices[0], chosen):
        cards = (*chosen, CardId(value)) if is_card(choices[0]) and isinstance(value, int) else chosen
        for others in legal_choice_sets(rules, t, aim, choices[1:], cards):
            yield (value, *others)


SlotValues = tuple[tuple[str, Any], ...]
"""Slots of an action with their values."""

SLOTS: Final[dict[type[T.AnyChoice], str]] = {
    T.ChooseEmptyCell: "cell",
    T.ChooseItem: "item",
    T.ChooseWriter: "writer",
    T.ChooseDirection: "direction",
}
"""Field of an action for each choice that is not a card."""


def slot_values(choices: tuple[T.AnyChoice, ...], values: Choices) -> SlotValues:
    pairs = list(zip(choices, values, strict=True))
    targets = tuple(value for choice, value in pairs if is_card(choice))
    others = tuple((SLOTS[type(choice)], value) for choice, value in pairs if not is_card(choice))
    return (("targets", targets), *others) if targets else others


def is_card(choice: T.AnyChoice) -> bool:
    return isinstance(choice, T.CARD_CHOICES)


def is_legal(rules: Rules, t: Table, aim: ChoiceContext, choices: tuple[T.AnyChoice, ...], named: NamesChoices) -> bool:
    """True if an action names a candidate for every choice, and nothing else."""
    if not choices:
        return names_nothing(named)
    targets: list[CardId] = list(named.targets)
    chosen: tuple[CardId, ...] = ()
    kinds = [type(choice) for choice in choices]
    for choice in choices:
        value: CardId | Place | FrameId | Seat | str
        match choice:
            case T.ChooseChar() | T.ChooseSleeveCard() | T.ChooseSlot():
                if not targets:
                    return False
                value = targets.pop(0)
            case T.ChooseEmptyCell():
                value = named.cell
            case T.ChooseItem():
                value = named.item
            case T.ChooseWriter():
                value = named.writer
            case T.ChooseDirection():
                value = named.direction
            case _:
                assert_never(choice)
        if not may_name(rules, t, aim, choice, chosen, value):
            return False
        if is_card(choice) and isinstance(value, int):
            chosen = (*chosen, CardId(value))
    return (
        not targets
        and (named.cell == NO_PLACE or T.ChooseEmptyCell in kinds)
        and (named.item == NO_FRAME or T.ChooseItem in kinds)
        and (named.writer == NO_SEAT or T.ChooseWriter in kinds)
        and (not named.direction or T.ChooseDirection in kinds)
    )


def names_nothing(named: NamesChoices) -> bool:
    return not (named.targets or named.cell or named.item or named.writer or named.direction)


def subjects_of_choices(t: Table, named: NamesChoices) -> tuple[Subject, ...]:
    subjects: list[Subject] = [*named.targets]
    if named.cell:
        subjects.append(Word(named.cell))
    if named.item:
        subjects.append(FrameRef(named.item))
    if named.writer:
        subjects.append(named.writer)
    if named.direction:
        subjects.append(Word(named.direction))
    return tuple(subjects)


def columns_of(
    t: Table, source: CardId, named: NamesChoices, ability: str = "", paid: tuple[int, int] = (0, 0)
) -> ValueColumns:
    """Return the columns of a declared item. Targets that do not exist are left out."""
    words = (ability, named.direction) if named.direction else (ability,) if ability else ()
    return ValueColumns(
        objs=(obj(t, source), *[obj(t, card) for card in named.targets if card in t.pieces]),
        places=(named.cell,) if named.cell else (),
        frames=(named.item,) if named.item else (),
        seats=(named.writer,) if named.writer else (),
        numbers=(*paid, 0),
        words=words,
    )


def aim_of(item: Frame) -> ChoiceContext:
    return ChoiceContext(item.by, R.source_of(item).card)
