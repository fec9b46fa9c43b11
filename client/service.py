"""A service and its matches, as whoever holds a token may use them. What it refuses is raised with its problem."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from client.events import Event, read_events
from client.sending import (
    TIMEOUT_S,
    Interrupted,
    Request,
    Response,
    Send,
    Stream,
    Unreachable,
    check_token,
    pause,
    quote_part,
    read_address,
    send_patiently,
    write_query,
)
from domain.table.table import Seat
from domain.words import Text
from projections import answers, rulebooks
from projections.disputes import SeenDispute
from projections.findings import SeenFinding
from projections.seen_entries import SeenEntry
from projections.standing import Row
from regress.counting import Report
from regress.rejudging import Rejudged
from service import commands as C, wire
from service.jobs.answers import JobPage, RegressionAnswer, Rows, ShownJob, report_of
from service.jobs.tasks import Task
from service.problems import Problem

ROOT: Final = "/api/v1"
NEXT: Final = re.compile(r'<(/[^>]*)>; rel="next"')
PROBLEM: Final = "application/problem+json"
FINE: Final = range(200, 300)
STREAM_TRIES: Final = 5
"""So often a stream is asked for anew without a word of news between."""
STREAM_PAUSE_S: Final = 1.0
ENDS: Final = frozenset(("sealed", "over"))
"""Events after which there is nothing more to come."""
ANY_HEAD: Final = "*"
PAGE_MAX: Final = 500
"""So many rows of a report are asked for at once."""

T = TypeVar("T")
Query = Mapping[str, object]


class Refused(Exception):
    """The service says no; `problem` says why, to people in both languages and to programs."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.en)
        self.problem = problem


