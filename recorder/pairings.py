"""Open all matches of a round at once, or none. A match is identified by event, round and table and opens once."""

from collections.abc import Container, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.formats.pairings import Pairing, TableKind
from domain.law.entries import Noted, Opened, opened_of
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.law.policy import Policy
from domain.law.timers import RoundTimer, timer_note
from domain.table.table import Seat
from domain.words import Text
from recorder.answers import DeckRefused, Reused, Unfit
from recorder.chance import new_seed
from recorder.commands import Command, command_of
from recorder.match_ids import first_free, ids_of
from recorder.match_list import MatchListItem, damage_in
from recorder.match_loader import LoadedMatch, load_match
from recorder.match_opening import answer_opening, build_opening
from recorder.person_names import RoundNames, seat_names, skeleton
from recorder.rows import WriteBatch, row
from recorder.store import Conflict, Store
from recorder.troubles import StoreError


class Round(Struct, frozen=True, kw_only=True):
    """Settings shared by the matches of a round. `occasion` has no table; `decks` are those that pairings may name."""

    law: Law
    version: str
    occasion: Occasion
    decks: Mapping[str, Deck] = {}
    policy: Policy | None = None
    cards: TableKind = "dealt"
    """Kind of the tables whose pairing names none."""
    minutes: int = 0
    """Length of the round (0: none). It does not identify the round: a table opened before keeps its own."""
    by: str = ""
    at: int = 0


class TableMatch(Struct, frozen=True):
    """A table of the round and its match. `new` is False if the same pairings opened it before."""

    table: str
    match: str
    names: dict[Seat, str]
    new: bool
    cards: TableKind = "dealt"


class RefusedPairing(Struct, frozen=True):
    """A table whose match cannot be opened. No match of the round was opened. Reused: this table of the round was
    paired differently before."""

    pairing: Pairing
    why: DeckRefused | Unfit | Conflict | Reused


def preview_round(store: Store, shared: Round, pairings: Sequence[Pairing]) -> tuple[TableMatch, ...] | RefusedPairing:
    """Return the result of `open_round` without writing. Raises StoreError."""
    plan = _plan(store, shared, pairings)
    return plan if isinstance(plan, RefusedPairing) else plan[0]


def open_round(store: Store, shared: Round, pairings: Sequence[Pairing]) -> tuple[TableMatch, ...] | RefusedPairing:
    """Open a match for each table that has none, in one transaction. Raises StoreError."""
    plan = _plan(store, shared, pairings)
    if isinstance(plan, RefusedPairing):
        return plan
    paired, new = plan
    conflict = store.append_matches(new) if new else None
    if conflict is None:
        return paired
    if conflict.actual:
        # Another program opened it between our read and our write; it may be the same round.
        return open_round(store, shared, pairings)
    return RefusedPairing(pairings[0], conflict)


def _plan(
    store: Store, shared: Round, pairings: Sequence[Pairing]
) -> tuple[tuple[TableMatch, ...], dict[str, WriteBatch]] | RefusedPairing:
    """Return each table with its match, and the writes for the new ones."""
    paired: list[TableMatch] = []
    new: dict[str, WriteBatch] = {}
    round_names = RoundNames()
    for given in pairings:
        names = seat_names(given.names)
        if isinstance(names, Text):
            return RefusedPairing(given, Unfit(names))
        pairing = replace(given, names=names, cards=given.cards or shared.cards)
        if (twice := round_names.add(names.values(), pairing.table, pairing.line)) is not None:
            return RefusedPairing(pairing, Unfit(twice))
        ids, command = _identify(shared, pairing)
        match = _find(store, ids, command, replace(shared.occasion, table=pairing.table), new)
        before = store.command(match, command.id)
        if before is not None and before.asked != command.asked and _was_abandoned(store, match):
            match, before = first_free(store, ids, new), None
        if before is None:
            opened = _open(store, shared, pairing, match, command)
            if not isinstance(opened, WriteBatch):
                return opened
            new[match] = opened
        elif before.asked != command.asked:
            return RefusedPairing(pairing, Reused(match, command.id, before.first))
        paired.append(TableMatch(pairing.table, match, names, before is None, pairing.cards or "dealt"))
    return _find_player_elsewhere(store, shared, pairings, paired) or (tuple(paired), new)


