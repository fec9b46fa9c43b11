"""Entries and findings of many matches as plain rows, a table's lines, as far as whoever they are for may know.

Everything in a row was read through the eyes of its audience: what these do not see is in no row, so in no byte of a
file that is made of rows.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import fields

from corpus.sources import Bad, Source, id_of, load, secret
from domain.judging.audit import audit
from domain.law.entries import line, tables
from domain.law.record import Record
from domain.table.redact import SPECTATOR, Eyes
from domain.table.table import JUDGE, Table
from domain.words import Text
from domain.words.foreign import quoted
from projections.findings import SeenFinding, seen_findings
from projections.seen import SeenFact
from projections.seen_entries import SeenAction, SeenEntry, SeenSlot, seen_entry
from projections.viewing import NotInMatch, look_at

Of = Literal["entries", "findings"]
"""What a table has a row for."""
PARQUET, ARROW = FORMS = (".parquet", ".arrow")
"""How the name of a table's file ends, and with that what it is written as."""
EVERYONE: Final = "everyone"
"""The audience that knows what all may know."""


class Wanted(Struct, frozen=True):
    """Which table, and for whom: `everyone`, the judge or a seat."""

    of: Of
    audience: str = EVERYONE

    @property
    def viewer(self) -> str:
        """The audience as a match knows it."""
        return SPECTATOR if self.audience == EVERYONE else self.audience


class EntryRow(Struct, frozen=True):
    """An entry. `turn`, `active` and `phase` are those of the table before it; what is empty or 0 is not known.

    `clauses` are those by which something was told, each once, `facts` how many of them are seen, `faces` the cards
    that the action names, where the audience knows them. `left`: a rewind has left it.
    """

    match: str
    game: str
    version: str
    rules_hash: str
    seats: tuple[str, ...]
    entry: int
    kind: str
    actor: str
    verb: str
    at: int
    turn: int
    active: str
    phase: str
    clauses: tuple[str, ...]
    facts: int
    violations: tuple[str, ...]
    faces: tuple[str, ...]
    left: bool


class Named(Struct, frozen=True):
    """A fact by its kind and its clause."""

    fact: str
    clause: str


class FindingRow(Struct, frozen=True, kw_only=True):
    """A finding. `standing`: it counts, for no rewind has left it and nothing told later has cleared it.

    `what` is the entry in words. What stands behind that goes to nobody but the judge; `broken`, all clauses that did
    not hold, also to the seat that acted.
    """

    match: str
    game: str
    version: str
    rules_hash: str
    entry: int
    kind: str
    clause: str
    certainty: str
    standing: bool
    flagged: bool
    undone: bool
    sentence_en: str
    sentence_ja: str
    what_en: str
    what_ja: str
    broken: tuple[str, ...] = ()
    missing: tuple[Named, ...] = ()
    extra: tuple[Named, ...] = ()
    detail_en: str = ""
    detail_ja: str = ""


ROWS: Final[dict[Of, type[EntryRow] | type[FindingRow]]] = {"entries": EntryRow, "findings": FindingRow}
_JUDGES: Final = frozenset(("missing", "extra", "detail_en", "detail_ja"))
_NOT_FOR_ALL: Final = _JUDGES | {"broken"}

Row = tuple[Any, ...]
"""The values of a row, in the order of its columns."""


def columns(wanted: Wanted) -> tuple[str, ...]:
    """The columns of a table: those that its audience never has anything in are not there at all."""
    by_viewer: dict[str, frozenset[str]] = {JUDGE: frozenset(), SPECTATOR: _NOT_FOR_ALL}
    hidden = by_viewer.get(wanted.viewer, _JUDGES)
    return tuple(field.name for field in fields(ROWS[wanted.of]) if field.name not in hidden)


def rows_of(wanted: Wanted, source: Source) -> list[Row] | Bad:
    """The rows of a match; or why it has none. Whatever is wrong with it is said of it, and of it alone."""
    match = load(source, checked=True)
    if isinstance(match, Bad):
        return match
    try:
        return list(tabled(wanted, match, id_of(source, match), secret(source)))
    except NotInMatch as error:
        return Bad(source.name, error.text)
    except Exception as error:  # a law that fails on a match fails for this match, not for the others
        return Bad(source.name, Text("regress.failed", {"error": type(error).__name__, "why": quoted(error)}))


