"""Audits, explanations and cases from the command line."""

from pathlib import Path

import pytest

from tests.cli.runs import CASES, DISPUTED, clauses, disputed, fine, inside, program

PLANTED = [(10, "BP-7.15"), (30, "BP-4.2"), (47, "BP-10.6")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("judging"))


def test_the_audit_of_the_disputed_match_gives_its_three_planted_errors(store: Path) -> None:
    for record in ("table-17", DISPUTED):
        found = inside(store, "audit", record, "--json")
        assert found.code == 1
        assert clauses(found.data["findings"]) == PLANTED
        assert [one["kind"] for one in found.data["findings"]] == ["not_allowed", "not_allowed", "consequences"]
        assert all(one["sentence"]["en"] and one["sentence"]["ja"] for one in found.data["findings"])
    text = inside(store, "audit", "table-17")
    assert text.code == 1 and "findings: 3" in text.out
    assert all(clause in text.out and f"entry {entry} " in text.out for entry, clause in PLANTED)


def test_an_audit_under_another_reading_says_what_appears_and_vanishes(store: Path) -> None:
    spade = inside(store, "audit", "table-17", "--reading", "throwing.damage_suit=spade", "--json")
    assert spade.code == 1
    assert clauses(spade.data["findings"]) == PLANTED[:2]
    assert clauses(spade.data["vanish"]) == PLANTED[2:] and spade.data["appear"] == []
    text = inside(store, "audit", "table-17", "--reading", "throwing.damage_suit=spade").out
    assert "new findings: 0" in text and "findings that disappear: 1\n  47 BP-10.6" in text
    other = inside(store, "audit", "table-17", "--reading", "fog.end_scope=all", "--json")
    assert (other.data["appear"], other.data["vanish"]) == ([], [])


def test_details_of_a_finding_go_to_those_who_may_know_them(store: Path) -> None:
    seen = {
        viewer: inside(store, "audit", "table-17", "--as", viewer, "--json").data["findings"]
        for viewer in ("spectator", "p1", "p2", "judge")
    }
    assert all(clauses(found) == PLANTED for found in seen.values())
    assert [[("broken" in one) for one in found] for found in seen.values()] == [
        [False, False, False],
        [True, True, False],
        [False, False, False],
        [True, True, False],
    ]
    assert [[("missing" in one) for one in found] for found in seen.values()][:3] == [[False] * 3] * 3
    law, record = seen["judge"][2]["missing"], seen["judge"][2]["extra"]
    damage = [
        next(one["number"] for one in facts if one["fact"] == "move" and one["place"] == "p2.grave")
        for facts in (law, record)
    ]
    assert damage == [4, 3], "all the life that was left, not three"


