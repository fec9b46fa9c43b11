"""Bad input: every error is one clear message in either language and leaves no partial output."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, closing
from pathlib import Path
from tempfile import mkdtemp

import pytest

import cli.rules.rulebook
from tests.cli.forks import PATIENCE
from tests.cli.runs import DISPUTED, PROGRAM, begin, contents, disputed, environment, inside, program

WHOLE = DISPUTED.read_text(encoding="utf-8")
HEADER = '[Game "blackpoker"]\n[Version "8.1-lite"]\n'
HUGE = str(10**30)
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|「[^」]*」|/\S+""")
"""Quoted input, format names and messages of libraries."""
SENTENCE = re.compile(
    r"\b(?:the|is|are|not|of|no|has|have|there|and|cannot|with|this|that|it|be|was|an?|to|for|in|must|only)\b"
    r"|[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}"
)


def english(message: str) -> list[str]:
    """Return the English left in a message: function words, or three words in a row."""
    bare = QUOTED.sub(" ' ", message.removeprefix("shinpan: "))
    bare = re.sub(r"--?[a-z][\w-]*(?: [A-Z]+)?|\b[A-Z][A-Z_]+\b", "", bare)
    return SENTENCE.findall(bare)


def test_the_measure_knows_english() -> None:
    assert english("shinpan: there is no seat p3")
    assert english("shinpan: 席p3:allowed seats are p1")
    assert english("shinpan: 席'the p3'はありません。使えるもの:p1, p2, chance(`shinpan do --help`を参照)") == []


def is_japanese(message: str) -> bool:
    return JAPANESE.search(message) is not None and english(message) == []


