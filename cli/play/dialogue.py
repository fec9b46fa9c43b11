"""What is said to whoever records and what they type, wherever the match is kept: in a store here, or at a service."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from cli.context import Desk
from cli.play.keys import Keys
from cli.play.paper import Paper
from cli.play.picker import Aside, Back, Picker
from cli.problems import Problem
from domain.words import say
from projections.timeline import Line, render_timeline

ELSE, UNDO, REDO, BOARD, VIEWER, HELP, QUIT, ACTOR, SILENCE, READ = "!", "-", "+", "=", "@", "?", ".", "/", ",", ":"
"""Keys that are always offered."""


T = TypeVar("T")


class Talk:
    """Prompts and their answers, the keys that are always offered, and lines that tell what was recorded."""

    lost: ClassVar[Any]
    """The kind of error that is raised where the match cannot be got at; its `text` says why."""

    def __init__(self, desk: Desk, paper: Paper) -> None:
        self.desk, self.paper = desk, paper
        self.shows: dict[str, Callable[[], None]] = {}
        """What keys show that are always offered."""
        self.begins: dict[str, Callable[[], None]] = {}
        """What keys begin instead of what is left."""

    def attach(self, keys: Keys) -> None:
        """Where keys come from."""
        self.keys = keys
        self.picker = Picker(keys, self.paper, self.aside)
        self.picker.heard = self.heard

    def say(self, key: str, /, **values: object) -> str:
        """A text in the language shown."""
        return say(key, self.paper.lang, **values)

    def tell(self, key: str, /, **values: object) -> None:
        """A line of it."""
        self.paper.line(self.say(key, **values))

    def complain(self, problem: Problem) -> None:
        """A message, and what explains it."""
        self.paper.line(problem.message)
        for text in problem.more:
            self.paper.line(text)

    def tell_lines(self, lines: Iterable[Line], *, named: bool = True) -> None:
        """Entries with the clause of each fact; the first without its own line if it has been named."""
        rows = render_timeline(lines, self.paper.lang)
        self.paper.beginning(rows if named else rows[1:], self.say("play.more"))

    # What is typed

    def heard(self, label: str) -> None:
        """What the keys taken so far mean, for people."""

    def aside(self, key: str) -> bool:
        """A key that is always offered: shows something, or leaves what was begun. False if it is none."""
        if key in self.begins or key == QUIT:
            raise Aside(key)
        if key not in self.shows:
            return False
        self.paper.said(key)
        self.shows[key]()
        self.keys.forget()
        return True

    def leave(self, key: str) -> bool:
        """What was begun is left for what this key begins. False to end."""
        self.paper.said(key)
        if key == QUIT:
            self.keys.forget()
            return False
        try:
            self.keys.restart(key)
            self.begins[key]()
        except Aside as aside:
            return self.leave(aside.key)
        except Back:
            self.let_go()
        return True

    def text(self, head: str, items: Sequence[str] = ()) -> str:
        """A line of free text."""
        self.paper.ask(head, items)
        text = self.keys.text()
        if text:
            self.heard(text)
        return text

    def need(self, head: str) -> str:
        """A line of free text. Raises Back if it is empty."""
        if not (text := self.text(head)):
            raise Back
        return text

    def reason(self, usual: str) -> str:
        """Why something is done; Enter means the usual reason."""
        return self.text(self.say("play.reason"), [f"[{self.say('play.enter')}] {usual}"]) or usual

    def meant(self, what: str) -> bool:
        """Is this to be recorded? It is asked if its last key was typed before what was recorded last was shown."""
        if not self.keys.early:
            return True
        self.keys.forget_early()
        return self.sure(self.say("play.early", what=what), self.say("play.record"))

    def sure(self, head: str, enter: str) -> bool:
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
                    if not self.sure(self.say("play.not_lost"), self.say("play.again")):
                        return None
                except Aside as aside:
                    if aside.key == QUIT:
                        raise
                    return None

    def let_go(self) -> bool:
        """What was begun is not recorded."""
        self.keys.clear()
        self.tell("play.let_gone")
        return False
