"""Findings that later knowledge excluded: shown to judges, and to viewers who saw the flag."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.judging.audit import audit
from domain.table.table import JUDGE
from projections.findings import seen_findings
from recorder.store import Store
from service.search.indexing import index_rows
from tests.recorder.test_real_cards import match
from tests.recorder.test_recorder_certainty import BP, store, tell

__all__ = ("store",)
VIEWERS = ("spectator", "p1", "p2", JUDGE)


@pytest.mark.parametrize(("face", "certainty"), [("S5", "excluded"), ("HJ", "certain")])
def test_what_is_excluded_is_for_judges_unless_it_was_flagged(store: Store, face: str, certainty: str) -> None:
    tell(store, face)
    record = match(store)
    (finding,) = audit(BP, record.entries).findings
    assert finding.certainty == certainty and not finding.flagged
    for flagged in (False, True):
        found = replace(finding, flagged=flagged)
        seen = {viewer: seen_findings(record, record.eyes(viewer), record.law, [found]) for viewer in VIEWERS}  # type: ignore[arg-type]
        told = {viewer for viewer, findings in seen.items() if findings}
        assert told == ({JUDGE} if certainty == "excluded" and not flagged else {*VIEWERS})
        assert not any(findings and findings[0].detail for viewer, findings in seen.items() if viewer != JUDGE)


def test_nobody_finds_a_match_by_what_is_excluded(store: Store, tmp_path: Path) -> None:
    assert [hit.clause for hit in index_rows("m", match(store).entries, whole=True).hits] == ["BP-5.8"]
    tell(store, "S5")
    assert index_rows("m", match(store).entries, whole=True).hits == ()
