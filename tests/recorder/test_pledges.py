"""Seat commitments for shuffles: committed, revealed or recorded as missing, and refused where they do not fit."""

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import asdict, replace

from domain.formats.notation import parse_notation, write_notation
from domain.formats.notation.variations import Tree, parse_record, write_record
from domain.judging.audit import audit, fairness
from domain.law import croupier, disputes as D, docket, entries as E, pledges
from domain.law.law import Law
from domain.law.offers import shuffle
from domain.table.table import CHANCE, Seat
from domain.words import Text
from recorder import chance, codec
from recorder.answers import Advanced, BadRecord, Imported, RecordResult, Unavailable, Unfit
from recorder.branches import branch
from recorder.decisions import record_decision
from recorder.imports import import_records
from recorder.matches import advance, close, open_match, rewind
from recorder.store import Conflict, Store
from tests.cli.runs import ROOT
from tests.places import Place, refuse_topic
from tests.pledged import (
    MATCH,
    P1,
    P2,
    SECRETS,
    SEED,
    missing_entry,
    open_pledged,
    play_on,
    pledges_of,
    reveal,
    reveal_entry,
)
from tests.toy import TOY, Rules

LAW = Law(TOY, Rules())
TOYS = {"toy": TOY}


def refusal_key(answer: Any) -> str:
    assert isinstance(answer, Unfit), answer
    assert str(answer.what) and answer.what.say("ja")
    return answer.what.key


def file_reveal(store: Store, entry: D.Revealed) -> Any:
    return record_decision(store, MATCH, entry, games=TOYS)


def draws_in(entries: Any) -> list[int]:
    return [n for n, entry in enumerate(entries, start=1) if isinstance(entry, E.Played) and entry.actor == CHANCE]


# -- the scheme -------------------------------------------------------------------------------------------------------


def test_the_scheme_is_what_its_page_says() -> None:
    secret = bytes(range(16))
    pledge = sha256(b"shinpan/pledge/000102030405060708090a0b0c0d0e0f/table-17/p1").hexdigest()
    assert croupier.commit_seat(MATCH, P1, secret) == pledge
    other = "cd" * 32
    text = f"shinpan/shuffle/{SEED.hex()}/table-17/p1=000102030405060708090a0b0c0d0e0f/p2={other}"
    parts = ((P1, secret.hex()), (P2, other))
    assert croupier.seed_in_force(MATCH, SEED, parts) == sha256(text.encode()).digest()[:16]


def test_the_published_vectors_hold() -> None:
    cases = json.loads((ROOT / "docs" / "evidence-vectors.json").read_text(encoding="utf-8"))["shuffles"]
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    assert len(cases) == 3
    for case in cases:
        match, seed, parts = case["match"], bytes.fromhex(case["seed"]), []
        assert croupier.commitment(match, seed) == case["commitment"]
        for said in case["seats"]:
            if said["secret"]:
                assert croupier.commit_seat(match, said["seat"], bytes.fromhex(said["secret"])) == said["pledge"]
            assert said["pledge"] in page
            parts.append((said["seat"], said["secret"] or said["pledge"]))
        force = croupier.seed_in_force(match, seed, parts)
        shuffled = shuffle(range(1, 11), croupier.make_random_source(match, force, case["entry"]))
        assert (force.hex(), list(shuffled)) == (case["in_force"], case["shuffled"])
        assert f"| `{force.hex()}` | {' '.join(map(str, shuffled))} |" in page


PART = st.binary(min_size=16, max_size=16)


@settings(max_examples=200)
@given(seed=PART, first=PART, second=PART, bit=st.integers(0, 127), whose=st.integers(0, 2))
def test_whichever_party_has_another_secret_the_shuffle_is_another(
    seed: bytes, first: bytes, second: bytes, bit: int, whose: int
) -> None:
    def card_order(*parts: bytes) -> tuple[int, ...]:
        shares = zip((P1, P2), (part.hex() for part in parts[1:]), strict=True)
        return croupier.card_ids(MATCH, croupier.seed_in_force(MATCH, parts[0], shares), 40)

    held = [seed, first, second]
    changed = held.copy()
    changed[whose] = (int.from_bytes(held[whose], "big") ^ 1 << bit).to_bytes(16, "big")
    assert card_order(*held) != card_order(*changed)
    assert card_order(*held) == card_order(*held)


