"""Fair shuffles: seat commitments before the deal, and the secrets revealed later."""

from typing import Annotated

from msgspec import Struct

from cli.answer import Answer
from cli.backends import open_backend
from cli.context import CommandContext
from cli.record.outcome import RecordedEntries
from cli.values import ENTERING, Entering, Match, Reason
from domain.law import croupier
from domain.law.docket import is_secret
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import Text
from recorder import codec
from recorder.chance import new_seed
from recorder.usecases import commands as C

SEAT_MAX = 16

SeatOf = Annotated[str, "SEAT"]


class NewSeatCommitment(Struct, frozen=True):
    """A seat commitment to submit, and the secret to keep until it is revealed."""

    match: str
    seat: str
    secret: str
    pledge: str


def pledge(
    ctx: CommandContext, match: Match, seat: SeatOf, secret: Annotated[str | None, "--secret HEX"] = None
) -> Answer[NewSeatCommitment]:
    """Make a secret for a seat and its commitment. Nothing is recorded."""
    if codec.MATCH_ID.fullmatch(match) is None:
        raise ctx.refuse(codec.invalid_id_text(match))
    if not (seat.isascii() and seat.isalnum()) or len(seat) > SEAT_MAX:
        raise ctx.refuse(Text("wrong.seat", {"seat": repr(seat[:SEAT_MAX])}))
    secret_bytes = bytes.fromhex(read_secret(ctx, secret)) if secret is not None else new_seed()
    made = NewSeatCommitment(match, seat, secret_bytes.hex(), croupier.commit_seat(match, Seat(seat), secret_bytes))

    def draw() -> None:
        ctx.print_message("pledge.secret", secret=made.secret)
        ctx.print_message("pledge.given", pledge=made.pledge)
        ctx.hint("pledge.keep", match=match, seat=seat)

    return Answer(lambda: made, draw)


def reveal(
    ctx: CommandContext,
    match: Match,
    seat: SeatOf,
    secret: Annotated[str, "SECRET"] = "",
    missing: Annotated[bool, "--missing"] = False,
    reason: Reason = "",
    entering: Entering = ENTERING,
) -> Answer[RecordedEntries]:
    """Reveal the secret of a seat, or record that it is missing. After the last one the croupier draws."""
    revealed = _read_reveal(ctx, secret, reason, missing=missing)
    with open_backend(ctx, match, entering, SPECTATOR) as backend:
        return backend.execute(C.RevealSecret(seat=Seat(seat), secret=revealed, reason=reason))


def _read_reveal(ctx: CommandContext, secret: str, reason: str, *, missing: bool) -> str:
    if bool(secret) == missing or missing != bool(reason.strip()):
        raise ctx.problem("reveal.which")
    return "" if missing else read_secret(ctx, secret)


def read_secret(ctx: CommandContext, text: str) -> str:
    """Return a typed secret in its recorded form. Raises CommandError without repeating the secret."""
    secret = text.strip().lower()
    if not is_secret(secret):
        raise ctx.refuse(Text("docket.no_secret", {"digits": 2 * croupier.SEED_BYTES}))
    return secret
