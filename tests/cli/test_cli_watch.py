"""The `watch` command on a real terminal: stepping with keys, limited to what the viewer may see."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from cli.layout import width
from tests.cli.runs import PROGRAM, disputed, environment, fine, inside, program
from tests.cli.windows import COLOURS, Window

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")]

RIGHT, LEFT, DOWN, UP = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[A"
FOOT = r"leave\S*\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disputed(tmp_path_factory.mktemp("watching"))


class Watched(Window):
    """A run of `watch` in a terminal. A screen is the output after the last clear."""

    def __init__(self, folder: Path, store: Path, *arguments: str, columns: int = 80, lines: int = 50) -> None:
        own = environment(folder, store, SHINPAN_LANG="en")
        super().__init__([*PROGRAM, "watch", "table-17", *arguments], folder, own, columns, lines)

    def screen(self, keys: str = "", foot: str = FOOT) -> str:
        os.write(self.own, keys.encode())
        text = self.until(foot)
        return COLOURS.sub("", text.rpartition("\x1b[2J")[2])


def at(screen: str) -> int:
    return int(re.findall(r"(\d+) of \d+", screen)[0])


def test_arrows_step_brackets_turn_and_f_finds(store: Path, tmp_path: Path) -> None:
    window = Watched(tmp_path, store, "--at", "9")
    first = window.screen()
    assert "9 of 54" in first and "after entry 9, seen by spectator" in first
    assert "10 of 54" in window.screen(RIGHT) and "9 of 54" in window.screen(LEFT)
    found = window.screen("f")
    assert "10 of 54" in found and "BP-7.15" in found and "not allowed" in found
    entries = [row["entry"] for row in inside(store, "audit", "table-17", "--json").data["findings"]]
    window.screen("g")
    assert [at(window.screen("f")) for _ in entries] == entries
    assert "no finding after" in window.screen("f")
    begun = at(window.screen("["))
    assert at(window.screen("[")) < begun < entries[-1]
    assert at(window.screen("]")) == begun
    assert "1 of 54" in window.screen("g") and "54 of 54" in window.screen("G")
    assert "no entry after this one" in window.screen(RIGHT)
    os.write(window.own, b"q")
    assert window.ended() == 0 and "\x1b[?1049l" in window.text


def test_what_is_drawn_is_what_show_prints(store: Path, tmp_path: Path) -> None:
    for viewer in ("spectator", "p1"):
        window = Watched(tmp_path, store, "--at", "10", "--as", viewer, columns=300, lines=100)
        drawn = window.screen().splitlines()
        shown = fine(store, "show", "table-17", "--at", "10", "--as", viewer).out.splitlines()
        at = drawn.index(shown[0])
        assert drawn[at : at + len(shown)] == shown
        os.write(window.own, b"q")
        assert window.ended() == 0


def test_what_comes_meanwhile_is_stepped_to(tmp_path: Path) -> None:
    store = disputed(tmp_path)
    window = Watched(tmp_path, store)
    window.screen()
    fine(store, "note", "table-17", "the judge was called")
    assert "55 of 55" in window.screen(RIGHT)
    os.write(window.own, b"q")
    assert window.ended() == 0


def test_a_small_terminal_is_not_overflown_and_scrolls(store: Path, tmp_path: Path) -> None:
    window = Watched(tmp_path, store, "--at", "10", columns=20, lines=14)
    first = window.screen()
    assert len(first.splitlines()) <= 14
    assert all(width(line) <= 20 or " " not in line.strip() for line in first.splitlines())
    second = window.screen(DOWN)
    assert first.splitlines()[1] == second.splitlines()[0], "a line further"
    assert window.screen(UP) == first
    os.write(window.own, b"q")
    assert window.ended() == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGHUP, 130)])
def test_a_signal_leaves_the_terminal_as_it_was(store: Path, tmp_path: Path, number: int, code: int) -> None:
    window = Watched(tmp_path, store)
    window.screen()
    window.program.send_signal(number)
    assert window.ended() == code and window.text.rstrip().endswith("\x1b[?1049l")


def test_the_end_of_input_leaves_too(store: Path, tmp_path: Path) -> None:
    window = Watched(tmp_path, store)
    window.screen()
    os.write(window.own, b"\x04")
    assert window.ended() == 0


def test_keys_come_from_a_pipe_too_and_every_step_stands_below_the_last(store: Path, tmp_path: Path) -> None:
    ran = program(tmp_path, "watch", "table-17", "--at", "9", store=store, given=b"f\nf]\nG\n\nq\nf\n")
    assert (ran.code, ran.err) == (0, "")
    assert [int(number) for number in re.findall(r"^table-17 (\d+) of 54$", ran.out, re.M)][:2] == [9, 10]
    assert ran.out.endswith("no entry after this one\n")
    once = program(tmp_path, "watch", "table-17", "--at", "9", "--as", "p1", store=store)
    assert once.code == 0 and once.out.count(" of 54\n") == 1
    assert fine(store, "show", "table-17", "--at", "9", "--as", "p1").out in once.out
    for wrong in (("none",), ("table-17", "--at", "99"), ("table-17", "--as", "p9")):
        assert program(tmp_path, "watch", *wrong, store=store).code == 2