def test_a_pledge_is_of_one_seat_in_one_match() -> None:
    given = {croupier.commit_seat(match, seat, SECRETS[P1]) for match in ("a", "b") for seat in (P1, P2)}
    assert len(given) == 4


# -- a match with pledges ---------------------------------------------------------------------------------------------


def test_nothing_is_drawn_before_the_last_secret_is_there_and_then_at_once(store: Store) -> None:
    open_pledged(store, LAW)
    assert store.version(MATCH) == 1 and isinstance(store.read(MATCH)[0], E.Pledged)
    waiting = advance(store, MATCH, games=TOYS)
    assert isinstance(waiting, Unavailable) and "p1, p2" in str(waiting.why)
    assert reveal(store, MATCH, LAW, reveal_entry(P2)).also == ()
    assert draws_in(store.read(MATCH)) == []
    done = reveal(store, MATCH, LAW, reveal_entry(P1), command_id="c")
    assert done.version == 3 and len(done.also) == 2 and draws_in(store.read(MATCH)) == [4, 5]
    again = reveal(store, MATCH, LAW, reveal_entry(P1), command_id="c")
    assert (again.version, again.last, store.version(MATCH)) == (3, 5, 5), "said again it is answered again"
    assert isinstance(advance(store, MATCH, games=TOYS), Advanced)


def test_the_draws_are_those_of_the_seed_in_force(store: Store) -> None:
    open_pledged(store, LAW)
    for seat in (P1, P2):
        reveal(store, MATCH, LAW, reveal_entry(seat))
    entries = store.read(MATCH)
    parts = ((seat, SECRETS[seat].hex()) for seat in (P1, P2))
    seed = croupier.seed_in_force(MATCH, SEED, parts)
    assert pledges.seed_after(entries, SEED) == seed
    for number in draws_in(entries):
        drawn = LAW.chance(E.fold_entries(entries, number - 1), croupier.make_random_source(MATCH, seed, number))
        entry = entries[number - 1]
        assert isinstance(entry, E.Played) and TOY.decoder().decode(entry.action) == drawn


def test_one_seat_may_pledge_alone(store: Store) -> None:
    open_pledged(store, LAW, (P2,))
    assert len(reveal(store, MATCH, LAW, reveal_entry(P2)).also) == 2
    assert fairness(TOY, store.read(MATCH), SEED).parts == {P2: "revealed"}


def test_a_missing_reveal_is_on_record_and_its_pledge_stands_in(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P1))
    assert len(reveal(store, MATCH, LAW, missing_entry(P2)).also) == 2
    entries = store.read(MATCH)
    parts = ((P1, SECRETS[P1].hex()), (P2, pledges_of()[P2]))
    assert pledges.seed_after(entries, SEED) == croupier.seed_in_force(MATCH, SEED, parts)
    fair = fairness(TOY, entries, SEED)
    assert (fair.parts, fair.drawn, fair.differs) == ({P1: "revealed", P2: "missing"}, 3, ())


# -- bad input --------------------------------------------------------------------------------------------------------


def test_a_secret_that_does_not_fit_is_refused_by_seat_and_pledge(store: Store) -> None:
    open_pledged(store, LAW)
    answer = file_reveal(store, reveal_entry(P1, bytes(16)))
    assert refusal_key(answer) == "docket.no_fit"
    assert pledges_of()[P1] in str(answer.what) and "p1" in str(answer.what)
    swapped = D.Revealed(by="p1", seat=P1, secret=SECRETS[P2].hex())
    assert refusal_key(file_reveal(store, swapped)) == "docket.no_fit"
    assert store.version(MATCH) == 1


def test_a_secret_comes_once(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P1))
    assert refusal_key(file_reveal(store, reveal_entry(P1))) == "docket.revealed"
    assert refusal_key(file_reveal(store, missing_entry(P1))) == "docket.revealed"
    assert store.version(MATCH) == 2


