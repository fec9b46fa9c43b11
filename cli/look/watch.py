"""A match stepped through at a terminal: entry by entry, turn by turn, finding by finding."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from os import environ
from shutil import get_terminal_size
from typing import Protocol, TextIO

from cli.context import Desk
from cli.drawing import columns_of, is_terminal
from cli.play.keys import ENTER, ESCAPE, source
from cli.problems import FINE, INTERRUPTED
from cli.values import At, Match, Viewer
from domain.judging.audit import audit
from domain.law.law import Law
from domain.table.redact import Eyes, View
from domain.table.schema import Schema
from domain.words import Lang
from projections.board import board, render_board
from projections.findings import SeenFinding, render_findings, seen_findings
from projections.moments import Moments, moments
from projections.rows import Cell, Row
from projections.timeline import Line, render_timeline, timeline
from recorder.loading import Match as Loaded

ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
"""Keys that a terminal sends as a sequence, by the last byte of it."""
OTHER_SCREEN, OWN_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
"""To a screen of its own, and back to the one with what was there."""
CLEAR = "\x1b[H\x1b[2J"
PLAIN_TERMINALS = ("", "dumb")
"""Terminals (as TERM names them) that cannot be cleared: there every step stands below the one before."""
CURSOR = 1
"""Lines that the cursor takes below what is drawn."""
LEAVING = ("q", "Q", ESCAPE)


class Watched(Protocol):
    """A match as somebody sees it. `untold` says why findings are not told, where they are not."""

    id: str
    law: Law
    schema: Schema
    version: int
    untold: str

    @property
    def when(self) -> Moments:
        """When its entries were."""

    @property
    def findings(self) -> Sequence[SeenFinding]:
        """What its rules have against it."""

    def line(self, number: int, lang: Lang) -> Line:
        """An entry in words, as it stood when it was the last one."""

    def board(self, number: int) -> View:
        """The table after an entry."""

    def look_again(self) -> "Watched":
        """The same with what has been recorded meanwhile."""


class Here:
    """A match of a store."""

    untold = ""

    def __init__(self, desk: Desk, record: Loaded, eyes: Eyes) -> None:
        self._desk, self._record, self._eyes = desk, record, eyes
        self.id, self.law, self.version = record.id, record.law, record.version
        self.schema = eyes.physics.schema

    @cached_property
    def findings(self) -> tuple[SeenFinding, ...]:
        """What the match's rules have against it, as far as the viewer may know."""
        findings = audit(self._record.game, self._record.entries, secret=self._desk.secret(self._record)).findings
        return seen_findings(self._record, self._eyes, self.law, findings)

    @cached_property
    def when(self) -> Moments:
        """When its entries were."""
        return moments(self._record, self._desk.zone)

    def line(self, number: int, lang: Lang) -> Line:
        """An entry in words."""
        return timeline(self._record, self._eyes, lang, number)[-1]

    def board(self, number: int) -> View:
        """The table after an entry."""
        return board(self._record, self._eyes, number)

    def look_again(self) -> "Here":
        """The same with what has been recorded meanwhile."""
        return Here(self._desk, self._desk.load(self.id), self._eyes)


def watch(desk: Desk, match: Match, at: At = None, viewer: Viewer = "spectator") -> int:
    """Step through a match by keys; nothing is recorded. On no terminal each step stands below the one before."""
    record, eyes, number = desk.look(match, viewer, at)
    return step_through(desk, Here(desk, record, eyes), number)


def step_through(desk: Desk, match: Watched, number: int) -> int:
    """Let somebody go through a match by keys, from this entry on."""
    out = desk.screen.out
    watching = Watching(desk, match, number)
    try:
        with source(sys.stdin, out, ARROWS) as keys, _screen(out) as clear:
            while True:
                out.write(clear)
                watching.draw()
                out.flush()
                if (key := keys.key(pending=False)) in LEAVING:
                    return FINE
                watching.press(key)
    except EOFError:
        return FINE
    except KeyboardInterrupt:
        return INTERRUPTED


