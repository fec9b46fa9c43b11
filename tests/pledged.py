"""Matches with seat commitments for fair shuffles: opened, revealed and played on at random."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain.law import croupier, disputes as D
from domain.law.law import Law
from domain.table.table import CHANCE, Seat
from recorder.answers import RecordResult
from recorder.decisions import record_decision
from recorder.match_loader import LoadedMatch, load_match
from recorder.matches import open_match, play
from recorder.simulate import pick
from recorder.store import Store

MATCH: Final = "table-17"
P1, P2 = Seat("p1"), Seat("p2")
SEATS: Final = (P1, P2)
SEED: Final = bytes(range(100, 116))
SECRETS: Final[Mapping[Seat, bytes]] = {P1: bytes(range(16)), P2: bytes(range(16, 32))}


def pledges_of(seats: Iterable[Seat] = SEATS, match: str = MATCH) -> dict[Seat, str]:
    return {seat: croupier.commit_seat(match, seat, SECRETS[seat]) for seat in seats}


def open_pledged(store: Store, law: Law, seats: Iterable[Seat] = SEATS, match: str = MATCH) -> str:
    """Open a match with commitments from these seats and return its id."""
    answer = open_match(store, law, "1", {}, seed=SEED, match_id=match, pledges=pledges_of(seats, match))
    assert answer == match, answer
    return match


def load(store: Store, match: str, law: Law) -> LoadedMatch:
    now = load_match(store, match, {law.game.key: law.game})
    assert isinstance(now, LoadedMatch), now
    return now


def reveal_entry(seat: Seat, secret: bytes | None = None) -> D.Revealed:
    return D.Revealed(by=seat, seat=seat, secret=(SECRETS[seat] if secret is None else secret).hex())


def missing_entry(seat: Seat) -> D.Revealed:
    return D.Revealed(by="judge", seat=seat, reason="gone home")


def reveal(store: Store, match: str, law: Law, entry: D.Revealed, **terms: Any) -> RecordResult:
    """Record a revealed secret and return the result."""
    answer = record_decision(store, match, entry, games={law.game.key: law.game}, **terms)
    assert isinstance(answer, RecordResult), answer
    return answer


def play_on(store: Store, match: str, law: Law, most: int) -> None:
    for _ in range(most):
        now = load(store, match, law)
        awaited = [seat for seat in law.awaited(now.table) if seat != CHANCE]
        if not awaited:
            return
        below = croupier.make_random_source(f"{match}/players", SEED, now.version)
        action = pick(law, now.table, awaited[0], below)
        answer = play(store, match, awaited[0], action, games={law.game.key: law.game})
        assert isinstance(answer, RecordResult), answer
