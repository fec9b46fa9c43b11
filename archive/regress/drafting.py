"""Draft an approval file with a table for each unapproved class, clause and cause."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from archive.regress.counting import BY_SIZE, NOTHING, RegressionReport
from archive.regress.summary import KINDS, Kind, Summary
from domain.words import Lang, say
from domain.words.lines import one_line
from projections.verdicts.rendering import kind_words

Approvable = tuple[Kind, str, str]
"""A class, a clause and the key of a cause."""


def to_approvals(report: RegressionReport, lang: Lang) -> bytes:
    """Return the tables as TOML, each with an empty reason, which is refused until it is filled. A comment describes
    what each would approve. Any one of its causes approves a match."""
    matches: defaultdict[Approvable, list[Summary]] = defaultdict(list)
    for difference in report.differences:
        match = difference.match
        for cause in () if difference.approved else match.causes:
            matches[*match.key, cause.key].append(match)
    order = sorted(matches, key=lambda what: (KINDS.index(what[0]), -len(matches[what]), what[1:]))
    head = say("draft.head" if order else "draft.none", lang, rules=report.rules, digest=report.digest)
    return "\n".join((f"# {head}\n", *(_table(what, matches[what], lang) for what in order))).encode()


def _table(what: Approvable, matches: Sequence[Summary], lang: Lang) -> str:
    kind, clause, cause = what
    shortest = min(matches, key=BY_SIZE)
    comments = [
        say("draft.matches", lang, kind=kind_words(kind, lang), n=len(matches), name=shortest.name),
        (shortest.sentence or NOTHING).say(lang),
    ]
    values = {"class": kind, "clause": clause, "cause": cause, "reason": ""}
    lines = [f"# {one_line(text)}" for text in comments if text]
    # A JSON string is a TOML string, except for DEL, which TOML requires to be escaped.
    lines += ["[[approved]]", *(f"{key} = {_quoted(value)}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
