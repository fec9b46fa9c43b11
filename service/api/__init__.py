"""The API: every route with what it takes, gives, and may say instead. One room a resource."""

from typing import Final

from service.api import finding, sessions
from service.asking import Route

ROUTES: Final[tuple[Route, ...]] = (*sessions.ROUTES, *finding.ROUTES)
