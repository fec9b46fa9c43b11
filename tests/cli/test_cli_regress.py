"""The commands `rejudge` and `regress`: output, exit codes and errors."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from archive.regress import regressing
from archive.regress.counting import RegressionReport
from recorder.pool import Lost
from tests.cli.runs import ROOT, Ran, disputed, inside, program, refusal

pytestmark = pytest.mark.rotates(2)

MATCHES = ROOT / "fixtures" / "blackpoker" / "matches"
SMALL = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
NORMAL = MATCHES / "normal.spn"
GRIMOIRE = ROOT / "fixtures" / "grimoire" / "matches"
PRINTED = ("--set", "judge.compare=printed")


def test_a_match_under_its_own_rules_is_identical(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", "rejudge", NORMAL, "--rules", "blackpoker@8.1-lite")
    assert ran.code == 0 and "identical" in ran.out.splitlines()[1]


def test_another_path_is_fine_and_both_sides_are_labelled(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", "rejudge", NORMAL, "--set", "grave_top=auto_last")
    assert ran.code == 0
    for said in ("same result by another path BP-2.9", "only in the record:", "only when rejudged:", "grave_top"):
        assert said in ran.out, said
    japanese = inside(tmp_path / "none", "rejudge", NORMAL, "--set", "grave_top=auto_last", "--lang", "ja")
    assert "別の経過で同じ結果" in japanese.out and "裁定し直した側だけ" in japanese.out


def test_an_illegal_action_and_another_winner_are_findings(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", "rejudge", NORMAL, "--rules", "blackpoker@9.0-lite", "--json")
    assert ran.code == 1
    verdict = ran.data["verdict"]
    assert (verdict["kind"], verdict["entry"], verdict["clause"]) == ("illegal", 1, "BP-1.5")
    assert verdict["sentence"]["en"] and verdict["sentence"]["ja"]
    assert ran.data["rules"] == "blackpoker@9.0-lite"
    assert {one["key"] for one in ran.data["changes"]} >= {"frame", "deck.list"}


def test_a_match_of_the_store_and_change_notes(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    ran = inside(store, "rejudge", "table-17", "--rules", "blackpoker@7.0-lite", "--json", "--as", "judge")
    assert ran.code in (0, 1) and ran.data["match"] == "table-17" and ran.data["verdict"]["viewer"] == "judge"
    assert {"recorded", "rejudged"} == {ran.data["verdict"][side]["label"] for side in ("recorded", "rejudged")}


def test_a_match_is_named_as_reports_name_it(tmp_path: Path) -> None:
    flip = change().data["flips"][0]
    ran = inside(tmp_path / "none", "rejudge", flip["name"], *PRINTED, "--json")
    assert ran.code == 1 and ran.data["verdict"]["kind"] == "winner" and ran.data["verdict"]["outcome_changes"]
    text = inside(tmp_path / "none", "rejudge", flip["name"], *PRINTED)
    assert "outcome changes: recorded p2 won: life ran out; rejudged p1 won: life ran out" in text.out
    none = inside(tmp_path / "none", "rejudge", f"{SMALL}:sim-9999", *PRINTED)
    assert none.code == 2 and "sim-9999" in none.message and "small.corpus" in none.message


def test_a_spectator_sees_less_than_the_judge(tmp_path: Path) -> None:
    answers = {}
    for viewer in ("spectator", "judge"):
        ran = inside(tmp_path / "none", "rejudge", NORMAL, "--set", "draw.mandatory=2", "--as", viewer, "--json")
        answers[viewer] = ran.data["verdict"]["rejudged"]["facts"]
    assert all("face" in card for fact in answers["judge"] for card in fact["cards"])
    assert not [card for fact in answers["spectator"] for card in fact.get("cards", ()) if "face" in card]


def test_rules_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    file.write_text('version = "blackpoker@8.1-lite"\nset = { "grave_top" = "auto_last" }')
    ran = inside(tmp_path / "none", "rejudge", NORMAL, "--rules", file, "--json")
    assert ran.code == 0 and ran.data["verdict"]["kind"] == "path"
    assert [one["key"] for one in ran.data["verdict"]["causes"]] == ["grave_top"]


WRONG_RULES: dict[str, str] = {
    'version = "blackpoker@8.1-lite"\nset = { "hand.limitt" = 5 }': "hand.limitt",
    'version = "blackpoker@8.1-lite"\nset = { "hand.limit" = "many" }': "hand.limit",
    'set = { "fog.enabled" = false, "fog.end_scope" = "own_card_active" }': "fog.end_scope",
    'version = "blackpoker@8.1-lite"\nset = { "block.mixed" = 3 }': "block.mixed",
    "version = [": "not TOML",
    'edition = "9"': "edition",
    'version = "9.9-lite"': "9.9-lite",
}


def test_a_wrong_rules_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "new.toml"
    for text, key in WRONG_RULES.items():
        file.write_text(text)
        for command in ("rejudge", "regress"):
            said = refusal(tmp_path / "none", command, NORMAL, "--rules", file)
            assert key in said and ("new.toml" in said or "normal.spn" in said), (command, text)


def badly_refused(command: tuple[Any, ...], said: str) -> list[str]:
    """Yield what is wrong with the refusal of a call in either language."""
    english, japanese = (inside("none", *command, "--lang", lang) for lang in ("en", "ja"))
    good = all((ran.code, ran.out) == (2, "") for ran in (english, japanese))
    good = good and said in english.message and re.search(r"[ぁ-んァ-ン]", japanese.message) is not None
    return [] if good else [f"{command}: {english} {japanese}"]


def test_bad_input_of_rejudge_is_refused() -> None:
    wrong: list[str] = []
    for arguments, said in (
        ((), "--rules, --set or --cards"),
        (("--rules", "whist@1"), "whist"),
        (("--rules", "blackpoker@9.9"), "9.9"),
        (("--rules", "blackpoker"), "version ''"),
        (("--rules", "nowhere.toml"), "nowhere.toml"),
        (("--rules", "blackpoker@9.0-lite", "--frame", "entry20"), "entry20"),
        (("--rules", "blackpoker@9.0-lite", "--frame", "entry99"), "entry99"),
        (("--set", "hand.limit"), "hand.limit"),
        (("--set", "hand.limitt=5"), "hand.limitt"),
        (("--set", "hand.limit=x"), "hand.limit"),
        (("--rules", "grimoire@1"), "grimoire"),
        (("--set", "hand.limit=5", "--as", "p9"), "p9"),
    ):
        wrong += badly_refused(("rejudge", NORMAL, *arguments), said)
    assert wrong == []


@cache
def change() -> Ran:
    return inside("none", "regress", SMALL, *PRINTED, "--jobs", "1", "--json")


def test_a_change_over_a_corpus_is_counted(tmp_path: Path) -> None:
    found = change()
    assert found.code == 1 and found.data["matches"] == sum(found.data["by_class"].values()) == 50
    text = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--jobs", "1", "--lang", "ja")
    assert text.code == 1 and text.err == "" and "未承認" in text.out and "最短：勝者の変更" in text.out


def test_no_change_is_no_difference(tmp_path: Path) -> None:
    ran = inside(tmp_path / "none", "regress", SMALL, "--rules", "blackpoker@8.1-lite", "--jobs", "1", "--json")
    assert ran.code == 0 and ran.data["by_class"]["identical"] == 50


def test_the_store_is_the_corpus_if_none_is_named(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    ran = inside(store, "regress", "--set", "hand.limit=54", "--jobs", "1", "--json")
    assert ran.code == 1 and ran.data["by_class"]["base"] == 1
    assert ran.data["differences"][0]["match"]["name"].endswith(":table-17")
    named = inside(tmp_path / "none", "regress", f"sqlite://{store}", "--set", "hand.limit=54", "--jobs", "1", "--json")
    assert named.out == ran.out


@pytest.mark.process
def test_all_reports_are_written_and_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    names = ("page.html", "junit.xml", "log.sarif")
    written: list[dict[str, bytes]] = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        folder.mkdir()
        options = zip(("--report", "--junit", "--sarif"), (folder / one for one in names), strict=True)
        flat = [one for pair in options for one in pair]
        ran = program(tmp_path, "regress", SMALL, *PRINTED, "--jobs", jobs, *flat, "--json", SOURCE_DATE_EPOCH="0")
        assert ran.code == 1 and ran.err == "", ran.err
        assert ran.data == change().data
        written.append({one: (folder / one).read_bytes() for one in names})
        assert sorted(one.name for one in folder.iterdir()) == sorted(names)
    assert written[0] == written[1]
    assert Xml.fromstring(written[0]["junit.xml"]).tag == "testsuites"
    assert json.loads(written[0]["log.sarif"])["version"] == "2.1.0"
    assert written[0]["page.html"].startswith(b"<!DOCTYPE html>")


def approvals(found: dict[str, Any]) -> str:
    return "".join(
        f'[[approved]]\nclass = "{one["kind"]}"\nclause = "{one["clause"]}"\nreason = "printed numbers count"\n'
        for one in found["by_clause"]
    )


def test_only_what_nobody_approved_fails(tmp_path: Path) -> None:
    file = tmp_path / "regress.approved.toml"
    file.write_text(approvals(change().data) + '[[approved]]\nclass = "path"\nclause = "BP-1.1"\nreason = "old"\n')
    ran = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--jobs", "1", "--approved", file, "--json")
    assert ran.code == 0 and ran.data["unapproved"] == 0 and ran.data["differences"]
    assert [one["clause"] for one in ran.data["unused_approvals"]] == ["BP-1.1"]
    shorter = file.read_text().partition("[[approved]]")[2].partition("[[approved]]")[2]
    file.write_text("[[approved]]" + shorter)
    ran = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--jobs", "1", "--approved", file, "--json")
    assert ran.code == 1 and ran.data["unapproved"] > 0


def test_a_bad_match_is_reported_and_the_rest_runs(tmp_path: Path) -> None:
    (tmp_path / "bad.spn").write_text('[Game "blackpoker"]\n[Version "99"]\n')
    (tmp_path / "good.spn").write_bytes(NORMAL.read_bytes())
    (tmp_path / "cut.corpus").write_bytes(SMALL.read_bytes()[:5000])
    ran = inside(tmp_path / "none", "regress", tmp_path, "--set", "hand.limit=54", "--jobs", "1")
    assert ran.code == 1 and "bad.spn" in ran.out and "cut.corpus" in ran.out
    assert re.search(r"identical +1\n", ran.out)


def test_a_corpus_that_mixes_games_is_judged_as_far_as_the_rules_go(tmp_path: Path) -> None:
    other = next(GRIMOIRE.rglob("*.spn"))
    ran = inside(tmp_path / "none", "regress", NORMAL, other, "--rules", "blackpoker@8.1-lite", "--jobs", "1", "--json")
    assert ran.code == 1 and ran.data["by_class"]["bad"] == ran.data["by_class"]["identical"] == 1
    assert "grimoire" in ran.data["bad"][0]["problem"]["en"] and "grimoire" in ran.data["bad"][0]["problem"]["ja"]


def test_a_run_is_finished_from_its_work_file(tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--jobs", "1", "--resume", work, "--json")
    assert first.out == change().out
    lines = work.read_bytes().splitlines(keepends=True)
    work.write_bytes(b"".join(lines[:20]))
    again = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--jobs", "1", "--resume", work, "--json")
    assert again.out == change().out and work.read_bytes() == b"".join(lines)
    other = inside(tmp_path / "none", "regress", SMALL, "--set", "hand.limit=5", "--jobs", "1", "--resume", work)
    assert other.code == 2 and "other rules" in other.message


def test_bad_input_of_regress_is_refused() -> None:
    cases: tuple[tuple[tuple[Any, ...], str], ...] = (
        ((SMALL,), "--rules, --set or --cards"),
        (("nowhere", *PRINTED), "nowhere"),
        (("\0", *PRINTED), "does not exist"),
        ((SMALL, *PRINTED, "--jobs", "0"), "--jobs 0"),
        ((SMALL, *PRINTED, "--jobs", "9" * 40), "--jobs 9999"),
        ((SMALL, *PRINTED, "--base", "blackpoker@9.9"), "9.9"),
        ((SMALL, *PRINTED, "--base", "nowhere.toml"), "nowhere.toml"),
        ((SMALL, *PRINTED, "--approved", "nowhere.toml"), "nowhere.toml"),
        ((SMALL, *PRINTED, "--report", "no/such/folder/x.html"), "x.html"),
        ((SMALL, *PRINTED, "--junit", "/"), "'/'"),
        ((SMALL, *PRINTED, "--resume", "/"), "/"),
        ((GRIMOIRE, "--rules", "blackpoker@8.1-lite", "--jobs", "1"), "no match can be judged"),
        ((ROOT / "docs", *PRINTED), "no match can be judged"),
    )
    assert [each for arguments, said in cases for each in badly_refused(("regress", *arguments), said)] == []


def test_an_approval_of_an_unknown_clause_is_refused_before_anything_runs(tmp_path: Path) -> None:
    file = tmp_path / "regress.approved.toml"
    file.write_text('[[approved]]\nclass = "path"\nclause = "BP-77.7"\nreason = "x"\n')
    page = tmp_path / "page.html"
    ran = inside(tmp_path / "none", "regress", SMALL, *PRINTED, "--approved", file, "--report", page)
    assert ran.code == 2 and "BP-77.7" in ran.message and "regress.approved.toml" in ran.message
    assert not page.exists()


def test_of_many_matches_that_a_dead_process_had_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = regressing.regress

    def dying(*given: Any, lost: Lost, **more: Any) -> RegressionReport:
        lost(tuple(f"match-{number}" for number in range(1, 33)))
        return whole(*given, lost=lost, **more)

    monkeypatch.setattr(regressing, "regress", dying)
    for lang in ("en", "ja"):
        ran = inside("none", "regress", NORMAL, "--set", "hand.limit=54", "--jobs", "1", "--lang", lang)
        assert ran.code == 0 and "32" in ran.err and "match-3," in ran.err and "match-9" not in ran.err
        assert len(ran.err.splitlines()) == 1


@pytest.mark.process
def test_a_day_can_be_set_from_outside_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = ("regress", NORMAL, *PRINTED, "--jobs", "1", "--report", page)
    ran = program(tmp_path, *run, SOURCE_DATE_EPOCH="86400")
    assert ran.code == 0 and "<time>1970-01-02</time>" in page.read_text(encoding="utf-8")
    for wrong in ("soon", "9" * 30):
        ran = program(tmp_path, *run, SOURCE_DATE_EPOCH=wrong)
        assert ran.code == 2 and "SOURCE_DATE_EPOCH" in ran.message
