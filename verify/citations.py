"""Where the law cites its clauses: in what it tells and checks, and on what carries those that no line can tell.

Works on the sources of one game as texts by module. A clause is cited where its constant is used.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from msgspec import Struct

from domain.law.clause import Clause, carries

CLAUSES = "clauses"
"""The room of a game that gives its clauses readable names."""
CARRIES = carries.__name__


class Citation(Struct, frozen=True):
    """One place that cites a clause: module and line, the source there, the function around it.

    `carried` says that it is named as what makes the clause so, and tells nothing by it.
    """

    name: str
    module: str
    line: int
    source: str
    function: str = ""
    carried: bool = False


def names(text: str) -> dict[str, Clause]:
    """The names that a module gives to clauses: `NAME = Clause("...")`, annotated or not."""
    return dict(_named(text))


def _named(text: str) -> Iterator[tuple[str, Clause]]:
    for node in ast.parse(text).body:
        match node:
            case ast.Assign([ast.Name(name)], value=value) | ast.AnnAssign(ast.Name(name), value=value):
                match value:
                    case ast.Call(ast.Name("Clause"), [ast.Constant(str() as clause)]):
                        yield name, Clause(clause)


def citations(modules: Mapping[str, str]) -> Iterator[Citation]:
    """Every place in the sources of a game that cites a clause, in their order; a name may be one that none has."""
    for module, text in modules.items():
        if module != CLAUSES:
            yield from _Reading(module, text).all()


class _Reading:
    """One module as it is read: under which names it knows the clauses, and its lines."""

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
                        yield self._at(alias.name, node.lineno, "", False)
        yield from self._below(self.tree, "", 0)

    def _below(self, node: ast.AST, function: str, carrier: int) -> Iterator[Citation]:
        """What is cited inside a node; `carrier` is the line of what carries it, if anything does."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.rooms:
            yield self._at(node.attr, carrier or node.lineno, function, bool(carrier))
            return
        if isinstance(node, ast.FunctionDef):
            function = node.name
            for decorator in node.decorator_list:
                yield from self._below(decorator, function, node.lineno if _carries(decorator) else 0)
        elif _carries(node):
            carrier = carrier or node.lineno
        decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else ()
        for child in ast.iter_child_nodes(node):
            if child not in decorators:
                yield from self._below(child, function, carrier)

    def _at(self, name: str, line: int, function: str, carried: bool) -> Citation:
        return Citation(name, self.module, line, self.lines[line - 1].strip(), function, carried)


def _carries(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is this `carries(...)`, on a function or around a value?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == CARRIES
