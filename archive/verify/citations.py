"""Find where a game's law cites its clauses, in facts and checks or in code that carries them. It works on the source
texts of a game by module. A clause is cited where its constant is used."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeGuard

from msgspec import Struct

from domain.law.clause import Clause, implements
from domain.law.noting import ValueLayer, note, note_layers, note_permission

CLAUSES = "clauses"
"""The module of a game that names its clauses."""
CARRIES = frozenset(call.__name__ for call in (implements, note, note_permission, note_layers, ValueLayer))
"""Calls that name a clause which no fact cites: code that implements it, or depends on it."""
SOURCE_MOST = 200


class Citation(Struct, frozen=True):
    """A citation of a clause, with its module, line, source and function. `carried`: the code implements the clause
    without citing it in a fact. For a function, `source` is its docstring."""

    name: str
    module: str
    line: int
    source: str
    function: str = ""
    carried: bool = False


def read_modules(folder: Path, pattern: str = "*.py") -> dict[str, str]:
    """Return the modules of a folder as texts by dotted name."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob(pattern))
    }


def names(text: str) -> dict[str, Clause]:
    """Return the clause constants of a module: `NAME = Clause("...")`, annotated or not."""
    named: dict[str, Clause] = {}
    for node in ast.parse(text).body:
        match node:
            case ast.Assign([ast.Name(name)], value=value) | ast.AnnAssign(ast.Name(name), value=value):
                match value:
                    case ast.Call(ast.Name("Clause"), [ast.Constant(str() as clause)]):
                        named[name] = Clause(clause)
    return named


def citations(modules: Mapping[str, str]) -> Iterator[Citation]:
    """Yield the citations in a game's sources in order. A name may be undefined."""
    for module, text in modules.items():
        if module != CLAUSES:
            yield from _Module(module, text).all()


@cache
def list_cited_clauses(key: str) -> frozenset[Clause]:
    """Return the clauses that a game's law cites in a fact or check."""
    modules = read_modules(Path(str(files(f"domain.games.{key}"))))
    named = names(modules[CLAUSES])
    cited = (citation for citation in citations(modules) if not citation.carried)
    return frozenset(named[citation.name] for citation in cited if citation.name in named)


class _Module:
    def __init__(self, module: str, text: str) -> None:
        self.module, self.lines, self.tree = module, text.splitlines(), ast.parse(text)
        self.aliases: set[str] = set()

    def all(self) -> Iterator[Citation]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if alias.name == CLAUSES:
                        self.aliases.add(alias.asname or alias.name)
                    elif node.module.rpartition(".")[2] == CLAUSES:
                        yield Citation(alias.name, self.module, node.lineno, self.lines[node.lineno - 1])
        yield from self._find_below(self.tree, "", None)

    def _find_below(self, node: ast.AST, function: str, statement: ast.stmt | None) -> Iterator[Citation]:
        if isinstance(node, _SIMPLE_STATEMENTS):
            statement = node
        elif isinstance(node, ast.FunctionDef):
            function = node.name
            for clause in self._clauses(*filter(_carries, node.decorator_list)):
                summary = (ast.get_docstring(node) or self.lines[node.lineno - 1].strip()).partition("\n")[0]
                yield Citation(clause.attr, self.module, node.lineno, summary, function, carried=True)
        elif _carries(node):
            for clause in self._clauses(node):
                source = self.lines[clause.lineno - 1].strip()
                yield Citation(clause.attr, self.module, clause.lineno, source, function, carried=True)
            return
        elif self._is_clause(node):
            yield Citation(node.attr, self.module, node.lineno, self._source(node.lineno, statement), function)
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.FunctionDef) and child in node.decorator_list):
                yield from self._find_below(child, function, statement)

    def _clauses(self, *nodes: ast.AST) -> Iterator[ast.Attribute]:
        return (part for node in nodes for part in ast.walk(node) if self._is_clause(part))

    def _is_clause(self, node: ast.AST) -> TypeGuard[ast.Attribute]:
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.aliases

    def _source(self, line: int, statement: ast.stmt | None) -> str:
        """Return the statement on one line, shortened; in a long one, such as a table, the line alone."""
        if statement is None or line - statement.lineno > 1:
            return self.lines[line - 1].strip()
        source = " ".join(text.strip() for text in self.lines[statement.lineno - 1 : statement.end_lineno])
        return source if len(source) <= SOURCE_MOST else source[: SOURCE_MOST - 3] + "..."


_SIMPLE_STATEMENTS = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)


def _carries(node: ast.AST) -> TypeGuard[ast.Call]:
    """True for a call that carries a clause, as a decorator or around a value, or notes its effect."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CARRIES
