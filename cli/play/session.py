"""Session at a match in a store: prompts, records and reports."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain

from msgspec.structs import replace

from cli.context import CommandContext, quote_input
from cli.play.actions import Asker
from cli.play.dialogue import BOARD, HELP, QUIT, VIEWER, Dialogue
from cli.play.draft import Drafts
from cli.play.offers import ActorPosition, list_offered_templates
from cli.play.paper import Paper
from cli.play.picker import Aside
from cli.record import outcome
from domain.formats.actions import write_action
from domain.formats.places import PlaceNames
from domain.law.actions import PASS, Pass
from domain.law.clause import Clause, Refusal
from domain.law.driver import accepts, decide_as_played
from domain.law.entries import Entry, Played
from domain.law.face_request import FaceRequest
from domain.law.law import Law
from domain.law.slots import Action, verb
from domain.law.unseen import Faces
from domain.table.physics import Physics
from domain.table.redact import SPECTATOR, SeenFrame, TableViewer
from domain.table.table import CHANCE, JUDGE, Frame, Seat, Table, frame
from domain.words.foreign import explain_system_error
from projections.board import board, render_board
from projections.findings import sentence
from projections.phrases import Names, question_source_words, seat_name
from projections.verb_keys import verb_keys
from recorder import matches
from recorder.answers import RecordResult, Unavailable, Undetermined, Unfit, Withheld
from recorder.clock import read_wall_clock
from recorder.match_loader import LoadedMatch, load_match
from recorder.store import Conflict, Store, StoreError


class PlaySession(Dialogue):
    """State of a session: the match, our seats and the viewer."""

    lost = StoreError

    def __init__(
        self,
        ctx: CommandContext,
        store: Store,
        match: LoadedMatch,
        ours: tuple[Seat, ...],
        paper: Paper,
        by: str,
    ) -> None:
        super().__init__(ctx, paper, match.id, ours)
        self.store, self.match = store, match
        self.by, self.by_hand = by, False
        self.physics = Physics(match.opening.schema)
        self.places = PlaceNames(match.game.display, match.opening.schema)
        self.verb_keys = verb_keys(match.game)
        self.viewers = (*ours, SPECTATOR, *((JUDGE,) if self.all_ours else ()))
        self.viewer = ours[0] if len(ours) == 1 else SPECTATOR
        self.drafts = Drafts(store, match.id, ",".join(ours), self._warn_of_draft)
        self.croupier = store.secret(match.id) is not None
        self.keeping = False
        self.shows = {HELP: partial(self.print_message, "play.help"), BOARD: self.board, VIEWER: self._next_viewer}
        self._warned = False

    @property
    def all_ours(self) -> bool:
        """True if all seats are recorded here. Only then may hidden cards be named freely."""
        return self.ours == self.match.opening.seats

    @property
    def law(self) -> Law:  # type: ignore[override]
        return self.match.law

    @property
    def names(self) -> Names:  # type: ignore[override]
        return self.match.names

    def actors(self) -> list[Seat]:
        awaited = self.match.game.awaited(self.table)
        able = [seat for seat in self.ours if list_offered_templates(self.actor_position(seat))]
        able.sort(key=lambda seat: (seat != self.preferred, seat not in awaited))
        return able

    @property
    def eyes(self) -> TableViewer:
        return TableViewer(self.physics, self.viewer)

    def actor_position(self, actor: Seat) -> ActorPosition:
        return ActorPosition(self.match.law, self.match.table, actor, self.match.names)

    def asker(self, actor: Seat, question: Frame | None = None) -> Asker:
        """Return the dialogue that fills templates for a seat, or for the answer to a question."""
        numbered = () if question is None else (*question.seats, *question.words)
        return Asker(self.picker, self.physics, self.actor_position(actor), self.paper.lang, numbered)

    # Input

    def keep(self, keys: str) -> None:
        if self.keeping:
            self.drafts.keep(keys)

    def remember_label(self, label: str) -> None:
        self.drafts.words.append(label)
        self.keep("".join(self.keys.taken))

    def begin(self) -> None:
        self._offer_draft()
        self.keeping = True

    def _offer_draft(self) -> None:
        draft = self.drafts.read()
        if draft is None:
            return
        words = " ".join(part for part in (draft.words, f"({quote_input(draft.keys)})") if part)
        self.print_message("play.draft", keys=words)
        same = draft.version == self.match.version
        if not same:
            self.print_message("play.draft_moved", then=draft.version, now=self.match.version)
        go = self.say("play.draft_go" if same else "play.let_go")
        while True:
            try:
                taken = self.confirm(self.say("play.not_lost"), go)
                break
            except Aside as aside:
                if aside.key == QUIT:
                    raise EOFError from None
                self.paper.finish_prompt(self.say("play.not_here", key=aside.key))
        self.keys.taken.clear()
        self.drafts.words.clear()
        self.drafts.version = self.match.version
        self.keeping = True
        if same and taken:
            self.keys.again(draft.keys)
        else:
            self.keys.clear()

    def end(self) -> None:
        if self.keys.taken and self.keeping:
            self.print_message("play.kept", keys=" ".join(self.drafts.words) or "".join(self.keys.taken).strip())
        self.print_message("play.bye", match=self.match.id, entries=self.match.version)

    def _warn_of_draft(self, error: OSError) -> None:
        if not self._warned:
            self._warned = True
            self.print_message("play.draft_failed", detail=explain_system_error(error))

    def _next_viewer(self) -> None:
        self.viewer = self.viewers[(self.viewers.index(self.viewer) + 1) % len(self.viewers)]
        self.print_message("play.viewer", viewer=seat_name(self.match.names, self.viewer, self.paper.lang))

    # Output

    def board(self) -> None:
        drawn = board(self.match, self.eyes)
        self.paper.rows(render_board(drawn, self.match.law, self.physics.schema, self.paper.lang))

    def state(self) -> None:
        table = self.match.table
        frames = (self.eyes.frame(table, request) for request in reversed(table.stack))
        self.tell_state(self.match.version, table.clock, self.match.game.awaited(table), frames)

    def question(self, actor: Seat, asked: Frame) -> None:
        """Print the text of the card that asks a question, if any."""
        table, eyes = self.match.table, TableViewer(self.physics, actor)
        requests = (frame(table, number) for number in asked.frames)
        serves: dict[int, SeenFrame] = {
            request.id: eyes.frame(table, request) for request in requests if request is not None
        }
        seen = eyes.frame(table, asked)
        if text := question_source_words(self.match.game, seen, serves, self.paper.lang):
            self.print_message("play.says", what=self.word(serves[seen.frames[0]].face), text=text)

    def show_entries(
        self, first: int, entries: Sequence[Entry], before: Table | None = None, *, named: bool = True
    ) -> None:
        """Print new entries with the clause of each fact; the first without its own line unless `named`."""
        lines = outcome.lines(self.ctx, self.match, self.eyes, first, entries, before)
        self.tell_lines(lines, named=named)

    def explain(self, refusal: Refusal) -> None:
        self.cite(refusal.clause)

    def cite(self, clause: Clause) -> None:
        both = sentence(self.match.law, clause)
        self.print_message("play.refused", clause=clause, sentence=self.ctx.pick(both.en, both.ja))

    def trouble(self, answer: object) -> None:
        self.complain(outcome.not_recorded_error(self.ctx, self.store, answer))

    # Recording

    def refresh(self) -> bool:
        match = self.safely(lambda: load_match(self.store, self.match.id))
        if isinstance(match, Unavailable):
            raise self.ctx.unavailable(match.match, match.why)
        if match is None:
            return False
        before, self.match = self.match.version, match
        if match.version > before:
            self.print_message("play.meanwhile")
            self.show_entries(before + 1, match.entries[before:])
        self.drafts.version = match.version
        return True

    def refresh_quietly(self) -> None:
        """Reload the match after an own entry."""
        with suppress(StoreError):
            match = load_match(self.store, self.match.id)
            if isinstance(match, LoadedMatch):
                self.match = match
        self.drafts.version = self.match.version

    def submit(self, actor: Seat, action: Action, as_played: bool = False, faces: Faces | None = None) -> bool:
        """Record an action; return True once it is on disk. The user may record an illegal action as played.

        `faces` are the real cards that the action names. Cards that become visible are asked for.
        """
        if not self.confirm_early_input(self.text_of(actor, action)):
            return self.discard_input()
        ends = cache(partial(self.sure_to_end, self.say("play.ends")))
        shows: list[tuple[str, ...]] = []
        while True:
            seen = tuple(chain(*shows))
            answer = self.safely(partial(self._play, actor, action, as_played, faces, seen, ends))
            match answer:
                case None | Withheld():
                    return self.discard_input()
                case Unfit() | Undetermined() if shows:
                    self.trouble(answer)
                    shows.pop()
                case FaceRequest():
                    typed = self.ask_faces(answer.place, answer.purpose)
                    if not typed:
                        return self.discard_input()
                    shows.append(typed)
                case RecordResult():
                    self.complete_entry(answer, count=actor != CHANCE)
                    return True
                case Refusal():
                    self.explain(answer)
                    again = decide_as_played(self.match.law, self.match.table, actor, action)
                    if answer.by_hand or isinstance(again, Refusal):
                        self.print_message("play.by_hand_only")
                        return self.discard_input()
                    if not self.confirm(self.text_of(actor, action), self.say("play.as_played")):
                        return self.discard_input()
                    as_played = True
                case Conflict():
                    if not self._after_conflict(actor, action, as_played):
                        return self.discard_input()
                case _:
                    self.trouble(answer)
                    return self.discard_input()

    def pass_by(self, actor: Seat) -> object:
        """Record a pass without questions; return the recorder's answer."""
        return self.safely(partial(self._play, actor, Pass(), False, None, (), lambda: False))

    def _play(
        self,
        actor: Seat,
        action: Action,
        as_played: bool,
        faces: Faces | None,
        shows: tuple[str, ...],
        ends: Callable[[], bool],
    ) -> object:
        """Record an action. One that ends the match needs confirmation, if legal: only a rewind could undo it."""
        return matches.play(
            self.store,
            self.match.id,
            actor,
            action,
            as_played,
            expected=self.match.version,
            at=read_wall_clock(),
            with_croupier=not self.by_hand,
            faces=faces,
            shows=shows,
            ends=ends,
        )

    def _after_conflict(self, actor: Seat, action: Action, as_played: bool) -> bool:
        text = self.text_of(actor, action)
        if not self.refresh():
            return False
        self.state()
        self.print_message("play.not_recorded", action=text)
        if self.match.closed or not (as_played or accepts(self.match.law, self.table, actor, action)):
            return False
        return self.confirm(text, self.say("play.record"))

    def text_of(self, actor: Seat, action: Action) -> str:
        """Return an action in notation; only its verb if the user may not know the cards."""
        with suppress(ValueError):
            if self.all_ours:
                return write_action(self.match.game, self.match.table, actor, action, schema=self.match.opening.schema)
        return f"{actor}: {self.word(verb(action))}"

    def complete_entry(self, recorded: RecordResult, count: bool = False) -> None:
        """Report the consequences of a recorded entry, and start the next input."""
        typed = self.keys.clear()
        self.keys.mark()
        if count:
            self.tally.add(typed, passing=isinstance(recorded.entry, Played) and self._passes(recorded.entry))
        self.settle(recorded)
        self.show_entries(recorded.version, (recorded.entry, *recorded.also), recorded.before)

    def _passes(self, entry: Played) -> bool:
        return verb(self.match.game.decoder().decode(entry.action)) == PASS

    def settle(self, recorded: RecordResult) -> None:
        self.preferred = None
        self.refresh_quietly()
        if self.match.version + 1 == recorded.version:  # the entry is on disk, but the match could not be reloaded
            match = self.match
            entries = (*match.entries, recorded.entry, *recorded.also)
            self.match = replace(match, entries=entries, table=recorded.table)
        self.drafts.version = self.match.version

    @property
    def table(self) -> Table:
        return self.match.table
