"""Packed corpora: many matches in one file, packed, taken out again, counted and sampled."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from cli.context import Desk, clipped, shown
from cli.outputs import distinct, write_whole
from cli.problems import FINDINGS, FINE, Problem
from cli.progress import Jobs, lost, processes
from cli.registry import Command, Json
from cli.simulating import ENDINGS, Format, folder_of, record_text
from domain.words.foreign import system

if TYPE_CHECKING:
    from corpus.reading import Corpus
    from corpus.writing import States
    from domain.formats.errors import FormatError

File = Annotated[str, typer.Argument(metavar="FILE", show_default=False)]
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", show_default=False)]
Append = Annotated[bool, typer.Option("--append")]
Rescue = Annotated[bool, typer.Option("--rescue")]
Check = Annotated[bool, typer.Option("--check")]
Folder = Annotated[str, typer.Option("--out", metavar="DIR", show_default=False)]
Out = Annotated[str | None, typer.Option("--out", metavar="FILE|DIR", show_default=False)]
Count = Annotated[int, typer.Option("--matches", metavar="N", show_default=False)]
Seed = Annotated[int, typer.Option("--seed", metavar="S")]


SUFFIX = ".corpus"


def pack(desk: Desk, file: File, paths: Paths, append: Append = False) -> None:
    """Write the matches of stores, folders, files and corpora into one file."""
    from corpus import writing
    from corpus.troubles import CorpusError

    try:
        done = (writing.append if append else writing.pack)(file, _packable(desk, paths))
    except CorpusError as error:
        raise desk.refuse(error.text) from None
    desk.screen.line(desk.say("corpus.packed", file=done.file, n=done.matches, game=done.game, bytes=f"{done.bytes:,}"))


def _packable(desk: Desk, paths: Iterable[str]) -> "Iterator[tuple[str, States]]":
    from corpus import sources

    for source in sources.sources(paths):
        loaded = sources.load(source, checked=True)
        if isinstance(loaded, sources.Bad):
            raise desk.refuse(loaded.why)
        yield sources.id_of(source, loaded), sources.states(source) or loaded


def index(desk: Desk, file: File, jobs: Jobs = None) -> int:
    """Note beside a corpus what deciding each of its matches reads."""
    from corpus.troubles import CorpusError
    from regress import index as indexes

    together = processes(desk, jobs)
    try:
        built, bad = indexes.build(file, together, lost(desk))
        path = indexes.save(built, file)
    except CorpusError as error:
        raise desk.refuse(error.text) from None
    except OSError as error:
        raise desk.problem("cli.unwritable", file=shown(file), detail=system(error)) from None
    desk.screen.line(desk.say("corpus.indexed", file=str(path), n=len(built.rows), fields=len(built.fields)))
    for one in bad:
        desk.screen.aside(f"shinpan: {one.name}: {one.why.say(desk.lang)}")
    return FINDINGS if bad else FINE


def info(desk: Desk, file: File, check: Check = False, as_json: Json = False) -> int:
    """What a corpus holds; with `check` every match is held against its checksums."""
    with _opened(desk, file) as corpus:
        found = corpus.info()
        bad = list(corpus.check()) if check else []
    if as_json:
        more = {"bad": [{"match": one.match, "at": one.at, "why": str(one.text)} for one in bad]} if check else {}
        desk.screen.json(msgspec.to_builtins(found) | more)
    else:
        head = (found.game, str(found.format), str(found.matches), f"{found.entries:,}", f"{found.bytes:,}")
        names = ("game", "format", "matches", "entries", "bytes")
        desk.screen.table([desk.say(f"head.{one}") for one in names], [head])
        desk.screen.line()
        for key, counted in (("head.version", found.versions), ("head.rules", found.rules)):
            desk.screen.table([desk.say(key), desk.say("head.matches")], [(one, str(n)) for one, n in counted.items()])
        if check and not bad:
            desk.screen.line(desk.say("corpus.sound", n=found.matches), "good")
    for one in bad:
        desk.screen.aside(f"shinpan: {one.text.say(desk.lang)}")
    return FINDINGS if bad else FINE


def unpack(desk: Desk, file: File, out: Folder, form: Format = "jsonl", rescue: Rescue = False) -> int:
    """Write every match into a file of its own; nothing is written if one of them is damaged, but for a rescue."""
    _known(desk, form)
    if rescue:
        return _rescue(desk, file, out, form)
    with _opened(desk, file) as corpus:
        _sound(desk, corpus)
        _take_out(desk, corpus, corpus.ids, out, form)
        return FINE


def _rescue(desk: Desk, file: str, out: str, form: str) -> int:
    """Whatever is whole, from the front to the back, and what is not."""
    from corpus import reading
    from corpus.troubles import CorpusError
    from domain.formats.errors import FormatError

    folder, taken, broken = None, 0, 0
    try:
        for one in reading.scan(file):
            if isinstance(one, reading.Broken):
                broken += 1
                desk.screen.aside(f"shinpan: {one.text.say(desk.lang)}")
                continue
            folder = folder or folder_of(desk, out)
            distinct(desk, {"--out": str(folder / f"{one.row.match}.{ENDINGS[form]}")}, (), (file,))
            try:
                _write(desk, folder, one.row.match, one.states, form)
            except FormatError as error:
                broken += 1
                desk.screen.aside(f"shinpan: {_unwritten(desk, file, one.row.match, error)}")
            else:
                taken += 1
    except CorpusError as error:
        raise desk.refuse(error.text) from None
    desk.screen.line(desk.say("corpus.taken", n=taken, out=out))
    return FINDINGS if broken else FINE


def sample(
    desk: Desk,
    file: File,
    matches: Count,
    seed: Seed = 1,
    out: Out = None,
    form: Format = "jsonl",
    as_json: Json = False,
) -> int:
    """Some matches by chance: their ids, or a corpus or files of them."""
    from corpus import writing
    from corpus.troubles import CorpusError
    from recorder.croupier import SEED_BYTES

    _known(desk, form)
    if not 0 <= seed < 2 ** (8 * SEED_BYTES):
        raise desk.problem("cli.bad_seed", seed=clipped(seed), bits=8 * SEED_BYTES)
    with _opened(desk, file) as corpus:
        if not 1 <= matches <= len(corpus):
            raise desk.problem("corpus.bad_count", file=file, count=clipped(matches), most=len(corpus))
        ids = corpus.sample(matches, seed)
        if as_json:
            desk.screen.json({"game": corpus.game, "matches": list(ids)})
        if out is None:
            for one in ids if not as_json else ():
                desk.screen.line(one)
        elif out.endswith(SUFFIX):
            try:
                done = writing.pack(out, ((one, corpus.states(one)) for one in ids))
            except CorpusError as error:
                raise desk.refuse(error.text) from None
            if not as_json:
                values = {"file": done.file, "n": done.matches, "game": done.game, "bytes": f"{done.bytes:,}"}
                desk.screen.line(desk.say("corpus.packed", **values))
        else:
            _sound(desk, corpus, ids)
            _take_out(desk, corpus, ids, out, form, quiet=as_json)
        return FINE


def _opened(desk: Desk, file: str) -> "Corpus":
    from corpus import reading
    from corpus.troubles import CorpusError

    try:
        return reading.open_corpus(file)
    except CorpusError as error:
        raise desk.refuse(error.text) from None


def _sound(desk: Desk, corpus: "Corpus", ids: Iterable[str] | None = None) -> None:
    """Nothing is written before every match that is asked for was read."""
    from corpus.troubles import CorpusError

    try:
        for one in corpus.ids if ids is None else ids:
            corpus.match(one)
    except CorpusError as error:
        raise desk.refuse(error.text) from None


def _known(desk: Desk, form: str) -> None:
    if form not in ENDINGS:
        raise desk.problem("cli.no_format", form=shown(form), allowed=", ".join(ENDINGS))


def _take_out(desk: Desk, corpus: "Corpus", ids: Iterable[str], out: str, form: str, quiet: bool = False) -> None:
    from corpus.troubles import CorpusError
    from domain.formats.errors import FormatError

    ids = tuple(ids)
    folder, taken = folder_of(desk, out), 0
    for one in ids:
        distinct(desk, {"--out": str(folder / f"{one}.{ENDINGS[form]}")}, (), (corpus.name,))
    for one in ids:
        try:
            _write(desk, folder, one, corpus.states(one), form)
        except CorpusError as error:
            raise desk.refuse(error.text) from None
        except FormatError as error:
            raise Problem(_unwritten(desk, corpus.name, one, error)) from None
        taken += 1
    if not quiet:
        desk.screen.line(desk.say("corpus.taken", n=taken, out=out))


def _unwritten(desk: Desk, file: str, match: str, error: "FormatError") -> str:
    return desk.say("corpus.match", file=file, match=match, why=error.message)


def _write(desk: Desk, folder: Path, match: str, states: Sequence[bytes], form: str) -> None:
    """One match; as JSON Lines it is what the corpus holds, with all fields. Raises FormatError, as notation."""
    from domain.law.entries import Opened
    from recorder import codec

    if form == "jsonl":
        text = b"".join(codec.to_json_line(one) + b"\n" for one in states)
    else:
        entries = [codec.decode(one) for one in states]
        assert isinstance(entries[0], Opened)
        text = record_text(desk.game(entries[0].game), entries, form)
    write_whole(desk, folder / f"{match}.{ENDINGS[form]}", text)


COMMANDS: dict[str, Command] = {
    "pack": pack,
    "unpack": unpack,
    "info": info,
    "sample": sample,
    "index": index,
}
