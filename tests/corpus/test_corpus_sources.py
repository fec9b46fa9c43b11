"""Match sources: listed without being read, loaded in any process, and one bad source does not stop the others."""

import os
import pickle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from archive.corpus import sources
from archive.corpus.sources import Source, UnreadableMatch, load as load_record
from archive.corpus.writer import pack
from domain.formats.notation import write_notation
from domain.games import GAMES
from domain.law.entries import Entry, Rewound
from domain.words import LANGS
from recorder import codec
from recorder.store import Store
from tests.cli.runs import shut
from tests.corpus.small_files import place_of, real, toy
from tests.imports import plain

GAME = "blackpoker"


def lines(entries: tuple[Entry, ...]) -> bytes:
    return b"".join(codec.to_json_line(codec.encode(one)) + b"\n" for one in entries)


def everywhere(folder: Path) -> list[Path]:
    files = folder / "files" / "deep"
    files.mkdir(parents=True)
    (files / "a.jsonl").write_bytes(lines(real(GAME, 1)))
    (files.parent / "b.spn").write_text(write_notation(GAMES[GAME], real(GAME, 2)), encoding="utf-8")
    (files / "notes.txt").write_text("nothing", encoding="utf-8")
    with Store.open(folder / "s.sqlite") as store:
        store.append("st3", 0, real(GAME, 3))
        store.append("st4", 0, real(GAME, 4))
    pack(folder / "c.corpus", [("c5", real(GAME, 5)), ("c6", real(GAME, 6))])
    (folder / "single").write_bytes(lines(real(GAME, 7)))
    return [folder / "s.sqlite", folder / "files", folder / "single", folder / "c.corpus"]


SEEDS = [3, 4, 2, 1, 7, 5, 6]
"""Seeds of the matches in listing order: a folder's matches are sorted by file name."""


def test_every_match_is_found_and_loaded(tmp_path: Path) -> None:
    paths = everywhere(tmp_path)
    found = list(sources.sources(paths))
    names = [one.name.removeprefix(f"{tmp_path}/") for one in found]
    assert names == [
        *("s.sqlite:st3", "s.sqlite:st4", "files/b.spn", "files/deep/a.jsonl", "single"),
        *("c.corpus:c5", "c.corpus:c6"),
    ]
    assert {one.game for one in found} == {GAME}, "the game is known before anything is loaded"
    loaded = [load(one) for one in found]
    assert loaded == [real(GAME, seed) for seed in SEEDS]
    records = [load_record(one) for one in found]
    ids = [
        sources.id_of(one, match)
        for one, match in zip(found, records, strict=True)
        if not isinstance(match, UnreadableMatch)
    ]
    assert ids == ["st3", "st4", f"sim-{GAME}-2", f"sim-{GAME}-1", f"sim-{GAME}-7", "c5", "c6"]
    for one, entries in zip(found, loaded, strict=True):
        states = sources.states(one)
        assert states is None or plain(states) == [codec.encode(entry) for entry in entries]
        assert (states is None) == (not one.match)


def test_what_is_named_twice_is_gone_through_once(tmp_path: Path) -> None:
    paths = everywhere(tmp_path)
    assert len(list(sources.sources([*paths, tmp_path, tmp_path / "files" / "b.spn", *paths]))) == len(SEEDS)


def load(source: Source) -> Any:
    loaded = load_record(source)
    return loaded if isinstance(loaded, UnreadableMatch) else loaded.entries


def count(source: Source) -> int:
    loaded = load(source)
    return -1 if isinstance(loaded, UnreadableMatch) else len(loaded)


@pytest.mark.process
def test_a_source_is_loaded_in_another_process(tmp_path: Path) -> None:
    found = list(sources.sources(everywhere(tmp_path)))
    assert [pickle.loads(pickle.dumps(one)) for one in found] == found
    wanted = [len(real(GAME, seed)) for seed in SEEDS]
    assert [count(one) for one in found] == wanted, "and here, so that files are open when the others begin"
    for kind in ("fork", "spawn"):
        with get_context(kind).Pool(2) as pool:  # type: ignore[attr-defined]
            assert pool.map(count, found * 3, 1) == wanted * 3


