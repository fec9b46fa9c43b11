"""The recorder on twins, whose matches differ in hidden cards alone: who records is sent nothing that tells them apart.

Nor is who watches; a judge with the seal broken is.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from domain.games import GAMES
from domain.law.entries import Entry, fold_entries
from domain.law.law import Law
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, Table as State
from projections.board import board_of
from recorder.loading import Match
from recorder.matches import open_match
from recorder.store import Store
from service import films, live
from service.draw.film import Take
from service.frames import Feed
from service.offering import offers_of
from service.pages import recording
from tests.service import phones as P, teed
from tests.service.journeys import (
    LOOKS,
    WATCHER,
    Stage,
    expect_alike,
    look_on,
    play_on_twins,
    play_twice,
    wait_for_film,
)
from tests.service.phones import Table, phone
from tests.service.processes import bearer
from tests.service.tees import Tee, read_tee
from tools.cluster import free_port

pytestmark = pytest.mark.process
SECRET = (1).to_bytes(16, "big")
FIRST, SECOND = "Kato", "Ito"
TURN = ("p2 end", "p2 pass", "p1 pass", "p2 choose_discards DQ")
"""A turn that ends with a card drawn unseen."""


def begin() -> list[Entry]:
    game = GAMES["blackpoker"]
    with Store.open(":memory:") as store:
        open_match(store, Law(game, game.versions[P.VERSION]), P.VERSION, {}, seed=SECRET, match_id="M-1")
        return list(store.read("M-1"))


def sit_at(stage: Stage, entries: list[Entry]) -> Table:
    stage.put("M-1", entries, secret=SECRET)
    return Table(stage.url, "M-1", stage.bearer("head"), Path(stage.house.settings.store), stage.clock)


@contextmanager
def watch(stage: Stage) -> Iterator[None]:
    with stage.come(LOOKS[0], f"/{LOOKS[0].lang}/m/M-1/1", WATCHER) as page:
        wait_for_film(stage, page, WATCHER)
        yield
        page.wait_for_selector(f'body[data-head="{stage.house.store.version("M-1")}"]')


@pytest.mark.nightly
def test_neither_of_two_at_one_table_is_told_what_lies_hidden(chromium: Browser, tmp_path: Path) -> None:
    def play(stage: Stage, entries: list[Entry]) -> None:
        of = sit_at(stage, entries)
        with (
            watch(stage),
            phone(chromium, of, FIRST, number=1) as first,
            phone(chromium, of, SECOND, "ja", number=2) as second,
        ):
            P.meet(first, second, of)
            P.meet_others(first, second, of)
        look_on(of.url, of.head)

    ours, theirs = play_on_twins(chromium, play, begin(), SPECTATOR, folder=tmp_path)
    assert {sent.status for sent in ours.sent[SECOND]} >= {200, 412}
    assert ours.stream_to(WATCHER).count(b"event: ") > 5
    expect_alike(ours, theirs, FIRST, SECOND, WATCHER)


def name_cards(line: str, ours: State, theirs: State) -> str:
    actor, _, action = line.partition(":")
    own = [card for card, piece in ours.pieces.items() if piece.owner == actor]
    faces = {ours.pieces[card].face: theirs.pieces[card].face for card in own}
    return f"{actor}:{re.sub(r'[0-9A-Z]+', lambda found: faces.get(found[0]) or found[0], action)}"


@pytest.mark.nightly
def test_who_enters_sixty_actions_is_told_nothing_hidden(chromium: Browser, tmp_path: Path) -> None:
    began, unseen = begin(), list[str]()

    def play(stage: Stage, entries: list[Entry]) -> None:
        of, again = sit_at(stage, entries), list(unseen)

        def line() -> str:
            if again:
                return name_cards(again.pop(0), fold_entries(began), fold_entries(entries))
            unseen.append(of.line())
            return unseen[-1]

        with watch(stage), phone(chromium, of, FIRST, "ja", number=1) as user:
            P.enter_sixty(user, line)
        look_on(of.url, of.head)

    ours, theirs = play_on_twins(chromium, play, began, SPECTATOR, folder=tmp_path)
    assert ours.stream_to(WATCHER).count(b"event: ") > P.ACTIONS
    expect_alike(ours, theirs, FIRST, WATCHER)


@pytest.mark.nightly
def test_who_records_offline_while_the_server_is_killed_is_told_nothing_hidden(
    chromium: Browser, tmp_path: Path
) -> None:
    numbers, port = count(1), free_port()

    def play(entries: list[Entry]) -> tuple[Tee, list[Entry]]:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        store = folder.with_suffix(".sqlite")
        with Store.open(store) as opened:
            opened.append("M-1", 0, entries, secret=SECRET)
        with P.server_to_kill(store, port, begin=teed.BEGIN, **{teed.FOLDER: str(folder)}) as (served, kill):
            of = Table(served.url, "M-1", bearer(store, "head", name="Abe"), store)
            with phone(chromium, of, FIRST, number=1) as user:
                P.record_offline(user, of, kill)
            look_on(of.url, of.head)
            return read_tee(folder), of.recorded()

    ours, theirs = play_twice(play, begin(), SPECTATOR)
    assert sum(sent.asked == "POST /en/record/M-1?" for sent in ours.sent[FIRST]) == 10
    expect_alike(ours, theirs, FIRST, WATCHER)


def judged(match: Match) -> Eyes:
    return match.eyes(JUDGE)


MUTANTS: dict[str, tuple[object, str, Any, tuple[str, ...]]] = {
    "faces": (Eyes, "knows", lambda *_: True, (FIRST, WATCHER)),
    "offers": (
        recording, "offers_of",
        lambda house, sight, lang: offers_of(house, replace(sight, eyes=judged(sight.match)), lang), (FIRST,),
    ),
    "boards": (recording, "board_of", lambda match, _, *at: board_of(match, judged(match), *at), (FIRST,)),
    "films": (films, "Take", lambda match, _, *of: Take(match, judged(match), *of), (WATCHER,)),
    "streams": (live, "Feed", lambda _, lang: Feed(JUDGE, lang), (WATCHER,)),
}  # fmt: skip
"""Redactions that can be switched off: of what, by which name, what stands in its place, and who is told too much."""


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.nightly
def test_a_redaction_that_is_switched_off_is_found_out(chromium: Browser, tmp_path: Path, mutant: str) -> None:
    of, name, instead, told = MUTANTS[mutant]

    def play(stage: Stage, entries: list[Entry]) -> None:
        table = sit_at(stage, entries)
        with pytest.MonkeyPatch.context() as mutated:
            mutated.setattr(of, name, instead)
            with watch(stage), phone(chromium, table, FIRST, number=1) as user:
                for line in TURN:
                    user.type(line)
                    user.press("Enter")
                    user.settle()

    ours, theirs = play_on_twins(chromium, play, begin(), SPECTATOR, folder=tmp_path)
    assert tuple(who for who in (FIRST, WATCHER) if ours.parts_from(theirs, who)) == told
