"""Rules for all pages: one style sheet, full escaping, and no cost when no page is drawn."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from archive.regress import page as regression
from domain.games import GAMES
from domain.words import LANGS, Lang
from projections.html import coverage
from projections.html.drawing import TEMPLATES
from tests.projections.test_coverage import counted
from tests.rejudging.test_regress_reports import Page, make_report

ROOT = Path(__file__).parents[2]
GAME = GAMES["grimoire"]


def coverage_page(lang: Lang = "en") -> bytes:
    return coverage.to_html(GAME, GAME.latest, counted(GAME.key, 1)[0], lang)


def test_both_pages_have_the_one_style_sheet() -> None:
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8").strip()
    for page in (regression.to_html(make_report(), "en"), coverage_page()):
        assert page.decode().count("<style>") == 1 and style in page.decode()


@pytest.mark.parametrize("lang", LANGS)
def test_the_rulebook_page_is_well_formed_and_opens_in_its_language(lang: Lang) -> None:
    data = coverage_page(lang)
    page = Page(data)
    assert not page.open and not {"script", "link", "img", "iframe"} & set(page.tags)
    assert re.findall(r'id="(\w+)" checked', data.decode()) == [lang]
    assert "never exercised" in page.text["en"] and "使われていない" in page.text["ja"]


def test_whatever_a_template_names_is_shown_as_text_on_one_line() -> None:
    found, _ = counted(GAME.key, 1)
    used = msgspec.structs.replace(found.options[0], name='"a<b>&\u202eb\nc')
    changed = msgspec.structs.replace(found, clauses=(), options=(used,))
    page = coverage.to_html(GAME, GAME.latest, changed, "en").decode()
    assert "&#34;a&lt;b&gt;&amp;" in page and "\u202e" not in page and "b\nc" not in page
    assert "<b>" not in page


def test_no_template_switches_escaping_off_or_loads_anything() -> None:
    for path in TEMPLATES.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bsafe\b|autoescape|Markup|<script|https?:|url\(|@import", text), path.name


def test_jinja_is_loaded_when_a_page_is_drawn_and_not_before() -> None:
    code = "import sys, cli.main, archive.regress.page, projections.html.coverage; assert 'jinja2' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
