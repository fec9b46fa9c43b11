"""Width of the output: a terminal gets fitted lines, a pipe gets the same text unwrapped."""

import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from cli.drawing import Screen
from cli.layout import NEVER_FIRST, width
from cli.main import run
from tests.cli.runs import ROOT, fine, inside

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

MATCHES = {"table-17": "blackpoker/matches/disputed", "high-magic-4": "grimoire/matches/void-control"}
MORE = ("grimoire/matches/two-teams", "grimoire/matches/stack-fight")
CHANGE = f"{ROOT}/fixtures/blackpoker/matches/changes/rc-01.spn"
OTHERWISE = ("rejudge", CHANGE, "--set", "throwing.damage_suit=spade", "--as", "judge")
WIDTHS = (60, 80, 120)

TEXTS = [
    *(("show", match, "--as", seat) for match in MATCHES for seat in ("judge", "p1", "spectator")),
    *((command, match, "--as", "judge") for match in MATCHES for command in ("log", "audit", "stack")),
    ("log", "table-17", "--flow"),
    ("show", "pairs-1", "--as", "judge"),
    *(
        ("rewind", match, "--to", "30", "--reason", "a long look at it", "--dry-run")
        for match in ("table-17", "high-magic-2")
    ),
    ("why", "table-17", "10", "--as", "judge"),
    OTHERWISE,
]
"""Commands without tables, whose text must not be cut."""
TABLES = [
    ("matches",),
    ("coverage", "blackpoker"),
    ("coverage", "grimoire"),
    (*OTHERWISE, "--beside"),
    ("rulebook", "grimoire"),
    ("case", "run", f"{ROOT}/fixtures/blackpoker/cases/e01-e02.cases.toml"),
]


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("widths") / "shinpan.sqlite"
    for record in (*MATCHES.values(), *MORE):
        fine(path, "import", f"{ROOT}/fixtures/{record}.spn")
    return path


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a few casebooks, since a table of their coverage has all rows."""
    folder = tmp_path_factory.mktemp("shelf")
    for game in ("blackpoker", "grimoire"):
        (folder / "fixtures" / game / "cases").mkdir(parents=True)
        for book in sorted((ROOT / "fixtures" / game / "cases").iterdir())[:2]:
            (folder / "fixtures" / game / "cases" / book.name).symlink_to(book)
        for path in (ROOT / "fixtures" / game).glob("*.*"):
            (folder / "fixtures" / game / path.name).symlink_to(path)
    return folder


@pytest.fixture(autouse=True)
def _few_cases(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shelf)


@pytest.fixture(params=[(columns, lang) for columns in WIDTHS for lang in ("en", "ja")], ids=str)
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, str]]:
    columns, lang = request.param
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm-256color")
    yield columns, lang


def on_terminal(store: Path, lang: str, *arguments: str) -> tuple[str, str]:
    """Return the output on a terminal, without its colours and unchanged."""
    return _on_terminal(os.environ["COLUMNS"], store, lang, *arguments)


@cache
def _on_terminal(columns: str, store: Path, lang: str, *arguments: str) -> tuple[str, str]:
    """Cached for each window, since no command here writes."""
    out, err = (Terminal(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        run(["--lang", lang, "--store", str(store), *arguments])
    out.flush()
    sent = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return re.sub(r"\x1b\[[0-9;]*m", "", sent), sent


@cache
def piped(store: Path, lang: str, *arguments: str) -> str:
    """Return the output on a pipe, which does not depend on the window."""
    return inside(store, "--lang", lang, *arguments).out


def too_wide(text: str, columns: int) -> list[str]:
    return [line for line in text.splitlines() if width(line) > columns and " " in line.strip()]


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_texts_fit_the_window_and_lose_nothing(store: Path, window: tuple[int, str]) -> None:
    columns, lang = window
    for arguments in TEXTS:
        shown, sent = on_terminal(store, lang, *arguments)
        assert too_wide(shown, columns) == [], arguments
        assert squeezed(shown) == squeezed(piped(store, lang, *arguments)), arguments
        assert not any(line.strip()[:1] in NEVER_FIRST for line in shown.splitlines() if line.strip()), arguments
        assert "\x1b[" in sent, (arguments, "one writer draws with colours and without")


def test_no_clause_card_or_word_is_broken(store: Path, window: tuple[int, str]) -> None:
    _, lang = window
    for arguments in TEXTS:
        words = set(re.findall(r"[A-Za-z0-9.-]+(?: \(u\d+)?", piped(store, lang, *arguments)))
        shown, _ = on_terminal(store, lang, *arguments)
        assert set(re.findall(r"[A-Za-z0-9.-]+(?: \(u\d+)?", shown)) == words, arguments


@pytest.mark.parametrize("arguments", TABLES, ids=lambda some: some[0])
def test_tables_fit_the_window(arguments: tuple[str, ...], store: Path, window: tuple[int, str]) -> None:
    columns, lang = window
    shown, _ = on_terminal(store, lang, *arguments)
    assert shown and too_wide(shown, columns) == []


def test_what_goes_on_in_the_next_line_hangs_below_its_row(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = on_terminal(store, "en", "show", "table-17", "--at", "30", "--as", "judge")[0].splitlines()
    at = lines.index("  hand 7 C10 (u51) | D10 (u53) | D7 (u50) | H8 (u48) |")
    assert lines[at + 1] == "      S2 (u54) | S5 (u49) | SA (u70)"
    japanese = on_terminal(store, "ja", "log", "table-17")[0].splitlines()
    at = japanese.index("30 Aoi：ツイスト：キーカード D7(u75)、コストで捨てるカード")
    assert japanese[at + 1] == "    C5、対象 C6(u58) 実際のプレイどおりに記録、違反：BP-4.2"


def test_a_pipe_gets_lines_as_they_come_whatever_the_window(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for arguments in (*TEXTS, *TABLES):
        narrow = inside(store, "--lang", "en", *arguments).out
        monkeypatch.setenv("COLUMNS", "400")
        assert inside(store, "--lang", "en", *arguments).out == narrow
        monkeypatch.setenv("COLUMNS", "40")
    assert max(map(width, piped(store, "en", "show", "pairs-1", "--as", "judge").splitlines())) > 1_000


def draw_table(columns: int | None, monkeypatch: pytest.MonkeyPatch, rows: list[list[str]], **how: object) -> list[str]:
    """Return the lines of a three-column table in a window of this width, or on a pipe."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "dumb")
    out = (io.TextIOWrapper if columns is None else Terminal)(io.BytesIO(), "utf-8")
    Screen(out, io.StringIO()).table(["name", "what it says", "number"], rows, **how)  # type: ignore[arg-type]
    out.flush()
    return out.buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined]


