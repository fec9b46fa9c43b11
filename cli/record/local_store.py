"""Backend that adds matches to a store on this machine."""

from collections.abc import Sequence

from msgspec import Struct

from cli import files
from cli.context import CommandContext
from cli.problems import BAD_INPUT, CommandError
from cli.record import outcome
from cli.record.papers import ask_face, contradiction_error
from cli.record.stores import NewMatchOptions, PairingTable, SheetImportResult, SheetLineResult
from domain.formats.errors import FormatError
from domain.formats.sheets import Acted, Sheet
from domain.law.clause import Refusal
from domain.law.face_request import FaceRequest
from domain.law.law import Law
from projections.findings import sentence
from recorder import matches, pairings, sheet_recording
from recorder.answers import BadRecord, Imported, Reused
from recorder.clock import read_wall_clock
from recorder.imports import import_records
from recorder.pairings import RefusedPairing, Round, TableMatch
from recorder.store import Conflict, Store


class LocalStore(Struct, frozen=True):
    ctx: CommandContext

    def open_match(self, opening: NewMatchOptions) -> str:
        with self.ctx.store(writing=True) as store:
            opened = matches.open_match(
                store,
                opening.law,
                opening.version,
                opening.names,
                opening.decks,
                opening.seed,
                opening.match_id,
                read_wall_clock(),
                opening.by,
                opening.occasion,
                deal=opening.kind != "real",
                phones=opening.kind == "phones",
                policy=opening.policy,
                pledges=opening.pledges,
            )
            return outcome.require_opened(self.ctx, opening.law, store, opened)

    def open_round(self, shared: Round, table: PairingTable) -> Sequence[TableMatch]:
        with self.ctx.store(writing=True) as store:
            paired = pairings.open_round(store, shared, table.rows)
            if isinstance(paired, RefusedPairing):
                raise self._convert_unpaired(store, shared.law, table.file, paired)
        return paired

    def _convert_unpaired(self, store: Store, law: Law, file: str, unpaired: RefusedPairing) -> CommandError:
        pairing, why = unpaired.pairing, unpaired.why
        if isinstance(why, Reused):
            detail = self.ctx.say("pairings.otherwise", table=pairing.table, match=why.match)
        else:
            detail = outcome.unopened_error(self.ctx, law, store, why).message
        return self.ctx.problem("cli.misread", where=f"{file}:{pairing.line}", detail=detail)

    def take_sheet(
        self, sheet: Sheet, text: str, match: str, mend: str
    ) -> tuple[SheetImportResult, CommandError | None]:
        """Record a sheet line by line, up to the first invalid line. Raises CommandError."""
        ctx = self.ctx

        def ask(line: Acted, wanted: FaceRequest) -> str | None:
            return ask_face(ctx, f"{sheet.name}:{line.line}", wanted.place)

        with ctx.store(writing=True) as store:
            name = sheet_recording.open_sheet(store, sheet, match, at=read_wall_clock())
            opened = outcome.require_opened(ctx, _law_of(sheet), store, name)
            taken, problem, stopped = list[SheetLineResult](), None, 0
            for step in sheet_recording.record_sheet(store, sheet, opened, at=read_wall_clock(), mend=mend, ask=ask):
                if isinstance(step, sheet_recording.LineEntries):
                    taken.append(SheetLineResult(step.line, step.first, step.last, step.known, step.violations))
                else:
                    problem, stopped = _trouble(ctx, store, sheet, opened, step), step.line
            why = "" if problem is None else problem.message
            return SheetImportResult(opened, store.version(opened), tuple(taken), stopped, why), problem

    def take_in(self, file: str, match_id: str | None) -> Sequence[Imported]:
        ctx, branches = self.ctx, list[list[bytes]]()
        with files.read_states(ctx, file, branches) as states, ctx.store(writing=True) as store:
            if branches and match_id is not None:
                raise ctx.problem("import.branches_renamed", file=file)
            done = import_records(store, (states, *branches), match_id)
        if isinstance(done, BadRecord):
            raise ctx.problem("cli.bad_record", file=file, entry=done.entry, detail=done.what)
        if isinstance(done, Conflict):
            raise ctx.problem("cli.other_record", match=done.match, actual=done.actual)
        return done


def _trouble(
    ctx: CommandContext,
    store: Store,
    sheet: Sheet,
    match: str,
    stop: sheet_recording.RejectedLine | sheet_recording.SheetConflict,
) -> CommandError:
    if isinstance(stop, sheet_recording.SheetConflict):
        return contradiction_error(ctx, f"{sheet.name}:{stop.line}", match, stop.to, stop.entries)
    error = _describe_trouble(ctx, store, sheet, stop.why)
    return CommandError(f"{sheet.name}:{stop.line}:{stop.column}: {error.message}", BAD_INPUT, error.more)


def _describe_trouble(
    ctx: CommandContext, store: Store, sheet: Sheet, why: sheet_recording.Trouble | FormatError
) -> CommandError:
    match why:
        case FormatError():
            return ctx.refuse(why.message)
        case FaceRequest():
            return ctx.problem("sheets.face_wanted", place=why.place)
        case Refusal():
            return ctx.problem("sheets.refused", clause=why.clause, sentence=sentence(_law_of(sheet), why.clause))
        case _:
            return outcome.not_recorded_error(ctx, store, why)


def _law_of(sheet: Sheet) -> Law:
    assert sheet.header.law is not None
    return sheet.header.law
