"""Client of a service and its matches. Refusals raise ServiceError with the problem."""

from collections.abc import Iterator, Mapping
from itertools import chain
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
from projections.sheets import SheetComparison
from service import payloads
from service.recording import sheet_forms as F
from service.reports.job_answers import DifferencePage, JobPage, RegressionAnswer, ShownJob, report_of
from service.reports.job_records import Regression

__all__ = ("RemoteMatch", "ServiceError", "Service", "connect")

PAGE_MAX: Final = 500
"""Rows of a report per request."""


class Service(ServiceClient, frozen=True):
    """A service, used with a token or as a spectator without one. Requests raise ServiceError and
    ServiceUnreachable."""

    # -- sign-in -------------------------------------------------------------------------------------------------------

    def sign_in(self, invitation: str) -> "Service":
        """Return the service as used by the invited person. An invitation works once, so it is sent once."""
        body = msgspec.json.encode(payloads.SignIn(invitation=invitation))
        headers = {"Origin": self.url}
        signed = self.ask(self.request("POST", "/sessions", None, body, headers, again=False), payloads.SignedIn)
        return replace(self, token=check_token(signed.token))

    def sign_out(self) -> None:
        """Revoke the token."""
        self.delete("/sessions", dict[str, object])

    def session(self) -> payloads.Me:
        """Return the session of the token."""
        return self.get("/sessions", payloads.Me)

    def invite(self, invited: payloads.Invite) -> payloads.Invited:
        """Invite a person. The invitation appears only in this response."""
        return self.post("/invitations", invited, payloads.Invited)

    def people(self) -> tuple[payloads.Person, ...]:
        return tuple(person for page in self.pages("/people", payloads.People) for person in page.people)

    def revoke(self, number: str) -> None:
        """Revoke an invitation or a session by its number."""
        self.delete(f"/people/{quote_part(number)}", dict[str, object])

    # -- games and matches ---------------------------------------------------------------------------------------------

    def games(self) -> tuple[rulebooks.GameListing, ...]:
        """Return the games with their editions, regulations and decks."""
        return self.get("/games", tuple[rulebooks.GameListing, ...])

    def game(self, game: str, version: str = "", frame: str = "") -> rulebooks.Book:
        return self.get(f"/games/{quote_part(game)}", rulebooks.Book, {"version": version, "frame": frame})

    def clause(self, game: str, clause: str, version: str = "", frame: str = "") -> rulebooks.ClauseText:
        path = f"/games/{quote_part(game)}/clauses/{quote_part(clause)}"
        return self.get(path, rulebooks.ClauseText, {"version": version, "frame": frame})

    def ruleset(self, digest: str) -> payloads.Ruleset:
        return self.get(f"/rulesets/{quote_part(digest)}", payloads.Ruleset)

    def matches(self, *, game: str = "", player: str = "", open: bool = False) -> Iterator[MatchStatusRow]:
        """Yield the matches visible to the token, the oldest first, page by page."""
        asked = {"game": game, "player": player, "open": open}
        for page in self.pages("/matches", tuple[MatchStatusRow, ...], asked):
            yield from page

    def find(self, **sought: str) -> Iterator[payloads.MatchSearchPage]:
        """Yield pages of matches by `clause`, `verdict`, `card`, `player`, `event`, `game`, `since` and `until`.

        A page is not `complete` while the service still builds its index.
        """
        return self.pages("/find", payloads.MatchSearchPage, sought)

    def heat(self, game: str) -> payloads.RulebookHeat:
        """Return how often each clause was cited and violated in closed matches."""
        return self.get(f"/games/{quote_part(game)}/heat", payloads.RulebookHeat)

    def docket(self, sought: DisputeFilter = ALL) -> tuple[DisputeListItem, ...]:
        """Return the disputes of all matches, those that wait for a decision first."""
        return tuple(chain.from_iterable(self.pages("/disputes", tuple[DisputeListItem, ...], asdict(sought))))

    def contradictions(self, viewer: str = "", game: str = "") -> tuple[Contradiction, ...]:
        """Return rulings that contradict each other, as a spectator or, with the right, a judge may know."""
        asked = {"as": viewer, "game": game}
        return tuple(chain.from_iterable(self.pages("/contradictions", tuple[Contradiction, ...], asked)))

    def match(self, match: str, viewer: str = "") -> "RemoteMatch":
        """Return a match as one viewer sees it, by default a spectator."""
        return RemoteMatch(self, match, viewer)

    def results(self, event: str, round: str) -> tuple[ResultRow, ...]:
        """Return the results of a round, from all pages."""
        pages = self.pages("/results", tuple[ResultRow, ...], {"event": event, "round": round})
        return tuple(chain.from_iterable(pages))

    # -- log and checkpoints -------------------------------------------------------------------------------------------

    def checkpoint(self) -> str:
        """Return the last checkpoint of the log, a signed note."""
        return self.fetch("/log/checkpoint").decode("utf-8", "replace")

    def growth(self, since: int) -> str:
        """Return the proof that the log grew from `since` leaves to the last checkpoint. The caller must verify it."""
        return self.fetch("/log/growth", {"since": since}).decode("utf-8", "replace")

    def seal_log(self) -> payloads.SealedLog:
        """Sign a checkpoint with the service's key. If nothing is new, the last one stays."""
        return self.ask(self.request("POST", "/log/checkpoints"), payloads.SealedLog)

    # -- new matches ---------------------------------------------------------------------------------------------------

    def open(self, opening: payloads.OpenMatch) -> payloads.EntriesWithFlags:
        """Open a match once, under the opening's id or a new one."""
        return self.post("/matches", replace(opening, id=opening.id or uuid4()), payloads.EntriesWithFlags, again=True)

    def open_round(self, opening: payloads.OpenRound) -> tuple[payloads.RoundTable, ...]:
        """Open the missing matches of a round, all or none."""
        return self.post("/rounds", opening, tuple[payloads.RoundTable, ...], again=True)

    def import_record(self, record: bytes) -> payloads.ImportResult:
        """Import a whole record, in notation or JSON Lines. An existing match stays unchanged."""
        return self.ask(self.request("POST", "/imports", None, record), payloads.ImportResult)

    # -- score sheets --------------------------------------------------------------------------------------------------

    def take_sheet(
        self, sheet: str, match: str = "", mend: str = "", shows: F.Shows | None = None, *, id: UUID | None = None
    ) -> F.SheetResult:
        """Record a score sheet, all or nothing, in `match` or in the match that it names.

        A sheet sent again continues after the recorded lines. `mend` is the reason to go back to a changed line.
        `shows` are faces that lines show but do not name, by line number.
        """
        asked, headers = {"match": match, "mend": mend}, {"Idempotency-Key": str(id or uuid4())}
        if shows:
            body = F.SheetWithFaces(
                text=sheet, match=match, mend=mend, shows={line: tuple(shows[line]) for line in shows}
            )
            return self.post("/sheets:take", body, F.SheetResult, again=True, headers=headers)
        return self.ask(self.request("POST", "/sheets", asked, sheet.encode(), headers), F.SheetResult)

    def compare_sheets(self, a: F.ComparedSheet, b: F.ComparedSheet) -> SheetComparison:
        return self.post("/sheets:compare", F.Both(a=a, b=b), SheetComparison, again=True)

    def settle_sheets(
        self, a: F.ComparedSheet, b: F.ComparedSheet, answers: Mapping[int, F.Side], lang: Lang = "en"
    ) -> F.Settled:
        """Merge two sheets; `answers` gives the correct side of each difference."""
        asked = F.SettleSheetsRequest(a=a, b=b, answers=dict(answers), lang=lang)
        return self.post("/sheets:settle", asked, F.Settled, again=True)

    # -- jobs ----------------------------------------------------------------------------------------------------------

    def start(self, task: Regression) -> ShownJob:
        """Start a regression over closed matches."""
        return self.post("/regressions", task, ShownJob)

    def jobs(self) -> Iterator[ShownJob]:
        """Yield the jobs, the newest first."""
        for page in self.pages("/jobs", JobPage):
            yield from page.jobs

    def job(self, job: str) -> ShownJob:
        return self.get(f"/jobs/{quote_part(job)}", ShownJob)

    def follow_job(self, job: str) -> Iterator[ServerSentEvent]:
        """Yield the progress of a job until it ends."""
        return self.follow(f"/jobs/{quote_part(job)}/live")

    def report(self, job: ShownJob) -> RegressionReport:
        """Return the full report of a finished regression."""
        answer = self.get(job.url, RegressionAnswer)
        if answer.result is None:
            raise self.unknown_format_error()
        pages = self.pages(f"{job.url}/results", DifferencePage, {"limit": PAGE_MAX})
        return report_of(answer.result, (row for page in pages for row in page.results))

    def cancel(self, job: str) -> ShownJob:
        return self.delete(f"/jobs/{quote_part(job)}", ShownJob)


def connect(url: str, token: str = "", timeout: float = TIMEOUT_S) -> Service:
    """Return a service by its URL, such as `http://127.0.0.1:8080`. Raises ServiceUnreachable for an invalid URL."""
    address = read_address(url, timeout)
    return Service(address.url, address.send, address.stream, check_token(token))