def test_a_secret_that_comes_late_is_refused(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, missing_entry(P1))
    assert refusal_key(file_reveal(store, reveal_entry(P1))) == "docket.too_late"
    reveal(store, MATCH, LAW, reveal_entry(P2))
    assert refusal_key(file_reveal(store, reveal_entry(P1))) == "docket.too_late"
    close(store, MATCH, "judge", "over", abandon=True, games=TOYS)
    closed = file_reveal(store, reveal_entry(P1))
    assert isinstance(closed, Unavailable) and closed.why.key == "match.closed"


def test_what_is_no_reveal_is_refused(store: Store) -> None:
    open_pledged(store, LAW, (P1,))
    for entry, why in (
        (D.Revealed(by="x", seat=P2, secret="00" * 16), "docket.no_pledge"),
        (D.Revealed(by="x", seat=Seat("p3"), secret="00" * 16), "wrong.seat"),
        (D.Revealed(by="x", seat=P1), "docket.secret_or_reason"),
        (D.Revealed(by="x", seat=P1, reason=" "), "docket.secret_or_reason"),
        (D.Revealed(by="x", seat=P1, secret="00" * 16, reason="both"), "docket.secret_or_reason"),
        (D.Revealed(by="x", seat=P1, secret="00" * 15), "docket.no_secret"),
        (D.Revealed(by="x", seat=P1, secret="0G" * 16), "docket.no_secret"),
        (D.Revealed(by="x", seat=P1, secret="0A" * 16), "docket.no_secret"),
        (D.Revealed(by="x", seat=P1, reason="x" * 201), "occasion.long"),
    ):
        assert refusal_key(file_reveal(store, entry)) == why
    assert store.version(MATCH) == 1


def test_what_is_no_pledge_opens_no_match(store: Store) -> None:
    for promised, why in (
        ({Seat("p3"): "ab" * 32}, "pledge.no_seat"),
        ({P1: "ab" * 31}, "pledge.unreadable"),
        ({P1: "AB" * 32}, "pledge.unreadable"),
        ({P1: ""}, "pledge.unreadable"),
    ):
        assert refusal_key(open_match(store, LAW, "1", {}, match_id=MATCH, pledges=promised)) == why
    assert store.version(MATCH) == 0


def test_pledges_want_a_croupier_and_a_match_by_name(store: Store) -> None:
    assert (
        refusal_key(open_match(store, LAW, "1", {}, match_id=MATCH, pledges=pledges_of(), deal=False)) == "pledge.real"
    )
    assert refusal_key(open_match(store, LAW, "1", {}, pledges=pledges_of())) == "pledge.no_match"
    open_match(store, LAW, "1", {}, match_id="plain")
    answer = record_decision(store, "plain", reveal_entry(P1), games=TOYS)
    assert refusal_key(answer) == "docket.no_pledge"


# -- one transaction --------------------------------------------------------------------------------------------------


def test_the_last_reveal_and_the_deal_are_recorded_together_or_not_at_all(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P1))
    with refuse_topic(store.name, "match.played"):
        assert not isinstance(file_reveal(store, reveal_entry(P2)), RecordResult)
        assert store.version(MATCH) == 2 and pledges.awaited_reveals(store.read(MATCH)) == (P2,)
    assert len(reveal(store, MATCH, LAW, reveal_entry(P2)).also) == 2


def test_of_two_who_reveal_behind_the_same_entry_one_is_told_to_look_again(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P1), expected=1)
    late = record_decision(store, MATCH, reveal_entry(P2), games=TOYS, expected=1)
    assert isinstance(late, Conflict) and draws_in(store.read(MATCH)) == []


# -- what else is done with such a match ------------------------------------------------------------------------------


def test_a_rewind_over_the_deal_draws_anew_with_the_same_secrets(store: Store) -> None:
    open_pledged(store, LAW)
    for seat in (P1, P2):
        reveal(store, MATCH, LAW, reveal_entry(seat))
    play_on(store, MATCH, LAW, 2)
    done = rewind(store, MATCH, 1, "dealt face up", "judge", games=TOYS)
    assert isinstance(done, RecordResult) and len(done.also) == 2, "no reveal is undone, so chance answers at once"
    assert refusal_key(file_reveal(store, reveal_entry(P1))) == "docket.revealed"
    play_on(store, MATCH, LAW, 3)
    close(store, MATCH, "judge", "over", abandon=True, games=TOYS)
    entries = store.read(MATCH)
    fair = fairness(TOY, entries)
    assert (fair.proof, fair.differs, fair.drawn) == ("holds", (), len(draws_in(entries)) + 1)
    assert audit(TOY, entries).findings == ()


