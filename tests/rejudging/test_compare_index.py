"""With an index, readings are compared only on matches that use the option, with the same results."""

import shutil
from pathlib import Path

import msgspec
import pytest

from archive.corpus.reader import open_corpus
from archive.corpus.sources import sources
from archive.corpus.writer import pack
from archive.regress import comparing, index as indexes
from archive.regress.comparing import MatchComparison, Readings
from tests.cli.runs import inside
from tests.corpus.small_files import place_of
from tests.rejudging.records import SMALL

FEW = 12
DAMAGE = ("throwing.damage_suit", "spade,club")
OPTIONS = (DAMAGE, ("judge.compare", "size,printed"), ("counter.own_requests", "true,false"), ("grave_top", "none,no"))
"""Few matches read the first option and nearly all the others; the last never has such values."""


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compared") / "part.corpus"
    with open_corpus(SMALL) as whole:
        pack(path, [(match, whole.states(match)) for match in whole.ids[:FEW]])
    built, bad = indexes.build(path, 1)
    assert not bad
    indexes.save(built, path)
    return path


@pytest.fixture
def corpus(indexed: Path, tmp_path: Path) -> Path:
    for path in (indexed, indexes.path_of(indexed)):
        shutil.copy2(path, tmp_path)
    return tmp_path / indexed.name


def compare_readings(corpus: Path, option: str, values: str) -> list[MatchComparison]:
    one, other = values.split(",")
    readings = Readings("blackpoker", option, (one, other), None)
    return list(comparing.compare_matches(readings, sources([corpus]), 1, lambda names: None))


def apart(matches: list[MatchComparison]) -> int:
    return sum(match.apart is not None for match in matches)


def rewrite(corpus: Path, index: indexes.Index) -> None:
    indexes.path_of(corpus).write_bytes(indexes.encode(index))
    indexes._loaded.cache_clear()


def load_index(corpus: Path) -> indexes.Index:
    index = indexes.decode(indexes.path_of(corpus).read_bytes())
    assert index is not None
    return index


@pytest.mark.parametrize(("option", "values"), OPTIONS)
def test_what_is_said_of_each_match_is_the_same(
    corpus: Path, option: str, values: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spared: list[int] = []
    separate = comparing.comparing.separate

    def counted(game, entries, one, other, spares):  # type: ignore[no-untyped-def]
        spared.append(spares(one).count(1) + spares(other).count(1))
        return separate(game, entries, one, other, spares)

    monkeypatch.setattr(comparing.comparing, "separate", counted)
    with_index, some = compare_readings(corpus, option, values), spared.copy()
    spared.clear()
    indexes.path_of(corpus).unlink()
    assert compare_readings(corpus, option, values) == with_index and len(with_index) == FEW
    if option == "grave_top":
        assert all(match.bad is not None for match in with_index)
    else:
        assert apart(with_index) and len(spared) == FEW and not any(spared)
        assert sum(some) > 50 * len(some), "hardly an entry was spared"
    if option == DAMAGE[0]:
        assert 0 < len(some) < FEW, "no match was passed by"


def test_the_answer_is_the_same_to_the_byte_and_an_index_that_is_not_used_is_named(corpus: Path) -> None:
    asked = ("compare", "blackpoker", corpus, "--reading", "=".join(DAMAGE), "--jobs", "1", "--json")
    with_index = inside("unused", *asked)
    rewrite(corpus, msgspec.structs.replace(load_index(corpus), code="0" * 16))
    stale = inside("unused", *asked)
    indexes.path_of(corpus).unlink()
    without = inside("unused", *asked)
    assert with_index.out == stale.out == without.out and with_index.data["separating"]
    assert (with_index.err, without.err) == ("", "") and "is not used" in stale.err


@pytest.mark.parametrize("lie", ["fields", "sets"])
def test_an_index_that_lies_is_found_out(corpus: Path, lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built = load_index(corpus)
    if lie == "fields":
        rows = {key: msgspec.structs.replace(row, fields=()) for key, row in built.rows.items()}
        rewrite(corpus, msgspec.structs.replace(built, rows=rows))
    else:
        rewrite(corpus, msgspec.structs.replace(built, sets=tuple(() for _ in built.sets)))
    monkeypatch.setattr(indexes, "CHECKED_OF", 10**6)
    lied = compare_readings(corpus, *DAMAGE)
    monkeypatch.setattr(indexes, "CHECKED_OF", 1)
    found = compare_readings(corpus, *DAMAGE)
    indexes.path_of(corpus).unlink()
    assert (
        not apart(lied)
        and sum(match.bad is not None for match in found) == apart(compare_readings(corpus, *DAMAGE)) > 0
    )


def test_damage_to_a_match_that_neither_reading_touches_is_found(corpus: Path) -> None:
    unread = ("draw.low_life", "2,3")
    assert not any(match.bad for match in compare_readings(corpus, *unread))
    data = bytearray(corpus.read_bytes())
    with open_corpus(corpus) as opened:
        first = opened.ids[0]
    data[place_of(corpus, first)[0]] ^= 1
    corpus.write_bytes(data)
    damaged = compare_readings(corpus, *unread)
    assert [match.bad is not None for match in damaged] == [True] + [False] * (FEW - 1)
    indexes.path_of(corpus).unlink()
    assert compare_readings(corpus, *unread) == damaged
