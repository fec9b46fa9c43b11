"""The rules decide what is hidden from whom: a record keeps a schema that was published for its rules."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games import GAMES
from domain.judging.audit import audit
from domain.law.rulesets import digest as rules_digest, make_ruleset, with_settings
from domain.law.schemas import digest, is_published
from domain.table.schema import Schema, Visibility
from recorder import codec
from recorder.answers import BadRecord, Imported
from recorder.store import Store
from tests.games import PLAYED, tried
from tests.imports import import_entries
from tests.laws.presumed import presume
from tests.laws.samples import Sample, sample
from tests.rows import for_each

pytestmark = pytest.mark.random

OPEN = Visibility("all", "all", "all")


def open_areas(schema: Schema) -> Schema:
    return replace(schema, areas=tuple(replace(area, sight=OPEN) for area in schema.areas))


def forge_schema(one: Sample) -> Sample:
    return replace(one, entries=(replace(one.first_entry, schema=open_areas(one.first_entry.schema)), *one.entries[1:]))


@for_each("key", sorted(PLAYED))
def test_every_published_ruleset_has_its_schema_in_the_table(key: str) -> None:
    game = PLAYED[key]
    missing = [
        f'{rules_digest(rules)} = [..., "{digest(game.schema(rules))}"]'
        for version in game.versions
        for frame in ("", *game.regulations_in(version))
        for table in tried(key).tables
        if (rules := with_settings(game, make_ruleset(game, version, frame), dict(table)))
        and game.schemas().get(rules_digest(rules), ("",))[-1] != digest(game.schema(rules))
    ]
    assert missing == [], "append to the game's schemas.toml, and leave what is there"
    assert all(schema in game.schemas()[rules] for rules, schema in tried(key).schemas.items())


@for_each("key", sorted(PLAYED))
def test_an_old_record_may_hold_a_schema_that_was_published_before(key: str) -> None:
    presume(key, "secrets")
    one = sample(key, 0)
    old = open_areas(one.first_entry.schema)
    opened = replace(one.first_entry, schema=old)
    before = replace(one.game, schemas=lambda: {rules_digest(opened.rules): (digest(old),)})
    other = replace(one.game, schemas=lambda: {"0" * 16: (digest(old),)})
    assert is_published(before, one.rules, opened)
    assert not is_published(one.game, one.rules, opened) and not is_published(other, one.rules, opened)


def test_what_stands_at_its_default_does_not_count_for_the_hash() -> None:
    schema = GAMES["blackpoker"].schema(GAMES["blackpoker"].latest)
    assert digest(replace(schema, out="")) == digest(schema) != digest(replace(schema, out="gone"))


@for_each("key", sorted(PLAYED))
def test_an_audit_finds_a_record_that_chose_its_own_secrecy(key: str) -> None:
    presume(key, "secrets")
    one = sample(key, 0)
    (found,) = audit(one.game, forge_schema(one).entries).findings
    assert (found.entry, found.kind) == (1, "schema")
    assert found.detail is not None and "hand" in found.detail


@pytest.mark.parametrize("key", sorted(PLAYED))
def test_an_import_refuses_a_record_that_chose_its_own_secrecy(key: str, tmp_path: Path) -> None:
    presume(key, "secrets")
    one = sample(key, 0)
    with Store.open(tmp_path / "a.sqlite") as store:
        done = import_entries(store, [codec.encode(entry) for entry in forge_schema(one).entries])
        assert isinstance(done, BadRecord) and done.entry == 1 and "published" in done.what
        assert store.matches() == []
        assert isinstance(import_entries(store, [codec.encode(entry) for entry in one.entries]), Imported)
