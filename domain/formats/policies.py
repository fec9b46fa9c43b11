"""Files of policies for penalties and repairs."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.formats.errors import FormatError, load_toml, read_toml
from domain.law.policy import Policy, check_policy, check_policy_fields

STANDARD = "standard"
"""Name of the policy that comes with Shinpan."""


def read_policy(text: str, name: str = "") -> Policy:
    """Parse a policy. Raises FormatError with the error and its position."""
    if (wrong := check_policy_fields(load_toml(text, name))) is not None:
        raise FormatError(wrong, name=name)
    policy = read_toml(text, Policy, name)
    if (wrong := check_policy(policy)) is not None:
        raise FormatError(wrong, name=name)
    return policy


@cache
def standard_policy() -> Policy:
    return read_policy(files("domain.formats").joinpath("standard.policy.toml").read_text(encoding="utf-8"), STANDARD)


def stored_policy(policy: Policy) -> dict[str, object]:
    """Return the full values of a policy, as pinned in a match. `ends_match` is omitted if it is False, because earlier
    programs do not know this field."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(policy))
    for step in values["step"].values():
        if not step["ends_match"]:
            del step["ends_match"]
    return values
