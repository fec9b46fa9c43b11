"""What shows that nothing was altered: checkpoints of the log, proofs, and packs that anybody can check."""

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from domain.words import Lang
from service import evidence, wire
from service.api.seeing import OPEN, ROOT, Query, make_route, tell_bytes
from service.asking import NUMBER_MAX, Ask, Nothing, Reply, Route

TEXT: Final = "text/plain"
ZIP: Final = "application/zip"


class Since(Nothing, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """From how many leaves on."""

    since: Annotated[int, Meta(ge=1, le=NUMBER_MAX, description="the leaves of the checkpoint that was kept")]


class Packing(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """With whose eyes, of which dispute (none: of the match), and in which language its case file opens."""

    dispute: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    lang: Lang = "en"


def show_checkpoint(ask: Ask, query: Nothing, body: None) -> Reply:
    """The note of the last checkpoint."""
    return tell_bytes(ask, evidence.read_checkpoint(ask.house).encode(), TEXT, {"Cache-Control": OPEN})


def show_growth(ask: Ask, query: Since, body: None) -> Reply:
    """What shows that the log grew from so many leaves to that checkpoint."""
    return tell_bytes(ask, evidence.prove_growth(ask.house, query.since).encode(), TEXT, {"Cache-Control": OPEN})


def seal(ask: Ask, query: Nothing, body: None) -> Reply:
    """Write a checkpoint; where nothing is new, the last one stands."""
    sealed = evidence.seal_log(ask.house)
    told = wire.SealedLog(note=sealed.note, leaves=sealed.leaves, new=sealed.new, left_out=sealed.left_out)
    return Reply(told, 201 if sealed.new else 200)


def show_proof(ask: Ask, query: Query, body: None) -> Reply:
    """What shows that a match stands in the log."""
    sight = ask.look(query.viewer)
    proof = str(evidence.prove_match(ask.house, sight)).encode()
    return tell_bytes(ask, proof, TEXT, _taken(f"{sight.match.id}.proof"))


def take_pack(ask: Ask, query: Packing, body: None) -> Reply:
    """The pack of a match. Its name is the same whoever asks."""
    sight = ask.look(query.viewer, "export")
    packed = evidence.pack(replace(ask, lang=query.lang), sight, query.dispute)
    return tell_bytes(ask, packed, ZIP, _taken(f"{sight.match.id}.zip"))


def _taken(name: str) -> dict[str, str]:
    """A file to be taken along, kept by nobody on the way."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES: Final = (
    Route(
        method="GET", path=f"{ROOT}/log/checkpoint", operation="public", call=show_checkpoint, answer=str, kind=TEXT,
        tagged=True, limit="tries", says="The last checkpoint of the log, a signed note.",
        problems=("unknown", "store-unavailable"),
    ),
    Route(
        method="GET", path=f"{ROOT}/log/growth", operation="public", call=show_growth, query=Since, answer=str,
        kind=TEXT, tagged=True, limit="tries", problems=("unknown", "store-unavailable"),
        says="The proof that the log grew from an earlier checkpoint to the last one.",
    ),
    Route(
        method="POST", path=f"{ROOT}/log/checkpoints", operation="seal_log", call=seal, answer=wire.SealedLog,
        status=201, again=True, limit="commands", says="Sign a checkpoint of all that is recorded.",
        problems=("no-key", "store-unavailable"),
    ),
    make_route(
        "/proof", show_proof, str, "The proof that a match stands in the log of the last checkpoint.", kind=TEXT,
        limit="tries", problems=("store-unavailable",),
    ),
    make_route(
        "/dossier", take_pack, str, "An evidence pack: all of a match for a judge's eyes, what they saw for others.",
        query=Packing, operation="export", kind=ZIP, limit="tries",
    ),
)  # fmt: skip