def badly_refused(
    store: Path | str, arguments: Iterable[str | Path], expected: str, code: int = 2, japanese: bool = True
) -> Iterator[str]:
    """Yield what is wrong with the refusal of a call in either language."""
    said = inside(store, *arguments)
    if (said.code, said.out) != (code, "") or expected not in said.message or len(said.message) > 1000:
        yield f"{arguments}: {said}"
    said = inside(store, "--lang", "ja", *arguments)
    if japanese and (said.code != code or not is_japanese(said.message)):
        yield f"{arguments}: {said}"


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
    "frame": (("new", "blackpoker@8.1-lite", "--frame", "lite40"), "no frame 'lite40'; frames: entry20, full54"),
    "frame of another edition": (
        ("new", "blackpoker@9.0-lite", "--frame", "entry20"),
        "blackpoker@9.0-lite cannot be played in frame 'entry20'; frames: entry16, full54",
    ),
    "change notes": (("new", "blackpoker@7.0-lite"), "only the change notes of blackpoker@7.0-lite"),
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
    "reading": (("audit", "table-17", "--reading", "throwing.damage_suit=heart"), "allowed: club, spade"),
    "clause": (("rulebook", "blackpoker", "BP-99.9"), "there is no clause 'BP-99.9' (did you mean BP-9.9?)"),
    "clause of a fact": (("correct", "t", "--reason", "x", "BP-99.9 mark p1 attacks 1"), "there is no clause"),
    "seat": (("do", "t", "p3: pass"), "there is no seat 'p3'; allowed: p1, p2, chance, judge"),
    "thing": (("do", "t", "judge: judge_end u999"), "there is no seat 'u999'"),
    "card": (("do", "t", "p1: up u999 u998"), "column 8: there is no u999"),
    "verb": (("do", "t", "p1: atack"), "did you mean Attack?"),
    "nobody": (("do", "t", "attack"), "the actor is missing"),
    "fact": (("correct", "t", "--reason", "x", "- flip u55"), "there is no fact 'flip'"),
    "impossible fact": (("correct", "t", "--reason", "x", "- move u55 p1.attic"), "physically impossible"),
    "viewer": (("show", "t", "--as", "p9"), "match table-17 has no viewer 'p9'; allowed: p1, p2, spectator"),
    "match": (("show", "nothing"), "there is no match 'nothing' in "),
    "empty match": (("show", ""), "there is no match ''"),
    "match in a file": (
        ("log", str(DISPUTED)),
        "is a file, but this command reads a match from the store. Import the file first",
    ),
    "words of a clause": (("rulebook", "blackpoker", "BP-1.1", "--words"), "--words"),
    "id": (("new", "blackpoker@8.1-lite", "--match", "../x"), "cannot be a match id"),
    "id that is taken": (("new", "blackpoker@8.1-lite", "--match", "table-17"), "match table-17 already exists"),
    "seed": (("new", "blackpoker@8.1-lite", "--seed", "-1"), "-1 is not a valid seed"),
    "seed too large": (("new", "blackpoker@8.1-lite", "--seed", str(2**128)), "is not a valid seed"),
    "entry 0": (("show", "t", "--at", "0"), "match table-17 has no entry 0; it has 1 to 54"),
    "entry -1": (("why", "t", "-1"), "has no entry -1"),
    "huge entry": (("log", "t", "--to", HUGE), "has no entry 10000000000000000000..."),
    "no number": (("why", "t", "ten"), "Invalid value"),
    "number of many digits": (("stack", "t", "--at", "9" * 5000), "Invalid value"),
    "rewind to 0": (("rewind", "t", "--to", "0", "--reason", "x"), "has no entry 0"),
    "rewind to -1": (("rewind", "t", "--to", "-1", "--reason", "x"), "has no entry -1"),
    "rewind too far": (("rewind", "t", "--to", HUGE, "--reason", "x"), "has no entry"),
    "rewind to now": (("rewind", "t", "--to", "54", "--reason", "x"), "entry 54 is already the last entry"),
    "rewind without reason": (("rewind", "t", "--to", "4"), "--reason"),
    "conflict": (("do", "t", "p1: pass", "--expect", "53"), "expected entry 53, but the last entry is 54"),
    "conflict with a huge number": (("close", "t", "--expect", HUGE), "expected entry 1000000"),
    "format": (("export", "t", "--format", "pgn"), "there is no format 'pgn'; allowed: notation, jsonl"),
    "language": (("games", "--lang", "fr"), "language 'fr' is not available; allowed: en, ja"),
    "file": (("import", "nothing.spn"), "'nothing.spn' cannot be read: No such file"),
    "folder as a file": (("audit", "/tmp.spn/"), "there is no match"),
    "casebook": (("case", "run", "nothing.cases.toml"), "cannot be read"),
    "folder without casebooks": (("case", "run", "."), "'.' contains no *.cases.toml"),
    "count": (("simulate", "blackpoker@8.1-lite", "--matches", "0"), "--matches 0: must be a number from 1 to 1000000"),
    "folder that is none": (
        ("simulate", "blackpoker@8.1-lite", "--matches", "1", "--out", "shinpan.sqlite"),
        "cannot be written",
    ),
    "command": (("replay", "t"), "No such command"),
    "argument": (("show",), "Missing argument"),
    "unknown flag": (("show", "t", "--loud"), "--loud"),
    "postgresql": (("--store", "postgresql://127.0.0.1:1/x", "matches"), "no connection"),
    "folder as store": (("matches", "--store", "."), "is a folder"),
    "missing store": (("matches", "--store", "none.sqlite"), "no store found at"),
}
QUOTING = ("language", "postgresql")
"""Cases whose message quotes a system library, so they stay in English."""
LATER: dict[str, tuple[str, ...]] = {
    "branch at 0": ("branch", "t", "--at", "0"),
    "branch too far": ("branch", "t", "--at", "999"),
    "branch of nothing": ("branch", "x", "--at", "1"),
    "branch id": ("branch", "t", "--at", "29", "--match", "../x"),
    "branch id that is taken": ("branch", "t", "--at", "29", "--match", "table-17"),
    "diff": ("diff", "t", "0", "4"),
    "diff of a viewer": ("diff", "t", "1", "4", "--as", "p9"),
    "knows": ("knows", "t", "--at", "99"),
    "knows since": ("knows", "t", "--at", "9", "--diff", "99"),
    "when": ("when", "t", "u999"),
    "when what": ("when", "t", "S4!"),
    "when at": ("when", "t", "u56", "--at", "0"),
    "play": ("play", "x"),
    "play of a viewer": ("play", "t", "--as", "p9"),
    "no value of an option": ("show", "t", "--at"),
    "too many": ("games", "a", "b"),
    "no command": ("case", "walk"),
    "a value for a flag": ("games", "--json=1"),
}


