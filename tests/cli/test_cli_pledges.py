"""Seat commitments: `pledge`, `new --pledge`, `reveal` and `fairness`, in both languages, and their errors."""

from pathlib import Path

import pytest

from domain.law import croupier
from domain.law.entries import opened_of
from domain.table.table import Seat
from domain.words import say
from recorder.store import Store
from tests.cli.runs import Ran, fine, inside
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of

EDITION = "blackpoker@8.1-lite"
PLEDGES = tuple(word for seat, pledge in pledges_of().items() for word in ("--pledge", f"{seat}={pledge}"))


@pytest.fixture
def where(tmp_path: Path) -> Path:
    """Return a store with a match whose shuffles both seats have committed to."""
    path = tmp_path / "a.sqlite"
    assert fine(path, "new", EDITION, "--match", MATCH, *PLEDGES).out == f"{MATCH}\n"
    return path


def revealed(where: Path, seat: Seat, *more: str) -> Ran:
    return fine(where, "reveal", MATCH, seat, SECRETS[seat].hex(), *more)


def refusal(where: Path, *arguments: str) -> str:
    """Return the message of a command that fails for bad input and records nothing."""
    before = Path(where).read_bytes() if Path(where).exists() else b""
    ran = inside(where, *arguments)
    assert (ran.code, ran.out) == (2, ""), ran
    assert before == (Path(where).read_bytes() if Path(where).exists() else b"")
    return ran.message


def test_a_pledge_is_made_without_a_store_and_never_twice_the_same(tmp_path: Path) -> None:
    none = tmp_path / "none.sqlite"
    made, again = (fine(none, "pledge", MATCH, "p1", "--json").data for _ in range(2))
    assert made["secret"] != again["secret"] and not none.exists()
    assert made["pledge"] == croupier.commit_seat(MATCH, P1, bytes.fromhex(made["secret"]))
    own = fine(none, "pledge", MATCH, "p1", "--secret", SECRETS[P1].hex().upper())
    assert pledges_of()[P1] in own.out and SECRETS[P1].hex() in own.out and "shinpan reveal table-17 p1" in own.err
    for wrong in (("no match", "p1"), (MATCH, "p/1"), (MATCH, ""), (MATCH, "p1", "--secret", "beef")):
        said = refusal(none, "pledge", *wrong)
        assert "beef" not in said, "what was to be secret is not repeated"


def test_two_players_shuffle_together(where: Path) -> None:
    opened = inside(where, "show", MATCH)
    assert opened.code == 0
    waiting = inside(where, "do", MATCH, "chance: auto")
    assert "p1" in waiting.err and "shinpan reveal table-17 SEAT SECRET" in waiting.err
    first = revealed(where, P2, "--by", "p2")
    assert first.out == f"2 p2 reveals the secret of p2: {SECRETS[P2].hex()}\n"
    last = revealed(where, P1)
    assert "3 judge reveals the secret of p1" in last.out and "4 chance" in last.out
    told = fine(where, "fairness", MATCH)
    assert "the croupier and p1, p2" in told.out and "p1 revealed the pledged secret" in told.out
    asked = fine(where, "fairness", MATCH, "--json").data
    assert asked["fair"] is True and asked["chance"]["parts"] == {"p1": "revealed", "p2": "revealed"}
    assert "ディーラーとp1、p2" in fine(where, "fairness", MATCH, "--lang", "ja").out
    log = fine(where, "log", MATCH).out
    assert "shuffled with the secrets of p1, p2" in log and SECRETS[P1].hex() in log


def test_a_secret_that_is_missing_is_recorded_with_its_reason(where: Path) -> None:
    revealed(where, P1)
    gone = fine(where, "reveal", MATCH, "p2", "--missing", "--reason", "gone home", "--by", "kato")
    assert "2" in gone.out and "kato records that p2 did not reveal its secret: gone home" in gone.out
    told = fine(where, "fairness", MATCH).out
    assert "p2 did not reveal its secret: the pledge is used instead" in told
    assert "too late" in refusal(where, "reveal", MATCH, "p2", SECRETS[P2].hex())


