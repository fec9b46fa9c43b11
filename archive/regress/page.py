"""The HTML report of a rule change: what changes, why matches differ, and which to look at."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from shlex import quote

from msgspec import Struct

from archive.regress.counting import BY_SIZE, NOTHING, ByValue, MatchDifference, RegressionReport
from archive.regress.formats import line
from archive.regress.summary import DIFFERENCES, KINDS, FactKind, First, Kind, Summary
from domain.games import GAMES
from domain.judging.rejudging.causes import AND, Cause
from domain.words import LANGS, Lang, Message, say
from projections.html.drawing import draw
from projections.verdicts.rendering import card_words, cause_words, kind_words, value_words

Sort = tuple[str, str, str]
"""The clause, tag and subject of a fact; empty if that side has none."""


class DifferencePart(Struct, frozen=True):
    """Differences of one class, clause and, if an action becomes illegal, verb; shortest match first."""

    kind: Kind
    clause: str
    verb: str
    differences: tuple[MatchDifference, ...]

    @property
    def sentence(self) -> Message:
        return self.differences[0].match.sentence or NOTHING

    @property
    def was(self) -> Message | None:
        """The former text of the clause, if different."""
        return self.differences[0].match.was


class Group(Struct, frozen=True):
    """Differences that start with the same kinds of facts, or without any if an action is refused first."""

    game: str
    base: bool
    """True if they already differ before the change."""
    first: First | None
    parts: tuple[DifferencePart, ...]

    @property
    def differences(self) -> tuple[MatchDifference, ...]:
        return tuple(difference for part in self.parts for difference in part.differences)


def group_by_root(differences: Iterable[MatchDifference]) -> tuple[Group, ...]:
    sorts: defaultdict[tuple[str, bool, Sort, Sort], list[MatchDifference]] = defaultdict(list)
    for difference in sorted(differences, key=lambda difference: BY_SIZE(difference.match)):
        match = difference.match
        first = match.first or First(0)
        sorts[match.game, match.kind == "base", _sort_key(first.recorded), _sort_key(first.rejudged)].append(difference)
    groups = [Group(game, base, some[0].match.first, _parts(some)) for (game, base, _, _), some in sorts.items()]
    return tuple(sorted(groups, key=lambda group: -len(group.differences)))


def _sort_key(fact: FactKind | None) -> Sort:
    return ("", "", "") if fact is None else (fact.clause, fact.tag, fact.about)


def _parts(differences: Iterable[MatchDifference]) -> tuple[DifferencePart, ...]:
    by_key: defaultdict[tuple[Kind, str, str], list[MatchDifference]] = defaultdict(list)
    for difference in differences:
        by_key[_part_key(difference.match)].append(difference)
    parts = [DifferencePart(*what, tuple(some)) for what, some in by_key.items()]
    return tuple(sorted(parts, key=lambda part: -len(part.differences)))


def _part_key(match: Summary) -> tuple[Kind, str, str]:
    return *match.key, match.verb if match.kind == "illegal" else ""


CAUSES_PICKED_MAX = 8


class Pick(Struct, frozen=True):
    """A filter choice: the CSS class of its matches, its label, and their number."""

    shows: str
    text: Message
    matches: int


Choice = tuple[str, ...]
"""CSS classes that are selected together."""
Numbers = Mapping[Cause, int]
"""The number of each cause in CSS classes."""
Filters = Mapping[str, tuple[Pick, ...]]


def numbers_of(report: RegressionReport) -> Numbers:
    """Number the causes of the most differences."""
    causes = sorted(report.by_cause, key=lambda row: -row.matches)[:CAUSES_PICKED_MAX]
    return {row.cause: number for number, row in enumerate(causes, start=1)}


def filters_of(report: RegressionReport, numbers: Numbers) -> Filters:
    """Return the choices of each filter that can narrow the list."""
    counted = {row.cause: row.matches for row in report.by_cause}
    causes = {cause: n for cause in numbers if (n := counted[cause]) < len(report.differences)}
    approved = {"open": report.unapproved, "done": len(report.differences) - report.unapproved}
    words = {"open": "regress.not_approved", "done": "regress.approved"}
    picks_of = {
        "class": [
            Pick(f"k-{kind}", _in_both_languages(kind_words, kind), n)
            for kind in DIFFERENCES
            if (n := report.by_class[kind])
        ],
        "approval": [Pick(state, _in_both_languages(say, words[state]), n) for state, n in approved.items() if n],
        "cause": [Pick(f"c{numbers[cause]}", _in_both_languages(short_words, cause), n) for cause, n in causes.items()],
    }
    return {name: tuple(picks) for name, picks in picks_of.items() if len(picks) > (name != "cause")}


def tags_of(numbers: Numbers, differences: Iterable[MatchDifference]) -> str:
    tags: set[str] = set()
    for difference in differences:
        tags |= {f"k-{difference.match.kind}", "done" if difference.approved else "open"}
        tags |= {f"c{numbers[cause]}" for cause in difference.match.causes if cause in numbers}
    return " ".join(sorted(tags))


def combine(filters: Filters, rows: Iterable[str]) -> tuple[list[Choice], list[Choice]]:
    """Return the combinations of filters that match something, and a minimal set of those that match nothing. `rows`
    are the CSS classes of all listed matches."""
    listed = {frozenset(row.split()) for row in rows}
    each: Sequence[list[str]] = [["", *(pick.shows for pick in picks)] for picks in filters.values()]
    wanted = sorted(
        (frozenset(choice) - {""} for choice in product(*each)), key=lambda choice: (len(choice), sorted(choice))
    )
    some: list[Choice] = []
    none: list[frozenset[str]] = []
    for choice in wanted:
        if any(map(choice.issubset, listed)):
            some += [tuple(sorted(choice))] if len(choice) > 1 else []
        elif not any(smaller <= choice for smaller in none):
            none.append(choice)
    return some, [tuple(sorted(choice)) for choice in none]


def short_words(cause: Cause, lang: Lang) -> str:
    """Return a short label of a cause: the keys of its fields, which are explained elsewhere."""
    return cause_words(cause, None, lang) if cause.key == cause.kind or card_words(cause, lang) else cause.key


def _in_both_languages(words: Callable[..., str], what: object) -> Message:
    return Message(words(what, "en"), words(what, "ja"))


_WORDS = re.compile(r"\w+|\W")


class TextDiff(Struct, frozen=True):
    """Two texts compared: the common beginning, the parts that differ, and the common end."""

    begin: str
    was: str
    now: str
    end: str


def diff_texts(was: str, now: str, lang: Lang) -> TextDiff:
    """Compare two texts by words in English, and by characters in Japanese, which has no spaces."""
    before, after = ([*text] if lang == "ja" else _WORDS.findall(text) for text in (was, now))
    begin = _common_prefix(before, after)
    end = _common_prefix(before[begin:][::-1], after[begin:][::-1])
    cut, added = ("".join(words[begin : len(words) - end]) for words in (before, after))
    return TextDiff("".join(before[:begin]), cut, added, "".join(before[len(before) - end :]))


def _common_prefix(one: list[str], other: list[str]) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


LISTED = 500
"""Limit of listed matches in all groups, and of rows in other tables, to keep the page usable."""
GROUPS = 60
PARTS = 12
"""Limits of displayed groups, and of parts in a group."""
PAIRS = 5
AT_ONCE = 5
"""Matches of a part listed at first; the others unfold."""


class Run(Struct, frozen=True):
    """Details of a run that its report lacks. Empty fields are unknown."""

    date: str = ""
    program: str = ""
    laws: dict[str, str] = {}
    """Hash of the deciding code, by game."""
    command: str = ""
    rules: str = ""
    """Command options that name the rules, as `rejudge` accepts them."""


class Pairs(Struct, frozen=True):
    """The changes of a field, most matches first, and the number left out."""

    key: str
    some: Sequence[ByValue]
    more: int


class RuleChange(Struct, frozen=True):
    """A change and the number of matches that differ by it alone; without a cause it changes nothing."""

    cause: Cause | None
    matches: int
    pairs: tuple[Pairs, ...]

    @property
    def lines(self) -> int:
        return max(1, sum(len(pairs.some) for pairs in self.pairs))


class ShownPart(Struct, frozen=True):
    """A displayed part of a group, with the number of matches left out."""

    id: str
    part: DifferencePart
    at_once: Sequence[MatchDifference]
    unfolding: Sequence[MatchDifference]
    left: int
    look: str
    """The command that shows the shortest match."""


class ShownGroup(Struct, frozen=True):
    id: str
    group: Group
    parts: tuple[ShownPart, ...]
    left: int
    """Matches in parts that are left out."""


def to_html(report: RegressionReport, lang: Lang, run: Run | None = None) -> bytes:
    """Render the page; `lang` is the language shown first."""
    details = run or Run()
    groups = group_by_root(report.differences)
    shown = tuple(_display_groups(groups[:GROUPS], details))
    numbers = numbers_of(report)
    filters = filters_of(report, numbers)
    rows = {
        tags_of(numbers, [difference])
        for group in shown
        for part in group.parts
        for difference in (*part.at_once, *part.unfolding)
    }
    chosen, empty = combine(filters, rows)
    words = {
        "about": _about,
        "card_words": card_words,
        "cause_words": cause_words,
        "kind_words": kind_words,
        "line": line,
        "mark": diff_texts,
        "value_words": value_words,
        "verb": _verb,
        "why": _why,
        "word": _word,
    }
    return draw(
        "regression.html",
        lang,
        report=report,
        run=details,
        kinds=[kind for kind in KINDS if report.by_class[kind]],
        absent=[kind for kind in KINDS if not report.by_class[kind]],
        games=GAMES,
        groups=shown,
        left=sum(len(group.differences) for group in groups[GROUPS:]),
        listed=LISTED,
        open=AT_ONCE,
        filters=filters,
        chosen=chosen,
        empty=empty,
        tags=lambda differences: tags_of(numbers, differences),
        changes=_changes(report),
        file=_common_file(report),
        places={
            (part.part.kind, part.part.clause): part.id for group in reversed(shown) for part in reversed(group.parts)
        },
        of_match={row.match.at: part.id for group in shown for part in group.parts for row in part.part.differences},
        **words,
    )


def _display_groups(groups: Sequence[Group], run: Run) -> Iterator[ShownGroup]:
    most = LISTED // max(1, sum(len(group.parts[:PARTS]) for group in groups)) or 1
    for number, group in enumerate(groups, start=1):
        parts = []
        for at, part in enumerate(group.parts[:PARTS], start=1):
            listed = part.differences[:most]
            look = f"shinpan rejudge {quote(listed[0].match.name)} {run.rules}" if run.rules else ""
            left = len(part.differences) - len(listed)
            parts.append(ShownPart(f"g{number}-{at}", part, listed[:AT_ONCE], listed[AT_ONCE:], left, look))
        left = sum(len(part.differences) for part in group.parts[PARTS:])
        yield ShownGroup(f"g{number}", group, tuple(parts), left)


def _common_file(report: RegressionReport) -> str:
    matches: list[Summary] = [*(difference.match for difference in report.differences), *report.bad]
    files = {match.file if match.name.startswith(f"{match.file}:") else "" for match in matches}
    return files.pop() if len(files) == 1 else ""


def _changes(report: RegressionReport) -> list[RuleChange]:
    causes = sorted(report.by_cause, key=lambda row: -row.matches)
    causing = [row.cause.key.split(AND) for row in causes]
    changes = [
        RuleChange(row.cause, row.matches, _pairs(report, keys)) for row, keys in zip(causes, causing, strict=True)
    ]
    named = {key for keys in causing for key in keys}
    idle = dict.fromkeys(value.key for value in report.values if value.key not in named)
    return changes + [RuleChange(None, 0, _pairs(report, [key])) for key in idle]


def _pairs(report: RegressionReport, keys: Sequence[str]) -> tuple[Pairs, ...]:
    values_of = {key: [value for value in report.values if value.key == key] for key in keys}
    return tuple(Pairs(key, some[:PAIRS], len(some[PAIRS:])) for key, some in values_of.items() if some)


def _word(game: str, code: str) -> Message:
    return GAMES[game].rulebook.both_words(code) if game in GAMES else Message(code, code)


def _verb(game: str, verb: str) -> Message:
    word = _word(game, verb)
    return Message(*(say("regress.part.verb", lang, verb=word.say(lang)) for lang in LANGS))


def _why(match: Summary, lang: Lang) -> str:
    texts = [say(f"undecided.{match.why}", lang)] if match.why else []
    return say("list.comma", lang).join(texts + [short_words(cause, lang) for cause in match.causes])


def _about(game: str, fact: FactKind) -> Message:
    texts = []
    for lang in LANGS:
        what = say(f"sort.{fact.tag}", lang)
        about = _word(game, fact.about).say(lang)
        texts.append(say("regress.group.about", lang, what=what, about=about) if about else what)
    return Message(*texts)