def _find_player_elsewhere(
    store: Store, shared: Round, pairings: Sequence[Pairing], paired: Sequence[TableMatch]
) -> RefusedPairing | None:
    """Return the refusal of a new table with a player who has another open table in this round, or None."""
    matches = {each.match for each in paired}
    players = {
        skeleton(name): (pairing, name)
        for pairing, each in zip(pairings, paired, strict=True)
        for name in each.names.values()
        if each.new
    }
    for other in store.matches() if players else ():
        if not isinstance(other, MatchListItem) or other.closed or other.parent or other.match in matches:
            continue
        for seated in other.names.values():
            if skeleton(seated) not in players:
                continue
            played = opened_of(store.read(other.match, upto=1)).occasion
            if (played.event, played.round) == (shared.occasion.event, shared.occasion.round):
                pairing, name = players[skeleton(seated)]
                about = {"name": name, "table": played.table or other.match}
                return RefusedPairing(pairing, Unfit(Text("pairings.seated", about)))
    return None


def _identify(shared: Round, pairing: Pairing) -> tuple[tuple[str, ...], Command]:
    """Return the possible ids of a table's match, and the command that identifies it."""
    occasion, law = replace(shared.occasion, table=pairing.table), shared.law
    command_id = f"pairings/{occasion.event}/{occasion.round}/{occasion.table}"
    # Earlier versions had only dealt tables and no kind. Dealt tables omit it, so that their rounds are recognised.
    kind = () if pairing.cards == "dealt" else (pairing.cards,)
    request = (law.game.key, shared.version, law.rules, pairing.names, pairing.decks, occasion, *kind)
    command = command_of(command_id, *request)
    assert command is not None
    return ids_of(law.game, command_id), command


def _find(store: Store, ids: Sequence[str], command: Command, occasion: Occasion, new: Container[str]) -> str:
    """Return the id of the match that these pairings opened, or the first free one."""
    before = next((known for known in reversed(ids) if store.command(known, command.id) is not None), "")
    copies = (match for match in ids if match not in new and store.version(match) and _is_for(store, match, occasion))
    return before or next(copies, "") or first_free(store, ids, new)


def _is_for(store: Store, match: str, occasion: Occasion) -> bool:
    """True if a match was opened for this table, for example one that was copied here."""
    try:
        return opened_of(store.read(match, upto=1)).occasion == occasion
    except StoreError as error:
        damage_in(match, error)
        return False


def _was_abandoned(store: Store, match: str) -> bool:
    """True if a match was closed without a result, so its table may be paired again."""
    try:
        loaded = load_match(store, match)
    except StoreError as error:
        damage_in(match, error)
        return False
    return isinstance(loaded, LoadedMatch) and loaded.closed and loaded.table.result is None


def _open(store: Store, shared: Round, pairing: Pairing, match: str, command: Command) -> WriteBatch | RefusedPairing:
    if version := store.version(match):
        return RefusedPairing(pairing, Conflict(match, 0, version))
    seed = None if pairing.cards == "real" else new_seed()
    opened = build_opening(
        shared.law,
        shared.version,
        pairing.names,
        {seat: shared.decks[name] for seat, name in pairing.decks.items()},
        seed,
        match,
        at=shared.at,
        by=shared.by,
        occasion=replace(shared.occasion, table=pairing.table),
        policy=shared.policy,
    )
    if not isinstance(opened, Opened):
        return RefusedPairing(pairing, opened)
    entries = answer_opening(shared.law, opened, seed, at=shared.at, phones=pairing.cards == "phones")
    if shared.minutes:
        entries = (*entries, Noted(at=shared.at, by=shared.by, text=timer_note(RoundTimer(shared.minutes))))
    rows = [row(match, number, entry) for number, entry in enumerate(entries, start=1)]
    return WriteBatch(rows, command.id, command.asked, seed)
