"""A report as one page: nothing else is loaded, both languages stand in it, and it is readable on a telephone."""

import html
from collections.abc import Iterable, Sequence

from domain.judging.rejudging.causes import Cause
from domain.words import LANGS, Lang, Message, say
from domain.words.lines import one_line
from projections.verdicts.rendering import card_words, cause_words, kind_words
from regress.approvals import Approval
from regress.counting import NOTHING, Report
from regress.formats import line
from regress.summary import KINDS, Flip, Kind, Summary

STYLE = """
:root { color-scheme: light dark; --line: #8886; --bad: #b3261e; --good: #1b7a3d; --soft: #8882 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #7fd69b } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 62rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.bar { background: var(--soft); height: .6rem } .bar i { display: block; height: 100%; background: currentColor }
.bad { color: var(--bad); font-weight: 600 } .good { color: var(--good); font-weight: 600 }
.soft { opacity: .75; font-size: .9rem } .none { opacity: .75 }
input[name=lang] { position: absolute; opacity: 0 } label { cursor: pointer; padding: .15rem .6rem }
label { border: 1px solid var(--line); border-radius: 1rem; font-size: .9rem }
input:focus-visible + label { outline: 2px solid currentColor }
#en:checked ~ main [lang=ja], #ja:checked ~ main [lang=en] { display: none }
#en:checked + label, #ja:checked + label { background: var(--soft); font-weight: 600 }
@media (max-width: 34rem) {
  thead { display: none } tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line) }
  td { display: block; border: 0; padding: .1rem 0 } td.n { text-align: left }
  td[data-en]::before { opacity: .75; font-size: .85rem; margin-right: .5rem }
  #en:checked ~ main td[data-en]::before { content: attr(data-en) }
  #ja:checked ~ main td[data-ja]::before { content: attr(data-ja) }
}
"""


def escape(text: str) -> str:
    """Text on a page; what would break or turn its line round is shown escaped."""
    return html.escape(one_line(text))


LISTED = 500
"""How many rows a table has at most; a browser should not choke on a large corpus."""


class Cell:
    """A cell of a table: safe markup, and whether it is a number."""

    def __init__(self, markup: str, number: bool = False) -> None:
        self.markup, self.number = markup, number


def to_html(report: Report, lang: Lang) -> bytes:
    """The page; `lang` is the language that it opens in."""
    body = [
        f"<h1>{_said('regress.title')}</h1>",
        _head(report),
        f"<p>{_both(*(report.sound.say(lang) for lang in LANGS))}</p>",
        _verdict(report),
        _classes(report),
        _clauses(report),
        _causes(report),
        *(_matches(f"regress.shortest.{kind}", found) for kind, found in report.shortest.items()),
        _flips(report.flips),
        _differences(report),
        _matches("regress.bad", report.bad),
        _holes(report),
        _unused(report.unused_approvals),
    ]
    choice = "".join(
        f'<input type="radio" name="lang" id="{one}"{" checked" if one == lang else ""}>'
        f'<label for="{one}">{"日本語" if one == "ja" else "English"}</label> '
        for one in LANGS
    )
    title = escape(say("regress.title", lang))
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{choice}\n<main>\n"
        + "\n".join(part for part in body if part)
        + f"\n<p>{_said('report.for_judges')}</p>"
        + "\n</main>\n</body>\n</html>\n"
    ).encode()


def _head(report: Report) -> str:
    rows = [
        (_said("regress.rules"), _code(report.rules)),
        (_said("regress.base"), _code(report.base) if report.base else _said("regress.own_base")),
        (_said("regress.matches"), str(report.matches)),
        (_said("regress.entries"), str(report.entries)),
    ]
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows) + "</table>"


def _verdict(report: Report) -> str:
    numbers = {"n": len(report.differences), "unapproved": report.unapproved, "bad": len(report.bad)}
    return f'<p class="{"good" if report.passes else "bad"}">{_said("regress.verdict", **numbers)}</p>'


def _classes(report: Report) -> str:
    rows = [
        [
            Cell(_kind(kind)),
            Cell(str(report.by_class[kind]), True),
            Cell(_bar(report.by_class[kind], report.matches)),
        ]
        for kind in KINDS
    ]
    return _table("regress.by_class", ("regress.class", "regress.count", ""), rows)


def _bar(part: int, whole: int) -> str:
    return f'<div class="bar"><i style="width:{100 * part / whole if whole else 0:.1f}%"></i></div>'


