"""In Japanese everything is said in Japanese: whatever can be wrong with what is asked leaves no English sentence."""

import re
import shutil
import sqlite3
from contextlib import chdir
from pathlib import Path

import pytest

from tests.cli.runs import Ran, disputed, inside, program
from tests.cli.test_cli_bad_input import BOOKS, FILES, NAMED

pytestmark = pytest.mark.process

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|「[^」]*」|/\S+""")
"""Input repeated, forms of our formats, and what a library said in its own words."""
SENTENCE = re.compile(
    r"\b(?:the|is|are|not|of|no|has|have|there|and|cannot|with|this|that|it|be|was|an?|to|for|in|must|only)\b"
    r"|[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}"
)


def english(message: str) -> list[str]:
    """What is left of English in a message: small words, or three words in a row."""
    bare = QUOTED.sub(" ' ", message.removeprefix("shinpan: "))
    bare = re.sub(r"--?[a-z][\w-]*(?: [A-Z]+)?|\b[A-Z][A-Z_]+\b", "", bare)
    return SENTENCE.findall(bare)


def all_japanese(ran: Ran) -> None:
    assert JAPANESE.search(ran.message), ran.message
    assert english(ran.message) == [], ran.message


def test_the_measure_knows_english() -> None:
    assert english("shinpan: there is no seat p3")
    assert english("shinpan: 席p3:allowed seats are p1")
    assert english("shinpan: 席'the p3'はありません。使えるもの:p1, p2, chance(`shinpan do --help`を参照)") == []


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("master"))


@pytest.fixture
def store(master: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(master, tmp_path / "shinpan.sqlite"))


# What a library of the system says is quoted as it is.
@pytest.mark.parametrize("name", [name for name in NAMED if name not in ("language", "postgresql")])
def test_what_is_named_must_be_there(store: Path, tmp_path: Path, name: str) -> None:
    with chdir(tmp_path):
        ran = inside(store, *NAMED[name][0], "--lang", "ja")
    assert ran.code == 2
    all_japanese(ran)


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


@pytest.mark.parametrize("name", LATER)
def test_what_the_later_commands_are_asked(store: Path, tmp_path: Path, name: str) -> None:
    with chdir(tmp_path):
        ran = inside(store, "--lang", "ja", *LATER[name])
    assert ran.code in (1, 2)
    all_japanese(ran)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_record(store: Path, tmp_path: Path, name: str) -> None:
    file, data, _ = FILES[name]
    (tmp_path / file).write_bytes(data)
    with chdir(tmp_path):
        for command in ("import", "audit"):
            ran = inside(store, command, f"./{file}", "--lang", "ja")
            assert ran.code == 2
            all_japanese(ran)


@pytest.mark.parametrize("name", BOOKS)
def test_a_file_that_is_no_casebook(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.cases.toml").write_bytes(BOOKS[name][0])
    ran = inside("unused.sqlite", "case", "run", tmp_path / "a.cases.toml", "--lang", "ja")
    assert ran.code == 2
    all_japanese(ran)


def test_records_that_are_wrong_inside(master: Path, tmp_path: Path) -> None:
    lines = inside(master, "export", "table-17", "--as", "judge", "--format", "jsonl").out.splitlines()
    bad = {
        "rules": [lines[0].replace('"hand.limit":7', '"hand.limit":6'), *lines[1:]],
        "option": [lines[0].replace('"hand.limit":7', '"hand.limit":"x"'), *lines[1:]],
        "game": [lines[0].replace('"game":"blackpoker"', '"game":"no-such-game"'), *lines[1:]],
        "gap": [lines[0], *lines[9:]],
        "twice": [*lines[:3], lines[0]],
        "seat": [*lines[:4], lines[4].replace('"actor":"p1"', '"actor":"p7"')],
        "action": [*lines[:4], lines[4].replace('"do":"', '"do":"un')],
        "cut": [*lines[:9], lines[9][:-20]],
    }
    for name, text in bad.items():
        assert text != lines, name
        (tmp_path / "bad.jsonl").write_text("\n".join(text), encoding="utf-8")
        for command in ("import", "audit"):
            ran = inside(tmp_path / "new.sqlite", command, tmp_path / "bad.jsonl", "--lang", "ja")
            assert ran.code == 2, name
            all_japanese(ran)


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


@pytest.mark.parametrize("name", NOTATION)
def test_notation_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.spn").write_text('[Game "blackpoker"]\n[Version "8.1-lite"]\n' + NOTATION[name], encoding="utf-8")
    ran = inside(tmp_path / "new.sqlite", "import", tmp_path / "a.spn", "--lang", "ja")
    assert ran.code == 2
    all_japanese(ran)


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


@pytest.mark.parametrize("name", CASES)
def test_a_case_that_fails(tmp_path: Path, name: str) -> None:
    clock = 'turn = 1, active = "p1", first = "p1", phase = "play", awaited = ["p2"]'
    case = CASES[name].replace("CLOCK", clock)
    body = f'game = "blackpoker"\nversion = "8.1-lite"\n[[case]]\nid = "x"\n{case}\n'
    (tmp_path / "a.cases.toml").write_text(body, encoding="utf-8")
    ran = inside("unused.sqlite", "case", "run", tmp_path / "a.cases.toml", "--lang", "ja")
    assert ran.code == 1, ran
    found = [line for line in ran.out.splitlines() if line.strip().startswith("実際")]
    assert len(found) == 1
    assert JAPANESE.search(found[0].replace("実際", "")) and english(found[0]) == [], found


def test_stores_that_cannot_be_used(store: Path, tmp_path: Path) -> None:
    holder = sqlite3.connect(store, isolation_level=None)
    try:
        holder.execute("BEGIN IMMEDIATE")
        all_japanese(inside(store, "note", "table-17", "late", "--lang", "ja"))
        holder.execute("UPDATE meta SET value='99' WHERE key='format'")
        holder.execute("COMMIT")
        all_japanese(inside(store, "matches", "--lang", "ja"))
        holder.execute("UPDATE meta SET value='1' WHERE key='format'")
        holder.execute("UPDATE stored_events SET state=x'c1' WHERE originator_version=20")
        all_japanese(inside(store, "log", "table-17", "--lang", "ja"))
        holder.execute("DELETE FROM stored_events WHERE originator_version=20")
        all_japanese(inside(store, "log", "table-17", "--lang", "ja"))
        holder.execute("DROP TABLE meta")
        all_japanese(inside(store, "matches", "--lang", "ja"))
    finally:
        holder.close()
    store.write_bytes(b"a letter to my mother, which is not a store at all")
    all_japanese(inside(store, "matches", "--lang", "ja"))
    all_japanese(inside("/dev/null/x", "matches", "--lang", "ja"))


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
        if japanese:
            all_japanese(ran)
        else:
            assert not JAPANESE.search(ran.message) and re.search(r"[A-Za-z]{4,}", ran.message), ran.message
