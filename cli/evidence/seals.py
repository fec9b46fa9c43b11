"""Seals of a store: a signing key, checkpoints of the log, and proofs that the log includes a match."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from pathlib import Path
from typing import Annotated, Protocol

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import CommandContext
from cli.outputs import distinct, writable, write_whole
from cli.problems import FINDINGS, FINE
from domain.formats.errors import decode_text
from domain.words.foreign import explain_system_error
from recorder.chance import new_secret
from recorder.evidence import notes, proofs
from recorder.evidence.checkpoints import Checkpoint, read_checkpoint
from recorder.evidence.notes import NoteError, Signer
from recorder.evidence.packs import PackError
from recorder.evidence.proofs import Growth, Proof
from recorder.evidence.sealing import require_sound, seal as seal_store
from recorder.files import create_private
from recorder.sealing import Sealing, SealResult, read_sealing
from recorder.store import Store

KEY: str = "SHINPAN_SEAL_KEY"
"""Environment variable with a signing key, if no file is named."""
Out = Annotated[str | None, "--out FILE"]
LOCAL, HTTP = "cli.evidence.seals:LocalLog", "cli.remote.evidence:HttpLog"


class NewSigningKey(Struct, frozen=True):
    """A new signing key: the file of its secret half, and its public line."""

    file: str
    key: str


class Proved(Struct, frozen=True):
    """A proof that the log includes a match or an earlier checkpoint; `leaves` is the size of the log."""

    leaves: int
    proof: str
    match: str = ""


def keygen(
    ctx: CommandContext, file: Annotated[str, "FILE"], name: Annotated[str, "--name NAME"] = "shinpan"
) -> Answer[NewSigningKey]:
    """Make a signing key for checkpoints. Only the owner can read its file; the printed line is public."""
    signer = Signer.make(name, new_secret(notes.KEY_BYTES))
    try:
        create_private(Path(file), f"{signer.write()}\n".encode())
    except OSError as error:
        raise ctx.problem("cli.unwritable", file=file, detail=explain_system_error(error)) from None
    key = str(signer.key)

    def draw() -> None:
        ctx.screen.line(key)
        ctx.hint("keygen.made", file=file)

    return Answer(lambda: NewSigningKey(file, key), draw)


class LogBackend(Protocol):
    def seal(self, key: str | None) -> SealResult:
        """Write a checkpoint signed with the key in a file. Raises CommandError."""

    def prove(self, match: str) -> Proof:
        """Prove that the log includes a match. Raises CommandError."""

    def prove_growth(self, old: Checkpoint, file: str) -> Growth:
        """Prove that the log grew from the checkpoint in a file. Raises CommandError."""


def seal(ctx: CommandContext, key: Annotated[str | None, "--key FILE"] = None, out: Out = None) -> Answer[SealResult]:
    """Write a signed checkpoint of the log. A copy of it proves later whether an entry was changed."""
    distinct(ctx, {"--out": out}, [ctx.where], [key])
    writable(ctx, [out])
    log: LogBackend = ctx.backend(LOCAL, HTTP)(ctx)
    sealed = log.seal(key)
    if out is not None:
        write_whole(ctx, Path(out), sealed.note.encode())

    def draw() -> None:
        done = "seal.done" if sealed.new else "seal.same"
        if out is None:
            ctx.screen.raw(sealed.note.encode())
            ctx.hint(done, leaves=sealed.leaves, new=sealed.new)
        else:
            ctx.print_message(done, leaves=sealed.leaves, new=sealed.new)

    damaged = [ctx.say("seal.left_out", match=match) for match in sealed.left_out]
    return Answer(lambda: sealed, draw, FINDINGS if damaged else FINE, lambda: ctx.warn(*damaged))


def proof(
    ctx: CommandContext,
    match: Annotated[str | None, "MATCH"] = None,
    since: Annotated[str | None, "--since FILE"] = None,
    out: Out = None,
) -> Answer[Proved]:
    """Prove that the log of the last checkpoint includes a match, or grew from an earlier checkpoint."""
    distinct(ctx, {"--out": out}, [ctx.where], [since])
    writable(ctx, [out])
    if (match is None) == (since is None):
        raise ctx.problem("proof.which")
    log: LogBackend = ctx.backend(LOCAL, HTTP)(ctx)
    proved = _prove(log, match or "") if since is None else _prove_growth(ctx, log, since)
    if out is not None:
        write_whole(ctx, Path(out), proved.proof.encode())

    def draw() -> None:
        if out is None:
            ctx.screen.raw(proved.proof.encode())
        else:
            ctx.print_message("proof.written", file=out, leaves=proved.leaves)

    return Answer(lambda: proved, draw)


def _prove(log: LogBackend, match: str) -> Proved:
    shown = log.prove(match)
    return Proved(shown.checkpoint.size, str(shown), shown.leaf.match)


def _prove_growth(ctx: CommandContext, log: LogBackend, since: str) -> Proved:
    with misreading(ctx, since):
        old = read_checkpoint(read_text(ctx, since))
    grown = log.prove_growth(old, since)
    with misreading(ctx, ctx.where):
        if not grown.holds(old):
            raise ctx.problem("proof.forked", file=since)
        return Proved(read_checkpoint(grown.note).size, str(grown))


class LocalLog(Struct, frozen=True):
    ctx: CommandContext

    def seal(self, key: str | None) -> SealResult:
        signer = read_signer(self.ctx, key)
        if signer is None:
            raise self.ctx.problem("seal.no_key", name=KEY)
        with self.ctx.store(writing=True) as store:
            return seal_store(store, signer)

    def prove(self, match: str) -> Proof:
        with self.ctx.store() as store:
            name, sealed = self.ctx.match_id(store, match), self._read(store)
        if (shown := proofs.prove(sealed, name)) is None:
            raise self.ctx.problem("proof.no_leaf", match=name)
        return shown

    def prove_growth(self, old: Checkpoint, file: str) -> Growth:
        with self.ctx.store() as store:
            sealed = self._read(store)
        if (grown := proofs.prove_growth(sealed, old)) is None:
            raise self.ctx.problem("proof.future", file=file, size=old.size, leaves=sealed.checkpoints[-1][0])
        return grown

    def _read(self, store: Store) -> Sealing:
        sealed = read_sealing(store)
        if not sealed.checkpoints:
            raise self.ctx.problem("proof.unsealed", store=self.ctx.where)
        require_sound(self.ctx.where, sealed)
        return sealed


@contextmanager
def misreading(ctx: CommandContext, name: str) -> Iterator[None]:
    """Raise CommandError with the name of the source for an invalid pack, note or proof."""
    try:
        yield
    except (PackError, NoteError) as error:
        raise ctx.problem("cli.misread", where=name, detail=error.text) from None


def read_text(ctx: CommandContext, file: str) -> str:
    """Return the text of a small file. Raises CommandError."""
    with ctx.convert_errors():
        return decode_text(files.read(ctx, file), file)


def read_signer(ctx: CommandContext, file: str | None) -> Signer | None:
    """Return the signer from a file or the environment, or None. Raises CommandError."""
    line = read_text(ctx, file) if file is not None else environ.get(KEY, "")
    if file is None and not line.strip():
        return None
    with misreading(ctx, file or KEY):
        return notes.read_signer(line)
