"""Shell completion of match ids."""

from recorder.codec import MATCH_ID
from recorder.store import Store
from recorder.store_location import on_server

IDS_MAX = 200


def complete_match_ids(store: str, prefix: str) -> list[str]:
    """Return the ids in a store that begin with the prefix, at most `IDS_MAX`, or [] on an error.

    A store on a server completes nothing, because the shell would wait for the network.
    """
    if on_server(store):
        return []
    try:
        with Store.open(store, read_only=True, lock_seconds=0) as opened:
            ids = opened.list_ids_with_prefix(prefix, IDS_MAX)
    except Exception:  # an error message would garble the prompt
        return []
    return [match for match in ids if MATCH_ID.fullmatch(match)]  # shells evaluate completions
