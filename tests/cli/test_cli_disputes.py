"""A dispute from claim to decision on the command line."""

from pathlib import Path

import pytest

from tests.cli.runs import DISPUTED, disputed, fine, inside, refusal

pytestmark = pytest.mark.random
MATCH = "table-17"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return disputed(tmp_path)


def claimed(store: Path) -> str:
    said = fine(store, "dispute", MATCH, "--at", "47", "--claim", "p1=it was a club", "--claim", "p2=spades count")
    assert "judge disputes entry 47: Aoi says “it was a club”; Ren says “spades count”" in said.out
    return said.out.split()[0]


def test_a_dispute_is_claimed_ruled_appealed_and_overturned(store: Path) -> None:
    number = claimed(store)
    more = fine(store, "dispute", MATCH, "--in", number, "--claim", "p2=the list says so", "--lang", "ja")
    assert f"審判が異議{number}に主張を追加：Renの主張「the list says so」" in more.out
    ruling = ("--verdict", "wrong_outcome", "--clause", "BP-9.4", "--penalty", "p2=warning:misplay", "--to", "46")
    ruled = fine(store, "rule", MATCH, number, *ruling, "--reason", "clubs count", "--by", "kato").out.splitlines()
    assert "resolved wrongly by BP-9.4; back to entry 46; warning for Ren (misplay); clubs count" in ruled[0]
    assert "rewound to entry 46 by kato: clubs count" in ruled[1]
    assert "was ruled on in entry" in refusal(store, "rule", MATCH, number, "--verdict", "no_fault")
    fine(store, "appeal", MATCH, number, "--by", "p2", "--reason", "the list says spade")
    end = ("--outcome", "overturned", "--reason", "published list", "--by", "abe")
    assert "--verdict is required" in refusal(store, "decide", MATCH, number, *end)
    decided = fine(store, "decide", MATCH, number, *end, "--verdict", "no_fault", "--to", "54").out
    assert "the ruling is overturned: no infraction; back to entry 54" in decided
    assert "restored by abe" in decided
    assert "the decision is final" in refusal(store, "appeal", MATCH, number, "--reason", "again")
    (dispute,) = fine(store, "disputes", MATCH, "--json").data
    assert (dispute["standing"], dispute["matter"]) == ("closed", {"entry": 47})
    assert [entry["seen"] for entry in dispute["entries"]] == ["disputed", "disputed", "ruled", "appealed", "decided"]
    assert fine(store, "disputes", MATCH, "--open").out.strip() == f"no disputes in {MATCH}"


def test_a_ruling_may_leave_the_rewind_to_the_head_judge(store: Path) -> None:
    number = claimed(store)
    ruling = ("rule", MATCH, number, "--verdict", "wrong_outcome", "--ask")
    refusal(store, *ruling, "--reason", "clubs count")
    refusal(store, *ruling, "--to", "46")
    head = len(fine(store, "log", MATCH, "--json").data["entries"])
    fine(store, *ruling, "--to", "46", "--reason", "clubs count")
    asked = fine(store, "request", MATCH, "--json").data
    assert (asked["to"], asked["reason"], asked["entry"]) == (46, "clubs count", head + 2)


def test_what_was_claimed_is_for_whoever_said_it_and_judges(store: Path) -> None:
    number = claimed(store)
    fine(store, "rule", MATCH, number, "--verdict", "not_allowed")
    for viewer, own, other in (("p1", "it was a club", "spades count"), ("p2", "spades count", "it was a club")):
        shown = fine(store, "disputes", MATCH, "--as", viewer).out
        assert own in shown and other not in shown
    for command in ("disputes", "log"):
        for form in ((), ("--json",)):
            seen = fine(store, command, MATCH, *form).out
            assert (
                "it was a club" not in seen and "spades count" not in seen and "BP-10.6" not in seen.split(number)[-1]
            )
    judge = fine(store, "disputes", MATCH, "--as", "judge").out
    assert "it was a club" in judge and "finding of the rules: BP-10.6" in judge


def test_a_dispute_about_what_a_rewind_left_says_so(store: Path) -> None:
    fine(store, "rewind", MATCH, "--to", "46", "--reason", "misheard")
    said = fine(store, "dispute", MATCH, "--at", "50")
    assert "about entry 50, which was undone by a rewind" in said.err
    assert "undone by a rewind" in fine(store, "disputes", MATCH).out


