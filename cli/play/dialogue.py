"""Dialogue of a session, in a store or at a service: its loop, prompts and permanent keys."""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from cli.context import CommandContext, quote_input
from cli.play.keys import BACKS, ENTER, Keys
from cli.play.labels import name_frame, seats_of
from cli.play.paper import Paper
from cli.play.picker import Aside, Back, Item, Picker
from cli.play.tally import KeystrokeCounts
from cli.problems import FINE, INTERRUPTED, CommandError
from domain.formats.faces import split_faces
from domain.law.entries import Opened
from domain.law.game import UNKNOWN_FACE
from domain.law.law import Law
from domain.table.redact import SeenFrame
from domain.table.table import Place, Seat
from domain.table.things import Clock, Result
from domain.words import listed, say
from projections.phrases import Names, clock_words, result_words, seats_words
from projections.questions import face_question
from projections.seen_entries import SeenEntry
from projections.timeline import TimelineEntry, render_timeline

ELSE, UNDO, REDO, BOARD, VIEWER, HELP, QUIT, ACTOR, SILENCE, READ = "!", "-", "+", "=", "@", "?", ".", "/", ",", ":"
"""Keys available at every prompt."""


T = TypeVar("T")


class Dialogue:
    """Prompts with their answers, permanent keys, and reports of recorded entries."""

    lost: ClassVar[Any]
    """Type of the error for an unreachable match. Its `text` has the reason."""
    law: Law
    names: Names
    ask: Callable[[], bool]
    """Function that asks for the next action. Returns False to end the session."""

    def __init__(self, ctx: CommandContext, paper: Paper, match: str, ours: tuple[Seat, ...]) -> None:
        self.ctx, self.paper, self.match_id, self.ours = ctx, paper, match, ours
        self.shows: dict[str, Callable[[], None]] = {}
        """Functions that show something, by permanent key."""
        self.begins: dict[str, Callable[[], None]] = {}
        """Functions that replace the current input, by key."""
        self.preferred: Seat | None = None
        self.silent = self.answered = False
        """`silent`: all seats pass after every action. `answered`: this action may be answered all the same."""
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
        """Report how much of the match is recorded."""

    def refresh(self) -> bool:
        """Reload the match and report new entries of others. Return False if it is unreachable."""
        raise NotImplementedError

    def actors(self) -> list[Seat]:
        """Return our seats that can act: the preferred seat, then awaited ones, then the rest."""
        raise NotImplementedError

    def choose_key(self, actor: Seat, shown: Sequence[str], known: Container[str]) -> str:
        """Ask for a seat's action; return one of the known keys. A capital letter allows answers to it."""
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
        """Prefer the next seat that can act."""
        self.keys.clear()
        if len(actors := self.actors()) > 1:
            self.preferred = actors[1]
            self.print_message("play.actor", seat=self.list_names(actors[1:2]))

    def wait(self, awaited: Iterable[Seat]) -> None:
        """Wait for seats recorded by others, until a key is pressed."""
        self.picker.choose(self.say("play.waiting", seats=self.list_names(awaited)), {}, enter=self.say("play.look"))
        self.keys.clear()

    def tell_state(self, entry: int, clock: Clock, awaited: Sequence[Seat], frames: Iterable[SeenFrame]) -> None:
        game, lang = self.law.game, self.paper.lang
        stack = " < ".join(name_frame(game, request, lang, self.names) for request in frames)
        clock = clock if clock.awaited else replace(clock, awaited=tuple(awaited))
        key = "play.state_stack" if stack else "play.state"
        self.print_message(key, entry=entry, clock=clock_words(game, clock, lang, self.names), stack=stack)

    def ask_faces(self, place: Place, purpose: str) -> tuple[str, ...]:
        game = self.law.game
        question = face_question(game, self.names, place, purpose, self.paper.lang)
        split = game.face_split(purpose)
        ways = () if split is None else (f"`{UNKNOWN_FACE}{area}`" for area in split.areas)
        key = "play.shows" if split is None else "play.shows_area"
        text = self.text(self.say(key, question=question, ways=listed(ways)))
        return split_faces(game, (text,)) if text.strip() else ()

    def ask_to_close(self, result: Result | None) -> str | None:
        """Ask whether the record is complete. Return the reason, '' with a result, None to keep it open."""
        if result is not None:
            self.paper.line(result_words(self.law.game, result, self.paper.lang, self.names))
        self.picker.choose(self.say("play.over"), {}, extra={"c": self.say("play.close")})
        reason = "" if result is not None else self.need(self.say("play.abandon"))
        return reason if self.sure_to_end(self.say("play.close_sure")) else None

    def word(self, code: str) -> str:
        return self.law.game.rulebook.word(code, self.paper.lang)

    def list_names(self, seats: Iterable[str]) -> str:
        return seats_words(self.names, seats, self.paper.lang)

    def attach(self, keys: Keys) -> None:
        self.keys = keys
        self.picker = Picker(keys, self.paper, self.aside)
        self.picker.heard = self.remember_label

    def say(self, key: str, /, **values: object) -> str:
        return say(key, self.paper.lang, **values)

    def print_message(self, key: str, /, **values: object) -> None:
        self.paper.line(self.say(key, **values))

    def complain(self, problem: CommandError) -> None:
        self.paper.line(problem.message)
        for text in problem.more:
            self.paper.line(text)

    def tell_lines(self, lines: Iterable[TimelineEntry], *, named: bool = True) -> None:
        """Print entries with the clause of each fact; the first without its own line unless `named`."""
        rows = render_timeline(lines, self.paper.lang)
        self.paper.beginning(rows if named else rows[1:], self.say("play.more"))

    # Input

    def remember_label(self, label: str) -> None:
        """Note the meaning of the keys taken so far, for people."""

    def aside(self, key: str) -> bool:
        """Handle a permanent key: show something, or raise Aside. Return False for other keys."""
        if key in self.begins or key == QUIT:
            raise Aside(key)
        if key not in self.shows:
            return False
        self.paper.finish_prompt(key)
        self.shows[key]()
        self.keys.forget()
        return True

    def leave(self, key: str) -> bool:
        """Drop the current input and do what this key begins. Return False to end."""
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
        self.paper.ask(head, items)
        text = self.keys.text()
        if text:
            self.remember_label(text)
        return text

    def need(self, head: str) -> str:
        """Ask for a line of free text. Raises Back if it is empty."""
        if not (text := self.text(head)):
            raise Back
        return text

    def reason(self, usual: str) -> str:
        """Ask for a reason. Enter means the usual one."""
        return self.text(self.say("play.reason"), [f"[{self.say('play.enter')}] {usual}"]) or usual

    def confirm_early_input(self, what: str) -> bool:
        """True if the input may be recorded. Asks if its last key was typed before the last entry was shown."""
        if not self.keys.early:
            return True
        self.keys.forget_early()
        return self.confirm(self.say("play.early", what=what), self.say("play.record"))

    def confirm(self, head: str, enter: str) -> bool:
        """Ask to confirm by Enter. A step back means no."""
        try:
            self.picker.choose(head, {}, enter, {"<": self.say("play.let_go")})
        except Back:
            return False
        return True

    def ask_missing(self, missing: Iterable[str], candidates: Sequence[str], *, can_stand: bool = True) -> str:
        """Ask which line is meant by one that lacks values; '' to go on as it stands. Raises Back."""
        slots = listed(map(self.law.game.rulebook.both_words, missing))
        self.print_message("line.incomplete", slots=slots)
        if not candidates:
            return ""
        lines = {number: Item(line, line, ()) for number, line in enumerate(candidates, start=1)}
        head = self.say("record.missing_ask", slots=slots)
        chosen = self.picker.choose(head, lines, enter=self.say("record.as_it_stands" if can_stand else "play.let_go"))
        return str(lines[chosen].value) if chosen else ""

    def sure_to_end(self, head: str) -> bool:
        """Ask before the match ends. Enter does not mean yes here."""
        try:
            yes = self.say("play.end_it")
            return bool(self.picker.choose(head, {}, extra={"y": yes, "<": self.say("play.let_go")}) == "y")
        except Back:
            return False

    def safely(self, ask: Callable[[], T]) -> T | None:
        """Retry while the match is unreachable. Return None if the user gives up."""
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
        self.keys.clear()
        self.print_message("play.let_gone")
        return False

    def keep(self, keys: str) -> None:
        """Save what was typed, in case the session is interrupted."""


def choose_seats(
    ctx: CommandContext, match: str, opening: Opened | SeenEntry, allowed: tuple[Seat, ...], text: str | None
) -> tuple[Seat, ...]:
    """Return the seats recorded here. Raises CommandError for a seat that is not allowed."""
    seats = allowed if text is None else seats_of(opening.seats, text, opening.names)
    if isinstance(seats, str) or not set(seats) <= set(allowed):
        wrong = seats if isinstance(seats, str) else next(seat for seat in seats if seat not in allowed)
        raise ctx.problem("play.no_seat", seat=quote_input(wrong), match=match, allowed=", ".join(allowed))
    return seats
