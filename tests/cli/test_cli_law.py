"""The `rulebook` command: each sentence with the code that implements it and the cases that cover it."""

from pathlib import Path

import pytest

from domain.games import GAMES
from domain.law.clause import Clause
from tests.cli.runs import fine, refusal
from tools.evidence import evidence

pytestmark = pytest.mark.random

STORE = "unused.sqlite"
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_each_clause_stands_beside_lines_of_the_law_that_are_there_and_the_cases_that_claim_it(key: str) -> None:
    told = fine(STORE, "rulebook", key, "--law", "--json").data
    assert [row["clause"] for row in told["law"]] == list(GAMES[key].rulebook.clauses)
    assert [row["clause"] for row in told["law"] if row["kind"] != "term" and not row["law"]] == []
    for row in told["law"]:
        for cited in row["law"]:
            lines = (ROOT / cited["file"]).read_text(encoding="utf-8").splitlines()
            if cited["carried"]:
                near = range(max(0, cited["line"] - 5), cited["line"])
            else:
                near = range(cited["line"] - 1, cited["line"])
            assert any(f"C.{row['name']}" in lines[at] for at in near), cited
            assert cited["source"] and (not cited["function"] or f"def {cited['function']}(" in "\n".join(lines))
    claimed = {case["case"] for row in told["law"] for case in row["cases"] or ()}
    assert claimed == {name for name, case in evidence(GAMES[key]).cases.items() if case.clauses}


def test_one_clause_is_said_in_the_language_asked_for_with_its_lines_and_cases() -> None:
    english = fine(STORE, "rulebook", "blackpoker", "7.13", "--law").out.splitlines()
    japanese = fine(STORE, "rulebook", "blackpoker", "7.13", "--law", "--lang", "ja").out.splitlines()
    assert english[0] == "BP-7.13 ATTACKER_CHARGED (rule)" and japanese[0] == "BP-7.13 ATTACKER_CHARGED（ルール）"
    entry = GAMES["blackpoker"].rulebook.clauses[Clause("BP-7.13")]
    assert (english[1].strip(), japanese[1].strip()) == (entry.en, entry.ja)
    (line,) = [one for one in english if "legality.py" in one]
    assert "in _attackers: yield ( C.ATTACKER_CHARGED" in line or "in _attackers: t.emit(C.ATTACKER_CHARGED" in line
    assert any("E53: Illegal attackers" in one for one in english)
    carried = fine(STORE, "rulebook", "grimoire", "GR-6.4", "--law").out
    assert "values.py" in carried and "implemented by abilities: Return an object's current abilities" in carried
    row = fine(STORE, "rulebook", "blackpoker", "BP-7.1", "--law").out
    assert "actions.py" in row and "implemented by: End: implements(C.END)(RequestHeader(" in row
    assert "{hand.limit}" not in fine(STORE, "rulebook", "blackpoker", "7.2", "--law", "--set", "hand.limit=5").out


def test_cases_come_from_where_they_are_named_and_are_missed_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'game = "blackpoker"\nversion = "1"\n[[case]]\nid = "mine"\nen = "My case"\nja = "私のケース"\n'
    step = '[[case.step]]\nwhen = ["p1: pass"]\n[case.step.then]\nasked = []\n'
    (tmp_path / "own.cases.toml").write_text(text + 'clauses = ["BP-4.7"]\n' + step, encoding="utf-8")
    for where in (tmp_path, tmp_path / "own.cases.toml"):
        told = fine(STORE, "rulebook", "blackpoker", "4.7", "--law", "--cases", str(where), "--json").data
        assert told["law"][0]["cases"] == [{"case": "own.cases.toml: mine", "en": "My case", "ja": "私のケース"}]
    assert (
        fine(STORE, "rulebook", "grimoire", "9.4", "--law", "--cases", str(tmp_path), "--json").data["law"][0]["cases"]
        == []
    )

    monkeypatch.chdir(tmp_path)
    ran = fine(STORE, "rulebook", "grimoire", "9.4", "--law")
    assert "legality.py" in ran.out or "carry_out.py" in ran.out
    assert "--cases PATH" in ran.err
    assert fine(STORE, "rulebook", "grimoire", "9.4", "--law", "--json").data["law"][0]["cases"] is None


def test_what_cannot_be_shown_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.cases.toml").write_text("game = 1\n", encoding="utf-8")
    cases: tuple[tuple[tuple[str, ...], str], ...] = (
        (("chess", "--law"), "there is no game 'chess'"),
        (("blackpoker", "BP-99.9", "--law"), "there is no clause 'BP-99.9' (did you mean BP-9.9?)"),
        (("grimoire", "S08", "--law"), "there is no clause 'S08'"),
        (("blackpoker", "--law", "--cases", "no-such-folder"), "'no-such-folder' cannot be read"),
        (("blackpoker", "--law", "--cases", ""), "the path is empty"),
        (("blackpoker", "--cases", "docs"), "--cases can only be used with --law"),
        (("blackpoker", "--law", "--search", "hand"), "--law and --search cannot be used together"),
        (("blackpoker", "--law", "--cases", str(tmp_path)), "bad.cases.toml"),
    )
    assert [arguments for arguments, said in cases if said not in refusal(STORE, "rulebook", *arguments)] == []
