"""Causes in a report: the first difference, its consequences, both values, both sentences, and the digest."""

from functools import cache
from pathlib import Path
from typing import get_args

from msgspec import Struct

from archive.corpus.sources import Source, sources
from archive.regress.counting import MatchDifference, RegressionReport
from archive.regress.judging import JudgingJob, judge
from archive.regress.page import group_by_root
from archive.regress.regressing import regress
from archive.regress.summary import FactKind, First, Summary, Task
from domain.games import GAMES
from domain.judging.rejudging.target import RulesTarget
from domain.law.clause import Clause
from domain.table import facts as F
from domain.words import Message, say
from tests.cli.runs import inside
from tests.rejudging.records import CHANGE, FOLDERS, MATCHES, ROOT, SMALL
from tests.rows import for_each

GRIMOIRE = str(ROOT / "fixtures" / "grimoire" / "corpus" / "small.corpus")
RECOVERY = RulesTarget(settings={"mana_recovery": "start_only"})


@cache
def packed() -> dict[str, Source]:
    return {source.match: source for source in sources([SMALL])}


@cache
def other_winner() -> Summary:
    """Return a verdict with another winner: the soldiers' equal sizes become different printed numbers."""
    return judge(Task(RulesTarget(settings=CHANGE)), JudgingJob(0, packed()["sim-blackpoker-33"]))


@cache
def recovery() -> RegressionReport:
    return regress(Task(RECOVERY), tuple(sources([GRIMOIRE]))[:8])


def test_what_differs_first_is_told_by_clause_and_sort_on_both_sides() -> None:
    first = other_winner().first
    assert first is not None and first.recorded is not None and first.rejudged is not None
    assert (first.entry, first.recorded.clause, first.rejudged.clause) == (36, "BP-7.26", "BP-7.27")
    assert (first.recorded.tag, first.recorded.about) == (first.rejudged.tag, first.rejudged.about) == ("move", "grave")
    assert first.recorded.sentence is not None and "current size" in first.recorded.sentence.en


def test_what_became_illegal_is_named_by_its_verb() -> None:
    found = judge(Task(RulesTarget(settings=CHANGE)), JudgingJob(0, packed()["sim-blackpoker-6"]))
    assert (found.kind, found.clause, found.verb) == ("illegal", "BP-7.12", "designate_attackers")


def test_a_sentence_that_changes_is_kept_on_both_sides_and_another_once() -> None:
    found = judge(Task(RulesTarget(settings=CHANGE)), JudgingJob(0, packed()["sim-blackpoker-16"]))
    assert found.was is not None and found.sentence is not None
    assert "current size" in found.was.en and "printed numbers" in found.sentence.en
    assert other_winner().was is None and other_winner().sentence is not None


def test_no_card_is_named_by_what_differs_first() -> None:
    for game, path in zip(("blackpoker", "grimoire"), FOLDERS, strict=True):
        target = RulesTarget(settings=CHANGE) if game == "blackpoker" else RECOVERY
        found = regress(Task(target), tuple(sources([path]))[:30])
        firsts = [difference.match.first for difference in found.differences]
        sides = [side for first in firsts if first for side in (first.recorded, first.rejudged) if side]
        played = GAMES[game]
        faces = set(played.pools.faces) if played.pools is not None else {*played.rulebook.words} & {"SA", "HK", "C7"}
        assert sides and not {side.about for side in sides} & faces
        assert {side.about for side in sides} - {""} <= played.rulebook.words.keys()


def test_every_sort_of_fact_has_words() -> None:
    kinds: list[type[Struct]] = [kind for kind in get_args(F.AnyFact) for kind in get_args(kind) or (kind,)]
    assert len(kinds) > 15
    for kind in kinds:
        tag = kind.__struct_config__.tag
        assert say(f"sort.{tag}", "en") != say(f"sort.{tag}", "ja")


