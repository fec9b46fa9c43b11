"""Run a case: build and check its position, play its steps in every ending, and report failures."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.formats.actions import parse_action
from domain.formats.casebook.checks import explain_not_storable, misprinted, unexpected_invariants
from domain.formats.casebook.expect import BACK, Scene, describe_pass, mismatches
from domain.formats.casebook.load import Case, StartPosition, Step
from domain.formats.casebook.name_checks import find_unknown_names
from domain.formats.casebook.rulings import Rulings
from domain.formats.casebook.start_position import build, from_deck
from domain.formats.decks import DeckList, expand_copies, named_deck
from domain.formats.errors import FormatError, explain_slip, explain_unknown, locate_errors
from domain.formats.names import NO_LABELS
from domain.formats.notation.header import numbered
from domain.law.clause import CitedFacts, Clause, Refusal
from domain.law.driver import consult_clauses, decide, decide_as_played, set_up
from domain.law.entries import Entry, Opened, Played, fold_entries
from domain.law.game import Deck, Game
from domain.law.law import Law
from domain.law.outcome import Accepted, Outcome
from domain.law.pools import Overlay
from domain.law.rulesets import RulesetError, lay_over, load, make_ruleset, pin_cards, values, with_settings
from domain.law.slots import Action, slots
from domain.table.facts import Finished
from domain.table.physics import Physics
from domain.table.table import CHANCE, CardId, Seat, Table
from domain.words import Text
from domain.words.foreign import explain_system_error, quoted

ANSWERS_MAX = 100
"""Maximum number of answers that one `chance` line gives."""

Loader = Callable[[str], Sequence[Entry]]
"""Function that loads a recorded match by its path from the casebook's folder."""


class Failure(Struct, frozen=True):
    """An expectation that failed, with endings and step (0 is the position). `at` and `now` are as in `Mismatch`."""

    step: int
    what: str
    expected: object
    found: object
    ending: tuple[str, ...] = ()
    at: tuple[str | int, ...] = ()
    now: object = None


class Report(Struct, frozen=True):
    """The result of a case: the failures of the first failing step in each ending.

    `claimed` are the clauses that the case claims to cover, `witnessed` those cited or consulted. `scenes` and
    `may_pass` are the state of each ending at its failure, and the seats that could pass then.
    """

    id: str
    failures: tuple[Failure, ...] = ()
    claimed: tuple[Clause, ...] = ()
    witnessed: tuple[Clause, ...] = ()
    scenes: Mapping[tuple[str, ...], Scene] = {}
    may_pass: Mapping[tuple[str, ...], Text] = {}

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def failure(self) -> Failure | None:
        return self.failures[0] if self.failures else None

    @property
    def unwitnessed(self) -> tuple[Clause, ...]:
        """Claimed clauses that were not cited or consulted."""
        return tuple(clause for clause in self.claimed if clause not in self.witnessed)


def first_of(count: int) -> int:
    """Return 0: a source of chance that always draws the first option."""
    return 0


def run_case(
    case: Case,
    game: Game | None,
    loader: Loader | None = None,
    *,
    cards: Overlay | None = None,
    rulings: Rulings | None = None,
) -> Report:
    """Run a case. `cards` override its pool; `rulings` judge the recorded match that it starts from. Errors in the case
    never raise; they are failures of the report."""
    claimed = tuple(Clause(clause) for clause in case.clauses)
    if game is None:
        return Report(case.id, (Failure(0, "game", case.game, Text("case.no_game")),), claimed)
    run = _Run(case, game, loader, cards, rulings)
    failures = tuple(run.play())
    return Report(case.id, failures, claimed, tuple(dict.fromkeys(run.witnessed)), run.scenes, run.may_pass)


def _impossible(faults: Iterable[Text]) -> Iterator[Failure]:
    return (Failure(0, "position", Text("case.possible"), fault) for fault in faults)


def begin(case: Case, game: Game, loader: Loader | None = None) -> Scene:
    return _Run(case, game, loader).begin()


