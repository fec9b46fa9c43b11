"""The `fairness` command checks one match and refuses a source of several."""

from pathlib import Path

import pytest

from tests.cli.runs import DISPUTED, fine, inside

CORPUS = DISPUTED.parents[1] / "corpus" / "small.corpus"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    where = tmp_path / "cup.sqlite"
    fine(where, "new", "blackpoker@8.1-lite", "--seed", "7", "--match", "m")
    fine(where, "close", "m", "--abandon", "--reason", "over")
    return where


@pytest.mark.parametrize("kind", ["folder", "corpus", "store"])
def test_a_place_with_many_matches_is_refused_with_what_to_give_instead(store: Path, kind: str) -> None:
    place = {"folder": DISPUTED.parent, "corpus": CORPUS, "store": store}[kind]
    refused = inside(store, "fairness", place, "--json")
    assert (refused.code, refused.out) == (2, "")
    assert f"{place} contains many matches" in refused.message
    assert "a match id or file" in refused.message and f"shinpan audit {place}" in refused.message
    assert "対戦のIDかファイル" in inside(store, "--lang", "ja", "fairness", place).message


def test_a_seed_that_the_match_was_not_opened_with_is_found_by_fairness_and_by_an_audit_of_many(store: Path) -> None:
    sound = fine(store, "export", "m", "--as", "judge", "--format", "jsonl").out
    file = store.parent / "files" / "bent.jsonl"
    file.parent.mkdir()
    file.write_text(sound.replace('"seed":"' + (7).to_bytes(16, "big").hex(), '"seed":"' + bytes(16).hex()))
    told = inside(store, "fairness", file)
    assert told.code == 1 and "the commitment does not hold" in told.out
    assert inside(store, "fairness", file, "--json").data["fair"] is False
    many = inside(store, "audit", file.parent, "--json")
    assert [finding["kind"] for found in many.data["audits"] for finding in found["findings"]] == ["unfair"]
