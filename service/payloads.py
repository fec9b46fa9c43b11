"""Request and response bodies of the API that are not projections. Unknown fields are rejected."""

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import Meta, field

from domain.formats.decks import DeckList
from domain.formats.pairings import TableKind
from domain.judging.allowed import AllowedActions
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
    """An invitation to exchange for a token."""

    invitation: str


class SignedIn(Payload, frozen=True):
    """The new token, shown only here, and when it ends (milliseconds since 1970)."""

    token: str
    role: Role
    name: str
    ends: int


class SealedLog(Payload, frozen=True):
    """A checkpoint: its note, the leaves it covers, how many are new, and damaged matches without a new leaf."""

    note: str
    leaves: int
    new: int
    left_out: tuple[str, ...] = ()


class TimeRound(Payload, frozen=True, kw_only=True):
    """Start the timer of a round at all its tables, or cancel the start with `stop`. `minutes` defaults to the length
    the round was opened with. A table opened late ends with the others."""

    id: UUID | None = None
    event: str = ""
    round: str = ""
    minutes: int | None = None
    stop: bool = False


class TimedTable(Payload, frozen=True, kw_only=True):
    """A table of the round where a match goes on: whether its timer changed, and the countdown. Times are in
    milliseconds since 1970. The time left is `end` minus now, or minus `stands` while a judge has stopped the clock."""

    table: str
    match: str
    changed: bool = False
    countdown: Countdown | None = None


class Me(Payload, frozen=True):
    """The session of the caller."""

    role: Role
    name: str = ""
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    ends: int = 0
    seats: dict[str, Seat] = field(default_factory=dict)
    """Seat in each match of a player signed in for the event."""


class Invite(Payload, frozen=True):
    """A person to invite. `matches` empty means all matches. A player without matches gets the seats with their
    name."""

    role: Role
    name: Annotated[str, Meta(max_length=NAME_MAX)]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")


class Invited(Payload, frozen=True):
    """The invitation, shown only here, and its URL. The token is in the fragment, which is not sent to servers."""

    invitation: str
    url: str
    ends: int
    number: str


class Person(Payload, frozen=True):
    """A person who is signed in or invited: until when, by whom, and the number to revoke."""

    role: Role
    name: str
    number: str
    ends: int
    state: Literal["in", "invited"]
    matches: tuple[str, ...] = ()
    seat: Seat = Seat("")
    by: str = ""


class People(Payload, frozen=True):
    """All people who are signed in or invited."""

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
    """State of a match at `head`, the last entry this viewer may see, and its opening. `sealed`: the session could
    break the seal and look as another viewer."""

    viewer: Seat
    head: int
    sealed: bool
    stands: MatchStatusRow
    opening: SeenEntry


class Next(Payload, frozen=True):
    """Actions that the awaited seats may take after entry `head`, by verb, as far as the viewer knows. A verb without
    actions needs a card that this viewer does not see."""

    match: str
    viewer: Seat
    head: int
    closed: bool = False
    awaited: tuple[Seat, ...] = ()
    allowed: tuple[AllowedActions, ...] = ()


class FoundFinding(Payload, frozen=True):
    """A finding that matches a search. `undone`: a rewind has undone its entry."""

    entry: int
    kind: str
    clause: str
    undone: bool = False


class FoundDeed(Payload, frozen=True):
    """An action that matches a search."""

    entry: int
    verb: str


class FoundRuling(Payload, frozen=True):
    """A ruling or the outcome of an appeal that matches a search. An overturned ruling has both."""

    entry: int
    verdict: str = ""
    outcome: str = ""


class FoundMatch(Payload, frozen=True):
    """A match that matches a search. An open match shows only its opening. `uses` counts the facts with the clause
    searched for. `findings`, `deeds` and `rulings` are the first matching ones."""

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
    """A page of matches. `complete`: the index is up to date. Else `share` (0 to 1) is the part indexed, oldest
    first."""

    matches: tuple[FoundMatch, ...]
    complete: bool
    share: float = 1.0


class ClauseHeat(Payload, frozen=True):
    """Usage of a clause in closed matches: facts, matches, and findings."""

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
    """A clause that an action recorded as played broke."""

    entry: int
    clause: Clause
    sentence: Sentence
    clause_url: str


