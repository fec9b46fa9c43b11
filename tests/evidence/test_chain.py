"""The hash chain of a record: every alteration is located, and nothing else is reported."""

import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, strategies as st

from domain.evidence import chain
from domain.evidence.chain import Chain, Fault

ENTRIES = 12


def make_record(count: int = ENTRIES, bare: int = 0, word: str = "x") -> list[bytes]:
    """Return `count` chained entries. The first `bare` have no link, as an earlier program recorded them."""
    states: list[bytes] = []
    head = chain.START
    for number in range(1, count + 1):
        state = msgspec.msgpack.encode({"entry": "noted", "text": f"{word}{number}", "about": number})
        if number > bare:
            state = chain.link(state, bytes(range(32)) if number == 1 else head)
        head = chain.next_head(head, number, state)
        states.append(state)
    return states


def wrong(states: list[bytes], known: dict[int, bytes] | None = None) -> Fault | None:
    return chain.examine(states, known or {}).fault


def other(state: bytes, by: bytes = b"y") -> bytes:
    return state.replace(b"x", by, 1)


def test_a_link_is_the_last_field_and_comes_off_again() -> None:
    for fields in (0, 1, 14, 15, 16, 40):
        state = msgspec.msgpack.encode({f"f{at}": at for at in range(fields)})
        held = chain.link(state, bytes(range(32)))
        assert msgspec.msgpack.decode(held) == {**msgspec.msgpack.decode(state), "link": bytes(range(32)).hex()}
        assert msgspec.msgpack.encode(msgspec.msgpack.decode(held)) == held, "its bytes come back from JSON"
        assert chain.link_of(held) == bytes(range(32)) and chain.unlink(held) == state
        assert chain.link_of(state) is None and chain.unlink(state) == state


def test_a_head_is_the_published_function_of_the_bytes() -> None:
    states = [msgspec.msgpack.encode({"entry": "noted", "text": "a"}), msgspec.msgpack.encode({"entry": "noted"})]
    assert chain.compute_head(states).hex() == "f405a402bb638d1c39eb04cb4f83f7685eec1828227c396404c39edd449fd1d1"


@pytest.mark.parametrize("bare", [0, 1, 5, ENTRIES])
def test_a_record_as_it_was_has_nothing_wrong(bare: int) -> None:
    states = make_record(bare=bare)
    whole = chain.compute_head(states)
    assert chain.examine(states) == Chain(whole, ENTRIES, 0 if bare == ENTRIES else bare + 1)
    known = {number: chain.compute_head(states[:number]) for number in (3, ENTRIES)}
    assert wrong(states, known) is None


def test_an_altered_entry_is_named() -> None:
    for at in range(1, ENTRIES - 1):
        states = make_record()
        states[at - 1] = other(states[at - 1])
        assert wrong(states) == Fault("altered", at, at)


@pytest.mark.parametrize("bare", [1, 4, ENTRIES - 1])
def test_the_first_linked_entry_vouches_for_all_before_it(bare: int) -> None:
    for at in range(1, bare + 1):
        states = make_record(bare=bare)
        states[at - 1] = other(states[at - 1])
        found = wrong(states)
        assert found is not None and found.first <= bare, "which of them nothing tells"


def test_removed_inserted_and_moved_entries_are_named() -> None:
    for at in range(2, ENTRIES - 2):
        states = make_record()
        assert wrong(states[: at - 1] + states[at:]) == Fault("removed", at, at)
        assert wrong(states[: at - 1] + states[at + 1 :]) == Fault("removed", at, at + 1)
        forged = chain.link(chain.unlink(other(states[at - 1])), chain.compute_head(states[: at - 1]))
        assert wrong([*states[: at - 1], forged, *states[at - 1 :]]) == Fault("inserted", at, at)
        careless = other(states[3])
        assert wrong([*states[: at - 1], careless, *states[at - 1 :]]) == Fault("inserted", at, at)
        swapped = [*states[: at - 1], states[at], states[at - 1], *states[at + 1 :]]
        assert wrong(swapped) == Fault("moved", at, at)


def test_a_lost_link_is_named() -> None:
    states = make_record()
    states[4] = chain.unlink(states[4])
    assert wrong(states) == Fault("unlinked", 5, 5)


def test_what_nothing_follows_is_vouched_for_by_a_known_head() -> None:
    states, last = make_record(), ENTRIES
    known = {last: chain.compute_head(states)}
    forged = [*states[:-1], other(states[-1])]
    assert wrong(forged) is None and wrong(forged, known) == Fault("rewritten", 1, last)
    assert wrong(states[:-1]) is None and wrong(states[:-1], known) == Fault("ends", last, last)
    cut = [*states[:-1], states[-1][:-1] + bytes((states[-1][-1] ^ 1,))]
    assert wrong(cut) == Fault("apart", last - 1, last) and wrong(cut, known) == Fault("altered", last, last)


def test_a_chain_that_was_made_anew_is_known_by_a_head_from_before() -> None:
    states, anew = make_record(), make_record(word="y")
    known = {3: chain.compute_head(states[:3]), 8: chain.compute_head(states[:8])}
    assert wrong(anew) is None and wrong(anew, known) == Fault("rewritten", 1, 3)
    head = chain.compute_head(states[:5])
    mixed = states[:5]
    for number in range(6, ENTRIES + 1):
        mixed.append(chain.link(chain.unlink(anew[number - 1]), head))
        head = chain.next_head(head, number, mixed[-1])
    assert wrong(mixed) is None and wrong(mixed, known) == Fault("rewritten", 4, 8)


@given(st.integers(0, 2**32))
def test_any_flipped_bit_is_named_to_its_entry(seed: int) -> None:
    random, states = Random(seed), make_record()
    at = random.randrange(ENTRIES)
    state = bytearray(states[at])
    state[random.randrange(len(state))] ^= 1 << random.randrange(8)
    held = [*states[:at], bytes(state), *states[at + 1 :]]
    found = wrong(held, {ENTRIES: chain.compute_head(states)})
    assert found is not None and found.first <= at + 1 <= found.last
    assert at + 1 == ENTRIES or found.first == at + 1


def test_the_page_of_evidence_tells_the_published_heads() -> None:
    page = (Path(__file__).parents[2] / "docs" / "evidence.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| \d: `([0-9a-f]+)` \| `([0-9a-f]{64})` \|", page)
    states = [bytes.fromhex(state) for state, _ in rows]
    assert len(rows) == 2
    assert [head for _, head in rows] == [chain.compute_head(states[:number]).hex() for number in (1, 2)]


def test_one_entry_is_told_as_one_and_several_as_several() -> None:
    states = make_record()
    told = [
        chain.render(fault).say("en") for at in (1, 2) if (fault := wrong(states[:3] + states[3 + at :])) is not None
    ]
    assert told == ["entry 4 was removed here", "entries 4 to 5 were removed here"]
