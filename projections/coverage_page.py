"""The rulebook as a page: every clause in both languages, with what exercised it beside it."""

from collections.abc import Iterator
from html import escape

from domain.judging.coverage import Coverage, Heat
from domain.law.clause import Clause
from domain.law.game import Game
from domain.law.rulesets import values
from domain.words import LANGS, Lang
from projections.words import say

STYLE = """
body{font:16px/1.5 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif;color:#222}
body{max-width:68rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;margin:0 0 2rem}
td,th{padding:.3rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tr.h0 td:first-child{border-left:.5rem solid #b33}tr.h1 td:first-child{border-left:.5rem solid #d92}
tr.h2 td:first-child{border-left:.5rem solid #7a4}tr.h3 td:first-child{border-left:.5rem solid #285}
tr.term td{color:#777}small{color:#555}
th,tr[id]>td:first-child{white-space:nowrap}
ul.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
ul.legend li{padding-left:.5rem;border-left:.5rem solid #777}
li.h0{border-color:#b33!important}li.h1{border-color:#d92!important}
li.h2{border-color:#7a4!important}li.h3{border-color:#285!important}
@media (prefers-color-scheme:dark){body{background:#181818;color:#ddd}td,th{border-color:#444}
small,tr.term td{color:#999}}
@media (max-width:40rem){h1{font-size:1.4rem}tr:has(th){display:none}
table,tbody,tr,td{display:block;border:0;padding:.1rem .4rem}table{padding:0}
tr{border-bottom:1px solid #ccc;padding:.4rem 0}
td.n{display:inline-block;text-align:left;color:#555;padding-right:.6rem}
td.n[title]::before{content:attr(title) " ";font-size:.8rem}}
"""
WARM, HOT = 10, 100
"""From how many matches on a clause counts as well, and as very well exercised."""
COLUMNS = ("cases", "refused", "applied", "matches")


def page(game: Game, rules: object, found: Coverage, lang: Lang) -> str:
    """A page that needs no other file; its headings in one language, the clauses in both."""
    return "".join(_page(game, rules, found, lang))


def _page(game: Game, rules: object, found: Coverage, lang: Lang) -> Iterator[str]:
    book = game.rulebook
    title = escape(say("coverage.title", lang, game=book.title.ja if lang == "ja" else book.title.en))
    yield f'<!doctype html><html lang="{lang}"><meta charset="utf-8">'
    yield f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{STYLE}</style>'
    never = frozenset(found.never)
    summary = say("coverage.summary", lang, clauses=len(found.clauses), matches=found.matches, cases=found.cases)
    yield f"<h1>{title}</h1><p>{escape(summary)}<br>{escape(say('coverage.never', lang, n=len(never)))}<br>"
    yield f"{escape(say('coverage.unspoken', lang, n=len(found.unspoken)))}<br>"
    yield f"{escape(say('report.for_judges', lang))}</p>"
    legend = {"h0": 0, "h1": 0, "h2": WARM, "h3": HOT, "term": 0}
    items = (f'<li class="{heat}">{escape(say(f"heat.{heat}", lang, n=n))}' for heat, n in legend.items())
    yield f'<ul class="legend">{"".join(items)}</ul>'
    heads = "".join(f"<th>{escape(say(f'coverage.{one}', lang))}" for one in COLUMNS)
    titles = {one: escape(say(f"coverage.{one}", lang)) for one in COLUMNS}
    numbers = values(rules)  # type: ignore[arg-type]
    excused = {
        one.clause: f"<br><small>{escape(one.ja if lang == 'ja' else one.en)}</small>" for one in found.unreachable
    }
    for number, chapter in book.chapters.items():
        rows = [one for one in found.clauses if one.clause.partition(".")[0] == number]
        if not rows:
            continue
        yield f"<h2>{escape(number)} {escape(chapter.ja)} <small>{escape(chapter.en)}</small></h2>"
        yield f"<table><tr><th>{escape(say('coverage.clause', lang))}<th>{heads}"
        for one in rows:
            sentences = "<br>".join(escape(book.sentence(one.clause, spoken, numbers)) for spoken in reversed(LANGS))
            sentences += excused.get(one.clause, "")
            counts = "".join(f'<td class="n" title="{titles[name]}">{getattr(one, name)}' for name in COLUMNS)
            clause = escape(one.clause)
            yield f'<tr class="{_class(one, never)}" id="{clause}"><td>{clause}<td>{sentences}{counts}'
        yield "</table>"
    for key, used in (("cards", found.cards), ("options", found.options)):
        if used:
            yield f"<h2>{escape(say(f'coverage.{key}', lang))}</h2><table>"
            for item in used:
                words = escape(item.name if key == "options" else f"{item.name} {book.word(item.name, lang)}")
                heat = "h0" if not item.matches else "h3"
                yield f'<tr class="{heat}"><td>{words}<td class="n">{item.matches}'
            yield "</table>"
    yield "</html>\n"


def _class(one: Heat, never: frozenset[Clause]) -> str:
    if one.kind == "term":
        return "term"
    if one.clause in never:
        return "h0"
    return "h3" if one.matches >= HOT else "h2" if one.matches >= WARM else "h1"
