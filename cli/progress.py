"""Long tasks: progress with the time left on a terminal, and partial results after an interruption."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Annotated, Any, Self, TypeVar

from msgspec import UNSET, UnsetType

from cli.context import NAMED_MAX, CommandContext
from cli.drawing import Screen, is_terminal
from cli.problems import ENDED
from domain.words import say
from domain.words.lines import clock_time
from recorder import clock
from recorder.answers import Interrupted
from recorder.files import Closeable
from recorder.pool import INTERRUPTS

JOBS_MAX = 256

Jobs = Annotated[int | None, "--jobs N", {"min": 1, "max": JOBS_MAX}]
Asked = Annotated[bool, "--progress"]
"""Print progress also without a terminal."""

UPDATE_INTERVAL_S = 1.0
"""Seconds between progress updates."""
SECOND_INTERRUPT_S = 1.0
"""Seconds after which a second interruption counts as another one."""

T = TypeVar("T")


class ProgressLine:
    """Progress of a task: one line on a terminal, overwritten at most once per second.

    If requested without a terminal, each update is a new line. Without a request nothing is printed.
    """

    def __init__(self, screen: Screen, what: str, all: int, asked: bool = False, before: int = 0) -> None:
        self.screen, self.what, self.all = screen, what, all
        self.done = self.before = before
        self._terminal = is_terminal(screen.err)
        self._shown = self._terminal or asked
        self._began = self._last_update = clock.read_monotonic_seconds()
        self._show()

    def step(self) -> None:
        self.done += 1
        at = clock.read_monotonic_seconds()
        if at - self._last_update >= UPDATE_INTERVAL_S or self.done == self.all:
            self._last_update = at
            self._show()

    def end(self) -> None:
        self.screen.status()

    def _show(self) -> None:
        if self._terminal:
            self.screen.status(self._line())
        elif self._shown:
            self.screen.aside(self._line())

    def _line(self) -> str:
        lang, values = self.screen.lang, {"what": self.what, "done": self.done, "all": self.all}
        spent = clock.read_monotonic_seconds() - self._began
        if not (self.done > self.before and spent):
            return say("progress.begun", lang, **values)
        rate = (self.done - self.before) / spent
        left = clock_time(round((self.all - self.done) / rate))
        return say("progress.line", lang, **values, rate=f"{rate:.1f}", left=left)


class LongTask(Closeable):
    """A long task in a `with` block, step after step. An interruption keeps the results so far.

    The current step finishes first. A later second interruption ends the program, but one that follows at once is
    ignored, because some callers signal twice. The context records the interruption for the exit code and the answer.

    `count` returns the number of steps and is called only to show progress; `before` of them are done already. `rest`
    returns the options that continue after a number of steps.
    """

    def __init__(
        self,
        ctx: CommandContext,
        what: str,
        count: Callable[[], int],
        asked: bool = False,
        rest: Callable[[int], str] = lambda done: "",
        before: int = 0,
    ) -> None:
        self.ctx, self.count, self.rest = ctx, count, rest
        self.done, self._signal, self._since = before, 0, 0.0
        self._previous_handlers: dict[int, Any] = {}
        shown = asked or is_terminal(ctx.screen.err)
        all = count() if shown else 0
        self._install_handlers()
        self._progress = ProgressLine(ctx.screen, ctx.say(what), all, asked, before) if shown else None

    def steps(self, coming: Iterable[T]) -> Iterator[T]:
        """Yield the items up to an interruption. An item is done when the next one is requested."""
        if self.stopped:
            return
        for item in coming:
            yield item
            self.done += 1
            if self._progress is not None and not self.stopped:
                self._progress.step()
                if self.stopped:  # interrupted during the step, which may have overwritten the message
                    self._say_stopping()
            if self.stopped:
                return

    @property
    def stopped(self) -> bool:
        return bool(self._signal)

    @property
    def interrupted(self) -> Interrupted | UnsetType:
        """The part of the work done, if an interruption left some out."""
        return self.ctx.interrupted or UNSET

    def close(self) -> None:
        """Restore the signal handlers, and record an interruption in the context."""
        self._restore_handlers()
        if self._progress is not None:
            self._progress.end()
        if self.stopped and not self.ctx.stopped:
            self.ctx.stopped = ENDED + self._signal
            if self.done < (all := self.count()):
                self.ctx.interrupted = Interrupted(self.done, all, self.rest(self.done) or UNSET)

    def __enter__(self) -> Self:
        return self

    def _install_handlers(self) -> None:
        """Install the handlers, except for ignored signals, as in a shell's background job."""
        if current_thread() is not main_thread():
            return
        for number in INTERRUPTS:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._previous_handlers[number] = signal.signal(number, self._stop)

    def _restore_handlers(self) -> None:
        while self._previous_handlers:
            number, handler = self._previous_handlers.popitem()
            signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        at = clock.read_monotonic_seconds()
        if not self._signal:
            self._signal, self._since = number, at
            self._say_stopping()
        elif at - self._since >= SECOND_INTERRUPT_S:
            self._restore_handlers()
            signal.raise_signal(number)

    def _say_stopping(self) -> None:
        if is_terminal(self.ctx.screen.err):
            self.ctx.screen.status_at_once(self.ctx.say("progress.stopping"))


def warn_of_lost(ctx: CommandContext, long: LongTask | None = None) -> Callable[[tuple[str, ...]], None]:
    """Return a function that warns of a dead worker process, and names the matches to repeat.

    It is silent after an interruption, which ends all workers.
    """

    def show_warning(matches: tuple[str, ...]) -> None:
        if long is None or not long.stopped:
            named = ", ".join(matches[:NAMED_MAX]) + (", ..." if len(matches) > NAMED_MAX else "")
            ctx.warn(ctx.say("regress.lost", n=len(matches), matches=named))

    return show_warning


@contextmanager
def show_progress(
    screen: Screen, what: str, total: Callable[[], int], asked: bool = False
) -> Iterator[Callable[[], None]]:
    """Show progress only; yield the function to call after each step. An interruption gives no answer."""
    if not (asked or is_terminal(screen.err)):
        yield lambda: None
        return
    line = ProgressLine(screen, what, total(), asked)
    try:
        yield line.step
    finally:
        line.end()