class EntriesWithFlags(Payload, frozen=True, kw_only=True):
    """The recorded entries as the author sees them: the entry, then the answers of chance. `head` is the last one.
    `next` has up to three lines to type next. `kept` is the reason if a line was recorded as a note."""

    match: str
    viewer: Seat
    head: int
    entries: tuple[SeenEntry, ...]
    flags: tuple[Flag, ...] = ()
    next: tuple[str, ...] = ()
    kept: Sentence | None = None


class Tried(Payload, frozen=True, kw_only=True):
    """The outcome of a command that was not recorded, from what the viewer knows. `stands`: whether it would be valid,
    None if unknown. `trail` has the clauses checked, `facts` the known effects. `missing` are the slots that an
    incomplete action lacks, `candidates` the lines that add them."""

    match: str
    viewer: Seat
    head: int
    stands: bool | None = None
    trail: tuple[Reason, ...] = ()
    facts: tuple[SeenFact, ...] = ()
    missing: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


class Occasioned(Payload, frozen=True, kw_only=True):
    """The occasion of a match."""

    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    start: str = ""
    limit: str = ""
    title: str = ""


class RulesChoice(Payload, frozen=True, kw_only=True):
    """Rules of a match: a version with a regulation (`frame`) and `options`, or full `rules` as a record has them.
    `policy` is the full policy on penalties and remedies to pin."""

    game: str
    version: str
    frame: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    policy: dict[str, Any] | None = None


class OpenMatch(RulesChoice, frozen=True, kw_only=True):
    """A match to open. The order of its cards is drawn here only.

    Decks are sample names or lists, visible to their seats and to a judge. `cards: real` means nothing is dealt here,
    `cards: phones` that players act on their phones. `pledges` are seat commitments for this `match`; nothing is drawn
    before they are revealed.
    """

    id: UUID | None = None
    match: str = ""
    names: dict[Seat, str] = field(default_factory=dict)
    decks: dict[Seat, str | DeckList] = field(default_factory=dict)
    cards: TableKind = "dealt"
    occasion: Occasioned = Occasioned()
    pledges: dict[Seat, str] = field(default_factory=dict)


class OpenRound(RulesChoice, frozen=True, kw_only=True):
    """A round to open: a match for each table, all or none. A repeat opens only what is missing.

    `pairings` is CSV with the heading `table,p1,p2` and so on. A column `p1_deck` names a sample or one of `decks`. A
    column `cards` overrides `cards` for its table. `minutes` is the length of the round's timer.
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
    """A table of the round and its match. `new`: it was opened by this request."""

    table: str
    match: str
    names: dict[Seat, str]
    new: bool
    cards: TableKind = "dealt"


class OpenBranch(Payload, frozen=True, kw_only=True):
    """A branch to open after entry `at`. Its chance outcomes are drawn here only."""

    at: Number
    id: UUID | None = None
    match: str = ""


class BranchHead(Payload, frozen=True, kw_only=True):
    """A branch of a match, and its last entry. `parent_open`: its hidden cards are still in play in the parent
    match."""

    match: str
    parent: str
    at: int
    head: int
    parent_open: bool = False


class BreakSeal(Payload, frozen=True, kw_only=True):
    """Viewer to look as (judge or a seat), and for how many minutes; 0 means as long as the service allows."""

    viewer: Seat
    minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 0
    id: UUID | None = None


class SealBreak(Payload, frozen=True, kw_only=True):
    """A broken seal, and when it ends (milliseconds since 1970)."""

    match: str
    viewer: Seat
    ends: int


class Resealed(Payload, frozen=True, kw_only=True):
    """A restored seal. `entry` records it; 0 if none was broken or the match is closed."""

    match: str
    entry: int = 0


class ImportedMatch(Payload, frozen=True, kw_only=True):
    """An imported match. `new`: the store did not have it before."""

    match: str
    entries: int
    new: bool


class ImportResult(Payload, frozen=True, kw_only=True):
    """The matches of a file, followed by their branches."""

    matches: tuple[ImportedMatch, ...]
