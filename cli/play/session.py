"""One session at a match: looks at it, asks, records, says what followed; the recorder alone writes."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from cli.context import Desk
from cli.play.acting import Asker
from cli.play.counting import Counts
from cli.play.draft import Drafts
from cli.play.keys import Keys
from cli.play.offering import Seen, verb_keys
from cli.play.paper import Paper
from cli.play.picking import Aside, Back, Picker
from cli.problems import Problem
from cli.record import outcome
from domain.formats.actions import write_action
from domain.law.clause import Refusal
from domain.law.driver import accepts, decide_as_played
from domain.law.entries import Entry
from domain.law.slots import Action, verb
from domain.law.unseen import Faces, FaceWanted
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, SeenFrame, see_frame
from domain.table.table import CHANCE, JUDGE, Frame, Seat, Table, frame
from domain.words.foreign import system
from projections.board import board, render_board
from projections.findings import sentence
from projections.phrases import asks, clock_words, frame_words, place_words, seat_words
from projections.stack_rows import HELD, aims
from projections.timeline import render_timeline
from projections.words import say
from recorder import matches
from recorder.answers import Recorded, Unavailable, Unfit, Withheld
from recorder.clock import now
from recorder.loading import Match, load_match
from recorder.store import Conflict, Store, StoreError

ELSE, UNDO, REDO, BOARD, VIEWER, HELP, QUIT, ACTOR = "!", "-", "+", "=", "@", "?", ".", "/"
"""Keys that are always offered."""
LEAVING = (ELSE, UNDO, REDO, QUIT, ACTOR)
"""Those that leave an action half typed."""


class Session:
    """What is known while recording: the match as it stands, whose seats are recorded here, how it is shown."""

    def __init__(
        self, desk: Desk, store: Store, found: Match, ours: tuple[Seat, ...], paper: Paper, by: str, by_hand: bool
    ) -> None:
        self.desk, self.store, self.found, self.ours, self.paper = desk, store, found, ours, paper
        self.by, self.by_hand = by, by_hand
        self.physics = Physics(found.opened.schema)
        self.verb_keys = verb_keys(found.game)
        self.viewers = (*ours, SPECTATOR, *((JUDGE,) if self.all_ours else ()))
        self.viewer = ours[0] if len(ours) == 1 else SPECTATOR
        self.preferred: Seat | None = None
        self.counts = Counts()
        self.drafts = Drafts(store.name, found.id, ",".join(ours), self._draft_failed)
        self.croupier = store.secret(found.id) is not None
        self.keeping = False
        self._warned = False

    def attach(self, keys: Keys) -> None:
        """Where keys come from."""
        self.keys = keys
        self.picker = Picker(keys, self.paper, self.aside)
        self.picker.heard = self.heard

    @property
    def all_ours(self) -> bool:
        """Are all seats recorded here? Only then may hidden cards be named freely."""
        return self.ours == self.found.opened.seats

    def say(self, key: str, /, **values: object) -> str:
        """A text in the language shown."""
        return say(key, self.paper.lang, **values)

    def line(self, key: str, /, **values: object) -> None:
        """A line of it."""
        self.paper.line(self.say(key, **values))

    def word(self, code: str) -> str:
        """A code name in the game's words."""
        return self.found.game.rulebook.word(code, self.paper.lang)

    def seen(self, actor: Seat) -> Seen:
        """The table for one who acts."""
        return Seen(self.found.law, self.found.table, actor)

    def asker(self, actor: Seat, question: Frame | None = None) -> Asker:
        """Fills templates for one who acts, or who answers a question."""
        numbered = () if question is None else (*question.seats, *question.words)
        return Asker(self.picker, self.physics, self.seen(actor), self.paper.lang, numbered)

    # What is typed

    def keep(self, keys: str) -> None:
        """Every key as it is taken."""
        if self.keeping:
            self.drafts.keep(keys)

    def heard(self, label: str) -> None:
        """What the keys taken so far mean, for people."""
        self.drafts.words.append(label)
        self.keep("".join(self.keys.taken))

    def _draft_failed(self, error: OSError) -> None:
        if not self._warned:
            self._warned = True
            self.line("play.draft_failed", detail=system(error))

    def aside(self, key: str) -> bool:
        """A key that is always offered: shows something, or leaves what was begun. False if it is none."""
        if key in LEAVING:
            raise Aside(key)
        match key:
            case _ if key == HELP:
                self.paper.said("?")
                self.line("play.help")
            case _ if key == BOARD:
                self.paper.said("=")
                self.board()
            case _ if key == VIEWER:
                at = self.viewers.index(self.viewer) + 1
                self.viewer = self.viewers[at % len(self.viewers)]

                self.paper.said("@")
                self.line("play.viewer", viewer=seat_words(self.viewer, self.paper.lang))
            case _:
                return False
        self.keys.forget()
        return True

    def text(self, head: str, items: Sequence[str] = ()) -> str:
        """A line of free text."""
        self.paper.ask(head, items)
        found = self.keys.text()
        if found:
            self.heard(found)
        return found

    def sure(self, head: str, enter: str) -> bool:
        """Enter says yes, a step back says no. Other keys that leave it leave it."""
        try:
            self.picker.choose(head, {}, enter, {"<": self.say("play.let_go")})
        except Back:
            return False
        return True

    # What is shown

    def board(self) -> None:
        """The table as the viewer sees it."""

        drawn = board(self.found.law, self.found.entries, self.found.version, self.viewer)
        self.paper.rows(render_board(drawn, self.found.game, self.paper.lang))

    def state(self) -> None:
        """Where the match stands, in a line."""

        table, game, lang = self.found.table, self.found.game, self.paper.lang
        frames = [see_frame(self.physics, table, self.viewer, one) for one in reversed(table.stack)]
        held = [[cell.text for cell in aims(one, game, lang) if cell.role == HELD] for one in frames]
        named = [" ".join((frame_words(game, one, lang), *more)) for one, more in zip(frames, held, strict=True)]
        stack = " < ".join(named)
        at = table.clock
        clock = clock_words(game, at if at.awaited else replace(at, awaited=game.awaited(table)), lang)
        key = "play.state_stack" if stack else "play.state"
        self.line(key, entry=self.found.version, clock=clock, stack=stack)

    def question(self, actor: Seat, asked: Frame) -> None:
        """What a card says about which a question is asked, if it is a card that asks."""

        table = self.found.table
        found = (frame(table, one) for one in asked.frames)
        serves: dict[int, SeenFrame] = {
            one.id: see_frame(self.physics, table, actor, one) for one in found if one is not None
        }
        seen = see_frame(self.physics, table, actor, asked)
        if text := asks(self.found.game, seen, serves, self.paper.lang):
            self.line("play.says", what=self.word(serves[seen.frames[0]].face), text=text)

    def followed(self, first: int, entries: Sequence[Entry], before: Table | None = None) -> None:
        """Entries just recorded, with the clause of each fact."""

        lines = outcome.lines(self.desk, self.found, first, entries, self.viewer, before)
        self.paper.beginning(render_timeline(lines, self.paper.lang), self.say("play.more"))

    def explain(self, refusal: Refusal) -> None:
        """The clause that stands against something, and its sentence."""

        both = sentence(self.found.law, refusal.clause)
        words = both.ja if self.paper.lang == "ja" else both.en
        self.line("play.refused", clause=refusal.clause, sentence=words)

    def trouble(self, answer: Any) -> None:
        """What the recorder has against it."""
        problem = outcome.trouble(self.desk, self.store, answer)
        self.complain(problem)

    def complain(self, problem: Problem) -> None:
        """A message, and what explains it."""
        self.paper.line(problem.message)
        for one in problem.more:
            self.paper.line(one)

    # What is recorded

    def safely(self, ask: Callable[[], Any]) -> Any:
        """Do what needs the store, again and again if it cannot be used; None if it is let go."""
        while True:
            try:
                return ask()
            except StoreError as error:
                self.paper.line(error.text.say(self.paper.lang))
                try:
                    if not self.sure(self.say("play.not_lost"), self.say("play.again")):
                        return None
                except Aside as aside:
                    if aside.key == QUIT:
                        raise
                    return None

    def refresh(self) -> bool:
        """Look at the match as it stands on disk, and say what others have recorded. False if it cannot be read."""

        found = self.safely(lambda: load_match(self.store, self.found.id))
        if isinstance(found, Unavailable):
            raise self.desk.unavailable(found.match, found.why)
        if found is None:
            return False
        before, self.found = self.found.version, found
        if found.version > before:
            self.line("play.meanwhile")
            self.followed(before + 1, found.entries[before:])
        self.drafts.version = found.version
        return True

    def refresh_quietly(self) -> None:
        """Look again after something of our own."""

        with suppress(StoreError):
            found = load_match(self.store, self.found.id)
            if isinstance(found, Match):
                self.found = found
        self.drafts.version = self.found.version

    def submit(self, actor: Seat, action: Action, as_played: bool = False, faces: Faces | None = None) -> bool:
        """Record an action; True once it is on disk. What the law refuses may be recorded as played.

        Of real cards `faces` are those that the action names; what shows then is asked for.
        """
        ends = cache(partial(self.sure, self.say("play.ends"), self.say("play.record")))
        shows: list[tuple[str, ...]] = []
        while True:
            seen = tuple(face for some in shows for face in some)
            answer = self.safely(partial(self._play, actor, action, as_played, faces, seen, ends))
            match answer:
                case None | Withheld():
                    return self.let_go()
                case Unfit() if shows:
                    self.trouble(answer)
                    shows.pop()
                case FaceWanted():
                    typed = self._what_shows(answer)
                    if not typed:
                        return self.let_go()
                    shows.append(typed)
                case Recorded():
                    self.done(answer, count=actor != CHANCE)
                    return True
                case Refusal():
                    self.explain(answer)
                    again = decide_as_played(self.found.law, self.found.table, actor, action)
                    if answer.by_hand or isinstance(again, Refusal):
                        self.line("play.by_hand_only")
                        return self.let_go()
                    if not self.sure(self.text_of(actor, action), self.say("play.as_played")):
                        return self.let_go()
                    as_played = True
                case Conflict():
                    if not self._after_conflict(actor, action, as_played):
                        return self.let_go()
                case _:
                    self.trouble(answer)
                    return self.let_go()

    def _what_shows(self, wanted: FaceWanted) -> tuple[str, ...]:
        """The faces that are typed of what lies open now."""
        text = self.text(self.say("play.shows", place=place_words(self.found.game, wanted.place, self.paper.lang)))
        return tuple(text.upper().replace(",", " ").split())

    def _play(
        self,
        actor: Seat,
        action: Action,
        as_played: bool,
        faces: Faces | None,
        shows: tuple[str, ...],
        ends: Callable[[], bool],
    ) -> Any:
        """What ends the match is asked for once more, if it is allowed: only a rewind would take it back."""
        store, found, croupier = self.store, self.found, not self.by_hand
        return matches.play(
            store,
            found.id,
            actor,
            action,
            as_played,
            expected=found.version,
            at=now(),
            with_croupier=croupier,
            faces=faces,
            shows=shows,
            ends=None if as_played else ends,
        )

    def _after_conflict(self, actor: Seat, action: Action, as_played: bool) -> bool:
        """Somebody wrote first: what is there now, and whether this is meant all the same."""
        text = self.text_of(actor, action)
        if not self.refresh():
            return False
        self.state()
        self.line("play.not_recorded", action=text)
        found = self.found
        if found.closed or not (as_played or accepts(found.law, found.table, actor, action)):
            return False
        return self.sure(text, self.say("play.record"))

    def text_of(self, actor: Seat, action: Action) -> str:
        """An action in notation; for one who may not know the cards by name, its verb alone."""

        with suppress(ValueError):
            if self.all_ours:
                return write_action(self.found.game, self.found.table, actor, action)
        return f"{actor}: {self.word(verb(action))}"

    def done(self, recorded: Recorded, count: bool = False) -> None:
        """It is on disk: say what followed, and begin anew."""
        typed = self.keys.clear()
        if count:
            self.counts.add(typed)
        self.preferred = None
        entries = (recorded.entry, *recorded.chance)
        self.refresh_quietly()
        if self.found.version + 1 == recorded.version:  # it cannot be read just now, but it is there
            found = self.found
            self.found = Match(found.id, (*found.entries, *entries), recorded.table, found.law)
        self.drafts.version = self.found.version
        self.followed(recorded.version, entries, recorded.before)

    def let_go(self) -> bool:
        """What was begun is not recorded."""
        self.keys.clear()
        self.line("play.let_gone")
        return False

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.found.table
