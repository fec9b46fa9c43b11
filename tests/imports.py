"""Import of one record, and its content without what the store added."""

from collections.abc import Sequence

from domain.evidence import chain, names
from recorder.answers import BadRecord, Imported
from recorder.imports import import_records
from recorder.laws import Games
from recorder.store import Conflict, Store


def import_entries(
    store: Store, states: Sequence[bytes], match_id: str | None = None, *, games: Games | None = None
) -> Imported | BadRecord | Conflict:
    """Import a whole record under `match_id`, or under its own id."""
    done = import_records(store, (states,), match_id, games=games)
    return done[0] if isinstance(done, list) else done


def plain(record: Sequence[bytes]) -> list[bytes]:
    """Return an exported record without the store's additions: links, and hashes and salts of names."""
    (opening, kept), rest = names.separate(record[0]), record[1:]
    opening = chain.unlink(opening)
    if names.has_hashes(opening):
        opening = names.without_hashes(opening, {one.seat: one.name for one in kept})
    return [opening, *map(chain.unlink, rest)]
