"""The results of a round of a service."""

from cli.answer import Answer
from cli.away.asking import service
from cli.context import Desk
from cli.look.results import answer_results
from cli.outputs import writable
from projections.results import ResultRow


def results(desk: Desk, event: str, round: str, out: str | None, excel: bool) -> Answer[tuple[ResultRow, ...]]:
    """List the matches of a round as CSV."""
    writable(desk, [out])
    return answer_results(desk, service(desk).results(event.strip(), round.strip()), out, excel)
