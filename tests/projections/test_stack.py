"""The stack history: responses, outcomes and costs."""

import pytest

from domain.law.entries import Rewound
from domain.law.rulebook import Lang
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from projections.rows import plain
from projections.stack import StackFrameHistory, page_stack_history, stack_history
from projections.stack_rows import render_stack
from projections.viewing import NotInMatch
from tests.laws.samples import sample
from tests.projections.records import GAME, P1, P2, laid_out, play
from tests.rows import for_each
from tests.shelves import seen_by

START = laid_out(
    {
        "p1.hand": "H8 S2 C9 HJ D5 C2 D2",
        "p2.hand": "C3 D3 S10 S8 C10",
        "p1.bulwarks": "C8 C7",
        "p2.bulwarks": "D8",
        "p1.soldiers": "S4",
        "p2.soldiers": "D9",
    }
)
ANSWERED = play(START, "p1: up H8 S2 S4", "p1: pass", "p2: counter C10 D3 @up", "pp")
FIZZLED = play(START, "p1: up H8 S2 S4", "p1: pass", "p2: down S10 D3 S4", "pp", "pp")


def of(requests: tuple[StackFrameHistory, ...], kind: str) -> StackFrameHistory:
    flat = list(requests)
    for one in flat:
        if one.kind == kind:
            return one
        flat += one.responses
    raise AssertionError(f"no {kind}")


def test_a_countered_request_names_what_nullified_it() -> None:
    (up,) = stack_history(*seen_by(GAME, ANSWERED, P1)).requests
    (counter,) = up.responses
    assert (up.kind, up.by, up.origin, up.made, up.ended, up.how) == ("up", "p1", "action", 2, 6, "nullified")
    assert (up.ended_by, up.depth, counter.depth, counter.over) == (counter.id, 0, 1, up.id)
    assert (counter.by, counter.made, counter.resolving, counter.how) == ("p2", 4, 6, "resolved")
    assert counter.frame.frames == (up.id,)
    assert [card.face for card in up.frame.cards] == ["H8"] and [card.face for card in up.frame.objs] == ["S4"]


def test_costs_are_facts_as_seen_without_the_keys() -> None:
    (up,) = stack_history(*seen_by(GAME, ANSWERED, P2)).requests
    (paid,) = up.costs
    assert (paid.fact, paid.clause, paid.place, [card.face for card in paid.cards]) == (
        "move",
        "BP-5.5",
        "p1.grave",
        ["S2"],
    )


def test_what_followed_belongs_to_the_request_that_did_it() -> None:
    (up,) = stack_history(*seen_by(GAME, ANSWERED, SPECTATOR)).requests
    (counter,) = up.responses
    told = [(one.entry, one.fact.clause, one.fact.cards[0].face) for one in counter.followed]
    assert told == [(6, "BP-9.16", "H8"), (6, "BP-6.5", "C10")]
    assert up.followed == ()


def test_a_request_whose_target_is_gone_fizzles() -> None:
    (up,) = stack_history(*seen_by(GAME, FIZZLED, P1)).requests
    (down,) = up.responses
    assert (up.fizzled, up.how, down.fizzled, down.how) == (True, "resolved", False, "resolved")
    assert [card.face for card in up.frame.objs] == ["S4"], "its target is told as it was when it was named"


def test_before_it_is_answered_a_request_is_open() -> None:
    (up,) = stack_history(*seen_by(GAME, ANSWERED, P1), 3).requests
    assert (up.ended, up.how, up.responses, up.resolving) == (0, "", (), 0)


def test_triggers_and_immediate_requests_have_their_place() -> None:
    entries = play(START, "p1: set_bulwark", "p1: choose_bulwark_card D2", "p1: attack", "pp")
    entries = play(entries, "p1: designate_attackers S4")
    requests = stack_history(*seen_by(GAME, entries, P2)).requests
    placed, attack, block = (of(requests, kind) for kind in ("set_bulwark", "attack", "block"))
    assert (placed.origin, placed.made, placed.staged, placed.ended) == ("action", 2, 0, 3)
    assert [one.fact.cards[0].face for one in placed.followed if one.fact.fact == "move"] == [None]
    assert (attack.staged, attack.resolving, attack.ended) == (4, 6, 7)
    assert (block.origin, block.cause, block.staged, block.ended) == ("trigger", attack.id, 7, 0)
    combat = of(requests, "combat")
    assert (combat.origin, combat.cause) == ("process", attack.id)


def test_a_line_that_was_left_is_no_part_of_the_history() -> None:
    entries = play([*ANSWERED, Rewound(to=1, reason="again", by="judge")], "p1: twist D5 S2 D9")
    (twist,) = stack_history(*seen_by(GAME, entries, P1)).requests
    assert (twist.kind, twist.made) == ("twist", 8)
    assert of(stack_history(*seen_by(GAME, entries, P1), 6).requests, "up").how == "nullified"


@for_each(
    "lang, lines",
    [
        (
            "en",
            [
                "r1 Up (p1) entry 2 with H8 (u41) on S4 (u38) nullified in entry 6 by r2 Counter",
                "  BP-5.5 paid: S2: p1 hand → p1 grave",
                "    r2 Counter (p2) entry 4 with C10 (u43) on r1 resolved in entry 6",
            ],
        ),
        ("ja", ["r1 アップ（p1） 記録2 使用：H8(u41) 対象：S4(u38) 記録6で無効 r2 カウンターが原因"]),
    ],
)
def test_a_history_in_words(lang: Lang, lines: list[str]) -> None:
    text = plain(render_stack(stack_history(*seen_by(GAME, ANSWERED, P2)), GAME, lang, {})).splitlines()
    assert [line for line in lines if line not in text] == []


def test_a_fizzled_request_says_so() -> None:
    text = plain(render_stack(stack_history(*seen_by(GAME, FIZZLED, P2)), GAME, "en", {}))
    assert "resolved without a target in entry 8" in text


@for_each("seed", range(4))
def test_every_frame_of_a_random_match_is_accounted_for(seed: int) -> None:
    one = sample("blackpoker", seed)
    found: list[StackFrameHistory] = []
    flat = list(stack_history(*seen_by(one.game, one.entries, SPECTATOR)).requests)
    while flat:
        found.append(flat.pop())
        flat += found[-1].responses
    assert len({request.id for request in found}) == len(found)
    ended = [request for request in found if request.ended]
    assert len(ended) > 5 and all(request.how and request.ended >= request.made for request in ended)
    assert {request.origin for request in found} == {"action", "trigger", "process"}


def test_who_does_not_look_at_this_match_is_told_so() -> None:
    with pytest.raises(NotInMatch, match="p9"):
        stack_history(*seen_by(GAME, START, Seat("p9")))


@for_each("game", ["blackpoker", "dea", "grimoire", "skillbook"])
@for_each("limit", [1, 3, 20])
def test_pages_of_a_stack_history_are_the_whole_history(game: str, limit: int) -> None:
    one = sample(game, 2)
    for entries in (one.entries, (*one.entries[:60], Rewound(at=0, to=25, reason="", by="judge"))):
        record, eyes = seen_by(one.game, entries, P1)
        requests, after, pages = [], 0, 0
        while after or not pages:
            history, after = page_stack_history(record, eyes, len(entries), after, limit)
            requests += history.requests
            pages += 1
        assert tuple(requests) == stack_history(record, eyes).requests
        assert pages > 1 or len(requests) <= limit
