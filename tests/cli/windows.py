"""Pseudo-terminals for tests: type, read the screen, and check that the terminal is restored."""

import os
import re
import select
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.cli.forks import PATIENCE, child_function

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Window:
    def __init__(
        self, command: Sequence[str], folder: Path, environ: dict[str, str], columns: int = 80, lines: int = 24
    ) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.own, self.terminal = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(self.terminal)

        live = child_function(command, {"TERM": "xterm", **environ})

        def begin() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if live is not None:
                live()

        self.program = subprocess.Popen(
            command,
            cwd=folder,
            env={"TERM": "xterm", **environ},
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=self.terminal,
            start_new_session=True,
            preexec_fn=begin,  # noqa: PLW1509
        )
        self.text = ""
        self._bytes = b""

    def until(self, wanted: str) -> str:
        """Return the output from here on, up to this pattern."""
        start = len(self.text)
        while re.search(wanted, self.text[start:]) is None:
            ready, _, _ = select.select([self.own], [], [], PATIENCE)
            assert ready, f"{wanted!r} did not come: {self.text[start:]}"
            self._read()
        return self.text[start:]

    def press(self, keys: str, wanted: str) -> str:
        os.write(self.own, keys.encode())
        return self.until(wanted)

    def ended(self) -> int:
        import termios

        while self.program.poll() is None:
            self._wait()
        while self._wait(0.0):
            pass
        assert termios.tcgetattr(self.terminal) == self.before, "the terminal is left as it was found"
        os.close(self.own)
        os.close(self.terminal)
        return self.program.returncode

    def _wait(self, seconds: float = 0.05) -> bool:
        ready, _, _ = select.select([self.own], [], [], seconds)
        if ready:
            self._read()
        return bool(ready)

    def _read(self) -> None:
        self._bytes += os.read(self.own, 65536)
        self.text = self._bytes.decode("utf-8", "ignore").replace("\r\n", "\n")