def test_old_and_new_value_and_both_sentences_are_counted() -> None:
    found = recovery()
    (value,) = found.values
    assert (value.key, value.recorded, value.rejudged) == ("mana_recovery", "top_up_both", "start_only")
    assert value.matches == found.judged_count == 8
    assert [row.clause for row in found.reworded] == ["GR-16.2", "GR-16.4"]
    for row in found.reworded:
        assert "again in the start phase" in row.recorded.en and "the start phase only" in row.rejudged.en
        assert row.recorded.ja != row.rejudged.ja and 0 < row.matches <= 8


def test_records_of_several_rules_have_a_row_for_each_value() -> None:
    records = [f"{MATCHES}/changes/{name}.spn" for name in ("rc-30", "rc-28", "rc-01")]
    found = regress(Task(RulesTarget(version="8.2-lite", game="blackpoker")), sources(records))
    rows = [row for row in found.values if row.key == "setup.hand_size"]
    assert len(rows) > 1 and {row.rejudged for row in rows} == {7} and 7 not in {row.recorded for row in rows}
    sides = [(row.clause, row.recorded.en) for row in found.reworded if row.clause == "BP-3.3"]
    assert len(sides) == len(rows), "each says it with its own number"


def test_the_digest_is_of_the_matches_wherever_they_lie(tmp_path: Path) -> None:
    files = [Path(MATCHES) / "normal.spn", Path(MATCHES) / "rewind.spn"]
    corpus = tmp_path / "some.corpus"
    assert inside(tmp_path / "none", "corpus", "pack", corpus, *files).code == 0
    task = Task(RulesTarget(settings={"hand.limit": 54}))
    one, other, less = (regress(task, sources(paths)) for paths in (files, [corpus], files[:1]))
    assert one.digest == other.digest != less.digest and len(one.digest) == 64
    assert one.versions == other.versions == {"blackpoker@8.1-lite": 2}


def test_one_root_is_one_group_whatever_becomes_of_it() -> None:
    both = RulesTarget(settings={**RECOVERY.settings, "lethal": "exceeding"})
    found = regress(Task(both), tuple(sources([GRIMOIRE]))[:8])
    groups = group_by_root(found.differences)
    roots = [
        (group.first.recorded.clause, group.first.rejudged.clause)
        for group in groups
        if group.first and group.first.recorded and group.first.rejudged
    ]
    assert roots[0] == ("GR-16.2", "GR-16.4") and len(set(roots)) == len(roots)
    assert len(groups[0].parts) > 1 and {part.clause for part in groups[0].parts} >= {"GR-16.5"}
    assert sum(len(group.differences) for group in groups) == len(found.differences)


@for_each("turned", [False, True])
def test_groups_and_parts_begin_with_the_most_matches_and_parts_with_the_shortest(turned: bool) -> None:
    hand, mana = (FactKind(Clause(f"GR-{n}"), "mark", name) for n, name in ((1, "hand"), (2, "mana")))
    rows = [
        ("illegal", "attack", mana, 9),
        ("illegal", "attack", mana, 4),
        ("illegal", "pass", mana, 7),
        ("path", "pass", mana, 8),
        ("path", "", mana, 6),
        ("path", "", hand, 5),
        ("base", "", mana, 3),
    ]
    some = [
        MatchDifference(Summary(at=at, name=f"m{at}", kind=kind, verb=verb, first=First(1, fact), entries=length))  # type: ignore[arg-type]
        for at, (kind, verb, fact, length) in enumerate(rows)
    ]
    groups = group_by_root(some[::-1] if turned else some)
    assert [len(group.differences) for group in groups] == [5, 1, 1] and not groups[0].base
    parts = [(part.kind, part.verb, [one.match.entries for one in part.differences]) for part in groups[0].parts]
    assert parts == [("illegal", "attack", [4, 9]), ("path", "", [6, 8]), ("illegal", "pass", [7])]
    assert [group.base for group in groups].count(True) == 1


def test_differences_without_a_first_fact_are_one_group() -> None:
    refused = [MatchDifference(Summary(at=at, name="m", kind="illegal", sentence=Message("a", "b"))) for at in range(2)]
    (group,) = group_by_root(refused)
    assert group.first is None and len(group.differences) == 2 and group.parts[0].sentence == Message("a", "b")
