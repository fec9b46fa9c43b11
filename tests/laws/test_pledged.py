"""Fair shuffles in every game: a match with seat commitments plays normally, its audit is clean, and a changed bit of a
secret is found."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import audit, fairness
from domain.law import disputes as D
from domain.law.entries import Played, Pledged
from domain.law.law import Law
from domain.table.table import CHANCE
from recorder.imports import find_fault
from recorder.matches import close
from recorder.store import Store
from tests.laws.presumed import presume
from tests.pledged import MATCH, P1, P2, SECRETS, SEED, load, missing_entry, open_pledged, play_on, reveal, reveal_entry

ACTIONS = 25


@pytest.mark.parametrize("bit", [0, 77])
@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_match_with_pledges_is_fair_and_no_bit_of_a_secret_can_be_altered(key: str, bit: int, tmp_path: Path) -> None:
    presume(key, "chance")
    game = GAMES[key]
    law = Law(game, game.latest)
    with Store.open(tmp_path / "a.sqlite") as store:
        open_pledged(store, law)
        assert [type(entry) for entry in store.read(MATCH)] == [Pledged]
        reveal(store, MATCH, law, reveal_entry(P1))
        reveal(store, MATCH, law, missing_entry(P2) if bit else reveal_entry(P2))
        play_on(store, MATCH, law, ACTIONS)
        now = load(store, MATCH, law)
        assert audit(game, now.entries, secret=SEED).findings == ()
        close(store, MATCH, "judge", "time", abandon=now.table.result is None)
        entries = tuple(store.read(MATCH))
    drawn = [entry for entry in entries if isinstance(entry, Played) and entry.actor == CHANCE]
    fair = fairness(game, entries)
    assert (fair.proof, fair.drawn, fair.differs, fair.misfits) == ("holds", len(drawn) + 1, (), ())
    assert fair.parts == {P1: "revealed", P2: "missing" if bit else "revealed"} and drawn
    number = next(n for n, entry in enumerate(entries, start=1) if isinstance(entry, D.Revealed))
    altered = (int.from_bytes(SECRETS[P1], "big") ^ 1 << bit).to_bytes(16, "big").hex()
    changed = replace(entries[number - 1], secret=altered)
    forged = (*entries[: number - 1], changed, *entries[number:])
    assert [(finding.entry, finding.kind) for finding in audit(game, forged).findings] == [(number, "unfair")]
    assert find_fault(forged) is not None
