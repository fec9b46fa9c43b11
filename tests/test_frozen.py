"""Stored data: bytes by earlier programs are readable, and the same values have the same bytes."""

import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.lines import FILE_MAX
from domain.evidence import chain
from domain.formats.notation.lines import LINE_MAX
from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.entries import ENTRIES, Closed, Corrected, Noted, Opened, Played, Rewound, fold_entries, opened_of
from domain.law.slots import Action
from domain.law.state_history import RECENT_STATES
from domain.table import schema as of_schema, table as of_table
from domain.table.facts import FACTS, AnyFact
from domain.table.schema import Schema
from domain.table.table import Table
from recorder import codec
from recorder.answers import RecordResult, Reused
from recorder.matches import note
from recorder.name_erasure import forget_names, known_names
from recorder.spool import ENTRIES_MAX
from recorder.store import Repeated, Store
from tests.cli.runs import inside
from tests.frozen import samples as frozen_samples
from tests.frozen.frozen import HERE, load_values
from tests.frozen.samples import ACTIONS, STATES, encode_value, every
from tests.games import FINISHED
from tests.rows import for_each

SAMPLES = [(file, name) for file, samples in every().items() for name in samples]


def decode_value(file: str, name: str, data: bytes) -> Any:
    if file == "entries":
        return codec.decode(data)
    if file == "facts":
        return msgspec.msgpack.decode(data, type=AnyFact)
    if file == "states":
        return msgspec.msgpack.decode(data, type=Table if name.startswith("table") else Schema)
    return GAMES[file.removeprefix("actions-")].decoder().decode(data)


def holds(new: Any, old: Any) -> bool:
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and holds(new[key], old[key]) for key in old)
    if isinstance(old, list):
        return isinstance(new, list) and len(new) >= len(old) and all(map(holds, new, old))
    return bool(new == old) and type(new) is type(old)


@for_each("file, name", SAMPLES)
def test_a_sample_is_written_as_frozen_and_read_back(file: str, name: str) -> None:
    frozen = load_values(file).get(name)
    assert frozen is not None, f"no frozen bytes of {name}: see tests/frozen/frozen.py"
    value = every()[file][name]
    assert encode_value(value) == frozen[-1]
    assert decode_value(file, name, frozen[-1]) == value


@for_each("file", every())
def test_everything_ever_frozen_is_still_read_and_says_the_same(file: str) -> None:
    lines = load_values(file)
    assert set(lines) == set(every()[file]), "a sample, or its frozen bytes, was taken away"
    for name, versions in lines.items():
        for data in versions:
            assert holds(codec.content(encode_value(decode_value(file, name, data))), codec.content(data)), name


def tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def test_nothing_on_disk_is_without_a_sample() -> None:
    for types, samples in (
        (ENTRIES, frozen_samples.ENTRIES),
        (FACTS, frozen_samples.FACTS),
        *((GAMES[key].action_types, ACTIONS.get(key, {})) for key in FINISHED),
    ):
        missing = {tag(kind) for kind in types} - set(samples)
        assert missing == set(), f"freeze a sample of each (tests/frozen/samples.py): {sorted(missing)}"
        for name, value in samples.items():
            assert tag(type(value)) == name.partition(".")[0]


def fields(kind: type[Any]) -> tuple[msgspec.inspect.Field, ...]:
    shape = msgspec.inspect.type_info(kind)
    assert isinstance(shape, msgspec.inspect.StructType | msgspec.inspect.DataclassType)
    return shape.fields


