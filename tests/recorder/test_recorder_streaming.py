"""Long records: imported and audited in bounded memory, completely or not at all."""

import errno
import io
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.formats.notation.reader import parse_notation
from domain.formats.notation.writer import write_notation
from domain.judging.audit import Audit, audit
from domain.judging.rejudging.rejudge import rejudge
from domain.law.entries import Closed, Entry, Noted, Played, Restored, Rewound, fold_entries, line, tables
from domain.law.law import Law
from domain.law.state_history import RECENT_STATES, StateHistory
from domain.table.facts import Stanced
from recorder import codec, spool
from recorder.answers import BadRecord, Imported
from recorder.imports import find_fault
from recorder.library.sqlite import Pool
from recorder.simulate import simulate
from recorder.spool import Decoded, Spool
from recorder.store import PAGE, Conflict, Store, StoreError
from tests.cli.forks import PATIENCE
from tests.cli.runs import PROGRAM, environment
from tests.imports import import_entries
from tests.places import Place, rows
from tests.recorder.long import GAME, MATCH, lines, long_record
from tests.rotation import is_nightly, rotate
from tests.toy import GAMES, TOY

pytestmark = pytest.mark.rotates(2)

ENTRIES = 40_000 if is_nightly() else 12_000
MEMORY_MAX = 10 * 1024
"""In KiB, above the use of a record of fifty entries. Keeping the tables of 40,000 entries would take eight times as
much, keeping the entries alone twice as much."""

MEASURED = """
import re, sys
from pathlib import Path
from cli.main import run
code = run(sys.argv[1:])
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
sys.exit(code)
"""
"""Prints its own peak memory, because `getrusage` counts a child from the peak of its parent."""


# -- memory -----------------------------------------------------------------------------------------------------------


