"""Previews of rulings, decisions and penalties, as players will read them."""

from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.law.entries import Entry
from domain.words import Lang, Text
from projections.disputes import SeenDispute
from projections.seen_entries import seen_entry
from projections.timeline import entry_words
from recorder.decisions import find_objection
from recorder.usecases import commands as C
from recorder.usecases.handlers import read_filed
from service.context import MatchView
from service.idempotency import author_of
from service.problems import http_problem
from service.recording import filing
from service.recording.checks import read_command_facts
from service.requests import Request

DIGITS: Final = 16
CLAIM_MARK: Final = "-"
"""Precedes the entry of the last claim in the identity of a preview."""


class Preview(Struct, frozen=True):
    """A preview in the page's language and in the other one. `checked` identifies it."""

    says: str
    twin: str
    checked: str


def make_preview(
    request: Request, view: MatchView, command: C.Rule | C.Decide | C.Penalise, *, checks: bool
) -> Preview:
    """Return the preview. Raises HttpProblem without the right to decide, or if `checks` finds an error."""
    request.require(command.right, view.match.id)
    filing.require_right(view, request.session, command)
    facts = read_command_facts(view, command)
    entry = read_filed(request.context.store, view.match, author_of(request.session), command, facts)
    if isinstance(entry, Text):
        raise http_problem("unreadable", entry)
    if checks and (why := find_objection(request.context.store, view.match, entry, facts)) is not None:
        raise http_problem(filing.problem_of(why), why)
    both = _write_words(view, entry, "en"), _write_words(view, entry, "ja")
    says, twin = both if request.lang == "en" else both[::-1]
    return Preview(says, twin, sha256("\n".join(both).encode()).hexdigest()[:DIGITS])


def note_claims(preview: Preview, dispute: SeenDispute) -> Preview:
    """Return a preview that also identifies the last claim of its dispute."""
    last = max((entry.number for entry in dispute.entries if entry.claims), default=0)
    return replace(preview, checked=f"{preview.checked}{CLAIM_MARK}{last}")


def has_new_claim(preview: Preview, checked: str) -> bool:
    """True if a claim was added since the preview that `checked` identifies."""
    return preview.checked.rpartition(CLAIM_MARK)[2] != checked.rpartition(CLAIM_MARK)[2]


def _write_words(view: MatchView, entry: Entry, lang: Lang) -> str:
    match = view.match
    policy = match.opening.policy
    seen = seen_entry(match.game, match.eyes(), view.head + 1, entry, match.table, policy=policy)
    return entry_words(match.game, seen, lang, match.names).text
