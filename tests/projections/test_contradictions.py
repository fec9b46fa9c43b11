"""Contradictory rulings: the same action under the same clause and rules, with different verdicts."""

from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Entry, opened_of
from domain.law.record import Record, record_of
from domain.law.rulesets import digest, values, with_settings
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE
from projections.contradictions import contradictions, render_contradictions
from projections.precedents import precedents
from projections.rows import plain
from projections.rulings import rulings_in
from tests.disputed import dispute
from tests.projections.records import GAME, RULES, laid_out, play

PLAYED = play(laid_out({"p1.hand": "HK S2", "p2.hand": "C3"}), "p1: pass")
ABOUT, NUMBER = 2, 3
UNSAID = D.Opinion("law", "")
SAYS = D.Opinion("law", "consequences", ("BP-9.4",))  # type: ignore[arg-type]


def make_ruling(
    verdict: D.Verdict, clause: str = "BP-4.2", opinion: D.Opinion = UNSAID, at: int = 1, suit: str = ""
) -> Record:
    entries: list[Entry] = list(PLAYED)
    if suit:
        rules = with_settings(GAME, RULES, {"throwing.damage_suit": suit})
        entries[0] = replace(opened_of(entries), rules=values(rules), rules_hash=digest(rules))
    made, number = dispute(entries, ABOUT, (clause,) if clause else (), at, opinion, verdict)
    assert number == NUMBER
    return record_of(GAME, made)


def test_two_rulings_that_contradict_each_other_are_found_and_named_in_their_order() -> None:
    stream = (
        ("late", make_ruling("no_fault", at=9)),
        ("early", make_ruling("not_allowed")),
        ("other", make_ruling("no_fault", "BP-9.4")),
    )
    (told,) = contradictions(rulings_in(stream, SPECTATOR))
    assert (told.game, told.verb, told.clause) == (GAME.key, "pass", "BP-4.2")
    assert [(given.match, given.dispute, given.verdict) for given in told.rulings] == [
        ("early", NUMBER, "not_allowed"), ("late", NUMBER, "no_fault"),
    ]  # fmt: skip
    for lang, says in (("en", "no infraction"), ("ja", "ルール違反なし")):
        shown = plain(render_contradictions((told,), lang))  # type: ignore[arg-type]
        assert "BP-4.2" in shown and "early" in shown and "late" in shown and says in shown


def test_rulings_that_agree_or_say_nothing_or_stand_under_other_rules_do_not_contradict() -> None:
    fault = ("fault", make_ruling("not_allowed"))
    for other in (make_ruling("wrong_outcome"), make_ruling("unclear"), make_ruling("no_fault", suit="spade")):
        assert contradictions(rulings_in((fault, ("other", other)), SPECTATOR)) == ()


def test_what_the_law_found_ties_rulings_together_for_who_may_judge_both_matches() -> None:
    stream = (("a", make_ruling("wrong_outcome", "", SAYS)), ("b", make_ruling("no_fault", "", SAYS)))
    assert contradictions(rulings_in(stream, SPECTATOR)) == ()
    (told,) = contradictions(rulings_in(stream, JUDGE))
    assert told.clause == "BP-9.4"
    sealed = (*rulings_in(stream[:1], JUDGE), *rulings_in(stream[1:], SPECTATOR))
    assert contradictions(sealed) == (), "the other one is sealed"


def test_a_precedent_in_a_sealed_match_is_told_as_to_a_spectator() -> None:
    mine, stream = make_ruling("no_fault", "", SAYS, at=50), (("old", make_ruling("wrong_outcome", "", SAYS)),)
    eyes = mine.eyes(JUDGE)
    assert [told.match for told in precedents(mine, "mine", eyes, NUMBER, rulings_in(stream, JUDGE))] == ["old"]
    assert precedents(mine, "mine", eyes, NUMBER, rulings_in(stream, SPECTATOR)) == ()
