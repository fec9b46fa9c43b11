"""A service and its matches, as whoever holds a token may use them. What it refuses is raised with its problem."""

from collections.abc import Iterator, Mapping
from typing import Final
from uuid import UUID, uuid4

import msgspec
from msgspec.structs import asdict, replace

from archive.regress.counting import RegressionReport
from cli.client.events import ServerSentEvent
from cli.client.http_client import ServiceClient, ServiceError
from cli.client.matches import RemoteMatch
from cli.client.transport import TIMEOUT_S, check_token, quote_part, read_address
from domain.words import Lang
from projections import rulebooks
from projections.contradictions import Contradiction
from projections.dockets import ALL, DisputeFilter, DisputeListItem
from projections.match_status import MatchStatusRow
from projections.results import ResultRow
from projections.sheets import Compared
from service import payloads
from service.recording import sheet_forms as F
from service.reports.job_answers import DifferencePage, JobPage, RegressionAnswer, ShownJob, report_of
from service.reports.job_records import Regression

__all__ = ("RemoteMatch", "ServiceError", "Service", "connect")

PAGE_MAX: Final = 500
"""So many rows of a report are asked for at once."""


class Service(ServiceClient, frozen=True):
    """A service, spoken to with a token, or as a spectator without one. Everything raises Refused and Unreachable."""

    # -- who one is ----------------------------------------------------------------------------------------------------

    def sign_in(self, invitation: str) -> "Service":
        """The same service, spoken to by whoever was invited. An invitation is good for once: it is sent once."""
        body = msgspec.json.encode(payloads.SignIn(invitation=invitation))
        headers = {"Origin": self.url}
        signed = self.ask("POST", "/sessions", payloads.SignedIn, body=body, headers=headers, again=False)
        return replace(self, token=check_token(signed.token))

    def sign_out(self) -> None:
        """Give the token back."""
        self.delete("/sessions", dict[str, object])

    def who(self) -> payloads.Me:
        """Who one is here."""
        return self.get("/sessions", payloads.Me)

    def invite(self, invited: payloads.Invite) -> payloads.Invited:
        """Invite somebody; the invitation is said once."""
        return self.post("/invitations", invited, payloads.Invited)

    def people(self) -> tuple[payloads.Person, ...]:
        """Return everybody who is in or invited."""
        return self.get("/people", payloads.People).people

    def take_back(self, number: str) -> None:
        """Take an invitation or a sign-in back, by its number."""
        self.delete(f"/people/{quote_part(number)}", dict[str, object])

    # -- what there is -------------------------------------------------------------------------------------------------

    def games(self) -> tuple[rulebooks.GameListing, ...]:
        """The games, their editions, regulations and decks."""
        return self.get("/games", tuple[rulebooks.GameListing, ...])

    def game(self, game: str, version: str = "", frame: str = "") -> rulebooks.Book:
        """A rulebook as it is in an edition."""
        return self.get(f"/games/{quote_part(game)}", rulebooks.Book, {"version": version, "frame": frame})

    def clause(self, game: str, clause: str, version: str = "", frame: str = "") -> rulebooks.ClauseText:
        """A clause as it reads in an edition."""
        path = f"/games/{quote_part(game)}/clauses/{quote_part(clause)}"
        return self.get(path, rulebooks.ClauseText, {"version": version, "frame": frame})

    def ruleset(self, digest: str) -> payloads.Ruleset:
        """A published ruleset by its hash."""
        return self.get(f"/rulesets/{quote_part(digest)}", payloads.Ruleset)

    def matches(self, *, game: str = "", player: str = "", open: bool = False) -> Iterator[MatchStatusRow]:
        """Matches of which one may see anything, the oldest in the store first, page after page."""
        asked = {"game": game, "player": player, "open": open}
        for page in self.pages("/matches", tuple[MatchStatusRow, ...], asked):
            yield from page

    def find(self, **sought: str) -> Iterator[payloads.MatchSearchPage]:
        """Pages of matches by `clause`, `verdict`, `card`, `player`, `event`, `game`, `since` and `until`.

        A page that is not `complete` is told while the service still looks through what was recorded.
        """
        return self.pages("/find", payloads.MatchSearchPage, sought)

    def heat(self, game: str) -> payloads.RulebookHeat:
        """How often each clause was told and found against in closed matches."""
        return self.get(f"/games/{quote_part(game)}/heat", payloads.RulebookHeat)

    def docket(self, sought: DisputeFilter = ALL) -> tuple[DisputeListItem, ...]:
        """The disputes of all matches, those first for which somebody is waited."""
        return self.get("/disputes", tuple[DisputeListItem, ...], asdict(sought))

    def contradictions(self, viewer: str = "", game: str = "") -> tuple[Contradiction, ...]:
        """Rulings that contradict each other, as a spectator or, where one may look so, a judge may know."""
        return self.get("/contradictions", tuple[Contradiction, ...], {"as": viewer, "game": game})

    def match(self, match: str, viewer: str = "") -> "RemoteMatch":
        """A match, looked at with somebody's eyes: a spectator's if none are named."""
        return RemoteMatch(self, match, viewer)

    def results(self, event: str, round: str) -> tuple[ResultRow, ...]:
        """Return the matches of a round as they stand."""
        return self.get("/results", tuple[ResultRow, ...], {"event": event, "round": round})

    # -- what holds it all fast ----------------------------------------------------------------------------------------

    def checkpoint(self) -> str:
        """The last checkpoint of the log, a signed note."""
        return self.fetch("/log/checkpoint").decode("utf-8", "replace")

    def growth(self, since: int) -> str:
        """The proof that the log grew from so many leaves to that checkpoint. Whether it shows that, look yourself."""
        return self.fetch("/log/growth", {"since": since}).decode("utf-8", "replace")

    def seal_log(self) -> payloads.SealedLog:
        """Sign a checkpoint with the service's key; where nothing is new, the last one stands."""
        return self.ask("POST", "/log/checkpoints", payloads.SealedLog, again=True)

    # -- what is brought in --------------------------------------------------------------------------------------------

    def open(self, opening: payloads.OpenMatch) -> payloads.EntriesWithFlags:
        """Open a match; under the opening's id, or a new one, it is opened once."""
        return self.post("/matches", replace(opening, id=opening.id or uuid4()), payloads.EntriesWithFlags, again=True)

    def open_round(self, opening: payloads.OpenRound) -> tuple[payloads.RoundTable, ...]:
        """Open the matches of a round that are not open yet, all of them or none."""
        return self.post("/rounds", opening, tuple[payloads.RoundTable, ...], again=True)

    def take_in(self, record: bytes) -> payloads.ImportResult:
        """Take in a whole record, in notation or as JSON Lines; what is there already stays as it is."""
        return self.ask("POST", "/imports", payloads.ImportResult, body=record)

    # -- score sheets --------------------------------------------------------------------------------------------------

    def take_sheet(
        self, sheet: str, match: str = "", mend: str = "", shows: F.Shows | None = None, *, id: UUID | None = None
    ) -> F.SheetResult:
        """Record a score sheet, all of it or nothing, in the match that it names unless one is named here; sent again,
        it goes on behind the lines that stand there. `mend`: why to go back to a line that was mended; `shows`: by the
        number of a line the faces that show in it and do not stand there."""
        asked, headers = {"match": match, "mend": mend}, {"Idempotency-Key": str(id or uuid4())}
        if shows:
            told = F.SheetWithFaces(
                text=sheet, match=match, mend=mend, shows={line: tuple(shows[line]) for line in shows}
            )
            return self.post("/sheets:take", told, F.SheetResult, again=True, headers=headers)
        return self.ask("POST", "/sheets", F.SheetResult, asked, body=sheet.encode(), headers=headers)

    def compare_sheets(self, a: F.ComparedSheet, b: F.ComparedSheet) -> Compared:
        """Lay two sheets side by side, or what recorded matches would be as sheets."""
        return self.post("/sheets:compare", F.Both(a=a, b=b), Compared, again=True)

    def settle_sheets(
        self, a: F.ComparedSheet, b: F.ComparedSheet, answers: Mapping[int, F.Side], lang: Lang = "en"
    ) -> F.Settled:
        """Make one sheet of two, by which of them is right about which difference."""
        asked = F.SettleSheetsRequest(a=a, b=b, answers=dict(answers), lang=lang)
        return self.post("/sheets:settle", asked, F.Settled, again=True)

    # -- jobs ----------------------------------------------------------------------------------------------------------

    def start(self, task: Regression) -> ShownJob:
        """Start a rule change over closed matches."""
        return self.post("/regressions", task, ShownJob)

    def jobs(self) -> Iterator[ShownJob]:
        """Yield the jobs, the newest first."""
        for page in self.pages("/jobs", JobPage):
            yield from page.jobs

    def job(self, job: str) -> ShownJob:
        """Return the state of a job."""
        return self.get(f"/jobs/{quote_part(job)}", ShownJob)

    def follow_job(self, job: str) -> Iterator[ServerSentEvent]:
        """How a job goes on, until it is over."""
        return self.follow(f"/jobs/{quote_part(job)}/live")

    def report(self, job: ShownJob) -> RegressionReport:
        """All that came of a regression that is done."""
        told = self.get(job.url, RegressionAnswer)
        if told.result is None:
            raise self.foreign()
        pages = self.pages(f"{job.url}/results", DifferencePage, {"limit": PAGE_MAX})
        return report_of(told.result, (row for page in pages for row in page.results))

    def cancel(self, job: str) -> ShownJob:
        """Take a job back."""
        return self.delete(f"/jobs/{quote_part(job)}", ShownJob)


def connect(url: str, token: str = "", timeout: float = TIMEOUT_S) -> Service:
    """A service at an address such as `http://127.0.0.1:8080`. Raises Unreachable for what is no address."""
    address = read_address(url, timeout)
    return Service(address.url, address.send, address.stream, check_token(token))
