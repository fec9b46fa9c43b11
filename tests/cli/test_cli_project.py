"""The project file: its search upwards, its precedence after options and environment, its errors."""

import os
from contextlib import chdir
from pathlib import Path

import pytest

from cli import project as P
from cli.project import BadProject, load_project
from tests.cli.runs import Ran, disputed, fine, program

pytestmark = pytest.mark.process

JA, EN = "対戦", "match"


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (file := folder / P.FILE).write_text(text, encoding="utf-8")
    return file


def run_refused(folder: Path, *arguments: str, **more: str) -> Ran:
    ran = program(folder, *(arguments or ("matches",)), **more)
    assert (ran.code, ran.out) == (2, "")
    return ran


def test_the_store_is_named_from_the_file_upwards(tmp_path: Path) -> None:
    """Relative paths start at the folder of the file."""
    write(tmp_path / "cup", 'store = "kept/cup.sqlite"\n')
    below = tmp_path / "cup" / "day" / "hall"
    for folder in (below, tmp_path / "cup" / "kept"):
        folder.mkdir(parents=True)
    home = {"HOME": str(tmp_path)}
    match = program(below, "new", "blackpoker@8.1-lite", "--match", "m1", **home)
    assert match.out == "m1\n" and (tmp_path / "cup" / "kept" / "cup.sqlite").is_file()
    assert "m1" in program(tmp_path / "cup", "matches", **home).out
    assert "m1" not in program(tmp_path, "matches", **home).out, "not above it"


@pytest.mark.parametrize("written", ["sqlite://kept.sqlite", "./kept.sqlite", "sqlite:///{folder}/kept.sqlite"])
def test_a_store_is_written_as_the_option_takes_it(tmp_path: Path, written: str) -> None:
    write(tmp_path, f'store = "{written.format(folder=str(tmp_path)[1:])}"\n')
    with chdir(tmp_path):
        assert load_project().store == str(tmp_path / "kept.sqlite")


def test_options_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    stores = {name: tmp_path / f"{name}.sqlite" for name in ("option", "environment", "file")}
    for name, store in stores.items():
        fine(store, "new", "blackpoker@8.1-lite", "--match", f"in-{name}", "--seed", "1")
    write(tmp_path, f'store = "{stores["file"].name}"\nlang = "ja"\n')
    listed = program(tmp_path, "matches")
    assert "in-file" in listed.out and JA in listed.out, "the file comes before the locale"
    listed = program(tmp_path, "matches", store=stores["environment"], SHINPAN_LANG="en")
    assert "in-environment" in listed.out and EN in listed.out
    asked = ("--store", str(stores["option"]), "--lang", "ja")
    listed = program(tmp_path, "matches", *asked, store=stores["environment"], SHINPAN_LANG="en")
    assert "in-option" in listed.out and JA in listed.out


def test_no_file_above_the_users_own_folder_is_looked_for(tmp_path: Path) -> None:
    write(tmp_path, 'lang = "ja"\n')
    home = tmp_path / "home"
    (home / "cup").mkdir(parents=True)
    assert EN in program(home / "cup", "matches", HOME=str(home)).out
    assert JA in program(home / "cup", "matches", HOME=str(tmp_path)).out
    write(home, "")
    assert EN in program(home / "cup", "matches", HOME=str(tmp_path)).out, "the nearest alone holds"


def test_a_match_is_opened_with_the_default_ruleset(tmp_path: Path) -> None:
    file = write(tmp_path, 'ruleset = "grimoire@1"\n')
    for command in (("new", "--seed", "1", "--match", "m1"), ("simulate", "--matches", "1", "--out", "played")):
        assert program(tmp_path, *command).code == 0
    assert program(tmp_path, "matches", "--json").data[0]["game"] == "grimoire"
    assert program(tmp_path, "new", "blackpoker@8.1-lite", "--match", "m2").code == 0, "one that is named comes first"
    file.write_text('ruleset = "grimoire@77"\n', encoding="utf-8")
    message = run_refused(tmp_path, "new").message
    assert str(file) in message and "ruleset" in message and "'77'" in message
    file.write_text('ruleset = "grimoire"\n', encoding="utf-8")
    assert "grimoire@1" in run_refused(tmp_path, "new").message
    file.unlink()
    for command in (("new",), ("simulate", "--matches", "1"), ("verify",)):
        message = run_refused(tmp_path, *command).message
        assert "GAME@VERSION" in message and P.FILE in message


WRONG: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "an unknown key": (b'stroe = "x"\n', ("'stroe'", "store, lang, ruleset")),
    "an unknown table": (b'[rules]\nlang = "ja"\n', ("'rules'", "store, lang, ruleset")),
    "no text": (b"store = 3\n", ("store",)),
    "an empty text": (b'lang = "  "\n', ("lang",)),
    "is not available": (b'lang = "de"\n', ("'de'", "en, ja")),
    "no TOML": (b'store = "x\n', ("line 1",)),
    "no UTF-8": (b'store = "\xff"\n', ("UTF-8", "10")),
    "too long": (b"# " + b"x" * P.BYTES_MAX, ("16 KiB",)),
    "too deep": (b"store = " + b"[" * 5_000, ()),
    "a key of very many parts": (b"a." * 8_000 + b"a=1", ("'a'",)),
    "a very long number": (b"store = 1" + b"0" * 5_000, ()),
    "a service": (b'store = "https://cup.example"\n', ("--store", "SHINPAN_STORE")),
    "a database on a server": (b'store = "postgresql://cup.example/archive"\n', ("--store", "SHINPAN_STORE")),
    "the same in another spelling": (b'store = " Postgres://cup.example/archive"\n', ("--store", "SHINPAN_STORE")),
    "any other address": (b'store = "SQLITE://cup.sqlite"\n', ("--store", "SHINPAN_STORE")),
}


def test_a_file_that_is_wrong_is_named_and_so_is_what_is_wrong_in_it(tmp_path: Path) -> None:
    file = tmp_path / P.FILE
    for data, named in WRONG.values():
        file.write_bytes(data)
        for lang in ("en", "ja"):
            message = run_refused(tmp_path, LC_ALL=f"{lang}.UTF-8").message
            assert str(file) in message and all(part in message for part in named), message


def test_a_language_of_the_environment_that_there_is_not_is_named(tmp_path: Path) -> None:
    message = run_refused(tmp_path, SHINPAN_LANG="de").message
    assert "SHINPAN_LANG" in message and "'de'" in message


def test_a_file_of_somebody_else_is_not_heeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, 'store = "theirs.sqlite"\n')
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    fstat = os.fstat
    monkeypatch.setattr(os, "fstat", lambda number: os.stat_result((*fstat(number)[:4], 4_321, *fstat(number)[5:10])))
    with chdir(tmp_path), pytest.raises(BadProject) as refused:
        load_project()
    assert refused.value.key == "project.foreign" and refused.value.values["file"] == file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with named pipes")
def test_what_is_no_file_is_no_project_file(tmp_path: Path) -> None:
    """A folder of that name is ignored, and so is a pipe, which would block."""
    (tmp_path / P.FILE).mkdir()
    (below := tmp_path / "below").mkdir()
    os.mkfifo(below / P.FILE)
    assert program(below, "matches").code == 0


def test_a_folder_that_is_gone_has_no_project_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_missing() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", raise_missing)
    assert load_project() is P.NO_PROJECT


def test_a_store_that_an_option_names_is_the_same_with_a_project_file(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    write(tmp_path, 'store = "elsewhere.sqlite"\n')
    assert "table-17" in program(tmp_path, "matches", "--store", store).out
    assert not (tmp_path / "elsewhere.sqlite").exists()
