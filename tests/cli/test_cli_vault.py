"""The vault from the command line: given, told of, lost; a match is played in a store that has one as in any other."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recorder.vault import PLACE
from tests.cli.playing import play
from tests.cli.runs import Ran, fine, inside

TIME = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d)?")
NEW = ("new", "blackpoker@8.1-lite", "--p1", "Shirakawa", "--p2", "Tachibana", "--seed", "3")


@pytest.fixture(name="where")
def store_with_a_vault(tmp_path: Path) -> Path:
    where = tmp_path / "s.sqlite"
    fine(where, "vault", "--on")
    fine(where, *NEW, "--match", "m")
    return where


def lose(where: Path) -> None:
    where.with_name(where.name + ".vault").rename(where.with_name("away"))


def test_a_vault_is_given_once_and_told_of(tmp_path: Path) -> None:
    where = tmp_path / "s.sqlite"
    fine(where, *NEW, "--match", "old")
    assert "has no vault" in fine(where, "vault").out and fine(where, "vault", "--json").data == {}
    for n in range(2):
        told = fine(where, "vault", "--on")
        assert f"{where}.vault: keys of {n} matches" in told.out and "Without" in told.err
        fine(where, *NEW, "--match", f"m{n}")
    assert fine(where, "vault", "--json").data == {"vault": f"{where}.vault", "keys": 2, "encrypted": 2}
    fine(where, "close", "m0", "--abandon", "--reason", "x")
    assert fine(where, "vault", "--json").data == {"vault": f"{where}.vault", "keys": 2, "encrypted": 1}
    assert "保管庫" in fine(where, "vault", "--lang", "ja").out


def test_every_command_works_as_without_a_vault(tmp_path: Path, where: Path) -> None:
    """What is typed and what is answered is the same, byte for byte, but for times and the chain's salt."""
    plain = tmp_path / "plain.sqlite"
    fine(plain, *NEW, "--match", "m")
    for command in (
        ("do", "m", "p1: pass"), ("note", "m", "said", "--at", "3"), ("show", "m", "--as", "p1"),
        ("log", "m", "--as", "judge", "--flow"), ("legal", "m"), ("knows", "m", "--as", "judge"),
        ("branch", "m", "--at", "3", "--match", "b"), ("audit", "m", "--as", "judge"), ("fairness", "m"),
        ("dispute", "m", "--at", "2", "--claim", "p1=mine"), ("disputes", "m"), ("docket",),
        ("find", "--player", "Shirakawa"), ("export", "m", "--as", "judge", "--format", "spn"),
        ("close", "m", "--abandon", "--reason", "x"), ("find", "--player", "Shirakawa"), ("fairness", "m"),
    ):  # fmt: skip
        ours, theirs = inside(where, *command), inside(plain, *command)
        assert (ours.code, same(ours)) == (theirs.code, same(theirs)), command
    assert fine(where, "check").out == fine(plain, "check").out


def same(ran: Ran) -> list[str]:
    return [TIME.sub("", line) for line in (ran.out + ran.err).splitlines() if "sqlite" not in line]


def test_without_its_vault_a_store_says_what_it_cannot_read(where: Path) -> None:
    fine(where, *NEW, "--match", "done")
    fine(where, "close", "done", "--abandon", "--reason", "x")
    whole = fine(where, "check").out
    assert "2 matches" in whole and "every link holds" in whole
    lose(where)
    assert "p1" in fine(where, "show", "done").out
    listed = {row["match"]: row for row in fine(where, "matches", "--json").data}
    assert (listed["m"]["game"], listed["m"]["closed"], listed["done"]["names"]) == ("", False, {})
    assert "m " in fine(where, "matches").out
    for command in (("show", "m"), ("do", "m", "p1: pass"), ("note", "m", "x"), ("export", "m")):
        refused = inside(where, *command)
        assert refused.code == 2 and f"{where}.vault is not there" in refused.message and " m is" in refused.message
    refused = inside(where, *NEW, "--match", "n")
    assert refused.code == 2 and f"{where}.vault is not there" in refused.message
    checked = inside(where, "check")
    assert checked.code == 1 and "1 matches" in checked.out and "every link holds" not in checked.out
    assert "cannot be read here: m" in checked.out
    assert inside(where, "check", "--json").data["shut"] == ["m"]
    told = inside(where, "vault")
    assert told.code == 1 and "cannot be read: 1" in told.out
    where.with_name("away").rename(f"{where}.vault")
    assert fine(where, "check").out == whole and len(fine(where, "matches", "--json").data) == 2


def test_a_checkpoint_needs_what_it_is_to_cover(where: Path, tmp_path: Path) -> None:
    fine(where, "keygen", tmp_path / "own.key")
    fine(where, "seal", "--key", tmp_path / "own.key")
    fine(where, "note", "m", "said")
    lose(where)
    refused = inside(where, "seal", "--key", tmp_path / "own.key")
    assert refused.code == 2 and "vault is not there" in refused.message
    assert "1 checkpoints" in inside(where, "check").out


def test_an_altered_entry_is_named_by_check(where: Path) -> None:
    altered = "CAST(substr(state,1,99)||x'00'||substr(state,101) AS BLOB)"
    with closing(sqlite3.connect(where, isolation_level=None)) as file:
        file.execute(f"UPDATE stored_events SET state={altered} WHERE originator_id='m' AND originator_version=2")
    checked = inside(where, "check")
    assert checked.code == 1 and "m, entry 2:" in checked.out and "altered" in checked.out