def test_what_is_named_must_be_there(store: Path, tmp_path: Path) -> None:
    before, wrong = contents(store), list[str]()
    with chdir(tmp_path):
        for name, (arguments, expected) in NAMED.items():
            wrong += badly_refused(store, arguments, expected, japanese=name not in QUOTING)
        for arguments in LATER.values():
            wrong += badly_refused(store, arguments, "")
    assert not wrong, "\n".join(wrong)
    assert contents(store) == before
    assert sorted(path.name for path in tmp_path.iterdir() if "-" not in path.name) == ["shinpan.sqlite"]


def test_an_action_of_a_seat_that_is_not_awaited_is_refused_by_its_clause(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    assert inside(store, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "m").code == 0
    before = contents(store)
    ran = inside(store, "do", "m", "p1: pass")
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
    "not opened": ("a.jsonl", b'{"entry":"noted","by":"p1","text":"x"}\n', "does not begin by opening the match"),
    "deep JSON": ("a.jsonl", b'{"a":' * 100_000, "not JSON"),
    "broken UTF-8 in JSON": ("a.jsonl", b'{"entry":"\xff"}\n', "is not UTF-8"),
    "a line of 10 MB of JSON": ("a.jsonl", b'{"entry":"' + b"x" * 10_000_000 + b'"}', "a line of 10,000,0"),
    "binary": ("a.bin", bytes(range(256)) * 4, "a.bin:"),
    "what a viewer saw": ("a.txt", b"; shinpan view p1 of m: ...\n", "not a full record"),
}


def test_a_file_that_is_no_record_is_not_imported(store: Path, tmp_path: Path) -> None:
    before, wrong = contents(store), list[str]()
    with chdir(tmp_path):
        for file, data, expected in FILES.values():
            Path(file).write_bytes(data)
            for command in ("import", "audit"):
                wrong += badly_refused(store, (command, f"./{file}"), expected)
            wrong += badly_refused(store, ("import", f"./{file}"), file)
    assert not wrong, "\n".join(wrong)
    assert contents(store) == before


@pytest.mark.process
def test_a_program_of_its_own_refuses_as_a_call_does(store: Path, tmp_path: Path) -> None:
    (tmp_path / "a.spn").write_bytes(FILES["broken UTF-8"][1])
    for arguments in (NAMED["viewer"][0], ("import", "a.spn")):
        with chdir(tmp_path):
            assert program(tmp_path, *arguments, store=store) == inside(store, *arguments)


