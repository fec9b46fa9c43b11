"""Commands that go back in a match, or answer who asks for it; and what all commands share."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from service.wire import Wire

Number = Annotated[int, Meta(ge=0, le=999_999_999)]
"""The number of an entry; 0 is none."""
Said = Annotated[str, Meta(min_length=1)]


class Command(Wire, frozen=True, tag_field="kind"):
    """What all commands share: an `id` under which a repetition is known, if no `Idempotency-Key` says it."""

    id: UUID | None = None


class AskRewind(Command, frozen=True, kw_only=True, tag="ask-rewind"):
    """A judge who may approve it is asked to go back to an entry; void as soon as anything happens on the table."""

    to: Number
    reason: Said


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back the last thing entered, or an `entry` and all that followed; with `redo`, take the last undo back.

    Where that needs a judge it is refused; with `ask`, a judge is called and asked to go back instead.
    """

    entry: Number = 0
    redo: bool = False
    ask: bool = False
    reason: str = ""


class RefuseRewind(Command, frozen=True, kw_only=True, tag="refuse-rewind"):
    """The match does not go back as somebody asked for; `request` is the entry that asks."""

    request: Number
    reason: Said


class Rewind(Command, frozen=True, kw_only=True, tag="rewind"):
    """Go on from an earlier entry; nothing is deleted."""

    to: Number
    reason: Said
