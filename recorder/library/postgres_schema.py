"""Check that the tables of a store in a PostgreSQL database are those that Shinpan creates. Only the server's catalog
is read, which runs no foreign code. Shinpan creates no triggers, rules or functions: LISTEN and NOTIFY need none."""

from typing import Final, NamedTuple

from recorder.library.entries import TABLES
from recorder.library.statements import Connection

KEYS: Final = (
    ("stored_events", "PRIMARY KEY (originator_id, originator_version)"),
    ("matches", "PRIMARY KEY (number)"),
    ("matches", "UNIQUE (match)"),
    ("commands", "PRIMARY KEY (match, command)"),
    ("asked", "PRIMARY KEY (match, command)"),
    ("secrets", "PRIMARY KEY (match)"),
    ("leaves", "PRIMARY KEY (number)"),
    ("checkpoints", "PRIMARY KEY (number)"),
    ("names", "PRIMARY KEY (match, seat)"),
    ("meta", "PRIMARY KEY (key)"),
)
"""The constraints of the tables, in the server's notation."""
ACTIVE: Final = """
    SELECT 1 AS place, 'trigger' AS kind, tgname::text AS name
        FROM pg_catalog.pg_trigger JOIN ours ON tgrelid = id WHERE NOT tgisinternal
    UNION ALL SELECT 2, 'view', own FROM ours WHERE relkind IN ('v', 'm')
    UNION ALL SELECT 3, 'rule', rulename::text FROM pg_catalog.pg_rewrite JOIN ours ON ev_class = id
    UNION ALL SELECT 4, 'policy', polname::text FROM pg_catalog.pg_policy JOIN ours ON polrelid = id
    UNION ALL SELECT 5, 'table', own FROM ours WHERE relkind <> 'r' OR relrowsecurity OR EXISTS (
        SELECT FROM pg_catalog.pg_inherits WHERE id IN (inhparent, inhrelid))
    UNION ALL SELECT 6, 'column', own || '.' || attname FROM pg_catalog.pg_attribute JOIN ours ON attrelid = id
        WHERE attnum > 0 AND attgenerated <> ''"""
"""Objects that run or hide something when a table is read or written."""
OTHER: Final = r"""
    SELECT 1 AS place, 'constraint' AS kind, conname::text AS name
        FROM pg_catalog.pg_constraint JOIN ours ON conrelid = id
        WHERE contype <> 'n' AND (own, pg_catalog.pg_get_constraintdef(oid)) NOT IN (SELECT * FROM keys)
    UNION ALL SELECT 2, 'table', own FROM ours JOIN keys ON own = of WHERE NOT EXISTS (
        SELECT FROM pg_catalog.pg_constraint WHERE conrelid = id AND pg_catalog.pg_get_constraintdef(oid) = def)
    UNION ALL SELECT 3, 'column', own || '.' || attname
        FROM pg_catalog.pg_attribute JOIN ours ON attrelid = id
        LEFT JOIN pg_catalog.pg_attrdef ON adrelid = id AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped AND (
            attidentity <> ''
            OR atttypid NOT IN ('pg_catalog.int8'::regtype, 'pg_catalog.text'::regtype, 'pg_catalog.bytea'::regtype)
            OR (adbin IS NOT NULL AND NOT (own = 'stored_events' AND attname = 'notification_id'
                AND pg_catalog.pg_get_expr(adbin, adrelid) ~ '^nextval\(''[^'']*''::regclass\)$')))
    UNION ALL SELECT 4, 'index', c.relname::text
        FROM pg_catalog.pg_index JOIN ours ON indrelid = id JOIN pg_catalog.pg_class c ON c.oid = indexrelid
        WHERE indexprs IS NOT NULL OR indpred IS NOT NULL OR (
            indisunique AND c.relname <> 'stored_events_notification_id_idx'
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE conindid = indexrelid))"""
"""Other differences from what Shinpan creates."""
QUERY: Final = """
    WITH ours AS (
        SELECT c.oid AS id, relname::text AS own, relkind, relrowsecurity
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = pg_catalog.current_schema() AND relname = ANY(%s)
    ), keys AS (SELECT * FROM unnest(%s::text[], %s::text[]) AS k(of, def))
    SELECT kind, name FROM ({}) AS found ORDER BY place, name LIMIT 1"""


class ForeignObject(NamedTuple):
    kind: str
    name: str


class ForeignObjects(NamedTuple):
    """The first active object, and the first other difference."""

    active: ForeignObject | None
    other: ForeignObject | None


def find_foreign_objects(connection: Connection) -> ForeignObjects:
    """Find foreign objects in the catalog that belong to the store's tables in the current schema."""
    values = (sorted(TABLES), [table for table, _ in KEYS], [key for _, key in KEYS])
    found = [connection.execute(QUERY.format(part).encode(), values).fetchone() for part in (ACTIVE, OTHER)]
    active, other = (None if row is None else ForeignObject(*row) for row in found)
    return ForeignObjects(active, other)
