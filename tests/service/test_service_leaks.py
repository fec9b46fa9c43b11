"""Nobody learns what is hidden from the service: whatever it sends is the same where only that is otherwise."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.law.entries import Entry
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, Seat
from service import app, house as houses
from tests.laws.samples import few, sample
from tests.laws.watching import dealt_otherwise, never_known, viewers
from tests.service.twins import Twins, addresses, twins

FEW = [(key, seed) for key, seed in few(2) if key in ("blackpoker", "grimoire", "dea", "skillbook")]
EACH = 3
"""How many addresses of each route are asked for."""


def walk(both: Twins, entries: list[Entry], viewer: Seat, random: Random, most: int = EACH) -> int:
    """Ask for everything there is as a viewer; how many addresses gave something."""
    asked = addresses(app.routes(), entries, viewer, random, most)
    return sum(both.alike(path, viewer) == 200 for path in asked)


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_whatever_is_sent_tells_no_face_never_known(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"service {seed}")
    for viewer in random.sample(viewers(one), 2):
        entries = list(one.entries[: random.randrange(20, min(120, len(one.entries) // 2))])
        with twins(entries, dealt_otherwise(entries, never_known(entries, viewer), random)) as both:
            assert walk(both, entries, viewer, random) > 10


def _both(key: str = "blackpoker") -> tuple[list[Entry], list[Entry]]:
    entries = list(sample(key, 0).entries[:40])
    return entries, dealt_otherwise(entries, never_known(entries, SPECTATOR), Random(0))


def test_twins_look_alike_to_a_spectator() -> None:
    ours, theirs = _both()
    with twins(ours, theirs) as both:
        assert walk(both, ours, SPECTATOR, Random(1), 1) > 5


def test_a_service_that_redacts_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk can fail: with a judge's eyes under a spectator's name it does."""
    ours, theirs = _both()
    look = houses.look_at

    def look_through(record: object, viewer: str) -> Eyes:
        return replace(look(record, viewer), viewer=JUDGE)

    monkeypatch.setattr("service.house.look_at", look_through)
    monkeypatch.setattr("service.house.may_look", lambda *_, **__: "yes")
    with twins(ours, theirs) as both, pytest.raises(AssertionError, match="as spectator"):
        walk(both, ours, SPECTATOR, Random(1), 1)


@pytest.mark.parametrize("asked", ["knows", "follows"])
def test_one_redaction_switched_off_is_found_out(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: eyes that know every face; eyes that follow every card and know its face."""
    ours, theirs = _both()
    monkeypatch.setattr(Eyes, "knows", lambda *_: True)
    monkeypatch.setattr(Eyes, asked, lambda *_: True)
    with twins(ours, theirs) as both, pytest.raises(AssertionError, match="as spectator"):
        walk(both, ours, SPECTATOR, Random(1), 1)
