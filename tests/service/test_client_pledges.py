"""Pledges and reveals from the terminal at a service: told and refused as of a store, a seat reveals its own alone."""

from domain.law.entries import Played, Pledged
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.service.serving import Served
from tests.service.test_client import Begin

EDITION = "blackpoker@8.1-lite"
PLEDGES = tuple(word for seat, pledge in pledges_of().items() for word in ("--pledge", f"{seat}={pledge}"))


def test_two_players_shuffle_together_at_a_service(served: Served, begin: Begin) -> None:
    made = begin(served)("pledge", MATCH, "p1", "--secret", SECRETS[P1].hex())
    assert made.code == 0 and pledges_of()[P1] in made.out
    opened = begin(served)("new", EDITION, "--match", MATCH, *PLEDGES)
    assert (opened.code, opened.out) == (0, f"{MATCH}\n") and "waits for the secrets of p1, p2" in opened.err
    assert isinstance(served.house.match(MATCH).opened, Pledged) and served.house.match(MATCH).version == 1
    mine = begin(served, "seat", MATCH, seat="p1")
    other = mine("reveal", MATCH, "p2", SECRETS[P2].hex())
    assert (other.code, other.out) == (2, "") and "p1 alone" in other.message
    wrong = mine("reveal", MATCH, "p1", SECRETS[P2].hex())
    assert (wrong.code, wrong.out) == (2, "") and pledges_of()[P1] in wrong.message
    gone = mine("reveal", MATCH, "p1", "--missing", "--reason", "x")
    assert (gone.code, gone.out) == (2, "") and "a judge records" in gone.message
    waits = mine("play", MATCH)
    assert (waits.code, waits.out) == (2, "") and "the secrets of p1, p2" in waits.message
    done = mine("reveal", MATCH, "p1", SECRETS[P1].hex(), "--command-id", "x")
    assert (done.code, done.out) == (0, f"2 p1 reveals what p1 had pledged: {SECRETS[P1].hex()}\n")
    assert mine("reveal", MATCH, "p1", SECRETS[P1].hex(), "--command-id", "x") == done
    twice = mine("reveal", MATCH, "p1", SECRETS[P1].hex())
    assert twice.code == 2 and "already" in twice.message
    named = begin(served)("reveal", MATCH, "p2", SECRETS[P2].hex(), "--by", "kato")
    assert named.code == 2 and served.house.match(MATCH).version == 2
    assert "the secrets of p2:" in begin(served)("play", MATCH).message
    last = begin(served)("reveal", MATCH, "p2", "--missing", "--reason", "gone home", "--json")
    assert [entry["seen"] for entry in last.data["entries"]][:2] == ["revealed", "played"]
    assert isinstance(served.house.match(MATCH).entries[3], Played)
    assert "recording p1, p2" in begin(served)("play", MATCH).out


def test_the_same_is_refused_as_of_a_store(served: Served, begin: Begin) -> None:
    there = begin(served)
    for more in (("--pledge", f"p1={'ab' * 31}"), ("--pledge", "p1"), ("--pledge", f"p9={'ab' * 32}")):
        refused = there("new", EDITION, "--match", MATCH, *more)
        assert (refused.code, refused.out) == (2, "") and refused.message
    assert there("new", EDITION, "--pledge", f"p1={'ab' * 32}").code == 2
    there("new", EDITION, "--match", MATCH)
    assert "no pledge" in there("reveal", MATCH, "p1", "00" * 16).message
    assert "--missing" in there("reveal", MATCH, "p1").message