def rules_of(case: Case, game: Game, cards: Overlay | None = None) -> Any:
    """Return the rules of a case, with the newest cards by default. Raises FormatError."""
    try:
        rules = pin_cards(game, make_ruleset(game, case.version, case.frame, dict(case.set)))
        return rules if cards is None else lay_over(game, rules, cards)
    except RulesetError as error:
        raise FormatError(error.text) from None


class _Run(Struct):
    case: Case
    game: Game
    loader: Loader | None
    cards: Overlay | None = None
    rulings: Rulings | None = None
    witnessed: list[Clause] = []
    deck_refused: Clause | None = None
    ended_in_set_up: Clause | None = None
    scenes: dict[tuple[str, ...], Scene] = {}
    may_pass: dict[tuple[str, ...], Text] = {}

    def play(self) -> Iterator[Failure]:
        wrong = list(find_unknown_names(self.case, self.game, self.rulings))
        yield from (Failure(number, key, text, why, path) for path, number, key, text, why in wrong)
        if wrong:
            return
        try:
            scene = self.begin()
        except FormatError as error:
            yield from _impossible([error.message])
            return
        faults = list(self.faults(scene))
        yield from _impossible(faults)
        if not faults:
            yield from self.go_on(self.case.step, scene, ())

    def faults(self, scene: Scene) -> Iterator[Text]:
        """Yield the errors of a written position. Set-up and records always produce a possible one."""
        given, game, law = self.case.given, self.game.under(scene.law.rules), scene.law
        if not self.case.step and (fault := explain_not_storable(scene.physics.schema, scene.table)):
            yield fault
        if given.set_up is not None or given.match:
            return
        decks = self.decks(law, given)

        def copies(owner: Seat, face: str) -> int | None:
            return decks[owner].faces.count(face) if owner in given.decks else game.copies(law.rules, face)

        yield from misprinted(scene.table, game.faces(), copies)
        yield from unexpected_invariants(law, scene.table, given.breaks)

    def go_on(self, steps: Sequence[Step], scene: Scene, path: tuple[str, ...]) -> Iterator[Failure]:
        """Play steps up to the first that fails, and the endings after each step."""
        for number, step in enumerate(steps, start=1):
            try:
                failures = list(self.step(number, step, scene, first=number == 1 and not path))
            except Exception as error:  # the case may have a table on which a law fails, which is its finding
                why = quoted(f"{type(error).__name__}: {error}")
                failures = [Failure(number, "law", Text("case.answer"), why)]
            if failures:
                self.scenes[path] = scene
                with suppress(Exception):  # the case may have a table on which a law fails
                    if (text := describe_pass(scene)) is not None:
                        self.may_pass[path] = text
                yield from (replace(failure, ending=path) for failure in failures)
                return
            for ending in step.ending:
                yield from self.go_on(ending.step, replace(scene), (*path, ending.id))

    def begin(self) -> Scene:
        given = self.case.given
        if given.match:
            return self.begin_from_match(given)
        rules = rules_of(self.case, self.game, self.cards)
        law = Law(self.game, rules)
        schema = law.schema()
        if given.set_up is not None:
            table = self.lay_out(law, given)
            return Scene(law, Physics(schema), table, NO_LABELS, refused=self.deck_refused, ended=self.ended_in_set_up)
        decks = self.decks(law, given)
        fillers = from_deck(
            lambda seat: decks[seat] if seat in decks else law.default_deck(seat),
            lambda face: self.game.plain(rules, face),
        )
        position = build(schema, law.seats(), given, fillers, self.game.display)
        return Scene(law, Physics(schema), position.table, position.labels)

    def begin_from_match(self, given: StartPosition) -> Scene:
        if self.loader is None:
            raise self.match_error(Text("case.no_loader"))
        try:
            entries = self.loader(given.match)
        except (OSError, ValueError) as error:
            why = error.args[0] if error.args else None
            raise self.match_error(why if isinstance(why, Text) else explain_system_error(error)) from None
        opened = entries[0] if entries else None
        if not isinstance(opened, Opened) or opened.game != self.game.key:
            raise self.match_error(Text("case.other_game", {"game": self.game.key}))
        if not 0 <= given.at <= len(entries):
            raise self.match_error(Text("case.no_entry", {"n": given.at, "last": len(entries)}))
        try:
            rules = with_settings(self.game, load(self.game, opened.rules), dict(self.case.set))
            rules = rules if self.cards is None else lay_over(self.game, rules, self.cards)
        except RulesetError as error:
            raise self.match_error(error.text) from None
        law, table = Law(self.game, rules), fold_entries(entries, given.at or None)
        reading = rules if self.case.set or self.cards is not None else None
        record = tuple(entries[: given.at or None])
        return Scene(
            law, Physics(opened.schema), table, NO_LABELS, record=record, reading=reading, rulings=self.rulings
        )

    def match_error(self, what: Text) -> FormatError:
        return FormatError(what).within(Text("case.match", {"match": self.case.given.match}))

    def lay_out(self, law: Law, given: StartPosition) -> Table:
        """Return the table after set-up, with the first shuffle of each deck as the case defines it."""
        tops = dict(given.set_up or {})
        decks = self.decks(law, given)
        for seat in tops:
            if seat not in decks:
                raise FormatError(explain_unknown("seat", seat, decks)).within("set_up")
        self.witnessed += [clause for seat in decks for clause, *_ in law.deck_checks(seat, decks[seat])]
        accepted, refused = set_up(law, decks, numbered(decks))
        if accepted is None:
            assert refused is not None
            self.deck_refused = refused[1].clause
            self.witnessed += [check.clause for check in refused[1].trail]
            return Table(pieces={}, places={}, seats={seat: {} for seat in decks})
        self.witnessed += [clause for clause, _ in accepted.told]
        self.ended_in_set_up = _find_end_clause(accepted.told)
        table = accepted.table
        for _ in range(ANSWERS_MAX):
            if CHANCE not in law.awaited(table):
                break
            action = law.chance(table, first_of)
            stacked = None if action is None else _stack_deck(table, action, tops)
            if stacked is None:
                break
            outcome = decide(law, table, CHANCE, stacked)
            if isinstance(outcome, Refusal):
                raise FormatError(Text("case.chance_refused", {"clause": outcome.clause})).within("set_up")
            self.note(law, table, CHANCE, stacked, outcome)
            table = outcome.table
        return table

    def decks(self, law: Law, given: StartPosition) -> dict[Seat, Deck]:
        """Return the deck of every seat, from the case or the game. Raises FormatError."""
        decks = law.decks()
        for seat, wanted in given.decks.items():
            if seat not in decks:
                raise FormatError(explain_unknown("seat", seat, decks)).within("decks")
            if isinstance(wanted, str):
                with locate_errors("decks"):
                    decks[Seat(seat)] = named_deck(self.game, wanted)
            elif isinstance(wanted, DeckList):
                decks[Seat(seat)] = Deck(expand_copies(wanted.main), expand_copies(wanted.side))
            else:
                decks[Seat(seat)] = Deck(expand_copies(wanted))
        return decks

    def note(self, law: Law, table: Table, actor: Seat, action: Action, outcome: Outcome) -> None:
        """Add the clauses consulted and cited to `witnessed`."""
        consulted = consult_clauses(law, table, actor, action) if isinstance(outcome, Accepted) else outcome.trail
        self.witnessed += [check.clause for check in consulted]
        if isinstance(outcome, Accepted):
            self.witnessed += [clause for clause, _ in outcome.told]

    def step(self, number: int, step: Step, scene: Scene, first: bool) -> Iterator[Failure]:
        scene.told, scene.violations = (), ()
        scene.refused = self.deck_refused if first else None
        for at, text in enumerate(step.when, start=1):
            last = at == len(step.when)
            try:
                done = self.act(scene, text, last and step.as_played)
            except FormatError as error:
                yield Failure(number, f"when {text!r}", Text("case.action"), error.message)
                return
            if done is not None and not (last and step.then.refused is not None):
                yield Failure(number, f"when {text!r}", Text("case.accepted"), self.refusal(scene, done))
                return
        for wrong in mismatches(scene, step.then):
            yield Failure(number, wrong.what, wrong.expected, wrong.found, (), wrong.at, wrong.now)

    def refusal(self, scene: Scene, refused: Refusal) -> Text:
        """Describe a refusal by its clause, with the places of the cards concerned, which may be unexpected."""
        sentence = self.game.rulebook.both(refused.clause, values(scene.law.rules))
        places, pieces = scene.places, scene.table.pieces
        named = [pieces.get(CardId(about)) for about in refused.about if isinstance(about, int)]
        about = ", ".join(f"{piece.face or BACK}@{places.name(piece.place)}" for piece in named if piece is not None)
        key = "case.refused_about" if about else "case.refused_by"
        return Text(key, {"clause": refused.clause, "sentence": sentence, "about": about})

    def act(self, scene: Scene, text: str, as_played: bool) -> Refusal | None:
        """Play one line of `when`; a refusal changes nothing. Raises FormatError."""
        if text == "pp":
            for _ in range(2):
                seats = self.game.awaited(scene.table)
                if len(seats) != 1:
                    raise FormatError(Text("case.pp", {"awaited": ", ".join(seats) or Text("who.nobody")}))
                (seat,) = seats
                who, action = self.read(scene, f"{seat}: pass")
                if (refusal := self.take(scene, who, action, False)) is not None:
                    return refusal
            return None
        if text == CHANCE:
            for _ in range(ANSWERS_MAX):
                if CHANCE not in self.game.awaited(scene.table):
                    return None
                drawn = scene.law.chance(scene.table, first_of)
                assert drawn is not None, "chance is awaited and has nothing to say"
                if (refusal := self.take(scene, CHANCE, drawn, False)) is not None:
                    return refusal
            raise FormatError(Text("case.chance_often", {"most": ANSWERS_MAX}))
        who, action = self.read(scene, text)
        return self.take(scene, who, action, as_played)

    def read(self, scene: Scene, text: str) -> tuple[Seat, Action]:
        try:
            return parse_action(self.game, scene.table, text, scene.labels, schema=scene.physics.schema)
        except FormatError as error:
            raise explain_slip(error, text) from None

    def take(self, scene: Scene, actor: Seat, action: Action, as_played: bool) -> Refusal | None:
        judge = decide_as_played if as_played else decide
        outcome = judge(scene.law, scene.table, actor, action)
        self.note(scene.law, scene.table, actor, action, outcome)
        if isinstance(outcome, Refusal):
            scene.refused = outcome.clause
            return outcome
        scene.refused = None
        scene.table = outcome.table
        scene.told += outcome.told
        scene.violations = outcome.violations
        self.witnessed += outcome.violations
        if scene.record:
            raw = Raw(msgspec.msgpack.encode(action))
            played = Played(actor=actor, action=raw, told=outcome.told, violations=outcome.violations)
            scene.record = (*scene.record, played)
        scene.ended = _find_end_clause(outcome.told) or scene.ended
        return None


def _find_end_clause(told: CitedFacts) -> Clause | None:
    return next((clause for clause, fact in told if isinstance(fact, Finished)), None)


def _stack_deck(table: Table, action: Action, tops: dict[str, tuple[str, ...]]) -> Action | None:
    """Return the shuffle with the wanted faces on top and the rest in order; None for another action."""
    by_kind = {named.slot.kind: named.name for named in slots(type(action))}
    if "order" not in by_kind or "seat" not in by_kind:
        return None
    seat = getattr(action, by_kind["seat"])
    wanted = tops.pop(seat, None)
    if wanted is None:
        return None
    shuffled = getattr(action, by_kind["order"])
    place = table.pieces[shuffled[0]].place if shuffled else None
    rest: list[CardId] = list(table.places[place]) if place is not None else []
    top: list[CardId] = []
    for face in wanted:
        card = next((card for card in rest if table.pieces[card].face == face), None)
        if card is None:
            raise FormatError(Text("case.no_face", {"seat": seat, "face": face})).within("set_up")
        rest.remove(card)
        top.append(card)
    changed: Action = replace(action, **{by_kind["order"]: (*top, *rest)})
    return changed
