"""Penalties with the names that a match's policy gives them."""

from collections.abc import Iterable, Mapping

from domain.law.disputes import Penalty
from domain.law.policy import Policy, policy_of
from domain.words import Message


class SeenPenalty(Penalty, frozen=True, omit_defaults=True):
    """A penalty with the policy's names of step and infraction; None if it has none."""

    step_words: Message | None = None
    infraction_words: Message | None = None


def see_penalties(pinned: Mapping[str, object], penalties: Iterable[Penalty]) -> tuple[SeenPenalty, ...]:
    """Return penalties with the names of this pinned policy."""
    policy = policy_of(pinned)
    steps, infractions = (policy.step, policy.infraction) if isinstance(policy, Policy) else ({}, {})
    return tuple(
        SeenPenalty(
            penalty.seat,
            penalty.step,
            penalty.infraction,
            step_words=steps[penalty.step].words if penalty.step in steps else None,
            infraction_words=infractions[penalty.infraction].words if penalty.infraction in infractions else None,
        )
        for penalty in penalties
    )
