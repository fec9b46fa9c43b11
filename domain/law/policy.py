"""A policy of penalties and repairs as data: the ladder, what counts as a repeat, how far back a rewind may go.

Shinpan proposes by it, a judge decides, and where that departs from what is proposed the ruling says why. It is pinned
in a match when it is opened, with full values, as the rules are.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from domain.law.disputes import Verdict
from domain.law.occasion import misfit_text
from domain.words import LANGS, Message, Text, foreign, listed

Repeats = Literal["never", "match", "event"]
"""What makes an infraction a repeat: nothing · the same one by the same seat earlier in the match · or by the same
player in any match of the event."""
ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


class Worded(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known by its id, and what it is called in each language; empty where nobody says."""

    en: str = ""
    ja: str = ""

    @property
    def words(self) -> Message | None:
        """What it is called, None where nobody says."""
        return Message(self.en, self.ja) if self.en or self.ja else None


class PenaltyStep(Worded, frozen=True, forbid_unknown_fields=True):
    """A step of the ladder; `next` is the one above it, none above the highest.

    `ends_match`: the player loses the match by it, which a judge is offered to record.
    """

    next: str = ""
    ends_match: bool = False


class Infraction(Worded, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is penalised: by which step the first time, and what counts as a repeat.

    `verdicts`: a ruling with one of these is taken for it where nobody says otherwise.
    """

    step: str
    repeats: Repeats = "never"
    verdicts: tuple[Verdict, ...] = ()


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a rewind may go back: over so many entries at most, and where at most so many faces were learned since,
    of all seats together; None where there is no limit."""

    entries: int | None = None
    learned: int | None = None


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ladder of penalties and the limits of rewinds, under a name and a version."""

    name: str
    version: str
    step: dict[str, PenaltyStep]
    infraction: dict[str, Infraction] = field(default_factory=dict)
    rewind: Limits = Limits()


def policy_of(pinned: Mapping[str, object]) -> Policy | Text | None:
    """The policy pinned in a match, None where there is none; or why what is pinned is no policy."""
    try:
        policy = msgspec.convert(pinned, Policy) if pinned else None
    except msgspec.ValidationError as error:
        return misfit_words(pinned) or Text("policy.unreadable", {"why": foreign.misfit(error)})
    return policy if policy is None else misfit(policy) or policy


def misfit_words(raw: Mapping[str, object]) -> Text | None:
    """The first word for a step or an infraction that is no text, or a field nobody knows, as a policy is written."""
    for part, kind in (("step", PenaltyStep), ("infraction", Infraction)):
        told = raw.get(part)
        for key, written in told.items() if isinstance(told, dict) else ():
            for name, value in written.items() if isinstance(written, dict) else ():
                where = f"{part}.{key}.{name}"
                if name not in kind.__struct_fields__:
                    return Text("policy.field", {"where": where, "fields": listed(kind.__struct_fields__)})
                if name in LANGS and not isinstance(value, str):
                    return Text("policy.word", {"where": where, "given": repr(value)})
    return None


def misfit(policy: Policy) -> Text | None:
    """The first thing that is wrong with a policy: a word that is no id or no line of text, a step nobody knows, a
    ladder in a circle."""
    if not policy.step:
        return Text("policy.no_steps")
    for word in (*policy.step, *policy.infraction):
        if ID.fullmatch(word) is None:
            return Text("policy.id", {"id": repr(word)})
    for part, told in (("step", policy.step), ("infraction", policy.infraction)):
        for key, each in told.items():
            for lang in LANGS:
                if (wrong := misfit_text(f"{part}.{key}.{lang}", getattr(each, lang))) is not None:
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
    """The step for an infraction that was penalised so often before: one up the ladder each time, to its top."""
    step = policy.infraction[infraction].step
    for _ in range(repeats):
        step = policy.step[step].next or step
    return step


def propose_infraction(policy: Policy, verdict: Verdict) -> str:
    """What a verdict is taken for where nobody says otherwise; nothing where the policy names none."""
    return next((key for key, infraction in policy.infraction.items() if verdict in infraction.verdicts), "")


def exceeds(policy: Policy, undone: int, learned: int) -> Text | None:
    """Why a rewind over so many entries, since which so many faces were learned, is too far for the policy."""
    limits = policy.rewind
    if limits.entries is not None and undone > limits.entries:
        return Text("policy.far", {"n": undone, "most": limits.entries})
    if limits.learned is not None and learned > limits.learned:
        return Text("policy.learned", {"n": learned, "most": limits.learned})
    return None
