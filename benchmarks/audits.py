"""Deciding recorded actions again, and playing new ones."""

import random
from collections.abc import Callable, Iterator

import chess

from benchmarks.harness import Effort, Ratio, Row, paired, rate
from benchmarks.material import CHESS_GAMES, GAMES_MEASURED, MATCHES, PLIES_MAX, Matches, chess_games, matches, push_uci
from projections.audit import audit
from recorder.simulate import simulate

AUDIT_BUDGET, AUDIT_AIM = 0.5, 1.0
PUSH_UCI = "python-chess push_uci, per ply"


def rows(effort: Effort, quick: bool) -> Iterator[Row]:
    """Audit of each game against python-chess by every measure, and random playouts."""
    games = chess_games(2 if quick else CHESS_GAMES)
    plies = push_uci(games)
    for key in GAMES_MEASURED:
        yield from _audits(effort, key, matches(2 if quick else MATCHES, key), plies)
    same = paired(plies, push_uci(games), effort)
    yield Row(
        group="audit",
        name="control: push_uci, per ply",
        unit="plies/s",
        ours=same.ours,
        peer="itself",
        ratio=same,
        control=True,
    )
    for key in GAMES_MEASURED:
        yield from _playouts(effort, key, 1 if quick else 5)


def _audits(effort: Effort, key: str, ours: Matches, plies: Callable[[], int]) -> Iterator[Row]:
    def audited() -> int:
        for record in ours.records:
            assert not audit(ours.game, record).findings
        return ours.actions

    found = paired(audited, plies, effort)
    yield Row(
        group="audit",
        name=f"audit, {key}, per recorded action",
        unit="actions/s",
        ours=found.ours,
        peer=PUSH_UCI,
        ratio=found,
        budget=AUDIT_BUDGET,
        aim=AUDIT_AIM,
    )
    for unit, count in (("facts", ours.facts), ("cards played", ours.cards), ("turns", ours.turns)):
        other = _per(found, count / ours.actions)
        yield Row(
            group="audit", name=f"the same, in {unit}", unit=f"{unit}/s", ours=other.ours, peer=PUSH_UCI, ratio=other
        )


def _per(found: Ratio, units: float) -> Ratio:
    """The same measurement in another unit of ours."""
    return Ratio(found.middle * units, found.low * units, found.high * units, found.ours * units, found.theirs)


def _playouts(effort: Effort, key: str, count: int) -> Iterator[Row]:
    ours = matches(count, key)

    def played() -> int:
        return sum(len(simulate(ours.game, ours.rules, seed)) for seed in range(count))

    def chess_played() -> int:
        draw, plies = random.Random(count), 0
        for _ in range(count):
            board = chess.Board()
            for _ in range(PLIES_MAX):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(draw.choice(moves))
                plies += 1
        return plies

    found = paired(played, chess_played, effort)
    yield Row(
        group="playouts",
        name=f"random legal play of {key}, recorded, per entry",
        unit="entries/s",
        ours=found.ours,
        peer="python-chess legal list + push, per ply",
        ratio=found,
    )
    whole = rate(lambda: count * (played() > 0), effort)
    yield Row(group="playouts", name="the same, whole matches", unit="matches/s", ours=whole)