def test_a_backup_has_the_vault_only_where_told(where: Path, tmp_path: Path) -> None:
    fine(where, "backup", tmp_path / "a.sqlite")
    assert not (tmp_path / "a.sqlite.vault").exists() and inside(tmp_path / "a.sqlite", "show", "m").code == 2
    (tmp_path / "safe").mkdir()
    told = fine(where, "backup", tmp_path / "b.sqlite", "--vault", tmp_path / "safe" / "b.vault")
    assert "elsewhere" in told.out
    (tmp_path / "safe" / "b.vault").rename(tmp_path / "b.sqlite.vault")
    assert "Shirakawa" in fine(tmp_path / "b.sqlite", "show", "m").out
    for taken in (where, tmp_path / "c.sqlite", f"{where}.vault", tmp_path / "b.sqlite.vault"):
        refused = inside(where, "backup", tmp_path / "c.sqlite", "--vault", taken)
        assert refused.code == 2 and not (tmp_path / "c.sqlite").exists(), taken
    plain = tmp_path / "plain.sqlite"
    fine(plain, *NEW)
    refused = inside(plain, "backup", tmp_path / "d.sqlite", "--vault", tmp_path / "d.vault")
    assert refused.code == 2 and "has no vault" in refused.message
    assert not (tmp_path / "d.sqlite").exists() and not (tmp_path / "d.vault").exists()


def test_vaults_may_lie_in_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stick").mkdir()
    monkeypatch.setenv(PLACE, str(tmp_path / "stick"))
    where = tmp_path / "s.sqlite"
    fine(where, "vault", "--on")
    fine(where, *NEW, "--match", "m")
    assert [path.suffix for path in (tmp_path / "stick").iterdir()] == [".vault"]
    assert not (tmp_path / "s.sqlite.vault").exists()
    fine(where, "backup", tmp_path / "copy.sqlite")
    assert "Shirakawa" in fine(tmp_path / "copy.sqlite", "show", "m").out, "a copy finds the same vault"
    monkeypatch.delenv(PLACE)
    assert inside(where, "show", "m").code == 2


def test_what_is_typed_and_not_recorded_yet_is_encrypted_too(where: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.sqlite"
    fine(plain, *NEW, "--match", "m")
    held: list[bytes] = []
    for store in (where, plain):
        play(store, "m", answers=["s\n", KeyboardInterrupt()])
        (draft,) = store.parent.glob(f"{store.name}.*.draft")
        held.append(draft.read_bytes())
        again = play(store, "m", answers=["\n", "1\n"])
        assert "typed before and not recorded: Summon soldier" in again.out and not draft.exists()
    assert b"Summon soldier" in held[1] and b"Summon soldier" not in held[0] and held[0].startswith(b"\xc1\x01")
    play(where, "m", answers=["s\n", KeyboardInterrupt()])
    (draft,) = tmp_path.glob(f"{where.name}.*.draft")
    draft.write_bytes(held[1])
    assert "typed before" not in play(where, "m", answers=[KeyboardInterrupt()]).out, "one that is not ours is none"


def test_a_name_is_forgotten_and_everything_else_is_as_it_was(where: Path) -> None:
    fine(where, *NEW, "--match", "n")
    fine(where, "close", "n", "--abandon", "--reason", "x")
    exported, checked = fine(where, "export", "n", "--as", "judge", "--format", "jsonl").out, fine(where, "check").out
    assert "Shirakawa" not in exported and "shinpan-name/1:" in exported
    dry = fine(where, "forget", "Shirakawa", "--dry-run")
    assert dry.out.splitlines() == ["m p1 Shirakawa", "n p1 Shirakawa", "would be forgotten: 2 names in 2 matches"]
    assert "Shirakawa" in fine(where, "matches").out
    told = fine(where, "forget", "Shirakawa", "--json")
    assert [row["match"] for row in told.data["names"]] == ["m", "n"]
    listed = fine(where, "matches").out
    assert "Shirakawa" not in listed and "p1 - Tachibana" in listed
    assert "Shirakawa" not in fine(where, "show", "n").out + fine(where, "find").out
    assert (fine(where, "export", "n", "--as", "judge", "--format", "jsonl").out, fine(where, "check").out) == (
        exported,
        checked,
    )
    again = fine(where, "forget", "Shirakawa")
    assert again.out.splitlines() == ["forgotten: 0 names in 0 matches"] and again.err == ""
    assert len(fine(where, "forget", "--older-than", "0", "--json").data["names"]) == 1, "closed matches alone"
    assert len(fine(where, "forget", "--match", "m", "--json").data["names"]) == 1
    assert "Tachibana" not in fine(where, "matches").out


def test_what_is_to_be_forgotten_must_be_said(where: Path, tmp_path: Path) -> None:
    assert inside(where, "forget").code == 2 and "--older-than" in inside(where, "forget").message
    assert inside(where, "forget", "--match", "gone").code == 2
    plain = tmp_path / "plain.sqlite"
    fine(plain, *NEW)
    assert "has no vault" in inside(plain, "forget", "Shirakawa").message
    lose(where)
    refused = inside(where, "forget", "Shirakawa")
    assert refused.code == 2 and "vault is not there" in refused.message
