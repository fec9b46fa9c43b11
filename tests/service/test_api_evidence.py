"""Checkpoints, proofs and packs over the API: access, content, and no hidden cards."""

import json
import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.evidence import chain
from domain.law.entries import Entry
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import LANGS, say
from projections.copies import copy_lines
from recorder import codec
from recorder.evidence.checkpoints import read_checkpoint
from recorder.evidence.notes import read_note
from recorder.evidence.proofs import read_growth, read_proof
from recorder.evidence.verifier import read_pack
from recorder.match_loader import LoadedMatch, load_match
from recorder.sealing import read_sealing
from recorder.store import Store
from service.access import Role
from service.settings import Settings
from tests.disputed import CANARIES
from tests.evidence import sealed as S
from tests.evidence.packed import wrong
from tests.laws.leak_checks import deal_again, never_known
from tests.places import Place
from tests.service.harness import SECOND_MS, Served, serve
from tests.service.test_pages_casefiles import NUMBER, lay
from tests.service.twins import MATCH, twins
from tests.shelves import SHELVES

LOG = "/api/v1/log"
KEY = str(S.ORGANISER.key)


def sealed(served: Served, role: Role = "head") -> Any:
    return served.post(f"{LOG}/checkpoints", None, role)


def dossier(served: Served, match: str, viewer: str = "", role: Role = "spectator", more: str = "") -> Any:
    seat = viewer if role == "seat" else ""
    held = (match,) if role == "seat" else ()
    return served.get(f"/api/v1/matches/{match}/dossier?as={viewer}{more}", role, *held, seat=seat)


def proof(served: Served, match: str, role: Role = "spectator", viewer: str = "") -> Any:
    return served.get(f"/api/v1/matches/{match}/proof?as={viewer}", role)


@pytest.fixture
def served() -> Iterator[Served]:
    with serve(signer=S.ORGANISER) as service:
        service.record_match("blackpoker", "normal", "over")
        service.record_match("blackpoker", "normal", "on", closed=False, upto=40)
        yield service


