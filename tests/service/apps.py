"""Applications of tests: to make one takes longer than most tests, so one that has ended serves the next house."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar

from service.app import attach_context, create_app
from service.context import AppContext

_idle: dict[int, list[Litestar]] = defaultdict(list)
"""Those that serve nobody, by how large an import they take."""


@contextmanager
def app_over(context: AppContext) -> Iterator[Litestar]:
    """An application over a house, for as long as the block."""
    idle = _idle[context.settings.import_max]
    if idle:
        app = idle.pop()
        attach_context(app, context)
    else:
        app = create_app(context)
    yield app
    idle.append(app)
