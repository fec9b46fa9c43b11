"""With an index next to a corpus, some matches are skipped. The report is the same, and a wrong index is detected."""

import os
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archive.corpus.reader import open_corpus
from archive.corpus.sources import CorpusLocation, Source, sources
from archive.corpus.writer import pack
from archive.regress import index as indexes, judging
from archive.regress.counting import RegressionReport
from archive.regress.regressing import look_up_matches, regress
from archive.regress.summary import Task
from domain.judging.rejudging.rejudge import rejudge
from domain.judging.rejudging.skipping import Reads, reads
from domain.judging.rejudging.target import RulesTarget
from domain.judging.rejudging.verdict import Verdict
from domain.law.entries import Entry, Opened, Played
from domain.law.game import Game
from domain.law.rulesets import values
from domain.table.facts import Popped
from domain.table.table import FrameId
from domain.words import Text
from tests.cli.runs import inside
from tests.corpus.small_files import place_of, real, toy
from tests.rejudging.records import SMALL

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

ROOT = Path(__file__).parents[2]
CHANGE = RulesTarget(game="blackpoker", settings={"throwing.damage_suit": "club"})


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed")
    shutil.copy(SMALL, folder / "some.corpus")
    with open_corpus(folder / "some.corpus") as whole:
        pack(folder / "part.corpus", [(match, whole.states(match)) for match in whole.ids[:16]])
    for path in folder.glob("*.corpus"):
        built, bad = indexes.build(path, 1)
        assert not bad
        indexes.save(built, path)
    return folder


def brought(indexed: Path, folder: Path, name: str) -> Path:
    for path in (indexed / name, indexes.path_of(indexed / name)):
        shutil.copy2(path, folder)
    return folder / name


@pytest.fixture
def corpus(indexed: Path, tmp_path: Path) -> Path:
    return brought(indexed, tmp_path, "some.corpus")


@pytest.fixture
def part(indexed: Path, tmp_path: Path) -> Path:
    return brought(indexed, tmp_path, "part.corpus")


def load_index(corpus: Path) -> indexes.Index:
    found = indexes.decode(indexes.path_of(corpus).read_bytes())
    assert found is not None
    return found


def run(
    corpus: Path, target: RulesTarget = CHANGE, whole: bool = False, base: RulesTarget | None = None
) -> RegressionReport:
    return regress(Task(target, base, whole), sources([corpus]))


def test_passing_by_changes_nothing_but_the_work(corpus: Path) -> None:
    passed, whole = run(corpus), run(corpus, whole=True)
    assert 0 < passed.passed < passed.matches and whole.passed == 0
    assert msgspec.structs.replace(passed, passed=0) == whole
    differing = {one.match.name for one in whole.differences}
    assert differing and passed.passed <= passed.matches - len(differing)


def test_with_a_base_both_sides_must_be_untouched(corpus: Path) -> None:
    own = RulesTarget(game="blackpoker", settings={"throwing.damage_suit": "spade"})
    assert run(corpus, base=own).passed == run(corpus).passed
    seen = run(corpus, RulesTarget(settings={"set_bulwark.requests_per_turn": 1}), base=CHANGE)
    assert seen.by_class["base"] == len(run(corpus, whole=True).differences)


@pytest.mark.parametrize("base", [None, RulesTarget(game="blackpoker", settings={"throwing.damage_suit": "spade"})])
def test_what_the_index_knows_of_the_start_is_not_decided_again(
    corpus: Path, base: RulesTarget | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "CHECKED_OF", 10**6)
    decided: list[bool] = []

    def counted(game: Game, entries: Sequence[Entry], rules: Any, spared: bytes = b"") -> Verdict:
        decided.append(values(rules)["throwing.damage_suit"] == "club")
        return rejudge(game, entries, rules, spared=spared)

    monkeypatch.setattr(judging, "rejudge", counted)
    found = run(corpus, base=base)
    assert decided == [True] * (found.matches - found.passed) and found.differences
    decided.clear()
    assert msgspec.structs.replace(run(corpus, base=base, whole=True), passed=found.passed) == found
    assert False in decided


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_judge_only_what_the_index_does_not_know(corpus: Path, jobs: int) -> None:
    alone, shared = run(corpus), regress(Task(CHANGE), sources([corpus]), jobs=jobs)
    assert shared == alone and shared.passed