def _clauses(report: Report) -> str:
    rows = [
        [
            Cell(_kind(one.kind)),
            Cell(_clause(one.clause, one.sentence)),
            Cell(str(one.matches), True),
            Cell(str(one.approved), True),
        ]
        for one in report.by_clause
    ]
    return _table("regress.by_clause", ("regress.class", "regress.clause", "regress.count", "regress.approved"), rows)


def _causes(report: Report) -> str:
    rows = [
        [
            Cell(_both(*(cause_words(one.cause, None, lang) for lang in LANGS)) + _printed(one.cause)),
            Cell(str(one.matches), True),
        ]
        for one in report.by_cause
    ]
    return _table("regress.by_cause", ("regress.cause", "regress.count"), rows)


def _printed(cause: Cause) -> str:
    """What was and what is now printed on the card that a cause names."""
    both = zip(*(card_words(cause, lang) for lang in LANGS), strict=True)
    return "".join(f'<div class="soft">{_both(en, ja)}</div>' for en, ja in both)


def _matches(title: str, found: Sequence[Summary]) -> str:
    rows = [[Cell(_code(one.name)), Cell(str(one.entries or ""), True), Cell(_line(one))] for one in found]
    return _table(title, ("regress.match", "regress.length", "regress.what"), rows)


def _flips(found: Sequence[Summary]) -> str:
    rows = [[Cell(_code(one.name)), Cell(_flip(one.flip)), Cell(_line(one))] for one in found if one.flip is not None]
    return _table("regress.flips", ("regress.match", "regress.winners", "regress.what"), rows)


def _flip(flip: Flip) -> str:
    sides = (flip.recorded, flip.rejudged)
    return " → ".join(_said("rejudge.no_result") if one is None else escape(", ".join(one) or "-") for one in sides)


def _differences(report: Report) -> str:
    rows = [
        [
            Cell(_code(one.match.name)),
            Cell(_line(one.match) + f'<div class="soft">{_both(*_sentence(one.match))}</div>'),
            Cell(escape(one.approved) if one.approved else f'<span class="bad">{_said("regress.not_approved")}</span>'),
        ]
        for one in report.differences
    ]
    return _table("regress.differences", ("regress.match", "regress.what", "regress.reason"), rows)


def _holes(report: Report) -> str:
    rows = [[Cell(_clause(one.clause, one.sentence))] for one in report.holes]
    return _table("regress.holes", ("regress.clause",), rows)


def _unused(found: Sequence[Approval]) -> str:
    rows = [[Cell(_code(f"{one.kind} {one.clause} {one.cause}".rstrip())), Cell(escape(one.reason))] for one in found]
    return _table("regress.unused", ("regress.approval", "regress.reason"), rows)


# -- pieces -----------------------------------------------------------------------------------------------------------


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table under a heading; only the heading and a word if there is nothing in it."""
    heading = f"<h2>{_said(title)}</h2>"
    if not rows:
        return f'{heading}<p class="none">{_said("cards.none")}</p>'
    rows, more = rows[:LISTED], len(rows) - LISTED
    rest = f"<p>{_said('regress.more', n=more)}</p>" if more > 0 else ""
    numbers = [cell.number for cell in rows[0]]
    head = "".join(
        f"<th{' class=n' if number else ''}>{_said(key) if key else ''}</th>"
        for key, number in zip(heads, numbers, strict=True)
    )
    body = "".join("<tr>" + "".join(_cells(heads, row)) + "</tr>" for row in rows)
    return f"{heading}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _cells(heads: Sequence[str], row: Sequence[Cell]) -> Iterable[str]:
    for key, cell in zip(heads, row, strict=True):
        named = "".join(f' data-{lang}="{escape(say(key, lang))}"' for lang in LANGS) if key else ""
        yield f"<td{' class=n' if cell.number else ''}{named}>{cell.markup}</td>"


def _said(key: str, **values: object) -> str:
    return _both(*(say(key, lang, **values) for lang in LANGS))


def _both(en: str, ja: str) -> str:
    if en == ja:
        return escape(en)
    return f'<span lang="en">{escape(en)}</span><span lang="ja">{escape(ja)}</span>'


def _kind(kind: Kind) -> str:
    style = "good" if kind == "identical" else "" if kind == "path" else "bad"
    return f'<span class="{style}">{_both(*(kind_words(kind, lang) for lang in LANGS))}</span>'


def _line(one: Summary) -> str:
    return _both(*(line(one, lang) for lang in LANGS))


def _sentence(one: Summary) -> tuple[str, str]:
    said = one.sentence or NOTHING
    return said.en, said.ja


def _clause(clause: str, sentence: Message) -> str:
    return f'{_code(clause)} <div class="soft">{_both(sentence.en, sentence.ja)}</div>'


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"
