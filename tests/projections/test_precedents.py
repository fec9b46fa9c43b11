"""Precedents of a dispute: selection, order, outcomes, and changes since."""

from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.rejudging.skipping import code_digest
from domain.law import disputes as D
from domain.law.entries import Entry, opened_of
from domain.law.record import Record, record_of
from domain.law.rulesets import digest, values, with_settings
from domain.table.redact import SPECTATOR
from domain.table.table import JUDGE, Seat
from projections.precedents import PRECEDENTS_MAX, Precedent, precedents
from projections.rulings import rulings_in, rulings_of
from tests.disputed import dispute
from tests.projections.records import GAME, RULES, laid_out, play

FOUND = D.Opinion(code_digest(GAME.key), "consequences")
PLAYED = play(laid_out({"p1.hand": "HK S2", "p2.hand": "C3"}), "p1: pass")


def make_ruling(*clauses: str, at: int = 1, opinion: D.Opinion = FOUND, entries: list[Entry] | None = None) -> Record:
    made, _ = dispute(entries or PLAYED, 2, clauses, at, opinion)
    return record_of(GAME, made)


def find_precedents(record: Record, *stream: tuple[str, Record], viewer: Seat = SPECTATOR) -> tuple[Precedent, ...]:
    return precedents(record, "mine", record.eyes(viewer), 3, rulings_in(stream, viewer))


def with_option(key: str, value: str) -> list[Entry]:
    rules = with_settings(GAME, RULES, {key: value})
    opened = replace(opened_of(PLAYED), rules=values(rules), rules_hash=digest(rules))
    return [opened, *PLAYED[1:]]


def test_the_nearest_come_first_by_clauses_then_by_what_was_found_then_the_latest() -> None:
    mine = make_ruling("BP-4.2", "BP-9.4", at=50)
    both, late, early = make_ruling("BP-4.2", "BP-9.4", at=2), make_ruling("BP-4.2", at=9), make_ruling("BP-4.2", at=3)
    other = make_ruling("BP-4.2", at=20, opinion=replace(FOUND, finding="chance"))
    stream = (("early", early), ("late", late), ("both", both), ("other", other))
    names = [told.match for told in find_precedents(mine, *stream, viewer=JUDGE)]
    assert names == ["both", "late", "early", "other"]
    assert [told.match for told in find_precedents(mine, *stream)] == ["both", "other", "late", "early"], (
        "as all may know"
    )


def test_what_it_has_in_common_and_how_it_ended_is_told() -> None:
    (told,) = find_precedents(make_ruling("BP-4.2", at=50), ("old", make_ruling("BP-4.2", "BP-9.4")))
    assert (told.match, told.dispute, told.standing, told.outcome) == ("old", 3, "closed", "upheld")
    assert (told.verdict, told.reason, told.shared.clauses) == ("wrong_outcome", "seen by all", ("BP-4.2",))
    assert told.shared.kinds == ("wrong_outcome",), "what the law found is for judges"
    (judged,) = find_precedents(make_ruling("BP-4.2", at=50), ("old", make_ruling("BP-4.2")), viewer=JUDGE)
    assert judged.shared.kinds == ("wrong_outcome", "consequences")


def test_a_verdict_alone_makes_no_precedent_and_a_finding_does() -> None:
    mine, old = make_ruling("BP-4.2", at=50), ("old", make_ruling("BP-9.4"))
    assert find_precedents(mine, old) == ()
    assert [told.match for told in find_precedents(mine, old, viewer=JUDGE)] == ["old"]


def test_only_earlier_rulings_of_the_same_game_count() -> None:
    mine = make_ruling("BP-4.2", at=50)
    open_yet = record_of(GAME, [*PLAYED, D.Disputed(by="p1", matter=D.Matter(entry=2), at=1)])
    later, itself = make_ruling("BP-4.2", at=51), ("mine", mine)
    assert find_precedents(mine, ("later", later), itself, ("open", open_yet)) == ()
    stones = replace(make_ruling("BP-4.2"), law=replace(mine.law, game=GAMES["grimoire"]))
    assert find_precedents(mine, ("stones", stones)) == ()


def test_an_earlier_dispute_of_the_same_match_counts() -> None:
    entries, number = dispute(make_ruling("BP-4.2", at=1).entries, 2, ("BP-4.2",), 60)
    mine = record_of(GAME, entries)
    (told,) = precedents(mine, "mine", mine.eyes(), number, rulings_of(mine, "mine", SPECTATOR))
    assert (told.match, told.dispute) == ("mine", 3)


def test_options_and_texts_that_changed_since_are_told() -> None:
    old = make_ruling("BP-10.6", entries=with_option("throwing.damage_suit", "spade"))
    (told,) = find_precedents(make_ruling("BP-10.6", at=50), ("old", old))
    assert [(value.key, value.was, value.now) for value in told.options] == [("throwing.damage_suit", "spade", "club")]
    (text,) = told.texts
    assert text.clause == "BP-10.6" and "♠" in text.was.en
    (same,) = find_precedents(make_ruling("BP-10.6", at=50), ("old", make_ruling("BP-10.6")))
    assert (same.options, same.texts, same.law_changed) == ((), (), False)


def test_judges_are_told_that_another_program_decides_now() -> None:
    old = ("old", make_ruling("BP-4.2", opinion=D.Opinion("an older law", "consequences")))
    mine = make_ruling("BP-4.2", at=50)
    assert [told.law_changed for told in find_precedents(mine, old, viewer=JUDGE)] == [True]
    assert [told.law_changed for told in find_precedents(mine, old)] == [False]


def test_a_seat_is_somebody_else_in_another_match() -> None:
    mine, old = make_ruling("BP-4.2", at=50), ("old", make_ruling("BP-4.2"))
    assert find_precedents(mine, old, viewer=Seat("p1")) == find_precedents(mine, old)


def test_no_more_than_the_nearest_are_told() -> None:
    stream = [(f"old-{at}", make_ruling("BP-4.2", at=at)) for at in range(1, PRECEDENTS_MAX + 4)]
    told = find_precedents(make_ruling("BP-4.2", at=50), *stream)
    assert len(told) == PRECEDENTS_MAX and told[0].at == PRECEDENTS_MAX + 3