@pytest.mark.parametrize("at", [1, 2, 3, 5])
def test_a_branch_has_a_seed_of_its_own_and_no_pledges(store: Store, at: int) -> None:
    open_pledged(store, LAW)
    for seat in (P1, P2):
        reveal(store, MATCH, LAW, reveal_entry(seat))
    branch(store, MATCH, at, "b", games=TOYS)
    entries = store.read("b")
    assert type(entries[0]) is E.Opened and not set(codec.content(store.read_bytes("b")[0])) & {"pledges"}
    assert pledges.awaited_reveals(entries) == ()
    fair = fairness(TOY, entries, store.secret("b"))
    inherited = sum(number <= at for number in draws_in(entries))
    assert (fair.proof, fair.differs, fair.inherited, fair.parts) == ("holds", (), inherited, {})
    assert fair.drawn == len(draws_in(entries)) - inherited and (fair.drawn > 0) is (at < 5)
    assert audit(TOY, entries, secret=store.secret("b")).findings == ()
    assert refusal_key(record_decision(store, "b", reveal_entry(P1), games=TOYS)) == "docket.no_pledge"
    written = Tree(tuple(store.read(MATCH)), (Tree(tuple(entries)),))
    assert parse_record(write_record(TOY, written), TOYS) == written


def test_a_record_with_pledges_goes_out_and_comes_in_as_it_is(store: Store, place: Place) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, missing_entry(P1))
    reveal(store, MATCH, LAW, reveal_entry(P2))
    play_on(store, MATCH, LAW, 4)
    close(store, MATCH, "judge", "over", abandon=True, games=TOYS)
    entries, states = store.read(MATCH), store.read_bytes(MATCH)
    text = write_notation(TOY, entries)
    assert parse_notation(text, TOYS) == list(entries) and '[Pledge "p1"' in text and "%reveal judge p1" in text
    lines = codec.to_json_lines(states)
    with Store.open(place("other.sqlite")) as other:
        states_again = [codec.from_json_line(line) for line in lines.splitlines()]
        assert import_records(other, [states_again], games=TOYS) == [Imported(MATCH, len(entries), new=True)]
        assert other.read(MATCH) == entries and fairness(TOY, other.read(MATCH)).differs == ()


def test_auto_in_a_notation_is_drawn_with_the_seed_in_force(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P2))
    reveal(store, MATCH, LAW, reveal_entry(P1))
    text = write_notation(TOY, store.read(MATCH))
    head, _, body = text.partition("\n\n")
    lines = ["4. chance: auto" if "chance: shuffle p1" in row else row for row in body.split("\n")]
    asked = "\n".join((head, f'[Seed "{SEED.hex()}"]', "", *lines))
    assert parse_notation(asked, TOYS, croupier.make_random_source) == list(store.read(MATCH))
    early = "\n".join((head, f'[Seed "{SEED.hex()}"]', "", "chance: auto"))
    with pytest.raises(ValueError, match="no card is drawn until"):
        parse_notation(early, TOYS, croupier.make_random_source)


def test_a_header_with_two_pledges_of_a_seat_or_real_cards_is_refused(store: Store) -> None:
    open_pledged(store, LAW)
    text = write_notation(TOY, store.read(MATCH))
    pledge = next(row for row in text.split("\n") if row.startswith("[Pledge"))
    for more, why in ((pledge, "has two pledges"), ('[Deal "none"]', "real cards")):
        with pytest.raises(ValueError, match=why):
            parse_notation(text.replace(pledge, f"{pledge}\n{more}"), TOYS)


def forge(entries: tuple[E.Entry, ...], number: int, **changed: Any) -> tuple[E.Entry, ...]:
    return (*entries[: number - 1], replace(entries[number - 1], **changed), *entries[number:])


