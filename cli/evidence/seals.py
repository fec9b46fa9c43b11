"""A store held fast: a key that signs, checkpoints of the store's log, proofs that a match stands in it."""

from os import environ
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.outputs import distinct, writable, write_whole
from cli.problems import FINDINGS, FINE
from domain.formats.errors import decode_text
from domain.words.foreign import system
from recorder.chance import new_secret
from recorder.evidence import notes, proofs
from recorder.evidence.checkpoints import read_checkpoint
from recorder.evidence.notes import NoteError, Signer
from recorder.evidence.sealing import require_sound, seal as seal_store
from recorder.files import create_private
from recorder.sealing import Sealed, Sealing, read_sealing

KEY: str = "SHINPAN_SEAL_KEY"
"""Holds the line of a key that signs, where no file is named."""
Out = Annotated[str | None, "--out FILE"]


class Made(Struct, frozen=True):
    """A key that signs: where its secret half lies, and the line that all may have."""

    file: str
    key: str


class Proved(Struct, frozen=True):
    """What shows that a match, or an earlier checkpoint, stands in the log: over how many leaves, and the text."""

    leaves: int
    proof: str
    match: str = ""


def keygen(desk: Desk, file: Annotated[str, "FILE"], name: Annotated[str, "--name NAME"] = "shinpan") -> Answer[Made]:
    """Make a key that signs checkpoints. Its file is its owner's only; what is printed is for all."""
    try:
        signer = Signer.make(name, new_secret(notes.KEY_BYTES))
    except NoteError as error:
        raise desk.refuse(error.text) from None
    try:
        create_private(Path(file), f"{signer.write()}\n".encode())
    except OSError as error:
        raise desk.problem("cli.unwritable", file=file, detail=system(error)) from None
    key = str(signer.key)

    def draw() -> None:
        desk.screen.line(key)
        desk.hint("keygen.made", file=file)

    return Answer(lambda: Made(file, key), draw)


def seal(desk: Desk, key: Annotated[str | None, "--key FILE"] = None, out: Out = None) -> Answer[Sealed]:
    """Write a signed checkpoint of all that is recorded: whoever keeps it can tell later if anything was changed."""
    desk.require_store()
    distinct(desk, {"--out": out}, [desk.where], [key])
    writable(desk, [out])
    signer = read_signer(desk, key)
    if signer is None:
        raise desk.problem("seal.no_key", name=KEY)
    with desk.store(writing=True) as store:
        sealed = seal_store(store, signer)
    if out is not None:
        write_whole(desk, Path(out), sealed.note.encode())

    return answer_sealed(desk, sealed, out)


def answer_sealed(desk: Desk, sealed: Sealed, out: str | None) -> Answer[Sealed]:
    """A checkpoint, told unless it was written to a file."""

    def draw() -> None:
        done = "seal.done" if sealed.new else "seal.same"
        if out is None:
            desk.screen.raw(sealed.note.encode())
            desk.hint(done, leaves=sealed.leaves, new=sealed.new)
        else:
            desk.tell(done, leaves=sealed.leaves, new=sealed.new)

    damaged = [desk.say("seal.left_out", match=match) for match in sealed.left_out]
    return Answer(lambda: sealed, draw, FINDINGS if damaged else FINE, lambda: desk.warn(*damaged))


def proof(
    desk: Desk,
    match: Annotated[str | None, "MATCH"] = None,
    since: Annotated[str | None, "--since FILE"] = None,
    out: Out = None,
) -> Answer[Proved]:
    """Show that a match stands in the log of the last checkpoint, or that this log grew from an earlier checkpoint."""
    desk.require_store()
    distinct(desk, {"--out": out}, [desk.where], [since])
    writable(desk, [out])
    require_one(desk, match, since)
    with desk.store() as store:
        sealed = read_sealing(store)
        name = "" if match is None else desk.match_id(store, match)
    if not sealed.checkpoints:
        raise desk.problem("proof.unsealed", store=desk.where)
    with desk.refusing():
        require_sound(desk.where, sealed)
    leaves = sealed.checkpoints[-1][0]
    if since is None:
        shown = proofs.prove(sealed, name)
        if shown is None:
            raise desk.problem("proof.no_leaf", match=name)
        text = str(shown)
    else:
        text = _growth(desk, sealed, since)
    if out is not None:
        write_whole(desk, Path(out), text.encode())

    return answer_proved(desk, Proved(leaves, text, name), out)


def answer_proved(desk: Desk, proved: Proved, out: str | None) -> Answer[Proved]:
    """A proof, told unless it was written to a file."""

    def draw() -> None:
        if out is None:
            desk.screen.raw(proved.proof.encode())
        else:
            desk.tell("proof.written", file=out, leaves=proved.leaves)

    return Answer(lambda: proved, draw)


def require_one(desk: Desk, match: str | None, since: str | None) -> None:
    """Raises Problem unless a proof is asked for of one thing."""
    if (match is None) == (since is None):
        raise desk.problem("proof.which")


def _growth(desk: Desk, sealed: Sealing, since: str) -> str:
    try:
        old = read_checkpoint(read_text(desk, since))
        grown = proofs.prove_growth(sealed, old)
    except NoteError as error:
        raise desk.problem("cli.misread", where=since, detail=error.text.say(desk.lang)) from None
    if grown is None:
        raise desk.problem("proof.future", file=since, size=old.size, leaves=sealed.checkpoints[-1][0])
    if not grown.holds(old):
        raise desk.problem("proof.forked", file=since)
    return str(grown)


def read_text(desk: Desk, file: str) -> str:
    """A small text file. Raises Problem."""
    with desk.refusing():
        return decode_text(files.read(desk, file), file)


def read_signer(desk: Desk, file: str | None) -> Signer | None:
    """Who signs: by a file, or by the line in the environment; None if neither says so. Raises Problem."""
    line = read_text(desk, file) if file is not None else environ.get(KEY, "")
    if file is None and not line.strip():
        return None
    try:
        return notes.read_signer(line)
    except NoteError as error:
        raise desk.problem("cli.misread", where=file or KEY, detail=error.text.say(desk.lang)) from None
