"""Corpora that lie elsewhere: read by ranges, the same as here, each byte about once; and all that goes wrong there."""

import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import fsspec
import pytest

from corpus import addresses, elsewhere, form, ranges, sources, web as over_http
from corpus.ranges import GRAIN, Ranges
from corpus.reading import Whole, open_corpus, scan
from corpus.troubles import AddressError, CorpusError
from corpus.writing import append, pack
from domain.law.record import Record
from recorder import codec
from tests.cli.forks import ROOT
from tests.corpus.served import Answer, Web, web
from tests.corpus.small_files import FIRST, place_of, real, saved, toy

SCHEMES = ("memory", "file", "http")
MATCHES = 200
LIST = 3
"""Which of the spoiled files has lost nothing but the list."""


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_http, "PAUSE", 0)


@pytest.fixture(scope="module")
def served() -> Iterator[Web]:
    with web() as held:
        yield held


@pytest.fixture
def server(served: Web) -> Iterator[Web]:
    served.spoil = lambda number, answer: answer
    served.files.clear()
    served.forget()
    yield served


@dataclass
class Elsewhere:
    """A place where a file can be put, and by which address it is named then."""

    server: Web
    folder: Path

    def put(self, scheme: str, name: str, data: bytes) -> str:
        path = f"{self.folder.name}/{name}"
        match scheme:
            case "memory":
                fsspec.filesystem("memory").pipe_file(f"/{path}", data)
                return f"memory://{path}"
            case "file":
                (self.folder / name).write_bytes(data)
                return f"file://{self.folder / name}"
        self.server.files[f"/{path}"] = data
        return f"{self.server.url}/{path}"


@pytest.fixture
def there(server: Web, tmp_path: Path) -> Elsewhere:
    return Elsewhere(server, tmp_path)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("large") / "large.corpus"
    pack(path, ((f"m{n}", real("blackpoker", 1 + n % 3)) for n in range(MATCHES)))
    return path.read_bytes()


def said(name: str) -> tuple[str, str]:
    """What is wrong with a corpus, in a word and in a sentence."""
    with pytest.raises((AddressError, CorpusError)) as caught, open_corpus(name) as corpus:
        for match in corpus.ids:
            corpus.match(match)
    error: AddressError | CorpusError = pickle.loads(pickle.dumps(caught.value))
    assert "\n" not in str(error.text) and error.text.say("ja") != error.text.say("en")
    return "away" if isinstance(error, AddressError) else error.trouble, error.text.say("en")


