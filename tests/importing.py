"""One record taken in."""

from collections.abc import Sequence

from recorder.answers import BadRecord, Imported
from recorder.imports import import_records
from recorder.laws import Games
from recorder.store import Conflict, Store


def import_entries(
    store: Store, states: Sequence[bytes], match_id: str | None = None, *, games: Games | None = None
) -> Imported | BadRecord | Conflict:
    """Take in a whole record; without `match_id` under the id it was opened under."""
    done = import_records(store, (states,), match_id, games=games)
    return done[0] if isinstance(done, list) else done
