"""Entries as bytes: the stored format is stable, and a round trip through JSON is lossless."""

from typing import get_args

import msgspec
import pytest

from archive.corpus import reader
from domain.games import GAMES
from domain.law.clause import BY_HAND, Clause
from domain.law.disputes import Filed
from domain.law.entries import (
    ENTRIES,
    Closed,
    Corrected,
    Described,
    Entry,
    Gap,
    Noted,
    Opened,
    Played,
    Restored,
    Rewound,
    Undealt,
)
from domain.law.law import Law
from domain.law.occasion import Occasion
from domain.table.facts import Created, Moved
from domain.table.schema import Schema
from domain.table.table import CardId, Place, Seat
from recorder import codec
from recorder.simulate import simulate
from tests.cli.runs import ROOT
from tests.frozen import samples
from tests.frozen.frozen import load_values
from tests.toy import TOY, Lay, Rules, schema

SAMPLES: tuple[Entry, ...] = (
    Opened(
        at=1, game="toy", version="1", rules={"goal": 4}, rules_hash="ab", schema=schema(Rules()),
        seats=(Seat("p1"),), names={Seat("p1"): "Ann"}, decks={Seat("p1"): ("S1",)}, match="m", commitment="cd",
        by="judge", parent="l", told=((Clause("T-1"), Moved((CardId(1),), Place("field"))),),
    ),
    Undealt(
        game="toy", version="1", rules={}, rules_hash="ab", schema=Schema(areas=()), seats=(Seat("p1"),),
        decks={Seat("p1"): ("S1", "?")}, match="m",
        told=((Clause("T-1"), Created(Place("field"), (CardId(1),), (None,), Seat("p1"))),),
    ),
    samples.ENTRIES["opened/3"],
    Played(
        at=2, actor=Seat("p1"), action=codec.raw_action(Lay((CardId(3), CardId(4)))),
        told=((Clause("T-8"), Moved((CardId(3), CardId(4)), Place("field"), up=True)),), violations=(Clause("T-3"),),
    ),
    Corrected(by="judge", reason="札が落ちた", told=((BY_HAND, Moved((CardId(300),), Place("p1.hand"), 0)),)),
    Rewound(to=3, reason="x", by="judge"),
    Noted(by="judge", text="a \"quoted\" text\nof two lines 🂡"),
    Closed(by="judge", seed="00", reason="time"),
    Restored(to=2, reason="y", by="judge"),
    Described(by="judge", occasion=Occasion(event="cup", table="3"), announced="p1"),
    *(samples.ENTRIES[kind.__struct_config__.tag] for kind in get_args(Filed)),
    samples.ENTRIES["gap"],
)  # fmt: skip

FROZEN = {
    "match.opened": (
        "8fa5656e747279a66f70656e6564a2617401a467616d65a3746f79a776657273696f6ea131a572756c657381a4676f616c04aa72756c"
        "65735f68617368a26162a6736368656d618ba561726561739388a46e616d65a46465636ba87065725f73656174c3a56f72646572a470"
        "696c65a5736967687484a56f776e6572a5636f756e74a47465616da5636f756e74a66f7468657273a5636f756e74a562656c6f7700a7"
        "636f756e746564c3a27570c2a46d6f7374c0a473697a6592000088a46e616d65a468616e64a87065725f73656174c3a56f72646572a3"
        "626167a5736967687484a56f776e6572a3616c6ca47465616da3616c6ca66f7468657273a5636f756e74a562656c6f7700a7636f756e"
        "746564c3a27570c2a46d6f7374c0a473697a6592000088a46e616d65a56669656c64a87065725f73656174c2a56f72646572a3726f77"
        "a5736967687484a56f776e6572a27570a47465616da27570a66f7468657273a27570a562656c6f7700a7636f756e746564c3a27570c3"
        "a46d6f737408a473697a65920000a77374616e63657391a0a56d61726b7390a56b696e64739185a46e616d65a773687566666c65a56c"
        "616e657391a561736b6564a5737465707390a7636f6c756d6e7381a5736561747391a577686f7365a673656372657490a76566666563"
        "747390a6756e74696c7390a670686173657392a0a4706c6179a5737465707380a57465616d7380a36f7574a0a774656c6c696e6790a5"
        "736561747391a27031a56e616d657381a27031a3416e6ea56465636b7381a2703191a25331a56d61746368a16daa636f6d6d69746d65"
        "6e74a26364a26279a56a75646765a6706172656e74a16ca4746f6c649192a3542d3195a46d6f76659101a56669656c64ffc2"
    ),
    "match.opened/2": (
        "8aa5656e747279a86f70656e65642f32a467616d65a3746f79a776657273696f6ea131a572756c657380aa72756c65735f68617368a26162"
        "a6736368656d618ba5617265617390a77374616e63657391a0a56d61726b7390a56b696e647390a76566666563747390a6756e74696c7390"
        "a670686173657391a0a5737465707380a57465616d7380a36f7574a0a774656c6c696e6790a5736561747391a27031a56465636b7381a270"
        "3192a25331a13fa56d61746368a16da4746f6c649192a3542d3195a36e6577a56669656c64910191c0a27031"
    ),
    "match.played": (
        "86a5656e747279a6706c61796564a2617402a56163746f72a27031a6616374696f6e82a2646fa36c6179a56361726473920304a4746f"
        "6c649192a3542d3895a46d6f7665920304a56669656c64ffc3aa76696f6c6174696f6e7391a3542d33"
    ),
    "match.corrected": (
        "84a5656e747279a9636f72726563746564a26279a56a75646765a6726561736f6eafe69cade3818ce890bde381a1e3819fa4746f6c64"
        "9192a095a46d6f766591cd012ca770312e68616e6400c2"
    ),
    "match.rewound": ("84a5656e747279a77265776f756e64a2746f03a6726561736f6ea178a26279a56a75646765"),
    "match.noted": (
        "83a5656e747279a56e6f746564a26279a56a75646765a474657874d92161202271756f7465642220746578740a6f662074776f206c69"
        "6e657320f09f82a1"
    ),
    "match.closed": ("84a5656e747279a6636c6f736564a26279a56a75646765a473656564a23030a6726561736f6ea474696d65"),
    "match.described": (
        "84a5656e747279a9646573637269626564a26279a56a75646765a86f63636173696f6e82a56576656e74a3637570a5746162"
        "6c65a133a9616e6e6f756e636564a27031"
    ),
    "match.opened/3": load_values("entries")["opened/3"][-1].hex(),
    "match.rewound/2": ("84a5656e747279a97265776f756e642f32a2746f02a6726561736f6ea179a26279a56a75646765"),
    **{
        f"match.{kind.__struct_config__.tag}": load_values("entries")[kind.__struct_config__.tag][-1].hex()
        for kind in (*get_args(Filed), Gap)
    },
}


