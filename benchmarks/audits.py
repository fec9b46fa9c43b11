"""Audits of recorded actions, and random playouts."""

import random
from collections.abc import Iterator

import chess

from benchmarks import deciding
from benchmarks.harness import BenchmarkRow, Effort, measure_pair, rate
from benchmarks.material import GAMES_MEASURED, MATCHES, PLIES_MAX, Matches, matches
from domain.judging.audit import audit
from recorder.simulate import simulate


def rows(effort: Effort, quick: bool) -> Iterator[BenchmarkRow]:
    plies = deciding.plies(quick)
    for key in GAMES_MEASURED:
        ours = matches(2 if quick else MATCHES, key)

        def audited(ours: Matches = ours) -> int:
            for record in ours.records:
                assert not audit(ours.law.game, record).findings
            return ours.actions

        found = measure_pair(audited, plies, effort)
        yield deciding.per_action("audit", f"audit, {key}", found)
        yield from deciding.in_other_units("audit", ours, found)
    same = measure_pair(plies, deciding.plies(quick), effort)
    yield BenchmarkRow(
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


def _playouts(effort: Effort, key: str, count: int) -> Iterator[BenchmarkRow]:
    ours = matches(count, key)

    def played() -> int:
        return sum(len(simulate(ours.law, seed)) for seed in range(count))

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

    found = measure_pair(played, chess_played, effort)
    yield BenchmarkRow(
        group="playouts",
        name=f"random legal play of {key}, recorded, per entry",
        unit="entries/s",
        ours=found.ours,
        peer="python-chess legal list + push, per ply",
        ratio=found,
    )
    whole = rate(lambda: count * (played() > 0), effort)
    yield BenchmarkRow(group="playouts", name="the same, whole matches", unit="matches/s", ours=whole)
