"""Programs in processes of their own that need not be loaded again: forks of the tests, made as new as those begun.

Its pipes, terminal, signals, folder and environment are its own; it has a whole interpreter's life less the start.
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
"""Seconds to wait for a program on a machine that does much else; less than what a test may take."""


def forked(command: Sequence[str], environ: Mapping[str, str]) -> Callable[[], Never] | None:
    """What a child runs before it would become `command`, and so never does; None if it has to begin as a new one.

    That is so for what is no Python given as text, where an interpreter is told how to start, and where the tests have
    a store open that it may open: what SQLite has open must not be shared.
    """
    told = {name: text for name, text in environ.items() if name.startswith("PYTHON")}
    usual = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": PLAIN["PYTHONIOENCODING"]}
    if tuple(command[:2]) != PROGRAM[:2] or told != usual or _has_open(environ):
        return None
    _load_commands()
    code, *arguments = command[2:]

    def live() -> Never:
        try:
            _begin_anew(arguments, environ)
            status = _ended(code)
        except BaseException:
            traceback.print_exc()
            status = 1
        os._exit(status)

    return live


def _has_open(environ: Mapping[str, str]) -> bool:
    """Is any database beside the store or in the home of a program open here, or may it be?"""
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
    """What each command would load, so that no fork has to."""
    for where in registry.COMMANDS.values():
        resolve_name(where)


def _begin_anew(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Nothing of whoever runs the tests is left: no settings, no open files, nobody to be told of warnings or ends."""
    gc.freeze()
    gc.callbacks.clear()  # in one of them, of whoever tests with chance, an interruption would be lost
    atexit._clear()
    os.closerange(3, FILES_MAX)  # among them the pipe by which it would be told that another program begins
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
    """Cards that a test has laid over those published are not known to a program that begins."""
    for game in GAMES.values():
        if game.pools is not None:
            for pool in set(game.pools.held) - {FIRST, *game.pools.published.values()}:
                del game.pools.held[pool]


def _stream(number: int, errors: str) -> Any:
    try:
        raw = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115
    except OSError:  # it was closed before the program began
        return None
    return TextIOWrapper(raw, "utf-8", errors, line_buffering=number == 2 or raw.isatty())


def _ended(code: str) -> int:
    """Run it to its end as an interpreter would; the exit code."""
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
