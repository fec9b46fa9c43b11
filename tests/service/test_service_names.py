"""Player names appear on every page of a match, and on none after they are forgotten."""

import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from msgspec.structs import replace

from domain.formats.policies import standard_policy, stored_policy
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Closed, Noted, opened_of
from domain.law.occasion import Occasion
from domain.table.table import Seat
from service import app
from tests.service.harness import Served, serve
from tests.service.twins import MATCH, addresses
from tests.shelves import SHELVES

P1, P2 = Seat("p1"), Seat("p2")
NAMES = {P1: "Shirakawa", P2: "Tachibana"}
CODED = re.compile(r"<(script|style|textarea|code|kbd|samp)\b.*?</\1>|<!--.*?-->|<option\b[^>]*>|<[^>]*>", re.DOTALL)
SEAT = re.compile(r"(?<![\w.])p[12](?![\w.:])")


@pytest.fixture(scope="module")
def event() -> Iterator[Served]:
    """Record a match with every kind of entry that names seats."""
    with serve() as served:
        played = [entry for entry in SHELVES["blackpoker"].entries("normal") if not isinstance(entry, Closed)][:40]
        said_of = Occasion(event="Cup", round="3", table="8")
        policy = stored_policy(standard_policy())
        opened = replace(opened_of(played), names=NAMES, policy=policy, occasion=said_of)
        dispute = len(played) + 1
        penalty = D.Penalty(seat=P1, step="warning", infraction="misplay")
        said = [
            D.Disputed(by=P1, matter=D.Matter(entry=9, clause=Clause("BP-4.2")), claims={P1: "not so", P2: "it was"}),
            D.Ruled(by="kato", dispute=dispute, verdict="unclear", penalties=(penalty,)),
            D.Appealed(by=P2, dispute=dispute, reason="unfair"),
            D.Penalised(by="kato", penalty=penalty),
            D.Paused(by=P2, reason="stop"),
            D.Unsealed(by="kato", eyes=P1),
            D.Sealed(by="kato", eyes=P1),
            Noted(text="a note", by=P1),
        ]
        began = served.clock.at - 60_000
        entries = [replace(entry, at=began + at * 1000) for at, entry in enumerate([opened, *played[1:], *said])]
        served.context.store.append(MATCH, 0, entries)
        yield served


def pages(served: Served, viewer: str) -> Iterator[tuple[str, str]]:
    """Return the body of every readable path."""
    entries = served.context.store.read(MATCH)
    held = served.person("head_judge")
    for path in addresses(app.routes(), entries, viewer, Random(1), 2):
        answer = served.client.get(path, headers=held, follow_redirects=False)
        assert answer.status_code < 500, path
        if answer.status_code < 300:
            yield path, answer.text


def test_no_page_shows_a_seat_where_a_name_is_known(event: Served) -> None:
    bare, seen = {}, 0
    for path, body in pages(event, "spectator"):
        if path.startswith(("/en/", "/ja/")):
            seen += 1
            text = unescape(CODED.sub(" ", body))
            if (found := SEAT.search(text)) is not None:
                bare[path] = " ".join(text[max(0, found.start() - 40) : found.end() + 40].split())
    assert not bare and seen > 40


def test_lists_and_pages_name_the_round_and_the_table(event: Served) -> None:
    listed = words(event, "/en/disputes")
    assert "Cup, Round 3, table 8, dispute 41 Shirakawa – Tachibana" in listed and listed.count("BP-4.2") == 1
    assert "Only the holder of the chance may request an action or pass." in listed
    for path in (f"/en/m/{MATCH}", f"/en/m/{MATCH}/9/why"):
        assert "Round 3, table 8" in words(event, path), path
    scorekeeper = event.person("scorekeeper")
    for path in (f"/en/record/{MATCH}", "/en/record"):
        assert "Round 3, table 8" in words(event, path, scorekeeper), path
    assert "第3ラウンド 卓8" in words(event, f"/ja/m/{MATCH}")
    own = event.bearer("seat", MATCH, seat=P1)
    assert "Round 3, table 8 against Tachibana" in words(event, "/en/me", own)


def words(served: Served, path: str, held: dict[str, str] | None = None) -> str:
    answer = served.client.get(path, headers=held or served.person("head_judge"), follow_redirects=False)
    assert answer.status_code == 200, (path, answer.status_code)
    return " ".join(unescape(CODED.sub(" ", answer.text)).split())


def test_no_answer_shows_a_name_after_it_is_forgotten(event: Served) -> None:
    known = [path for path, body in pages(event, "judge") if "Shirakawa" in body]
    assert len(known) > 20, known
    forgotten = {(MATCH, "p1")}
    event.context.store.log.entries.forget(forgotten)
    after = dict(pages(event, "judge"))
    assert [path for path, body in after.items() if "Shirakawa" in body] == []
    assert sum("Tachibana" in body for body in after.values()) > 20
