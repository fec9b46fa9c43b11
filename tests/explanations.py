"""Explanation of the last line of a scenario, by clause, as a judge sees it."""

from domain.formats.actions import parse_action
from domain.judging.trails import explain_action, hypothetical_notes
from domain.table.redact import TableViewer
from domain.table.table import JUDGE
from projections.why import ShapingClause, see_shaping_clauses
from tests.scenario import PASSES, Scenario


class Shapings(dict[str, list[ShapingClause]]):
    def about(self, clause: str) -> list[list[str]]:
        return [[_plain(about.name) for about in noted.about] for noted in self.get(clause, [])]

    def layers(self, clause: str) -> list[tuple[int | None, list[tuple[str, int]]]]:
        """Return each value noted by a clause, with the clause and number of each layer."""
        return [(noted.value, [(layer.clause, layer.n) for layer in noted.layers]) for noted in self.get(clause, [])]


def _plain(name: str) -> str:
    thing, _, face = name.partition(" ")
    return face if face and thing.startswith("u") else name


def shaped_last(board: Scenario, *lines: str, as_played: bool = False) -> Shapings:
    """Play the lines and return the explanation of the last one, which may be refused."""
    *first, last = [one for line in lines for one in (("pass", "pass") if line == PASSES else (line,))]
    before = board
    for line in first:
        before = before.when(_whose(before, line))
    scene = before.scene
    law, table = scene.law, scene.table
    who, action = parse_action(law.game, table, _whose(before, last), scene.labels)
    after = before.when(_whose(before, last), as_played=as_played)
    if after.refusal is not None:
        notes = hypothetical_notes(law, table, who, action)
    else:
        heard = explain_action(law, table, who, action, as_played=as_played)
        assert heard.told == after.scene.told, "who listens changes nothing"
        notes = heard.checked + heard.notes
    found = Shapings()
    for noted in see_shaping_clauses(TableViewer(scene.physics, JUDGE), notes):
        found.setdefault(noted.clause, []).append(noted)
    return found


def _whose(board: Scenario, line: str) -> str:
    if line != "pass":
        return line
    (seat,) = board.scene.law.awaited(board.scene.table)
    return f"{seat}: pass"
