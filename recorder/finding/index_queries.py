"""Query a search index for matches and clause usage, within a viewer's limits."""

from collections.abc import Sequence
from typing import Any

import msgspec

from recorder.finding.index_follower import SearchIndex
from recorder.finding.rows import ActionHit, ClauseTally, HitRow, MatchHit, MatchQuery, RulingRow, SearchLimits, plain
from recorder.library.cursor import SqlRow

HITS_MAX = 20
COLUMNS = "number, match, game, version, names, event, at, closed, entries, last"


class Where:
    """An SQL condition with its parameters."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.values: list[object] = []

    def add(self, condition: str, *values: object) -> None:
        self.conditions.append(condition)
        self.values += values

    def text(self) -> str:
        return " AND ".join(self.conditions) or "1"


def find(
    finder: SearchIndex, wanted: MatchQuery, limits: SearchLimits, after: str = "", limit: int = 50
) -> tuple[MatchHit, ...]:
    """Return the matching matches, newest first, after a visible match."""
    where = _where_visible(limits)
    if after:
        last = _where_visible(limits)
        last.add("match=?", after)
        where.add(f"number<(SELECT number FROM found WHERE {last.text()})", *last.values)
    _add_conditions(where, wanted, limits)
    query = f"SELECT {COLUMNS} FROM found WHERE {where.text()} ORDER BY number DESC LIMIT ?"
    return tuple(_make_hit(finder, wanted, limits, row) for row in finder.select(query, (*where.values, limit)))


def list_candidates(finder: SearchIndex, wanted: MatchQuery, limits: SearchLimits) -> tuple[str, ...]:
    """Return the matches to scan for what the index lacks, newest first. They are the wanted ones, and open matches and
    branches, whose entries are not indexed."""
    visible, where = _where_visible(limits), Where()
    _add_conditions(where, wanted, limits)
    condition = f"{visible.text()} AND (closed<0 OR branch OR {where.text()})"
    query = f"SELECT match FROM found WHERE {condition} ORDER BY number DESC"
    return tuple(match for (match,) in finder.select(query, (*visible.values, *where.values)))


def verbs(finder: SearchIndex) -> frozenset[str]:
    """Return the verbs of actions on objects that arrived in the same turn."""
    return frozenset(verb for (verb,) in finder.select("SELECT DISTINCT verb FROM deeds"))


def count_clause_usage(finder: SearchIndex, game: str, limits: SearchLimits) -> tuple[ClauseTally, ...]:
    """Return the usage of each clause of a game in closed matches, without branches."""
    where = _where_closed(limits)
    where.add("game=?", game)
    uses = "uses" if limits.hidden else "seen"
    joined = f"JOIN found USING (number) WHERE {where.text()}"
    usage = finder.select(f"SELECT clause, SUM({uses}), SUM({uses}>0) FROM told {joined} GROUP BY clause", where.values)
    found: dict[str, int] = dict(
        finder.select(f"SELECT clause, COUNT(*) FROM hits {joined} AND undone=0 GROUP BY clause", where.values)
    )
    rows = {clause: ClauseTally(clause, uses, matches, found.get(clause, 0)) for clause, uses, matches in usage if uses}
    rows |= {clause: ClauseTally(clause, 0, 0, n) for clause, n in found.items() if clause not in rows}
    return tuple(rows[clause] for clause in sorted(rows))


def count_findings(finder: SearchIndex, matches: Sequence[str]) -> dict[str, int]:
    """Count the findings of closed matches, without undone ones. Matches missing from the index are left out."""
    marks = ",".join("?" * len(matches))
    query = (
        "SELECT match, COUNT(hits.number) FROM found LEFT JOIN hits ON hits.number=found.number AND undone=0"
        f" WHERE closed>=0 AND NOT branch AND match IN ({marks}) GROUP BY match"
    )
    return dict(finder.select(query, matches))


def list_archived(finder: SearchIndex, until: int | None, games: Sequence[str]) -> list[str]:
    """List the closed matches of these games that were fully visible by `until`, oldest first, without branches."""
    where = _where_closed(SearchLimits(until=until))
    where.add(f"game IN ({','.join('?' * len(games))})", *games)
    query = f"SELECT match FROM found WHERE {where.text()} AND NOT branch ORDER BY number"
    return [row[0] for row in finder.select(query, where.values)]


def _where_closed(limits: SearchLimits) -> Where:
    """Return the condition for closed matches that are fully visible under these limits."""
    where = Where()
    where.add("closed>=0")
    if limits.until is not None:
        where.add("closed<=?", limits.until)
    return where


def _where_visible(limits: SearchLimits) -> Where:
    """Return the condition for matches whose existence is visible."""
    if not limits.opened:
        return _where_closed(limits)
    where = Where()
    if limits.until is not None:
        where.add("at<=?", limits.until)
    return where


def _add_conditions(where: Where, wanted: MatchQuery, limits: SearchLimits) -> None:
    visible = _where_closed(limits)
    if wanted.clause or wanted.kind or wanted.faces is not None or wanted.fresh or wanted.ruling or wanted.outcome:
        where.add(visible.text(), *visible.values)
    hidden = "1" if limits.hidden else "seen>0"
    hit, values = _where_hits(wanted)
    hits = f"number IN (SELECT number FROM hits WHERE {hit})"
    if wanted.kind:
        where.add(hits, *values)
    elif wanted.clause:
        cited = f"number IN (SELECT number FROM told WHERE clause=? AND {hidden})"
        where.add(f"({cited} OR {hits})", wanted.clause, *values)
    if wanted.faces is not None:
        marks = ",".join("?" * len(wanted.faces))
        where.add(f"number IN (SELECT number FROM cards WHERE face IN ({marks}) AND {hidden})", *wanted.faces)
    if wanted.fresh:
        where.add(f"number IN (SELECT number FROM deeds WHERE {_where_deeds(wanted, limits)})", *wanted.verbs)
    if wanted.ruling or wanted.outcome:
        ruled, values = _where_rulings(wanted)
        where.add(f"number IN (SELECT number FROM rulings WHERE {ruled})", *values)
    if wanted.player:
        where.add("instr(players, ?)", plain(wanted.player))
    if wanted.event:
        event = plain(wanted.event)
        where.add(f"instr(CASE WHEN {visible.text()} THEN lasts ELSE events END, ?)", *visible.values, event)
    if wanted.game:
        where.add("game=?", wanted.game)
    if wanted.since is not None:
        where.add("at>=?", wanted.since)
    if wanted.before is not None:
        where.add("at<?", wanted.before)


def _where_hits(wanted: MatchQuery) -> tuple[str, list[str]]:
    filters = [(name, value) for name, value in (("clause", wanted.clause), ("kind", wanted.kind)) if value]
    return " AND ".join(f"{name}=?" for name, _ in filters) or "1", [value for _, value in filters]


def _where_rulings(wanted: MatchQuery) -> tuple[str, list[str]]:
    filters = [(name, value) for name, value in (("verdict", wanted.ruling), ("outcome", wanted.outcome)) if value]
    return " AND ".join(f"{name}=?" for name, _ in filters), [value for _, value in filters]


def _where_deeds(wanted: MatchQuery, limits: SearchLimits) -> str:
    verbs = f"verb IN ({','.join('?' * len(wanted.verbs))}) AND " if wanted.verbs else ""
    return verbs + ("known" if limits.hidden else "seen")


def _make_hit(finder: SearchIndex, wanted: MatchQuery, limits: SearchLimits, row: SqlRow) -> MatchHit:
    number, match, game, version, names, event, at, closed, entries, last = row
    is_visible = closed >= 0 and (limits.until is None or closed <= limits.until)
    head: dict[str, Any] = {"match": match, "game": game, "version": version, "at": at, "closed": is_visible}
    head["names"] = msgspec.json.decode(names)
    if not is_visible:
        return MatchHit(**head, event=event)
    uses, hits, deeds, rulings = 0, [], [], []
    if wanted.clause or wanted.kind:
        hit, values = _where_hits(wanted)
        query = f"SELECT entry, kind, clause, undone FROM hits WHERE number=? AND {hit} ORDER BY entry, rowid LIMIT ?"
        hits = finder.select(query, (number, *values, HITS_MAX))
    if wanted.clause:
        counted = finder.select("SELECT uses, seen FROM told WHERE clause=? AND number=?", (wanted.clause, number))
        uses = (counted[0][0] if limits.hidden else counted[0][1]) if counted else 0
    if wanted.fresh:
        query = (
            f"SELECT entry, verb FROM deeds WHERE number=? AND {_where_deeds(wanted, limits)} ORDER BY entry LIMIT ?"
        )
        deeds = finder.select(query, (number, *wanted.verbs, HITS_MAX))
    if wanted.ruling or wanted.outcome:
        ruled, values = _where_rulings(wanted)
        query = f"SELECT entry, verdict, outcome FROM rulings WHERE number=? AND {ruled} ORDER BY entry LIMIT ?"
        rulings = finder.select(query, (number, *values, HITS_MAX))
    return MatchHit(
        **head,
        event=last,
        entries=entries,
        uses=uses,
        hits=tuple(HitRow(entry, kind, clause, bool(undone)) for entry, kind, clause, undone in hits),
        deeds=tuple(ActionHit(entry, verb) for entry, verb in deeds),
        rulings=tuple(RulingRow(entry, verdict, outcome) for entry, verdict, outcome in rulings),
    )
