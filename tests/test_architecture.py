"""Architecture rules: imports, sizes, one reader per option, and closed unions."""

import ast
import dataclasses
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from types import UnionType
from typing import get_args

import msgspec
import pytest

from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.disputes import Revealed
from domain.law.driver import consult_clauses, decide_as_played
from domain.law.entries import (
    ENTRIES,
    RECORD_ENTRIES,
    Closed,
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Pledged,
    Restored,
    Rewound,
    Undealt,
    entry_facts,
    fold_entries,
    tables,
)
from domain.law.law import Law
from domain.law.outcome import Accepted
from domain.table import facts as F
from domain.table.evolve import EVOLVE
from domain.table.table import JUDGE, Table, ValueColumns
from recorder import codec
from tests.filing import filings
from tests.games import PLAYED, tried
from tests.laws.samples import moments, sample, seeds_in_turn, seeds_of
from tests.laws.wild import wild_of
from tests.rows import for_each
from tools.architecture import (
    PACKAGES,
    PAGE,
    ROOT,
    draw_diagram,
    find_cycle,
    import_statements,
    imports_of,
    module_imports,
    modules,
    nodes,
    package_imports,
    page,
    tree,
)

FILE_LINES, FUNCTION_LINES = 420, 65
ALONE = {"recorder.evidence.verifier": 530}

LAYERS: dict[str, tuple[str, ...]] = {
    "domain.words": ("domain.words",),
    "domain.table": ("domain.table", "domain.words"),
    "domain.law": ("domain.law", "domain.table", "domain.words"),
    "domain.evidence": ("domain.evidence", "domain.words"),
    "domain.parts": ("domain.parts", "domain.law", "domain.table", "domain.words"),
    "domain.formats": ("domain.formats", "domain.law", "domain.table", "domain.words"),
    "domain.judging": (
        "domain.judging",
        "domain.formats",
        "domain.parts",
        "domain.law",
        "domain.table",
        "domain.words",
    ),
    "projections": ("projections", "domain"),
    "recorder.evidence": ("recorder", "projections", "domain"),
    "recorder.usecases": ("recorder", "projections", "domain"),
    "recorder": ("recorder", "domain"),
    "archive": ("archive", "projections", "recorder", "domain"),
    "service.drawing": ("service.drawing", "projections", "domain"),
    "service": ("service", "archive", "projections", "recorder", "domain"),
    "cli.client": (
        "cli.client",
        "recorder.usecases.commands",
        "service.reports.job_answers",
        "service.reports.job_records",
        "service.problems",
        "service.recording.sheet_forms",
        "service.payloads",
        "archive.regress",
        "projections",
        "domain",
    ),
    "cli": ("cli", "service", "archive", "projections", "recorder", "domain"),
    "shinpan": ("shinpan", "archive", "projections", "recorder", "domain"),
    "tools": ("tools", "cli", "service", "archive", "projections", "recorder", "domain"),
}
"""Permitted imports of each layer. A game may import itself, parts, law, table and words."""

OTHERS: dict[str, frozenset[str]] = {
    "domain": frozenset(("msgspec", "tomli", "typing_extensions")),  # the latter only for types
    "projections": frozenset(("msgspec", "jinja2")),
    "recorder": frozenset(("msgspec", "eventsourcing", "cryptography", "psycopg")),
    "archive": frozenset(("msgspec", "distributed")),
    "service": frozenset(("msgspec", "jinja2", "markupsafe", "litestar", "granian", "segno")),
    "cli": frozenset(("msgspec", "typer", "rich", "click")),
    "shinpan": frozenset(("msgspec",)),
    "tools": frozenset(("msgspec", "mypyc")),
}
OUTSIDE = frozenset(
    re.findall(
        r"\w+",
        """asyncio datetime io logging multiprocessing os pathlib random secrets shutil socket sqlite3 subprocess
        tempfile threading time urllib uuid""",
    )
)
"""Modules for clocks, chance, files and processes, which the domain must not use."""
ONLY_IN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("eventsourcing", "random", "secrets", "time"), ("recorder",)),
    "sqlite3": ("recorder", "archive"),
    "distributed": ("archive",),
    "psycopg": ("recorder",),
}
"""Packages permitted in only one place. The store and packed corpora are SQLite files (ADR 21)."""
BUILTIN_DOORS = frozenset(("open", "input", "print", "exec", "eval"))


