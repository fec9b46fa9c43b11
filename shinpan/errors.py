"""What is raised where nothing was recorded."""

from typing import Any

from domain.formats.errors import FormatError
from domain.law.clause import Refusal
from domain.law.law import Law
from projections.findings import sentence
from recorder.answers import NotAwaited, Unavailable, Undetermined, Unfit
from recorder.store import Conflict as Overtaken


class NotRecorded(Exception):
    """Nothing was recorded; `value` is the recorder's answer, which says why."""

    def __init__(self, message: str, value: Any) -> None:
        super().__init__(message)
        self.value = value


class Refused(NotRecorded):
    """The law does not allow the action; `value` is the refusal, `clause` the first clause that does not hold."""

    @property
    def clause(self) -> str:
        """The clause, such as `BP-6.3`."""
        return str(self.value.clause)


class Conflict(NotRecorded):
    """Somebody else has recorded meanwhile, or the match exists; `value` has the expected and the actual version."""


def not_recorded(answer: Any, law: Law | None = None) -> NotRecorded:
    """Return the exception for an answer of the recorder, or for a text that cannot be read."""
    match answer:
        case Refusal(clause=clause):
            says = f": {sentence(law, clause).en}" if law is not None else ""
            return Refused(f"{clause}{says}", answer)
        case Overtaken(match=match, expected=expected, actual=actual):
            return Conflict(f"{match}: expected entry {expected}, found {actual}", answer)
        case FormatError():
            return NotRecorded(str(answer), answer)
        case Unfit(what=what) | Undetermined(what=what):
            return NotRecorded(what.say("en"), answer)
        case Unavailable(match=match, why=why):
            return NotRecorded(f"{match}: {why.say('en')}", answer)
        case NotAwaited(actor=actor, awaited=awaited):
            return NotRecorded(f"{actor} is not in this match; awaited: {', '.join(awaited)}", answer)
        case _:
            return NotRecorded(str(answer), answer)
