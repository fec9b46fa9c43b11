"""Hash links and leaks: a link can be guessed by trying all cards, so only viewers of the whole record get links."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from domain.evidence import chain
from domain.law.entries import Closed
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from recorder import codec
from recorder.evidence.sealing import seal
from recorder.sealing import read_sealing
from recorder.store import Store
from service import app
from tests.cli.runs import fine, inside
from tests.evidence import sealed as S
from tests.service.harness import Served, serve
from tests.service.twins import MATCH, addresses
from tests.shelves import SHELVES


def link_values(states: list[bytes]) -> list[str]:
    links = [link for state in states if (link := chain.link_of(state))]
    heads = [chain.compute_head(states[:number]) for number in range(1, len(states) + 1)]
    return [told.hex() for told in (*links, *heads)]


@pytest.fixture
def where(tmp_path: Path) -> Path:
    """Create a sealed store with an open match; each seat knows its own cards."""
    path = tmp_path / "a.sqlite"
    fine(path, "new", "blackpoker@8.1-lite", "--p1", "Aoi", "--p2", "Ren", "--seed", "2", "--match", MATCH)
    with Store.open(path) as store:
        seal(store, S.ORGANISER)
        assert read_sealing(store).leaves[-1].match == MATCH
    return path


CALLS = (
    ("show", MATCH), ("log", MATCH), ("log", MATCH, "--flow"), ("stack", MATCH), ("legal", MATCH), ("why", MATCH, "2"),
    ("export", MATCH), ("export", MATCH, "--format", "jsonl"), ("diff", MATCH, "1", "4"), ("knows", MATCH),
    ("audit", MATCH), ("why-not", MATCH, "p1: pass"), ("matches",), ("find",), ("fairness", MATCH),
)  # fmt: skip


@pytest.mark.parametrize("viewer", ["spectator", "p1"])
def test_no_command_shows_a_link_to_a_viewer(where: Path, viewer: str) -> None:
    secret = link_values(S.states(where, MATCH))
    assert len(secret) > 4
    shown = 0
    for call in CALLS:
        for more in ((), ("--json",)):
            as_who = ("--as", viewer) if call[0] not in ("matches", "fairness") else ()
            ran = inside(where, *call, *as_who, *more)
            shown += ran.code == 0
            assert not [link for link in secret if link in ran.out + ran.err], call
    assert shown > 8
    judge = inside(where, "export", MATCH, "--format", "jsonl", "--as", "judge")
    assert all(link in judge.out for link in secret[: len(secret) // 2]), "the whole record carries them"


@pytest.fixture
def served() -> Iterator[Served]:
    with serve() as service:
        service.record_match("blackpoker", "normal", MATCH, closed=False, upto=60)
        yield service


@pytest.mark.parametrize("viewer", ["spectator", "p1"])
def test_no_service_sends_a_link_to_who_may_not_see_the_record(served: Served, viewer: str) -> None:
    states = served.context.store.read_bytes(MATCH)
    secret = [told.encode() for told in link_values(states)]
    entries = [*served.context.store.read(MATCH)]
    headers = {} if viewer == SPECTATOR else served.bearer("seat", MATCH, seat=viewer)
    sent = 0
    for path in addresses(app.routes(), entries, Seat(viewer), Random(16), 2):
        answer = served.client.get(path, headers={"Accept-Encoding": "identity", **headers}, follow_redirects=False)
        sent += answer.status_code == 200
        both = answer.content + repr(answer.headers).encode()
        assert not [link for link in secret if link in both], path
    assert sent > 10


def test_who_may_see_the_record_takes_its_links_along(served: Served) -> None:
    served.context.store.append(MATCH, 60, [S.CLOSED])
    lines = served.get(f"/api/v1/matches/{MATCH}/export.jsonl?as=judge", "head").content
    for state in served.context.store.read_bytes(MATCH)[1:]:
        link = chain.link_of(state)
        assert link is not None and link.hex().encode() in lines


def test_an_open_match_of_an_earlier_program_is_in_no_checkpoint(tmp_path: Path) -> None:
    """Its chain has no salt, so a reader of its head could guess the hidden cards."""
    entries = [entry for entry in SHELVES["blackpoker"].entries("normal") if not isinstance(entry, Closed)]
    with Store.open(tmp_path / "a.sqlite") as store:
        S.take_in(store, MATCH, [codec.encode(entry) for entry in entries])
        first = seal(store, S.ORGANISER)
        store.append(MATCH, len(entries), [S.make_note("on")])
        again = seal(store, S.ORGANISER)
        assert (first.leaves, again.new) == (1, 0) and MATCH not in {leaf.match for leaf in read_sealing(store).leaves}
        head = chain.compute_head(store.read_bytes(MATCH))
        assert head.hex() not in first.note + again.note
        store.append(MATCH, len(entries) + 1, [S.CLOSED])
        assert seal(store, S.ORGANISER).leaves == 2
