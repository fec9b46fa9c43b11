"""Coverage of clauses: the lines of the rules that cite them, and the tests and cases that cover them.

Works on texts passed in: the sources, tests and casebooks of one game.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from archive.verify.citations import CLAUSES, Citation, citations, names
from domain.judging.coverage import BINDING, Unreachable
from domain.law.clause import Clause
from domain.law.rulebook import ClauseKind, Rulebook

_TEST = re.compile(r"test_(\d+(?:_\d+)*)(?:_|$)")


class ClauseCoverage(Struct, frozen=True):
    """One clause: its name in code, its citations, and the tests and cases that cover it."""

    clause: Clause
    kind: ClauseKind
    name: str
    citations: tuple[Citation, ...] = ()
    tests: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(citation.module for citation in self.citations))

    @property
    def has_direct_citation(self) -> bool:
        """True if a line raises or checks the clause, not only an `implements` decorator."""
        return any(not citation.carried for citation in self.citations)

    @property
    def uncited(self) -> bool:
        """True if the clause is binding but no code cites it."""
        return self.kind in BINDING and not self.citations

    @property
    def missing(self) -> bool:
        """True if the clause is binding but no test or case covers it."""
        return self.kind in BINDING and not (self.tests or self.cases)


class RulebookCoverage(Struct, frozen=True):
    """Coverage of a rulebook: its clauses in order, references to unknown clauses, and the clauses no play reaches."""

    rows: tuple[ClauseCoverage, ...]
    unknown: tuple[str, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()

    @property
    def unexercised(self) -> tuple[Clause, ...]:
        """The binding clauses that no case claims and no exception excuses."""
        excused = {exception.clause for exception in self.unreachable}
        rows = (row for row in self.rows if row.kind in BINDING and not row.cases)
        return tuple(row.clause for row in rows if row.clause not in excused)

    @property
    def reached(self) -> tuple[Clause, ...]:
        """The clauses excused as unreachable that a case reaches all the same."""
        shown = {row.clause for row in self.rows if row.cases}
        return tuple(exception.clause for exception in self.unreachable if exception.clause in shown)


def measure_coverage(
    rulebook: Rulebook,
    modules: Mapping[str, str],
    tests: Mapping[str, str],
    cases: Mapping[str, Sequence[str]],
    unreachable: tuple[Unreachable, ...] = (),
) -> RulebookCoverage:
    """Return the coverage of a rulebook. `modules` and `tests` are sources by name; `cases` are clauses by case id."""
    called = names(modules[CLAUSES])
    cited: dict[Clause, list[Citation]] = {}
    tested: dict[str, list[str]] = {}
    claimed: dict[str, list[str]] = {}
    unknown = [f"{CLAUSES}: {name} = {clause}" for name, clause in called.items() if clause not in rulebook.clauses]
    for citation in citations(modules):
        if citation.name in called:
            cited.setdefault(called[citation.name], []).append(citation)
        else:
            unknown.append(f"{citation.module}:{citation.line}: {citation.name}")
    by_tail = {clause.partition("-")[2].replace(".", "_"): clause for clause in rulebook.clauses}
    for file, text in tests.items():
        for test, tail in _tests(text):
            if tail in by_tail:
                tested.setdefault(by_tail[tail], []).append(f"{file}::{test}")
            else:
                unknown.append(f"{file}: {test}")
    for case, clauses in cases.items():
        for clause in clauses:
            if clause in rulebook.clauses:
                claimed.setdefault(clause, []).append(case)
            else:
                unknown.append(f"case {case}: {clause}")
    excused = [exception.clause for exception in unreachable]
    unknown += [f"unreachable: {clause}" for clause in excused if clause not in rulebook.clauses]
    name_of = {clause: name for name, clause in called.items()}
    rows = tuple(
        ClauseCoverage(
            clause,
            entry.kind,
            name_of.get(clause, ""),
            tuple(dict.fromkeys(cited.get(clause, ()))),
            tuple(tested.get(clause, ())),
            tuple(claimed.get(clause, ())),
        )
        for clause, entry in rulebook.clauses.items()
    )
    return RulebookCoverage(rows, tuple(unknown), unreachable)


def _tests(text: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and (found := _TEST.match(node.name)):
            yield node.name, found[1]


def table(every: RulebookCoverage) -> list[str]:
    """Return the coverage as lines of text, one clause each, followed by the problems."""
    lines = [f"{'clause':<10}{'kind':<10}{'cited':>6}{'tests':>6}{'cases':>6}  name"]
    for row in every.rows:
        counts = f"{len(row.cited):>6}{len(row.tests):>6}{len(row.cases):>6}"
        mark = "  <- no test or case" if row.missing else ""
        lines.append(f"{row.clause:<10}{row.kind:<10}{counts}  {row.name}{mark}")
    missing = sum(row.missing for row in every.rows)
    uncited = [row for row in every.rows if row.uncited]
    lines.append(f"{len(every.rows)} clauses, {missing} without a test or case, {len(uncited)} that no code cites")
    lines += [f"cited by no code: {row.clause} {row.name}" for row in uncited]
    lines += [f"in no case, and not listed as unreachable: {clause}" for clause in every.unexercised]
    lines += [f"unreachable: {exception.clause}: {exception.en}" for exception in every.unreachable]
    lines += [f"listed as unreachable, but a case shows it: {clause}" for clause in every.reached]
    return lines + [f"no such clause: {clause}" for clause in every.unknown]
