"""Legality of answers to the open question, and the candidates for each answer."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.dea import actions as A, clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.games.dea.targeting import about, aim_of, candidates, is_legal
from domain.games.dea.uses import use_of_item
from domain.law.clause import Check, Clause, Count, FrameRef, Subject, Word, named
from domain.parts.asking import answers, picks, question, reorders, served
from domain.table.table import CardId, Frame, Place, Seat, Table

Checks = Iterator[Check]


def about_question(asked: Frame | None) -> tuple[Subject, ...]:
    return () if asked is None else (asked.by, Word(asked.kind))


def shown_cell(cell: Place) -> Subject:
    return named(Word(cell), "cell")


def check_answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Checks:
    asked = question(t)
    right = asked is not None and asked.by == actor and answers(asked, action)
    clause = C.DISCARD_TO_LIMIT if asked is None and isinstance(action, A.DiscardToLimit) else C.CHOICE_PENDING
    yield clause, right, *about_question(asked)
    if asked is None or not right:
        return
    match action:
        case A.ChooseNextEffect(effect):
            yield ordering(t), effect in asked.frames, FrameRef(effect)
        case A.ChooseCell(cell):
            yield C.CELL_CHOSEN_AGAIN, cell in replacement_cells(rules, t, asked), shown_cell(cell)
        case A.ChooseTargets():
            item = served(t, asked)
            choices = () if item is None else choices_of(rules, item)
            legal = item is not None and is_legal(rules, t, aim_of(item), choices, action)
            yield C.TARGETS_AT_DECLARATION, legal, *about(t, action)
        case A.ChooseCards(cards):
            count = R.how_many(asked)
            if R.purpose_of(asked) == "look":
                yield C.CHOICE_PENDING, reorders(cards, looked_at(t, asked)), *cards
            else:
                yield C.CHOICE_PENDING, picks(cards, R.hand(t, actor), count, count), *cards
        case A.PayOrDecline(yes, cards):
            yield from _payment(t, actor, asked, yes, cards)
        case A.DiscardToLimit(card):
            yield C.DISCARD_TO_LIMIT, card in R.hand(t, actor), named(card, "card")
        case _:
            assert_never(action)


def ordering(t: Table) -> Clause:
    """Return the clause that orders the waiting automatic effects in this phase."""
    return (
        C.START_EFFECTS if t.clock.phase == S.UP else C.END_EFFECTS if t.clock.phase == S.DOWN else C.AUTOMATIC_EFFECTS
    )


def choices_of(rules: Rules, item: Frame) -> tuple[T.AnyChoice, ...]:
    use = use_of_item(rules, item)
    return () if use is None else use.choices


def replacement_cells(rules: Rules, t: Table, asked: Frame) -> tuple[Place, ...]:
    item = served(t, asked)
    return () if item is None else cells_for(rules, t, item)


def cells_for(rules: Rules, t: Table, item: Frame) -> tuple[Place, ...]:
    """Return the legal destinations of an item."""
    chosen = tuple(target.card for target in R.targets_of(item))
    for choice in choices_of(rules, item):
        if isinstance(choice, T.ChooseEmptyCell):
            return tuple([Place(str(cell)) for cell in candidates(rules, t, aim_of(item), choice, chosen)])
    return ()


def looked_at(t: Table, asked: Frame) -> tuple[CardId, ...]:
    return R.deck(t, R.whose(asked))[: R.how_many(asked)]


def _payment(t: Table, actor: Seat, asked: Frame, yes: bool, cards: tuple[CardId, ...]) -> Checks:
    due = R.how_many(asked)
    if R.purpose_of(asked) == "toll":
        yield (
            C.PAGES_SUFFICE,
            not yes or R.seat_mark(t, actor, S.PAGES) >= due,
            Count(due),
            Count(R.seat_mark(t, actor, S.PAGES)),
        )
        yield C.CHOICE_PENDING, not cards, *cards
    else:
        is_met = picks(cards, R.hand(t, actor), due, due) if yes else not cards
        subjects: tuple[Subject, ...] = (*cards, Count(due))
        yield C.ADDITIONAL_CONDITION, is_met, *subjects
