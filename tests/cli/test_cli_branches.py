"""Branches: `import` reads everything that `export --with-branches` writes."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings, strategies as st
from msgspec import Struct
from msgspec.structs import replace

from domain.formats.notation import DEPTH_MAX, parse_notation
from domain.games import GAMES
from domain.law.entries import Closed, Corrected, Entry, Noted, Opened, Rewound
from recorder import codec
from recorder.store import Store
from tests.cli.runs import DISPUTED, Ran, contents, fine, inside, read_records

pytestmark = [pytest.mark.rotates(2), pytest.mark.random]

LONG = 1_000_001
"""One character more than the limit of a notation line."""


class Grown(Struct, frozen=True):
    """A branch: the index of its parent, the entry where it starts, its id, fields of its opening, its last entries."""

    under: int
    at: int
    name: str
    said: dict[str, str | int] = {}
    entries: tuple[Entry, ...] = ()


@cache
def beginning() -> tuple[Entry, ...]:
    return tuple(parse_notation(DISPUTED.read_text(encoding="utf-8"), GAMES)[:6])


def store_of(folder: Path, main: dict[str, str], grown: Sequence[Grown]) -> Path:
    """Return a store with a short match and branches, named by their index."""
    store = folder / "shinpan.sqlite"
    first, *rest = beginning()
    records: list[tuple[Entry, ...]] = [(replace(first, **{"match": "m0"} | main), *rest)]
    for one in grown:
        parent = records[one.under % len(records)]
        at = 1 + one.at % len(parent)
        own = {"match": one.name, "parent": f"m{one.under % len(records)}", "parent_at": at} | one.said
        records.append((replace(parent[0], **own), *parent[1:at], *one.entries))
    with Store.open(store) as opened:
        for number, record in enumerate(records):
            opened.append_bytes(f"m{number}", [codec.encode(entry) for entry in record])
    return store


def exported(store: Path) -> Ran:
    return inside(store, "export", "m0", "--as", "judge", "--with-branches")


def taken_in(folder: Path, text: str) -> dict[str, list[bytes]]:
    file, other = folder / "all.spn", folder / "other.sqlite"
    file.write_text(text, encoding="utf-8")
    fine(other, "import", file)
    return read_records(other)


WORDS = st.text(max_size=6) | st.sampled_from(
    ["-", "(", ")", ";", "{", "@5", "by=x", "seed=00", "\\", '"', "# x", "m1"]
)
TIMES = st.sampled_from([0, 7, 10**17])
TAILS = st.lists(
    st.builds(Noted, by=WORDS, text=WORDS, at=TIMES)
    | st.builds(Corrected, by=WORDS, reason=WORDS, at=TIMES)
    | st.builds(Rewound, to=st.integers(0, 3), reason=WORDS, by=WORDS),
    max_size=3,
).map(tuple)
SAID = st.fixed_dictionaries({"by": WORDS, "commitment": WORDS, "at": TIMES})
ODD_TIMES = st.sampled_from([-1, 10**18, 2**63 - 1])
ODD_SAID = SAID | st.fixed_dictionaries({"at": ODD_TIMES}) | st.fixed_dictionaries({"parent": st.just("m9")})
ODD_TAILS = st.builds(lambda tail, at: (*tail, Closed(by="judge", at=at)), TAILS, TIMES | ODD_TIMES)
NAMES = st.sampled_from(["m1", "m2", "m3", "m4", "x", "m0", "a b", "", "日本"])


@settings(max_examples=25)
@given(
    st.lists(
        st.builds(Grown, st.integers(0, 4), st.integers(0, 9), NAMES, SAID | ODD_SAID, TAILS | ODD_TAILS), max_size=4
    )
)
@example([Grown(0, 4, "x"), Grown(0, 4, "x")])
@example([Grown(0, 4, "x"), Grown(1, 2, "m0")])
@example([Grown(0, 4, "a b")])
@example([Grown(0, 4, "m1", {"at": 10**18})])
@example([Grown(0, 4, "m1", {}, (Noted(by="judge", text="x", at=-1),))])
@example([Grown(0, 4, "m1", {}, (Rewound(to=0, reason="", by=""),))])
def test_whatever_is_written_with_branches_is_taken_in_as_it_was(grown: list[Grown]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = store_of(folder, {}, grown)
        ran = exported(store)
        if ran.code:
            assert (ran.code, ran.out) == (2, "") and "match " in ran.message
            return
        there = {entries[0]: entries for entries in read_records(store).values()}
        for match, entries in taken_in(folder, ran.out).items():
            opened = codec.decode(entries[0])
            assert isinstance(opened, Opened) and opened.match == match and there[entries[0]] == entries


def test_branches_with_corrections_rewinds_and_an_end_of_their_own_go_out_and_come_in(tmp_path: Path) -> None:
    tail = (Corrected(by="Mia K.", reason="by hand"), Rewound(to=2, reason=") (", by="-"), Closed(by="judge", at=5))
    grown = [Grown(0, 4, "m1", {"by": "(branch"}, tail), Grown(1, 2, "m2", {"at": 9}), Grown(0, 5, "m3")]
    store = store_of(tmp_path, {}, grown)
    ran = exported(store)
    assert ran.code == 0 and taken_in(tmp_path, ran.out) == read_records(store)


@pytest.mark.parametrize(("depth", "code"), [(DEPTH_MAX, 0), (DEPTH_MAX + 1, 2), (600, 2)])
def test_branches_are_written_as_deep_as_they_are_read(tmp_path: Path, depth: int, code: int) -> None:
    store = store_of(tmp_path, {}, [Grown(number, 0, f"m{number + 1}") for number in range(depth)])
    ran = exported(store)
    assert ran.code == code
    if code:
        assert ran.out == "" and f"variations may be nested at most {DEPTH_MAX} deep" in ran.message
    else:
        assert taken_in(tmp_path, ran.out) == read_records(store)


REFUSED = {
    "two of one id": ({}, [Grown(0, 4, "x"), Grown(1, 4, "x")], "two matches in one file would have the id x"),
    "the match's own id": ({}, [Grown(0, 4, "m0")], "two matches in one file would have the id m0"),
    "no id": ({}, [Grown(0, 4, "a b")], "'a b' cannot be a match id"),
    "a match without an id": ({"match": "a b"}, [Grown(0, 4, "m1")], "'a b' cannot be a match id"),
    "a line too long": ({}, [Grown(0, 4, "m1", {}, (Noted(by="judge", text="x" * LONG),))], "line"),
    "a time before all times": ({}, [Grown(0, 4, "m1", {}, (Noted(by="judge", text="x", at=-1),))], ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_could_not_be_taken_in_is_not_written(tmp_path: Path, name: str) -> None:
    main, grown, why = REFUSED[name]
    ran = exported(store_of(tmp_path, main, grown))
    assert (ran.code, ran.out) == (2, "") and "match " in ran.message and why in ran.message


@pytest.mark.parametrize(("old", "new"), [("(branch 5 m1", '(branch 5 "a b"'), ("(branch 5 m1", "(branch 5 m0")])
def test_a_file_whose_branches_cannot_all_be_taken_in_leaves_nothing(tmp_path: Path, old: str, new: str) -> None:
    text = exported(store_of(tmp_path, {}, [Grown(0, 4, "m1")])).out
    assert old in text
    (tmp_path / "odd.spn").write_text(text.replace(old, new), encoding="utf-8")
    ran = inside(tmp_path / "other.sqlite", "import", tmp_path / "odd.spn")
    assert (ran.code, ran.out) == (2, "") and contents(tmp_path / "other.sqlite") == {}


def test_a_branch_that_is_another_record_in_the_store_keeps_the_whole_file_out(tmp_path: Path) -> None:
    text = exported(store_of(tmp_path, {}, [Grown(0, 4, "m1")])).out
    (tmp_path / "all.spn").write_text(text, encoding="utf-8")
    other = tmp_path / "other.sqlite"
    fine(other, "import", DISPUTED, "--match", "m1")
    before = contents(other)
    ran = inside(other, "import", tmp_path / "all.spn")
    assert (ran.code, ran.out) == (2, "") and "nothing was recorded" in ran.message and contents(other) == before
