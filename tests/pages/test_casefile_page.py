"""The case file as a page: complete, in both languages, self-contained and printable."""

import re

import pytest
from msgspec.structs import replace

from domain.law import disputes as D
from domain.law.entries import Entry
from domain.law.record import record_of
from domain.words import LANGS, Lang
from projections.casefile import EYES, Audience, case_file
from projections.html.casefile import to_html
from projections.html.drawing import TEMPLATES
from projections.rulings import rulings_of
from tests.disputed import dispute
from tests.laws.samples import sample
from tests.projections.records import GAME, laid_out, play
from tests.rejudging.test_regress_reports import NASTY, Page


def page(audience: Audience = "officials", lang: Lang = "en", nasty: str = "") -> bytes:
    entries: list[Entry] = play(laid_out({"p1.hand": "HK S2"}), "p1: pass")
    made, number = dispute(entries, 2, ("BP-4.2",), 1_700_000_000_000)
    ruled = made[number + 1]
    assert isinstance(ruled, D.Ruled)
    if nasty:
        penalty = D.Penalty(ruled.penalties[0].seat, nasty, nasty)
        opinion = D.Opinion("x", nasty)
        ruled = replace(ruled, reason=nasty, by=nasty, penalties=(penalty,), departure=nasty, opinion=opinion)
    record = record_of(GAME, (*made[: number + 1], ruled, *made[number + 2 :]))
    return to_html(case_file(record, "m", audience, number, rulings_of(record, "older", EYES[audience])), record, lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("audience", ["players", "officials"])
def test_it_is_well_formed_in_both_languages_and_loads_nothing(audience: Audience, lang: Lang) -> None:
    data = page(audience, lang)
    made = Page(data)
    assert not made.open and not {"script", "link", "img", "iframe"} & set(made.tags)
    assert not [name for name, _ in made.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert b"url(" not in data and b"@import" not in data and b"http" not in data
    assert re.findall(r'id="(\w+)" checked', data.decode()) == [lang]
    text = made.text
    assert "Ruling and appeal" in text["en"] and "裁定と上訴" in text["ja"]
    assert not re.search(r"[ぁ-ん]", text["en"])
    assert ("For officials only" in text["en"]) == (audience == "officials")


def test_it_has_the_one_style_sheet_which_has_a_print_style() -> None:
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8").strip()
    assert page().decode().count("<style>") == 1 and style in page().decode()
    assert "@page { size: A4" in style and "@media print" in style


def test_what_is_hidden_in_a_page_of_reports_stands_in_no_case_file() -> None:
    """The last line of the report is for judges only."""
    assert "this report is for judges" not in page("players").decode()


def test_hostile_words_stay_text() -> None:
    data = page(nasty=NASTY)
    assert not {"b", "i", "script", "img"} & set(Page(data).tags)
    assert "\x1b" not in data.decode() and "\u202e" not in data.decode()


def test_a_map_is_drawn_as_squares() -> None:
    one = sample("skillbook", 0)
    made, number = dispute(one.entries[:12], 12)
    record = record_of(one.game, made)
    tree = Page(to_html(case_file(record, "m", "players", number, ()), record, "en"))
    assert ("class", "map") in tree.attributes and not tree.open