def test_what_is_no_reveal_is_refused_and_no_secret_repeated(where: Path) -> None:
    other = "ab" * 16
    said = refusal(where, "reveal", MATCH, "p1", other)
    assert pledges_of()[P1] in said and other not in said
    assert "p3" in refusal(where, "reveal", MATCH, "p3", other)
    for wrong in ((), ("--missing",), (other, "--missing", "--reason", "x"), (other, "--reason", "x"), ("beef",)):
        assert "beef" not in refusal(where, "reveal", MATCH, "p1", *wrong)
    revealed(where, P1)
    assert "already" in refusal(where, "reveal", MATCH, "p1", SECRETS[P1].hex())
    assert inside(where, "reveal", MATCH, "p2", SECRETS[P2].hex(), "--expect", "1").code == 2


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--pledge", "p1"), "--pledge"),
        (("--pledge", f"p1={'ab' * 31}"), "64 hexadecimal digits"),
        (("--pledge", f"p9={'ab' * 32}"), "'p9'"),
        (("--pledge", f"p1={'ab' * 32}", "--pledge", f"p1={'ab' * 32}"), "twice"),
        (("--pledge", f"p1={'ab' * 32}", "--no-deal"), "real cards"),
    ],
)
def test_what_is_no_pledge_opens_no_match(tmp_path: Path, more: tuple[str, ...], says: str) -> None:
    store = tmp_path / "a.sqlite"
    ran = inside(store, "new", EDITION, "--match", "m", *more)
    assert (ran.code, ran.out) == (2, "") and says in ran.message
    assert inside(store, "show", "m").code == 2
    unnamed = inside(store, "new", EDITION, "--pledge", f"p1={'ab' * 32}")
    assert unnamed.code == 2 and say("pledge.no_match", "en") in unnamed.message


def test_who_shuffled_is_said_of_every_match(tmp_path: Path, where: Path) -> None:
    fine(where, "new", EDITION, "--match", "alone")
    assert "the croupier alone" in fine(where, "fairness", "alone").out
    fine(where, "new", EDITION, "--match", "real", "--no-deal")
    assert "no cards were dealt here" in fine(where, "fairness", "real").out
    fine(where, "new", EDITION, "--match", "one", "--pledge", f"p2={croupier.commit_seat('one', P2, bytes(16))}")
    assert "the croupier and p2" in fine(where, "fairness", "one").out
    with Store.open(where) as store:
        commitment = opened_of(store.read("one")).commitment
    waiting = fine(where, "fairness", "one").out
    assert "p2 has not revealed its secret yet" in waiting and commitment and commitment in waiting


CALLS = (
    ("show", MATCH), ("log", MATCH), ("log", MATCH, "--flow"), ("export", MATCH), ("fairness", MATCH), ("matches",),
    ("export", MATCH, "--format", "jsonl"), ("audit", MATCH), ("knows", MATCH), ("find",), ("legal", MATCH),
    ("branch", MATCH, "--at", "1"),
)  # fmt: skip
TOLD_TO_ALL = ("matches", "find", "fairness", "branch")


@pytest.mark.parametrize("viewer", ["spectator", "p1", "p2", "judge"])
def test_before_the_reveals_nobody_is_shown_a_secret_or_the_seed(where: Path, viewer: str) -> None:
    with Store.open(where) as store:
        seed = store.secret(MATCH)
    assert seed is not None
    secret = [seed.hex(), *(kept.hex() for kept in SECRETS.values())]
    shown = 0
    refusal(where, "reveal", MATCH, "p1", SECRETS[P2].hex())
    for call in CALLS:
        for more in ((), ("--json",)):
            as_who = () if call[0] in TOLD_TO_ALL else ("--as", viewer)
            ran = inside(where, *call, *as_who, *more)
            shown += ran.code == 0
            assert not [text for text in secret if text in ran.out + ran.err], call
    assert shown > 12
    held = b"".join(file.read_bytes() for file in where.parent.iterdir())
    assert not any(kept in held or kept.hex().encode() in held for kept in SECRETS.values())
    revealed(where, P1)
    revealed(where, P2)
    log = fine(where, "log", MATCH, "--as", viewer).out
    assert seed.hex() not in log and SECRETS[P1].hex() in log


def test_play_says_for_whose_secrets_it_waits_and_ends(where: Path) -> None:
    for lang in ("en", "ja"):
        awaited = say("play.reveals", lang, match=MATCH, seats="p1, p2" if lang == "en" else "p1、p2")
        assert refusal(where, "play", MATCH, "--lang", lang) == f"shinpan: {awaited}"
    revealed(where, P1)
    assert "secrets of p2:" in refusal(where, "play", MATCH)
    revealed(where, P2)
    assert "recording p1, p2" in inside(where, "play", MATCH).out
