"""Where the law cites its clauses: in what it tells and checks, and on what carries those that no line can tell.

Works on the sources of one game as texts by module. A clause is cited where its constant is used.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeGuard

from msgspec import Struct

from domain.law.clause import Clause, carries
from domain.law.noting import ValueLayer, note, permit, weigh

CLAUSES = "clauses"
"""The room of a game that gives its clauses readable names."""
CARRIES = frozenset(said.__name__ for said in (carries, note, permit, weigh, ValueLayer))
"""Calls that name a clause which tells nothing: of what makes it so, or where it makes a difference."""
SOURCE_MOST = 200
"""Letters of a statement that are shown."""


class Citation(Struct, frozen=True):
    """One place that cites a clause: module and line, the source there, the function around it.

    `carried` says that it is named as what makes the clause so, and tells nothing by it. A function that carries says
    by its docstring what it does.
    """

    name: str
    module: str
    line: int
    source: str
    function: str = ""
    carried: bool = False


def read_modules(folder: Path, pattern: str = "*.py") -> dict[str, str]:
    """The modules of a folder as texts by dotted name."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob(pattern))
    }


def names(text: str) -> dict[str, Clause]:
    """The names that a module gives to clauses: `NAME = Clause("...")`, annotated or not."""
    named: dict[str, Clause] = {}
    for node in ast.parse(text).body:
        match node:
            case ast.Assign([ast.Name(name)], value=value) | ast.AnnAssign(ast.Name(name), value=value):
                match value:
                    case ast.Call(ast.Name("Clause"), [ast.Constant(str() as clause)]):
                        named[name] = Clause(clause)
    return named


def citations(modules: Mapping[str, str]) -> Iterator[Citation]:
    """Every place in the sources of a game that cites a clause, in their order; a name may be one that none has."""
    for module, text in modules.items():
        if module != CLAUSES:
            yield from _Module(module, text).all()


@cache
def spoken_clauses(key: str) -> frozenset[Clause]:
    """What the law of a game tells or checks somewhere, and does not only carry."""
    modules = read_modules(Path(str(files(f"domain.games.{key}"))))
    named = names(modules[CLAUSES])
    cited = (citation for citation in citations(modules) if not citation.carried)
    return frozenset(named[citation.name] for citation in cited if citation.name in named)


class _Module:
    """One module: its lines, and under which names it knows the clauses."""

    def __init__(self, module: str, text: str) -> None:
        self.module, self.lines, self.tree = module, text.splitlines(), ast.parse(text)
        self.rooms: set[str] = set()

    def all(self) -> Iterator[Citation]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if alias.name == CLAUSES:
                        self.rooms.add(alias.asname or alias.name)
                    elif node.module.rpartition(".")[2] == CLAUSES:
                        yield Citation(alias.name, self.module, node.lineno, self.lines[node.lineno - 1])
        yield from self._below(self.tree, "", None)

    def _below(self, node: ast.AST, function: str, statement: ast.stmt | None) -> Iterator[Citation]:
        """What is cited inside a node that stands in this function and statement."""
        if isinstance(node, _SIMPLE):
            statement = node
        elif isinstance(node, ast.FunctionDef):
            function = node.name
            for clause in self._clauses(*filter(_carries, node.decorator_list)):
                said = (ast.get_docstring(node) or self.lines[node.lineno - 1].strip()).partition("\n")[0]
                yield Citation(clause.attr, self.module, node.lineno, said, function, carried=True)
        elif _carries(node):
            for clause in self._clauses(node):
                source = self.lines[node.lineno - 1].strip()
                yield Citation(clause.attr, self.module, node.lineno, source, function, carried=True)
            return
        elif self._is_clause(node):
            yield Citation(node.attr, self.module, node.lineno, self._source(node.lineno, statement), function)
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.FunctionDef) and child in node.decorator_list):
                yield from self._below(child, function, statement)

    def _clauses(self, *nodes: ast.AST) -> Iterator[ast.Attribute]:
        return (part for node in nodes for part in ast.walk(node) if self._is_clause(part))

    def _is_clause(self, node: ast.AST) -> TypeGuard[ast.Attribute]:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.rooms

    def _source(self, line: int, statement: ast.stmt | None) -> str:
        """The statement on one line, as far as it fits; of one that began long before, as a table, the line alone."""
        if statement is None or line - statement.lineno > 1:
            return self.lines[line - 1].strip()
        source = " ".join(text.strip() for text in self.lines[statement.lineno - 1 : statement.end_lineno])
        return source if len(source) <= SOURCE_MOST else source[: SOURCE_MOST - 3] + "..."


_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)


def _carries(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is this `carries(...)`, on a function or around a value, or does it note where a clause makes a difference?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CARRIES
