"""Key input: key by key from a terminal, line by line from any other stream.

In a line the keys follow each other. Its end is Enter if input waits for Enter or the line is empty. Elsewhere it is
ignored, so `s` and `s` with Enter do the same.
"""

import codecs
import io
import os
import select
import signal
import termios
import tty
import unicodedata
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from cli.drawing import is_terminal
from cli.layout import width

ENTER = "\n"
BACKS = ("\x7f", "\x08", "\x1b", "<")
"""Keys that undo the last step of an unrecorded action."""
ERASERS = ("\x7f", "\x08")
END_OF_INPUT = "\x04"
ESCAPE = "\x1b"
ESCAPE_WAIT_S = 0.05
"""Seconds to wait for the rest of an escape sequence."""
SEQUENCE_MAX = 16
BURST_MAX = 4_096
"""Bytes of early input per read."""
TEXT_MAX = 10_000


class KeySource(ABC):
    """Source of keys. `key` and `character` raise EOFError at the end.

    `early` is True if the last key was typed before `mark`, so without sight of the last output.
    """

    early = False

    @abstractmethod
    def key(self, pending: bool) -> str:
        """Return one key. `pending` is True if earlier input waits for Enter."""

    @abstractmethod
    def character(self) -> str:
        """Return one character of a text."""

    @abstractmethod
    def mark(self) -> None:
        """Mark all pending input as early."""

    @abstractmethod
    def drop(self) -> None:
        """Drop the rest of the line and early input."""

    def begin_text(self) -> None:  # noqa: B027 - nothing to do where every key counts
        """Prepare for a text."""


class LineKeySource(KeySource):
    """Keys from lines of text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._rest: deque[str] = deque()
        self._used = self._marked = False

    def key(self, pending: bool) -> str:
        while True:
            key = self.character()
            if key == ENTER:
                used, self._used = self._used, False
                if pending or not used:
                    return ENTER
            elif not key.isspace():
                self._used = True
                return unicodedata.normalize("NFKC", key)

    def mark(self) -> None:
        """Mark the rest of the line as early."""
        self._marked = True

    def drop(self) -> None:
        """Drop the rest of the line, which belongs to input that was not understood."""
        self._rest.clear()
        self._used = False

    def begin_text(self) -> None:
        """Take the rest of a started line as the text, or else the next line."""
        if self._used and list(self._rest) == [ENTER]:
            self._rest.clear()
        self._used = False

    def character(self) -> str:
        if not self._rest:
            line = self._stream.readline(TEXT_MAX)
            if not line:
                raise EOFError
            self._rest.extend(line.replace("\r\n", ENTER))
            self._marked = False
        self.early = self._marked
        return self._rest.popleft()


class Terminal(KeySource):
    """Keys from a terminal, each as it is pressed. Ctrl-C interrupts as usual."""

    def __init__(self, stream: TextIO, signals: int, named: Mapping[bytes, str] | None = None) -> None:
        self._file = stream.fileno()
        self._signals = signals
        self._named = named or {}
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._waiting: deque[bytes] = deque()

    def key(self, pending: bool) -> str:
        return unicodedata.normalize("NFKC", self.character())

    def mark(self) -> None:
        """Mark the terminal's pending input as early."""
        with suppress(OSError):  # hang-up: the next read reports it
            while self._ready(0) and (data := os.read(self._file, BURST_MAX)):
                self._waiting.extend(data[at : at + 1] for at in range(len(data)))

    def drop(self) -> None:
        self._waiting.clear()

    def character(self) -> str:
        """Return a character or the name of a key. Skip other control sequences."""
        while True:
            self.early = bool(self._waiting)
            data = self._byte()
            if not data:
                raise EOFError
            letter = self._decoder.decode(data)
            if letter == END_OF_INPUT:
                raise EOFError
            if letter == "\r":
                return ENTER
            if letter == ESCAPE and self._follows():
                if (last := self._sequence()) in self._named:
                    return self._named[last]
            elif letter:
                return letter

    def _byte(self) -> bytes:
        """Return the next byte. The wakeup pipe covers signals that arrive just before the wait."""
        if self._waiting:
            return self._waiting.popleft()
        while self._file not in select.select([self._file, self._signals], [], [])[0]:
            os.read(self._signals, BURST_MAX)
        return os.read(self._file, 1)

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._file], [], [], seconds)[0])

    def _follows(self) -> bool:
        return bool(self._waiting) or self._ready(ESCAPE_WAIT_S)

    def _sequence(self) -> bytes:
        if self._byte() in (b"[", b"O"):
            for _ in range(SEQUENCE_MAX):
                if not self._follows():
                    break
                if b"@" <= (byte := self._byte()) <= b"~":
                    return byte
        return b""


