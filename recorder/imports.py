"""Import matches. A record is checked completely before any of it is recorded."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.evidence import chain, names
from domain.law import disputes as D, docket, entries as E
from domain.law.entries import Entry, Opened, Played, entry_facts, opened_of
from domain.law.game import Game
from domain.law.live import FACTS_MAX
from domain.law.occasion import check_occasion
from domain.law.pledges import check_pledges
from domain.law.policy import policy_of
from domain.law.rulesets import digest
from domain.law.schemas import differing_parts, is_published
from domain.law.state_history import StateHistory
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import ACTORS, Physics, physics_of
from domain.table.table import Table, blank
from domain.words import Text
from domain.words.foreign import explain_decode_error, quoted
from recorder import codec
from recorder.answers import BadRecord, Imported
from recorder.laws import Games, law_of
from recorder.rows import StateRows, WriteBatch
from recorder.spool import Decoded
from recorder.store import Conflict, Store


def import_records(
    store: Store, records: Sequence[Sequence[bytes]], match_id: str | None = None, *, games: Games | None = None
) -> list[Imported] | BadRecord | Conflict:
    """Import whole records in one transaction, all or none.

    Importing equal content again changes nothing; different content is a conflict. A match keeps the id it was opened
    under, or gets one derived from its opening. `match_id` is for the first record. The states are read twice, so a
    `Spool` keeps memory constant for a long record. Raises StoreError.
    """
    identified: list[tuple[str, Sequence[bytes]]] = []
    for states in records:
        match = _check_record(store, states, None if identified else match_id, games)
        if isinstance(match, BadRecord):
            return match
        identified.append((match, states))
    new: dict[str, Sequence[bytes]] = {}
    known: dict[str, Imported] = {}
    for match, states in identified:
        if match in new:
            if any(mine != theirs for mine, theirs in zip_longest(new[match], states)):
                return Conflict(match, 0, len(new[match]))
        elif entries := store.version(match):
            compared = _compare(store, match, entries, states)
            if isinstance(compared, Conflict):
                return compared
            known[match] = compared
        else:
            new[match] = states
    batches = {match: WriteBatch(StateRows(match, states), linked=False) for match, states in new.items()}
    conflict = store.append_matches(batches) if new else None
    if conflict is not None and conflict.actual:
        # Another program recorded the match after our check; it may be the same.
        return import_records(store, records, match_id, games=games)
    return conflict or [known.get(match) or Imported(match, len(states), new=True) for match, states in identified]


def _check_record(store: Store, states: Sequence[bytes], match_id: str | None, games: Games | None) -> str | BadRecord:
    entries = Decoded(states)
    try:
        bad = find_fault(entries, games) or _check_visibility(opened_of(entries), games) or _check_links(states)
        if bad is not None:
            return bad
    except codec.CodecError as error:
        return BadRecord(error.entry, error.text)
    match = match_id or _own_id(store, opened_of(entries), states[0])
    return match if codec.MATCH_ID.fullmatch(match) is not None else BadRecord(1, codec.invalid_id_text(match))


def _check_visibility(opened: Opened, games: Games | None) -> BadRecord | None:
    """Refuse a record with a visibility schema of its own, which could reveal hidden cards."""
    law = law_of(opened, games)
    assert not isinstance(law, Text)
    if is_published(law.game, law.rules, opened):
        return None
    return BadRecord(1, Text("record.schema", {"parts": differing_parts(law.game, law.rules, opened)}))


def _check_links(states: Sequence[bytes]) -> BadRecord | None:
    """Refuse a record with broken links. A record without links is accepted."""
    wrong = chain.examine(states).fault
    return None if wrong is None else BadRecord(wrong.first, chain.render(wrong))


def _own_id(store: Store, opened: Opened, state: bytes) -> str:
    """Return the id a record was opened under, or one derived from the public part of its opening. An id derived from
    the whole opening, as earlier versions did, is used if the store has it."""
    if opened.match:
        return opened.match
    former = _id_of(state)
    return former if store.version(former) else _id_of(codec.encode(replace(opened, decks={}, sides={}, told=())))


def _id_of(state: bytes) -> str:
    return str(UUID(bytes=sha256(state).digest()[:16], version=4))


def _compare(store: Store, match: str, entries: int, states: Sequence[bytes]) -> Imported | Conflict:
    if entries == len(states):
        pairs = zip(store.pages(match), states, strict=False)
        if all(_same(store, match, number, *pair) for number, pair in enumerate(pairs, start=1)):
            return Imported(match, entries, new=False)
    return Conflict(match, 0, entries)


def fault_among(match: str, branches: Iterable[Sequence[Entry]]) -> BadRecord | None:
    """Return the first reason why branches cannot be imported with the match of this id, or None. Only the id of the
    match itself is checked, which may be empty."""
    if match and codec.MATCH_ID.fullmatch(match) is None:
        return BadRecord(1, codec.invalid_id_text(match))
    ids = {match}
    for entries in branches:
        bad = find_fault(entries)
        if bad is not None:
            return bad
        opened = opened_of(entries)
        if codec.MATCH_ID.fullmatch(opened.match) is None:
            return BadRecord(1, codec.invalid_id_text(opened.match))
        if opened.match in ids:
            return BadRecord(1, Text("record.twice", {"match": opened.match}))
        ids.add(opened.match)
    return None


def _same(store: Store, match: str, number: int, mine: bytes, theirs: bytes) -> bool:
    """True if two entries are equal. Missing links and name hashes in `theirs` do not count. A notation has no links,
    and its names are in clear text."""
    if number == 1:
        theirs, _ = names.separate(theirs)
    if mine == theirs:
        return True
    try:
        codec.decode(mine)
    except codec.CodecError as error:
        raise store.make_damage_error(match, number, error.text) from None
    ours = mine if chain.link_of(theirs) else chain.unlink(mine)
    if number == 1 and names.has_hashes(ours) and not names.has_hashes(theirs):
        ours = names.without_hashes(ours, names.verify_names(ours, store.player_names([match])[match]))
    return _content(ours) == _content(theirs)


def _content(state: bytes) -> dict[str, object]:
    """Return the fields of an entry. An empty struct may be written as an empty map or omitted."""
    return {name: value for name, value in codec.content(state).items() if value != {}}


def find_fault(entries: Sequence[Entry], games: Games | None = None) -> BadRecord | None:
    """Return the first reason why entries are not the record of a match, or None."""
    if not entries:
        return BadRecord(1, Text("record.empty"))
    law = law_of(entries[0], games)
    if isinstance(law, Text):
        return BadRecord(1, law)
    opened = opened_of(entries)
    if (wrong := check_occasion(opened.occasion)) is not None:
        return BadRecord(1, wrong)
    if isinstance(policy := policy_of(opened.policy), Text):
        return BadRecord(1, policy)
    if (wrong := check_pledges(opened)) is not None:
        return BadRecord(1, wrong)
    stored = digest(opened.rules)
    if stored != opened.rules_hash:
        return BadRecord(1, Text("record.hash", {"hash": stored, "recorded": opened.rules_hash}))
    return find_damage(entries, law.game)


def find_damage(entries: Sequence[Entry], game: Game | None, since: int = 1) -> BadRecord | None:
    """Return the first entry that cannot follow those before it or cannot be folded, or None.

    Without a game, actions are unknown and only facts are checked. Entries before `since` are folded unchecked, because
    the chain covers them. Raises CodecError if the entries cannot be read.
    """
    opened, number = opened_of(entries), 1
    try:
        physics, decoder = physics_of(opened.schema), None if game is None else game.decoder()
        table: Table = blank(opened.seats)
        history: StateHistory[Table] = StateHistory(lambda before, number: E.apply_entry(before, entries[number - 1]))
        closed, pending = False, docket.open_docket(opened)
        for number, entry in enumerate(entries, start=1):
            if number > 1 and isinstance(entry, Opened):
                return BadRecord(number, Text("record.opened"))
            if closed:
                return BadRecord(number, Text("record.closed", {"entry": number - 1}))
            closed = isinstance(entry, E.Closed)
            checked = number >= since
            problem = _find_misfit(number, entry, opened, decoder) if checked else None
            if isinstance(entry, D.Filed):
                filed = docket.apply_filing(pending, number, entry)
                problem, pending = (filed, pending) if isinstance(filed, Text) else (problem, filed)
            after = _after(history, table, entry, physics if checked else None, problem)
            if isinstance(after, Text):
                return BadRecord(number, after)
            history.add(table := after)
    except codec.CodecError:
        raise
    except Exception as error:
        # Physics does not check everything, and no content of a file may raise an exception here.
        return BadRecord(number, Text("record.unfoldable", {"why": quoted(f"{type(error).__name__}: {error}")}))
    return None


def _after(
    history: StateHistory[Table], table: Table, entry: Entry, physics: Physics | None, problem: Text | None
) -> Table | Text:
    """Return the table after an entry, or why the entry cannot follow. `problem` is a reason known already."""
    if isinstance(entry, E.Rewound):
        key = "record.restore" if isinstance(entry, E.Restored) else "record.rewind"
        return E.go_back(history, entry) or Text(key, {"to": entry.to})
    if problem is not None:
        return problem
    facts = entry_facts(entry)
    if len(facts) > FACTS_MAX:
        return Text("record.facts", {"n": len(facts), "most": FACTS_MAX})
    draft = Draft(table)
    for at, (_, fact) in enumerate(facts, start=1):
        if physics is not None and (why := physics.explain_impossible(draft, fact)) is not None:
            return Text("record.fact", {"n": at, "fact": fact.__struct_config__.tag, "why": why})
        apply(draft, fact)
    return draft.freeze() if facts else table


def _find_misfit(
    number: int, entry: Entry, opened: Opened, decoder: "msgspec.msgpack.Decoder[Any] | None"
) -> Text | None:
    """Return why an entry cannot belong to this match, independent of the table."""
    match entry:
        case Played(actor=actor) if actor not in (*opened.seats, *ACTORS):
            return Text("wrong.seat", {"seat": repr(actor)})
        case Played(action=action) if decoder is not None:
            try:
                decoder.decode(action)
            except (msgspec.MsgspecError, RecursionError) as error:
                return Text("record.action", {"game": opened.game, "why": explain_decode_error(error)})
        case E.Described():
            return check_occasion(entry.occasion, entry.announced)
        case E.Gap(most=most) if most < 0:
            return Text("record.gap", {"most": most})
        case E.Noted(about=about) if not 0 <= about < number:
            return Text("record.about", {"about": about})
    return None
