"""Matches written as tables: what stands in them, for whom, and what is wrong with what was asked."""

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from msgspec.structs import fields
from pyarrow import ipc, parquet

from corpus.sources import load, sources
from corpus.writing import pack
from domain.judging.audit import audit
from domain.law.entries import told
from domain.law.record import Record
from domain.words import LANGS
from projections.seen_entries import seen_entries
from regress import arrow, tabling
from regress.tabling import EntryRow, FindingRow, Wanted
from tests.cli.runs import DISPUTED, Ran, inside
from tests.corpus.small_files import real

GAME = "blackpoker"
IDS = ("m1", "m2", "m3")
AS_PLAYED = DISPUTED.with_name("as-played.spn")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "three.corpus"
    pack(path, [(name, real(GAME, int(name[1]))) for name in IDS])
    return path


def table(*arguments: str | Path) -> Ran:
    return inside("unused.sqlite", "corpus", "table", *arguments, "--jobs", "1")


def read(file: Path) -> pa.Table:
    return parquet.read_table(file) if file.suffix == ".parquet" else ipc.open_file(file).read_all()


def rows(file: Path) -> list[dict[str, Any]]:
    return list(read(file).to_pylist())


def bad(tmp_path: Path, *arguments: str | Path) -> str:
    """What is said against it, in English; in Japanese something else is, and nothing is written."""
    before = sorted(tmp_path.iterdir())
    ran = table(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran
    assert table(*arguments, "--lang", "ja").message != ran.message
    assert sorted(tmp_path.iterdir()) == before
    return ran.message


def test_entries_are_rows(packed: Path, tmp_path: Path) -> None:
    out = tmp_path / "e.parquet"
    ran = table(packed, out)
    records = [real(GAME, int(name[1])) for name in IDS]
    assert ran.code == 0 and f"entries {sum(map(len, records)):,}, columns 18" in ran.out, ran
    there = rows(out)
    assert list(there[0]) == [field.name for field in fields(EntryRow)]
    assert [(row["match"], row["entry"]) for row in there] == [
        (name, number) for name, entries in zip(IDS, records, strict=True) for number in range(1, len(entries) + 1)
    ]
    opening, *others = there
    assert opening["kind"] == "opened" and opening["turn"] is None and opening["verb"] is None
    assert opening["seats"] == ["p1", "p2"] and opening["rules_hash"] == records[0][0].rules_hash  # type: ignore[union-attr]
    match = next(iter(map(load, sources([packed]))))
    assert isinstance(match, Record)
    for row, seen in zip(there, seen_entries(match, match.eyes()), strict=False):
        assert (row["kind"], row["facts"], row["actor"] or "") == (seen.seen, len(seen.facts), seen.actor or seen.by)
        assert set(row["clauses"]) == {fact.clause for fact in seen.facts} - {""}
    assert {row["turn"] for row in others} > {1, 2} and any(row["faces"] for row in others)
    assert any(len(told(entry)) > row["facts"] for entry, row in zip(records[0], there, strict=False)), "less is seen"


def test_both_forms_hold_the_same_and_the_same_bytes_each_time(packed: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.parquet", "b.parquet", "a.arrow", "b.arrow")]
    for file in files:
        assert table(packed, file).code == 0
    first, again, arrow_first, arrow_again = files
    assert first.read_bytes() == again.read_bytes() and arrow_first.read_bytes() == arrow_again.read_bytes()
    assert read(first).equals(read(arrow_first))


@pytest.mark.random
def test_more_processes_write_the_same_bytes(packed: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    assert table(packed, one).code == 0
    assert inside("unused.sqlite", "corpus", "table", packed, two, "--jobs", "2").code == 0
    assert one.read_bytes() == two.read_bytes()


def test_rows_are_written_batch_after_batch(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "BATCH", 50)
    for file in (tmp_path / "e.parquet", tmp_path / "e.arrow"):
        assert table(packed, file).code == 0
    total = sum(len(real(GAME, int(name[1]))) for name in IDS)
    groups = parquet.ParquetFile(tmp_path / "e.parquet").metadata
    sizes = [groups.row_group(n).num_rows for n in range(groups.num_row_groups)]
    assert sizes == [50] * (total // 50) + [total % 50] and groups.num_rows == total
    assert ipc.open_file(tmp_path / "e.arrow").num_record_batches == len(sizes)


def test_findings_are_rows(tmp_path: Path) -> None:
    out = tmp_path / "f.parquet"
    assert table(DISPUTED, out, "--of", "findings").code == 0
    match = next(iter(map(load, sources([DISPUTED]))))
    assert isinstance(match, Record)
    found = audit(match.game, match.entries).findings
    assert [(row["entry"], row["kind"], row["clause"]) for row in rows(out)] == [
        (finding.entry, finding.kind, finding.clause) for finding in found
    ]
    assert all(row["standing"] and row["certainty"] == "certain" and row["sentence_ja"] for row in rows(out))


def test_each_audience_has_its_columns(tmp_path: Path) -> None:
    """What nobody but the judge is told has no column for others, and a seat is told what was wrong with its own."""
    told_to: dict[str, list[dict[str, Any]]] = {}
    for audience in ("everyone", "p1", "p2", "judge"):
        file = tmp_path / f"{audience}.arrow"
        assert table(AS_PLAYED, file, "--of", "findings", "--for", audience).code == 0
        assert read(file).schema.metadata[b"for"] == audience.encode()
        told_to[audience] = rows(file)
    secret = {"missing", "extra", "detail_en", "detail_ja"}
    every = {field.name for field in fields(FindingRow)}
    assert {audience: every - set(there[0]) for audience, there in told_to.items()} == {
        "everyone": secret | {"broken"},
        "p1": secret,
        "p2": secret,
        "judge": set(),
    }
    entered = {row["entry"]: row["broken"] for row in told_to["judge"]}
    assert entered == {9: ["BP-8.2"], 24: ["BP-5.8"]}
    assert {row["entry"]: row["broken"] for row in told_to["p1"]} == {9: ["BP-8.2"], 24: []}
    assert {row["entry"]: row["broken"] for row in told_to["p2"]} == {9: [], 24: ["BP-5.8"]}


def test_what_differs_is_told_to_the_judge(tmp_path: Path) -> None:
    out = tmp_path / "f.parquet"
    assert table(DISPUTED, out, "--of", "findings", "--for", "judge").code == 0
    *_, last = rows(out)
    assert last["kind"] == "consequences" and {"fact": "move", "clause": "BP-10.6"} in last["missing"]
    assert last["extra"] and last["broken"] == []


def test_nothing_is_found_in_a_sound_match(packed: Path, tmp_path: Path) -> None:
    out = tmp_path / "none.parquet"
    ran = table(packed, out, "--of", "findings", "--json")
    assert ran.code == 0 and (ran.data["rows"], ran.data["of"], ran.data["audience"]) == (0, "findings", "everyone")
    assert read(out).num_rows == 0 and tuple(ran.data["columns"]) == tabling.columns(Wanted("findings"))


def test_what_is_wrong_is_named_and_nothing_is_written(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = "t.parquet"
    assert "gone.corpus" in bad(tmp_path, "gone.corpus", out)
    assert "t.csv" in (said := bad(tmp_path, packed, "t.csv")) and ".parquet .arrow" in said
    assert "p9" in (said := bad(tmp_path, packed, out, "--for", "p9")) and "everyone, judge, p1, p2" in said
    assert "m1" in said
    bad(tmp_path, packed, "no/t.parquet")
    bad(tmp_path, packed, out, "--for", "spectator")
    broken = Path("broken.spn")
    broken.write_text('[Game "blackpoker"]\n\np1: fly\n', encoding="utf-8")
    assert "broken.spn" in bad(tmp_path, broken, out)


def test_a_match_that_is_damaged_leaves_an_old_table_as_it_was(packed: Path, tmp_path: Path) -> None:
    damaged, out = tmp_path / "damaged.corpus", tmp_path / "t.parquet"
    assert table(packed, out).code == 0
    before = out.read_bytes()
    data = bytearray(packed.read_bytes())
    data[-20] ^= 1
    damaged.write_bytes(data)
    assert "m3" in bad(tmp_path, damaged, out) and out.read_bytes() == before


def test_a_table_is_not_written_over_what_it_is_made_of(tmp_path: Path) -> None:
    store = tmp_path / "s.parquet"
    pack(store, [("m1", real(GAME, 1))])
    before = store.read_bytes()
    assert "s.parquet" in bad(tmp_path, store, store) and store.read_bytes() == before


@pytest.mark.parametrize("lang", LANGS)
def test_the_missing_extra_is_named(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.delitem(sys.modules, "regress.arrow", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = table(packed, tmp_path / "t.parquet", "--lang", lang)
    assert ran.code == 2 and "pip install 'shinpan[table]'" in ran.message and list(tmp_path.iterdir()) == []
