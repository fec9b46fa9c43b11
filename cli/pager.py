"""Long answers on a terminal go through a pager, as people read them: only once there is more than a screen of it."""

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import environ, isatty
from pkgutil import resolve_name
from shutil import get_terminal_size, which
from typing import Any, TextIO

NAMES = ("SHINPAN_PAGER", "PAGER")
"""What names the pager, the first that is set; an empty one, or `cat`, asks for none."""
USUAL = "less"
LESS = "FRX"
"""How `less` is to behave unless LESS says so itself: colours stay colours, and the last screen stays to be read."""
PROMPT = 1
"""Lines of the terminal that the shell's prompt takes."""

Warn = Callable[[str, Exception], object]
"""Who is told which pager cannot be started, and why."""


def read_pager_command() -> list[str]:
    """The command of the pager; empty if there is to be none. Raises ValueError for one that cannot be read."""
    named = next((environ[name] for name in NAMES if name in environ), None)
    if named is None:
        named = USUAL if which(USUAL) else ""
    command = shlex.split(named)
    return [] if command == ["cat"] else command


def shown_at_once(out: TextIO) -> bool:
    """Is this stream a terminal itself, where a pager can take its place?"""
    try:
        return isatty(out.fileno())
    except (OSError, ValueError):
        return False


class PagerStream:
    """A stream that holds back what is written to it while it fits the screen, and begins a pager when it does not."""

    def __init__(self, out: TextIO, command: Sequence[str], warn: Warn) -> None:
        self._out, self._command, self._warn = out, command, warn
        self._held: list[str] = []
        self._left = get_terminal_size().lines - PROMPT
        self._to: Any = None
        """The pager's input; the terminal itself where no pager can be started."""
        self._pager: Any = None
        self.encoding = out.encoding

    def write(self, text: str) -> int:
        """Take text. Once the reader has left the pager it goes nowhere."""
        self._left -= text.count("\n")
        if self._to is None:
            self._held.append(text)
            if self._left < 0:
                self._begin()
        else:
            self._pass_on(text)
        return len(text)

    def flush(self) -> None:
        """What is held back stays so until there is more or all has been written."""

    def isatty(self) -> bool:
        """Whoever reads is a person."""
        return True

    def _begin(self) -> None:
        try:
            self._pager = resolve_name("subprocess:Popen")(
                self._command,
                stdin=-1,
                text=True,
                encoding=self.encoding,
                errors="replace",
                env={"LESS": LESS, "LV": "-c", **environ},
            )
            self._to = self._pager.stdin
        except OSError as error:
            self._warn(shlex.join(self._command), error)
            self._to = self._out
        self._pass_on("".join(self._held))

    def _pass_on(self, text: str) -> None:
        if self._pager is None:
            self._to.write(text)
            return
        with suppress(BrokenPipeError):
            self._to.write(text)

    def end(self) -> None:
        """All has been written: wait until it has been read."""
        if self._to is None:
            self._out.write("".join(self._held))
        if self._pager is not None:
            with suppress(BrokenPipeError):
                self._to.close()
            with _interrupted_by_nobody():
                self._pager.wait()


@contextmanager
def _interrupted_by_nobody() -> Iterator[None]:
    """Ctrl-C is the pager's own key while somebody reads."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
