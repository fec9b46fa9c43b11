"""Run the program in forks of the test process, which saves the imports.

A fork gets fresh state: pipes, terminal, signals, working folder and environment.
"""

import atexit
import gc
import multiprocessing.process
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import process
from contextlib import suppress
from functools import cache
from io import TextIOWrapper
from multiprocessing import resource_tracker, util
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, Never

from cli import registry
from domain.games import GAMES
from domain.law.pools import FIRST

PROGRAM = (sys.executable, "-c", "from cli.main import main; main()")
PLAIN = {"LANG": "en_US.UTF-8", "PYTHONIOENCODING": "utf-8", "PAGER": "cat"}
ROOT = Path(__file__).parents[2]
FILES_MAX = 4096
PATIENCE = 300.0
"""Seconds to wait for a program on a busy machine. Must stay below the time limit of a test."""


def child_function(command: Sequence[str], environ: Mapping[str, str]) -> Callable[[], Never] | None:
    """Return the function that a child runs in place of `command`, or None if it must be a new process.

    A new process is needed if the command is not Python code given with `-c`, or if its environment sets the
    interpreter. It is also needed while a test has the program's database open: SQLite connections must not cross a
    fork.
    """
    told = {name: text for name, text in environ.items() if name.startswith("PYTHON")}
    usual = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": PLAIN["PYTHONIOENCODING"]}
    if tuple(command[:2]) != PROGRAM[:2] or told != usual or _has_open(environ):
        return None
    _load_commands()
    code, *arguments = command[2:]

    def live() -> Never:
        try:
            _reset_process(arguments, environ)
            status = _run_code(code)
        except BaseException:
            traceback.print_exc()
            status = 1
        os._exit(status)

    return live


def _has_open(environ: Mapping[str, str]) -> bool:
    """True if a database of the program, next to its store or in its home, may be open in this process."""
    opened = Path("/proc/self/fd")
    if not opened.is_dir():
        return True
    folders = {environ.get("HOME", ""), str(Path(environ.get("SHINPAN_STORE", "")).parent)} - {"", "."}
    return any(
        name.endswith((".sqlite", "-wal")) and name.startswith(tuple(folders))
        for name in (str(each.readlink()) for each in opened.iterdir() if each.is_symlink())
    )


@cache
def _load_commands() -> None:
    for where in registry.COMMANDS.values():
        resolve_name(where)


def _reset_process(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Clear the state of the test run: settings, open files, and handlers for warnings and exit."""
    gc.freeze()
    gc.callbacks.clear()  # a callback of Hypothesis would swallow an interruption
    atexit._clear()
    os.closerange(3, FILES_MAX)  # includes the pipe that reports a started program
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = ["-c", *arguments]
    sys.modules["__main__"] = ModuleType("__main__")
    sys.excepthook, sys.unraisablehook = sys.__excepthook__, sys.__unraisablehook__
    threading.excepthook = threading.__excepthook__
    warnings.resetwarnings()
    warnings.simplefilter("ignore", Warning)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    util._finalizer_registry.clear()  # type: ignore[attr-defined]
    multiprocessing.process._children.clear()  # type: ignore[attr-defined]
    process._threads_wakeups.clear()  # type: ignore[attr-defined]
    resource_tracker._resource_tracker.__init__()  # type: ignore[misc]
    _forget_cards()
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "strict"), _stream(1, "strict"), _stream(2, "backslashreplace")


def _forget_cards() -> None:
    """Drop the cards that a test has loaded on top of the published pools."""
    for game in GAMES.values():
        if game.pools is not None:
            for pool in set(game.pools.cards_by_pool) - {FIRST, *game.pools.published.values()}:
                del game.pools.cards_by_pool[pool]


def _stream(number: int, errors: str) -> Any:
    try:
        raw = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115
    except OSError:  # the stream was closed before the program started
        return None
    return TextIOWrapper(raw, "utf-8", errors, line_buffering=number == 2 or raw.isatty())


def _run_code(code: str) -> int:
    status = 0
    try:
        exec(code, vars(sys.modules["__main__"]))
    except SystemExit as done:
        status = done.code if isinstance(done.code, int) else int(done.code is not None)
        if isinstance(done.code, str):
            print(done.code, file=sys.stderr)
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(ValueError):
            if stream is not None:
                stream.flush()
    return status