LATE = {
    "cli.readers": "RemoteMatch, Service",
    "domain.law.game": "TypeVar",
    "domain.law.slots": "TypeVar",
    "recorder.files": "fcntl",
    "recorder.server": "postgres",
    "projections.html.drawing": "Environment, FileSystemLoader, StrictUndefined",
}
"""Imports within functions or blocks. They are missing on some systems, or needed only for pages, servers or type
checking."""


def test_imports_stand_at_the_top_of_files() -> None:
    late = {
        name: ", ".join(alias.name for alias in node.names)
        for name, path in modules().items()
        for node in import_statements(path)
        if node.col_offset
    }
    assert late == LATE


def test_what_is_loaded_by_its_name_is_there() -> None:
    named = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+:\w+")
    lazy = {
        node.value
        for path in modules().values()
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.fullmatch(node.value)
    }
    assert len(lazy) > 50
    for name in lazy:
        assert resolve_name(name), name


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def generated(name: str) -> bool:
    return within(name, "domain.games") and name.endswith(".clauses")


def may_import(name: str) -> tuple[str, ...]:
    parts = name.split(".")
    if parts[:2] == ["domain", "games"]:
        if len(parts) == 2:
            return ("domain",)
        return (".".join(parts[:3]), "domain.parts", "domain.law", "domain.table", "domain.words")
    return next((allowed for layer, allowed in LAYERS.items() if within(name, layer)), ())


def test_layers_import_only_what_lies_below_them() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, path in modules().items()
        for other in imports_of(path)
        if other.split(".")[0] in (*PACKAGES, "tests") and not any(within(other, one) for one in may_import(name))
    ]
    assert wrong == []


def test_nothing_imports_what_imports_it() -> None:
    """Includes import cycles and imports for types only."""
    arrows = module_imports()
    assert sum(map(len, arrows.values())) > 1000
    assert find_cycle(arrows) == [] and find_cycle(package_imports(arrows)) == []
    ring = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert set(find_cycle(ring)) == {"a", "b", "c"}


def test_the_picture_of_the_house_is_drawn_from_its_imports() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "the picture is old: python -m tools.architecture"
    arrows = {"low": frozenset[str](), "high": frozenset(("low", "mid")), "mid": frozenset(("low",))}
    assert draw_diagram(arrows).split("\n") == ["    high  \\", "    mid   o  \\", "    low   o  o  \\"]


def test_what_is_shown_is_decided_nowhere_else() -> None:
    """Projections fold and arrange. Only the judging packages apply the rules."""
    shown = [
        (name, other) for name, path in modules().items() if within(name, "projections") for other in imports_of(path)
    ]
    assert len(shown) > 100
    assert [f"{name} imports {other}" for name, other in shown if within(other, "domain.law.driver")] == []


def test_no_single_game_is_imported_but_by_itself_and_the_registry() -> None:
    games = {name for name in modules() if name.startswith("domain.games.") and name.count(".") == 2}
    wrong = [
        f"{name} imports {other}"
        for name, path in modules().items()
        if name != "domain.games"
        for other in imports_of(path)
        for game in games
        if within(other, game) and not within(name, game)
    ]
    assert wrong == []


def test_other_packages_stay_where_they_belong() -> None:
    wrong: list[str] = []
    for name, path in modules().items():
        top = name.split(".")[0]
        for other in (one.split(".")[0] for one in imports_of(path)):
            if other in PACKAGES:
                continue
            known = other in sys.stdlib_module_names or other in OTHERS[top]
            if not known or (top == "domain" and other in OUTSIDE) or top not in ONLY_IN.get(other, (top,)):
                wrong.append(f"{name} imports {other}")
    assert wrong == []


def test_the_domain_and_the_projections_open_no_doors() -> None:
    wrong = [
        f"{name}:{node.lineno} calls {node.func.id}"
        for name, path in modules().items()
        if name.split(".")[0] in ("domain", "projections")
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BUILTIN_DOORS
    ]
    assert wrong == []