def test_there_is_a_sample_of_every_type() -> None:
    assert tuple(type(one) for one in SAMPLES) == ENTRIES
    assert [codec.topic(one) for one in SAMPLES] == [
        "match.opened", "match.opened/2", "match.opened/3", "match.played", "match.corrected", "match.rewound",
        "match.noted", "match.closed", "match.rewound/2", "match.described", "match.disputed", "match.ruled",
        "match.appealed", "match.decided", "match.penalised", "match.paused", "match.resumed", "match.unsealed",
        "match.sealed", "match.revealed", "match.gap",
    ]  # fmt: skip


def test_the_bytes_on_disk_are_what_they_were() -> None:
    assert {codec.topic(sample): codec.encode(sample).hex() for sample in SAMPLES} == FROZEN
    assert tuple(codec.decode(bytes.fromhex(FROZEN[codec.topic(sample)])) for sample in SAMPLES) == SAMPLES


def test_json_lines_go_both_ways() -> None:
    for state in map(codec.encode, SAMPLES):
        line = codec.to_json_line(state)
        assert b"\n" not in line
        assert codec.from_json_line(line) == state == codec.from_json_line(line.decode() + "\n")


def test_fields_of_a_later_program_survive() -> None:
    for sample in SAMPLES:
        plain = codec.content(codec.encode(sample))
        plain |= {"later": {"deep": [1, None, "x", {"y": True}]}, "z": -5}
        for part in plain.get("told", ()):
            part[1].append("a new column")
        state = msgspec.msgpack.encode(plain)
        assert type(codec.decode(state)) is type(sample)
        line = codec.to_json_line(state)
        assert codec.content(codec.from_json_line(line)) == plain
        assert codec.from_json_line(line) == state


def test_a_whole_record_goes_both_ways() -> None:
    for entry in simulate(Law(TOY, TOY.versions["1"]), 3):
        state = codec.encode(entry)
        assert codec.decode(state) == entry
        assert codec.from_json_line(codec.to_json_line(state)) == state


@pytest.mark.parametrize("key", GAMES)
def test_every_kind_of_entry_comes_back_from_json_as_the_same_bytes(key: str) -> None:
    with reader.open_corpus(str(ROOT / "fixtures" / key / "corpus" / "small.corpus")) as corpus:
        entries = [codec.decode(state) for match in corpus.ids[:8] for state in corpus.states(match)]
    states = [codec.encode(entry) for entry in entries]
    stored = [msgspec.msgpack.encode(entry) for entry in entries]
    assert [codec.from_json_line(codec.to_json_line(state)) for state in states] == states
    assert [codec.content(state) for state in states] == [codec.content(state) for state in stored]
    assert states != stored, "msgspec writes longer heads before some maps, and so did earlier programs"


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"null", b"\xff", b'{"entry":"played"}', b'{"entry":"flown","by":"x"}',
        b'{"entry":"rewound","to":"3","reason":"","by":""}', b'{"entry":"noted","by":"\\ud800","text":""}',
        b'{"entry":"noted","by":"x","text":"y","z":123456789012345678901234567890}',
        b'{"entry":"noted","by":"x","text":"y","z":' + b"[" * 3000 + b"]" * 3000 + b"}",
        b'{"entry":"corrected","by":"x","reason":"y","told":[["",["fly",1]]]}',
        "{\"entry\":\"noted\",\"by\":\"\ud800\"}",
    ],
)  # fmt: skip
def test_what_is_no_entry_is_an_error_of_its_own(line: bytes | str) -> None:
    with pytest.raises(codec.CodecError):
        codec.from_json_line(line)


def test_what_json_would_bend_is_not_exported() -> None:
    for odd in (b"bytes", {1: 2}, float("nan"), msgspec.msgpack.Ext(1, b"x")):
        state = msgspec.msgpack.encode({"entry": "noted", "by": "x", "text": "y", "odd": odd})
        assert codec.decode(state) == Noted(by="x", text="y")
        with pytest.raises(codec.CodecError, match="JSON"):
            codec.to_json_line(state)