def start_program(folder: Path, given: Path | None, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", MEASURED, *arguments],
        cwd=folder,
        env=environment(folder, folder / "a.sqlite"),
        stdin=given.open("rb") if given else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_end(running: "subprocess.Popen[bytes]") -> tuple[str, int]:
    """Return the output of the process and its peak memory in KiB."""
    out, err = running.communicate(timeout=PATIENCE)
    if running.stdin is not None:
        running.stdin.close()
    assert running.returncode == 0, err
    return out.decode(), int(err.split()[-1])


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read as Linux tells it")
def test_thousands_of_entries_take_no_more_memory_than_fifty(tmp_path: Path) -> None:
    for name, count in (("short", 50), ("long", ENTRIES)):
        with (tmp_path / f"{name}.jsonl").open("wb") as file:
            file.writelines(lines(count))
    short = str(tmp_path / "short.jsonl")
    least = [
        wait_for_end(start_program(tmp_path, None, *one))[1]
        for one in (("import", short, "--match", "s"), ("audit", short))
    ]
    long = tmp_path / "long.jsonl"
    running = start_program(tmp_path, long, "import", "-"), start_program(tmp_path, None, "audit", str(long))
    (imported, memory), (audited, more) = map(wait_for_end, running)
    assert imported == "sim-blackpoker-1\n"
    assert audited.startswith(f"findings: 0 (entries {ENTRIES},")
    assert memory - least[0] < MEMORY_MAX and more - least[1] < MEMORY_MAX, (least, memory, more)
    with Store.open(tmp_path / "a.sqlite", read_only=True) as store:
        assert store.version("sim-blackpoker-1") == ENTRIES
        held = (codec.to_json_line(one) + b"\n" for one in store.pages("sim-blackpoker-1"))
        with long.open("rb") as file:
            assert all(mine == theirs for mine, theirs in zip(held, file, strict=True))


# -- the way back -----------------------------------------------------------------------------------------------------


@pytest.mark.random
@pytest.mark.parametrize("seed", rotate(range(30), 3))
def test_the_way_back_finds_what_stood_after_every_entry(seed: int) -> None:
    random = Random(seed)
    values: list[int | None] = []  # number each entry adds; None for a rewind
    after: list[int] = []
    line: list[int] = []
    path: dict[int, list[int]] = {}

    def again(state: int, number: int) -> int:
        return state + (values[number - 1] or 0)

    way: StateHistory[int] = StateHistory(again)
    state = 0
    far = random.choice((0.02, 0.3))
    for number in range(1, 1_500):
        if number > 1 and random.random() < far:
            to = random.choice(line) if random.random() < 0.5 else line[-min(len(line), random.randint(1, 80))]
            undone = random.randint(1, number - 1)
            assert way.restore(to) is way.restore(0) is way.restore(number) is None
            if undone not in line:
                assert way.rewind_to(undone) is None
                to = random.choice((to, undone))
            assert way.rewind_to(number) is None and way.rewind_to(0) is None
            found = way.rewind_to(to) if to in line else way.restore(to)
            assert found == after[to - 1]
            state = found
            line = list(path[to])
            values.append(None)
        else:
            values.append(random.randint(1, 1_000_000))
            state += values[-1] or 0
        after.append(state)
        line.append(number)
        path[number] = list(line)
        way.add(state)
        assert way.state_count <= RECENT_STATES * 8
    for to in reversed(line):
        assert way.rewind_to(to) == after[to - 1]


def test_few_states_are_kept_and_few_are_found_again() -> None:
    asked = 0

    def again(state: int, number: int) -> int:
        nonlocal asked
        asked += 1
        assert number == state + 1
        return number

    way: StateHistory[int] = StateHistory(again)
    for number in range(1, 20_001):
        way.add(number)
    assert way.state_count < 300
    for to in range(19_999, 0, -1):
        assert way.rewind_to(to) == to
    assert asked < 12 * 20_000, asked


def test_tables_are_those_of_the_line_however_often_it_is_left() -> None:
    random = Random(3)
    base = simulate(Law(GAME, GAME.versions["8.1-lite"]), 2)
    entries: list[Entry] = list(base[:60])
    line = list(range(1, 61))
    stands = {number: base[number - 1] for number in line}
    for _ in range(25):
        at = random.randrange(5, len(line))
        kept, gone = line[:at], line[at:]
        entries.append(Rewound(to=kept[-1], reason="x", by="judge"))
        line = [*kept, len(entries)]
        for number in gone[: random.randrange(len(gone) + 1)]:
            if not isinstance(stands[number], Rewound):
                entries.append(stands[number])
                line.append(len(entries))
        stands |= {number: entries[number - 1] for number in line}
    assert find_fault(entries) is None
    for number, _, before, after in tables(entries):
        assert after == fold_entries(entries, number)
        assert number == 1 or before == fold_entries(entries, number - 1)


@pytest.mark.random
@pytest.mark.parametrize("seed", rotate(range(6), 2))
def test_the_log_folds_to_where_the_match_stands_after_every_rewind_and_restore(seed: int) -> None:
    random = Random(f"restored {seed}")
    base = simulate(Law(GAME, GAME.versions["8.1-lite"]), 2)[:60]
    entries: list[Entry] = list(base)
    stands = dict(enumerate(range(1, 61), start=1))  # entry of the match that corresponds to an entry of the record
    for _ in range(30):
        to = random.randint(1, len(entries))
        kind = Rewound if to in line(entries) else Restored
        entries.append(kind(to=to, reason="x", by="judge"))
        stands[len(entries)] = at = stands[to]
        for number in range(at, min(at + random.randrange(25), 60)):
            entries.append(base[number])
            stands[len(entries)] = number + 1
    assert sum(isinstance(one, Restored) for one in entries) > 5
    alive = {number: table for number, _, _, table in tables(base)}
    assert find_fault(entries) is None
    for number, _, _, after in tables(entries):
        assert after == alive[stands[number]] == fold_entries(entries, number)
    with Spool() as states:
        for one in entries:
            states.append(codec.encode(one))
        assert audit(GAME, Decoded(states)).findings == () and audit(GAME, iter(entries)).findings == ()
    found = rejudge(GAME, entries, GAME.versions["8.1-lite"])
    assert found.kind == "identical", found
    assert parse_notation(write_notation(GAME, entries), {GAME.key: GAME}) == entries


# -- the audit of entries that pass only once ------------------------------------------------------------------------


def make_disturbed_record() -> list[Entry]:
    entries = simulate(Law(GAME, GAME.versions["8.1-lite"]), 4)
    wrong, gone = next(
        (n, fact)
        for n, one in enumerate(entries)
        if n > 20 and isinstance(one, Played)
        for fact in one.told
        if isinstance(fact[1], Stanced)
    )
    played = entries[wrong]
    assert isinstance(played, Played)
    entries[wrong] = msgspec.structs.replace(played, told=tuple(one for one in played.told if one != gone))
    notes: list[Entry] = [Noted(by="judge", text=str(n)) for n in range(5 * RECENT_STATES)]
    back = len(entries[: wrong + 4])
    return [
        *entries[: wrong + 4],
        *notes,
        Rewound(to=back - 1, reason="x", by="judge"),
        entries[back - 1],
        *notes,
        Rewound(to=wrong, reason="x", by="judge"),
        played,
        *entries[wrong + 1 : -1],
    ]


def test_an_iterator_is_audited_as_a_list_is() -> None:
    entries = make_disturbed_record()
    whole = audit(GAME, entries)
    assert whole.findings and whole.entries == len(entries)
    assert audit(GAME, iter(entries)) == whole
    with Spool() as states:
        for one in entries:
            states.append(codec.encode(one))
        assert audit(GAME, Decoded(states)) == whole


def test_a_rewind_to_what_was_undone_is_one_finding() -> None:
    entries = simulate(Law(GAME, GAME.versions["8.1-lite"]), 1)[:30]
    entries += [Rewound(to=10, reason="x", by="judge"), Rewound(to=20, reason="x", by="judge")]
    found = audit(GAME, entries)
    assert [(one.entry, one.kind) for one in found.findings] == [(32, "unreadable")]
    assert isinstance(found, Audit)
    assert list(tables(entries))[-1][3] == fold_entries(entries, 20)
    restored = [*entries[:-1], Restored(to=20, reason="x", by="judge")]
    assert audit(GAME, restored).findings == ()


def test_a_restore_of_what_stands_is_one_finding() -> None:
    entries = simulate(Law(GAME, GAME.versions["8.1-lite"]), 1)[:30]
    found = audit(GAME, [*entries, Restored(to=10, reason="x", by="judge")])
    assert [(one.entry, one.kind) for one in found.findings] == [(31, "unreadable")]


def test_what_a_rewind_had_undone_wrongly_recorded_is_found_once_and_counts_when_restored() -> None:
    entries = make_disturbed_record()
    found = audit(GAME, entries).findings
    back = next(at for at, one in enumerate(entries, start=1) if isinstance(one, Rewound))
    restored = [*entries, Restored(to=back - 1, reason="it stands", by="judge")]
    assert audit(GAME, restored).findings == found
    assert fold_entries(restored) == fold_entries(entries, back - 1)


# -- the temporary file -----------------------------------------------------------------------------------------------


def test_a_spool_is_a_sequence_of_bytes_written_and_read_in_turns() -> None:
    with Spool() as states:
        for number in range(500):
            states.append(bytes((number % 256,)) * (number % 70))
            assert states[number // 2] == bytes((number // 2 % 256,)) * (number // 2 % 70)
        assert len(states) == 500 and list(states)[499] == states[-1]
        assert states[10:13] == [states[10], states[11], states[12]]
        for outside in (500, -501):
            with pytest.raises(IndexError):
                states[outside]


class FullFile(io.BytesIO):
    def write(self, data: Any) -> int:
        if self.tell() + len(data) > 10_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_a_full_disk_for_temporary_files_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "TemporaryFile", lambda **_: FullFile())
    with Spool() as states, pytest.raises(StoreError, match="TMPDIR") as caught:
        for state in map(codec.encode, simulate(Law(TOY, TOY.versions["1"]), 1) * 100):
            states.append(state)
    assert caught.value.trouble == "full"


def test_a_record_has_no_end_of_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "ENTRIES_MAX", 3)
    with Spool() as states, pytest.raises(StoreError, match="at most 3 entries"):
        for _ in range(4):
            states.append(b"x")


