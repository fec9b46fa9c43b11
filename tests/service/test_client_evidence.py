"""Evidence at a service from the terminal: sealed there and verified here, independent of the service's claims."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.client.transport import ClientRequest, ClientResponse
from domain.words import say
from recorder.evidence.verifier import read_pack, write_pack
from service.settings import Settings
from tests.cli.runs import Ran, inside
from tests.evidence import sealed as S
from tests.evidence.packed import wrong
from tests.places import place
from tests.service.harness import Served, serve
from tests.service.test_client import URL, Begin, client

KEY = str(S.ORGANISER.key)


@pytest.fixture
def store(tmp_path: Path) -> str:
    return place(tmp_path / "cup.sqlite")


@pytest.fixture
def served(store: str) -> Iterator[Served]:
    with serve(Settings(store=store), S.ORGANISER) as ready:
        ready.record_match("blackpoker", "normal", "over")
        ready.record_match("blackpoker", "normal", "on", closed=False, upto=40)
        yield ready


def test_what_is_sealed_and_proved_at_a_service_is_as_of_its_store(
    begin: Begin, served: Served, store: str, tmp_path: Path
) -> None:
    there, first, second = begin(served), tmp_path / "first.note", tmp_path / "second.note"
    done = there("seal", "--out", first)
    assert (done.code, done.out) == (0, say("seal.done", "en", leaves=5, new=5) + "\n")
    assert there("seal", "--json").data == {"note": first.read_text(), "leaves": 5, "new": 0}
    served.record_match("blackpoker", "normal", "later")
    assert there("seal", "--out", second, "--lang", "ja").code == 0
    for said in (("proof", "over"), ("proof", "on"), ("proof", "--since", first)):
        for form in ((), ("--json",), ("--lang", "ja")):
            assert there(*said, *form) == inside(store, *said, *form) and there(*said).code == 0, said
    written = tmp_path / "over.proof"
    assert there("proof", "over", "--out", written).code == 0
    assert written.read_text() == there("proof", "over").out
    assert inside(store, "check", "--against", written, "--key", KEY).code == 0


def test_a_service_is_checked_against_what_was_kept_of_it(begin: Begin, served: Served, tmp_path: Path) -> None:
    there, note = begin(served, "spectator"), tmp_path / "kept.note"
    none = there("check")
    assert none.code == 2 and none.message.endswith(say("evidence.unsealed", "en"))
    note.write_text(begin(served)("seal").out)
    there = begin(served, "spectator")
    for match in ((), ("over",), ("on",)):
        fine = there("check", *match, "--against", note, "--key", KEY, "--json")
        assert fine.code == 0 and fine.data["trusted"] and not fine.data.get("wrong"), fine
    served.record_match("blackpoker", "normal", "later")
    begin(served)("seal")
    grown = begin(served, "spectator")("check", "--against", note, "--json")
    assert grown.code == 0 and (grown.data["leaves"], grown.data.get("trusted")) == (7, None)
    other = begin(served)("check", "over", "--key", str(S.STRANGER.key))
    assert other.code == 1 and str(S.STRANGER.key) in other.out


def test_the_widest_eyes_are_used_and_what_they_see_is_counted(begin: Begin, served: Served) -> None:
    there = begin(served)
    there("seal")
    assert there("check", "over", "--json").data["held"] == 1
    proof = there("proof", "over").out
    head = there("check", "over", "--json").data
    assert head["entries"] == served.context.store.version("over") and "opened" not in head
    assert proof
    assert begin(served, "seat", "on", seat="p1")("check", "on").code == 0
    gone = there("check", "gone")
    assert gone.code == 2 and gone.message.endswith(say("problem.no_match", "en"))


def test_files_are_checked_here_as_ever(begin: Begin, served: Served, store: str, tmp_path: Path) -> None:
    there, pack, players = begin(served), tmp_path / "o.zip", tmp_path / "p.zip"
    there("seal")
    done = there("dossier", "over", "--out", pack, "--players", players)
    assert done.code == 0 and done.out.count("\n") == 2
    assert there("check", pack, "--key", KEY) == inside(store, "check", pack, "--key", KEY)
    assert there("check", players, "--against", pack).code == 0
    assert wrong(players.read_bytes(), [KEY], pack.read_bytes()) == []


def test_a_dossier_holds_what_these_eyes_may_have_or_nothing_is_written(
    begin: Begin, served: Served, tmp_path: Path
) -> None:
    pack, players = tmp_path / "o.zip", tmp_path / "p.zip"
    there = begin(served, "spectator")
    for match, eyes in (("over", ("--out", pack)), ("on", ("--out", pack, "--players", players))):
        refused = there("dossier", match, *eyes)
        assert (refused.code, refused.out) == (2, "") and list(tmp_path.glob("*.zip")) == []
    assert there("dossier", "on").message.endswith(say("dossier.none", "en"))
    alone = there("dossier", "on", "--players", players, "--json")
    assert alone.code == 0 and alone.data == {"match": "on", "entries": 40, "sealed": False, "players": str(players)}
    assert wrong(players.read_bytes()) == []
    missing = inside(place(tmp_path / "cup.sqlite"), "dossier", "over", "--players", players)
    assert missing.code == 2 and missing.message.endswith(say("dossier.no_out", "en"))


def test_who_may_not_seal_is_told_so_and_a_key_is_not_sent(begin: Begin, served: Served, tmp_path: Path) -> None:
    assert begin(served, "floor")("seal").message.endswith(say("problem.no-authority", "en"))
    key = tmp_path / "seal.key"
    key.write_text(S.STRANGER.write())
    refused = begin(served)("seal", "--key", key)
    assert refused.code == 2 and refused.message.endswith(say("client.no_key", "en"))


Lie = Callable[[ClientRequest, ClientResponse], bytes]


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch, served: Served) -> Callable[[Lie], Callable[..., Ran]]:

    def begin_lying(lie: Lie) -> Callable[..., Ran]:
        honest = client(served, "head")

        def send(request: ClientRequest) -> ClientResponse:
            answer = honest.send(request)
            return ClientResponse(
                answer.status, answer.headers, lie(request, answer) if answer.status < 300 else answer.body
            )

        liar = type(honest)(honest.url, send, honest.stream, honest.token)
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: liar)
        return lambda *arguments: inside(URL, *arguments)

    return begin_lying


def test_two_histories_are_found_out_by_who_kept_a_note_of_the_other(
    begin: Begin, served: Served, tmp_path: Path
) -> None:
    """The service offers a log that does not extend the one it offered before, with a valid proof of the new log."""
    kept = tmp_path / "kept.note"
    kept.write_text(begin(served)("seal").out)
    with served.context.store.transaction() as c:
        c.execute("UPDATE leaves SET head=? WHERE match='over'", (bytes(32),))
        c.execute("DELETE FROM checkpoints")
    assert begin(served)("seal").code == 0
    forked = begin(served)("check", "--against", kept, "--key", KEY)
    assert forked.code == 1 and str(kept) in forked.out


@pytest.mark.parametrize("sent", ["proof", "dossier"])
def test_what_is_of_another_match_is_not_taken_for_this_one(
    begin: Begin, served: Served, sent: str, lying: Callable[[Lie], Callable[..., Ran]], tmp_path: Path
) -> None:
    served.record_match("blackpoker", "normal", "twin")
    begin(served)("seal")
    honest = client(served, "head")

    def lie(request: ClientRequest, answer: ClientResponse) -> bytes:
        path = request.path.replace("/over/", "/twin/")
        again = ClientRequest(request.method, path, request.headers, request.body)
        return honest.send(again).body if f"/over/{sent}" in request.path else answer.body

    there = lying(lie)
    commands = {"proof": [("proof", "over")], "dossier": [("check", "over"), ("dossier", "over", "--out", "o.zip")]}
    for command in commands[sent]:
        found = there(*(tmp_path / part if part == "o.zip" else part for part in command))
        assert found.code == 2 and found.out == "" and "over" in found.message
    assert not (tmp_path / "o.zip").exists()


def test_a_pack_that_was_changed_on_its_way_is_named(
    begin: Begin, served: Served, lying: Callable[[Lie], Callable[..., Ran]]
) -> None:
    begin(served)("seal")

    def lie(request: ClientRequest, answer: ClientResponse) -> bytes:
        if "/dossier" not in request.path:
            return answer.body
        files = read_pack(answer.body)
        lines = files["entries.jsonl"].splitlines(keepends=True)
        lines[4] = lines[4].replace(b'"at":', b'"at":1', 1)
        return write_pack({**files, "entries.jsonl": b"".join(lines)})

    found = lying(lie)("check", "over", "--json")
    assert found.code == 1 and ("over", 6) in {(row.get("match"), row.get("entry")) for row in found.data["wrong"]}


def test_no_word_of_the_service_is_taken_for_a_signature(
    begin: Begin, served: Served, lying: Callable[[Lie], Callable[..., Ran]], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.note"
    kept.write_text(begin(served)("seal").out)
    stranger = S.STRANGER.sign(kept.read_text().partition("\n\n")[0] + "\n")

    def lie(request: ClientRequest, answer: ClientResponse) -> bytes:
        return stranger.encode() if request.path.endswith("/checkpoint") else answer.body

    there = lying(lie)
    assert there("check", "--key", KEY).code == 1
    assert lying(lambda request, answer: b"nothing" if "/log/" in request.path else answer.body)("check").code == 2
