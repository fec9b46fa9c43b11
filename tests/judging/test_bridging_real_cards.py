"""Gaps in matches with real cards: what happened was allowed, so nobody may say that nothing leads across."""

from pathlib import Path
from random import Random

import pytest

from domain.judging.audit.bridging import Bridged, Ground, Unbridged, bridge
from domain.law.clause import BY_HAND
from domain.law.entries import Played, tables
from domain.table.physics import physics_of
from recorder.store import Store
from tests.recorder.test_real_cards import dictation

pytestmark = pytest.mark.random

CUTS = 20
BOUND = 200


@pytest.mark.parametrize(("key", "seed", "frame"), [("blackpoker", 1, "entry20"), ("grimoire", 4, "")])
def test_what_was_cut_out_of_a_match_with_real_cards_is_never_called_impossible(
    tmp_path: Path, key: str, seed: int, frame: str
) -> None:
    one = dictation(Store.open(tmp_path / "s.sqlite"), key, seed, frame)
    one.dictate()
    real = one.real
    ground = Ground(real.law, physics_of(real.opened.schema), real.opened)
    walk = [(entry, before) for _, entry, before, _ in tables(real.entries) if isinstance(entry, Played)]
    for many in (1, 2):
        crossed = 0
        for at in Random(seed).sample(range(len(walk) - many), CUTS):
            told = tuple((BY_HAND, fact) for entry, _ in walk[at : at + many] for _, fact in entry.told)
            answer = bridge(ground, walk[at][1], told, many, tables=BOUND)
            assert not isinstance(answer, Unbridged), (at, answer)
            crossed += isinstance(answer, Bridged)
        assert crossed > CUTS // 2
