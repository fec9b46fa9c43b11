"""Long records from files and pipes: read by line, imported whole or not at all."""

import errno
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import cli.lines
from cli.main import run
from domain.formats.notation.lines import LINE_MAX
from recorder import spool
from recorder.library.sqlite import Pool
from recorder.store import Store
from tests.cli.runs import DISPUTED, Ran, contents, inside, program
from tests.recorder.long import lines
from tests.rotation import is_nightly

pytestmark = pytest.mark.rotates(2)

NOTATION = DISPUTED.read_text(encoding="utf-8")
ENDS_INSIDE = "the file ends inside this entry"
CUT_OFF = "the file ends in this line without a line end: the file may be truncated"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "a.sqlite"
    assert inside(where, "import", DISPUTED).code == 0
    return where


def whole(count: int = 60) -> bytes:
    return b"".join(lines(count))


def import_refusal(store: Path, file: Path, data: bytes) -> str:
    """Return the message of a refused import; nothing is recorded, and `audit` reports the same."""
    file.write_bytes(data)
    before = contents(store)
    ran = inside(store, "import", file)
    assert (ran.code, ran.out) == (2, ""), ran
    assert contents(store) == before
    audited = inside(store, "audit", file)
    assert (audited.code, audited.out) == (2, "") and audited.message == ran.message
    return ran.message


