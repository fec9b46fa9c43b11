"""Client of one match: queries as one viewer, and commands."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar
from uuid import UUID, uuid4

from msgspec import Struct
from msgspec.structs import replace

from cli.client.events import ServerSentEvent
from cli.client.http_client import Query, ServiceClient
from cli.client.transport import quote_part
from domain.table.table import Seat
from projections import answers
from projections.board import MatchBoard
from projections.casefile import Audience, CaseFile
from projections.disputes import SeenDispute
from projections.findings import SeenFinding
from projections.seen_entries import SeenEntry
from projections.stack import StackAnswer
from projections.timeline import MatchEntries
from projections.undo_plans import PendingRewind, RewindPreview, Undo
from recorder.usecases import commands as C
from service import payloads

ANY_HEAD: Final = "*"

T = TypeVar("T")


class RemoteMatch(Struct, frozen=True):
    """A match of a service, as one viewer sees it."""

    service: ServiceClient
    id: str
    viewer: str = ""

    @property
    def path(self) -> str:
        return f"/matches/{quote_part(self.id)}"

    def head(self) -> payloads.MatchHead:
        return self._get("", payloads.MatchHead)

    def entries(self, after: int = 0, *, flow: bool = False) -> Iterator[SeenEntry]:
        """Yield the entries after a number, page by page."""
        asked = self._as_viewer({"after": after, "flow": flow})
        for page in self.service.pages(f"{self.path}/entries", MatchEntries, asked):
            yield from page.entries

    def entry(self, number: int) -> SeenEntry:
        """Return one entry with its flow of play."""
        return self._get(f"/entries/{number}", SeenEntry)

    def moment(self, number: int, fact: int = 0) -> MatchBoard:
        """Return the table after an entry, or after its k-th fact."""
        return self._get(f"/at/{number}.{fact}" if fact else f"/at/{number}", MatchBoard)

    def stack(self, number: int) -> StackAnswer:
        """Return the requests up to an entry, from all pages."""
        pages = list(self.service.pages(f"{self.path}/at/{number}/stack", StackAnswer, self._as_viewer({})))
        requests = tuple(chain.from_iterable(page.history.requests for page in pages))
        return replace(pages[0], history=replace(pages[0].history, requests=requests))

    def offers(self, number: int, limit: int | None = None) -> answers.Legal:
        return self._get(f"/at/{number}/offers", answers.Legal, limit=limit)

    def next(self) -> payloads.Next:
        """Return the commands that the token's holder may record next."""
        return self._get("/next", payloads.Next)

    def why(self, number: int) -> answers.Explained:
        return self._get(f"/at/{number}/why", answers.Explained)

    def why_not(self, number: int, action: str) -> answers.WhyNotAnswer:
        """Return the reasons why an action is illegal after an entry, if it is."""
        return self._get(f"/at/{number}/whynot", answers.WhyNotAnswer, do=action)

    def list_known_faces(self, number: int) -> answers.KnowledgeAnswer:
        """Return the faces that each viewer had seen by an entry, from all pages."""
        path = f"{self.path}/at/{number}/known"
        pages = list(self.service.pages(path, answers.KnowledgeAnswer, self._as_viewer({})))
        lists = zip(*map(answers.list_known_cards, pages), strict=True)
        return answers.with_known_cards(pages[0], [tuple(chain.from_iterable(parts)) for parts in lists])

    def changes(self, number: int, since: int) -> answers.TableDiff:
        return self._get(f"/at/{number}/changes", answers.TableDiff, **{"from": since})

    def list_learned_faces(self, number: int, since: int) -> answers.KnowledgeDiff:
        """Return the faces each viewer learned between two entries."""
        return self._get(f"/at/{number}/learned", answers.KnowledgeDiff, **{"from": since})

    def find_last_change(self, number: int, thing: str) -> answers.TraceAnswer:
        """Return the last fact of each kind about a thing, named as people name it."""
        return self._get(f"/at/{number}/touched", answers.TraceAnswer, thing=thing)

    def thing(self, number: int, thing: int) -> answers.TraceAnswer:
        """Return the history of a thing up to an entry, from all pages."""
        path = f"{self.path}/at/{number}/things/{thing}"
        pages = list(self.service.pages(path, answers.TraceAnswer, self._as_viewer({})))
        last = tuple(chain.from_iterable(page.answer.last for page in pages))
        return replace(pages[0], answer=replace(pages[0].answer, last=last))

    def audit(self) -> answers.AuditedRecord:
        return self._get("/audit", answers.AuditedRecord)

    def findings(self, clause: str = "") -> tuple[SeenFinding, ...]:
        """Return the disagreements between record and rules."""
        asked = self._as_viewer({"clause": clause})
        return tuple(chain.from_iterable(self.service.pages(f"{self.path}/findings", tuple[SeenFinding, ...], asked)))

    def disputes(self, *, open: bool = False) -> tuple[SeenDispute, ...]:
        """Return the disputes, identified by the entry that opened them."""
        asked = self._as_viewer({"open": open})
        return tuple(chain.from_iterable(self.service.pages(f"{self.path}/disputes", tuple[SeenDispute, ...], asked)))

    def case_file(self, dispute: int, audience: Audience) -> CaseFile:
        """Return a dispute with all related entries, for players or officials."""
        return self.service.get(f"{self.path}/disputes/{dispute}/casefile", CaseFile, {"for": audience})

    def case_page(self, dispute: int, audience: Audience, lang: str = "") -> bytes:
        """Return the case file as a self-contained page."""
        asked = {"for": audience, "lang": lang}
        return self.service.fetch(f"{self.path}/disputes/{dispute}/casefile.html", asked)

    def cost(self, number: int) -> RewindPreview:
        return self._get(f"/rewind/{number}", RewindPreview)

    def request(self) -> PendingRewind:
        """Return the rewind request that waits for an answer."""
        return self._get("/rewind", PendingRewind)

    def undo(self, entry: int = 0, *, redo: bool = False) -> Undo:
        """Return the effect of an undo or redo, and whether it needs a judge."""
        return self._get("/undo", Undo, entry=entry, redo=redo)

    def export(self, form: str = "spn", lang: str = "") -> bytes:
        return self.service.fetch(f"{self.path}/export.{quote_part(form)}", self._as_viewer({"lang": lang}))

    def proof(self) -> str:
        """Return the proof that the log of the last checkpoint includes the match."""
        return self.service.fetch(f"{self.path}/proof", self._as_viewer({})).decode("utf-8", "replace")

    def dossier(self, dispute: int = 0, lang: str = "") -> bytes:
        return self.service.fetch(f"{self.path}/dossier", self._as_viewer({"dispute": dispute or None, "lang": lang}))

    def film(self, first: int = 1, lang: str = "") -> dict[str, object]:
        """Return a chunk of the timeline: markup, fragments and steps."""
        return self._get("/film", dict[str, object], **{"from": first}, lang=lang)

    def live(self, after: int | None = None, lang: str = "") -> Iterator[ServerSentEvent]:
        """Yield new entries as events, without end."""
        return self.service.follow(f"{self.path}/live", self._as_viewer({"after": after, "lang": lang}))

    def write(self, command: C.AnyCommand, head: int | None = None) -> payloads.EntriesWithFlags:
        """Record a command once, under its id or a new one. It must follow entry `head`, unless that is None."""
        named = replace(command, id=command.id or uuid4())
        tag = ANY_HEAD if head is None else f'"{head}"'
        return self.service.post(
            f"{self.path}/entries",
            named,
            payloads.EntriesWithFlags,
            query=self._as_viewer({}),
            headers={"If-Match": tag},
            again=True,
        )

    def attempt(self, command: C.AnyCommand) -> payloads.Tried:
        """Return the effect of a command. Nothing is recorded."""
        return self.service.post(
            f"{self.path}/entries:try", command, payloads.Tried, query=self._as_viewer({}), again=True
        )

    def play(
        self, text: str, head: int, *, by: str = "", id: UUID | None = None, confirm: bool = False
    ) -> payloads.EntriesWithFlags:
        """Record an action in notation. An action that ends the match needs `confirm`."""
        return self.write(C.PlayAction(text=text, by=Seat(by), id=id, confirm=confirm), head)

    def note(self, text: str, about: int = 0, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Record a note. A note does not change the table."""
        return self.write(C.AddNote(text=text, about=about, id=id))

    def call(self, text: str = "", answered: int = 0, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Call a judge, or mark the call in entry `answered` as done."""
        return self.write(C.CallJudge(text=text, answered=answered, id=id))

    def gap(
        self,
        reason: str,
        head: int,
        most: int = 0,
        facts: Sequence[str] = (),
        *,
        finished: bool = False,
        id: UUID | None = None,
    ) -> payloads.EntriesWithFlags:
        """Record that up to `most` actions are missing (0: unknown), and the facts that changed meanwhile. `finished`:
        actions and questions under way ended in the gap."""
        return self.write(C.ReportGap(reason=reason, most=most, facts=tuple(facts), finished=finished, id=id), head)

    def reveal(
        self, seat: str, secret: str = "", reason: str = "", *, id: UUID | None = None
    ) -> payloads.EntriesWithFlags:
        """Reveal the secret that a seat committed to or, without `secret`, record why it is missing."""
        command = C.RevealSecret(seat=Seat(seat), secret=secret, reason=reason, id=id or uuid4())
        return self.service.post(
            f"{self.path}/reveals", command, payloads.EntriesWithFlags, query=self._as_viewer({}), again=True
        )

    def rewind(self, to: int, reason: str, head: int, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Continue from an earlier entry."""
        return self.write(C.Rewind(to=to, reason=reason, id=id), head)

    def close(
        self, head: int, reason: str = "", *, abandon: bool = False, id: UUID | None = None
    ) -> payloads.EntriesWithFlags:
        """Close the record. This call confirms it."""
        return self.write(C.Close(reason=reason, abandon=abandon, id=id, confirm=True), head)

    def branch(self, at: int, match: str = "", *, id: UUID | None = None) -> payloads.BranchHead:
        """Open a what-if match that continues from an entry. An id makes it open only once."""
        asked = payloads.OpenBranch(at=at, match=match, id=id or uuid4())
        return self.service.post(f"{self.path}/branches", asked, payloads.BranchHead, again=True)

    def break_seal(self, viewer: str, minutes: int = 0, *, id: UUID | None = None) -> payloads.SealBreak:
        """Break the seal of a viewer for `minutes`, by default as long as the service allows. The break is recorded.

        Without an id the request is not retried, because each break is an entry.
        """
        asked = payloads.BreakSeal(viewer=Seat(viewer), minutes=minutes, id=id)
        return self.service.post(f"{self.path}/seal", asked, payloads.SealBreak, again=id is not None)

    def seal(self, viewer: str = "", *, id: UUID | None = None) -> payloads.Resealed:
        """Restore the seal, or only that of `viewer`."""
        return self.service.delete(f"{self.path}/seal", payloads.Resealed, {"viewer": viewer}, id=id)

    def _get(self, path: str, type: type[T], **query: object) -> T:
        return self.service.get(self.path + path, type, self._as_viewer(query))

    def _as_viewer(self, query: Query) -> Query:
        return {"as": self.viewer, **query}
