"""Records of matches, from a store or a file, as any viewer sees them."""

from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from archive.corpus.sources import UnreadableMatch, load, sources
from archive.regress.counting import RegressionReport
from archive.regress.regressing import regress
from archive.regress.summary import Task
from domain.formats.notation import write_notation
from domain.games import GAMES
from domain.judging.allowed import allowed
from domain.judging.audit import audit
from domain.judging.rejudging.target import RulesTarget, games_of, probe, target_named
from domain.law.record import Record as MatchRecord
from domain.table.redact import View
from domain.table.table import Result
from domain.words import LANGS, Lang, Text
from projections.board import board, render_board
from projections.findings import SeenFinding, seen_findings
from projections.rows import plain
from projections.seen_entries import SeenEntry, seen_entries
from projections.timeline import entry_words
from projections.viewing import find_viewer
from recorder import codec
from recorder.store_location import on_server

MS_PER_SECOND: Final = 1000
LINES_MAX: Final = 1000
"""Maximum number of lines that `legal` returns for one verb."""


class Board(Struct, frozen=True):
    """The table after an entry, as one viewer sees it. `str` and notebooks show it as text."""

    view: View
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Board after entry {self.view.entry}, seen by {self.view.viewer}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return the board as plain values, in the schema of `shinpan show --json`."""
        built: dict[str, Any] = to_builtins(self.view)
        return built


class Record:
    """A match with its entries. `as_` is a seat, a player's name, `spectator` or `judge`; `at` is an entry number."""

    def __init__(self, record: MatchRecord, id: str) -> None:
        self._record, self.id = record, id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}: {self.edition}, {len(self)} entries>"

    def __len__(self) -> int:
        return len(self._record.entries)

    @property
    def edition(self) -> str:
        """Game and version, such as `blackpoker@8.1-lite`."""
        opened = self._record.opening
        return f"{opened.game}@{opened.version}"

    @property
    def names(self) -> dict[str, str]:
        return {str(seat): name for seat, name in self._record.names.items()}

    @property
    def result(self) -> Result | None:
        """The result with its winners, or None while the match goes on."""
        return self._record.after(len(self)).result

    def entries(self, as_: str = "judge") -> tuple[SeenEntry, ...]:
        """Return all entries with their actions and facts, as a viewer sees them."""
        return tuple(seen_entries(self._record, find_viewer(self._record, as_), len(self), flow=True))

    def to_dicts(self, as_: str = "judge", lang: Lang = "en") -> list[dict[str, Any]]:
        """Return a row for each entry, ready for DuckDB or pandas. Times are `datetime` in UTC, None if unknown."""
        _require_lang(lang)
        return [self._row(entry, lang) for entry in self.entries(as_)]

    def board(self, as_: str = "spectator", at: int | None = None, lang: Lang = "en") -> Board:
        """Return the table after an entry, by default the last one."""
        _require_lang(lang)
        view = board(self._record, find_viewer(self._record, as_), at)
        return Board(view, plain(render_board(view, self._record.law, self._record.opening.schema, lang)))

    def legal(self, as_: str = "judge", at: int | None = None) -> list[str]:
        """Return the legal actions after an entry, as lines that `do` accepts."""
        number = len(self) if at is None else at
        doables = allowed(self._record, find_viewer(self._record, as_), number, LINES_MAX)
        return [line for doable in doables for line in doable.actions]

    def audit(self) -> tuple[SeenFinding, ...]:
        """Return the disagreements between the record and its rules, each with its clause."""
        found = audit(self._record.game, self._record.entries, secret=self._secret()).findings
        return seen_findings(self._record, find_viewer(self._record, "judge"), self._record.law, found)

    def spn(self) -> str:
        return write_notation(self._record.game, self._record.entries)

    def jsonl(self) -> str:
        return codec.to_json_lines([codec.encode(entry) for entry in self._record.entries]).decode()

    def save(self, path: str | Path) -> None:
        """Write the record to a new file, in the format of its suffix: `.spn` or `.jsonl`. Raises FileExistsError,
        ValueError."""
        writers = {".spn": self.spn, ".jsonl": self.jsonl}
        suffix = Path(path).suffix
        if suffix not in writers:
            raise ValueError(f"{path}: the name of a record ends with .spn or .jsonl")
        text = writers[suffix]()
        with Path(path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def _secret(self) -> bytes | None:
        return None

    def _row(self, entry: SeenEntry, lang: Lang) -> dict[str, Any]:
        return {
            "match": self.id,
            "entry": entry.number,
            "kind": entry.seen,
            "at": datetime.fromtimestamp(entry.at / MS_PER_SECOND, UTC) if entry.at else None,
            "actor": entry.actor or entry.by or None,
            "verb": entry.action.verb if entry.action is not None else None,
            "text": entry_words(self._record.game, entry, lang, self._record.names).text,
            "violations": list(entry.violations),
        }


def _require_lang(lang: str) -> None:
    if lang not in LANGS:
        raise ValueError(f"lang: {', '.join(LANGS)}, not {lang!r}")


def read(path: str | Path) -> Record:
    """Read the record in a `.spn` or `.jsonl` file. Raises FileNotFoundError, ValueError."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: no such file")
    found = [*sources([path])]
    record = load(found[0], checked=True) if len(found) == 1 else None
    if record is None:
        raise ValueError(f"{path}: a store or a corpus; open it, or give it to rejudge")
    if isinstance(record, UnreadableMatch):
        raise ValueError(f"{record.name}: {record.why.say('en')}")
    return Record(record, record.opening.match or Path(path).stem)


def rejudge(
    paths: Iterable[str | Path], rules: str = "", *, settings: dict[str, object] | None = None, jobs: int = 1
) -> RegressionReport:
    """Rejudge every match of these files, folders, stores and corpora under other rules, and count the changes.

    `rules` is a version such as `blackpoker@8.2-lite`; the default is each record's edition. `settings` are options by
    name. Raises FileNotFoundError for a missing path. Raises ValueError for unknown rules, and if no match can be read.
    """
    target = replace(target_named(rules, GAMES) if rules else RulesTarget(), settings=settings or {})
    if target.game:
        probe(target, GAMES[target.game])
    else:
        games_of(target, GAMES)
    places = [paths] if isinstance(paths, str | Path) else [*paths]
    for place in places:
        if not on_server(str(place)) and not Path(place).exists():
            raise FileNotFoundError(f"{place}: no such file or folder")
    report = regress(Task(target), sources(places), jobs=jobs)
    if not report.matches:
        raise ValueError(Text("regress.nothing", {"paths": ", ".join(map(str, places))}).say("en"))
    if len(report.bad) == report.matches:
        first = report.bad[0]
        raise ValueError(Text("regress.none_readable", {"name": first.name, "why": first.problem or ""}).say("en"))
    return report
