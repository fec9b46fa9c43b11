"""Long work: how far it has come, with the time that is left, where somebody looks; and what an interruption keeps."""

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
"""Lines of progress also where no terminal is."""

PAUSE = 1.0
"""Seconds between two lines of progress."""
TWICE = 1.0
"""Seconds between two interruptions that are not the same one."""

T = TypeVar("T")


class ProgressLine:
    """How many steps of some are done: one line on a terminal, written over at most once a second.

    Where it is asked for all the same, a line below the other; else nothing.
    """

    def __init__(self, screen: Screen, what: str, all: int, asked: bool = False, before: int = 0) -> None:
        self.screen, self.what, self.all = screen, what, all
        self.done = self.before = before
        self._terminal = is_terminal(screen.err)
        self._shown = self._terminal or asked
        self._began = self._said = clock.seconds()
        self._show()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = clock.seconds()
        if now - self._said >= PAUSE or self.done == self.all:
            self._said = now
            self._show()

    def end(self) -> None:
        """Take the line away."""
        self.screen.status()

    def _show(self) -> None:
        if self._terminal:
            self.screen.status(self._line())
        elif self._shown:
            self.screen.aside(self._line())

    def _line(self) -> str:
        lang, said = self.screen.lang, {"what": self.what, "done": self.done, "all": self.all}
        spent = clock.seconds() - self._began
        if not (self.done > self.before and spent):
            return say("progress.begun", lang, **said)
        rate = (self.done - self.before) / spent
        left = clock_time(round((self.all - self.done) / rate))
        return say("progress.line", lang, **said, rate=f"{rate:.1f}", left=left)


class LongTask(Closeable):
    """Long work, step after step, in a `with`. Its progress is shown; whoever interrupts it has the answer for what is
    done.

    An interruption lets the step under way end, so that nothing is half done; one more ends the program as ever, unless
    it follows at once: some who end a program tell it twice. The context knows of it: the exit code says so, and the
    answer which part of the work it is about.

    `count` returns the number of steps, `before` of them done earlier; it is called only if progress is shown.
    `rest` gives the options with which the same command does the rest, by the number of steps that are done.
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
        self._held: dict[int, Any] = {}
        shown = asked or is_terminal(ctx.screen.err)
        all = count() if shown else 0
        self._hold()
        self._progress = ProgressLine(ctx.screen, ctx.say(what), all, asked, before) if shown else None

    def steps(self, coming: Iterable[T]) -> Iterator[T]:
        """Each as it comes, up to an interruption; it is done when the next one is asked for."""
        if self.stopped:
            return
        for item in coming:
            yield item
            self.done += 1
            if self._progress is not None and not self.stopped:
                self._progress.step()
                if self.stopped:  # in the middle of that, so it may have been written over
                    self._say_stopping()
            if self.stopped:
                return

    @property
    def stopped(self) -> bool:
        """Has somebody interrupted it?"""
        return bool(self._signal)

    @property
    def interrupted(self) -> Interrupted | UnsetType:
        """What part of the work is done, after an interruption that left something out."""
        return self.ctx.interrupted or UNSET

    def close(self) -> None:
        """Heed interruptions as before; what the context has to know of one is said to it."""
        self._release()
        if self._progress is not None:
            self._progress.end()
        if self.stopped and not self.ctx.stopped:
            self.ctx.stopped = ENDED + self._signal
            if self.done < (all := self.count()):
                self.ctx.interrupted = Interrupted(self.done, all, self.rest(self.done) or UNSET)

    def __enter__(self) -> Self:
        return self

    def _hold(self) -> None:
        """What somebody wants ignored stays so, as where a shell runs a command in the background."""
        if current_thread() is not main_thread():
            return
        for number in INTERRUPTS:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._held[number] = signal.signal(number, self._stop)

    def _release(self) -> None:
        while self._held:
            number, heeded = self._held.popitem()
            signal.signal(number, heeded)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        now = clock.seconds()
        if not self._signal:
            self._signal, self._since = number, now
            self._say_stopping()
        elif now - self._since >= TWICE:
            self._release()
            signal.raise_signal(number)

    def _say_stopping(self) -> None:
        if is_terminal(self.ctx.screen.err):
            self.ctx.screen.status_at_once(self.ctx.say("progress.stopping"))


def warn_of_lost(ctx: CommandContext, long: LongTask | None = None) -> Callable[[tuple[str, ...]], None]:
    """What says that a process has died, and which matches are done again for that.

    Not where all of them were interrupted together.
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
    """Only the line: one call moves it on by one. Whoever interrupts has no answer."""
    if not (asked or is_terminal(screen.err)):
        yield lambda: None
        return
    line = ProgressLine(screen, what, total(), asked)
    try:
        yield line.step
    finally:
        line.end()
