"""Policies of penalties and repairs as files."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.formats.errors import FormatError, load_toml, read_toml
from domain.law.policy import Policy, misfit, misfit_words

STANDARD = "standard"
"""The name of the policy that comes with Shinpan."""


def read_policy(text: str, name: str = "") -> Policy:
    """A policy from its TOML. Raises FormatError with what is wrong and where."""
    if (wrong := misfit_words(load_toml(text, name))) is not None:
        raise FormatError(wrong, name=name)
    policy = read_toml(text, Policy, name)
    if (wrong := misfit(policy)) is not None:
        raise FormatError(wrong, name=name)
    return policy


@cache
def standard_policy() -> Policy:
    """The policy that comes with Shinpan."""
    return read_policy(files("domain.formats").joinpath("standard.policy.toml").read_text(encoding="utf-8"), STANDARD)


def stored_policy(policy: Policy) -> dict[str, object]:
    """The full values of a policy, as they are pinned in a match.

    `ends_match` is left out where it is false: earlier programs know no such field.
    """
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(policy))
    for step in values["step"].values():
        if not step["ends_match"]:
            del step["ends_match"]
    return values
