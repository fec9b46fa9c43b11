"""What the API takes and gives beside what projections show: structs of its own, named fields, nothing unknown."""

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import Meta, field

from domain.formats.decks import DeckList
from domain.formats.pairings import TableKind
from domain.judging.allowed import Doable
from domain.law.clause import Clause
from domain.table.table import Seat
from projections import rulebooks
from projections.clocks import Countdown
from projections.findings import Sentence
from projections.match_status import MatchStatusRow
from projections.seen_entries import SeenEntry
from projections.seen_facts import SeenFact
from projections.why import Reason
from recorder.people import NAME_MAX
from recorder.usecases.commands import Number, Payload
from service.access import Role

MINUTES_MAX: Final = 100_000


class SignIn(Payload, frozen=True):
    """An invitation to be exchanged."""

    invitation: str


class SignedIn(Payload, frozen=True):
    """The token it was good for, said once, and until when (milliseconds since 1970)."""

    token: str
    role: Role
    name: str
    ends: int


class SealedLog(Payload, frozen=True):
    """A checkpoint: its note, how many leaves it covers, how many of them the one before it did not; which matches are
    damaged, so that they got no new leaf."""

    note: str
    leaves: int
    new: int
    left_out: tuple[str, ...] = ()


class TimeRound(Payload, frozen=True, kw_only=True):
    """The timer of a round is started at all its tables, or with `stop` its start is taken back.

    `minutes` is the length of the round; without it, the one that it was opened with. A table that was opened late has
    the time of the others.
    """

    id: UUID | None = None
    event: str = ""
    round: str = ""
    minutes: int | None = None
    stop: bool = False


class TimedTable(Payload, frozen=True, kw_only=True):
    """A table of the round where a match goes on, whether this changed its timer, and the time left now.

    `countdown`: in milliseconds since 1970. What is left is `end` less the time now, or less `stands` while a judge has
    stopped the clock.
    """

    table: str
    match: str
    changed: bool = False
    countdown: Countdown | None = None


class Me(Payload, frozen=True):
    """Whoever asks."""

    role: Role
    name: str = ""
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    ends: int = 0
    seats: dict[str, Seat] = field(default_factory=dict)
    """Of a player signed in for the event: the seat in each of their matches."""


class Invite(Payload, frozen=True):
    """Whom to invite: for all matches where none is named. A player of none has the seats that bear their name."""

    role: Role
    name: Annotated[str, Meta(max_length=NAME_MAX)]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")


class Invited(Payload, frozen=True):
    """The invitation, said once, and the address that takes it along behind its #, which no server is told."""

    invitation: str
    url: str
    ends: int
    number: str


class Person(Payload, frozen=True):
    """Who is in, or invited: until when, by whom, and the number by which this is taken back."""

    role: Role
    name: str
    number: str
    ends: int
    state: Literal["in", "invited"]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    by: str = ""


class People(Payload, frozen=True):
    """Everybody who is in or invited."""

    people: tuple[Person, ...]


class Ruleset(Payload, frozen=True):
    """A published ruleset by its hash: every number and option as a value, and in words."""

    id: str
    game: str
    version: str
    frame: str
    rules: dict[str, Any]
    numbers: tuple[rulebooks.Number, ...]


class MatchHead(Payload, frozen=True):
    """How a match stands behind entry `head`, the last that this viewer may see, and how it was opened.

    `sealed`: whoever asks could break its seal and look with other eyes.
    """

    viewer: Seat
    head: int
    sealed: bool
    stands: MatchStatusRow
    opening: SeenEntry


class Next(Payload, frozen=True):
    """What may be recorded behind entry `head` by the seats that are awaited, as far as the viewer knows, verb by verb.

    A verb without actions names a card that this viewer does not see; whoever does writes it out.
    """

    match: str
    viewer: Seat
    head: int
    closed: bool = False
    awaited: tuple[Seat, ...] = ()
    allowed: tuple[Doable, ...] = ()


class FoundFinding(Payload, frozen=True):
    """Something found in a match that was looked for; `undone` on a line that a rewind left."""

    entry: int
    kind: str
    clause: str
    undone: bool = False


class FoundDeed(Payload, frozen=True):
    """An action that was looked for."""

    entry: int
    verb: str


class FoundRuling(Payload, frozen=True):
    """A ruling that was looked for, or how an appeal ended that was; what overturned a ruling tells both."""

    entry: int
    verdict: str = ""
    outcome: str = ""


class FoundMatch(Payload, frozen=True):
    """A match that was looked for. Of an open one nothing is told but what was said when it was opened.

    `uses` is how often the clause that was asked for was told in it, `findings`, `deeds` and `rulings` the first that
    were asked for.
    """

    match: str
    game: str
    version: str
    names: dict[Seat, str] = field(default_factory=dict)
    event: str = ""
    at: int = 0
    closed: bool = False
    entries: int = 0
    uses: int = 0
    findings: tuple[FoundFinding, ...] = ()
    deeds: tuple[FoundDeed, ...] = ()
    rulings: tuple[FoundRuling, ...] = ()


