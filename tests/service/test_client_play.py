"""Recording with keys at a service: offers, entries, and no duplicates."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from cli.client.service import Service
from cli.client.transport import ClientRequest, ClientResponse, ServiceUnreachable
from domain.law.entries import Closed, Corrected, Entry, Noted, Played, Rewound
from domain.words import Text, say
from service.access import Role
from service.problems import problem
from tests.cli.runs import Ran
from tests.cli.typist import Answer, play
from tests.service.commands import head, send
from tests.service.harness import Served
from tests.service.test_client import client

pytestmark = pytest.mark.rotates(2)

URL = "http://service.example"
Begin = Callable[..., Callable[..., Ran]]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Return a function that runs `play` against a service in a role; `through` wraps its transport."""

    def beginning(
        served: Served, role: Role = "scorekeeper", *scope: str, seat: str = "", through: Any = None
    ) -> Callable[..., Ran]:
        there = client(served, role, *scope, seat=seat)
        there = there if through is None else replace(there, send=through(there))
        monkeypatch.setattr("cli.remote.connection.connect", lambda *_: there)

        def run(*answers: Answer, said: Sequence[str] = (), lang: str = "en") -> Ran:
            typed = [answer + "\n" if isinstance(answer, str) else answer for answer in answers]
            return play(URL, "m", *said, answers=typed, lang=lang)  # type: ignore[arg-type]

        return run

    return beginning


def record_open_match(served: Served, upto: int = 12) -> None:
    """Record an open match: after entry 12 p2 chooses blockers, after entry 3 p1 is to act."""
    served.record_match("blackpoker", "normal", "m", closed=False, upto=upto)


def entries(served: Served, after: int = 12) -> tuple[Entry, ...]:
    return served.context.match("m").entries[after:]


def verbs(served: Served, after: int = 12) -> list[str]:
    match = served.context.match("m")
    decode = match.game.decoder().decode
    played = [entry for entry in match.entries[after:] if isinstance(entry, Played)]
    return [f"{entry.actor} {decode(entry.action).__struct_config__.tag}" for entry in played]


def meanwhile(served: Served, typed: str, command: dict[str, Any]) -> Answer:
    """Return an answer that first records a command of another writer."""

    def answer() -> str:
        assert send(served, "m", command, id=7).status_code == 201
        return typed

    return answer


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_offered_is_recorded_by_its_key_and_followed(served: Served, begin: Begin, lang: str) -> None:
    record_open_match(served)
    ran = begin(served)("v1", "", ".", said=("--count",), lang=lang)
    assert (ran.code, ran.err) == (0, ""), ran
    assert verbs(served) == ["p2 designate_blockers", "p1 pass", "p2 pass"]
    assert "14-15" in ran.out and "BP-7.33" in ran.out
    assert say("away.bye", lang, match="m", entry=15) in ran.out  # type: ignore[arg-type]
    assert {entry.at for entry in entries(served)} == {served.clock.at}


def test_a_verb_that_names_hidden_cards_is_typed_behind_its_key(served: Served, begin: Begin) -> None:
    record_open_match(served, 3)
    ran = begin(served)("s", "H9 S5", ",", "=", ".")
    assert verbs(served, 3) == ["p1 summon_soldier", "p1 pass", "p2 pass"] and ran.code == 0
    assert all(not entry.violations for entry in entries(served, 3) if isinstance(entry, Played))
    hand = next(line for line in ran.out.splitlines() if line.startswith("  hand"))
    assert hand.split() == ["hand", "7"], "a scorekeeper sees what a spectator sees"


def test_what_breaks_a_rule_is_recorded_as_played_if_that_is_meant(served: Served, begin: Begin) -> None:
    record_open_match(served)
    let_go = begin(served)("!a", "p1: pass", "<", ".")
    assert "BP-4.15" in let_go.out and "nothing was recorded" in let_go.out and not entries(served)
    begin(served)("!a", "p1: pass", "", ".")
    (entry,) = entries(served)
    assert isinstance(entry, Played) and entry.violations[0] == "BP-4.15"