def test_a_mangled_index_says_nothing(corpus: Path) -> None:
    path = indexes.path_of(corpus)
    built = load_index(corpus)
    far = {key: msgspec.structs.replace(row, fields=(999,)) for key, row in built.rows.items()}
    for mangled in (
        msgspec.structs.replace(built, rows=far),
        msgspec.structs.replace(built, rules=({"throwing.damage_suit": 7},) * len(built.rules)),
    ):
        path.write_bytes(indexes.encode(mangled))
        indexes._loaded.cache_clear()
        assert run(corpus) == run(corpus, whole=True)


def test_an_index_of_other_code_or_of_another_form_is_not_used(part: Path) -> None:
    path = indexes.path_of(part)
    built = load_index(part)
    assert run(part).passed > 0
    indexes._loaded.cache_clear()
    for stale in (msgspec.structs.replace(built, code="0" * 16), msgspec.structs.replace(built, form=99)):
        path.write_bytes(indexes.encode(stale))
        indexes._loaded.cache_clear()
        assert run(part).passed == 0
    for broken in (b"", b"\xff" * 40, path.read_bytes()[:-3]):
        path.write_bytes(broken)
        indexes._loaded.cache_clear()
        assert run(part).passed == 0


def test_a_lying_index_is_found_out_by_the_matches_decided_all_the_same(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = indexes.path_of(corpus)
    built = load_index(corpus)
    rows = {key: msgspec.structs.replace(row, fields=()) for key, row in built.rows.items()}
    path.write_bytes(indexes.encode(msgspec.structs.replace(built, rows=rows)))
    indexes._loaded.cache_clear()
    monkeypatch.setattr(indexes, "CHECKED_OF", 1)
    found = run(corpus)
    assert len(found.bad) == len(run(corpus, whole=True).differences) > 0
    assert not found.passes
    assert all("index" in one.problem.en for one in found.bad if one.problem is not None)


def test_entries_that_the_change_cannot_touch_are_not_decided(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[int] = []

    def counted(game: Game, entries: Sequence[Entry], rules: Any, spared: bytes = b"") -> Verdict:
        folded.append(spared.count(1))
        return rejudge(game, entries, rules, spared=spared)

    monkeypatch.setattr(judging, "rejudge", counted)
    target = RulesTarget(game="blackpoker", settings={"counter.own_requests": False})
    passed = run(corpus, target)
    assert sum(map(bool, folded)) > len(folded) * 2 / 3 and sum(folded) > 50 * len(folded)
    folded.clear()
    whole = run(corpus, target, whole=True)
    assert not any(folded) and whole.differences and msgspec.structs.replace(passed, passed=0) == whole


@pytest.mark.parametrize(
    "target", [RulesTarget(game="blackpoker", version="9.0-lite"), RulesTarget(settings={"block.mixed": True})]
)
def test_causes_and_a_base_come_to_the_same_with_what_entries_read(corpus: Path, target: RulesTarget) -> None:
    for base in (None, CHANGE):
        passed, whole = run(corpus, target, base=base), run(corpus, target, whole=True, base=base)
        assert msgspec.structs.replace(passed, passed=0) == whole


def test_an_index_that_lies_about_entries_is_found_out(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, built = indexes.path_of(corpus), load_index(corpus)
    nothing = msgspec.structs.replace(built, sets=tuple(() for _ in built.sets))
    path.write_bytes(indexes.encode(nothing))
    indexes._loaded.cache_clear()
    lied = run(corpus)
    monkeypatch.setattr(indexes, "CHECKED_OF", 1)
    found, whole = run(corpus), run(corpus, whole=True)
    assert not lied.differences and len(found.bad) == len(whole.differences) > 0
    assert all("by the index" in one.problem.en for one in found.bad if one.problem is not None)


def test_an_index_of_the_form_before_still_passes_matches_by(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, built = indexes.path_of(corpus), load_index(corpus)
    now = run(corpus)
    bare = {key: msgspec.structs.astuple(row)[:-1] for key, row in built.rows.items()}
    before = {**msgspec.structs.asdict(built), "form": 2, "rows": bare}
    del before["sets"]
    data = msgspec.msgpack.encode(before)
    path.write_bytes(sha256(data).digest() + data)
    indexes._loaded.cache_clear()
    assert not indexes.has_stale_index(str(corpus)) and run(corpus) == now and now.passed
    todo = [
        match
        for match in look_up_matches(Task(CHANGE), enumerate(sources([corpus])))
        if isinstance(match, judging.JudgingJob)
    ]
    assert todo and all(match.reads is not None and not match.reads.by_entry.steps for match in todo)


def test_numbers_that_stand_for_nothing_make_it_no_index(part: Path) -> None:
    path, built = indexes.path_of(part), load_index(part)
    key, row = next(iter(built.rows.items()))
    for wrong in ({"rules": 9}, {"fields": (999,)}, {"told": (9999,)}, {"clauses": (9999,)}, {"steps": b"\xff"}):
        rows = {**built.rows, key: msgspec.structs.replace(row, **wrong)}
        path.write_bytes(indexes.encode(msgspec.structs.replace(built, rows=rows)))
        indexes._loaded.cache_clear()
        assert indexes.has_stale_index(str(part)), wrong
    path.write_bytes(indexes.encode(msgspec.structs.replace(built, sets=((999,),) * len(built.sets))))
    indexes._loaded.cache_clear()
    assert indexes.has_stale_index(str(part))


def test_every_match_has_its_own_row_and_says_what_it_read(corpus: Path) -> None:
    built = load_index(corpus)
    with open_corpus(corpus) as opened:
        assert {row.digest.hex() for row in opened.rows} == set(built.rows)
    looked = [built.reads(row) for row in built.rows.values()]
    assert all(one.own and one.clauses for one in looked)
    throwing = sum("throwing.damage_suit" in one.fields for one in looked)
    assert 0 < throwing < len(looked)


def test_the_command_makes_it_and_regress_says_what_it_passed_by(corpus: Path) -> None:
    indexes.path_of(corpus).unlink()
    made = inside("unused", "corpus", "index", str(corpus), "--jobs", "1")
    assert (made.code, indexes.path_of(corpus).exists()) == (0, True)
    ran = inside("unused", "regress", str(corpus), "--set", "throwing.damage_suit=club", "--jobs", "1")
    assert ran.code == 1 and "skipped" in ran.out
    whole = inside("unused", "regress", str(corpus), "--set", "throwing.damage_suit=club", "--jobs", "1", "--full")
    assert "skipped" not in whole.out
    for wrong in ([str(corpus), "--jobs", "0"], [str(corpus) + ".none"], [str(ROOT / "README.md")]):
        assert inside("unused", "corpus", "index", *wrong).code == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_damage_to_a_match_that_is_passed_by_is_found(corpus: Path, jobs: int) -> None:
    little = RulesTarget(game="blackpoker", settings={"draw.low_life": 3})
    assert run(corpus, little).passed
    data = bytearray(corpus.read_bytes())
    data[place_of(corpus, "sim-blackpoker-1")[0]] ^= 1
    corpus.write_bytes(data)
    indexed = regress(Task(little), sources([corpus]), jobs=jobs)
    whole = run(corpus, little, whole=True)
    assert [one.name for one in indexed.bad] == [one.name for one in whole.bad] and len(whole.bad) == 1
    assert indexed.bad[0].problem == whole.bad[0].problem and indexed.passed


def test_no_flipped_bit_of_an_index_is_believed_and_the_run_says_so(part: Path) -> None:
    path = indexes.path_of(part)
    sound = path.read_bytes()
    for at in range(0, len(sound), 41):
        data = bytearray(sound)
        data[at] ^= 1 << at % 8
        assert indexes.decode(bytes(data)) is None, at
    path.write_bytes(bytes(data))
    indexes._loaded.cache_clear()
    assert indexes.has_stale_index(str(part)) and run(part).passed == 0
    change = ("regress", part, "--set", "throwing.damage_suit=club", "--jobs", "1")
    for lang, said in (("en", "is not used"), ("ja", "使いません")):
        ran = inside("unused", *change, "--lang", lang)
        assert ran.code == 1 and ran.err.count(path.name) == 1 and said in ran.err
    assert inside("unused", *change, "--full").err == ""
    old = msgspec.msgpack.encode(msgspec.structs.replace(held_in(sound), form=1))
    for other in (old, b"", indexes.encode(msgspec.structs.replace(held_in(sound), form=1))):
        path.write_bytes(other)
        indexes._loaded.cache_clear()
        assert indexes.has_stale_index(str(part)) and run(part).passed == 0
    path.write_bytes(sound)
    indexes._loaded.cache_clear()
    assert not indexes.has_stale_index(str(part)) and inside("unused", *change).err == ""


def held_in(data: bytes) -> indexes.Index:
    found = indexes.decode(data)
    assert found is not None
    return found


def test_a_clause_that_is_looked_at_and_never_told_is_a_hole_with_an_index_too(corpus: Path) -> None:
    unread = RulesTarget(game="blackpoker", settings={"preset.soldier_can_attack_turn1": False})
    passed, whole = run(corpus, unread), run(corpus, unread, whole=True)
    assert passed.passed and [one.clause for one in whole.holes] == ["BP-7.15"]
    assert passed.holes == whole.holes
    built = load_index(corpus)
    assert any("BP-7.15" in built.reads(row).clauses for row in built.rows.values())
    assert not any("BP-7.15" in built.decode_fact_clauses(row) for row in built.rows.values())


def test_any_number_of_jobs_makes_the_same_index(corpus: Path) -> None:
    built, bad = indexes.build(corpus, 3)
    assert indexes.encode(built) == indexes.path_of(corpus).read_bytes() and not bad


class Deadly(CorpusLocation, frozen=True, tag="deadly"):
    def __reduce__(self) -> Any:
        return os._exit, (9,)


def test_a_match_that_kills_every_worker_is_left_out_and_the_rest_indexed(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = list(sources([corpus]))[:12]
    place = listed[5].place
    assert isinstance(place, CorpusLocation)
    listed[5] = Source("deadly", "blackpoker", Deadly(place.file, place.row))
    monkeypatch.setattr(indexes, "sources", lambda paths: iter(listed))
    lost: list[str] = []
    built, bad = indexes.build(corpus, 2, lost.extend)
    assert len(built.rows) == 11 and "deadly" in lost
    assert [(one.name, str(one.why)) for one in bad] == [("deadly", str(Text("regress.killed")))]


def test_a_match_that_cannot_be_decided_is_left_out_and_the_rest_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, *rest = real("blackpoker", 1)
    at = next(number for number, one in enumerate(rest) if isinstance(one, Played) and one.told)
    played = rest[at]
    assert isinstance(played, Played) and isinstance(opened, Opened)
    clause, _ = played.told[0]
    forged = msgspec.structs.replace(played, told=((clause, Popped(FrameId(999), "resolved")),))
    undealt = msgspec.structs.replace(opened, told=())
    path = tmp_path / "odd.corpus"
    matches = {"good": (opened, *rest), "forged": (opened, *rest[:at], forged), "undealt": (undealt,)}
    pack(path, [*matches.items(), ("stumbles", real("blackpoker", 2))])

    def stumbling(game: Game, entries: Sequence[Entry]) -> Reads:
        return reads(game, entries) if len(entries) != len(real("blackpoker", 2)) else {}["p9"]

    monkeypatch.setattr(indexes, "reads", stumbling)
    for lang, said in (("en", "does not match its deck"), ("ja", "デッキ")):
        made = inside("unused", "corpus", "index", path, "--jobs", "1", "--lang", lang)
        assert made.code == 1 and len(load_index(path).rows) == 1
        for name in ("forged", "undealt", "stumbles", said, "KeyError"):
            assert name in made.err, name


def test_a_corpus_of_a_game_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "toy.corpus"
    pack(path, [("t1", toy("t1"))])
    for lang, said in (("en", "blackpoker"), ("ja", "ゲーム")):
        made = inside("unused", "corpus", "index", path, "--jobs", "1", "--lang", lang)
        assert made.code == 2 and "toy.corpus" in made.message and said in made.message
    assert not indexes.path_of(path).exists()
