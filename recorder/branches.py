"""Branches (what-if matches): a copy of the parent's first entries, newly linked, with chance of its own."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.evidence import chain, names
from domain.law import croupier
from domain.law.entries import Closed, Opened, Pledged, without_pledges
from domain.words import Text
from domain.words.lines import clip
from recorder import chance, codec
from recorder.answers import Reused, Unavailable
from recorder.commands import Command
from recorder.match_ids import new_id
from recorder.match_loader import Games, LoadedMatch, load_match
from recorder.real_cards import answer_chance
from recorder.store import Conflict, MatchListItem, Repeated, Store


class Branched(Struct, frozen=True):
    """A recorded branch. It shares the entries up to `at` with its parent. `parent_open` is a warning: the branch may
    reveal hidden cards of a match still in progress."""

    match: str
    parent: str
    at: int
    version: int
    parent_open: bool = False


class NoBranch(Struct, frozen=True):
    """The request was wrong and nothing was recorded."""

    what: Text


def branch(
    store: Store,
    parent: str,
    at: int,
    match_id: str | None = None,
    seed: bytes | None = None,
    now: int = 0,
    by: str = "",
    *,
    command: Command | None = None,
    games: Games | None = None,
) -> Branched | Conflict | Unavailable | Reused | NoBranch:
    """Open a branch that shares entries 1 to `at` with its parent, including undone ones.

    Chance is asked anew in the same transaction. A repeated `command` returns the same branch again. Raises StoreError;
    then nothing was recorded.
    """
    before = load_match(store, parent, games)
    if isinstance(before, Unavailable):
        return before
    match = match_id or new_id(store, before.game)
    if before.undealt:
        seed = None
    elif seed is None:
        seed = chance.new_seed()
    assert seed is None or len(seed) == croupier.SEED_BYTES, "a seed has its length"
    problem = _find_problem(before, at, match)
    if problem is not None:
        return problem
    first, *shared = (codec.shorten(chain.unlink(state)) for state in store.read_bytes(parent, at))
    changes = {"at": now, "match": match, "by": by, "parent": parent, "parent_at": at}
    states = [_encode_branch_opening(before.opening, first, seed, changes), *shared]
    table = before.after(at)
    answers, _, _ = answer_chance(before.law, before.opening, table, match=match, seed=seed, version=at, at=now)
    states += map(codec.encode, answers)
    command_key = (None, b"") if command is None else (command.id, command.asked)
    done = store.append_bytes(match, states, seed, *command_key)
    if isinstance(done, Conflict):
        return done
    if isinstance(done, Repeated) and done.asked != command_key[1]:
        return Reused(match, command_key[0] or "", done.first)
    last = done.last if isinstance(done, Repeated) else done
    return Branched(match, parent, at, last, parent_open=not before.closed)


def _find_problem(parent: LoadedMatch, at: int, match: str) -> NoBranch | None:
    if codec.MATCH_ID.fullmatch(match) is None:
        return NoBranch(Text("branch.bad_id", {"match": repr(match[:80])}))
    if not 1 <= at <= parent.version:
        return NoBranch(Text("branch.no_entry", {"entry": clip(at), "match": parent.id, "last": parent.version}))
    if isinstance(parent.entries[at - 1], Closed):
        return NoBranch(Text("branch.closed", {"entry": at, "match": parent.id}))
    return None


def _encode_branch_opening(opened: Opened, state: bytes, seed: bytes | None, of_branch: Mapping[str, object]) -> bytes:
    """Encode the parent's opening with the branch's fields and seed; unknown fields are kept. Pledges are dropped,
    because only the branch's own croupier draws there."""
    commitment = "" if seed is None else croupier.commitment(str(of_branch["match"]), seed)
    changes = {**of_branch, "names": opened.names, "commitment": commitment}
    fields = dict(codec.content(codec.encode(replace(without_pledges(opened), **changes))))
    replaced = (*changes, names.HASHES, *(("entry", "pledges") if isinstance(opened, Pledged) else ()))
    rest = {name: value for name, value in codec.content(state).items() if name not in replaced}
    return msgspec.msgpack.encode(fields | rest)


def branches(store: Store) -> dict[str, list[str]]:
    """Return the branches of each match that has any, in the order of recording. Raises StoreError. A damaged branch
    with an unreadable opening is omitted."""
    branched: dict[str, list[str]] = {}
    for match in store.matches():
        if isinstance(match, MatchListItem) and match.parent_at:
            branched.setdefault(match.parent, []).append(match.match)
    return branched