def test_what_lacks_a_target_is_completed_by_a_number(served: Served, begin: Begin) -> None:
    record_open_match(served, 3)
    ran = begin(served)("!a", "p1: summon_soldier H9", "1", ".")
    assert "The action lacks: bulwarks." in ran.out and "p1: summon_soldier H9 u55" in ran.out
    assert verbs(served, 3) == ["p1 summon_soldier"]
    (entry,) = entries(served, 3)
    assert isinstance(entry, Played) and not entry.violations


def test_what_lacks_a_target_is_recorded_as_it_stands(served: Served, begin: Begin) -> None:
    record_open_match(served, 3)
    ran = begin(served)("!a", "p1: summon_soldier H9", "", ".")
    assert "Record as it stands" in ran.out
    (entry,) = entries(served, 3)
    assert isinstance(entry, Played) and entry.violations


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (("%", "!z", "v9"), "not available here"),
        (("!a", "p1: juggle"), "column 5"),
        (("!f", "life p1 3", "", ""), "there is no fact"),
        (("!f", "turn u999 up", "", ""), "u999"),
        (("!a", "p9: pass"), "p9"),
        (("!n", ""), ""),
        (("n",), "> n: not av"),
        (("!e1", "", "<"), "this ends the match"),
    ],
)
def test_what_cannot_be_read_or_is_let_go_records_nothing(
    served: Served, begin: Begin, keys: tuple[str, ...], said: str
) -> None:
    record_open_match(served)
    ran = begin(served)(*keys, "\x04")
    assert (ran.code, entries(served)) == (0, ()) and said in " ".join(ran.out.split()), ran.out


def test_notes_facts_and_calls_are_recorded_under_the_name_of_the_token(served: Served, begin: Begin) -> None:
    record_open_match(served)
    ran = begin(served)("!n", "a card fell", "!k", "slow play", "!f", "turn u56 up", "turn u57 up", "", "seen", ".")
    noted, called, corrected = entries(served)
    assert ran.code == 0 and isinstance(noted, Noted) and isinstance(called, Noted)
    assert (noted.text, noted.by) == ("a card fell", "scorekeeper scorekeeper") and "slow play" in called.text
    assert isinstance(corrected, Corrected) and corrected.reason == "seen" and len(corrected.told) == 2


@pytest.mark.parametrize(("role", "kind"), [("head", Rewound), ("floor", Noted), ("scorekeeper", Rewound)], ids=str)
def test_an_undo_is_a_rewind_or_asked_for_or_a_judge_is_called(
    served: Served, begin: Begin, role: Role, kind: type[Entry]
) -> None:
    record_open_match(served)
    ran = (
        begin(served, role)("v1", "-1", "w", "wrong block", ".")
        if role != "scorekeeper"
        else begin(served)("v1", "-1", "", ".")
    )
    _, entry = entries(served)
    assert ran.code == 0 and isinstance(entry, kind), ran
    match entry:
        case Rewound(to=to, reason=reason):
            said = "wrong block" if role == "head" else "recorded by mistake"
            assert (to, reason) == (12, said) and (role != "head" or "undone by a rewind" in ran.out)
        case Noted(text=text):
            assert text == "[rewind to=12] wrong block"


def test_a_scorekeeper_asks_a_judge_for_an_undo_that_needs_one(served: Served, begin: Begin) -> None:
    record_open_match(served)
    assert send(served, "m", {"kind": "play", "text": "p2: pass"}, id=1).status_code == 201
    assert send(served, "m", {"kind": "pause"}, "floor", id=2).status_code == 201
    ran = begin(served)("-", "", "", ".")
    request, call = entries(served)[-2:]
    assert ran.code == 0 and "a judge has acted" in ran.out
    assert isinstance(request, Noted) and isinstance(call, Noted)
    assert request.text.startswith("[rewind ") and call.text.startswith("[call ")


