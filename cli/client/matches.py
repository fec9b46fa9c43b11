"""A match of a service, looked at with somebody's eyes and written to."""

from collections.abc import Iterator, Sequence
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
from projections.stack import Stacked
from projections.timeline import MatchEntries
from projections.undo_plans import PendingRewind, Priced, Undo
from recorder.usecases import commands as C
from service import payloads

ANY_HEAD: Final = "*"

T = TypeVar("T")


class RemoteMatch(Struct, frozen=True):
    """A match of a service, looked at with somebody's eyes."""

    service: ServiceClient
    id: str
    viewer: str = ""

    @property
    def path(self) -> str:
        """Its address."""
        return f"/matches/{quote_part(self.id)}"

    def head(self) -> payloads.MatchHead:
        """How it stands, and how it was opened."""
        return self._get("", payloads.MatchHead)

    def entries(self, after: int = 0, *, flow: bool = False) -> Iterator[SeenEntry]:
        """Its entries from behind one on, page after page."""
        asked = self._eyes({"after": after, "flow": flow})
        for page in self.service.pages(f"{self.path}/entries", MatchEntries, asked):
            yield from page.entries

    def entry(self, number: int) -> SeenEntry:
        """One entry, with the flow of play."""
        return self._get(f"/entries/{number}", SeenEntry)

    def moment(self, number: int, fact: int = 0) -> MatchBoard:
        """The table after an entry, or after its k-th fact."""
        return self._get(f"/at/{number}.{fact}" if fact else f"/at/{number}", MatchBoard)

    def stack(self, number: int) -> Stacked:
        """What was requested up to an entry, and how it was answered."""
        return self._get(f"/at/{number}/stack", Stacked)

    def offers(self, number: int, limit: int | None = None) -> answers.Legal:
        """What the viewer may do after an entry."""
        return self._get(f"/at/{number}/offers", answers.Legal, limit=limit)

    def next(self) -> payloads.Next:
        """What may be recorded now, by whoever records or plays."""
        return self._get("/next", payloads.Next)

    def why(self, number: int) -> answers.Explained:
        """Why an entry is as it is."""
        return self._get(f"/at/{number}/why", answers.Explained)

    def why_not(self, number: int, action: str) -> answers.WhyNotAnswer:
        """Why an action is not allowed after an entry, if it is not."""
        return self._get(f"/at/{number}/whynot", answers.WhyNotAnswer, do=action)

    def list_known_faces(self, number: int) -> answers.KnowledgeAnswer:
        """Who had seen which faces by an entry."""
        return self._get(f"/at/{number}/known", answers.KnowledgeAnswer)

    def changes(self, number: int, since: int) -> answers.TableDiff:
        """What is otherwise after an entry than after another one."""
        return self._get(f"/at/{number}/changes", answers.TableDiff, **{"from": since})

    def list_learned_faces(self, number: int, since: int) -> answers.KnowledgeDiff:
        """Who has seen which faces between two entries."""
        return self._get(f"/at/{number}/learned", answers.KnowledgeDiff, **{"from": since})

    def find_last_change(self, number: int, thing: str) -> answers.TraceAnswer:
        """What last happened to a thing that is named as people do."""
        return self._get(f"/at/{number}/touched", answers.TraceAnswer, thing=thing)

    def thing(self, number: int, thing: int) -> answers.TraceAnswer:
        """What happened to a thing up to an entry."""
        return self._get(f"/at/{number}/things/{thing}", answers.TraceAnswer)

    def audit(self) -> answers.AuditedRecord:
        """What the rules have against it."""
        return self._get("/audit", answers.AuditedRecord)

    def findings(self, clause: str = "") -> tuple[SeenFinding, ...]:
        """Where record and rules part."""
        return self._get("/findings", tuple[SeenFinding, ...], clause=clause)

    def disputes(self, *, open: bool = False) -> tuple[SeenDispute, ...]:
        """Its disputes, each known by the entry that opened it."""
        return self._get("/disputes", tuple[SeenDispute, ...], open=open)

    def case_file(self, dispute: int, audience: Audience) -> CaseFile:
        """A dispute with all that bears on it, for players or for officials."""
        return self.service.get(f"{self.path}/disputes/{dispute}/casefile", CaseFile, {"for": audience})

    def case_page(self, dispute: int, audience: Audience, lang: str = "") -> bytes:
        """The same as a page that needs nothing else."""
        asked = {"for": audience, "lang": lang}
        return self.service.fetch(f"{self.path}/disputes/{dispute}/casefile.html", asked)

    def cost(self, number: int) -> Priced:
        """What it would cost to go back to an entry."""
        return self._get(f"/rewind/{number}", Priced)

    def request(self) -> PendingRewind:
        """The request to go back that waits for an answer."""
        return self._get("/rewind", PendingRewind)

    def undo(self, entry: int = 0, *, redo: bool = False) -> Undo:
        """What an undo or a redo would do, and whether it needs a judge."""
        return self._get("/undo", Undo, entry=entry, redo=redo)

    def export(self, form: str = "spn", lang: str = "") -> bytes:
        """The match to be taken along, as `spn`, `jsonl` or `html`."""
        return self.service.fetch(f"{self.path}/export.{quote_part(form)}", self._eyes({"lang": lang}))

    def proof(self) -> str:
        """The proof that it stands in the log of the last checkpoint."""
        return self.service.fetch(f"{self.path}/proof", self._eyes({})).decode("utf-8", "replace")

    def dossier(self, dispute: int = 0, lang: str = "") -> bytes:
        """Its evidence pack, as these eyes may have it."""
        return self.service.fetch(f"{self.path}/dossier", self._eyes({"dispute": dispute or None, "lang": lang}))

    def film(self, first: int = 1, lang: str = "") -> dict[str, object]:
        """A stretch of it as markup, strips and steps."""
        return self._get("/film", dict[str, object], **{"from": first}, lang=lang)

    def live(self, after: int | None = None, lang: str = "") -> Iterator[ServerSentEvent]:
        """What is recorded from now on, or from behind an entry on, without end."""
        return self.service.follow(f"{self.path}/live", self._eyes({"after": after, "lang": lang}))

    def write(self, command: C.AnyCommand, head: int | None = None) -> payloads.EntriesWithFlags:
        """Record what a command says, under its id, or a new one, once; on entry `head` unless it is said of any."""
        named = replace(command, id=command.id or uuid4())
        tag = ANY_HEAD if head is None else f'"{head}"'
        return self.service.post(
            f"{self.path}/entries",
            named,
            payloads.EntriesWithFlags,
            query=self._eyes({}),
            headers={"If-Match": tag},
            again=True,
        )

    def attempt(self, command: C.AnyCommand) -> payloads.Tried:
        """What would come of a command; nothing is recorded."""
        return self.service.post(f"{self.path}/entries:try", command, payloads.Tried, query=self._eyes({}), again=True)

    def play(
        self, text: str, head: int, *, by: str = "", id: UUID | None = None, confirm: bool = False
    ) -> payloads.EntriesWithFlags:
        """An action in notation; one that ends the match has to be confirmed."""
        return self.write(C.PlayAction(text=text, by=Seat(by), id=id, confirm=confirm), head)

    def note(self, text: str, about: int = 0, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Something said or seen that changes nothing."""
        return self.write(C.AddNote(text=text, about=about, id=id))

    def call(self, text: str = "", answered: int = 0, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Call a judge, or say that the call of an entry is done with."""
        return self.write(C.CallJudge(text=text, answered=answered, id=id))

    def gap(
        self, reason: str, head: int, most: int = 0, facts: Sequence[str] = (), *, id: UUID | None = None
    ) -> payloads.EntriesWithFlags:
        """Say that actions are missing here, at most so many (0: nobody knows), and what is different behind them."""
        return self.write(C.ReportGap(reason=reason, most=most, facts=tuple(facts), id=id), head)

    def reveal(
        self, seat: str, secret: str = "", reason: str = "", *, id: UUID | None = None
    ) -> payloads.EntriesWithFlags:
        """Reveal the secret that a seat had pledged; or, without one, say for which reason it is missing."""
        said = C.RevealSecret(seat=Seat(seat), secret=secret, reason=reason, id=id or uuid4())
        return self.service.post(
            f"{self.path}/reveals", said, payloads.EntriesWithFlags, query=self._eyes({}), again=True
        )

    def rewind(self, to: int, reason: str, head: int, *, id: UUID | None = None) -> payloads.EntriesWithFlags:
        """Go on from an earlier entry."""
        return self.write(C.Rewind(to=to, reason=reason, id=id), head)

    def close(
        self, head: int, reason: str = "", *, abandon: bool = False, id: UUID | None = None
    ) -> payloads.EntriesWithFlags:
        """The record is complete. Calling this confirms it."""
        return self.write(C.Close(reason=reason, abandon=abandon, id=id, confirm=True), head)

    def branch(self, at: int, match: str = "", *, id: UUID | None = None) -> payloads.BranchHead:
        """Open a what-if match that goes on from an entry; under the same id it is opened once."""
        asked = payloads.OpenBranch(at=at, match=match, id=id or uuid4())
        return self.service.post(f"{self.path}/branches", asked, payloads.BranchHead, again=True)

    def break_seal(self, viewer: str, minutes: int = 0, *, id: UUID | None = None) -> payloads.SealBreak:
        """Look with other eyes for so many minutes, or as long as the service lets; the record says so. Each breaking
        is an entry: it is sent once, or under an id, which is recorded once."""
        asked = payloads.BreakSeal(viewer=Seat(viewer), minutes=minutes, id=id)
        return self.service.post(f"{self.path}/seal", asked, payloads.SealBreak, again=id is not None)

    def seal(self, viewer: str = "", *, id: UUID | None = None) -> payloads.Resealed:
        """Put the seal back; only that of these eyes, if they are named."""
        return self.service.delete(f"{self.path}/seal", payloads.Resealed, {"viewer": viewer}, id=id)

    def _get(self, path: str, type: type[T], **query: object) -> T:
        return self.service.get(self.path + path, type, self._eyes(query))

    def _eyes(self, query: Query) -> Query:
        return {"as": self.viewer, **query}
