"""The API: every route with what it takes, gives, and may say instead. One room a resource."""

from typing import Final

from service.api import (
    branching,
    casefiles,
    disputes,
    entries,
    evidence,
    exports,
    films,
    finding,
    games,
    imports,
    judging,
    matches,
    moments,
    opening,
    recording,
    reports,
    results,
    seals,
    sessions,
    sheets,
    streams,
)
from service.api.document import with_document
from service.asking import Route

ROUTES: Final[tuple[Route, ...]] = with_document(
    (
        *sessions.ROUTES,
        *opening.ROUTES,
        *results.ROUTES,
        *branching.ROUTES,
        *recording.ROUTES,
        *seals.ROUTES,
        *imports.ROUTES,
        *sheets.ROUTES,
        *games.ROUTES,
        *matches.ROUTES,
        *entries.ROUTES,
        *moments.ROUTES,
        *judging.ROUTES,
        *disputes.ROUTES,
        *casefiles.ROUTES,
        *exports.ROUTES,
        *evidence.ROUTES,
        *finding.ROUTES,
        *reports.ROUTES,
        *films.ROUTES,
        *streams.ROUTES,
    )
)
