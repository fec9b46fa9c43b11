"""Seals broken and put back at a service from the terminal: recorded as in a store, and nothing is seen but while they
are broken."""

import pytest
from msgspec.structs import replace

from client.sending import Request, Response, Unreachable
from domain.words import Text, say
from service.access import Role
from tests.service.serving import Served
from tests.service.test_client import URL, Begin, client


def test_a_seal_is_broken_looked_through_and_put_back(served: Served, begin: Begin) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=12)
    there = begin(served)
    assert there("show", "m", "--as", "p1").message.endswith(say("problem.sealed", "en"))
    broken = there("unseal", "m", "--eyes", "p1", "--minutes", "9", "--json")
    (entry,) = broken.data["entries"]
    assert (broken.data["first"], broken.data["version"]) == (13, 13)
    assert (entry["seen"], entry["by"], entry["eyes"]) == ("unsealed", "head head", "p1")
    assert entry["until"] == served.clock.at + 9 * 60_000
    assert there("show", "m", "--as", "p1").code == 0 and there("show", "m", "--as", "p2").code == 2
    back = there("reseal", "m", "--eyes", "p1")
    assert (back.code, back.out) == (0, "14 head head looks with the eyes of p1 no more\n")
    assert there("show", "m", "--as", "p1").code == 2
    twice = there("reseal", "m", "--eyes", "p1", "--lang", "ja")
    assert (twice.code, twice.out) == (2, "")
    assert twice.message.endswith(say("docket.sealed", "ja", by="head head", eyes="p1"))
    assert there("unseal", "m", "--eyes", "judge").out.startswith("15 head head looks with the eyes of")
    assert served.house.match("m").version == 15


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
        (("reseal", "m", "--eyes", "p1"), "does not look"),
        (("reseal", "closed", "--eyes", "p1"), "does not look"),
        (("reseal", "m", "--eyes", "p9"), "p9"),
    ],
)
def test_what_cannot_be_unsealed_is_said_so_and_nothing_is_recorded(
    served: Served, begin: Begin, command: tuple[str, ...], words: str
) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=12)
    served.put("blackpoker", "normal", "closed", upto=12)
    refused = begin(served)(*command)
    assert (refused.code, refused.out) == (2, "") and words in refused.message, refused
    assert served.house.match("m").version == 12


def test_who_is_no_judge_breaks_no_seal(served: Served, begin: Begin) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=12)
    asked: tuple[tuple[Role, tuple[str, ...], str], ...] = (
        ("spectator", (), ""), ("seat", ("m",), "p1"), ("scorekeeper", (), ""), ("operator", (), ""),
        ("floor", ("other",), ""),
    )  # fmt: skip
    for role, matches, seat in asked:
        for command in ("unseal", "reseal"):
            refused = begin(served, role, *matches, seat=seat)(command, "m", "--eyes", "p2")
            assert (refused.code, refused.out) == (2, ""), role
    assert served.house.match("m").version == 12
    assert begin(served, "floor", "m")("unseal", "m", "--eyes", "p2").code == 0


def test_a_seal_whose_answer_never_came_is_broken_once(
    served: Served, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.put("blackpoker", "normal", "m", closed=False, upto=12)
    there, whole = begin(served), client(served, "head")

    def lose(request: Request) -> Response:
        answer = whole.send(request)
        if request.method != "GET":
            raise Unreachable(Text("client.unreachable", {"url": URL, "why": "reset"}))
        return answer

    for number, command in enumerate(("unseal", "reseal"), start=13):
        said = (command, "m", "--eyes", "p1", "--command-id", command)
        monkeypatch.setattr("cli.away.asking.connect", lambda *_: replace(whole, send=lose))
        lost = there(*said)
        assert (lost.code, lost.out) == (2, "") and "--command-id" in lost.err
        monkeypatch.setattr("cli.away.asking.connect", lambda *_: whole)
        for _ in range(2):
            again = there(*said)
            assert again.code == 0 and again.out.startswith(f"{number} "), again
    assert served.house.match("m").version == 14
