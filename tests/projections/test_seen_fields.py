"""The fields of entries are visible as their annotations say, and hidden without one."""

import pytest
from msgspec.structs import fields

from domain.law import disputes as D, entries as E
from domain.law.logged import FieldVisibility, Judges, JudgeView, Logged, OwnSeat, Public, entry_fields
from domain.table.table import JUDGE, Seat
from projections.seen_entries import SeenEntry, visible_fields

P1, P2 = Seat("p1"), Seat("p2")
BY_HAND = {
    "opened": {"schema", "told"},
    "opened/2": {"schema", "told"},
    "opened/3": {"schema", "told"},
    "played": {"action", "told", "violations", "by_hand"},
    "corrected": {"told"},
    "gap": {"told"},
    "noted": {"text", "about"},
    "disputed": {"claims"},
    "ruled": {"penalties"},
    "decided": {"penalties"},
    "penalised": {"penalty"},
}
"""Fields without a visibility: never shown, or redacted explicitly in `seen_entry`."""


class Invented(Logged, frozen=True, kw_only=True, omit_defaults=True, tag="invented"):
    """An entry with a field of each visibility."""

    by: Public[str]
    plan: str
    hands: OwnSeat[dict[Seat, str]]
    remark: Judges[str]
    opinion: JudgeView[str]


@pytest.mark.parametrize(
    ("viewer", "reads", "visible"),
    [
        (P1, False, {"by": "kato", "hands": {P1: "S4"}}),
        (P2, True, {"by": "kato", "hands": {P2: "JK"}, "remark": "late"}),
        (JUDGE, True, {"by": "kato", "hands": {P1: "S4", P2: "JK"}, "remark": "late", "opinion": "played wrongly"}),
    ],
)
def test_field_without_a_visibility_is_hidden(viewer: Seat, reads: bool, visible: dict[str, object]) -> None:
    hands = {P1: "S4", P2: "JK"}
    entry = Invented(by="kato", plan="bluff", hands=hands, remark="late", opinion="played wrongly")
    assert visible_fields(entry, viewer, reads) == visible  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", E.ENTRIES)
def test_every_field_is_visible_or_listed_here(kind: type[Logged]) -> None:
    hidden = {field.name for field in entry_fields(kind) if field.visibility is None} - {"at"}
    assert hidden == BY_HAND.get(str(kind.__struct_config__.tag), set())


@pytest.mark.parametrize("kind", E.ENTRIES)
def test_every_visible_field_has_a_place_in_the_seen_form(kind: type[Logged]) -> None:
    seen = {field.name for field in fields(SeenEntry)}
    assert {field.name for field in entry_fields(kind) if field.visibility is not None} <= seen


def test_the_opinion_of_the_law_is_for_the_judge_view() -> None:
    opinion = next(field for field in entry_fields(D.Ruled) if field.name == "opinion")
    assert opinion.visibility is FieldVisibility.JUDGE_VIEW
