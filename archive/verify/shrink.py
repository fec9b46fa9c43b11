"""Find a shorter record with the same failure: cut it off, then leave out actions.

Leaving one out may affect others: actions that are no longer legal are skipped, and outcomes of chance that are no
longer possible are replaced by the first possible one. So every record tried is legal, except for entries that were
recorded as played.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from domain.formats.casebook.run import first_of
from domain.judging.rejudging.tables import Frames, carry_over, pair_frames
from domain.law.clause import Refusal
from domain.law.driver import decide, decide_as_played, skips_a_question
from domain.law.entries import (
    Closed,
    Corrected,
    Entry,
    Gap,
    Opened,
    Played,
    apply_entry,
    entry_facts as told_of,
    fold_entries,
    line,
)
from domain.law.law import Law
from domain.table.table import CHANCE, Table
from recorder import codec

Fails = Callable[[Sequence[Entry]], bool]

WORK_MAX = 60_000
"""Limit of the entries in all records tried; a record of some hundred entries is tried a hundred times."""
OVERLAP = 8
"""Runs up to this length are left out at every position, longer ones without overlap."""
WINDOW = 10
"""Maximum distance of two entries left out together."""
ANSWERS_MAX = 100
"""Limit of chance's consecutive answers."""


def shrink(law: Law, entries: Sequence[Entry], still_fails: Fails) -> list[Entry]:
    """Return the shortest record found for which `still_fails` holds, as it does for `entries`. An exception in
    `still_fails` or the law counts as not failing."""
    tries = _Tries(still_fails)
    unproved = [_remove_proof(entry) for entry in entries]
    shorter = _truncate(unproved if tries.fail(unproved) else list(entries), tries)
    on_line = [shorter[number - 1] for number in line(shorter)]
    on_line = [entry for entry in on_line if isinstance(entry, Opened | Played | Corrected | Gap)]
    if len(on_line) < len(shorter) and tries.fail(on_line):
        shorter = on_line
    if len(on_line) > len(shorter) or any(
        not isinstance(each, Opened | Played | Corrected | Gap | Closed) for each in shorter
    ):
        return shorter
    return _leave_out_pairs(law, _leave_out_runs(law, shorter, tries), tries)


def _remove_proof(entry: Entry) -> Entry:
    """Remove commitment and seed, since draws have other numbers in a shorter record."""
    if isinstance(entry, Opened):
        return replace(entry, commitment="")
    return replace(entry, seed="") if isinstance(entry, Closed) else entry


def _leave_out_runs(law: Law, entries: list[Entry], tries: "_Tries") -> list[Entry]:
    size = max(1, len(entries) // 2)
    while size and tries.left > 0:
        step = 1 if size <= OVERLAP else size
        runs = ([range(max(1, end - size), end)] for end in range(len(entries), 1, -step))
        smaller = _leave_out(law, entries, runs, tries)
        entries, size = (entries, size // 2) if smaller is None else (smaller, min(size, max(1, len(smaller) // 2)))
    return entries


def _leave_out_pairs(law: Law, entries: list[Entry], tries: "_Tries") -> list[Entry]:
    """Leave out an entry and one shortly after it, such as an action and its resolution."""
    while tries.left > 0:
        pairs = (
            [range(at, at + 1), range(at + gap, at + gap + size)]
            for at in range(len(entries) - 2, 0, -1)
            for gap in range(2, WINDOW)
            for size in (2, 1)
            if at + gap + size <= len(entries)
        )
        smaller = _leave_out(law, entries, pairs, tries)
        if smaller is None:
            break
        entries = _leave_out_runs(law, smaller, tries)
    return entries


class _Tries:
    def __init__(self, still_fails: Fails) -> None:
        self._still_fails = still_fails
        self.left = WORK_MAX

    def fail(self, entries: Sequence[Entry]) -> bool:
        if self.left <= 0 or not entries:
            return False
        self.left -= len(entries)
        try:
            return self._still_fails(entries)
        except Exception:
            return False


def _truncate(entries: list[Entry], tries: _Tries) -> list[Entry]:
    """Cut the record off at an entry where it fails, found by bisection."""
    least, most = 0, len(entries)
    while most - least > 1:
        middle = (least + most) // 2
        if tries.fail(entries[:middle]):
            most = middle
        else:
            least = middle
    return entries[:most]


def _leave_out(
    law: Law, entries: list[Entry], left_out: Iterable[Sequence[range]], tries: _Tries
) -> list[Entry] | None:
    """Return the first failing record with some entries left out, or None."""
    for runs in left_out:
        removed = {at for run in runs for at in run}
        start = min(removed)
        tried = replay(law, [entry for at, entry in enumerate(entries) if at not in removed], start)
        if tried is not None and len(tried) < len(entries) and tries.fail(tried):
            return tried
        tries.left -= len(entries) - start
        if tries.left <= 0:
            return None
    return None


def replay(law: Law, entries: Sequence[Entry], start: int = 1) -> list[Entry] | None:
    """Decide the entries from `start` again, skipping illegal actions; None if the law fails or chance is stuck."""
    played: list[Entry] = list(entries[:start])
    frames: Frames = {}
    try:
        table = fold_entries(played)
        for entry in entries[start:]:
            table = _add_answers(law, played, table, entry)
            before = len(played)
            table = _replay_entry(law, played, table, entry, frames)
            if len(played) > before:
                frames = pair_frames(frames, told_of(entry), told_of(played[-1]))
    except Exception:  # the law fails on a record that was never played, which is another failure
        return None
    return played


def _replay_entry(law: Law, played: list[Entry], table: Table, entry: Entry, frames: Frames) -> Table:
    if isinstance(entry, Corrected | Gap | Closed):
        played.append(entry)
        return apply_entry(table, entry)
    if not isinstance(entry, Played) or (entry.actor == CHANCE and CHANCE not in law.game.awaited(table)):
        return table
    action = carry_over(law.game.decoder().decode(entry.action), frames)
    judge = partial(decide_as_played, skips=skips_a_question(entry.told)) if entry.violations else decide
    outcome = judge(law, table, entry.actor, action)
    if isinstance(outcome, Refusal):
        return table
    raw = codec.raw_action(action)
    played.append(replace(entry, action=raw, told=outcome.told, violations=outcome.violations))
    return outcome.table


def _add_answers(law: Law, played: list[Entry], table: Table, next_entry: Entry) -> Table:
    for _ in range(ANSWERS_MAX):
        if CHANCE not in law.game.awaited(table):
            break
        if isinstance(next_entry, Played) and next_entry.actor == CHANCE:
            recorded = law.game.decoder().decode(next_entry.action)
            if not isinstance(decide(law, table, CHANCE, recorded), Refusal):
                break
        action = law.chance(table, first_of)
        if action is None:
            raise LookupError("chance has no answer")
        outcome = decide(law, table, CHANCE, action)
        if isinstance(outcome, Refusal):
            raise LookupError("chance has no answer")
        played.append(Played(actor=CHANCE, action=codec.raw_action(action), told=outcome.told))
        table = outcome.table
    return table
