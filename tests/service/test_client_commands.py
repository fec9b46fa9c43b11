"""Commands of the terminal against a service say what they say of a store, and end as they do there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.service import Service
from service.access import Role
from service.settings import Settings
from tests.cli.runs import Ran, inside
from tests.recorded import SHELVES
from tests.service.processes import server, shinpan
from tests.service.serving import Served, serve
from tests.service.test_client import client

URL = "http://service.example"
AtService = Callable[..., Ran]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[Served, Role], AtService]:
    """What runs commands against a service without a socket, in a role."""

    def asking(served: Served, role: Role = "spectator") -> AtService:
        def connect(url: str, token: str) -> Service:
            assert (url, token) == (URL, "")
            return client(served, role)

        monkeypatch.setattr("cli.away.asking.connect", connect)
        return lambda *arguments: inside(URL, *arguments)

    return asking


@pytest.mark.parametrize(
    ("game", "role", "viewer"),
    [*((game, "spectator", "spectator") for game in SHELVES), ("blackpoker", "head", "p1"), ("dea", "head", "judge")],
)
def test_what_is_read_at_a_service_is_what_is_read_in_a_store(
    ask: Callable[[Served, Role], AtService], tmp_path: Path, game: str, role: Role, viewer: str
) -> None:
    store = tmp_path / "cup.sqlite"
    with serve(Settings(store=str(store))) as served:
        names = SHELVES[game].matches
        served.put(game, "rewind" if "rewind" in names else names[0], "match")
        there = ask(served, role)
        for command in (
            ("show", "match"),
            ("show", "match", "--at", "9"),
            ("log", "match"),
            ("log", "match", "--from", "3", "--to", "12", "--flow"),
            ("stack", "match"),
            ("legal", "match", "--at", "9", "--limit", "2"),
            ("why", "match", "7"),
            ("why-not", "match", "p1: pass", "--at", "9"),
            ("why-not", "match", "p1: juggle", "--at", "9"),
            ("audit", "match"),
            ("audit", "match", "--standing"),
            ("matches",),
            ("diff", "match", "3", "12"),
            ("diff", "match", "12", "3"),
            ("diff", "match", "3", "9999"),
            ("knows", "match"),
            ("knows", "match", "--at", "12", "--diff", "3"),
            ("when", "match", "u1"),
            ("when", "match", "p1:nothing", "--at", "9"),
            ("when", "match", "u9999"),
            ("show", "match", "--at", "9999"),
            ("log", "match", "--from", "9", "--to", "3"),
        ):
            for form in (("--lang", "ja"), ("--json",)):
                as_who = ("--as", viewer) if command[0] != "matches" else ()
                said = (*command, *as_who, *form)
                assert there(*said) == inside(store, *said), said


def test_what_is_written_out_at_a_service_is_what_a_store_writes_out(
    ask: Callable[[Served, Role], AtService], tmp_path: Path
) -> None:
    store = tmp_path / "cup.sqlite"
    with serve(Settings(store=str(store))) as served:
        served.put("grimoire", SHELVES["grimoire"].matches[0], "match")
        there = ask(served, "head")
        for viewer in ("spectator", "p1", "judge"):
            for form in ("notation", "jsonl"):
                for lang in ("en", "ja"):
                    said = ("export", "match", "--as", viewer, "--format", form, "--lang", lang)
                    assert there(*said) == inside(store, *said), said
                    assert there(*said).out


def test_an_audit_that_finds_something_ends_so_at_a_service_too(
    ask: Callable[[Served, Role], AtService], tmp_path: Path
) -> None:
    store = tmp_path / "cup.sqlite"
    with serve(Settings(store=str(store))) as served:
        served.put("blackpoker", "disputed")
        there = ask(served, "spectator")("audit", "disputed")
        assert there == inside(store, "audit", "disputed") and there.code == 1


def test_what_a_service_does_not_show_is_refused_in_one_line(ask: Callable[[Served, Role], AtService]) -> None:
    with serve() as served:
        served.put("blackpoker", "disputed", "open", closed=False)
        there = ask(served, "spectator")
        for command in (("show", "open", "--as", "judge"), ("audit", "open"), ("show", "gone"), ("legal", "open")):
            refused = there(*command)
            assert (refused.code, refused.out) == (2, "") and refused.message
        assert (
            there("show", "open", "--as", "p1", "--lang", "ja").message != there("show", "open", "--as", "p1").message
        )


@pytest.mark.parametrize(
    "command",
    [
        ("export", "m", "--with-branches"),
        ("branch", "m", "--at", "3"),
        ("play", "m"),
        ("watch", "m"),
        ("backup", "copy.sqlite"),
        ("serve",),
        ("regress", "--set", "a=b"),
        ("audit", "a", "b"),
    ],
)
def test_what_does_not_work_at_a_service_says_so_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = inside(URL, *command)
    assert (refused.code, refused.out) == (2, "") and "service" in refused.message
    assert list(tmp_path.iterdir()) == []


def test_commands_that_need_no_store_work_whatever_is_named() -> None:
    assert inside(URL, "games").code == 0


def test_an_address_with_a_token_in_it_is_refused_and_not_repeated() -> None:
    refused = inside("http://secret@127.0.0.1:1", "matches")
    assert refused.code == 2 and "secret" not in refused.err and "SHINPAN_TOKEN" in refused.message


def test_a_service_that_is_not_there_is_said_so() -> None:
    refused = inside("http://127.0.0.1:1", "matches")
    assert refused.code == 2 and "http://127.0.0.1:1" in refused.message


@pytest.mark.deep
def test_a_terminal_reads_from_a_server_with_its_token(tmp_path: Path) -> None:
    store = tmp_path / "cup.sqlite"
    text = tmp_path / "normal.spn"
    text.write_text(SHELVES["blackpoker"].text("normal"), encoding="utf-8")
    match = shinpan(store, "import", str(text)).stdout.split()[0]
    with server(store=store) as running:
        token = running.sign_in()["Authorization"].removeprefix("Bearer ")
        for command in (("log", match), ("show", match), ("matches",)):
            there = shinpan(running.url, *command, SHINPAN_TOKEN=token)
            here = shinpan(store, *command)
            assert (there.returncode, there.stdout) == (here.returncode, here.stdout) and here.stdout
