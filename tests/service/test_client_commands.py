"""Terminal commands against a service: same output and exit codes as on a store."""

import io
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from cli.client.service import Service
from cli.client.transport import TRIES
from cli.main import run
from cli.project import BadProject, load_project
from cli.registry import COMMANDS
from domain.words import LANGS, say
from recorder.finding.index_queries import HITS_MAX
from service.access import Role
from service.settings import Settings
from tests.cli.runs import DISPUTED, Ran, inside
from tests.disputed import dispute
from tests.formats.sheets import HEAD
from tests.places import place
from tests.rotation import rotate
from tests.service.harness import Served, serve
from tests.service.processes import server, shinpan
from tests.service.test_client import Fickle, client, fickle
from tests.service.test_service_find import FINDING, RECORD, add_match
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

URL = "http://service.example"
EDITION = "blackpoker@9.2-lite"
AtService = Callable[..., Ran]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[Served, Role], AtService]:

    def asking(served: Served, role: Role = "spectator") -> AtService:
        def connect(url: str, token: str) -> Service:
            assert (url, token) == (URL, "")
            return client(served, role)

        monkeypatch.setattr("cli.remote.connection.connect", connect)
        return lambda *arguments: inside(URL, *arguments)

    return asking


@pytest.mark.parametrize(
    ("game", "role", "viewer"),
    rotate(
        [
            ("blackpoker", "designer", "p1"),
            ("dea", "head", "judge"),
            *((game, "spectator", "spectator") for game in SHELVES),
        ],
        2,
    ),
)
def test_what_is_read_at_a_service_is_what_is_read_in_a_store(
    ask: Callable[[Served, Role], AtService], tmp_path: Path, game: str, role: Role, viewer: str
) -> None:
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store, published=True)) as served:
        names = SHELVES[game].matches
        served.record_match(game, "rewind" if "rewind" in names else names[0], "match")
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
            ("when", "match", "9 9"),
            ("disputes", "match"),
            ("disputes", "match", "--open"),
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
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store)) as served:
        served.record_match("grimoire", SHELVES["grimoire"].matches[0], "match")
        there = ask(served, "head")
        for viewer in ("spectator", "p1", "judge"):
            for form in ("notation", "jsonl"):
                for lang in ("en", "ja"):
                    said = ("export", "match", "--as", viewer, "--format", form, "--lang", lang)
                    assert there(*said) == inside(store, *said), said
                    assert there(*said).out


def test_matches_are_found_at_a_service_as_in_its_store(
    ask: Callable[[Served, Role], AtService], tmp_path: Path
) -> None:
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store)) as served:
        for shelf in ("blackpoker", "grimoire"):
            for match in SHELVES[shelf].matches[:2]:
                served.record_match(shelf, match, match)
        there = ask(served, "head")
        for asked in ((), ("--game", "grimoire"), ("--player", "a"), ("--clause", "BP-2.9"), ("--since", "2001-01-01")):
            for form in (("--lang", "ja"), ("--json",)):
                said = ("find", *asked, "--as", "judge", *form)
                assert there(*said) == inside(store, *said), said
        for asked in (("--fresh",), ("--fresh", "--did", "designate_attackers")):
            said = ("find", *asked, "--as", "judge", "--json")
            ways = (there(*said), inside(store, *said))
            closed = [[row for row in ran.data if row["found"]["closed"]] for ran in ways]
            done = [{row["name"]: [did["entry"] for did in row["did"]][:HITS_MAX] for row in rows} for rows in closed]
            assert done[0] == done[1] != {}, asked
        for asked, words in (
            (("--did", "x"), "--did"), (("--fresh", "--did", "x"), "'x'"), (("--since", "x"), "x"),
            (("--finding", "x"), "'x'"),
        ):  # fmt: skip
            refused = there("find", *asked)
            assert (refused.code, refused.out) == (2, "") and words in refused.message


def test_rulings_and_ends_of_appeals_are_found_at_a_service(
    served: Served, ask: Callable[[Served, Role], AtService]
) -> None:
    for match, verdict in (("wrong", "wrong_outcome"), ("none", "no_fault")):
        add_match(served.context.store, match, dispute(RECORD, FINDING.entry, verdict=verdict)[0])  # type: ignore[arg-type]
    there = ask(served, "head")
    ruled, ended = len(RECORD) + 3, len(RECORD) + 6
    for asked, names in (
        (("--ruling", "no_fault"), ["none"]), (("--ruling", "wrong_outcome"), ["wrong"]),
        (("--outcome", "upheld"), ["none", "wrong"]), (("--ruling", "unclear"), []),
        (("--ruling", "no_fault", "--outcome", "upheld"), []),
    ):  # fmt: skip
        assert [row["name"] for row in there("find", *asked, "--json").data] == names, asked
    assert f"{ruled} no infraction" in there("find", "--ruling", "no_fault").out
    assert f"{ended} 裁定を維持" in there("find", "--outcome", "upheld", "--lang", "ja").out
    refused = there("find", "--ruling", "gone")
    assert (refused.code, refused.out) == (2, "") and "'gone'" in refused.message


