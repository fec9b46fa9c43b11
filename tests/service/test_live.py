"""Match streams: every entry once, in order, drawn once, and never ahead of a delay or a seal."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import pytest

from domain.law.entries import Noted, Rewound
from domain.table.table import Seat
from recorder.keyring import Holder
from recorder.store import Store
from service.access import Role, Session, session_of
from service.drawing.timeline import DeltaEncoder
from service.live import hub
from service.live.event_stream import STREAMS_PER_TOKEN
from service.live.messages import Feed
from service.settings import Settings
from tests.laws.leak_checks import deal_again, never_known
from tests.places import Place
from tests.rotation import rotate
from tests.service.browsing import played, run_loop
from tests.service.harness import YEAR_MS
from tests.service.listening import Stage, stage


def come_in(staged: Stage, role: Role, seat: str = "") -> tuple[dict[str, str], Session]:
    holder = Holder(role=role, name=role, matches=(staged.match,), seat=Seat(seat))
    token = staged.context.keys.issue(holder, staged.clock.at + YEAR_MS)
    key = staged.context.keys.key(token, staged.clock.at)
    assert key is not None
    return {"Authorization": f"Bearer {token}"}, session_of(key)


@pytest.fixture
def draw_counts(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[int, str, str]]:
    counted: Counter[tuple[int, str, str]] = Counter()
    show = DeltaEncoder.show

    def count(self: Any, number: int, *given: Any, **named: Any) -> Any:
        counted[number, self._eyes.viewer, self._lang] += 1
        return show(self, number, *given, **named)

    monkeypatch.setattr(DeltaEncoder, "show", count)
    return counted


def test_each_entry_comes_once_in_order_to_all_as_the_same_bytes(draw_counts: Counter[tuple[int, str, str]]) -> None:
    async def story() -> None:
        async with (
            stage() as staged,
            staged.listen() as first,
            staged.listen() as second,
            staged.listen("after=8") as late,
            staged.listen("lang=ja") as japanese,
            staged.listen("as=p1", come_in(staged, "seat", "p1")[0]) as player,
        ):
            for number in range(11, 21):
                await staged.record(number)
            events = await first.entries(*range(11, 21))
            assert [event.data["n"] for event in events] == list(range(11, 21))
            assert await second.entries(*range(11, 21)) == events
            assert (await late.entries(*range(9, 21)))[2:] == events
            in_japanese = await japanese.entries(*range(11, 21))
            assert all(one.raw != other.raw for one, other in zip(events, in_japanese, strict=True))
            assert (await player.entries(*range(11, 21))) != events
            assert all(hearing.silent() for hearing in (first, second, late, japanese, player))

    run_loop(story())
    assert set(draw_counts.values()) == {1} and len(draw_counts) == 2 + 3 * 10


@played
async def test_whoever_comes_back_goes_on_without_gap_or_double() -> None:
    async with stage() as staged:
        async with staged.listen() as before:
            await staged.record(12)
            await before.entries(11, 12)
        await staged.record(15)
        for query, header in (("after=12", ""), ("", "12"), ("after=10", "12"), ("after=12", "3")):
            async with staged.listen(query, {"Last-Event-ID": header} if header else {}) as again:
                await again.entries(13, 14, 15)
                assert again.silent()


@played
async def test_a_service_that_began_again_goes_on_where_its_clients_were(place: Place) -> None:
    async with stage(where=place()) as staged, staged.listen() as before:
        await staged.record(12)
        (*_, last) = await before.entries(11, 12)
        await staged.hub.end()
        assert (await before.next()).kind == "bye" and before.ended and staged.hub.count == 0
    header = {"Last-Event-ID": str(last.id)}
    async with (
        stage(where=place(), begun=14) as staged,
        staged.listen("after=10", header) as again,
    ):
        await again.entries(13, 14)
        await staged.record(15)
        await again.entries(15)


@played
async def test_entries_of_another_program_come_without_a_wake(place: Place) -> None:
    async with stage(where=place()) as staged, staged.listen() as hearing:
        with Store.open(place()) as other:
            assert other.append(staged.match, 10, staged.entries[10:12]) == 12
        await staged.hub.poll()
        await hearing.entries(11, 12)


@played
async def test_a_rewind_is_told_as_one_and_gives_the_table_back() -> None:
    async with stage() as staged, staged.listen("after=9") as hearing:
        (tenth,) = await hearing.entries(10)
        rewind = Rewound(to=9, reason="", by="floor", at=staged.clock.at)
        staged.context.store.append(staged.match, 10, [rewind])
        staged.context.wake(staged.match)
        event = await hearing.next()
        assert (event.kind, event.id) == ("rewound", 11)
        assert tenth.data["strips"].keys() == event.data["strips"].keys()
        assert tenth.data["strips"] != event.data["strips"]


@played
async def test_whoever_sees_later_gets_an_entry_when_it_is_due_and_never_before() -> None:
    settings = Settings(store=":memory:", delay=5_000)
    async with stage(settings=settings) as staged:
        staged.clock.at += 5_000
        judge, _ = come_in(staged, "floor")
        async with staged.listen() as public, staged.listen("", judge) as floor:
            await staged.record(11)
            staged.clock.at += 2_000
            await staged.record(12)
            told = await floor.entries(11, 12)
            staged.clock.at += 2_999
            await staged.hub.poll()
            assert public.silent()
            staged.clock.at += 1
            await staged.hub.poll()
            assert await public.entries(11) == told[:1] and public.silent()
            async with staged.listen("after=12") as ahead:  # as a client that has already seen too much
                event = await ahead.next()
                assert (event.kind, event.data) == ("gap", {"n": 11})
            staged.clock.at += 2_000
            await staged.hub.poll()
            assert await public.entries(12) == told[1:]


@pytest.mark.parametrize("how", ["expires", "is put back", "other eyes"])
@played
async def test_a_stream_ends_with_the_seal(how: str) -> None:
    async with stage() as staged:
        judge, session = come_in(staged, "floor")
        async with staged.listen("as=p1", judge) as refused:
            assert refused.status == 403
        staged.context.seals.break_open(session, staged.match, Seat("p1"), staged.clock.at + 1_000)
        async with staged.listen("as=p1", judge) as hearing, staged.listen("", judge) as public:
            await staged.record(11)
            await hearing.entries(11)
            if how == "expires":
                staged.clock.at += 1_000
            elif how == "is put back":
                staged.context.seals.seal(session, staged.match)
            else:
                staged.context.seals.break_open(session, staged.match, Seat("p2"), staged.clock.at + 1_000)
            await staged.record(12)
            assert (await hearing.next()).kind == "sealed"
            await hearing.until(lambda: hearing.ended)
            assert hearing.silent()
            await public.entries(11, 12)


@played
async def test_a_stream_ends_where_nothing_is_recorded_either() -> None:
    async with stage() as staged:
        judge, session = come_in(staged, "floor")
        staged.context.seals.break_open(session, staged.match, Seat("p1"), staged.clock.at + 1_000)
        async with staged.listen("as=p1", judge) as hearing:
            staged.clock.at += 1_000
            await staged.hub.poll()
            assert (await hearing.next()).kind == "sealed"


@played
async def test_whoever_signs_out_hears_no_more() -> None:
    async with stage() as staged:
        header, session = come_in(staged, "seat", "p1")
        async with staged.listen("as=p1", header) as hearing, staged.listen() as public:
            staged.context.keys.revoke_number(session.number)
            await staged.hub.poll()
            (stream,) = (one for one in staged.hub.streams() if one.following.session.number == session.number)
            assert stream.end() == "sealed"
            assert (await hearing.next()).kind == "sealed"
            await staged.record(11)
            await public.entries(11)
            assert hearing.ended and hearing.silent()


def hear_twins(key: str, viewer: str) -> bool:
    """True if a stream is the same for two matches that differ in cards unknown to the viewer."""
    told: list[bytes] = []

    async def story(otherwise: bool) -> None:
        async with stage(key) as staged:
            if otherwise:
                hidden = never_known(staged.entries, Seat("p1" if viewer == "judge" else viewer))
                staged.entries = deal_again(staged.entries, hidden, Random(1))
        async with stage(key, entries=staged.entries) as staged:
            headers, session = come_in(staged, *(("seat", "p1") if viewer == "p1" else ("head", "")))
            staged.context.seals.break_open(session, staged.match, Seat("judge"), staged.clock.at + YEAR_MS)
            async with staged.listen(f"as={viewer}&after=0", headers) as hearing:
                await staged.record(40)
                await hearing.entries(*range(1, 41))
                told.append(repr(hearing.headers).encode() + hearing.raw)

    run_loop(story(False))
    run_loop(story(True))
    return told[0] == told[1]


@pytest.mark.parametrize("viewer", ["spectator", "p1", "judge"])
def test_two_matches_that_differ_in_hidden_cards_are_told_alike_but_to_a_judge(viewer: str) -> None:
    for key in rotate(("blackpoker", "dea"), 1):
        assert hear_twins(key, viewer) == (viewer != "judge")


def test_a_stream_that_redacts_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "Feed", lambda _, lang, times, judges: Feed("judge", lang, times))  # type: ignore[arg-type]
    assert not hear_twins("blackpoker", "spectator")


@played
async def test_words_told_to_judges_reach_judges_by_stream_and_change_no_byte_for_others() -> None:
    told = dict[str, list[bytes]]()
    for words in ("aaaa bbbb", "cccc dddd"):
        async with stage() as staged:
            roles: tuple[tuple[Role, str], ...] = (("head", ""), ("floor", ""), ("seat", "p2"), ("scorekeeper", ""))
            for role, seat in roles:
                headers, _ = come_in(staged, role, seat)
                async with staged.listen("after=10", headers) as hearing, staged.listen("after=10") as spectator:
                    version = staged.context.store.version(staged.match)
                    await asyncio.to_thread(
                        staged.context.store.append, staged.match, version, [Noted(by="p1", text=words, about=3)]
                    )
                    await asyncio.to_thread(staged.context.wake, staged.match)
                    await hearing.entries(*range(11, version + 2))
                    await spectator.entries(*range(11, version + 2))
                    told.setdefault(role, []).append(hearing.raw)
                    told.setdefault("spectator", []).append(spectator.raw)
    for role in ("head", "floor"):
        assert b"aaaa bbbb" in told[role][0] and b"cccc dddd" in told[role][1]
    for role in ("seat", "scorekeeper"):
        assert told[role][0] == told[role][1], role
    assert told["spectator"][:4] == told["spectator"][4:] and b"aaaa" not in b"".join(told["spectator"])


@played
async def test_whoever_is_too_far_behind_is_told_to_fetch_the_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "REPLAY_MAX", 5)

    async with stage(begun=20) as staged:
        for query in ("after=14", "after=21", "after=999999999"):
            async with staged.listen(query) as hearing:
                event = await hearing.next()
                assert (event.kind, event.id, event.data) == ("gap", 20, {"n": 20})
        async with staged.listen("after=15") as near:
            await near.entries(16, 17, 18, 19, 20)


@played
async def test_a_slow_client_holds_up_nobody_and_fetches_the_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "REPLAY_MAX", 5)

    async with stage() as staged, staged.listen() as quick, staged.listen() as slow:
        slow.slow.clear()
        for number in range(11, 31):
            await staged.record(number)
            await quick.entries(number)
        slow.slow.set()
        heard = [await slow.next()]
        while heard[-1].id < 30:
            heard.append(await slow.next())
        assert "gap" in {event.kind for event in heard}
        assert [event.id for event in heard] == sorted({event.id for event in heard})


@played
async def test_one_token_has_four_streams_and_all_together_as_many_as_are_set() -> None:
    async with stage(settings=Settings(store=":memory:", streams_max=6)) as staged:
        header, _ = come_in(staged, "floor")
        open_now = [staged.listen("", header) for _ in range(STREAMS_PER_TOKEN)]
        for one in open_now:
            assert (await one.__aenter__()).status == 200
        async with staged.listen("", header) as fifth:
            assert fifth.status == 429 and fifth.headers["retry-after"]
        async with staged.listen(), staged.listen(), staged.listen() as seventh:
            assert seventh.status == 503 and seventh.headers["retry-after"]
            assert seventh.headers["content-type"] == "application/problem+json"
        await open_now.pop().__aexit__(None, None, None)
        async with staged.listen("", header) as again:
            assert again.status == 200
        for one in open_now:
            await one.__aexit__(None, None, None)


@played
async def test_one_address_without_a_token_opens_half_of_all_streams_and_leaves_the_rest_to_others() -> None:
    settings = Settings(store=":memory:", streams_max=6, proxy="10.0.0.1")
    async with stage(settings=settings) as staged, AsyncExitStack() as crowd:

        async def come(address: str, **headers: str) -> int:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return (await crowd.enter_async_context(staged.listen("", named, address))).status

        assert [await come("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
        assert await come("192.0.2.1", X_Forwarded_For="192.0.2.9") == 429, "not said by the proxy"
        token, _ = come_in(staged, "floor")
        assert await come("192.0.2.1", **token) == 200, "a token counts for itself"
        assert await come("10.0.0.1", X_Forwarded_For="192.0.2.9, 192.0.2.1") == 429, "said by the proxy, at the end"
        assert await come("10.0.0.1", X_Forwarded_For="192.0.2.1, 192.0.2.2") == 200


@played
async def test_nothing_is_left_of_a_client_who_has_gone() -> None:
    async with stage() as staged:
        before = len(asyncio.all_tasks())
        for _ in range(3):
            async with staged.listen() as idle, staged.listen("lang=ja") as busy:
                assert staged.hub.count == 2
                await staged.record(staged.context.store.version(staged.match) + 1)
                await busy.next()
                await idle.leave()
                assert staged.hub.count == 1
            assert (staged.hub.count, staged.hub.live_matches, +staged.hub.held) == (0, {}, Counter())
        assert len(asyncio.all_tasks()) == before


@played
async def test_what_is_no_number_of_an_entry_is_refused() -> None:
    async with stage() as staged:
        for bad in ("x", "-1", "1.5", "1e3", "１２", "9" * 12, "9" * 5000, " 7", "0x7", "7,8", "null", "%00"):
            async with staged.listen(f"after={bad}") as by_query:
                assert by_query.status == 400, bad
            if bad.isascii():
                async with staged.listen("", {"Last-Event-ID": bad}) as by_header:
                    kind = by_header.headers["content-type"]
                    assert (by_header.status, kind) == (400, "application/problem+json"), bad
        assert staged.hub.count == 0


@played
async def test_a_service_that_stops_says_when_to_come_back_and_takes_nobody_in() -> None:
    async with stage() as staged, staged.listen() as one, staged.listen() as other:
        await asyncio.to_thread(staged.context.drain)
        byes = [await one.next(), await other.next()]
        assert [bye.kind for bye in byes] == ["bye", "bye"] and byes[0].raw != byes[1].raw
        assert all(b"retry: " in bye.raw for bye in byes)
        async with staged.listen() as late:
            assert late.status == 503


@played
async def test_a_silent_line_is_kept_open() -> None:
    async with stage() as staged:
        staged.hub.ping_s = 0.01
        async with staged.listen() as hearing:
            await hearing.until(lambda: hearing.raw.count(b": ping\n\n") > 2)
