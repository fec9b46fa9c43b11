"""Disputes of many matches in one list: pending ones first, filtered by public attributes."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry, Opened
from domain.law.occasion import Occasion
from domain.table.table import Seat
from domain.words import LANGS
from projections.dockets import ALL, DisputeFilter, DisputeListItem, collect, list_disputes, row_words
from tests.toy import TOY, Rules, schema

P1, P2 = Seat("p1"), Seat("p2")
CLAUSE, OTHER = Clause("T-1"), Clause("T-2")
OPENS = D.Disputed(by="p1", matter=D.Matter(entry=1, clause=CLAUSE), claims={P1: "a hidden thing"}, at=10)
RULES = D.Ruled(
    by="kato", dispute=2, verdict="not_allowed", clauses=(OTHER,), penalties=(D.Penalty(P2, "warning"),), at=20
)
APPEALS = D.Appealed(by="p2", dispute=2, reason="no", at=30)
DECIDES = D.Decided(by="abe", dispute=2, outcome="overturned", reason="so", verdict="no_fault", at=40)
REMANDS = D.Decided(by="abe", dispute=2, outcome="remanded", reason="again", at=50)
AGAIN = D.Ruled(by="kato", dispute=2, verdict="unclear", at=60)


def listed(match: str, *deeds: Entry, later: int = 0, event: str = "Cup", player: str = "Ann") -> list[DisputeListItem]:
    opening = Opened(
        match=match, game=TOY.key, version="1", rules={}, rules_hash="", schema=schema(Rules()), seats=(P1, P2),
        names={P1: player, P2: "Bo"}, occasion=Occasion(event=event),
    )  # fmt: skip
    return [*list_disputes(match, (opening, *(replace(deed, at=deed.at + later) for deed in deeds)))]


def names(disputes: Sequence[DisputeListItem]) -> list[str]:
    return [dispute.match for dispute in disputes]


EVERY = (
    *listed("open", OPENS, later=5),
    *listed("ruled", OPENS, RULES, event="春の大会"),
    *listed("appealed", OPENS, RULES, APPEALS, later=-25),
    *listed("closed", OPENS, RULES, APPEALS, DECIDES, player="Cy"),
    *listed("remanded", OPENS, RULES, APPEALS, REMANDS),
    *listed("again", OPENS, RULES, APPEALS, REMANDS, AGAIN),
)


def test_who_waits_longest_comes_first_and_then_what_was_settled_last() -> None:
    assert names(collect(EVERY, ALL)) == ["appealed", "open", "remanded", "again", "closed", "ruled"]


def test_each_says_what_stands_now() -> None:
    told = {dispute.match: (dispute.standing, dispute.verdict, dispute.outcome) for dispute in EVERY}
    assert told == {
        "open": ("open", None, None),
        "ruled": ("ruled", "not_allowed", None),
        "appealed": ("appealed", "not_allowed", None),
        "closed": ("closed", "no_fault", "overturned"),
        "remanded": ("open", None, "remanded"),
        "again": ("ruled", "unclear", None),
    }
    clauses = {dispute.match: dispute.clauses for dispute in EVERY}
    assert clauses["ruled"] == (CLAUSE, OTHER) and clauses["closed"] == clauses["open"] == (CLAUSE,)
    assert {dispute.match: dispute.penalised for dispute in EVERY}["ruled"] == (P2,)


def test_they_are_found_by_how_they_stand_players_clauses_events_and_games() -> None:
    def search(**sought: str) -> set[str]:
        return set(names(collect(EVERY, DisputeFilter(**sought))))

    assert search(standing="waiting") == {"open", "appealed", "remanded"}
    assert search(standing="ruled") == {"ruled", "again"} and search(standing="closed") == {"closed"}
    assert search(player="cy") == {"closed"} and search(player="bo") == set(names(EVERY)) and not search(player="zed")
    assert search(clause="T-2") == {"ruled", "appealed"} and not search(clause="T-")
    assert search(event="春") == {"ruled"} and search(event="CUP") == set(names(EVERY)) - {"ruled"}
    assert search(game=TOY.key) == set(names(EVERY)) and not search(game="dea")


def test_a_line_tells_nothing_of_what_was_claimed() -> None:
    for lang in LANGS:
        assert not any("hidden" in word for dispute in EVERY for word in row_words(dispute, lang))
    ruled = "no infraction, the ruling is overturned"
    assert row_words(EVERY[3], "en")[:7] == ("closed", "2", "Cup", "Cy – Bo", "closed", "entry 1, T-1", ruled)
