"""Draw the import diagram of docs/architecture.md: `python -m tools.architecture` writes it into the page.

Each package stands below all packages that import it. A cycle has no such order; it raises CycleError.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "domain",
    "projections",
    "recorder",
    "archive",
    "service",
    "cli",
    "shinpan",
    "tools",
)
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- drawn by python -m tools.architecture -->", "<!-- as far as this -->"

Arrows = Mapping[str, frozenset[str]]
"""Imports within this project, by module or by package."""


@cache
def modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the import statements of a module, also those inside functions and blocks."""
    return tuple(node for node in nodes(path) if isinstance(node, ast.Import | ast.ImportFrom))


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports, also those imported only for types."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            continue
        assert node.level == 0 and node.module, f"{path}: a relative import"
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield name if name in modules() else node.module


def module_imports() -> Arrows:
    return {
        name: frozenset(other for other in imports_of(path) if other in modules() and other != name)
        for name, path in modules().items()
    }


def package_of(module: str) -> str:
    """Return the package of a module; in the domain, its subpackage."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "domain" else parts[0]


def package_imports(arrows: Arrows) -> Arrows:
    packages: dict[str, set[str]] = {}
    for name, others in arrows.items():
        if name != "domain":
            packages.setdefault(package_of(name), set()).update(map(package_of, others))
    return {package: frozenset(others - {package}) for package, others in packages.items()}


def find_cycle(arrows: Arrows) -> list[str]:
    """Return modules or packages that import each other in a cycle, or [] if no cycle exists."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle
    return []


def sort_packages(arrows: Arrows) -> list[str]:
    """Return the packages, each below all that import it. Raises CycleError."""
    height: dict[str, int] = {}
    for package in TopologicalSorter(arrows).static_order():
        height[package] = 1 + max((height[other] for other in arrows[package]), default=0)
    return sorted(arrows, key=lambda package: (-height[package], package))


def draw_diagram(arrows: Arrows) -> str:
    """Return a line for each package. The column below its corner marks the packages it imports."""
    packages = sort_packages(arrows)
    width = max(map(len, packages)) + 2
    lines = []
    for at, package in enumerate(packages):
        marks = ["o" if package in arrows[other] else "." for other in packages[:at]]
        lines.append(f"    {package:<{width}}" + "  ".join([*marks, "\\"]))
    return "\n".join(lines)


def page(text: str) -> str:
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{draw_diagram(package_imports(module_imports()))}\n\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
