"""Output files: a command never overwrites its input, never writes two results to one file, and writes whole files."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from archive.corpus.reader import open_corpus
from archive.corpus.writer import pack
from cli import outputs
from cli.context import CommandContext
from cli.drawing import Screen
from cli.problems import CommandError
from tests.cli.forks import PATIENCE
from tests.cli.runs import PROGRAM, ROOT, begin, environment, inside
from tests.corpus.small_files import real

MATCHES = ROOT / "fixtures" / "blackpoker" / "matches"
CHANGE = ("--set", "hand.limit=5", "--jobs", "1")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "a.corpus"
    path.parent.mkdir()
    pack(path, [("m1", real("blackpoker", 1))])
    path.with_name("a.corpus.index").write_bytes(b"held")
    return path


def regress(corpus: Path) -> list[tuple[Any, ...]]:
    link = corpus.parent.parent / "link"
    link.symlink_to(corpus)
    rules, other = corpus.parent.parent / "rules.toml", corpus.parent.parent / "x"
    rules.write_text('version = "blackpoker@8.1-lite"\n', encoding="utf-8")
    return [
        ("regress", corpus, *CHANGE, "--report", corpus),
        ("regress", corpus, *CHANGE, "--report", corpus.parent / ".." / "in" / "a.corpus"),
        ("regress", corpus, *CHANGE, "--sarif", link),
        ("regress", link, *CHANGE, "--sarif", corpus),
        ("regress", corpus, *CHANGE, "--junit", f"{corpus}.index"),
        ("regress", corpus, *CHANGE, "--resume", corpus),
        ("regress", corpus.parent, *CHANGE, "--report", corpus),
        ("regress", corpus.parent, *CHANGE, "--resume", corpus.parent / "work.jsonl"),
        ("regress", corpus, "--rules", rules, "--report", rules),
        ("regress", corpus, *CHANGE, "--report", other, "--junit", other),
        ("regress", corpus, *CHANGE, "--resume", other, "--sarif", other),
        ("coverage", "blackpoker", "--corpus", corpus, "--html", corpus),
        ("coverage", "blackpoker", "--corpus", corpus.parent, "--html", corpus),
    ]


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


def test_no_command_writes_over_what_it_reads_or_twice_into_one_file(corpus: Path, tmp_path: Path) -> None:
    tried = regress(corpus)
    before = read_files(tmp_path)
    for arguments in tried:
        for lang in ("en", "ja"):
            ran = inside("unused", *arguments, "--lang", lang)
            assert (ran.code, ran.out) == (2, ""), (arguments, ran)
            said = re.search(r"[ぁ-ん]", ran.message) if lang == "ja" else "overwritten" in ran.message
            assert said, ran.message
    assert read_files(tmp_path) == before


def test_matches_are_not_taken_out_over_their_corpus(tmp_path: Path) -> None:
    for rescue in ((), ("--rescue",)):
        path = tmp_path / "m1.jsonl"
        path.unlink(missing_ok=True)
        pack(path, [("m1", real("blackpoker", 1))])
        before = read_files(tmp_path)
        ran = inside("unused", "corpus", "unpack", path, "--out", tmp_path, *rescue)
        assert ran.code == 2 and "m1.jsonl" in ran.message and read_files(tmp_path) == before


def test_a_report_beside_a_corpus_is_fine(corpus: Path) -> None:
    page = corpus.parent / "page.html"
    assert inside("unused", "regress", corpus.parent, *CHANGE, "--report", page).code in (0, 1)
    assert page.read_bytes().startswith(b"<!DOCTYPE")


# -- interrupted writes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, OSError])
def test_whatever_ends_a_write_leaves_no_half_file(
    ending: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:3])
        raise ending

    monkeypatch.setattr(Path, "write_bytes", cut)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        ctx = CommandContext(Screen(nowhere, nowhere), "en", "unused")
        with pytest.raises(CommandError if ending is OSError else ending):
            outputs.write_whole(ctx, tmp_path / "x", b"whole")
    assert not list(tmp_path.iterdir())


def wait(until: Callable[[], bool], run: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert run.poll() is None, "it ended too soon"
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


def is_writing(run: "subprocess.Popen[bytes]", folder: Path) -> bool:
    """True if the process has opened a file in the folder, even one without a name yet."""
    if any(folder.iterdir()):
        return True
    opened = Path("/proc", str(run.pid), "fd")
    with suppress(OSError):  # the file was closed meanwhile, or the system does not report it
        return any(str(one.readlink()).startswith(str(folder)) for one in opened.iterdir())
    return False


@pytest.mark.process
@pytest.mark.parametrize(("ending", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_command_and_what_it_had_half_written(ending: int, code: int, tmp_path: Path) -> None:
    plenty, half = tmp_path / "plenty.corpus", tmp_path / "out"
    pack(plenty, ((f"m{number}", real("blackpoker", 1)) for number in range(300)))
    half.mkdir()
    command = [*PROGRAM, "corpus", "pack", str(half / "new.corpus"), str(plenty)]
    run = begin(command, environment(tmp_path, None), cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        wait(lambda: is_writing(run, half), run)
        run.send_signal(ending)
        assert run.wait(PATIENCE) == code
    finally:
        run.kill()
        run.wait()
    if ending == signal.SIGTERM and (half / "new.corpus").exists():  # a complete archive is kept
        with open_corpus(half / "new.corpus") as corpus:
            assert 0 < len(corpus) <= 300 and not list(corpus.check())
        (half / "new.corpus").unlink()
    assert not list(half.iterdir())


@pytest.mark.process
def test_a_hangup_that_is_to_be_ignored_stays_so(tmp_path: Path) -> None:
    script = "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); import cli.main as m; "
    script += "m.run = lambda given: os.kill(os.getpid(), signal.SIGHUP) or 7; m.main()"
    done = subprocess.run(
        [PROGRAM[0], "-c", script], cwd=tmp_path, env=environment(tmp_path, None), check=False, timeout=PATIENCE
    )
    assert done.returncode == 7
