"""Nobody learns of real cards what the table did not show them, though the log may have been told."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from domain.law.entries import Entry, Played, tables
from domain.table.facts import Identified
from domain.table.table import CardId
from tests.laws.samples import Sample
from tests.laws.watching import never_known, same, screens, table_law, viewers
from tests.recorder.test_real_cards import dictation


def told_otherwise(entry: Entry, cards: list[CardId]) -> Entry:
    """The same entry, but the log was told nothing, or something else, of these cards."""
    if not isinstance(entry, Played):
        return entry
    return replace(entry, told=tuple((clause, _otherwise(fact, cards)) for clause, fact in entry.told))  # type: ignore[misc]


def _otherwise(fact: object, cards: list[CardId]) -> object:
    if not isinstance(fact, Identified):
        return fact
    seen = zip(fact.cards, fact.faces, strict=True)
    return replace(fact, faces=tuple((face and "S99") if card in cards else face for card, face in seen))


@pytest.mark.parametrize(("key", "seed", "frame"), [("blackpoker", 3, "full54"), ("grimoire", 4, "")])
def test_nobody_is_told_what_only_the_log_was_told(tmp_path: Path, key: str, seed: int, frame: str) -> None:
    one, random = dictation(tmp_path, key, seed, frame), Random(seed)
    one.dictate()
    real = one.real
    sample = Sample(real.game, real.rules, real.entries)
    for viewer in viewers(sample):
        for number, _, _, table in random.sample(list(tables(real.entries)), 6):
            table_law(sample, number, table, viewer, random)
        unknown = never_known(real.entries, viewer)
        other = [told_otherwise(entry, unknown) for entry in real.entries]
        numbers = [random.randrange(1, real.version + 1), real.version]
        same(screens(sample, real.entries, viewer, numbers), screens(sample, other, viewer, numbers))
        if key == "blackpoker":
            assert other != list(real.entries) or not one.private, viewer