def test_a_match_is_ended_and_closed(served: Served, begin: Begin) -> None:
    record_open_match(served)
    ran = begin(served, "head")("!e1", "y", "c", "y")
    assert ran.code == 0 and isinstance(entries(served)[-1], Closed) and "Mio won" in ran.out
    again = begin(served, "head")(".")
    assert (again.code, again.out) == (2, "") and "closed in entry" in again.message


def test_a_player_records_for_their_own_seat_as_they_see_it(served: Served, begin: Begin) -> None:
    record_open_match(served, 3)
    mine = begin(served, "seat", "m", seat="p1")
    ran = mine("s1", "=", "!f", "-", "")
    assert verbs(served, 3) == ["p1 summon_soldier"] and "C10 (u43)" in ran.out
    assert "[f]" not in ran.out and "a player cannot undo alone" in ran.out
    before = head(served, "m")
    refused = mine("!a", "p2: concede", "y", ".")
    assert say("problem.no-authority", "en") in refused.out and head(served, "m") == before
    other = mine(".", said=("--as", "p2"))
    assert (other.code, other.out) == (2, "") and "p2" in other.message


def test_of_real_cards_what_shows_is_asked_for_and_what_nobody_saw_is_not(served: Served, begin: Begin) -> None:
    real = {"game": "blackpoker", "version": "8.1-lite", "cards": "real", "match": "m"}
    assert served.post("/api/v1/matches", real, "scorekeeper").status_code == 201
    keys = begin(served)
    let_go = keys("", "S2", "", ".")
    assert let_go.code == 0 and len(entries(served, 0)) == 2 and "turn up as soldier?" in let_go.out
    typed = keys("t", "shuffle_deck p9", "t", "juggle", "t", "", ".")
    assert typed.code == 0 and len(entries(served, 0)) == 2 and "juggle" in typed.out
    ran = keys("", "S2", "ZZ", "S3", "S4,S5", ".")
    assert ran.code == 0 and len(entries(served, 0)) == 3 and "S4, S5 shown to everyone" in ran.out, ran


def test_who_may_not_record_is_told_so_before_anything_is_asked(served: Served, begin: Begin) -> None:
    record_open_match(served)
    for role in ("spectator", "operator", "designer"):
        refused = begin(served, role)(".")
        assert (refused.code, refused.out) == (2, "") and refused.message
    scoped = begin(served, "floor", "other")(".")
    assert (scoped.code, scoped.out) == (2, "") and scoped.message
    for said in (("--by", "Ken"), ("--chance-by-hand",), ("--as", "p9")):
        refused = begin(served)(".", said=said)
        assert (refused.code, refused.out) == (2, "") and said[0 if said[0] != "--as" else 1] in refused.message


def test_what_others_recorded_meanwhile_is_told_and_nothing_is_recorded_twice(served: Served, begin: Begin) -> None:
    record_open_match(served)
    other = meanwhile(served, "v1\n", {"kind": "play", "text": "p2: designate_blockers"})
    ran = begin(served)(other, ".")
    assert ran.code == 0 and verbs(served) == ["p2 designate_blockers"], ran
    assert say("play.meanwhile", "en") in ran.out and "not recorded: p2: designate_blockers" in ran.out


def test_what_holds_whatever_others_recorded_is_put_behind_it(served: Served, begin: Begin) -> None:
    record_open_match(served)
    other = meanwhile(served, "a card fell\n", {"kind": "play", "text": "p2: designate_blockers"})
    ran = begin(served)("!n", other, "!k", "slow play", ".")
    assert ran.code == 0 and [type(entry) for entry in entries(served)] == [Played, Noted, Noted], ran
    assert ran.out.index("13 Sora: designate blockers") < ran.out.index("14 note by")


@pytest.mark.parametrize(("key", "played"), [("<", []), ("", ["p2 designate_blockers"])])
def test_what_is_still_meant_behind_what_others_recorded_is_recorded_once(
    served: Served, begin: Begin, key: str, played: list[str]
) -> None:
    record_open_match(served)
    other = meanwhile(served, "v1\n", {"kind": "correct", "facts": ["turn u56 up"], "reason": "seen"})
    ran = begin(served)(other, key, ".")
    assert ran.code == 0 and verbs(served) == played and len(entries(served)) == 1 + len(played), ran
    assert ran.out.index("seen") < ran.out.index("not recorded: p2: designate_blockers")


