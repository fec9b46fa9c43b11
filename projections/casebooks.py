"""Rulings of a casebook's cases in words."""

from collections.abc import Iterable

from domain.formats.casebook import Case
from domain.formats.casebook.load import every_step
from domain.words import Lang, say


def ruling_words(case: Case, lang: Lang) -> str:
    """Return the ruling of a case: refused or played against which clauses, or accepted."""
    thens = [step.then for _, _, step in every_step(case.step)]
    refused = _each(then.refused for then in thens)
    if refused:
        return say("ruling.refused", lang, clauses=say("list.comma", lang).join(refused))
    broken = _each(clause for then in thens for clause in then.violations or ())
    if broken:
        return say("ruling.as_played", lang, clauses=say("list.comma", lang).join(broken))
    return say("case.accepted", lang)


def _each(clauses: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for clause in clauses if clause))
