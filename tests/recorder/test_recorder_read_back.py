"""An append is acknowledged only if the database returns the written data, even if a trigger changes it."""

from collections.abc import Iterator

import pytest

from recorder.store import Store, StoreError
from recorder.store_location import on_server
from tests.places import Place, rows
from tests.recorder.test_recorder_store import OPENED, make_note

DROPS = ("BEFORE INSERT", "SELECT RAISE(IGNORE)", "RETURN NULL")
ALTERS = (
    "AFTER INSERT",
    "UPDATE stored_events SET state=x'80' WHERE rowid=NEW.rowid",
    "UPDATE stored_events SET state='x' WHERE notification_id=NEW.notification_id; RETURN NEW",
)


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with Store.open(place()) as opened:
        opened.append("m", 0, [OPENED, make_note("a")])
        yield opened
        for statement in harm(opened.name, "DROP"):
            rows(opened.name, statement)


def harm(name: str, what: str, when: str = "", sqlite: str = "", postgres: str = "") -> tuple[str, ...]:
    """Return the statements that create or drop a trigger on new entries."""
    if on_server(name):
        function = f"CREATE FUNCTION harm() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {postgres}; END$$"
        begun = (function, f"CREATE TRIGGER harm {when} ON stored_events FOR EACH ROW EXECUTE FUNCTION harm()")
        ended = ("DROP TRIGGER harm ON stored_events", "DROP FUNCTION harm()")
    else:
        begun = (f"CREATE TRIGGER harm {when} ON stored_events BEGIN {sqlite}; END",)
        ended = ("DROP TRIGGER harm",)
    return begun if what == "CREATE" else ended


@pytest.mark.parametrize("trigger", [DROPS, ALTERS], ids=["dropped", "altered"])
def test_an_entry_that_the_database_changes_is_not_acknowledged(store: Store, trigger: tuple[str, str, str]) -> None:
    for statement in harm(store.name, "CREATE", *trigger):
        rows(store.name, statement)
    for write in (
        lambda: store.append("m", 2, [make_note("b")]),
        lambda: store.append("m", 2, [make_note("b")], "c1"),
        lambda: store.append("m", 2, [make_note("b"), make_note("c")]),
        lambda: store.append("n", 0, [OPENED]),
    ):
        with pytest.raises(StoreError, match="differs from the data written") as caught:
            write()
        assert caught.value.trouble == "failed" and caught.value.text.say("ja") != caught.value.text.say("en")
        assert store.version("m") == 2 and store.version("n") == 0 and store.command("m", "c1") is None
    assert store.read("m") == (OPENED, make_note("a"))
