"""Penalties in words: the names from the match's policy, in the requested language, next to stable ids."""

import msgspec
from msgspec.structs import replace

from domain.formats.policies import standard_policy, stored_policy
from domain.law import disputes as D
from domain.law.entries import Entry, opened_of
from domain.law.policy import Infraction, PenaltyStep, Policy
from domain.law.record import Record, record_of
from domain.table.table import JUDGE
from domain.words import Lang
from projections.casefile import case_file
from projections.disputes import render_disputes, seen_disputes
from projections.html.casefile import to_html
from projections.penalties import SeenPenalty
from projections.rows import plain
from projections.rulings import rulings_of
from projections.seen_entries import SeenEntry, seen_entries
from projections.timeline import timeline
from tests.disputed import dispute
from tests.projections.records import GAME, laid_out, play
from tests.rows import for_each

HOUSE = Policy(
    name="house",
    version="1",
    step={"warning": PenaltyStep("Verwarnung", "警告"), "loss": PenaltyStep(ja="負け")},
    infraction={"misplay": Infraction(en="a slip", ja="誤り", step="warning"), "late": Infraction(step="loss")},
)
LATE = D.Penalised(by="kato", penalty=D.Penalty(JUDGE, "loss", "late"))


def record(policy: Policy | None) -> tuple[Record, int]:
    entries: list[Entry] = play(laid_out({"p1.hand": "HK S2"}), "p1: pass")
    pinned = {} if policy is None else stored_policy(policy)
    made, number = dispute([replace(opened_of(entries), policy=pinned), *entries[1:]], 2, ("BP-4.2",))
    return record_of(
        GAME, (*made, replace(LATE, penalty=D.Penalty(opened_of(entries).seats[0], "loss", "late")))
    ), number


@for_each(
    "policy, lang, ruled, given",
    [
        (HOUSE, "en", "Verwarnung (warning) for Aoi: a slip (misplay)", "loss for Aoi (late)"),
        (HOUSE, "ja", "Aoiに警告（warning）、誤り（misplay）", "Aoiに負け（loss）（late）"),
        (
            standard_policy(),
            "en",
            "warning for Aoi: an action or its outcome against the rules (misplay)",
            "loss for Aoi: com",
        ),
        (None, "en", "warning for Aoi (misplay)", "loss for Aoi (late)"),
        (None, "ja", "Aoiにwarning（misplay）", "Aoiにloss（late）"),
    ],
)
def test_a_penalty_is_told_in_the_words_of_its_policy(
    policy: Policy | None, lang: Lang, ruled: str, given: str
) -> None:
    match, number = record(policy)
    told = [line.text for line in timeline(match, match.eyes(), lang)]
    assert ruled in told[number + 1] and given in told[-1]
    rows = plain(render_disputes(GAME, seen_disputes(match, "m", match.eyes()), match.names, lang))
    assert ruled in rows


def test_a_view_holds_the_words_beside_the_ids_and_nothing_where_there_are_none() -> None:
    for policy in (HOUSE, None):
        match, number = record(policy)
        seen = list(seen_entries(match, match.eyes()))
        (ruled,), (late,) = seen[number + 1].penalties, seen[-1].penalties
        assert (ruled.step, ruled.infraction, late.step) == ("warning", "misplay", "loss")
        assert (late.step_words is None) == (policy is None) and late.infraction_words is None
        assert msgspec.json.decode(msgspec.json.encode(seen[-1]), type=SeenEntry) == seen[-1]
    assert msgspec.json.encode(SeenPenalty(*msgspec.structs.astuple(LATE.penalty))) == msgspec.json.encode(LATE.penalty)


def test_a_case_file_has_them_of_its_own_match_and_of_earlier_ones() -> None:
    match, number = record(HOUSE)
    page = to_html(case_file(match, "m", "officials", number, rulings_of(match, "older", JUDGE)), match, "en").decode()
    assert page.count("Verwarnung (warning) for Aoi: a slip (misplay)") >= 2
    assert page.count("Aoiに警告（warning）、誤り（misplay）") >= 2