def test_a_reveal_that_was_altered_is_found_by_import_and_by_audit(store: Store) -> None:
    open_pledged(store, LAW)
    for seat in (P1, P2):
        reveal(store, MATCH, LAW, reveal_entry(seat))
    play_on(store, MATCH, LAW, 2)
    entries = tuple(store.read(MATCH))
    other = (int.from_bytes(SECRETS[P1], "big") ^ 1).to_bytes(16, "big").hex()
    altered = forge(entries, 2, secret=other)
    (finding,) = audit(TOY, altered, secret=SEED).findings
    assert (finding.entry, finding.kind) == (2, "unfair") and "p1" in str(finding.detail)
    fair = fairness(TOY, altered, SEED)
    assert (fair.misfits, fair.differs, fair.unproved, fair.parts[P1]) == ((2,), (), 2, "awaited")
    bad = import_records(store, [[codec.encode(entry) for entry in altered]], games=TOYS)
    assert isinstance(bad, BadRecord) and bad.entry == 2
    twice = (*entries, reveal_entry(P1))
    assert [finding.entry for finding in audit(TOY, twice, secret=SEED).findings] == [len(twice)]
    assert fairness(TOY, twice, SEED).drawn == 3


def test_what_was_drawn_before_all_had_revealed_is_unfair_whatever_it_is(store: Store) -> None:
    open_pledged(store, LAW)
    for seat in (P1, P2):
        reveal(store, MATCH, LAW, reveal_entry(seat))
    first, one, two, *draws = store.read(MATCH)
    early = (first, one, *draws, two)
    for secret in (SEED, None):
        findings = audit(TOY, early, secret=secret).findings
        assert [(finding.entry, finding.kind) for finding in findings] == [(3, "unfair"), (4, "unfair")]
        assert "p2" in str(findings[0].detail)


def test_a_draw_by_the_croupiers_seed_alone_is_unfair(store: Store) -> None:
    open_pledged(store, LAW)
    reveal(store, MATCH, LAW, reveal_entry(P1))
    reveal(store, MATCH, LAW, reveal_entry(P2))
    before = tuple(store.read(MATCH)[:3])
    alone, _ = chance.answers(LAW, E.fold_entries(before), match=MATCH, seed=SEED, version=3)
    findings = audit(TOY, (*before, *alone), secret=SEED).findings
    assert [(finding.entry, finding.kind) for finding in findings] == [(4, "unfair"), (5, "unfair")]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pledges": {}}, "pledge.nobody"),
        ({"pledges": {Seat("p9"): "ab" * 32}}, "pledge.no_seat"),
        ({"pledges": {P1: "xy" * 32}}, "pledge.unreadable"),
    ],
)
def test_a_record_whose_pledges_are_none_is_not_taken_in(store: Store, changed: dict[str, Any], why: str) -> None:
    open_pledged(store, LAW)
    first = replace(store.read(MATCH)[0], match="other", **changed)
    bad = import_records(store, [[codec.encode(first)]], games=TOYS)
    assert isinstance(bad, BadRecord) and bad.entry == 1
    assert isinstance(bad.what, Text) and bad.what.key == why


def test_a_program_that_knows_no_pledges_stops_at_them(store: Store) -> None:
    open_pledged(store, LAW)
    former = msgspec.msgpack.Decoder(E.Opened | E.Undealt | E.Played | E.Closed | D.Sealed)
    with pytest.raises(msgspec.ValidationError, match="opened/3"):
        former.decode(store.read_bytes(MATCH)[0])
    with pytest.raises(msgspec.ValidationError, match="revealed"):
        former.decode(codec.encode(reveal_entry(P1)))


def test_a_match_without_pledges_is_opened_as_before(store: Store) -> None:
    open_match(store, LAW, "1", {}, seed=SEED, match_id=MATCH)
    first = store.read(MATCH)[0]
    assert type(first) is E.Opened and "pledges" not in asdict(first)
    assert fairness(TOY, store.read(MATCH), SEED).parts == {}
    assert docket.docket_of(store.read(MATCH)).pledges == {} and len(draws_in(store.read(MATCH))) == 2
