"""Evidence packs: the command agrees with the verifier inside the pack."""

import re
from pathlib import Path

import pytest

from domain.words import load_messages
from recorder.evidence import verifier
from tests.cli.runs import fine, inside
from tests.evidence.packed import CANARY, ENTRIES, MATCH, SIGNER, packs_of, update_manifest, wrong
from tests.evidence.test_verifier import change_line, make_zip

STORE = "gone.sqlite"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pair = packs_of("blackpoker")
    (tmp_path / "o.zip").write_bytes(pair.officials)
    (tmp_path / "p.zip").write_bytes(pair.players)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_good_packs_hold(folder: Path) -> None:
    said = fine(STORE, "check", "o.zip", "--key", SIGNER.key)
    assert (
        f"1 matches, {ENTRIES + 2} entries: all links are intact" in said.out and f"signed by {SIGNER.key}" in said.out
    )
    told = fine(STORE, "check", "p.zip", "--against", "o.zip", "--json").data
    assert (told["matches"], told["entries"], told["held"], told["unlinked"]) == (1, ENTRIES + 2, 1, 0)
    assert told["opened"] > ENTRIES and not told.get("trusted") and told["signed"] == str(SIGNER.key)
    assert "hidden columns, now open" in fine(STORE, "check", "p.zip", "--against", "o.zip").out
    assert [*folder.glob("*.sqlite*")] == []


def test_what_is_wrong_is_named_with_its_entry(folder: Path) -> None:
    (folder / "x.zip").write_bytes(change_line("entries.jsonl", 9, b'"actor"', b'"actor2"'))
    ran = inside(STORE, "check", "x.zip")
    assert ran.code == 1 and f"{MATCH}, entry 10: does not follow the previous entries" in ran.out
    assert "記録10" in inside(STORE, "check", "x.zip", "--lang", "ja").out
    (folder / "x.zip").write_bytes(change_line("entries.jsonl", ENTRIES + 1, CANARY.encode(), b"x"))
    ran = inside(STORE, "check", "p.zip", "--against", "x.zip")
    assert ran.code == 1 and f"{MATCH}, entry {ENTRIES + 1}: text: differs from the commitment" in ran.out


def test_what_is_no_pack_is_refused_by_name_and_place(folder: Path) -> None:
    files = dict(verifier.read_pack(packs_of("blackpoker").officials))
    for data, words in (
        (make_zip(("../verify.py", b"x")), "x.zip: ../verify.py: evidence packs have no file"),
        (make_zip(("a.txt", bytes(9_000_000)), method=8), "a.txt: compressed"),
        (update_manifest({**files, "entries.jsonl": b'{"a": "\xff"}'}), "entries.jsonl, line 1"),
        (packs_of("blackpoker").officials + b"x", "the data between the files"),
        (verifier.write_pack({"manifest.json": b"{}"}), "not an evidence pack"),
    ):
        (folder / "x.zip").write_bytes(data)
        ran = inside(STORE, "check", "x.zip")
        assert ran.code == 2 and not ran.out and words in ran.message, ran
        assert wrong(data)
    for arguments in (("o.zip", "--against", "o.zip", "--against", "p.zip"), ("gone.zip",)):
        assert inside(STORE, "check", *arguments).code == 2


def test_all_that_can_be_wrong_has_words_in_both_languages() -> None:
    text = Path(verifier.__file__).read_text(encoding="utf-8")
    keys = set(re.findall(r'(?:demand|make_line)\([^"]*?(?:"[^"]*"\)[^"]*?)*"([a-z_]+)", (?:"|text|other|\n)', text))
    keys |= set(re.findall(r'CheckLine\("wrong"[^"]*(?:"open", )?"([a-z_]+)"', text))
    assert {"none", "twice", "chain", "proof", "opened", "unsealed", "shown"} <= keys
    assert [key for key in sorted(keys - {"columns"}) if f"pack.{key}" not in load_messages()] == []
