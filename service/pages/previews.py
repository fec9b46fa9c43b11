"""What a judge is about to decide, as players will read it: shown before it is recorded, and known again then."""

from hashlib import sha256
from typing import Final

from msgspec import Struct

from domain.law.entries import Entry
from domain.words import Lang, Text
from projections.seen_entries import seen_entry
from projections.timeline import entry_words
from recorder.filing import refuse
from recorder.usecases import commands as C
from recorder.usecases.handling import read_filed
from service import deciding, filing
from service.asking import Ask
from service.command_ids import writer
from service.house import Sight
from service.problems import halt

DIGITS: Final = 16


class Preview(Struct, frozen=True):
    """What players will read, in both languages; it is known again by `checked`."""

    says: str
    twin: str
    checked: str


def show_beforehand(ask: Ask, sight: Sight, command: C.Rule | C.Decide | C.Penalise, *, checks: bool) -> Preview:
    """What players will read. Halts for whoever may not decide so, and where `checks` finds that it cannot stand."""
    ask.require(command.right, sight.match.id)
    filing.require_right(sight, ask.session, command)
    told = deciding.read_told(sight, command)
    entry = read_filed(ask.house.store, sight.match, writer(ask.session), command, told)
    if isinstance(entry, Text):
        raise halt("unreadable", entry)
    if checks and (why := refuse(ask.house.store, sight.match, entry, told)) is not None:
        raise halt(filing.problem_of(why), why)
    both = _words(sight, entry, "en"), _words(sight, entry, "ja")
    says, twin = both if ask.lang == "en" else both[::-1]
    return Preview(says, twin, sha256("\n".join(both).encode()).hexdigest()[:DIGITS])


def _words(sight: Sight, entry: Entry, lang: Lang) -> str:
    match = sight.match
    policy = match.opened.policy
    seen = seen_entry(match.game, match.eyes(), sight.head + 1, entry, match.table, policy=policy)
    return entry_words(match.game, seen, lang, match.names).text
