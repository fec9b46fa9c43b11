"""Seals: a judge sees the public view until the record says that the seal is broken, and only for a while."""

from domain.law.disputes import Sealed, Unsealed
from domain.law.entries import Closed, Noted
from domain.law.remarks import note_words
from domain.table.table import Seat
from recorder.matches import note
from recorder.remarks import kind_of
from service.settings import Settings
from tests.service.commands import send, uuid
from tests.service.harness import Served, serve

GUESS = {"kind": "play", "text": "p1: equip DQ C6 D5"}


def looks(served: Served, match: str, held: dict[str, str], viewer: str = "judge") -> int:
    path = f"/api/v1/matches/{match}/entries:try?as={viewer}"
    return served.client.post(path, json={"kind": "note", "text": "x"}, headers=held).status_code


def test_a_broken_seal_is_recorded_lasts_a_while_and_is_one_persons_own() -> None:
    with serve(Settings(store=":memory:", seal_ms=1_000)) as served:
        match = served.open("blackpoker", match="t0")
        path = f"/api/v1/matches/{match}/seal"
        floor, other = served.bearer("floor", name="Kato"), served.bearer("floor", name="Abe")
        assert looks(served, match, floor) == 403
        woken: list[str] = []
        served.context.match_callbacks.append(woken.append)
        answer = served.client.post(path, json={"viewer": "judge"}, headers=floor)
        assert answer.status_code == 201 and woken == [match]
        assert answer.json() == {"match": match, "viewer": "judge", "ends": served.clock.at + 1_000}
        noted = served.context.match(match).entries[-1]
        ends = served.clock.at + 1_000
        assert noted == Unsealed(by="floor Kato", eyes=Seat("judge"), until=ends, at=served.clock.at)
        assert looks(served, match, floor) == 200
        assert looks(served, match, floor, "p1") == 403, "other eyes are another seal"
        assert looks(served, match, other) == 403
        served.clock.at += 999
        assert looks(served, match, floor) == 200
        served.clock.at += 1
        assert looks(served, match, floor) == 403


