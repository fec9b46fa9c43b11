"""With an index beside a corpus some matches are passed by; the report is the same, and a lying index is found out."""

import shutil
from pathlib import Path

import msgspec
import pytest

from corpus.reading import open_corpus
from corpus.sources import sources
from projections.rejudging.target import Target
from regress import index as indexes
from regress.counting import Report
from regress.regressing import regress
from regress.summary import Task
from tests.cli.runs import inside

ROOT = Path(__file__).parents[2]
CHANGE = Target(game="blackpoker", settings={"throwing.damage_suit": "club"})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus with its index."""
    path = tmp_path / "some.corpus"
    shutil.copy(ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus", path)
    built, bad = indexes.build(path, 1)
    assert not bad
    indexes.save(built, path)
    return path


def run(corpus: Path, target: Target = CHANGE, whole: bool = False, base: Target | None = None) -> Report:
    return regress(Task(target, base, whole), sources([corpus]))


def test_passing_by_changes_nothing_but_the_work(corpus: Path) -> None:
    passed, whole = run(corpus), run(corpus, whole=True)
    assert 0 < passed.passed < passed.matches and whole.passed == 0
    assert msgspec.structs.replace(passed, passed=0) == whole
    differing = {one.match.name for one in whole.differences}
    assert differing and passed.passed <= passed.matches - len(differing)


def test_with_a_base_both_sides_must_be_untouched(corpus: Path) -> None:
    own = Target(game="blackpoker", settings={"throwing.damage_suit": "spade"})
    assert run(corpus, base=own).passed == run(corpus).passed
    seen = run(corpus, Target(settings={"set_bulwark.requests_per_turn": 1}), base=CHANGE)
    assert seen.by_class["base"] == len(run(corpus, whole=True).differences)


def test_an_index_of_other_code_or_of_another_form_is_not_used(corpus: Path) -> None:
    path = indexes.path_of(corpus)
    built = msgspec.msgpack.decode(path.read_bytes(), type=indexes.Index)
    for stale in (msgspec.structs.replace(built, code="0" * 16), msgspec.structs.replace(built, form=99)):
        path.write_bytes(msgspec.msgpack.encode(stale))
        indexes._loaded.cache_clear()
        assert run(corpus).passed == 0
    for broken in (b"", b"\xff" * 40, path.read_bytes()[:-3]):
        path.write_bytes(broken)
        indexes._loaded.cache_clear()
        assert run(corpus).passed == 0


def test_a_lying_index_is_found_out_by_the_matches_decided_all_the_same(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = indexes.path_of(corpus)
    built = msgspec.msgpack.decode(path.read_bytes(), type=indexes.Index)
    rows = {key: msgspec.structs.replace(row, fields=()) for key, row in built.rows.items()}
    path.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(built, rows=rows)))
    indexes._loaded.cache_clear()
    monkeypatch.setattr(indexes, "CHECKED_OF", 1)
    found = run(corpus)
    assert len(found.bad) == len(run(corpus, whole=True).differences) > 0
    assert not found.passes
    assert all("index" in one.problem.en for one in found.bad if one.problem is not None)


def test_every_match_has_its_own_row_and_says_what_it_read(corpus: Path) -> None:
    built = msgspec.msgpack.decode(indexes.path_of(corpus).read_bytes(), type=indexes.Index)
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
    assert ran.code == 1 and "passed by" in ran.out
    whole = inside("unused", "regress", str(corpus), "--set", "throwing.damage_suit=club", "--jobs", "1", "--full")
    assert "passed by" not in whole.out
    for wrong in ([str(corpus), "--jobs", "0"], [str(corpus) + ".none"], [str(ROOT / "README.md")]):
        assert inside("unused", "corpus", "index", *wrong).code == 2
