"""Verification of records, corpora, stores and proofs against hash chains, the log and trusted checkpoints."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from archive.corpus import reader
from archive.corpus.corpus_format import SQLITE
from archive.corpus.errors import CorpusError
from archive.corpus.reader import Corpus
from cli import files
from cli.answer import Answer
from cli.context import CommandContext
from cli.evidence.seals import misreading, read_text
from cli.problems import FINDINGS, FINE
from cli.progress import Asked, show_progress
from domain.law.entries import opened_of
from domain.words import Text
from recorder.evidence import checking as C, saved_evidence
from recorder.evidence.checkpoints import Checkpoint
from recorder.evidence.notes import NOTE_MAX, Key, read_key
from recorder.evidence.proofs import Growth, Proof
from recorder.evidence.saved_evidence import EvidenceSet
from recorder.evidence.unpacking import BEGINS, Unpacked, check_pack
from recorder.sealing import Sealing, match_ids, read_sealing
from recorder.spool import Decoded
from recorder.store import Store, StoreError
from recorder.store_location import on_server

HEAD_BYTES = 100
NO_LOG = C.Log()
HTTP = "cli.remote.evidence:check"


class EvidenceDefect(Struct, frozen=True, omit_defaults=True):
    """A mismatch: in a match from an entry on, or, without a match, in the log."""

    what: str
    match: str = ""
    entry: int = 0


class Checked(Struct, frozen=True, omit_defaults=True):
    """Result of a verification.

    `unlinked` counts entries before the first hash link of their match, `unlinked_matches` the matches with such
    entries. `held` counts matches covered by a leaf of a log, `moved_on` those covered only up to an earlier entry.
    `unsealed` counts leaves after the last checkpoint. `signed` is the key of that checkpoint; `trusted` is True if the
    caller named the key.
    """

    file: str
    matches: int
    entries: int
    unlinked: int
    unlinked_matches: int
    held: int
    moved_on: int
    leaves: int
    checkpoints: int
    unsealed: int = 0
    signed: str = ""
    trusted: bool = False
    opened: int = 0
    """Hidden columns of a player pack that another pack opened."""
    rows: int = 0
    """Entries shown by a player pack."""
    proved_rows: int = 0
    """Shown entries that agree with the log, or with the record that opened the pack."""
    unproved: tuple[str, ...] = ()
    """Parts of the pack without proof."""
    wrong: tuple[EvidenceDefect, ...] = ()


def check(
    ctx: CommandContext,
    file: Annotated[str | None, "FILE"] = None,
    key: Annotated[list[str] | None, "--key KEY|FILE"] = None,
    against: Annotated[list[str] | None, "--against FILE"] = None,
    progress: Asked = False,
) -> Answer[Checked]:
    """Verify that nothing was altered, removed, inserted or moved since it was recorded. The exit code is 1 if it was.

    The default file is the store. `against` names trusted checkpoints and proofs.
    """
    trusted_evidence, packs = read_trusted_evidence(ctx, key or (), against or ())
    remote = ctx.is_remote and (file is None or not files.is_local(file))
    read: Callable[..., Checked] = resolve_name(HTTP) if remote else _check_local
    checked = read(ctx, file, trusted_evidence, packs, progress)
    return Answer(lambda: checked, lambda: _draw(ctx, checked), FINDINGS if checked.wrong else FINE)


def _check_local(
    ctx: CommandContext, file: str | None, trusted_evidence: EvidenceSet, packs: Sequence[str], progress: bool
) -> Checked:
    name = files.hide_password(ctx, ctx.where if file is None else file)
    with misreading(ctx, name):
        return _check(ctx, name, trusted_evidence, packs, progress)


def _check(
    ctx: CommandContext, name: str, trusted_evidence: EvidenceSet, packs: Sequence[str], progress: bool
) -> Checked:
    if on_server(name) and not packs:
        return _check_store(ctx, name, trusted_evidence, progress)
    head = _head(ctx, name)
    if head.startswith(BEGINS) or packs:
        return _check_pack(ctx, name, trusted_evidence, packs)
    if head.startswith(SQLITE) and not reader.begins_corpus(head):
        return _check_store(ctx, name, trusted_evidence, progress)
    if not head.startswith(SQLITE) and (text := _note(ctx, name)):
        signed, whys = saved_evidence.check_note(text, trusted_evidence)
        log = C.Log(
            checkpoints=1, signed=signed, trusted=bool(signed), wrong=tuple(C.Discrepancy("", 0, why) for why in whys)
        )
        return sum_checks(ctx, name, (), log)
    _require_proof(ctx, trusted_evidence)
    signers = [signed for _, proof in trusted_evidence.proofs for signed in proof.signers(trusted_evidence.keys)]
    if head.startswith(SQLITE):
        with ctx.convert_errors(), reader.open_corpus(name) as corpus:
            looked = [_check_corpus_match(corpus, match, trusted_evidence) for match in corpus.ids]
        idle = [*trusted_evidence.list_unrelated_proofs({match.match for match in looked})]
    else:
        with files.read_states(ctx, name) as spool:
            match = opened_of(Decoded(spool)).match
            looked = [C.check_record(match or name, spool, trusted_evidence.heads(match))]
        idle = [*trusted_evidence.list_unrelated_proofs({match})] if match else []
    wrong = tuple(C.Discrepancy("", 0, text) for text in (*idle, *trusted_evidence.list_contradictions()))
    return sum_checks(
        ctx, name, looked, C.Log(0, len(trusted_evidence.proofs), 0, "".join(signers[:1]), bool(signers), wrong)
    )


def _check_corpus_match(corpus: Corpus, match: str, trusted_evidence: EvidenceSet) -> C.MatchCheck:
    """Check a match of a corpus. If its checksums fail, check the salvaged entries. Raises CorpusError if no entry is
    to blame."""
    heads = trusted_evidence.heads(match)
    try:
        return C.check_record(match, corpus.states(match), heads)
    except CorpusError:
        with suppress(CorpusError):
            looked = C.check_record(match, corpus.salvage(match), heads)
            if looked.wrong is not None:
                return looked
        raise


def _check_pack(ctx: CommandContext, name: str, trusted_evidence: EvidenceSet, packs: Sequence[str]) -> Checked:
    data, whole = files.read(ctx, name), [files.read(ctx, other) for other in packs[:1]]
    if trusted_evidence.checkpoints or len(packs) > 1 or not data.startswith(BEGINS):
        raise ctx.problem("pack.not_against")
    return add_pack(ctx, name, check_pack(data, trusted_evidence.keys, *whole))


def add_pack(ctx: CommandContext, name: str, unpacked: Unpacked, log: C.Log = NO_LOG) -> Checked:
    pack_log = unpacked.log
    full_log = replace(pack_log, leaves=log.leaves, wrong=(*log.wrong, *pack_log.wrong))
    return replace(
        sum_checks(ctx, name, (unpacked.check,), full_log),
        opened=unpacked.opened,
        rows=unpacked.rows,
        proved_rows=unpacked.proved,
        unproved=tuple(text.say(ctx.lang) for text in unpacked.unproved),
    )


def _require_proof(ctx: CommandContext, trusted_evidence: EvidenceSet) -> None:
    """Raise CommandError unless a proof connects the record to the keys and checkpoints: a record has no signature."""
    if (trusted_evidence.keys or trusted_evidence.checkpoints) and not trusted_evidence.proofs:
        raise ctx.problem("check.needs_proof")


def _check_store(ctx: CommandContext, name: str, trusted_evidence: EvidenceSet, progress: bool) -> Checked:
    with Store.open(name, read_only=True) as store:
        sealed, wrong = Sealing((), ()), [*trusted_evidence.list_contradictions()]
        try:
            sealed = read_sealing(store)
        except StoreError as error:
            if error.trouble != "corrupt":
                raise
            wrong.append(error.text)
        log, looked = C.check_log(sealed, trusted_evidence.keys, trusted_evidence.checkpoints), list[C.MatchCheck]()
        with show_progress(ctx.screen, ctx.say("check.progress"), lambda: len(match_ids(store)), progress) as step:
            for match in C.check_matches(store, sealed, trusted_evidence.heads):
                looked.append(match)
                step()
    wrong += trusted_evidence.list_unrelated_proofs({match.match for match in looked})
    return sum_checks(
        ctx, name, looked, replace(log, wrong=(*log.wrong, *(C.Discrepancy("", 0, text) for text in wrong)))
    )


def sum_checks(ctx: CommandContext, name: str, looked: Sequence[C.MatchCheck], log: C.Log) -> Checked:
    wrong = (*(match.wrong for match in looked if match.wrong is not None), *log.wrong)
    return Checked(
        file=name,
        matches=len(looked),
        entries=sum(match.entries for match in looked),
        unlinked=sum(match.unlinked for match in looked),
        unlinked_matches=sum(bool(match.unlinked) for match in looked),
        held=sum(bool(match.held) for match in looked),
        moved_on=sum(0 < match.held < match.entries for match in looked),
        leaves=log.leaves,
        checkpoints=log.checkpoints,
        unsealed=log.unsealed,
        signed=log.signed,
        trusted=log.trusted,
        wrong=tuple(EvidenceDefect(part.text.say(ctx.lang), part.match, part.entry) for part in wrong),
    )


def _draw(ctx: CommandContext, checked: Checked) -> None:
    for wrong in checked.wrong:
        key = "check.wrong_entry" if wrong.match else "check.wrong"
        ctx.print_message(key, "bad", match=wrong.match, entry=wrong.entry, what=wrong.what)
    sound, counts = not checked.wrong, {"matches": checked.matches, "entries": f"{checked.entries:,}"}
    if checked.matches:
        if checked.rows:
            all_proved = sound and checked.proved_rows == checked.rows
            ctx.print_message("check.rows", "good" if all_proved else "", rows=checked.rows, proved=checked.proved_rows)
        else:
            ctx.print_message("check.sound" if sound else "check.looked", "good" if sound else "", **counts)
        if checked.unlinked:
            ctx.print_message("check.unlinked", n=f"{checked.unlinked:,}", matches=checked.unlinked_matches)
        if checked.held < checked.matches or checked.moved_on:
            ctx.print_message("check.loose", n=checked.matches - checked.held, more=checked.moved_on)
    elif not checked.wrong:
        ctx.print_message("check.note_sound" if checked.checkpoints else "check.nothing", "good", file=checked.file)
    if checked.leaves:
        ctx.print_message("check.log", leaves=checked.leaves, checkpoints=checked.checkpoints)
    if checked.opened:
        ctx.print_message("check.opened", n=f"{checked.opened:,}")
    for what in checked.unproved:
        ctx.print_message("check.unproved", what=what)
    if checked.unsealed:
        ctx.print_message("check.unsealed", n=checked.unsealed)
    if checked.signed:
        ctx.print_message("check.signed" if checked.trusted else "check.signed_itself", signer=checked.signed)
    elif checked.checkpoints:
        ctx.print_message("check.unsigned")


def read_trusted_evidence(
    ctx: CommandContext, keys: Sequence[str], names: Sequence[str]
) -> tuple[EvidenceSet, list[str]]:
    """Return the trusted keys, checkpoints and proofs, and the files that are packs. Raises CommandError."""
    packs = [named for named in names if _head(ctx, named).startswith(BEGINS)]
    return _read_notes(ctx, keys, [named for named in names if named not in packs]), packs


def _read_notes(ctx: CommandContext, keys: Sequence[str], names: Sequence[str]) -> EvidenceSet:
    trusted = tuple(_read_key(ctx, key) for key in keys)
    checkpoints: list[tuple[str, Checkpoint]] = []
    shown: list[tuple[str, Proof]] = []
    for name in names:
        text = read_text(ctx, name)
        with misreading(ctx, name):
            what = saved_evidence.read_saved_evidence(text)
            wrong = (
                saved_evidence.check_note(text, EvidenceSet(keys=trusted))[1] if not isinstance(what, Growth) else ()
            )
        if isinstance(what, Growth) or wrong:
            why = wrong[0] if wrong else Text("growth.against")
            raise ctx.problem("cli.misread", where=name, detail=why.say(ctx.lang))
        if isinstance(what, Proof):
            shown.append((name, what))
            what = what.checkpoint
        checkpoints.append((name, what))
    return EvidenceSet(tuple(checkpoints), tuple(shown), trusted)


def _read_key(ctx: CommandContext, key: str) -> Key:
    line = read_text(ctx, key) if files.path_satisfies(key, Path.is_file) else key
    with misreading(ctx, "--key"):
        return read_key(line)


def _head(ctx: CommandContext, name: str) -> bytes:
    """Return the first bytes of a file. Standard input is a record and can be read only once, so it gives b""."""
    if name == files.STDIN:
        return b""
    with ctx.convert_os_errors("cli.unreadable", name):
        path = Path(name)
        if not (path.is_file() or path.is_dir()):
            path.stat()
            return b""
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)


def _note(ctx: CommandContext, name: str) -> str:
    if name == files.STDIN or not files.path_satisfies(name, Path.is_file) or Path(name).stat().st_size > NOTE_MAX:
        return ""
    with ctx.convert_os_errors("cli.unreadable", name):
        begins = Path(name).read_bytes().decode("utf-8", "replace")
    return read_text(ctx, name) if saved_evidence.is_note(begins) else ""
