"""Stores in PostgreSQL: every command takes one, and none prints its password."""

from pathlib import Path
from urllib.parse import quote

import pytest

from recorder.store import Store
from tests.cli.runs import Ran, fine, inside
from tests.postgres import GUARDED, PASSWORD, Cluster

HIDDEN = quote(PASSWORD, safe="")


@pytest.fixture
def where(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    schema = cluster.schema()
    cluster.run(f"GRANT ALL ON SCHEMA {schema} TO {GUARDED}")
    return cluster.address(schema, GUARDED).replace("@", f":{HIDDEN}@", 1)


def without_password(ran: Ran) -> Ran:
    assert PASSWORD not in ran.out + ran.err and HIDDEN not in ran.out + ran.err, ran
    return ran


def test_a_store_in_a_database_is_recorded_to_read_and_judged(where: str, tmp_path: Path) -> None:
    without_password(fine(where, "new", "blackpoker@8.1-lite", "--match", "m", "--p1", "Aiko"))
    without_password(fine(where, "note", "m", "a note"))
    without_password(fine(where, "close", "m", "--abandon", "--reason", "no time"))
    assert "m" in without_password(fine(where, "matches")).out
    assert "a note" in without_password(fine(where, "log", "m", "--as", "judge")).out
    for command in (
        ("audit", "m"), ("audit", where), ("find", "--player", "Aiko"), ("find", "--index", "--player", "Aiko"),
        ("check",), ("check", where), ("fairness", where), ("export", "m"), ("compare", where, "--reading", "a=b"),
        ("knows", "m", "--as", "judge"), ("docket",), ("corpus", "pack", str(tmp_path / "a.corpus"), where),
        ("keygen", str(tmp_path / "a.key")), ("seal", "--key", str(tmp_path / "a.key")), ("proof", "m"),
        ("show", "no-such"), ("new", "blackpoker@8.1-lite", "--match", "m"), ("matches", "--game", "none"),
    ):  # fmt: skip
        assert without_password(inside(where, *command)).code in (0, 1, 2)
    report = tmp_path / "a.html"
    ran = without_password(
        fine(where, "regress", where, "--set", "hand.limit=6", "--report", report, "--jobs", "1", "--json")
    )
    assert ran.data["matches"] == 1
    assert HIDDEN not in report.read_text(encoding="utf-8") and GUARDED in ran.out + report.read_text(encoding="utf-8")
    assert (tmp_path / "a.corpus").exists()


def test_it_is_copied_to_a_file_and_back(where: str, tmp_path: Path, cluster: Cluster) -> None:
    fine(where, "new", "blackpoker@8.1-lite", "--match", "m")
    done = without_password(fine(where, "backup", tmp_path / "copy.sqlite", "--json"))
    assert (done.data["matches"], done.data["file"]) == (1, str(tmp_path / "copy.sqlite"))
    there = cluster.new()
    copied = without_password(fine(where, "store", "copy", tmp_path / "copy.sqlite", there, "--json")).data
    assert copied["damaged"] == [] and copied["to"] == there
    with Store.open(where) as first, Store.open(there) as second:
        assert first.read_bytes("m") == second.read_bytes("m")
    for lang in ("en", "ja"):
        refused = without_password(inside(where, "store", "copy", tmp_path / "copy.sqlite", where, "--lang", lang))
        assert refused.code == 2
    assert without_password(inside(where, "store", "copy", where, tmp_path / "new.sqlite")).code == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_address_that_is_none_is_said_to_be_so(lang: str) -> None:
    ran = inside("postgresql://u:hid/den@host/db", "matches", "--lang", lang)
    assert ran.code == 2 and "den" not in ran.err.replace("hidden", "") and "postgresql://" in ran.err
