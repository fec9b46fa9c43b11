"""The response to an unrecorded command reveals no hidden card to its sender."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.formats.facts import parse_fact
from domain.formats.typed import TypedAction, read_typed
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from domain.words import Text
from recorder.answers import Unavailable
from service import app
from service.access import Role
from service.context import MatchView
from service.recording import checks, commands
from service.recording.commands import list_entries
from tests.laws.samples import few
from tests.rotation import is_nightly, rotate
from tests.service.command_twins import SENDERS, Bodies, Sender, pair_of, services
from tests.service.twins import MATCH, addresses

pytestmark = pytest.mark.random

GAMES = ("blackpoker", "dea", "grimoire", "skillbook")
PAIRS = 16 if is_nightly() else 4
BODIES = 320 if is_nightly() else 96
"""Commands sent to each pair: more than 20,000 nightly, more than 1,500 by day."""
READ = ("findings", "audit", "entries?limit=200", "next", "rewind/2", "disputes")


def send_all(key: str, number: int, senders: tuple[Sender, ...] = SENDERS, bodies: int = BODIES) -> Counter[int]:
    """Send commands of every kind to a pair as one sender. Return the count of each status."""
    random = Random(f"commands {key} {number}")
    sender = senders[number % len(senders)]
    _, seed = random.choice([one for one in few(4) if one[0] == key])
    pair = pair_of(key, seed, sender.seat or SPECTATOR, random)
    statuses: Counter[int] = Counter()
    make = Bodies(pair, random)
    with services(pair) as both:
        for what in READ:
            both.read(sender, f"/api/v1/matches/MATCH/{what}")
        for count in range(bodies):
            body, late = make.some(), random.random() < 0.1
            tries = random.random() < 0.3
            at = random.randrange(1, len(pair.ours)) if late else 0
            statuses[both.send(sender, body, count + 1, tries=tries, at=at)] += 1
    return statuses


@pytest.mark.parametrize("role", ["scorekeeper", "floor", "head", "operator"])
@pytest.mark.parametrize("key", rotate(GAMES, 1))
def test_officials_who_have_not_broken_the_seal_read_the_same_of_both(key: str, role: Role) -> None:
    random = Random(f"reads {key} {role}")
    _, seed = random.choice([one for one in few(4) if one[0] == key])
    pair = pair_of(key, seed, SPECTATOR, random)
    with services(pair) as both:
        asked = addresses(app.routes(), pair.ours, SPECTATOR, random, 3 if is_nightly() else 1)
        statuses = Counter(both.read(Sender(role), path.replace(MATCH, "MATCH")) for path in asked)
    assert statuses[200] > 10


@pytest.mark.parametrize("number", range(PAIRS))
@pytest.mark.parametrize("key", GAMES)
def test_an_answer_that_differs_is_an_entry(key: str, number: int) -> None:
    statuses = send_all(key, number)
    assert len(statuses) > 2, "some are recorded, some refused"


def judge_view(view: MatchView) -> MatchView:
    return replace(view, eyes=view.match.eyes(JUDGE))


def whole_table(look: Any) -> Any:
    """Return a function that replaces its view argument by a judge's view."""
    return lambda view, *of, **more: look(judge_view(view), *of, **more)


LEAKS: dict[str, tuple[Any, str, Any]] = {
    "facts are resolved on the whole table": (checks, "read_facts", whole_table(checks.read_facts)),
    "facts name cards that the sender cannot point at": (
        checks,
        "parse_fact",
        lambda *of, eyes: parse_fact(*of),  # noqa: PLW0108,
    ),
    "refusals by hidden cards are answered and not recorded": (
        commands.matches,
        "note_refusal",
        lambda store, match, by, words, clause, **terms: Unavailable(match, Text("name.no_card", {"text": words})),
    ),
    "a sender looks with a judge's eyes": (
        commands,
        "look",
        lambda ask, viewer, operation: judge_view(ask.look(ask.session.seat, operation)),
    ),
    "an entry is shown with a judge's eyes where a head is stale": (
        commands,
        "list_entries",
        lambda view, first, by=None: list_entries(judge_view(view), first, by),
    ),
    "an action is read on the whole table": (
        checks,
        "read_shown",
        lambda match, table, text, eyes, actor: TypedAction(
            *read_typed(match, table, text, match.eyes(JUDGE), {}, actor), hidden=False
        ),
    ),
    "an offer is read on the whole table": (
        checks,
        "read_seen",
        lambda match, table, text, eyes, actor: read_typed(match, table, text, match.eyes(JUDGE), {}, actor),
    ),
    "a trial is decided on the whole table": (checks, "attempt", whole_table(checks.attempt)),
    "what an action lacks is found on the whole table": (checks, "find_lacking", whole_table(checks.find_lacking)),
    "a stale command is told whether it would stand": (checks, "stands", whole_table(checks.stands)),
    "findings do not heed the seal": (MatchView, "may_see_hidden", property(lambda view: True)),
}
"""Protections to disable: the owner, the attribute, and its replacement."""


@pytest.mark.parametrize("leak", rotate(tuple(LEAKS), 3))
def test_a_leak_that_is_planted_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    with pytest.raises(AssertionError, match=r"MATCH|recorded in one alone"):
        for number in range(40):
            for key in GAMES:
                send_all(key, number)
