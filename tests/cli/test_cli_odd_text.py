"""Stores with column values that Shinpan never writes: a clear error, never a crash."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recorder.keyring import SUFFIX as KEYS, Holder, Keyring
from recorder.store import Store, StoreError
from tests.cli.runs import disputed, fine, inside, refusal

MATCH = "table-17"
NO_TEXT = "CAST(x'ff' AS TEXT)"
UNSTORABLE = {
    (table, "number", odd) for table in ("matches", "leaves", "checkpoints") for odd in (NO_TEXT, "x'ff'", "-1.5")
}
"""Columns that SQLite itself restricts to integers."""
COMMANDS = (
    ("matches",), ("show", MATCH), ("note", MATCH, "hm"), ("note", MATCH, "hm", "--command-id", "c1"),
    ("audit", MATCH), ("export", MATCH), ("backup", "{folder}/b.sqlite"),
    ("store", "copy", "{folder}/a.sqlite", "{folder}/c.sqlite"), ("branch", MATCH, "--at", "5"),
    ("check", "{folder}/a.sqlite"), ("forget", "--player", "Aoi"), ("seal",),
)  # fmt: skip


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = disputed(tmp_path_factory.mktemp("sound"))
    fine(where, "note", MATCH, "hm", "--command-id", "c1")
    fine(where, "close", MATCH, "--abandon", "--reason", "late")
    return where


def columns(where: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(where)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return [(table, row[1]) for table in tables for row in file.execute(f"PRAGMA table_info({table})")]


def change(where: Path, statement: str) -> None:
    with closing(sqlite3.connect(where)) as file, file:
        file.execute(statement)


def test_a_format_that_is_no_text_is_told(sound: Path, tmp_path: Path) -> None:
    for key in ("format", "store"):
        where = Path(shutil.copy(sound, tmp_path / f"{key}.sqlite"))
        change(where, f"UPDATE meta SET value={NO_TEXT} WHERE key='{key}'")
        for command in (("matches",), ("show", MATCH), ("note", MATCH, "hm"), ("backup", "b.sqlite")):
            assert "text that is not UTF-8" in refusal(where, *command), (key, command)
        for read_only in (True, False):
            with pytest.raises(StoreError) as caught:
                Store.open(where, read_only=read_only)
            assert caught.value.trouble == "corrupt" and caught.value.text.say("ja") != caught.value.text.say("en")


@pytest.mark.parametrize("odd", [NO_TEXT, *(pytest.param(odd, marks=pytest.mark.nightly) for odd in ("x'ff'", "-1.5"))])
def test_no_odd_value_in_any_column_ends_a_command_as_by_a_bug(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for table, column in columns(sound):
        if (table, column, odd) in UNSTORABLE:
            continue
        for command in COMMANDS:
            folder = tmp_path / "new"
            folder.mkdir()
            where = Path(shutil.copy(sound, folder / "a.sqlite"))
            change(where, f"UPDATE OR IGNORE {table} SET {column}={odd}")
            ran = inside(where, *(part.format(folder=folder) for part in command))
            assert ran.code in (0, 1, 2), (table, column, command, ran)
            shutil.rmtree(folder)


def test_a_leaf_of_no_number_is_copied_as_damage(sound: Path, tmp_path: Path) -> None:
    where = Path(shutil.copy(sound, tmp_path / "a.sqlite"))
    change(where, "UPDATE leaves SET entries=x'ff'")
    ran = inside(where, "store", "copy", str(where), str(tmp_path / "c.sqlite"))
    assert ran.code == 1 and MATCH in ran.out, ran


def test_a_key_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    where = tmp_path / f"a.sqlite{KEYS}"
    with Keyring.open(where) as keys:
        token = keys.issue(Holder(role="judge", name="Ito"), 9)
        invitation = keys.invite(Holder(role="judge", name="Ito"), 9)
        for odd in ("x'ff'", NO_TEXT, "x'80'", "7"):
            change(where, f"UPDATE keys SET holder={odd}")
            for use in (lambda: keys.key(token, 1), lambda: keys.exchange(invitation, 1, 9)):
                with pytest.raises(StoreError) as caught:
                    use()
                assert caught.value.trouble == "corrupt" and str(where) in str(caught.value)