def test_a_record_changed_by_a_byte_is_not_imported(master: Path, tmp_path: Path) -> None:
    lines = inside(master, "export", "table-17", "--as", "judge", "--format", "jsonl").out.splitlines()
    wrong = list[str]()
    for text, expected in (
        ([lines[0].replace('"hand.limit":7', '"hand.limit":6'), *lines[1:]], "entry 1"),
        ([lines[0].replace('"hand.limit":7', '"hand.limit":"x"'), *lines[1:]], "entry 1"),
        ([lines[0].replace('"game":"blackpoker"', '"game":"no-such-game"'), *lines[1:]], "no-such-game"),
        ([lines[0], *lines[9:]], "entry 2"),
        ([*lines[:3], lines[0]], "opened only once"),
        ([*lines[:4], lines[4].replace('"actor":"p1"', '"actor":"p7"')], "entry 5"),
        ([*lines[:4], lines[4].replace('"do":"', '"do":"un')], "entry 5"),
        ([*lines[:9], lines[9][:-20]], ":10:1: not JSON"),
    ):
        assert text != lines, expected
        (tmp_path / "bad.jsonl").write_text("\n".join(text), encoding="utf-8")
        wrong += badly_refused(tmp_path / "new.sqlite", ("import", tmp_path / "bad.jsonl"), expected)
        wrong += badly_refused(tmp_path / "new.sqlite", ("audit", tmp_path / "bad.jsonl"), "")
    assert wrong == []
    assert not (tmp_path / "new.sqlite").exists() or contents(tmp_path / "new.sqlite") == {}


NOTATION: dict[str, str] = {
    "an empty part": "p1: attack S2,,S3\n",
    "a quote": '%note p1 "x\n',
    "a directive": "%undo\n",
    "nothing noted": "%note p1\n",
    "a rewind": '%rewind 9 "x" p1\n',
    "a pair": "[Seat p1]\n",
    "a seed": '[Seed "xyz"]\n',
    "twice": '[Version "8.1-lite"]\n',
    "an option": '[Set "hand.limits" "1"]\n',
    "a value": '[Set "hand.limit" "x"]\n',
    "a fact above": "  - gone u1\n",
    "a fact": '%correct judge "x"\n  + - gone u999\n',
    "a tag": '%correct judge "x"\n  + - goes u1\n',
    "a place": '%correct judge "x"\n  + - move #1 p1.attic!\n',
    "a number": "7. p1: pass\n",
    "auto": "chance: auto\n",
    "entry": '%entry "{}"\n',
}


def test_notation_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    file, wrong = tmp_path / "a.spn", list[str]()
    for text in NOTATION.values():
        file.write_text(HEADER + text, encoding="utf-8")
        wrong += badly_refused(tmp_path / "new.sqlite", ("import", file), "a.spn:")
    assert wrong == []


CASE = b'game = "blackpoker"\n[[case]]\nid = "x"\n[[case.step]]\n'
DEEP = b"when = []\n" + b'ending = [{ id = "e", step = [{ when = [], ' * 9 + b"as_played = true" + b" }] }]" * 9
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
    "endings within each other": (CASE + DEEP, "endings are nested more than 8 deep"),
    "findings of no match": (CASE + b"when = []\nthen.findings = []", "findings needs a match in given"),
}


def test_a_file_that_is_no_casebook_is_not_run(tmp_path: Path) -> None:
    file, wrong = tmp_path / "a.cases.toml", list[str]()
    for data, expected in BOOKS.values():
        file.write_bytes(data)
        wrong += badly_refused("unused.sqlite", ("case", "run", file), expected)
    assert wrong == []


def test_a_case_of_an_unknown_game_or_version_fails(tmp_path: Path) -> None:
    for head in ('game = "no-such-game"', 'game = "blackpoker"\nversion = "9"'):
        (tmp_path / "a.cases.toml").write_text(f'{head}\n[[case]]\nid = "x"\n[[case.step]]\nwhen = []\n')
        ran = inside("unused.sqlite", "case", "run", tmp_path)
        assert ran.code == 1 and "failed: 1" in ran.out


