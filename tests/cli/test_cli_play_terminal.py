"""A real terminal of 80 columns and 24 lines with single keys."""

import os
import signal
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.play.keys import source
from tests.cli import windows
from tests.cli.runs import PROGRAM, environment
from tests.cli.test_cli_play import drafts, open_match, stored

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")]


class Window(windows.Window):
    command: tuple[str, ...] = (*PROGRAM, "play")

    def __init__(self, folder: Path, store: Path, *arguments: str, columns: int = 80, **more: str) -> None:
        environ = environment(folder, store, **{"COLUMNS": str(columns), "LINES": "24", **more})
        super().__init__([*self.command, *arguments], folder, environ, columns)


def test_keys_are_taken_one_by_one_without_enter(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1", "--count")
    first = window.until(r"help > $")
    assert first.count("\n") < 20 and "\x1b" not in first
    assert "Summon soldier" in window.press("s", r"C6 > $")
    assert "4 p2: Summon soldier: key cards C10" in window.press("2", r"help > $")
    window.press("\x1b[Ap", r"p1:  (.*\n)*.*help > $")
    window.press("p", r"p2:  (.*\n)*.*help > $")
    for turn in window.text.split(" > "):
        assert turn.count("\n") <= 20
    assert max(map(len, window.text.splitlines())) <= 80
    window.press("\x04", r"keys 2: 1")
    assert window.ended() == 0
    assert len(stored(store).entries) == 6
    assert "actions: 3, keys: 4, mean: 1.33, three keys or fewer: 100.0 %" in window.text


def test_ctrl_c_leaves_the_terminal_and_the_keys_whole(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1")
    window.until(r"help > $")
    window.press("s", r"C6 > $")
    window.press("\x03", r"entries saved")
    assert window.ended() == 130 and len(drafts(store)) == 1
    again = Window(tmp_path, store, "t1", LANG="ja_JP.UTF-8")
    again.until(r"続ける > $")
    again.press("\n", r"C6 > $")
    again.press("\n", r"説明 > $")
    again.press(".", r"保存済み")
    assert again.ended() == 0 and len(stored(store).entries) == 4


def test_a_signal_just_before_a_key_is_waited_for_is_heard() -> None:
    """A signal just before the wait interrupts no wait, so another thread receives it here."""
    own, terminal = os.openpty()
    strike = threading.Timer(0.1, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
    typed = list[int]()
    help = threading.Timer(windows.PATIENCE, lambda: typed.append(os.write(own, b"x")))
    with ExitStack() as ends:
        reads = ends.enter_context(os.fdopen(os.dup(terminal)))
        writes = ends.enter_context(os.fdopen(os.dup(terminal), "w"))
        for end in (own, terminal):
            ends.callback(os.close, end)
        ends.callback(help.cancel)
        given = ends.enter_context(source(reads, writes))
        help.start()
        with pytest.raises(KeyboardInterrupt):
            strike.start()  # inside `select`: a slow program is interrupted before the wait
            given.key(pending=False)
        strike.join()
    assert not typed and signal.set_wakeup_fd(-1) == -1


def test_a_note_is_typed_with_corrections_in_japanese(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1")
    window.until(r"help > $")
    window.press("!n", r"note > $")
    window.press("審判のx", "x")
    window.press("\x7f声\n", r"help > $")
    window.press(".", r"entries saved")
    assert window.ended() == 0
    note = stored(store).entries[-1]
    assert getattr(note, "text", "") == "審判の声"


def test_a_hang_up_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1")
    window.until(r"help > $")
    window.press("s", r"C6 > $")
    window.program.send_signal(signal.SIGTERM)
    window.until(r"entries saved")
    assert window.ended() == 130 and len(drafts(store)) == 1


def test_a_console_without_kana_is_spoken_to_in_english(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1", TERM="linux", LANG="ja_JP.UTF-8")
    text = window.until(r"help > $")
    assert "this terminal cannot show Japanese" in text and text.isascii()
    window.press(".", r"entries saved")
    assert window.ended() == 0


def test_a_burst_at_a_prompt_records_one_action_and_the_rest_is_asked_for(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1")
    window.until(r"help > $")
    window.press("eppppqqqqzzzz\x1b[Appp", r"typed before the last entry was shown: p2: pass(.*\n)*.* > $")
    assert len(stored(store).entries) == 4
    window.press("<", r"help > $")
    window.press(".", r"entries saved")
    assert window.ended() == 0 and len(stored(store).entries) == 4


def test_a_burst_takes_nothing_back_unasked(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1")
    window.until(r"help > $")
    window.press("e-\n\n\n\n", r"typed before the last entry was shown: .*End.*undo(.*\n)*.* > $")
    assert len(stored(store).entries) == 4
    window.press("\n", r"help > $")
    window.press(".", r"entries saved")
    assert window.ended() == 0 and len(stored(store).entries) == 5


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "ja_JP.UTF-8"])
def test_a_window_of_twenty_columns_is_enough(tmp_path: Path, lang: str) -> None:
    from cli.layout import width

    store = open_match(tmp_path)
    window = Window(tmp_path, store, "t1", columns=20, LANG=lang)
    window.until(r" > $")
    for keys in ("s", "1", "\n", "?", "=", "-", "<"):
        window.press(keys, r" > $")
    window.press(".", r"t1.*\d")
    assert window.ended() == 0 and len(stored(store).entries) == 6
    assert "..." not in window.text.split("[?]")[1]
    wide = [line for line in window.text.splitlines() if width(line) > 20]
    assert all(" > " in line and width(line) <= 20 + 12 for line in wide), wide