class Service(Struct, frozen=True):
    """A service, spoken to with a token, or as a spectator without one. Everything raises Refused and Unreachable."""

    url: str
    send: Send
    stream: Stream
    token: str = ""

    # -- who one is ----------------------------------------------------------------------------------------------------

    def sign_in(self, invitation: str) -> "Service":
        """The same service, spoken to by whoever was invited. An invitation is good for once: it is sent once."""
        body = msgspec.json.encode(wire.SignIn(invitation=invitation))
        headers = {"Origin": self.url}
        signed = self._ask("POST", "/sessions", wire.SignedIn, body=body, headers=headers, again=False)
        return replace(self, token=check_token(signed.token))

    def sign_out(self) -> None:
        """Give the token back."""
        self.delete("/sessions", dict[str, Any])

    def who(self) -> wire.Me:
        """Who one is here."""
        return self.get("/sessions", wire.Me)

    def invite(self, invited: wire.Invite) -> wire.Invited:
        """Invite somebody; the invitation is said once."""
        return self.post("/invitations", invited, wire.Invited)

    # -- what there is -------------------------------------------------------------------------------------------------

    def games(self) -> tuple[rulebooks.Listed, ...]:
        """The games, their editions, regulations and decks."""
        return self.get("/games", tuple[rulebooks.Listed, ...])

    def game(self, game: str, version: str = "", frame: str = "") -> rulebooks.Book:
        """A rulebook as it is in an edition."""
        return self.get(f"/games/{quote_part(game)}", rulebooks.Book, {"version": version, "frame": frame})

    def clause(self, game: str, clause: str, version: str = "", frame: str = "") -> rulebooks.ClauseText:
        """A clause as it reads in an edition."""
        path = f"/games/{quote_part(game)}/clauses/{quote_part(clause)}"
        return self.get(path, rulebooks.ClauseText, {"version": version, "frame": frame})

    def ruleset(self, digest: str) -> wire.Ruleset:
        """A published ruleset by its hash."""
        return self.get(f"/rulesets/{quote_part(digest)}", wire.Ruleset)

    def matches(self, *, game: str = "", player: str = "", open: bool = False) -> Iterator[Row]:
        """Matches of which one may see anything, the oldest in the store first, page after page."""
        asked = {"game": game, "player": player, "open": open}
        for page in self.pages("/matches", tuple[Row, ...], asked):
            yield from page

    def find(self, **sought: str) -> Iterator[wire.Found]:
        """Pages of matches by `clause`, `verdict`, `card`, `player`, `event`, `game`, `since` and `until`.

        A page that is not `complete` is told while the service still looks through what was recorded.
        """
        return self.pages("/find", wire.Found, sought)

    def heat(self, game: str) -> wire.Heat:
        """How often each clause was told and found against in closed matches."""
        return self.get(f"/games/{quote_part(game)}/heat", wire.Heat)

    def match(self, match: str, viewer: str = "") -> "Match":
        """A match, looked at with somebody's eyes: a spectator's if none are named."""
        return Match(self, match, viewer)

    # -- what is brought in, and jobs ----------------------------------------------------------------------------------

    def open(self, opening: C.OpenMatch) -> C.Entered:
        """Open a match; under the opening's id, or a new one, it is opened once."""
        return self.post("/matches", replace(opening, id=opening.id or uuid4()), C.Entered, again=True)

    def open_round(self, opening: C.OpenRound) -> tuple[C.Paired, ...]:
        """Open the matches of a round that are not open yet, all of them or none."""
        return self.post("/rounds", opening, tuple[C.Paired, ...], again=True)

    def take_in(self, record: bytes) -> C.Imported:
        """Take in a whole record, in notation or as JSON Lines; what is there already stays as it is."""
        return self._ask("POST", "/imports", C.Imported, body=record)

    def start(self, kind: str, task: Task) -> ShownJob:
        """Ask for a job: `regressions`, `comparisons`, `verifications`, `rejudgings` or `readings`."""
        return self.post(f"/{quote_part(kind)}", task, ShownJob)

    def jobs(self, kind: str = "") -> Iterator[ShownJob]:
        """The jobs, the newest first."""
        for page in self.pages("/jobs", JobPage, {"kind": kind}):
            yield from page.jobs

    def job(self, job: str) -> ShownJob:
        """How a job stands. What came of it is at its `url`, which `get` takes with the type it is to be read as."""
        return self.get(f"/jobs/{quote_part(job)}", ShownJob)

    def follow_job(self, job: str) -> Iterator[Event]:
        """How a job goes on, until it is over."""
        return self.follow(f"/jobs/{quote_part(job)}/live")

    def report(self, job: ShownJob) -> Report:
        """All that came of a regression that is done."""
        told = self.get(job.url, RegressionAnswer)
        if told.result is None:
            raise self._foreign()
        pages = self.pages(f"{job.url}/results", Rows, {"limit": PAGE_MAX})
        return report_of(told.result, (row for page in pages for row in page.results))

    def cancel(self, job: str) -> ShownJob:
        """Take a job back."""
        return self.delete(f"/jobs/{quote_part(job)}", ShownJob)

    # -- any address ---------------------------------------------------------------------------------------------------

    def get(self, path: str, type: type[T], query: Query | None = None) -> T:
        """What stands at an address, read as this type."""
        return self._ask("GET", path, type, query)

    def post(self, path: str, body: object, type: type[T], *, query: Query | None = None, again: bool = False,
             headers: Mapping[str, str] | None = None) -> T:  # fmt: skip
        """What comes of something sent; `again`: it may be sent again where the connection is lost."""
        return self._ask("POST", path, type, query, body=msgspec.json.encode(body), headers=headers, again=again)

    def delete(self, path: str, type: type[T], query: Query | None = None, *, id: UUID | None = None) -> T:
        """What comes of taking back what stands at an address; under an id it may be sent again."""
        named = {} if id is None else {"Idempotency-Key": str(id)}
        return self._ask("DELETE", path, type, query, headers=named, again=id is not None)

    def fetch(self, path: str, query: Query | None = None) -> bytes:
        """The bytes of a file at an address."""
        return self._answer("GET", path, query).body

    def pages(self, path: str, type: type[T], query: Query | None = None) -> Iterator[T]:
        """Page after page of what stands at an address."""
        answer: Response | None = self._answer("GET", path, query)
        while answer is not None:
            yield self._read(answer, type)
            more = NEXT.search(answer.headers.get("link", ""))
            answer = self._answer("GET", more[1]) if more is not None else None

    def follow(self, path: str, query: Query | None = None, after: str = "") -> Iterator[Event]:
        """The events of a stream; where the connection is lost, on from behind the last one that came with a number."""
        left = STREAM_TRIES
        while left:
            if left < STREAM_TRIES:
                pause(STREAM_PAUSE_S)
            left -= 1
            sent = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
            try:
                for event in read_events(self.stream(self._request("GET", path, query, headers=sent))):
                    left, after = STREAM_TRIES, event.id or after
                    if event.kind != "bye":
                        yield event
                    if event.kind in ENDS:
                        return
            except Interrupted as instead:
                self._check(instead.response)
                raise self._foreign() from None
            except Unreachable:
                if not left:
                    raise

    def _ask(self, method: str, path: str, type: type[T], query: Query | None = None, *, body: bytes | None = None,
             headers: Mapping[str, str] | None = None, again: bool = True) -> T:  # fmt: skip
        return self._read(self._answer(method, path, query, body, headers, again), type)

    def _answer(self, method: str, path: str, query: Query | None = None, body: bytes | None = None,
                headers: Mapping[str, str] | None = None, again: bool = True) -> Response:  # fmt: skip
        answer = send_patiently(self.send, self._request(method, path, query, body, headers, again))
        self._check(answer)
        return answer

    def _request(self, method: str, path: str, query: Query | None = None, body: bytes | None = None,
                 headers: Mapping[str, str] | None = None, again: bool = True) -> Request:  # fmt: skip
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        where = path if path.startswith(f"{ROOT}/") else ROOT + path
        return Request(
            method, where + write_query(query), {"Accept": "application/json", **bearer, **(headers or {})}, body, again
        )

    def _check(self, answer: Response) -> None:
        if answer.status in FINE:
            return
        if not answer.headers.get("content-type", "").startswith(PROBLEM):
            raise self._foreign()
        raise Refused(self._read(answer, Problem))

    def _read(self, answer: Response, type: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.body, type=type)
        except msgspec.MsgspecError:
            raise self._foreign() from None

    def _foreign(self) -> Unreachable:
        return Unreachable(Text("client.foreign", {"url": self.url}))