def test_who_goes_back_does_so_from_what_they_have_seen_alone(served: Served, begin: Begin) -> None:
    record_open_match(served)
    other = meanwhile(served, "\n", {"kind": "play", "text": "p2: designate_blockers"})
    ran = begin(served, "head")("-1", other, "", ".")
    assert ran.code == 0 and verbs(served)[0] == "p2 designate_blockers" and "not recorded: undo" in ran.out, ran
    assert not any(isinstance(entry, Rewound) for entry in entries(served))


def test_a_token_that_ends_ends_the_session_with_what_was_recorded(served: Served, begin: Begin) -> None:
    record_open_match(served)
    asked: list[ClientRequest] = []

    def ending(there: Service) -> Callable[[ClientRequest], ClientResponse]:
        def through(request: ClientRequest) -> ClientResponse:
            asked.append(request)
            ended = any(request.method == "POST" and "entries:try" not in request.path for request in asked[:-1])
            return there.send(replace(request, headers={"Authorization": "Bearer x"}) if ended else request)

        return through

    ran = begin(served, through=ending)("v1", "", ".")
    assert ran.code == 2 and say("problem.no-token", "en") in ran.err
    assert verbs(served) == ["p2 designate_blockers"] and say("away.bye", "en", match="m", entry=13) in ran.out


class Broken:
    """A connection that fails before a request arrives, or after it was processed."""

    def __init__(self, lost: int, *, sent: bool = True, kind: str = "") -> None:
        self.lost, self.sent, self.kind = lost, sent, kind

    def __call__(self, there: Service) -> Callable[[ClientRequest], ClientResponse]:

        def through(request: ClientRequest) -> ClientResponse:
            breaks = self.lost and request.method == "POST" and request.path.partition("?")[0].endswith("/entries")
            if not breaks:
                return there.send(request)
            self.lost -= 1
            if self.kind:
                busy = problem(self.kind)  # type: ignore[arg-type]
                return ClientResponse(
                    busy.status, {"content-type": "application/problem+json"}, msgspec.json.encode(busy)
                )
            if self.sent:
                there.send(request)
            raise ServiceUnreachable(Text("client.unreachable", {"url": URL, "why": "reset"}), sent=self.sent)

        return through


@pytest.mark.parametrize("broken", [{}, {"sent": False}, {"kind": "too-many"}], ids=lambda _: "x")
def test_an_answer_that_never_came_is_asked_for_again_and_recorded_once(
    served: Served, begin: Begin, broken: dict[str, Any]
) -> None:
    record_open_match(served)
    ran = begin(served, through=Broken(2, **broken))("v1", "", "", ".")
    assert ran.code == 0 and verbs(served) == ["p2 designate_blockers"] and "13 Sora: designate blockers" in ran.out
    assert ran.out.count("[Enter] try again") == 2


@pytest.mark.parametrize("ending", [("<", "."), (".",), (KeyboardInterrupt(),), ()])
def test_what_was_let_go_without_an_answer_is_said_to_be_recorded_perhaps(
    served: Served, begin: Begin, ending: Any
) -> None:
    record_open_match(served)
    ran = begin(served, through=Broken(1))("v1", *ending)
    assert verbs(served) == ["p2 designate_blockers"] and say("away.maybe", "en") in ran.out.replace("\n    ", " ")
    assert ran.code == (130 if ending and isinstance(ending[0], BaseException) else 0)
    assert "13 Sora: designate blockers" in ran.out or ending[:1] != ("<",)


def test_ctrl_c_leaves_what_was_acknowledged(served: Served, begin: Begin) -> None:
    record_open_match(served)
    ran = begin(served)("v1", KeyboardInterrupt())
    assert ran.code == 130 and verbs(served) == ["p2 designate_blockers"]
    assert say("away.bye", "en", match="m", entry=13) in ran.out and say("away.maybe", "en") not in ran.out