def test_a_seal_is_put_back_before_its_time(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    path, head = f"/api/v1/matches/{match}/seal", served.bearer("head")
    assert served.client.post(path, json={"viewer": "p1"}, headers=head).status_code == 201
    assert looks(served, match, head, "p1") == 200
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    assert served.client.delete(path, headers=head).status_code == 200 and woken == [match]
    assert looks(served, match, head, "p1") == 403
    version = served.context.match(match).version
    assert served.context.match(match).entries[-1] == Sealed(by="head head", eyes=Seat("p1"), at=served.clock.at)
    assert served.client.delete(path, headers=head).status_code == 200, "once more does no harm"
    assert served.context.match(match).version == version, "and is not recorded"


def test_other_eyes_seal_the_ones_before_and_a_seal_that_ran_out_is_not_sealed_again() -> None:
    with serve(Settings(store=":memory:", seal_ms=1_000)) as served:
        match = served.open("blackpoker", match="t0")
        path, head = f"/api/v1/matches/{match}/seal", served.bearer("head")
        for viewer in ("p1", "judge", "judge"):
            assert served.client.post(path, json={"viewer": viewer}, headers=head).status_code == 201
        kinds = [(type(entry), entry.eyes) for entry in served.context.match(match).entries[3:]]  # type: ignore[union-attr]
        assert kinds == [(Unsealed, "p1"), (Sealed, "p1"), (Unsealed, "judge"), (Unsealed, "judge")]
        served.clock.at += 1_000
        assert served.client.delete(path, headers=head).status_code == 200
        assert served.context.match(match).version == 7


def test_a_seal_goes_back_in_a_match_that_was_closed_meanwhile(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    path, head = f"/api/v1/matches/{match}/seal", served.bearer("head")
    assert served.client.post(path, json={"viewer": "p1"}, headers=head).status_code == 201
    closing = {"kind": "close", "reason": "x", "abandon": True, "confirm": True}
    assert send(served, match, closing, "head", id=1).status_code == 201
    assert served.client.delete(path, headers=head).status_code == 200
    assert isinstance(served.context.match(match).entries[-1], Closed)


def test_a_record_that_tells_of_a_seal_in_a_note_stays_readable(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    text = "[seal] hidden cards are looked at with the eyes of p1 / p1の視点で非公開のカードを閲覧"
    note(served.context.store, match, "head head", text, about=3)
    old = served.context.match(match).entries[-1]
    assert isinstance(old, Noted) and kind_of(old.text) == "seal"
    assert served.get(f"/api/v1/matches/{match}/entries").json()["entries"][-1]["seen"] == "noted"


def test_with_a_broken_seal_a_judge_is_told_what_was_hidden_and_others_only_that_somebody_looks(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    head = served.bearer("head")
    served.client.post(f"/api/v1/matches/{match}/seal", json={"viewer": "judge"}, headers=head)
    path = f"/api/v1/matches/{match}/entries:try"
    assert served.client.post(path, json=GUESS, headers=head).status_code == 400
    seen = served.client.post(path + "?as=judge", json=GUESS, headers=head)
    assert seen.status_code == 200 and "DQ" in seen.text
    stale = send(served, match, {"kind": "call"}, "seat", seat="p2", id=1, at=3)
    assert stale.status_code == 201, "a judge's look bounces nobody"
    told = send(served, match, {"kind": "call"}, "seat", seat="p2", id=2, at=1).json()["since"]
    assert [entry for entry in told if entry["number"] == 4] == [
        {
            "viewer": "p2",
            "number": 4,
            "seen": "unsealed",
            "at": served.clock.at,
            "by": "head head",
            "eyes": "judge",
            "until": served.clock.at + served.context.settings.seal_ms,
        }
    ]


def test_a_seal_is_broken_for_as_long_as_is_said_and_no_longer_than_the_house_lets(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    path, head = f"/api/v1/matches/{match}/seal", served.bearer("head")
    answer = served.client.post(path, json={"viewer": "p1", "minutes": 3}, headers=head)
    assert answer.json()["ends"] == served.clock.at + 180_000
    served.clock.at += 180_000
    assert looks(served, match, head, "p1") == 403
    for minutes in (11, -1, 10**30, "3"):
        refused = served.client.post(path, json={"viewer": "p1", "minutes": minutes}, headers=head)
        assert refused.status_code == 400 and refused.json()["ja"], minutes
    assert "10 minutes" in served.client.post(path, json={"viewer": "p1", "minutes": 11}, headers=head).json()["en"]
    assert served.context.match(match).version == 4


def test_under_one_id_a_seal_is_broken_or_put_back_once(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    path, head = f"/api/v1/matches/{match}/seal", served.bearer("head")
    body = {"viewer": "p1", "id": uuid(1)}
    first, again = (served.client.post(path, json=body, headers=head) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200) and first.json() == again.json()
    assert served.context.match(match).version == 4
    reused = served.client.post(path, json=body | {"viewer": "p2"}, headers=head)
    assert reused.json()["type"] == "/problem/command-reused" and reused.json()["first"] == 4
    back = head | {"Idempotency-Key": uuid(2)}
    assert served.client.delete(f"{path}?viewer=p2", headers=back).status_code == 400, "not in this view"
    assert looks(served, match, head, "p1") == 200
    for _ in range(2):
        assert served.client.delete(f"{path}?viewer=p1", headers=back).json() == {"match": match, "entry": 5}
    assert looks(served, match, head, "p1") == 403
    for query, id in (("?viewer=p1", 3), ("?viewer=p9", 3), ("?eyes=p1", 3), ("", 1)):
        refused = served.client.delete(path + query, headers=head | {"Idempotency-Key": uuid(id)})
        assert refused.status_code in (400, 409) and refused.json()["ja"], query
    assert served.context.match(match).version == 5
    noted = served.client.post(path, json=body | {"id": "x"}, headers=head)
    assert noted.status_code == 400


def test_it_is_broken_for_eyes_that_see_more(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    for viewer in ("spectator", "p9", ""):
        answer = served.post(f"/api/v1/matches/{match}/seal", {"viewer": viewer}, "head")
        assert answer.status_code == 400, viewer


def test_a_closed_match_needs_no_seal(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    closing = {"kind": "close", "reason": "x", "abandon": True, "confirm": True}
    assert send(served, match, closing, "head", id=1).status_code == 201
    answer = served.post(f"/api/v1/matches/{match}/seal", {"viewer": "judge"}, "floor")
    assert answer.status_code == 409 and answer.json()["type"] == "/problem/closed"


def test_a_service_that_begins_again_begins_sealed(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    head = served.bearer("head")
    served.client.post(f"/api/v1/matches/{match}/seal", json={"viewer": "judge"}, headers=head)
    store, keys, clock = served.context.store, served.context.keys, served.context.clock
    again = type(served.context)(store, keys, served.context.settings, clock)
    assert again.seals.find_broken(next_session(served, head), match, clock()) is None


def next_session(served: Served, held: dict[str, str]) -> object:
    from service.access import session_of

    key = served.context.keys.key(held["Authorization"].partition(" ")[2], served.clock.at)
    assert key is not None
    return session_of(key)


def test_an_invitation_to_a_seat_of_an_open_match_is_an_entry(served: Served) -> None:
    match = served.open("blackpoker", match="t0")
    woken: list[str] = []
    served.context.match_callbacks.append(woken.append)
    told: list[str] = []
    for name, seat, role in (
        ("Aoi", "p1", "head"),
        ("me", "p1", "head"),
        ("me", "p1", "operator"),
        ("Bo", "p2", "head"),
    ):
        before = served.context.match(match).version
        body = {"role": "seat", "matches": [match], "seat": seat, "name": name}
        assert served.post("/api/v1/invitations", body, role).status_code == 201  # type: ignore[arg-type]
        entry = served.context.match(match).entries[-1]
        assert served.context.match(match).version == before + 1 and isinstance(entry, Noted)
        assert kind_of(entry.text) == "seat" and name in entry.text and entry.by.startswith(role)
        told.append(entry.text)
    assert ["already holds" in note_words(text, "en") for text in told] == [False, True, True, False] and woken == [
        match
    ] * 4


def test_a_match_that_opens_with_two_people_at_one_seat_says_so(served: Served) -> None:
    for name in ("Aoi", "me"):
        body = {"role": "seat", "name": name, "matches": ["m-1"], "seat": "p1"}
        assert served.post("/api/v1/invitations", body, "operator").status_code == 201
    opening = {"game": "blackpoker", "version": "8.1-lite", "match": "m-1"}
    assert served.post("/api/v1/matches", opening, "scorekeeper").status_code == 201
    noted = [entry for entry in served.context.match("m-1").entries if isinstance(entry, Noted)]
    assert [kind_of(entry.text) for entry in noted] == ["seat"] and "p1" in noted[0].text
