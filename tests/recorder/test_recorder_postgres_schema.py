"""Untrusted databases: triggers and other active objects are refused by name before a table is read."""

import pytest

from recorder.copying import copy_store
from recorder.store import Store, StoreError
from recorder.store_location import ENCRYPTED
from tests.postgres import Cluster, schema_of
from tests.recorder.test_recorder_store import OPENED, make_note

FUNCTION = "CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$"
LOOP = "CREATE FUNCTION spin(x text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$BEGIN LOOP END LOOP; END$$"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1::bigint UNION ALL SELECT i+1 FROM n)"
META = "key text PRIMARY KEY, value text NOT NULL"
ACTING = {
    "trigger swallow": (
        f"{FUNCTION}; CREATE TRIGGER swallow BEFORE INSERT ON stored_events FOR EACH ROW EXECUTE FUNCTION act()"
    ),
    "view matches": (
        f"DROP TABLE matches; CREATE VIEW matches AS {ENDLESS} SELECT i AS number, i::text AS match FROM n"
    ),
    "view meta": f"DROP TABLE meta; CREATE VIEW meta AS {ENDLESS} SELECT i::text AS key, '1' AS value FROM n",
    "rewrite rule nothing": "CREATE RULE nothing AS ON INSERT TO stored_events DO INSTEAD NOTHING",
    "row security policy one": (
        "CREATE POLICY one ON stored_events USING (false); ALTER TABLE stored_events ENABLE ROW LEVEL SECURITY"
    ),
    "table stored_events": "ALTER TABLE stored_events DROP CONSTRAINT stored_events_pkey",
    "table names": "DROP TABLE names; CREATE TABLE names (match text, seat text) PARTITION BY HASH (match)",
    "constraint small": "ALTER TABLE stored_events ADD CONSTRAINT small CHECK (length(state) < 9) NOT VALID",
    "column names.salt": "ALTER TABLE names ALTER salt SET DEFAULT sha256('x')",
    "column meta.more": f"{LOOP}; ALTER TABLE asked ADD x text; ALTER TABLE meta ADD more text GENERATED ALWAYS AS"
    " (upper(value)) STORED",
    "column secrets.seed": "CREATE DOMAIN tight AS bytea CHECK (length(VALUE) < 9);"
    " ALTER TABLE secrets ALTER seed TYPE tight",
    "index one_topic": "CREATE UNIQUE INDEX one_topic ON stored_events (topic, originator_version)",
    "index spun": f"{LOOP}; CREATE INDEX spun ON commands (spin(match))",
}


@pytest.mark.parametrize("named", ACTING)
def test_a_database_in_which_something_acts_is_refused_at_every_opening(cluster: Cluster, named: str) -> None:
    address = cluster.new()
    Store.open(address).close()
    cluster.run(ACTING[named], schema_of(address))
    for read_only, unfinished in ((True, False), (False, False), (False, True)):
        with pytest.raises(StoreError, match=named) as caught:
            Store.open(address, read_only=read_only, unfinished=unfinished)
        assert caught.value.trouble == "foreign"
    with Store.open(":memory:") as source, pytest.raises(StoreError, match=named):
        copy_store(source, address)


def test_a_view_in_an_empty_schema_keeps_it_from_becoming_a_store(cluster: Cluster) -> None:
    address = cluster.new()
    cluster.run(f"CREATE VIEW commands AS {ENDLESS} SELECT i FROM n", schema_of(address))
    with pytest.raises(StoreError, match="view commands"):
        Store.open(address)


def test_plain_tables_indexes_and_functions_beside_a_store_are_no_trouble(cluster: Cluster) -> None:
    address = cluster.new()
    with Store.open(address) as store:
        store.append("m", 0, [OPENED])
    beside = f"{FUNCTION}; CREATE TABLE later (n int DEFAULT 1); CREATE INDEX by_topic ON stored_events (topic)"
    cluster.run(beside, schema_of(address))
    with Store.open(address) as store:
        assert store.append("m", 1, [make_note("a")]) == 2


def test_of_a_newer_format_the_format_is_told_and_not_its_tables(cluster: Cluster) -> None:
    for form, trouble in ((9, "newer"), (ENCRYPTED, "foreign")):
        address = cluster.new()
        Store.open(address).close()
        cluster.run("ALTER TABLE matches ADD box int DEFAULT 1", schema_of(address))
        cluster.run(f"UPDATE meta SET value='{form}' WHERE key='format'", schema_of(address))
        with pytest.raises(StoreError) as caught:
            Store.open(address)
        assert caught.value.trouble == trouble and "column" not in str(caught.value)
