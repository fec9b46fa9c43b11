"""Terminal commands that write to a service: output, exit codes, and no duplicates."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from cli.client.service import Service, connect
from cli.client.transport import ClientRequest, ClientResponse, ServiceUnreachable
from domain.formats.policies import standard_policy, stored_policy
from domain.games import GAMES
from domain.law.entries import Gap, Played, Pledged
from domain.law.rulesets import values
from domain.words import Text, say
from service import payloads
from service.settings import Settings
from tests.cli.runs import DISPUTED, Ran, inside
from tests.places import place
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.service.harness import Served, serve
from tests.service.processes import server, shinpan
from tests.service.test_client import URL, Begin, client
from tests.shelves import SHELVES

pytestmark = pytest.mark.rotates(2)

AtService = Callable[..., Ran]
EDITION = "blackpoker@9.2-lite"


def lossy(there: Service) -> Service:
    def send(request: ClientRequest) -> ClientResponse:
        answer = there.send(request)
        if request.method != "GET" and ":try" not in request.path:
            raise ServiceUnreachable(Text("client.unreachable", {"url": URL, "why": "reset"}))
        return answer

    return replace(there, send=send)


def put_both(served: Served, store: str, game: str, name: str, upto: int) -> None:
    served.record_match(game, name, "m", closed=False, upto=upto)
    with serve(Settings(store=store)) as beside:
        beside.clock.at = served.clock.at
        beside.record_match(game, name, "m", closed=False, upto=upto)


SAME = (
    ("do", "m", "p1: pass"),
    ("do", "m", "p1: pass", "--as-played"),
    ("do", "m", "p1: pass", "--expect", "9"),
    ("do", "m", "p2: nothing", "--lang", "ja"),
    ("do", "m", "p2: designate_blockers -"),
    ("correct", "m", "turn u3 sideways", "--reason", "wrong"),
    ("correct", "m", "life p1 3", "--reason", "wrong", "--lang", "ja"),
    ("rewind", "m", "--to", "9"),
    ("rewind", "m", "--to", "9", "--dry-run"),
    ("rewind", "m", "--to", "9", "--dry-run", "--json"),
    ("note", "m", "fell", "--at", "99"),
    ("note", "m", ""),
    ("note", "m", "  "),
    ("close", "m"),
    ("close", "m", "--lang", "ja"),
    ("describe", "m"),
    ("new", "blackpoker@nothing"),
    ("new", EDITION, "--p3", "Ken"),
    ("new", EDITION, "--policy", "gone.toml"),
    ("paper", "learn", "m", "57", "H9"),
    ("paper", "take", "gone.sheet"),
    ("pairings", EDITION, "gone.csv", "--event", "Cup", "--round", "1"),
    ("import", "gone.spn"),
)
"""Commands with the same output and exit code at a service and on a store."""


def test_what_is_written_to_a_service_is_told_as_of_a_store(served: Served, begin: Begin, tmp_path: Path) -> None:
    put_both(served, place(tmp_path / "beside.sqlite"), "blackpoker", "normal", 12)
    there = begin(served)
    for command in SAME:
        at_service, here = there(*command), inside(place(tmp_path / "beside.sqlite"), *command)
        if command == SAME[0]:  # the view of a spectator lists every error, not the first only
            assert set(here.err.splitlines()) < set(at_service.err.splitlines())
            at_service = here
        assert at_service == here, command


def test_a_match_is_recorded_at_a_service_from_its_opening_to_its_end(
    served: Served, begin: Begin, tmp_path: Path
) -> None:
    there = begin(served)
    said = ("--p1", "Aiko", "--event", "Cup", "--set", "hand.limit=6", "--deck", "p1=entry16")
    opened = there("new", EDITION, "--match", "final", *said)
    assert (opened.code, opened.out) == (0, "final\n"), opened
    head = served.context.match("final")
    assert (
        head.opening.names == {"p1": "Aiko"}
        and head.opening.by == "head head"
        and values(head.rules)["hand.limit"] == 6
    )
    assert there("new", EDITION, "--match", "final").code == 2
    own = tmp_path / "own.toml"
    own.write_text("x = 1", encoding="utf-8")
    wrong = there("new", EDITION, "--policy", str(own))
    assert (wrong.code, wrong.out) == (2, "") and f"{own}:1" in wrong.message
    standard = files("domain.formats").joinpath("standard.policy.toml").read_text(encoding="utf-8")
    own.write_text(standard, encoding="utf-8")
    for number, policy in enumerate(("standard", str(own))):
        assert there("new", EDITION, "--match", f"judged-{number}", "--policy", policy).code == 0
        assert served.context.match(f"judged-{number}").opening.policy == stored_policy(standard_policy())
    assert not head.opening.policy
    version = head.version
    noted = there("note", "final", "a card fell", "--at", "1")
    assert (noted.code, noted.out) == (0, f"{version + 1} note by head judge head on entry 1: a card fell\n")
    assert served.context.match("final").entries[-1].text == "a card fell"
    assert (
        there("describe", "final", "--table", "3").out
        == f"{version + 2} details entered by head judge head: Cup  table 3\n"
    )
    gone = there("rewind", "final", "--to", str(version), "--reason", "once more")
    assert gone.code == 0 and "rewound to entry" in gone.out and "undone by a rewind" in gone.err
    closed = there("close", "final", "--abandon", "--reason", "time", "--json")
    assert closed.data["entries"][-1]["seen"] == "closed"
    late = there("note", "final", "late")
    assert (late.code, late.out) == (2, "") and late.message
    real = there("new", EDITION, "--no-deal", "--match", "real")
    assert real.code == 0 and served.context.match("real").undealt


def test_what_a_card_was_is_told_to_a_service_once(served: Served, begin: Begin) -> None:
    there = begin(served)
    assert there("new", "blackpoker@8.1-lite", "--no-deal", "--match", "real").code == 0
    assert there("do", "real", "chance: shuffle_deck p2", "--shows", "S4,S2,C5,D7").code == 0
    learn = ("paper", "learn", "real", "u55", "H9", "--reason", "seen in the video", "--command-id", "c1")
    before = served.context.match("real")
    first, second = there(*learn), there(*learn)
    after = served.context.match("real")
    assert first.code == 0 and first.out == second.out and after.version == before.version + 1, first
    card = next(card for card, piece in before.table.pieces.items() if piece.thing == 55)
    assert (before.table.pieces[card].face, after.table.pieces[card].face) == (None, "H9")
    assert there("paper", "learn", "real", "55", "H9").code == 2


def test_a_gap_is_recorded_at_a_service_once(served: Served, begin: Begin) -> None:
    there = begin(served)
    assert there("new", "blackpoker@8.1-lite", "--no-deal", "--match", "real").code == 0
    assert there("do", "real", "chance: shuffle_deck p2", "--shows", "S4,S2,C5,D7").code == 0
    before = served.context.match("real")
    gap = ("paper", "gap", "real", "rotate life p1 1 no", "--most", "2", "--reason", "called away")
    assert there(*gap).code == 2 and served.context.match("real").version == before.version, "that is no fact"
    gap = ("paper", "gap", "real", "learn u55 H9", "--most", "2", "--reason", "called away", "--command-id", "c1")
    first, second = there(*gap), there(*gap)
    after = served.context.match("real")
    assert first.code == 0 and first.out == second.out and after.version == before.version + 1, first
    entry = after.entries[-1]
    assert isinstance(entry, Gap) and (entry.most, entry.reason) == (2, "called away") and len(entry.told) == 1
    refused = there("paper", "gap", "real", "--most", "1001")
    assert refused.code == 2 and "1001" in refused.message


def test_who_does_not_see_a_card_records_as_it_was_played_and_is_told_what_it_breaks(
    served: Served, begin: Begin
) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=3)
    there = begin(served)
    asked = there("do", "m", "p1: summon_soldier S2")
    assert asked.code == 2 and "The action lacks: bulwarks" in asked.message and "--as-played" in asked.err
    assert "p1: summon_soldier S2 u55" in asked.err and served.context.match("m").version == 3
    refused = there("do", "m", "p1: summon_soldier S2 u55")
    assert refused.code == 2 and "entry 4" in refused.message and served.context.match("m").version == 4
    recorded = there("do", "m", "p1: summon_soldier HA u55")
    assert recorded.code == 0 and "as played; broken" in recorded.out and "cannot know" not in recorded.out
    assert "recorded as played" in recorded.err and served.context.match("m").version == 5


def test_a_player_does_at_a_service_what_their_own_eyes_allow(served: Served, begin: Begin) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=3)
    mine = begin(served, "seat", "m", seat="p1")
    assert mine("do", "m", "p1: summon_soldier H9 S5", "--as", "p1").code == 0
    assert served.context.match("m").version == 4
    for command in (
        ("do", "m", "p2: concede", "--as", "p1", "--confirm"),
        ("do", "m", "p1: pass", "--as-played", "--as", "p1"),
        ("note", "m", "fell"),
        ("close", "m"),
    ):
        refused = mine(*command)
        assert (refused.code, refused.out) == (2, "") and refused.message, command
    broken = mine("do", "m", "p1: attack", "--as", "p1")
    assert broken.code == 1 and "nothing was recorded" in broken.err and served.context.match("m").version == 4


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (("new", EDITION, "--seed", "7"), "--seed"),
        (("new", EDITION, "--by", "Ken"), "--by"),
        (("note", "m", "fell", "--by", "Ken"), "--by"),
        (("close", "m", "--by", "Ken"), "--by"),
        (("import", "a.spn", "--match", "m"), "--match"),
    ],
)
def test_what_a_service_says_for_itself_cannot_be_said_otherwise(
    served: Served, begin: Begin, command: tuple[str, ...], word: str
) -> None:
    for lang in ("en", "ja"):
        refused = begin(served)(*command, "--lang", lang)
        assert (refused.code, refused.out) == (2, "") and word in refused.message


def test_records_are_taken_in_at_a_service_each_whole_or_not_at_all(
    served: Served, begin: Begin, tmp_path: Path
) -> None:
    good, bad = tmp_path / "a.spn", tmp_path / "b.spn"
    good.write_text(SHELVES["grimoire"].text(SHELVES["grimoire"].matches[0]), encoding="utf-8")
    bad.write_text("; no match\n", encoding="utf-8")
    there = begin(served)
    first, again = there("import", str(good)), there("import", str(good))
    assert first.code == again.code == 0 and first.out == again.out and first.err != again.err
    assert (first.out, first.err) == (
        (same := inside(place(tmp_path / "own.sqlite"), "import", good)).out,
        same.err,
    )
    both = there("import", str(tmp_path))
    assert both.code == 2 and both.out == first.out and str(bad) in both.err
    assert there("import", str(tmp_path / "gone.spn")).code == 2
    assert [listed.match for listed in served.context.store.matches()] == [first.out.strip()]


def test_a_branch_is_opened_at_a_service_as_in_a_store(served: Served, begin: Begin, tmp_path: Path) -> None:
    beside = place(tmp_path / "beside.sqlite")
    there = begin(served)
    for match, closed in (("m", True), ("open", False)):
        served.record_match("blackpoker", "normal", match, closed=closed, upto=12)
    with serve(Settings(store=beside)) as other:
        other.clock.at = served.clock.at
        other.record_match("blackpoker", "normal", "m", upto=12)
    for said in (("--at", "99"), ("--at", "0"), ("--at", "13"), ("--at", "9", "--match", "m"),
                 ("--at", "9", "--match", "a/b"), ("--at", "9", "--match", "what-if"),
                 ("--at", "9", "--match", "what-if")):  # fmt: skip
        for lang in ("en", "ja") if "what-if" not in said else ("en",):
            command = ("branch", "m", *said, "--lang", lang)
            assert there(*command) == inside(beside, *command), command
    assert served.context.match("what-if").opening.parent == "m"
    sealed = there("branch", "open", "--at", "9")
    assert (sealed.code, sealed.out) == (2, "") and say("problem.sealed", "en") in sealed.message
    for command in (("branch", "m", "--at", "9", "--seed", "7"), ("branch", "m", "--at", "9", "--by", "Ken")):
        refused = there(*command)
        assert (refused.code, refused.out) == (2, "") and command[4] in refused.message
    told = there("branch", "m", "--at", "9", "--json")
    assert told.data["parent"] == "m" and told.data["unofficial"] and told.data["version"] >= 9
    assert len(served.context.store.matches()) == 4
    for role in ("floor", "scorekeeper", "designer"):
        answer = begin(served, role)("branch", "m", "--at", "9")
        assert (answer.code == 0) is (role == "floor"), answer


def test_a_branch_whose_answer_never_came_is_opened_once(
    served: Served, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.record_match("blackpoker", "normal", "m", upto=12)
    there, whole = begin(served), client(served, "head")
    sent: list[ClientRequest] = []

    def lose(request: ClientRequest) -> ClientResponse:
        answer = whole.send(request)
        if request.method == "POST":
            sent.append(request)
            raise ServiceUnreachable(Text("client.unreachable", {"url": URL, "why": "reset"}))
        return answer

    monkeypatch.setattr("cli.remote.connection.connect", lambda *_: replace(whole, send=lose))
    lost = there("branch", "m", "--at", "9")
    assert (lost.code, lost.out) == (2, "") and "shinpan matches" in lost.err
    assert whole.send(sent[0]).status == 200 and len(served.context.store.matches()) == 2


def test_a_command_whose_answer_never_came_says_how_it_is_sent_again_and_is_recorded_once(
    served: Served, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    there = begin(served)
    whole = client(served, "head")
    for command, entries in (
        (("do", "m", "p2: designate_blockers"), 1),
        (("note", "m", "fell"), 1),
        (("correct", "m", "turn u56 up", "--reason", "wrong"), 1),
        (("rewind", "m", "--to", "9", "--reason", "again"), 1),
    ):
        before = served.context.match("m").version
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: lossy(whole))
        lost = there(*command)
        assert (lost.code, lost.out) == (2, "") and URL in lost.message
        number = re.search(r"--command-id (\S+)", lost.err)
        assert number is not None and served.context.match("m").version == before + entries
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: whole)
        for _ in range(2):
            again = there(*command, "--command-id", number[1])
            assert again.code == 0 and again.out.startswith(f"{before + 1} "), again
        assert served.context.match("m").version == before + entries
    monkeypatch.setattr("cli.remote.connection.connect", lambda *_: lossy(whole))
    opened = there("new", EDITION, "--match", "lost")
    assert opened.code == 2 and "shinpan matches" in opened.err and served.context.match("lost")


def test_an_id_of_ones_own_is_good_for_one_command(served: Served, begin: Begin) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    there = begin(served)
    first, again = (there("note", "m", "fell", "--command-id", "fell-1") for _ in range(2))
    assert first == again and first.code == 0 and served.context.match("m").version == 13
    other = there("note", "m", "lost", "--command-id", "fell-1")
    assert other.code == 2 and "13" in other.message
    other = there("do", "m", "p2: pass", "--command-id", "fell-1")
    assert other.code == 2 and "13" in other.message and served.context.match("m").version == 13


def test_who_shows_no_token_is_told_to(served: Served, begin: Begin) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    anybody = begin(served, "spectator")
    for command in (("do", "m", "p2: pass"), ("note", "m", "fell"), ("new", EDITION), ("import", str(DISPUTED))):
        for lang in ("en", "ja"):
            refused = anybody(*command, "--lang", lang)
            assert (refused.code, refused.out) == (2, "") and "SHINPAN_TOKEN" in refused.message, command


@pytest.mark.nightly
@pytest.mark.process
def test_a_terminal_writes_to_a_server_until_it_is_gone(tmp_path: Path) -> None:
    big = tmp_path / "big.spn"
    big.write_bytes(b"; too much\n" * 5_000_000)
    with server(store=place(tmp_path / "cup.sqlite")) as running:
        invite = {"role": "head", "name": "Aiko"}
        invited = running.post("/api/v1/invitations", invite, headers=running.sign_in()).json()["invitation"]
        token = connect(running.url).sign_in(invited).token
        for command in (
            ("new", EDITION, "--match", "m"),
            ("do", "m", "p1: concede", "--confirm"),
            ("close", "m"),
            ("fairness", "m"),
        ):
            done = shinpan(running.url, *command, SHINPAN_TOKEN=token)
            assert (done.returncode, done.stderr) == (0, "") and done.stdout, command
        refused = shinpan(running.url, "import", str(big), SHINPAN_TOKEN=token)
        assert (refused.returncode, refused.stdout) == (2, "") and refused.stderr.startswith(f"shinpan: {big}: ")
        refused = shinpan(running.url, "note", "m", "fell", SHINPAN_TOKEN="wrong")
        assert (refused.returncode, refused.stdout) == (2, "") and "wrong" not in refused.stderr
        running.end()
        gone = shinpan(running.url, "note", "m", "fell", SHINPAN_TOKEN=token)
        assert (gone.returncode, gone.stdout) == (2, "") and running.url in gone.stderr


FILED = (
    ("dispute", "m"),
    ("dispute", "m", "--at", "99"),
    ("dispute", "m", "--at", "9", "--claim", "p1=", "--lang", "ja"),
    ("dispute", "m", "--at", "9", "--claim", "p3=x"),
    ("rule", "m", "9", "--verdict", "unclear"),
    ("rule", "m", "9", "--verdict", "unclear", "--to", "3", "--fact", "- clock turn=9"),
    ("appeal", "m", "9", "--reason", "x", "--lang", "ja"),
    ("decide", "m", "9", "--outcome", "overturned", "--reason", "x"),
    ("penalise", "m", "p1"),
    ("resume", "m"),
    ("disputes", "m"),
    ("disputes", "m", "--json"),
)
"""Invalid commands with the same message at a service and on a store."""


def test_what_is_decided_beside_the_play_is_told_as_of_a_store(served: Served, begin: Begin, tmp_path: Path) -> None:
    put_both(served, place(tmp_path / "beside.sqlite"), "blackpoker", "normal", 12)
    there = begin(served)
    for command in FILED:
        assert there(*command) == inside(place(tmp_path / "beside.sqlite"), *command), command
    assert served.context.match("m").version == 12


def test_a_dispute_is_settled_at_a_service_from_its_claims_to_its_decision(served: Served, begin: Begin) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    there, mine = begin(served), client(served, "seat", "m", seat="p1").match("m", "p1")
    opened = there("dispute", "m", "--at", "9", "--claim", "p1=mine", "--claim", "p2=yours")
    assert opened.code == 0 and opened.out.startswith("13 "), opened
    assert there("pause", "m").code == 0 and there("resume", "m", "--extend", "60").code == 0
    ruling = ("--verdict", "not_allowed", "--penalty", "p1=warning:misplay", "--reason", "seen", "--to", "8")
    ruled = there("rule", "m", "13", *ruling, "--command-id", "ruled")
    assert ruled.code == 0 and "rewound to entry 8" in ruled.out, ruled
    assert there("rule", "m", "13", *ruling, "--command-id", "ruled").out == ruled.out
    assert "was ruled on in entry 16" in there("rule", "m", "13", "--verdict", "unclear").message
    (seen,) = mine.disputes()
    assert seen.standing == "ruled" and seen.entries[0].claims == {"p1": "mine", "p2": ""}
    assert there("appeal", "m", "13", "--reason", "no").code == 0
    assert there("decide", "m", "13", "--outcome", "upheld", "--reason", "yes").code == 0
    assert there("penalise", "m", "p2=warning:late").code == 0
    assert "no disputes" in there("disputes", "m", "--open").out and "ruled" not in there("disputes", "m").err


def test_a_seal_is_broken_looked_through_and_put_back(served: Served, begin: Begin) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    there = begin(served)
    assert there("show", "m", "--as", "p1").message.endswith(say("problem.sealed", "en"))
    broken = there("unseal", "m", "--eyes", "p1", "--minutes", "9", "--json")
    (entry,) = broken.data["entries"]
    assert (broken.data["first"], broken.data["version"]) == (13, 13)
    assert (entry["seen"], entry["by"], entry["eyes"]) == ("unsealed", "head head", "p1")
    assert entry["until"] == served.clock.at + 9 * 60_000
    assert there("show", "m", "--as", "p1").code == 0 and there("show", "m", "--as", "p2").code == 2
    back = there("reseal", "m", "--eyes", "p1")
    assert (back.code, back.out) == (0, "14 head judge head stops viewing the match as Mio\n")
    assert there("show", "m", "--as", "p1").code == 2
    twice = there("reseal", "m", "--eyes", "p1", "--lang", "ja")
    assert (twice.code, twice.out) == (2, "")
    assert twice.message.endswith(say("docket.sealed", "ja", by="head head", eyes="p1"))
    assert there("unseal", "m", "--eyes", "judge").out.startswith("15 head judge head views the match as")
    assert served.context.match("m").version == 15


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("unseal", "m", "--eyes", "p9"), "p9"),
        (("unseal", "m", "--eyes", "spectator"), say("problem.open_eyes", "en")),
        (("unseal", "m", "--eyes", "p1", "--minutes", "11"), "10 minutes"),
        (("unseal", "m", "--eyes", "p1", "--by", "Ken"), "--by"),
        (("unseal", "m", "--eyes", "p1", "--expect", "12"), "--expect"),
        (("unseal", "gone", "--eyes", "p1"), say("problem.no_match", "en")),
        (("unseal", "closed", "--eyes", "p1"), say("problem.no_seal", "en")),
        (("reseal", "m", "--eyes", "p1"), "is not viewing"),
        (("reseal", "closed", "--eyes", "p1"), "is not viewing"),
        (("reseal", "m", "--eyes", "p9"), "p9"),
    ],
)
def test_what_cannot_be_unsealed_is_said_so_and_nothing_is_recorded(
    served: Served, begin: Begin, command: tuple[str, ...], words: str
) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    served.record_match("blackpoker", "normal", "closed", upto=12)
    refused = begin(served)(*command)
    assert (refused.code, refused.out) == (2, "") and words in refused.message, refused
    assert served.context.match("m").version == 12


def test_a_seal_whose_answer_never_came_is_broken_once(
    served: Served, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.record_match("blackpoker", "normal", "m", closed=False, upto=12)
    there, whole = begin(served), client(served, "head")
    for number, command in enumerate(("unseal", "reseal"), start=13):
        said = (command, "m", "--eyes", "p1", "--command-id", command)
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: lossy(whole))
        lost = there(*said)
        assert (lost.code, lost.out) == (2, "") and "--command-id" in lost.err
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: whole)
        for _ in range(2):
            again = there(*said)
            assert again.code == 0 and again.out.startswith(f"{number} "), again
    assert served.context.match("m").version == 14


LITE = "blackpoker@8.1-lite"
ROUND = ("--event", "春の大会", "--round", "1")
PAIRINGS = "table,p1,p2\n1,Ann,Bo\n2,Cy,Di\n"


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "round.csv"
    path.write_text(PAIRINGS, encoding="utf-8")
    return path


def test_a_round_is_told_at_a_service_as_of_a_store(served: Served, begin: Begin, tmp_path: Path, csv: Path) -> None:
    beside = place(tmp_path / "beside.sqlite")
    there = begin(served)

    def both(*command: str | Path) -> Ran:
        said = ("pairings", *command)
        at_service, here = there(*said), inside(beside, *said)
        assert at_service == here, command
        return here

    assert both(LITE, csv, *ROUND, "--json").code == 0
    assert "already open: 2" in both(LITE, csv, *ROUND).out
    assert both(LITE, csv, *ROUND, "--lang", "ja").code == 0
    csv.write_text(f"{PAIRINGS}3,Eve,Flo\n", encoding="utf-8")
    assert [row["new"] for row in both(LITE, csv, *ROUND, "--json").data] == [False, False, True]
    assert both(LITE, csv, "--event", "", "--round", "2", "--set", "hand.limit=6", "--policy", "standard").code == 0
    for text in ("", "table,p1,p2\n1,Ann,Cy\n", "table,p1\n9,Ann\n9,Bo\n", "table,p1\n9,Ann,Bo\n",
                 "table,p1,p1_deck\n9,Ann,gone\n", "table,p1,p1_deck\n9,Ann,gone.toml\n"):  # fmt: skip
        csv.write_text(text, encoding="utf-8")
        assert both(LITE, csv, *ROUND, "--lang", "ja").code == 2
    csv.write_bytes(b"table,p1\n9,\xff\n")
    for wrong in ((LITE, csv), ("chess@1", csv), (f"{LITE}/x", csv), (LITE, tmp_path / "gone.csv"),
                  (LITE, csv, "--policy", "gone.toml"), (LITE, csv, "--set", "x=1")):  # fmt: skip
        assert both(*wrong, *ROUND).code == 2
    assert len(served.context.store.matches()) == 6


def test_decks_in_files_are_brought_along_and_refused_as_at_a_store(
    served: Served, begin: Begin, tmp_path: Path, csv: Path
) -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "grimoire" / "decks"
    there = begin(served)
    for deck, code in (("ember.toml", 0), ("bad-five-copies.toml", 2)):
        csv.write_text(f"table,p1,p2,p2_deck\n{deck},Ann,Bo,{folder / deck}\n", encoding="utf-8")
        command = ("pairings", "grimoire@1", csv, *ROUND)
        at_service = there(*command)
        assert at_service == inside(place(tmp_path / "beside.sqlite"), *command) and at_service.code == code
    assert f"{csv}:2: " in at_service.message and "GR-" in at_service.message
    assert len(served.context.store.matches()) == 1


def test_a_round_opened_at_the_store_is_known_to_its_service(begin: Begin, tmp_path: Path, csv: Path) -> None:
    store = place(tmp_path / "cup.sqlite")
    said = ("pairings", LITE, csv, *ROUND, "--set", "hand.limit=6", "--frame", "entry20", "--json")
    first = inside(store, *said)
    assert first.code == 0, first
    with serve(Settings(store=store)) as served:
        again = begin(served)(*said)
    assert again.data == [row | {"new": False} for row in first.data]


def test_who_may_not_or_says_another_name_opens_no_round(served: Served, begin: Begin, csv: Path) -> None:
    for role in ("spectator", "scorekeeper", "floor"):
        for lang in ("en", "ja"):
            refused = begin(served, role)("pairings", LITE, csv, *ROUND, "--lang", lang)
            assert (refused.code, refused.out) == (2, "") and refused.message
    named = begin(served)("pairings", LITE, csv, *ROUND, "--by", "Ken")
    assert (named.code, named.out) == (2, "") and named.message.endswith(say("client.by", "en"))
    assert served.context.store.matches() == []


def test_a_round_whose_answer_never_came_is_opened_once(
    served: Served, begin: Begin, csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, whole = begin(served), client(served, "head")
    monkeypatch.setattr("cli.remote.connection.connect", lambda *_: lossy(whole))
    lost = there("pairings", LITE, csv, *ROUND)
    assert (lost.code, lost.out) == (2, "") and say("client.maybe_paired", "en") in lost.err
    there = begin(served)
    assert "already open: 2" in there("pairings", LITE, csv, *ROUND).out


GAME = "blackpoker"


@pytest.mark.nightly
@pytest.mark.process
def test_a_match_is_followed_while_it_is_written_to(tmp_path: Path) -> None:
    with server(store=tmp_path / "cup.sqlite") as running:
        operator = connect(running.url).sign_in(running.links["Operator"].partition("#")[2])
        head = connect(running.url).sign_in(operator.invite(payloads.Invite(role="head", name="Aiko")).invitation)
        opened = head.open(payloads.OpenMatch(game=GAME, version=tuple(GAMES[GAME].versions)[-1], match="final"))
        match = head.match("final")
        first, second = match.note("a card fell"), match.note("it was picked up")
        told = connect(running.url).match("final").live(after=opened.head)
        events = [next(told), next(told)]
        told.close()
        assert [(event.kind, event.id) for event in events] == [
            ("entry", str(entered.head)) for entered in (first, second)
        ]
        assert [msgspec.json.decode(event.data)["n"] for event in events] == [first.head, second.head]
        assert match.film(opened.head)


PLEDGES = tuple(word for seat, pledge in pledges_of().items() for word in ("--pledge", f"{seat}={pledge}"))


def test_two_players_shuffle_together_at_a_service(served: Served, begin: Begin) -> None:
    made = begin(served)("pledge", MATCH, "p1", "--secret", SECRETS[P1].hex())
    assert made.code == 0 and pledges_of()[P1] in made.out
    opened = begin(served)("new", LITE, "--match", MATCH, *PLEDGES)
    assert (opened.code, opened.out) == (0, f"{MATCH}\n") and "is waiting for the secrets of p1, p2" in opened.err
    assert isinstance(served.context.match(MATCH).opening, Pledged) and served.context.match(MATCH).version == 1
    mine = begin(served, "seat", MATCH, seat="p1")
    other = mine("reveal", MATCH, "p2", SECRETS[P2].hex())
    assert (other.code, other.out) == (2, "") and "p1 can reveal only the secret of p1" in other.message
    wrong = mine("reveal", MATCH, "p1", SECRETS[P2].hex())
    assert (wrong.code, wrong.out) == (2, "") and pledges_of()[P1] in wrong.message
    gone = mine("reveal", MATCH, "p1", "--missing", "--reason", "x")
    assert (gone.code, gone.out) == (2, "") and "Only a judge can record" in gone.message
    waits = mine("play", MATCH)
    assert (waits.code, waits.out) == (2, "") and "the secrets of p1, p2" in waits.message
    done = mine("reveal", MATCH, "p1", SECRETS[P1].hex(), "--command-id", "x")
    assert (done.code, done.out) == (0, f"2 p1 reveals the secret of p1: {SECRETS[P1].hex()}\n")
    assert mine("reveal", MATCH, "p1", SECRETS[P1].hex(), "--command-id", "x") == done
    twice = mine("reveal", MATCH, "p1", SECRETS[P1].hex())
    assert twice.code == 2 and "already" in twice.message
    named = begin(served)("reveal", MATCH, "p2", SECRETS[P2].hex(), "--by", "kato")
    assert named.code == 2 and served.context.match(MATCH).version == 2
    assert "the secrets of p2:" in begin(served)("play", MATCH).message
    last = begin(served)("reveal", MATCH, "p2", "--missing", "--reason", "gone home", "--json")
    assert [entry["seen"] for entry in last.data["entries"]][:2] == ["revealed", "played"]
    assert isinstance(served.context.match(MATCH).entries[3], Played)
    assert "recording p1, p2" in begin(served)("play", MATCH).out


def test_the_same_is_refused_as_of_a_store(served: Served, begin: Begin) -> None:
    there = begin(served)
    for more in (("--pledge", f"p1={'ab' * 31}"), ("--pledge", "p1"), ("--pledge", f"p9={'ab' * 32}")):
        refused = there("new", LITE, "--match", MATCH, *more)
        assert (refused.code, refused.out) == (2, "") and refused.message
    assert there("new", LITE, "--pledge", f"p1={'ab' * 32}").code == 2
    there("new", LITE, "--match", MATCH)
    assert "no pledge" in there("reveal", MATCH, "p1", "00" * 16).message
    assert "--missing" in there("reveal", MATCH, "p1").message