# -- the same as here -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_corpus_is_the_same_wherever_it_lies(there: Elsewhere, tmp_path: Path, scheme: str) -> None:
    here = saved(tmp_path)
    name = there.put(scheme, "there.corpus", here.read_bytes())
    with open_corpus(here) as one, open_corpus(name) as other:
        assert (one.rows, one.game, one.sample(2, 7)) == (other.rows, other.game, other.sample(2, 7))
        assert [one.states(match) for match in one.ids] == [other.states(match) for match in one.ids]
        assert one.salvage("t1") == other.salvage("t1") and list(other.check()) == []
        told = [corpus.info() for corpus in (one, other)]
        assert (told[0].bytes, told[0].matches, told[1].file) == (told[1].bytes, told[1].matches, name)
    assert list(scan(here)) == list(scan(name))
    found = [list(sources.sources([where, where])) for where in (here, name)]
    assert [source.name.removeprefix(f"{here}:") for source in found[0]] == [
        source.name.removeprefix(f"{name}:") for source in found[1]
    ]
    for source in found[1]:
        sent = pickle.loads(pickle.dumps(source))
        assert isinstance(sources.load(sent), sources.Bad)  # nobody knows the toy's law: it was read
        assert sources.whole(sent) and sources.states(sent)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_wrong_with_a_file_is_told_as_of_one_that_lies_here(
    there: Elsewhere, tmp_path: Path, scheme: str
) -> None:
    here = saved(tmp_path)
    sound = here.read_bytes()
    at = place_of(here, "t2")[5]
    spoiled = sound[:at] + bytes((sound[at] ^ 1,)) + sound[at + 1 :]
    pages = (sound[:at] + bytes(1024) + sound[at + 1024 :] for at in (2048, 3072))
    for number, data in enumerate((b"", spoiled, sound + b"x", *pages)):
        here.write_bytes(data)
        name = there.put(scheme, f"{number}.corpus", data)
        trouble, text = said(name)
        assert (trouble, text.replace(name, str(here))) == said(str(here)), number
        if data:
            texts = [
                [str(match.text) for match in scan(where) if not isinstance(match, Whole)] for where in (here, name)
            ]
            assert texts[0] == [text.replace(name, str(here)) for text in texts[1]]
            assert bool(texts[0]) == (number != LIST), "without their list matches are rescued all the same"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_truncated_file_is_told_and_what_is_whole_in_it_is_rescued(
    there: Elsewhere, tmp_path: Path, scheme: str
) -> None:
    here = saved(tmp_path)
    sound = here.read_bytes()
    name = there.put(scheme, "cut.corpus", sound[: len(sound) - 1024])
    assert said(name) == (
        "cut",
        f"{name} is truncated: it ends at byte {len(sound) - 1024} of {len(sound)}; "
        "`shinpan corpus unpack --rescue` takes out what is whole in it",
    )
    here.write_bytes(sound[: len(sound) - 1024])
    rescued = [[match.row for match in scan(where) if isinstance(match, Whole)] for where in (here, name)]
    assert rescued[0] == rescued[1] != []


# -- what is fetched --------------------------------------------------------------------------------------------------


def test_all_matches_in_order_fetch_each_byte_once(there: Elsewhere, large: bytes) -> None:
    name = there.put("http", "large.corpus", large)
    for source in sources.sources([name]):
        assert isinstance(sources.load(source), Record)
    assert len(large) <= there.server.bytes <= len(large) + 2  # one byte tells that the same still lies there
    assert there.server.asked <= 20
    seen = sorted(there.server.given)[1:]
    assert all(before[1] < behind[0] for before, behind in pairwise(seen))


def test_one_match_out_of_many_takes_a_few_ranges(there: Elsewhere, tmp_path: Path) -> None:
    states = [codec.encode(entry) for entry in real("blackpoker", 1)]
    pack(tmp_path / "many.corpus", ((f"m{n}", states) for n in range(1500)))
    data = (tmp_path / "many.corpus").read_bytes()
    name = there.put("http", "many.corpus", data)
    with open_corpus(name) as corpus:
        opening = there.server.bytes
        assert opening < 0.04 * len(data) and there.server.asked <= 8
        assert corpus.states("m1234") == states
    assert there.server.bytes - opening < 6 * GRAIN and there.server.asked <= 12
    assert there.server.bytes < 0.05 * len(data)


def test_a_corpus_of_the_form_before_is_read_and_becomes_one_of_this(there: Elsewhere) -> None:
    old = ROOT / "tests" / "frozen" / "corpus-2.corpus"
    name = there.put("http", "old.corpus", old.read_bytes())
    with open_corpus(old) as here, open_corpus(name) as corpus:
        assert corpus.info().format == here.info().format == form.FORMAT - 1
        assert corpus.rows == here.rows and corpus.states("t2") == here.states("t2")
    (there.folder / "new.corpus").write_bytes(old.read_bytes())
    append(there.folder / "new.corpus", [("t9", toy("t9"))])
    with open_corpus(old) as here, open_corpus(there.folder / "new.corpus") as corpus:
        assert (corpus.rows[:-1], corpus.info().format) == (here.rows, form.FORMAT)


