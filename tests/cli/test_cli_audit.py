"""The `audit` command: findings, undone entries, entries by hand, and several records at once."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from domain.games import GAMES
from domain.law.entries import Corrected, Played
from domain.words import LANGS
from recorder import codec
from tests.cli.runs import ROOT, clauses, disputed, fine, inside
from tests.rejudging.test_regress_schemas import wrong_junit, wrong_sarif
from tests.shelves import SHELVES

pytestmark = pytest.mark.random

PLANTED = [(10, "BP-7.15"), (30, "BP-4.2"), (47, "BP-10.6")]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return disputed(tmp_path)


def test_findings_on_a_line_that_was_left_are_marked_and_counted_apart(store: Path) -> None:
    fine(store, "rewind", "table-17", "--to", "29", "--reason", "misheard", "--by", "judge")
    ran = inside(store, "audit", "table-17", "--json")
    assert clauses(ran.data["findings"]) == PLANTED and ran.code == 1
    assert [one.get("undone", False) for one in ran.data["findings"]] == [False, True, True]
    assert ran.data["undone"] == 2
    text = inside(store, "audit", "table-17").out
    assert "findings: 1 (" in text and "on undone lines: 2\n" in text
    assert text.count("undone by a rewind") == 2
    standing = inside(store, "audit", "table-17", "--standing")
    assert "findings: 1 (" in standing.out and "undone" not in standing.out
    assert clauses(inside(store, "audit", "table-17", "--standing", "--json").data["findings"]) == PLANTED[:1]


def test_where_only_undone_findings_remain_nothing_is_wrong_any_more(store: Path) -> None:
    fine(store, "rewind", "table-17", "--to", "9", "--reason", "misheard", "--by", "judge")
    ran = inside(store, "audit", "table-17")
    assert ran.code == 0 and "findings: 0 (" in ran.out and "on undone lines: 3" in ran.out
    assert inside(store, "audit", "table-17", "--standing", "--json").data["findings"] == []


def test_corrections_are_listed_with_who_and_why(store: Path) -> None:
    plain = inside(store, "audit", "table-17").out
    assert "by hand" not in plain
    fine(store, "correct", "table-17", "- mark p1 attacks 1", "--reason", "miscounted", "--by", "Ito")
    text = inside(store, "audit", "table-17").out
    assert text == plain.replace("entries 54", "entries 55").replace("facts 211", "facts 212") + (
        "corrected by hand: 1\n  entry 55 by Ito: miscounted (facts: 1)\n"
    )
    (one,) = inside(store, "audit", "table-17", "--json").data["corrections"]
    assert one == {"entry": 55, "by": "Ito", "reason": "miscounted", "facts": 1}


@pytest.mark.parametrize("cited", [True, False], ids=["with its clauses", "without a clause"])
def test_an_illegal_action_relabelled_as_a_correction_stays_visible_as_one(cited: bool, tmp_path: Path) -> None:
    entries = list(SHELVES["blackpoker"].entries("disputed"))
    entry, by_hand = entries[29], GAMES["blackpoker"].by_hand
    assert isinstance(entry, Played) and entry.violations
    told = entry.told if cited else tuple((by_hand, fact) for _, fact in entry.told)
    entries[29] = Corrected(by="judge", reason="as announced", told=told)
    file = tmp_path / "relabelled.jsonl"
    file.write_bytes(b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in entries))
    ran = inside("unused", "audit", file, "--json")
    assert clauses(ran.data["findings"]) == [PLANTED[0], PLANTED[2]]
    (one,) = ran.data["corrections"]
    assert (one["entry"], one["by"], one["as_play"]) == (30, "judge", True)
    text = inside("unused", "audit", file).out
    assert (
        "corrected by hand: 1\n  entry 30 by judge: as announced" in text
        and "includes changes that only an action should make" in text
    )


# -- many at once -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    matches = tmp_path / "a<b>&'"
    matches.mkdir()
    for name in ("normal", "disputed"):
        (matches / f"{name}.spn").write_text(SHELVES["blackpoker"].text(name), encoding="utf-8")
    (matches / "broken<&>.spn").write_text("{nonsense}")
    return matches


def test_files_folders_stores_corpora_and_matches_are_audited_together(store: Path, folder: Path) -> None:
    small = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
    ran = inside(store, "audit", "table-17", folder / "normal.spn", small, store, "--json")
    assert ran.code == 1 and ran.data["matches"] == 1 + 1 + 50 + 1
    assert [(Path(one["name"]).name, clauses(one["findings"])) for one in ran.data["audits"]] == [
        ("table-17", PLANTED),
        (f"{store.name}:table-17", PLANTED),
    ]
    assert (ran.data["findings"], ran.data["bad"], ran.data["undone"]) == (6, 0, 0)
    assert inside(store, "audit", folder / "normal.spn", small).code == 0
    text = inside(store, "audit", folder).out
    assert "disputed.spn\n  entry 10" in text
    assert "matches: 3, with findings: 1; findings: 3; not readable: 1\n" in text


def test_what_cannot_be_read_is_named_and_the_rest_is_audited(folder: Path, tmp_path: Path) -> None:
    ran = inside("unused", "audit", folder / "normal.spn", folder / "broken<&>.spn")
    assert ran.code == 2 and "broken<&>.spn" in ran.message and "matches: 2" in ran.out
    gone = inside("unused", "audit", folder, tmp_path / "gone.spn")
    assert (gone.code, gone.out) == (2, "") and "does not exist" in gone.message
    assert inside("unused", "audit", folder).code == 1
    nobody = inside("unused", "audit", folder / "normal.spn", folder / "disputed.spn", "--as", "p9")
    assert nobody.code == 2 and "p9" in nobody.err


def test_a_seed_in_the_store_is_heeded_in_a_store_full_of_matches(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--match", "m")
    assert inside(where, "audit", where).code == 0
    with closing(sqlite3.connect(where)) as connection, connection:
        connection.execute("UPDATE secrets SET seed=?", (bytes(16),))
    found = inside(where, "audit", where, "--json").data["audits"]
    assert [(one["entry"], one["kind"]) for one in found[0]["findings"]] == [(1, "unfair")]


@pytest.mark.parametrize("lang", LANGS)
def test_reports_hold_against_their_published_schemas(lang: str, store: Path, folder: Path, tmp_path: Path) -> None:
    fine(store, "rewind", "table-17", "--to", "29", "--reason", "misheard", "--by", "judge")
    junit, sarif = tmp_path / "out.xml", tmp_path / "out.json"
    outputs = ("--junit", junit, "--sarif", sarif)
    ran = inside(store, "--lang", lang, "audit", store, folder, *outputs)
    assert ran.code == 1
    assert wrong_junit(junit.read_bytes()) == []
    suite = Xml.fromstring(junit.read_bytes())[0]
    assert [suite.get(key) for key in ("tests", "failures", "errors")] == ["4", "2", "1"]
    log = json.loads(sarif.read_bytes())
    assert wrong_sarif(log) == []
    results = log["runs"][0]["results"]
    assert [bool(one["suppressions"]) for one in results].count(True) == 2 and len(results) == 7
    assert all(log["runs"][0]["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"] for one in results)
    prints = [one["partialFingerprints"]["primaryLocationLineHash"] for one in results]
    assert len(set(prints)) == len(prints)
    again = inside(store, "audit", store, folder, "--junit", folder / "normal.spn")
    assert again.code == 2 and SHELVES["blackpoker"].text("normal") == (folder / "normal.spn").read_text()


def test_a_single_record_may_have_a_report_too(store: Path, tmp_path: Path) -> None:
    report = tmp_path / "out.xml"
    assert inside(store, "audit", "table-17", "--junit", report).code == 1
    assert b"BP-7.15" in report.read_bytes()
