"""Commands that tests send to a service."""

from typing import Any
from uuid import UUID

from service.access import Role
from tests.service.harness import Served

Answer = Any


def uuid(number: int) -> str:
    return str(UUID(int=number))


def head(served: Served, match: str) -> int:
    return served.context.match(match).version


def send(
    served: Served,
    match: str,
    command: dict[str, Any],
    role: Role = "scorekeeper",
    *,
    seat: str = "",
    at: int | str | None = None,
    id: int | None = None,
    viewer: str = "",
    **headers: str,
) -> Answer:
    """Send a command on the current head, or on `at`; an empty text sends no `If-Match` header."""
    tag = f'"{head(served, match) if at is None else at}"' if isinstance(at, int | None) else at
    asked = {"If-Match": tag} if tag else {}
    body = command if id is None else {"id": uuid(id), **command}
    path = f"/api/v1/matches/{match}/entries" + (f"?as={viewer}" if viewer else "")
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return served.post(path, body, role, *([match] if seat else []), seat=seat, headers={**asked, **given})
