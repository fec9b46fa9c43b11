"""A line without an actor that is illegal for the awaited seat: the recorder asks for the actor."""

import pytest

from domain.judging.allowed import allowed
from domain.law.actions import PASS
from domain.law.entries import Played
from domain.law.record import record_of
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from tests.laws.samples import sample
from tests.service.commands import head, uuid
from tests.service.harness import Served
from tests.service.test_real_tables import RecorderPage

OF_BOTH = (PASS, "concede", "show_graveyard")


def post(served: Served, page: RecorderPage, **fields: str) -> str:
    """Send a line and return the page, which may ask a question."""
    page.sent += 1
    number = head(served, page.match)
    body = {"id": uuid(page.sent), "head": str(number), "asks": "true", **fields}
    return str(served.client.post(page.path, data=body, headers=served.bearer("scorekeeper")).text)


def windows(game: str) -> list[tuple[int, str, Seat]]:
    """Return windows of one seat in the turn of the other, with a line that the other could play after a pass."""
    one, found = sample(game, 0), list[tuple[int, str, Seat]]()
    entries = one.entries
    for number in range(20, len(entries) - 2):
        passes, acts = entries[number : number + 2]
        if not (isinstance(passes, Played) and isinstance(acts, Played) and acts.actor in one.first_entry.seats):
            continue
        if PASS.encode() not in bytes(passes.action) or acts.actor == passes.actor:
            continue
        later = record_of(one.game, entries[: number + 1])
        lines = [
            line.partition(": ")[2]
            for doable in allowed(later, later.eyes(SPECTATOR), number + 1, 3)
            if doable.actor == acts.actor and doable.verb not in OF_BOTH
            for line in doable.actions[:1]
        ]
        found += [(number, line, acts.actor) for line in lines[-1:]]
        if len(found) >= 4:
            return found
    return found


@pytest.mark.parametrize("game", ["blackpoker", "dea", "grimoire", "skillbook"])
def test_a_line_of_the_other_player_in_a_window_is_asked_about(served: Served, game: str) -> None:
    asked = 0
    for number, line, other in windows(game):
        match = f"t{number}"
        served.context.store.append(match, 0, sample(game, 0).entries[:number])
        page = RecorderPage(served, match)
        answer = post(served, page, line=line)
        if head(served, match) > number:
            done = served.context.match(match).entries[number]
            assert isinstance(done, Played) and not done.violations, "it is an action of the awaited seat too"
            continue
        asked += 1
        assert "Who does this?" in answer
        for seat in ("p1", "p2"):
            assert answer.count(f'name="begins" value="{seat}:"') == 1
        assert "Who does this?" not in post(served, page, begins=f"{other}:", line=line)
    assert asked


@pytest.mark.parametrize(("game", "line"), [("blackpoker", "attack"), ("dea", "end_main")])
def test_a_line_that_neither_may_do_in_a_window_is_asked_about_too(served: Served, game: str, line: str) -> None:
    asked = 0
    for number, _, other in windows(game):
        match = f"t{number}"
        served.context.store.append(match, 0, sample(game, 0).entries[:number])
        table = served.context.match(match).table
        if table.clock.active != other or other in table.clock.awaited:
            continue
        asked += 1
        page = RecorderPage(served, match)
        assert "Who does this?" in post(served, page, line=line) and head(served, match) == number
        post(served, page, begins=f"{other}:", line=line)
        assert head(served, match) > number, "named, it is recorded as it was played"
    assert asked
