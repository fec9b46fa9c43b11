"""Decide the recorded actions of a match under other rules, on the tables that these lead to.

Actions are carried over by meaning. Choices and passes that only one side has are aligned first. A choice that is no
longer asked is dropped if the tables agree without it. A new choice is answered by the game's default if it decides
nothing, or by any answer if all lead to the same verdict. Other new choices leave the match undecided. Passes may come
in another order. An action is illegal only if no alignment helps.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from domain.judging.audit import dealt, hide_set_up
from domain.judging.rejudging import path as P, tables as T
from domain.judging.rejudging.card_knowledge import CardKnowledge
from domain.judging.rejudging.verdict import Aligned, AlignedHow, Missing, Verdict, VerdictKind, winners
from domain.law import entries as E
from domain.law.actions import CONCEDE, PASS
from domain.law.clause import CitedFacts, Refusal
from domain.law.driver import accepts, decide, decide_as_played, set_up, skips_questions
from domain.law.game import Game, R, decks_of
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome, UnknownFaceError
from domain.law.slots import A, Action, verb
from domain.table.draft import Draft
from domain.table.evolve import EVOLVE
from domain.table.physics import ACTORS, physics_of
from domain.table.table import CHANCE, LANES, Frame, Seat, Table, blank, lane
from domain.words import Text

ANSWERS_MAX = 16
"""Maximum number of answers to try for one unanswered choice."""
BRANCHES_MAX = 64
"""Maximum number of answers to try in one match."""
INSERTED_MAX = 32
"""Maximum number of actions to insert before one recorded entry."""

AfterEntry = Callable[[int, P.Path], object]
"""Callback after each entry that was not spared, with its number and the path."""


def rejudge(
    game: Game[R, A],
    entries: Sequence[E.Entry],
    rules: R,
    among: range = range(0),
    *,
    spared: bytes = b"",
    after_entry: AfterEntry = lambda number, path: None,
) -> Verdict:
    """Decide a recorded match again under these rules.

    Differences are collected for all entries in `among`, and for the first that differs. A 1 in `spared` marks an entry
    known to lead from the recorded table to the recorded facts. It is applied without a decision while nothing has
    differed.

    Raises Unreadable for foreign actions and decks that were not dealt.
    """
    return _Rejudging(Law(game, rules), entries, among, spared, after_entry).verdict()


class _Rejudging:
    """One match under other rules. Its only state is the number of answers tried."""

    def __init__(self, law: Law, entries: Sequence[E.Entry], among: range, spared: bytes, seen: AfterEntry) -> None:
        self.law, self.opened = law, E.opened_of(entries)
        self.card_knowledge = CardKnowledge(law, self.opened, entries)
        self.steps = tuple(P.steps_of(law.game, entries))
        self.among, self.spared, self.after_entry = among, spared, seen
        self.physics = physics_of(law.schema())
        self.is_counter = law.game.display.is_counter
        self.branches = 0
        self.result = P.result_of(self.opened, self.steps)

    def verdict(self) -> Verdict:
        before = blank(self.opened.seats)
        start = P.Path(table=before, recorded=before, frames={})
        if P.is_spared(self.spared, 1):
            return self._run(P.as_recorded(start, [self.opened]), 0)
        decks = decks_of(self.opened)
        cards, odd = dealt(self.opened.told, decks)
        accepted, refused = set_up(self.law, decks, cards)
        if accepted is None:
            assert refused is not None
            return self._end("illegal", start, 1, refused[1])
        if odd:
            raise P.Unreadable(Text("rejudge.not_dealt", {"seat": odd}))
        accepted = hide_set_up(self.physics, self.opened, accepted)
        path = self._advance(start, 1, self.opened, accepted)
        self.after_entry(1, path)
        return self._run(path, 0)

    # -- along the record ---------------------------------------------------------------------------------------------

    def _run(self, path: P.Path, begin: int) -> Verdict:
        at = begin
        while at < len(self.steps):
            if self.spared and (spared := P.spared_from(path, self.steps, at, self.spared)):
                path = P.as_recorded(path, [step.entry for step in self.steps[at : at + spared]])
                at += spared
                continue
            step = self.steps[at]
            match step.entry:
                case E.Corrected() | E.Gap():
                    by_hand = self._apply_by_hand(path, step)
                    if by_hand is None:
                        return self._end("undecided", path, step.number, why="by_hand")
                    path = by_hand
                case E.Played():
                    try:
                        played = self._play(path, step, at)
                    except UnknownFaceError:
                        return self._end("undecided", path, step.number, why="unseen")
                    if isinstance(played, Verdict):
                        return played
                    path = played
                case _:
                    pass
            self.after_entry(step.number, path)
            at += 1
        try:
            path = self._play_owed_passes(path)
        except UnknownFaceError:
            return self._end("undecided", path, self.steps[-1].number, why="unseen")
        return self._finish(path, self.steps[-1].number if self.steps else 1)

    def _play(self, path: P.Path, step: P.LineStep, at: int) -> P.Path | Verdict:
        entry = step.entry
        assert isinstance(entry, E.Played) and step.action is not None
        if path.table.result is not None:
            return self._finish_early(path, at)
        action = T.carry_over(step.action, path.frames)
        before = path
        if first := E.leading_faces(entry.told):
            self.card_knowledge.look(first)
            path = P.with_seen(path, first)
            entry = replace(entry, told=entry.told[len(first) :])
        if self.card_knowledge.has_unknown_faces(path.table):
            outcome = self.card_knowledge.decide(before, step, action)
        else:
            outcome = self._decide(path, entry, action)
        if outcome is None:
            return self._end("undecided", path, step.number, why="unseen")
        if isinstance(outcome, Accepted):
            if (
                path.table is not path.recorded
                and P.is_moot_pass(path, action)
                and not self._is_idle(path, outcome.told)
            ):
                return self._drop(path, step, entry, action, (path.recorded, path.table))
            return self._advance(path, step.number, entry, outcome)
        return self._align(path, step, at, entry, action, outcome)

    def _decide(self, path: P.Path, entry: E.Played, action: Action) -> Outcome:
        outcome = decide(self.law, path.table, entry.actor, action)
        if isinstance(outcome, Refusal) and entry.violations:
            skips = skips_questions(self.law, path.table, entry.actor, action, entry.told)
            as_played_outcome = decide_as_played(self.law, path.table, entry.actor, action, skips=skips)
            if isinstance(as_played_outcome, Accepted):
                return as_played_outcome
        return outcome

    def _advance(self, path: P.Path, number: int, entry: E.Entry, outcome: Accepted) -> P.Path:
        told = E.entry_facts(entry)
        if path.owed and not (isinstance(entry, E.Played) and self._is_idle(path, outcome.told)):
            path = replace(path, owed=())
        if told == outcome.told and path.table is path.recorded:
            return replace(path, table=outcome.table, recorded=outcome.table)
        recorded = E.apply_entry(path.recorded, entry)
        first, differing = path.first, path.differing
        if first is None or number in self.among:
            difference = P.difference_of(path, number, told, outcome, recorded, self.is_counter)
            first = first or difference
            if difference is not None and number in self.among:
                differing = (*differing, difference)
        frames = T.pair_frames(path.frames, told, outcome.told)
        # while only one side has a question, the difference may come from that choice
        beside = (
            (recorded, outcome.table) if P.list_questions(recorded) == P.list_questions(outcome.table) else path.beside
        )
        return replace(
            path,
            table=outcome.table,
            recorded=recorded,
            frames=frames,
            beside=beside,
            first=first,
            differing=differing,
        )

    def _apply_by_hand(self, path: P.Path, step: P.LineStep) -> P.Path | None:
        """Apply facts entered by hand; None if they have become impossible."""
        draft = Draft(path.table)
        for _, fact in E.entry_facts(step.entry):
            if self.physics.explain_impossible(draft, fact) is not None:
                return None
            EVOLVE[type(fact)](draft, fact)
        table = draft.freeze()
        if path.table is path.recorded:
            return replace(path, table=table, recorded=table)
        recorded = E.apply_entry(path.recorded, step.entry)
        return replace(path, table=table, recorded=recorded, beside=(recorded, table))

    # -- alignment ----------------------------------------------------------------------------------------------------

    def _align(
        self, path: P.Path, step: P.LineStep, at: int, entry: E.Played, action: Action, refusal: Refusal
    ) -> P.Path | Verdict:
        asked = next(iter(path.table.asked), None)
        default = self.law.cosmetic(path.table)
        if entry.actor == CHANCE and asked is not None and asked.by == CHANCE:
            return self._end("undecided", path, step.number, refusal, why="chance")
        if asked is not None and default is not None:
            answered = self._insert(path, step, asked.by, default, "defaulted")
            if answered is not None:
                if verb(default) != verb(action) or entry.actor != asked.by:
                    return self._try_again(answered, at)
                return replace(answered, recorded=E.apply_entry(path.recorded, entry))
        if verb(action) != PASS:
            passed = self._let_others_pass(path, step, entry.actor, action)
            if passed is not None:
                return self._try_again(passed, at)
        recorded = E.apply_entry(path.recorded, entry)
        is_stale = P.is_stale_answer(path, entry)
        if is_stale and recorded.result is not None and path.table.result is None:
            if any(lane(path.table, name) for name in LANES):
                return self._end("undecided", path, step.number, refusal, why="no_end")
            return self._end("winner", path, step.number, refusal)
        is_new = asked is not None and P.list_questions(path.recorded)[:1] != [(asked.kind, asked.by)]
        must_answer_first = is_new and verb(action) == PASS and not self._is_answered_later(path, at)
        if not must_answer_first and self._is_droppable(path, step, entry, recorded, is_stale):
            return self._drop(path, step, entry, action, (recorded, path.table))
        if asked is not None and is_new:
            if asked.by == CHANCE:
                return self._end("undecided", path, step.number, refusal, why="chance")
            return self._try_answers(path, step, at, asked, refusal)
        if verb(action) == PASS:
            passed = self._let_others_pass(path, step, entry.actor, action)
            if passed is not None:
                return self._try_again(passed, at)
        return self._end("illegal", path, step.number, refusal)

    def _try_again(self, path: P.Path, at: int) -> P.Path | Verdict:
        """Play the same recorded entry again after an inserted action."""
        step = self.steps[at]
        if sum(note.entry == step.number and note.how != "dropped" for note in path.aligned) > INSERTED_MAX:
            return self._end("undecided", path, step.number, why="choice")
        return self._play(path, step, at)

    def _is_answered_later(self, path: P.Path, at: int) -> bool:
        """True if the record's next action that is no pass answers the open question."""
        for step in self.steps[at:]:
            if isinstance(step.entry, E.Played) and step.action is not None and verb(step.action) != PASS:
                action = T.carry_over(step.action, path.frames)
                return accepts(self.law, self.card_knowledge.asking(path.table), step.entry.actor, action)
        return False

    def _drop(self, path: P.Path, step: P.LineStep, entry: E.Played, action: Action, beside: P.Beside) -> P.Path:
        """Apply the entry to the record only. A pass on the same stack stays owed."""
        how: AlignedHow = "unused_chance" if entry.actor == CHANCE else "dropped"
        owed = path.owed
        if verb(action) == PASS and T.stack_by_meaning(path.recorded) == T.stack_by_meaning(path.table):
            owed = (*owed, entry.actor)
        aligned = (*path.aligned, Aligned(entry=step.number, how=how, actor=entry.actor, action=action))
        return replace(path, aligned=aligned, beside=beside, recorded=E.apply_entry(path.recorded, entry), owed=owed)

    def _is_droppable(self, path: P.Path, step: P.LineStep, entry: E.Played, recorded: Table, is_stale: bool) -> bool:
        """True if the entry is a choice, pass or outcome that is no longer asked, and both tables agree without it."""
        if entry.actor == CHANCE:
            return True
        assert step.action is not None
        if verb(step.action) == PASS:
            is_flow = T.only_flow(entry.told, self.is_counter)
            return is_flow or P.is_moot_pass(path, step.action) or self._is_alike(path, recorded)
        return is_stale and (self.law.cosmetic(path.recorded) is not None or self._is_alike(path, recorded))

    def _is_alike(self, path: P.Path, recorded: Table) -> bool:
        return T.apart(recorded, path.table, self.is_counter) <= path.apart(self.is_counter)

    def _is_idle(self, path: P.Path, told: CitedFacts) -> bool:
        return T.idle(path.table, told, self.is_counter)

    def _let_others_pass(self, path: P.Path, step: P.LineStep, actor: Seat, action: Action) -> P.Path | None:
        """Let others pass until the action fits or its question is asked; None if that does not happen. Such a pass
        must change nothing, unless it is owed."""
        for _ in range(2 * len(path.table.seats)):
            if path.table.asked or path.table.result is not None:
                return None
            passed = None
            for seat in path.table.clock.awaited:
                passing = self._pass(path, seat) if seat in path.owed or seat != actor else None
                passed = self._insert(path, step, seat, passing, "passed") if passing is not None else None
                if passed is not None:
                    break
            if passed is None:
                return None
            path = passed
            fits = accepts(self.law, self.card_knowledge.asking(path.table), actor, T.carry_over(action, path.frames))
            if fits or (path.table.asked and P.list_questions(path.table)[:1] == P.list_questions(path.recorded)[:1]):
                return path
        return None

    def _play_owed_passes(self, path: P.Path) -> P.Path:
        """At the end of the record, play the owed passes."""
        while path.owed and not path.table.asked and path.table.result is None:
            seat = next((seat for seat in path.table.clock.awaited if seat in path.owed), None)
            passing = self._pass(path, seat) if seat is not None else None
            passed = self._insert(path, self.steps[-1], seat, passing, "passed") if seat and passing else None
            if passed is None:
                break
            path = passed
        return path

    def _pass(self, path: P.Path, seat: Seat) -> Action | None:
        passes = (template for template in self.law.offers(path.table, seat) if template.verb == PASS)
        return next((template.action() for template in passes), None)

    def _insert(self, path: P.Path, step: P.LineStep, seat: Seat, action: Action, how: AlignedHow) -> P.Path | None:
        """Insert an allowed action that the record lacks. A pass must be without consequence, or owed."""
        outcome = decide(self.law, path.table, seat, action, asking=self.card_knowledge.has_unknown_faces(path.table))
        if isinstance(outcome, Refusal):
            return None
        owed = tuple(other for other in path.owed if other != seat)
        if how != "passed" or not T.idle(path.table, outcome.told):
            if how == "passed" and seat not in path.owed:
                return None
            owed = ()
        aligned = (*path.aligned, Aligned(entry=step.number, how=how, actor=seat, action=action))
        return replace(path, table=outcome.table, owed=owed, aligned=aligned)

    def _try_answers(self, path: P.Path, step: P.LineStep, at: int, asked: Frame, refusal: Refusal) -> Verdict:
        """Try the answers to a choice that the record lacks; undecided if their verdicts differ."""
        verdicts: list[Verdict] = []
        actions = list(islice(self._list_answers(path, asked), ANSWERS_MAX + 1))
        if not actions:
            return self._end("illegal", path, step.number, refusal)
        for action in actions:
            self.branches += 1
            if len(actions) > ANSWERS_MAX or self.branches > BRANCHES_MAX:
                return self._end("undecided", path, step.number, refusal, why="choice")
            taken = self._insert(path, step, asked.by, action, "any_answer")
            if taken is None:
                continue
            played = self._try_again(taken, at)
            verdicts.append(played if isinstance(played, Verdict) else self._run(played, at + 1))
            if verdicts[-1].meaning != verdicts[0].meaning:
                return self._end("undecided", path, step.number, refusal, why="choice")
        return verdicts[0] if verdicts else self._end("illegal", path, step.number, refusal)

    def _list_answers(self, path: P.Path, asked: Frame) -> Iterator[Action]:
        for template in self.law.offers(self.card_knowledge.asking(path.table), asked.by):
            for action in template.expansions():
                # conceding is always possible and never an answer
                if verb(action) != CONCEDE and accepts(
                    self.law, self.card_knowledge.asking(path.table), asked.by, action
                ):
                    yield action

    # -- the end ------------------------------------------------------------------------------------------------------

    def _finish_early(self, path: P.Path, at: int) -> Verdict:
        """Return the verdict if the rejudged match ends before the recorded one.

        Remaining passes, choices, chance, concessions and a judge's end are dropped. Any other action is illegal if it
        is refused and the winners are the same.
        """
        number, recorded = self.steps[at].number, path.recorded
        if recorded.result is None and winners(self.result) == winners(path.table.result):
            for step in self.steps[at:]:
                entry, asked = step.entry, P.list_questions(recorded)[:1]
                recorded = E.apply_entry(recorded, entry)
                if not isinstance(entry, E.Played) or entry.actor in ACTORS:
                    continue
                if asked and asked[0][1] == entry.actor:
                    continue
                assert step.action is not None
                action = T.carry_over(step.action, path.frames)
                refused = decide(
                    self.law, path.table, entry.actor, action, asking=self.card_knowledge.has_unknown_faces(path.table)
                )
                if verb(action) not in (PASS, CONCEDE) and isinstance(refused, Refusal):
                    return self._end("illegal", path, step.number, refused)
        return self._finish(path, number)

    def _finish(self, path: P.Path, number: int) -> Verdict:
        recorded, rejudged = self.result, path.table.result
        if rejudged is None and recorded is not None:
            return self._end("undecided", path, number, why="no_end")
        if winners(recorded) != winners(rejudged):
            return self._end("winner", path, number)
        same = path.first is None and not path.aligned
        return self._end("identical" if same else "path", path, number)

    def _end(
        self, kind: VerdictKind, path: P.Path, number: int, refusal: Refusal | None = None, why: Missing = ""
    ) -> Verdict:
        return P.end(path, kind, number, self.result, refusal, why)
