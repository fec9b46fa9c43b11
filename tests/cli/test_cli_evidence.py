"""The commands `keygen`, `seal`, `proof` and `check`: notes of a day, bad input, both languages, exit codes."""

import io
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from domain.evidence import chain
from recorder import codec
from recorder.evidence.notes import read_key, read_signer
from tests.cli.runs import DISPUTED, ROOT, Ran, fine, inside
from tests.evidence import sealed as S

CORPUS = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
T = "table-17"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up a closed and an open match, a key and the note of a first checkpoint in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHINPAN_SEAL_KEY", raising=False)
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "2", "--match", T)
    fine(where, "close", T, "--abandon", "--reason", "x")
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "3", "--match", "open")
    Path("key.pub").write_text(fine(where, "keygen", "seal.key", "--name", "cup").out, encoding="utf-8")
    fine(where, "seal", "--key", "seal.key", "--out", "first.note")
    return where


def refusal_of(store: Path | str, *arguments: str | Path) -> str:
    """Return the English message of a command that is refused in both languages and writes nothing."""
    before = names()
    english, japanese = inside(store, *arguments), inside(store, *arguments, "--lang", "ja")
    for ran in (english, japanese):
        assert (ran.code, ran.out) == (2, ""), (arguments, ran)
    assert english.message != japanese.message and names() == before
    return english.message


def names() -> list[str]:
    """Return the files of the working folder, without the companion files of SQLite."""
    return sorted(path.name for path in Path().iterdir() if not path.name.endswith(("-shm", "-wal")))


def problems(ran: Ran) -> list[tuple[str, int]]:
    return [(wrong.get("match", ""), wrong.get("entry", 0)) for wrong in ran.data.get("wrong", ())]


def test_a_key_is_its_owners_alone_and_written_over_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = fine("none.sqlite", "keygen", "seal.key", "--name", "cup")
    assert stat.S_IMODE(Path("seal.key").stat().st_mode) == 0o600
    secret = Path("seal.key").read_text(encoding="utf-8")
    assert read_signer(secret).key == read_key(ran.out) and secret.strip() not in ran.out + ran.err
    assert not Path("none.sqlite").exists()
    made = fine("none.sqlite", "keygen", "other.key", "--json").data
    assert made["file"] == "other.key" and read_key(made["key"]).name == "shinpan"
    assert "seal.key" in refusal_of("none.sqlite", "keygen", "seal.key")
    assert Path("seal.key").read_text(encoding="utf-8") == secret
    for file in ("gone/seal.key", "."):
        refusal_of("none.sqlite", "keygen", file)
    for name in ("a b", "a+b", "", "a\n"):
        refusal_of("none.sqlite", "keygen", "new.key", "--name", name)


@pytest.mark.smoke
def test_a_day_of_notes(store: Path) -> None:
    """One key, a checkpoint per round; every note verifies the store, its proofs and its growth."""
    fine(store, "new", "blackpoker@8.1-lite", "--seed", "4", "--match", "round-2")
    fine(store, "close", "round-2", "--abandon", "--reason", "x")
    fine(store, "seal", "--key", "seal.key", "--out", "second.note")
    assert fine(store, "seal", "--key", "seal.key").out == Path("second.note").read_text(encoding="utf-8")
    fine(store, "proof", T, "--out", "match.proof")
    fine(store, "proof", "--since", "first.note", "--out", "grown.proof")
    Path("match.jsonl").write_text(fine(store, "export", T, "--as", "judge", "--format", "jsonl").out, encoding="utf-8")
    fine(store, "corpus", "pack", "day.corpus", str(store))
    key = ("--key", "key.pub")
    for call in (
        ("check",),
        ("check", str(store)),
        ("check", *key),
        ("check", "--against", "first.note", "--against", "second.note", "--against", "match.proof", *key),
        ("check", "second.note", *key),
        ("check", "match.proof", *key, "--against", "second.note"),
        ("check", "grown.proof", *key, "--against", "first.note"),
        ("check", "match.jsonl"),
        ("check", "match.jsonl", "--against", "match.proof", *key),
        ("check", "day.corpus", "--against", "match.proof", *key),
        ("check", str(CORPUS)),
    ):
        for lang in ("en", "ja"):
            ran = fine(store, *call, "--lang", lang)
            assert ran.out, call
        data = fine(store, *call, "--json").data
        assert data.get("wrong", []) == [] and data.get("trusted", False) == ("--key" in call), call
    held = fine(store, "check", "match.jsonl", "--against", "match.proof", "--json").data
    assert (held["matches"], held["held"], held["unlinked"]) == (1, 1, 0)
    loose = fine(store, "check", str(CORPUS)).out
    assert "not proved" in loose, "an older record says what nothing vouches for"


