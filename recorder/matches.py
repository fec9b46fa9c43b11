"""What can be done with a match, one function each: decide, append, then answer. Refusals are values.

Every function raises StoreError if the store cannot be used; nothing was recorded then.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import asdict

from domain.law import entries as E
from domain.law.clause import Refusal, Told
from domain.law.entries import Entry, Opened, Played, fold_entries, line
from domain.law.game import Decks
from domain.law.law import Law
from domain.law.occasion import NO_OCCASION, Occasion, misfit, occasion_of
from domain.law.rulesets import pin_cards
from domain.law.slots import Action, verb
from domain.law.unseen import Faces, FaceWanted
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import ACTORS, physics_of
from domain.table.table import CHANCE, Seat, Table
from domain.words import Text
from recorder import answers as A, chance, codec
from recorder.answers import Recorded, Reused, Unavailable, Unfit
from recorder.commands import Command, command_of
from recorder.dictated import Dictated, answer_chance, decide_dictated, not_shown
from recorder.loading import Games, Match, extend, load_match
from recorder.naming import new_id
from recorder.opening import opening
from recorder.store import Conflict, Repeated, Store

Answer = Recorded | Conflict | Unavailable | Unfit | Reused


class Terms(TypedDict, total=False):
    """On which terms something is recorded: `expected` is the version that whoever acts was looking at.

    If the match has moved on, nothing is recorded. A repeated `command_id` gives the first answer again; one that was
    another command's is refused. A whole `command` stands in its place, where a repetition is known by other than what
    it comes to here. `at` is when it is done, `games` are those known, where not all of them.
    """

    expected: int | None
    command_id: str | None
    command: Command | None
    at: int
    games: Games | None


def open_match(
    store: Store,
    law: Law,
    version: str,
    names: Mapping[Seat, str],
    decks: Decks | None = None,
    seed: bytes | None = None,
    match_id: str | None = None,
    at: int = 0,
    by: str = "",
    occasion: Occasion = NO_OCCASION,
    *,
    deal: bool = True,
    with_croupier: bool = True,
    command: Command | None = None,
) -> str | A.DeckRefused | Unfit | Conflict | Reused:
    """Open a match, lay out its cards and let the croupier answer what chance is asked, in one transaction; its id.

    `decks` and `names` may leave seats out; a seat without a deck plays the game's own. Rules that name no cards are
    given the newest. Without `deal` real cards are played with: there is no croupier, and nobody knows how they lie. A
    repeated `command` names the match of the same id once more.
    """
    match = match_id or new_id(store, law.game)
    seed = chance.new_seed() if deal and seed is None else seed
    law = Law(law.game, pin_cards(law.game, law.rules))
    opened = opening(law, version, names, decks, seed, match, at=at, by=by, occasion=occasion)
    if not isinstance(opened, Opened):
        return opened
    given = seed if with_croupier else None
    answers, _, _ = answer_chance(law, opened, fold_entries([opened]), match=match, seed=given, version=1, at=at)
    named = (None, b"") if command is None else (command.id, command.asked)
    done = store.append(match, 0, [opened, *answers], named[0], seed, named[1])
    if isinstance(done, Repeated) and done.asked != named[1]:
        return Reused(match, named[0] or "", done.first)
    return done if isinstance(done, Conflict) else match


def answered_before(
    store: Store, match: str, command: Command, games: Games | None = None
) -> Recorded | Reused | Unavailable | None:
    """What a command led to that was recorded before; None for a new one. Ask before anything is held against it."""
    before = store.command(match, command.id)
    if before is None:
        return None
    loaded = load_match(store, match, games)
    return loaded if isinstance(loaded, Unavailable) else _again(loaded, before, command)


def play(
    store: Store,
    match: str,
    actor: Seat,
    action: Action,
    as_played: bool = False,
    *,
    with_croupier: bool = True,
    faces: Faces | None = None,
    shows: Sequence[str] = (),
    ends: Callable[[], bool] | None = None,
    **terms: Unpack[Terms],
) -> Answer | Refusal | A.NotAwaited | FaceWanted | A.Withheld:
    """Decide an action, record it, and let the croupier answer what chance is asked after it, in one transaction.

    `as_played` records what was done whether or not it was allowed. With real cards `faces` are those that the action
    names, `shows` those that then show, in the order in which they are wanted; a FaceWanted says which card comes next,
    and nothing is recorded. `ends` is asked before an action is recorded that ends the match.
    """
    seen = (dict(faces or {}), tuple(shows)) if faces or shows else ()
    write = _begin(store, match, terms, "play", actor, action, as_played, *seen)
    if not isinstance(write, _Write):
        return write
    law, opened, before = write.match.law, write.match.opened, write.match.table
    if actor not in (*opened.seats, *ACTORS):
        return A.NotAwaited(actor, law.awaited(before))
    if type(action) not in law.game.action_types:
        return Unfit(Text("match.no_action", {"verb": repr(verb(action)), "game": law.game.key}))
    dictated = decide_dictated(law, opened, before, actor, action, faces or {}, shows, as_played)
    if not isinstance(dictated, Dictated):
        return dictated
    outcome = dictated.outcome
    if isinstance(outcome, Refusal):
        return outcome
    played = Played(
        at=write.at,
        actor=actor,
        action=codec.raw_action(action),
        told=outcome.told,
        violations=outcome.violations,
        by_hand=actor == CHANCE and bool(opened.commitment),
    )
    answers, table, left = write.answer_chance(outcome.table, 1, with_croupier, dictated.left)
    if left:
        return not_shown(left)
    if ends is not None and outcome.table.result is not None and before.result is None and not ends():
        return A.Withheld()
    return write.record(table, played, *answers)


def advance(store: Store, match: str, **terms: Unpack[Terms]) -> A.Advanced | Conflict | Unavailable | Unfit | Reused:
    """Let the croupier answer everything chance is asked, one entry each, where it was not done at once."""
    write = _begin(store, match, terms, "advance")
    if not isinstance(write, _Write):
        return _advanced(write) if isinstance(write, Recorded) else write
    before = write.match
    if not before.undealt and CHANCE in before.law.awaited(before.table) and store.secret(match) is None:
        return Unavailable(match, Text("match.no_seed"))
    answers, table, _ = write.answer_chance(before.table)
    if answers:
        done = write.record(table, *answers)
        return _advanced(done) if isinstance(done, Recorded) else done
    return A.Advanced(before.version, (), table)


def _advanced(done: Recorded) -> A.Advanced:
    assert isinstance(done.entry, Played)
    return A.Advanced(done.last, (done.entry, *done.chance), done.table)


def correct(
    store: Store, match: str, by: str, reason: str, told: Told, **terms: Unpack[Terms]
) -> Answer | A.Impossible:
    """Enter facts by hand, as a judge. They must be physically possible, one after the other; they trigger nothing."""
    write = _begin(store, match, terms, "correct", by, reason, tuple(told))
    if not isinstance(write, _Write):
        return write
    if not told:
        return Unfit(Text("match.no_fact"))
    physics, draft = physics_of(write.match.opened.schema), Draft(write.match.table)
    full = set(physics.overfull(draft))
    for number, (clause, fact) in enumerate(told, start=1):
        if (why := physics.wrong(draft, fact)) is not None:
            return A.Impossible(number, clause, fact, why)
        apply(draft, fact)
    for place, most in physics.overfull(draft):
        if (place, most) not in full:
            return A.Impossible(len(told), *told[-1], Text("wrong.too_full", {"place": place, "most": most}))
    return write.record(draft.freeze(), E.Corrected(at=write.at, by=by, reason=reason, told=tuple(told)))


def rewind_cost(store: Store, match: str, to: int, *, games: Games | None = None) -> A.Cost | Unavailable | Unfit:
    """What a rewind to an entry would undo and bring back."""
    write = _begin(store, match, {"games": games})
    if not isinstance(write, _Write):
        assert isinstance(write, Unavailable)
        return write
    before = write.match
    if (unfit := _no_way_to(before, to)) is not None:
        return unfit
    now, then = line(before.entries), line(before.entries, to)
    undone = tuple(sorted({*now} - {*then}))
    return A.Cost(to, undone, tuple(sorted({*then} - {*now})))


def rewind(
    store: Store, match: str, to: int, reason: str, by: str, *, with_croupier: bool = True, **terms: Unpack[Terms]
) -> Answer:
    """Go on from an earlier entry, also one that a rewind has undone; nothing is deleted. Show `rewind_cost` first.

    What chance is asked there is answered anew, in the same transaction.
    """
    write = _begin(store, match, terms, "rewind", to, reason, by)
    if not isinstance(write, _Write):
        return write
    entries = write.match.entries
    if (unfit := _no_way_to(write.match, to)) is not None:
        return unfit
    kind = E.Rewound if to in line(entries) else E.Restored
    answers, table, _ = write.answer_chance(write.match.after(to), 1, with_croupier)
    return write.record(table, kind(at=write.at, to=to, reason=reason, by=by), *answers)


def _no_way_to(match: Match, to: int) -> Unfit | None:
    if not 1 <= to <= match.version:
        return Unfit(Text("match.no_entry", {"entry": to, "last": match.version}))
    return Unfit(Text("match.here", {"entry": to})) if to == match.version else None


def note(store: Store, match: str, by: str, text: str, *, about: int = 0, **terms: Unpack[Terms]) -> Answer:
    """Record something said or seen that changes nothing; `about` is the entry it comments on, 0 for none."""
    write = _begin(store, match, terms, "note", by, text, about)
    if not isinstance(write, _Write):
        return write
    if not text.strip():
        return Unfit(Text("match.no_words"))
    if not 0 <= about <= write.match.version:
        return Unfit(Text("match.no_entry", {"entry": about, "last": write.match.version}))
    return write.record(write.match.table, E.Noted(at=write.at, by=by, text=text, about=about))


def describe(store: Store, match: str, by: str, changes: Mapping[str, str], **terms: Unpack[Terms]) -> Answer:
    """Say on what occasion a match is played: fields of `Occasion`, and `announced`, the result that was announced.

    What is not among the changes stays as it was said before.
    """
    write = _begin(store, match, terms, "describe", by, dict(changes))
    if not isinstance(write, _Write):
        return write
    if not changes:
        return Unfit(Text("occasion.nothing"))
    before = E.last_described(write.match.entries)
    texts = {**asdict(before.occasion), "announced": before.announced, **changes}
    announced, occasion = texts.pop("announced"), occasion_of(texts)
    if (wrong := misfit(occasion, announced)) is not None:
        return Unfit(wrong)
    return write.record(write.match.table, E.Described(at=write.at, by=by, occasion=occasion, announced=announced))


def close(
    store: Store, match: str, by: str, reason: str = "", *, abandon: bool = False, **terms: Unpack[Terms]
) -> Answer:
    """Complete the record and publish the croupier's seed. Nothing is recorded after it, and nothing takes it back.

    A match without a result is closed only if it is given up (`abandon`), for a reason.
    """
    write = _begin(store, match, terms, "close", by, reason, abandon)
    if not isinstance(write, _Write):
        return write
    table = write.match.table
    if table.result is None and not (abandon and reason.strip()):
        return Unfit(Text("match.no_result", {"match": match}))
    return write.record(table, E.Closed(at=write.at, by=by, seed=(store.secret(match) or b"").hex(), reason=reason))


class _Write(Struct, frozen=True):
    """Something about to be recorded behind a match as it was loaded."""

    store: Store
    match: Match
    command: Command | None
    at: int

    def answer_chance(
        self, table: Table, behind: int = 0, with_croupier: bool = True, shows: Sequence[str] = ()
    ) -> tuple[tuple[Played, ...], Table, Sequence[str]]:
        """What chance is asked on a table so many entries behind the match's last one; the faces that did not show."""
        match = self.match
        dealt = with_croupier and not match.undealt and CHANCE in match.law.awaited(table)
        seed, version = self.store.secret(match.id) if dealt else None, match.version + behind
        opened = match.opened
        return answer_chance(
            match.law, opened, table, match=opened.match, seed=seed, version=version, at=self.at, shows=shows
        )

    def record(self, table: Table, *entries: Entry) -> Recorded | Conflict | Reused:
        """Append the entries, which lead to this table."""
        match, command = self.match, self.command
        named = () if command is None else (command.id, None, command.asked)
        done = self.store.append(match.id, match.version, entries, *named)
        if isinstance(done, Conflict):
            return done
        if isinstance(done, Repeated):
            # The same command was recorded between our look and our write.
            now = load_match(self.store, match.id, {match.game.key: match.game})
            assert isinstance(now, Match) and command is not None
            return _again(now, done, command)
        extend(self.store, match, entries, table)
        return _recorded(match.version + 1, entries, match.table, table)


