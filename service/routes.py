"""All routes of the service: API routes in the order of the API document, then pages."""

from typing import Final

from service.disputes import (
    api as disputes_api,
    casefiles_api,
    casefiles_page,
    evidence_api,
    evidence_page,
    finding_pages,
    findings_api,
    pages as disputes_pages,
    penalties_page,
    rewind_page,
    seals_api,
    seals_page,
)
from service.floor import (
    api as floor_api,
    calls_page,
    clock_page,
    new_match_pages,
    pages as floor_pages,
    pairings_page,
    round_timer_page,
)
from service.live import api as live_api
from service.match import (
    api as match_api,
    entries_api,
    exports_api,
    imports_api,
    knowledge_page,
    moments_api,
    pages as match_pages,
    thing_page,
    timelines_api,
    why_page,
)
from service.openapi import with_document
from service.recording import (
    api as recording_api,
    branches_api,
    endings_page,
    gaps_page,
    pages as recording_pages,
    player_page,
    seat_commitments_page,
    sheets_api,
    sheets_pages,
    undo_page,
)
from service.reports import api as reports_api, pages as reports_pages, rule_changes_page
from service.requests import Route
from service.rulebook import api as rulebook_api, casebooks_page, pages as rulebook_pages
from service.search import api as search_api, pages as search_pages
from service.sign_in import api as sign_in_api, pages as sign_in_pages, people_pages

API_ROUTES: Final[tuple[Route, ...]] = with_document(
    (
        *sign_in_api.ROUTES,
        *floor_api.ROUTES,
        *branches_api.ROUTES,
        *recording_api.ROUTES,
        *seals_api.ROUTES,
        *imports_api.ROUTES,
        *sheets_api.ROUTES,
        *rulebook_api.ROUTES,
        *match_api.ROUTES,
        *entries_api.ROUTES,
        *moments_api.ROUTES,
        *findings_api.ROUTES,
        *disputes_api.ROUTES,
        *casefiles_api.ROUTES,
        *exports_api.ROUTES,
        *evidence_api.ROUTES,
        *search_api.ROUTES,
        *reports_api.ROUTES,
        *timelines_api.ROUTES,
        *live_api.ROUTES,
    )
)
PAGE_ROUTES: Final[tuple[Route, ...]] = (
    *gaps_page.ROUTES,
    *calls_page.ROUTES,
    *casebooks_page.ROUTES,
    *casefiles_page.ROUTES,
    *clock_page.ROUTES,
    *disputes_pages.ROUTES,
    *sign_in_pages.ROUTES,
    *evidence_page.ROUTES,
    *finding_pages.ROUTES,
    *floor_pages.ROUTES,
    *knowledge_page.ROUTES,
    *match_pages.ROUTES,
    *endings_page.ROUTES,
    *new_match_pages.ROUTES,
    *pairings_page.ROUTES,
    *penalties_page.ROUTES,
    *people_pages.ROUTES,
    *player_page.ROUTES,
    *seat_commitments_page.ROUTES,
    *recording_pages.ROUTES,
    *reports_pages.ROUTES,
    *rewind_page.ROUTES,
    *rule_changes_page.ROUTES,
    *rulebook_pages.ROUTES,
    *seals_page.ROUTES,
    *search_pages.ROUTES,
    *sheets_pages.ROUTES,
    *thing_page.ROUTES,
    *round_timer_page.ROUTES,
    *undo_page.ROUTES,
    *why_page.ROUTES,
)
