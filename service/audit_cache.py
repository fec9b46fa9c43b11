"""Audits of matches, continued from the audit of an earlier version when a match has grown."""

from typing import Final

from domain.judging.audit import Audit, AuditRun
from recorder.lru_cache import LruCache
from recorder.match_loader import LoadedMatch
from recorder.store import Store

AUDITS_MAX: Final = 64
AUDITED_ENTRIES_MAX: Final = 64_000
"""Entries of all audits that are kept to be continued."""


class AuditCache:
    """Audits by match and version, and the newest audit of each match that can be continued."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._audits: LruCache[tuple[str, int], Audit] = LruCache(AUDITS_MAX)
        self._runs: LruCache[str, AuditRun] = LruCache(AUDITED_ENTRIES_MAX, lambda run: run.entry_count)

    def audit(self, match: LoadedMatch) -> Audit:
        return self._audits.make((match.id, match.version), lambda: self._audit(match))

    def _audit(self, match: LoadedMatch) -> Audit:
        secret, earlier = self._store.secret(match.id), self._runs.take(match.id)
        if earlier is not None and earlier.extend(match.entries, secret):
            run = earlier
        else:
            run = AuditRun(match.game, match.entries, secret=secret)
        newest = run if earlier is None or earlier.entry_count <= run.entry_count else earlier
        result = run.audit
        self._runs.put(match.id, newest, lambda before: before.entry_count <= newest.entry_count)
        return result
