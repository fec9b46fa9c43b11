"""The page of what holds a match fast: a checkpoint to be copied, a proof and packs to be taken along."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from domain.evidence import chain
from domain.words import LANGS, say
from evidence.notes import read_note
from evidence.proofs import read_proof
from service.access import Role
from tests.evidence import sealed as S
from tests.evidence.packed import wrong
from tests.service.serving import Served, serve

ORIGIN = {"Origin": "http://testserver.local"}


@pytest.fixture
def served() -> Iterator[Served]:
    with serve(signer=S.ORGANISER) as service:
        service.put("blackpoker", "normal", "over")
        service.put("blackpoker", "normal", "on", closed=False, upto=40)
        yield service


def links(page: str) -> list[str]:
    return re.findall(r'href="(/api/[^"]*)"', page)


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_not_sealed_says_so_and_who_may_seals_it(served: Served, lang: str) -> None:
    path = f"/{lang}/m/on/evidence"
    for role in ("spectator", "floor", "head"):
        page = served.get(path, role).text
        assert (say("evidence.seal", lang) in page) is (role == "head")
        assert say("evidence.unsealed", lang) in page and say("evidence.no_proof", lang) in page
    assert served.client.post(path, headers=ORIGIN | served.bearer("floor"), follow_redirects=False).status_code == 403
    done = served.client.post(path, headers=ORIGIN | served.bearer("head"), follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, path)
    page = served.get(path).text
    note = unescape(re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S)[0])
    assert read_note(note).signed_by([S.ORGANISER.key]) and say("evidence.whole", lang) in page
    assert f'<a href="{path}">{say("moment.to_evidence", lang)}</a>' in served.get(f"/{lang}/m/on").text


@pytest.mark.parametrize(
    ("role", "match", "packs"),
    [
        ("spectator", "on", ["spectator"]),
        ("seat", "on", ["spectator", "p1"]),
        ("floor", "on", ["spectator"]),
        ("head", "over", ["spectator", "judge"]),
        ("designer", "over", ["spectator"]),
    ],
)
def test_what_may_be_taken_along_is_what_these_eyes_may_have(
    served: Served, role: Role, match: str, packs: list[str]
) -> None:
    served.post("/api/v1/log/checkpoints", None, "head")
    who = (role, *((match,) if role == "seat" else ()))
    seat = "p1" if role == "seat" else ""
    page = unescape(served.get(f"/en/m/{match}/evidence", *who, seat=seat).text)
    proof, *found = links(page)
    assert [link.partition("?as=")[2] for link in found] == packs
    assert (say("disputes.file_sealed", "en") in page) is (role == "floor")
    assert read_proof(served.get(proof, *who, seat=seat).text).holds()
    for link in found:
        assert wrong(served.get(link, *who, seat=seat).content) == []


def test_the_page_tells_no_link_and_how_far_the_proof_goes(served: Served) -> None:
    served.post("/api/v1/log/checkpoints", None, "head")
    served.house.store.append("on", 40, [S.said("later")])
    page = served.get("/en/m/on/evidence").text
    assert say("evidence.upto", "en", n=40, more=1) in unescape(page)
    states = served.house.store.read_bytes("on")
    heads = [chain.fold(states[:number]) for number in range(1, len(states) + 1)]
    assert not [head for head in heads if head.hex() in page]