CASES: dict[str, str] = {
    "a place": 'given.places = {"p1.attic" = ["S4"]}',
    "a piece": 'given.places = {"p1.hand" = ["S4 loud"]}',
    "a mark": 'given.places = {"p1.hand" = ["S4 sleepy=1"]}',
    "a face": 'given = { CLOCK, places = { "p1.hand" = ["S99"] } }',
    "copies": 'given = { CLOCK, places = { "p1.hand" = ["SA", "SA"] } }',
    "an invariant": 'given = { CLOCK, breaks = ["fogs_count_their_number"] }',
    "no invariant": 'given = { CLOCK, breaks = ["fogs"] }',
    "an action": 'given = { CLOCK }\n[[case.step]]\nwhen = ["p1: fly"]',
    "a refusal": 'given = { CLOCK, places = { "p1.hand" = ["S4"] } }\n[[case.step]]\nwhen = ["p1: pass"]',
    "a clause": 'given = { CLOCK }\n[[case.step]]\nwhen = ["p1: pass"]\nthen.refused = "BP-99"',
    "an ending": "given = { CLOCK }\n[[case.step]]\nwhen = []\n"
    'ending = [{ id = "e", step = [{ when = [], then = { knows = { p9 = ["S4"] } } }] }]',
    "findings": 'given.match = "none.spn"\n[[case.step]]\nwhen = []\nthen.findings = ["BP-4.2"]',
    "a class": 'given.match = "none.spn"\n[[case.step]]\nwhen = []\nthen.rejudged = [{ verdict = "same" }]',
    "a match": 'given.match = "none.spn"',
}


def test_a_case_that_fails_says_so_in_japanese(tmp_path: Path) -> None:
    clock, file = 'turn = 1, active = "p1", first = "p1", phase = "play", awaited = ["p2"]', tmp_path / "a.cases.toml"
    wrong = list[object]()
    for case in CASES.values():
        body = f'game = "blackpoker"\nversion = "8.1-lite"\n[[case]]\nid = "x"\n{case.replace("CLOCK", clock)}\n'
        file.write_text(body, encoding="utf-8")
        ran = inside("unused.sqlite", "case", "run", file, "--lang", "ja")
        found = [line.replace("実際", "") for line in ran.out.splitlines() if line.strip().startswith("実際")]
        if ran.code != 1 or len(found) != 1 or not is_japanese(found[0]):
            wrong.append(ran)
    assert wrong == []


# -- stores -----------------------------------------------------------------------------------------------------------