def test_what_several_processes_are_handed_is_fetched_about_once(there: Elsewhere, large: bytes) -> None:
    name = there.put("http", "large.corpus", large)
    listed = list(sources.sources([name]))
    chunks = [listed[at : at + 16] for at in range(0, len(listed), 16)]
    for turn in (0, 1):  # as one of two processes would, each with blocks of its own
        elsewhere._reached.cache_clear()
        sources._corpus_at.cache_clear()
        for chunk in chunks[turn::2]:
            sources.announce(chunk)
            assert all(isinstance(sources.load(source), Record) for source in chunk)
    assert there.server.bytes < 1.35 * len(large), there.server.bytes / len(large)


def test_no_more_is_fetched_ahead_than_was_announced() -> None:
    asked: list[tuple[int, int]] = []
    content = bytes(range(256)) * 4096
    held = Ranges("x", Counted(content, asked))
    assert held.read(5, 10) == content[5:15] and asked == [(0, GRAIN)]
    held.expect(3 * GRAIN)
    for at in range(20 * GRAIN, 24 * GRAIN, 1024):
        assert held.read(at, 1024) == content[at : at + 1024]
    assert asked[1:] == [(20 * GRAIN, 21 * GRAIN), (21 * GRAIN, 23 * GRAIN), (23 * GRAIN, 24 * GRAIN)]
    assert held.read(len(content) - 3, 10) == content[-3:] and held.read(len(content), 1) == b""


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "KEPT", 4)
    asked: list[tuple[int, int]] = []
    content = bytes(range(256)) * 1024
    held = Ranges("x", Counted(content, asked))
    for at in (*range(0, len(content), 2 * GRAIN), 0, 0):
        assert held.read(at, 100) == content[at : at + 100]
    assert len(held._blocks) <= 4 and asked.count((0, GRAIN)) == 2


class Counted:
    """Bytes here, and what is asked of them."""

    def __init__(self, data: bytes, asked: list[tuple[int, int]]) -> None:
        self.data, self.asked = data, asked
        self.size, self.stamp, self.first = len(data), "1", b""

    def fetch(self, start: int, end: int) -> bytes:
        self.asked.append((start, end))
        return self.data[start:end]

    def stamp_now(self) -> str:
        return self.stamp


# -- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "nothing lies at this address"),
        (410, "nothing lies at this address"),
        (403, "may not be read by who asks for it (403)"),
        (500, "cannot be read: the server answers 500"),
        (418, "cannot be read: the server answers 418"),
    ],
)
def test_what_a_server_answers_is_told(there: Elsewhere, large: bytes, status: int, words: str) -> None:
    name = there.put("http", "a.corpus", large)
    there.server.spoil = lambda number, answer: (status, {}, b"secret")
    assert said(name) == ("away", f"{name}{':' if status in (404, 410) else ''} {words}")


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda data, answer: (200, answer[1], data),
        lambda data, answer: (206, {}, answer[2]),
        lambda data, answer: (206, answer[1] | {"Content-Encoding": "gzip"}, answer[2]),
        lambda data, answer: (206, answer[1] | {"Content-Range": f"bytes 1-16384/{len(data)}"}, answer[2]),
        lambda data, answer: (206, answer[1], answer[2] + b"x"),
    ],
)
def test_a_server_that_gives_no_parts_is_told_and_no_whole_file_is_fetched(
    there: Elsewhere, large: bytes, spoiled: Callable[[bytes, Answer], Answer]
) -> None:
    name = there.put("http", "a.corpus", large)
    there.server.spoil = lambda number, answer: spoiled(large, answer)
    trouble, text = said(name)
    assert trouble == "away" and "gives whole files only" in text and there.server.asked == 1


