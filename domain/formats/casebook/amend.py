"""Update the expectations in a casebook's text: values of `then` are replaced in place, all else is unchanged."""

import re
from collections.abc import Iterator, Mapping, Sequence

from domain.formats.casebook.load import Case, Step
from domain.formats.casebook.run import Failure
from domain.words import tomls

Reached = tuple[str | int, ...]
"""Path of a value from the root of a file: keys, and indexes from 0 for lists."""
Span = tuple[int, int]

_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_BARE = re.compile(r"[^\s,\]}#=.]+")
_PLAIN = re.compile(r"[^,\]}#\n]+")
_SPACE = re.compile(r"(?:\s|#[^\n]*)*")


def amend(text: str, changes: Mapping[Reached, object]) -> str:
    """Replace the values at these paths. A value spread over several keys stays unchanged."""
    places = {path: span for path, span in spans(text) if path in changes}
    for path, (start, end) in sorted(places.items(), key=lambda item: item[1], reverse=True):
        text = text[:start] + tomls.write(changes[path]) + text[end:]
    return text


def changes(number: int, case: Case, failures: Sequence[Failure]) -> dict[Reached, object]:
    """Return the changes that make these failures of case `number` pass; `number` counts from 0."""
    return {
        ("case", number, *_step_at(case.step, failure.ending, failure.step), "then", *failure.at): failure.now
        for failure in failures
        if failure.at
    }


def _step_at(steps: Sequence[Step], ending: Sequence[str], number: int) -> Reached:
    if not ending:
        return ("step", number - 1)
    at, which = next(
        (at, which) for at, step in enumerate(steps) for which, other in enumerate(step.ending) if other.id == ending[0]
    )
    inner = steps[at].ending[which].step
    return ("step", at, "ending", which, *_step_at(inner, ending[1:], number))


def spans(text: str) -> Iterator[tuple[Reached, Span]]:
    """Yield the path and span of each value in a text that is valid TOML."""
    return _Spans(text).all()


class _Spans:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tables: dict[Reached, int] = {}
        """Number of tables so far in each array of tables."""

    def all(self) -> Iterator[tuple[Reached, Span]]:
        table: Reached = ()
        while self._more():
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                yield from self._pair(table)

    def _more(self) -> bool:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space is not None else self.at
        return self.at < len(self.text)

    def _header(self) -> Reached:
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        keys = self._keys()
        self.at += 2 if double else 1
        path: Reached = ()
        for number, key in enumerate(keys, start=1):
            path = (*path, key)
            if double and number == len(keys):
                self.tables[path] = self.tables.get(path, 0) + 1
            if path in self.tables:
                path = (*path, self.tables[path] - 1)
        return path

    def _keys(self) -> list[str]:
        """Return the parts of a dotted key and move to its end."""
        keys: list[str] = []
        while self._more():
            if match := _STRING.match(self.text, self.at):
                keys.append(tomls.parse(f"key = {match[0]}")["key"])
            elif match := _BARE.match(self.text, self.at):
                keys.append(match[0])
            self.at = match.end() if match is not None else self.at
            self._more()
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
        return keys

    def _pair(self, table: Reached) -> Iterator[tuple[Reached, Span]]:
        path = (*table, *self._keys())
        self.at += 1  # the equals sign
        yield from self._value(path)

    def _value(self, path: Reached) -> Iterator[tuple[Reached, Span]]:
        self._more()
        start = self.at
        opening = self.text[start]
        if opening in "[{":
            self.at += 1
            number = 0
            while self._more() and self.text[self.at] not in "]}":
                if opening == "{":
                    yield from self._pair(path)
                else:
                    yield from self._value((*path, number))
                number += 1
                if self._more() and self.text[self.at] == ",":
                    self.at += 1
            self.at += 1
        else:
            match = _STRING.match(self.text, start) or _PLAIN.match(self.text, start)
            assert match is not None, "a TOML that was read has a value here"
            self.at = start + len(match[0].rstrip())
        yield path, (start, self.at)
