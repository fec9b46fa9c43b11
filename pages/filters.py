"""What can be picked on the page of a regression, by radio buttons and style rules alone: class, approval and cause."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from msgspec import Struct

from domain.judging.rejudging.causes import Cause
from domain.words import Lang, Message, say
from projections.verdicts.rendering import card_words, cause_words, kind_words
from regress.counting import Difference, Report
from regress.summary import DIFFERENCES

CAUSES_MAX = 8
"""How many causes can be picked."""


class Pick(Struct, frozen=True):
    """A choice: the class that all it shows has, its text, and how many matches it shows."""

    shows: str
    text: Message
    matches: int


Choice = tuple[str, ...]
"""The classes that are picked together."""
Numbers = Mapping[Cause, int]
"""By which number a cause is picked."""
Filters = Mapping[str, tuple[Pick, ...]]


def numbers_of(report: Report) -> Numbers:
    """The causes of the most differences."""
    causes = sorted(report.by_cause, key=lambda row: -row.matches)[:CAUSES_MAX]
    return {row.cause: number for number, row in enumerate(causes, start=1)}


def filters_of(report: Report, numbers: Numbers) -> Filters:
    """The choices of each filter that has more than one."""
    counted = {row.cause: row.matches for row in report.by_cause}
    causes = {cause: n for cause in numbers if (n := counted[cause]) < len(report.differences)}
    approved = {"open": report.unapproved, "done": len(report.differences) - report.unapproved}
    words = {"open": "regress.not_approved", "done": "regress.approved"}
    picks_of = {
        "class": [
            Pick(f"k-{kind}", _both(kind_words, kind), n) for kind in DIFFERENCES if (n := report.by_class[kind])
        ],
        "approval": [Pick(state, _both(say, words[state]), n) for state, n in approved.items() if n],
        "cause": [Pick(f"c{numbers[cause]}", _both(short_words, cause), n) for cause, n in causes.items()],
    }
    return {name: tuple(picks) for name, picks in picks_of.items() if len(picks) > (name != "cause")}


def tags_of(numbers: Numbers, differences: Iterable[Difference]) -> str:
    """The classes by which these are picked."""
    tags: set[str] = set()
    for difference in differences:
        tags |= {f"k-{difference.match.kind}", "done" if difference.approved else "open"}
        tags |= {f"c{numbers[cause]}" for cause in difference.match.causes if cause in numbers}
    return " ".join(sorted(tags))


def combine(filters: Filters, rows: Iterable[str]) -> tuple[list[Choice], list[Choice]]:
    """Choices of several filters at once: those that something is of, and those that nothing is of, as few as say so.

    `rows` are the classes of all that is listed.
    """
    there = {frozenset(row.split()) for row in rows}
    each: Sequence[list[str]] = [["", *(pick.shows for pick in picks)] for picks in filters.values()]
    wanted = sorted(
        (frozenset(choice) - {""} for choice in product(*each)), key=lambda choice: (len(choice), sorted(choice))
    )
    some: list[Choice] = []
    none: list[frozenset[str]] = []
    for choice in wanted:
        if any(map(choice.issubset, there)):
            some += [tuple(sorted(choice))] if len(choice) > 1 else []
        elif not any(less <= choice for less in none):
            none.append(choice)
    return some, [tuple(sorted(choice)) for choice in none]


def short_words(cause: Cause, lang: Lang) -> str:
    """A cause in few words: the keys of the fields, which are told in full elsewhere."""
    return cause_words(cause, None, lang) if cause.key == cause.kind or card_words(cause, lang) else cause.key


def _both(words: Callable[..., str], what: object) -> Message:
    return Message(words(what, "en"), words(what, "ja"))
