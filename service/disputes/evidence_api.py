"""API of evidence: checkpoints of the log, proofs, and packs that anyone can verify."""

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from domain.words import Lang
from service import payloads
from service.api import REVALIDATE_PUBLIC, ROOT, Query, bytes_response, make_route
from service.disputes import evidence
from service.requests import NUMBER_MAX, EmptyPayload, Request, Response, Route

TEXT: Final = "text/plain"
ZIP: Final = "application/zip"


class GrowthQuery(EmptyPayload, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Size of an earlier checkpoint, in leaves."""

    since: Annotated[int, Meta(ge=1, le=NUMBER_MAX, description="number of leaves of the earlier checkpoint")]


class PackQuery(Query, frozen=True, forbid_unknown_fields=True, kw_only=True):
    dispute: Annotated[int, Meta(ge=0, le=NUMBER_MAX)] = 0
    lang: Lang = "en"


def show_checkpoint(request: Request, query: EmptyPayload, body: None) -> Response:
    return bytes_response(
        request, evidence.read_checkpoint(request.context).encode(), TEXT, {"Cache-Control": REVALIDATE_PUBLIC}
    )


def show_growth(request: Request, query: GrowthQuery, body: None) -> Response:
    return bytes_response(
        request,
        evidence.prove_growth(request.context, query.since).encode(),
        TEXT,
        {"Cache-Control": REVALIDATE_PUBLIC},
    )


def seal_log(request: Request, query: EmptyPayload, body: None) -> Response:
    """Write a checkpoint, or return the last one if nothing is new."""
    sealed = evidence.seal_log(request.context)
    answer = payloads.SealedLog(note=sealed.note, leaves=sealed.leaves, new=sealed.new, left_out=sealed.left_out)
    return Response(answer, 201 if sealed.new else 200)


def show_proof(request: Request, query: Query, body: None) -> Response:
    view = request.look(query.viewer)
    proof = str(evidence.prove_match(request.context, view)).encode()
    return bytes_response(request, proof, TEXT, _attachment_headers(f"{view.match.id}.proof"))


def take_pack(request: Request, query: PackQuery, body: None) -> Response:
    """Return the evidence pack of a match for one viewer. The file name contains the viewer."""
    view = request.look(query.viewer, "export")
    packed = evidence.pack(replace(request, lang=query.lang), view, query.dispute)
    return bytes_response(request, packed, ZIP, _attachment_headers(f"{view.match.id}-{view.eyes.viewer}.zip"))


def _attachment_headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES: Final = (
    Route(
        method="GET", path=f"{ROOT}/log/checkpoint", operation="public", call=show_checkpoint, answer=str, kind=TEXT,
        tagged=True, limit="tries", says="Return the last checkpoint of the log, a signed note.",
        problems=("unknown", "store-unavailable"),
    ),
    Route(
        method="GET", path=f"{ROOT}/log/growth", operation="public", call=show_growth, query=GrowthQuery, answer=str,
        kind=TEXT, tagged=True, limit="tries", problems=("unknown", "store-unavailable"),
        says="Return the proof that the log grew from an earlier checkpoint to the last one.",
    ),
    Route(
        method="POST", path=f"{ROOT}/log/checkpoints", operation="seal_log", call=seal_log, answer=payloads.SealedLog,
        status=201, again=True, limit="commands", says="Sign a checkpoint of all that is recorded.",
        problems=("no-key", "store-unavailable"),
    ),
    make_route(
        "/proof", show_proof, str, "Prove that a match is in the log of the last checkpoint.", kind=TEXT,
        limit="tries", problems=("store-unavailable",),
    ),
    make_route(
        "/dossier", take_pack, str, "Download evidence: the whole match for a judge, else what the viewer saw.",
        query=PackQuery, operation="export", kind=ZIP, limit="tries",
    ),
)  # fmt: skip