def test_a_checkpoint_is_signed_with_the_key_of_the_service_and_shown_to_everybody(served: Served) -> None:
    assert served.get(f"{LOG}/checkpoint").status_code == 404
    done = sealed(served)
    assert done.status_code == 201 and done.json()["new"] == done.json()["leaves"] == 5
    note = served.get(f"{LOG}/checkpoint")
    assert (note.text, note.headers["content-type"].partition(";")[0]) == (done.json()["note"], "text/plain")
    assert read_note(note.text).signed_by([S.ORGANISER.key]) and read_checkpoint(note.text).size == 5
    again = sealed(served, "operator")
    assert again.status_code == 200 and again.json() == {**done.json(), "new": 0}
    known = served.get(f"{LOG}/checkpoint", headers={"If-None-Match": note.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_a_service_without_a_key_says_so_and_signs_nothing() -> None:
    with serve() as served:
        served.record_match("blackpoker", "normal", "over")
        refused = sealed(served)
        assert (refused.status_code, refused.json()["type"]) == (409, "/problem/no-key")
        assert refused.json()["ja"] == say("problem.no-key", "ja")
        assert not read_sealing(served.context.store).checkpoints


def test_nobody_signs_for_a_log_that_was_changed_and_nobody_is_shown_a_proof_of_it(served: Served) -> None:
    sealed(served)
    served.record_match("dea", SHELVES["dea"].matches[0], "more")
    with served.context.store.transaction() as c:
        c.execute("UPDATE leaves SET entries=entries+1 WHERE number=1")
    for answer in (sealed(served), served.get(f"{LOG}/checkpoint"), proof(served, "over")):
        assert answer.status_code == 503 and answer.json()["type"] == "/problem/store-unavailable"


def test_a_proof_shows_that_the_match_stands_in_the_log(served: Served) -> None:
    assert proof(served, "over").status_code == 404
    sealed(served)
    for match in ("over", "on"):
        told = proof(served, match)
        shown = read_proof(told.text)
        states = served.context.store.read_bytes(match)
        assert shown.holds() and shown.leaf.match == match and shown.leaf.entries == len(states)
        assert shown.leaf.head == chain.compute_head(states) and shown.signers([S.ORGANISER.key])
        assert told.headers["content-disposition"] == f'attachment; filename="{match}.proof"'
    assert proof(served, "gone").status_code == 404 == proof(served, "gone", "head").status_code


def test_growth_leads_from_a_kept_checkpoint_to_the_last(served: Served) -> None:
    old = read_checkpoint(sealed(served).json()["note"])
    served.record_match("blackpoker", "normal", "later")
    sealed(served)
    grown = read_growth(served.get(f"{LOG}/growth?since={old.size}").text)
    assert grown.holds(old) and not grown.holds(replace(old, root=bytes(32)))
    for since, status in (("99", 404), ("0", 400), ("x", 400), ("", 400)):
        assert served.get(f"{LOG}/growth?since={since}").status_code == status


def test_behind_the_delay_nobody_is_told_how_far_a_match_has_come() -> None:
    with serve(Settings(store=":memory:", delay=20 * SECOND_MS), S.ORGANISER) as served:
        served.record_match("blackpoker", "normal", "on", closed=False, upto=40)
        assert sealed(served).status_code == 201
        assert proof(served, "on").status_code == 404 and proof(served, "on", "head").status_code == 200
        files = read_pack(dossier(served, "on").content)
        assert "match.proof" not in files and files["seen.jsonl"].count(b"\n") == 20
        served.clock.at += 20 * SECOND_MS
        assert proof(served, "on").text == proof(served, "on", "head").text
        files = read_pack(dossier(served, "on").content)
        assert "match.proof" in files and files["seen.jsonl"].count(b"\n") == 40


def test_the_proof_of_an_unsalted_record_is_for_who_may_see_all_of_it() -> None:
    """The head hash of an unsalted record can be tested against guesses of the hidden cards."""
    with serve(signer=S.ORGANISER) as served:
        S.take_in(
            served.context.store, "old", [codec.encode(entry) for entry in SHELVES["blackpoker"].entries("normal")]
        )
        assert sealed(served).status_code == 201
        assert [proof(served, "old", role).status_code for role in ("spectator", "head")] == [403, 403]
        head = chain.compute_head(served.context.store.read_bytes("old")).hex().encode()
        assert head not in proof(served, "old").content
        assert "match.proof" not in read_pack(dossier(served, "old").content)
        assert proof(served, "old", "head", "judge").status_code == 200
        assert "match.proof" in read_pack(dossier(served, "old", "judge", "head").content)


def test_a_pack_is_the_same_each_time_and_the_one_for_officials_opens_the_others(served: Served) -> None:
    sealed(served)
    whole = dossier(served, "over", "judge", "head")
    assert whole.headers["content-type"] == "application/zip" and whole.headers["cache-control"] == "no-store"
    assert whole.headers["content-disposition"] == 'attachment; filename="over-judge.zip"'
    assert whole.content == dossier(served, "over", "judge", "floor").content
    assert wrong(whole.content, [KEY]) == []
    seen = dossier(served, "over")
    assert seen.content == dossier(served, "over", role="operator").content == dossier(served, "over").content
    for pack in (seen, dossier(served, "over", "p1", "seat")):
        assert wrong(pack.content, [KEY], whole.content) == []
        assert wrong(pack.content, [str(S.STRANGER.key)]) == [("key", None)]
    assert dossier(served, "over", "judge").status_code == 403
    assert dossier(served, "on", "judge", "head").status_code == 403, "the seal is not broken"


@pytest.mark.parametrize("game", SHELVES)
def test_what_a_seat_saw_of_any_game_is_what_officials_open(game: str) -> None:
    with serve(signer=S.ORGANISER) as served:
        served.record_match(game, SHELVES[game].matches[0], "m")
        sealed(served)
        whole = dossier(served, "m", "judge", "head").content
        for viewer, role in (("", "spectator"), ("p1", "seat"), ("p2", "seat")):
            assert wrong(dossier(served, "m", viewer, role).content, [KEY], whole) == []


def test_a_seat_gets_what_it_saw_and_no_other_seat(served: Served) -> None:
    match = load_match(served.context.store, "on")
    assert isinstance(match, LoadedMatch)
    for seat in ("p1", "p2"):
        files = read_pack(dossier(served, "on", seat, "seat").content)
        first, rows = files["seen.jsonl"].split(b"\n", 1)
        assert rows == copy_lines(match, "on", match.eyes(Seat(seat)), "en").split(b"\n", 2)[2]
        assert (
            "names" not in json.loads(first) and json.loads(first)["name_hashes"].keys() == match.opening.names.keys()
        )
        assert {seat: row["name"] for seat, row in json.loads(files["names.json"]).items()} == match.opening.names
        assert f"ONLY FOR {seat}: " in files["README.en.txt"].decode()
    assert served.get("/api/v1/matches/on/dossier?as=p2", "seat", "on", seat="p1").status_code == 403


def test_a_pack_of_a_dispute_has_the_case_file_for_its_audience() -> None:
    with serve(signer=S.ORGANISER) as served:
        lay(served, "t0", closed=True)
        asked = f"&dispute={NUMBER}&lang=ja"
        shown, whole = (dossier(served, "t0", *who, more=asked) for who in (("",), ("judge", "head")))
        page, officials = (read_pack(pack.content)["casefile.html"] for pack in (shown, whole))
        assert not any(canary.encode() in page for canary in CANARIES)
        assert sum(canary.encode() in officials for canary in CANARIES) > 2 and b'<html lang="ja"' in page
        assert dossier(served, "t0", more="&dispute=3").status_code == 404
        assert dossier(served, "t0", more="&dispute=-1").status_code == 400


def test_a_service_without_a_key_packs_too() -> None:
    with serve() as served:
        served.record_match("blackpoker", "normal", "over")
        shown, whole = dossier(served, "over").content, dossier(served, "over", "judge", "head").content
        assert wrong(shown, [], whole) == [] and "match.proof" not in read_pack(whole)


@pytest.mark.parametrize("viewer", [SPECTATOR, "p1"])
def test_a_pack_of_a_live_match_has_no_hidden_byte(served: Served, viewer: str) -> None:
    """The pack holds no hash of the chain and no salt, and does not depend on hidden cards."""
    sealed(served)
    role: Role = "spectator" if viewer == SPECTATOR else "seat"
    pack = dossier(served, "on", viewer, role).content
    states = served.context.store.read_bytes("on")
    links = [link for state in states if (link := chain.link_of(state))]
    assert len(links) == len(states) and not any(link.hex().encode() in pack or link in pack for link in links)
    heads = [chain.compute_head(states[:number]).hex() for number in range(1, len(states))]
    assert not any(head.encode() in pack for head in heads), "but the last one, which the salt hides"
    assert "openings.jsonl" not in read_pack(pack) and b"salts" not in read_pack(pack)["commitments.jsonl"]


@pytest.mark.parametrize("viewer", [SPECTATOR, "p1"])
def test_packs_tell_no_face_never_known(viewer: str) -> None:
    entries: list[Entry] = list(SHELVES["blackpoker"].entries("normal")[:40])
    theirs = deal_again(entries, never_known(entries, Seat(viewer)), Random(16))
    with twins(entries, theirs) as both:
        for lang in ("en", "ja"):
            path = f"/api/v1/matches/{MATCH}/dossier?as={viewer}&lang={lang}"
            assert both.alike(path, Seat(viewer)) == 200


def test_commitments_are_salted_by_what_only_the_service_knows() -> None:
    """The same match at two services shares no commitment, so hidden cards cannot be guessed."""
    packs = list[bytes]()
    for signer in (S.ORGANISER, S.LATER, None, None):
        with serve(signer=signer) as served:
            served.record_match("blackpoker", "normal", "over")
            packs.append(read_pack(dossier(served, "over").content)["commitments.jsonl"])
    hashes = [{part for part in pack.split(b'"') if len(part) == 64} for pack in packs]
    assert all(len(own) > 100 for own in hashes) and len(set.union(*hashes)) == sum(map(len, hashes))


def test_a_store_that_is_kept_is_sealed_as_one_in_memory(place: Place) -> None:
    path = place()
    with serve(Settings(store=path), S.ORGANISER) as served:
        served.record_match("blackpoker", "normal", "over")
        note = sealed(served).json()["note"]
    with Store.open(path, read_only=True) as store:
        assert read_sealing(store).checkpoints[-1][1] == note


ORIGIN = {"Origin": "http://testserver.local"}


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
    served.context.store.append("on", 40, [S.make_note("later")])
    page = served.get("/en/m/on/evidence").text
    assert say("evidence.upto", "en", n=40, more=1) in unescape(page)
    states = served.context.store.read_bytes("on")
    heads = [chain.compute_head(states[:number]) for number in range(1, len(states) + 1)]
    assert not [head for head in heads if head.hex() in page]