def test_an_audit_that_finds_something_ends_so_at_a_service_too(
    ask: Callable[[Served, Role], AtService], tmp_path: Path
) -> None:
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store)) as served:
        served.record_match("blackpoker", "disputed")
        there = ask(served, "spectator")("audit", "disputed")
        assert there == inside(store, "audit", "disputed") and there.code == 1


def test_what_a_service_does_not_show_is_refused_in_one_line(
    served: Served, ask: Callable[[Served, Role], AtService]
) -> None:
    served.record_match("blackpoker", "disputed", "open", closed=False)
    there = ask(served, "spectator")
    for command in (("show", "open", "--as", "judge"), ("audit", "open"), ("show", "gone"), ("legal", "open")):
        refused = there(*command)
        assert (refused.code, refused.out) == (2, "") and refused.message
    assert there("show", "open", "--as", "p1", "--lang", "ja").message != there("show", "open", "--as", "p1").message


@pytest.mark.parametrize(
    "command",
    [
        ("export", "m", "--with-branches"),
        ("audit", "m", "n"),
        ("audit", "m", "--junit", "found.xml"),
        ("serve",),
    ],
)
def test_what_is_asked_of_no_service_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = inside(URL, *command)
    assert (refused.code, refused.out) == (2, "") and "service" in refused.message
    assert list(tmp_path.iterdir()) == []


NOBODY = "http://127.0.0.1:1"
SAID = {
    "rulebook": "blackpoker", "new": f"{EDITION} --p1 Aiko", "do": "m pass", "import": "a.spn",
    "rewind": "m --to 1 --reason x", "undo": "m", "request": "m",
    "correct": "m x --reason y", "note": "m x", "why": "m 1", "why-not": "m pass",
    "branch": "m --at 1", "diff": "m 1 2", "when": "m u1", "backup": "copy.sqlite", "games": "", "matches": "",
    "forget": "Ann", "store.copy": "gone there",
    "serve": "", "rejudge": "m --set hand.limit=6", "regress": "--set hand.limit=6",
    "shrink": "m --out o --set hand.limit=6", "simulate": f"{EDITION} --matches 1", "verify": f"{EDITION} --matches 1",
    "coverage": "blackpoker", "compare": "blackpoker gone --reading a=b,c", "perft": f"{EDITION} --depth 1",
    "case.run": "gone", "corpus.pack": "a.corpus gone", "corpus.unpack": "gone --out o", "corpus.info": "gone",
    "corpus.sample": "gone --matches 1", "corpus.index": "gone",
    "rule": "m 3 --verdict unclear",
    "appeal": "m 3 --reason x", "decide": "m 3 --outcome upheld --reason x", "penalise": "m p1=warning",
    "unseal": "m --eyes p1", "reseal": "m --eyes p1", "casefile": "m 3 --for players",
    "keygen": "gone/key", "pledge": "m p1", "reveal": f"m p1 {32 * '0'}",
    "seal": "", "check": "", "dossier": "m --out o.zip",
    "paper.take": "a.sheet", "paper.learn": "m u57 H9", "paper.compare": "m m", "paper.settle": "m a.sheet",
    "contradictions": "", "docket": "", "pairings": f"{EDITION} a.spn --event x --round 1",
    "results": "--event x --round 1", "invite": "scorekeeper Ann", "people": "", "find": "--player x",
}  # fmt: skip
"""Arguments of each command; by default a match."""
REFUSING = {
    "backup": "client.no_backup",
    "forget": "client.not_away",
    "quarantine": "client.not_away",
    "serve": "client.no_serve",
}
"""Commands that need the store itself, and the message that says so."""
NEEDING_NEITHER = {
    "games", "rulebook", "help", "store.copy", "keygen", "pledge", "simulate", "coverage", "compare", "verify", "perft",
    "case.run", "corpus.pack", "corpus.unpack", "corpus.info", "corpus.sample", "corpus.index",
}  # fmt: skip
"""Commands that use neither a store nor a service."""


def test_every_command_works_at_a_service_or_says_that_it_does_not_or_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.spn").write_text("table,p1\n1,Ann\n", encoding="utf-8")
    (tmp_path / "a.sheet").write_text(HEAD, encoding="utf-8")
    for command, lang in product(COMMANDS, rotate(LANGS, 1)):
        done = inside(NOBODY, *command.split("."), *SAID.get(command, "m").split(), "--lang", lang)
        assert sorted(file.name for file in tmp_path.iterdir()) == ["a.sheet", "a.spn"], command
        if command in NEEDING_NEITHER:
            away = say("client.not_away", lang)
            assert NOBODY not in done.err and away not in done.err and done.code in (0, 1, 2), command
        elif command in REFUSING:
            said = say(REFUSING[command], lang)
            assert (done.code, done.out) == (2, "") and done.message.endswith(said), command
        else:
            assert (done.code, done.out) == (2, "") and NOBODY in done.message, command