def test_a_connection_that_breaks_is_tried_again_and_told_if_it_stays_so(there: Elsewhere, large: bytes) -> None:
    name = there.put("http", "a.corpus", large)
    there.server.spoil = lambda number, answer: None if number % 2 else answer
    with open_corpus(name) as corpus:
        assert all(corpus.states(match) for match in corpus.ids)
    there.server.forget()
    other = there.put("http", "b.corpus", large)
    there.server.spoil = lambda number, answer: answer if number < 4 else None
    assert said(other) == ("away", f"{other} could not be read to the end: the connection broke; try again")
    short = {"Content-Length": "99999", "Connection": "close"}
    there.server.spoil = lambda number, answer: (206, answer[1] | short, answer[2])
    assert said(there.put("http", "c.corpus", large))[1].endswith("the connection broke; try again")
    gone = "http://127.0.0.1:9/a.corpus"
    assert said(gone) == ("away", f"{gone} could not be read to the end: the server cannot be reached; try again")


def test_what_is_damaged_and_not_reached_any_more_is_told_of_no_match(there: Elsewhere, tmp_path: Path) -> None:
    sound = saved(tmp_path).read_bytes()
    at = form.PAGE  # where the head lies
    name = there.put("http", "a.corpus", sound[:at] + bytes(form.PAGE) + sound[at + form.PAGE :])
    assert list(scan(name))
    elsewhere._reached.cache_clear()
    there.server.forget()
    there.server.spoil = lambda number, answer: answer if number == 1 else (403, {}, b"")
    with pytest.raises(AddressError, match="may not be read"):
        list(scan(name))


