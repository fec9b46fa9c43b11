"""Which clauses the law cites, and who bears witness to each: the tests named after it and the cases that claim it.

Works on texts that are handed in: sources, tests and casebooks of one game.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.judging.coverage import BINDING, Unreachable
from domain.law.clause import Clause
from domain.law.rulebook import ClauseKind, Rulebook

CLAUSES = "clauses"
"""The room of a game that gives its clauses readable names."""

_TEST = re.compile(r"test_(\d+(?:_\d+)*)(?:_|$)")


class Witness(Struct, frozen=True):
    """One clause: its name in code, the modules that cite it, the tests and cases that bear witness to it."""

    clause: Clause
    kind: ClauseKind
    name: str
    cited: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @property
    def missing(self) -> bool:
        """Does a clause that binds somebody stand without a witness?"""
        return self.kind in BINDING and not (self.tests or self.cases)


class Witnesses(Struct, frozen=True):
    """All clauses of a rulebook in its order; what names a clause that is not in it, with where it does; and the
    clauses that no play reaches."""

    rows: tuple[Witness, ...]
    unknown: tuple[str, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()

    @property
    def unexercised(self) -> tuple[Clause, ...]:
        """The clauses that bind somebody, that no case claims and no exception excuses."""
        excused = {one.clause for one in self.unreachable}
        rows = (row for row in self.rows if row.kind in BINDING and not row.cases)
        return tuple(row.clause for row in rows if row.clause not in excused)

    @property
    def reached(self) -> tuple[Clause, ...]:
        """The exceptions that a case shows after all."""
        shown = {row.clause for row in self.rows if row.cases}
        return tuple(one.clause for one in self.unreachable if one.clause in shown)


def witnesses(
    rulebook: Rulebook,
    modules: Mapping[str, str],
    tests: Mapping[str, str],
    cases: Mapping[str, Sequence[str]],
    unreachable: tuple[Unreachable, ...] = (),
) -> Witnesses:
    """Who bears witness to what: sources and tests as texts by name, cases as the clauses they claim by id."""
    names = dict(_named(modules[CLAUSES]))
    cited: dict[str, list[str]] = {}
    tested: dict[str, list[str]] = {}
    claimed: dict[str, list[str]] = {}
    unknown = [f"{CLAUSES}: {name} = {one}" for name, one in names.items() if one not in rulebook.clauses]
    for module, text in modules.items():
        for name, line in _cited(text) if module != CLAUSES else ():
            if name in names:
                cited.setdefault(names[name], []).append(module)
            else:
                unknown.append(f"{module}:{line}: {name}")
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
    unknown += [f"unreachable: {one.clause}" for one in unreachable if one.clause not in rulebook.clauses]
    name_of = {clause: name for name, clause in names.items()}
    rows = tuple(
        Witness(
            clause,
            entry.kind,
            name_of.get(clause, ""),
            tuple(dict.fromkeys(cited.get(clause, ()))),
            tuple(tested.get(clause, ())),
            tuple(claimed.get(clause, ())),
        )
        for clause, entry in rulebook.clauses.items()
    )
    return Witnesses(rows, tuple(unknown), unreachable)


def _named(text: str) -> Iterator[tuple[str, str]]:
    """The names a module gives to clauses: `NAME = Clause("...")`, annotated or not."""
    for node in ast.parse(text).body:
        match node:
            case ast.Assign([ast.Name(name)], value=value) | ast.AnnAssign(ast.Name(name), value=value):
                match value:
                    case ast.Call(ast.Name("Clause"), [ast.Constant(str() as clause)]):
                        yield name, clause


def _cited(text: str) -> Iterator[tuple[str, int]]:
    """The names of clauses that a module uses, with their lines: attributes of the clauses' module, or names of it."""
    tree = ast.parse(text)
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if alias.name == CLAUSES:
                    modules.add(alias.asname or alias.name)
                elif node.module.rpartition(".")[2] == CLAUSES:
                    yield alias.name, node.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield node.attr, node.lineno


def _tests(text: str) -> Iterator[tuple[str, str]]:
    """The tests that are named after a clause, and the numbers of it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and (found := _TEST.match(node.name)):
            yield node.name, found[1]


def table(found: Witnesses) -> list[str]:
    """The witnesses as lines of text, one clause each, and what is wrong after them."""
    lines = [f"{'clause':<10}{'kind':<10}{'cited':>6}{'tests':>6}{'cases':>6}  name"]
    for row in found.rows:
        counts = f"{len(row.cited):>6}{len(row.tests):>6}{len(row.cases):>6}"
        mark = "  <- no witness" if row.missing else ""
        lines.append(f"{row.clause:<10}{row.kind:<10}{counts}  {row.name}{mark}")
    missing = sum(row.missing for row in found.rows)
    uncited = sum(row.kind in BINDING and not row.cited for row in found.rows)
    lines.append(f"{len(found.rows)} clauses, {missing} without a witness, {uncited} that no line of the law cites")
    lines += [f"in no case, and not said to be out of reach: {one}" for one in found.unexercised]
    lines += [f"out of reach: {one.clause}: {one.en}" for one in found.unreachable]
    lines += [f"said to be out of reach, but a case shows it: {one}" for one in found.reached]
    return lines + [f"no such clause: {one}" for one in found.unknown]
