"""Pages of twins: two matches that differ only in what a viewer may not know are the same to them, byte for byte."""

from contextlib import ExitStack
from random import Random

import pytest

from domain.games import GAMES
from domain.law.entries import Entry
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from tests.laws.presumed import presume
from tests.laws.samples import sample
from tests.laws.watching import dealt_otherwise, meddled, never_known
from tests.service.reading import Page
from tests.service.serving import Served, serve

STRETCH = 24
OURS = {"Origin": "http://testserver.local"}


def sent(served: Served, entries: list[Entry], viewer: Seat) -> list[tuple[int, bytes, str]]:
    assert served.house.store.append("M-1", 0, entries) == len(entries)
    eyes = "" if viewer == SPECTATOR else f"/as/{viewer}"
    headers = {} if viewer == SPECTATOR else served.bearer("seat", "M-1", seat=viewer)
    paths = [f"/{lang}/m/M-1/{number}{eyes}" for number in range(1, len(entries) + 1) for lang in ("en", "ja")]
    newest = Page(served.client.get(f"/en/m/M-1{eyes}", headers=headers).text, "/en/m/M-1")
    paths += ["/en/floor", f"/ja/m/M-1{eyes}", *sorted(set(newest.paths()))]
    answers = [served.client.get(path, headers=headers) for path in paths]
    return [(answer.status_code, answer.content, str(answer.headers)) for answer in answers]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_pages_of_twins_are_equal_for_who_may_not_know(key: str) -> None:
    presume(key, "secrets")
    one, random = sample(key, 1), Random(1)
    entries = meddled(one, random)[:STRETCH]
    dealt = 0
    for viewer in (SPECTATOR, *one.opened.seats[:1]):
        other = dealt_otherwise(entries, never_known(entries, viewer), random)
        with ExitStack() as both:
            twins = [both.enter_context(serve()) for _ in range(2)]
            pages = [sent(served, each, viewer) for served, each in zip(twins, (entries, other), strict=True)]
            assert pages[0] == pages[1]
            dealt += other != entries
            if other != entries:
                assert judged(twins[0]) != judged(twins[1]), "the twins do not differ: nothing is tried"
    assert dealt


def judged(served: Served) -> list[str]:
    headers = served.bearer("head") | OURS
    broken = served.client.post("/en/m/M-1/seal", data={"viewer": "judge"}, headers=headers, follow_redirects=False)
    assert broken.status_code == 303, broken.text
    return [served.client.get(f"/en/m/M-1/{number}/as/judge", headers=headers).text for number in range(1, STRETCH)]