def test_a_server_that_says_nothing_is_not_waited_for(
    there: Elsewhere, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from threading import Event

    monkeypatch.setattr(over_http, "ANSWER", 0.1)
    name, late = there.put("http", "a.corpus", large), Event()
    there.server.spoil = lambda number, answer: answer if not late.wait(60) else None
    assert said(name) == ("away", f"{name} could not be read to the end: no answer came in time; try again")
    late.set()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_file_that_is_replaced_between_two_ranges_is_noticed(
    there: Elsewhere, large: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setattr(ranges, "KEPT", 32)
    path = tmp_path / "other.corpus"
    pack(path, ((f"m{n}", real("blackpoker", 7 + n % 3)) for n in range(MATCHES)))
    same_length = bytearray(large)
    same_length[-5000:] = bytes(5000)
    for number, data in enumerate((path.read_bytes(), bytes(same_length))):
        name = there.put(scheme, f"{number}.corpus", large)
        listed = list(sources.sources([name]))
        with open_corpus(name) as corpus:
            there.put(scheme, f"{number}.corpus", data)
            with pytest.raises(AddressError) as caught:
                for match in corpus.ids:
                    corpus.match(match)
        changed = f"{name} was replaced by another file while it was read: try again"
        assert caught.value.text.say("en") == changed
        elsewhere._reached.cache_clear()  # as another process, which was told of the matches that were listed
        with pytest.raises(AddressError) as caught:
            sources.load(listed[-1])
        assert caught.value.text.say("en") == changed


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_that_is_replaced_is_read_anew_when_it_is_opened_again(
    there: Elsewhere, tmp_path: Path, scheme: str
) -> None:
    here = tmp_path / "a.corpus"
    pack(here, [(one, toy(one)) for one in FIRST])
    name = there.put(scheme, "there.corpus", here.read_bytes())
    with open_corpus(name) as corpus:
        assert len(corpus) == len(FIRST)
    append(here, [("t9", toy("t9"))])
    there.put(scheme, "there.corpus", here.read_bytes())
    with open_corpus(name) as corpus:
        assert corpus.ids == (*FIRST, "t9") and all(corpus.states(match) for match in corpus.ids)


def test_what_is_no_corpus_is_refused_with_what_can_be_read(there: Elsewhere, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as db:
        db.execute("CREATE TABLE meta (key)")
        db.commit()
    store = there.put("http", "s.sqlite", (tmp_path / "store.sqlite").read_bytes())
    assert said(store) == (
        "away",
        f"{store} is a database, but no packed corpus: of an address only packed corpora are read "
        "(shinpan corpus pack makes one of a store)",
    )
    record = there.put("http", "m.spn", b'[Game "blackpoker"]\n' * 10)
    assert said(record) == ("away", f"{record} is not a packed corpus: of an address nothing else is read")
    for folder in (f"file://{tmp_path}", "s3://league/", f"{there.server.url}/en/"):
        assert f"{folder} is a folder: of an address only a packed corpus is read" in said(folder)[1]


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, there: Elsewhere, large: bytes) -> None:
    known: dict[str, Any] = sys.modules["fsspec.registry"].known_implementations
    monkeypatch.setitem(known, "nowhere", {"class": "nowherefs.Files", "err": "Install nowherefs"})
    name = "nowhere://a/b.corpus"
    assert said(name) == (
        "away",
        f"{name}: nowhere://... takes a package that is not installed: pip install nowherefs",
    )
    assert said("foo://a/b")[1].startswith("foo://a/b: there is no way to read foo://...")
    name = there.put("http", "a.corpus", large)
    for module, ours in (("apsw", "corpus.vfs"), ("httpx", "corpus.web")):
        with monkeypatch.context() as without:
            elsewhere._reached.cache_clear()
            without.setitem(sys.modules, module, None)
            without.delitem(sys.modules, ours, raising=False)
            trouble, text = said(name)
        assert trouble == "away" and f"({module} is missing): pip install 'shinpan[remote]'" in text


# -- names ------------------------------------------------------------------------------------------------------------


def test_no_name_lets_anybody_in(there: Elsewhere, large: bytes) -> None:
    plain = there.put("http", "a.corpus", large)
    whole = plain.replace("://", "://judge:geheim@") + "?signature=s3cret#part"
    name = addresses.name_of(whole)
    assert name.startswith(f"{plain}?") and not any(word in name for word in ("judge", "geheim", "s3cret", "part"))
    assert addresses.name_of(name) == name and addresses.name_of(whole) == name
    assert addresses.name_of(whole + "2") != name
    with open_corpus(whole) as corpus:
        assert corpus.name == corpus.info().file == name
    with open_corpus(name):  # as a process that was begun from this one
        assert (
            all(there.server.authorized)
            and len(there.server.authorized) > 2
            and there.server.authorized[0].startswith("Basic ")
        )
    there.server.spoil = lambda number, answer: (403, {}, b"")
    assert "geheim" not in said(whole)[1]


@pytest.mark.parametrize(
    "where",
    [
        "https://judge:ge/heim@host/a.corpus",
        "https://judge:12/heim@host/a.corpus",
        "https://judge:12?heim@host/a.corpus",
        "https://judge:ge#heim@host/a.corpus",
        "simplecache::https://judge:geheim@host/a.corpus",
        "https://judge:geheim@host:port/a.corpus",
    ],
)
def test_an_address_that_may_be_read_in_two_ways_is_not_repeated(where: str) -> None:
    trouble, text = said(where)
    assert trouble == "away" and text.startswith("https://... is no address that can be read in one way only")
    assert "heim" not in text.partition(":")[2].replace("%", "") and "judge" not in text


@pytest.mark.parametrize("where", ["a.corpus", "/a/b", "sqlite:///a", "postgresql://u:p@h/d", "C:\\a", "a:b", ""])
def test_paths_and_stores_are_no_addresses(where: str) -> None:
    assert not addresses.is_address(where) and addresses.name_of(where) == where


def test_what_a_driver_says_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise RuntimeError("key AKIA123 is not allowed")

    fsspec.filesystem("memory").pipe_file("/driver/a.corpus", b"x" * 500)
    monkeypatch.setattr(fsspec.implementations.memory.MemoryFileSystem, "cat_file", failing)
    trouble, text = said("memory://driver/a.corpus")
    assert trouble == "away" and "RuntimeError" in text and "AKIA" not in text
