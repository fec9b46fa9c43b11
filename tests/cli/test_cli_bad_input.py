"""Everything that can be wrong with what is asked: one clear message, the right exit code, nothing half-written."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.cli.runs import DISPUTED, PROGRAM, Ran, begin, contents, disputed, environment, inside, program

pytestmark = pytest.mark.process

WHOLE = DISPUTED.read_text(encoding="utf-8")
HEADER = '[Game "blackpoker"]\n[Version "8.1-lite"]\n'
HUGE = str(10**30)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("master"))


@pytest.fixture
def store(master: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(master, tmp_path / "shinpan.sqlite"))


NAMED: dict[str, tuple[tuple[str, ...], str]] = {
    "game": (("new", "no-such-game@1"), "there is no game 'no-such-game'; allowed: blackpoker"),
    "game of a rulebook": (("rulebook", "no-such-game"), "there is no game 'no-such-game'"),
    "version": (("new", "blackpoker@9"), "there is no version '9'; allowed: 8.1-lite-seed, 8.1-lite"),
    "no version": (("new", "blackpoker"), "blackpoker@9.2-lite is the newest; all: 8.1-lite-seed, 8.1-lite"),
    "frame": (("new", "blackpoker@8.1-lite", "--frame", "lite40"), "no frame 'lite40'; it has entry20, full54"),
    "frame of another edition": (
        ("new", "blackpoker@9.0-lite", "--frame", "entry20"),
        "blackpoker@9.0-lite is not played in frame 'entry20'; its frames: entry16, full54",
    ),
    "change notes": (("new", "blackpoker@7.0-lite"), "blackpoker@7.0-lite is known by its change notes only"),
    "contradiction": (
        ("new", "blackpoker@8.1-lite", "--set", "fog.enabled=false", "--set", "fog.end_scope=own_card_active"),
        "option fog.end_scope cannot be 'own_card_active' while fog.enabled is 'false'",
    ),
    "option": (("new", "blackpoker@8.1-lite", "--set", "fog.end=all"), "there is no option 'fog.end'"),
    "value": (("new", "blackpoker@8.1-lite", "--set", "fog.end_scope=none"), "fog.end_scope (A-02) cannot be 'none'"),
    "value not offered": (
        ("new", "blackpoker@8.1-lite", "--set", "twist.must_change=true"),
        "twist.must_change (A-16) is fixed at 'false'",
    ),
    "number": (("new", "blackpoker@8.1-lite", "--set", "hand.limit=900"), "hand.limit"),
    "no value": (("new", "blackpoker@8.1-lite", "--set", "hand.limit"), "option=value, not 'hand.limit'"),
    "reading": (("audit", "table-17", "--reading", "throwing.damage_suit=heart"), "one of club, spade"),
    "clause": (("rulebook", "blackpoker", "BP-99.9"), "there is no clause 'BP-99.9' (did you mean BP-9.9?)"),
    "clause of a fact": (("correct", "t", "--reason", "x", "BP-99.9 mark p1 attacks 1"), "there is no clause"),
    "seat": (("do", "t", "p3: pass"), "there is no seat 'p3'; allowed: p1, p2, chance, judge"),
    "thing": (("do", "t", "judge: judge_end u999"), "there is no seat 'u999'"),
    "card": (("do", "t", "p1: up u999 u998"), "column 8: there is no u999"),
    "verb": (("do", "t", "p1: atack"), "did you mean attack?"),
    "nobody": (("do", "t", "attack"), "nobody acts"),
    "fact": (("correct", "t", "--reason", "x", "- flip u55"), "there is no fact 'flip'"),
    "impossible fact": (("correct", "t", "--reason", "x", "- move u55 p1.attic"), "physically impossible"),
    "viewer": (("show", "t", "--as", "p9"), "there is no viewer 'p9' in match table-17; allowed: p1, p2, spectator"),
    "match": (("show", "nothing"), "there is no match 'nothing' in "),
    "empty match": (("show", ""), "there is no match ''"),
    "id": (("new", "blackpoker@8.1-lite", "--match", "../x"), "cannot be a match's id"),
    "id that is taken": (("new", "blackpoker@8.1-lite", "--match", "table-17"), "there is a match table-17 already"),
    "seed": (("new", "blackpoker@8.1-lite", "--seed", "-1"), "-1 is no seed"),
    "seed too large": (("new", "blackpoker@8.1-lite", "--seed", str(2**128)), "is no seed"),
    "entry 0": (("show", "t", "--at", "0"), "there is no entry 0 in match table-17; it has 1 to 54"),
    "entry -1": (("why", "t", "-1"), "there is no entry -1"),
    "huge entry": (("log", "t", "--to", HUGE), "there is no entry 10000000000000000000..."),
    "no number": (("why", "t", "ten"), "Invalid value"),
    "number of many digits": (("stack", "t", "--at", "9" * 5000), "Invalid value"),
    "rewind to 0": (("rewind", "t", "--to", "0", "--reason", "x"), "there is no entry 0"),
    "rewind to -1": (("rewind", "t", "--to", "-1", "--reason", "x"), "there is no entry -1"),
    "rewind too far": (("rewind", "t", "--to", HUGE, "--reason", "x"), "there is no entry"),
    "rewind to now": (("rewind", "t", "--to", "54", "--reason", "x"), "stands at entry 54 already"),
    "rewind without reason": (("rewind", "t", "--to", "4"), "--reason"),
    "conflict": (("do", "t", "p1: pass", "--expect", "53"), "expected entry 53, it stands at 54"),
    "conflict with a huge number": (("close", "t", "--expect", HUGE), "expected entry 1000000"),
    "format": (("export", "t", "--format", "pgn"), "there is no format 'pgn'; allowed: notation, jsonl"),
    "language": (("games", "--lang", "fr"), "there is no language 'fr'; allowed: en, ja"),
    "file": (("import", "nothing.spn"), "'nothing.spn' cannot be read: No such file"),
    "folder as a file": (("audit", "/tmp.spn/"), "there is no match"),
    "casebook": (("case", "run", "nothing.cases.toml"), "cannot be read"),
    "folder without casebooks": (("case", "run", "."), "there is no *.cases.toml in '.'"),
    "count": (
        ("simulate", "blackpoker@8.1-lite", "--matches", "0"),
        "--matches 0: a number from 1 to 1000000",
    ),
    "folder that is none": (
        ("simulate", "blackpoker@8.1-lite", "--matches", "1", "--out", "shinpan.sqlite"),
        "cannot be written",
    ),
    "command": (("replay", "t"), "No such command"),
    "argument": (("show",), "Missing argument"),
    "unknown flag": (("show", "t", "--loud"), "--loud"),
    "postgresql": (("--store", "postgresql://127.0.0.1:1/x", "matches"), "no connection"),
    "folder as store": (("matches", "--store", "."), "is a folder"),
    "missing store": (("matches", "--store", "none.sqlite"), "there is no store at"),
}


OWN_PROCESS = frozenset(
    [
        "game",
        "version",
        "option",
        "clause",
        "seat",
        "thing",
        "viewer",
        "match",
        "conflict",
        "impossible_fact",
        "entry_0",
        "entry_-1",
        "huge_entry",
        "postgresql",
        "file",
        "empty_notation",
        "truncated_notation",
        "malformed_notation",
        "deck_that_breaks_the_frame",
        "broken_UTF-8",
        "a_line_of_10_MB",
        "empty_JSON_Lines",
        "truncated_JSON_Lines",
        "malformed_JSON_Lines",
        "broken_UTF-8_in_JSON",
        "a_line_of_10_MB_of_JSON",
    ]
)
"""These run as programs of their own; the others inside the test, for time."""


def asked(folder: Path, store: Path, name: str, *arguments: str) -> Ran:
    if name.replace(" ", "_") in OWN_PROCESS:
        return program(folder, *arguments, store=store)
    with chdir(folder):
        return inside(store, *arguments)


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_must_be_there(store: Path, tmp_path: Path, name: str) -> None:
    arguments, expected = NAMED[name]
    before = contents(store)
    ran = asked(tmp_path, store, name, *arguments)
    assert ran.code == 2, ran
    assert expected in ran.message
    assert ran.out == ""
    assert contents(store) == before
    assert sorted(path.name for path in tmp_path.iterdir() if "-" not in path.name) == ["shinpan.sqlite"]


def test_an_action_of_a_seat_that_is_not_awaited_is_refused_by_its_clause(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    assert inside(store, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "m").code == 0
    before = contents(store)
    ran = program(tmp_path, "do", "m", "p1: pass", store=store)
    assert (ran.code, ran.out) == (1, "")
    assert "refused by BP-4.2: Only the holder of the chance" in ran.message
    assert contents(store) == before


FILES: dict[str, tuple[str, bytes, str]] = {
    "empty notation": ("a.spn", b"", "a.spn is empty"),
    "blank notation": ("a.spn", b" \n\n", "a.spn is empty"),
    "no header": ("a.spn", b"p1: pass\n", "the text has no header"),
    "unknown header": ("a.spn", b'[Gane "blackpoker"]\n', "did you mean Game?"),
    "unknown game": ("a.spn", b'[Game "no-such-game"]\n', "a.spn:1:1: there is no game 'no-such-game'"),
    "unknown version": ("a.spn", b'[Game "blackpoker"]\n[Version "1"]\n', "a.spn:2:1:"),
    "truncated notation": ("a.spn", WHOLE[: WHOLE.index("S4,H9") + 7].encode(), "a.spn:10:31: there is no card"),
    "quote never closed": ("a.spn", (HEADER + '1. open "\n').encode(), "a.spn:3:"),
    "comment never closed": ("a.spn", (HEADER + "{ and so\n").encode(), "never closed"),
    "malformed notation": ("a.spn", WHOLE.replace("p1: attack", "p1; attack").encode(), "a.spn:"),
    "refused action": ("a.spn", WHOLE.replace(" !", "").encode(), "refused by BP-7.15"),
    "deck that breaks the frame": ("a.spn", (HEADER + '[Deck "p1" "S2 S3"]\n').encode(), "refused by BP-1.5"),
    "broken UTF-8": ("a.spn", HEADER.encode() + b"; \xff\n", "a.spn:3:3: byte 43 (0xff) is not UTF-8"),
    "UTF-16": ("a.spn", HEADER.encode("utf-16"), "is not UTF-8"),
    "a line of 10 MB": ("a.spn", HEADER.encode() + b"; " + b"x" * 10_000_000, "a.spn:3:1: a line of 10,000,002"),
    "empty JSON Lines": ("a.jsonl", b"", "a.jsonl is empty"),
    "truncated JSON Lines": ("a.jsonl", b'{"entry":"opened","game":"bl', "a.jsonl:1:1: not JSON"),
    "malformed JSON Lines": ("a.jsonl", b'{"entry":"opened"}\n', "a.jsonl:1:1: not an entry"),
    "unknown entry": ("a.jsonl", b'{"entry":"erased"}\n', "erased"),
    "not opened": ("a.jsonl", b'{"entry":"noted","by":"p1","text":"x"}\n', "does not begin with its opening"),
    "deep JSON": ("a.jsonl", b'{"a":' * 100_000, "not JSON"),
    "broken UTF-8 in JSON": ("a.jsonl", b'{"entry":"\xff"}\n', "is not UTF-8"),
    "a line of 10 MB of JSON": ("a.jsonl", b'{"entry":"' + b"x" * 10_000_000 + b'"}', "a line of 10,000,0"),
    "binary": ("a.bin", bytes(range(256)) * 4, "a.bin:"),
    "what a viewer saw": ("a.txt", b"; shinpan view p1 of m: ...\n", "not a record"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_record_is_not_imported(store: Path, tmp_path: Path, name: str) -> None:
    file, data, expected = FILES[name]
    (tmp_path / file).write_bytes(data)
    before = contents(store)
    ran = asked(tmp_path, store, name, "import", file)
    assert (ran.code, ran.out) == (2, ""), ran
    assert expected in ran.message and file in ran.message
    assert len(ran.message) < 1000
    assert contents(store) == before


def test_a_record_changed_by_a_byte_is_not_imported(master: Path, tmp_path: Path) -> None:
    lines = inside(master, "export", "table-17", "--as", "judge", "--format", "jsonl").out.splitlines()
    bad = {
        "rules": ([lines[0].replace('"hand.limit":7', '"hand.limit":6'), *lines[1:]], "entry 1"),
        "gap": ([lines[0], *lines[9:]], "entry 2"),
        "twice": ([*lines[:3], lines[0]], "opened only once"),
        "seat": ([*lines[:4], lines[4].replace('"actor":"p1"', '"actor":"p7"')], "entry 5"),
        "cut": ([*lines[:9], lines[9][:-20]], ":10:1: not JSON"),
    }
    for name, (text, expected) in bad.items():
        assert text != lines, name
        (tmp_path / "bad.jsonl").write_text("\n".join(text), encoding="utf-8")
        ran = inside(tmp_path / "new.sqlite", "import", tmp_path / "bad.jsonl")
        assert (ran.code, ran.out) == (2, "") and expected in ran.message, (name, ran)
        audited = inside(tmp_path / "new.sqlite", "audit", tmp_path / "bad.jsonl")
        assert (audited.code, audited.out) == (2, ""), name
    assert not (tmp_path / "new.sqlite").exists() or contents(tmp_path / "new.sqlite") == {}


CASE = b'game = "blackpoker"\n[[case]]\nid = "x"\n[[case.step]]\n'
DEEP = b"when = []\n" + b'ending = [{ id = "e", step = [{ when = [], ' * 9 + b"as_played = true" + b" }] }]" * 9
"""Endings within each other, written without headers."""
BOOKS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "at least one [[case]]"),
    "malformed": (b"game = \n", "a.cases.toml:1:"),
    "truncated": (b'game = "blackpoker"\n[[case]]\nid = "x', "a.cases.toml:3:"),
    "unknown key": (b'game = "blackpoker"\n[[case]]\nid = "x"\nwhat = 1\n', "there is no key 'what'"),
    "broken UTF-8": (b"\xff", "is not UTF-8"),
    "deep": (b"a = " + b"[" * 50_000, "a.cases.toml:"),
    "endings without id": (CASE + b'when = []\nending = [{ id = "", step = [{ when = [] }] }]', "needs an id"),
    "endings of one name": (
        CASE + b'when = []\nending = [{ id = "e", step = [{ when = [] }] }, { id = "e", step = [{ when = [] }] }]',
        "two endings are called e",
    ),
    "an ending without steps": (CASE + b'when = []\nending = [{ id = "e", step = [] }]', "ending e has no step"),
    "endings within each other": (
        CASE + DEEP,
        "more than 8 endings within each other",
    ),
    "findings of no match": (CASE + b"when = []\nthen.findings = []", "findings needs a match in given"),
}


@pytest.mark.parametrize("name", BOOKS)
def test_a_file_that_is_no_casebook_is_not_run(tmp_path: Path, name: str) -> None:
    data, expected = BOOKS[name]
    (tmp_path / "a.cases.toml").write_bytes(data)
    ran = inside("unused.sqlite", "case", "run", tmp_path / "a.cases.toml")
    assert (ran.code, ran.out) == (2, "")
    assert expected in ran.message


def test_a_case_of_an_unknown_game_or_version_fails(tmp_path: Path) -> None:
    for head in ('game = "no-such-game"', 'game = "blackpoker"\nversion = "9"'):
        (tmp_path / "a.cases.toml").write_text(f'{head}\n[[case]]\nid = "x"\n[[case.step]]\nwhen = []\n')
        ran = inside("unused.sqlite", "case", "run", tmp_path)
        assert ran.code == 1 and "failed: 1" in ran.out


def test_a_locked_store_is_waited_for_and_then_named(store: Path, tmp_path: Path) -> None:
    before = contents(store)
    holder = sqlite3.connect(store, isolation_level=None)
    try:
        holder.execute("BEGIN IMMEDIATE")
        ran = program(tmp_path, "note", "table-17", "late", store=store)
        read = program(tmp_path, "matches", store=store)
    finally:
        holder.close()
    assert (ran.code, ran.out) == (2, "") and "another program is writing to it" in ran.message
    assert read.code == 0, "reading goes on"
    assert contents(store) == before


@pytest.mark.parametrize("command", [("matches",), ("show", "table-17"), ("note", "table-17", "x")], ids=" ".join)
def test_a_store_that_is_newer_corrupt_or_foreign_is_named(store: Path, tmp_path: Path, command: tuple[str]) -> None:
    def told(expected: str) -> None:
        ran = program(tmp_path, *command, store=store)
        assert (ran.code, ran.out) == (2, ""), ran
        assert expected in ran.message and "shinpan.sqlite" in ran.message

    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE meta SET value='99' WHERE key='format'")
    connection.close()
    told("has format 99")
    with sqlite3.connect(store) as connection:
        connection.execute("DROP TABLE meta")
    connection.close()
    told("not a store of Shinpan")
    store.write_bytes(b"a letter to my mother, which is not a store at all")
    told("is not a store")


def test_a_store_with_a_damaged_page_is_named(store: Path, tmp_path: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(store.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    store.write_bytes(data)
    ran = program(tmp_path, "show", "table-17", store=store)
    assert (ran.code, ran.out) == (2, "") and "damaged" in ran.message


def test_an_entry_that_cannot_be_read_is_named(store: Path, tmp_path: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE stored_events SET state=x'c1' WHERE originator_version=20")
    connection.close()
    ran = program(tmp_path, "log", "table-17", store=store)
    assert (ran.code, ran.out) == (2, "") and "match table-17, entry 20" in ran.message


UNPRIVILEGED = """
import os, sys, datetime
import domain.games, projections.timeline, recorder.answers, recorder.clock, recorder.matches, recorder.store
from cli.main import run
with open(os.devnull, "w") as sys.stdout:
    run(["rulebook", "blackpoker", "BP-1.1"])