@contextmanager
def _screen(out: TextIO) -> Iterator[str]:
    """A screen of its own while somebody watches, and what clears it."""
    if not is_terminal(out) or environ.get("TERM", "") in PLAIN_TERMINALS:
        yield ""
        return
    out.write(OTHER_SCREEN)
    try:
        yield CLEAR
    finally:
        out.write(OWN_SCREEN)
        out.flush()


class Watching:
    """Where in which match somebody is."""

    def __init__(self, desk: Desk, match: Watched, number: int) -> None:
        self._desk = desk
        self.match, self.number = match, number
        self._scrolled = 0
        self._said = ""
        self._presses: dict[str, Callable[[], None]] = {
            **dict.fromkeys(("right", "l", " ", ENTER), self._forward),
            **dict.fromkeys(("left", "h"), self._back),
            "]": self._next_turn,
            "[": self._turn_before,
            "f": self._next_finding,
            "up": lambda: self._scroll(-1),
            "down": lambda: self._scroll(1),
            "g": lambda: self._go(1),
            "G": lambda: self._go(self.match.version),
        }

    @property
    def _turns(self) -> tuple[object, ...]:
        return self.match.when.turns

    def press(self, key: str) -> None:
        """Go where a key leads; one that leads nowhere changes nothing."""
        self._said = ""
        if key in self._presses:
            self._presses[key]()

    def draw(self) -> None:
        """The entry, what was found in it, and the table after it, as much as the terminal holds; below it the keys."""
        screen = self._desk.screen
        rows = [*self._rows()]
        screen.columns = columns_of(screen.out)
        if screen.columns is None:
            screen.rows([*rows, *self._foot()])
            return
        foot = [*self._foot(), Row("watch", (Cell(self._desk.say("watch.keys"), "hidden"),))]
        room = max(1, get_terminal_size().lines - screen.part(foot, 0, 0) - CURSOR)
        self._scrolled = min(self._scrolled, max(0, screen.part(rows, 0, 0) - room))
        screen.part(rows, self._scrolled, room)
        screen.rows(foot)

    def _foot(self) -> list[Row]:
        """Why a key led nowhere."""
        return [Row("watch", (Cell(self._said, "hidden"),))] if self._said else []

    def _rows(self) -> Iterator[Row]:
        match, lang, number = self.match, self._desk.lang, self.number
        title = self._desk.say("watch.title", at=number, last=match.version)
        yield Row("watch", (Cell(match.id, "title"), Cell(title, "number")))
        yield from render_timeline([match.line(number, lang)], lang, match.when)
        here = [finding for finding in match.findings if finding.entry == number]
        if here:
            yield from render_findings(here, match.law, lang, match.when.names)
        yield from render_board(match.board(number), match.law, match.schema, lang)

    def _go(self, number: int) -> None:
        self.number, self._scrolled = number, 0

    def _scroll(self, by: int) -> None:
        self._scrolled = max(0, self._scrolled + by)

    def _back(self) -> None:
        self._go(max(1, self.number - 1))

    def _forward(self) -> None:
        """The next entry; behind the last one, what has been recorded meanwhile."""
        if self.number == self.match.version:
            self.match = self.match.look_again()
        if self.number < self.match.version:
            self._go(self.number + 1)
        else:
            self._said = self._desk.say("watch.end")

    def _next_turn(self) -> None:
        """The first entry of the turn that follows; in the last one its last entry."""
        last = self.match.version
        later = range(self.number + 1, last + 1)
        self._go(next((at for at in later if self._turns[at] != self._turns[self.number]), last))

    def _turn_before(self) -> None:
        """The first entry of this turn; from there, of the one before."""
        turn = self._turns[max(1, self.number - 1)]
        self._go(next((at + 1 for at in range(self.number - 2, 0, -1) if self._turns[at] != turn), 1))

    def _next_finding(self) -> None:
        at = next((finding.entry for finding in self.match.findings if finding.entry > self.number), None)
        if at is None:
            self._said = self.match.untold or self._desk.say("watch.no_finding")
        else:
            self._go(at)
