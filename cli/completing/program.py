"""Answers a shell that asks what may stand at the cursor, in time or not at all. Nothing is written, or ever an error.

What is loaded here is the standard library and the table: the program itself takes longer to load than the answer may
take.
"""

import os
import sys
from contextlib import suppress
from threading import Thread

from cli.completing import table, values
from cli.completing.words import Typed, for_bash, split, unquoted
from cli.project import load_project

SECONDS = 0.2
"""How long a shell waits; then there is no answer."""
PATIENCE = "SHINPAN_TAB_SECONDS"
"""How long it waits instead, for a store on a slow disk."""


def main(shell: str) -> None:
    """Print what may stand at the cursor, or nothing; the program ends here, whatever is still being looked up."""
    answer: list[str] = []
    worker = Thread(target=lambda: answer.append(_answer(shell, sys.argv[1:])), daemon=True)
    worker.start()
    worker.join(_seconds())
    with suppress(OSError, ValueError):
        os.write(1, "".join(answer[:1]).encode("utf-8", "replace"))
    os._exit(0)


def _seconds() -> float:
    with suppress(ValueError):
        return float(os.environ.get(PATIENCE) or SECONDS)
    return SECONDS


def _answer(shell: str, arguments: list[str]) -> str:
    """What the shell's script reads: whether files may stand here, then a candidate a line."""
    try:
        return "\n".join(lines(shell, arguments)) + "\n"
    except Exception:
        return ""  # a shell has no place for an error


def lines(shell: str, arguments: list[str]) -> list[str]:
    """The lines of an answer: of bash the line up to the cursor and its breaks are given, else the words."""
    *before, last = arguments or [""]
    if shell == "bash":
        typed = split(before[0])
        typed = Typed(typed.words[1:] or [""], typed.quote)
    else:
        typed = unquoted(last) if shell == "fish" else Typed([last])
        typed = Typed([*before, *typed.words], typed.quote)
    known = table.load()
    words = table.read(known, typed.words)
    if words is None:
        return [""]
    asked = values.Asked(known, words, load_project(), dict(os.environ))
    candidates = dict(values.candidates(asked))
    if shell == "bash":
        return [values.files(words), *for_bash(candidates, typed, last)]
    return [values.files(words), *(f"{value}\t{text}" if text else value for value, text in candidates.items())]