def _begin(
    store: Store, match: str, terms: Terms, *asked: object
) -> _Write | Recorded | Conflict | Unavailable | Reused:
    """The match if something may be appended to it; what was answered before if the command is a repetition."""
    command, expected = terms.get("command") or command_of(terms.get("command_id"), *asked), terms.get("expected")
    loaded = load_match(store, match, terms.get("games"))
    if isinstance(loaded, Unavailable):
        return loaded
    if command is not None and (before := store.command(match, command.id)) is not None:
        return _again(loaded, before, command)
    if loaded.closed:
        return Unavailable(match, Text("match.closed", {"entry": loaded.version}))
    if expected is not None and expected != loaded.version:
        return Conflict(match, expected, loaded.version)
    return _Write(store, loaded, command, terms.get("at", 0))


def _again(match: Match, before: Repeated, command: Command) -> Recorded | Reused:
    if before.asked and before.asked != command.asked:
        return Reused(match.id, command.id, before.first)
    first, last = (match.after(version) for version in (before.first - 1, before.last))
    return _recorded(before.first, match.entries[before.first - 1 : before.last], first, last)


def _recorded(version: int, entries: Sequence[Entry], before: Table, table: Table) -> Recorded:
    """The answer to what made these entries, of which the first has this number."""
    answers = tuple(entry for entry in entries[1:] if isinstance(entry, Played))
    return Recorded(version, entries[0], before, table, answers)
