"""A match from outside: the whole of it is looked at before any of it is recorded."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec

from domain.law.entries import Closed, Entry, Opened, Played, Rewound, fold_entries, line, told
from domain.law.game import Game
from domain.law.rulesets import digest
from domain.table.draft import Draft
from domain.table.evolve import apply
from domain.table.physics import ACTORS, Physics
from domain.table.table import Table, blank
from recorder import codec
from recorder.answers import BadRecord, Imported
from recorder.loading import Games, law_of
from recorder.store import Conflict, Repeated, Store


def import_entries(
    store: Store, entries: Sequence[bytes], match_id: str | None = None, *, games: Games | None = None
) -> Imported | BadRecord | Conflict:
    """Take in a whole record, all or nothing. Once more with equal content it changes nothing; with other content it
    is a conflict.

    Without `match_id` the match keeps the id it was opened under; a record that names none gets one from its opening.
    Raises StoreError.
    """
    typed: list[Entry] = []
    for number, state in enumerate(entries, start=1):
        try:
            typed.append(codec.decode(state))
        except codec.CodecError as error:
            return BadRecord(number, str(error))
    bad = fault(typed, games)
    if bad is not None:
        return bad
    match = match_id or _own_id(typed[0], entries[0])
    if codec.MATCH_ID.fullmatch(match) is None:
        return BadRecord(1, codec.no_id(match))
    held = store.read_bytes(match)
    if held:
        return _compare(match, held, entries)
    done = store.append_bytes(match, entries)
    if isinstance(done, Conflict):
        # Somebody else recorded it between our look and our write.
        return _compare(match, store.read_bytes(match), entries)
    assert not isinstance(done, Repeated)
    return Imported(match, done, new=True)


def _own_id(opened: Entry, state: bytes) -> str:
    assert isinstance(opened, Opened)
    return opened.match or str(UUID(bytes=sha256(state).digest()[:16], version=4))


def _compare(match: str, held: Sequence[bytes], entries: Sequence[bytes]) -> Imported | Conflict:
    if len(held) == len(entries) and all(
        mine == theirs or codec.content(mine) == codec.content(theirs)
        for mine, theirs in zip(held, entries, strict=True)
    ):
        return Imported(match, len(held), new=False)
    return Conflict(match, 0, len(held))


def fault(entries: Sequence[Entry], games: Games | None = None) -> BadRecord | None:
    """The first thing that keeps entries from being the record of a match; None if they are one."""
    if not entries:
        return BadRecord(1, "the record is empty")
    found = law_of(entries[0], games)
    if isinstance(found, str):
        return BadRecord(1, found)
    opened = entries[0]
    assert isinstance(opened, Opened)
    game, _rules = found
    stored = digest(opened.rules)
    if stored != opened.rules_hash:
        return BadRecord(1, f"the rules do not have the hash they are recorded with: {stored}, not {opened.rules_hash}")
    return _walk(entries, opened, game)


def _walk(entries: Sequence[Entry], opened: Opened, game: Game) -> BadRecord | None:
    physics, decoder = Physics(opened.schema), game.decoder()
    table: Table = blank(opened.seats)
    for number, entry in enumerate(entries, start=1):
        if number > 1 and isinstance(entry, Opened):
            return BadRecord(number, "a match is opened only once")
        if number > 1 and isinstance(entries[number - 2], Closed):
            return BadRecord(number, f"the match was closed in entry {number - 1}")
        if isinstance(entry, Rewound):
            if entry.to not in line(entries[: number - 1]):
                return BadRecord(number, f"it rewinds to entry {entry.to}, which does not lead here")
            table = fold_entries(entries, entry.to)
            continue
        if isinstance(entry, Played) and (what := _odd(entry, opened, decoder, game)) is not None:
            return BadRecord(number, what)
        draft = Draft(table)
        for at, (_, fact) in enumerate(told(entry), start=1):
            if (why := physics.wrong(draft, fact)) is not None:
                return BadRecord(number, f"fact {at} ({fact.__struct_config__.tag}) is physically impossible: {why}")
            apply(draft, fact)
        table = draft.freeze()
    return None


def _odd(played: Played, opened: Opened, decoder: "msgspec.msgpack.Decoder[Any]", game: Game) -> str | None:
    """What keeps an entry of play from being one of this match."""
    if played.actor not in (*opened.seats, *ACTORS):
        return f"there is no seat {played.actor!r}"
    try:
        decoder.decode(played.action)
    except (msgspec.MsgspecError, RecursionError) as error:
        return f"not an action of {game.key}: {error}"
    return None
