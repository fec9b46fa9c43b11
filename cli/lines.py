"""Streaming reader for lines of a file or of standard input, with limits on their length."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cli.context import CommandContext, quote_input
from domain.formats.errors import FormatError, not_utf8
from domain.formats.notation import lines
from domain.formats.notation.lines import too_long
from domain.words import Text
from domain.words.foreign import explain_system_error

STDIN = "-"
HEAD = 4_096
"""Bytes examined to recognise a file's format."""
FILE_MAX = 16 * 1024**3
"""Limit in bytes for one record, to stop an endless pipe."""
COUNTED_MAX = 64 * 1024**2
"""Most bytes read to measure a line that is too long."""

_BYTES_OF_A_CHARACTER = 4
_CONTINUING = bytes(range(0x80, 0xC0))
"""Continuation bytes of UTF-8."""


@contextmanager
def open_bytes(ctx: CommandContext, name: str) -> Iterator[BinaryIO]:
    """Open a file or standard input. Raises CommandError if it cannot be read."""
    with ctx.convert_os_errors("cli.unreadable", quote_input(name)):
        stream = _stdin() if name == STDIN else Path(name).open("rb")  # noqa: SIM115
    try:
        yield stream
    except OSError as error:
        raise ctx.problem("cli.unreadable", file=quote_input(name), detail=explain_system_error(error)) from None
    finally:
        if name != STDIN:
            stream.close()


def _stdin() -> BinaryIO:
    return io.BytesIO() if sys.stdin is None else sys.stdin.buffer


class Lines:
    """Lines of a stream. Iteration raises FormatError for invalid UTF-8 or an overlong line.

    `head` is the first bytes, `number` the number of the last line read. `cut` is True if the last line has no line
    end.
    """

    def __init__(self, ctx: CommandContext, name: str, stream: BinaryIO) -> None:
        self._ctx, self._name, self._stream = ctx, name, stream
        self._most = lines.LINE_MAX
        self.head = stream.read(HEAD)
        self.number = 0
        self.cut = False
        self._offset = 0
        self._given = self._lines()

    @property
    def ended(self) -> bool:
        """True if only empty lines are left. Consumes them."""
        return not any(line.strip() for line in self)

    def __iter__(self) -> Iterator[str]:
        return self._given

    def _lines(self) -> Iterator[str]:
        bytes_max = self._most * _BYTES_OF_A_CHARACTER
        *whole, rest = self.head.split(b"\n")
        for raw in whole:
            yield self._text(raw)
        while True:
            rest += self._stream.readline(bytes_max + 1 - len(rest))
            if rest.endswith(b"\n"):
                yield self._text(rest[:-1])
            elif len(rest) > bytes_max:
                self._too_long(rest)
            else:
                self.cut = bool(rest)
                if rest:
                    yield self._text(rest)
                return
            rest = b""
            if self._offset > FILE_MAX:
                raise self._ctx.problem("cli.too_long", file=self._name, most=FILE_MAX // 1024**2)

    def _text(self, raw: bytes) -> str:
        self.number += 1
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._no_text(raw, error) from None
        self._offset += len(raw) + 1
        if len(text) > self._most:
            self.number -= 1
            self._too_long(raw + b"\n")
        return text.removeprefix("\ufeff") if self.number == 1 else text

    def _no_text(self, raw: bytes, error: UnicodeDecodeError) -> Exception:
        self.cut = self.cut and error.reason == "unexpected end of data"
        column = len(raw[: error.start].decode("utf-8", "replace")) + 1
        return FormatError(not_utf8(error, self._offset + error.start), self.number, column)

    def _too_long(self, begun: bytes) -> None:
        length, read, part = _characters(begun.removesuffix(b"\n")), len(begun), begun
        while part and not part.endswith(b"\n") and read < COUNTED_MAX:
            part = self._stream.readline(1024**2)
            read += len(part)
            length += _characters(part.removesuffix(b"\n"))
        known = not part or part.endswith(b"\n")
        more = Text("cli.line_too_long", {"n": f"{length:,}", "most": f"{self._most:,}"})
        raise FormatError(too_long(length) if known else more, self.number + 1)


def _characters(raw: bytes) -> int:
    return len(raw.translate(None, _CONTINUING))
