"""Exceptions for commands that recorded nothing."""

from datetime import datetime
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from domain.formats.errors import FormatError
from domain.law.clause import Refusal
from domain.law.law import Law
from domain.words import Text
from projections.findings import sentence
from recorder.answers import BadRecord, DeckRefused, Impossible, NoSuchActor, Unavailable, Undetermined, Unfit
from recorder.branches import NoBranch
from recorder.store import Conflict as Overtaken


def require(value: object, kind: object, name: str) -> None:
    """Raise TypeError unless a value is of this type."""
    try:
        convert(value, kind, builtin_types=(datetime,))
    except ValidationError as error:
        raise TypeError(f"{name}: {error}") from None


def require_fields(command: Struct) -> None:
    """Raise TypeError for a field of the wrong type. The recorder checks ranges."""
    try:
        convert(to_builtins(command), type(command))
    except ValidationError as error:
        if ", got `" in str(error):
            raise TypeError(f"{type(command).__name__}: {error}") from None


class NotRecorded(Exception):
    """The recorder recorded nothing. `value` is its answer, with the reason."""

    def __init__(self, message: str, value: Any) -> None:
        super().__init__(message)
        self.value = value


class Refused(NotRecorded):
    """The rules forbid the action. `value` is the refusal; `clause` is the first clause that does not hold."""

    @property
    def clause(self) -> str:
        return str(self.value.clause)


class Conflict(NotRecorded):
    """Another writer recorded first, or the match exists. `value` has the expected and the actual version."""


def not_recorded(answer: Any, law: Law | None = None) -> NotRecorded:
    """Return the exception for a recorder's answer or for a text that cannot be parsed."""
    match answer:
        case Refusal(clause=clause):
            sentence_text = f": {sentence(law, clause).en}" if law is not None else ""
            return Refused(f"{clause}{sentence_text}", answer)
        case Overtaken(match=match, expected=expected, actual=actual):
            return Conflict(f"{match}: expected entry {expected}, found {actual}", answer)
        case FormatError():
            return NotRecorded(str(answer), answer)
        case DeckRefused(seat=seat, refusal=refusal):
            sentence_text = sentence(law, refusal.clause).en if law is not None else ""
            return NotRecorded(f"deck of {seat}: {refusal.clause}: {sentence_text}", answer)
        case Unfit(what=what) | Undetermined(what=what) | NoBranch(what=what):
            return NotRecorded(what.say("en"), answer)
        case Unavailable(match=match, why=why):
            return NotRecorded(f"{match}: {why.say('en')}", answer)
        case NoSuchActor(actor=actor, awaited=awaited):
            return NotRecorded(f"{actor} is not in this match; awaited: {', '.join(awaited)}", answer)
        case BadRecord(entry=entry, what=what):
            return NotRecorded(Text("python.bad_record", {"entry": entry, "detail": what}).say("en"), answer)
        case Impossible(number=number, fact=fact, why=why):
            impossible = {"number": number, "fact": fact.__struct_config__.tag, "detail": why}
            return NotRecorded(Text("cli.impossible", impossible).say("en"), answer)
        case _:
            return NotRecorded(str(answer), answer)