def structs(value: Any) -> Iterator[msgspec.Struct]:
    if isinstance(value, msgspec.Struct | Table):
        yield value
        for one in fields(type(value)):
            yield from structs(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from structs(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from structs(one)


def test_every_field_is_set_in_a_sample() -> None:
    """A field that no sample sets could change its encoding unnoticed."""
    reached: dict[type[Any], set[str]] = {}
    values = [value for samples in every().values() for value in samples.values()]
    for one in structs(values):
        seen = reached.setdefault(type(one), set())
        for field in fields(type(one)):
            factory = field.default_factory
            default = field.default if factory is msgspec.NODEFAULT else factory()  # type: ignore[operator]
            if field.required or getattr(one, field.name) != default:
                seen.add(field.name)
    unset = [
        f"{kind.__name__}.{one.name}" for kind, seen in reached.items() for one in fields(kind) if one.name not in seen
    ]
    assert unset == []
    for module in (of_table, of_schema):
        declared = {
            one
            for one in vars(module).values()
            if isinstance(one, type) and issubclass(one, msgspec.Struct | Table) and one.__module__ == module.__name__
        }
        assert declared <= set(reached), declared - set(reached)
    assert all(issubclass(kind, Action) for game in GAMES.values() for kind in game.action_types)


def test_the_test_would_notice() -> None:
    assert holds([1, {"a": 2, "b": 3}, 4], [1, {"a": 2}])
    for new, old in (([1], [1, 2]), ({"a": 1}, {"b": 1}), ([2, 1], [1, 2]), (1, True), ("1", 1), ([[1]], [[2]])):
        assert not holds(new, old)
    assert STATES["table"] != STATES["table.least"]


WHOLE = {"table-17": 54, "every": 9, "open": 1}
FOUND = {"table-17": [(10, "BP-7.15"), (30, "BP-4.2"), (47, "BP-10.6")], "every": [], "open": []}


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return Path(shutil.copy(HERE / "store-1.sqlite", tmp_path / "store.sqlite"))


def test_a_store_of_format_1_is_listed_folded_and_audited(where: Path) -> None:
    tables = load_values("tables")
    with Store.open(where, read_only=True) as store:
        listed = store.matches()
        assert {one.match: one.entries for one in listed} == WHOLE
        assert [one.closed for one in listed] == [False, True, False]
        assert listed[1].names == {"p1": "Aoi", "p2": "蓮"} and listed[1].at == 1_767_323_045_000
        assert store.secret("every") == bytes(range(16)) and store.secret("table-17") is None
        done = store.command("every", "c-1")
        assert done is not None and (done.first, done.last) == (4, 4)
        for match, count in WHOLE.items():
            entries = store.read(match)
            assert len(entries) == count
            if match == "every":
                assert {type(one) for one in entries} == {Opened, Played, Corrected, Rewound, Noted, Closed}
            assert fold_entries(entries) == msgspec.msgpack.decode(tables[match][0], type=Table)
            found = audit(GAMES["blackpoker"], entries).findings
            assert [(one.entry, one.clause) for one in found] == FOUND[match]
            for state, entry in zip(store.read_bytes(match), entries, strict=True):
                assert holds(codec.content(codec.encode(entry)), codec.content(state))


def test_a_store_of_format_1_is_written_on(where: Path) -> None:
    with Store.open(where) as store:
        before = store.read_bytes("open")
        assert isinstance(note(store, "open", "judge", "years later"), RecordResult)
        assert store.read_bytes("open")[: len(before)] == before
    with sqlite3.connect(where) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_store_of_format_1_learns_to_tell_commands_apart(where: Path) -> None:
    with Store.open(where) as store:
        assert isinstance(note(store, "open", "judge", "a", command_id="c-9"), RecordResult)
        assert isinstance(note(store, "open", "judge", "a", command_id="c-9"), RecordResult)
        assert isinstance(note(store, "open", "judge", "b", command_id="c-9"), Reused)
    with Store.open(where, read_only=True) as store:
        assert store.command("open", "c-9") == Repeated(2, 2)
    with closing(sqlite3.connect(where)) as connection:
        connection.execute("INSERT INTO commands VALUES ('open', 'c-10', 2, 2)")  # as the first release writes it
        assert connection.execute("SELECT value FROM meta WHERE key='format'").fetchall() == [("1",)]


def test_the_commands_work_on_a_store_of_format_1(where: Path) -> None:
    listed = inside(where, "matches")
    assert listed.code == 0 and all(one in listed.out for one in WHOLE)
    assert inside(where, "show", "every", "--as", "p1").code == 0
    assert inside(where, "audit", "table-17").out.endswith("findings: 3 (entries 54, actions 53, facts 211)\n")
    exported = inside(where, "export", "every", "--as", "judge", "--format", "jsonl")
    assert exported.code == 0 and exported.out.count("\n") == WHOLE["every"]


def test_a_store_with_names_beside_its_log_is_read_and_forgets_them(tmp_path: Path) -> None:
    named = {"p1": "Aoi", "p2": "蓮"}
    with Store.open(shutil.copy(HERE / "store-2.sqlite", tmp_path / "store.sqlite")) as store:
        assert {one.match: one.names for one in store.matches()}["every"] == named
        assert opened_of(store.read("every")).names == named
        states, record = store.read_bytes("every"), store.read_record("every")
        head = bytes.fromhex("a145e8054d553e3b6c55d3f56f1297191f690fbe1f6dd931c92e930242af6596")
        assert chain.compute_head(states) == chain.compute_head(record) == head and b"Aoi" not in states[0]
        assert codec.content(record[0])["names"] == named
        assert forget_names(store, [*known_names(store, "Aoi")])
        assert opened_of(store.read("every")).names == {"p2": "蓮"} and store.read_bytes("every") == states


def test_the_frozen_stores_themselves_are_not_touched() -> None:
    assert sorted(path.name for path in HERE.glob("store-*")) == ["store-1.sqlite", "store-2.sqlite"]


PAGE = (HERE.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8").partition("## 5. JSON Lines")[2]


def test_the_page_names_every_field_of_every_entry() -> None:
    table = PAGE.partition("### 5.1")[2].partition("### 5.2")[0]
    assert "`at`" in table
    told: dict[str, set[str]] = {}
    name = ""
    for row in re.findall(r"^\| (.*?) \| (.*?) \|", table.replace("| |", "|  |"), re.MULTILINE):
        name = row[0].strip("` ") or name
        told.setdefault(name, set()).update(re.findall(r"`(\w+)`", row[1]))
    for kind in ENTRIES:
        assert told[tag(kind)] == {one.name for one in fields(kind)} - {"at"}, tag(kind)


def test_the_page_names_every_fact_with_its_array() -> None:
    arrays = dict(re.findall(r'^\| `([\w/]+)` \| `\["[\w/]+", (.*?)\]` \|', PAGE, re.MULTILINE))
    for kind in FACTS:
        own = [(one.name, one.default) for one in fields(kind)]
        written = [one.partition("=") for one in arrays[tag(kind)].split(", ")]
        assert [name for name, _, _ in written] == [name for name, _ in own], tag(kind)
        for (_, _, default), (_, value) in zip(written, own, strict=True):
            assert default == ("" if value is msgspec.NODEFAULT else msgspec.json.encode(value).decode()), tag(kind)
    assert set(arrays) == {tag(kind) for kind in FACTS}


def test_the_page_names_what_facts_are_made_of() -> None:
    rest = PAGE.partition("A **frame**")[2].partition("### 5.5")[0]
    for kind in (of_table.Frame, of_table.Effect, of_table.ValueColumns, of_schema.Schema):
        for one in fields(kind):
            assert f"`{one.name}`" in rest, (kind.__name__, one.name)
    assert f"[{', '.join(one.name for one in fields(of_table.Clock))}]" in rest


def test_the_bounds_of_the_page_are_those_of_the_program() -> None:
    assert "VERSIONS" in PAGE and set(codec.VERSIONS) == {tag(kind).partition("/")[0] for kind in (*ENTRIES, *FACTS)}
    for bound in (
        f"{LINE_MAX:,} characters",
        f"{ENTRIES_MAX:,} entries",
        f"{FILE_MAX // 1024**3} GiB",
        f"last {RECENT_STATES} are",
    ):
        assert bound in PAGE