@contextmanager
def source(stdin: TextIO | None, stdout: TextIO, named: Mapping[bytes, str] | None = None) -> Iterator[KeySource]:
    """Yield keys from a terminal if both streams are one, or else from lines. Restore the terminal afterwards.

    `named` are names of keys by the final byte of their escape sequence.
    """
    before: Any = None
    if stdin is None:  # closed before the program started
        yield LineKeySource(io.StringIO())
        return
    if isinstance(stdin, io.TextIOWrapper):
        stdin.reconfigure(errors="replace")
    if is_terminal(stdin) and is_terminal(stdout):
        with suppress(ImportError, OSError):
            file = stdin.fileno()
            with suppress(termios.error):
                before = termios.tcgetattr(file)
                tty.setcbreak(file)
    if before is None:
        yield LineKeySource(stdin)
        return
    previous_handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT)}
    signals, raised = os.pipe()
    os.set_blocking(raised, False)
    previous_fd = signal.set_wakeup_fd(raised, warn_on_full_buffer=False)
    try:
        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGHUP, _leave)
        signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(file))
        yield Terminal(stdin, signals, named)
    finally:
        signal.set_wakeup_fd(previous_fd)
        for end in (signals, raised):
            os.close(end)
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)


def _leave(*_: object) -> None:
    raise KeyboardInterrupt


class Keys:
    """Keys of a session. `kept` gets the keys taken since the last record, after each key.

    `again` replays keys typed before an interruption.
    """

    def __init__(self, given: KeySource, kept: Callable[[str], None], echo: Callable[[str], None]) -> None:
        self._source, self._kept, self._echo = given, kept, echo
        self._again: deque[str] = deque()
        self.taken: list[str] = []
        self.early = False
        """True if the last key was typed before the last entry was shown."""

    def again(self, keys: str) -> None:
        """Replay these keys first."""
        self._again.extend(keys)

    def key(self, pending: bool = False) -> str:
        if self._again:
            return self._take(self._again.popleft())
        key = self._source.key(pending)
        self.early = self._source.early
        return self._take(key)

    def text(self) -> str:
        if not self._again:
            self._source.begin_text()
        text = ""
        while True:
            letter = self._take(self._again.popleft() if self._again else self._source.character())
            self.early = self._source.early
            if letter == ENTER:
                self._echo(ENTER)
                return text.strip()
            if letter in ERASERS:
                if text:
                    self._echo("\b \b" * max(1, width(text[-1])))
                text = text[:-1]
            elif letter.isprintable() and len(text) < TEXT_MAX:
                text += letter
                self._echo(letter)

    def clear(self) -> int:
        """Forget the keys of an action that is recorded or dropped. Return their number."""
        count = len(self.taken)
        self.forget(count)
        return count

    def mark(self) -> None:
        """Mark pending input as early, after an entry."""
        self._source.mark()

    def forget_early(self) -> None:
        """Drop early input that is not yet taken."""
        self._source.drop()
        self.early = False

    def drop(self, last: int) -> None:
        """Drop the last keys as not understood, with the rest of their line."""
        self._source.drop()
        self.forget(last)

    def restart(self, key: str) -> None:
        """Replace the current input by this key."""
        self.clear()
        self._take(key)

    def forget(self, last: int = 1) -> None:
        """Forget the last keys, which are not part of an action."""
        del self.taken[-last:]
        self._kept("".join(self.taken))

    def _take(self, key: str) -> str:
        self.taken.append(key)
        self._kept("".join(self.taken))
        return key