def test_games_are_named_in_their_own_folders_only() -> None:
    folders = [path.parent.name for path in (ROOT / "domain" / "games").glob("*/__init__.py")]
    assert set(GAMES) <= set(folders)
    named = re.compile(r"\b(" + "|".join(map(re.escape, folders)) + r")\b", re.IGNORECASE)
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for name, path in modules().items()
        if any(
            within(name, one)
            for one in (
                "domain.table",
                "domain.law",
                "domain.formats",
                "projections",
                "verify",
                "pages",
                "service",
                "client",
                "cli",
            )
        )
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if named.search(line)
    ]
    assert wrong == []


def test_tables_are_written_to_by_facts_only() -> None:
    parts = {field.name for field in dataclasses.fields(Table)}
    wrong = [
        f"{name}:{node.lineno} sets {ast.unparse(node)}"
        for name, path in modules().items()
        if name not in ("domain.table.draft", "domain.table.evolve", "domain.table.folding")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in parts
        if ast.unparse(node.value) != "self"
    ]
    assert wrong == []


COLUMNS = frozenset(field.name for field in msgspec.structs.fields(ValueColumns))
NAMING_ROOMS = ("table_queries", "asking")
"""Modules that name columns: those of frames per game, and those of all questions in the parts."""
NO_FRAMES = ("fact", "self")


def literal(index: ast.expr) -> bool:
    if isinstance(index, ast.Slice):
        return any(bound is not None and literal(bound) for bound in (index.lower, index.upper))
    return all(isinstance(node, ast.Constant | ast.UnaryOp | ast.USub) for node in ast.walk(index))


def reads_by_place(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr in COLUMNS
        and ast.unparse(node.value.value) not in NO_FRAMES
        and literal(node.slice)
    )


LAW = ("domain.table", "domain.law", "domain.parts", "domain.games")
TYPE_NAME = re.compile(r"_?[A-Z]{1,2}[a-z]\w*|[A-Z]")
"""Names of types. Every other module-level name is a constant."""


def not_final(module: ast.Module) -> list[str]:
    wrong: list[str] = []
    for node in module.body:
        if isinstance(node, ast.AnnAssign):
            wrong += [] if ast.unparse(node.annotation).startswith("Final") else [ast.unparse(node.target)]
        elif isinstance(node, ast.Assign):
            names = [part for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            wrong += [name.id for name in names if not TYPE_NAME.fullmatch(name.id)]
    return wrong


def test_constants_of_the_law_are_final() -> None:
    """Final tells readers and the compiler that the name is a constant (ADR 30)."""
    assert not_final(ast.parse("A = B = 1\nONE, row = 1, f()\nTWO: int = 2\nT = str\nIds = int\nN: Final = 3")) == [
        "ONE",
        "row",
        "TWO",
    ]
    law = {name: path for name, path in modules().items() if any(within(name, room) for room in LAW)}
    assert len(law) > 80
    assert {name: wrong for name, path in law.items() if (wrong := not_final(tree(path)))} == {}


def test_columns_of_frames_are_read_by_name() -> None:
    wrong = [
        f"{name}:{getattr(node, 'lineno', 0)} reads {ast.unparse(node)}"
        for name, path in modules().items()
        if within(name, "domain") and name.rpartition(".")[2] not in NAMING_ROOMS
        for node in nodes(path)
        if reads_by_place(node)
    ]
    assert wrong == []


def test_files_and_functions_stay_small() -> None:
    wrong: list[str] = []
    for name, path in modules().items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > ALONE.get(name, FILE_LINES) and not generated(name):
            wrong.append(f"{name}: {lines} lines")
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES:
                    wrong.append(f"{name}.{node.name}: {length} lines")
    assert wrong == []


def prose(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def test_no_clause_stands_in_a_comment() -> None:
    prefixes = {clause.split("-")[0] for game in GAMES.values() for clause in game.rulebook.clauses}
    cited = re.compile(r"\b(?:" + "|".join(map(re.escape, prefixes)) + r")-\d+(?:\.\d+)*\b|\b[A-Z]{2,4}-\d+\.\d+\b")
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {found[0]}"
        for name, path in modules().items()
        if within(name, "domain") and not generated(name)
        for line, text in prose(path)
        if (found := cited.search(text))
    ]
    assert wrong == []


@for_each("key", sorted(PLAYED))
def test_every_option_of_the_rules_is_declared_and_offered_as_it_is_typed(key: str) -> None:
    game = PLAYED[key]
    declared = {option.key: option for option in game.options}
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(game.rules_type)}
    for name, hint in fields.items():
        if name in declared:
            words = ("true", "false") if hint is bool else get_args(hint)
            assert declared[name].numbers or set(declared[name].values) == set(words), name
            default = msgspec.to_builtins(game.rules_type())[name]
            plain = str(default).lower() if isinstance(default, bool | int) else default
            assert declared[name].values[0] == plain, f"{name}: the default comes first"
    fixed = [option for option in game.options if option.key not in fields]
    assert all(len(option.values) == 1 and option.unoffered for option in fixed)