@pytest.mark.parametrize("ending", [b"", b"\n", b"\n\n  \n"])
def test_json_lines_that_end_inside_an_entry_are_named_with_the_line(
    store: Path, tmp_path: Path, ending: bytes
) -> None:
    *first, last = whole(12).splitlines(keepends=True)
    before = b"".join(first)
    for at in (1, 2, 10, len(last) // 2, len(last) - 3, len(last) - 2):
        said = import_refusal(store, tmp_path / "a.jsonl", before + last[:at] + ending)
        assert "a.jsonl:12:1: not JSON" in said and said.endswith(ENDS_INSIDE), (at, said)


def test_an_entry_cut_inside_a_letter_is_cut_too(store: Path, tmp_path: Path) -> None:
    data = b'{"entry":"noted","by":"judge","text":"' + "札".encode()[:2]
    said = import_refusal(store, tmp_path / "a.jsonl", whole(12) + data)
    assert "a.jsonl:13:39: byte" in said and said.endswith(ENDS_INSIDE)


def test_the_whole_entry_needs_no_line_end(store: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(whole(12).rstrip(b"\n"))
    assert inside(store, "import", tmp_path / "a.jsonl").code == 0
    assert len(contents(store)["sim-blackpoker-1"]) == 12


def test_a_line_that_is_cut_in_the_middle_of_a_file_is_not_its_end(store: Path, tmp_path: Path) -> None:
    some = whole(12).splitlines(keepends=True)
    some[5] = some[5][:20] + b"\n"
    said = import_refusal(store, tmp_path / "a.jsonl", b"".join(some))
    assert "a.jsonl:6:1: not JSON" in said and ENDS_INSIDE not in said
    some[5] = b'{"entry":"noted","by":7,"text":""}\n'
    said = import_refusal(store, tmp_path / "a.jsonl", b"".join(some[:6]).rstrip(b"\n"))
    assert "a.jsonl:6:1: not an entry" in said and ENDS_INSIDE not in said


def test_notation_that_ends_inside_a_line_is_named(store: Path, tmp_path: Path) -> None:
    at = NOTATION.index("p1: attack")
    line = NOTATION[:at].count("\n") + 1
    said = import_refusal(store, tmp_path / "a.spn", NOTATION[: at + 8].encode())
    assert f"a.spn:{line}:" in said and said.endswith(CUT_OFF)
    said = import_refusal(store, tmp_path / "a.spn", (NOTATION[: at + 8] + "\n").encode())
    assert f"a.spn:{line}:" in said and CUT_OFF not in said
    said = import_refusal(store, tmp_path / "a.spn", NOTATION[:15].encode())
    assert "a.spn:1:" in said and said.endswith(CUT_OFF)
    wrong_before = NOTATION.replace("p1: attack", "p1: atack", 1).rstrip("\n").encode()
    assert CUT_OFF not in import_refusal(store, tmp_path / "a.spn", wrong_before)


@pytest.mark.process
def test_it_is_said_in_japanese_and_of_standard_input_too(store: Path, tmp_path: Path) -> None:
    cut = whole(12)[:-30]
    before = contents(store)
    for arguments in (("import", "-"), ("audit", "-")):
        ran = program(tmp_path, *arguments, store=store, given=cut)
        assert (ran.code, ran.out) == (2, "") and "-:12:1: not JSON" in ran.message and ENDS_INSIDE in ran.message
        ran = program(tmp_path, "--lang", "ja", *arguments, store=store, given=cut)
        assert ran.code == 2 and "ファイルがこの記録の途中で終わっています" in ran.message
    assert contents(store) == before


@pytest.mark.process
def test_standard_input_is_imported_and_audited(tmp_path: Path) -> None:
    for data in (whole(500), b"\xef\xbb\xbf" + whole(60), NOTATION.encode(), b"\n\n" + whole(12)):
        where = tmp_path / "in.sqlite"
        ran = program(tmp_path, "import", "-", store=where, given=data)
        assert (ran.code, ran.err.count("\n")) == (0, 1), ran
        audited = program(tmp_path, "audit", "-", store=where, given=data)
        assert audited.code == (1 if data.startswith(b"[") else 0), audited
        held = contents(where)
        assert len(held) == 1 and ran.out.strip() in held
        for one in tmp_path.glob("in.sqlite*"):
            one.unlink()


def test_a_file_of_many_megabytes_is_taken_in(tmp_path: Path) -> None:
    text, long = "x" * (LINE_MAX - 1_000), 100 if is_nightly() else 10
    with (tmp_path / "a.jsonl").open("wb") as file:
        file.write(whole(12))
        for number in range(long):
            file.write(json.dumps({"entry": "noted", "by": "judge", "text": f"{number}{text}"}).encode() + b"\n")
    where = tmp_path / "a.sqlite"
    assert inside(where, "import", tmp_path / "a.jsonl").code == 0
    with Store.open(where, read_only=True) as opened:
        assert opened.version("sim-blackpoker-1") == 12 + long


def test_a_line_too_long_is_named_with_its_length_and_not_kept(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for begin in (b'{"entry":"noted","text":"', b"; "):
        data = whole(12) if begin.startswith(b"{") else NOTATION.encode().split(b"\n1", 1)[0] + b"\n"
        line = data.count(b"\n") + 1
        for letter, count in ((b"x", 1_000_001), ("札".encode(), 1_500_000), (b"x", 6_000_000)):
            long = begin + letter * count
            said = import_refusal(store, tmp_path / "a.txt", data + long + b"\n" + data)
            assert f"a.txt:{line}:1: a line of {len(begin) + count:,} characters; at most 1,000,000" in said
    monkeypatch.setattr(cli.lines, "COUNTED_MAX", 5_000_000)
    said = import_refusal(store, tmp_path / "a.txt", b"; " + b"x" * 9_000_000)
    assert "the line has 5,0" in said


def test_a_pipe_that_never_ends_is_not_read_for_ever(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli.lines, "FILE_MAX", 1024**2)
    assert "is longer than 1 MiB" in import_refusal(store, tmp_path / "a.jsonl", whole(12) + b"\n" * 1_050_000)
    monkeypatch.setattr(spool, "ENTRIES_MAX", 50)
    assert "at most 50 entries" in import_refusal(store, tmp_path / "a.jsonl", whole(51))


def test_notation_is_read_line_by_line(tmp_path: Path) -> None:
    header = NOTATION[: NOTATION.index("\n\n") + 1]
    notes = [f'{number}. %note judge "note {number}"' for number in range(2, 5_002)]
    notes += [f'{number}. %rewind {number - 3_000} "back" judge' for number in range(5_002, 5_003)]
    (tmp_path / "a.spn").write_text("\n".join((header, *notes, "")), encoding="utf-8")
    where = tmp_path / "a.sqlite"
    ran = inside(where, "import", tmp_path / "a.spn")
    assert ran.code == 0, ran
    assert [len(one) for one in contents(where).values()] == [5_002]
    (tmp_path / "a.spn").write_text("\n".join((header, *notes, "p9: pass", "")), encoding="utf-8")
    assert "there is no seat 'p9'" in import_refusal(where, tmp_path / "a.spn", (tmp_path / "a.spn").read_bytes())


def test_nothing_is_recorded_when_the_last_line_is_bad(store: Path, tmp_path: Path) -> None:
    good = whole(3_000)
    for bad, expected in (
        (b'{"entry":"played/9","actor":"p1","action":{"do":"pass"}}', "played/9 was written by a newer Shinpan"),
        (b'{"entry":"erased"}', "erased"),
        (b'{"entry":"rewound","to":9000,"reason":"","by":"x"}', "entry 3001"),
        (b"and so on", "not JSON"),
        (b"[1]", "not an entry"),
    ):
        assert expected in import_refusal(store, tmp_path / "a.jsonl", good + bad + b"\n")


def test_a_full_disk_is_one_message_and_the_store_stays_as_it_was(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = Pool.connect

    def small(pool: Pool) -> sqlite3.Connection:
        connection = connect(pool)
        connection.execute("PRAGMA max_page_count=60")
        return connection

    (tmp_path / "a.jsonl").write_bytes(whole(5_000))
    before = contents(store)
    monkeypatch.setattr(Pool, "connect", small)
    ran = inside(store, "import", tmp_path / "a.jsonl")
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1
    assert "the disk is full; nothing was recorded" in ran.message
    monkeypatch.undo()
    assert contents(store) == before
    assert inside(store, "import", tmp_path / "a.jsonl").code == 0, "with room again it comes in"


class Full(io.BytesIO):
    def write(self, _: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_no_room_for_the_temporary_file_is_one_message(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "TemporaryFile", lambda **_: Full())
    said = import_refusal(store, tmp_path / "a.jsonl", whole(12))
    assert "temporary file" in said and "TMPDIR" in said

    def nowhere(**_: Any) -> Any:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(spool, "TemporaryFile", nowhere)
    assert "TMPDIR" in import_refusal(store, tmp_path / "a.jsonl", whole(12))


def test_closed_standard_input_is_an_empty_file(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert "is empty" in inside(store, "import", "-").message


# -- unknown fields ---------------------------------------------------------------------------------------------------


def test_what_this_program_does_not_know_goes_in_and_out_again(tmp_path: Path) -> None:
    """Import, export and import again keep the text, including unknown fields."""
    given = []
    for number, line in enumerate(whole(60).splitlines()):
        plain = json.loads(line)
        plain["later"] = {"n": number, "of": [1.5, None, "札"]}
        for _, fact in plain.get("told", ()):
            fact.append({"camera": 2})
        given.append(json.dumps(plain, separators=(",", ":"), ensure_ascii=False))
    (tmp_path / "a.jsonl").write_text("\n".join(given) + "\n", encoding="utf-8")

    def through(name: str) -> Ran:
        assert inside(tmp_path / f"{name}.sqlite", "import", tmp_path / f"{name}.jsonl").code == 0
        form = ("--as", "judge", "--format", "jsonl")
        return inside(tmp_path / f"{name}.sqlite", "export", "sim-blackpoker-1", *form)

    out = through("a").out
    assert out.splitlines() == given
    (tmp_path / "b.jsonl").write_text(out, encoding="utf-8")
    assert through("b").out == out
    assert contents(tmp_path / "a.sqlite") == contents(tmp_path / "b.sqlite")
    assert run(["--store", str(tmp_path / "a.sqlite"), "import", str(tmp_path / "b.jsonl")]) == 0, "it is known already"
