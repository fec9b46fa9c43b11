"""Case files of disputes: their content by audience. Players get nothing that a spectator may not know."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.readings import find_other_readings
from domain.law import disputes as D
from domain.law.clause import Clause
from domain.law.entries import Entry, Played, Rewound
from domain.law.record import Record, record_of
from domain.table.redact import SPECTATOR
from domain.table.table import Seat
from domain.words import LANGS
from projections.casefile import EVENTS_MAX, EYES, Audience, NoDispute, case_file
from projections.html.casefile import to_html
from projections.rulings import rulings_in
from tests.disputed import CANARIES, dispute
from tests.laws.leak_checks import deal_again, insert_corrections, never_known
from tests.laws.presumed import presume
from tests.laws.samples import sample
from tests.projections.records import GAME, laid_out, play
from tests.shelves import SHELVES

HIDDEN = "HK"
STRETCH = 24


def record(entries: tuple[Entry, ...] | list[Entry]) -> Record:
    return record_of(GAME, entries)


def disputed() -> tuple[Entry, ...]:
    return SHELVES["blackpoker"].entries("disputed")


def small() -> tuple[Record, int]:
    """Return a record with a disputed pass by p1, whose hand no other player knows, and the number of the dispute."""
    entries = play(laid_out({"p1.hand": f"{HIDDEN} S2", "p2.hand": "C3"}), "p1: pass")
    made, number = dispute(entries, len(entries), ("BP-4.2",))
    return record(made), number


def render_files(record: Record, audience: Audience, number: int, *stream: tuple[str, Record]) -> bytes:
    file = case_file(record, "m", audience, number, rulings_in(stream, EYES[audience]))
    return b"".join((msgspec.json.encode(file), *(to_html(file, record, lang) for lang in LANGS)))


def test_officials_get_what_players_may_not_know() -> None:
    record, number = small()
    players, officials = (render_files(record, audience, number).decode() for audience in ("players", "officials"))
    for hidden in (*CANARIES[:3], HIDDEN):
        assert hidden in officials and hidden not in players, hidden
    assert CANARIES[3] not in players
    for public in ("seen by all", "published", "BP-4.2", "kato", "misplay"):
        assert public in players and public in officials, public


def test_players_are_told_that_a_seat_claims_something() -> None:
    record, number = small()
    file = case_file(record, "m", "players", number, ())
    assert file.dispute.entries[0].claims == {"p1": "", "p2": ""}
    assert (file.opinion, file.findings, file.readings) == (None, (), ())
    assert "finding of the rules" not in to_html(file, record, "en").decode()


def test_the_tables_before_and_after_and_the_entries_around_are_told() -> None:
    record, number = small()
    file = case_file(record, "m", "officials", number, ())
    assert file.before is not None and file.after is not None
    assert (file.before.entry, file.after.entry, file.entry) == (1, 2, 2)
    assert [entry.number for entry in file.around] == [1, 2, 3, 4, 5, 6] and not file.left
    assert "BP-4.2" in file.clauses and file.clauses[Clause("BP-4.2")].ja
    assert [step.clause for step in file.trail]


def test_a_dispute_about_no_entry_shows_the_table_it_was_opened_on() -> None:
    entries = laid_out({"p1.hand": HIDDEN})
    made = record([*entries, D.Disputed(by="p1", matter=D.Matter(clause=Clause("BP-4.2")))])
    file = case_file(made, "m", "officials", 2, ())
    assert file.before is not None and (file.before.entry, file.after, file.around) == (1, None, ())
    assert "BP-4.2" in file.clauses
    assert "when the dispute was opened" in to_html(file, made, "en").decode()


def test_a_dispute_about_the_opening_has_no_table_before_it() -> None:
    entries = laid_out({"p1.hand": HIDDEN})
    made = record([*entries, D.Disputed(by="p1", matter=D.Matter(entry=1))])
    file = case_file(made, "m", "players", 2, ())
    assert file.before is None and file.after is not None
    assert "Not ruled on yet" in to_html(file, made, "en").decode()


def test_another_number_is_no_dispute() -> None:
    record, number = small()
    for wrong in (0, 1, number + 1, 999):
        with pytest.raises(NoDispute) as error:
            case_file(record, "m", "players", wrong, ())
        assert f"entry {wrong} opens no dispute" in error.value.text.say("en")


def test_the_timeline_tells_looks_and_sights() -> None:
    record, number = small()
    file = case_file(record, "m", "players", number, ())
    kinds = [event.entry.seen for event in file.timeline]
    assert kinds == ["played", "disputed", "unsealed", "ruled", "sealed", "appealed", "decided"]
    entries = [*record.entries, *(D.Unsealed(by="kato", eyes=Seat("p1")) for _ in range(EVENTS_MAX))]
    long = case_file(record_of(GAME, entries), "m", "players", number, ())
    assert len(long.timeline) == EVENTS_MAX and long.untold == len(kinds)


def test_what_another_reading_finds_is_told() -> None:
    made = record(disputed())
    (reading,) = find_other_readings(made, 47)
    assert (reading.option, reading.own, reading.value) == ("throwing.damage_suit", "club", "spade")
    assert reading.finding == ""
    assert find_other_readings(made, 46) == (), "an entry that comes out alike under all of them"


def test_what_a_rewind_left_is_marked_and_rulings_are_not() -> None:
    entries, number = dispute(disputed(), 47)
    ruled = entries[number + 1]
    assert isinstance(ruled, D.Ruled)
    ruled = replace(ruled, repair=D.Repair("rewind", 46))
    back = Rewound(to=46, reason="misheard", by="kato")
    made = record([*entries[: number + 1], ruled, back])
    file = case_file(made, "m", "players", number, ())
    assert [entry.number for entry in file.mended] == [number + 3]
    assert set(range(47, 52)) <= set(file.left)
    assert not file.dispute.left, "its own ruling took it back"
    other = record([*entries[: number + 2], back])
    assert case_file(other, "m", "players", number, ()).dispute.left, "somebody else did"
    assert not {number, number + 1, number + 2, 46} & set(file.left)


@pytest.mark.random
@pytest.mark.parametrize("key", sorted(GAMES))
def test_files_for_players_of_twins_are_equal(key: str) -> None:
    """The two matches differ only in what a spectator cannot know, and each is the other's precedent."""
    presume(key, "secrets")
    one, random = sample(key, 1), Random(1)
    entries = insert_corrections(one, random)[:STRETCH]
    other = deal_again(entries, never_known(entries, SPECTATOR), random)
    assert other != entries
    about = max(number for number, entry in enumerate(entries, start=1) if isinstance(entry, Played))
    told: dict[Audience, list[bytes]] = {"players": [], "officials": []}
    for number, each in enumerate((entries, other)):
        said = D.Opinion(f"law-{number}", f"finding-{number}")
        made, dispute_number = dispute(each, about, at=2000, opinion=said)
        earlier, _ = dispute(each, about, at=1000, opinion=said)
        law = record_of(one.game, made)
        for audience, files in told.items():
            files.append(render_files(law, audience, dispute_number, ("earlier", record_of(one.game, earlier))))
    assert told["players"][0] == told["players"][1]
    assert told["officials"][0] != told["officials"][1], "the twins do not differ: nothing is tried"