sys.stdout = sys.__stdout__
if os.getuid() == 0:
    os.setuid(65534)
sys.exit(run(sys.argv[1:]))
"""


def test_a_store_that_may_only_be_read_is_read_and_not_written(master: Path) -> None:
    folder = Path(mkdtemp())
    try:
        store = Path(shutil.copy(master, folder / "shinpan.sqlite"))
        store.chmod(0o444)
        folder.chmod(0o555)

        def shinpan(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, "-c", UNPRIVILEGED, *arguments],
                cwd="/", env=environment(folder, store), capture_output=True, text=True, check=False,
            )  # fmt: skip

        read, written = shinpan("matches"), shinpan("note", "table-17", "x")
        assert (read.returncode, read.stderr) == (0, "") and "table-17" in read.stdout
        assert (written.returncode, written.stdout) == (2, "")
        assert written.stderr.count("\n") == 1 and "may only be read" in written.stderr
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_nobody_has_to_read_to_the_end(tmp_path: Path) -> None:
    for arguments in (("rulebook", "blackpoker"), ("rulebook", "blackpoker", "--json"), ("--help",)):
        with begin(
            [*PROGRAM, *arguments],
            environment(tmp_path, None),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as running:
            assert running.stdout is not None and running.stderr is not None
            running.stdout.close()
            said = running.stderr.read()
            running.wait(timeout=30)
        assert (running.returncode, said) == (141, b""), arguments


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*PROGRAM, "games"], env=environment(tmp_path, None), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ran.returncode == 2 and b"No space left" in ran.stderr and b"Traceback" not in ran.stderr


def test_a_locale_without_japanese_gets_question_marks(store: Path, tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    ran = program(tmp_path, "show", "table-17", "--lang", "ja", store=store, **plain)
    assert ran.code == 0 and "?" in ran.out and "u55" in ran.out
    data = program(tmp_path, "rulebook", "blackpoker", "BP-10.6", "--json", store=store, **plain).data
    assert "♣" in data["en"], "JSON is UTF-8 whatever the locale"
    failed = program(tmp_path, "show", "nichts", "--lang", "ja", store=store, **plain)
    assert failed.code == 2 and "nichts" in failed.message


def test_the_locale_chooses_the_language(tmp_path: Path) -> None:
    heads = {
        name: program(tmp_path, "games", **{"LANG": "", **settings}).out.split()[0]
        for name, settings in {
            "nothing": {},
            "LANG": {"LANG": "ja_JP.UTF-8"},
            "LC_MESSAGES": {"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"},
            "LC_ALL": {"LC_ALL": "en_GB.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"},
        }.items()
    }
    assert heads == {"nothing": "game", "LANG": "ゲーム", "LC_MESSAGES": "ゲーム", "LC_ALL": "game"}


def test_an_argument_that_is_no_text_is_named(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*map(os.fsencode, PROGRAM), b"show", b"\xff\xfe"],
        env=environment(tmp_path, None),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2 and ran.stderr == b"shinpan: argument 2 is not UTF-8 text\n"


def test_our_own_errors_are_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import cli.rules.rulebook

    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(cli.rules.rulebook, "_draw", broken)
    ran = inside("unused.sqlite", "rulebook", "blackpoker")
    assert ran.code == 3 and "RuntimeError: no such luck" in ran.message
    monkeypatch.setenv("SHINPAN_DEBUG", "1")
    with pytest.raises(RuntimeError):
        inside("unused.sqlite", "rulebook", "blackpoker")
