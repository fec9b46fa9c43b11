"""A pool of applications, which are slow to create: the next test reuses an idle one."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar

from service.app import attach_context, create_app
from service.context import AppContext

_idle: dict[int, list[Litestar]] = defaultdict(list)
"""Idle applications by their import limit."""


@contextmanager
def app_over(context: AppContext) -> Iterator[Litestar]:
    idle = _idle[context.settings.import_max]
    if idle:
        app = idle.pop()
        attach_context(app, context)
    else:
        app = create_app(context)
    yield app
    idle.append(app)
