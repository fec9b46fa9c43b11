"""Matches of real cards: a card found by a next generation is recorded by where it went."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from domain.law.entries import Noted
from tests.service.harness import Served
from tests.service.test_real_tables import RecorderPage, post_opening

WAYS = {
    "en": ["? Not seen, went to the hand", "? Not seen, went to the grave"],
    "ja": ["? 見えないまま手札へ移った", "? 見えないまま墓地へ移った"],
}


def buttons(page: RecorderPage) -> dict[str, str]:
    part = page.text.split('id="asked"')[1].split("</section>")[0]
    found = re.findall(r'name="area" value="([^"]*)">([^<]*)<', part)
    assert ('value="unseen"' in part) == (not found)
    return {value: unescape(words) for value, words in found}


def at_damage_judge(served: Served, lang: str) -> RecorderPage:
    """Return the page on which the next pass turns up the bulwark that blocks a soldier."""
    answer = post_opening(served, "blackpoker", cards="real", edition="blackpoker@9.2-lite/full54")
    page = RecorderPage(served, answer.headers["location"].rpartition("/")[2], lang)
    page.take("chance: auto")
    page.show("S4", "S5", "C6", "D8")

    def name(place: str) -> str:
        table = served.context.match(page.match).table
        return f"u{table.pieces[table.places[place][-1]].thing}"

    steps: list[Callable[[], str]] = [
        *(lambda line=line: line for line in ("p2: attack", "p2: pass", "p1: pass")),
        lambda: f"p2: designate_attackers {name('p2.soldiers')}",
        *(lambda line=line: line for line in ("p2: pass", "p1: pass")),
        lambda: f"p1: designate_blockers {name('p1.bulwarks')}>{name('p2.soldiers')}",
        lambda: "p2: pass",
        lambda: "p1: pass",
    ]
    for step in steps:
        page.post(line=step())
    page.show("CJ")
    return page


def press(page: RecorderPage, area: str) -> None:
    part = page.text.split('id="asked"')[1].split("</section>")[0]
    line, shows = (re.search(f'name="{name}" value="([^"]*)"', part) for name in ("line", "shows"))
    assert line is not None and shows is not None
    page.post(line=unescape(line[1]), shows=shows[1], area=area)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_card_that_only_its_owner_sees_is_answered_by_where_it_went(served: Served, lang: str) -> None:
    page = at_damage_judge(served, lang)
    match = served.context.match(page.match)
    hand, before = len(match.table.places["p1.hand"]), match.version  # type: ignore[index]
    assert list(buttons(page).values()) == WAYS[lang] and list(buttons(page)) == ["?hand", "?grave"]
    if lang == "en":
        assert page.questions[0] == "Next generation: which card came next from the life of Taro?"
    page.show("D7", "?")
    assert served.context.match(page.match).version == before and buttons(page), "asked again where it went"
    assert "`?hand`" in page.text and "combinations" not in page.text
    press(page, "?grave")
    press(page, "?hand")
    match = served.context.match(page.match)
    assert match.version == before + 1 and not any(isinstance(entry, Noted) for entry in match.entries)
    found = match.table.places["p1.hand"]  # type: ignore[index]
    assert len(found) == hand + 1 and all(match.table.pieces[card].face is None for card in found)
