"""Drive `play` in tests: parse the keys it offers and type answers from a script or at random."""

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

from cli.main import run
from tests.cli.runs import Ran

OFFERED = re.compile(r"\[(\w+|\*)\] ((?:(?!  \[|\n|  \[| > ).)*)")
AVOIDED = ("concede", "投了")

Answer = str | Callable[[], str] | BaseException
"""An input line, a callback that returns one, or an exception to raise."""


def prompt(text: str) -> str:
    """Return the last prompt with its continuation lines."""
    lines = text.split("\n")
    at = len(lines) - 1
    while at > 0 and lines[at].startswith("   "):
        at -= 1
    return "\n".join(lines[at:])


def offers(text: str) -> dict[str, str]:
    return {key: label.strip() for key, label in OFFERED.findall(prompt(text))}


class Typist(io.TextIOBase):
    """Standard input that reads the output before it types."""

    def __init__(self, out: io.TextIOWrapper, answers: Iterator[Answer]) -> None:
        self.out, self.answers = out, answers

    @property
    def output(self) -> str:
        self.out.flush()
        return self.out.buffer.getvalue().decode(self.out.encoding)  # type: ignore[attr-defined,no-any-return]

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        answer = next(self.answers, "")
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, str) else answer()

    def isatty(self) -> bool:
        return False


def play(
    store: Path,
    *arguments: str,
    answers: Sequence[Answer] | Callable[[Typist], Iterator[Answer]],
    lang: str = "en",
    encoding: str = "utf-8",
) -> Ran:
    out, err = io.TextIOWrapper(io.BytesIO(), encoding), io.TextIOWrapper(io.BytesIO(), "utf-8")
    typist = Typist(out, iter(()))
    typist.answers = answers(typist) if callable(answers) else iter(answers)
    kept = sys.stdin
    sys.stdin = typist  # type: ignore[assignment]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(["--lang", lang, "--store", str(store), "play", *arguments])
    finally:
        sys.stdin = kept
    err.flush()
    ran = Ran(code, typist.output, err.buffer.getvalue().decode())  # type: ignore[attr-defined]
    assert "Traceback" not in ran.out + ran.err, ran
    return ran


def at_random(seed: int, most: int = 4_000) -> Callable[[Typist], Iterator[Answer]]:
    """Return a typist that presses random offered keys, never concedes, and closes the record."""
    random = Random(seed)

    def typing(typist: Typist) -> Iterator[Answer]:
        for _ in range(most):
            found = {key: label for key, label in offers(typist.output).items() if label not in AVOIDED}
            assert found, typist.output[-800:]
            key = random.choice(sorted(found))
            if "*" in found and random.random() < 0.5:
                key = "".join(random.sample(sorted(one for one in found if one.isdigit()), 2))
            yield "\n" if key == "Enter" else f"{key}\n"

    return typing


def lines(text: str) -> list[Any]:
    return [f"{one}\n" for one in text.split("/")]