def test_a_clean_match_has_no_findings(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    fine(store, "simulate", "blackpoker@8.1-lite", "--matches", "1", "--seed", "3", "--out", tmp_path)
    clean = fine(store, "audit", tmp_path / "sim-blackpoker-3.spn", "--json").data
    assert clean["findings"] == [] and clean["entries"] > 20
    assert not store.exists()


def test_why_gives_the_facts_their_clauses_and_the_checks_to_whoever_may_know(store: Path) -> None:
    judged = fine(store, "why", "table-17", "10", "--as", "judge", "--json").data
    assert judged["recomputed"] is True
    assert [step["clause"] for step in judged["trail"] if step["holds"] is False] == ["BP-7.15"]
    assert judged["entry"]["violations"] == ["BP-7.15"]
    assert judged["clauses"]["BP-7.16"]["ja"]
    assert fine(store, "why", "table-17", "10", "--as", "p2", "--json").data["trail"] == []
    text = fine(store, "why", "table-17", "10", "--as", "p1").out
    assert "recomputed" in text and "BP-7.16" in text


def test_why_not_names_every_failing_condition_in_order(store: Path) -> None:
    answer = inside(store, "why-not", "table-17", "p1: attack", "--at", "29", "--as", "p1", "--json").data["answer"]
    assert [step["clause"] for step in answer["failing"]] == ["BP-4.2", "BP-4.4"]
    refused = inside(store, "why-not", "table-17", "attack", "--at", "29", "--as", "p1")
    assert (refused.code, refused.out.startswith("not allowed")) == (1, True)
    allowed = fine(store, "why-not", "table-17", "p1: pass", "--at", "4", "--as", "spectator")
    assert allowed.out.startswith("allowed after entry 4")
    hidden = inside(store, "why-not", "table-17", "p1: up H10 C10", "--at", "4", "--as", "p2")
    assert hidden.code == 2 and "H10" in hidden.message, "p2 cannot know that p1 holds it"
    known = inside(store, "why-not", "table-17", "p1: up H10 C10", "--at", "4", "--as", "judge")
    assert (known.code, known.out.startswith("not allowed")) == (1, True)


def test_the_casebook_runs(tmp_path: Path) -> None:
    some = CASES / "e01-e02.cases.toml"
    ran = fine("unused.sqlite", "case", "run", some, some.parent / "e59.cases.toml")
    assert "failed: 0" in ran.out and "e59.cases.toml" in ran.out
    listed = fine("unused.sqlite", "case", "run", some, "--json").data
    assert listed["failed"] == 0 and {one["id"] for one in listed["cases"]} == {"E01", "E02"}
    assert "E01" in fine("unused.sqlite", "case", "run", some, "--verbose").out


CASE = """
game = "blackpoker"
version = "8.1-lite-seed"
[[case]]
id = "from the record"
en = "The soldier of turn 1"
ja = "1ターン目の兵士"
[case.given]
match = "disputed.spn"
at = 9
[[case.step]]
when = ["p1: designate_attackers D3,S4"]
then.refused = "{clause}"
"""


def test_a_case_that_fails_says_what_was_expected_and_what_was_found(tmp_path: Path) -> None:
    book = tmp_path / "mine.cases.toml"
    (tmp_path / "disputed.spn").write_bytes(DISPUTED.read_bytes())
    book.write_text(CASE.replace("{clause}", "BP-7.15"), encoding="utf-8")
    assert "passed: 1" in fine("unused.sqlite", "case", "run", tmp_path).out
    book.write_text(CASE.replace("{clause}", "BP-7.11"), encoding="utf-8")
    failed = inside("unused.sqlite", "case", "run", book)
    assert failed.code == 1
    assert "expected: BP-7.11" in failed.out and "found:    BP-7.15" in failed.out
    (failure,) = inside("unused.sqlite", "case", "run", book, "--json").data["cases"]
    assert failure["failure"]["expected"] == "BP-7.11" and failure["passed"] is False


def test_hard_positions_are_checked_with_a_law_or_without(tmp_path: Path) -> None:
    folder = CASES.parents[1]
    for game, positions in {"dea": 3, "grimoire": 3, "skillbook": 7}.items():
        assert (
            f"passed: {positions}, failed: 0" in fine("unused.sqlite", "case", "run", folder / game / "positions").out
        )


def test_simulated_matches_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    arguments = ("simulate", "blackpoker@8.1-lite", "--matches", "2", "--seed", "5", "--set", "hand.limit=5")
    first = fine("unused.sqlite", *arguments, "--out", tmp_path / "a" / "deep", "--json").data
    again = fine("unused.sqlite", *arguments, "--out", tmp_path / "b", "--format", "jsonl", "--json").data
    names = ["sim-blackpoker-5", "sim-blackpoker-6"]
    assert sorted(path.name for path in (tmp_path / "a" / "deep").iterdir()) == [f"{one}.spn" for one in names]
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == [f"{one}.jsonl" for one in names]
    for one in (*first["matches"], *again["matches"]):
        del one["file"]
    assert first == again
    for number, name in enumerate(names):
        stored = tmp_path / f"{number}.sqlite"
        assert fine(stored, "import", tmp_path / "a" / "deep" / f"{name}.spn").out == f"{name}\n"
        told = inside(stored, "import", tmp_path / "b" / f"{name}.jsonl")
        assert told.code == 0 and "already" in told.err, "both files hold the same record"
    table = fine("unused.sqlite", *arguments).out.splitlines()
    assert table[0].split() == ["match", "entries", "actions", "result"] and len(table) == 3


@pytest.mark.process
def test_a_record_comes_from_standard_input_too(tmp_path: Path) -> None:
    found = program(tmp_path, "audit", "-", "--lang", "ja", given=DISPUTED.read_bytes())
    assert found.code == 1 and "指摘：3件" in found.out and "BP-7.15" in found.out