def test_one_changed_byte_is_named_to_its_entry(store: Path) -> None:
    states = S.states(store, T)
    forged = S.change(states[1], at=1)
    S.execute(store, ("UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=2", (forged, T)))
    for lang in ("en", "ja"):
        ran = inside(store, "check", "--lang", lang)
        assert ran.code == 1 and T in ran.out and "2" in ran.out
    ran = inside(store, "check", "--json")
    assert ran.code == 1 and problems(ran) == [(T, 2)]


def test_a_leaf_that_is_missing_does_not_keep_the_matches_from_being_looked_at(store: Path) -> None:
    states = S.states(store, T)
    S.execute(
        store,
        ("DELETE FROM leaves WHERE number=1", ()),
        ("UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=2", (states[2], T)),
    )
    ran = inside(store, "check", "--json")
    assert ran.code == 1 and problems(ran) == [(T, 2), ("", 0)]


def test_a_record_is_held_against_its_own_proof_only(store: Path) -> None:
    fine(store, "proof", T, "--out", "match.proof")
    fine(store, "proof", "open", "--out", "open.proof")
    states = S.states(store, T)
    lines = codec.to_json_lines(states)
    forged = codec.to_json_lines(S.relink([S.change(state, at=number) for number, state in enumerate(states)]))
    for data, proof, code in (
        (lines, "match.proof", 0),
        (lines, "open.proof", 1),
        (forged, "match.proof", 1),
        (codec.to_json_lines(states[:-1]), "match.proof", 1),
        (codec.to_json_lines([chain.unlink(state) for state in states]), "match.proof", 1),
    ):
        Path("m.jsonl").write_bytes(data)
        assert inside(store, "check", "m.jsonl", "--against", proof, "--key", "key.pub").code == code
    Path("m.jsonl").write_bytes(forged)
    assert inside(store, "check", "m.jsonl").code == 0, "of itself alone nobody can tell"
    Path("m.jsonl").write_bytes(lines)
    assert "proof" in refusal_of(store, "check", "m.jsonl", "--key", "key.pub")
    assert "proof" in refusal_of(store, "check", "m.jsonl", "--against", "first.note")


def test_a_record_comes_in_by_a_pipe(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def piped(data: bytes) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        return inside(store, "check", "-", "--json")

    states = S.states(store, T)
    assert piped(codec.to_json_lines(states)).code == 0
    assert problems(piped(codec.to_json_lines([states[0], *states[2:]]))) == [(T, 1 if len(states) < 4 else 2)]
    for nothing in (b"", b"\xff\xfe", b"{", b"x" * 100):
        ran = piped(nothing)
        assert ran.code == 2 and ran.message


def test_a_match_written_without_links_is_known_again_and_one_with_other_links_is_not(store: Path) -> None:
    Path("m.spn").write_text(fine(store, "export", T, "--as", "judge").out, encoding="utf-8")
    states = S.states(store, T)
    fine(store, "import", "m.spn")
    Path("m.jsonl").write_bytes(codec.to_json_lines(states))
    fine(store, "import", "m.jsonl")
    Path("m.jsonl").write_bytes(codec.to_json_lines(S.relink(states)))
    assert T in refusal_of(store, "import", "m.jsonl")
    assert S.states(store, T) == states


def test_a_key_comes_by_the_environment_or_by_a_pipe(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fine(store, "close", "open", "--abandon", "--reason", "x")
    line = Path("seal.key").read_text(encoding="utf-8")
    monkeypatch.setenv("SHINPAN_SEAL_KEY", line)
    assert fine(store, "seal", "--json").data["new"] == 2
    monkeypatch.setenv("SHINPAN_SEAL_KEY", "hush")
    assert "hush" not in refusal_of(store, "seal"), "what was to be secret is not repeated"
    monkeypatch.delenv("SHINPAN_SEAL_KEY")
    assert "SHINPAN_SEAL_KEY" in refusal_of(store, "seal")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode()), "utf-8"))
    assert fine(store, "seal", "--key", "-", "--json").data["new"] == 0


