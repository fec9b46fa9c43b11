"""Bytes per entry, in the store and in both file formats."""

from collections.abc import Iterator
from statistics import mean

from benchmarks.harness import BenchmarkRow
from benchmarks.material import MATCHES, matches
from domain.formats.notation import write_notation
from domain.law.entries import Played
from recorder import codec


def rows(quick: bool) -> Iterator[BenchmarkRow]:
    ours = matches(2 if quick else MATCHES)
    stored = [[codec.encode(entry) for entry in record] for record in ours.records]
    texts = [write_notation(ours.law.game, record).encode() for record in ours.records]
    headers = [write_notation(ours.law.game, record[:1]).encode() for record in ours.records]
    plays = [
        state
        for record, states in zip(ours.records, stored, strict=True)
        for entry, state in zip(record, states, strict=True)
        if isinstance(entry, Played)
    ]
    written = sum(map(len, texts)) - sum(map(len, headers))
    yield _size("entry of play, stored", mean(map(len, plays)))
    yield _size("the same, a fact", sum(map(len, plays)) / sum(len(_decode_facts(state)) for state in plays))
    yield _size("entry of play, JSON Lines", mean(len(codec.to_json_line(state)) + 1 for state in plays))
    yield _size("entry of play, notation", written / (ours.entries - len(ours.records)))
    yield _size("entry that opens a match, stored", mean(len(states[0]) for states in stored))
    yield _size("the same, notation (header)", mean(map(len, headers)))
    yield _size("whole match, stored", mean(sum(map(len, states)) for states in stored))
    yield _size("whole match, notation", mean(map(len, texts)))


def _decode_facts(state: bytes) -> tuple[object, ...]:
    entry = codec.decode(state)
    assert isinstance(entry, Played)
    return entry.told


def _size(name: str, size: float) -> BenchmarkRow:
    return BenchmarkRow(group="size", name=name, unit="bytes", ours=size)
