"""Policies of penalties and repairs as data: the ladder, repeats, and the limits of rewinds.

Shinpan proposes by the policy and a judge decides. A ruling that departs from the proposal gives a reason. A match pins
the full values when it is opened, as it does for rules.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from domain.law.disputes import Verdict
from domain.law.occasion import check_text
from domain.words import LANGS, Message, Text, foreign, listed

Repeats = Literal["never", "match", "event"]
"""Scope of a repeat: none; the same infraction and seat in the match; the same player in any match of the event."""
ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


class NamedInBothLanguages(Struct, frozen=True, forbid_unknown_fields=True):
    """A name in each language; '' if there is none."""

    en: str = ""
    ja: str = ""

    @property
    def words(self) -> Message | None:
        return Message(self.en, self.ja) if self.en or self.ja else None


class PenaltyStep(NamedInBothLanguages, frozen=True, forbid_unknown_fields=True):
    """A step of the ladder; `next` is the step above it, '' for the highest. `ends_match`: the player loses the match,
    and the judge may record it at once."""

    next: str = ""
    ends_match: bool = False


class Infraction(NamedInBothLanguages, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An infraction: the step for its first occurrence, and the scope of repeats. A ruling with one of these `verdicts`
    counts as this infraction by default."""

    step: str
    repeats: Repeats = "never"
    verdicts: tuple[Verdict, ...] = ()


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of a rewind: the entries it may undo, and the faces learned since by all seats together; None for no
    limit."""

    entries: int | None = None
    learned: int | None = None


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    version: str
    step: dict[str, PenaltyStep]
    infraction: dict[str, Infraction] = field(default_factory=dict)
    rewind: Limits = Limits()


def policy_of(pinned: Mapping[str, object]) -> Policy | Text | None:
    """Return the policy pinned in a match, None if there is none, or why it is malformed."""
    try:
        policy = msgspec.convert(pinned, Policy) if pinned else None
    except msgspec.ValidationError as error:
        return check_policy_fields(pinned) or Text("policy.unreadable", {"why": foreign.explain_decode_error(error)})
    return policy if policy is None else check_policy(policy) or policy


def check_policy_fields(raw: Mapping[str, object]) -> Text | None:
    """Return the first unknown field or non-text name of a step or an infraction in a raw policy."""
    for part, kind in (("step", PenaltyStep), ("infraction", Infraction)):
        rows = raw.get(part)
        for key, row in rows.items() if isinstance(rows, dict) else ():
            for name, value in row.items() if isinstance(row, dict) else ():
                where = f"{part}.{key}.{name}"
                if name not in kind.__struct_fields__:
                    return Text("policy.field", {"where": where, "fields": listed(kind.__struct_fields__)})
                if name in LANGS and not isinstance(value, str):
                    return Text("policy.word", {"where": where, "given": repr(value)})
    return None


def check_policy(policy: Policy) -> Text | None:
    """Return the first fault of a policy: a malformed id or text, an unknown step, a cycle, a negative limit."""
    if not policy.step:
        return Text("policy.no_steps")
    for word in (*policy.step, *policy.infraction):
        if ID.fullmatch(word) is None:
            return Text("policy.id", {"id": repr(word)})
    for part, rows in (("step", policy.step), ("infraction", policy.infraction)):
        for key, each in rows.items():
            for lang in LANGS:
                if (wrong := check_text(f"{part}.{key}.{lang}", getattr(each, lang))) is not None:
                    return wrong
    for key, step in policy.step.items():
        if step.next and step.next not in policy.step:
            return _unknown(f"step.{key}.next", step.next, policy)
    for key, infraction in policy.infraction.items():
        if infraction.step not in policy.step:
            return _unknown(f"infraction.{key}.step", infraction.step, policy)
    for key in policy.step:
        climbed = [key]
        while above := policy.step[climbed[-1]].next:
            if above in climbed:
                return Text("policy.cycle", {"steps": " → ".join((*climbed, above))})
            climbed.append(above)
    for name in ("entries", "learned"):
        if (getattr(policy.rewind, name) or 0) < 0:
            return Text("policy.negative", {"where": f"rewind.{name}"})
    return None


def _unknown(where: str, step: str, policy: Policy) -> Text:
    return Text("policy.unknown_step", {"where": where, "step": repr(step), "steps": listed(policy.step)})


def propose_step(policy: Policy, infraction: str, repeats: int) -> str:
    """Return the step for an infraction after `repeats` earlier ones: one step up for each, to the top."""
    step = policy.infraction[infraction].step
    for _ in range(repeats):
        step = policy.step[step].next or step
    return step


def propose_infraction(policy: Policy, verdict: Verdict) -> str:
    """Return the default infraction of a verdict; '' if the policy names none."""
    return next((key for key, infraction in policy.infraction.items() if verdict in infraction.verdicts), "")


def explain_excess(policy: Policy, undone: int, learned: int) -> Text | None:
    """Return why a rewind is too far for the policy; None if it is not."""
    limits = policy.rewind
    if limits.entries is not None and undone > limits.entries:
        return Text("policy.far", {"n": undone, "most": limits.entries})
    if limits.learned is not None and learned > limits.learned:
        return Text("policy.learned", {"n": learned, "most": limits.learned})
    return None