BAD: dict[str, bytes] = {
    "empty": b"",
    "utf8": b"\xff\xfe\x00",
    "broken.note": b"shinpan/x\n1\n\xff\n\n\xe2\x80\x94 cup AAAA\n",
    "number.note": b"shinpan/x\n" + b"9" * 5_000 + b"\nAAAA\n\n\xe2\x80\x94 cup AAAAAAAA\n",
    "huge.note": b"a" * 2_000_000 + b"\n\n\xe2\x80\x94 cup AAAAAAAA\n",
    "nul": bytes(200),
    "sqlite": b"SQLite format 3\0" + bytes(500),
}


def test_files_that_are_none_are_refused_wherever_one_is_named(store: Path) -> None:
    for name, data in BAD.items():
        Path(name).write_bytes(data)
    for bad in (*BAD, "gone", ".", "gone/gone"):
        for call in (("check",), ("check", "--against"), ("check", "--key"), ("seal", "--key"), ("proof", "--since")):
            said = refusal_of(store, *call, bad)
            assert len(said) < 600, said


def test_what_cannot_be_done_is_refused_and_nothing_is_written(store: Path) -> None:
    before = Path("seal.key").read_bytes(), S.sealing(store)
    for call in (
        ("proof",),
        ("proof", T, "--since", "first.note"),
        ("proof", "gone"),
        ("proof", T, "--out", "gone/x"),
        ("proof", T, "--out", "."),
        ("proof", "--since", "first.note", "--out", "first.note"),
        ("seal", "--key", "seal.key", "--out", "seal.key"),
        ("seal", "--key", "seal.key", "--out", "a.sqlite"),
        ("seal", "--key", "seal.key", "--out", "gone/x"),
        ("seal", "--key", "key.pub"),
        ("check", "--key", "seal.key"),
        ("check", "--key", "cup+00000000+AAAA"),
        ("check", "first.note", "--key", "cup"),
    ):
        said = refusal_of(store, *call)
        assert before == (Path("seal.key").read_bytes(), S.sealing(store))
        assert Path("seal.key").read_text(encoding="utf-8")[-30:-1] not in said


def test_without_a_store_nothing_is_sealed_shown_or_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for call in (("proof", T), ("check",)):
        assert "gone.sqlite" in refusal_of("gone.sqlite", *call)
    fine("gone.sqlite", "import", DISPUTED)
    assert "seal" in refusal_of("gone.sqlite", "proof", T)
    loose = fine("gone.sqlite", "check")
    assert "not proved" in loose.out


def test_two_notes_of_one_log_that_differ_are_told(store: Path) -> None:
    forked = Path("b.sqlite")
    fine(store, "backup", str(forked))
    for where, match in ((store, "mine"), (forked, "theirs")):
        fine(where, "new", "blackpoker@8.1-lite", "--seed", "5", "--match", match)
        fine(where, "seal", "--key", "seal.key", "--out", f"{match}.note")
    assert inside(store, "check", "mine.note", "--against", "theirs.note").code == 1
    for lang in ("en", "ja"):
        ran = inside(store, "check", "--against", "theirs.note", "--key", "key.pub", "--lang", lang)
        assert ran.code == 1 and "theirs.note" in ran.out
    assert "theirs.note" in refusal_of(store, "proof", "--since", "theirs.note")
    both = inside(store, "check", "--against", "mine.note", "--against", "theirs.note", "--json")
    assert both.code == 1 and len(problems(both)) == 2, json.dumps(both.data)


def test_a_key_of_somebody_else_is_told(store: Path) -> None:
    fine(store, "keygen", "other.key", "--name", "cup")
    fine(store, "seal", "--key", "other.key")
    assert inside(store, "check", "--key", "key.pub").code == 1
    itself = fine(store, "check")
    assert "--key" in itself.out, "signer not checked the store alone cannot say"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(store: Path) -> None:
    Path("first.note").chmod(0)
    refusal_of(store, "check", "first.note")
