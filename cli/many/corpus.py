"""Packed corpora: pack, unpack, inspect and sample."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from archive.corpus import reader, sources, writer
from archive.corpus.errors import CorpusError
from archive.corpus.reader import Corpus
from archive.corpus.sources import Source
from archive.corpus.writer import States
from archive.regress import index as indexes
from cli.answer import Answer
from cli.context import CommandContext, quote_input
from cli.many.simulate import ENDINGS, folder_of, record_text
from cli.outputs import distinct, write_whole
from cli.problems import FINDINGS, FINE, CommandError
from cli.progress import Asked, Jobs, LongTask, show_progress, warn_of_lost
from cli.values import Format, Paths
from domain.formats.errors import FormatError
from domain.law.entries import opened_of
from domain.words.foreign import explain_system_error
from domain.words.lines import clip
from recorder import codec
from recorder.pool import cores

File = Annotated[str, "FILE"]

SUFFIX = ".corpus"


def pack(
    ctx: CommandContext,
    file: File,
    paths: Paths,
    append: Annotated[bool, "--append"] = False,
    resume: Annotated[bool, "--resume"] = False,
    progress: Asked = False,
) -> None:
    with ExitStack() as opened:
        existing = opened.enter_context(reader.open_corpus(file)) if resume and Path(file).exists() else None
        write = writer.pack if existing is None and not append else writer.append
        long = opened.enter_context(
            LongTask(ctx, "corpus.packing", lambda: sources.count(paths), progress, lambda done: "--resume")
        )
        try:
            done = write(file, _packable(ctx, long.steps(sources.sources(paths)), existing))
        except CorpusError as error:
            if error.trouble != "missing" or (existing is None and not long.stopped):
                raise
            if existing is None:
                return  # interrupted before the first match
            done = existing.info()  # the corpus already has all of them
    ctx.screen.line(_describe_corpus(ctx, done))


def _packable(ctx: CommandContext, coming: Iterable[Source], existing: Corpus | None) -> Iterator[tuple[str, States]]:
    names = frozenset(() if existing is None else existing.ids)
    for source in coming:
        if existing is not None and _holds(existing, names, source):
            continue
        loaded = sources.load(source, checked=True)
        if isinstance(loaded, sources.UnreadableMatch):
            raise ctx.refuse(loaded.why)
        yield sources.id_of(source, loaded), sources.states(source) or loaded.entries


def _holds(existing: Corpus, names: Collection[str], source: Source) -> bool:
    match = sources.load(source)
    if isinstance(match, sources.UnreadableMatch) or (name := sources.id_of(source, match)) not in names:
        return False
    return existing.states(name) == (sources.states(source) or [codec.encode(entry) for entry in match.entries])


def index(ctx: CommandContext, file: File, jobs: Jobs = None, progress: Asked = False) -> int:
    """Write an index next to a corpus with the values that judging each match reads."""
    try:
        with show_progress(ctx.screen, ctx.say("corpus.indexing"), lambda: sources.count([file]), progress) as step:
            built, bad = indexes.build(file, jobs or cores(), warn_of_lost(ctx), step)
        path = indexes.save(built, file)
    except OSError as error:
        raise ctx.problem("cli.unwritable", file=quote_input(file), detail=explain_system_error(error)) from None
    ctx.print_message("corpus.indexed", file=str(path), n=len(built.rows), fields=len(built.fields))
    for match in bad:
        ctx.warn(f"{match.name}: {match.why.say(ctx.lang)}")
    return FINDINGS if bad else FINE


class UnreadableCorpusMatch(Struct, frozen=True):
    match: str
    at: int
    why: str


class CorpusReport(reader.Info, frozen=True):
    """Contents of a corpus. `bad` has its damaged matches, if checked."""

    bad: tuple[UnreadableCorpusMatch, ...] | UnsetType = UNSET


class Sampled(Struct, frozen=True):
    game: str
    matches: tuple[str, ...]


def info(ctx: CommandContext, file: File, check: Annotated[bool, "--check"] = False) -> Answer[CorpusReport]:
    """Show the contents of a corpus. `check` verifies the checksums of every match."""
    with reader.open_corpus(file) as corpus:
        about = corpus.info()
        bad = list(corpus.check()) if check else []

    def draw() -> None:
        head = (about.game, str(about.format), str(about.matches), f"{about.entries:,}", f"{about.bytes:,}")
        names = ("game", "format", "matches", "entries", "bytes")
        ctx.table(names, [head])
        ctx.screen.line()
        for key, counted in (("head.version", about.versions), ("head.rules", about.rules)):
            ctx.screen.table([ctx.say(key), ctx.say("head.matches")], [(what, str(n)) for what, n in counted.items()])
        if check and not bad:
            ctx.print_message("corpus.sound", "good", n=about.matches)

    damaged = (
        tuple(UnreadableCorpusMatch(damage.match, damage.at, str(damage.text)) for damage in bad) if check else UNSET
    )
    beside = partial(ctx.warn, *(damage.text.say(ctx.lang) for damage in bad))
    return Answer(lambda: CorpusReport(**asdict(about), bad=damaged), draw, FINDINGS if bad else FINE, beside)


def unpack(
    ctx: CommandContext,
    file: File,
    out: Annotated[str, "--out DIR"],
    form: Format = "jsonl",
    rescue: Annotated[bool, "--rescue"] = False,
    progress: Asked = False,
) -> int:
    """Write every match to its file. Without `rescue`, a damaged match prevents any output."""
    if rescue:
        return _rescue(ctx, file, out, form)
    with reader.open_corpus(file) as corpus:
        _check(corpus, corpus.ids)
        ctx.screen.line(_write_matches(ctx, corpus, corpus.ids, out, form, progress))
        return FINE


def _rescue(ctx: CommandContext, file: str, out: str, form: str) -> int:
    """Write every intact match, in file order, and warn of the damaged parts."""
    folder, taken, broken = None, 0, 0
    for found in reader.scan(file):
        if isinstance(found, reader.CorpusDamage):
            broken += 1
            ctx.warn(found.text.say(ctx.lang))
            continue
        folder, match = folder or folder_of(ctx, out), found.row.match
        distinct(ctx, {"--out": str(folder / f"{match}.{ENDINGS[form]}")}, (), (file,))
        try:
            _write(ctx, folder, match, found.states, form)
        except FormatError as error:
            broken += 1
            ctx.warn(_unwritten(ctx, file, match, error))
        else:
            taken += 1
    ctx.print_message("corpus.taken", n=taken, out=out)
    return FINDINGS if broken else FINE


def sample(
    ctx: CommandContext,
    file: File,
    matches: Annotated[int, "--matches N"],
    seed: Annotated[int, "--seed S"] = 1,
    out: Annotated[str | None, "--out FILE|DIR"] = None,
    form: Format = "jsonl",
) -> Answer[Sampled]:
    """Draw random matches: print their ids, or write them as a corpus or files."""
    ctx.check_seeds(seed)
    with reader.open_corpus(file) as corpus:
        if not 1 <= matches <= len(corpus):
            raise ctx.problem("corpus.bad_count", file=file, count=clip(matches), most=len(corpus))
        ids = corpus.sample(matches, seed)
        texts = ids if out is None else (_write_selection(ctx, corpus, ids, out, form),)
        sampled = Sampled(corpus.game, ids)

    def draw() -> None:
        for text in texts:
            ctx.screen.line(text)

    return Answer(lambda: sampled, draw)


def _write_selection(ctx: CommandContext, corpus: reader.Corpus, ids: tuple[str, ...], out: str, form: str) -> str:
    if not out.endswith(SUFFIX):
        _check(corpus, ids)
        return _write_matches(ctx, corpus, ids, out, form)
    return _describe_corpus(ctx, writer.pack(out, ((match, corpus.states(match)) for match in ids)))


def _describe_corpus(ctx: CommandContext, done: reader.Info) -> str:
    return ctx.say("corpus.packed", file=done.file, n=done.matches, game=done.game, bytes=f"{done.bytes:,}")


def _check(corpus: Corpus, ids: Iterable[str]) -> None:
    """Read all requested matches, so that damage is found before any output."""
    for match in ids:
        corpus.match(match)


def _write_matches(
    ctx: CommandContext, corpus: Corpus, ids: Collection[str], out: str, form: str, progress: bool = False
) -> str:
    folder = folder_of(ctx, out)
    for match in ids:
        distinct(ctx, {"--out": str(folder / f"{match}.{ENDINGS[form]}")}, (), (corpus.name,))
    with LongTask(ctx, "corpus.unpacking", lambda: len(ids), progress) as long:
        for match in long.steps(ids):
            try:
                _write(ctx, folder, match, corpus.states(match), form)
            except FormatError as error:
                raise CommandError(_unwritten(ctx, corpus.name, match, error)) from None
    return ctx.say("corpus.taken", n=long.done, out=out)


def _unwritten(ctx: CommandContext, file: str, match: str, error: FormatError) -> str:
    return ctx.say("corpus.match", file=file, match=match, why=error.message)


def _write(ctx: CommandContext, folder: Path, match: str, states: Sequence[bytes], form: str) -> None:
    if form == "jsonl":
        text = codec.to_json_lines(states)
    else:
        entries = [codec.decode(state) for state in states]
        text = record_text(ctx.game(opened_of(entries).game), entries, form)
    write_whole(ctx, folder / f"{match}.{ENDINGS[form]}", text)
