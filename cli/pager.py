"""Pager for answers longer than the terminal's screen."""

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import environ, isatty
from pkgutil import resolve_name
from shutil import get_terminal_size, which
from typing import Any, TextIO

NAMES = ("SHINPAN_PAGER", "PAGER")
"""Environment variables with the pager; the first one set counts. Empty or `cat` disables it."""
USUAL = "less"
LESS = "FRX"
"""Default options of `less`: keep colours, and leave the last screen visible."""
PROMPT = 1
"""Lines of the terminal for the shell's prompt."""

Warn = Callable[[str, Exception], object]
"""Function that gets the pager that failed to start, and the error."""


def read_pager_command() -> list[str]:
    """Return the command of the pager, or [] for none. Raises ValueError if it cannot be parsed."""
    named = next((environ[name] for name in NAMES if name in environ), None)
    if named is None:
        named = USUAL if which(USUAL) else ""
    command = shlex.split(named)
    return [] if command == ["cat"] else command


def shown_at_once(out: TextIO) -> bool:
    try:
        return isatty(out.fileno())
    except (OSError, ValueError):
        return False


class PagerStream:
    """Stream that buffers output while it fits the screen, and starts a pager when it does not."""

    def __init__(self, out: TextIO, command: Sequence[str], warn: Warn) -> None:
        self._out, self._command, self._warn = out, command, warn
        self._buffer: list[str] = []
        self._lines_left = get_terminal_size().lines - PROMPT
        self._output: Any = None
        """Input of the pager, or the terminal if no pager could be started."""
        self._pager: Any = None
        self.encoding = out.encoding

    def write(self, text: str) -> int:
        """Take text. It is dropped once the reader has left the pager."""
        self._lines_left -= text.count("\n")
        if self._output is None:
            self._buffer.append(text)
            if self._lines_left < 0:
                self._begin()
        else:
            self._pass_on(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: output stays buffered."""

    def isatty(self) -> bool:
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
            self._output = self._pager.stdin
        except OSError as error:
            self._warn(shlex.join(self._command), error)
            self._output = self._out
        self._pass_on("".join(self._buffer))

    def _pass_on(self, text: str) -> None:
        if self._pager is None:
            self._output.write(text)
            return
        with suppress(BrokenPipeError):
            self._output.write(text)

    def end(self) -> None:
        """Flush the buffer, and wait for the reader to leave the pager."""
        if self._output is None:
            self._out.write("".join(self._buffer))
        if self._pager is not None:
            with suppress(BrokenPipeError):
                self._output.close()
            with _ignore_interrupts():
                self._pager.wait()


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C in the block: it is a key of the pager."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
