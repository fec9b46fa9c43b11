"""Backend that adds matches to a store at a service."""

from collections.abc import Sequence

from msgspec import Struct, to_builtins

from cli import files
from cli.client.service import ServiceError
from cli.context import CommandContext
from cli.problems import CommandError
from cli.record.papers import ask_face, contradiction_error
from cli.record.stores import NewMatchOptions, PairingTable, SheetImportResult, SheetLineResult
from cli.remote.backend import require_own_name, sending
from cli.remote.connection import describe_refusal, open_service
from domain.formats.decks import DeckList
from domain.formats.policies import stored_policy
from domain.formats.sheets import Sheet
from domain.law.game import Deck
from domain.law.law import Law
from domain.law.rulesets import make_ruleset
from recorder.answers import Imported
from recorder.pairings import Round, TableMatch
from service import payloads
from service.problems import Problem
from service.recording import sheet_forms as F


class HttpStore(Struct, frozen=True):
    ctx: CommandContext

    def open_match(self, opening: NewMatchOptions) -> str:
        require_own_name(self.ctx, opening.by)
        law = opening.law
        body = payloads.OpenMatch(
            game=law.game.key,
            version=opening.version,
            match=opening.match_id or "",
            rules=_write_rules(law, opening.version),
            names=opening.names,
            decks={seat: _write_deck(deck) for seat, deck in opening.decks.items()},
            cards=opening.kind,
            policy=None if opening.policy is None else stored_policy(opening.policy),
            pledges=opening.pledges,
            occasion=payloads.Occasioned(**to_builtins(opening.occasion)),
        )
        with sending(self.ctx, "client.maybe_opened"):
            return open_service(self.ctx).open(body).match

    def open_round(self, shared: Round, table: PairingTable) -> Sequence[TableMatch]:
        require_own_name(self.ctx, shared.by)
        law, occasion, samples = shared.law, shared.occasion, shared.law.game.named_decks()
        body = payloads.OpenRound(
            game=law.game.key,
            version=shared.version,
            rules=_write_rules(law, shared.version),
            pairings=table.text,
            event=occasion.event,
            round=occasion.round,
            site=occasion.site,
            date=occasion.date,
            start=occasion.start,
            limit=occasion.limit,
            minutes=shared.minutes or None,
            decks={name: _write_deck(deck) for name, deck in shared.decks.items() if name not in samples},
            policy=None if shared.policy is None else stored_policy(shared.policy),
            cards=shared.cards,
        )
        try:
            with sending(self.ctx, "client.maybe_paired"):
                opened = open_service(self.ctx).open_round(body)
        except ServiceError as refused:
            if not refused.problem.line:
                raise
            raise self._misread(table.file, refused.problem) from None
        return [TableMatch(row.table, row.match, row.names, row.new, row.cards) for row in opened]

    def take_sheet(self, sheet: Sheet, text: str, match: str, mend: str) -> tuple[SheetImportResult, None]:
        """Record a sheet, all or nothing. Raises CommandError."""
        took = self._take_sheet(sheet.name, text, match, mend)
        lines = (SheetLineResult(line.line, line.first, line.last, line.known, line.violations) for line in took.lines)
        return SheetImportResult(took.match, took.head, tuple(lines)), None

    def _take_sheet(self, file: str, text: str, match: str, mend: str) -> F.SheetResult:
        ctx, shows = self.ctx, dict[int, list[str]]()
        while True:
            try:
                with sending(ctx, "sheets.maybe"):
                    return open_service(ctx).take_sheet(text, match, mend, shows)
            except ServiceError as refused:
                problem = refused.problem
            face = ask_face(ctx, f"{file}:{problem.line}", problem.place) if problem.place and problem.line else None
            if face is None:
                raise CommandError(self._describe_problem(file, match, problem), more=[ctx.say("sheets.nothing")])
            shows.setdefault(problem.line, []).append(face)

    def _describe_problem(self, file: str, match: str, problem: Problem) -> str:
        where = ":".join(str(part) for part in (file, problem.line, problem.column) if part)
        if problem.undone:
            return contradiction_error(self.ctx, where, match, problem.to, problem.undone).message
        return (
            f"{where}: {describe_refusal(self.ctx, problem)}" if problem.line else describe_refusal(self.ctx, problem)
        )

    def take_in(self, file: str, match_id: str | None) -> Sequence[Imported]:
        if match_id is not None:
            raise self.ctx.problem("client.no_rename")
        data = files.read(self.ctx, file)
        try:
            taken_in = open_service(self.ctx).import_record(data)
        except ServiceError as refused:
            raise self._misread(file, refused.problem) from None
        return [Imported(taken.match, taken.entries, taken.new) for taken in taken_in.matches]

    def _misread(self, file: str, problem: Problem) -> CommandError:
        where = ":".join(str(part) for part in (file, problem.line, problem.column) if part)
        return self.ctx.problem("cli.misread", where=where, detail=describe_refusal(self.ctx, problem))


def _write_rules(law: Law, version: str) -> dict[str, object] | None:
    """Return the rules of a match, or None if they are those of the published version."""
    rules: dict[str, object] = to_builtins(law.rules)
    return None if law.rules == make_ruleset(law.game, version) else rules


def _write_deck(deck: Deck) -> DeckList:
    return DeckList(deck.main, deck.side)
