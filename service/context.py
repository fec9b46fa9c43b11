"""The service as it stands: its store, keys and clock, what wakes those who watch; and what a request may look at."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.allowed import Doable, allowed
from domain.judging.audit import Audit, audit
from domain.law.entries import Entry, line
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from domain.words import Lang, Text
from projections import retrospective_view
from projections.dockets import DisputeListItem, list_disputes
from projections.keyframes import Keyframes, keyframes
from projections.rulings import Ruling, rulings_of
from projections.tables import TableNow
from projections.timeline import TimelineEntry, line_at
from projections.viewing import NotInMatch, is_over, look_at
from recorder import people
from recorder.answers import Unavailable
from recorder.chance import new_secret
from recorder.clock import read_wall_clock
from recorder.codec import MATCH_ID
from recorder.evidence.notes import Signer
from recorder.finding.index_follower import SearchIndex
from recorder.finding.rows import ClauseUsage
from recorder.forgetting import count_forgetting
from recorder.keyring import Holder, Keyring
from recorder.library.entries import Listening
from recorder.lru_cache import LruCache
from recorder.match_loader import LoadedMatch, cut, forget_matches, load_bare, load_match, load_sound
from recorder.seating import ensure_recorded, find_seat, list_seats
from recorder.store import Store, StoreError
from service.access import Operation, Seals, Session, is_delayed, may, may_look
from service.drawing.setting import Setting
from service.drawing.timeline import Snapshot
from service.drawing.times import Times
from service.etags import drawing
from service.floor.match_summaries import MatchSummaries
from service.limits import RateLimiter
from service.problems import http_problem
from service.reports.job_runner import Jobs
from service.rulebook.casebooks import Casebooks
from service.search import indexing
from service.search.follower import Following
from service.settings import Settings

AUDITS_MAX: Final = 64
"""So many audits are remembered."""
DOABLES_MAX: Final = 256
"""So many answers to what may be done now are remembered."""
FRAMES_MAX: Final = 256
"""So many matches are remembered as they are found one's way about by."""
LINES_MAX: Final = 8_192
"""So many entries in words are remembered."""
RULINGS_MAX: Final = 2_048
"""The rulings of so many matches are remembered."""
SECRET_BYTES: Final = 32
LAID_MAX: Final = 128
"""So many matches are remembered as they were drawn last."""
SEATED_MAX: Final = 8_192
"""Seats of players signed in for the event whose entry is known to be recorded."""
TAKES_MAX: Final = 128
"""So many films can go on; one weighs 300 KB."""
HEATS_MAX: Final = 64
"""Of so many games and viewers is remembered how hot clauses are."""
UNDER_WAY_MS: Final = 60_000
FILMS_KEPT: Final = 64 * 1024 * 1024
"""How many bytes of drawn films and entries are kept in memory."""

NO_RECORD: Final = ("match.none", "match.not_opened")
"""Why a match is unavailable of which there is nothing to look at."""


class MatchView(Struct, frozen=True):
    """What a request may look at: a match cut off behind the last entry it may see, and the eyes it looks with."""

    match: LoadedMatch
    eyes: TableViewer
    sealed: bool
    """Could whoever looks break a seal and has not?"""
    damaged: int = 0
    """The entry from which on the record cannot be read, so that the match ends before it here; 0: it can."""
    lawless: Text | None = None
    """Why nobody here knows the law by which the match is played, if so: it can be looked at, and no more."""
    judges: bool = False
    """True for a judge of the match, who reads what people tell judges whichever eyes they look with."""

    @property
    def head(self) -> int:
        """The number of the last entry to be seen."""
        return self.match.version

    @property
    def over(self) -> bool:
        """May be told what lay hidden in the match? It is what rights ask that hold for closed matches only."""
        return is_over(self.match.entries)

    @property
    def knows(self) -> bool:
        """May be told what hangs on hidden cards: is nothing hidden any more, or does a judge look?"""
        return self.over or self.eyes.viewer == JUDGE

    def require_judge(self) -> None:
        """Halt where something hangs on what lies hidden, unless that may be told."""
        if not self.knows:
            raise http_problem("sealed" if self.sealed else "not-your-eyes")


class InvitationLink(Struct, frozen=True):
    """What somebody is let in by, once: the word itself, and the address that takes it along behind its #."""

    token: str
    url: str
    ends: int
    number: str


