"""Coverage of rulebooks: every clause has a covering case, and every case a clause."""

import ast
import re
from functools import cache
from itertools import chain

import pytest

from archive.verify.citations import CLAUSES
from domain.formats.casebook.load import Case, every_step, load_casebook
from domain.formats.casebook.run import Report, run_case
from domain.games import GAMES
from domain.judging.coverage import BINDING, Unreachable
from domain.law.clause import Clause, implements
from domain.law.rulebook import Rulebook, RulebookClause
from domain.words import Message
from tests.games import FINISHED, owe, tried
from tests.rows import for_each
from tools.clause_coverage import RulebookCoverage, measure_coverage, table
from tools.evidence import ROOT, Evidence, evidence, measure_game_coverage as witnesses_in
from tools.gate import find_untried_values, main


@for_each("key", sorted(GAMES))
def test_every_clause_that_binds_has_a_witness(key: str) -> None:
    owe(key)
    found = witnesses_of(key)
    print(*table(found), sep="\n")
    assert [row.clause for row in found.rows if row.missing] == []
    assert found.unknown == ()


@for_each("key", sorted(GAMES))
def test_every_clause_that_binds_is_exercised_by_a_case_or_said_to_be_out_of_reach_and_why(key: str) -> None:
    owe(key)
    found = witnesses_of(key)
    assert found.unexercised == () and found.reached == ()
    assert all(one.en and one.ja for one in found.unreachable)


@for_each("key", sorted(GAMES))
def test_every_clause_that_binds_is_told_or_carried_by_the_law(key: str) -> None:
    owe(key)
    assert [f"{row.clause} {row.name}" for row in witnesses_of(key).rows if row.uncited] == []


@for_each("key", sorted(GAMES))
def test_every_value_of_an_option_has_a_case(key: str) -> None:
    owe(key)
    assert list(find_untried_values(GAMES[key], cases_of(key))) == []


def test_a_value_without_a_case_is_named_with_the_option_and_what_to_do() -> None:
    game = GAMES["grimoire"]
    cases = {case.id: case for case in cases_of("grimoire")}
    one, other, elsewhere = cases["reveal_rounds"], cases["reveal_rounds=4"], cases["grimoire_max"]

    def untried(*cases: Case) -> list[str]:
        return [line for line in find_untried_values(game, cases) if line.startswith("reveal_rounds")]

    add = "add one to fixtures/grimoire/cases"
    assert untried(one, other) == []
    assert untried(one) == [f"reveal_rounds=4: no case plays it; {add} that sets reveal_rounds"]
    assert untried(other, elsewhere) == [f"reveal_rounds=4: no case of reveal_rounds=3 has the same `given`; {add}"]


@for_each("key", sorted(GAMES))
def test_most_clauses_are_told_by_the_law_and_named_by_tests_or_cases(key: str) -> None:
    owe(key)
    rows = witnesses_of(key).rows
    assert all(row.name for row in rows)
    assert sum(row.has_direct_citation for row in rows) > len(rows) / 2
    assert sum(len(row.tests) + len(row.cases) > 1 for row in rows) > len(rows) / 3


