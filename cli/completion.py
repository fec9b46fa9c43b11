"""Shell completion of match ids."""

from recorder.codec import MATCH_ID
from recorder.place import on_server
from recorder.store import Store

IDS_MAX = 200


def complete_match_ids(store: str, prefix: str) -> list[str]:
    """Return the ids in a store that begin with the prefix, at most `IDS_MAX`, or [] on an error.

    A store on a server completes nothing, because the shell would wait for the network.
    """
    if on_server(store):
        return []
    try:
        with Store.open(store, read_only=True, lock_seconds=0) as opened:
            ids = opened.beginning(prefix, IDS_MAX)
    except Exception:  # an error message would garble the prompt
        return []
    return [match for match in ids if MATCH_ID.fullmatch(match)]  # shells evaluate completions
