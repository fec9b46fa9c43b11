"""Append entries to a match: check the terms, decide, write in one transaction, answer."""

from collections.abc import Sequence
from typing import TypedDict

from msgspec import Struct

from domain.law import disputes as D, entries as E
from domain.law.clause import CitedFacts
from domain.law.entries import Entry, Played, line
from domain.law.pledges import seed_after
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import Physics, physics_of
from domain.table.table import CHANCE, Table
from domain.words import Text
from recorder.answers import Impossible, RecordResult, Reused, Unavailable, Unfit
from recorder.codec import CodecError
from recorder.commands import Command, command_of, find_command
from recorder.match_loader import Games, LoadedMatch, extend, load_match
from recorder.real_cards import answer_chance
from recorder.store import Conflict, Repeated, Store

Answer = RecordResult | Conflict | Unavailable | Unfit | Reused


class Terms(TypedDict, total=False):
    """Terms of recording. All are optional.

    `expected` is the version the decision is based on; nothing is recorded if the match has a later one. A repeated
    `command_id` gives the first answer again; the id of another command is refused. `command` replaces it if the
    request is hashed differently than here. `at` is the time of the action, and `games` restricts the known games.
    """

    expected: int | None
    command_id: str | None
    command: Command | None
    at: int
    games: Games | None


class Write(Struct, frozen=True):
    """A pending write to a loaded match."""

    store: Store
    match: LoadedMatch
    command: Command | None
    at: int

    def answer_chance(
        self,
        table: Table,
        offset: int = 0,
        with_croupier: bool = True,
        shows: Sequence[str] = (),
        revealed: D.Revealed | None = None,
    ) -> tuple[tuple[Played, ...], Table, Sequence[str]]:
        """Return the answers of chance on a table, `offset` entries after the match's last, and the unused faces. With
        pledges, chance waits until all are revealed; `revealed` is a reveal in the same transaction."""
        match = self.match
        dealt = with_croupier and not match.undealt and CHANCE in match.law.awaited(table)
        seed, version = self.store.secret(match.id) if dealt else None, match.version + offset
        opened = match.opening
        if seed is not None:
            seed = seed_after((*match.entries, *(() if revealed is None else (revealed,))), seed)
        return answer_chance(
            match.law, opened, table, match=opened.match, seed=seed, version=version, at=self.at, shows=shows
        )

    def enter_by_hand(self, told: CitedFacts) -> Table | Impossible:
        """Return the match's table after facts entered by hand, or the first impossible one."""
        return enter_by_hand(physics_of(self.match.opening.schema), self.match.table, told)

    def go_back(
        self, to: int, reason: str, by: str, offset: int = 1, with_croupier: bool = True
    ) -> tuple[Table, tuple[Entry, ...]]:
        """Return the table of an earlier entry and the entries that lead to it: the rewind and the answers of chance.
        The rewind is recorded `offset` entries after the match's last one."""
        kind = E.Rewound if to in line(self.match.entries) else E.Restored
        answers, table, _ = self.answer_chance(self.match.after(to), offset, with_croupier)
        return table, (kind(at=self.at, to=to, reason=reason, by=by), *answers)

    def record(self, table: Table, *entries: Entry) -> RecordResult | Conflict | Reused | Unfit:
        """Append entries that lead to this table; Unfit if they could not be read back."""
        match, command = self.match, self.command
        command_fields = () if command is None else (command.id, None, command.asked)
        try:
            done = self.store.append(match.id, match.version, entries, *command_fields)
        except CodecError as error:
            return Unfit(error.text)
        if isinstance(done, Conflict):
            return done
        if isinstance(done, Repeated):
            # The same command was recorded between our read and our write.
            loaded = load_match(self.store, match.id, {match.game.key: match.game})
            assert isinstance(loaded, LoadedMatch) and command is not None
            return answer_again(loaded, done, command)
        extend(self.store, match, entries, table)
        return answer_recorded(match.version + 1, entries, match.table, table)


def enter_by_hand(physics: Physics, table: Table, told: CitedFacts) -> Table | Impossible:
    """Return a table after facts in order, or the first fact that is physically impossible."""
    draft = Draft(table)
    full = set(physics.overfull(draft))
    for number, (clause, fact) in enumerate(told, start=1):
        if (why := physics.explain_impossible(draft, fact)) is not None:
            return Impossible(number, clause, fact, why)
        apply(draft, fact)
    for place, most in physics.overfull(draft):
        if (place, most) not in full:
            return Impossible(len(told), *told[-1], Text("wrong.too_full", {"place": place, "most": most}))
    return draft.freeze()


def begin(
    store: Store, match: str, terms: Terms, *asked: object
) -> Write | RecordResult | Conflict | Unavailable | Reused:
    """Load a match for a write, or return the earlier answer to a repeated command."""
    if unknown := terms.keys() - Terms.__annotations__.keys():
        raise TypeError(f"unknown term: {', '.join(sorted(unknown))}")
    command, expected = terms.get("command") or command_of(terms.get("command_id"), *asked), terms.get("expected")
    loaded = load_match(store, match, terms.get("games"))
    if isinstance(loaded, Unavailable):
        return loaded
    if command is not None and (before := find_command(store, match, command)) is not None:
        if before.last > loaded.version:  # it was recorded between the two reads
            loaded = load_match(store, match, terms.get("games"))
            assert isinstance(loaded, LoadedMatch)
        return answer_again(loaded, before, command)
    if loaded.closed:
        return Unavailable(match, Text("match.closed", {"entry": loaded.version}))
    if expected is not None and expected != loaded.version:
        return Conflict(match, expected, loaded.version)
    return Write(store, loaded, command, terms.get("at", 0))


def answer_again(match: LoadedMatch, before: Repeated, command: Command) -> RecordResult | Reused:
    """Return the earlier answer to a command. The id of another command is refused."""
    if before.asked and before.asked != command.asked:
        return Reused(match.id, command.id, before.first)
    first, last = (match.after(version) for version in (before.first - 1, before.last))
    return answer_recorded(before.first, match.entries[before.first - 1 : before.last], first, last)


def answer_recorded(version: int, entries: Sequence[Entry], before: Table, table: Table) -> RecordResult:
    return RecordResult(version, entries[0], before, table, tuple(entries[1:]))