@cache
def run_all(key: str) -> tuple[tuple[str, Case, Report], ...]:
    """Run the casebooks of a game; return the location of each case, the case and its report."""
    ran = []
    for path in sorted((ROOT / "fixtures" / key).glob("*/*.cases.toml")):
        book = load_casebook(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
        ran += [
            (f"{book.file}:{case.line}:{case.id}", case, run_case(case, GAMES.get(case.game))) for case in book.cases
        ]
    return tuple(ran)


@pytest.mark.parametrize("key", FINISHED)
def test_every_case_of_the_casebooks_holds(key: str) -> None:
    assert run_all(key)
    assert [f"{where}: {report.failure}" for where, _, report in run_all(key) if not report.passed] == []


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_the_law_cites_is_told_or_consulted_where_it_is_claimed(key: str) -> None:
    """A case may show only the effect of a clause it claims, but one of them must emit or consult the clause."""
    owe(key)
    seen: set[str] = set()
    for _, case, report in (one for one in run_all(key) if "/cases/" in one[0]):
        seen |= set(report.claimed) & {*report.witnessed, *refused_by(case)}
    rows = [row for row in witnesses_of(key).rows if row.kind in BINDING and row.has_direct_citation]
    silent = {row.name for row in rows if not row.tests and row.clause not in seen}
    assert silent == tried(key).seen_elsewhere


def refusing(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) and node.value.elts:
            for one in ast.walk(node.value.elts[0]):
                if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "C":
                    found.add(one.attr)
    return found


@for_each("key", sorted(GAMES))
def test_every_check_has_a_test_that_is_refused_by_it(key: str) -> None:
    """The refusal must be shown by a test with the clause's number, or a case that claims it."""
    owe(key)
    folder = ROOT / "domain" / "games" / key
    checks: set[str] = set()
    for room in ("legality.py", "targeting.py"):
        if (folder / room).exists():
            checks |= refusing((folder / room).read_text(encoding="utf-8"))
    for function in ast.walk(ast.parse((folder / "setup.py").read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef) and function.name == "deck_checks":
            checks |= refusing(ast.unparse(function)) | {
                node.attr
                for node in chain.from_iterable(map(ast.walk, function.body))
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "C"
            }
    shown = {clause.partition("-")[2] for case in cases_of(key) for clause in refused_by(case)}
    for path in (ROOT / "tests" / "rules" / key).glob("test_*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                shown |= refused_in(function)
    names = {row.name: row.clause for row in witnesses_of(key).rows}
    silent = {name for name in checks if names[name].partition("-")[2] not in shown}
    assert silent == tried(key).never_cited_first


@cache
def evidence_of(key: str) -> Evidence:
    return evidence(GAMES[key])


def cases_of(key: str) -> list[Case]:
    return list(evidence_of(key).cases.values())


@cache
def witnesses_of(key: str) -> RulebookCoverage:
    return witnesses_in(GAMES[key], evidence_of(key))


def refused_by(case: Case) -> set[str]:
    return {step.then.refused for _, _, step in every_step(case.step) if step.then.refused} & set(case.clauses)


def refused_in(test: ast.FunctionDef) -> set[str]:
    """Return the numbers in a test's name whose clause refuses something in it."""
    found: set[str] = set()
    for clause in re.findall(r"refused_by\('([^']+)'\)|deck_refused\(.*\) == '([^']+)'", ast.unparse(test)):
        number = "".join(clause).partition("-")[2]
        if test.name.startswith(f"test_{number.replace('.', '_')}_"):
            found.add(number)
    return found


BOOK = Rulebook(
    Message("Toy", "おもちゃ"),
    {
        Clause(one): RulebookClause(Clause(one), kind, "A.", "あ。")  # type: ignore[arg-type]
        for one, kind in (("T-1.1", "rule"), ("T-1.2", "flow"), ("T-1.3", "term"), ("T-1.12", "rule"))
    },
    {},
    {},
)
NAMES = 'ONE: Final = Clause("T-1.1")\nTWO = Clause("T-1.2")\nTERM = Clause("T-1.3")\nLAST = Clause("T-1.12")'


def test_tests_cases_and_citations_are_counted() -> None:
    law = "from toy import clauses as C\ndef f():\n    yield C.ONE, 1\n    yield C.ONE, C.TERM\n"
    tests = "def test_1_1_it_holds(): ...\ndef test_1_12_too(): ...\ndef test_other(): ...\ndef helper_1_1(): ..."
    found = measure_coverage(BOOK, {CLAUSES: NAMES, "legality": law}, {"test_1": tests}, {"a case": ("T-1.2", "T-1.1")})
    rows = {row.clause: row for row in found.rows}
    assert [(row.name, row.cited) for row in found.rows if row.cited] == [
        ("ONE", ("legality",)),
        ("TERM", ("legality",)),
    ]
    assert rows[Clause("T-1.1")].tests == ("test_1::test_1_1_it_holds",) and rows[Clause("T-1.1")].cases == ("a case",)
    assert rows[Clause("T-1.12")].tests == ("test_1::test_1_12_too",)
    assert found.unknown == () and not any(row.missing for row in found.rows)


LAW = """
from domain.law.clause import implements
from toy import clauses as C
PILE = implements(C.TERM)(("pile",))
@implements(C.ONE, C.LAST)
@cache
def f():
    "It does it."
    t.emit(
        C.TWO, Fact()
    )
    for one in g(C.TWO):
        yield C.ONE, 1
"""


def test_what_is_told_and_what_is_carried_is_cited_with_its_line_and_function() -> None:
    rows = {row.name: row for row in measure_coverage(BOOK, {CLAUSES: NAMES, "law": LAW}, {}, {}).rows}
    assert {name: [(at.line, at.function, at.carried) for at in row.citations] for name, row in rows.items()} == {
        "ONE": [(7, "f", True), (13, "f", False)],
        "TWO": [(10, "f", False), (12, "f", False)],
        "TERM": [(4, "", True)],
        "LAST": [(7, "f", True)],
    }
    assert [at.source for at in rows["LAST"].citations] == ["It does it."]
    assert [at.source for at in rows["TWO"].citations] == ["t.emit( C.TWO, Fact() )", "for one in g(C.TWO):"]
    assert [row.name for row in rows.values() if not row.has_direct_citation] == ["TERM", "LAST"]
    assert implements(Clause("T-1.1"))(LAW) is LAW


def test_a_clause_that_binds_and_that_nothing_cites_is_found() -> None:
    found = measure_coverage(
        BOOK, {CLAUSES: NAMES.replace(": Final", ""), "law": LAW.replace("C.LAST", "C.ONE")}, {}, {}
    )
    assert [row.name for row in found.rows if row.uncited] == ["LAST"]
    assert "cited by no code: T-1.12 LAST" in table(found)


def test_a_clause_without_a_witness_and_names_without_a_clause_are_found() -> None:
    law = "from toy.clauses import ONE, NONE\nfrom toy import clauses\ndef f():\n    yield clauses.NOTHING, 1\n"
    modules = {CLAUSES: NAMES + '\nSTRAY = Clause("T-9.9")', "law": law}
    found = measure_coverage(BOOK, modules, {"test_1": "def test_4_4_gone(): ..."}, {"b case": ("T-7.7",)})
    assert [row.clause for row in found.rows if row.missing] == ["T-1.1", "T-1.2", "T-1.12"]
    assert found.unknown == (
        "clauses: STRAY = T-9.9",
        "law:1: NONE",
        "law:4: NOTHING",
        "test_1: test_4_4_gone",
        "case b case: T-7.7",
    )
    printed = "\n".join(table(found))
    assert printed.count("no test or case") == 3 and "no such clause: law:4: NOTHING" in printed


def test_a_clause_that_only_a_test_shows_needs_an_exception_and_a_shown_one_takes_none() -> None:
    tests = {"test_1": "def test_1_1_it_holds(): ...\ndef test_1_2_too(): ...\ndef test_1_12_too(): ..."}
    excused = tuple(Unreachable(Clause(one), "why", "理由") for one in ("T-1.1", "T-1.2", "T-8.8"))
    found = measure_coverage(BOOK, {CLAUSES: NAMES}, tests, {"a case": ("T-1.2",)}, excused)
    assert found.unexercised == ("T-1.12",) and found.reached == ("T-1.2",)
    assert found.unknown == ("unreachable: T-8.8",)
    printed = "\n".join(table(found))
    assert "in no case, and not listed as unreachable: T-1.12" in printed
    assert "unreachable: T-1.1: why" in printed and "but a case shows it: T-1.2" in printed


def test_the_gate_prints_a_table_of_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == (set(FINISHED) != set(GAMES)), "a game without fixtures has clauses without witnesses"
    printed = capsys.readouterr().out
    assert all(f"== {key}" in printed for key in GAMES)
    assert all(clause in printed for game in GAMES.values() for clause in game.rulebook.clauses)
