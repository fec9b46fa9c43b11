"""Faults while recording: interruptions at any moment, other writers, a full disk, limited terminals."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from domain.law.entries import Played
from domain.words import Text
from recorder import matches
from recorder.store import StoreError
from tests.cli.runs import PROGRAM, begin, environment, fine, inside
from tests.cli.test_cli_play import drafts, open_match, stored
from tests.cli.typist import lines, play


def verbs(store: Path) -> list[str]:
    import msgspec

    entries = [one for one in stored(store).entries if isinstance(one, Played) and one.actor in ("p1", "p2")]
    return [msgspec.msgpack.decode(one.action)["do"] for one in entries]


def test_ctrl_c_keeps_what_is_half_typed_and_offers_it_again(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    stopped = play(store, "t1", answers=["s\n", KeyboardInterrupt()])
    assert stopped.code == 130 and "saved for the next start: Summon soldier" in stopped.out
    assert verbs(store) == [] and len(drafts(store)) == 1
    again = play(store, "t1", answers=["\n", "1\n"])
    assert "typed last time and not recorded: Summon soldier" in again.out
    assert verbs(store) == ["summon_soldier"] and drafts(store) == []


def test_ctrl_d_in_a_line_keeps_the_line(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ended = play(store, "t1", answers=["s\n", "d"])
    assert ended.code == 0 and len(drafts(store)) == 1
    again = play(store, "t1", answers=["\n", "7\n"])
    assert verbs(store) == ["summon_soldier"], again.out
    assert "key cards D7" in fine(store, "log", "t1", "--from", "4", "--to", "4").out


def test_a_text_is_kept_to_its_last_letter(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=["!n\n", "p2 says the ca"])
    again = play(store, "t1", answers=["\n", "rd was up\n"])
    assert "note by scorekeeper: p2 says the card was up" in fine(store, "log", "t1", "--as", "judge").out, again.out


def test_a_draft_may_be_let_go_and_is_only_shown_once_the_match_has_moved_on(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=["s\n", KeyboardInterrupt()])
    ended = play(store, "t1", answers=["<\n", "e\n"])
    assert ended.code == 0 and verbs(store) == ["end"] and drafts(store) == []
    play(store, "t1", answers=["!n\n", "half a no"])
    fine(store, "do", "t1", "p2: pass")
    moved = play(store, "t1", answers=["\n"])
    assert "half a no" in moved.out and "changed since (entry 4, now 5)" in moved.out
    assert drafts(store) == [] and verbs(store) == ["end", "pass"]


@pytest.mark.process
def test_a_killed_program_loses_nothing_typed(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    with begin(
        [*PROGRAM, "play", "t1"],
        environment(tmp_path, store),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None and running.stdout is not None
        running.stdin.write(b"e\np\np\n!n\n")
        running.stdin.flush()
        seen = b""
        while not seen.endswith(b"note > "):
            seen += running.stdout.read1(4096)
        running.send_signal(signal.SIGKILL)
    assert verbs(store)[:2] == ["end", "pass"]
    again = play(store, "t1", answers=["\n", "all is there\n"])
    assert "all is there" in fine(store, "log", "t1", "--as", "judge").out, again.out


def test_a_second_writer_is_shown_and_the_action_offered_again(tmp_path: Path) -> None:
    store = open_match(tmp_path)

    def other() -> str:
        fine(store, "note", "t1", "p1 asked for time")
        return "e\n"

    ran = play(store, "t1", answers=[other, "\n"])
    assert "recorded elsewhere in the meantime:" in ran.out and "not recorded: p2: end" in ran.out
    assert verbs(store) == ["end"]


def test_what_is_not_allowed_after_a_second_writer_is_not_recorded(tmp_path: Path) -> None:
    store = open_match(tmp_path)

    def other() -> str:
        fine(store, "do", "t1", "p2: end")
        return "b\n"

    ran = play(store, "t1", answers=[other, "p\n"])
    assert "not recorded: p2: set_bulwark" in ran.out and verbs(store) == ["end", "pass"]


def test_a_store_that_is_moved_away_is_noticed_and_nothing_is_taken_for_recorded(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    before = verbs(store)

    def move_store() -> str:
        store.rename(tmp_path / "moved.db")
        return "b\n"

    def back() -> str:
        (tmp_path / "moved.db").rename(store)
        return "\n"

    ran = play(store, "t1", answers=[move_store, back])
    assert "was moved or deleted while open" in " ".join(ran.out.split())
    assert verbs(store) == [*before, "set_bulwark"], "put back, it goes on"
    (tmp_path / "other").mkdir()
    other = open_match(tmp_path / "other")
    ran = play(other, "t1", answers=[lambda: str(other.unlink() or "b\n")])
    assert "was moved or deleted while open" in " ".join(ran.out.split())
    assert "not recorded, saved for the next start: Set bulwark" in ran.out and not other.exists()


@pytest.mark.parametrize("trouble", ["full", "locked"])
def test_a_full_disk_loses_nothing_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str) -> None:
    store = open_match(tmp_path)
    real, failures = matches.play, [1, 1]

    def full(*arguments: object, **more: object) -> object:
        if failures:
            failures.pop()
            raise StoreError(trouble, Text("foreign.quoted", {"detail": "no room at all"}))  # type: ignore[arg-type]
        return real(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(matches, "play", full)
    ran = play(store, "t1", answers=["s1\n", "\n", "\n"])
    assert ran.out.count("no room at all") == 2 and "what you typed is kept" in ran.out
    assert verbs(store) == ["summon_soldier"] and drafts(store) == []
    failures += [1]
    stopped = play(store, "t1", answers=["p\n", KeyboardInterrupt()])
    assert stopped.code == 130 and verbs(store) == ["summon_soldier"] and len(drafts(store)) == 1
    again = play(store, "t1", answers=["\n"])
    assert verbs(store) == ["summon_soldier", "pass"], again.out


def test_a_draft_that_cannot_be_written_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_match(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    ran = play(store, "t1", answers=lines("s1/p/p"))
    assert ran.out.count("cannot be saved") == 1 and verbs(store) == ["summon_soldier", "pass", "pass"]


def test_quitting_before_a_draft_is_taken_up_keeps_it(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=["s\n", KeyboardInterrupt()])
    for answers in ([".\n"], ["!\n", "-\n", "?\n", ".\n"], [], [KeyboardInterrupt()]):
        ran = play(store, "t1", answers=answers)
        assert "typed last time and not recorded: Summon soldier" in ran.out and len(drafts(store)) == 1
    again = play(store, "t1", answers=["\n", "1\n"])
    assert verbs(store) == ["summon_soldier"], again.out


def test_what_is_recorded_is_said_even_if_it_cannot_be_read_just_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recorder import match_loader

    store = open_match(tmp_path)
    real, failing = match_loader.load_match, [False]

    def deaf(*arguments: object, **more: object) -> object:
        if failing[0]:
            failing[0] = False
            raise StoreError("locked", Text("foreign.quoted", {"detail": "busy"}))
        return real(*arguments, **more)  # type: ignore[arg-type]

    def then_fail(*arguments: object, **more: object) -> object:
        done = played(*arguments, **more)  # type: ignore[arg-type]
        failing[0] = True
        return done

    played = matches.play
    monkeypatch.setattr(match_loader, "load_match", deaf)
    monkeypatch.setattr(matches, "play", then_fail)
    ran = play(store, "t1", answers=lines("s1"))
    assert "4 p2: Summon soldier" in ran.out and verbs(store) == ["summon_soldier"]


def test_a_broken_draft_is_nothing(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    play(store, "t1", answers=["s\n", KeyboardInterrupt()])
    (draft,) = drafts(store)
    draft.write_bytes(b'{"match": 7')
    ran = play(store, "t1", answers=lines("e"))
    assert "typed before" not in ran.out and verbs(store) == ["end"]


def test_without_a_folder_to_write_in_the_draft_lies_among_the_users_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_match(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    play(store, "t1", answers=["s\n", KeyboardInterrupt()])
    assert drafts(store) == [] and len(list((tmp_path / "state" / "shinpan").iterdir())) == 1
    again = play(store, "t1", answers=["\n", "1\n"])
    assert verbs(store) == ["summon_soldier"], again.out


@pytest.mark.parametrize(("lang", "encoding"), [("en", "ascii"), ("ja", "ascii"), ("ja", "latin-1")])
def test_a_terminal_of_plain_letters_gets_plain_letters_and_is_told_once(
    tmp_path: Path, lang: str, encoding: str
) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("s1/=/!a/p1: throwing -/<"), lang=lang, encoding=encoding)
    assert ran.code == 0 and ran.out.isascii()
    assert ran.out.count("this terminal cannot show") == 1
    assert "C5: p2 life -> p2 grave" in ran.out and "Summon soldier" in ran.out
    assert "?" not in ran.out.replace("[?]", "").replace("?\n", "")


def test_a_terminal_without_suits_still_speaks_japanese(tmp_path: Path) -> None:
    store = open_match(tmp_path)
    ran = play(store, "t1", answers=lines("s1"), lang="ja", encoding="euc_jp")
    assert "兵士召喚" in ran.out and "->" in ran.out and ran.out.count("端末") == 1
    plain = play(store, "t1", answers=lines("p"), lang="ja")
    assert "端末" not in plain.out and "パス" in plain.out


def test_no_line_is_wider_than_the_window(tmp_path: Path) -> None:
    from cli.layout import width
    from cli.play.paper import COLUMNS

    store = open_match(tmp_path)
    for lang in ("en", "ja"):
        ran = play(store, "t1", answers=lines("s1/=/?/!a/p1: throwing -/</@=/@="), lang=lang)
        assert max(width(line) for line in ran.out.splitlines()) <= COLUMNS + 12, ran.out
    assert inside(store, "audit", "t1").code == 0