ROWS = [["a-name-without-blanks", "some words that go on and on", "1"], ["審判の名前", "a", "1,000"]]


def test_a_table_folds_words_then_leaves_out_what_its_caller_can_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    assert draw_table(None, monkeypatch, ROWS) == draw_table(80, monkeypatch, ROWS)
    assert draw_table(80, monkeypatch, ROWS)[2] == "審判の名前             a                             1,000"
    assert draw_table(48, monkeypatch, ROWS) == [
        "name                   what it says       number",
        "a-name-without-blanks  some words that    1",
        "                       go on and on",
        "審判の名前             a                  1,000",
    ]
    assert draw_table(40, monkeypatch, ROWS) == [
        "name                   what it says",
        "a-name-without-blanks  some words that",
        "                       go on and on",
        "審判の名前             a",
        "columns omitted for lack of width:",
        "    number",
    ]
    assert draw_table(40, monkeypatch, ROWS, drop=[1])[0] == "name                   number"
    assert draw_table(25, monkeypatch, ROWS)[-2:] == ["    of width: what it", "    says, number"]


def test_columns_that_must_stay_are_folded_within_a_word_before_they_are_too_wide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = draw_table(30, monkeypatch, ROWS, keep=3)
    assert max(map(width, lines)) <= 30 and not any("left out" in line for line in lines)
    assert draw_table(None, monkeypatch, ROWS, most=8)[2:5] == [
        "a-name-w  some      1",
        "ithout-b  words",
        "lanks     that go",
    ]
