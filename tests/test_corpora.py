"""The corpora in the repository: they read, fold and audit clean, and are made again the same."""

from pathlib import Path

import pytest

from corpus.reading import Whole, open_corpus, scan
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Closed, Opened, fold_entries
from fixtures.corpora import PLAY, SMALL, played, small, write_large
from tests.games import FINISHED

pytestmark = pytest.mark.deep

BYTES_MAX = 300 * 1024


def test_every_game_with_law_has_one() -> None:
    assert set(PLAY) == set(SMALL) == set(FINISHED)


@pytest.mark.parametrize("key", SMALL)
def test_it_reads_folds_and_audits_clean(key: str) -> None:
    assert small(key).stat().st_size <= BYTES_MAX
    with open_corpus(small(key)) as corpus:
        assert (corpus.game, len(corpus)) == (key, SMALL[key])
        for match in corpus.ids:
            entries = corpus.match(match)
            assert isinstance(entries[0], Opened) and entries[0].match == match
            assert isinstance(entries[-1], Closed) and fold_entries(entries).result is not None
            assert audit(GAMES[key], entries).findings == (), match
        assert [one.row for one in scan(small(key)) if isinstance(one, Whole)] == list(corpus.rows)


@pytest.mark.parametrize("key", SMALL)
def test_its_seeds_play_the_same_again(key: str) -> None:
    with open_corpus(small(key)) as corpus:
        for seed in (1, SMALL[key]):
            match, states = played((key, seed))
            assert corpus.states(match) == states, "the law or the simulation has changed: python -m fixtures.make"


def test_a_large_one_is_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    made = [write_large("blackpoker", 6, jobs, tmp_path / str(jobs)).read_bytes() for jobs in (1, 2)]
    assert made[0] == made[1]
    assert [one.name for one in (tmp_path / "2").iterdir()] == ["blackpoker.corpus"]
