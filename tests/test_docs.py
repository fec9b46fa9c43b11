"""Documentation pages show real output, and the demo runs."""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from cli.main import run

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
ELLIPSIS = "..."
CLOCK = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d")
"""Times of entries differ between runs of a page."""


PAGES = ("README.md", "README.ja.md", "docs/tutorial.md")
RECIPES = ("docs/howto.md", "docs/howto.ja.md")
REFUSED = "shinpan: "


def blocks(page: str, recipe: str = "") -> list[list[str]]:
    sessions: list[list[str]] = []
    text = (ROOT / page).read_text(encoding="utf-8")
    if recipe:
        text = re.split(r"^## ", text[text.index(f"## {recipe}\n") + 3 :], flags=re.M)[0]
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                sessions.append([line[2:]])
            else:
                sessions[-1].append(line)
    return sessions


def recipes(page: str) -> list[str]:
    parts = re.split(r"^## ", (ROOT / page).read_text(encoding="utf-8"), flags=re.M)[1:]
    return [part.partition("\n")[0] for part in parts if "```console" in part]


def environment(store: Path) -> dict[str, str]:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "SHINPAN_STORE": str(store), "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "PATH": path}


def answer(arguments: list[str]) -> list[str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        run(arguments)
    said = b""
    for stream in (out, err):
        stream.flush()
        said += stream.buffer.getvalue()  # type: ignore[attr-defined]
    return said.decode().splitlines()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_its_commands_print(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(tmp_path / "docs.sqlite").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ROOT)
    sessions = blocks(page)
    assert len(sessions) >= 6
    for command, *shown in sessions:
        program, *arguments = shlex.split(command)
        assert program == "shinpan"
        compare(shown, answer(arguments), command)


@pytest.mark.parametrize(("page", "recipe"), [(page, recipe) for page in RECIPES for recipe in recipes(page)])
def test_a_recipe_stands_alone(page: str, recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(tmp_path / "docs.sqlite").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ROOT)
    for command, *shown in blocks(page, recipe):
        program, *arguments = shlex.split(command)
        assert program == "shinpan"
        printed = answer(arguments)
        refused = [line for line in printed if line.startswith(REFUSED)]
        assert shown != [ELLIPSIS] or not refused, (command, printed)
        compare(shown, printed, command)


def test_the_day_of_notes_goes_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(Path("cup.sqlite")).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    sessions = blocks("docs/evidence.md")
    assert len(sessions) >= 12
    for command, *shown in sessions:
        compare(shown, answer(shlex.split(command)[1:]), command)
    left = {path.name for path in tmp_path.iterdir()}
    assert {"seal.key", "round-1.note", "round-2.note", "table-17.proof", "grown.proof"} <= left


def test_a_match_from_paper_goes_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(Path("paper.sqlite")).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    sessions = blocks("docs/paper.md")
    assert len(sessions) >= 10
    for command, *shown in sessions:
        compare(shown, answer(shlex.split(command)[1:]), command)
    ((head,),) = (re.findall(r"```text sheet\n(.*?)```", (ROOT / "docs/paper.md").read_text(encoding="utf-8"), re.S),)
    sheet = (ROOT / "fixtures" / "blackpoker" / "paper" / "kana.sheet").read_text(encoding="utf-8")
    assert head in sheet and (tmp_path / "both.sheet").is_file()


def test_questions_in_sql_are_answered_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(Path("cup.sqlite")).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    for command, *shown in blocks("docs/tables.md"):
        arguments, _, file = command.partition(" > ")
        printed = answer(shlex.split(arguments)[1:])
        if file:
            Path(file).write_text("\n".join(printed), encoding="utf-8")
        else:
            compare(shown, printed, command)
    text = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    questions = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.S)
    assert len(questions) == text.count("```python") == 3
    for code, rows in questions:
        with redirect_stdout(io.StringIO()) as printed_rows:
            exec(compile(code, "docs/tables.md", "exec"), {})
        compare(rows.splitlines(), printed_rows.getvalue().splitlines(), code)


def compare(shown: list[str], printed: list[str], what: str) -> None:
    """Check that a page shows all printed lines in order, except at ellipses."""
    printed = [CLOCK.sub("(then)", line) for line in printed]
    rest = printed
    for line in shown:
        if line == ELLIPSIS:
            continue
        expected = CLOCK.sub("(then)", line)
        assert expected in rest, (what, line, printed)
        rest = rest[rest.index(expected) + 1 :]
    if ELLIPSIS not in shown:
        assert len(shown) == len(printed), (what, printed)


@pytest.mark.parametrize("page", PAGES[:2])
def test_six_lines_of_python_record_audit_and_show(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    ((code, shown),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.S)
    lines = [line for line in code.splitlines() if line and not line.startswith(("from ", "import "))]
    assert len(lines) <= 6
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, page, "exec"), {})
    compare(shown.splitlines(), printed.getvalue().splitlines(), page)


@pytest.mark.nightly
@pytest.mark.process
def test_the_demo_runs_through() -> None:
    env = environment(ROOT / "unused")
    done = subprocess.run(
        ["sh", "fixtures/demo.sh"],
        check=False,
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    told = (
        "findings: 3",
        "指摘：3件",
        "findings that disappear: 1",
        "rewound to entry 46",
        "undone by a rewind",
        "the ruling is overturned",
        "case file written to .demo/players.html",
        "sealed: 2 leaves, 2 new",
        "all links are intact",
        "entry 56: altered",
    )
    for seen in told:
        assert seen in done.stdout, seen
    printed = CLOCK.sub("(then)", done.stdout).splitlines()
    for _, *shown in blocks(PAGES[0]):
        assert not {CLOCK.sub("(then)", line) for line in shown} - {*printed, ELLIPSIS}, "the page shows what it prints"
