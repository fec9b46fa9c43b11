"""Approval files: written by `regress`, completed by a judge, refused without a reason."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from archive.corpus.sources import sources
from archive.regress.approvals import read_approvals
from archive.regress.counting import RegressionCounter
from archive.regress.drafting import to_approvals
from archive.regress.regressing import regress
from archive.regress.summary import Summary, Task
from domain.games import GAMES
from domain.judging.rejudging.causes import Cause
from domain.judging.rejudging.target import RulesTarget
from domain.words import LANGS
from tests.cli.runs import ROOT, inside
from tests.rejudging.test_regress_reports import NASTY, make_report

pytestmark = pytest.mark.random

SMALL = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
CHANGE = ("regress", SMALL, "--set", "judge.compare=printed", "--jobs", "1")
EMPTY = 'reason = ""'


def tables(file: Path) -> list[dict[str, Any]]:
    return tomllib.loads(file.read_text(encoding="utf-8")).get("approved", [])


@pytest.mark.parametrize("lang", LANGS)
def test_a_file_is_written_filled_and_used(lang: str, tmp_path: Path) -> None:
    none, file = tmp_path / "none", tmp_path / "regress.approved.toml"
    ran = inside(none, *CHANGE, "--write-approvals", file, "--json", "--lang", lang)
    assert ran.code == 1 and ran.data["unapproved"] == 5
    written = tables(file)
    keys = [(one["class"], one["clause"], one["cause"]) for one in written]
    assert sorted(keys) == sorted(
        {
            (one["match"]["kind"], one["match"].get("clause", "-"), cause["key"])
            for one in ran.data["differences"]
            for cause in one["match"]["causes"]
        }
    )
    assert len(keys) > 2 and all(one["reason"] == "" for one in written)

    refused = inside(none, *CHANGE, "--approved", file, "--report", tmp_path / "page.html", "--lang", lang)
    assert refused.code == 2 and refused.out == "" and not (tmp_path / "page.html").exists()
    line = 1 + file.read_text(encoding="utf-8").splitlines().index("[[approved]]")
    assert f"regress.approved.toml:{line}" in refused.message
    assert "the reason is missing" in refused.message if lang == "en" else "理由がありません" in refused.message

    one_filled = file.read_text(encoding="utf-8").replace(EMPTY, 'reason = "meant"', 1)
    file.write_text(one_filled, encoding="utf-8")
    assert inside(none, *CHANGE, "--approved", file).code == 2, "the others are empty still"

    filled = one_filled.replace(EMPTY, 'reason = "printed numbers count"')
    file.write_text(filled, encoding="utf-8")
    page = tmp_path / "page.html"
    ran = inside(none, *CHANGE, "--approved", file, "--report", page, "--json", "--lang", lang)
    assert ran.code == 0 and ran.data["unapproved"] == 0 and not ran.data["unused_approvals"]
    shown = page.read_text(encoding="utf-8")
    assert "printed numbers count" in shown and "--approved" in shown and "not approved" not in shown


def test_a_table_that_is_taken_out_leaves_its_matches_unapproved(tmp_path: Path) -> None:
    file, next_file = tmp_path / "a.toml", tmp_path / "b.toml"
    inside(tmp_path / "none", *CHANGE, "--write-approvals", file)
    head, *parts = file.read_text(encoding="utf-8").replace(EMPTY, 'reason = "x"').split("[[approved]]")
    file.write_text("[[approved]]".join([head, *parts[:-1]]), encoding="utf-8")
    ran = inside(tmp_path / "none", *CHANGE, "--approved", file, "--write-approvals", next_file, "--json")
    assert ran.code == 1 and ran.data["unapproved"] == 3
    (left,) = tables(next_file)
    assert left["clause"] in parts[-1] and left["class"] in parts[-1], "only what is left is written"


def test_where_nothing_is_left_to_approve_no_table_is_written(tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    for lang, said in (("en", "nothing to fill in"), ("ja", "承認済み")):
        same = ("regress", SMALL, "--rules", "blackpoker@8.1-lite", "--jobs", "1", "--lang", lang)
        assert inside(tmp_path / "none", *same, "--write-approvals", file).code == 0
        assert not tables(file) and said in file.read_text(encoding="utf-8")
        file.unlink()


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "regress.approved.toml"
    file.write_text("# reasons\n")
    for lang, said in (("en", "already exists"), ("ja", "既にあります")):
        ran = inside(tmp_path / "none", *CHANGE, "--write-approvals", file, "--lang", lang)
        assert ran.code == 2 and said in ran.message and ran.out == ""
    same = inside(tmp_path / "none", *CHANGE, "--write-approvals", file, "--approved", file)
    assert same.code == 2 and file.read_text() == "# reasons\n"
    assert inside(tmp_path / "none", *CHANGE, "--write-approvals", "no/such/x.toml").message.count("x.toml") == 1
    both = inside(tmp_path / "none", *CHANGE, "--write-approvals", tmp_path / "x", "--report", tmp_path / "x")
    assert both.code == 2 and not (tmp_path / "x").exists()


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_anybody_stay_in_their_comments(lang: Any) -> None:
    data = to_approvals(make_report(), lang)
    parsed = tomllib.loads(data.decode())["approved"]
    assert {one["class"] for one in parsed} == {"illegal", "path", "undecided", "winner", "base"}
    assert NASTY not in data.decode() and "\\x1b" in data.decode()
    for line in data.decode().split("\n"):
        assert re.match(r'#|\[\[approved\]\]$|(class|clause|cause|reason) = "[^"]*"$|$', line), line
    filled = data.decode().replace(EMPTY, 'reason = "x"').encode()
    assert len(read_approvals(filled, "a.toml", GAMES.values())) == len(parsed)


def test_a_strange_cause_is_written_so_that_it_reads_as_itself() -> None:
    tally = RegressionCounter()
    key = 'card "\x7f\\\n'
    tally.add(Summary(at=0, name="m", kind="path", causes=(Cause(key, "card"),)))
    (table,) = tomllib.loads(to_approvals(tally.report(Task(RulesTarget())), "en").decode())["approved"]
    assert table["cause"] == key and table["clause"] == "-"


def test_the_grimoire_too() -> None:
    found = regress(
        Task(RulesTarget(game="grimoire", settings={"mana_recovery": "start_only"})),
        tuple(sources([ROOT / "fixtures" / "grimoire" / "corpus" / "small.corpus"]))[:6],
    )
    filled = to_approvals(found, "ja").decode().replace(EMPTY, 'reason = "回復は開始時だけ"').encode()
    approved = read_approvals(filled, "a.toml", [GAMES["grimoire"]])
    assert approved and all(any(one.covers(row.match) for one in approved) for row in found.differences)
