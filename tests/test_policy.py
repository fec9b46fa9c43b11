"""Policies of penalties and repairs: validity, proposals, and departures of rulings."""

import re

import msgspec
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.formats.errors import FormatError
from domain.formats.policies import read_policy, standard_policy, stored_policy
from domain.law.policy import Limits, explain_excess, policy_of, propose_infraction, propose_step
from domain.words import Text
from tests.rows import for_each

LADDER = """
name = "house"
version = "1"
[step.warning]
en = "warning"
ja = "警告"
next = "loss"
[step.loss]
en = "loss"
ja = "負け"
[infraction.misplay]
en = "misplay"
ja = "誤り"
step = "warning"
repeats = "match"
verdicts = ["not_allowed"]
[rewind]
entries = 10
learned = 1
"""


def test_a_policy_is_read_and_comes_back_out_of_a_match() -> None:
    policy = read_policy(LADDER)
    assert policy_of(stored_policy(policy)) == policy
    assert policy_of({}) is None
    standard = standard_policy()
    assert policy_of(stored_policy(standard)) == standard
    assert all(step.en and step.ja for step in (*standard.step.values(), *standard.infraction.values()))


def test_words_are_left_out_where_nobody_says_them_and_pinned_as_before_where_somebody_does() -> None:
    bare = re.sub(r"(?m)^(en|ja) = .*\n", "", LADDER)
    policy = read_policy(bare)
    assert policy.step["warning"].words is None and policy_of(stored_policy(policy)) == policy
    pinned = stored_policy(read_policy(LADDER))
    assert (
        msgspec.json.encode({part: pinned[part] for part in ("step", "infraction")})
        == (
            '{"step":{"warning":{"en":"warning","ja":"警告","next":"loss"},"loss":{"en":"loss","ja":"負け","next":""}},'
            '"infraction":{"misplay":{"en":"misplay","ja":"誤り","step":"warning","repeats":"match",'
            '"verdicts":["not_allowed"]}}}'
        ).encode()
    )


@for_each(
    "old, new, words",
    [
        ('next = "loss"', 'next = "lose"', "step.warning.next names 'lose'"),
        ('step = "warning"', 'step = "wrong"', "infraction.misplay.step names 'wrong'"),
        ('ja = "負け"', 'ja = "負け"\nnext = "warning"', "form a loop: warning → loss → warning"),
        ('ja = "負け"', 'ja = "負け"\nnext = "loss"', "form a loop: warning → loss → loss"),
        ("[step.loss]", "[step.Loss]", "'Loss' is not a valid policy id"),
        ("entries = 10", "entries = -1", "rewind.entries must be 0 or more"),
        ("entries = 10", 'entries = "ten"', "rewind.entries"),
        ('repeats = "match"', 'repeats = "sometimes"', "sometimes"),
        ('verdicts = ["not_allowed"]', 'verdicts = ["guilty"]', "guilty"),
        ("learned = 1", "learned = 1\nseen = 2", "seen"),
        ('version = "1"', "", "version"),
        ('en = "loss"', 'fr = "perte"', "step.loss.fr is unknown; allowed: en, ja, next"),
        (
            'en = "misplay"',
            'de = "Fehler"',
            "infraction.misplay.de is unknown; allowed: en, ja, step, repeats, verdicts",
        ),
        ('ja = "負け"', "ja = 3", "step.loss.ja must be text, not 3"),
        ('en = "misplay"', 'en = ["misplay"]', "infraction.misplay.en must be text, not"),
        ('en = "loss"', f'en = "{"x" * 201}"', "step.loss.en"),
        ('ja = "負け"', 'ja = "負\\nけ"', "step.loss.ja"),
        ("[rewind]", "[rewind", ":17:8"),
    ],
)
def test_a_file_that_is_no_policy_is_refused_by_what_and_where(old: str, new: str, words: str) -> None:
    assert old in LADDER
    with pytest.raises(FormatError) as refused:
        read_policy(LADDER.replace(old, new, 1), "house.toml")
    assert words in str(refused.value) and refused.value.name == "house.toml"
    assert refused.value.say("ja")


def test_a_policy_without_a_step_is_none() -> None:
    with pytest.raises(FormatError, match="at least one step"):
        read_policy('name = "x"\nversion = "1"\n[step]\n')


def test_a_repeat_goes_one_step_up_to_the_top() -> None:
    policy = read_policy(LADDER)
    assert [propose_step(policy, "misplay", repeats) for repeats in range(4)] == ["warning", "loss", "loss", "loss"]
    assert propose_infraction(policy, "not_allowed") == "misplay" and propose_infraction(policy, "no_fault") == ""


def test_a_rewind_is_too_far_by_entries_or_by_what_was_learned() -> None:
    policy = read_policy(LADDER)
    assert explain_excess(policy, 10, 1) is None
    assert "number of entries undone would be 11" in str(
        explain_excess(policy, 11, 0)
    ) and "the number of cards seen since then is 2" in str(explain_excess(policy, 0, 2))
    assert explain_excess(replace(policy, rewind=Limits()), 9_999, 9_999) is None


@for_each(
    "pinned", [{"name": "x"}, {"step": 3}, {"step": {"a": {"en": 1}}}, {**to_builtins(standard_policy()), "step": {}}]
)
def test_what_a_forged_record_pins_is_no_policy(pinned: dict[str, object]) -> None:
    assert isinstance(policy_of(pinned), Text)
