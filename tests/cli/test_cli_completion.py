"""Shell completion: the installed scripts and the candidates that a shell receives."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.runs import Ran, disputed, fine, program

SHELLS = {
    "bash": (".bash_completions/shinpan.sh", "complete -o default -F _shinpan_completion shinpan"),
    "zsh": (".zfunc/_shinpan", "#compdef shinpan"),
    "fish": (".config/fish/completions/shinpan.fish", "complete --command shinpan"),
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = disputed(tmp_path)
    fine(path, "new", "grimoire@1", "--match", "cup-1")
    return path


def complete(folder: Path, line: str, store: Path | None = None, **more: str) -> Ran:
    words = line.split(" ")
    asked = {"_SHINPAN_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return program(folder, store=store, **asked, **more)


def completed(folder: Path, line: str, store: Path | None = None, **more: str) -> list[str]:
    ran = complete(folder, line, store, **more)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_shown_and_installed(tmp_path: Path, shell: str) -> None:
    file, text = SHELLS[shell]
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = program(tmp_path, "--show-completion", shell, **named)
    assert (shown.code, shown.err) == (0, "") and text in shown.out
    assert program(tmp_path, "--install-completion", shell, **named).code == 0
    assert (tmp_path / file).read_text("utf-8").strip() == shown.out.strip()


def test_commands_and_options_are_completed(tmp_path: Path) -> None:
    assert completed(tmp_path, "shinpan rew") == ["rewind"]
    assert completed(tmp_path, "shinpan case r") == ["run"]
    assert completed(tmp_path, "shinpan show --a") == ["--at", "--as"]
    assert {"games", "show", "case"} <= set(completed(tmp_path, "shinpan "))


def test_match_ids_are_completed_from_the_store_that_is_named(tmp_path: Path, store: Path) -> None:
    assert completed(tmp_path, "shinpan show ", store) == ["cup-1", "table-17"]
    assert completed(tmp_path, "shinpan show tab", store) == ["table-17"]
    assert completed(tmp_path, f"shinpan show --store {store} cup") == ["cup-1"]
    assert completed(tmp_path, f"shinpan --store {store} audit cup") == ["cup-1"]
    (tmp_path / "shinpan.toml").write_text(f'store = "{store.name}"\n', encoding="utf-8")
    assert completed(tmp_path, "shinpan show cup") == ["cup-1"]


def test_zsh_and_fish_are_answered(tmp_path: Path, store: Path) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "shinpan show tab", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    fish = program(tmp_path, store=store, _SHINPAN_COMPLETE="complete_fish", **asked)
    assert (fish.code, fish.out, fish.err) == (0, "table-17\n", "")
    zsh = program(tmp_path, store=store, _SHINPAN_COMPLETE="complete_zsh", **asked)
    assert (zsh.code, zsh.err) == (0, "") and '"table-17"' in zsh.out


def test_an_id_that_no_match_may_have_is_not_passed_to_the_shell(tmp_path: Path, store: Path) -> None:
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE matches SET match='t$(touch x)' WHERE match='table-17'")
    assert completed(tmp_path, "shinpan show t", store) == []


@pytest.mark.parametrize("content", (None, b"", b"no database at all", b"SQLite format 3\0" + 100 * b"x"))
def test_a_store_that_cannot_be_read_completes_nothing(tmp_path: Path, content: bytes | None) -> None:
    broken = tmp_path / "broken.sqlite"
    if content is not None:
        broken.write_bytes(content)
    assert completed(tmp_path, "shinpan show t", broken) == []
    assert broken.exists() == (content is not None)


@pytest.mark.parametrize("address", ("http://127.0.0.1:9", "postgresql://nobody@127.0.0.1:9/none", "ftp://x/y"))
def test_a_store_at_an_address_completes_nothing(tmp_path: Path, address: str) -> None:
    assert completed(tmp_path, f"shinpan show --store {address} t") == []


def test_a_store_that_is_locked_completes_nothing(tmp_path: Path, store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as database:
        database.execute("PRAGMA locking_mode=EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        assert completed(tmp_path, "shinpan show t", store) == []


def test_an_error_is_not_shown_at_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "shinpan.toml").write_text("no_such_key = 1\n", encoding="utf-8")
    ran = complete(tmp_path, "shinpan show t")
    assert (ran.out, ran.err) == ("", "")


def test_a_script_of_an_earlier_version_runs_no_command(tmp_path: Path, store: Path) -> None:
    ran = program(tmp_path, "close", "table-17", store=store, _SHINPAN_TAB="zsh")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "closed" not in fine(store, "log", "table-17").out