class MatchSearchPage(Payload, frozen=True):
    """A page of matches. `complete`: the finder holds all that was recorded; else it is still being made, and `share`
    is how much it holds, the oldest first, from 0 to 1."""

    matches: tuple[FoundMatch, ...]
    complete: bool
    share: float = 1.0


class ClauseHeat(Payload, frozen=True):
    """A clause over closed matches: how often it was told, in how many, and how often it was found against."""

    clause: str
    uses: int = 0
    matches: int = 0
    findings: int = 0


class RulebookHeat(Payload, frozen=True):
    """The clauses of a game in the order of its rulebook."""

    game: str
    clauses: tuple[ClauseHeat, ...]
    complete: bool


class Flag(Payload, frozen=True, kw_only=True):
    """A clause that did not hold for what was recorded as played."""

    entry: int
    clause: Clause
    sentence: Sentence
    clause_url: str


class EntriesWithFlags(Payload, frozen=True, kw_only=True):
    """What was recorded, as whoever wrote it sees it: the entry, then what chance answered; the number of the last one.

    `next` are up to three lines that may be typed now. `kept`: why a line is kept as a note.
    """

    match: str
    viewer: Seat
    head: int
    entries: tuple[SeenEntry, ...]
    flags: tuple[Flag, ...] = ()
    next: tuple[str, ...] = ()
    kept: Sentence | None = None


class Tried(Payload, frozen=True, kw_only=True):
    """A command decided and not recorded, from what the viewer knows and nothing else.

    Would it `stand`, if that can be known? With the clauses looked at, and the facts as far as they can be known.
    """

    match: str
    viewer: Seat
    head: int
    stands: bool | None = None
    trail: tuple[Reason, ...] = ()
    facts: tuple[SeenFact, ...] = ()


class Occasioned(Payload, frozen=True, kw_only=True):
    """On what occasion a match is played."""

    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    start: str = ""
    limit: str = ""
    title: str = ""


class RulesChoice(Payload, frozen=True, kw_only=True):
    """By which rules matches are opened: those of a version, under a `frame`, with `options` set; or whole `rules` as a
    record holds them. `policy` is what of penalties and repairs is pinned, in full."""

    game: str
    version: str
    frame: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    policy: dict[str, Any] | None = None


class OpenMatch(RulesChoice, frozen=True, kw_only=True):
    """A match to be opened. The order of its cards comes from here and from nowhere else.

    Decks are samples by their names, or lists; they go to their seats and to a judge. With `cards: real` nobody deals
    here; with `cards: phones` the players act on their own phones. With `pledges` of seats, made for the `match` of
    this name, nothing is drawn before they are revealed.
    """

    id: UUID | None = None
    match: str = ""
    names: dict[Seat, str] = field(default_factory=dict)
    decks: dict[Seat, str | DeckList] = field(default_factory=dict)
    cards: TableKind = "dealt"
    occasion: Occasioned = Occasioned()
    pledges: dict[Seat, str] = field(default_factory=dict)


class OpenRound(RulesChoice, frozen=True, kw_only=True):
    """A round to be opened: a match for each table, all of them or none. Sent again, it opens what is not there yet.

    `pairings` is CSV under the heading `table,p1,p2` and so on; a column `p1_deck` names a sample, or one of `decks`,
    which are brought along. A column `cards` says how a table is played, `cards` how those are that it leaves open.
    `minutes` is the length of the round, for its timer.
    """

    pairings: str
    cards: TableKind = "dealt"
    event: str
    round: str
    site: str = ""
    date: str = ""
    start: str = ""
    limit: str = ""
    minutes: int | None = None
    decks: dict[str, DeckList] = field(default_factory=dict)


class RoundTable(Payload, frozen=True, kw_only=True):
    """A table of the round and its match, which was opened just now or by the same pairings before."""

    table: str
    match: str
    names: dict[Seat, str]
    new: bool
    cards: TableKind = "dealt"


class OpenBranch(Payload, frozen=True, kw_only=True):
    """A branch to be opened, that goes on from entry `at`. What happens by chance in it comes from here alone."""

    at: Number
    id: UUID | None = None
    match: str = ""


class BranchHead(Payload, frozen=True, kw_only=True):
    """A branch of a match, and its last entry. `parent_open`: what it hides lies hidden in a match that is played."""

    match: str
    parent: str
    at: int
    head: int
    parent_open: bool = False


class BreakSeal(Payload, frozen=True, kw_only=True):
    """With whose eyes to look: a judge's, or a seat's. For so many minutes; for as long as the service lets without."""

    viewer: Seat
    minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 0
    id: UUID | None = None


class SealBreak(Payload, frozen=True, kw_only=True):
    """A seal is broken, until then (milliseconds since 1970)."""

    match: str
    viewer: Seat
    ends: int


class Resealed(Payload, frozen=True, kw_only=True):
    """A seal is back; `entry` says so in the record, 0 where none was broken or nothing is recorded any more."""

    match: str
    entry: int = 0


class ImportedMatch(Payload, frozen=True, kw_only=True):
    """A match that is in the store now; was it not before?"""

    match: str
    entries: int
    new: bool


class ImportResult(Payload, frozen=True, kw_only=True):
    """The matches of a file, its branches behind it."""

    matches: tuple[ImportedMatch, ...]
