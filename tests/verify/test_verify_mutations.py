"""Mutations: each fits the current source, and a few are run. Run all with `python -m tools.mutations`."""

import ast
import json
import re
import shlex
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.games import FINISHED
from tools.mutations import ROOT, Mutation, Stale, attempt, main, mutate, mutations, run_pytest, run_trial
from tools.trial import CASEBOOK, PERFT, VERIFY

EVERY = mutations()
PACKAGES: Final = ("archive", "cli", "domain", "projections", "recorder", "service", "shinpan")
IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
BUILT_IN: Final = (str, bytes, int, list, dict, set, tuple)
ROTATES = "mark.rotates("
OUTSIDE = [one for one in EVERY if not one.game]


def why_unfit(one: Mutation) -> str:
    try:
        before = (ROOT / one.file).read_text(encoding="utf-8")
        after = mutate(before, one)
        ast.parse(after)
    except (OSError, Stale, SyntaxError) as error:
        return str(error)
    if before == after:
        return "changes nothing"
    missing = [name for name in map(path_of, one.found_by) if not (ROOT / name).exists()]
    turns = [
        name
        for name in map(path_of, one.found_by)
        if (ROOT / name).is_file() and ROTATES in (ROOT / name).read_text("utf-8")
    ]
    if turns and not one.nightly:
        return f"found_by: not every run takes all of {', '.join(turns)}"
    if missing:
        return f"found_by: no {', '.join(missing)}"
    return "" if one.game or one.found_by else "found_by: names no test"


def path_of(witness: str) -> str:
    return shlex.split(witness)[0].partition("::")[0]


def test_every_mutation_fits_the_tree() -> None:
    unfit = {f"{one.file}: {one.breaks}": why for one in EVERY if (why := why_unfit(one))}
    assert unfit == {}


def test_no_mutation_uses_a_name_that_is_gone(tmp_path: Path) -> None:
    """Such a mutation raises NameError or AttributeError, and tests nothing that it says."""
    for number, one in enumerate(EVERY):
        after = mutate((ROOT / one.file).read_text(encoding="utf-8"), one)
        (tmp_path / f"{number}.py").write_text(after, encoding="utf-8")
    ruff = Path(sysconfig.get_path("scripts")) / "ruff"
    command = (str(ruff), "check", "--isolated", "--no-cache", "--select", "F821", "--output-format", "json", ".")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = [(EVERY[int(Path(error["filename"]).stem)].breaks, error["message"]) for error in json.loads(done.stdout)]
    assert found == []


def test_no_mutation_uses_an_attribute_that_is_gone() -> None:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    known = {name for path in files for name in IDENTIFIER.findall(path.read_text(encoding="utf-8"))}
    found = []
    for one in EVERY:
        before = (ROOT / one.file).read_text(encoding="utf-8")
        added = list_attributes(mutate(before, one)) - list_attributes(before) - known
        found += [(one.breaks, name) for name in sorted(added) if not any(hasattr(kind, name) for kind in BUILT_IN)]
    assert found == []


def list_attributes(text: str) -> set[str]:
    return {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}


def test_every_mutation_is_there_once() -> None:
    assert len({(one.file, one.line, one.instead) for one in EVERY}) == len(EVERY)


def test_there_are_enough_of_every_game_and_outside_the_law() -> None:
    counted = Counter(one.game for one in EVERY)
    assert set(counted) == {*FINISHED, ""}
    assert min(counted[key] for key in FINISHED) >= 10 and counted[""] >= 40


def test_a_line_that_is_gone_is_named() -> None:
    with pytest.raises(Stale, match="occurs 0 times"):
        mutate("pass\n", EVERY[0])
    with pytest.raises(Stale, match="occurs 2 times"):
        mutate(f"{EVERY[0].line}\n    {EVERY[0].line}\n", EVERY[0])


def test_no_mutation_tried_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no such file"]) == 1
    assert "0 mutations" in capsys.readouterr().out


@pytest.mark.nightly
def test_sound_laws_and_tests_find_nothing() -> None:
    assert run_trial(ROOT, "grimoire") == run_trial(ROOT, "blackpoker") == {}
    assert run_pytest(ROOT, "tests/evidence/test_notes.py", nightly=False)[0] == 0
    assert run_pytest(ROOT, "tests/evidence/test_notes.py -k no_such_test", nightly=False)[0] > 1


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("breaks", "witness"),
    [
        ("one bulwark too many may be set in a turn", PERFT),
        ("requests of main timing are made on top of others", VERIFY),
        ("a resolved spell is not spended", CASEBOOK),
        ("a forged signature is accepted", "tests/evidence/test_notes.py -k forged"),
    ],
)
def test_a_mutation_is_found_by_its_witness(breaks: str, witness: str) -> None:
    (one,) = (each for each in EVERY if each.breaks == breaks)
    caught = attempt(one)
    assert witness in caught, caught