# -- whole or not at all ----------------------------------------------------------------------------------------------


def states(count: int) -> list[bytes]:
    return [codec.encode(one) for one in long_record(count)]


def test_nothing_is_recorded_when_the_last_entries_are_bad(store: Store) -> None:
    good = states(2_000)
    for bad in (b"\xc1", codec.encode(Rewound(to=5_000, reason="", by="x"))):
        answer = import_entries(store, [*good[:-1], bad, good[-1]])
        assert isinstance(answer, BadRecord) and answer.entry == 2_000
        assert store.matches() == []
    assert import_entries(store, good) == Imported("sim-blackpoker-1", 2_000, new=True)


def test_nothing_is_recorded_when_reading_fails_in_the_middle_of_writing(store: Store) -> None:
    class Torn(list[bytes]):
        looked = 0

        def __getitem__(self, at: Any) -> Any:
            Torn.looked += 1
            return b"\xc1" if at == 1_500 and Torn.looked > 2_100 else super().__getitem__(at)

    torn = Torn(states(2_000))
    with pytest.raises(codec.CodecError):
        import_entries(store, torn)
    assert store.matches() == [] and store.version("sim-blackpoker-1") == 0
    assert isinstance(import_entries(store, states(2_000)), Imported)


def test_a_full_disk_leaves_the_store_as_it_was(sqlite_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = Pool.connect

    def small(pool: Pool) -> sqlite3.Connection:
        connection = connect(pool)
        connection.execute("PRAGMA max_page_count=100")
        return connection

    monkeypatch.setattr(Pool, "connect", small)
    with Store.open(sqlite_file) as store:
        before = states(100)
        assert isinstance(import_entries(store, before, "before"), Imported)
        with pytest.raises(StoreError, match="disk is full") as caught:
            import_entries(store, states(5_000), MATCH)
        assert caught.value.trouble == "full"
        assert [one.match for one in store.matches()] == ["before"]
        assert (store.read_bytes("before"), store.version(MATCH)) == (before, 0)
        assert isinstance(import_entries(store, states(60), "small"), Imported), "what fits still comes in"


def test_pages_are_the_bytes_of_a_match(store: Store) -> None:
    many = states(2 * PAGE + 7)
    import_entries(store, many)
    assert list(store.pages("sim-blackpoker-1")) == many == store.read_bytes("sim-blackpoker-1")
    assert list(store.pages("nothing")) == []
    again = Imported("sim-blackpoker-1", len(many), new=False)
    assert import_entries(store, many) == again
    many[PAGE + 3] = codec.encode(Noted(by="judge", text="something else"))
    assert import_entries(store, many) == Conflict("sim-blackpoker-1", 0, len(many))
    assert import_entries(store, [*many, codec.encode(Closed(by="judge"))]) == Conflict(
        "sim-blackpoker-1", 0, len(many)
    )


# -- versions and unknown fields --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "known"), [("played/9", 1), ("noted/2", 1), ("opened/123", 3)])
def test_an_entry_of_a_later_version_is_not_guessed_at(store: Store, name: str, known: int) -> None:
    good, kind = states(50), name.partition("/")[0]
    later = msgspec.msgpack.encode(codec.content(good[20]) | {"entry": name})
    with pytest.raises(
        codec.CodecError, match=f"{name} was written by a newer Shinpan.*{kind} up to version {known}"
    ) as caught:
        codec.decode(later)
    assert caught.value.newer
    answer = import_entries(store, [*good[:20], later])
    assert isinstance(answer, BadRecord) and answer.entry == 21 and "newer" in str(answer.what)
    import_entries(store, good)
    rows(store.name, "UPDATE stored_events SET state=? WHERE originator_version=21", later)
    with pytest.raises(StoreError, match="newer") as refused:
        store.read("sim-blackpoker-1")
    assert refused.value.trouble == "newer"


def test_a_fact_of_a_later_version_is_not_guessed_at_and_nonsense_is_not_called_newer() -> None:
    def corrected(tag: str) -> bytes:
        told = [["", [tag, [1], True]]]
        return msgspec.msgpack.encode({"entry": "corrected", "by": "x", "reason": "y", "told": told})

    with pytest.raises(codec.CodecError, match="turn/2 was written by a newer"):
        codec.decode(corrected("turn/2"))
    for tag in ("turn/1", "turn/0", "flip", "flip/9", "turn/", "turn/2 "):
        with pytest.raises(codec.CodecError) as caught:
            codec.decode(corrected(tag))
        assert not caught.value.newer


def test_unknown_fields_survive_wherever_they_stand(store: Store) -> None:
    plain = [codec.content(one) for one in states(60)]
    later = {"later": [1, -2.5, None, {"deep": "枚"}], "z": True}
    plain[0] |= later
    plain[0]["schema"] |= later
    plain[0]["schema"]["areas"][0]["sight"] |= later
    plain[0]["schema"]["kinds"][0] |= later
    pushed = 0
    for entry in plain[1:]:
        entry.update(later)
        for telling in entry.get("told", ()):
            if telling[1][0] == "push":
                telling[1][1] |= later
                pushed += 1
            telling[1].append("a new column")
    assert pushed > 3
    given = [msgspec.json.encode(one) for one in plain]
    assert import_entries(store, [codec.from_json_line(one) for one in given]) == Imported(
        "sim-blackpoker-1", 60, new=True
    )
    assert [codec.to_json_line(one) for one in store.read_bytes("sim-blackpoker-1")] == given
    assert audit(GAME, store.read("sim-blackpoker-1")).findings == ()


@pytest.mark.process
def test_another_program_can_be_fed_through_a_pipe(place: Place, tmp_path: Path) -> None:
    """Standard input cannot be rewound, so it is read once."""
    with subprocess.Popen(
        [*PROGRAM, "import", "-"],
        env=environment(tmp_path, place()),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdin is not None
        for line in lines(300):
            running.stdin.write(line)
            running.stdin.flush()
        out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (0, b"sim-blackpoker-1\n"), err


def test_the_toy_is_audited_from_an_iterator_too() -> None:
    entries = simulate(Law(TOY, TOY.versions["1"]), 1)
    assert find_fault(entries, GAMES) is None
    assert audit(TOY, iter(entries)).findings == ()
