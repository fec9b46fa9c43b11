"""Who asks too often is told to wait, by the token and not by the address."""

from pathlib import Path

from recorder.place import LOCK_SECONDS
from service.limits import LIMITS, SHARED, Limits
from service.turns import PATIENCE_S
from tests.service.serving import START


def test_a_burst_is_let_through_and_then_one_at_a_time() -> None:
    limits = Limits()
    assert [limits.take("commands", "a", START) for _ in range(40)] == [0] * 40
    assert limits.take("commands", "a", START) == 100
    assert limits.take("commands", "a", START) == 100, "a refusal costs nothing"
    assert limits.take("commands", "a", START + 99) == 1
    assert limits.take("commands", "a", START + 100) == 0
    assert limits.take("commands", "a", START + 100) == 100


def test_one_token_does_not_use_up_what_another_may_ask_nor_one_kind_another() -> None:
    limits = Limits()
    while not limits.take("rewinds", "a", START):
        pass
    assert limits.take("rewinds", "b", START) == 0
    assert limits.take("commands", "a", START) == 0


def test_the_limits_are_those_that_were_decided() -> None:
    per_second = {bucket: 1_000 / limit.every_ms for bucket, limit in LIMITS.items()}
    assert per_second["commands"] == 10 and LIMITS["commands"].burst == 40
    assert per_second["films"] * 60 == 60
    assert per_second["tries"] == 20
    assert per_second["rewinds"] * 3_600 == 3 == LIMITS["rewinds"].burst


def test_whoever_writes_waits_for_others_and_for_the_store_as_long_as_is_said() -> None:
    said = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    assert f"who writes is told so within {PATIENCE_S + LOCK_SECONDS:g} seconds" in said


def test_all_who_show_no_token_share_one_generous_limit() -> None:
    limits = Limits()
    taken = sum(not limits.take("films", "", START) for _ in range(2 * SHARED * LIMITS["films"].burst))
    assert taken == SHARED * LIMITS["films"].burst


def test_who_has_not_asked_for_long_is_forgotten_and_nobody_else() -> None:
    limits = Limits()
    while not limits.take("commands", "busy", START):
        pass
    for number in range(20_000):
        limits.take("tries", str(number), START + number // 10_000)
    assert limits.take("commands", "busy", START + 2) > 0