@pytest.mark.parametrize(
    "command",
    [
        ("import", NOBODY),
        ("backup", NOBODY),
        ("audit", "a.spn", NOBODY),
        ("audit", "m", "--junit", NOBODY),
        ("verify", EDITION, "--record", NOBODY),
        ("regress", NOBODY, "--set", "a=b"),
        ("corpus", "info", NOBODY.upper()),
        ("rejudge", "m", "--rules", NOBODY),
    ],
)
def test_an_address_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    refused = inside(tmp_path / "own.sqlite", *command)
    assert (refused.code, refused.out) == (2, "") and "--store" in refused.message
    assert list(tmp_path.iterdir()) == []


def test_a_folder_names_no_service_so_that_no_token_is_sent_where_a_folder_says(tmp_path: Path) -> None:
    (tmp_path / "shinpan.toml").write_text(f'store = "{NOBODY}"\n', encoding="utf-8")
    with chdir(tmp_path):
        refused = [run(("--lang", lang, "matches")) for lang in ("en", "ja")]
        with pytest.raises(BadProject, match=r"project\.address"):
            load_project()
    assert refused == [2, 2]


@pytest.mark.parametrize(("closed", "role"), [(True, "spectator"), (False, "spectator")])
def test_a_match_is_stepped_through_at_a_service_as_in_a_store(
    ask: Callable[[Served, Role], AtService], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: bool, role: Role
) -> None:
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store)) as served:
        served.record_match("blackpoker", "disputed", "m", closed=closed)
        there = ask(served, role)
        for keys in ("llh]][gG\nl\nq\n", "flffffq\n"):
            for lang in rotate(LANGS, 1):
                ran: list[Ran] = []
                for command in (there, partial(inside, store)):
                    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(keys)))
                    ran.append(command("watch", "m", "--at", "9", "--lang", lang))
                at_service, here = ran
                assert here.code == 0 and here.out
                assert (at_service == here) is closed and at_service.code == 0
                assert closed or "f" not in keys or say("problem.no-authority", lang) in at_service.out


def test_a_whole_record_is_fetched_for_what_works_on_one(
    ask: Callable[[Served, Role], AtService], tmp_path: Path
) -> None:
    store = place(tmp_path / "cup.sqlite")
    with serve(Settings(store=store)) as served:
        served.record_match("blackpoker", "disputed", "table-17")  # the id within the record
        there = ask(served, "head")
        for command in (
            ("fairness", "table-17"),
            ("rejudge", "table-17", "--set", "hand.limit=6"),
            ("case", "new", "table-17", "--at", "9"),
            ("audit", "table-17", "--reading", "fog_timing=resolution"),
            ("audit", str(DISPUTED)),
            ("fairness", str(DISPUTED)),
        ):
            for lang in ("en", "ja"):
                said = (*command, "--lang", lang)
                assert there(*said) == inside(store, *said), said
        shrunk = there("shrink", "table-17", "--set", "hand.limit=6", "--out", str(tmp_path / "out"))
        assert shrunk.code in (0, 1) and shrunk.out
        anybody = ask(served, "spectator")("fairness", "table-17")
        assert (anybody.code, anybody.out) == (2, "") and anybody.message


def test_an_address_is_a_host_and_with_a_token_in_it_not_repeated() -> None:
    for url in (
        "http://secret@127.0.0.1:1",
        "http://secret:secret@127.0.0.1:1",
        "http://127.0.0.1:1/secret",
        "http://",
    ):
        refused = inside(url, "matches")
        assert (refused.code, refused.out) == (2, "") and refused.message, url
        assert "@" not in url or "secret" not in refused.err


@pytest.mark.parametrize("said", [("text/html", b"<p>hello"), ("application/json", b"{}"), None])
def test_what_is_no_service_is_told_in_one_line(said: tuple[str, bytes] | None) -> None:
    for command in (("matches",), ("do", "m", "pass"), ("new", EDITION), ("export", "m"), ("fairness", "m")):
        with fickle(*[said] * TRIES) as service:
            for lang in ("en", "ja"):
                Fickle.said[:] = [said] * TRIES
                refused = inside(service.url, *command, "--lang", lang)
                assert (refused.code, refused.out) == (2, "") and service.url in refused.message


@pytest.mark.nightly
@pytest.mark.process
def test_a_terminal_reads_from_a_server_with_its_token(tmp_path: Path) -> None:
    store = place(tmp_path / "cup.sqlite")
    text = tmp_path / "normal.spn"
    text.write_text(SHELVES["blackpoker"].text("normal"), encoding="utf-8")
    match = shinpan(store, "import", str(text)).stdout.split()[0]
    with server(store=store) as running:
        token = running.sign_in()["Authorization"].removeprefix("Bearer ")
        for command in (("log", match), ("show", match), ("matches",)):
            there = shinpan(running.url, *command, SHINPAN_TOKEN=token)
            here = shinpan(store, *command)
            assert (there.returncode, there.stdout) == (here.returncode, here.stdout) and here.stdout
