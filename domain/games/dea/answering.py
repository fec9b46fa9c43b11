"""Legality of answers to the open question, and the candidates for each answer."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.dea import actions as A, clauses as C, schema as S, table_queries as R, text as T
from domain.games.dea.rules import Rules
from domain.games.dea.targeting import aim_of, candidates, is_legal, subjects_of_choices
from domain.games.dea.use_index import use_of_item
from domain.law.clause import Check, Clause, Count, FrameRef, Subject, Word, subject_or_missing
from domain.parts.asking import answers, is_reordering, is_valid_choice, open_question, served
from domain.table.table import CardId, Frame, Place, Seat, Table

Checks = Iterator[Check]


def question_subjects(asked: Frame | None) -> tuple[Subject, ...]:
    return () if asked is None else (asked.by, Word(asked.kind))


def cell_subject(cell: Place) -> Subject:
    return subject_or_missing(Word(cell), "cell")


def check_answer(rules: Rules, t: Table, actor: Seat, action: A.Answer) -> Checks:
    asked = open_question(t)
    right = asked is not None and asked.by == actor and answers(asked, action)
    clause = C.DISCARD_TO_LIMIT if asked is None and isinstance(action, A.DiscardToLimit) else C.CHOICE_PENDING
    yield clause, right, *question_subjects(asked)
    if asked is None or not right:
        return
    match action:
        case A.ChooseNextEffect(effect):
            yield ordering_clause(t), effect in asked.frames, FrameRef(effect)
        case A.ChooseCell(cell):
            yield C.CELL_CHOSEN_AGAIN, cell in replacement_cells(rules, t, asked), cell_subject(cell)
        case A.ChooseTargets():
            item = served(t, asked)
            choices = () if item is None else choices_of(rules, item)
            legal = item is not None and is_legal(rules, t, aim_of(item), choices, action)
            yield C.TARGETS_AT_DECLARATION, legal, *subjects_of_choices(t, action)
        case A.ChooseCards(cards):
            count = R.required_count(asked)
            if R.purpose_of(asked) == "look":
                yield C.CHOICE_PENDING, is_reordering(cards, cards_looked_at(t, asked)), *cards
            else:
                yield C.CHOICE_PENDING, is_valid_choice(cards, R.hand(t, actor), count, count), *cards
        case A.PayOrDecline(yes, cards):
            yield from _payment(t, actor, asked, yes, cards)
        case A.DiscardToLimit(card):
            yield C.DISCARD_TO_LIMIT, card in R.hand(t, actor), subject_or_missing(card, "card")
        case _:
            assert_never(action)


def ordering_clause(t: Table) -> Clause:
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


def cards_looked_at(t: Table, asked: Frame) -> tuple[CardId, ...]:
    return R.deck(t, R.subject_seat(asked))[: R.required_count(asked)]


def _payment(t: Table, actor: Seat, asked: Frame, yes: bool, cards: tuple[CardId, ...]) -> Checks:
    due = R.required_count(asked)
    if R.purpose_of(asked) == "toll":
        yield (
            C.PAGES_SUFFICE,
            not yes or R.seat_mark(t, actor, S.PAGES) >= due,
            Count(due),
            Count(R.seat_mark(t, actor, S.PAGES)),
        )
        yield C.CHOICE_PENDING, not cards, *cards
    else:
        is_met = is_valid_choice(cards, R.hand(t, actor), due, due) if yes else not cards
        subjects: tuple[Subject, ...] = (*cards, Count(due))
        yield C.ADDITIONAL_CONDITION, is_met, *subjects