class Match(Struct, frozen=True):
    """A match of a service, looked at with somebody's eyes."""

    service: Service
    id: str
    viewer: str = ""

    @property
    def path(self) -> str:
        """Its address."""
        return f"/matches/{quote_part(self.id)}"

    def head(self) -> wire.MatchHead:
        """How it stands, and how it was opened."""
        return self._get("", wire.MatchHead)

    def entries(self, after: int = 0, *, flow: bool = False) -> Iterator[SeenEntry]:
        """Its entries from behind one on, page after page."""
        asked = self._eyes({"after": after, "flow": flow})
        for page in self.service.pages(f"{self.path}/entries", answers.Logged, asked):
            yield from page.entries

    def entry(self, number: int) -> SeenEntry:
        """One entry, with the flow of play."""
        return self._get(f"/entries/{number}", SeenEntry)

    def moment(self, number: int, fact: int = 0) -> answers.Shown:
        """The table after an entry, or after its k-th fact."""
        return self._get(f"/at/{number}.{fact}" if fact else f"/at/{number}", answers.Shown)

    def stack(self, number: int) -> answers.Stacked:
        """What was requested up to an entry, and how it was answered."""
        return self._get(f"/at/{number}/stack", answers.Stacked)

    def offers(self, number: int, limit: int | None = None) -> answers.Legal:
        """What the viewer may do after an entry."""
        return self._get(f"/at/{number}/offers", answers.Legal, limit=limit)

    def next(self) -> wire.Next:
        """What may be recorded now, by whoever records or plays."""
        return self._get("/next", wire.Next)

    def why(self, number: int) -> answers.Explained:
        """Why an entry is as it is."""
        return self._get(f"/at/{number}/why", answers.Explained)

    def why_not(self, number: int, action: str) -> answers.Asked:
        """Why an action is not allowed after an entry, if it is not."""
        return self._get(f"/at/{number}/whynot", answers.Asked, do=action)

    def known(self, number: int) -> answers.Knew:
        """Who had seen which faces by an entry."""
        return self._get(f"/at/{number}/known", answers.Knew)

    def changes(self, number: int, since: int) -> answers.Changed:
        """What is otherwise after an entry than after another one."""
        return self._get(f"/at/{number}/changes", answers.Changed, **{"from": since})

    def learned(self, number: int, since: int) -> answers.Learned:
        """Who has seen which faces between two entries."""
        return self._get(f"/at/{number}/learned", answers.Learned, **{"from": since})

    def touched(self, number: int, thing: str) -> answers.Touched:
        """What last happened to a thing that is named as people do."""
        return self._get(f"/at/{number}/touched", answers.Touched, thing=thing)

    def thing(self, number: int, thing: int) -> answers.Touched:
        """What happened to a thing up to an entry."""
        return self._get(f"/at/{number}/things/{thing}", answers.Touched)

    def reading(self, number: int, option: str) -> Rejudged:
        """The match up to an entry under another value of an option, `key=value`."""
        return self._get(f"/at/{number}/readings", Rejudged, option=option)

    def audit(self) -> answers.AuditedRecord:
        """What the rules have against it."""
        return self._get("/audit", answers.AuditedRecord)

    def findings(self, clause: str = "") -> tuple[SeenFinding, ...]:
        """Where record and rules part."""
        return self._get("/findings", tuple[SeenFinding, ...], clause=clause)

    def disputes(self, *, open: bool = False) -> tuple[SeenDispute, ...]:
        """Its disputes, each known by the entry that opened it."""
        return self._get("/disputes", tuple[SeenDispute, ...], open=open)

    def cost(self, number: int) -> answers.Priced:
        """What it would cost to go back to an entry."""
        return self._get(f"/rewind/{number}", answers.Priced)

    def export(self, form: str = "spn", lang: str = "") -> bytes:
        """The match to be taken along, as `spn`, `jsonl` or `html`."""
        return self.service.fetch(f"{self.path}/export.{quote_part(form)}", self._eyes({"lang": lang}))

    def film(self, first: int = 1, lang: str = "") -> dict[str, Any]:
        """A stretch of it as markup, strips and steps."""
        return self._get("/film", dict[str, Any], **{"from": first}, lang=lang)

    def live(self, after: int | None = None, lang: str = "") -> Iterator[Event]:
        """What is recorded from now on, or from behind an entry on, without end."""
        return self.service.follow(f"{self.path}/live", self._eyes({"after": after, "lang": lang}))

    def write(self, command: C.AnyCommand, head: int | None = None) -> C.Entered:
        """Record what a command says, under its id, or a new one, once; on entry `head` unless it is said of any."""
        named = replace(command, id=command.id or uuid4())
        tag = ANY_HEAD if head is None else f'"{head}"'
        return self.service.post(
            f"{self.path}/entries", named, C.Entered, query=self._eyes({}), headers={"If-Match": tag}, again=True
        )

    def attempt(self, command: C.AnyCommand) -> C.Tried:
        """What would come of a command; nothing is recorded."""
        return self.service.post(f"{self.path}/entries:try", command, C.Tried, query=self._eyes({}), again=True)

    def play(self, text: str, head: int, *, by: str = "", id: UUID | None = None) -> C.Entered:
        """An action in notation."""
        return self.write(C.Play(text=text, by=Seat(by), id=id), head)

    def note(self, text: str, about: int = 0, *, id: UUID | None = None) -> C.Entered:
        """Something said or seen that changes nothing."""
        return self.write(C.Note(text=text, about=about, id=id))

    def call(self, text: str = "", answered: int = 0, *, id: UUID | None = None) -> C.Entered:
        """Call a judge, or say that the call of an entry is done with."""
        return self.write(C.Call(text=text, answered=answered, id=id))

    def rewind(self, to: int, reason: str, head: int, *, id: UUID | None = None) -> C.Entered:
        """Go on from an earlier entry."""
        return self.write(C.Rewind(to=to, reason=reason, id=id), head)

    def close(self, head: int, reason: str = "", *, abandon: bool = False, id: UUID | None = None) -> C.Entered:
        """The record is complete."""
        return self.write(C.Close(reason=reason, abandon=abandon, id=id), head)

    def branch(self, at: int, match: str = "", *, id: UUID | None = None) -> C.Branched:
        """Open a what-if match that goes on from an entry; under the same id it is opened once."""
        asked = C.OpenBranch(at=at, match=match, id=id or uuid4())
        return self.service.post(f"{self.path}/branches", asked, C.Branched, again=True)

    def break_seal(self, viewer: str, minutes: int = 0, *, id: UUID | None = None) -> C.Unsealed:
        """Look with other eyes for so many minutes, or as long as the service lets; the record says so. Each breaking
        is an entry: it is sent once, or under an id, which is recorded once."""
        asked = C.BreakSeal(viewer=Seat(viewer), minutes=minutes, id=id)
        return self.service.post(f"{self.path}/seal", asked, C.Unsealed, again=id is not None)

    def seal(self, viewer: str = "", *, id: UUID | None = None) -> C.Resealed:
        """Put the seal back; only that of these eyes, if they are named."""
        return self.service.delete(f"{self.path}/seal", C.Resealed, {"viewer": viewer}, id=id)

    def _get(self, path: str, type: type[T], **query: object) -> T:
        return self.service.get(self.path + path, type, self._eyes(query))

    def _eyes(self, query: Query) -> Query:
        return {"as": self.viewer, **query}


def connect(url: str, token: str = "", timeout: float = TIMEOUT_S) -> Service:
    """A service at an address such as `http://127.0.0.1:8080`. Raises Unreachable for what is no address."""
    address = read_address(url, timeout)
    return Service(address.url, address.send, address.stream, check_token(token))
