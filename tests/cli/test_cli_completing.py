"""Tab completes every kind of value: what is offered, from what, and that nothing is loaded, written or waited for."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.completing import program as P, table, values
from cli.completing.words import split
from cli.start import TAB
from domain.games import GAMES
from domain.law.slots import verb
from recorder import glance
from recorder.store import Store
from tests.cli.runs import ROOT, Ran, disputed, fine, program
from tools.completion import table as known_now

MANY = 5_000
WAITING = {P.PATIENCE: "60"}
"""A shell that waits however busy the machine is."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completing")
    fine(disputed(folder), "new", "grimoire@1", "--match", "cup-1", "--p1", "Aoi Tanaka", "--p2", "$(touch x)`y`\"'")
    return folder / "shinpan.sqlite"


@pytest.fixture
def ask(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What is offered behind these words, the last one being typed; without the texts beside it."""
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "SHINPAN_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHINPAN_STORE", str(made))
    monkeypatch.setenv("HOME", str(tmp_path))

    def asked(*words: str) -> list[str]:
        first, *rest = P.lines("zsh", list(words))
        return ([f"({first})"] if first else []) + [line.partition("\t")[0] for line in rest]

    return asked


def test_the_table_is_made_from_the_program(same_as_file: Callable[[Path, str], None]) -> None:
    same_as_file(table.FILE, known_now())


KINDS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "commands": (("rej",), ["rejudge"]),
    "commands of several panels": (("re",), ["rewind", "resume", "reseal", "reveal", "rejudge", "regress"]),
    "commands of a group": (("corpus", "in"), ["info", "index"]),
    "options": (("show", "--a"), ["--at", "--as"]),
    "options that all share": (("case", "run", "--no"), ["--no-pager"]),
    "options before the command": (("--v",), ["--version"]),
    "an option is offered once": (("show", "--at", "3", "--a"), ["--as"]),
    "but may be repeated where it sets one of many": (("new", "--set", "hand.limit=5", "--se"), ["--seed", "--set"]),
    "matches": (("show", ""), ["cup-1", "table-17"]),
    "matches by their beginning": (("why", "tab"), ["table-17"]),
    "matches beside files": (("rejudge", "cup"), ["(files)", "cup-1"]),
    "viewers": (("show", "table-17", "--as", ""), ["p1", "p2", "spectator", "judge", "Aoi", "Ren"]),
    "viewers written with =": (("show", "table-17", "--as=p"), ["--as=p1", "--as=p2"]),
    "viewers by the beginning of an id": (("show", "cup", "--as", "Ao"), ["Aoi Tanaka"]),
    "seats": (("play", "table-17", "--as", ""), ["p1", "p2"]),
    "more seats": (("play", "table-17", "--as", "p2,"), ["p2,p1"]),
    "versions": (("new", "blackpoker@9"), ["blackpoker@9.0-lite", "blackpoker@9.1-lite", "blackpoker@9.2-lite"]),
    "versions beside files": (("rejudge", "m", "--rules", "grim"), ["(files)", "grimoire@1"]),
    "games": (("coverage", ""), [*GAMES]),
    "games of which a version may be named": (("rulebook", "grimoire@"), ["grimoire@1"]),
    "option names": (("new", "blackpoker@8.1-lite", "--set", "throwing.d"), ["throwing.damage_suit="]),
    "option values": (
        ("new", "blackpoker@8.1-lite", "--set", "throwing.damage_suit="),
        ["throwing.damage_suit=club", "throwing.damage_suit=spade"],
    ),
    "options of the match's game": (("audit", "table-17", "--reading", "throwing.d"), ["throwing.damage_suit="]),
    "two readings": (
        ("compare", "blackpoker", "--reading", "throwing.damage_suit=spade,"),
        ["throwing.damage_suit=spade,club"],
    ),
    "clauses": (("rulebook", "blackpoker", "BP-7.15"), ["BP-7.15"]),
    "frames": (("new", "blackpoker@8.1-lite", "--frame", "entry2"), ["entry20"]),
    "decks": (("new", "grimoire@1", "--deck", "p"), ["p1=", "p2="]),
    "verbs": (("perft", "grimoire@1", "--without", "conc"), ["concede"]),
    "who acts": (("do", "table-17", ""), ["p1:", "p2:", "chance:"]),
    "actions as words": (("do", "table-17", "p1:", "att"), ["attack"]),
    "actions as one word": (("do", "table-17", "p1: att"), ["p1: attack"]),
    "no verb behind a verb": (("do", "table-17", "p1:", "attack", "att"), []),
    "languages": (("matches", "--lang", ""), ["ja", "en"]),
    "formats": (("export", "m", "--format", "n"), ["notation"]),
    "files": (("import", ""), ["(files)"]),
    "folders": (("simulate", "--out", ""), ["(dirs)"]),
    "nothing for a free text": (("note", "table-17", ""), []),
    "nothing for a number": (("why", "table-17", ""), []),
    "nothing behind a command that there is not": (("replay", ""), []),
    "no option behind --": (("show", "--", "--a"), []),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_offered(ask: Callable[..., list[str]], kind: str) -> None:
    words, offered = KINDS[kind]
    assert ask(*words) == offered


def test_every_clause_and_every_verb_is_offered(ask: Callable[..., list[str]]) -> None:
    for key, game in GAMES.items():
        assert ask("rulebook", key, "") == [*game.rulebook.clauses]
        verbs = {verb(action) for action in game.action_types if action not in game.other_verbs.values()}
        assert {*ask("perft", f"{key}@1", "--without", "")} == verbs


def test_candidates_say_what_they_are_in_the_language_asked_for(ask: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert P.lines("zsh", ["matches", "--op"]) == ["", "--open\tOnly those that are not closed."]
    japanese = ["", "--open\tまだ閉じていない対戦だけを表示します。"]
    assert P.lines("zsh", ["--lang", "ja", "matches", "--op"]) == japanese
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert P.lines("zsh", ["matches", "--op"]) == japanese
    monkeypatch.setenv("SHINPAN_LANG", "en")
    assert P.lines("zsh", ["matches", "--op"]) != japanese
    clause = P.lines("zsh", ["rulebook", "blackpoker", "BP-7.15"])[1].partition("\t")[2]
    assert clause.startswith("A character that arrived") and len(clause) <= values.TEXT_MAX


def test_the_store_is_the_one_of_the_option_the_environment_or_the_folder(
    ask: Callable[..., list[str]], made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.sqlite"
    fine(other, "new", "blackpoker@8.1-lite", "--match", "other-1")
    assert ask("--store", str(other), "show", "") == ["other-1"]
    assert ask("show", f"--store=sqlite://{other}", "") == ["other-1"]
    (tmp_path / "shinpan.toml").write_text('store = "other.sqlite"\nruleset = "grimoire@1"\n', encoding="utf-8")
    assert "table-17" in ask("show", ""), "the environment comes before the folder"
    monkeypatch.delenv("SHINPAN_STORE")
    assert ask("show", "") == ["other-1"]
    assert ask("new", "--set", "throwing.d") == [], "the default ruleset names the game"
    (tmp_path / "shinpan.toml").write_text("nonsense = 1\n", encoding="utf-8")
    assert asked_of_program(tmp_path, "show", "").out == "", "no place for an error"


def asked_of_program(folder: Path, *words: str, store: Path | None = None, **more: str) -> Ran:
    ran = program(folder, *words, store=store, **{TAB: "zsh", **WAITING, **more})
    assert (ran.code, ran.err) == (0, "")
    return ran


# -- stores in any state ----------------------------------------------------------------------------------------------


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of a folder, with the moment of its last change and its bytes."""
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


def test_nothing_is_written_or_made(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    store = folder / "s.sqlite"
    shutil.copy(made, store)
    before = state(folder)
    assert "table-17" in asked_of_program(folder, "show", "", store=store).out
    assert "p1" in asked_of_program(folder, "show", "table-17", "--as", "", store=store).out
    assert state(folder) == before
    with Store.open(store) as opened:
        assert opened.matches()
        fine(store, "new", "blackpoker@8.1-lite", "--match", "fresh", "--seed", "1")
        during = {name: data for name, data in state(folder).items() if not name.endswith("-shm")}
        assert "fresh" in asked_of_program(folder, "show", "", store=store).out, "what lies in the log alone is seen"
        assert {name: data for name, data in state(folder).items() if not name.endswith("-shm")} == during
    for missing in (folder / "none.sqlite", folder):
        assert asked_of_program(folder, "show", "", store=missing).out == "\n"
    assert not (folder / "none.sqlite").exists()
    assert asked_of_program(folder, "show", "", XDG_DATA_HOME=str(folder / "data")).out == "\n"
    assert not (folder / "data").exists()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_nobody_waits_for_a_store_that_is_locked(made: Path, tmp_path: Path, mode: str) -> None:
    """There is nothing to be offered: not what lies there half written, nor what could be read if one waited."""
    store = tmp_path / "locked.sqlite"
    shutil.copy(made, store)
    with closing(sqlite3.connect(store, isolation_level=None)) as holder:
        holder.execute(f"PRAGMA journal_mode={mode}")
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("INSERT INTO matches (match) VALUES ('unfinished')")
        assert asked_of_program(tmp_path, "show", "", store=store).out == "\n"


def test_of_a_huge_store_only_so_many_rows_are_looked_at(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "huge.sqlite"
    shutil.copy(made, store)
    with closing(sqlite3.connect(store)) as filling:
        filling.executemany("INSERT INTO matches (match) VALUES (?)", ((f"m-{n:06}",) for n in range(MANY)))
        filling.commit()
    assert glance.matches(store, "", 3) == [f"m-{MANY - n:06}" for n in (1, 2, 3)], "the newest"
    assert len(glance.matches(store, "m-", values.MATCHES_MAX)) == values.MATCHES_MAX
    assert glance.matches(store, "table", values.MATCHES_MAX) == ["table-17"]
    with closing(sqlite3.connect(store)) as looking:
        for prefix in ("", "m-"):
            steps: list[int] = []
            looking.set_progress_handler(lambda: steps.append(1), 1)  # noqa: B023 - read at once
            statement, *parameters = statements(prefix)
            assert looking.execute(statement, parameters).fetchall()
            assert len(steps) < 20 * values.MATCHES_MAX, "as many steps as rows that are offered, not that are there"


def statements(prefix: str) -> tuple[object, ...]:
    """The statement that asks for matches, and its parameters."""
    found: list[tuple[object, ...]] = []
    patched = pytest.MonkeyPatch()
    patched.setattr(glance, "_column", lambda path, statement, *parameters: found.append((statement, *parameters)))
    glance.matches(Path("unused"), prefix, values.MATCHES_MAX)
    patched.undo()
    return found[0]


@pytest.mark.parametrize("content", [b"", b"no store at all", b"SQLite format 3\x00" + b"\x00" * 4_000])
def test_what_is_no_store_offers_nothing(tmp_path: Path, content: bytes) -> None:
    (store := tmp_path / "s.sqlite").write_bytes(content)
    for words in (("show", ""), ("show", "m", "--as", "")):
        assert asked_of_program(tmp_path, *words, store=store).out in ("\n", "\nspectator\njudge\n")


def test_a_damaged_first_entry_offers_no_player(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "damaged.sqlite"
    shutil.copy(made, store)
    with closing(sqlite3.connect(store)) as damaging:
        damaging.execute("UPDATE stored_events SET state=? WHERE originator_version=1", (b"\xc1",))
        damaging.commit()
    assert asked_of_program(tmp_path, "show", "table-17", "--as", "", store=store).out == "\nspectator\njudge\n"


BLOCKED = """
import sys, threading
from cli.completing import program
program._answer = lambda *_: threading.Event().wait()
program.SECONDS = 0.01
sys.argv = ["shinpan", "show", ""]
program.main("zsh")
"""


def test_what_takes_longer_than_a_shell_waits_is_left(tmp_path: Path) -> None:
    """The answer never comes; the program ends all the same, and says nothing."""
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", BLOCKED]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


LOADED = """
import os, sys
os._exit = lambda code: sys.exit(code)
from cli.start import main
try:
    main()
except SystemExit:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def test_neither_the_program_nor_any_law_is_loaded(made: Path, tmp_path: Path) -> None:
    def loaded(*words: str) -> set[str]:
        environ = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "SHINPAN_STORE": str(made),
            TAB: "zsh",
            **WAITING,
        }
        command = [sys.executable, "-c", LOADED, *words]
        done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, check=True)
        return set(done.stderr.decode().split())

    ours = {"cli", "cli.start", "cli.project", "recorder", "recorder.glance"}
    for words in (("show", ""), ("new", "black"), ("rulebook", "grimoire", "GR-"), ("show", "table-17", "--as", "")):
        modules = loaded(*words)
        room = {name for name in modules if name.split(".")[0] in ("cli", "domain", "recorder", "projections")}
        assert {name for name in room if not name.startswith("cli.completing")} == ours
        assert not modules & {"typer", "rich", "eventsourcing"}
        assert ("msgspec" in modules) == ("--as" in words)


# -- what has been typed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words", "quote"),
    [
        ("shinpan show ", ["shinpan", "show", ""], ""),
        ("shinpan  show a\\ b", ["shinpan", "show", "a b"], ""),
        ("shinpan do m 'p1: at", ["shinpan", "do", "m", "p1: at"], "'"),
        ('shinpan do m "p1: \\"at', ["shinpan", "do", "m", 'p1: "at'], '"'),
        ("shinpan x'y z'w", ["shinpan", "xy zw"], ""),
        ("shinpan '' b", ["shinpan", "", "b"], ""),
        ("", [""], ""),
        ("a\\", ["a"], ""),
    ],
)
def test_a_line_of_bash_is_read_as_bash_reads_it(line: str, words: list[str], quote: str) -> None:
    assert split(line) == (words, quote)


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        ("shinpan show table", ["table-17"]),
        ("shinpan new blackpoker@8.1-lite --set throwing.damage_suit=cl", ["club"]),
        ("shinpan new grimoire@", ["@1"]),
        ("shinpan new 'grimoire@", ["grimoire@1"]),
        ("shinpan show cup-1 --as Aoi", ["Aoi\\ Tanaka"]),
        ("shinpan show cup-1 --as 'Aoi T", ["Aoi Tanaka"]),
        ("shinpan show cup-1 --as \\$", ["\\$\\(touch\\ x\\)\\`y\\`\\\"\\'"]),
        ("shinpan show cup-1 --as=p", ["p1", "p2"]),
        ('shinpan do table-17 "p1: att', ["p1: attack"]),
        ("shinpan do table-17 p1: att", ["attack"]),
    ],
)
def test_bash_gets_what_it_puts_in_place_of_the_part_it_knows(ask: object, line: str, replaced: list[str]) -> None:
    assert P.lines("bash", [line, " \t\n\"'@><=;|&(:"])[1:] == replaced
