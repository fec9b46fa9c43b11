"""The case file in a browser without a network: nothing is loaded, nothing is cut, and it prints."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from domain.law.record import record_of
from pages.casefile import to_html
from projections.casefile import case_file
from tests.disputed import dispute
from tests.games import PLAYED
from tests.laws.samples import sample
from tests.rotation import rotate
from tests.service.journeys import SMALL

STRETCH = 60
PAPER = 688
"""How many pixels wide A4 is between its margins."""
LEAST = 10.6
"""How many pixels high text is on paper at least: eight points."""
AS_LARGE = """() => [...document.querySelectorAll("main :is(small, .soft, .fact)")].filter((part) =>
  parseFloat(getComputedStyle(part).fontSize) >= parseFloat(getComputedStyle(document.body).fontSize)
).map((part) => part.outerHTML)"""
BEYOND = (
    "[...document.querySelectorAll('*')].filter(part => part.getBoundingClientRect().right > innerWidth + 1).length"
)


@pytest.mark.parametrize("key", rotate(sorted(PLAYED), 1))
def test_it_opens_offline_fits_every_width_and_prints(chromium: Browser, tmp_path: Path, key: str) -> None:
    one = sample(key, 1)
    played = one.entries[:STRETCH]
    made, number = dispute(played, len(played) - 2)
    record = record_of(one.game, made)
    for lang in ("en", "ja"):
        path = tmp_path / f"{lang}.html"
        path.write_bytes(to_html(case_file(record, "m", "officials", number, ()), record, lang))
        for width, media in ((390, "screen"), (1280, "screen"), (PAPER, "print")):
            with chromium.new_context(viewport={"width": width, "height": 900}, offline=True) as context:
                page, asked = context.new_page(), list[str]()
                page.on("request", lambda request, asked=asked: asked.append(request.url))
                page.goto(path.as_uri())
                page.emulate_media(media=media)
                assert asked == [path.as_uri()]
                assert page.evaluate(BEYOND) == 0, (lang, width)
                shown = page.locator("main").inner_text()
                assert ("裁定と上訴" in shown) == (lang == "ja") and ("Ruling and appeal" in shown) == (lang == "en")
                if media == "print":
                    assert page.evaluate(SMALL, LEAST) == []
                    assert page.evaluate(AS_LARGE) == [], "what is told beside is told smaller"
                    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
                    assert not page.locator("label").first.is_visible()
