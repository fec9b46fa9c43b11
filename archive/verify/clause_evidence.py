"""Relate the rulebook to the law: for each clause, the lines that cite or carry it, and its cases."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from archive.verify.citations import CLAUSES, citations, names
from domain.formats.casebook.load import Case
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulebook import ClauseKind


class CitedLine(Struct, frozen=True):
    """A line of the law that cites or checks a clause, or (`carried`) code that implements it."""

    file: str
    line: int
    function: str
    source: str
    carried: bool


class CaseClaim(Struct, frozen=True):
    """A case that claims a clause: its file and id, and what it shows."""

    case: str
    en: str
    ja: str


class ClauseEvidence(Struct, frozen=True):
    """A clause with its lines in the law and its cases; `cases` is None if no cases are available."""

    clause: Clause
    kind: ClauseKind
    name: str
    en: str
    ja: str
    law: tuple[CitedLine, ...]
    cases: tuple[CaseClaim, ...] | None


def collect_clause_evidence(
    game: Game,
    clauses: Sequence[Clause],
    numbers: Mapping[str, object],
    sources: Mapping[str, str],
    cases: Mapping[str, Case] | None,
) -> Iterator[ClauseEvidence]:
    """Yield the evidence for these clauses. `numbers` are in force, `sources` are texts by module. `cases` are keyed by
    file and id."""
    clause_names = names(sources.get(CLAUSES, ""))
    name_of = {clause: name for name, clause in clause_names.items()}
    cited: dict[Clause, list[CitedLine]] = {}
    for citation in citations(sources):
        if citation.name in clause_names:
            file = f"domain/games/{game.key}/{citation.module.replace('.', '/')}.py"
            cited_line = CitedLine(file, citation.line, citation.function, citation.source, citation.carried)
            cited.setdefault(clause_names[citation.name], []).append(cited_line)
    for clause in clauses:
        kind, sentence = game.rulebook.clauses[clause].kind, game.rulebook.both(clause, numbers)
        claims = ((name, case) for name, case in (cases or {}).items() if clause in case.clauses)
        claimed = None if cases is None else tuple(CaseClaim(name, case.en, case.ja) for name, case in claims)
        law = tuple(cited.get(clause, ()))
        yield ClauseEvidence(clause, kind, name_of.get(clause, ""), sentence.en, sentence.ja, law, claimed)
