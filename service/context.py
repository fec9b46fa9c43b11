"""Application context: store, keys, clock and caches, and the view that a request gets of a match."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.allowed import AllowedActions, allowed
from domain.judging.audit import Audit
from domain.law.entries import Entry, line
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from domain.words import Lang, Text
from projections import retrospective_view
from projections.dockets import DisputeListItem, list_disputes
from projections.keyframes import Keyframes, keyframes
from projections.rulings import Ruling, rulings_of
from projections.tables import TableStatus
from projections.timeline import TimelineEntry, line_at
from projections.viewing import NotInMatch, find_viewer, is_over
from recorder import people
from recorder.answers import Unavailable
from recorder.chance import new_secret
from recorder.clock import read_wall_clock
from recorder.codec import MATCH_ID
from recorder.evidence.notes import Signer
from recorder.finding.index_follower import SearchIndex
from recorder.finding.rows import ClauseTally
from recorder.keyring import Holder, Keyring
from recorder.library.entries import Subscription
from recorder.lru_cache import LruCache
from recorder.match_loader import LoadedMatch, forget_matches, load_bare, load_match, load_sound, truncate
from recorder.name_erasure import read_erasure_count
from recorder.seating import ensure_recorded, find_seat, list_seats
from recorder.store import Store, StoreError
from service.access import Operation, Seals, Session, is_delayed, may, view_access
from service.audit_cache import AuditCache
from service.drawing.setting import DrawingContext
from service.drawing.timeline import Snapshot
from service.drawing.times import Times
from service.etags import source_digest
from service.floor.match_summaries import MatchSummaries
from service.limits import RateLimiter
from service.problems import http_problem
from service.reports.job_runner import Jobs
from service.rulebook.casebooks import Casebooks
from service.search import indexing
from service.search.follower import IndexFollower
from service.settings import Settings

DOABLES_MAX: Final = 256
KEYFRAMES_MAX: Final = 256
LINES_MAX: Final = 8_192
RULINGS_MAX: Final = 2_048
SECRET_BYTES: Final = 32
DRAWING_CONTEXTS_MAX: Final = 128
SEATS_MAX: Final = 8_192
"""Cached seats of players signed in for the event, each once an entry records it."""
SNAPSHOTS_MAX: Final = 128
"""Timelines that can be continued. Each takes about 300 KB."""
USAGES_MAX: Final = 64
REQUEST_MS_MAX: Final = 60_000
TIMELINE_BYTES_MAX: Final = 64 * 1024 * 1024
"""Bytes of rendered timelines and entries to cache."""

NO_RECORD: Final = ("match.none", "match.not_opened")
"""Reasons of an unavailable match that has no record to show."""


class MatchView(Struct, frozen=True):
    """A match up to the last entry that a request may see, and the viewer it is seen as."""

    match: LoadedMatch
    eyes: TableViewer
    sealed: bool
    """True if the session could break a seal and has not."""
    damaged: int = 0
    """First entry that cannot be read; the match ends before it. 0 if the record is sound."""
    lawless: Text | None = None
    """Reason why the rules of the match are unknown here, if they are. Then the match can only be looked at."""
    judges: bool = False
    """True for a judge of the match, who reads messages to judges as any viewer."""

    @property
    def head(self) -> int:
        return self.match.version

    @property
    def over(self) -> bool:
        """True if hidden cards may be revealed. Rights that hold for closed matches only depend on this."""
        return is_over(self.match.entries)

    @property
    def may_see_hidden(self) -> bool:
        """True if facts about hidden cards may be shown: the match is over, or the viewer is a judge."""
        return self.over or self.eyes.viewer == JUDGE

    def require_judge(self) -> None:
        """Raise HttpProblem unless facts about hidden cards may be shown."""
        if not self.may_see_hidden:
            raise http_problem("sealed" if self.sealed else "not-your-eyes")


class InvitationLink(Struct, frozen=True):
    """A single-use invitation: its token, and the URL with the token in the fragment."""

    token: str
    url: str
    ends: int
    number: str


def _require_match(loaded: LoadedMatch | Unavailable) -> LoadedMatch:
    """Return a loaded match. Raises HttpProblem if there is none, or if its rules are unknown here."""
    match loaded:
        case Unavailable(why=Text(key="match.none")):
            raise http_problem("unknown", Text("problem.no_match"))
        case Unavailable(why=why):
            raise http_problem("unknown", Text("problem.other_law", {"why": why}))
        case _:
            return loaded


def _require_id(match: str) -> str:
    if not MATCH_ID.fullmatch(match):
        raise http_problem("unknown", Text("problem.no_match"))
    return match


class AppContext:
    """Resources that all requests share."""

    def __init__(self, store: Store, keys: Keyring, settings: Settings, clock: Callable[[], int] = read_wall_clock,
                 signer: Signer | None = None) -> None:  # fmt: skip
        self.store, self.keys, self.settings, self.clock, self.signer = store, keys, settings, clock, signer
        self.secret = signer.secret if signer is not None else new_secret(SECRET_BYTES)
        """Salt of evidence packs for players. Without a signing key it changes at each start."""
        self.times = Times(settings.zone)
        self.seals, self.limits = Seals(), RateLimiter()
        self._audits = AuditCache(store)
        self._doables: LruCache[tuple[str, int, Seat, int], tuple[AllowedActions, ...]] = LruCache(DOABLES_MAX)
        self._recorded_seats: LruCache[tuple[str, str], bool] = LruCache(SEATS_MAX)
        self.search_index = SearchIndex(store, indexing.index_rows, indexing.law_digest())
        self.erasure_count = read_erasure_count(store)
        """Number of name erasures in the store, as text; '' for none. Caches with names depend on it."""
        self._drop_at = 0
        self._empty_caches()
        self.clause_usage: LruCache[Hashable, tuple[ClauseTally, ...]] = LruCache(USAGES_MAX)
        """Clause usage by game and viewer. Computing it reads all matches."""
        self.match_callbacks: list[Callable[[str], None]] = []
        """Callbacks for each match that changes. They get its id only, and run in any thread."""
        self.store_callbacks: list[Callable[[], None]] = []
        """Callbacks for any change of the store, also by another program. They run in any thread."""
        self.drain_callbacks: list[Callable[[], None]] = []
        """Callbacks run once before shutdown, so that streams and jobs end in order."""
        self.draining = False
        self.casebooks = Casebooks(settings.cases)
        self._listening: Subscription | None = None
        self.index_follower = IndexFollower(self.search_index, lambda: self.has_change_notifications)
        self.match_callbacks.append(self.index_follower.wake)
        self.store_callbacks.append(self.index_follower.wake)
        self.jobs = Jobs(store, settings.jobs, clock)

    def _empty_caches(self) -> None:
        self.match_summaries = MatchSummaries(self.store)
        self._keyframes: LruCache[tuple[str, int, Seat], Keyframes] = LruCache(KEYFRAMES_MAX)
        self._lines: LruCache[tuple[str, int, bool, int, Seat, Lang, bool], TimelineEntry] = LruCache(LINES_MAX)
        self._disputes: LruCache[tuple[str, int], tuple[DisputeListItem, ...]] = LruCache(RULINGS_MAX)
        self._rulings: LruCache[tuple[str, int, Seat], tuple[Ruling, ...]] = LruCache(RULINGS_MAX)
        self._drawing_contexts: LruCache[tuple[str, Seat, Lang], DrawingContext] = LruCache(DRAWING_CONTEXTS_MAX)
        self.timelines: LruCache[Hashable, bytes] = LruCache(TIMELINE_BYTES_MAX, len)
        self.snapshots: LruCache[Hashable, Snapshot] = LruCache(SNAPSHOTS_MAX)
        """Newest snapshot of each timeline, from which a growing match is continued."""

    @property
    def drawing_version(self) -> str:
        """Version of all drawings. It changes with the program and whenever names are forgotten."""
        return f"{source_digest()}-{self.erasure_count}" if self.erasure_count else source_digest()

    def drop_forgotten(self) -> None:
        """Drop the caches if any program has forgotten names. They are dropped again a minute later, because requests
        under way may refill them. Raises StoreError."""
        forgotten, at = read_erasure_count(self.store), self.clock()
        if forgotten == self.erasure_count and not 0 < self._drop_at <= at:
            return
        self._drop_at = at + REQUEST_MS_MAX if forgotten != self.erasure_count else 0
        self.store.forget_heads()
        forget_matches(self.store)
        self._empty_caches()
        self.search_index.reset()
        self.erasure_count = forgotten

    def begin(self) -> None:
        self._listening = self.store.log.entries.listen(self._on_store_change)
        self.index_follower.start()
        self.jobs.begin()

    def drain(self) -> None:
        """Refuse new requests, and end streams and jobs."""
        self.draining = True
        for call in self.drain_callbacks:
            call()

    def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
        self.jobs.stop()
        self.index_follower.stop()
        self.search_index.close()
        self.keys.close()
        self.store.close()

    def wake(self, match: str) -> None:
        for call in self.match_callbacks:
            call(match)

    @property
    def has_change_notifications(self) -> bool:
        """True if the database notifies us of other writers, so polling can be rare."""
        return self._listening is not None and self._listening.is_reliable

    def _on_store_change(self) -> None:
        for call in self.store_callbacks:
            call()

    def invite(self, holder: Holder) -> InvitationLink:
        """Create an invitation. Its token is returned only here. Raises HttpProblem if the name is not available."""
        at = self.clock()
        invited = people.invite(self.store, self.keys, holder, at, at + self.settings.invitation_ms)
        if isinstance(invited, Text):
            raise http_problem("exists" if invited.key in people.TAKEN else "unreadable", invited)
        for match in invited.noted:
            self.wake(match)
        return InvitationLink(
            invited.token, people.link_of(self.settings.public, invited.token), invited.ends, invited.number
        )

    def match(self, match: str) -> LoadedMatch:
        """Return the whole match, for writers. Raises HttpProblem if there is none."""
        return _require_match(load_match(self.store, _require_id(match)))

    def _read(self, match: str, *, sound: bool, bare: bool) -> tuple[LoadedMatch, int, Text | None]:
        """Return a match, its first unreadable entry (only with `sound`), and why its rules are unknown (only with
        `bare`). Raises HttpProblem if there is no such match."""
        loaded, damaged = (
            load_sound(self.store, _require_id(match)) if sound else (load_match(self.store, _require_id(match)), 0)
        )
        if bare and isinstance(loaded, Unavailable) and loaded.why.key not in NO_RECORD:
            return *load_bare(self.store, match), loaded.why
        return _require_match(loaded), damaged, None

    def audit(self, match: LoadedMatch) -> Audit:
        """Return the audit of a match. It is cached, because each page of a match needs it."""
        return self._audits.audit(match)

    def doables(self, view: MatchView, number: int, most: int) -> tuple[AllowedActions, ...]:
        """Return the actions that are possible after an entry, up to `most` lines for each verb. Cached."""
        key = view.match.id, number, view.eyes.viewer, most
        return self._doables.make(key, lambda: allowed(view.match, view.eyes, number, most))

    def rulings(self, match: str, upto: int, viewer: Seat) -> tuple[Ruling, ...]:
        """Return the rulings in the first `upto` entries; none if the rules are unknown here. Cached, because a search
        for precedents needs those of all matches. Raises StoreError."""
        return self._rulings.make((match, upto, viewer), lambda: self._read_rulings(match, upto, viewer))

    def disputes(self, match: str, upto: int) -> tuple[DisputeListItem, ...]:
        """Return the disputes in the first `upto` entries of a match. Cached. Raises StoreError."""
        return self._disputes.make(
            (match, upto), lambda: tuple(list_disputes(match, self.store.read(match, upto), GAMES))
        )

    def _read_rulings(self, match: str, upto: int, viewer: Seat) -> tuple[Ruling, ...]:
        loaded = load_match(self.store, match)
        return () if isinstance(loaded, Unavailable) else rulings_of(truncate(loaded, upto), match, viewer)

    def keyframes(self, view: MatchView) -> Keyframes:
        """Return the keyframes of a match. Cached."""
        key = view.match.id, view.head, view.eyes.viewer
        return self._keyframes.make(key, lambda: keyframes(view.match.entries, view.eyes))

    def lines(self, view: MatchView, lang: Lang, first: int, last: int) -> list[TimelineEntry]:
        """Return entries in words, written with all facts that this viewer knows by now. Cached."""
        on_line = frozenset(line(view.match.entries))
        since = retrospective_view.find_last_disclosure(view.eyes, view.match.entries)

        def draw_line(number: int) -> TimelineEntry:
            match, eyes, left, judges = view.match, view.eyes, number not in on_line, view.judges
            key = match.id, number, left, since, eyes.viewer, lang, judges
            return self._lines.make(key, lambda: line_at(match, eyes, lang, number, left=left, judges=judges))

        return [draw_line(number) for number in range(first, last + 1)]

    def drawing_context(self, view: MatchView, lang: Lang) -> DrawingContext:
        match = view.match
        key = match.id, view.eyes.viewer, lang
        return self._drawing_contexts.make(
            key, lambda: DrawingContext(match.law, match.opening.schema, lang, names=match.names)
        )

    def visible_until(self, session: Session) -> int:
        """Return the time up to which the session may see entries."""
        return self.clock() - (self.settings.delay if is_delayed(session) else 0)

    def count_visible(self, session: Session, entries: Sequence[Entry], due: int = 0) -> int:
        """Return the number of entries that the session may see after the delay. At least the first `due` are
        visible."""
        if not self.settings.delay or not is_delayed(session):
            return len(entries)
        newest = self.visible_until(session)
        while due < len(entries) and entries[due].at <= newest:
            due += 1
        return due

    def read_table_summary(self, session: Session, match: str, version: int | None = None) -> TableStatus | None:
        """Return the summary of a match as the session may see it as a spectator; None if it may see nothing. Cheap
        enough for lists: no entries are folded, and unchanged matches are not read again. Raises StoreError."""
        if version is None:
            version = self.store.version(match) if MATCH_ID.fullmatch(match) else 0
        held_back = self.settings.delay and is_delayed(session)
        summary = self.match_summaries.read(match, version, self.visible_until(session) if held_back else None)
        return summary if summary is not None and may(session, "see", match, closed=summary.over) else None

    def read_listed_table(self, session: Session, match: str, version: int | None = None) -> TableStatus | None:
        """Return the summary of a match for a list. A session that opens rounds sees without delay that a match exists,
        and the timer of its round: neither reveals anything of the play. Raises StoreError."""
        summary = self.read_table_summary(session, match, version)
        if not (self.opens_rounds_delayed(session) and MATCH_ID.fullmatch(match)):
            return summary
        opening = self.match_summaries.read_opening(match, version or self.store.version(match))
        return summary if opening is None else replace(summary or opening, timer=opening.timer)

    def opens_rounds_delayed(self, session: Session) -> bool:
        """True if the session opens rounds, but sees their play after the delay."""
        return self.settings.delay > 0 and is_delayed(session) and may(session, "pair")

    def look(
        self,
        session: Session,
        match: str,
        viewer: str = "",
        operation: Operation = "see",
        *,
        sound: bool = False,
        bare: bool = False,
    ) -> MatchView:
        """Return a match as the session may see it, as the named viewer (default: spectator).

        `sound` also accepts a damaged record, up to its first unreadable entry. `bare` also accepts a match whose rules
        are unknown here. Raises HttpProblem, which never depends on the state of the table.
        """
        session = self.in_match(session, match)
        whole, damaged, lawless = self._read(match, sound=sound, bare=bare)
        seen = self.count_visible(session, whole.entries)
        if not seen:
            delayed = self.opens_rounds_delayed(session)
            raise http_problem("unknown", Text("problem.delayed" if delayed else "problem.no_match"))
        known = whole if seen == whole.version else truncate(whole, seen)
        try:
            eyes = find_viewer(known, viewer or SPECTATOR)
        except NotInMatch as error:
            raise http_problem("unknown", error.text) from None
        if why := self.refusal(session, match, eyes.viewer, is_over(known.entries), operation):
            raise http_problem(why)
        sealed = eyes.viewer == SPECTATOR and may(session, "break_seal", match)
        return MatchView(known, eyes, sealed, damaged, lawless, may(session, "rule", match))

    def seat_of(self, session: Session, match: str) -> Seat:
        """Return the seat that a session holds in a match; '' for none.

        A token either names its matches and the seat, or is a player's for the whole event. For the latter an entry
        records the seat before the player sees a card. Raises StoreError.
        """
        if not session.holder.for_event:
            return session.seat if match in session.matches else Seat("")
        seat = find_seat(self.store, match, session.name)
        if not seat or self._recorded_seats.get((match, session.number)):
            return seat
        try:
            if ensure_recorded(self.store, match, seat, session.holder, self.clock()):
                self.wake(match)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            return Seat("")
        self._recorded_seats.put((match, session.number), True)
        return seat

    def list_matches(self, session: Session) -> list[tuple[str, Seat]]:
        """Return the matches of a session and its seat in each, the newest last. Raises StoreError."""
        if session.holder.for_event:
            return [(listed.match, seat) for listed, seat in list_seats(self.store, session.name)]
        return [(match, session.seat) for match in session.matches]

    def in_match(self, session: Session, match: str) -> Session:
        """Return the session for one match. A player signed in for the event gets their seat there. Raises
        StoreError."""
        if not session.holder.for_event or not (seat := self.seat_of(session, match)):
            return session
        return replace(session, matches=(match,), seat=seat)

    def refusal(
        self, session: Session, match: str, viewer: Seat, closed: bool, operation: Operation = "see"
    ) -> Literal["sealed", "not-your-eyes", "no-authority"] | None:
        """Return why the session may not look at a match as this viewer now, or None if it may."""
        broken = self.seals.find_broken(session, match, self.clock())
        match view_access(session, match, viewer, broken, closed=closed, published=self.settings.published):
            case "sealed":
                return "sealed"
            case "no":
                return "not-your-eyes"
            case "yes":
                return None if may(session, operation, match, closed=closed) else "no-authority"
