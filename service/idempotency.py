"""Idempotency: the sender of a command and the id that makes a repeat harmless."""

from typing import Any
from uuid import UUID

from msgspec import to_builtins
from msgspec.structs import replace

from domain.words import Text
from recorder.commands import Command as Named, Sender, command_of
from recorder.usecases import commands as C
from service.access import Session
from service.problems import http_problem
from service.requests import Request


def author_of(session: Session) -> str:
    """Return the author in the record. Players appear as their seats, so that they can read their own messages."""
    return session.seat or f"{session.role} {session.name}".strip()


def key_of(request: Request, given: UUID | None) -> UUID | None:
    """Return the id of a command from its body or header. Raises HttpProblem if the two differ."""
    text = request.headers.get("idempotency-key", "").strip().strip('"')
    if not text:
        return given
    try:
        header = UUID(text)
    except ValueError:
        raise http_problem("unreadable", Text("problem.command_id")) from None
    if given not in (None, header):
        raise http_problem("unreadable", Text("problem.two_ids"))
    return header


def name_command(request: Request, command: C.AnyCommand) -> Named:
    """Return the command with its id, bound to its content. Raises HttpProblem if it has no id.

    `asks` of a line is not part of the content, because a device may change it when it sends the line again. It only
    affects the response while nothing is recorded.
    """
    key = key_of(request, command.id)
    if key is None:
        raise http_problem("unreadable", Text("problem.no_command_id"))
    plain = replace(command, id=None, asks=False) if isinstance(command, C.RecordLine) else replace(command, id=None)
    return bind(request, key, to_builtins(plain))


def bind(request: Request, key: UUID, *content: Any) -> Named:
    """Return the command with this id. The same id from another session is another command."""
    command = command_of(
        str(key), *content, sender=Sender(author_of(request.session), request.session.number, request.session.role)
    )
    assert command is not None
    return command
