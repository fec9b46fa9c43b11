"""The rulebook beside the law: each clause, the lines that cite or carry it, the cases that claim it."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from archive.verify.citations import CLAUSES, citations, names
from domain.formats.casebook.load import Case
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulebook import ClauseKind


class CitedLine(Struct, frozen=True):
    """A line of the law that tells or checks a clause, or (`carried`) a function or value that makes it so."""

    file: str
    line: int
    function: str
    source: str
    carried: bool


class CaseClaim(Struct, frozen=True):
    """A case that claims a clause: its file and id, and what it says it shows."""

    case: str
    en: str
    ja: str


class ClauseEvidence(Struct, frozen=True):
    """A clause beside what makes it so and what shows it; `cases` is None where no cases are at hand."""

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
    """These clauses of a game: sources are texts by module, cases stand by file and id, numbers are in force."""
    called = names(sources.get(CLAUSES, ""))
    name_of = {clause: name for name, clause in called.items()}
    cited: dict[Clause, list[CitedLine]] = {}
    for citation in citations(sources):
        if citation.name in called:
            file = f"domain/games/{game.key}/{citation.module.replace('.', '/')}.py"
            place = CitedLine(file, citation.line, citation.function, citation.source, citation.carried)
            cited.setdefault(called[citation.name], []).append(place)
    for clause in clauses:
        kind, said = game.rulebook.clauses[clause].kind, game.rulebook.both(clause, numbers)
        claims = ((name, case) for name, case in (cases or {}).items() if clause in case.clauses)
        claimed = None if cases is None else tuple(CaseClaim(name, case.en, case.ja) for name, case in claims)
        law = tuple(cited.get(clause, ()))
        yield ClauseEvidence(clause, kind, name_of.get(clause, ""), said.en, said.ja, law, claimed)
