"""Corpora of the repository: they read, fold and audit clean, and can be reproduced."""

import signal
from io import StringIO
from pathlib import Path

import pytest

from archive.corpus.reader import CorpusMatch, open_corpus, scan
from cli.context import CommandContext
from cli.drawing import Screen
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import Closed, Opened, fold_entries
from fixtures import corpora
from fixtures.corpora import PLAY, SMALL, encode_again, play_match, small, write_large, write_small
from tests.games import FINISHED
from tests.rotation import rotate
from tests.rows import for_each

pytestmark = pytest.mark.random

BYTES_MAX = 300 * 1024


def test_every_game_with_law_has_one() -> None:
    assert set(PLAY) == set(SMALL) == set(FINISHED)


@for_each("key", SMALL)
def test_it_reads_folds_and_audits_clean(key: str) -> None:
    assert small(key).stat().st_size <= BYTES_MAX
    with open_corpus(small(key)) as corpus:
        assert (corpus.game, len(corpus)) == (key, SMALL[key])
        for match in corpus.ids:
            entries = corpus.match(match)
            assert isinstance(entries[0], Opened) and entries[0].match == match
            assert isinstance(entries[-1], Closed) and fold_entries(entries).result is not None
            assert audit(GAMES[key], entries).findings == (), match
        assert [one.row for one in scan(small(key)) if isinstance(one, CorpusMatch)] == list(corpus.rows)


@pytest.mark.parametrize("key", SMALL)
def test_its_seeds_play_the_same_again(key: str) -> None:
    with open_corpus(small(key)) as corpus:
        for seed in (1, SMALL[key]):
            match, states = play_match((key, seed))
            assert encode_again(corpus, match) == states, "law or simulation changed: python -m fixtures.make"


@pytest.mark.parametrize("key", rotate(tuple(SMALL), 1))
def test_make_leaves_an_untouched_corpus_alone(key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "small.corpus"
    copy.write_bytes(small(key).read_bytes())
    monkeypatch.setattr(corpora, "small", lambda key: copy)
    assert not write_small(key)
    assert copy.read_bytes() == small(key).read_bytes()


def test_a_large_one_is_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    made = [write_large(ctx(), "blackpoker", 6, jobs, tmp_path / str(jobs)) for jobs in (1, 2)]
    one, two = (path.read_bytes() for path in made if path is not None)
    assert one == two
    assert [one.name for one in (tmp_path / "2").iterdir()] == ["blackpoker.corpus"]


def ctx() -> CommandContext:
    return CommandContext(Screen(StringIO(), StringIO()), "en", None)


def test_one_that_was_interrupted_is_gone_on_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seeds: list[int] = []

    def interrupted(work: tuple[str, int]) -> tuple[str, list[bytes]]:
        seeds.append(work[1])
        if len(seeds) in (2, 6, 7):
            signal.raise_signal(signal.SIGINT)
        return play_match(work)

    monkeypatch.setattr(corpora, "MATCHES_PER_PIECE", 3)
    monkeypatch.setattr(corpora, "play_match", interrupted)
    folder = tmp_path / "there"
    for done in (2, 6, 7):
        stopped = ctx()
        assert write_large(stopped, "blackpoker", 9, 1, folder) is None
        assert (
            stopped.stopped == 130
            and stopped.interrupted is not None
            and (stopped.interrupted.done, stopped.interrupted.all) == (done, 9)
        )
    path = write_large(ctx(), "blackpoker", 9, 1, folder)
    assert path is not None and [one.name for one in folder.iterdir()] == [path.name]
    assert seeds == [*range(1, 10)]
    whole = write_large(ctx(), "blackpoker", 9, 1, tmp_path / "whole")
    assert whole is not None and path.read_bytes() == whole.read_bytes()


def test_what_another_law_has_played_is_played_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(corpora, "code_digest", lambda key: "before")
    monkeypatch.setattr(corpora, "play_match", lambda work: (signal.raise_signal(signal.SIGINT), play_match(work))[1])
    assert write_large(ctx(), "blackpoker", 3, 1, tmp_path) is None
    monkeypatch.undo()
    path = write_large(ctx(), "blackpoker", 3, 1, tmp_path)
    assert path is not None and [one.name for one in tmp_path.iterdir()] == [path.name]
    with open_corpus(path) as corpus:
        assert [(match, corpus.states(match)) for match in corpus.ids] == [
            play_match(("blackpoker", n)) for n in (1, 2, 3)
        ]
