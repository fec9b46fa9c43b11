"""Branches, diffs, knowledge and provenance from the command line."""

from pathlib import Path

import pytest

from tests.cli.runs import contents, disputed, fine, inside, read_records


def test_a_branch_is_unofficial_wherever_it_is_looked_at(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    ran = fine(store, "branch", "table-17", "--at", "29", "--match", "what-if", "--seed", "5")
    assert ran.out == "what-if\n"
    assert "unofficial: a branch of table-17 at entry 29" in ran.err and "table-17 is still open" in ran.err
    held = read_records(store)
    assert held["what-if"][1:] == held["table-17"][1:29]
    lines = fine(store, "matches").out.splitlines()
    assert "unofficial: branch of table-17 at entry 29" in lines[1] and "unofficial" not in lines[2]
    listed = {one["match"]: one for one in fine(store, "matches", "--json").data}
    assert listed["what-if"]["unofficial"] and not listed["table-17"]["unofficial"]
    assert (listed["what-if"]["parent"], listed["what-if"]["parent_at"]) == ("table-17", 29)
    assert "unofficial" in fine(store, "log", "what-if", "--to", "1").out
    assert "unofficial" in fine(store, "show", "what-if").err
    assert "unofficial" not in fine(store, "show", "table-17").err
    again = fine(store, "branch", "what-if", "--at", "29", "--json")
    assert again.data | {"match": ""} == {
        "match": "", "parent": "what-if", "at": 29, "version": 29, "unofficial": True,
    }  # fmt: skip
    assert fine(store, "do", "what-if", "p2: pass").out.startswith("30 ")
    assert read_records(store)["table-17"] == held["table-17"]


def test_a_branch_before_a_shuffle_is_dealt_by_its_own_seed(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    for seed in ("5", "6", "5"):
        fine(store, "branch", "table-17", "--at", "1", "--seed", seed, "--match", f"b{len(contents(store))}")
    held = read_records(store)
    assert all(len(held[one]) > 1 for one in ("b1", "b2", "b3")), "the croupier has dealt"
    assert len({held[one][1] for one in ("table-17", "b1", "b2", "b3")}) == 4, "seed and match make the chance"


def test_branches_go_out_as_variations_and_come_in_as_matches(tmp_path: Path) -> None:
    store, file = disputed(tmp_path), tmp_path / "all.spn"
    fine(store, "branch", "table-17", "--at", "29", "--match", "one")
    fine(store, "do", "one", "p2: pass")
    fine(store, "branch", "one", "--at", "12", "--match", "two")
    text = fine(store, "export", "table-17", "--as", "judge", "--with-branches").out
    assert "(branch 29 one" in text and "  (branch 12 two" in text
    assert "(branch" not in fine(store, "export", "table-17", "--as", "judge").out
    file.write_text(text, encoding="utf-8")
    other = tmp_path / "other.sqlite"
    assert fine(other, "import", file).out == "table-17\none\ntwo\n"
    assert read_records(other) == read_records(store)
    assert fine(other, "import", file).err.count("the same record is already in the store") == 3
    assert inside(other, "audit", file).code == 1, "an audit of the file is one of the match itself"
    third = tmp_path / "third.sqlite"
    refused = inside(third, "import", file, "--match", "x")
    assert (refused.code, "without --match" in refused.message) == (2, True)
    file.write_text(text.replace("  30. p2: pass", "  30. p2: pass\n      + - move #1 p3.hand"), encoding="utf-8")
    assert inside(third, "import", file).code == 2
    assert contents(third) == {}, "nothing of the file was recorded"


def test_a_file_whose_branch_is_another_match_here_brings_nothing_in(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    for name in ("one", "two"):
        fine(store, "branch", "table-17", "--at", "20", "--match", name)
    (tmp_path / "all.spn").write_text(fine(store, "export", "table-17", "--as", "judge", "--with-branches").out)
    other = tmp_path / "other.sqlite"
    fine(other, "new", "blackpoker@8.1-lite", "--match", "two")
    ran = inside(other, "import", tmp_path / "all.spn")
    assert (ran.code, "match two" in ran.message, "nothing was recorded" in ran.message) == (2, True, True), ran
    assert list(contents(other)) == ["two"]


@pytest.mark.parametrize("more", [[], ["--as", "p1"], ["--as", "judge", "--format", "jsonl"]])
def test_branches_are_written_for_a_judge_in_notation_only(tmp_path: Path, more: list[str]) -> None:
    ran = inside(disputed(tmp_path), "export", "table-17", "--with-branches", *more)
    assert (ran.code, "--as judge" in ran.message) == (2, True)


def test_differences_are_told_zone_by_zone_as_a_viewer_sees_them(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    said = fine(store, "diff", "table-17", "29", "34").out.splitlines()
    assert said[:2] == ["from entry 29 to entry 34, seen by spectator", "Aoi's hand: 7 → 5 cards"]
    assert "  C6 (u58), stance: charged → driven" in said
    mine = fine(store, "diff", "table-17", "29", "34", "--as", "p1").out
    assert "  C5 (u74) went to Aoi's grave" not in said and "C5" in mine
    assert "  C5 (u74) came from Aoi's hand" in fine(store, "diff", "table-17", "29", "34", "--as", "judge").out
    assert "Aoi's hand: 5 → 7 cards" in fine(store, "diff", "table-17", "34", "29").out
    assert fine(store, "diff", "table-17", "7", "7").out.splitlines()[1:] == ["no difference"]
    data = fine(store, "diff", "table-17", "29", "34", "--json").data
    assert (data["from"], data["to"], data["differences"]["viewer"]) == (29, 34, "spectator")
    hand = next(one for one in data["differences"]["counts"] if one["place"] == "p1.hand")
    assert (hand["other"], hand["one"]) == (7, 5)


def test_who_knows_what_depends_on_who_asks(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    known = {
        viewer: {
            one["who"]: one for one in fine(store, "knows", "table-17", "--json", "--as", viewer).data["knowledge"]
        }
        for viewer in ("spectator", "p1", "judge")
    }
    assert known["spectator"]["p1"]["public"] and not known["p1"]["p1"].get("public")
    assert known["spectator"]["p1"]["cards"] == known["spectator"]["spectator"]["cards"]
    assert len(known["judge"]["p1"]["cards"]) == len(known["p1"]["p1"]["cards"]) > len(known["p1"]["p2"]["cards"])
    said = fine(store, "knows", "table-17", "--at", "10").out
    assert "  S4 of Aoi, entry 4: in Aoi's soldiers u64" in said and "Ren: 6 or more" in said
    between = fine(store, "knows", "table-17", "--at", "40", "--diff", "54", "--as", "p1").out
    assert "  new: HA of Aoi, entry 43: in Aoi's hand u78" in between
    swapped = fine(store, "knows", "table-17", "--at", "54", "--diff", "40", "--as", "p1").out
    assert swapped == between


def test_what_was_seen_is_known_through_a_rewind(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    cost = fine(store, "rewind", "table-17", "--to", "40", "--dry-run", "--as", "p1").out
    assert "cards first seen by Aoi in entry 43: 1 (HA)" in cost
    assert "(HA)" not in fine(store, "rewind", "table-17", "--to", "40", "--dry-run", "--as", "p2").out
    fine(store, "rewind", "table-17", "--to", "40", "--reason", "the spear")
    said = fine(store, "knows", "table-17", "--as", "p1").out
    assert "  HA of Aoi, entry 43: somewhere in Aoi's life" in said, "it was drawn in the undone line"
    assert "  HJ of Ren, entry 48: location unknown" in said
    assert "HA of Aoi" not in fine(store, "knows", "table-17", "--as", "p2").out
    again = fine(store, "note", "table-17", "and back")
    assert again.code == 0
    second = fine(store, "rewind", "table-17", "--to", "39", "--dry-run", "--json", "--as", "judge").data
    assert second["undone"] == [40, 55, 56] and second["learned"] == []


def test_an_appeal_against_a_rewind_is_granted_by_a_rewind_to_what_it_undid(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    board = fine(store, "show", "table-17", "--as", "judge").out
    fine(store, "rewind", "table-17", "--to", "40", "--reason", "the spear")
    fine(store, "note", "table-17", "appealed")
    cost = fine(store, "rewind", "table-17", "--to", "54", "--dry-run", "--as", "judge").out.splitlines()
    assert cost[0] == "entries undone by a rewind to entry 54: 2" and "entries restored: 14" in cost
    back = [line for line in cost if line.startswith("  ")][2:]
    assert len(back) == 14 and back[0].startswith("  41 ") and back[-1].startswith("  54 ")
    costs = fine(store, "rewind", "table-17", "--to", "54", "--dry-run", "--json").data
    assert (costs["undone"], costs["restored"]) == ([55, 56], list(range(41, 55)))
    done = fine(store, "rewind", "table-17", "--to", "54", "--reason", "the appeal is granted").out
    assert done.startswith("57 entry 54 restored by judge: the appeal is granted")
    again = fine(store, "show", "table-17", "--as", "judge").out
    assert again.partition("\n")[2] == board.partition("\n")[2]
    assert fine(store, "log", "table-17").out.count("undone by a rewind") == 1, "a note stays"
    text = fine(store, "export", "table-17", "--as", "judge").out
    assert '\n57. %rewind 54 "the appeal is granted" judge' in text
    other = tmp_path / "other.sqlite"
    file = tmp_path / "m.spn"
    file.write_text(text, encoding="utf-8")
    fine(other, "import", file)
    assert read_records(other)["table-17"] == read_records(store)["table-17"]
    (tmp_path / "once").mkdir()
    was = inside(disputed(tmp_path / "once"), "audit", "table-17").out
    assert inside(store, "audit", "table-17").out == was.replace("entries 54", "entries 57")


def test_the_way_back_of_a_thing_names_entries_and_clauses(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    said = fine(store, "when", "table-17", "u64", "--at", "10").out.splitlines()
    assert said[1:] == [
        "entry 10 BP-7.16 D3 (u56), S4 (u64): driven",
        "entry 6 BP-8.5 S4 (u64): arrival turn 1",
        "entry 6 BP-8.5 S4 (u64): stage → Aoi's soldiers",
        "before that: u63",
    ]
    for name in ("S4", "p1:S4", "S4@p1.soldiers", "S4@soldiers"):
        other = inside(store, "when", "table-17", name, "--at", "10")
        assert other.code == 2 if name == "S4@soldiers" else other.out.splitlines()[1:] == said[1:]
    gone = fine(store, "when", "table-17", "u56", "--at", "20").out
    assert "entry 15 BP-7.26 D3 (u56): Aoi's soldiers → Aoi's grave" in gone and "driven" in gone
    frame = fine(store, "when", "table-17", "r8", "--at", "20", "--json").data["answer"]
    assert [(one["what"], one["entry"]) for one in frame["last"]] == [("pop", 13), ("alter", 12), ("push", 10)]
    assert "before that: u79, u43" in fine(store, "when", "table-17", "u84", "--as", "judge").out
    here = fine(store, "when", "table-17", "u55", "--as", "p2").out
    assert "S2" not in here, "a face-down bulwark of the other seat stays what it is"
    assert "S2 (u55)" in fine(store, "when", "table-17", "S2", "--as", "p1").out


BAD = [
    (["branch", "table-17", "--at", "0"], "no entry 0"),
    (["branch", "table-17", "--at", "56"], "no entry 56"),
    (["branch", "table-17", "--at", "-1"], "no entry -1"),
    (["branch", "table-17", "--at", "9" * 30], "no entry 9999"),
    (["branch", "table-17", "--at", "x"], "whole number"),
    (["branch", "table-17"], "--at"),
    (["branch", "nobody", "--at", "3"], "no match"),
    (["branch", "table-17", "--at", "3", "--match", "table-17"], "match table-17 already exists"),
    (["branch", "table-17", "--at", "3", "--match", "a b"], "cannot be a match id"),
    (["branch", "table-17", "--at", "3", "--seed", "-1"], "not a valid seed"),
    (["diff", "table-17", "0", "3"], "no entry 0"),
    (["diff", "table-17", "3", "999"], "no entry 999"),
    (["diff", "table-17", "3"], "M"),
    (["diff", "table-17", "3", "4", "--as", "p9"], "no viewer 'p9'"),
    (["knows", "table-17", "--at", "0"], "no entry 0"),
    (["knows", "table-17", "--diff", "999"], "no entry 999"),
    (["knows", "table-17", "--as", "bob"], "no viewer 'bob'"),
    (["when", "table-17", "u9999"], "sees no 'u9999'"),
    (["when", "table-17", "r9999"], "sees no 'r9999'"),
    (["when", "table-17", "r" + "9" * 40], "sees no 'r9999"),
    (["when", "table-17", "ZZ"], "sees no 'ZZ'"),
    (["when", "table-17", ""], "is not a name"),
    (["when", "table-17", "♠"], "is not a name"),
    (["when", "table-17", "#3"], "only a judge"),
    (["when", "table-17", "#999", "--as", "judge"], "sees no '#999'"),
    (["when", "table-17", "C6", "--as", "judge"], "is ambiguous for judge"),
    (["when", "table-17", "S4", "--at", "999"], "no entry 999"),
    (["when", "table-17", "S4", "--as", "bob"], "no viewer 'bob'"),
]


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    fine(store, "rewind", "table-17", "--to", "44", "--reason", "x")
    held = contents(store)
    said = [(command, words, inside(store, *command)) for command, words in BAD]
    assert [one for one in said if (one[2].code, one[2].out) != (2, "") or one[1] not in one[2].message] == []
    assert contents(store) == held