def subclasses(kind: type) -> set[type]:
    children: list[type] = kind.__subclasses__()
    return {one for child in children for one in (child, *subclasses(child))}


def test_every_fact_evolves_and_is_of_the_table_or_of_the_flow() -> None:
    assert set(EVOLVE) == set(F.FACTS) == subclasses(F.Fact)
    assert set(get_args(F.TableFact)) | set(get_args(F.FlowFact)) == set(get_args(F.AnyFact)) == set(F.FACTS)
    assert not set(get_args(F.TableFact)) & set(get_args(F.FlowFact))
    tags = [str(fact.__struct_config__.tag) for fact in F.FACTS]
    assert len(set(tags)) == len(tags)


def every_entry(key: str) -> list[Entry]:
    one = sample(key, 0)
    *played, closed = one.entries
    table = fold_entries(played)
    to = min(20, len(played) // 2)
    place = next(place for place, cards in table.places.items() if cards)
    by_hand = ((one.game.by_hand, F.Moved(table.places[place][:1], place)),)
    return [
        *played,
        Noted(by="judge", text="late"),
        Rewound(to=to, reason="misheard", by="judge"),
        *played[to : to + 4],
        Restored(to=len(played), reason="heard rightly", by="judge"),
        Corrected(by="judge", reason="dropped", told=by_hand),
        Described(by="judge", announced="p1"),
        Gap(by="judge", reason="the video stood still", most=2, told=by_hand),
        *filings(len(played) + 6 + len(played[to : to + 4])),
        closed,
    ]


@for_each("key", sorted(PLAYED))
def test_every_type_of_entry_is_stored_folded_and_audited(key: str) -> None:
    assert isinstance(Entry, UnionType) and get_args(Entry) == ENTRIES
    entries = every_entry(key)
    there = {type(entry) for entry in entries}
    assert there == set(ENTRIES) - {Undealt, Pledged, Revealed}, "of others see test_real_cards and test_pledges"
    assert len({codec.topic(entry) for entry in entries}) == len(there)
    again = [codec.decode(codec.encode(entry)) for entry in entries]
    assert again == entries
    after = [table for _, _, _, table in tables(entries)]
    assert after[-1] == fold_entries(entries) and len(after) == len(entries)
    found = audit(PLAYED[key], entries)
    assert (found.findings, found.entries) == ((), len(entries))
    assert all(entry_facts(entry) == () for entry in entries if isinstance(entry, (*RECORD_ENTRIES, Rewound, Closed)))
    assert isinstance(entries[0], Opened)


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_every_type_of_action_is_checked_and_carried_out(key: str) -> None:
    game, random = PLAYED[key], Random(0)
    verbs = {action_type: str(action_type.__struct_config__.tag) for action_type in game.action_types}
    assert len(set(verbs.values())) == len(verbs)
    expected = set(verbs.values()) - tried(key).never_carried_out
    reached: set[str] = set()
    for seed in seeds_in_turn(key):
        if seed not in seeds_of(key) and reached >= expected:
            break
        one = sample(key, seed)
        reached |= {verbs[type(at.action)] for at in moments(key, seed)}
        for at in random.sample(moments(key, seed), 12):
            for action_type, verb in verbs.items():
                for actor in (*one.first_entry.seats, JUDGE):
                    action = wild_of(game, at.before, actor, action_type, random)
                    assert consult_clauses(Law(game, one.rules), at.before, actor, action), f"{verb} meets no check"
                    if isinstance(decide_as_played(Law(game, one.rules), at.before, actor, action), Accepted):
                        reached.add(verb)
    assert reached >= expected, f"never carried out: {sorted(expected - reached)}"
