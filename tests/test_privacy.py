"""The tables of docs/privacy.md match the code, and change if a right or redaction is loosened."""

from typing import Any

import pytest

from domain.formats.typed import MissingHiddenCard
from domain.law.disputes import Sealed
from domain.table.redact import TableViewer
from domain.words import Text
from projections import seen_entries
from recorder import matches, people
from recorder.answers import Unfit
from service.access import INVITABLE_ROLES, RIGHTS
from service.disputes import seals_api
from service.recording import commands
from tools.privacy import PAGE, page

OLD = "the tables are old: python -m tools.privacy"


def test_the_tables_of_privacy_are_written_from_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), OLD


def skip_note(store: Any, match: str, *words: Any, **terms: Any) -> Any:
    return Unfit(Text("remark.impossible"))


ITEMS: dict[str, tuple[Any, Any, Any]] = {
    "a scorekeeper may break the seal": (RIGHTS["break_seal"], "scorekeeper", "scoped"),
    "a designer may look at open matches": (RIGHTS["see"], "designer", "yes"),
    "a spectator may see all of closed matches": (RIGHTS["see_closed"], "spectator", "yes"),
    "an operator sees without the delay": (RIGHTS["see"], "operator", "yes"),
    "a spectator may record": (RIGHTS["record"], "spectator", "yes"),
    "a scorekeeper may dispute": (RIGHTS["dispute"], "scorekeeper", "scoped"),
    "a head judge may invite no seats": (INVITABLE_ROLES, "head", ()),
}
ATTRIBUTES: dict[str, tuple[Any, str, Any]] = {
    "faces are shown": (TableViewer, "knows", lambda *_: True),
    "numbers are shown": (TableViewer, "follows", lambda *_: True),
    "counts are shown": (TableViewer, "knows_count", lambda *_: True),
    "an invitation to a seat leaves no entry": (people, "record_invited", lambda *_: ()),
    "notes are shown to all": (seen_entries, "is_note_visible", lambda *_: True),
    "deck lists are shown to all": (seen_entries, "_filter_decks", lambda decks, _: decks),
    "breaking a seal is recorded otherwise": (seals_api, "Unsealed", lambda by, eyes, until: Sealed(by=by, eyes=eyes)),
    "a refusal leaves no entry": (matches, "note_refusal", skip_note),
    "a hidden card is not found where it lies": (commands, "read_hidden", lambda *_: MissingHiddenCard()),
}


@pytest.mark.parametrize("change", [*ITEMS, *ATTRIBUTES])
def test_a_loosened_right_or_redaction_changes_the_tables(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    if change in ITEMS:
        monkeypatch.setitem(*ITEMS[change])
    else:
        monkeypatch.setattr(*ATTRIBUTES[change])
    assert page(text) != text, change
