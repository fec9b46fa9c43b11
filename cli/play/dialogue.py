"""A session of the keyboard recorder, in a store or at a service: its loop, its prompts, the keys always offered."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from cli.context import CommandContext, quote_input
from cli.play.keys import BACKS, ENTER, Keys
from cli.play.labels import name_frame, seats_of
from cli.play.paper import Paper
from cli.play.picker import Aside, Back, Picker
from cli.play.tally import KeystrokeCounts
from cli.problems import FINE, INTERRUPTED, CommandError
from domain.formats.faces import split_faces
from domain.law.entries import Opened
from domain.law.law import Law
from domain.table.redact import SeenFrame
from domain.table.table import Place, Seat
from domain.table.things import Clock, Result
from domain.words import say
from projections.phrases import Names, clock_words, result_words, seats_words
from projections.questions import face_question
from projections.seen_entries import SeenEntry
from projections.timeline import TimelineEntry, render_timeline

ELSE, UNDO, REDO, BOARD, VIEWER, HELP, QUIT, ACTOR, SILENCE, READ = "!", "-", "+", "=", "@", "?", ".", "/", ",", ":"
"""Keys that are always offered."""


T = TypeVar("T")


class Dialogue:
    """Prompts and their answers, the keys that are always offered, and lines that tell what was recorded."""

    lost: ClassVar[Any]
    """The type of the error for a match that cannot be reached; its `text` gives the reason."""
    law: Law
    names: Names
    ask: Callable[[], bool]
    """Ask for the next thing. False to end the session."""

    def __init__(self, ctx: CommandContext, paper: Paper, match: str, ours: tuple[Seat, ...]) -> None:
        self.ctx, self.paper, self.match_id, self.ours = ctx, paper, match, ours
        self.shows: dict[str, Callable[[], None]] = {}
        """Functions that show something, by keys that are always offered."""
        self.begins: dict[str, Callable[[], None]] = {}
        """Functions by the keys that leave what was begun."""
        self.preferred: Seat | None = None
        self.silent = self.answered = False
        """All pass after every action; this action may be answered all the same."""
        self.tally = KeystrokeCounts()

    def run(self) -> int:
        """Record until the session ends; return the exit code."""
        if self.paper.lacks:
            self.print_message(self.paper.lacks)
        self.print_message("play.begins", match=self.match_id, seats=self.list_names(self.ours))
        code = FINE
        try:
            self.begin()
            while self._take_turn():
                pass
        except (EOFError, KeyboardInterrupt) as ended:
            code = INTERRUPTED if isinstance(ended, KeyboardInterrupt) else FINE
            self.paper.finish_prompt("^C" if code else "")
        self.end()
        return code

    def _take_turn(self) -> bool:
        """Record or show one thing. False to end the session."""
        try:
            return not self.refresh() or self.ask()
        except Aside as aside:
            return self.leave(aside.key)
        except Back:
            self.keys.clear()
            return True

    def begin(self) -> None:
        """Prepare the first turn."""

    def end(self) -> None:
        """Say how far the match is recorded."""

    def refresh(self) -> bool:
        """Read the match again, and say what others have recorded. False if it cannot be reached."""
        raise NotImplementedError

    def actors(self) -> list[Seat]:
        """Return our seats that may do something, awaited ones first; the preferred seat precedes them all."""
        raise NotImplementedError

    def choose_key(self, actor: Seat, shown: Sequence[str], known: Container[str]) -> str:
        """Ask what a seat does; return one of the known keys. A capital letter says that it may be answered."""
        while True:
            self.paper.ask(f"{self.list_names((actor,))}:", shown)
            typed = self.keys.key()
            key, self.answered = typed.lower(), typed.isupper()
            if key in known:
                return key
            if key in (ENTER, *BACKS):
                self.paper.finish_prompt("")
                self.keys.forget()
            elif not self.aside(key):
                self.paper.finish_prompt(self.say("play.not_here", key=key))
                self.keys.drop(1)

    def change_actor(self) -> None:
        """Let another of those act who may do something."""
        self.keys.clear()
        if len(actors := self.actors()) > 1:
            self.preferred = actors[1]
            self.print_message("play.actor", seat=self.list_names(actors[1:2]))

    def wait(self, awaited: Iterable[Seat]) -> None:
        """Wait for seats that are recorded elsewhere, until a key is pressed."""
        self.picker.choose(self.say("play.waiting", seats=self.list_names(awaited)), {}, enter=self.say("play.look"))
        self.keys.clear()

    def tell_state(self, entry: int, clock: Clock, awaited: Sequence[Seat], frames: Iterable[SeenFrame]) -> None:
        """Say in a line how the match stands."""
        game, lang = self.law.game, self.paper.lang
        stack = " < ".join(name_frame(game, request, lang, self.names) for request in frames)
        clock = clock if clock.awaited else replace(clock, awaited=tuple(awaited))
        key = "play.state_stack" if stack else "play.state"
        self.print_message(key, entry=entry, clock=clock_words(game, clock, lang, self.names), stack=stack)

    def ask_faces(self, place: Place, purpose: str) -> tuple[str, ...]:
        """Ask for the faces of the cards that show in a place."""
        game = self.law.game
        question = face_question(game, self.names, place, purpose, self.paper.lang)
        text = self.text(self.say("play.shows", question=question))
        return split_faces(game, (text,)) if text.strip() else ()

    def ask_to_close(self, result: Result | None) -> str | None:
        """Ask whether the record is complete; return the reason, '' with a result, None if it is not closed."""
        if result is not None:
            self.paper.line(result_words(self.law.game, result, self.paper.lang, self.names))
        self.picker.choose(self.say("play.over"), {}, extra={"c": self.say("play.close")})
        reason = "" if result is not None else self.need(self.say("play.abandon"))
        return reason if self.sure_to_end(self.say("play.close_sure")) else None

    def word(self, code: str) -> str:
        """Return a code name in the game's words."""
        return self.law.game.rulebook.word(code, self.paper.lang)

    def list_names(self, seats: Iterable[str]) -> str:
        """Return the names of seats' players."""
        return seats_words(self.names, seats, self.paper.lang)

    def attach(self, keys: Keys) -> None:
        """Where keys come from."""
        self.keys = keys
        self.picker = Picker(keys, self.paper, self.aside)
        self.picker.heard = self.remember_label

    def say(self, key: str, /, **values: object) -> str:
        """A text in the language shown."""
        return say(key, self.paper.lang, **values)

    def print_message(self, key: str, /, **values: object) -> None:
        """A line of it."""
        self.paper.line(self.say(key, **values))

    def complain(self, problem: CommandError) -> None:
        """A message, and what explains it."""
        self.paper.line(problem.message)
        for text in problem.more:
            self.paper.line(text)

    def tell_lines(self, lines: Iterable[TimelineEntry], *, named: bool = True) -> None:
        """Entries with the clause of each fact; the first without its own line if it has been named."""
        rows = render_timeline(lines, self.paper.lang)
        self.paper.beginning(rows if named else rows[1:], self.say("play.more"))

    # What is typed

    def remember_label(self, label: str) -> None:
        """What the keys taken so far mean, for people."""

    def aside(self, key: str) -> bool:
        """A key that is always offered: shows something, or leaves what was begun. False if it is none."""
        if key in self.begins or key == QUIT:
            raise Aside(key)
        if key not in self.shows:
            return False
        self.paper.finish_prompt(key)
        self.shows[key]()
        self.keys.forget()
        return True

    def leave(self, key: str) -> bool:
        """What was begun is left for what this key begins. False to end."""
        self.paper.finish_prompt(key)
        if key == QUIT:
            self.keys.forget()
            return False
        try:
            self.keys.restart(key)
            self.begins[key]()
        except Aside as aside:
            return self.leave(aside.key)
        except Back:
            self.discard_input()
        return True

    def text(self, head: str, items: Sequence[str] = ()) -> str:
        """A line of free text."""
        self.paper.ask(head, items)
        text = self.keys.text()
        if text:
            self.remember_label(text)
        return text

    def need(self, head: str) -> str:
        """A line of free text. Raises Back if it is empty."""
        if not (text := self.text(head)):
            raise Back
        return text

    def reason(self, usual: str) -> str:
        """Why something is done; Enter means the usual reason."""
        return self.text(self.say("play.reason"), [f"[{self.say('play.enter')}] {usual}"]) or usual

    def confirm_early_input(self, what: str) -> bool:
        """Is this to be recorded? It is asked if its last key was typed before what was recorded last was shown."""
        if not self.keys.early:
            return True
        self.keys.forget_early()
        return self.confirm(self.say("play.early", what=what), self.say("play.record"))

    def confirm(self, head: str, enter: str) -> bool:
        """Enter says yes, a step back says no. Other keys that leave it leave it."""
        try:
            self.picker.choose(head, {}, enter, {"<": self.say("play.let_go")})
        except Back:
            return False
        return True

    def sure_to_end(self, head: str) -> bool:
        """Ask before the match ends. Enter does not say yes here."""
        try:
            yes = self.say("play.end_it")
            return bool(self.picker.choose(head, {}, extra={"y": yes, "<": self.say("play.let_go")}) == "y")
        except Back:
            return False

    def safely(self, ask: Callable[[], T]) -> T | None:
        """Do what needs the match, again and again if it cannot be got at; None if it is let go."""
        while True:
            try:
                return ask()
            except self.lost as error:
                self.paper.line(error.text.say(self.paper.lang))
                try:
                    if not self.confirm(self.say("play.not_lost"), self.say("play.again")):
                        return None
                except Aside as aside:
                    if aside.key == QUIT:
                        raise
                    return None

    def discard_input(self) -> bool:
        """What was begun is not recorded."""
        self.keys.clear()
        self.print_message("play.let_gone")
        return False

    def keep(self, keys: str) -> None:
        """Keep what was typed, in case the session is interrupted."""


def choose_seats(
    ctx: CommandContext, match: str, opening: Opened | SeenEntry, allowed: tuple[Seat, ...], text: str | None
) -> tuple[Seat, ...]:
    """Return the seats that are recorded here. Raises Problem for one that is not allowed."""
    seats = allowed if text is None else seats_of(opening.seats, text, opening.names)
    if isinstance(seats, str) or not set(seats) <= set(allowed):
        wrong = seats if isinstance(seats, str) else next(seat for seat in seats if seat not in allowed)
        raise ctx.problem("play.no_seat", seat=quote_input(wrong), match=match, allowed=", ".join(allowed))
    return seats
