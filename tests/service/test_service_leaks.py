"""Hidden cards never influence a response: two matches that differ only in them get the same bytes."""

from contextlib import ExitStack
from functools import cache
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.law.entries import Entry
from domain.law.law import Law
from domain.table.redact import SPECTATOR, TableViewer
from domain.table.table import JUDGE, Seat
from projections.board import board_of
from recorder.matches import open_match
from recorder.store import Store
from service import app, context as houses
from service.drawing.timeline import Snapshot
from service.match import timelines_api
from service.recording import pages
from service.recording.offers import offers_of
from tests.laws.leak_checks import deal_again, never_known, viewers
from tests.laws.samples import few, sample
from tests.rotation import is_nightly
from tests.service.commands import uuid
from tests.service.harness import serve
from tests.service.twins import LANGS, Twins, addresses, redeal_within, twins

pytestmark = pytest.mark.rotates(2)

FEW = [(key, seed) for key, seed in few(2) if key in ("blackpoker", "grimoire", "dea", "skillbook")]
EACH = 3 if is_nightly() else 1
"""Paths tested for each route."""


def walk(both: Twins, entries: list[Entry], viewer: Seat, random: Random, most: int = EACH) -> int:
    """Request all kinds of paths as a viewer, and return the number of successes."""
    asked = addresses(app.routes(), entries, viewer, random, most)
    return sum(both.alike(path, viewer) == 200 for path in asked)


@pytest.mark.parametrize(("key", "seed"), FEW)
def test_whatever_is_sent_tells_no_face_never_known(key: str, seed: int) -> None:
    one, random = sample(key, seed), Random(f"service {seed}")
    for viewer in random.sample(viewers(one), 2 if is_nightly() else 1):
        entries = list(one.entries[: random.randrange(20, min(120, len(one.entries) // 2))])
        with twins(entries, deal_again(entries, never_known(entries, viewer), random)) as both:
            assert walk(both, entries, viewer, random) > 10


def _both(key: str = "blackpoker") -> tuple[list[Entry], list[Entry]]:
    entries = list(sample(key, 0).entries[:40])
    return entries, deal_again(entries, never_known(entries, SPECTATOR), Random(0))


def test_twins_look_alike_to_a_spectator() -> None:
    ours, theirs = _both()
    with twins(ours, theirs) as both:
        assert walk(both, ours, SPECTATOR, Random(1), 1) > 5


def test_a_service_that_redacts_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spectator with a judge's view must fail the walk."""
    ours, theirs = _both()
    look = houses.find_viewer

    def look_through(record: object, viewer: str) -> TableViewer:
        return replace(look(record, viewer), viewer=JUDGE)

    monkeypatch.setattr("service.context.find_viewer", look_through)
    monkeypatch.setattr("service.context.view_access", lambda *_, **__: "yes")
    with twins(ours, theirs) as both, pytest.raises(AssertionError, match="as spectator"):
        walk(both, ours, SPECTATOR, Random(1), 1)


MUTANTS: dict[str, tuple[Any, str, Any]] = {
    "knows": (TableViewer, "knows", lambda *_: True),
    "follows": (TableViewer, "follows", lambda *_: True),
    "films": (timelines_api, "Snapshot", lambda match, _, *of: Snapshot(match, match.eyes(JUDGE), *of)),
}
"""Redactions to disable: the owner, the attribute, and its replacement."""


@pytest.mark.parametrize("mutant", MUTANTS)
def test_one_redaction_switched_off_is_found_out(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = _both()
    if mutant == "follows":
        monkeypatch.setattr(*MUTANTS["knows"])
    monkeypatch.setattr(*MUTANTS[mutant])
    with twins(ours, theirs) as both, pytest.raises(AssertionError, match="as spectator"):
        walk(both, ours, SPECTATOR, Random(1), 1)


VERSION, SECRET = "8.1-lite", (1).to_bytes(16, "big")
TURN = ("p2 end", "p2 pass", "p1 pass", "p2 choose_discards DQ")


def record_turn(entries: list[Entry]) -> tuple[list[tuple[int, str]], list[Entry]]:
    """Record a turn on the recorder page. Return all bytes sent to the scorekeeper, and the record."""
    numbers, sent = count(1), []
    with serve() as served, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "uuid4", lambda: UUID(int=next(numbers)))
        served.context.store.append("M-1", 0, entries, secret=SECRET)
        for number, text in enumerate(TURN):
            form = {"id": uuid(number + 1), "head": str(served.context.match("M-1").version), "line": text}
            answer = served.client.post("/en/record/M-1", data=form, headers=served.bearer("scorekeeper"))
            sent += [answer, served.get("/en/record/M-1", "scorekeeper")]
        sent += [served.get(f"/api/v1/matches/M-1/{what}", "scorekeeper") for what in ("next", "entries?limit=500")]
        return [(answer.status_code, answer.text) for answer in sent], list(served.context.match("M-1").entries)


@cache
def begun_twins() -> tuple[list[Entry], list[Entry]]:
    """Return new matches that differ in cards no spectator of the turn learns."""
    game = GAMES["blackpoker"]
    with Store.open(":memory:") as store:
        open_match(store, Law(game, game.versions[VERSION]), VERSION, {}, seed=SECRET, match_id="M-1")
        entries = list(store.read("M-1"))
    sent, played = record_turn(entries)
    others = redeal_within(entries, set(never_known(played, SPECTATOR)), Random(1))
    assert entries != others and {status for status, _ in sent} == {200}
    return entries, others


def test_who_records_is_sent_nothing_hidden() -> None:
    ours, theirs = (record_turn(entries)[0] for entries in begun_twins())
    assert ours == theirs


@pytest.mark.parametrize("key", ["dea", "skillbook"])
def test_what_may_fill_a_hidden_answer_is_the_same_whatever_is_hidden(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "uuid4", lambda: UUID(int=1))
    one = sample(key, 0)
    listed = 0
    with ExitStack() as stack:
        both = [stack.enter_context(serve()) for _ in range(2)]
        for last in (2, 5, 8):
            entries = list(one.entries[:last])
            others = deal_again(entries, never_known(entries, SPECTATOR), Random(last))
            assert entries != others
            for served, each in zip(both, (entries, others), strict=True):
                served.context.store.append(f"M-{last}", 0, each)
            for lang in LANGS:
                ours, theirs = (served.get(f"/{lang}/record/M-{last}", "scorekeeper") for served in both)
                assert ours.text == theirs.text and ours.status_code == 200
                listed += ours.text.count("data-add=")
    assert listed, "nothing was listed that could tell"


@pytest.mark.parametrize(
    ("of", "name", "instead"),
    [
        MUTANTS["knows"],
        (
            pages,
            "offers_of",
            lambda context, view, lang: offers_of(context, replace(view, eyes=view.match.eyes(JUDGE)), lang),
        ),
        (pages, "board_of", lambda match, _, *at: board_of(match, match.eyes(JUDGE), *at)),
    ],
    ids=["faces", "offers", "boards"],
)
def test_a_recorder_that_redacts_nothing_is_found_out(
    of: Any, name: str, instead: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = begun_twins()
    monkeypatch.setattr(of, name, instead)
    ours, theirs = (record_turn(entries)[0] for entries in both)
    assert ours != theirs