def test_clocks_stand_still_and_seals_are_broken_on_the_record(store: Path) -> None:
    fine(store, "pause", MATCH, "--reason", "a judge is asked")
    assert "already stopped, since entry 55" in refusal(store, "pause", MATCH)
    assert "+3:05" in fine(store, "resume", MATCH, "--extend", "3:05").out
    assert "is not stopped" in refusal(store, "resume", MATCH)
    assert "views the match as Aoi for 9:00" in fine(store, "unseal", MATCH, "--eyes", "p1", "--minutes", "9").out
    fine(store, "reseal", MATCH, "--eyes", "p1")
    assert "is not viewing as p1" in refusal(store, "reseal", MATCH, "--eyes", "p1")
    assert "warning for Ren (late)" in fine(store, "penalise", MATCH, "p2=warning:late").out


BAD: tuple[tuple[tuple[str, ...], str], ...] = (
    (("dispute", MATCH), "a dispute needs a subject"),
    (("dispute", MATCH, "--at", "999"), "has no entry 999"),
    (("dispute", MATCH, "--thing", "9999"), "no card or piece u9999"),
    (("dispute", MATCH, "--clause", "BP-99.9"), "did you mean BP-9.9"),
    (("dispute", MATCH, "--at", "47", "--claim", "p3=me"), "there is no seat 'p3'"),
    (("dispute", MATCH, "--at", "47", "--claim", "p1"), "is not SEAT=TEXT"),
    (("dispute", MATCH, "--at", "47", "--claim", "p1=a", "--claim", "p1=b"), "the seat is given twice"),
    (("dispute", MATCH, "--at", "47", "--claim", "p1=a\nb"), "line break"),
    (("dispute", MATCH, "--at", "47", "--expect", "3"), "has changed"),
    (("rule", MATCH, "12", "--verdict", "unclear"), "entry 12 opens no dispute"),
    (("rule", MATCH, "12", "--verdict", "guilty"), "guilty"),
    (
        ("rule", MATCH, "12", "--verdict", "unclear", "--to", "3", "--fact", "- stance u55 driven"),
        "cannot be used together",
    ),
    (("penalise", MATCH, "p1"), "this match has no policy"),
    (("penalise", MATCH, "=warning"), "is not SEAT=TEXT"),
    (("resume", MATCH, "--extend", "-1"), "-1"),
    (("resume", MATCH, "--extend", "3:99"), "minutes and seconds"),
    (("unseal", MATCH, "--eyes", "spectator"), "neither a seat of this match"),
    (("disputes", "nowhere"), "nowhere"),
)


def test_bad_input_is_named_and_nothing_is_recorded(store: Path) -> None:
    before = fine(store, "matches", "--json").data
    assert [arguments for arguments, words in BAD if words not in refusal(store, *arguments)] == []
    assert fine(store, "matches", "--json").data == before


def test_a_policy_proposes_and_a_departure_says_why(store: Path, tmp_path: Path) -> None:
    fine(store, "new", "blackpoker@8.1-lite", "--match", "cup", "--p1", "Aoi", "--event", "Cup", "--policy", "standard")
    fine(store, "dispute", "cup", "--at", "2")
    assert "proposes no penalty for p1" in refusal(store, "rule", "cup", "4", "--verdict", "unclear", "--penalty", "p1")
    ruling = ("rule", "cup", "4", "--verdict", "not_allowed", "--penalty")
    assert "proposes caution, not warning" in refusal(store, *ruling, "p1=warning:misplay")
    assert "no step 'death'" in refusal(store, *ruling, "p1=death:misplay")
    named = "an action or its outcome against the rules (misplay)"
    assert f"caution for Aoi: {named}" in fine(store, *ruling, "p1").out
    assert f"warning for Aoi: {named}" in fine(store, "penalise", "cup", "p1=:misplay").out
    assert "Aoiに警告（warning）、遅刻（late）" in fine(store, "penalise", "cup", "p1=:late", "--lang", "ja").out
    mild = fine(store, "penalise", "cup", "p1=caution:misplay", "--departure", "a child").out
    assert "departs from the policy: a child" in mild
    whole = fine(store, "export", "cup", "--as", "judge").out
    (tmp_path / "cup.spn").write_text(whole, encoding="utf-8")
    fine(store, "import", tmp_path / "cup.spn", "--match", "copy")
    assert fine(store, "export", "copy", "--as", "judge").out == whole
    assert "this match has no policy" in refusal(store, "penalise", MATCH, "p1=:misplay")