def test_a_bad_match_is_a_value_and_the_rest_still_runs(tmp_path: Path) -> None:
    paths = everywhere(tmp_path)
    files = tmp_path / "files"
    (files / "c.jsonl").write_bytes(lines(real(GAME, 1))[:-30])
    (files / "d.spn").write_text('[Game "whist"]\n', encoding="utf-8")
    (files / "e.jsonl").touch()
    (files / "f.spn").write_bytes(b'[Game "blackpoker"]\n\xff\n')
    (files / "g.jsonl").write_bytes(lines(toy("t1")))
    (files / "h.jsonl").write_bytes(lines((real(GAME, 1)[0], *real(GAME, 1))))
    (files / "i.spn").write_text("; shinpan view 1\n", encoding="utf-8")
    (files / "j.sqlite").write_bytes(b"SQLite format 3\0" + bytes(3000))
    (files / "k.corpus").write_bytes(b"nothing of the kind")
    pack(files / "l.corpus", [("t1", toy("t1"))])
    data = bytearray((tmp_path / "c.corpus").read_bytes())
    data[place_of(tmp_path / "c.corpus", "c5")[0]] ^= 4
    (tmp_path / "c.corpus").write_bytes(data)
    (files / "m.corpus").write_bytes(data[:-4])
    (tmp_path / "bare").mkdir()
    found = list(sources.sources([*paths, tmp_path / "none", tmp_path / "bare"]))
    loaded = {one.name.removeprefix(f"{tmp_path}/"): load(one) for one in found}
    bad = {name: one for name, one in loaded.items() if isinstance(one, UnreadableMatch)}
    assert set(bad) == {
        *(f"files/{one}" for one in ("c.jsonl", "d.spn", "e.jsonl", "f.spn", "g.jsonl", "h.jsonl", "i.spn")),
        *("files/j.sqlite", "files/k.corpus", "files/l.corpus:t1", "files/m.corpus", "c.corpus:c5", "none", "bare"),
    }
    assert [one for one in loaded.values() if not isinstance(one, UnreadableMatch)] == [
        real(GAME, seed) for seed in (3, 4, 2, 1, 7, 6)
    ]
    for name, one in bad.items():
        assert one.name.removesuffix(":c5") in str(one.why), name
        assert all(one.why.say(lang) for lang in LANGS)
    said = {name: str(one.why) for name, one in bad.items()}
    assert "toy" in said["files/g.jsonl"] and "toy" in said["files/l.corpus:t1"], said
    assert "match c5" in said["c.corpus:c5"] and "entry 2" in said["files/h.jsonl"]
    assert f"ends at byte {len(data) - 4} of" in said["files/m.corpus"] and "no store, record or corpus" in said["bare"]


def test_a_file_that_changed_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "c.corpus"
    for seed in (1, 2):
        path.unlink(missing_ok=True)
        pack(path, [("m", real(GAME, seed))])
        (one,) = sources.sources([path])
        assert load(one) == real(GAME, seed)
    path.unlink()
    gone = load(one)
    assert isinstance(gone, UnreadableMatch) and str(path) in str(gone.why)


def test_a_link_that_leads_nowhere_and_a_pipe_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(lines(real(GAME, 1)))
    (folder / "b.spn").symlink_to("nowhere.spn")
    (folder / "round").symlink_to(".")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sound, *wrong = [load(one) for one in sources.sources([folder, pipe])]
    assert sound == real(GAME, 1)
    assert [one.name for one in wrong if isinstance(one, UnreadableMatch)] == [str(folder / "b.spn"), str(pipe)]


def test_a_folder_that_cannot_be_looked_into_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "a.jsonl").write_bytes(lines(real(GAME, 1)))
    (tmp_path / "shut").mkdir()
    shut(monkeypatch, "shut")
    closed, sound = [load(one) for one in sources.sources([tmp_path])]
    assert isinstance(closed, UnreadableMatch) and closed.name == str(tmp_path / "shut")
    assert "Permission denied" in closed.why.say("en")
    assert sound == real(GAME, 1)


def test_what_cannot_have_happened_is_found_where_it_is_asked_for(tmp_path: Path) -> None:
    impossible = (*real(GAME, 1)[:3], Rewound(to=99, reason="", by=""))
    path = tmp_path / "odd.corpus"
    pack(path, [("odd", impossible), ("even", real(GAME, 2))])
    (odd, bad), (even, sound) = ((match, sources.load(match, checked=True)) for match in sources.sources([path]))
    assert (odd.match, even.match) == ("odd", "even")
    assert isinstance(bad, UnreadableMatch) and "entry 4: rewinds to entry 99" in bad.why.say("en")
    assert not isinstance(sound, UnreadableMatch) and sound.entries == real(GAME, 2)
    assert load(odd) == impossible, "unless it is asked for, that is not looked at twice"
