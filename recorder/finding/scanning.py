"""Answer the queries of the search index from the rows of one match, if it is not indexed.

Rulings are left to the caller, which has the entries.
"""

from msgspec.structs import replace

from recorder.finding.index_queries import HITS_MAX
from recorder.finding.rows import ActionHit, ActionRow, HitRow, MatchHit, MatchQuery, Rows, SearchLimits, plain


def is_candidate(rows: Rows, wanted: MatchQuery, limits: SearchLimits) -> bool:
    """True if the opening and closing of a match do not rule it out."""
    is_visible = _is_fully_visible(rows, limits)
    if not (is_visible or (limits.opened and (limits.until is None or rows.at <= limits.until))):
        return False
    if (wanted.clause or wanted.kind or wanted.faces is not None or wanted.fresh) and not is_visible:
        return False
    players = "\n".join(map(plain, rows.names.values()))
    return (
        plain(wanted.player) in players
        and plain(wanted.event) in plain(rows.closed_event if is_visible else rows.event)
        and wanted.game in ("", rows.game)
        and (wanted.since is None or rows.at >= wanted.since)
        and (wanted.before is None or rows.at < wanted.before)
    )


def find_in(match: str, rows: Rows, wanted: MatchQuery, limits: SearchLimits) -> MatchHit | None:
    """Return the match as a hit, or None if it does not match the query."""
    if not is_candidate(rows, wanted, limits):
        return None
    hits = tuple(hit for hit in rows.hits if _is_hit(hit, wanted))
    usage = next((row for row in rows.clauses if row.clause == wanted.clause), None)
    uses = 0 if usage is None else usage.uses if limits.hidden else usage.seen
    if wanted.kind and not hits:
        return None
    if wanted.clause and not wanted.kind and not hits and not uses:
        return None
    faces = {card.face for card in rows.cards if limits.hidden or card.seen}
    if wanted.faces is not None and not faces.intersection(wanted.faces):
        return None
    deeds = tuple(ActionHit(deed.entry, deed.verb) for deed in rows.deeds if _is_wanted(deed, wanted, limits))
    if wanted.fresh and not deeds:
        return None
    head = MatchHit(
        match=match, game=rows.game, version=rows.version, names=rows.names, event=rows.event, at=rows.at, closed=False
    )
    if not _is_fully_visible(rows, limits):
        return head
    visible = {"event": rows.closed_event, "closed": True, "entries": rows.entries, "deeds": deeds[:HITS_MAX]}
    if not (wanted.clause or wanted.kind):
        return replace(head, **visible)
    hits = tuple(sorted(hits, key=lambda hit: hit.entry)[:HITS_MAX])
    return replace(head, **visible, uses=uses if wanted.clause else 0, hits=hits)


def _is_fully_visible(rows: Rows, limits: SearchLimits) -> bool:
    return rows.closed >= 0 and (limits.until is None or rows.closed <= limits.until)


def _is_wanted(deed: ActionRow, wanted: MatchQuery, limits: SearchLimits) -> bool:
    return (
        wanted.fresh
        and (deed.known if limits.hidden else deed.seen)
        and (not wanted.verbs or deed.verb in wanted.verbs)
    )


def _is_hit(hit: HitRow, wanted: MatchQuery) -> bool:
    return wanted.clause in ("", hit.clause) and wanted.kind in ("", hit.kind)
