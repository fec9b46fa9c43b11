"""What is typed, one key after the other: from a terminal key by key, from anywhere else line by line.

In a line the keys stand one behind the other. Its end is Enter where something typed waits for one, or where the
line is empty; elsewhere it means nothing, so that `s`, Enter and `s` alone do the same.
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
"""Keys that take back the last step of an action not yet recorded."""
ERASERS = ("\x7f", "\x08")
END_OF_INPUT = "\x04"
ESCAPE = "\x1b"
ESCAPE_WAIT = 0.05
"""Seconds in which the rest of an arrow key or the like follows its escape."""
SEQUENCE_MAX = 16
"""How many characters such a key sends at most."""
BURST_MAX = 4_096
"""How many bytes of what is typed too early are read at a time."""
TEXT_MAX = 10_000
"""How many characters a text may have that is typed here."""


class KeySource(ABC):
    """Where keys come from. Both raise EOFError at the end.

    `early` says that the last key was typed before `mark`: whoever typed it had not seen what the keys before it did.
    """

    early = False

    @abstractmethod
    def key(self, pending: bool) -> str:
        """One key; `pending` says that something typed before waits for Enter."""

    @abstractmethod
    def character(self) -> str:
        """One character of a text."""

    @abstractmethod
    def mark(self) -> None:
        """What has been typed so far, and not been taken, is early."""

    @abstractmethod
    def drop(self) -> None:
        """What stands in the same line, or is early, is not meant any more."""

    def begin_text(self) -> None:  # noqa: B027 - nothing to do where every key counts
        """A text comes next."""


class LineKeySource(KeySource):
    """Keys out of lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._rest: deque[str] = deque()
        self._used = self._marked = False

    def key(self, pending: bool) -> str:
        """One key."""
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
        """The rest of the line is early."""
        self._marked = True

    def drop(self) -> None:
        """The rest of the line was meant for what was not understood."""
        self._rest.clear()
        self._used = False

    def begin_text(self) -> None:
        """What is left of a line that has begun is the text; if nothing is left, the next line."""
        if self._used and list(self._rest) == [ENTER]:
            self._rest.clear()
        self._used = False

    def character(self) -> str:
        """One character."""
        if not self._rest:
            line = self._stream.readline(TEXT_MAX)
            if not line:
                raise EOFError
            self._rest.extend(line.replace("\r\n", ENTER))
            self._marked = False
        self.early = self._marked
        return self._rest.popleft()


class Terminal(KeySource):
    """Keys of a terminal, each as it is pressed; Ctrl-C interrupts as ever."""

    def __init__(self, stream: TextIO, signals: int, named: Mapping[bytes, str] | None = None) -> None:
        self._file = stream.fileno()
        self._signals = signals
        self._named = named or {}
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._waiting: deque[bytes] = deque()

    def key(self, pending: bool) -> str:
        """One key."""
        return unicodedata.normalize("NFKC", self.character())

    def mark(self) -> None:
        """What the terminal holds is early."""
        with suppress(OSError):  # it hung up: the next key says so
            while self._ready(0) and (data := os.read(self._file, BURST_MAX)):
                self._waiting.extend(data[at : at + 1] for at in range(len(data)))

    def drop(self) -> None:
        """What is early is not meant."""
        self._waiting.clear()

    def character(self) -> str:
        """One character, or the name of a key that has one; what else steers a terminal is skipped."""
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
        """The next byte. A signal that came just before it is waited for is heard as one that comes meanwhile."""
        if self._waiting:
            return self._waiting.popleft()
        while self._file not in select.select([self._file, self._signals], [], [])[0]:
            os.read(self._signals, BURST_MAX)
        return os.read(self._file, 1)

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._file], [], [], seconds)[0])

    def _follows(self) -> bool:
        return bool(self._waiting) or self._ready(ESCAPE_WAIT)

    def _sequence(self) -> bytes:
        """An arrow key and the like: an introducer, then anything up to a letter or `~`, which is given."""
        if self._byte() in (b"[", b"O"):
            for _ in range(SEQUENCE_MAX):
                if not self._follows():
                    break
                if b"@" <= (byte := self._byte()) <= b"~":
                    return byte
        return b""


@contextmanager
def source(stdin: TextIO | None, stdout: TextIO, named: Mapping[bytes, str] | None = None) -> Iterator[KeySource]:
    """Keys singly if both sides are a terminal that can do so, else lines. The terminal is left as it was found.

    `named` are keys that a terminal sends as a sequence, by its last byte, and what they are called here.
    """
    before: Any = None
    if stdin is None:  # it was closed before the program began
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
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT)}
    signals, raised = os.pipe()
    os.set_blocking(raised, False)
    told = signal.set_wakeup_fd(raised, warn_on_full_buffer=False)
    try:
        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGHUP, _leave)
        signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(file))
        yield Terminal(stdin, signals, named)
    finally:
        signal.set_wakeup_fd(told)
        for end in (signals, raised):
            os.close(end)
        for number, handler in kept.items():
            signal.signal(number, handler)
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)


def _leave(*_: object) -> None:
    raise KeyboardInterrupt


class Keys:
    """The keys of one session. What is taken since the last record is told to `kept`, key by key.

    `again` are keys typed before an interruption: they come first.
    """

    def __init__(self, given: KeySource, kept: Callable[[str], None], echo: Callable[[str], None]) -> None:
        self._source, self._kept, self._echo = given, kept, echo
        self._again: deque[str] = deque()
        self.taken: list[str] = []
        self.early = False
        """Was the last key typed before what was recorded last had been shown?"""

    def again(self, keys: str) -> None:
        """Take these first."""
        self._again.extend(keys)

    def key(self, pending: bool = False) -> str:
        """The next key."""
        if self._again:
            return self._take(self._again.popleft())
        key = self._source.key(pending)
        self.early = self._source.early
        return self._take(key)

    def text(self) -> str:
        """A line of text; its end is Enter."""
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
        """Begin anew: it is recorded, or let go. How many keys it was."""
        count = len(self.taken)
        self.forget(count)
        return count

    def mark(self) -> None:
        """Something is recorded: what was typed by now was typed without having seen it."""
        self._source.mark()

    def forget_early(self) -> None:
        """What was typed too early is not meant, but for what has been taken of it."""
        self._source.drop()
        self.early = False

    def drop(self, last: int) -> None:
        """So many keys meant nothing, and neither does the line they stood in."""
        self._source.drop()
        self.forget(last)

    def restart(self, key: str) -> None:
        """What was begun is left; this key begins something else."""
        self.clear()
        self._take(key)

    def forget(self, last: int = 1) -> None:
        """The last keys only looked at something: they are no part of an action."""
        del self.taken[-last:]
        self._kept("".join(self.taken))

    def _take(self, key: str) -> str:
        self.taken.append(key)
        self._kept("".join(self.taken))
        return key
