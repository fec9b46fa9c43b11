"""Damaged columns of a match: the service answers for all other matches."""

import shutil
from pathlib import Path

import pytest

from service.settings import Settings
from tests.recorder.test_recorder_columns import BAD, CASES, CLOSED, ODD, SOUND, damage, lay_sound
from tests.rotation import rotate
from tests.service.harness import serve

OPENING_ELSEWHERE = tuple(("stored_events", "originator_id", 1, odd) for odd in ODD)
"""A damage that once broke every search: the opening under the id of a missing match."""
LISTS = ("/en/floor", "/api/v1/matches", "/api/v1/find?game=blackpoker")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_sound(tmp_path_factory.mktemp("sound") / "a.sqlite")


@pytest.mark.parametrize(("table", "column", "number", "odd"), [*rotate(CASES, 6), *rotate(OPENING_ELSEWHERE, 2)])
def test_a_damaged_column_keeps_no_list_from_answering(
    sound: Path, sqlite_file: Path, table: str, column: str, number: int, odd: str
) -> None:
    where = Path(shutil.copy(sound, sqlite_file))
    if not damage(where, table, column, number, odd):
        return
    with serve(Settings(store=str(where))) as served:
        for path in LISTS:
            answer = served.get(path, "head")
            assert answer.status_code == 200 and SOUND in answer.text and CLOSED in answer.text, (path, answer.text)
        assert served.get(f"/en/m/{SOUND}", "head").status_code == 200
        assert served.get(f"/en/m/{BAD}", "head").status_code in (200, 404, 503)
