"""Check all rulebook names in a case before any step is played."""

from collections.abc import Iterable, Iterator

from domain.formats.casebook.load import Case, Then, every_step
from domain.formats.casebook.rulings import Rulings
from domain.formats.errors import explain_unknown, quote_input
from domain.formats.facts import FACT_TYPES
from domain.law.game import Game
from domain.words import Text

TAGS = frozenset(FACT_TYPES)
"""Kinds of fact, as `told` names them."""

Misnamed = tuple[tuple[str, ...], int, str, str | Text, Text]
"""Endings, step, key and text of an unknown name, and the error."""


def find_unknown_names(case: Case, game: Game, rulings: Rulings | None) -> Iterator[Misnamed]:
    """Yield the names in a case that the game does not have."""
    for clause in case.clauses:
        if clause not in game.rulebook.clauses:
            why = Text("format.within", {"where": "clauses", "what": _explain_unknown_clause(game, clause)})
            yield (), 0, "position", Text("case.possible"), why
    for path, number, step in every_step(case.step):
        for key, text in _list_clauses(step.then):
            if text not in game.rulebook.clauses:
                yield path, number, key, text, _explain_unknown_clause(game, text)
        patterns = [("told", text) for text in step.then.told or ()]
        for key, text in (*patterns, *(("untold", text) for text in step.then.untold or ())):
            if (unknown := _explain_unknown_pattern(game, text)) is not None:
                yield path, number, key, text, unknown
        if rulings is not None:
            for key, text, why in _check_judgments(step.then, game, rulings):
                yield path, number, key, text, why


def _explain_unknown_pattern(game: Game, pattern: str) -> Text | None:
    first, _, rest = pattern.partition(" ")
    if rest and rest not in TAGS:
        return explain_unknown("fact", rest, sorted(TAGS))
    if (rest or first not in TAGS) and first not in game.rulebook.clauses:
        return explain_unknown("clause_or_fact", first, game.rulebook.clauses, lists=False)
    return None


def _explain_unknown_clause(game: Game, text: str) -> Text:
    return explain_unknown("clause", text, game.rulebook.clauses, lists=False)


def _list_clauses(then: Then) -> Iterator[tuple[str, str]]:
    if then.refused is not None:
        yield "refused", then.refused
    yield from (("violations", clause) for clause in then.violations or ())
    if then.result is not None and then.result.clause is not None:
        yield "result clause", then.result.clause


def _check_judgments(then: Then, game: Game, rulings: Rulings) -> Iterator[tuple[str, str, Text]]:
    for text in then.findings or ():
        entry, _, rest = text.partition(" ")
        kind, _, clause = rest.partition(" ")
        if not entry.isdecimal() or not clause:
            yield "findings", text, Text("casebook.finding", {"text": quote_input(text)})
        elif kind not in rulings.kinds:
            yield "findings", text, explain_unknown("finding", kind, rulings.kinds)
        elif clause not in game.rulebook.clauses:
            yield "findings", text, _explain_unknown_clause(game, clause)
    for rejudged in then.rejudged or ():
        yield from _check_one_of("rejudged verdict", "class", rejudged.verdict, rulings.verdicts)
        if rejudged.clause:
            yield from _check_one_of("rejudged clause", "clause", rejudged.clause, game.rulebook.clauses)


def _check_one_of(key: str, noun: str, text: str, known: Iterable[str]) -> Iterator[tuple[str, str, Text]]:
    words = tuple(known)
    if text not in words:
        yield key, text, explain_unknown(noun, text, words, lists=noun != "clause")
