"""Corpus commands: pack, inspect, sample, unpack, and errors of corpus files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from archive.corpus import corpus_format
from archive.corpus.reader import open_corpus
from archive.corpus.writer import pack
from cli.main import run
from domain.law.entries import Rewound
from domain.words import LANGS
from recorder import codec
from recorder.store import Store
from tests.cli.runs import DISPUTED, Ran, fine, inside
from tests.corpus.small_files import forge, pack_row as stored, place_of, real

GAME = "blackpoker"
IDS = ("m1", "m2", "m3", "m4")


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "four.corpus"
    pack(path, [(one, real(GAME, int(one[1]))) for one in IDS])
    return path


def did(*arguments: str | Path) -> Ran:
    return inside("unused.sqlite", *arguments)


def bad(*arguments: str | Path) -> str:
    """Return the English error of a command whose Japanese error differs."""
    ran = did("corpus", *arguments)
    assert ran.code == 2 and not ran.out, ran
    assert inside("unused.sqlite", "--lang", "ja", "corpus", *arguments).message != ran.message
    return ran.message


def damage(path: Path, match: str) -> int:
    data = bytearray(path.read_bytes())
    data[place_of(path, match)[10]] ^= 1
    path.write_bytes(data)
    with open_corpus(path) as corpus:
        return corpus.row(match).n


def test_matches_go_in_and_come_out_again(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    with Store.open(store) as opened:
        for one in IDS:
            opened.append(one, 0, real(GAME, int(one[1])))
    file = tmp_path / "a.corpus"
    ran = did("corpus", "pack", file, store, DISPUTED)
    assert ran.code == 0 and f"{file}: 5 matches of {GAME}" in ran.out, ran
    with open_corpus(file) as corpus:
        assert corpus.ids == (*IDS, "table-17")
    out = tmp_path / "out"
    assert did("corpus", "unpack", file, "--out", out).code == 0
    assert sorted(one.name for one in out.iterdir()) == sorted(f"{one}.jsonl" for one in (*IDS, "table-17"))
    lines = (out / "m2.jsonl").read_bytes().splitlines()
    assert [codec.decode(codec.from_json_line(one)) for one in lines] == list(real(GAME, 2))
    assert did("corpus", "pack", tmp_path / "b.corpus", out).code == 0
    with open_corpus(tmp_path / "b.corpus") as corpus:
        opened_as = {f"sim-{GAME}-{one[1]}": int(one[1]) for one in IDS}
        assert set(corpus.ids) == {*opened_as, "table-17"}, "a file's match is called as it was opened"
        assert all(tuple(corpus.match(one)) == real(GAME, seed) for one, seed in opened_as.items())
    again = tmp_path / "c.corpus"
    assert did("corpus", "pack", again, file).code == 0
    assert again.read_bytes() == file.read_bytes()
    assert did("corpus", "unpack", file, "--out", tmp_path / "spn", "--format", "notation").code == 0
    fine(store, "audit", tmp_path / "spn" / "m3.spn")


def test_matches_are_added_behind_those_that_stand(packed: Path, tmp_path: Path) -> None:
    before = packed.read_bytes()
    assert f"{packed} already exists" in bad("pack", packed, DISPUTED)
    assert did("corpus", "pack", packed, DISPUTED, "--append").code == 0
    after = packed.read_bytes()
    with open_corpus(packed) as corpus:
        assert after != before and corpus.ids == (*IDS, "table-17")
    assert "two matches have the id table-17" in bad("pack", packed, DISPUTED, "--append")
    assert packed.read_bytes() == after
    assert "none.corpus" in bad("pack", tmp_path / "none.corpus", DISPUTED, "--append")


def test_info_says_what_is_in_it(packed: Path) -> None:
    for lang in LANGS:
        ran = did("--lang", lang, "corpus", "info", packed, "--check")
        assert ran.code == 0 and GAME in ran.out and "4" in ran.out and not ran.err
    data = did("corpus", "info", packed, "--json").data
    assert (data["game"], data["matches"], data["bytes"]) == (GAME, 4, packed.stat().st_size)
    assert sum(data["versions"].values()) == sum(data["rules"].values()) == 4 and "bad" not in data
    assert did("corpus", "info", packed, "--check", "--json").data == {**data, "bad": []}


def test_a_sample_is_named_packed_or_taken_out(packed: Path, tmp_path: Path) -> None:
    ids = did("corpus", "sample", packed, "--matches", "2", "--seed", "5").out.split()
    assert len(ids) == 2 and set(ids) < set(IDS)
    assert did("corpus", "sample", packed, "--matches", "2", "--seed", "5", "--json").data["matches"] == ids
    few = tmp_path / "few.corpus"
    assert did("corpus", "sample", packed, "--matches", "2", "--seed", "5", "--out", few).code == 0
    with open_corpus(few) as corpus:
        assert list(corpus.ids) == ids and tuple(corpus.match(ids[0])) == real(GAME, int(ids[0][1]))
    ran = did("corpus", "sample", packed, "--matches", "2", "--seed", "5", "--out", tmp_path / "dir", "--json")
    assert sorted(one.stem for one in (tmp_path / "dir").iterdir()) == ran.data["matches"] == ids
    assert "1 to 4" in bad("sample", packed, "--matches", "5")
    assert "1 to 4" in bad("sample", packed, "--matches", "0")
    assert "seed" in bad("sample", packed, "--matches", "1", "--seed", "-1")
    assert "few.corpus already exists" in bad("sample", packed, "--matches", "1", "--out", few)
    assert "no format" in bad("sample", packed, "--matches", "1", "--format", "kif")


def test_a_damaged_match_is_named_and_nothing_is_written(packed: Path, tmp_path: Path) -> None:
    at, out = damage(packed, "m2"), tmp_path / "out"
    said = f"match m2 in row {at}"
    assert said in bad("unpack", packed, "--out", out) and not out.exists()
    assert said in bad("pack", tmp_path / "again.corpus", packed)
    assert said in bad("sample", packed, "--matches", "4", "--out", out) and not out.exists()
    assert [one.name for one in tmp_path.iterdir()] == [packed.name]
    assert did("corpus", "info", packed).code == 0, "info reads no match unless it is asked to"
    ran = did("corpus", "info", packed, "--check")
    assert ran.code == 1 and said in ran.message
    (one,) = did("corpus", "info", packed, "--check", "--json").data["bad"]
    assert (one["match"], one["at"]) == ("m2", at)
    ran = did("corpus", "unpack", packed, "--out", out, "--rescue")
    assert ran.code == 1 and f"in row {at}" in ran.message and "3 matches" in ran.out
    assert sorted(one.stem for one in out.iterdir()) == ["m1", "m3", "m4"]


def test_what_is_whole_of_a_truncated_file_is_taken_out(packed: Path, tmp_path: Path) -> None:
    whole = packed.stat().st_size
    size = place_of(packed, "m4")[10]
    packed.write_bytes(packed.read_bytes()[:size])
    for arguments in (("info",), ("unpack", "--out", str(tmp_path / "out")), ("sample", "--matches", "1")):
        said = bad(arguments[0], packed, *arguments[1:])
        assert f"ends at byte {size} of {whole}" in said and "3 intact matches" in said and "--rescue" in said
    ran = did("corpus", "unpack", packed, "--out", tmp_path / "out", "--rescue")
    assert ran.code == 1 and "match m4 in row 4" in ran.err
    assert f"truncated: it ends at byte {size} of {whole}" in ran.err
    assert sorted(one.stem for one in (tmp_path / "out").iterdir()) == ["m1", "m2", "m3"]


def test_what_stands_behind_a_corpus_is_told_and_its_matches_taken_out(packed: Path, tmp_path: Path) -> None:
    whole = packed.stat().st_size
    packed.write_bytes(packed.read_bytes() + b"more")
    for arguments in (("info",), ("unpack", "--out", str(tmp_path / "out")), ("sample", "--matches", "1")):
        said = bad(arguments[0], packed, *arguments[1:])
        assert f"{whole + 4} bytes instead of {whole}" in said and "--rescue" in said
    assert str(whole) in bad("pack", packed, DISPUTED, "--append")
    assert did("corpus", "unpack", packed, "--out", tmp_path / "out", "--rescue").code == 1
    assert len(list((tmp_path / "out").iterdir())) == 4


BROKEN: dict[str, tuple[bytes, str]] = {
    "text": (b"hello\n", "is not a packed corpus"),
    "empty": (b"", "is empty"),
    "newer": (corpus_format.HEADER.pack(corpus_format.SQLITE, 1024, 1, 9, corpus_format.APPLICATION), "newer Shinpan"),
    "before": (b"\x89SPC\r\n\x1a\n\x00\x01\x00\x00", "is not a packed corpus"),
}


def test_what_is_no_corpus_is_called_so(tmp_path: Path) -> None:
    path, out = tmp_path / "a.corpus", str(tmp_path / "out")
    for data, said in BROKEN.values():
        path.write_bytes(data)
        for command, *more in (("info",), ("unpack", "--out", out), ("sample", "--matches", "1")):
            message = bad(command, path, *more)
            assert said in message and str(path) in message
        assert said in bad("unpack", path, "--out", out, "--rescue")
        assert said in bad("pack", path, DISPUTED, "--append")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_packed_is_named(tmp_path: Path, packed: Path) -> None:
    new = tmp_path / "new.corpus"
    (tmp_path / "bare").mkdir()
    (tmp_path / "cut.spn").write_bytes(DISPUTED.read_bytes()[:900])
    (tmp_path / "other.jsonl").write_bytes(
        b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in real("grimoire", 1))
    )
    wrong: dict[str, tuple[Any, str]] = {
        "none": (tmp_path / "none.spn", "none.spn cannot be read"),
        "bare": (tmp_path / "bare", "bare contains no store"),
        "cut": (tmp_path / "cut.spn", "cut.spn"),
        "mixed": (tmp_path / "other.jsonl", "mixes games"),
        "no folder": (DISPUTED, "cannot be written"),
    }
    for name, (path, said) in wrong.items():
        to = new if name != "no folder" else tmp_path / "none" / "new.corpus"
        assert said in bad("pack", to, packed, path), name
        assert not to.exists()
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")], "nothing half-written stays"


def test_json_is_all_there_is_on_the_output(packed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "info", str(packed), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == str(packed)


def odd(path: Path, match: str, states: Sequence[bytes]) -> Path:
    """Write a corpus of one match without the checks of the packer."""
    return forge(path, GAME, [stored(match, states, real(GAME, 1)[0])])


def test_no_file_is_written_outside_the_folder(tmp_path: Path) -> None:
    states = [codec.encode(one) for one in real(GAME, 1)]
    file = odd(tmp_path / "a.corpus", "../evil", states)
    ran = did("corpus", "unpack", file, "--out", tmp_path / "out", "--rescue")
    assert ran.code == 1 and "'../evil' cannot be a match id" in ran.err
    assert [one.name for one in tmp_path.iterdir()] == ["a.corpus"]


@pytest.mark.parametrize("form_", ["notation", "jsonl"])
@pytest.mark.parametrize(("state", "said"), [(b"\x01", "not an entry"), (None, "the record is empty")])
def test_what_is_no_match_is_not_taken_out(tmp_path: Path, form_: str, state: bytes | None, said: str) -> None:
    file = odd(tmp_path / "a.corpus", "m", [state] if state is not None else [])
    assert said in bad("unpack", file, "--out", tmp_path / "out", "--format", form_)
    assert not (tmp_path / "out").exists()


def test_what_notation_cannot_say_is_named_with_its_match(tmp_path: Path) -> None:
    file = tmp_path / "a.corpus"
    pack(file, [("good", real(GAME, 2)), ("odd", [*real(GAME, 1)[:3], Rewound(to=99, reason="", by="")])])
    into = ("--out", tmp_path / "out", "--format", "notation")
    assert f"{file}, match odd: entry" in bad("unpack", file, *into)
    ran = did("corpus", "unpack", file, *into, "--rescue")
    assert ran.code == 1 and f"{file}, match odd: entry" in ran.message and "1 matches written" in ran.out, ran
    assert did("corpus", "unpack", file, "--out", tmp_path / "lines").code == 0


@pytest.mark.parametrize("name", [".", "/"])
def test_a_corpus_is_not_written_over_a_folder(packed: Path, name: str) -> None:
    assert "Is a directory" in bad("pack", name, packed)
