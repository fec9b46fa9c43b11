"""The matches of a round opened at once, from the table that an organiser's program writes."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct

from cli import files
from cli.answer import Answer
from cli.context import Desk
from cli.decks import read_decks
from cli.record import outcome
from cli.record.new import read_named
from cli.values import By, Frame, Settings
from domain.formats.errors import FormatError, decode_text
from domain.formats.pairings import Pairing, read_pairings
from domain.law.entries import Opened
from domain.law.law import Law
from domain.law.occasion import Occasion, occasion_of
from domain.law.policy import Policy
from domain.table.table import Seat
from domain.words import Text
from recorder.chance import new_seed
from recorder.clock import now
from recorder.commands import Command, command_of
from recorder.matches import open_match
from recorder.naming import id_of
from recorder.opening import opening
from recorder.store import Store


class Paired(Struct, frozen=True):
    """A table of the round and its match, which was opened just now or by the same file before."""

    table: str
    match: str
    names: dict[Seat, str]
    new: bool


def pairings(
    desk: Desk,
    spec: Annotated[str, "GAME@VERSION"],
    table: Annotated[str, "FILE.csv"],
    event: Annotated[str, "--event TEXT"],
    round: Annotated[str, "--round TEXT"],
    site: Annotated[str, "--site TEXT"] = "",
    date: Annotated[str, "--date TEXT"] = "",
    start: Annotated[str, "--start TEXT"] = "",
    limit: Annotated[str, "--limit TEXT"] = "",
    frame: Frame = None,
    settings: Settings = None,
    policy: Annotated[str | None, "--policy standard|FILE.toml"] = None,
    by: By = "",
) -> Answer[tuple[Paired, ...]]:
    """Open a match for each table of a round; the same file again opens what is not there yet."""
    desk.require_store()
    game, version, rules = desk.rules(spec, frame, settings)
    law = Law(game, rules)
    ruling = None if policy is None else read_named(desk, policy)
    with desk.refusing():
        rows = read_pairings(decode_text(files.read(desk, table), table), law.seats(), table)
    said = {"event": event, "round": round, "site": site, "date": date, "start": start, "limit": limit}
    openings = [
        _Opening(desk, law, version, row, table, occasion_of({**said, "table": row.table}), by, ruling) for row in rows
    ]
    with desk.store(writing=True) as store:
        news = [opening.check(store) for opening in openings]
        for opening in (opening for opening, new in zip(openings, news, strict=True) if new):
            opening.open(store)
    paired = tuple(
        Paired(opening.row.table, opening.match, opening.row.names, new)
        for opening, new in zip(openings, news, strict=True)
    )
    return Answer(lambda: paired, lambda: _draw(desk, paired))


class _Opening:
    """A match that is about to be opened. All of them are looked at before any is."""

    def __init__(
        self,
        desk: Desk,
        law: Law,
        version: str,
        row: Pairing,
        file: str,
        occasion: Occasion,
        by: str,
        policy: Policy | None,
    ) -> None:
        self.desk, self.law, self.version, self.row, self.file = desk, law, version, row, file
        self.occasion, self.by, self.policy = occasion, by, policy
        self.decks = read_decks(desk, law, [f"{seat}={deck}" for seat, deck in row.decks.items()])
        named = f"pairings/{occasion.event}/{occasion.round}/{row.table}"
        self.match = id_of(law.game, named)
        asked = (law.game.key, version, law.rules, row.names, row.decks, occasion)
        self.command: Command = _require(command_of(named, *asked))

    def check(self, store: Store) -> bool:
        """Is it new? Raises Problem where it cannot be opened, or that table of the round was paired otherwise."""
        before = store.command(self.match, self.command.id)
        if before is not None:
            if before.asked != self.command.asked:
                raise self._misread(Text("pairings.otherwise", {"table": self.row.table, "match": self.match}))
            return False
        answer = opening(self.law, self.version, self.row.names, self.decks, new_seed(), self.match, **self._rest)
        if not isinstance(answer, Opened):
            outcome.require_opened(self.desk, self.law, store, answer)
        return True

    def open(self, store: Store) -> None:
        """Open it. Raises Problem."""
        answer = open_match(
            store,
            self.law,
            self.version,
            self.row.names,
            self.decks,
            match_id=self.match,
            command=self.command,
            **self._rest,
        )
        outcome.require_opened(self.desk, self.law, store, answer)

    @property
    def _rest(self) -> Mapping[str, Any]:
        return {"at": now(), "by": self.by, "occasion": self.occasion, "policy": self.policy}

    def _misread(self, why: Text) -> Exception:
        return self.desk.misread(FormatError(why, self.row.line, name=self.file))


def _require(command: Command | None) -> Command:
    assert command is not None
    return command


def _draw(desk: Desk, paired: tuple[Paired, ...]) -> None:
    heads = [desk.say(f"head.{name}") for name in ("table", "match", "names")]
    desk.screen.table(heads, [[row.table, row.match, " - ".join(row.names.values())] for row in paired])
    opened = sum(row.new for row in paired)
    desk.tell("pairings.done", "good", n=opened, there=len(paired) - opened)