def test_a_store_that_cannot_be_used_is_named(store: Path) -> None:
    wrong = list[str]()
    note, show, matches = ("note", "table-17", "late"), ("show", "table-17"), ("matches",)
    before = contents(store)
    with closing(sqlite3.connect(store, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        wrong += badly_refused(store, note, "another program is writing to it")
        assert inside(store, "matches").code == 0, "reading goes on"
        holder.execute("ROLLBACK")
        assert contents(store) == before
        holder.execute("UPDATE stored_events SET state=x'c1' WHERE originator_version=20")
        wrong += badly_refused(store, ("log", "table-17"), "match table-17, entry 20")
        holder.execute("DELETE FROM stored_events WHERE originator_version=20")
        wrong += badly_refused(store, ("log", "table-17"), "entry 20")
        holder.execute("UPDATE meta SET value='99' WHERE key='format'")
        for command in (matches, show, note):
            wrong += badly_refused(store, command, "has format 99")
        holder.execute("DROP TABLE meta")
        for command in (matches, show, note):
            wrong += badly_refused(store, command, "not a store of Shinpan")
    store.write_bytes(b"a letter to my mother, which is not a store at all")
    for command in (matches, show, note):
        wrong += badly_refused(store, command, "shinpan.sqlite is not a store")
    wrong += badly_refused("/dev/null/x", matches, "/dev/null/x")
    assert wrong == []


def test_a_store_with_a_damaged_page_is_named(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(store.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    store.write_bytes(data)
    assert [*badly_refused(store, ("show", "table-17"), "damaged")] == []


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


@pytest.mark.process
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
        assert written.stderr.count("\n") == 1 and "is read-only" in written.stderr
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.process
def test_nobody_has_to_read_to_the_end(tmp_path: Path) -> None:
    for arguments in (("rulebook", "blackpoker"), ("rulebook", "blackpoker", "--json"), ("--help",)):
        with begin(
            [*PROGRAM, *arguments], environment(tmp_path, None), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as running:
            assert running.stdout is not None and running.stderr is not None
            running.stdout.close()
            said = running.stderr.read()
            running.wait(PATIENCE)
        assert (running.returncode, said) == (141, b""), arguments


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*PROGRAM, "games"], env=environment(tmp_path, None), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ran.returncode == 2 and b"No space left" in ran.stderr and b"Traceback" not in ran.stderr


@pytest.mark.process
def test_a_locale_without_japanese_gets_question_marks(store: Path, tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    ran = program(tmp_path, "show", "table-17", "--lang", "ja", store=store, **plain)
    assert ran.code == 0 and "?" in ran.out and "u55" in ran.out
    data = program(tmp_path, "rulebook", "blackpoker", "BP-10.6", "--json", store=store, **plain).data
    assert "♣" in data["en"], "JSON is UTF-8 whatever the locale"
    failed = program(tmp_path, "show", "nichts", "--lang", "ja", store=store, **plain)
    assert failed.code == 2 and "nichts" in failed.message


@pytest.mark.process
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


@pytest.mark.process
def test_an_argument_that_is_no_text_is_named(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*map(os.fsencode, PROGRAM), b"show", b"\xff\xfe"],
        env=environment(tmp_path, None),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2 and ran.stderr == b"shinpan: argument 2 is not UTF-8 text\n"


def test_our_own_errors_are_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(cli.rules.rulebook, "_draw", broken)
    ran = inside("unused.sqlite", "rulebook", "blackpoker")
    assert ran.code == 3 and "RuntimeError: no such luck" in ran.message
    monkeypatch.setenv("SHINPAN_DEBUG", "1")
    with pytest.raises(RuntimeError):
        inside("unused.sqlite", "rulebook", "blackpoker")


@pytest.mark.process
@pytest.mark.parametrize(
    ("settings", "japanese"),
    [
        ({"LANG": "ja_JP.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, True),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, False),
        ({"LANG": ""}, False),
    ],
    ids=str,
)
def test_errors_are_in_the_language_of_the_locale(tmp_path: Path, settings: dict[str, str], japanese: bool) -> None:
    for arguments in (("show",), ("games", "--lang", "fr"), ("rulebook", "no-such-game"), ("replay",)):
        ran = program(tmp_path, *arguments, **settings)
        assert ran.code == 2
        assert is_japanese(ran.message) if japanese else ran.message.isascii(), ran.message


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_missing_option_with_choices_lists_them_on_one_line(tmp_path: Path, lang: str) -> None:
    ran = inside(tmp_path / "s.db", "rule", "first", "5", "--lang", lang)
    assert ran.code == 2 and "not_allowed, wrong_outcome, no_fault, unclear" in ran.err.replace("、", ", ")
    assert "x0a" not in ran.err


def test_an_id_that_no_match_has_is_answered_with_the_closest(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    for match in ("first", "final"):
        assert inside(store, "new", "blackpoker@9.2-lite", "--match", match).code == 0
    assert "did you mean first?" in inside(store, "show", "firts").err
    assert "did you mean" not in inside(store, "show", "zzz").err


def test_an_action_may_be_typed_in_the_words_of_the_log(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    inside(store, "new", "blackpoker@9.2-lite", "--match", "m", "--seed", "1", "--p1", "Aoi", "--p2", "Ren")
    before = inside(store, "legal", "m").out
    name = "Aoi" if before.startswith("p1") else "Ren"
    for typed in (f"#4 {name}: Pass", f"{name}：パス"):
        assert inside(store, "why-not", "m", typed).code == 0
    assert inside(store, "do", "m", f"#4 {name}: pass").code == 0
    unknown = inside(store, "do", "m", f"{name}: set bulwrak")
    assert unknown.code == 2 and "did you mean Set bulwark" in unknown.err and len(unknown.err) < 300
