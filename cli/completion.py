"""Complete the ids of matches for a shell."""

from recorder.codec import MATCH_ID
from recorder.place import on_server
from recorder.store import Store

IDS_MAX = 200


def complete_match_ids(store: str, prefix: str) -> list[str]:
    """Return the ids in a store that begin with the prefix, at most `IDS_MAX`; none if the store cannot be read.

    A store on a server completes nothing: the shell would wait for the network.
    """
    if on_server(store):
        return []
    try:
        with Store.open(store, read_only=True, lock_seconds=0) as opened:
            ids = opened.beginning(prefix, IDS_MAX)
    except Exception:  # an error has no place at a prompt
        return []
    return [match for match in ids if MATCH_ID.fullmatch(match)]  # shells evaluate what they are given