def test_a_file_that_is_no_policy_opens_no_match(store: Path, tmp_path: Path) -> None:
    bad = tmp_path / "house.toml"
    bad.write_text('name = "x"\nversion = "1"\n[step.a]\nen = "a"\nja = "a"\nnext = "a"\n', encoding="utf-8")
    before = fine(store, "matches", "--json").data
    assert "form a loop: a → a" in refusal(store, "new", "blackpoker@8.1-lite", "--policy", str(bad))
    assert "No such file" in refusal(store, "new", "blackpoker@8.1-lite", "--policy", str(tmp_path / "gone.toml"))
    assert fine(store, "matches", "--json").data == before


@pytest.mark.parametrize(
    ("verdict", "claimed_then", "passes"),
    [
        (("not_allowed", "--clause", "BP-6.10"), 'then.refused = "BP-6.10"', False),
        (("no_fault",), "then.told = ", True),
        (("wrong_outcome", "--clause", "BP-9.4"), 'clauses = ["BP-9.4"]', True),
    ],
)
def test_a_ruling_becomes_a_case_that_the_law_is_held_against(
    store: Path, tmp_path: Path, verdict: tuple[str, ...], claimed_then: str, passes: bool
) -> None:
    fine(store, "dispute", MATCH, "--at", "46")
    fine(store, "rule", MATCH, "55", "--verdict", *verdict, "--reason", "as it is played", "--to", "45")
    text = fine(store, "case", "new", MATCH, "--ruling", "55", "--as", "judge").out
    assert claimed_then in text and 'en = "as it is played"' in text and 'when = ["p1: pass"]' in text
    (tmp_path / "ruled.cases.toml").write_text(text, encoding="utf-8")
    ran = inside(store, "case", "run", tmp_path / "ruled.cases.toml")
    assert ran.code == (0 if passes else 1), ran


def test_what_no_case_can_be_made_of_is_said(store: Path) -> None:
    make = ("case", "new", MATCH, "--as", "judge", "--ruling")
    assert "entry 12 opens no dispute" in refusal(store, *make, "12")
    fine(store, "dispute", MATCH, "--at", "46")
    assert "dispute 55 has no ruling in force" in refusal(store, *make, "55")
    fine(store, "rule", MATCH, "55", "--verdict", "unclear")
    assert "cannot be determined" in refusal(store, *make, "55")
    fine(store, "dispute", MATCH, "--clause", "BP-9.4")
    fine(store, "rule", MATCH, "57", "--verdict", "no_fault")
    assert "does not concern an action" in refusal(store, *make, "57")
    assert "cannot be used together" in refusal(store, *make, "55", "--at", "3")


def test_rulings_that_contradict_each_other_are_listed(store: Path) -> None:
    """Two judges rule differently on the same throw; overturning one ruling removes the contradiction."""
    fine(store, "import", DISPUTED, "--match", "table-18")
    assert "no contradictory rulings" in fine(store, "contradictions", "--as", "judge").out
    for match, verdict in ((MATCH, "wrong_outcome"), ("table-18", "no_fault")):
        fine(store, "dispute", match, "--at", "47", "--clause", "BP-10.6")
        fine(store, "rule", match, "55", "--verdict", verdict, "--reason", f"so at {match}")
    for viewer in ("spectator", "judge"):
        ran = inside(store, "contradictions", "--as", viewer, "--json")
        assert ran.code == 1
        (told,) = ran.data
        assert (told["clause"], told["verb"], told["version"]) == ("BP-10.6", "pass", "8.1-lite-seed")
        given = [(ruling["match"], ruling["dispute"], ruling["verdict"]) for ruling in told["rulings"]]
        assert given == [(MATCH, 55, "wrong_outcome"), ("table-18", 55, "no_fault")]
    shown = inside(store, "contradictions", "--lang", "ja").out
    assert "table-18 異議55" in shown and "ルール違反なし" in shown
    fine(store, "appeal", "table-18", "55", "--reason", "x")
    fine(store, "decide", "table-18", "55", "--outcome", "overturned", "--verdict", "wrong_outcome", "--reason", "y")
    assert fine(store, "contradictions", "--as", "judge", "--json").data == []


def test_rulings_under_other_rules_do_not_contradict(store: Path) -> None:
    whole = fine(store, "export", MATCH, "--as", "judge").out
    other = store.parent / "other.spn"
    other.write_text(whole.replace("8.1-lite-seed", "8.1-lite").replace("table-17", "table-19"), encoding="utf-8")
    fine(store, "import", other)
    for match, verdict in ((MATCH, "wrong_outcome"), ("table-19", "no_fault")):
        fine(store, "dispute", match, "--at", "47", "--clause", "BP-10.6")
        fine(store, "rule", match, "55", "--verdict", verdict)
    assert fine(store, "contradictions", "--json").data == []
