"""Results of a round."""

from collections.abc import Iterator
from typing import Final

from domain.words import Text, listed
from projections.results import ResultRow, bare_row, list_results, result_of
from recorder.match_list import DamagedMatch
from recorder.rounds import RoundMatch, read_round
from recorder.troubles import UNREAD, StoreError
from service.problems import http_problem
from service.requests import Request

MATCHES_MAX: Final = 4_096
"""Newest matches of the store to search for a round."""


def round_results(request: Request, event: str, round: str) -> tuple[ResultRow, ...]:
    """Return the matches of a round with their results, as far as the session may see them. Raises HttpProblem if there
    is no such round, StoreError."""
    rounds: dict[str, None] = {}
    store = request.context.store
    candidates = list(_find_candidates(request, event, round, rounds))
    found = list(read_round(store, event, round, candidates)) if event or round else []
    if not found:
        raise http_problem(
            "unknown", Text("results.no_round", {"event": event, "round": round, "rounds": listed(rounds)})
        )
    return list_results(_make_row(request, read) for read in found)


def _make_row(request: Request, read: RoundMatch) -> ResultRow:
    seen = request.context.count_visible(request.session, read.entries)
    if read.damaged or not seen:
        return bare_row(read.match, read.entries[:1], "damaged" if read.damaged else "not finished")
    return result_of(read.match, read.entries[:seen], request.context.visible_until(request.session))


def _find_candidates(request: Request, event: str, round: str, rounds: dict[str, None]) -> Iterator[str]:
    """Yield the matches that may belong to the round, without branches. Add all rounds seen to `rounds`."""
    for row in request.context.store.newest(MATCHES_MAX):
        if isinstance(row, DamagedMatch):
            yield row.match
            continue
        try:
            summary = request.context.read_listed_table(request.session, row.match, row.entries)
        except StoreError as error:
            if error.trouble not in UNREAD:
                raise
            yield row.match
            continue
        if summary is None or summary.parent or not any(summary.of):
            continue
        rounds[" / ".join(summary.of)] = None
        if summary.of == (event, round):
            yield row.match