def _require_match(loaded: LoadedMatch | Unavailable) -> LoadedMatch:
    """A match that is there. Halts where none is, or where nobody here knows the rules it is played by."""
    match loaded:
        case Unavailable(why=Text(key="match.none")):
            raise http_problem("unknown", Text("problem.no_match"))
        case Unavailable(why=why):
            raise http_problem("unknown", Text("problem.other_law", {"why": why}))
        case _:
            return loaded


def _named(match: str) -> str:
    """A name that a match can have. Halts where it is none."""
    if not MATCH_ID.fullmatch(match):
        raise http_problem("unknown", Text("problem.no_match"))
    return match


class AppContext:
    """What every request works with."""

    def __init__(self, store: Store, keys: Keyring, settings: Settings, clock: Callable[[], int] = read_wall_clock,
                 signer: Signer | None = None) -> None:  # fmt: skip
        self.store, self.keys, self.settings, self.clock, self.signer = store, keys, settings, clock, signer
        self.secret = signer.secret if signer is not None else new_secret(SECRET_BYTES)
        """What salts what packs for players bind to: without a key to sign with, another at each start."""
        self.times = Times(settings.zone)
        self.seals, self.limits = Seals(), RateLimiter()
        self._audits: LruCache[tuple[str, int], Audit] = LruCache(AUDITS_MAX)
        self._doables: LruCache[tuple[str, int, Seat, int], tuple[Doable, ...]] = LruCache(DOABLES_MAX)
        self._seated: LruCache[tuple[str, str], bool] = LruCache(SEATED_MAX)
        self.finder = SearchIndex(store, indexing.look, indexing.law_digest())
        self.forgotten = count_forgetting(store)
        """What the store says of names that were forgotten; caches with names are of this state."""
        self._drop_at = 0
        self._empty_caches()
        self.heats: LruCache[Hashable, tuple[ClauseUsage, ...]] = LruCache(HEATS_MAX)
        """How hot clauses were when they were asked for last: all matches are counted for it."""
        self.wakes: list[Callable[[str], None]] = []
        """Called with a match's id, and never with content, whenever something was recorded in it; from any thread."""
        self.heard: list[Callable[[], None]] = []
        """Called when somebody, this service or another program, has recorded something; from any thread."""
        self.drains: list[Callable[[], None]] = []
        """Called once when the service is about to stop, so that streams and jobs end by themselves."""
        self.draining = False
        self.casebooks = Casebooks(settings.cases)
        self._listening: Listening | None = None
        self.following = Following(self.finder, lambda: self.has_change_notifications)
        self.wakes.append(self.following.wake)
        self.heard.append(self.following.wake)
        self.jobs = Jobs(store, settings.jobs, clock)

    def _empty_caches(self) -> None:
        """Begin the caches that hold players' names."""
        self.glances = MatchSummaries(self.store)
        self._keyframes: LruCache[tuple[str, int, Seat], Keyframes] = LruCache(FRAMES_MAX)
        self._lines: LruCache[tuple[str, int, bool, int, Seat, Lang, bool], TimelineEntry] = LruCache(LINES_MAX)
        self._disputes: LruCache[tuple[str, int], tuple[DisputeListItem, ...]] = LruCache(RULINGS_MAX)
        self._rulings: LruCache[tuple[str, int, Seat], tuple[Ruling, ...]] = LruCache(RULINGS_MAX)
        self._laid: LruCache[tuple[str, Seat, Lang], Setting] = LruCache(LAID_MAX)
        self.films: LruCache[Hashable, bytes] = LruCache(FILMS_KEPT, len)
        """What was drawn of matches last: a part that was drawn stays as it is."""
        self.takes: LruCache[Hashable, Snapshot] = LruCache(TAKES_MAX)
        """Films that were drawn last: those of matches that go on do so, too."""

    @property
    def drawing(self) -> str:
        """Version of what is drawn: the program, and the names that may still be shown."""
        return f"{drawing()}-{self.forgotten}" if self.forgotten else drawing()

    def drop_forgotten(self) -> None:
        """Drop caches once any program forgot names, and again after requests under way. Raises StoreError."""
        forgotten, at = count_forgetting(self.store), self.clock()
        if forgotten == self.forgotten and not 0 < self._drop_at <= at:
            return
        self._drop_at = at + UNDER_WAY_MS if forgotten != self.forgotten else 0
        self.store.forget_heads()
        forget_matches(self.store)
        self._empty_caches()
        self.finder.begin_anew()
        self.forgotten = forgotten

    def begin(self) -> None:
        """Begin what goes on in the background."""
        self._listening = self.store.log.entries.listen(self._hear)
        self.following.start()
        self.jobs.begin()

    def drain(self) -> None:
        """Take nothing new on, and let what goes on end."""
        self.draining = True
        for call in self.drains:
            call()

    def close(self) -> None:
        """Let go of its files."""
        if self._listening is not None:
            self._listening.close()
        self.jobs.stop()
        self.following.stop()
        self.finder.close()
        self.keys.close()
        self.store.close()

    def wake(self, match: str) -> None:
        """Something was recorded in a match."""
        for call in self.wakes:
            call(match)

    @property
    def has_change_notifications(self) -> bool:
        """Is it told at once when another program records something? Then the store need not be looked at as often."""
        return self._listening is not None and self._listening.sure

    def _hear(self) -> None:
        for call in self.heard:
            call()

    def invite(self, holder: Holder) -> InvitationLink:
        """Let somebody in; what it is done with is said only now. Halts where the name cannot be theirs."""
        at = self.clock()
        done = people.invite(self.store, self.keys, holder, at, at + self.settings.invitation_ms)
        if isinstance(done, Text):
            raise http_problem("exists" if done.key in people.TAKEN else "unreadable", done)
        for match in done.noted:
            self.wake(match)
        return InvitationLink(done.token, people.link_of(self.settings.public, done.token), done.ends, done.number)

    def match(self, match: str) -> LoadedMatch:
        """The whole match, for who records. Halts where there is none of this id."""
        return _require_match(load_match(self.store, _named(match)))

    def _read(self, match: str, *, sound: bool, bare: bool) -> tuple[LoadedMatch, int, Text | None]:
        """A match, from which entry on it cannot be read, and why nobody here knows its law. Halts where there is none.

        Each of the last two only if that is allowed.
        """
        loaded, damaged = load_sound(self.store, _named(match)) if sound else (load_match(self.store, _named(match)), 0)
        if bare and isinstance(loaded, Unavailable) and loaded.why.key not in NO_RECORD:
            return *load_bare(self.store, match), loaded.why
        return _require_match(loaded), damaged, None

    def audit(self, match: LoadedMatch) -> Audit:
        """What a match's rules have against it; remembered, for whoever turns its pages asks again and again."""
        return self._audits.make((match.id, match.version), lambda: self._audit(match))

    def _audit(self, match: LoadedMatch) -> Audit:
        return audit(match.game, match.entries, secret=self.store.secret(match.id))

    def doables(self, view: MatchView, number: int, most: int) -> tuple[Doable, ...]:
        """What may be done after an entry, with so many lines of each verb; remembered like an audit."""
        key = view.match.id, number, view.eyes.viewer, most
        return self._doables.make(key, lambda: allowed(view.match, view.eyes, number, most))

    def rulings(self, match: str, upto: int, viewer: Seat) -> tuple[Ruling, ...]:
        """The rulings among the first `upto` entries of a match, none where nobody here knows its law; remembered: who
        looks for precedents asks for those of all matches. Raises StoreError."""
        return self._rulings.make((match, upto, viewer), lambda: self._read_rulings(match, upto, viewer))

    def disputes(self, match: str, upto: int) -> tuple[DisputeListItem, ...]:
        """The disputes among the first `upto` entries of a match, remembered, too. Raises StoreError."""
        return self._disputes.make(
            (match, upto), lambda: tuple(list_disputes(match, self.store.read(match, upto), GAMES))
        )

    def _read_rulings(self, match: str, upto: int, viewer: Seat) -> tuple[Ruling, ...]:
        loaded = load_match(self.store, match)
        return () if isinstance(loaded, Unavailable) else rulings_of(cut(loaded, upto), match, viewer)

    def keyframes(self, view: MatchView) -> Keyframes:
        """What a match is found one's way about by; remembered like an audit."""
        key = view.match.id, view.head, view.eyes.viewer
        return self._keyframes.make(key, lambda: keyframes(view.match.entries, view.eyes))

    def lines(self, view: MatchView, lang: Lang, first: int, last: int) -> list[TimelineEntry]:
        """Some entries in words, as they are read by who knows all that may be seen; remembered, too."""
        on_line = frozenset(line(view.match.entries))
        since = retrospective_view.read_since(view.eyes, view.match.entries)

        def tell(number: int) -> TimelineEntry:
            match, eyes, left, judges = view.match, view.eyes, number not in on_line, view.judges
            key = match.id, number, left, since, eyes.viewer, lang, judges
            return self._lines.make(key, lambda: line_at(match, eyes, lang, number, left=left, judges=judges))

        return [tell(number) for number in range(first, last + 1)]

    def lay(self, view: MatchView, lang: Lang) -> Setting:
        """What a match is drawn in for these eyes; it remembers what it was drawn with last."""
        match = view.match
        key = match.id, view.eyes.viewer, lang
        return self._laid.make(key, lambda: Setting(match.law, match.opening.schema, lang, names=match.names))

    def read_clock(self, session: Session) -> int:
        """The time up to which whoever asks sees what happens."""
        return self.clock() - (self.settings.delay if is_delayed(session) else 0)

    def visible(self, session: Session, entries: Sequence[Entry], due: int = 0) -> int:
        """How many entries whoever asks may see now: those before the first that the delay still holds back.

        The first `due` of them are known to be so.
        """
        if not self.settings.delay or not is_delayed(session):
            return len(entries)
        newest = self.read_clock(session)
        while due < len(entries) and entries[due].at <= newest:
            due += 1
        return due

    def read_table_summary(self, session: Session, match: str, version: int | None = None) -> TableNow | None:
        """How a match of so many entries stands, as whoever asks may see it with a spectator's eyes; None if they see
        nothing of it.

        For lists: nothing is folded, and what was looked at before is not read again. Raises StoreError for what cannot
        be read.
        """
        if version is None:
            version = self.store.version(match) if MATCH_ID.fullmatch(match) else 0
        held_back = self.settings.delay and is_delayed(session)
        now = self.glances.look(match, version, self.read_clock(session) if held_back else None)
        return now if now is not None and may(session, "see", match, closed=now.over) else None

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
        """A match as whoever asks may see it, with the eyes they ask for (a spectator's if none are named).

        `sound`: of a damaged record, as far as it can be read; `bare`: also where its law is not known here. Halts with
        a problem that is the same whatever lies on the table.
        """
        session = self.in_match(session, match)
        whole, damaged, lawless = self._read(match, sound=sound, bare=bare)
        seen = self.visible(session, whole.entries)
        if not seen:
            raise http_problem("unknown", Text("problem.no_match"))
        known = whole if seen == whole.version else cut(whole, seen)
        try:
            eyes = look_at(known, viewer or SPECTATOR)
        except NotInMatch as error:
            raise http_problem("unknown", error.text) from None
        if why := self.refusal(session, match, eyes.viewer, is_over(known.entries), operation):
            raise http_problem(why)
        sealed = eyes.viewer == SPECTATOR and may(session, "break_seal", match)
        return MatchView(known, eyes, sealed, damaged, lawless, may(session, "rule", match))

    def seat_of(self, session: Session, match: str) -> Seat:
        """Return the seat that a session holds in a match; '' for none.

        The one place that knows: a token may name its matches and the seat, or be a player's for the event. Of those
        the match says in an entry that the seat is theirs, before they see a card. Raises StoreError.
        """
        if not session.holder.for_event:
            return session.seat if match in session.matches else Seat("")
        seat = find_seat(self.store, match, session.name)
        if not seat or self._seated.get((match, session.number)):
            return seat
        try:
            if ensure_recorded(self.store, match, seat, session.holder, self.clock()):
                self.wake(match)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            return Seat("")
        self._seated.keep((match, session.number), True)
        return seat

    def list_matches(self, session: Session) -> list[tuple[str, Seat]]:
        """Return the matches of a session and its seat in each, the newest last. Raises StoreError."""
        if session.holder.for_event:
            return [(listed.match, seat) for listed, seat in list_seats(self.store, session.name)]
        return [(match, session.seat) for match in session.matches]

    def in_match(self, session: Session, match: str) -> Session:
        """Return the session as it is in one match: a player signed in for the event has their seat there. Raises
        StoreError."""
        if not session.holder.for_event or not (seat := self.seat_of(session, match)):
            return session
        return replace(session, matches=(match,), seat=seat)

    def refusal(
        self, session: Session, match: str, viewer: Seat, closed: bool, operation: Operation = "see"
    ) -> Literal["sealed", "not-your-eyes", "no-authority"] | None:
        """Why whoever asks may not look at a match with these eyes now, if they may not."""
        broken = self.seals.broken(session, match, self.clock())
        match may_look(session, match, viewer, broken, closed=closed, published=self.settings.published):
            case "sealed":
                return "sealed"
            case "no":
                return "not-your-eyes"
            case "yes":
                return None if may(session, operation, match, closed=closed) else "no-authority"