def killed(source: Source) -> Bad:
    """What is said of a match that ends whatever process it is handed to."""
    return Bad(source.name, Text("regress.killed"))


def tabled(wanted: Wanted, match: Record, name: str, seed: bytes | None = None) -> Iterator[Row]:
    """The rows of a record, under the id it goes by; `seed` is the croupier's. Raises NotInMatch."""
    if wanted.audience not in (EVERYONE, JUDGE, *match.opened.seats):  # a player's name is no audience of many matches
        known = ", ".join((EVERYONE, JUDGE, *match.opened.seats))
        said = {"audience": quoted(wanted.audience), "match": name, "known": known}
        raise NotInMatch(Text("table.no_audience", said))
    make: dict[Of, Callable[[], Iterable[EntryRow | FindingRow]]] = {
        "entries": lambda: entry_rows(match, look_at(match, wanted.viewer), name),
        "findings": lambda: finding_rows(match, look_at(match, wanted.viewer), name, seed),
    }
    names = columns(wanted)
    for row in make[wanted.of]():
        yield tuple(getattr(row, column) for column in names)


def entry_rows(match: Record, eyes: Eyes, name: str) -> Iterator[EntryRow]:
    """A row for each entry of a record, in the order of its log."""
    standing, opened = frozenset(line(match.entries)), match.opened
    for number, entry, before, _ in tables(match.entries):
        seen = seen_entry(match.game, eyes, number, entry, before, policy=opened.policy)
        turn, active, phase = _when(before) if number > 1 else (0, "", "")
        yield EntryRow(
            match=name,
            game=opened.game,
            version=opened.version,
            rules_hash=opened.rules_hash,
            seats=opened.seats,
            entry=number,
            kind=seen.seen,
            actor=seen.actor or seen.by,
            verb=seen.action.verb if seen.action is not None else "",
            at=seen.at,
            turn=turn,
            active=active,
            phase=phase,
            clauses=_clauses(seen),
            facts=len(seen.facts),
            violations=seen.violations,
            faces=_faces(seen.action),
            left=number not in standing,
        )


def _when(before: Table) -> tuple[int, str, str]:
    return before.clock.turn, before.clock.active or "", before.clock.phase


def _clauses(seen: SeenEntry) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.clause for fact in seen.facts if fact.clause))


def _faces(action: SeenAction | None) -> tuple[str, ...]:
    return tuple(face for slot in (action.slots if action is not None else ()) for face in _named(slot))


def _named(slot: SeenSlot) -> Iterator[str]:
    for card in (*slot.cards, *(card for pair in slot.pairs for card in pair)):
        if card.face is not None:
            yield card.face


def finding_rows(match: Record, eyes: Eyes, name: str, seed: bytes | None = None) -> Iterator[FindingRow]:
    """A row for each finding of a record under the rules that are pinned in it."""
    found = audit(match.game, match.entries, secret=seed).findings
    opened = match.opened
    for finding in seen_findings(match, eyes, match.law, found):
        yield FindingRow(
            match=name,
            game=opened.game,
            version=opened.version,
            rules_hash=opened.rules_hash,
            entry=finding.entry,
            kind=finding.kind,
            clause=finding.clause,
            certainty=finding.certainty,
            standing=not finding.undone and finding.certainty != "excluded",
            flagged=finding.flagged,
            undone=finding.undone,
            sentence_en=finding.sentence.en,
            sentence_ja=finding.sentence.ja,
            what_en=finding.what.en,
            what_ja=finding.what.ja,
            broken=tuple(dict.fromkeys(reason.clause for reason in finding.broken)),
            missing=_facts(finding.missing),
            extra=_facts(finding.extra),
            **_detail(finding),
        )


def _facts(facts: Iterable[SeenFact]) -> tuple[Named, ...]:
    return tuple(Named(fact.fact, fact.clause) for fact in facts)


def _detail(finding: SeenFinding) -> dict[str, str]:
    detail = finding.detail
    return {} if detail is None else {"detail_en": detail.en, "detail_ja": detail.ja}
